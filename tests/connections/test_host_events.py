"""What the session hooks of hosts bring and get, with the payloads as the hosts send them."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from running_service import until
from session_hooks import (
    ATTENDED,
    BY_A_PROGRAM,
    SESSION,
    TURN,
    answer,
    connect_hosts,
    hook,
    payload,
    prompt,
    told,
)

from clawgit.clients import session_hook
from clawgit.clients.connect import events_seen
from clawgit.service.requests import A_BUG
from clawgit.workspace.user.connections import read_token

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(room, own_home) -> Path:
    return connect_hosts(room, own_home)


@pytest.fixture
def running(start_service, folder):
    return start_service()


def messages(clawgit) -> list[dict[str, object]]:
    return clawgit("chat", "log", "--json").data


@pytest.mark.rest
def test_the_hook_brings_a_turn_and_is_told_what_memory_knows(running, room, clawgit) -> None:
    room.write("MEMORY.md", "# Memory\n\n- The rent of the flat is due on the 1st.\n")
    room.keep("operator")
    hook(prompt("Good morning."), **ATTENDED)
    said = hook(prompt("When is the rent of the flat due?", "t2"), **ATTENDED)
    hook(answer("On the 1st.", "t2"), **ATTENDED)
    until(lambda: len(messages(clawgit)) == 3)

    told = json.loads(said)["hookSpecificOutput"]
    assert told["hookEventName"] == "UserPromptSubmit"
    assert "The rent of the flat is due on the 1st." in told["additionalContext"]
    assert told["additionalContext"].startswith("<clawgit_context>")
    assert {(each["role"], each["trust"], each["message_id"]) for each in messages(clawgit)} == {
        ("user", "operator", f"prompt-{TURN}"),
        ("user", "operator", "prompt-t2"),
        ("assistant", "host", "answer-t2"),
    }


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("signs", "trust"),
    [
        (ATTENDED, "operator"),
        (BY_A_PROGRAM, "external"),
        ({}, "external"),
        ({**ATTENDED, "CLAUDE_CODE_SESSION_ATTENDED": "0"}, "external"),
    ],
    ids=["a person at the terminal", "a program", "nothing told", "nobody attends"],
)
def test_a_prompt_is_the_operators_where_the_host_says_that_a_person_is_there(
    running, folder, clawgit, signs, trust
) -> None:
    told(running, folder, prompt("I like tea."), **signs)
    assert [each["trust"] for each in messages(clawgit)] == [trust]


@pytest.mark.parametrize(
    ("started_by", "trust"), [("cli", "operator"), ("exec", "external"), (None, "external")]
)
def test_codex_says_in_its_rollout_who_started_it(
    running, folder, clawgit, tmp_path, started_by, trust
) -> None:
    rollout = tmp_path / "rollout.jsonl"
    meta = {"id": SESSION, "cwd": "/home/ada/shop", "source": started_by}
    if started_by:
        rollout.write_text(json.dumps({"type": "session_meta", "payload": meta}) + "\n")
    said = payload("UserPromptSubmit", prompt="I like tea.", turn_id="t1", transcript_path=str(rollout))

    told(running, folder, said, "codex")

    assert [(each["trust"], each["message_id"]) for each in messages(clawgit)] == [(trust, "prompt-t1")]


@pytest.mark.rest
@pytest.mark.parametrize(
    ("signs", "notes"), [(ATTENDED, 1), (BY_A_PROGRAM, 0)], ids=["a person", "a program"]
)
def test_a_persons_session_that_ends_becomes_a_note(running, folder, room, signs, notes) -> None:
    told(running, folder, prompt("I like tea."), **signs)
    told(running, folder, answer("Noted."), **signs)
    told(running, folder, payload("SessionEnd", reason="prompt_input_exit"), **signs)
    told(running, folder, payload("SessionEnd", reason="prompt_input_exit"), **signs)

    made = [path.read_text() for path in (room.root / "memory").glob("20*.md")]
    assert [text.count("I like tea.") for text in made] == [1] * notes


@pytest.mark.rest
def test_what_was_injected_does_not_come_back_as_talk(running, folder, clawgit) -> None:
    told(
        running,
        folder,
        prompt("<clawgit_context>\nI like coffee.\n</clawgit_context>\nI like tea."),
        **ATTENDED,
    )
    told(running, folder, prompt("<clawgit_context>\nI like coffee.\n</clawgit_context>", "t2"), **ATTENDED)
    assert [each["text"] for each in messages(clawgit)] == ["I like tea."]


@pytest.mark.parametrize(
    ("host", "tag"),
    [
        ("claude-code", "task-notification"),
        ("codex", "subagent_notification"),
        ("claude-code", "system-reminder"),
    ],
)
def test_what_a_host_tells_its_model_of_a_task_is_no_talk(running, folder, room, clawgit, host, tag) -> None:
    """Mutants: it is searched like a prompt; its answer is captured; so is what follows the next prompt, no more."""
    room.change({"MEMORY.md": "# M\n\n- The rent of the flat is due on the 1st.\n"})
    notice = f"<{tag}>\n<summary>Agent done: when is the rent of the flat due?</summary>\n</{tag}>"

    silent = told(running, folder, prompt(notice, "1"), host)
    told(running, folder, answer("The agent has ended.", "1"), host)
    asked = told(running, folder, prompt(f"{notice}\nWhen is the rent of the flat due?", "2"), host)
    told(running, folder, answer("On the 1st.", "2"), host)

    assert silent == {}
    assert "due on the 1st" in json.dumps(asked)
    assert [each["text"] for each in messages(clawgit)] == [
        "When is the rent of the flat due?",
        "On the 1st.",
    ]


@pytest.mark.rest
def test_the_same_event_twice_is_one_message(running, folder, clawgit) -> None:
    for _ in range(2):
        told(running, folder, prompt("I like tea."), **ATTENDED)
    assert len(messages(clawgit)) == 1


@pytest.mark.rest
def test_a_prompt_that_may_correct_memory_tells_the_model_how(running, folder, room) -> None:
    room.write("MEMORY.md", "# Memory\n\n- The review is on Wednesday.\n")
    room.keep("operator")

    said = told(running, folder, prompt("No, the review is on Thursday this week."), **ATTENDED)

    text = said["hookSpecificOutput"]["additionalContext"]
    assert "memory_correct" in text
    assert "evidence chat:" in text


@pytest.mark.rest
@pytest.mark.parametrize(
    ("signs", "links"), [(ATTENDED, 1), (BY_A_PROGRAM, 0)], ids=["a person", "a program"]
)
def test_a_persons_words_stand_beside_their_line_when_the_prompt_is_answered(
    running, folder, room, signs, links: int
) -> None:
    """Mutant: the words of a program are linked, too."""
    room.write("MEMORY.md", "# Memory\n\n- The rent of the flat is 1,180 euros.\n")
    room.keep("operator")

    told(running, folder, prompt("the rent of the flat goes up to 1,240 in May"), **signs)

    assert room.read("CORRECTIONS.md").count("- status: linked") == links


@pytest.mark.rest
@pytest.mark.parametrize(
    ("environment", "is_told"),
    [pytest.param(ATTENDED, True, id="a person's"), pytest.param({}, False, id="a program's")],
)
def test_a_prompt_of_the_operators_is_told_by_its_name(
    running, folder, clawgit, environment, is_told
) -> None:
    """Mutant: what a program typed is handed to the model as evidence."""
    said = told(running, folder, prompt("The staging port is 9091. Remember that."), **environment)
    (message,) = messages(clawgit)

    assert (f"This message is {message['id']}." in json.dumps(said)) is is_told


@pytest.mark.rest
def test_a_prompt_that_orders_to_remember_is_kept_at_once_and_the_model_knows(running, folder, room) -> None:
    """Mutants: the order of a host's user waits for the night; the model writes it down as well."""
    said = told(running, folder, prompt("Remember that Rex bites."), **ATTENDED)

    text = said["hookSpecificOutput"]["additionalContext"]
    assert 'memory has it: MEMORY.md "Rex bites."' in text
    assert "Rex bites." in room.read("MEMORY.md")


