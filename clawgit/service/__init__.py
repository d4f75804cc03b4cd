"""What answers in a millisecond, and does by itself what is due, while nobody types a command?

Public: daemon, requests, parameters, caretaker, service_log.
"""
