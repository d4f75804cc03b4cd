"""How is a transcript of a host read, compacted and pruned?

Public: importing, transcript_formats, transcript_source, known_conversations, prune_transcript, tool_calls,
codex_lines.
"""
