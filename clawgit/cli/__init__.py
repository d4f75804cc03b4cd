"""The command line: parse, one call, print. The only place that reads the environment and the clock."""
