"""What is done for whoever asks: a command, a request of the service, a tool of MCP or an event of a host?

Each operation takes a `Caller` and a request of typed values, and returns a value: no words of the command line, no JSON, no click.

Public: caller, change_log, changed_news, changes, context, corrections, decisions, digest, host_ledger,
keep, memory, messages, not_kept, paths, search, sessions, soul, status, undo, why.
"""
