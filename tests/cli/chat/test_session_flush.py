"""`clawgit session flush`: asked at the right time, answered once, into the right day."""

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


def test_a_reply_goes_below_the_note_once(clawgit, room) -> None:
    room.append(NOTE, "# Thursday", actor="operator")
    reply = (
        "session",
        "flush",
        "--session",
        "s",
        "--reply",
        "- Ada moved the review.\n- Tea at four.\nNO_REPLY",
    )

    first = clawgit(*reply, "--json", actor="host")
    again = clawgit(*reply, "--json", actor="host")

    assert room.read(NOTE) == "# Thursday\n\n- Ada moved the review.\n- Tea at four.\n"
    assert [first.data["outcome"], again.data["outcome"]] == ["applied", "nothing"]
    assert first.data["commit"] == room.head()


def test_it_rests_on_the_hosts_word_whoever_hands_it_over(clawgit, room) -> None:
    """Mutant: the intent's own trust."""
    clawgit("session", "flush", "--reply", "- Ada moved the review.")

    assert "Clawgit-Trust: host" in room.git("log", "-1", "--format=%B")


def test_what_was_written_for_a_session_is_remembered_until_it_is_compacted(clawgit) -> None:
    clawgit("session", "flush", "--session", "s", "--compactions", "2", "--reply", "- one")

    assert clawgit(*FULL, "--session", "s", "--compactions", "2").data["due"] is False
    assert clawgit(*FULL, "--session", "s", "--compactions", "3").data["due"] is True
    assert clawgit(*FULL, "--session", "t", "--compactions", "2").data["due"] is True


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(["--reply", "NO_REPLY"], id="nothing to write down"),
        pytest.param(["--reply", ""], id="nothing at all"),
        pytest.param(["--reply", "- tea"], id="what stands there already"),
        pytest.param(["--reply", "- milk", "--op", "mine"], id="under an op of its own"),
    ],
)
def test_any_answer_is_remembered_for_its_session_until_it_is_compacted(
    clawgit, room, answer: list[str]
) -> None:
    """Mutant: `note_answered` left out."""
    room.append(NOTE, "- tea")
    clawgit("session", "flush", "--session", "s", "--compactions", "2", *answer)

    asked = {
        words: clawgit(*FULL, "--session", *words.split()).data["due"]
        for words in ("s --compactions 2", "s --compactions 3", "t --compactions 2")
    }

    assert asked == {"s --compactions 2": False, "s --compactions 3": True, "t --compactions 2": True}


def test_damaged_records_lose_no_memories(clawgit, room) -> None:
    """Mutant: the command ends there, and the conversation is compacted."""
    (room.history.state / "records.db").write_bytes(b"no database" * 100)
    words = ("--session", "s", "--json")

    asked = clawgit(*FULL, *words)
    kept = clawgit("session", "flush", *words, "--reply", "- Tea.")

    assert (asked.code, asked.data["due"], kept.code) == (0, True, 0)
    assert room.read(NOTE) == "- Tea.\n"
    assert "records.db" in kept.err


def test_without_a_session_silence_is_remembered_for_nobody(clawgit) -> None:
    clawgit("session", "flush", "--reply", "NO_REPLY")

    assert clawgit(*FULL).data["due"] is True


def test_a_second_reply_of_the_same_round_is_not_lost(clawgit, room) -> None:
    for text in ("- one", "- two"):
        clawgit("session", "flush", "--session", "s", "--reply", text)

    assert room.read(NOTE) == "- one\n\n- two\n"


@pytest.mark.parametrize("reply", ["NO_REPLY", " NO_REPLY\n", "", "  \n"])
def test_silence_writes_nothing(clawgit, room, reply: str) -> None:
    head = room.head()

    said = clawgit("session", "flush", "--reply", reply, "--json")

    assert (said.code, said.data["outcome"], room.head()) == (0, "nothing", head)


def test_a_secret_in_a_reply_is_masked_and_the_rest_stays(clawgit, room) -> None:
    secret = "ghp_" + "Ab3dE5gH7jK9mN1pQ3sT5vW7xZ9bC2dF4gH6"

    assert clawgit("session", "flush", "--reply", f"- The key is {secret}.\n- Tea.").code == 0
    assert secret not in room.read(NOTE)
    assert "- Tea.\n" in room.read(NOTE)


@pytest.mark.parametrize(
    ("reply", "written"),
    [
        pytest.param("- Tea.\n```sh\nmake", "- Tea.\n```sh\nmake\n```\n", id="code"),
        pytest.param("~~~~\n```\nx", "~~~~\n```\nx\n~~~~\n", id="a fence in another"),
        pytest.param("- Tea.\n\n<!-- and", "- Tea.\n\n&lt;!-- and\n", id="a comment"),
    ],
)
def test_a_reply_that_was_cut_off_is_closed_and_kept(clawgit, room, reply: str, written: str) -> None:
    """Mutant: it is refused, and lost with the conversation."""
    assert clawgit("session", "flush", "--reply", reply).code == 0
    assert room.read(NOTE) == written


@pytest.mark.parametrize(
    "path",
    [
        "MEMORY.md",
        "SOUL.md",
        "memory/learned.md",
        "../2026-03-19.md",
        "2026-03-19.md",
        "memory/2026-03-19-1030.md",  # a variant of the note
        "memory/2026-03-19.md.md",
        "memory/notes/2026-03-19.md",
        "memory/archive/2026-Q1.md",
    ],
)
def test_only_a_note_of_a_day_takes_a_reply(clawgit, room, path: str) -> None:
    head = room.head()

    assert clawgit("session", "flush", "--reply", "- x", "--to", path).code == 1
    assert room.head() == head


def test_at_midnight_the_note_that_was_asked_for_can_be_named(clawgit, room) -> None:
    clawgit("session", "flush", "--reply", "- late", "--to", NOTE, "--now", "2026-03-20T00:00:05")
    clawgit("session", "flush", "--reply", "- early", "--now", "2026-03-20T00:00:06")

    assert room.read(NOTE) == "- late\n"
    assert room.read("memory/2026-03-20.md") == "- early\n"


def test_a_note_without_a_reply_is_a_usage_error(clawgit) -> None:
    assert clawgit("session", "flush", "--to", NOTE).code == 2
