"""Which states of the soul are there, and how is one restored?

Public: revisions, snapshots, soul_drift, soul_export.
"""
