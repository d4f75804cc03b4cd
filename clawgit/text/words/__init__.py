"""What are the words of a text, in each language?

Public: word_lists, terms, script, tokens, stopwords, day_names, stems, common_words, hangul, spoken_times.
"""
