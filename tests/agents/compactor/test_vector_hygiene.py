"""Stale vectors are flagged, rest after a time of grace, and come back once their statement is said again."""

from __future__ import annotations

from array import array
from contextlib import closing
from datetime import timedelta

import pytest

from clawgit.agents.door.correction_plans import correct
from clawgit.agents.hygiene import VectorHygiene
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.plan import Plan
from clawgit.recall.index.search_index import open_index
from clawgit.recall.vector_search import VECTORS, entry_hashes
from clawgit.recall.vectors.embedding_cache import EMBEDDINGS, EmbeddingCache
from clawgit.workspace.records.records import RunOutcome

CORE = "MEMORY.md"
ROW = array("f", [1.0, 0.0])


class Vectors:
    """A room whose entries have vectors by one model."""

    def __init__(self, room) -> None:
        self.room = room
        self.hashes = entry_hashes(room.history.tip().tree, [CORE])
        with closing(self.cache()) as cache:
            self.model = cache.note_model("test", "m", 2, b"").model_id
            cache.keep(self.model, dict.fromkeys(self.hashes.values(), ROW))

    def cache(self) -> EmbeddingCache:
        return EmbeddingCache(self.room.history.state / VECTORS / EMBEDDINGS)

    def left(self) -> set[str]:
        with closing(self.cache()) as cache:
            have = cache.with_rows(self.model)
        return {name for name, text in self.hashes.items() if text in have}

    def resting(self) -> set[str]:
        with closing(self.cache()) as cache:
            known = cache.unreadable(self.model)
        return {name for name, text in self.hashes.items() if text in known}

    def tidy(self, **later: int):
        self.room.now += timedelta(**later)
        return VectorHygiene.run_round(self.room.history, self.room.now)[0].note

    def mention(self, name: str) -> None:
        plan = Plan("mine: said again", trailers=(("Clawgit-Mention", f'm:{name} chat:1 "again"'),))
        intent = Intent(new_op(), "memory-miner", self.room.now, trust="host")
        apply_plan(self.room.history, lambda _: plan, intent)


@pytest.fixture
def vectors(room) -> Vectors:
    text = "# MEMORY\n\n- 2026-03-19: The NAS is in the cellar. <!-- m:aaaaaa -->\n- The car is red. <!-- m:bbbbbb -->\n"
    room.change({CORE: text}, actor="operator")
    with open_index(room.history):
        pass
    return Vectors(room)


def test_without_vectors_there_is_nothing_to_do(room) -> None:
    assert VectorHygiene.run_round(room.history, room.now)[0].note.outcome is RunOutcome.NOTHING


def test_what_was_said_once_and_not_for_long_rests_after_its_grace(vectors: Vectors) -> None:
    assert vectors.tidy(days=180).outcome is RunOutcome.NOTHING
    assert vectors.tidy(days=1).reason == "2 flagged as stale"
    assert vectors.left() == {"aaaaaa", "bbbbbb"}
    assert vectors.tidy(days=29).outcome is RunOutcome.NOTHING

    done = vectors.tidy(days=1)

    assert (done.outcome, done.reason) == (RunOutcome.APPLIED, "2 at rest, 2 deleted")
    assert vectors.left() == set()
    assert vectors.resting() == {"aaaaaa", "bbbbbb"}
    assert vectors.tidy(days=7).outcome is RunOutcome.NOTHING


def test_what_is_said_again_wakes(vectors: Vectors) -> None:
    vectors.tidy(days=181)
    vectors.tidy(days=30)
    vectors.mention("aaaaaa")

    assert vectors.tidy(days=1).reason.startswith("1 not stale any more")

    assert vectors.resting() == {"bbbbbb"}


def test_what_a_correction_is_about_never_rests_and_its_old_words_go(vectors: Vectors) -> None:
    correct(
        vectors.room.history,
        "The car is red.",
        "The car is blue.",
        Intent(new_op(), "operator", vectors.room.now),
    )
    with open_index(vectors.room.history):
        pass
    assert vectors.tidy(days=7).outcome is RunOutcome.NOTHING

    assert vectors.tidy(days=1).reason == "1 deleted"

    assert vectors.left() == {"aaaaaa"}
    vectors.tidy(days=400)
    vectors.tidy(days=400)
    assert vectors.resting() == {"aaaaaa"}


def test_a_dry_run_notes_and_changes_nothing(vectors: Vectors) -> None:
    vectors.room.now += timedelta(days=200)

    (planned,) = VectorHygiene.rehearse_round(vectors.room.history, vectors.room.now)

    assert planned.planned.left_out == ("2 flagged as stale",)
    assert vectors.tidy().reason == "2 flagged as stale"
