"""When is a job due, what is done then, and what is said of it in the morning?

Public:
"""
