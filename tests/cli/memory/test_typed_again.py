"""Whose the words are that the operator took out and somebody types again."""

from __future__ import annotations

import pytest

NORA = "Nora is allergic to walnuts."


@pytest.mark.parametrize("path", ["MEMORY.md", "memory/2026-03-18.md"])
@pytest.mark.parametrize(
    "taking",
    [
        pytest.param(("forget", NORA, "--yes"), id="forgotten"),
        pytest.param(("chat", "add", "Scratch that."), id="taken back"),
        pytest.param(("undo", "HEAD"), id="undone"),
        pytest.param(("correct", NORA, "Nora is allergic to hazelnuts."), id="corrected"),
        pytest.param(
            ("chat", "add", "No, Nora is allergic to hazelnuts, not walnuts."), id="corrected in chat"
        ),
    ],
)
def test_what_the_operator_took_out_is_the_agents_who_types_it_again(clawgit, room, taking, path) -> None:
    """Seen: `search` and `why` said "you", 95 %. Mutant: the first author of the words stays theirs."""
    clawgit("chat", "add", f"Remember that {NORA}")
    line = next(each for each in room.read("MEMORY.md").splitlines() if NORA in each)
    clawgit(*taking)
    assert line not in room.read("MEMORY.md")

    old = room.read(path) if (room.root / path).exists() else ""
    room.write(path, f"{old}\n{line}\n")
    room.keep("host")
    at = room.read(path).splitlines().index(line) + 1

    hits = clawgit("search", "Nora walnuts", "--all", "--json").data["results"]
    # a correction stands in its line's place
    assert {hit["trust"] for hit in hits if hit["path"] == path and NORA in hit["snippet"]} <= {"host"}
    assert NORA not in clawgit("memory", "list", "--trust", "operator").out
    assert "based on: your agent" in clawgit("why", f"{path}:{at}").out


def test_what_the_operator_types_again_himself_is_his(clawgit, room) -> None:
    clawgit("remember", NORA)
    line = next(each for each in room.read("MEMORY.md").splitlines() if NORA in each)
    clawgit("forget", NORA, "--yes")
    room.write("MEMORY.md", f"{room.read('MEMORY.md')}\n{line}\n")
    room.keep("host")
    assert NORA not in clawgit("memory", "list", "--trust", "operator").out

    clawgit("forget", NORA, "--yes")
    clawgit("remember", NORA)

    assert NORA in clawgit("memory", "list", "--trust", "operator").out
