"""English words that hold a statement together and say nothing by themselves, by what they do: alternatives of patterns."""

from __future__ import annotations

from clawgit.text.words.word_lists import words_in

# Before a time, a place, or whom it is for: what is behind one of these is a value.
PLACING = "on|at|in|to|for"
# And before what it is done with, or by whom.
PREPOSITION = f"{PLACING}|with|as|from|by"
PREPOSITIONS = frozenset(PREPOSITION.split("|"))
# Verbs and turns that a statement can do with or without and be about the same, as `subject` has them.
INCIDENTAL = words_in("""
start begin happen run go take come hold held meet use have live listen work call name keep stay lie stand get need
every weekday weekdays daily weekly monthly usually always currently today tonight tomorrow now new
""")
