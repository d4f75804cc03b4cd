"""How are entries listed by class, and how does MEMORY.md stay short?

Public: exports, long_memory.
"""
