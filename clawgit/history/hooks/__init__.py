"""Where are git's hooks installed, and what does each of them check?

Public: hooks_status, hooks_interpreter, commit_checks, first_look, hook_call, hooks_folder, install,
noted_settings, push_checks, staged_tree.
"""
