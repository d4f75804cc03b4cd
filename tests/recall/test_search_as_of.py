"""Memory as it stood at an earlier time."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest

from clawgit.history.git.trees import Tree
from clawgit.history.states import RevisionError, as_of
from clawgit.history.workspace_status import reconcile_tips
from clawgit.recall.index.sealed_store import forget
from clawgit.recall.index.search_index import open_index
from clawgit.recall.search import PAST, search, search_as_of, search_tree
from clawgit.recall.search_results import Query

DAY = "memory/2026-03-18.md"


def then(room, query: str, days_ago: float, **wanted) -> list[str]:
    found, _ = search_as_of(
        room.history, Query(query, **wanted), room.now - timedelta(days=days_ago), room.now
    )
    return [hit.snippet for hit in found.results]


@pytest.fixture
def past(room):
    """A line that was there ten days ago, and one that came five days ago in its place."""
    today = room.now + timedelta(days=11)
    for days_ago, text in ((10, "- The office is in Berlin.\n"), (5, "- The office is in Hamburg.\n")):
        room.now = today - timedelta(days=days_ago)
        room.change({"memory/office.md": text}, actor="operator")
        reconcile_tips(room.history, room.now)
    room.now = today
    return room


def test_the_answer_is_what_stood_there_then(past) -> None:
    past.write("memory/office.md", "- The office is in Bremen.\n")
    assert then(past, "office", 7) == ["- The office is in Berlin."]
    assert then(past, "office", 3) == ["- The office is in Hamburg."]
    assert then(past, "office", 0) == ["- The office is in Hamburg."]  # what is not committed has no history


@pytest.mark.rest
def test_the_ranking_is_that_of_the_tree(room) -> None:
    for number in range(10, 30):
        room.change(
            {
                f"memory/2026-01-{number}.md": f"# Day\n\n- quince {'jam ' * (number % 4)}and {number}\n- harvest\n"
            }
        )
    today = search(room.history, Query("quince jam harvest", most=50), room.now).results
    found, state = search_as_of(room.history, Query("quince jam harvest", most=50), room.now, room.now)
    assert found.results == today
    assert state.commit.commit_id == room.head()


def test_before_the_history_began_there_is_no_answer(past) -> None:
    with pytest.raises(RevisionError):
        then(past, "office", 4000)


def test_a_tip_that_was_seen_counts_more_than_the_dates_of_commits(past) -> None:
    """Mutant: walking back by commit dates alone: a commit from a clock that went ahead was not there then."""
    past.write("memory/office.md", "- The office is in Bremen.\n")
    past.git("add", "-A")
    past.git("-c", "user.name=Ada", "commit", "-qm", "ahead", "--date=2030-01-01T00:00:00Z")
    past.git("commit", "--amend", "-qm", "ahead")
    reconcile_tips(past.history, past.now)
    assert then(past, "office", 0) == ["- The office is in Bremen."]
    assert as_of(past.history, past.now, past.now).seen


def test_what_was_reset_since_is_still_how_it_stood(past) -> None:
    past.git("reset", "-q", "--hard", "HEAD~1")
    past.keep()
    reconcile_tips(past.history, past.now)
    assert then(past, "office", 5) == ["- The office is in Hamburg."]
    assert then(past, "office", 0) == ["- The office is in Berlin."]


def test_without_records_the_dates_decide_and_that_is_said(past) -> None:
    (past.history.state / "records.db").unlink()
    state = as_of(past.history, past.now - timedelta(days=7), past.now)
    assert not state.seen
    assert then(past, "office", 7) == ["- The office is in Berlin."]


def test_corrections_of_that_time_count(room) -> None:
    room.change({"MEMORY.md": "- The office is in Berlin. <!-- m:aa11bb -->\n"}, actor="operator")
    room.now += timedelta(days=5)
    ledger = "## 2026-03-20 <!-- x:1 re-embedded:false -->\n\n- correct: Hamburg.\n- corrects: m:aa11bb\n- status: applied\n"
    room.change({"CORRECTIONS.md": ledger}, actor="operator")
    assert then(room, "office in Berlin", 3) == ["- The office is in Berlin."]
    assert then(room, "office in Berlin", 0)[0] == "Hamburg."


def test_the_answer_is_told_from_the_state_whatever_the_present_index_holds(room) -> None:
    """Mutants: what is gone stays; a moved file under its present path; two that changed places; an edit since kept."""
    room.change(
        {
            "memory/sub/a.md": "- quince of a\n",
            "memory/a.md": "- first quince\n",
            "memory/b/a.md": "- second quince\n",
            "memory/c.md": "- quince c\n",
        }
    )
    tree = room.history.tip().tree
    before = search(room.history, Query("quince"), room.now).results
    room.change(
        {
            "memory/sub/a.md": None,
            "memory/new/a.md": "- quince of a\n",
            "memory/a.md": "- second quince\n",
            "memory/b/a.md": "- first quince\n",
            "memory/c.md": "- quince c, edited\n",
            "memory/d.md": "- quince that was not there then\n",
        }
    )
    with open_index(room.history):
        pass

    assert search_tree(room.history, tree, Query("quince"), room.now).results == before
    assert not (room.history.state / "asof").exists()


def test_one_state_after_another_is_answered_as_if_indexed_anew(past) -> None:
    """Mutants: a file that is not in the state stays; one with other text stays as it was."""
    past.change({"memory/office.md": None, "memory/new.md": "- The office is closed.\n"})
    trees = [
        Tree(past.history.objects, commit.tree_id) for commit in past.history.objects.walk([past.head()])
    ]
    anew = []
    for tree in trees:
        forget(past.history.state / PAST)
        anew.append(search_tree(past.history, tree, Query("office"), past.now).results)
    there = [search_tree(past.history, tree, Query("office"), past.now).results for tree in trees]
    back = [search_tree(past.history, tree, Query("office"), past.now).results for tree in reversed(trees)]
    assert there == anew
    assert back == anew[::-1]
    assert len({str(results) for results in anew}) > 2


def test_a_damaged_index_of_a_state_changes_no_answer(past) -> None:
    expected = then(past, "office", 7)
    path = past.history.state / "past.db"
    seal = path.stat().st_mtime_ns
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE words_data SET block = zeroblob(length(block)) WHERE id > 10")
    os.utime(path, ns=(seal, seal))
    (path.parent / "past.db.lock").write_text(f"{path.stat().st_ctime_ns:20}")
    assert then(past, "office", 7) == expected
