"""The service's methods: each is a command, and answers with what the command reports as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from clawgit.cli.app import App
from clawgit.cli.main import cli
from clawgit.cli.service.context_method import in_time
from clawgit.errors import ExitCode
from clawgit.history.authorship.actors import HOST
from clawgit.history.authorship.host_signs import ACTOR_VARIABLE, HOST_SIGNS
from clawgit.service.requests import BAD_PARAMS, Request, RequestError
from clawgit.text.safety.control_characters import shown
from clawgit.workspace.find_workspace import with_home
from clawgit.workspace.user.workspace_registry import read_registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Asking(NamedTuple):
    """A command as a method: its words, the parameters that are its arguments, and those that are options."""

    words: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    writes: bool = False
    talks: bool = False
    actor: str = ""  # whose it is, whoever asks
    as_json: bool = False  # it reports its data only where that is asked for


ASKED = {
    "memory.search": Asking(
        ("memory", "search"),
        (),
        (
            *("query", "max_results", "max_tokens", "min_score", "tier", "path", "category", "source"),
            *("mmr", "as_of", "deep", "session", "scope", "for_prompt", "explain"),
        ),
    ),
    "memory.get": Asking(("memory", "get"), ("path",), ("from", "lines", "as_of", "session", "scope")),
    "message.in": Asking(
        ("chat", "add"),
        ("text",),
        ("role", "channel", "conversation", "id", "session", "sender", "at", "group", "external", "proved"),
        talks=True,
    ),
    "memory.add": Asking(("memory", "add"), ("text",), ("tag", "to", "evidence", "quote", "op"), writes=True),
    "correct": Asking(("correct",), ("old", "new"), ("entry", "evidence", "quote", "op"), writes=True),
    "session.end": Asking(
        ("session", "end"),
        (),
        ("channel", "conversation", "session", "messages", "slug", "op"),
        writes=True,
    ),
    "flush.plan": Asking(
        ("session", "flush"), (), ("tokens", "window", "compactions", "flushed_at", "session", "prompt")
    ),
    "turn.end": Asking(("keep",), (), ("reason", "op"), writes=True, actor=HOST),
    "context": Asking(("context",), (), ("query", "session", "part", "host", "scope", "as_of", "explain")),
    "status": Asking(("status",)),
    "pending": Asking(("pending",), (), ("kind",)),
    "why": Asking(("why",), ("what",)),
    "soul.log": Asking(("soul", "log"), (), ("limit", "since")),
    "soul.diff": Asking(("soul", "diff"), ("old", "new"), as_json=True),
    "soul.show": Asking(("soul", "show"), (), ("file",), as_json=True),
    "changelog": Asking(("changelog",), (), ("since",)),
    "propose": Asking(("soul", "propose"), ("text",), ("reason", "op"), writes=True),
}
IN_WORDS = "in_words"
WRITING = frozenset(name for name, asking in ASKED.items() if asking.writes)
TALKING = frozenset(name for name, asking in ASKED.items() if asking.talks)


class Answering(App):
    """A command that answers a request: what it reports and says is collected, and whose it is was decided before."""

    def __init__(self, environment: Mapping[str, str], actor: str, connection: str = "") -> None:
        super().__init__({**environment, ACTOR_VARIABLE: actor})
        self.connection = connection
        self.patience = 0.1
        self.data: Any = None
        self.notes: list[str] = []
        self.lines: list[str] | None = None  # what would be printed, where somebody wants it

    def say(self, text: str) -> None:
        """Collect what a person would be told."""
        from clawgit.text.safety.secrets import redact

        self.notes.append(redact(text))

    def report(self, data: Any, lines: Callable[[], list[str]]) -> None:
        """Collect what would be printed as JSON."""
        self.data = data
        if self.lines is not None:
            self.lines += map(shown, lines())


def plain_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the service's environment without what says who runs it, or where: each request says that."""
    left_out = {*HOST_SIGNS, ACTOR_VARIABLE, "CLAWGIT_WORKSPACE", "CLAWGIT_OP"}
    return {name: value for name, value in environment.items() if name not in left_out}


def methods(environment: Mapping[str, str]) -> dict[str, Callable[[Request], object]]:
    """Return every method that is asked of a workspace."""
    plain = plain_environment(environment)

    def command(asking: Asking) -> Callable[[Request], object]:
        return lambda request: _answer(asking, request, plain)

    answering = {name: command(asking) for name, asking in ASKED.items()}
    return {"triage": _triage(plain), **answering, "context": in_time(answering["context"])}


