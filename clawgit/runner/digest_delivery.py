"""Delivering a digest: noted before it goes out and again when it has arrived, at most once a day."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from clawgit.agents.external_handler import call_handler
from clawgit.errors import ClawgitError
from clawgit.history.git.storage_errors import storage_errors
from clawgit.runner.digest import known_commit, read_digest
from clawgit.workspace.records.digests import DigestNote, DigestState
from clawgit.workspace.records.records import RECORDS, open_records
from clawgit.workspace.settings.setting_types import argv_of
from clawgit.workspace.settings.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date, datetime
    from pathlib import Path

    from clawgit.history.git.repository import History

FOLDER = "digests"
CHANNEL = "digest_channel"
SECONDS = 60.0
MOST = 7_500  # characters for a command


class DeliveryError(ClawgitError):
    """A digest did not arrive."""


def deliver_digest(history: History, day: date, now: datetime, settings_waiting: Iterable[str]) -> DigestNote:
    """Deliver the digest of a day by `digest_channel`; one that went out is not sent again.

    Where a delivery failed for certain, the same text is tried again.

    Raises:
        DeliveryError: It did not arrive.
    """
    with open_records(history.state / RECORDS, now) as records:
        before = records.digests.of(day)
        if before is not None and before.state is not DigestState.FAILED:
            return before
        note = before or _made(history, day, now, settings_waiting, records.digests.last_told(before=day))
        if note.text and note.channel != "off":
            note = note._replace(channel=history.settings.digest_channel, state=DigestState.SENDING)
        if not records.digests.begin(note):
            return records.digests.of(day) or note
        if note.state is not DigestState.SENDING:
            return note
        try:
            _send(history, note)
        except ClawgitError:
            records.digests.note(note._replace(state=DigestState.FAILED))
            raise
        records.digests.note(note._replace(state=DigestState.SENT))
        return note._replace(state=DigestState.SENT)


def _made(
    history: History, day: date, now: datetime, settings_waiting: Iterable[str], last: DigestNote | None
) -> DigestNote:
    digest = read_digest(history, now, known_commit(history, last), settings_waiting)
    channel = history.settings.digest_channel
    return DigestNote(day, now, digest.tip, tuple(digest.waiting), channel, DigestState.SILENT, digest.text)


def _send(history: History, note: DigestNote) -> None:
    word = note.channel.partition(" ")[0]
    if word == "file":
        with storage_errors(history.state):
            _write(history.state / FOLDER / f"{note.day}.md", note.text.encode())
        return
    argv = argv_of(SETTINGS[CHANNEL], note.channel)
    if not argv:
        raise DeliveryError(
            "digest_channel names a webhook, and digests cannot be sent to one yet.",
            hint='"file" and "command PROGRAM" work (`clawgit config set digest_channel …`).',
        )
    told = {"digest": f"{history.root.name}-{note.day}", "day": note.day.isoformat(), "text": _cut(note.text)}
    done = call_handler((str(history.root / argv[0]), *argv[1:]), told, history.root, SECONDS)
    if done.code != 0:
        raise DeliveryError(f"The digest did not arrive. {done.told()}")


def _cut(text: str) -> str:
    """Return a message as a program's input has room for it, cut between two lines."""
    if len(text) <= MOST:
        return text
    return text[: text.rindex("\n", 0, MOST)] + "\n\n… `clawgit digest` shows all of it.\n"


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    aside = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
