"""Memory as it stood at an earlier time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.history.backup.records_status import reconcile_tips
from clawgit.history.states.revisions import RevisionError, as_of
from clawgit.recall.index.search_index import forget_index, open_index
from clawgit.recall.index.search_limits import Limits
from clawgit.recall.search import search
from clawgit.recall.search_as_of import FOLDER, KEPT, open_index_of, search_as_of
from clawgit.recall.search_results import Wanted

DAY = "memory/2026-03-18.md"


def then(room, query: str, days_ago: float, **wanted) -> list[str]:
    found, _ = search_as_of(
        room.history, Wanted(query, **wanted), room.now - timedelta(days=days_ago), room.now
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


def test_the_ranking_is_that_of_the_tree(room) -> None:
    for number in range(10, 30):
        room.change(
            {
                f"memory/2026-01-{number}.md": f"# Day\n\n- quince {'jam ' * (number % 4)}and {number}\n- harvest\n"
            }
        )
    today = search(room.history, Wanted("quince jam harvest", most=50), room.now).results
    found, state = search_as_of(room.history, Wanted("quince jam harvest", most=50), room.now, room.now)
    assert found.results == today
    assert state.commit.commit_id == room.head()


def test_texts_of_then_are_put_in_beside_those_copied_from_the_present_index(room) -> None:
    room.change({"memory/a.md": "- The quince stays.\n", "memory/b.md": "- The old quince went.\n"})
    before = room.history.tip().tree
    room.change({"memory/b.md": "".join(f"- quince {n} is new\n" for n in range(20))})
    with open_index(room.history):
        pass
    with open_index_of(room.history, before) as index:
        matches = index.matches(index.seen(["quinc"]), Limits())
        assert index.seen(["quinc"]) == {"quinc": 2}
        texts = [place.text for place in index.places(matches).values()]
    assert sorted(texts) == ["The old quince went.", "The quince stays."]


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


def test_a_state_is_indexed_once_and_only_the_latest_are_kept(room) -> None:
    for number in range(KEPT + 3):
        room.now += timedelta(days=1)
        room.change({DAY: f"- quince {number}\n"})
        then(room, "quince", 0)
    files = sorted((room.history.state / FOLDER).glob("*.db"))
    assert len(files) == KEPT
    newest = max(files, key=lambda path: path.stat().st_ctime_ns)
    inode = newest.stat().st_ino
    then(room, "quince", 0)
    assert newest.stat().st_ino == inode


@pytest.mark.parametrize("damage", [b"", b"garbage" * 1000, None])
def test_a_damaged_index_of_a_state_is_made_anew(past, damage) -> None:
    expected = then(past, "office", 7)
    for path in (past.history.state / FOLDER).glob("*.db"):
        path.write_bytes(path.read_bytes()[:-3000] if damage is None else damage)
    assert then(past, "office", 7) == expected == ["- The office is in Berlin."]


def test_corrections_of_that_time_count(room) -> None:
    room.change({"MEMORY.md": "- The office is in Berlin. <!-- m:aa11bb -->\n"}, actor="operator")
    room.now += timedelta(days=5)
    ledger = "## 2026-03-20 <!-- x:1 re-embedded:false -->\n\n- correct: Hamburg.\n- corrects: m:aa11bb\n- status: applied\n"
    room.change({"CORRECTIONS.md": ledger}, actor="operator")
    assert then(room, "office in Berlin", 3) == ["- The office is in Berlin."]
    assert then(room, "office in Berlin", 0)[0] == "Hamburg."


@pytest.mark.parametrize("wanted", [20, 3], ids=["most of it", "little of it"])
def test_the_index_of_a_state_is_the_same_whatever_the_present_one_holds(
    room, state_index, wanted: int
) -> None:
    """Mutants: what is gone stays; a moved file under its present path; two that changed places; an edit since kept."""
    room.change(
        {
            f"memory/2026-01-{n}.md": f"# Day {n}\n\n- quince {n}\n- harvest of {n}\n"
            for n in range(10, 10 + wanted)
        }
        | {
            "memory/sub/a.md": "of a\n",
            "memory/a.md": "first\n",
            "memory/b/a.md": "second\n",
            "memory/c.md": "- c\n",
        }
    )
    tree = room.history.tip().tree
    room.change(
        {
            "memory/sub/a.md": None,
            "memory/new/a.md": "of a\n",
            "memory/a.md": "second\n",
            "memory/b/a.md": "first\n",
        }
        | {"memory/c.md": "- c, edited\n", "memory/d.md": "- not there then\n- quince 10\n"}
        | {f"memory/late-{n}.md": f"- late {n}\n" for n in range(5)}
    )
    with open_index(room.history):
        pass

    from_the_present = state_index(room.history, tree)
    forget_index(room.history)

    assert from_the_present == state_index(room.history, tree)
