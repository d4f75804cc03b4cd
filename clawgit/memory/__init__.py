"""What is remembered: entries, corrections, and where each comes from. No I/O."""
