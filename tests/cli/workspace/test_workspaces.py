"""Several workspaces: each keeps to itself unless it is named, all search what is shared, one writes to it.

Mutants that these tests caught: a search that always asks all, one workspace searched under all names, any workspace
or any host writes to the shared memory, a workspace that is gone ends the search, searches noted where nobody of that
workspace asked, anybody registers.
"""

from __future__ import annotations

import shutil
import sqlite3

import pytest

from clawgit.errors import ExitCode
from clawgit.history.adopt import adopt

SAID = {
    "main": "- The quince harvest was good.\n",
    "coding": "- The quince parser is written in Rust.\n",
    "common": "- Quince is our code name for the release.\n",
}


@pytest.fixture
def three(room, clawgit, tmp_path):
    """Return three registered workspaces by name; the room is `main`, and `common` is shared by all."""
    roots = {"main": room.root, "coding": tmp_path / "coding", "common": tmp_path / "common"}
    for name, root in roots.items():
        if name != "main":
            adopt(root, room.now)
        (root / "memory" / "notes.md").write_text(SAID[name])
    assert clawgit("workspaces", "add", "main").code == 0
    assert clawgit("workspaces", "add", "coding", str(roots["coding"])).code == 0
    shared = ("--shared", "--orchestrator", "main")
    assert clawgit("workspaces", "add", "common", str(roots["common"]), *shared).code == 0
    return roots


def agents(said) -> list[str]:
    assert said.code == 0, said.err
    return sorted(hit.get("agent", "") for hit in said.data["results"])


def test_list_shows_them_and_what_is_wrong_with_one(clawgit, three):
    shutil.rmtree(three["coding"])
    listed = {each["name"]: each for each in clawgit("workspaces", "list", "--json").data}
    assert {name: each["path"] for name, each in listed.items()} == {
        name: str(root) for name, root in three.items()
    }
    assert (listed["common"]["shared"], listed["common"]["orchestrator"]) == (True, "main")
    assert [name for name, each in listed.items() if each["problem"]] == ["coding"]
    out = clawgit("workspaces", "list").out
    assert f"common  {three['common']}  shared by all, written by main" in out
    assert "coding" in out.split("!")[0]
    assert "`clawgit workspaces remove coding`" in out


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), ["", "common"]),
        (("--agent", "coding"), ["coding"]),
        (("--agent", "main"), ["main"]),
        (("--all-agents",), ["", "coding", "common"]),
        (("--all-agents", "--top", "1"), [""]),
    ],
)
def test_a_search_reaches_its_own_the_shared_and_whom_it_names(clawgit, three, words, expected):
    said = clawgit("memory", "search", "quince harvest", "--min-score", "0.1", "--json", *words)
    assert agents(said) == expected


