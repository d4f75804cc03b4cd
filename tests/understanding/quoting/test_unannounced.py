"""Sets of messages, written before the rules were tried on them: what was pasted without a word, and what looks like that and is his own.

`=== paste NAME` is nobody's word; of `=== own NAME: WORD` a statement with that word was to be kept. What is still wrong stands here by
name: the figures are in docs/mining.md.
"""

from __future__ import annotations

import pytest
from tests_folder import TESTS

from clawgit.understanding.facts.keepable_sentences import Voice, kept_in
from clawgit.understanding.patterns.own_words import own_words

SETS = TESTS / "data/pastes"
STILL_WRONG = {
    "first": (
        40,
        25,
        [
            *("en bullets", "en release", "en terminal", "en letter", "zh recipe", "zh job"),
            *("ko letter", "ko job"),
        ],
    ),
    "second": (20, 15, ["en classified", "en notes"]),
    "third": (15, 10, ["zh moments", "en self", "zh self"]),
    "fourth": (
        12,
        8,
        ["en invite", "en quotes", "ko invite", "en offsite", "en flight", "zh move", "en numbered"],
    ),
    "fifth": (12, 8, ["en recipe", "en lyrics", "en story", "en recipe", "ko job"]),
    "sixth": (12, 8, ["en recipe", "ko lyrics", "en facts-list", "en mixed"]),
    "own": (0, 32, ["e", "f", "q", "u", "w", "ac", "ae", "af"]),
}


def messages(name: str) -> list[tuple[str, str, str, str]]:
    """Return of each message whose it is, its name, the word to keep, and its text."""
    parts = (SETS / f"{name}.txt").read_text("utf-8").split("=== ")[1:]
    heads = ((part.partition("\n")[0].partition(" "), part.partition("\n")[2].rstrip()) for part in parts)
    return [(whose, *named.partition(": ")[::2], text) for (whose, _, named), text in heads]


def is_right(whose: str, word: str, text: str) -> bool:
    kept = [each.statement for each in kept_in(own_words(text), Voice.OPERATOR)]
    return any(word in each for each in kept) if whose == "own" else not kept


@pytest.mark.parametrize("name", STILL_WRONG)
def test_what_was_pasted_gives_nothing_and_what_is_his_own_is_kept(name: str) -> None:
    """Mutants: each finder of `pages`, each form of rows, and the talks, left out."""
    found = messages(name)
    pastes, own, still_wrong = STILL_WRONG[name]

    assert [each[0] for each in found].count("paste") == pastes
    assert [each[0] for each in found].count("own") == own
    assert [named for whose, named, word, text in found if not is_right(whose, word, text)] == still_wrong
