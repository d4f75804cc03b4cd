"""The model of the host that is connected to the workspace: its plugin lends it, so no second key is needed."""

from __future__ import annotations

import json
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from clawgit.agents.models.model import ModelError, Reply
from clawgit.client import connected
from clawgit.workspace.user.connections import (
    connections_folder,
    connections_to,
    read_connections,
    read_token,
)
from clawgit.workspace.user.user_file import user_config_dir

if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Iterable, Mapping

    from clawgit.agents.models.model import Asked
    from clawgit.workspace.user.connections import Connection

HOST: Final = "host"
MODEL_DOOR: Final = "modelSocket"  # what the plugin's settings call it
MOST_BYTES: Final = 2 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class HostModel:
    """A model behind the socket at ``place``, empty where no host is connected that lends one."""

    place: str
    token: str
    seconds: float

    @property
    def name(self) -> str:
        """Return what the setting calls it."""
        return HOST

    def reply(self, asked: Asked) -> Reply:
        """Return what the host's model says; see `Model`."""
        if not self.place or not self.token:
            raise ModelError(
                "No host that is connected to this workspace lends a model.",
                hint="`clawgit connect openclaw`.",
            )
        question = {
            "token": self.token,
            "messages": asked.spoken(),
            "max_tokens": asked.most_tokens,
        }
        return _reply(self._said(json.dumps(question).encode() + b"\n"))

    def _said(self, line: bytes) -> bytes:
        try:
            connection = connected(self.place)
        except OSError as error:
            raise ModelError(
                "The host's model cannot be asked: its Gateway does not answer.",
                hint="`openclaw gateway status`.",
            ) from error
        with closing(connection):
            try:
                return _exchanged(connection, line, time.monotonic() + self.seconds)
            except OSError as error:
                raise ModelError(f"The host's model gave no answer ({error}).", reached=True) from error


def host_model(environment: Mapping[str, str], root: Path, seconds: float) -> HostModel:
    """Return the model that a host lends which is connected to the workspace."""
    folder = connections_folder(user_config_dir(environment, Path.home()))
    for connection in read_connections(folder):
        if connection.workspace == root and (place := _door(connections_to(folder, connection.host))):
            return HostModel(place, read_token(folder, connection.name) or "", seconds)
    return HostModel("", "", seconds)


def _door(connections: Iterable[Connection]) -> str:
    records = (record for each in connections for record in each.changed)
    values = (put.get("value") for record in records for put in record.get("puts", ()))
    return next(
        (str(each[MODEL_DOOR]) for each in values if isinstance(each, dict) and MODEL_DOOR in each), ""
    )


def _exchanged(connection: socket, line: bytes, until: float) -> bytes:
    connection.settimeout(max(until - time.monotonic(), 0.001))
    connection.sendall(line)
    said = b""
    while not said.endswith(b"\n"):
        connection.settimeout(max(until - time.monotonic(), 0.001))
        part = connection.recv(65536)
        if not part or len(said) > MOST_BYTES:
            raise OSError("it ended too soon" if not part else "it has no end")
        said += part
    return said


def _reply(said: bytes) -> Reply:
    try:
        answer: Any = json.loads(said)
        text = answer.get("text")
    except (ValueError, AttributeError, RecursionError) as error:
        raise ModelError("The host's model did not answer in JSON.", reached=True) from error
    if not isinstance(text, str):
        why = str(answer.get("error") or "it said nothing")
        raise ModelError(f"The host's model failed: {why[:500]}", reached=answer.get("reached") is True)
    return Reply(text, answer.get("tokens"), answer.get("cut") is True)
