"""Sets of messages, written before the rules were tried on them: what was pasted without a word, and what looks like that and is his own.

`=== paste NAME` is nobody's word; of `=== own NAME: WORD` a statement with that word is worth keeping. Rules read no message of more
than three sentences: of one's own it stands here how much is kept; the rest waits for a model.
"""

from __future__ import annotations

import pytest
from tests_folder import TESTS

from clawgit.understanding.facts.keepable_sentences import kept_in

SETS = TESTS / "data/pastes"
HOW_MANY = {
    "first": (40, 5),
    "second": (20, 8),
    "third": (15, 4),
    "fourth": (12, 4),
    "fifth": (12, 4),
    "sixth": (12, 2),
    "own": (0, 9),
}


def messages(name: str) -> list[tuple[str, str, str, str]]:
    """Return of each message whose it is, its name, the word to keep, and its text."""
    parts = (SETS / f"{name}.txt").read_text("utf-8").split("=== ")[1:]
    heads = ((part.partition("\n")[0].partition(" "), part.partition("\n")[2].rstrip()) for part in parts)
    return [(whose, *named.partition(": ")[::2], text) for (whose, _, named), text in heads]


def statements(text: str) -> list[str]:
    return [each.quote for each in kept_in(text) if not each.why_not]


@pytest.mark.parametrize("name", HOW_MANY)
def test_what_was_pasted_gives_nothing_and_of_what_is_his_own_something_is_kept(name: str) -> None:
    """Mutants: how long a talk is, each form of rows, and the talks, left out."""
    found = messages(name)
    pastes, own = HOW_MANY[name]

    assert [each[0] for each in found].count("paste") == pastes
    assert [named for whose, named, _, text in found if whose == "paste" and statements(text)] == []
    kept = [
        whose == "own" and any(word in each for each in statements(text)) for whose, _, word, text in found
    ]
    assert sum(kept) == own
