"""Heartbeat triage: what one message asks of the agents, by patterns alone.

A message goes through `own_words` (what others wrote is left out), `spelling` (one spelling for all) and `sentences`;
`vetoes` may end it there; `source` and the tables for each language are asked next, and `custom` last. `signals` says
what came of it.
"""
