"""What does a command do, and a request, a tool and an event of a host with it?

Each takes a `Caller` and a request of typed values, and returns a value: no words of the command line, no JSON, no click.
"""
