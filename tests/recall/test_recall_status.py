"""How many files of each tier there are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests_folder import TESTS

from clawgit.recall.index.searched_files import searched_files, tier_found
from clawgit.recall.recall_status import read_recall_status, tier_counts, tier_lines

if TYPE_CHECKING:
    from pathlib import Path

VECTORS = json.loads((TESTS / "vectors/tier_stats.json").read_text("utf-8"))


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_tiers_of_the_vectors(case, tmp_path: Path) -> None:
    for name, text in case["files"].items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    counts, expected = tier_counts(tmp_path), case["expect"]
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
        line.replace("{n}", str(n)) for line, n in zip(VECTORS["status_lines"], ("", 2, 1, 0), strict=True)
    ]
    assert [line.strip() for line in tier_lines({"T0": 2, "T1": 1, "T2": 0})] == expected


def test_the_status_names_what_could_not_be_read(room) -> None:
    room.write("memory/a.md", "- quince\n")
    room.write("memory/big.md", "x" * (room.history.settings.max_file_bytes + 1))
    status = read_recall_status(room.history)
    assert status.left_out == ("memory/big.md",)
    assert status.cursor == room.head()
    assert status.on_disk
