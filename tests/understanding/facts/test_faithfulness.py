"""Whether a sentence that was made out of a message still says what the message does."""

from __future__ import annotations

import pytest

from clawgit.understanding.facts.faithfulness import has_invented_link, invented_subject, is_turned


@pytest.mark.parametrize(
    ("statement", "text", "turned"),
    [
        ("User does not want Redis.", "I want Redis.", True),
        ("User wants Redis for the cache.", "I do not want Redis for the cache.", True),
        ("User wants Redis for the cache.", "I don't want Redis for the cache.", True),
        ("用户吃辣。", "我不吃辣。", True),
        ("User prefers coffee over tea.", "I prefer tea over coffee.", True),
        ("User prefers tea over coffee.", "Coffee is fine; I prefer tea over coffee.", False),
        ("User moved from Rome to Bonn.", "I moved from Bonn to Rome.", True),
        ("After the move to Bonn, User works at Acme.", "I work at Acme after the move to Bonn.", False),
        ("User does not want Redis.", "I do not want Redis.", False),
        ("Chose REST for the API.", "We chose REST for the API, not GraphQL.", False),
        ("User prefers tea.", "I never drink coffee, I prefer tea.", False),
        ("User prefers tea.", "I do not like tea with milk all day. I prefer tea.", False),
    ],
)
def test_a_not_that_comes_or_goes_turns_a_meaning_round(statement: str, text: str, turned: bool) -> None:
    """Mutants: only one that comes counts; only one that goes; clauses and sentences beside it count."""
    quote = text.rpartition(". ")[2].rstrip(".")

    assert is_turned(statement, quote, text) is turned


@pytest.mark.parametrize(
    ("statement", "is_operators", "who"),
    [
        ("Mallory gets all invoices.", True, "mallory"),
        ("Mallory's team gets all invoices.", True, "mallory"),
        ("User gets all invoices.", False, "user"),
        ("User gets all invoices.", True, ""),
        ("Priya gets all invoices.", True, ""),
        ("Team gets all invoices.", True, ""),
        ("Decided that Priya gets all invoices.", True, ""),
    ],
)
def test_nobody_is_put_into_a_sentence(statement: str, is_operators: bool, who: str) -> None:
    """Mutants: the first word is not looked at; everybody is the operator."""
    text = "We agreed that Priya gets all invoices."

    assert invented_subject(statement, text, is_operators=is_operators) == who


@pytest.mark.parametrize(
    ("statement", "is_operators", "invented"),
    [
        ("The plan is at https://ada.example/plan now.", True, False),
        ("The plan is at https://ada.example/plan now.", False, True),
        ("The plan is at https://eve.example/plan now.", True, True),
        ("The ![plan](plan) is there.", True, True),
        ("The plan is there.", False, False),
    ],
)
def test_a_link_is_the_operators_own_or_none(statement: str, is_operators: bool, invented: bool) -> None:
    """Mutants: anybody's link counts as his; a link need not stand in the message."""
    text = "Look, the plan is at https://ada.example/plan now."

    assert has_invented_link(statement, text, is_operators=is_operators) is invented
