"""Transcripts of other programs, line by line.

Mutants that these tests caught: sub-agents' lines taken, a tool's result taken for the user's words, metadata and
envelopes left in, a silent answer kept.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from tests_folder import TESTS

from clawgit.capture.messages.message import IncomingMessage
from clawgit.capture.transcripts.importing import FORMATS, format_of, read_line, refuse_unwritable
from clawgit.capture.transcripts.transcript_source import TranscriptSource
from clawgit.errors import ClawgitError

VECTORS = json.loads((TESTS / "vectors/session_transcript.json").read_text("utf-8"))
AT = "2026-03-19T10:22:00.000Z"


def heard(said: object, kind: str = "openclaw", **told: object) -> IncomingMessage | None:
    line = read_line(json.dumps(said).encode() + b"\n", TranscriptSource(kind, kind, "talk", "s1", **told))  # type: ignore[arg-type]
    assert line.problem == ""
    return line.heard


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_lines_of_the_vectors(case) -> None:
    source = TranscriptSource("openclaw", "openclaw", "talk")
    found = [
        (number, each)
        for number, line in enumerate(case["jsonl_lines"], 1)
        if (each := read_line(line.encode(), source).heard) is not None
    ]
    assert [number for number, _ in found] == case["expect"]["line_map"]
    text = "\n".join(f"{each.role.capitalize()}: {' '.join(each.text.split())}" for _, each in found)
    assert text == case["peer_content"]
    assert all(words in text for words in case["expect"].get("contains", []))


def openclaw(role: str, content: object, **more: object) -> dict[str, object]:
    return {
        "type": "message",
        "id": "m1",
        "timestamp": AT,
        "message": {"role": role, "content": content},
        **more,
    }


def test_a_line_of_openclaw() -> None:
    assert heard(openclaw("user", "Hello"), sender="4242") == IncomingMessage(
        role="user",
        text="Hello",
        channel="openclaw",
        conversation="talk",
        message_id="m1",
        session="s1",
        sender="4242",
        sent_at=datetime(2026, 3, 19, 10, 22, tzinfo=UTC),
    )
    answer = heard(
        openclaw("assistant", [{"type": "thinking", "thinking": "x"}, {"type": "text", "text": "Hi"}]),
        sender="4242",
    )
    assert answer is not None
    assert (answer.text, answer.sender) == ("Hi", "")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        pytest.param("[Telegram Ada id:4242 +2m 2026-03-19 10:22 UTC] Hello", "Hello", id="envelope"),
        pytest.param("[Thu 2026-03-19 10:22 GMT+1] Hello", "Hello", id="time"),
        pytest.param(
            'Conversation info (untrusted metadata):\n```json\n{"sender_id": "1"}\n```\n\nSender (untrusted metadata):\n'
            '```json\n{"id": "1"}\n```\n\n[Thu 2026-03-19 10:22 GMT+1] Hello',
            "Hello",
            id="metadata",
        ),
        pytest.param("Hello\n[message_id: 77]", "Hello", id="id at the end"),
        pytest.param("[1] Hello [2]", "[1] Hello [2]", id="other brackets"),
        pytest.param("Look: [a 2026-03-19 10:22] b", "Look: [a 2026-03-19 10:22] b", id="a time in the text"),
        pytest.param("/remember that tea is at four", "/remember that tea is at four", id="a slash"),
    ],
)
def test_what_openclaw_puts_around_what_was_said(text: str, left: str) -> None:
    found = heard(openclaw("user", text))
    assert found is not None
    assert found.text == left


def test_a_text_of_blanks_is_read_in_one_go() -> None:
    """Milliseconds; trying again from each blank would take an hour."""
    assert heard(openclaw("user", f"a{' ' * 1_000_000}b")) is not None


def queued_up(*senders: str) -> dict[str, object]:
    each = "".join(f"\n\n---\nQueued #{number} (from {who})\nHello" for number, who in enumerate(senders, 1))
    return openclaw("user", f"[Queued messages while agent was busy]{each}")


@pytest.mark.parametrize(
    ("senders", "most_trust", "by_operator"),
    [
        pytest.param(("Ada", "Ada"), "operator", True, id="of one person"),
        pytest.param(("Ada", "Eve"), "external", False, id="of two"),
    ],
)
def test_what_was_queued_in_openclaw_is_one_persons_or_nobodys(senders, most_trust, by_operator) -> None:
    found = heard(queued_up(*senders), by_operator=True)
    assert found is not None
    assert found.text == "Hello\n\nHello"
    assert (found.most_trust, found.by_operator) == (most_trust, by_operator)


def in_a_group(text: str, told: str = '"is_group_chat": true') -> str:
    return f"Conversation info (untrusted metadata):\n```json\n{{{told}}}\n```\n\n{text}"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(in_a_group("Hello"), id="it says so"),
        pytest.param(in_a_group("Hello", '"group_subject": "Team"'), id="it names the group"),
        pytest.param(
            in_a_group(in_a_group("Hello", '"is_group_chat": false, "sender_id": "4242"')),
            id="denied by text",
        ),
    ],
)
def test_in_a_group_of_openclaw_nobody_is_the_user_of_the_transcript(text: str) -> None:
    found = heard(openclaw("user", text), sender="4242", by_operator=True)
    assert found is not None
    assert (found.text, found.group, found.sender, found.by_operator) == ("Hello", True, "", False)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('Set "is_group_chat": true, please.', id="written about"),
        pytest.param(in_a_group("Hello", '"is_group_chat": false, "group_subject": null'), id="denied"),
    ],
)
def test_what_only_speaks_of_groups_is_in_none(text: str) -> None:
    found = heard(openclaw("user", text), by_operator=True)
    assert found is not None
    assert (found.group, found.by_operator) == (False, True)


@pytest.mark.parametrize(
    "said",
    [
        pytest.param({"type": "session", "id": "s", "cwd": "/x"}, id="header"),
        pytest.param({"type": "compaction", "summary": "x"}, id="compaction"),
        pytest.param(openclaw("toolResult", "x"), id="a tool's result"),
        pytest.param(openclaw("system", "x"), id="system"),
        pytest.param(openclaw("user", "x", provenance={"kind": "inter_session"}), id="between sessions"),
        pytest.param(openclaw("assistant", " NO_REPLY\n"), id="silence"),
        pytest.param(openclaw("assistant", "HEARTBEAT_OK"), id="heartbeat answer"),
        pytest.param(openclaw("user", "Read HEARTBEAT.md if it exists. Follow it."), id="heartbeat"),
        pytest.param(
            openclaw("user", "A new session was started via /new or /reset. Greet."), id="new session"
        ),
        pytest.param(openclaw("user", "Pre-compaction memory flush. Store memories."), id="flush"),
        pytest.param(openclaw("user", "[OpenClaw heartbeat poll]"), id="heartbeat in the transcript"),
        pytest.param(openclaw("user", "Continue the OpenClaw runtime event."), id="event"),
        pytest.param(openclaw("user", "System: [2026-03-19 10:22:00 UTC] Exec completed"), id="system event"),
        pytest.param(openclaw("user", "[Subagent Context] You are a helper."), id="a sub-agent's task"),
        pytest.param(openclaw("user", "[cron:9f1 Morning] Look at the mail."), id="a job"),
        pytest.param(openclaw("user", "[User sent media without caption]"), id="a picture alone"),
        pytest.param(
            {"type": "message", "message": {"role": "user", "content": "x", "display": False}}, id="not shown"
        ),
        pytest.param(openclaw("assistant", [{"type": "toolCall", "name": "x"}]), id="a call alone"),
    ],
)
def test_scaffolding_of_openclaw_gives_nothing(said) -> None:
    assert heard(said) is None


def claude(role: str, content: object, **more: object) -> dict[str, object]:
    return {
        "type": role,
        "uuid": "u1",
        "sessionId": "s9",
        "cwd": "/home/ada/shop",
        "timestamp": AT,
        "message": {"role": role, "content": content},
        **more,
    }


def queued(prompt: object, **more: object) -> dict[str, object]:
    attachment = {"type": "queued_command", "prompt": prompt, "commandMode": "prompt", **more}
    return claude("attachment", "") | {"message": None, "attachment": attachment}


@pytest.mark.parametrize(
    "prompt", ["Tabs, please.", [{"type": "text", "text": "Tabs, please."}]], ids=["text", "blocks"]
)
def test_what_was_typed_while_claude_code_worked_is_heard(prompt) -> None:
    found = heard(queued(prompt, origin={"kind": "human"}), "claude-code", by_operator=True)
    assert found is not None
    assert (found.role, found.text, found.message_id, found.session) == ("user", "Tabs, please.", "u1", "s9")
    assert (found.by_operator, found.external) == (True, False)


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(
            claude("user", [{"type": "tool_result", "content": "x"}, {"type": "text", "text": "Do it."}]),
            id="beside a tool's result",
        ),
        pytest.param(claude("user", "Do it.", toolUseResult={"x": 1}), id="of a tool"),
        pytest.param(claude("user", "Do it.", sourceToolUseID="t1"), id="of a tool that says no more"),
        pytest.param(claude("user", "Do it.", isSynthetic=True), id="made by a program"),
        pytest.param(claude("user", "Do it.", origin={"kind": "peer"}), id="from another session"),
        pytest.param(queued("Do it.", origin={"kind": "harness"}), id="queued by a program"),
    ],
)
def test_what_nobody_typed_is_external_in_claude_code(said) -> None:
    found = heard(said, "claude-code", by_operator=True)
    assert found is not None
    assert (found.text, found.external) == ("Do it.", True)


def test_a_line_of_claude_code() -> None:
    line = json.dumps(claude("user", "Hello")).encode()
    assert read_line(
        line, TranscriptSource("claude-code", "claude-code", "", by_operator=True)
    ).heard == IncomingMessage(
        role="user",
        text="Hello",
        channel="claude-code",
        conversation="/home/ada/shop",
        message_id="u1",
        session="s9",
        sent_at=datetime(2026, 3, 19, 10, 22, tzinfo=UTC),
        by_operator=True,
    )


@pytest.mark.parametrize(
    "said",
    [
        pytest.param({"type": "summary", "summary": "x", "leafUuid": "u"}, id="summary"),
        pytest.param({"type": "file-history-snapshot"}, id="snapshot"),
        pytest.param(claude("user", [{"type": "tool_result", "content": "x"}]), id="a tool's result"),
        pytest.param(
            claude("user", [{"type": "tool_result", "text": "x"}]), id="a tool's result with a text"
        ),
        pytest.param(claude("assistant", [{"type": "tool_use", "name": "x"}]), id="a call"),
        pytest.param(claude("assistant", [{"type": "thinking", "thinking": "x"}]), id="thinking"),
        pytest.param(claude("user", "x", isSidechain=True), id="sub-agent"),
        pytest.param(claude("user", "x", isMeta=True), id="meta"),
        pytest.param(claude("user", "x", isCompactSummary=True), id="compact summary"),
        pytest.param(claude("assistant", "x", isApiErrorMessage=True), id="error"),
        pytest.param(claude("user", "[Request interrupted by user]"), id="interrupted"),
        pytest.param(claude("system", "x"), id="system"),
        pytest.param(queued("x", commandMode="task-notification"), id="a queued notice"),
        pytest.param(queued("x") | {"isSidechain": True}, id="queued for a sub-agent"),
        pytest.param(claude("user", "Read the output file to retrieve the result: /x"), id="a task's result"),
    ],
)
def test_scaffolding_of_claude_code_gives_nothing(said) -> None:
    assert heard(said, "claude-code") is None


@pytest.mark.parametrize(
    ("said", "told"),
    [
        pytest.param({"role": "user", "text": "a"}, {"text": "a"}, id="role and text"),
        pytest.param({"text": "a"}, {"role": "user", "text": "a"}, id="text alone"),
        pytest.param({"role": "assistant", "content": "a"}, {"role": "assistant", "text": "a"}, id="content"),
        pytest.param({"content": [{"type": "text", "text": "a"}]}, {"text": "a"}, id="blocks"),
        pytest.param(
            {"role": "user", "content": [{"type": "input_text", "text": "a"}]}, {"text": "a"}, id="typed in"
        ),
        pytest.param(
            {"role": "assistant", "content": [{"type": "output_text", "text": "a"}]},
            {"role": "assistant", "text": "a"},
            id="given out",
        ),
        pytest.param({"text": "a", "id": 7}, {"message_id": "7"}, id="id"),
        pytest.param({"text": "a", "id": "chat:x", "message_id": "7"}, {"message_id": "7"}, id="our export"),
        pytest.param({"text": "a", "sender": "4242"}, {"sender": "4242"}, id="sender"),
        pytest.param(
            {"text": "a", "metadata": {"senderId": "4242"}}, {"sender": "4242"}, id="a hook's event"
        ),
        pytest.param({"text": "a", "sender": {"id": 4242, "name": "Ada"}}, {"sender": "4242"}, id="a person"),
        pytest.param({"text": "a", "author": {"name": "Ada"}}, {"sender": "Ada"}, id="a person's name"),
        pytest.param(
            {"role": "assistant", "text": "a", "name": "Bot"}, {"sender": ""}, id="the agent has a name"
        ),
        pytest.param(
            {"text": "a", "channelId": "x", "conversationId": "y"},
            {"channel": "x", "conversation": "y"},
            id="place",
        ),
        pytest.param({"text": "a", "isGroup": True}, {"group": True}, id="group"),
        pytest.param({"text": "a", "forwarded": True}, {"external": True}, id="forwarded"),
        pytest.param({"text": "a", "trust": "external"}, {"most_trust": "external"}, id="less trust"),
        pytest.param({"text": "a", "trust": "king"}, {"most_trust": "external"}, id="unknown trust"),
        pytest.param(
            {"text": "a", "at": AT}, {"sent_at": datetime(2026, 3, 19, 10, 22, tzinfo=UTC)}, id="ISO time"
        ),
        pytest.param(
            {"text": "a", "ts": 1773915720},
            {"sent_at": datetime(2026, 3, 19, 10, 22, tzinfo=UTC)},
            id="seconds",
        ),
        pytest.param(
            {"text": "a", "timestamp": 1773915720000},
            {"sent_at": datetime(2026, 3, 19, 10, 22, tzinfo=UTC)},
            id="milliseconds",
        ),
        pytest.param({"text": "a", "at": "then"}, {"sent_at": None}, id="no time"),
        pytest.param({"text": "a", "at": 1e300}, {"sent_at": None}, id="an impossible time"),
    ],
)
def test_plain_lines(said, told) -> None:
    found = heard(said, "jsonl")
    assert found is not None
    assert {name: getattr(found, name) for name in told} == told


@pytest.mark.parametrize("line", [b"{", b"[]", b'"a"', b"7", b"\xff\xfe", b'{"a": ' + b"[" * 100_000])
def test_what_is_no_object_is_damaged(line: bytes) -> None:
    assert read_line(line + b"\n", TranscriptSource("openclaw", "openclaw", "talk")).problem


@pytest.mark.parametrize("said", [{"role": "user"}, {"role": "king", "text": "a"}, {"text": 7}, {}])
def test_a_plain_line_without_a_message_is_damaged(said) -> None:
    assert read_line(json.dumps(said).encode(), TranscriptSource("jsonl", "import", "talk")).problem


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        pytest.param([{"type": "session", "id": "s", "cwd": "/x"}], "openclaw", id="OpenClaw's header"),
        pytest.param([openclaw("user", "x")], "openclaw", id="OpenClaw"),
        pytest.param(
            [{"type": "summary", "leafUuid": "u"}, claude("user", "x")], "claude-code", id="Claude Code"
        ),
        pytest.param([{"role": "user", "text": "x"}], "jsonl", id="plain"),
        pytest.param([], "jsonl", id="nothing"),
        pytest.param(["damaged", openclaw("user", "x")], "openclaw", id="a damaged line first"),
        pytest.param([{"messages": [{"role": "user", "content": "x"}]}], "jsonl", id="talks for training"),
        pytest.param([{"text": "x", "sessionId": "s", "type": "note"}], "jsonl", id="plain with a session"),
    ],
)
def test_the_format_is_told_from_the_lines(lines, kind) -> None:
    assert format_of(json.dumps(line).encode() for line in lines) == kind


def test_a_prompt_is_written_back_in_the_formats_that_have_one() -> None:
    written = [name for name, each in FORMATS.items() if each.prompt is not None]
    assert {"openclaw", "claude-code", "jsonl"} <= set(written)
    for name in written:
        refuse_unwritable(name, "talk.jsonl")
    with pytest.raises(ClawgitError, match=r"talk\.jsonl is a rollout of Codex, which neither"):
        refuse_unwritable("codex", "talk.jsonl")


def test_what_has_a_payload_is_codexs_whatever_else_is_in_it() -> None:
    """Mutant: the rows are asked in their order."""
    line = {"type": "session", "cwd": "/shop", "parentUuid": "u", "payload": {"type": "message"}}

    assert format_of([json.dumps(line).encode()]) == "codex"
