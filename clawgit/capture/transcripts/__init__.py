"""How is a transcript of a host read?

Public: importing, transcript_source, codex_lines.
"""
