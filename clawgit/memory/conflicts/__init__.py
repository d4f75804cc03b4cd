"""Which entries contradict each other, which of two holds, and how is the other one marked?

Public: conflict_log, conflict_rules, superseded_marks.
"""
