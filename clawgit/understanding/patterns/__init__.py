"""Which words show that something is to be remembered or corrected? Tables for each language, and how they match.

Public: own_words, compiled_patterns.
"""
