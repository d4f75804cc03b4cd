"""How is one step of a text taken back when the text has changed since?

Public: text_units, unit_steps.
"""
