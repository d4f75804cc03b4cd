"""When an entry's time is over: by its class and the days it names, never what the operator holds himself."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Any

import pytest
from tests_folder import TESTS

from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.tiers import Tier
from clawgit.memory.entry_states import (
    DAYS_OF_CLASS,
    Past,
    When,
    archive_path,
    is_over,
    state_of,
    take_out,
    with_retired,
)
from clawgit.memory.provenance.pieces import Origin, Seen

TTL = json.loads((TESTS / "vectors" / "ttl_classes.json").read_text("utf-8"))
SAID = date(2026, 1, 1)


def row(kind: str, said: str = "", *, day: int = 0, words: str = "", path: str = "MEMORY.md") -> Seen:
    return Seen("aaaaaa", kind, f"c{day}", f"{SAID + timedelta(days=day)}T10:00:00+00:00", said, path, words)


def state(*more: Seen, source: str = "memory-miner", line: bytes = b"- Send the report. <!-- m:aaaaaa -->\n"):
    (entry,) = read_entries(line)
    origin = Origin("c0", f"{SAID}T10:00:00+00:00", source, "operator")
    seen = (row("words", words=entry.text), *more)
    when = When(SAID)
    return state_of(entry, ("MEMORY.md", Tier.T1), Past(origin, seen, ()), when)


def over(after: int, *more: Seen, **how: Any) -> bool:
    return is_over(state(*more, **how), SAID + timedelta(days=after))


def test_the_classes_live_as_long_as_the_vectors_say() -> None:
    assert TTL["ttl_days"] == DAYS_OF_CLASS


@pytest.mark.parametrize("case", TTL["cases"], ids=lambda case: case["id"])
def test_ttl_of_the_vectors(case: dict[str, Any]) -> None:
    found = over(int(case["age_days"]), row("class", case["category"]))

    assert found is (case["expired"] or False)  # on its last day it is left open: it stays


@pytest.mark.parametrize(
    ("more", "how"),
    [
        pytest.param([], {}, id="no class"),
        pytest.param([row("class", "tasks")], {"source": "operator"}, id="written by the operator"),
        pytest.param([row("class", "tasks")], {"line": b"- Send the report.\n"}, id="without an id"),
        pytest.param(
            [
                row("class", "tasks"),
                row("words", words="Send the report.", path="Archive/Entries/2026-01.md"),
            ],
            {},
            id="brought back once",
        ),
        pytest.param([row("class", "tasks"), row("mention", day=95)], {}, id="mentioned again"),
        pytest.param([row("class", "tasks"), row("class", "none", day=1)], {}, id="its class was taken back"),
    ],
)
def test_what_stays(more: list[Seen], how: dict[str, Any]) -> None:
    """Mutants: each of these rules left out."""
    assert not over(100, *more, **how)
    assert over(100, row("class", "tasks"))


def test_a_move_to_another_file_is_no_reason_to_live_longer() -> None:
    moved = row("words", day=6, words="Send the report.", path="memory/knowledge.md")

    assert over(8, row("class", "tasks"), moved)


def test_a_day_that_is_still_to_come_holds_it() -> None:
    found = state(row("class", "tasks"))
    open_until = SAID + timedelta(days=40)

    assert not is_over(found, open_until, open_until=open_until)
    assert is_over(found, open_until + timedelta(days=1), open_until=open_until)


def test_entries_leave_with_their_bytes_and_come_to_the_archive_once() -> None:
    data = (
        b"# MEMORY\r\n\r\n- one  two <!-- m:aaaaaa -->\r\n- three <!-- m:bbbbbb -->\r\n"
        b"  - below it <!-- m:cccccc -->\r\n\r\nprose\r\n"
    )

    left, taken = take_out(data, {"aaaaaa", "bbbbbb", "cccccc"})
    archive = with_retired(b"", list(taken.values()), SAID, "over")

    assert taken == {"aaaaaa": b"- one  two <!-- m:aaaaaa -->\r\n"}
    assert left == data.replace(taken["aaaaaa"], b"")
    assert taken["aaaaaa"] in archive
    assert with_retired(archive, list(taken.values()), SAID, "over") == archive
    assert archive_path(SAID) == "Archive/Entries/2026-01.md"


def test_of_two_entries_with_one_id_neither_leaves() -> None:
    """Mutant: the last of them leaves, whichever was meant."""
    data = b"- pay the invoice <!-- m:aaaaaa -->\n- keep the key <!-- m:aaaaaa -->\n- tea <!-- m:bbbbbb -->\n"

    left, taken = take_out(data, {"aaaaaa", "bbbbbb"})

    assert (left, list(taken)) == (b"".join(data.splitlines(keepends=True)[:2]), ["bbbbbb"])
