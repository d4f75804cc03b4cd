"""Who said an entry, on what evidence, and how sure is it?

Public: contrasts, fold, pieces, readings, stamps.
"""
