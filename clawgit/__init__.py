"""Memory and identity of an AI agent, kept in git."""

__version__ = "0.1.0"
