"""Connecting a host and leaving it: what would change in its files, and the one place that changes them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.clients.host_files import FilePlan, HostFileError, Put, put_in, taken_out
from clawgit.workspace.foreign_files import open_regular
from clawgit.workspace.user.connections import connections_to, remove_connection, write_connection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from clawgit.workspace.user.connections import Connection

    Writer = Callable[["FileChange"], None]

MOST_BYTES = 16 * 1024 * 1024


class FileChange(NamedTuple):
    """One file of a host's as it is and as it shall be; None where it is not there."""

    file: str
    old: str | None
    new: str | None
    record: Mapping[str, Any] | None = None

    @property
    def is_one(self) -> bool:
        """Say whether anything changes."""
        return self.old != self.new

    @property
    def as_data(self) -> FileChange:
        """Return the change of a file of JSON that its host writes anew: none where both say the same."""
        is_same = (
            self.old is not None
            and self.new is not None
            and json.loads(self.old.lstrip("\ufeff")) == json.loads(self.new.lstrip("\ufeff"))
        )
        return self._replace(new=self.old) if is_same else self

    @property
    def lines(self) -> list[str]:
        """Return what is put in, as a person reads it."""
        puts = self.record["puts"] if self.record is not None else ()
        return [Put(each["kind"], tuple(each["place"]), each["value"]).shown for each in puts]


def changes_to_connect(plans: Iterable[FilePlan], there: Connection | None) -> list[FileChange]:
    """Return what connecting changes; what an earlier connection put in is taken out first."""
    records = {str(each["file"]): each for each in (there.changed if there else ())}
    changes = []
    for plan in plans:
        old = read_host_file(plan.file)
        record = records.pop(plan.file, None)
        bare = old if old is None or record is None else taken_out(old, record)
        new, made = put_in(bare, plan)
        changes.append(FileChange(plan.file, old, new, made))
    return [*changes, *(_taken(record) for record in records.values())]


def changes_to_leave(connection: Connection) -> list[FileChange]:
    """Return what leaving changes: each file without what was put in, the newest first."""
    return [_taken(record) for record in reversed(connection.changed)]


def connect(folder: Path, connection: Connection, changes: Iterable[FileChange], write: Writer) -> None:
    """Keep the connection, then change the files: after a crash between the two, leaving finds what there is."""
    changes = list(changes)
    made = tuple(dict(each.record) for each in changes if each.record is not None)
    write_connection(folder, connection._replace(changed=made))
    _change(changes, write)


def leave(folder: Path, connection: Connection, changes: Iterable[FileChange], write: Writer) -> None:
    """Change the files back, and forget the connection, those of the host's other workspaces first."""
    _change(changes, write)
    for each in reversed(connections_to(folder, connection.host)):
        remove_connection(folder, each.name)


def read_host_file(file: str) -> str | None:
    """Return a host's file, None where it is not there."""
    try:
        with open_regular(file) as there:
            data = there.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise HostFileError(
            f"{file} cannot be read ({error.strerror}).", hint="Look at its permissions."
        ) from error
    if len(data) > MOST_BYTES:
        raise HostFileError(f"{file} has more than {MOST_BYTES:,} bytes.", hint="Nothing was changed.")
    return data.decode("utf-8", "surrogateescape")


def _taken(record: Mapping[str, Any]) -> FileChange:
    file = str(record["file"])
    old = read_host_file(file)
    return FileChange(file, old, None if old is None else taken_out(old, record))


def _change(changes: Iterable[FileChange], write: Writer) -> None:
    for change in changes:
        if change.is_one:
            if read_host_file(change.file) != change.old:
                raise HostFileError(
                    f"{change.file} was changed in the meantime.", hint="Run the command again."
                )
            write(change)


def replace_file(change: FileChange) -> None:
    """Replace a file so that the host sees all of it or none; a link stays a link, permissions stay."""
    path = Path(os.path.realpath(change.file))
    if change.new is None:
        path.unlink()
        return
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    aside = path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(change.new.encode("utf-8", "surrogateescape"))
            file.flush()
            os.fsync(file.fileno())
        aside.chmod(mode)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
