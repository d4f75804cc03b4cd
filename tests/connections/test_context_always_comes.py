"""A session of Claude Code or Codex is told the context: at its start, or what is kept of it then and the rest with its first prompt."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from itertools import count
from typing import TYPE_CHECKING

import pytest
from running_service import until
from session_hooks import ATTENDED, SESSION, answer, began, connect_hosts, hook, payload, prompt, told

from clawgit.cli.service.host_events import BEGIN, HostEvents
from clawgit.cli.service.methods import LATE, context_for_hooks, in_time
from clawgit.clients import session_hook
from clawgit.context.kept_lines import FILE
from clawgit.service.requests import Method, Request

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.cli.app import App
    from clawgit.service.daemon import Workings

RENT = "The rent of the flat is due on the 1st."
DOG = "The dog is called Rex."
CHAT = "Good morning."
KEPT = "(Memory as of 2"
START = payload("SessionStart", source="startup")


def never_ready(_app: App, workings: Workings) -> Workings:
    """Let no session's start be answered in time."""
    methods = dict(workings.methods)
    methods[BEGIN] = Method(lambda _request: {})
    return workings._replace(methods=methods)


def slow_to_end(_app: App, workings: Workings) -> Workings:
    """Hold the turn of who writes to the workspace for as long as the service runs, once a session ends."""
    methods = dict(workings.methods)

    def wait(_request: object) -> None:
        threading.Event().wait()

    methods["session.end"] = Method(wait, writes=True)
    return workings._replace(methods=methods)


@pytest.fixture
def folder(room, own_home) -> Path:
    room.change(
        {"MEMORY.md": f"# Memory\n\n- {RENT}\n- {DOG}\n", "SOUL.md": "# SOUL\n\nBe kind.\n"}, actor="operator"
    )
    return connect_hosts(room, own_home)


def words(said: object) -> str:
    """Return what a hook puts before the model."""
    data = json.loads(said) if isinstance(said, str) and said else said
    return data["hookSpecificOutput"]["additionalContext"] if data else ""


def told_at_last(running, folder: Path, host: str = "claude-code") -> str:
    """Return the whole context of the first prompt that is told it; on a machine that is busy it is not the first of all."""
    turns = count()

    def next_prompt() -> str:
        said = words(told(running, folder, prompt(CHAT, f"early-{next(turns)}"), host, **ATTENDED))
        return said if is_whole(said) else ""

    return until(next_prompt)


def is_whole(said: str) -> bool:
    return "Be kind." in said and KEPT not in said


def kept_by(running, folder: Path, host: str = "claude-code") -> None:
    """Let a session begin, so that its lines are kept."""
    begin(running, folder, {**START, "session_id": "an earlier one"}, host)


def begin(running, folder: Path, said: dict[str, object], host: str = "claude-code") -> None:
    until(lambda: RENT in words(began(running, folder, said, host)))


@pytest.mark.parametrize("source", ["startup", "clear", "compact", "resume"])
def test_whatever_begins_a_session_it_is_told_the_context_and_its_prompts_are_not_again(
    start_service, folder, source: str
) -> None:
    """Mutant: each prompt is told the whole context."""
    running = start_service()

    begin(running, folder, START)
    begun = hook(payload("SessionStart", source=source))
    later = told(running, folder, prompt(CHAT), **ATTENDED)

    assert RENT in words(begun)
    assert RENT not in words(later)


def test_a_session_begins_at_once_while_somebody_writes_to_the_workspace(start_service, folder) -> None:
    """Mutant: after `/clear` it waits until the note of the talk before is committed."""
    running = start_service(changed=slow_to_end)
    client = running.client()
    client.send(
        b'{"jsonrpc":"2.0","id":1,"method":"session.end","params":{"workspace":"main","actor":"operator"}}\n'
    )

    assert RENT in words(hook(payload("SessionStart", source="clear")))


@pytest.mark.rest
def test_what_was_not_ready_at_the_start_is_told_with_the_first_prompt_and_no_later_one(
    start_service, folder
) -> None:
    running = start_service(changed=never_ready)

    begun = hook(START)
    first = told_at_last(running, folder)
    second = told(running, folder, prompt(CHAT, "t2"), **ATTENDED)

    assert begun == ""
    assert RENT in first
    assert "Be kind." not in words(second)


