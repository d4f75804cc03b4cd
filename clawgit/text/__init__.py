"""Markdown and messages in, values out. No I/O.

Public: lazy_pattern, trailers, commit_message_file.
"""
