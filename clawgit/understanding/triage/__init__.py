"""What does this message ask of the agents?

A message goes through `patterns.own_words` (what others wrote is left out) and `pattern_rule` (one spelling); `vetoes` may end it there; the patterns of each language are asked next, and `custom_patterns` last.

Public: custom_patterns, triage_message.
"""
