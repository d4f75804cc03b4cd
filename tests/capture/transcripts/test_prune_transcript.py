"""A transcript is pruned in each form: only results of tools change, all else stays byte for byte."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from clawgit.capture.sessions.compact_transcript import (
    compact_transcript,
    last_call,
    prompt_of,
    prune_transcript,
)
from clawgit.text.safety.control_characters import head_and_tail
from clawgit.workspace.settings.settings import Settings

LONG = "H" * 4000 + "T" * 4000
TRIM = Settings(prune_hard_clear=False)


def encoded(*lines: object) -> list[bytes]:
    return [json.dumps(line).encode() + b"\n" for line in lines]


def openclaw(role: str, content: object) -> dict:
    return {"type": "message", "id": "a", "message": {"role": role, "content": content}}


def claude(role: str, content: object) -> dict:
    return {"type": role, "uuid": "u", "sessionId": "s", "message": {"role": role, "content": content}}


TALKS = {
    "openclaw": encoded(
        {"type": "session", "id": "s"},
        openclaw("user", "look"),
        openclaw("toolResult", [{"type": "text", "text": LONG}, {"type": "image", "data": "x"}]),
        *[openclaw("assistant", "seen")] * 3,
        openclaw("toolResult", [{"type": "text", "text": LONG}]),
    ),
    "claude-code": encoded(
        {"type": "summary", "summary": "x"},
        claude("user", "look"),
        claude(
            "user", [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": LONG}]}]
        ),
        *[claude("assistant", [{"type": "text", "text": "seen"}])] * 3,
        claude("user", [{"type": "tool_result", "tool_use_id": "t", "content": LONG}]),
    ),
    "jsonl": encoded(
        {"role": "system", "text": "be kind"},
        {"role": "user", "text": "look"},
        {"role": "tool", "text": LONG},
        *[{"role": "assistant", "text": "seen"}] * 3,
        {"role": "tool", "content": LONG},
    ),
}


@pytest.mark.parametrize("kind", TALKS)
def test_only_the_old_result_changes(kind: str) -> None:
    """Mutant: the lines are written anew, whether or not they changed."""
    lines = [*TALKS[kind], b"{damaged\n", b"  \r\n", b'{"role":  "odd spacing"}']

    done = prune_transcript(lines, kind, 0, TRIM)

    changed = [number for number, line in enumerate(lines) if done.lines[number] != line]
    assert changed == [2]
    assert (done.trimmed, done.cleared) == (1, 0)
    assert done.lines[2].endswith(b"}\n")
    texts = [turn.text for turn in prompt_of(done.lines, kind) if turn.role == "toolResult"]
    assert texts == [head_and_tail(LONG, 4000, 1500, 1500), LONG]
    assert lines[2] == TALKS[kind][2]


@pytest.mark.parametrize("kind", TALKS)
def test_what_a_result_has_besides_its_text_stays(kind: str) -> None:
    done = prune_transcript(TALKS[kind], kind, 0, Settings())

    was, now = json.loads(TALKS[kind][2]), json.loads(done.lines[2])
    assert done.cleared == 1
    assert {key: now[key] for key in now if key not in ("message", "text")} == {
        key: was[key] for key in was if key not in ("message", "text")
    }
    if kind == "openclaw":
        assert now["message"]["content"][1] == {"type": "image", "data": "x"}


def test_several_results_in_one_line_are_told_apart() -> None:
    parts = [{"type": "tool_result", "tool_use_id": str(n), "content": LONG * n} for n in (1, 0, 2)]
    lines = [*TALKS["claude-code"][:2], *encoded(claude("user", parts)), *TALKS["claude-code"][3:6]]

    done = prune_transcript(lines, "claude-code", 0, TRIM)

    contents = [part["content"] for part in json.loads(done.lines[2])["message"]["content"]]
    assert [len(each) for each in contents] == [3042, 0, 3044]


def test_half_a_character_in_a_changed_line_stays_readable() -> None:
    half = [
        *TALKS["jsonl"][:2],
        b'{"role": "tool", "text": "' + b"\\ud83d" * 5000 + b'"}\n',
        *TALKS["jsonl"][3:6],
    ]

    done = prune_transcript(half, "jsonl", 0, TRIM)

    assert done.trimmed == 1
    done.lines[2].decode()


@pytest.mark.parametrize(
    ("head", "tail"), [pytest.param(3000, 3000, id="they overlap"), pytest.param(5000, 0, id="all of it")]
)
def test_a_result_that_would_not_become_shorter_stays(head: int, tail: int) -> None:
    """Mutant: head and tail are joined whatever their lengths."""
    assert head_and_tail("x" * 5000, 4000, head, tail) == "x" * 5000


@pytest.mark.parametrize(
    ("line", "time"),
    [
        pytest.param({"role": "assistant", "text": "a", "sent_at": "2026-03-19T10:00:00Z"}, True, id="told"),
        pytest.param({"role": "assistant", "text": "a"}, False, id="not told"),
        pytest.param({"role": "user", "text": "a", "sent_at": "2026-03-19T10:00:00Z"}, False, id="a user's"),
    ],
)
def test_the_last_call_is_the_models_last_answer(line: dict, time: bool) -> None:
    at = datetime(2026, 3, 19, 10, tzinfo=UTC) if time else None

    assert last_call([*encoded(line), b"{half"], "jsonl") == at


ODD = [{}, [], None, 7, "x" * 9000, [{"type": "tool_result", "content": LONG}], [None, 3], {"type": {}}]


@pytest.mark.parametrize("kind", TALKS)
@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:20])
def test_a_line_of_any_shape_is_taken_as_it_comes(kind: str, odd: object) -> None:
    """Found by random lines: a type that no dict takes as a key, results where a text belongs."""
    names = ("type", "message", "role", "content", "text", "timestamp")
    full = [openclaw("user", "look"), claude("user", "look"), {"role": "tool", "text": "x", "content": "y"}]
    lines = encoded(*({**line, name: odd} for line in full for name in names))
    lines += encoded(openclaw("toolResult", odd), claude("user", odd), claude("assistant", odd))

    done = prune_transcript(lines, kind, 0, Settings(prune_keep_last_assistants=0))
    compacted = compact_transcript(lines, kind, keep_turns=1)

    assert len(done.lines) == len(lines)
    assert done.after <= done.before
    assert compacted.after <= compacted.before
    last_call(lines, kind)
