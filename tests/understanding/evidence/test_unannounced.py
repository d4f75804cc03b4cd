"""Sets of messages, written before the rules were tried on them: what was pasted without a word, and what looks like that and is his own.

`=== paste NAME` is nobody's word; of `=== own NAME: WORD` a statement with that word is worth keeping. Rules read little of a message
of many lines: what pastes still give stands here by name, of one's own how much is kept; the rest waits for a model.
"""

from __future__ import annotations

import pytest
from tests_folder import TESTS

from clawgit.understanding.facts.keepable_sentences import kept_in
from clawgit.understanding.patterns.own_words import own_words

SETS = TESTS / "data/pastes"
STILL_WRONG = {
    "first": (40, ["zh story", "ko story"], 13),
    "second": (20, ["en thread", "en article", "zh blog", "ko blog"], 12),
    "third": (15, ["en listing"], 3),
    "fourth": (12, ["en math", "ko novel"], 2),
    "fifth": (12, ["en release", "en story"], 5),
    "sixth": (12, [], 3),
    "own": (0, [], 16),
}


def messages(name: str) -> list[tuple[str, str, str, str]]:
    """Return of each message whose it is, its name, the word to keep, and its text."""
    parts = (SETS / f"{name}.txt").read_text("utf-8").split("=== ")[1:]
    heads = ((part.partition("\n")[0].partition(" "), part.partition("\n")[2].rstrip()) for part in parts)
    return [(whose, *named.partition(": ")[::2], text) for (whose, _, named), text in heads]


def statements(text: str) -> list[str]:
    return [each.statement for each in kept_in(own_words(text)) if each.statement]


@pytest.mark.parametrize("name", STILL_WRONG)
def test_what_was_pasted_gives_hardly_anything_and_of_what_is_his_own_something_is_kept(name: str) -> None:
    """Mutants: how long a talk is, each form of rows, and the talks, left out."""
    found = messages(name)
    pastes, still_wrong, own = STILL_WRONG[name]

    assert [each[0] for each in found].count("paste") == pastes
    assert [named for whose, named, _, text in found if whose == "paste" and statements(text)] == still_wrong
    kept = [
        whose == "own" and any(word in each for each in statements(text)) for whose, _, word, text in found
    ]
    assert sum(kept) == own
