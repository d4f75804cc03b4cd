"""What the name of one of OpenClaw's sessions says, and `sessions.json`, which has the names. Pure but for reading that."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from clawgit.capture.transcripts.transcript_lines import first_of
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SESSIONS = "sessions.json"
_MOST = 64 * 1024 * 1024
_GROUPS = ("group", "channel")
_DIRECT = ("direct", "dm")
_AUTOMATIC = ("subagent", "cron", "hook")
_INTERNAL = "internal-session-effects"
_THREADS = ("topic", "thread")


@dataclass(frozen=True, slots=True)
class Listed:
    """What is known of a session: its keys, whether it is a group's, and whether ``sessions.json`` there lacks it."""

    keys: tuple[str, ...] = ()
    group: bool = False
    missing: bool = False


def listed_session(folder: Path, session: str) -> Listed:
    """Return what `sessions.json` in a folder says of a session; one that is damaged has none."""
    path = folder / SESSIONS
    try:
        with open_regular(path) as file:
            entries = json.loads(file.read(_MOST))
    except FileNotFoundError:
        return Listed()
    except (OSError, ValueError, RecursionError):
        return Listed(missing=True)
    every = entries.items() if isinstance(entries, dict) else ()
    found = [(key, each) for key, each in every if isinstance(each, dict) and _is_of(each, session)]
    group = any(each.get("chatType") in _GROUPS for _, each in found)
    return Listed(tuple(key for key, _ in found), group, missing=not found)


def _is_of(entry: dict[str, Any], session: str) -> bool:
    """Say whether an entry is of a session, or of one that it went on from."""
    earlier = entry.get("usageFamilySessionIds")
    ids = [first_of(entry, "sessionId"), *(earlier if isinstance(earlier, list) else ())]
    return bool(session) and session in ids


def is_automatic(keys: Iterable[str]) -> bool:
    """Say whether a session's name is that of a sub-agent, a job or another run that no person speaks in."""
    every = [_parts(key) for key in keys]
    return any(parts[0] in _AUTOMATIC or parts[-1] == "heartbeat" or _INTERNAL in parts for parts in every)


def is_group(keys: Iterable[str]) -> bool:
    """Say whether a session's name is that of a group."""
    return any(part in _GROUPS for key in keys for part in _parts(key)[1:3])


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat of a channel; a ``direct`` one has the id of the person in it."""

    channel: str
    conversation: str
    direct: bool


def chat_of(keys: Iterable[str]) -> Chat | None:
    """Return the chat that a session's name tells, as in `agent:main:telegram:group:-100` (an account may be between)."""
    for key in keys:
        parts = _parts(key)
        at = next((at for at, part in enumerate(parts[1:3], 1) if part in _GROUPS + _DIRECT), 0)
        if at and len(parts) > at + 1:
            peer = takewhile(lambda part: part not in _THREADS, parts[at + 1 :])
            return Chat(parts[0], ":".join(peer), parts[at] in _DIRECT)
    return None


def _parts(key: str) -> list[str]:
    parts = key.split(":")
    return parts[2:] if parts[0] == "agent" and len(parts) > 2 else parts
