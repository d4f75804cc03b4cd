"""Thirty moments: a workspace, a question, and the lines that a context must and must not hold then."""
