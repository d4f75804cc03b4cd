"""What are the words of a text, in each language?

Public: word_lists, terms, tokens, stopwords, everyday_words, spoken_times.
"""
