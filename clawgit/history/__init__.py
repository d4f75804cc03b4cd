"""The workspace's git repository: the one write path, recovery, guards, keep, adoption."""
