"""Whether somebody who was given a context only says it again.

Mutants seen to fail here: other words for the same count as new; a sentence with another value counts as the same.
"""

from __future__ import annotations

import pytest

from clawgit.context.assemble_context import assemble_context
from clawgit.context.receipts import InjectedText, keep_receipt
from clawgit.context.wanted_context import WantedContext
from clawgit.workspace.records.records import RECORDS, open_records

SESSION = "agent:main:main"
ENTRY = "The nightly backups of the accounting database go to Lisbon."


@pytest.fixture
def injected(room):
    """Return what says whether a statement was injected into a session that was given the entry."""
    room.change({"MEMORY.md": f"# Memory\n\n- {ENTRY} <!-- m:aaaaaa -->\n"}, actor="operator")
    wanted = WantedContext("where do the backups go", session=SESSION)
    made = assemble_context(room.history, wanted, room.now)
    assert "Lisbon" in made.text
    keep_receipt(room.history, made, wanted, room.now)
    with open_records(room.history.state / RECORDS, room.now) as records:
        yield InjectedText(room.history, records.receipts, room.now.tzinfo)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("statement", "is_said_again"),
    [
        pytest.param(ENTRY, True, id="the same words"),
        pytest.param("Nightly backups of the accounting database go to Lisbon.", True, id="a part of it"),
        pytest.param("Nightly backups of our accounting database go to Lisbon.", True, id="a word for another"),
        pytest.param("The nightly backups of the accounting database are sent to Lisbon.", True, id="another verb"),
        pytest.param("The nightly backups of the database of accounting go to Lisbon.", True, id="in another order"),
        pytest.param("The nightly backups of the accounting database go to Porto.", False, id="another value"),
        pytest.param("The nightly backups of the accounting database do not go to Lisbon.", False, id="a denial"),
        pytest.param("The office in Lisbon has a new printer.", False, id="something else"),
    ],
)  # fmt: skip
def test_a_paraphrase_of_what_was_injected_is_no_news(
    room, injected, statement: str, is_said_again: bool
) -> None:
    assert injected.holds(statement, SESSION, room.now.date()) is is_said_again