@pytest.mark.rest
def test_of_an_order_that_memory_cannot_hold_the_model_is_told_why(running, folder, room) -> None:
    """Mutant: it is lost in silence."""
    said = told(running, folder, prompt("Remember: the PIN for the door is 4821."), **ATTENDED)

    text = said["hookSpecificOutput"]["additionalContext"]
    assert "it is not in memory: it holds a secret." in text


@pytest.mark.rest
def test_edits_of_a_turn_in_the_workspace_are_the_hosts_and_elsewhere_are_nobodys(
    start_service, folder, room
) -> None:
    running = start_service()
    room.write("memory/a.md", "- Words.\n")
    told(running, folder, answer("Done."), **ATTENDED)
    untouched = room.git("status", "--porcelain")
    told(running, folder, {**answer("Done.", "t2"), "cwd": str(room.root)}, **ATTENDED)

    assert "memory/" in untouched
    assert room.git("log", "-1", "--format=%(trailers:key=Clawgit-Actor,valueonly)") == "host"


@pytest.mark.rest
def test_what_was_said_while_no_service_ran_is_brought_with_the_next_event(
    start_service, folder, clawgit
) -> None:
    assert hook(prompt("I like tea.", "t1"), **ATTENDED) == ""
    assert hook(answer("Noted.", "t1"), **ATTENDED) == ""
    running = start_service()

    told(running, folder, payload("SessionEnd", reason="other"), **ATTENDED)

    assert {(each["message_id"], each["trust"]) for each in messages(clawgit)} == {
        ("prompt-t1", "operator"),
        ("answer-t1", "host"),
    }
    assert list((running.folder / session_hook.WAITING).iterdir()) == []


