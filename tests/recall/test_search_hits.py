"""What searches found, as records: which notes come up again and again."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from tests_folder import TESTS

from clawgit.recall.search import search
from clawgit.recall.search_hits import kept_query, note_found, often_found
from clawgit.recall.search_results import Found, Result, Wanted

VECTORS = json.loads((TESTS / "vectors/access_frequency.json").read_text("utf-8"))
CASES = [case for case in VECTORS["cases"] if case.get("open") != "either"]


def hit(path: str) -> Found:
    return Found((Result(path, 1, 1, 0.9, "text", "memory", "T2"),))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_often_found_of_the_vectors(case, room) -> None:
    for each in case["hits"]:
        day = datetime.fromisoformat(f"{each['day']}T09:00:00+00:00")
        note_found(room.history, "query", each["session"], hit(each["path"]), day)
    found = often_found(room.history, datetime.fromisoformat(case["now"]))
    assert [{"path": each.path, "hits": each.hits, "sessions": each.sessions} for each in found] == case[
        "expect"
    ]


def test_the_most_often_found_come_first_and_not_all_of_them(room) -> None:
    for number in range(10, 32):
        for session in "abcd"[: 3 + number % 2]:
            note_found(room.history, "q", session, hit(f"memory/2026-01-{number}.md"), room.now)
    found = often_found(room.history, room.now)
    assert [each.sessions for each in found] == sorted((each.sessions for each in found), reverse=True)
    assert len(found) == VECTORS["defaults"]["limit"]


def test_a_search_that_found_nothing_adds_nothing(room) -> None:
    for session in "abc":
        note_found(room.history, "q", session, Found(), room.now)
    assert often_found(room.history, room.now) == []


def test_what_a_search_shows_is_what_is_noted(room) -> None:
    room.write("memory/2026-03-18.md", "- quince\n")
    for session in "abc":
        note_found(
            room.history, "quince", session, search(room.history, Wanted("quince"), room.now), room.now
        )
    assert [each.path for each in often_found(room.history, room.now)] == ["memory/2026-03-18.md"]


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("a\n  b", "a b"),
        ("x" * 900, "x" * 500),
        ("a\u202eb", "ab"),
        ("\udcff", "\ufffd"),
        ("password: tiger777", "password: [redacted password]"),
    ],
)
def test_a_query_is_kept_on_one_line_and_not_endless(query: str, kept: str) -> None:
    assert kept_query(query) == kept
