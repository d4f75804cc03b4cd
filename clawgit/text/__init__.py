"""Markdown and messages in, values out. No I/O.

Public: lazy_pattern, strict_json, trailers.
"""
