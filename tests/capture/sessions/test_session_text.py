"""What counts of a conversation, and how the file of an ended session reads."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from clawgit.capture.messages.message import ChatMessage
from clawgit.capture.sessions.sessions import Session, counts, session_text

AT = datetime(2026, 3, 19, 15, 30, tzinfo=UTC)


def message(text: str, role: str = "user") -> ChatMessage:
    return ChatMessage("1", "cli", "main", "", role, "", True, "operator", text, AT, AT)


def written(*texts: str) -> str:
    return session_text("pitch", Session("cli", "main", "", tuple(map(message, texts))), AT)


@pytest.mark.parametrize(
    ("role", "text", "part"),
    [
        pytest.param("user", "Hello", True, id="a user's"),
        pytest.param("assistant", "Hi", True, id="an assistant's"),
        pytest.param("tool", "42", False, id="a tool's"),
        pytest.param("system", "Be kind.", False, id="a system's"),
        pytest.param("user", "/new", False, id="a command"),
        pytest.param("user", "  /status@claw now\n", False, id="a command with a name and words"),
        pytest.param("user", "/tmp/build.log shows it", True, id="a path"),
        pytest.param("user", "/etc is full", True, id="a folder of the root"),
        pytest.param("user", "/ is full", True, id="the root"),
        pytest.param("user", "/뉴스 알려줘", True, id="no command's letters"),
        pytest.param("assistant", "/new starts a session", True, id="an assistant commands nothing"),
        pytest.param("user", " \n", False, id="nothing"),
        pytest.param("user", "Read HEARTBEAT.md if it exists.", False, id="a host's prompt"),
        pytest.param("assistant", "HEARTBEAT_OK", False, id="an answer to it"),
        pytest.param("user", "<clawgit_context>x</clawgit_context>", False, id="only what a host put in"),
    ],
)
def test_what_counts(role: str, text: str, part: bool) -> None:
    assert counts(role, text) is part


def test_a_message_is_one_line_that_opens_nothing() -> None:
    """Mutant: the text is written as it is."""
    text = written("# Not a heading\n\n```\ncode\n```\n- item <!-- m:abc123 -->\n\u202e\u200bx")

    assert text.splitlines()[6:] == ["", "user: # Not a heading ``` code ``` - item &lt;!-- m:abc123 --> x"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(
            'look\nTraceback (most recent call last):\n  File "a.py", line 1\nWhy?',
            "user: look […]",
            id="traceback",
        ),
        pytest.param("봐 줘\n2026-11-24 10:22:31 ERROR pay: declined", "user: 봐 줘 […]", id="log"),
        pytest.param("$ make\nmake: *** no rule", "user: $ make make: *** no rule", id="nothing of his own"),
        pytest.param("the rent\nis 950", "user: the rent is 950", id="typed"),
    ],
)
def test_what_a_program_printed_is_not_his_sentence(text: str, line: str) -> None:
    """Mutant: all of a message is one line."""
    assert written(text).splitlines()[7] == line


def test_a_secret_that_shows_only_on_one_line_is_masked() -> None:
    assert "hunter2-Xy9z" not in written("password:\nhunter2-Xy9zQ4")


def test_a_very_long_message_keeps_its_beginning_and_end() -> None:
    text = written("begin " + "x" * 300_000 + " end")

    assert len(text) < 4200
    assert "user: begin xx" in text
    assert text.endswith("xx end\n")
    assert "296,510 of 300,010 characters left out" in text


def test_times_are_those_of_the_zone_in_which_it_ended() -> None:
    seoul = datetime(2026, 3, 20, 1, tzinfo=ZoneInfo("Asia/Seoul"))

    text = session_text("x", Session("cli", "main", "s1", (message("hi"),)), seoul)

    assert "- time: 2026-03-20 00:30 to 2026-03-20 00:30 (KST)\n- ended: 2026-03-20 01:00\n" in text
    assert "- source: cli, conversation main, session s1\n" in text


@pytest.mark.parametrize(
    ("sender", "trust", "label"),
    [
        pytest.param("", "operator", "user", id="the operator's own"),
        pytest.param("", "host", "user", id="what a host brings for him"),
        pytest.param("Bob", "external", "Bob", id="somebody else's"),
        pytest.param("", "external", "page", id="a page"),
        pytest.param("telegram:4242", "external", "page", id="a page that he forwards"),
        pytest.param("User", "external", "somebody", id="a role for a name"),
        pytest.param("user: yes\nx", "external", "somebody", id="a line for a name"),
    ],
)
def test_what_is_not_the_operators_own_is_nobody_elses_but_its_senders(
    sender: str, trust: str, label: str
) -> None:
    said = message("Wire the money.")._replace(sender=sender, trust=trust, is_operator=trust == "operator")

    text = session_text("x", Session("telegram", "main", "", (said,)), AT, {"4242"})

    assert text.splitlines()[-1] == f"{label}: Wire the money."


def test_the_user_of_a_transcript_is_the_user() -> None:
    said = message("Hello.")._replace(trust="external", is_operator=False)

    assert session_text("x", Session("cli", "main", "", (said,), "s.jsonl", stored=False), AT).endswith(
        "\nuser: Hello.\n"
    )


def test_of_several_days_each_is_a_heading_and_of_many_messages_the_rest_is_counted() -> None:
    """Seen: every line had the last day, and a note of 17 messages said "15" and began with the third."""
    before = message("Plans?")._replace(sent_at=AT - timedelta(days=1))
    session = Session("cli", "main", "", (before, message("Hi"), message("Tea")), earlier=2)

    text = session_text("x", session, AT)

    assert "\n- messages: the last 3 of 5\n" in text
    assert text.endswith("\n\n## 2026-03-18\n\nuser: Plans?\n\n## 2026-03-19\n\nuser: Hi\n\nuser: Tea\n")
