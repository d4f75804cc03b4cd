"""OpenClaw's ledger of authors of memory files: the files that it leaves out of the prompt, and how to lift that.

OpenClaw (since 2026.7) notes the hash of each file of memory that its agent writes. A file that another program changed
in between is untrusted from the agent's next write on, for good, and left out of all prompts, without a message.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.workspace.find_workspace import with_home
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clawgit.workspace.user.connections import Connection

UNTRUSTED: Final = "untrusted"
_LEDGER: Final = "state/openclaw.sqlite"
_ENTRIES: Final = "FROM plugin_state_entries WHERE plugin_id = ? AND namespace = ?"
_PLACE: Final = ("core:memory-artifact-provenance", "workspace-files")
_WAIT_SECONDS: Final = 5.0


class OpenClawLedgerError(ClawgitError):
    """OpenClaw's ledger cannot be read or changed."""


class LedgerEntry(NamedTuple):
    """The ledger's entry for one file; ``value`` is its unparsed row, to recognize it later."""

    path: str
    origin: str
    file_hash: str
    at: datetime
    key: str
    value: str


class Demoted(NamedTuple):
    """A file that OpenClaw leaves out of the prompt now (``is_out``) or soon."""

    entry: LedgerEntry
    is_out: bool

    @property
    def path(self) -> str:
        return self.entry.path

    @property
    def sentence(self) -> str:
        text = f"OpenClaw will leave {self.path} out of what your agent reads once your agent writes into it"
        if not self.is_out:
            return f"{text} (2026.7 does already): another program changed it since."
        text = (
            f"OpenClaw leaves {self.path} out of what your agent reads: its ledger calls the file untrusted"
        )
        return f"{text} since {self.entry.at:%Y-%m-%d}, because another program wrote into it, too."


def openclaw_state(environment: Mapping[str, str], home: Path) -> Path:
    return Path(with_home(environment.get("OPENCLAW_STATE_DIR") or str(home / ".openclaw")))


def demoted_files(state: Path, root: Path) -> list[Demoted]:
    """Return a workspace's files that OpenClaw leaves out now or soon, by path; none without a ledger."""
    demoted = []
    for entry in sorted(read_ledger(state, root)):
        digest = _digest_of(root / entry.path)
        is_out = entry.origin == UNTRUSTED
        if digest and (is_out or digest != entry.file_hash):
            demoted.append(Demoted(entry, is_out))
    return demoted


def why_to_wait(state: Path, connections: Iterable[Connection], root: Path, paths: Iterable[str]) -> str:
    """Return what a write by clawgit would do to files in OpenClaw's prompt, empty if nothing.

    That is the first write after the agent's: OpenClaw drops the file at the agent's next one. With a connection, the
    plugin shows it anyway.
    """
    if any(each.workspace == root for each in connections):
        return ""
    shown = set()
    with suppress(OpenClawLedgerError):
        for entry in read_ledger(state, root):
            if entry.origin != UNTRUSTED and _digest_of(root / entry.path) == entry.file_hash:
                shown.add(entry.path)
    at_stake = sorted(shown.intersection(paths))
    if not at_stake:
        return ""
    return (
        f"OpenClaw keeps a ledger of {', '.join(at_stake)}: once clawgit writes there, OpenClaw leaves the file out of what your"
        " agent reads, for good, from your agent's next write on. `clawgit connect openclaw` is the way out: then the plugin"
        " shows the file itself."
    )


def read_ledger(state: Path, root: Path) -> list[LedgerEntry]:
    file = state / _LEDGER
    if not file.is_file():
        return []
    workspace = _hash_of(os.path.realpath(root))
    query = f"SELECT entry_key, value_json {_ENTRIES} AND entry_key LIKE ?"
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=_WAIT_SECONDS)) as db:
            rows = db.execute(query, (*_PLACE, f"{workspace}:%")).fetchall()
    except sqlite3.DatabaseError as error:
        if "no such table" in str(error):
            return []
        raise OpenClawLedgerError(f"OpenClaw's ledger in {file} cannot be read ({error}).") from error
    entries = []
    for key, value in rows:
        try:
            fields = json.loads(value)
            at = datetime.fromtimestamp(fields["observedAt"] / 1000, UTC)
            says = fields["relativePath"], fields["originClass"], fields["fileHash"]
            entry = LedgerEntry(*says, at, key, value)
        except (ValueError, KeyError, TypeError, OverflowError):
            continue  # a later version: OpenClaw also ignores what it cannot read
        if key.endswith(f":{_hash_of(entry.path)}"):
            entries.append(entry)
    return entries


def lift(state: Path, demoted: Sequence[Demoted]) -> list[str]:
    """Remove files from the ledger, unless OpenClaw changed them since; return their paths."""
    if not demoted:
        return []
    file = state / _LEDGER
    lifted = []
    query = f"DELETE {_ENTRIES} AND entry_key = ? AND value_json = ?"
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True, timeout=_WAIT_SECONDS)) as db, db:
            for each in demoted:
                if db.execute(query, (*_PLACE, each.entry.key, each.entry.value)).rowcount:
                    lifted.append(each.path)
    except sqlite3.DatabaseError as error:
        text = f"OpenClaw's ledger in {file} could not be changed ({error}). Nothing was changed."
        hint = "Try again; if this stays, end the Gateway first."
        raise OpenClawLedgerError(text, hint=hint) from error
    return lifted


def _digest_of(path: Path) -> str:
    try:
        with open_regular(path) as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return ""


def _hash_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
