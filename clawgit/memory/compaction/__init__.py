"""Which notes are old, what is told of them, and where do they go?

Public: old_notes, chronicle, extract, weak_entries, story_check.
"""
