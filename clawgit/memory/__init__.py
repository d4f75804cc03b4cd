"""What is remembered: entries, their ids, and which file belongs to which tier. No I/O."""
