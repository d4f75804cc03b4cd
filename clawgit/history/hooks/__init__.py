"""Where are git's hooks installed, and what does each of them check?

Public: hooks_status, commit_checks, first_look, hook_call, hooks_folder, install, push_checks.
"""
