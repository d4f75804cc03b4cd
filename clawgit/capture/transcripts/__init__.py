"""How is a transcript of a host read?

Public: importing, transcript_source, tool_calls, codex_lines.
"""
