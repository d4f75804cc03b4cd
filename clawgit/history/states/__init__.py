"""Which states of the soul are there, and how is one restored?

Public: revisions, soul_drift.
"""
