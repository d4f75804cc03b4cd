"""Which words show that something is to be remembered or corrected? One table a language, and how they match.

Public: own_words, pattern_rule.
"""
