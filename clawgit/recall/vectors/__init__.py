"""Vectors of passages: a cache of all that were made, Chroma for those that live, one process that owns it."""
