"""Proof before commit: what a search would show, from the live index, of which nothing stays changed."""

from __future__ import annotations

import pytest

from clawgit.recall.correction_proof import ProofClaim, question_about, rehearsed, why_unproven
from clawgit.recall.index.search_index import INDEX
from clawgit.recall.search import search
from clawgit.recall.search_results import Query

MEMORY = "- The review is on Wednesday. <!-- m:aaaaaa -->\n- The standup is at 9:30. <!-- m:bbbbbb -->\n"
RIGHT = MEMORY.replace("Wednesday", "Thursday")
LEDGER = """\
## 2026-03-19 10:22 <!-- x:4f1c re-embedded:false -->

- said: The review is on Wednesday.
- correct: The review is on Thursday.
- corrects: m:aaaaaa
- status: applied
"""
CLAIM = ProofClaim(
    "x:4f1c", ("when is the review", "The review is on Wednesday."), ("The review is on Wednesday.",)
)


def texts(**files: str) -> dict[str, bytes]:
    return {f"{name}.md": text.encode() for name, text in files.items()}


@pytest.fixture
def remembered(room):
    room.change({"MEMORY.md": MEMORY}, actor="operator")
    return room


def test_a_correction_with_its_entry_set_right_is_proven(remembered, now) -> None:
    assert why_unproven(remembered.history, texts(MEMORY=RIGHT, CORRECTIONS=LEDGER), CLAIM, now) == ""


@pytest.mark.parametrize(
    ("files", "why"),
    [
        pytest.param(texts(), "not this correction", id="the correction is not there"),
        pytest.param(texts(CORRECTIONS=LEDGER.replace("m:aaaaaa", "").replace("The review is on", "Wrong one:")), "not this correction", id="it is about something else"),
        pytest.param(texts(CORRECTIONS=LEDGER.replace("applied", "withdrawn")), "not this correction", id="it does not hold"),
        pytest.param(texts(CORRECTIONS=LEDGER.replace("m:aaaaaa", "").replace("said: The review is on", "said: It was")), "still shows the old words", id="the old text is not marked"),
    ],
)  # fmt: skip
def test_what_would_not_come_first_is_not_proven(remembered, now, files, why: str) -> None:
    """Mutant: every proof holds."""
    reason = why_unproven(remembered.history, files, CLAIM, now)

    assert why in reason


def test_a_rehearsal_leaves_the_index_as_it_was(remembered, now, kept_index) -> None:
    """Mutant: the transaction is committed."""
    before = kept_index(remembered.history)
    index = remembered.history.state / INDEX
    stamp, data = index.stat().st_mtime_ns, index.read_bytes()

    why_unproven(remembered.history, texts(MEMORY=RIGHT, CORRECTIONS=LEDGER), CLAIM, now)

    assert (index.stat().st_mtime_ns, index.read_bytes()) == (stamp, data)
    assert kept_index(remembered.history) == before


def test_searches_go_on_while_something_is_rehearsed(remembered, now) -> None:
    with rehearsed(remembered.history, texts(MEMORY=RIGHT)):
        found = search(remembered.history, Query("when is the review"), now)

    assert found.results[0].snippet.startswith("- The review is on Wednesday.")


def test_an_index_that_cannot_be_written_proves_nothing(remembered, now) -> None:
    state = remembered.history.state
    (state / INDEX).unlink(missing_ok=True)
    (state / INDEX).mkdir()

    reason = why_unproven(remembered.history, texts(CORRECTIONS=LEDGER), CLAIM, now)

    assert "could not be asked" in reason


def test_with_vectors_nothing_is_proven_by_words_alone(remembered, now) -> None:
    remembered.history.settings = remembered.history.settings._replace(mode="enhanced")

    reason = why_unproven(remembered.history, texts(MEMORY=RIGHT, CORRECTIONS=LEDGER), CLAIM, now)

    assert "vectors" in reason


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("right", "wrong", "asked"),
    [
        ("my flight is on the 12th", "", "when my flight is on the"),
        ("The office is in Hamburg.", "The office is in Berlin.", "The office is in"),
        ("Deploys happen on Thursdays.", "Deploys happen on Wednesdays.", "when Deploys happen on"),
        ("会议在周四", "会议在周三", "when 会议在"),
        ("I like tea", "", "I like tea"),
        ("Thursday", "Wednesday", "Thursday"),
    ],
)
def test_a_proof_asks_as_somebody_does_who_does_not_know(right: str, wrong: str, asked: str) -> None:
    assert question_about(right, wrong) == asked


def test_a_correction_that_says_the_same_may_come_first(remembered, now) -> None:
    again = LEDGER.replace("10:22", "10:30").replace("4f1c", "9d2e")
    said_twice = texts(MEMORY=RIGHT, CORRECTIONS=f"{LEDGER}\n{again}")
    for name in ("x:4f1c", "x:9d2e"):
        claim = CLAIM._replace(correction=name)
        same = claim._replace(right="The review is on Thursday.")
        assert why_unproven(remembered.history, said_twice, same, now) == ""
    other = CLAIM._replace(right="The review is on Friday.")
    assert why_unproven(remembered.history, said_twice, other, now)
