"""Tables of words and phrases that the rules read.

Public: user_words, numbered_answers.
"""
