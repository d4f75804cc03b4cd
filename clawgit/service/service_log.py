"""The log of the service: a line of JSON for each event, in files of bounded size; a full disk stops nothing."""

from __future__ import annotations

import json
import os
import threading
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOG = "service.log"
MOST_BYTES = 1024 * 1024
KEPT = 3  # older files


class Event(NamedTuple):
    """One event: its kind, a sentence, and its workspace."""

    kind: str
    text: str
    workspace: str = ""
    at: datetime | None = None

    def stamped(self) -> Event:
        return self if self.at is not None else self._replace(at=datetime.now(UTC))


class ServiceLog:
    """Writes events below ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOG
        self.unwritten = 0
        self._alone = threading.Lock()

    def write(self, event: Event) -> None:
        """Write an event; if that fails, count it and report the count with the next event."""
        event = event.stamped()
        with self._alone:
            lines = [_line(event)]
            if self.unwritten:
                missing = f"{self.unwritten} events before this one could not be written."
                lines.insert(0, _line(Event("log", missing, at=event.at)))
            try:
                data = "".join(lines).encode()
                self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
                try:
                    size = os.fstat(handle).st_size
                    if os.write(handle, data) != len(data):
                        os.ftruncate(handle, size)  # half a line would spoil the next one
                        raise OSError("the disk is full")
                finally:
                    os.close(handle)
                if size + len(data) > MOST_BYTES:
                    for number in reversed(range(KEPT)):
                        with suppress(FileNotFoundError):
                            older(self._path, number).replace(older(self._path, number + 1))
            except OSError:
                self.unwritten += 1
            else:
                self.unwritten = 0


def older(path: Path, number: int) -> Path:
    return path if number == 0 else path.with_name(f"{path.name}.{number}")


def read_log(folder: Path, since: datetime | None = None) -> Iterator[dict[str, Any]]:
    """Yield the events, oldest first; damaged lines are skipped."""
    for number in reversed(range(KEPT + 1)):
        with (
            suppress(FileNotFoundError),
            older(folder / LOG, number).open(encoding="utf-8", errors="replace") as file,
        ):
            for line in file:
                event = read_line(line)
                if event is not None and (since is None or datetime.fromisoformat(event["at"]) >= since):
                    yield event


def read_line(line: str) -> dict[str, Any] | None:
    with suppress(ValueError, TypeError, KeyError):
        event: dict[str, Any] = json.loads(line)
        datetime.fromisoformat(event["at"])
        return event
    return None


def _line(event: Event) -> str:
    at = "" if event.at is None else event.at.isoformat(timespec="milliseconds")
    data = {"at": at, "kind": event.kind, "workspace": event.workspace, "text": redact(event.text)}
    return json.dumps(data, ensure_ascii=True) + "\n"
