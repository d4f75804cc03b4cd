"""Markdown and messages in, values out. No I/O.

Public: trailers, commit_message_file.
"""