@pytest.mark.rest
def test_what_the_store_was_too_busy_to_take_is_brought_with_the_next_event(
    running, folder, room, clawgit
) -> None:
    """Mutants: an event that is refused is left nowhere; it is left without its token."""
    clawgit("config", "set", "lock_wait_seconds", "1")
    hook(prompt("I like cake.", "t0"), **ATTENDED)
    store = sqlite3.connect(room.root / ".git" / "clawgit" / "messages.db", isolation_level=None)
    with closing(store):
        store.execute("BEGIN EXCLUSIVE")
        assert hook(prompt("I like tea.", "t1"), **ATTENDED) == ""
        store.execute("ROLLBACK")

    told(running, folder, answer("Noted.", "t1"), **ATTENDED)

    assert {(each["message_id"], each["trust"]) for each in messages(clawgit)} == {
        ("prompt-t0", "operator"),
        ("prompt-t1", "operator"),
        ("answer-t1", "host"),
    }
    assert waiting_events(running) == []


@pytest.mark.rest
def test_what_a_store_that_cannot_be_used_did_not_take_is_brought_when_it_can(
    running, folder, room, clawgit
) -> None:
    """Mutants: only what a busy store refuses is left; what is left counts a try while the store takes nothing."""
    hook(prompt("I like cake.", "t0"), **ATTENDED)
    store = room.root / ".git" / "clawgit" / "messages.db"
    aside = store.with_suffix(".aside")
    store.rename(aside)
    store.write_bytes(b"no database" * 1000)
    for turn in range(1, 8):
        assert hook(prompt("I like tea.", f"t{turn}"), **ATTENDED) == ""
    aside.replace(store)

    told(running, folder, answer("Noted.", "t7"), **ATTENDED)

    kept = {each["message_id"] for each in messages(clawgit)}
    assert kept == {"answer-t7", *(f"prompt-t{turn}" for turn in range(8))}
    assert waiting_events(running) == []


