"""Which notes are old, what is told of them, and where do they go?

Public: chronicle, extract, old_notes, weak_entries.
"""
