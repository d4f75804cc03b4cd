"""What is remembered: entries, corrections, and where each comes from. No I/O.

Public: conflict_log, entry_states, organizing, session_notes, trust, old_notes, promotable_parts.
"""
