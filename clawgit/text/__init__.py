"""Markdown and messages in, values out: lines, list items, trailers, characters, similarity. No I/O."""
