"""When does a session end, and what is kept of it?"""