def find_workspace_for(registry: Path) -> Callable[[str], Path]:
    """Return what finds the folder of the workspace that a request names by its path, or as it is registered."""

    def find(named: str) -> Path:
        if named.startswith(("/", "~")):
            return Path(with_home(named))
        return read_registry(registry).named(named).root

    return find


def _answer(asking: Asking, request: Request, environment: Mapping[str, str]) -> object:
    if asking.actor and request.actor != asking.actor:
        raise RequestError(BAD_PARAMS, f"{request.method} is for the actor {asking.actor} alone.")
    request, in_words = _without(request, IN_WORDS)
    words = [*asking.words, *_options(asking, request), "--", *_arguments(asking, request)]
    app = Answering(environment, request.actor, request.connection)
    app.as_json, app.lines = asking.as_json, [] if in_words else None
    _run(app, ["--workspace", request.workspace, *words])
    data = app.data if isinstance(app.data, dict) else {"items": app.data}
    ending = {} if app.exit_code == ExitCode.DONE else {"exit": int(app.exit_code)}
    printed = {} if app.lines is None else {IN_WORDS: app.lines}
    return {**data, **printed, **({"notes": app.notes} if app.notes else {}), **ending}


def _without(request: Request, name: str) -> tuple[Request, bool]:
    params = {key: value for key, value in request.params.items() if key != name}
    return request._replace(params=params), bool(request.params.get(name))


def _run(app: Answering, words: list[str]) -> None:
    try:
        cli.main(args=words, prog_name="clawgit", obj=app, standalone_mode=False)
        app.settle()
    except click.ClickException as error:
        raise RequestError(BAD_PARAMS, error.format_message()) from error


def _arguments(asking: Asking, request: Request) -> list[str]:
    missing = [name for name in asking.arguments if not isinstance(request.params.get(name), str)]
    if missing:
        raise RequestError(BAD_PARAMS, f"{request.method} needs {' and '.join(missing)}, as text.")
    said = [str(request.params[name]) for name in asking.arguments]
    if said == ["-"]:
        raise RequestError(BAD_PARAMS, "The service reads no standard input.")
    return said


def _options(asking: Asking, request: Request) -> list[str]:
    words = []
    for name, value in request.params.items():
        if name in asking.arguments:
            continue
        if name not in asking.options:
            known = ", ".join((*asking.arguments, *asking.options)) or "none"
            raise RequestError(
                BAD_PARAMS, f"{request.method} has no parameter {name!r}.", hint=f"It has {known}."
            )
        option = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(option)
        elif isinstance(value, (str, int, float)) and value is not False:
            words.append(f"{option}={value}")
        elif value not in (None, False):
            raise RequestError(BAD_PARAMS, f"{name} is neither text, a number nor true or false.")
    return words


def _triage(environment: Mapping[str, str]) -> Callable[[Request], object]:
    """Return the method that says what a message asks of the agents, by the patterns in force."""
    from clawgit.capture.triage_cache import CACHE, cached_patterns
    from clawgit.capture.triage_settings import patterns_in_force
    from clawgit.cli.chat.triage_output import Triage, signal_data
    from clawgit.workspace.find_workspace import state_folder

    known: dict[
        str, tuple[tuple[object, ...], Triage]
    ] = {}  # for each workspace, with the files that it rests on

    def triage(request: Request) -> Triage:
        root, state = request.workspace, state_folder(request.workspace)
        rests_on = tuple(map(place_and_time, (f"{root}/CONFIG.md", f"{state}/{CACHE}")))
        if root in known and known[root][0] == rests_on:
            return known[root][1]
        patterns = cached_patterns(root, state)
        if patterns is not None:
            known[root] = rests_on, Triage(patterns)
            return known[root][1]
        app = Answering(environment, request.actor)
        app.take(workspace=root)
        with click.Context(cli, info_name="clawgit", obj=app):
            return Triage(patterns_in_force(app.history_for_talk()))

    def answer(request: Request) -> object:
        text = request.params.get("text")
        if not isinstance(text, str):
            raise RequestError(BAD_PARAMS, "triage needs text.")
        return signal_data(triage(request).of(text), request.params.get("id"))

    return answer


def place_and_time(path: str) -> tuple[int, ...] | None:
    """Return what changes when a file is written or replaced, None if it is not there."""
    try:
        state = Path(path).stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino, state.st_mtime_ns, state.st_ctime_ns, state.st_size
