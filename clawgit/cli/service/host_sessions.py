"""What the service knows of the sessions of hosts while it runs: which have the context, and in which turns the web was read."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.clients.host_turns import rollout_of
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from clawgit.clients.host_turns import HostEvent, Place

LONGEST_TURN = 3600.0  # seconds: one whose end nobody told is over then
MOST_BYTES = 16 * 1024 * 1024  # that are read of a rollout at once
COMPACTED, SEARCHED = b'"type":"compacted"', b'"type":"web_search_call"'


class _Turn(NamedTuple):
    """A turn: when something was heard of it last, Codex's rollout and how long that was, whether it has read words from outside."""

    at: float
    rollout: str = ""
    since: int = 0
    is_outside: bool = False


class HostSessions:
    """The sessions of all hosts, by host and session; a service that was just started knows none."""

    def __init__(self) -> None:
        self._told: dict[Place, int] = {}  # the length that the rollout had, as far as it was read
        self._have_kept: set[Place] = set()  # that were told what was kept
        self._turns: dict[Place, _Turn] = {}

    def has_context(self, event: HostEvent) -> bool:
        """Say whether a session was told the context, and Codex has not compacted that away since."""
        read = self._told.get(event.place)
        if read is None:
            return False
        new = _read(rollout_of(event), read)
        if COMPACTED in new:
            self.forget_context(event)
            return False
        self._told[event.place] = read + len(new)
        return True

    def note_context(self, event: HostEvent) -> None:
        self._told[event.place] = _length(rollout_of(event))

    def forget_context(self, event: HostEvent) -> None:
        """Note that a session begins, ends, or has lost the context."""
        self._told.pop(event.place, None)
        self._have_kept.discard(event.place)

    def has_kept(self, event: HostEvent) -> bool:
        return event.place in self._have_kept

    def note_kept(self, event: HostEvent) -> None:
        self._have_kept.add(event.place)

    def begin_turn(self, event: HostEvent, now: float) -> None:
        rollout = rollout_of(event)
        self._turns[event.place] = _Turn(now, rollout, _length(rollout))

    def end_turn(self, event: HostEvent) -> None:
        self._turns.pop(event.place, None)

    def note_outside(self, event: HostEvent, now: float) -> None:
        """Note that a tool gave the model what others wrote."""
        self._turns[event.place] = _Turn(now, is_outside=True)

    def reads_outside(self, host: str, now: float) -> bool:
        """Say whether a turn of a host has read what others wrote; which of its sessions writes, its MCP server does not tell."""
        for (of_host, _), turn in list(self._turns.items()):
            is_going_on = of_host == host and now - turn.at < LONGEST_TURN
            if is_going_on and (turn.is_outside or SEARCHED in _read(turn.rollout, turn.since)):
                return True
        return False


def _length(rollout: str) -> int:
    with suppress(OSError):
        return Path(rollout).stat().st_size if rollout else 0
    return 0


def _read(rollout: str, since: int) -> bytes:
    if rollout:
        with suppress(OSError), open_regular(rollout) as file:
            file.seek(since)
            return file.read(MOST_BYTES)
    return b""
