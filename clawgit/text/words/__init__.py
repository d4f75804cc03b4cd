"""What are the words of a text, in each language?

Public: word_lists, terms, tokens, stopwords, stems, common_words, hangul, spoken_times.
"""
