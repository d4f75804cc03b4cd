"""When does a session end, what is kept of it, and how is its transcript made shorter?

Public: sessions, session_end, compact_transcript, taken_back.
"""