@pytest.mark.rest
def test_without_a_workspace_here_all_others_can_be_searched(clawgit, three, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = clawgit(
        "memory", "search", "quince", "--all-agents", "--json", environment={"CLAWGIT_WORKSPACE": ""}
    )
    assert agents(said) == ["coding", "common", "main"]


def test_what_was_found_elsewhere_is_read_there(clawgit, three):
    (hit,) = clawgit("memory", "search", "parser", "--agent", "coding", "--json").data["results"]
    got = clawgit(
        "memory", "get", hit["path"], "--from", str(hit["startLine"]), "--agent", "coding", "--json"
    )
    assert got.data["text"] == SAID["coding"]
    assert clawgit("memory", "search", "parser", "--agent", "coding").out.startswith(
        "coding: memory/notes.md:1"
    )


@pytest.mark.rest
def test_each_keeps_its_index_and_its_records_to_itself(clawgit, three):
    clawgit("memory", "search", "quince", "--all-agents")
    for name, root in three.items():
        data = (root / ".git/clawgit/index.db").read_bytes()
        words = {other: SAID[other].split()[-1].strip(".\n").encode() in data for other in SAID}
        assert words == {other: other == name for other in SAID}
        with sqlite3.connect(root / ".git/clawgit/records.db") as db:
            noted = db.execute("SELECT COUNT(*) FROM searches").fetchone()[0]
        db.close()
        assert noted == (name == "main")


@pytest.mark.rest
def test_a_workspace_that_is_gone_is_named_and_the_others_answer(clawgit, three):
    shutil.rmtree(three["common"])
    said = clawgit("memory", "search", "quince", "--all-agents", "--json")
    assert agents(said) == ["", "coding"]
    assert "common was not searched" in said.err
    assert [note.partition(":")[0] for note in said.data["notes"]] == ["common was not searched"]
    shutil.rmtree(three["coding"])
    alone = clawgit("memory", "search", "quince", "--agent", "coding", "--json")
    assert (alone.code, alone.err.count("is not a clawgit workspace")) == (ExitCode.REFUSED, 1)


def test_a_damaged_register_is_said_and_the_own_memory_answers(clawgit, three, own_home):
    (register,) = own_home.rglob("workspaces.json")
    register.write_text("{")
    for words in ((), ("--all-agents",)):
        said = clawgit("memory", "search", "quince", "--json", *words)
        assert agents(said) == [""]
        assert "is damaged" in said.err


def test_as_of_and_deep_reach_others_too(clawgit, three):
    for words in (("--deep",), ("--as-of", "2026-03-19")):
        said = clawgit("memory", "search", "quince parser", "--agent", "coding", "--json", *words)
        assert said.code == 0
    both = clawgit("memory", "search", "quince", "--agent", "coding", "--all-agents")
    assert both.code == ExitCode.USAGE


def test_a_name_that_nobody_has_says_whom_there_is(clawgit, three):
    said = clawgit("memory", "search", "quince", "--agent", "codign")
    assert said.code == ExitCode.REFUSED
    assert "known: coding, common, main" in said.err


@pytest.mark.rest
def test_the_orchestrator_writes_to_the_shared_memory_as_a_change_of_its_own(clawgit, three, room):
    head = room.head()
    done = clawgit(
        "memory",
        "add",
        "Releases are on Thursdays.",
        "--tag",
        "knowledge",
        "--shared",
        "--json",
        actor="host",
    )
    assert (done.code, done.data["path"]) == (0, "memory/learned.md")
    assert "Releases are on Thursdays." in (three["common"] / "memory/learned.md").read_text()
    assert room.head() == head
    found = clawgit("memory", "search", "releases thursdays", "--json").data["results"][0]
    assert found["agent"] == "common"


def test_nobody_else_writes_there(clawgit, three):
    elsewhere = {"CLAWGIT_WORKSPACE": str(three["coding"])}
    said = clawgit("memory", "add", "Mine.", "--shared", environment=elsewhere)
    assert said.code == ExitCode.REFUSED
    assert "Only main writes" in said.err
    inside = {"CLAWGIT_WORKSPACE": str(three["common"])}
    for words in (("memory", "add", "Mine."), ("keep",)):
        said = clawgit(*words, actor="host", environment=inside)
        assert said.code == ExitCode.REFUSED
        assert "Only main writes to the shared memory" in said.err
    assert clawgit("memory", "add", "Theirs, by hand.", environment=inside).code == 0


def test_without_a_shared_memory_nothing_is_shared(clawgit, room):
    said = clawgit("memory", "add", "Mine.", "--shared")
    assert said.code == ExitCode.REFUSED
    assert "no shared memory" in said.err


def test_only_the_operator_registers(clawgit, three, tmp_path):
    for words in (("add", "more", str(three["coding"])), ("remove", "coding")):
        said = clawgit("workspaces", *words, actor="host")
        assert said.code == ExitCode.REFUSED
        assert "only you can" in said.err
    assert clawgit("workspaces", "add", "empty", str(tmp_path)).code == ExitCode.REFUSED
    assert clawgit("workspaces", "add", "x", str(three["coding"]), "--shared").code == ExitCode.USAGE


def test_removed_means_forgotten_and_nothing_else(clawgit, three):
    assert clawgit("workspaces", "remove", "coding").code == 0
    assert (three["coding"] / "memory/notes.md").read_text() == SAID["coding"]
    assert agents(clawgit("memory", "search", "quince", "--all-agents", "--json")) == ["", "common"]


def test_outside_of_all_workspaces_status_takes_the_only_one_and_says_so(
    clawgit, room, tmp_path, monkeypatch
):
    clawgit("workspaces", "add", "main")
    monkeypatch.chdir(tmp_path)
    nowhere = {"CLAWGIT_WORKSPACE": ""}

    said = clawgit("status", environment=nowhere)
    refused = clawgit("log", environment=nowhere)

    assert said.code == 0
    assert said.out.startswith(str(room.root))
    assert f"There is no workspace here. This is {room.root}, the only one" in said.err
    assert refused.code == ExitCode.REFUSED
    assert f"`clawgit -w {room.root} …`" in refused.err


def test_of_two_workspaces_none_is_taken_and_both_are_named(clawgit, three, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    said = clawgit("status", environment={"CLAWGIT_WORKSPACE": ""})

    assert said.code == ExitCode.REFUSED
    assert f"`clawgit -w {three['main']} …`" in said.err
    assert f"`clawgit -w {three['coding']} …`" in said.err
