"""Which evidence is whose: an id says of what it was made, and nothing is left to nobody."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.memory.entries.entries import new_entry_id
from clawgit.memory.provenance.fold import Resting
from clawgit.memory.provenance.pieces import Piece

TEA, MARIA = 'chat:1 "I prefer tea."', 'chat:2 "My sister is Maria."'


def entry(words: str, evidence: str) -> Piece:
    return Piece(words, entry_id=new_entry_id(words, evidence, ()))


@pytest.mark.parametrize(
    ("made_of", "rests_on"),
    [
        pytest.param(("chat:1", "chat:2"), ((TEA,), (MARIA,)), id="each of its own"),
        pytest.param(
            ("chat:1", "chat:1"), ((TEA, MARIA), (TEA, MARIA)), id="all of the first: nobody knows more"
        ),
        pytest.param(("chat:2", "elsewhere"), ((TEA, MARIA), (TEA, MARIA)), id="one of none"),
        pytest.param(("elsewhere", "elsewhere"), ((TEA, MARIA), (TEA, MARIA)), id="none of any"),
    ],
)
def test_evidence_is_that_of_the_entry_whose_id_was_made_of_it(made_of, rests_on) -> None:
    first, second = entry("User prefers tea.", made_of[0]), entry("The sister is Maria.", made_of[1])

    resting = Resting([first, second], [TEA, MARIA])

    assert (resting.of(first), resting.of(second)) == rests_on


def test_of_two_quotes_of_one_message_an_entry_has_the_one_with_its_words() -> None:
    """Mutant: both entries have both quotes, and the first is shown beside either."""
    tea, maria = 'chat:1 "I prefer tea."', 'chat:1 "My sister is Maria."'
    entries = [entry("User prefers tea.", "chat:1"), entry("The sister is Maria.", "chat:1")]
    resting = Resting(entries, [tea, maria])

    assert [resting.of(each) for each in entries] == [(tea,), (maria,)]


def test_an_entry_without_an_id_rests_on_all() -> None:
    assert Resting([Piece("a note")], [TEA, MARIA]).of(Piece("a note")) == (TEA, MARIA)


@given(st.lists(st.sampled_from(["chat:1", "chat:2", "chat:3", "op"]), max_size=5))
def test_every_piece_is_somebodys(made_of: list[str]) -> None:
    """Mutant: a piece of which no id was made belongs to nobody, and its message is mined again."""
    entries = [entry(f"fact {number}", evidence) for number, evidence in enumerate(made_of)]
    evidence = ["chat:1 x", "chat:2 y", "chat:3"]
    resting = Resting(entries, evidence)

    shared = [set(resting.of(each)) for each in entries]

    assert all(shared)
    assert not entries or set().union(*shared) == set(evidence)
