"""What is wrong with this workspace, and can it be repaired?

Public: complaint, risky_git_config, doctor, lost_history.
"""
