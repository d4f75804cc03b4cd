"""A dated line that says otherwise is named beside the undated line."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.context.assemble_context import assemble_context
from clawgit.context.dated_lines import with_dated_lines
from clawgit.context.wanted_context import WantedContext
from clawgit.history.adopt import adopt
from clawgit.history.git.repository import open_history
from clawgit.history.provenance.trust_lookup import open_trusts
from clawgit.recall.search import search
from clawgit.recall.search_results import Hits, Query

LINE = "- billing listens on 8080"
MOVED = "moved billing to port 8443, 8080 is closed"
QUERY = "which port does billing listen on"


def hits_for(history, now) -> Hits:
    with open_trusts(history) as trusts:
        hits = search(history, Query(QUERY), now)
        return with_dated_lines(history, hits, now.date(), trusts)


@pytest.fixture
def billing(room):
    """Return a workspace that has the line since today, and what writes a note of a day that many days away."""
    room.append("MEMORY.md", f"{LINE}\n", actor="operator")
    began = room.now

    def note(line: str, days: int = 3, actor: str = "unknown") -> str:
        day = began + timedelta(days=days)
        room.now = max(room.now, day + timedelta(hours=1))
        path = f"memory/{day.date().isoformat()}.md"
        room.append(path, f"{line}\n", actor=actor)
        return path

    return note


def test_the_later_line_is_named(room, billing) -> None:
    path = billing(MOVED)

    (first, *_) = hits_for(room.history, room.now).results

    assert first.snippet.endswith(LINE)
    assert [(each.path, each.words) for each in first.otherwise] == [(path, MOVED)]


@pytest.mark.parametrize(
    "notes",
    [
        pytest.param([(MOVED, -3)], id="the line is newer"),
        pytest.param(
            [(MOVED, 3), ("billing port: it listens on 8080 again", 5)], id="a later line repeats its value"
        ),
        pytest.param([("should billing listen on 8443?", 3)], id="a question"),
        pytest.param([(f"user: {MOVED}", 3)], id="a turn of a talk"),
        pytest.param([(f"> {MOVED}", 3)], id="a quotation"),
    ],
)
def test_nothing_else_is(room, billing, notes: list[tuple[str, int]]) -> None:
    """Mutants: any day; the first line that differs; what was asked or quoted."""
    for line, days in notes:
        billing(line, days)

    assert [each.otherwise for each in hits_for(room.history, room.now).results if each.otherwise] == []


def test_a_prompt_has_the_place_and_none_of_the_words_outside_their_fence(room, billing) -> None:
    """Mutant: a note's words stand unfenced behind the operator's line."""
    path = billing(MOVED)

    text = assemble_context(room.history, WantedContext(QUERY), room.now).text
    line = next(each for each in text.splitlines() if each.startswith(LINE))

    assert f"otherwise: {path}:" in line
    assert "8443" not in line


def test_the_age_of_an_adopted_line_is_not_the_day_of_its_adoption(tmp_path, room) -> None:
    root = tmp_path / "adopted"
    (root / "memory").mkdir(parents=True)
    (root / "memory/ports.md").write_text(f"# Ports\n\n{LINE}\n", "utf-8")
    (root / f"memory/{(room.now - timedelta(days=9)).date()}.md").write_text(f"{MOVED}\n", "utf-8")
    adopt(root, room.now, trust="operator")

    (first, *_) = hits_for(open_history(root), room.now).results

    assert [each.words for each in first.otherwise] == [MOVED]
