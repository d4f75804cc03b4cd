"""What is wrong with this workspace, and can it be repaired?

Public: risky_git_config, doctor.
"""
