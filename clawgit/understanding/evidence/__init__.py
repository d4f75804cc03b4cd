"""Do the operator's words carry this edit?

Public: check_edit, own_sentences, said_values, said_words, says_beyond, numbered_things, taking_back,
orders_to_forget.
"""
