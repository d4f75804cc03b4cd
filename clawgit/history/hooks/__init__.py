"""Where are git's hooks installed, and what does each of them check?

Public: commit_checks, hook_call, install, message_checks.
"""
