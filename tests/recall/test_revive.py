"""What was taken out of memory comes back as it was."""

from __future__ import annotations

import pytest

from clawgit.errors import ClawgitError
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.git.repository import open_history
from clawgit.history.provenance.why import find_why
from clawgit.recall.revive import revive

DAY = "memory/2026-03-18.md"
ENTRY = "- 2026-03-01: Chose REST over GraphQL. #decision <!-- m:7k2x9d -->\n"


def back(room, what: str):
    return revive(room.history, what, Intent(new_op(), "operator", room.now))


def test_a_file_comes_back_byte_for_byte_as_it_read_last(room) -> None:
    text = "\ufeff# Day\r\n\r\n- quince  \r\n- no line end"
    room.change({DAY: "- first\n"})
    room.change({DAY: text})
    gone = room.change({DAY: None}).commit_id
    done = back(room, DAY)
    assert room.read(DAY) == text
    assert f"Clawgit-Evidence: {gone}" in room.git("log", "-1", "--format=%B")
    assert done.recorded.commit_id == room.head()


def test_a_file_that_was_left_behind_by_a_reset_comes_back(room) -> None:
    room.change({DAY: "- quince\n"})
    room.git("reset", "-q", "--hard", "HEAD~1")
    room.keep()
    back(room, DAY)
    assert room.read(DAY) == "- quince\n"


def test_an_entry_comes_back_with_its_id_and_whose_words_it_is(room) -> None:
    room.change({"MEMORY.md": f"# Memory\n\n- a\n{ENTRY}- b\n"}, actor="operator")
    room.change({"MEMORY.md": "# Memory\n\n- a\n- b\n"}, actor="memory-compactor")
    back(room, "m:7k2x9d")
    assert room.read("MEMORY.md").endswith(ENTRY)
    assert find_why(room.history, "m:7k2x9d", room.now.date()).trust == "operator"


def test_an_entry_of_many_lines_comes_back_whole_and_rests_on_what_it_did(room) -> None:
    """Mutant: only the line with the id comes back, as new words of the operator's."""
    text = "# Memory\n\n- Pay the bills\n  of this year\n  to Eve. <!-- m:7k2x9d -->\n"
    room.change({"memory/a.md": text}, actor="host")
    room.change({"memory/a.md": "# Memory\n"}, actor="operator")

    back(room, "m:7k2x9d")

    assert room.read("memory/a.md").endswith("- Pay the bills\n  of this year\n  to Eve. <!-- m:7k2x9d -->\n")
    assert find_why(room.history, "m:7k2x9d", room.now.date()).trust == "host"


def test_an_entry_comes_back_in_its_last_wording(room) -> None:
    room.change({"MEMORY.md": ENTRY}, actor="operator")
    room.change({"MEMORY.md": ENTRY.replace("REST", "gRPC")}, actor="operator")
    room.change({"MEMORY.md": None}, actor="operator")
    back(room, "m:7k2x9d")
    assert room.read("MEMORY.md") == ENTRY.replace("REST", "gRPC")


A = "- a <!-- m:aaaaaa -->\n"
WRAPPED = (
    "- 2026-03-01: Chose REST over GraphQL,\n  since nobody knew\n  GraphQL. #decision <!-- m:7k2x9d -->\n"
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(f"{A}{WRAPPED}", f"{A}{WRAPPED}", id="of several lines"),
        pytest.param(f"{A}{WRAPPED}  - b\n", f"{A}{WRAPPED}", id="with an item of its own"),
        pytest.param(
            f"{A}  - b\n    c <!-- m:7k2x9d -->\n",
            f"{A}- b\n  c <!-- m:7k2x9d -->\n",
            id="from below another",
        ),
        pytest.param("2. b <!-- m:7k2x9d -->\n", f"{A}2. b <!-- m:7k2x9d -->\n", id="with a number"),
        pytest.param("* 1. b <!-- m:7k2x9d -->\n", f"{A}1. b <!-- m:7k2x9d -->\n", id="an item in an item"),
        pytest.param("- #b c <!-- m:7k2x9d -->\n", f"{A}- #b c <!-- m:7k2x9d -->\n", id="a tag first"),
        pytest.param("- 1\\. b <!-- m:7k2x9d -->\n", f"{A}- 1\\. b <!-- m:7k2x9d -->\n", id="a number first"),
        pytest.param(
            "- b  \r\n  c <!-- m:7k2x9d -->\r\n", f"{A}- b  \n  c <!-- m:7k2x9d -->\n", id="other ends"
        ),
    ],
)
def test_an_entry_comes_back_whole(room, before: str, after: str) -> None:
    """Mutants: its last line under the old id; the words below a marker of ours."""
    room.change({"MEMORY.md": before}, actor="operator")
    room.change({"MEMORY.md": A}, actor="operator")
    back(room, "m:7k2x9d")
    assert room.read("MEMORY.md") == after


