"""What does git say: log, blame, renames, reachable commits?"""
