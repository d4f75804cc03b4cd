"""When does a session end, and what is kept of it?

Public: sessions, session_end, session_text, compact_transcript, flush, session_transcript, topic_snapshot.
"""
