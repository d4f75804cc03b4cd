"""What does the user's own configuration folder hold: trust, workspaces, caches?

Public: trusted_settings, cache_folder, trusted_programs, workspace_registry, user_file.
"""
