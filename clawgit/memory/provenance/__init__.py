"""Who said an entry, on what evidence, and how sure is it?

Public: confidence, fold, grounds, pieces, stamps.
"""
