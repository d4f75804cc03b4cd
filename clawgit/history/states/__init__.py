"""Which states of the soul are there, and how is one restored?

Public: revisions, soul_diff, tip_at_time, restore_soul, snapshots, soul_export, soul_drift.
"""
