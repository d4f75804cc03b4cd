"""Which notes are old, what is told of them, and where do they go?

Public: old_notes, chronicle, extract, story_check, quarterly_archive, stale_vectors,
weak_entries.
"""
