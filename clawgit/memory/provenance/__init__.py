"""Who said an entry, on what evidence, and how sure is it?

Public: fold, pieces, readings, stamps.
"""
