"""The commands of a transcript in each form: what was run, whether it failed, and what a person said before it."""

from __future__ import annotations

import json

import pytest

from clawgit.agents.lessons_extractor import commands_in
from clawgit.capture.transcripts.transcript_source import TranscriptSource

AT = "2026-03-19T10:22:00.000Z"


def openclaw(role: str, content: object, **more: object) -> dict:
    return {
        "type": "message",
        "id": "m",
        "timestamp": AT,
        "message": {"role": role, "content": content, **more},
    }


def claude(role: str, content: object) -> dict:
    return {
        "type": role,
        "uuid": "u",
        "sessionId": "s",
        "timestamp": AT,
        "message": {"role": role, "content": content},
    }


def codex(**payload: object) -> dict:
    return {"type": "response_item", "timestamp": AT, "payload": payload}


ARGUMENTS = {"command": "make test"}
TALKS = {
    "openclaw": [
        openclaw("user", "please test"),
        openclaw("assistant", [{"type": "toolCall", "id": "c1", "name": "exec", "arguments": ARGUMENTS}]),
        openclaw("toolResult", [{"type": "text", "text": "boom"}], toolCallId="c1", details={"exitCode": 2}),
    ],
    "claude-code": [
        claude("user", "please test"),
        claude("assistant", [{"type": "tool_use", "id": "c1", "name": "Bash", "input": ARGUMENTS}]),
        claude("user", [{"type": "tool_result", "tool_use_id": "c1", "is_error": True, "content": "Exit code 2\nboom"}]),
    ],
    "codex": [
        codex(type="message", role="user", content=[{"type": "input_text", "text": "please test"}]),
        codex(type="function_call", name="shell", call_id="c1", arguments=json.dumps({"command": ["bash", "-lc", "make test"]})),
        codex(type="function_call_output", call_id="c1", output=json.dumps({"output": "boom", "metadata": {"exit_code": 2}})),
    ],
    "jsonl": [
        {"role": "user", "text": "please test", "timestamp": AT},
        {"role": "assistant", "content": "", "timestamp": AT, "tool_calls": [{"id": "c1", "function": {"name": "sh", "arguments": json.dumps(ARGUMENTS)}}]},
        {"role": "tool", "tool_call_id": "c1", "text": "exit code: 2 boom"},
    ],
}  # fmt: skip


def read(kind: str, *lines: object):
    return commands_in(
        [json.dumps(line).encode() + b"\n" for line in lines], TranscriptSource(kind, kind, "talk", "s1")
    )


@pytest.mark.parametrize("kind", TALKS)
def test_a_command_that_failed(kind: str) -> None:
    (ran,) = read(kind, *TALKS[kind])

    assert (ran.call_id, ran.command, ran.failed) == ("c1", "make test", True)
    assert ran.output.endswith("boom")
    assert ran.at is not None


@pytest.mark.parametrize("kind", TALKS)
def test_how_it_ended_is_unknown_without_a_result(kind: str) -> None:
    assert [ran.failed for ran in read(kind, *TALKS[kind][:2])] == [None]


def test_what_ended_well() -> None:
    call, _ = TALKS["claude-code"][1:]
    result = claude("user", [{"type": "tool_result", "tool_use_id": "c1", "content": "fine"}])

    assert [ran.failed for ran in read("claude-code", call, result)] == [False]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(
            claude("assistant", [{"type": "tool_use", "id": "c", "name": "Read", "input": {"path": "x"}}]),
            id="another tool",
        ),
        pytest.param(
            claude("assistant", [{"type": "tool_use", "id": "c", "input": ["x"]}, "odd", 7]),
            id="odd arguments",
        ),
        pytest.param(claude("assistant", {"type": "tool_use"}), id="no blocks"),
        pytest.param(["no", "object"], id="no object"),
    ],
)
def test_what_is_no_command_is_passed_over(line: object) -> None:
    assert read("claude-code", line) == []


def test_what_the_person_did_not_let_run_did_not_fail() -> None:
    call = TALKS["claude-code"][1]
    said = "The user doesn't want to proceed with this tool use."
    result = claude("user", [{"type": "tool_result", "tool_use_id": "c1", "is_error": True, "content": said}])

    assert read("claude-code", call, result) == []
