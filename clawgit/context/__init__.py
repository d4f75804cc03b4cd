"""What goes into a prompt, within which budget, and on what does it rest?

Public: assemble_context, wanted_context, file_slots, hits_told, longterm_slot, note_lines, lines_told, said_later, slots, external_sources, receipts, kept_lines, session_talk.
"""
