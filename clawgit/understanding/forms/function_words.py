"""English words that hold a statement together and say nothing by themselves, by what they do: alternatives of patterns."""

from __future__ import annotations

# Before a time, a place, or whom it is for: what is behind one of these is a value.
PLACING = "on|at|in|to|for"
# And before what it is done with, or by whom.
PREPOSITION = f"{PLACING}|with|as|from|by"
PREPOSITIONS = frozenset(PREPOSITION.split("|"))
