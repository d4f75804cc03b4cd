"""What is an entry, and in which file does it belong?

Public: tiers, statements, entries, entry_marks, topics, own_section, overflow, stale_rewrite, lessons, statement_lookup.
"""
