"""How is a transcript of a host read?

Public: importing, transcript_formats, transcript_source, tool_calls, codex_lines.
"""
