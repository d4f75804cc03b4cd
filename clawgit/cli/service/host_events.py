"""The service's method for hosts' session hooks: it stores messages and returns what memory has.

While it runs, it knows of the hosts' sessions which have the context, and in which turns the web was read.
"""

from __future__ import annotations

import errno
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.capture.messages.incoming_message import without_injected
from clawgit.capture.transcripts.codex_lines import codex_known
from clawgit.cli.service.methods import FROM_OUTSIDE
from clawgit.clients import host_turns
from clawgit.clients.connect import note_event
from clawgit.clients.session_hook import ASIDE, WAITING, leave
from clawgit.context.kept_lines import told_again
from clawgit.errors import ClawgitError, ExitCode
from clawgit.recall.model_lines import DATA, unfenced
from clawgit.service.requests import BAD_PARAMS, LONGEST_LINE, Method, Request, RequestError, read_request
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.strict_json import dict_of
from clawgit.understanding.evidence.own_sentences import is_question
from clawgit.workspace.foreign_files import open_regular
from clawgit.workspace.user.connections import Connection, read_token

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


EVENT, BEGIN = "host.event", "host.begin"
BEGINNING = 256 * 1024  # bytes of a rollout: its first line says which program started it
MOST_BEHIND, MOST_FAILING = 200, 3  # events in one go
MOST_TRIES, _TRIES = 5, "~"
HOOK_SECONDS = 1.0  # that a hook has for the context
MOST_TYPED = 2000  # characters that are searched for


