"""Which entry does a message correct, and how should that entry read?

Public: correct_by_hand, fitted_line, outdated, ready_commands, second_word.
"""
