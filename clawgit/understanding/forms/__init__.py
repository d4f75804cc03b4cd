"""Tables of words and phrases that the rules read.

Public: sentence_forms, user_words, numbered_answers.
"""
