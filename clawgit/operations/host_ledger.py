"""Memory files in a host's prompt: the text shown in their place, and the files that the host leaves out."""

from __future__ import annotations

import hashlib
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError, UsageError
from clawgit.memory.entries.tiers import MEMORY_FILES, USER_FILE
from clawgit.workspace.user import openclaw_ledger
from clawgit.workspace.user.connections import Connection, connections_folder, connections_to

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.git.repository import History
    from clawgit.operations.caller import Caller

IN_PROMPTS = (*MEMORY_FILES, USER_FILE)
SHOWN = 5


class HostLedger(NamedTuple):
    """OpenClaw's ledger for a workspace; ``is_replaced``: clawgit's plugin shows these files itself."""

    demoted: tuple[openclaw_ledger.Demoted, ...] = ()
    is_replaced: bool = False
    problem: str = ""

    @property
    def way_out(self) -> str:
        if self.is_replaced:
            return (
                "While clawgit is connected its plugin shows the file in its place;"
                " `clawgit disconnect openclaw` puts the ledger back."
            )
        return (
            "`clawgit doctor --fix` shows what is in the file and asks whether your agent may read it again;"
            " `clawgit connect openclaw` ends the cause."
        )

    @property
    def sentences(self) -> list[str]:
        """Return which files of the prompt are left out; those about to be only if the plugin shows none."""
        sentences = []
        for each in self.demoted:
            if each.path in IN_PROMPTS and (each.is_out or not self.is_replaced):
                sentences.append(each.sentence)
        return sentences


def read_host_ledger(caller: Caller, history: History) -> HostLedger:
    connections = connections_to(connections_folder(caller.registry_file.parent), "openclaw")
    roots = [each.workspace for each in connections]
    is_replaced = history.root in roots and bool(connections[0].changed)
    try:
        demoted = openclaw_ledger.demoted_files(
            openclaw_ledger.openclaw_state(caller.environment, Path.home()), history.root
        )
    except openclaw_ledger.OpenClawLedgerError as error:
        return HostLedger(is_replaced=is_replaced, problem=error.message)
    return HostLedger(tuple(demoted), is_replaced)


def lift_demoted(caller: Caller, demoted: Sequence[openclaw_ledger.Demoted]) -> list[str]:
    return openclaw_ledger.lift(openclaw_ledger.openclaw_state(caller.environment, Path.home()), demoted)


def preview_lines(history: History, demoted: openclaw_ledger.Demoted, now: datetime) -> list[str]:
    """Return the lines of a file that are not vouched for: the operator sees them before the agent reads it again."""
    from clawgit.context.longterm_slot import read_host_file

    read = read_host_file(history, demoted.path, now)
    if read is None:
        return [f"  {demoted.path}: it is in no commit, so nobody knows whose words it holds."]
    if not read.doubtful:
        return [f"  {demoted.path}: each of its lines is yours, or your agent's from a turn of its own."]
    lines = [f"  {demoted.path}: {len(read.doubtful)} line(s) are somebody else's or an unknown author's:"]
    for passage in read.doubtful[:SHOWN]:
        lines.append(f"    {passage.place}: {passage.text.splitlines()[0][:120]}")
    return lines


def caused_by_connection(
    history: History, connection: Connection, demoted: Sequence[openclaw_ledger.Demoted], now: datetime
) -> list[openclaw_ledger.Demoted]:
    """Return the files that were shown at connection and gained nothing doubtful since: leaving puts them back."""
    from clawgit.context.longterm_slot import read_host_file

    caused = []
    for each in demoted:
        read = read_host_file(history, each.path, now)
        if each.path in connection.demoted or read is None:
            continue
        if not read.doubtful or not read.gained(_at_connect(history, connection, each.path, now)):
            caused.append(each)
    return caused


def _at_connect(history: History, connection: Connection, path: str, now: datetime) -> bytes:
    """Return a file as it was when the host was connected; empty if that is unknown."""
    from clawgit.history.states import as_of

    try:
        commit = as_of(history, datetime.fromisoformat(connection.made), now).commit
    except (ClawgitError, ValueError):
        return b""
    return history.tree_of(commit.commit_id).read(path) or b""


class HostFileRequest(NamedTuple):
    """A memory file of the host's prompt, the hash of the host's bytes, and the room for it in characters."""

    path: str
    hash: str
    room: int = 20_000


class ShownFile(NamedTuple):
    """The text to show, its origin as a whole, and the hash of the bytes that were judged."""

    path: str
    hash: str
    origin: str
    text: str


def show_host_file(caller: Caller, request: HostFileRequest) -> ShownFile:
    """Return the origin of a file's lines by its last commit, and the file without what no longer holds.

    Bytes that are not in the last commit are untrusted; the text is then that of the commit.
    """
    if request.path not in MEMORY_FILES and request.path.rpartition("/")[2] != USER_FILE:
        raise UsageError(f"{request.path} is no file of memory that a host puts into its prompt.")
    from clawgit.context.longterm_slot import UNTRUSTED, read_host_file

    history = caller.history()
    read = read_host_file(history, request.path, caller.now(history), request.room)
    if read is None:
        return ShownFile(request.path, "", UNTRUSTED, "")
    digest = hashlib.sha256(read.data).hexdigest()
    origin = UNTRUSTED
    if digest == request.hash:
        origin = read.origin
    return ShownFile(request.path, digest, origin, read.text)
