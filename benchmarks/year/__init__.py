"""A year of one operator's talk, and what memory is like after it."""
