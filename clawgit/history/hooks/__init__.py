"""Where are git's hooks installed, and what does each of them check?

Public: hooks_status, commit_checks, hook_call, hooks_folder, install, message_checks, push_checks.
"""
