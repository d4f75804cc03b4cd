"""What is wrong with this workspace, and can it be repaired?

Public: doctor, risky_git_config.
"""
