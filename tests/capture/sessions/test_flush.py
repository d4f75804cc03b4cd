"""Memory is flushed once for each compaction, near the window's end, into the file of the right day."""

from __future__ import annotations

import json
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from tests_folder import TESTS

from clawgit.operations.sessions import flush_prompts, why_not_yet

VECTORS = json.loads((TESTS / "vectors/memory_flush.json").read_text("utf-8"))


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_it_is_due_as_the_vectors_say(case) -> None:
    params, entry = case["params"], case["params"].get("entry", {})
    tokens = entry.get("totalTokens") if entry.get("totalTokensFresh", True) else None

    why_not = why_not_yet(
        tokens,
        params["contextWindowTokens"],
        entry.get("compactionCount", 0),
        entry.get("memoryFlushCompactionCount"),
        kept_free=params["reserveTokensFloor"] + params["softThresholdTokens"],
    )

    assert (not why_not) is case["expect_flush"]


@pytest.mark.parametrize(
    ("compactions", "flushed_at", "due"),
    [
        pytest.param(0, None, True, id="never yet"),
        pytest.param(0, 0, False, id="already before the first compaction"),
        pytest.param(1, 0, True, id="compacted since"),
        pytest.param(2, 2, False, id="already in this round"),
        pytest.param(1, 2, False, id="a count that went back"),
    ],
)
def test_it_is_due_once_for_each_compaction(compactions: int, flushed_at: int | None, due: bool) -> None:
    assert (not why_not_yet(190_000, 200_000, compactions, flushed_at, kept_free=24_000)) is due


@pytest.mark.parametrize("case", VECTORS["prompt_cases"], ids=lambda case: case["id"])
def test_the_day_is_the_users(case) -> None:
    now = datetime.fromisoformat(case["now"]).astimezone(ZoneInfo(case["tz"]))

    _, turn = flush_prompts(now.date(), turn_text=case["prompt"])

    assert all(part in turn for part in case["contains"])


def test_the_prompt_forbids_what_the_vectors_forbid() -> None:
    _, turn = flush_prompts(datetime(2026, 3, 19, 10, 22).date())

    wanted = [part for part in VECTORS["prompt_must_contain"] if not part.startswith("memory/")]
    assert [part for part in wanted if part not in turn] == []
    assert len(VECTORS["prompt_must_say"]) == 2
    assert "memory/2026-03-19.md" in turn
    assert "do not overwrite" in turn.lower()
    assert "do not make variants of it with a time" in turn.lower()


def test_the_prompt_says_to_append_and_how_to_say_nothing() -> None:
    turn = flush_prompts(datetime(2026, 3, 19).date())[1]

    assert "memory/2026-03-19.md" in turn
    assert "APPEND" in turn
    assert "do not overwrite" in turn
    assert "variants" in turn
    assert "NO_REPLY" in turn


def test_a_prompt_of_ones_own_gets_the_way_to_say_nothing() -> None:
    assert "NO_REPLY" in flush_prompts(datetime(2026, 3, 19).date(), turn_text="Write memories now.")[1]


def test_a_prompt_of_blanks_is_none() -> None:
    assert "memory/2026-03-19.md" in flush_prompts(datetime(2026, 3, 19).date(), turn_text="  \n")[1]
