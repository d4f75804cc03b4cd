"""How many files of each tier there are."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from tests_folder import TESTS

from clawgit.recall.index.searched_files import searched_files, tier_found
from clawgit.recall.recall_status import (
    kept_query,
    note_found,
    often_found,
    read_recall_status,
    tier_counts,
    tier_lines,
)
from clawgit.recall.search import search
from clawgit.recall.search_results import Hits, Query, Result

if TYPE_CHECKING:
    from pathlib import Path


TIERS = json.loads((TESTS / "vectors/tier_stats.json").read_text("utf-8"))


@pytest.mark.parametrize("case", TIERS["cases"], ids=lambda case: case["id"])
def test_tiers_of_the_vectors(case, tmp_path: Path) -> None:
    for name, text in case["files"].items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    counts, expected = tier_counts(tmp_path, searched_files(tmp_path)), case["expect"]
    by_tier: dict[str, set[str]] = {"T1": set(), "T2": set()}
    for path in searched_files(tmp_path):
        by_tier[tier_found(path).value].add(path)
    assert counts["T0"] == expected.get("t0", 0)
    assert {"T1": counts["T1"], "T2": counts["T2"]} == {tier: len(paths) for tier, paths in by_tier.items()}
    assert set(expected.get("t1_must_include", [])) <= by_tier["T1"]
    assert set(expected.get("t2_must_include", [])) <= by_tier["T2"]
    assert not set(expected.get("not_in_any", [])) & (by_tier["T1"] | by_tier["T2"])
    for name, key in (("T1", "t1"), ("T2", "t2")):
        assert counts[name] == expected.get(key, counts[name])


def test_the_lines_are_those_that_other_programs_read() -> None:
    expected = [
        line.replace("{n}", str(n)) for line, n in zip(TIERS["status_lines"], ("", 2, 1, 0), strict=True)
    ]
    assert [line.strip() for line in tier_lines({"T0": 2, "T1": 1, "T2": 0})] == expected


def test_the_status_names_what_could_not_be_read(room) -> None:
    room.write("memory/a.md", "- quince\n")
    room.write("memory/big.md", "x" * (room.history.settings.max_file_bytes + 1))
    status = read_recall_status(room.history)
    assert status.left_out == ("memory/big.md",)
    assert status.cursor == room.head()
    assert status.on_disk


VECTORS = json.loads((TESTS / "vectors/access_frequency.json").read_text("utf-8"))
CASES = [case for case in VECTORS["cases"] if case.get("open") != "either"]


def hit(path: str) -> Hits:
    return Hits((Result(path, 1, 1, 0.9, "text", "memory", "T2"),))


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
        note_found(room.history, "q", session, Hits(), room.now)
    assert often_found(room.history, room.now) == []


def test_what_a_search_shows_is_what_is_noted(room) -> None:
    room.write("memory/2026-03-18.md", "- quince\n")
    for session in "abc":
        note_found(room.history, "quince", session, search(room.history, Query("quince"), room.now), room.now)
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
