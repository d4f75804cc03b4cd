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


def hits_for(history, now, query: str = QUERY, *, is_asked: bool = False) -> Hits:
    with open_trusts(history) as trusts:
        hits = search(history, Query(query), now)
        return with_dated_lines(history, hits, now.date(), trusts, query if is_asked else "")


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


@pytest.mark.parametrize(
    ("line", "query", "note"),
    [
        pytest.param(
            "Petty cash limit at the café is 150, above that ask Mia",
            "what is the petty cash limit at the café",
            "Petty cash at the café is now 250 (Mia's mail)",
            id="a change",
        ),
        pytest.param("Pflegegrad 2", "welcher Pflegegrad", "Pflegegrad 3 bewilligt, ab 1.11.", id="a value"),
        pytest.param(
            "Tagespflege Di und Do",
            "wann ist Tagespflege",
            "Tagespflege ab jetzt Mo und Mi statt Di/Do, damit ich arbeiten kann",
            id="two values",
        ),
        pytest.param(
            "Recargo de urgencia: 25 %", "recargo de urgencia", "El recargo sube al 30 %", id="in other words"
        ),
        pytest.param(
            "Hotel: Pension Rosenau, 62 € die Nacht",
            "welches Hotel",
            "Pension Rosenau hat abgesagt. Hotel Krone gebucht",
            id="a cancellation",
        ),
    ],
)
def test_a_later_line_that_answers_as_well_is_to_compare(room, line: str, query: str, note: str) -> None:
    """Mutants: only what says otherwise; any line of a later day."""
    room.append("MEMORY.md", f"- {line}\n", actor="operator")
    room.now += timedelta(days=3)
    path = f"memory/{room.now.date()}.md"
    room.append(path, f"- {note}\n- bought 3 stamps for Mia\n", actor="unknown")

    results = hits_for(room.history, room.now, query, is_asked=True).results
    (first,) = (each for each in results if each.path == "MEMORY.md")

    assert [(each.words, each.is_sure) for each in first.otherwise] == [(note, False)]
    assert [
        each.otherwise for each in hits_for(room.history, room.now, query).results if each.otherwise
    ] == []


@pytest.mark.parametrize(
    ("note", "days"),
    [
        pytest.param("the café bought 12 cups", 3, id="another subject"),
        pytest.param("should the petty cash limit at the café be 250 now?", 3, id="a question"),
        pytest.param("the petty cash limit at the café could be 250 from now on", 3, id="a plan"),
        pytest.param("the petty cash limit at the café: 150, counted", 3, id="the same value"),
        pytest.param("the petty cash limit at the café is 100 now", -3, id="an earlier note"),
    ],
)
def test_nothing_else_is_to_compare(room, note: str, days: int) -> None:
    room.append("MEMORY.md", "- Petty cash limit at the café is 150, above that ask Mia\n", actor="operator")
    day = room.now + timedelta(days=days)
    room.now = max(room.now, day + timedelta(hours=1))
    room.append(f"memory/{day.date()}.md", f"- {note}\n", actor="unknown")

    hits = hits_for(room.history, room.now, "what is the petty cash limit at the café", is_asked=True)

    assert [each.otherwise for each in hits.results if each.otherwise] == []


def test_an_older_note_has_a_newer_one_beside_it_once_that_tells_a_change(room) -> None:
    for text in ("the scarves are red", "had 3 red scarves washed", "the scarves are blue instead, not red"):
        room.append(f"memory/{room.now.date()}.md", f"- {text}\n", actor="operator")
        room.now += timedelta(days=2)

    results = hits_for(room.history, room.now, "what colour are the scarves", is_asked=True).results
    newer = {each.snippet: [other.words for other in each.otherwise] for each in results}

    assert newer["- the scarves are red"] == ["the scarves are blue instead, not red"]
    assert newer["- the scarves are blue instead, not red"] == []


def test_a_line_that_tells_a_change_itself_has_none(room) -> None:
    """Seen: "the code is 7731 now" pointed to an earlier note with the code before."""
    room.append("notes/keys.md", "- the code of the key box is 7731 now\n", actor="operator")
    room.now += timedelta(days=3)
    room.append(f"memory/{room.now.date()}.md", "- the code of the key box changed: 4417\n", actor="unknown")

    hits = hits_for(room.history, room.now, "code of the key box", is_asked=True)

    assert [each.otherwise for each in hits.results if each.otherwise and not each.otherwise[0].is_sure] == []
