"""What was said: triage of a message, message stores, transcripts."""
