"""What is an entry, and in which file does it belong?

Public: tiers, statements, entries, entry_marks, entry_ids, statement_lookup, topics, append_entry, day_notes, own_section,
lessons, overflow, said_lines, stale_rewrite.
"""
