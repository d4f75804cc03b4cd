"""Whether a connection works: its token, what was put into the host's files, and whether a hook ever ran."""

from __future__ import annotations

import json
import os
import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.clients.connect import read_host_file
from clawgit.clients.host_files import HostFileError, is_in
from clawgit.clients.hosts import CODEX, OPENCLAW, TITLES
from clawgit.clients.session_hook import ASIDE
from clawgit.workspace.safe_files import write_private
from clawgit.workspace.user.connections import read_connection, read_token, token_file

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.workspace.user.connections import Connection

_HOOKS = ("settings.json", "hooks.json", "openclaw.json")
_SPOOLED = "*spool*.jsonl.aside*"
_OF_TALK = ("before_prompt_build", "agent_end")
_AS_SHOWN = "message:preprocessed"
_NO_EVENTS = "Its `hooks.internal.enabled` must not be false; then restart the Gateway. Until then they count as the sender's own."
_FIRST_RUN = {
    CODEX: "Start `codex` and trust the hooks when it asks: until then it skips them silently.",
    OPENCLAW: "Restart its Gateway and say something to your agent; `openclaw plugins inspect clawgit-memory --runtime` says if it is loaded.",
}
_NO_TALK = (
    "`plugins.entries.clawgit-memory.hooks.allowConversationAccess` has to be true and `allowPromptInjection` not false; "
    "then restart the Gateway and say something to your agent."
)


def note_event(folder: Path, name: str, event: str, at: datetime) -> None:
    """Note that a hook ran; without room nothing is noted."""
    seen = events_seen(folder, name)
    if seen.get(event, "")[:10] == f"{at:%Y-%m-%d}":
        return
    aside = folder / f".{name}-{os.getpid()}.seen"
    with suppress(OSError):
        write_private(aside, json.dumps(seen | {event: at.isoformat(timespec="seconds")}))
        aside.replace(folder / f"{name}.seen")


def events_seen(folder: Path, name: str) -> dict[str, str]:
    """Return which hooks ran, and on which day last."""
    try:
        events = json.loads((folder / f"{name}.seen").read_text())
    except (OSError, ValueError):
        return {}
    return {str(event): str(at) for event, at in events.items()} if isinstance(events, dict) else {}


def wrong_with(folder: Path, connection: Connection) -> list[tuple[str, str]]:
    """Return what is wrong with a connection, each with a way out."""
    name = TITLES.get(connection.host, connection.host)
    again = f"`clawgit connect {connection.host}` puts it right."
    # Of a host's connections, that of the host's own name knows what was put into its files.
    whole = read_connection(folder, connection.host) or connection
    connection = connection._replace(changed=whole.changed)
    problems: list[tuple[str, str]] = []
    if read_token(folder, connection.name) is None:
        problems.append(
            (f"The token of {name} is gone, or others can read {token_file(folder, connection.name)}.", again)
        )
    for record in connection.changed:
        try:
            text = read_host_file(str(record["file"]))
        except HostFileError as error:
            problems.append((error.message, error.hint))
            continue
        if text is None or not is_in(text, record):
            problems.append((f"{record['file']} no longer has all that connects {name}.", again))
    gone = [path for path in _programs(connection) if not Path(path).exists()]
    problems += [(f"{name} is told to run {path}, which is not there.", again) for path in gone]
    return problems + _silent_hooks(folder, connection, name)


def put_aside(state: Path, openclaw: Path) -> list[tuple[str, str]]:
    """Return what hosts said and the service did not take, each with a way out; ``state`` is the service's folder."""
    places = [*state.glob(f"{ASIDE}/*"), *state.glob(_SPOOLED), *(openclaw / "clawgit").glob(_SPOOLED)]
    if not places:
        return []
    named = ", ".join(sorted({str(path.parent if path.parent.name == ASIDE else path) for path in places}))
    return [
        (
            f"The service did not take something that a host said: {named}.",
            "It is not in memory. Look at it; delete it when you need it no more.",
        )
    ]


def _silent_hooks(folder: Path, connection: Connection, name: str) -> list[tuple[str, str]]:
    if not any(str(record["file"]).endswith(_HOOKS) for record in connection.changed):
        return []
    seen = events_seen(folder, connection.name)
    if not seen:
        usual = "Talk to it once; if this stays, look at `/hooks` there."
        return [(f"No hook of {name} ever ran.", _FIRST_RUN.get(connection.host, usual))]
    if connection.host != OPENCLAW:
        return []
    silent = [each for each in _OF_TALK if each not in seen]
    problems = [(f"{name} never called {' and '.join(silent)}.", _NO_TALK)] if silent else []
    if "message_received" in seen and _AS_SHOWN not in seen:
        problems.append((f"{name} does not tell the plugin which messages are forwarded.", _NO_EVENTS))
    return problems


def _programs(connection: Connection) -> list[str]:
    paths = []
    for record in connection.changed:
        for put in record["puts"]:
            paths += [put["value"]] if put["place"][-2:] == ["load", "paths"] else []
            value = put["value"] if isinstance(put["value"], dict) else {}
            commands = [str(each["command"]) for each in value.get("hooks", ())]
            paths += [str(value["command"])] if "command" in value else []
            paths += [word for command in commands for word in shlex.split(command)]
    return list(dict.fromkeys(path for path in paths if path.startswith("/")))
