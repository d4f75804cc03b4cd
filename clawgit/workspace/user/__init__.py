"""What does the user's own configuration folder hold: trust, workspaces, caches?

Public: user_file, pattern_cache, trusted_settings, workspace_registry, connections, openclaw_ledger.
"""
