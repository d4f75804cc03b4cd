"""What does the user's own configuration folder hold: trust, workspaces, caches?"""
