"""How much of seventy messages to an agent, written before the rules were, rules keep and leave; the file is frozen."""

import json
from pathlib import Path

from clawgit.understanding.facts.keepable_sentences import kept_in

_ROWS = [
    json.loads(line) for line in Path(__file__).with_name("kept_talk.jsonl").read_text("utf-8").splitlines()
]


def test_of_thirty_facts_and_orders_no_more_than_four_are_lost() -> None:
    """Mutants: asides count; no lead orders; only `I` and `my` begin a fact."""
    facts = {row["text"]: row["fact"] for row in _ROWS if row["fact"]}

    lost = [
        text
        for text, fact in facts.items()
        if not any(fact in kept.quote and not kept.why_not for kept in kept_in(text))
    ]

    assert len(facts) == 30
    assert len(lost) <= 4, lost


def test_of_forty_messages_with_nothing_that_lasts_no_more_than_two_are_kept() -> None:
    """Mutant: whatever begins with `my` lasts."""
    talk = [row["text"] for row in _ROWS if row["fact"] is None]

    kept = [text for text in talk if kept_in(text)]

    assert len(talk) == 40
    assert len(kept) <= 2, kept