class HostEvents:
    """Answers the hooks of connected hosts with the other ``methods``, and ``context`` at the begin of a session."""

    def __init__(
        self,
        methods: Mapping[str, Method],
        context: Callable[[Request], object],
        folder: Path,
        state: Path,
        connection: Callable[[str], Connection | None],
    ) -> None:
        self._methods = methods
        self._answer_context = context
        self._folder = folder
        self._state = state
        self._connection = connection
        self._at_own_tasks: set[host_turns.Place] = set()  # sessions that answer the host itself
        self._told: dict[host_turns.Place, int] = {}  # the length that the rollout had, as far as it was read
        self._have_kept: set[host_turns.Place] = set()  # sessions that were given the kept lines
        self._turns: dict[host_turns.Place, _Turn] = {}

    def begin(self, request: Request) -> object:
        """Return the context of a session; if that is not ready, the kept lines, and the next prompt brings the rest."""
        event = self._event(request)
        self._forget_context(event)
        return host_turns.injected(event, self._context(request, event) or self._kept(request, event))

    def answer(self, request: Request) -> object:
        failed, is_store_there = self._catch_up(request)
        try:
            event, reply = self._taken(request)
        except ClawgitError as error:
            if error.exit_code != ExitCode.USAGE:  # for a reason outside of the message
                with suppress(OSError):
                    self._leave(request)
            raise
        if reply or is_store_there:  # so the failure is the event's own
            for path in failed:
                self._count_try(path)
        if event.name == "UserPromptSubmit" and event.place not in self._at_own_tasks:
            has_context = self._has_context(event)
            recalled = self._recalled(request, event, is_told=has_context)
            if not has_context:
                context = self._context(request, event)
                recalled = context or [*self._kept(request, event), *recalled]
            return host_turns.injected(event, [*host_turns.cited(reply), *reply.get("told", ()), *recalled])
        return {}

    def in_turn(self, answer: Callable[[Request], object]) -> Callable[[Request], object]:
        """Return ``answer`` with a parameter that says whether a turn of that connection has read words from outside."""

        def answered(request: Request) -> object:
            return answer(request._replace(params={**request.params, **self._turn_of(request)}))

        return answered

    def _turn_of(self, request: Request) -> dict[str, bool]:
        """Say whether a turn of the host has read words from outside; its MCP server does not name the session."""
        for (host, _), turn in list(self._turns.items()):
            is_going_on = host == request.connection and request.arrived - turn.at < LONGEST_TURN
            if is_going_on and (turn.is_outside or SEARCHED in _read(turn.rollout, turn.since)):
                return {FROM_OUTSIDE: True}
        return {}

    def _event(self, request: Request) -> host_turns.HostEvent:
        if not request.connection:
            raise RequestError(
                BAD_PARAMS, "Only a connection may report events.", hint="`clawgit connect` makes one."
            )
        event = host_turns.event_of(request.connection, request.params)
        note_event(self._folder, request.connection, event.name, event.at)
        return event

    def _catch_up(self, request: Request) -> tuple[list[Path], bool]:
        """Store events that this connection left while no service ran, oldest first.

        Return the events that could not be stored, which stay, and whether any was stored.
        """
        waiting = self._state / WAITING
        failed: list[Path] = []
        is_store_there = False
        for path in sorted(waiting.glob("*"))[:MOST_BEHIND] if waiting.is_dir() else ():
            try:
                left = _event_in(path)
                if left is None:  # no later try can read it
                    path.unlink(missing_ok=True)
                    continue
                connection = self._connection(left.token)
                if connection is not None and connection.name != request.connection:
                    continue
                if connection is not None:
                    _, reply = self._taken(request._replace(params=left.params))
                    is_store_there |= bool(reply)
                path.unlink(missing_ok=True)
            except FileNotFoundError:
                continue  # another event has brought it
            except Exception:  # noqa: BLE001 - the boundary around one event of many
                failed.append(path)
                if len(failed) == MOST_FAILING:
                    break
        return failed, is_store_there

    def _leave(self, request: Request) -> None:
        """Leave an event that could not be stored where its hook leaves events while no service runs."""
        token = read_token(self._folder, request.connection)
        line = {"jsonrpc": "2.0", "method": EVENT, "params": {**request.params, "token": token}}
        leave(str(self._state / WAITING), json.dumps(line).encode())

    def _count_try(self, path: Path) -> None:
        """Count a failed try in the event's file name; after MOST_TRIES, put the file aside."""
        name, _, count = path.name.partition(_TRIES)
        tries = int(count) + 1 if count.isdecimal() else 1
        place = path.with_name(f"{name}{_TRIES}{tries}")
        if tries >= MOST_TRIES:
            place = self._state / ASIDE / name
            place.parent.mkdir(mode=0o700, exist_ok=True)
        with suppress(OSError):
            path.rename(place)

    def _taken(self, request: Request) -> tuple[host_turns.HostEvent, dict[str, Any]]:
        event = self._event(request)
        if event.name in ("SessionStart", "SessionEnd"):  # a start left here had no answer
            self._forget_context(event)
        if event.name == "UserPromptSubmit":
            rollout = host_turns.rollout_of(event)
            self._turns[event.place] = _Turn(request.arrived, rollout, _length(rollout))
        elif event.name == "PostToolUse":
            self._turns[event.place] = _Turn(request.arrived, is_outside=True)
        is_talk = self._is_talk(event)
        message = None
        if is_talk:
            message = host_turns.message_of_event(event, by_person=_by_person(event))
        reply = self._asked(request, "message.in", message) if message is not None else {}
        if event.name == "Stop" and _is_below(event.text("cwd"), request.workspace):
            self._asked(request, "turn.end", self._turn_of(request))
        if event.name in ("Stop", "SessionEnd"):
            self._turns.pop(event.place, None)
        if event.name == "SessionEnd" and _by_person(event):
            with suppress(RequestError, ClawgitError):  # else the night makes the note
                self._asked(request, "session.end", host_turns.place_of(event))
        return event, reply

    def _is_talk(self, event: host_turns.HostEvent) -> bool:
        """Say whether a person speaks: not for the host's news of a task that ended, or the answer to that."""
        place = event.place
        if event.name == "UserPromptSubmit" and not without_injected(event.text("prompt")).strip():
            self._at_own_tasks.add(place)
        elif event.name in ("UserPromptSubmit", "SessionEnd"):
            self._at_own_tasks.discard(place)
        return place not in self._at_own_tasks

    def _has_context(self, event: host_turns.HostEvent) -> bool:
        """Say whether a session got the context, and Codex has not compacted it away."""
        read = self._told.get(event.place)
        if read is None:
            return False
        new = _read(host_turns.rollout_of(event), read)
        if COMPACTED in new:
            self._forget_context(event)
            return False
        self._told[event.place] = read + len(new)
        return True

    def _forget_context(self, event: host_turns.HostEvent) -> None:
        self._told.pop(event.place, None)
        self._have_kept.discard(event.place)

    def _context(self, request: Request, event: host_turns.HostEvent) -> list[str]:
        """Return the context; if it comes too late, the session gets it with its next prompt.

        It has the hook's last second, which the message's work before does not shorten.
        """
        params = {"host": request.connection, "session": event.session, "query": _typed(event)}
        reply: object = None
        left = event.until - time.time()
        if left > 0:  # a receipt is only for a context that is delivered
            asked_at = time.monotonic() + min(0.0, left - HOOK_SECONDS)
            context_request = request._replace(method="context", params=params, arrived=asked_at)
            with suppress(RequestError, ClawgitError):
                reply = self._answer_context(context_request)
        if not isinstance(reply, dict) or not reply["stable"]["hash"] or time.time() > event.until:
            return []
        self._told[event.place] = _length(host_turns.rollout_of(event))
        text = reply["text"]
        if text:
            return [unfenced(text)]
        return []

    def _kept(self, request: Request, event: host_turns.HostEvent) -> list[str]:
        """Return, once a session, the lines of the last context that are still valid."""
        if event.place in self._have_kept or self._has_context(event):
            return []
        text = told_again(request.workspace, time.time())
        if not text or time.time() > event.until:
            return []
        self._have_kept.add(event.place)
        return [unfenced(text)]

    def _recalled(self, request: Request, event: host_turns.HostEvent, *, is_told: bool) -> list[str]:
        """Return hits that answer the prompt, except what was just said.

        Without a receipt if the context is likely given instead.
        """
        typed = _typed(event)
        params = {"query": typed, "max_results": host_turns.MOST_HITS, "max_tokens": host_turns.MOST_TOKENS}
        with suppress(RequestError, ClawgitError):
            search_params = params | {"source": "memory", "session": event.session, "for_prompt": True}
            if not is_told:
                search_params["told"] = 0
            reply = self._asked(request, "memory.search", search_params)
            if reply.get("confidence") == "high" and reply["results"]:
                return [DATA, *(hit["line"] for hit in reply["results"])]
            if reply.get("results") == [] and is_question(typed) and not _TASK.match(typed):
                return [NOTHING_FOUND]
        return []

    def _asked(self, request: Request, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method not in self._methods:
            return {}
        return dict_of(self._methods[method].answer(request._replace(method=method, params=params)))


_TASK = lazy_pattern(
    r"(?i)(?:please )?(?:can|could|would|will|kannst|könntest|peux|pourrais|puedes|podrías)\b"
)  # a task, not a question of memory
NOTHING_FOUND = "A search of memory by the words of this question finds nothing beyond what this talk began with: try others before you say so."


def _event_in(path: Path) -> Request | None:
    with open_regular(path) as file:
        line = file.read(LONGEST_LINE + 1)
    if len(line) > LONGEST_LINE:
        raise OSError(errno.EFBIG, "it is too long for an event")
    with suppress(RequestError):
        return read_request(line)
    return None


def _by_person(event: host_turns.HostEvent) -> bool:
    """Say whether a person typed it, as Claude Code proves by its environment and Codex by its rollout."""
    rollout = host_turns.rollout_of(event)
    if not rollout:
        return host_turns.is_attended(event)
    with suppress(OSError), open_regular(rollout) as file:
        transcript = codex_known(file.read(BEGINNING).splitlines())
        return transcript.session == event.session and not transcript.barred and not transcript.keys
    return False


def _typed(event: host_turns.HostEvent) -> str:
    return without_injected(event.text("prompt")).strip()[:MOST_TYPED]


def _is_below(folder: str, workspace: str) -> bool:
    try:
        return bool(folder) and Path(folder).resolve().is_relative_to(Path(workspace).resolve())
    except (OSError, ValueError, RuntimeError):  # no name of a folder
        return False


LONGEST_TURN = 3600.0  # seconds: without an end event, the turn is over then
MOST_BYTES = 16 * 1024 * 1024  # that are read of a rollout at once
COMPACTED, SEARCHED = b'"type":"compacted"', b'"type":"web_search_call"'


class _Turn(NamedTuple):
    """A turn: its last event, Codex's rollout and its length then, and whether it has read words from outside."""

    at: float
    rollout: str = ""
    since: int = 0
    is_outside: bool = False


def _length(rollout: str) -> int:
    if rollout:
        with suppress(OSError):
            return Path(rollout).stat().st_size
    return 0


def _read(rollout: str, since: int) -> bytes:
    if rollout:
        with suppress(OSError), open_regular(rollout) as file:
            file.seek(since)
            return file.read(MOST_BYTES)
    return b""
