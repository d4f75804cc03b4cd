"""What was said: messages, transcripts, and how a session ends.

Public: triage_cache.
"""
