"""What is remembered: entries, corrections, and where each comes from. No I/O.

Public: conflict_log, entry_states, organizing, trust, notes, promotable_parts.
"""
