"""Markdown and messages in, values out. No I/O."""
