"""What was said: messages, triage, transcripts, and how a session ends."""
