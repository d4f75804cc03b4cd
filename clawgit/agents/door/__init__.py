"""What may a message, a host or the operator change in memory, and how is that proven and written?

Public: authorised_edits, correction_plans, exchanged_lines, linkable, meant_entries, message_door, second_reader.
"""
