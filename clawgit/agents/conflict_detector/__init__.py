"""Which entries contradict each other, and what follows from that?

Public: detection_round, resolve_conflict, conflict_detector.
"""
