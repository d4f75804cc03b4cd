"""`clawgit session flush`: asked at the right time."""

from __future__ import annotations

import json

import pytest
from tests_folder import TESTS

VECTORS = json.loads((TESTS / "vectors/memory_flush.json").read_text("utf-8"))
SETTINGS = {case["id"]: case for case in VECTORS["settings_cases"]}
NOTE = "memory/2026-03-19.md"
FULL = ("session", "flush", "--tokens", "180000", "--json")


def test_it_says_when_and_what_to_ask(clawgit) -> None:
    data = clawgit(*FULL, "--compactions", "1", "--flushed-at", "0").data

    assert (data["due"], data["why_not"], data["threshold"]) == (True, None, 176_000)
    assert (data["path"], data["silent"]) == (NOTE, "NO_REPLY")
    assert NOTE in data["turn"]
    assert "NO_REPLY" in data["system"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("words", "why_not"),
    [
        pytest.param(["--tokens", "175999"], "175,999 tokens are fewer than 176,000", id="too early"),
        pytest.param([], "not known how full", id="unknown"),
        pytest.param(["--tokens", "9", "--window", "24000"], "no room", id="a small window"),
        pytest.param(["--tokens", "180000", "--flushed-at", "0"], "since the last compaction", id="done"),
    ],
)
def test_it_says_why_not_yet(clawgit, words: list[str], why_not: str) -> None:
    assert why_not in clawgit("session", "flush", *words, "--json").data["why_not"]
    assert clawgit("session", "flush", *words).out.startswith("Not now: ")


def test_the_settings_say_how_much_is_kept_free(clawgit) -> None:
    clawgit("config", "set", "flush_soft_tokens", "30000")

    assert clawgit(*FULL).data["threshold"] == 150_000


def test_the_defaults_are_those_of_the_vectors(clawgit) -> None:
    said = {each["key"]: each["value"] for each in clawgit("config", "show", "--json").data}
    wanted = VECTORS["defaults"]

    assert said["flush_enabled"] is wanted["enabled"]
    assert said["flush_soft_tokens"] == wanted["soft_threshold_tokens"]
    assert said["flush_reserve_tokens"] == wanted["reserve_tokens_floor"]


def disabled(clawgit, room, case) -> None:
    clawgit("config", "set", "flush_enabled", json.dumps(case["config"]["enabled"]))

    assert clawgit(*FULL).data["why_not"] == "flush_enabled is false"


def a_prompt_of_ones_own(clawgit, room, case) -> None:
    assert "NO_REPLY" in clawgit(*FULL, "--prompt", case["config"]["prompt"]).data["turn"]


def invalid_numbers(clawgit, room, case) -> None:
    config, wanted = case["config"], case["expect"]
    text = f"flush_soft_tokens: {config['softThresholdTokens']}\nflush_reserve_tokens: {config['reserveTokensFloor']}"
    room.write("CONFIG.md", f"```yaml\n{text}\n```\n")
    room.git("commit", "-qam", "config")

    threshold = 200_000 - wanted["softThresholdTokens"] - wanted["reserveTokensFloor"]
    assert clawgit(*FULL).data["threshold"] == threshold


def a_size_in_bytes(clawgit, room, case) -> None:
    """Not ours: a flush is asked for by tokens alone, and whoever writes another setting is told."""
    room.write(
        "CONFIG.md", f"```yaml\nforceFlushTranscriptBytes: {next(iter(case['config'].values()))}\n```\n"
    )

    assert "forceFlushTranscriptBytes" in clawgit("config", "check").out


@pytest.mark.parametrize("case", SETTINGS)
def test_the_settings_of_the_vectors(clawgit, room, case: str) -> None:
    """A case without a function here fails. Mutant: flush_enabled is not asked."""
    handled = {
        "FSa": disabled,
        "FSb": a_prompt_of_ones_own,
        "FSc": invalid_numbers,
        "FSd": a_size_in_bytes,
    }
    handled[case](clawgit, room, SETTINGS[case])
