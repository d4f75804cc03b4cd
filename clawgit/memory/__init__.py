"""What is remembered: entries, corrections, and where each comes from. No I/O.

Public: trust, entry_states, conflict_log, expiry.
"""
