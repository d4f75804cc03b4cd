"""What is an entry, and in which file does it belong?

Public: tiers, statements, entries, entry_marks, own_section, overflow, stale_rewrite.
"""
