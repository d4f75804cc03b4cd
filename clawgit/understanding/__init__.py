"""What does a person's message mean? Told by rules alone. No I/O."""
