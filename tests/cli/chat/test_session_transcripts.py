"""`clawgit session compact` and `prune`: preview by default, a new file on request, the original untouched."""

from __future__ import annotations

import json

import pytest

LONG = "x" * 9000


@pytest.fixture
def transcript(tmp_path):
    """Return a transcript of 30 turns with a long result at its begin."""
    lines = [{"role": "user", "text": "Look."}, {"role": "tool", "text": LONG}]
    for number in range(30):
        lines += [
            {"role": "user", "text": f"Question {number}? " + "words " * 100},
            {"role": "assistant", "text": "Seen.", "sent_at": "2026-03-19T10:00:00Z"},
        ]
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


PRUNE = ("prune", "--window", "20000")
COMPACT = ("compact",)


@pytest.mark.parametrize("words", [PRUNE, COMPACT], ids=["prune", "compact"])
def test_without_an_output_it_is_only_told(clawgit, room, transcript, words) -> None:
    before, head = transcript.read_bytes(), room.head()

    said = clawgit("session", *words, str(transcript), "--json")

    assert said.code == 0
    assert (said.data.get("pruned") or said.data.get("compacted"), said.data["output"]) == (True, None)
    assert "Nothing was written" in said.err
    assert (transcript.read_bytes(), room.head()) == (before, head)
    assert list(transcript.parent.glob("*.jsonl")) == [transcript]


@pytest.mark.parametrize("words", [PRUNE, COMPACT], ids=["prune", "compact"])
def test_the_output_is_a_new_file_and_never_over_another(clawgit, room, transcript, words) -> None:
    before, target = transcript.read_bytes(), transcript.with_name("out.jsonl")

    first = clawgit("session", *words, str(transcript), "-o", str(target))
    written = target.read_bytes()
    again = clawgit("session", *words, str(transcript), "-o", str(target))
    over = clawgit("session", *words, str(transcript), "-o", str(transcript))

    assert (first.code, again.code, over.code) == (0, 1, 1)
    assert "exists, so it was left alone" in again.err
    assert len(written) < len(before)
    assert (target.read_bytes(), transcript.read_bytes()) == (written, before)
    assert target.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("words", [PRUNE, COMPACT], ids=["prune", "compact"])
def test_the_output_is_no_file_of_memories(clawgit, room, transcript, words) -> None:
    """Mutant: a file that a search reads is written past the one way to write it."""
    said = clawgit("session", *words, str(transcript), "-o", str(room.root / "memory/2026-01-01.md"))

    assert (said.code, "a file of memories" in said.err) == (1, True)
    assert not (room.root / "memory/2026-01-01.md").exists()


@pytest.mark.parametrize("words", [PRUNE, COMPACT], ids=["prune", "compact"])
def test_stdout_is_the_transcript_alone(clawgit, room, transcript, words) -> None:
    said = clawgit("session", *words, str(transcript), "-o", "-")

    assert all(json.loads(line) for line in said.out.splitlines())
    assert clawgit("session", *words, str(transcript), "-o", "-", "--json").code == 2


@pytest.mark.parametrize("words", [PRUNE, COMPACT], ids=["prune", "compact"])
def test_what_cannot_be_read_or_written_is_a_sentence(clawgit, room, transcript, words) -> None:
    gone = clawgit("session", *words, "gone.jsonl")
    nowhere = clawgit("session", *words, str(transcript), "-o", str(transcript.parent / "no" / "out.jsonl"))

    assert (gone.code, nowhere.code) == (1, 1)
    assert "cannot be read" in gone.err
    assert "No such file" in nowhere.err


@pytest.mark.parametrize(
    ("words", "why_not"),
    [
        pytest.param(["--last-call", "2026-03-19T10:21"], "cache is still good", id="just called"),
        pytest.param(
            ["--now", "2026-03-19T10:05Z"], "cache is still good", id="called as the transcript says"
        ),
        pytest.param(["--window", "2000000"], "has room", id="room"),
    ],
)
def test_a_prompt_is_pruned_only_when_that_costs_nothing(clawgit, room, transcript, words, why_not) -> None:
    """Mutant: the time of the last call is not looked at."""
    said = clawgit("session", *PRUNE, str(transcript), *words, "--json")

    assert (said.data["pruned"], said.data["trimmed"]) == (False, 0)
    assert why_not in said.data["why_not"]


def test_pruning_can_be_switched_off_and_set(clawgit, room, transcript) -> None:
    clawgit("config", "set", "prune_soft_max_chars", "9000")
    assert clawgit("session", *PRUNE, str(transcript), "--json").data["pruned"] is False
    clawgit("config", "set", "prune_mode", "off")
    assert clawgit("session", *PRUNE, str(transcript), "--json").data["why_not"] == "prune_mode is off"


def test_a_short_conversation_is_copied_as_it_is(clawgit, room, transcript) -> None:
    target = transcript.with_name("out.jsonl")

    said = clawgit("session", "compact", str(transcript), "--keep-turns", "40", "-o", str(target), "--json")

    assert said.data["why_not"] == "it has 31 turns, and the last 40 stay whole"
    assert target.read_bytes() == transcript.read_bytes()