@pytest.mark.rest
def test_after_a_restart_of_the_service_the_next_prompt_is_told_the_context(start_service, folder) -> None:
    """Mutant: what one service told, the next one takes for told."""
    running = start_service()
    begin(running, folder, START)
    running.end()
    running = start_service(registered=False)

    assert RENT in told_at_last(running, folder)
    assert "Be kind." not in words(told(running, folder, prompt(CHAT, "t2"), **ATTENDED))


@pytest.mark.rest
@pytest.mark.parametrize(
    ("before", "host"), [("claude-code", "claude-code"), ("codex", "codex"), ("claude-code", "codex")]
)
def test_without_the_service_a_session_is_told_what_was_kept_and_the_rest_when_it_is_back(
    start_service, folder, before: str, host: str
) -> None:
    """Mutant: the first session of Codex has nothing of what Claude Code's began with."""
    running = start_service()
    kept_by(running, folder, before)
    running.end()

    begun = words(hook(START, host))
    running = start_service(registered=False)
    first = told_at_last(running, folder, host)

    assert begun.startswith(f"<clawgit_context>\n{KEPT}")
    assert {"Be kind.", f"- {RENT}", f"- {DOG}"} <= set(begun.splitlines())
    assert RENT in first


def test_where_there_is_no_service_the_hook_loads_little_for_what_was_kept(folder, clawgit) -> None:
    """Mutants: the hook reads and writes JSON by the module `json`, and lines by patterns: twice the time of all else."""
    clawgit("context", "--host", "claude-code", "--session", "an earlier one")
    words_of_hook = [session_hook.__file__, "claude-code", "SessionStart"]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "importtime", *words_of_hook],
        capture_output=True,
        check=True,
        env={"HOME": os.environ["HOME"]},
        input=json.dumps(START),
        text=True,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}

    assert "Be kind." in words(done.stdout)
    assert loaded.isdisjoint({"json", "re", "hashlib", "datetime", "pathlib"})


@pytest.mark.rest
def test_a_service_that_is_late_has_the_kept_lines_told_and_all_of_it_with_the_prompt(
    start_service, folder
) -> None:
    running = start_service()
    kept_by(running, folder)
    running.end()
    running = start_service(changed=never_ready, registered=False)

    begun = words(hook(START))
    first = told_at_last(running, folder)

    assert RENT in begun
    assert KEPT in begun
    assert RENT in first


def test_while_the_context_is_late_the_first_prompt_is_told_what_was_kept_and_no_other_one(
    room, folder
) -> None:
    """Mutants: nothing is told until it is in time; each prompt is told the same lines."""
    late = Method(lambda _request: LATE)
    nothing = Method(lambda _request: {})
    methods = {"context": late, "message.in": nothing, "memory.search": nothing}
    events = HostEvents(methods, late.answer, folder, room.root, lambda _token: None)

    def ask(answer, said: dict[str, object]) -> str:
        request = Request(1, "", str(room.root), "host", {"said": said}, connection="claude-code")
        return words(answer(request))

    begun = ask(events.begin, START)
    methods_of_now = context_for_hooks(dict(os.environ))
    wanted = {"host": "claude-code", "session": "the late one"}
    until(lambda: methods_of_now(Request(1, "context", str(room.root), "host", wanted))["stable"]["hash"])
    first = ask(events.answer, prompt(CHAT))
    second = ask(events.answer, prompt(CHAT, "t2"))

    assert begun == ""
    assert KEPT in first
    assert RENT in first
    assert second == ""


def test_a_prompt_whose_message_took_long_is_told_the_context_all_the_same(room, folder) -> None:
    """Mutant: keeping a message takes the time that the context has, in every prompt of a busy machine."""
    nothing = Method(lambda _request: {})
    context = {"stable": {"text": RENT, "hash": "a"}, "text": RENT}

    def made(_request: Request) -> object:
        threading.Event().wait(0.2)
        return context

    ready = in_time(made)
    methods = {"context": Method(ready), "message.in": nothing, "memory.search": nothing}
    events = HostEvents(methods, ready, folder, room.root, lambda _token: None)

    long_ago = 1.0
    params = {"said": prompt(CHAT)}
    request = Request(1, "", str(room.root), "host", params, connection="claude-code", arrived=long_ago)

    assert RENT in words(events.answer(request))


