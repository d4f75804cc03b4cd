"""How is one step of a text taken back when the text has changed since?

Public: text_step, entry_moves, text_units, unit_steps, lost_words, reversal.
"""
