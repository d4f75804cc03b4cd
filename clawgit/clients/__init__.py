"""What is changed in a host's own files so that it uses this memory, and how is all of it put back?

Public: session_hook, connect, host_turns, host_files, openclaw.
"""
