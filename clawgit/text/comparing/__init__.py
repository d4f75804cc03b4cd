"""How alike are two texts, and in which words and values do they differ?

Public: similarity, value_kinds, subjects, fuzzy, word_diff.
"""