@pytest.mark.rest
def test_what_waits_for_another_connection_or_is_no_event_stops_nothing(running, folder, clawgit) -> None:
    waiting = running.folder / session_hook.WAITING
    waiting.mkdir()
    (waiting / "1").write_text("nonsense\n")
    (waiting / "2").write_text(
        json.dumps({"jsonrpc": "2.0", "method": "host.event", "params": {"token": "x.y"}})
    )
    params = {"token": read_token(folder, "codex"), "said": prompt("I like cake."), "at": 1}
    (waiting / "3").write_text(json.dumps({"jsonrpc": "2.0", "method": "host.event", "params": params}))

    told(running, folder, prompt("I like tea."), **ATTENDED)

    assert [path.name for path in waiting.iterdir()] == ["3"]
    assert [each["text"] for each in messages(clawgit)] == ["I like tea."]


def test_without_a_connection_the_hook_does_nothing_and_stops_nobody(running, folder) -> None:
    assert hook(prompt("I like tea."), "openclaw", **ATTENDED) == ""
    refused = running.client().ask("host.event", workspace="main", actor="host", said=prompt("I like tea."))
    assert "connection" in refused["error"]["message"]


@pytest.mark.parametrize("said", [b"", b"nonsense", b"[]", b'{"prompt": 7}'])
def test_nonsense_from_a_host_stops_nobody(running, folder, said: bytes) -> None:
    words = [sys.executable, "-I", "-S", session_hook.__file__, "codex", "UserPromptSubmit"]
    done = subprocess.run(
        words, capture_output=True, check=True, env={"HOME": os.environ["HOME"]}, input=said
    )
    assert (done.stdout, done.stderr) == (b"", b"")


def test_the_hooks_that_ran_are_noted(running, folder) -> None:
    told(running, folder, payload("SessionStart", source="startup"), **ATTENDED)
    assert events_seen(folder, "claude-code").keys() == {"SessionStart"}
    assert events_seen(folder, "codex") == {}


@pytest.mark.rest
def test_what_was_captured_live_is_met_again_by_an_import(running, folder, clawgit, tmp_path) -> None:
    """Seen with the real program: each message of a session was kept twice."""
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    told(running, folder, prompt("I like tea."), **ATTENDED)
    told(running, folder, answer("Noted."), **ATTENDED)
    common = {"sessionId": SESSION, "cwd": "/home/ada/shop", "timestamp": at}
    by_person = {"promptSource": "typed", "turnOrigin": "human", "promptId": TURN}
    lines = [
        {
            "type": "user",
            "uuid": "u1",
            **common,
            **by_person,
            "message": {"role": "user", "content": "I like tea."},
        },
        {
            "type": "assistant",
            "uuid": "u2",
            **common,
            "message": {"role": "assistant", "content": [{"type": "text", "text": "Noted."}]},
        },
        {
            "type": "user",
            "uuid": "u3",
            **common,
            **by_person,
            "message": {"role": "user", "content": "I like cake."},
        },
    ]
    transcript = tmp_path / f"{SESSION}.jsonl"
    transcript.write_text("".join(json.dumps(each) + "\n" for each in lines))

    clawgit("chat", "import", str(transcript))

    assert sorted(str(each["text"]) for each in messages(clawgit)) == [
        "I like cake.",
        "I like tea.",
        "Noted.",
    ]


def left(running, number: int, params: object) -> Path:
    """Leave an event as the hook does, whatever is in it."""
    waiting = running.folder / session_hook.WAITING
    waiting.mkdir(exist_ok=True)
    path = waiting / f"{number}-1"
    path.write_text(json.dumps({"jsonrpc": "2.0", "method": "host.event", "params": params}))
    return path


def waiting_events(running) -> list[str]:
    return sorted(path.name for path in (running.folder / session_hook.WAITING).iterdir())


LATE = {"said": prompt("I like cake.", "late"), "signs": ATTENDED, "at": 1_774_000_000.9}


