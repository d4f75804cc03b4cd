"""A text as the units that a person means, and a step of it taken back unit by unit. No I/O."""
