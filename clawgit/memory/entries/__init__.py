"""What is an entry, and in which file does it belong?

Public: tiers, statements, entries, own_section, stale_rewrite.
"""
