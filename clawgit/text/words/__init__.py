"""What are the words of a text, in each language?

Public: word_lists, terms, tokens, stopwords, spoken_times.
"""
