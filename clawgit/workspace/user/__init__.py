"""What does the user's own configuration folder hold: trust, workspaces, caches?

Public: trusted_settings, trusted_programs, workspace_registry, user_file.
"""
