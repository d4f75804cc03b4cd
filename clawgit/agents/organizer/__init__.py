"""How is memory put in order: classes, near-duplicates, listings, a short MEMORY.md?

Public: organizer_round.
"""
