"""The service's methods: each runs an operation, and answers with its result as JSON."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.capture.messages.incoming_message import patterns_in_force
from clawgit.capture.triage_cache import cached_patterns
from clawgit.cli.app import change_data, commit_lines, kept_data, plain
from clawgit.cli.chat.message_output import taken_data, taken_lines
from clawgit.cli.chat.session import ended_data, ended_lines, flush_data, flush_lines
from clawgit.cli.chat.triage_start import Triage, signal_data
from clawgit.cli.context.context import context_data, context_lines
from clawgit.cli.diff_output import diffs_data, diffs_lines
from clawgit.cli.memory import entry_output
from clawgit.cli.pending import pending_data, pending_texts
from clawgit.cli.soul import soul as soul_commands
from clawgit.cli.soul.log import changes_data, changes_lines
from clawgit.cli.soul.why import why_data, why_lines
from clawgit.cli.workspace.status import status_data, status_lines
from clawgit.clients.host_turns import told_of
from clawgit.errors import ClawgitError, ExitCode
from clawgit.history.authorship.actors import HOST
from clawgit.history.authorship.host_signs import ACTOR_VARIABLE, HOST_SIGNS
from clawgit.operations import soul
from clawgit.operations.caller import Caller
from clawgit.operations.change_log import LogRequest, show_log
from clawgit.operations.context import ContextRequest, get_context
from clawgit.operations.corrections import CorrectRequest, correct_memory
from clawgit.operations.host_ledger import HostFileRequest, ShownFile, show_host_file
from clawgit.operations.keep import keep_edits
from clawgit.operations.memory import AddRequest, GetRequest, add_memory, get_memory
from clawgit.operations.messages import MessageRequest, TakenDown, take_message
from clawgit.operations.search import SearchAnswer, SearchRequest, search_memory
from clawgit.operations.sessions import EndRequest, FlushRequest, end_session_of, plan_flush
from clawgit.operations.status import get_status, list_pending
from clawgit.operations.undo import forget_for_host
from clawgit.operations.why import find_origin
from clawgit.recall.model_lines import hit_line
from clawgit.service import requests
from clawgit.text.safety.control_characters import is_utf8, shown
from clawgit.workspace.find_workspace import state_folder, with_home
from clawgit.workspace.user.workspace_registry import read_registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

IN_WORDS, OP, FROM_OUTSIDE = "in_words", "op", "external"
SECONDS = 0.25  # of the 0.3 that a host waits, from the arrival of its request
GIVING_SECONDS = 0.04  # more, for what is ready and leaves its receipt
HOOK_SECONDS = 0.9  # of the 1.0 that a hook has for it
AT_ONCE = 4
PATIENCE = 0.1  # seconds for a program, while a request waits


class Operation(NamedTuple):
    """The operation of a method, and its result as data and in lines.

    It takes the parameters after the caller or, if there are many, a ``request`` of that type.
    """

    run: Callable[..., Any]
    data: Callable[[Any], Any]
    lines: Callable[[Any], list[str]] = lambda _: []
    request: type[Any] | None = None
    writes: bool = False  # it takes an op, too, and whether the turn has read words from outside
    talks: bool = False
    actor: str = ""  # fixed actor, instead of the request's

    def parameters(self) -> dict[str, requests.Parameter]:
        parameters = requests.parameters_of(self.request or self.run)
        if self.writes:
            parameters |= {
                OP: requests.Parameter(OP, OP, str),
                FROM_OUTSIDE: requests.Parameter(FROM_OUTSIDE, FROM_OUTSIDE, bool),
            }
        return parameters

    def result(self, caller: Caller, fields: Mapping[str, Any]) -> Any:
        if self.request is None:
            return self.run(caller, **fields)
        return self.run(caller, self.request(**fields))


def _told_data(taken: TakenDown) -> dict[str, Any]:
    data = taken_data(taken)
    lines = told_of(data)
    if lines:
        data["told"] = lines
    return data


def _hits_data(answer: SearchAnswer) -> dict[str, Any]:
    data = entry_output.search_data(answer)
    for hit, result in zip(data["results"], answer.found.results, strict=True):
        hit["line"] = hit_line(result)
    return data


OPERATIONS = {
    "memory.search": Operation(search_memory, _hits_data, entry_output.search_lines, SearchRequest),
    "memory.get": Operation(get_memory, entry_output.lines_data, entry_output.lines_read, GetRequest),
    "message.in": Operation(take_message, _told_data, taken_lines, MessageRequest, talks=True),
    "memory.file": Operation(
        show_host_file,
        ShownFile._asdict,
        lambda file: [f"{file.path}: {file.origin}", "", file.text],
        HostFileRequest,
    ),
    "memory.add": Operation(
        add_memory, entry_output.added_data, entry_output.changed_lines, AddRequest, writes=True
    ),
    "correct": Operation(
        correct_memory, entry_output.corrected_data, entry_output.changed_lines, CorrectRequest, writes=True
    ),
    "memory.forget": Operation(
        forget_for_host, change_data, lambda done: commit_lines(done.commit_id), writes=True
    ),
    "session.end": Operation(end_session_of, ended_data, ended_lines, EndRequest, writes=True),
    "flush.plan": Operation(plan_flush, flush_data, flush_lines, FlushRequest),
    "turn.end": Operation(keep_edits, kept_data, lambda kept: list(kept.commits), writes=True, actor=HOST),
    "context": Operation(get_context, context_data, context_lines, ContextRequest),
    "status": Operation(get_status, status_data, status_lines),
    "pending": Operation(list_pending, pending_data, pending_texts),
    "log": Operation(show_log, changes_data, changes_lines, LogRequest),
    "why": Operation(find_origin, why_data, why_lines),
    "soul.log": Operation(soul.read_soul_log, soul_commands.log_data, soul_commands.log_lines),
    "soul.diff": Operation(soul.diff_soul, diffs_data, diffs_lines),
    "soul.show": Operation(soul.show_soul, soul_commands.state_data),
    "changelog": Operation(
        soul.read_identity_changes, soul_commands.changelog_data, soul_commands.changelog_lines
    ),
    "propose": Operation(
        soul.propose_line, soul_commands.proposal_data, lambda proposal_id: [proposal_id], writes=True
    ),
}


def plain_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the service's environment without its actor and workspace: each request has its own."""
    left_out = {*HOST_SIGNS, ACTOR_VARIABLE, "CLAWGIT_WORKSPACE", "CLAWGIT_OP"}
    return {name: value for name, value in environment.items() if name not in left_out}