@pytest.mark.sampled(30)
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("at", float("nan")),
        ("at", float("inf")),
        ("at", 1e300),
        ("at", -1e300),
        ("at", 10**40),
        ("at", 253_402_300_799),
        ("at", True),
        ("at", "noon"),
        ("at", None),
        ("at", []),
        ("cwd", "/home/\0ada"),
        ("cwd", "\ud800"),
        ("cwd", "x" * 300_000),
        ("cwd", 5),
        ("session_id", "s\0"),
        ("session_id", ["s"]),
        ("prompt_id", {"a": 1}),
        ("transcript_path", "/x/\0.jsonl"),
        ("transcript_path", "/dev/zero.jsonl"),
        ("said", []),
        ("said", "words"),
        ("said", None),
        ("signs", 7),
        ("signs", {"CLAUDECODE": None}),
        ("prompt", 5),
        ("prompt", "a\0b"),
        ("prompt", "\ud83d"),
        ("hook_event_name", None),
        ("hook_event_name", "Stop"),
    ],
    ids=lambda value: ascii(value)[:24],
)
def test_an_event_with_a_strange_field_harms_itself_alone(
    running, folder, clawgit, field: str, value: object
) -> None:
    """Mutant: an error that nobody foresaw, and every later event of the host is lost."""
    params = {**LATE, "token": read_token(folder, "claude-code")}
    if field in ("at", "said", "signs"):
        params[field] = value
    else:
        params["said"] = {**LATE["said"], field: value}
    left(running, 1, params)
    later = {**LATE["said"], "prompt": "I like pie.", "prompt_id": "later"}
    left(running, 2, {**LATE, "said": later, "token": params["token"]})

    for number in range(5):
        told(running, folder, prompt(f"I like tea {number}.", f"now-{number}"), **ATTENDED)

    texts = {each["text"] for each in messages(clawgit)}
    assert {"I like pie.", *(f"I like tea {number}." for number in range(5))} <= texts
    assert waiting_events(running) == []
    live = {**params["said"]} if isinstance(params["said"], dict) else {}
    answered = running.client().ask("host.event", **{**params, "said": live})
    assert answered.get("error", {}).get("code") != A_BUG


@pytest.mark.sampled(3)
@pytest.mark.parametrize("what", ["a folder", "a pipe", "too long"])
def test_what_is_no_event_is_put_aside_after_five_tries_and_doctor_names_it(
    running, folder, clawgit, what: str
) -> None:
    """Mutants: it is tried for ever, and nothing behind it is brought; it is deleted."""
    path = left(running, 1, LATE)
    path.unlink()
    if what == "a folder":
        path.mkdir()
    elif what == "a pipe":
        os.mkfifo(path)
    else:
        path.write_text("x" * 2_000_000)
    left(running, 2, {**LATE, "token": read_token(folder, "claude-code")})

    for number in range(5):
        told(running, folder, prompt(f"I like tea {number}.", f"now-{number}"), **ATTENDED)

    assert "I like cake." in {each["text"] for each in messages(clawgit)}
    assert waiting_events(running) == []
    assert [each.name for each in (running.folder / session_hook.ASIDE).iterdir()] == ["1-1"]
    complaints = clawgit("doctor", "--json", environment={"HOME": os.environ["HOME"]}).data
    assert str(running.folder / session_hook.ASIDE) in " ".join(each["what"] for each in complaints)


@pytest.mark.rest
@pytest.mark.parametrize("letter", ["a", "日", "\x01", "😀"], ids=ascii)
def test_a_prompt_that_is_too_long_for_the_service_is_cut_and_kept(
    running, folder, clawgit, letter: str
) -> None:
    said = prompt(letter * 2_000_000, "long")

    hook(said, **ATTENDED)

    until(lambda: messages(clawgit))
    (message,) = messages(clawgit)
    assert message["message_id"] == "prompt-long"
    assert "[cut here by clawgit: the text is longer than 256 KiB]" in message["text"]


@pytest.mark.rest
def test_a_transcript_that_is_a_pipe_holds_up_no_event(running, folder, clawgit, tmp_path) -> None:
    """Mutant: opened as a file, it is waited for with the workspace's turn held."""
    pipe = tmp_path / "rollout.jsonl"
    os.mkfifo(pipe)

    for number in range(8):
        said = prompt(f"I like tea {number}.", f"t{number}", transcript_path=str(pipe))
        running.client().ask("host.event", token=read_token(folder, "codex"), said=said, at=1_774_000_000)

    assert len(messages(clawgit)) == 8
