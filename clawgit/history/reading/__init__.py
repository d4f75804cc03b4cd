"""What does git say: log, blame, reachable commits?

Public: git_log, blame, rearranged.
"""
