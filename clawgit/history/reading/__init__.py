"""What does git say: log, blame, reachable commits?

Public: git_log, blame, changed_words, rearranged.
"""
