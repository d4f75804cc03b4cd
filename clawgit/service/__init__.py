"""What answers in a millisecond, and does by itself what is due, while nobody types a command?

Public: command_server, daemon, http_server, requests, page_server, service_log.
"""
