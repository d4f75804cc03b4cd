"""The command line: parse, one call, print.

It hands time and environment down; below it only git's hooks, locks, caches and child processes look for themselves.
"""
