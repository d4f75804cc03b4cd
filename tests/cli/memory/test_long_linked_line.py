"""A link beside a line that is longer than the ledger keeps of it: a yes with the whole line sets that right."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.rest

TAIL = " ".join(f"Room {number} has a radiator and {number} chairs." for number in range(3, 30))
LINE = f"The staging port is 8080 and the key hangs in the cellar. {TAIL}"
RIGHT = LINE.replace("8080", "9090")
CUT = f"{LINE[:600].rstrip()} …"


@pytest.fixture(params=["MEMORY.md", "notes/port.md"])
def path(request, room) -> str:
    path: str = request.param
    beside = ""
    if path != "MEMORY.md":
        beside = f"- beside: {path}\n"
    ledger = (
        "## 2026-03-19 10:00 <!-- x:abcdef re-embedded:false -->\n\n- trigger: The staging port is 9090 now.\n"
        f"- said: {CUT}\n{beside}- status: linked\n"
    )
    room.change({path: f"- {LINE}\n", "CORRECTIONS.md": ledger}, actor="operator")
    return path


@pytest.mark.parametrize("verb", ["correct", "approve"])
def test_a_link_beside_a_long_line_is_answered_with_the_whole_line(
    clawgit, room, path: str, verb: str
) -> None:
    """Mutant: what the ledger has of the line is compared with all of it."""
    done = clawgit(verb, "x:abcdef", RIGHT)

    assert (done.code, done.err.splitlines()[:1]) == (0, done.err.splitlines()[:1])
    assert RIGHT in room.read(path)
    assert LINE not in room.read(path).replace(f"was: {LINE}", "")
    assert "linked" not in clawgit("status").out


def test_a_long_line_is_not_answered_with_what_is_shown_of_it(clawgit, room, path: str) -> None:
    """Mutant: the end of the line is gone, and "…" stands there."""
    before = room.read(path)

    refused = clawgit("correct", "x:abcdef", CUT.replace("8080", "9090"))

    assert (refused.code, room.read(path)) == (1, before)
    assert "longer than what is shown of it" in refused.err
