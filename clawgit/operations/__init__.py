"""What is done for whoever asks: a command, a request of the service, a tool of MCP or an event of a host?

Each operation takes a `Caller` and a request of typed values, and returns a value: no words of the command line, no JSON, no click.

Public: caller, change_log, changes, cited_messages, context, corrections, keep, memory, messages, model_wiring, named_statements, open_settings, parameters, paths, search, sessions, soul, standing, status, vector_wiring, why.
"""