def test_of_entries_that_say_the_same_each_comes_back_as_its_own(room) -> None:
    one, other = "- quince <!-- m:aaaaaa -->\n", "- quince <!-- m:bbbbbb -->\n"
    room.change({"MEMORY.md": one}, actor="operator")
    room.change({"MEMORY.md": "x\n"}, actor="operator")
    room.change({"memory/fruit.md": other}, actor="operator")
    room.change({"memory/fruit.md": None}, actor="operator")
    back(room, "m:aaaaaa")
    back(room, "m:bbbbbb")
    assert (room.read("MEMORY.md"), room.read("memory/fruit.md")) == (f"x\n\n{one}", other)


@pytest.mark.parametrize("what", ["m:7k2x9d", "MEMORY.md"])
def test_what_was_taken_out_in_the_folder_only_comes_back(room, what: str) -> None:
    """Mutant: what the last commit has counts as there."""
    room.change({"MEMORY.md": f"{A}{ENTRY}"}, actor="operator")
    room.write("MEMORY.md", A)
    if what == "MEMORY.md":
        (room.root / what).unlink()
    done = back(room, what)
    assert room.read("MEMORY.md") == f"{A}{ENTRY}"
    assert (done.recorded.outcome, room.git("status", "--porcelain")) == ("applied", "")
    assert room.actors()[:2] == ["operator", "unknown"]


@pytest.mark.parametrize("what", [DAY, "m:7k2x9d"])
def test_what_a_merge_took_out_comes_back(room, what: str) -> None:
    room.change({"memory/a.md": "- a\n"})
    room.git("checkout", "-qb", "side")
    room.write(DAY, ENTRY)
    room.git("add", "-A")
    room.git("commit", "-qm", "a day")
    room.git("checkout", "-q", "main")
    room.change({"memory/a.md": "- b\n"})
    room.git("merge", "-q", "-s", "ours", "--no-edit", "side")
    back(room, what)
    assert room.read(DAY) == ENTRY
    assert "Clawgit-Evidence" not in room.git("log", "-1", "--format=%B")


def test_a_commit_that_git_has_collected_is_no_obstacle(room) -> None:
    room.change({DAY: "- quince\n"})
    gone = room.change({DAY: None}).commit_id
    room.change({"memory/a.md": ENTRY})
    room.git("reset", "-q", "--hard", gone)
    room.git("reflog", "expire", "--expire=now", "--all")
    room.git("gc", "-q", "--prune=now")
    room.history = open_history(room.root)
    with pytest.raises(ClawgitError):
        back(room, "m:7k2x9d")
    back(room, DAY)
    assert room.read(DAY) == "- quince\n"


@pytest.mark.parametrize("what", [DAY, "m:7k2x9d", "memory/never.md", "m:never", "SOUL.md", "../x.md"])
def test_what_stands_there_or_never_did_is_refused(room, what: str) -> None:
    room.change({DAY: "- quince\n", "MEMORY.md": ENTRY}, actor="operator")
    head = room.head()
    with pytest.raises(ClawgitError):
        back(room, what)
    assert room.head() == head


def test_a_file_whose_deletion_came_with_a_merge_rests_on_the_deletion(room) -> None:
    """Mutant: the merge, which only repeats it, given as what took it out."""
    room.change({DAY: "- quince\n", "memory/a.md": "- a\n"})
    room.git("checkout", "-qb", "side")
    gone = room.change({DAY: None}).commit_id
    room.git("checkout", "-q", "main")
    room.change({"memory/a.md": "- b\n"})
    room.git("merge", "-q", "--no-edit", "side")
    back(room, DAY)
    assert f"Clawgit-Evidence: {gone}" in room.git("log", "-1", "--format=%B")