def caller_for(
    environment: Mapping[str, str], actor: str, *, workspace: str, holder: str, connection: str = ""
) -> Caller:
    """Return the caller of a request; its actor was decided before."""
    environment = {**environment, ACTOR_VARIABLE: actor}
    return Caller(environment, workspace=workspace, connection=connection, patience=PATIENCE, holder=holder)


def methods(environment: Mapping[str, str]) -> dict[str, requests.Method]:
    environment = plain_environment(environment)
    answering = {}
    for name, each in OPERATIONS.items():
        answer = _answering(name, each, environment)
        answering[name] = requests.Method(answer, writes=each.writes, talks=each.talks)
    context = requests.Method(in_time(answering["context"].answer), in_time=IN_TIME)

    def triage(request: requests.Request) -> object:
        text, root = request.params.get("text"), request.workspace
        if not isinstance(text, str):
            raise requests.RequestError(requests.BAD_PARAMS, "triage needs text.")
        patterns = cached_patterns(root, state_folder(root))
        if patterns is None:
            caller = caller_for(environment, request.actor, workspace=root, holder="triage")
            patterns = patterns_in_force(caller.history_for_talk())
        return signal_data(Triage(patterns).of(text), request.params.get("id"))

    return {"triage": requests.Method(triage), **answering, "context": context}


def context_for_hooks(environment: Mapping[str, str]) -> Callable[[requests.Request], object]:
    answer = _answering("context", OPERATIONS["context"], plain_environment(environment))
    return in_time(answer, HOOK_SECONDS)


def find_workspace_named(registry: Path, named: str) -> Path:
    if named.startswith(("/", "~")):
        return Path(with_home(named))
    return read_registry(registry).named(named).root


def _answering(
    name: str, operation: Operation, environment: Mapping[str, str]
) -> Callable[[requests.Request], dict[str, Any]]:
    parameters = operation.parameters()

    def answer(request: requests.Request) -> dict[str, Any]:
        if operation.actor and request.actor != operation.actor:
            raise requests.RequestError(
                requests.BAD_PARAMS, f"{name} is for the actor {operation.actor} alone."
            )
        params = {key: value for key, value in request.params.items() if key != IN_WORDS}
        fields = requests.read_parameters(name, parameters, params)
        caller = caller_for(
            environment,
            request.actor,
            workspace=request.workspace,
            holder=name,
            connection=request.connection,
        )
        caller.is_awaited = request.is_awaited
        if operation.writes:
            caller.op = fields.pop(OP, "") or None
            caller.is_external = fields.pop(FROM_OUTSIDE, False)
        try:
            result = operation.result(caller, fields)
            data = plain(operation.data(result))
            answered = dict(data) if isinstance(data, dict) else {"items": data}
            if request.params.get(IN_WORDS):
                answered[IN_WORDS] = [shown(line) for line in operation.lines(result)]
            caller.settle()
        except UnicodeEncodeError as error:
            if all(is_utf8(str(value)) for value in request.params.values()):
                raise
            raise requests.RequestError(
                requests.BAD_PARAMS, "A text has half a character: only a path may have that."
            ) from error
        if caller.notes:
            answered["notes"] = caller.notes
        if caller.exit_code != ExitCode.DONE:
            answered["exit"] = int(caller.exit_code)
        return answered

    return answer


def in_time(
    answer: Callable[[requests.Request], object], seconds: float = SECONDS, giving: float = GIVING_SECONDS
) -> Callable[[requests.Request], object]:
    """Return ``answer`` with a time limit: its result is empty after so many seconds, or if it refuses."""
    threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="context")

    def answered(request: requests.Request) -> object:
        left = seconds - (time.monotonic() - request.arrived if request.arrived else 0)
        first = threading.Lock()
        ready = threads.submit(answer, request._replace(is_awaited=lambda: first.acquire(blocking=False)))
        try:
            with suppress(TimeoutError):
                return ready.result(max(0, left))
            if not first.acquire(blocking=False):
                with suppress(TimeoutError):
                    return ready.result(giving)
        except ClawgitError as error:
            return _empty(f"There is no context: {error}")
        ready.cancel()
        return LATE

    return answered


def _empty(why: str) -> dict[str, Any]:
    part = {"text": "", "hash": ""}
    nothing = {"text": "", "tokens": 0, "slots": [], "receipt": None}
    return nothing | {"stable": part, "recall": part, "notes": [why]}


LATE = _empty("The context was not ready in time, so this prompt goes without it.")
IN_TIME = requests.InTime(SECONDS + GIVING_SECONDS, LATE)
