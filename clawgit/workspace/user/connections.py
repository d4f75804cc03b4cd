"""Connections of hosts: a host's right to use the service for a workspace, and what was changed in its files.

Each has a file among the user's settings, with its token in a file beside it. Whoever holds the token acts as that
host only, never as the operator.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.errors import ConfigurationError
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.workspace.user.user_file import (
    UserFileError,
    changing_user_file,
    read_user_file,
    write_user_file,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "connections"
PROVING = frozenset({"openclaw", "claude-code", "codex"})  # hosts that can tell a person from a program
_NAME = lazy_pattern(r"[a-z0-9][a-z0-9-]{0,63}")
_TOKEN_BYTES = 32


class Connection(NamedTuple):
    """A host's connection; ``changed`` is what was put into its files, ``demoted`` the files that it left out."""

    name: str
    host: str
    workspace: Path
    made: str = ""
    changed: tuple[Mapping[str, Any], ...] = ()
    demoted: tuple[str, ...] = ()

    @property
    def may_say_who_spoke(self) -> bool:
        """Say whether its host can prove who spoke; any other has only MCP's tools."""
        return self.host in PROVING


def connections_folder(config: Path) -> Path:
    return config / FOLDER


def token_file(folder: Path, name: str) -> Path:
    return folder / f"{name}.token"


def read_connection(folder: Path, name: str) -> Connection | None:
    if not _NAME.fullmatch(name):
        return None
    path = folder / f"{name}.json"
    try:
        fields = read_user_file(path)
        if fields is None:
            return None
        changed = tuple(map(dict, fields["changed"]))
        demoted = tuple(map(str, fields.get("demoted", ())))
        about = str(fields["host"]), Path(fields["workspace"]), str(fields["made"])
        return Connection(name, *about, changed, demoted)
    except UserFileError as error:
        raise ConfigurationError(f"{path} {error}.", hint="Make it yours alone: `chmod 600`.") from error
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigurationError(f"{path} is damaged.", hint="Connect the host again.") from error


def read_connections(folder: Path) -> list[Connection]:
    connections = []
    for name in sorted(path.stem for path in folder.glob("*.json")):
        with suppress(ConfigurationError):
            connections.append(read_connection(folder, name))
    return list(filter(None, connections))


def connections_to(folder: Path, host: str) -> list[Connection]:
    """Return a host's connections, first the one with the host's name, which knows the changes of its files."""
    return [each for each in read_connections(folder) if each.host == host]


def write_connection(folder: Path, connection: Connection) -> None:
    """Write a connection, with a new token if it has none."""
    path = folder / f"{connection.name}.json"
    with changing_user_file(path):
        if read_token(folder, connection.name) is None:
            place = token_file(folder, connection.name)
            place.unlink(missing_ok=True)
            handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "w") as file:
                file.write(f"{connection.name}.{os.urandom(_TOKEN_BYTES).hex()}\n")
        fields = connection._asdict() | {"workspace": str(connection.workspace)}
        write_user_file(path, {name: value for name, value in fields.items() if name != "name"})


def remove_connection(folder: Path, name: str) -> None:
    for ending in (".token", ".json", ".lock", ".seen"):
        (folder / f"{name}{ending}").unlink(missing_ok=True)


def connection_of(folder: Path, token: str) -> Connection | None:
    """Return the connection with this token, None if there is none, or if others can read the token's file."""
    from hmac import compare_digest

    name, _, secret = token.partition(".")
    if not secret or not _NAME.fullmatch(name):
        return None
    own = read_token(folder, name)
    if own is not None and compare_digest(own.encode(), token.encode("utf-8", "replace")):
        with suppress(ConfigurationError):
            return read_connection(folder, name)
    return None


def read_token(folder: Path, name: str) -> str | None:
    """Return a connection's token; None if there is none that only this account can read."""
    try:
        with token_file(folder, name).open("rb") as file:
            state = os.fstat(file.fileno())
            text = file.read(1024).decode("ascii", "replace").strip()
    except OSError:
        return None
    is_private = not stat.S_IMODE(state.st_mode) & 0o077 and state.st_uid == os.geteuid()
    return text if is_private and len(text) > _TOKEN_BYTES else None
