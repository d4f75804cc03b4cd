"""Where are git's hooks installed, and what does each of them check?

Public: hooks_status, commit_checks, hook_call, install, push_checks, staged_tree, stale_staging.
"""
