"""A week of talk, replayed: what clawgit remembers of it, night by night."""
