"""Old results of tools are cut or cleared in the prompt; the rest of it stays whole."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from tests_folder import TESTS

from clawgit.capture.sessions.compact_transcript import PromptMessage, cache_lapsed, prune
from clawgit.workspace.settings.settings import Settings

VECTORS = json.loads((TESTS / "vectors/tool_result_pruning.json").read_text("utf-8"))
ALWAYS = (0.0, 1.0)


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_the_vectors(case) -> None:
    built, at = case["tool_result_build"], case["tool_result_index"]
    half = built["length"] // 2
    text = built["head_char"] * half + built["tail_char"] * (built["length"] - half)
    turns = [
        PromptMessage(role, text if number == at else "words") for number, role in enumerate(case["roles"])
    ]
    settings = case["settings"]
    trim, clear = settings["softTrim"], settings["hardClear"]
    policy = Settings(
        prune_keep_last_assistants=settings["keepLastAssistants"],
        prune_soft_max_chars=trim["maxChars"],
        prune_soft_head_chars=trim["headChars"],
        prune_soft_tail_chars=trim["tailChars"],
        prune_hard_clear=clear["enabled"],
        prune_placeholder=clear["placeholder"],
    )
    ratios = settings["softTrimRatio"], settings["hardClearRatio"]

    pruned = prune(turns, case["window_tokens"], policy, ratios)

    expected = case["peer_result"]
    result = pruned[at].text
    assert (result != text) is expected["changed"]
    assert result.startswith(expected["starts"])
    assert (result == policy.prune_placeholder) is expected["cleared"]
    if expected["changed"] and not expected["cleared"]:
        head, tail = trim["headChars"], trim["tailChars"]
        assert (result[:head], result[-tail:]) == (text[:head], text[-tail:])
        assert len(result) < len(text)
    assert [turn for number, turn in enumerate(pruned) if number != at] == turns[:at] + turns[at + 1 :]


def _talk(*results: str) -> list[PromptMessage]:
    turns = [PromptMessage("user", "look")]
    for result in results:
        turns += [PromptMessage("toolResult", result), PromptMessage("assistant", "seen")]
    return [
        *turns,
        PromptMessage("assistant", "a"),
        PromptMessage("assistant", "b"),
        PromptMessage("assistant", "c"),
    ]


def test_the_oldest_results_are_cleared_first_and_only_as_many_as_needed() -> None:
    turns = _talk("x" * 3000, "y" * 3000, "z" * 3000)

    pruned = prune(turns, 1750, Settings(), (0.3, 0.9))

    assert [turn.text[:1] for turn in pruned if turn.role == "toolResult"] == ["[", "y", "z"]


def test_the_original_stays_as_it_was() -> None:
    turns = _talk("x" * 9000)
    before = list(turns)

    assert prune(turns, 1000, Settings(), ALWAYS) != turns
    assert turns == before


def test_a_prompt_with_room_is_left_alone() -> None:
    turns = _talk("x" * 9000)

    assert prune(turns, 200_000, Settings()) == turns


def test_a_placeholder_never_makes_a_result_longer() -> None:
    turns = _talk("ok")

    assert prune(turns, 1, Settings(), (0.0, 0.0)) == turns


def test_what_is_trimmed_becomes_shorter() -> None:
    """Mutant: a character is left out, and a sentence of forty says so."""
    turns = _talk("x" * 4001)
    policy = Settings(prune_soft_head_chars=2000, prune_soft_tail_chars=2000)

    assert prune(turns, 200_000, policy, ALWAYS) == turns


@pytest.mark.parametrize(("seconds", "lapsed"), [(599, False), (600, True)])
def test_the_cache_is_cold_after_its_time(seconds: int, lapsed: bool) -> None:
    now = datetime(2026, 3, 19, 10)

    assert cache_lapsed(now - timedelta(seconds=seconds), now, 600) is lapsed


def test_an_hour_that_the_clock_skips_is_no_time_that_passed() -> None:
    """Mutant: two times of one zone, subtracted as the clock shows them."""
    zone = ZoneInfo("Europe/Berlin")
    before, after = (datetime(2026, 3, 29, *at, tzinfo=zone) for at in ((1, 59), (3, 1)))

    assert not cache_lapsed(before, after, 600)
