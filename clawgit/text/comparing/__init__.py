"""How alike are two texts, and in which words and values do they differ?

Public: similarity, value_kinds, value_meanings, subjects, fuzzy, word_diff.
"""
