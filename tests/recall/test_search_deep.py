"""What was taken out of memory: found by --deep, with when and by whom."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.recall.index.places import SearchLimits
from clawgit.recall.index.search_index import open_index
from clawgit.recall.search import search
from clawgit.recall.search_deep import Retired
from clawgit.recall.search_results import Query

DAY = "memory/2026-03-18.md"


def deep(room, query: str, **wanted):
    return search(room.history, Query(query, **wanted), room.now, beside=Retired).results


def commit(room, message: str = "by hand") -> str:
    room.git("add", "-A")
    room.git("commit", "-qm", message)
    return room.head()


def test_a_line_that_was_taken_out_is_found_with_when_and_by_whom(room) -> None:
    room.change({DAY: "- the quince harvest was good\n- lunch\n"})
    room.now += timedelta(days=1)
    done = room.change({DAY: "- lunch\n"}, actor="memory-compactor")
    (hit,) = deep(room, "quince harvest")
    assert (hit.path, hit.first, hit.snippet) == (DAY, 1, "the quince harvest was good")
    gone = hit.retirement
    assert (gone.on, gone.since) == (room.now.replace(microsecond=0), room.now - timedelta(days=1))
    assert (gone.by, gone.commit_id) == ("memory-compactor", done.commit_id)


@pytest.mark.parametrize("path", ["memory/a b.md", "memory/äpfel.md"])
def test_lines_that_look_like_a_patch_are_found_at_their_places(room, path: str) -> None:
    """Mutants: `--- a/…` in a text taken for the name of a file; a name as git quotes it."""
    room.change({path: "x\n-- a/memory/b.md\n+ b/memory/c.md quince\nlunch\n- pear\n"})
    room.change({path: "x\nlunch\n"})
    assert [(hit.path, hit.first) for hit in deep(room, "quince")] == [(path, 3)]
    assert [(hit.path, hit.first) for hit in deep(room, "pear")] == [(path, 5)]


def test_without_deep_nothing_retired_is_shown(room) -> None:
    room.change({DAY: "- quince\n"})
    room.change({DAY: None})
    assert search(room.history, Query("quince"), room.now).results == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param({DAY: "- quince\n"}, {DAY: "- other\n- quince\n"}, id="moved down"),
        pytest.param(
            {DAY: "- quince\n"},
            {DAY: None, "Archive/Daily/2026/03/2026-03-18.md": "- quince\n"},
            id="archived",
        ),
        pytest.param({DAY: "- quince\n"}, {DAY: "quince\n"}, id="another marker"),
        pytest.param({DAY: "# quince\n"}, {DAY: "- quince <!-- m:ab12cd -->\n"}, id="with an id"),
    ],
)
def test_what_still_stands_somewhere_is_not_retired(room, before, after) -> None:
    room.change(before)
    room.change(after)
    assert [hit.snippet for hit in deep(room, "quince") if hit.retirement] == []


def test_what_came_back_is_not_retired(room) -> None:
    for text in ("- quince\n", "- other\n", "- quince\n"):
        room.change({DAY: text})
    assert [hit.retirement for hit in deep(room, "quince")] == [None]


def test_what_is_gone_from_the_folder_only_is_found_as_well(room) -> None:
    room.change({DAY: "- quince\n"})
    (room.root / DAY).unlink()
    (hit,) = deep(room, "quince")
    assert (hit.retirement.on, hit.retirement.by) == (None, "")


def test_what_a_reset_left_behind_is_found(room) -> None:
    room.change({"memory/a.md": "- other\n"})
    room.change({DAY: "- quince\n"})
    assert [hit.retirement for hit in deep(room, "quince")] == [None]
    room.git("reset", "-q", "--hard", "HEAD~1")
    room.keep()  # pins what was left behind
    (hit,) = deep(room, "quince")
    assert hit.retirement is not None


def test_what_a_merge_dropped_is_found(room) -> None:
    room.change({"memory/a.md": "- a\n"})
    room.git("checkout", "-qb", "side")
    room.write(DAY, "- quince\n")
    commit(room)
    room.git("checkout", "-q", "main")
    room.write("memory/a.md", "- b\n")
    commit(room)
    room.git("merge", "-q", "-s", "ours", "--no-edit", "side")
    (hit,) = deep(room, "quince")
    assert hit.retirement is not None


@pytest.mark.parametrize("on_main", [True, False], ids=["on both sides", "on one side"])
def test_what_a_merge_took_out_is_found_as_left_behind(room, on_main: bool) -> None:
    """Mutant: the commit that brought it counts as the one that took it out."""
    room.change({"memory/a.md": "- a\n"} | ({DAY: "- quince\n"} if on_main else {}))
    room.git("checkout", "-qb", "side")
    room.write("memory/b.md", "- b\n")
    room.write(DAY, "- quince\n")
    commit(room)
    room.git("checkout", "-q", "main")
    room.write("memory/a.md", "- b\n")
    commit(room)
    room.git("merge", "-q", "--no-commit", "--no-ff", "side")
    room.git("rm", "-qf", DAY)
    room.git("commit", "-qm", "a merge that takes out a day")
    (hit,) = deep(room, "quince")
    assert hit.retirement.commit_id == ""


def test_what_was_taken_out_before_a_merge_went_with_the_commit_that_did_it(room) -> None:
    """Mutant: the merge named, since it stands later."""
    room.change({DAY: "- quince\n", "memory/a.md": "- a\n"})
    room.git("checkout", "-qb", "side")
    (room.root / DAY).unlink()
    gone = commit(room)
    room.git("checkout", "-q", "main")
    room.write("memory/a.md", "- b\n")
    commit(room)
    room.git("merge", "-q", "--no-edit", "side")
    (hit,) = deep(room, "quince")
    assert hit.retirement.commit_id == gone


def forget_unnamed(room) -> None:
    room.git("reflog", "expire", "--expire=now", "--all")
    room.git("gc", "-q", "--prune=now")


@pytest.mark.parametrize("read_before", [True, False])
def test_a_tip_that_git_has_collected_is_no_obstacle(room, read_before: bool) -> None:
    """Mutants: remembered tips, and tips that were read once, taken for there."""
    room.change({DAY: "- quince\n"})
    kept = room.change({DAY: None}).commit_id
    room.change({DAY: "- pear\n"})
    if read_before:
        assert deep(room, "pear")
    room.git("reset", "-q", "--hard", kept)
    forget_unnamed(room)
    assert deep(room, "pear") == ()
    (hit,) = deep(room, "quince")
    assert hit.retirement.commit_id == kept


@pytest.mark.parametrize(
    "live",
    [
        "we never share the keys",
        "share the keys: never",
        "share the keys on Monday",
        "share the keys with Bob",
        "it was wrong to share the keys",
    ],
)
def test_a_live_line_that_says_something_else_hides_nothing(room, live: str) -> None:
    """Mutant: whatever is held by some line is still said."""
    room.change({DAY: "- share the keys\n"})
    room.change({DAY: f"- {live}\n"})
    assert [hit.snippet for hit in deep(room, "share keys") if hit.retirement] == ["share the keys"]


def test_retired_lines_keep_within_the_limits(room) -> None:
    room.change({DAY: "- quince\n", "memory/fruit.md": "- quince #event\n"})
    room.change({DAY: None, "memory/fruit.md": None})
    assert len(deep(room, "quince")) == 2
    for limits in (SearchLimits(tier="T2"), SearchLimits(path="memory/2026-*")):
        assert [hit.path for hit in deep(room, "quince", limits=limits)] == [DAY]
    for limits in (
        SearchLimits(tier="T1"),
        SearchLimits(category="fruit"),
        SearchLimits(category="event"),
        SearchLimits(path="memory/fruit.md"),
    ):
        assert [hit.path for hit in deep(room, "quince", limits=limits)] == ["memory/fruit.md"]


def test_corrections_and_who_the_agent_is_are_never_retired_lines(room) -> None:
    room.change(
        {"CORRECTIONS.md": "## 1 <!-- x:1 -->\n- said: quince\n", "USER.md": "quince\n"}, actor="operator"
    )
    room.write("CORRECTIONS.md", "# Corrections\n")
    room.write("USER.md", "x\n")
    room.git("commit", "-qam", "past every guard")
    assert deep(room, "quince") == ()


def test_live_lines_do_not_crowd_out_retired_ones(room) -> None:
    """Mutant: taking the best matches of all history and leaving out the live ones afterwards."""
    room.change({DAY: "- the old quince tree behind the house was felled\n"})
    room.change({DAY: "".join(f"- quince {n}\n" for n in range(500))})
    with open_index(room.history) as index:
        found, _ = Retired(room.history, index).matches(["quinc"], SearchLimits())
    assert [place.text for _, place in found] == ["the old quince tree behind the house was felled"]


def test_a_retired_line_is_not_joined_with_the_live_one_that_stands_in_its_place(room) -> None:
    """Mutant: adjacent lines of one path taken for lines of one file."""
    room.change({DAY: "- quince harvest\n- quince harvest jam\n"})
    room.change({DAY: "- lunch\n- quince harvest jam of Ada\n"})
    found = {hit.snippet: hit.retirement is not None for hit in deep(room, "quince harvest jam")}
    assert found.pop("- lunch") is False
    assert found == {"- quince harvest jam of Ada": False, "quince harvest jam": True, "quince harvest": True}
