"""How is one step of a text taken back when the text has changed since?

Public: statement_lines, text_step, text_units, unit_steps.
"""