@pytest.mark.parametrize(
    ("typed", "is_told"),
    [
        ("Where did we meet Nadia?", True),
        ("Can you fix the failing test?", False),
        ("Fix the failing test.", False),
    ],
)
def test_that_a_search_finds_nothing_is_told_of_a_question(room, folder, typed: str, is_told: bool) -> None:
    """Seen: of what must not be eaten, asked in German, that memory has nothing, where the talk began with it. Mutant: a task is told that, too."""
    nothing = Method(lambda _request: {})
    empty = Method(lambda _request: {"results": [], "confidence": "low"})
    context = Method(lambda _request: {"stable": {"text": "", "hash": ""}, "text": ""})
    methods = {"context": context, "message.in": nothing, "memory.search": empty}
    events = HostEvents(methods, context.answer, folder, room.root, lambda _token: None)
    params = {"said": prompt(CHAT) | {"prompt": typed}}
    request = Request(1, "", str(room.root), "host", params, connection="claude-code")

    assert ("finds nothing beyond what this talk began with" in words(events.answer(request))) is is_told


def test_what_is_ready_when_the_hook_has_gone_is_told_with_the_next_prompt(start_service, folder) -> None:
    """Mutant: a service that hung and woke takes sessions that nobody waits for any more for told."""
    running = start_service()
    kept_by(running, folder)

    began(running, folder, START, until=0.0)

    assert RENT in told_at_last(running, folder)


@pytest.mark.rest
def test_a_line_that_was_forgotten_since_is_not_told_from_what_was_kept(start_service, folder, room) -> None:
    """Mutant: what was kept is told as it was."""
    running = start_service()
    kept_by(running, folder)
    running.end()
    room.change({"MEMORY.md": f"# Memory\n\n- {DOG}\n"}, actor="operator")

    begun = words(hook(START))

    assert DOG in begun
    assert RENT not in begun


@pytest.mark.rest
def test_nothing_of_memory_is_in_the_file_of_what_is_kept(start_service, folder, room) -> None:
    kept_by(start_service(), folder)

    kept = (room.history.state / FILE).read_text()

    assert "MEMORY.md" in kept
    assert "rent" not in kept
    assert "kind" not in kept


@pytest.mark.rest
def test_a_groups_context_is_not_kept(start_service, folder, room) -> None:
    """Mutant: the next private session is told what a group's was, or the other way round."""
    running = start_service()

    running.client().ask("context", workspace="main", actor="host", host="claude-code", scope="group")

    assert not (room.history.state / FILE).exists()


@pytest.mark.rest
def test_a_start_that_nobody_answered_is_noted_when_the_next_event_comes(start_service, folder) -> None:
    """Mutant: a service that answers too late takes the session for told."""
    running = start_service()
    begin(running, folder, START)
    running.end()
    hook(START)
    running = start_service(registered=False)
    assert list((running.folder / session_hook.WAITING).iterdir())

    told(running, folder, answer("Noted."), **ATTENDED)

    assert RENT in told_at_last(running, folder)


@pytest.mark.rest
def test_what_codex_compacted_away_comes_with_the_next_prompt(start_service, folder, tmp_path) -> None:
    """Mutants: it is gone for the rest of the session; it comes with every prompt."""
    running = start_service()
    rollout = tmp_path / "rollout.jsonl"
    meta = {"type": "session_meta", "payload": {"id": SESSION, "cwd": "/home/ada/shop", "source": "cli"}}
    rollout.write_text(json.dumps(meta) + "\n")
    begin(running, folder, payload("SessionStart", source="startup", transcript_path=str(rollout)), "codex")

    before = words(told(running, folder, on_rollout("1", rollout), "codex"))
    with rollout.open("a") as file:
        file.write('{"timestamp":"2026-11-23T10:00:00Z","type":"compacted","payload":{"message":""}}\n')
    turns = count(2)
    until(lambda: "Be kind." in words(told(running, folder, on_rollout(str(next(turns)), rollout), "codex")))
    after = words(told(running, folder, on_rollout("last", rollout), "codex"))

    assert "Be kind." not in before
    assert "Be kind." not in after


def on_rollout(turn: str, rollout: Path) -> dict[str, object]:
    return prompt(CHAT, turn, transcript_path=str(rollout))


@pytest.mark.rest
def test_a_task_of_the_hosts_own_is_not_told_the_context(start_service, folder) -> None:
    running = start_service(changed=never_ready)
    notice = "<task-notification>\n<summary>Agent done.</summary>\n</task-notification>"

    assert told(running, folder, prompt(notice, "1")) == {}
    assert RENT in told_at_last(running, folder)
