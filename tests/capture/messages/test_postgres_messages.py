"""What only a server can refuse or cut off.

Mutants that these tests caught: the schema made anew, or tried to, whenever the store is opened; a connection that is
lost before it was told how it is used, not made again.
"""

from __future__ import annotations

import secrets
import socket
import threading
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import psycopg
import pytest

from clawgit.capture.messages.message import MessageQuery
from clawgit.capture.messages.message_store import MessageStore
from clawgit.capture.messages.postgres_messages import SCHEMA, PostgresMessages

if TYPE_CHECKING:
    from collections.abc import Iterator

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)


@pytest.fixture
def workspace(postgres_url, said) -> str:
    """Return a workspace with one message, put there by who owns the database."""
    name = f"ws-{secrets.token_hex(6)}"
    store = MessageStore(PostgresMessages(postgres_url, NOW), name)
    store.add([said("Tea is at four.")])
    store.close()
    return name


def texts(url: str, workspace: str) -> list[str]:
    store = MessageStore(PostgresMessages(url, NOW), workspace)
    try:
        return [each.text for each in store.log(MessageQuery())]
    finally:
        store.close()


def test_a_server_that_only_reads_is_read(postgres_url, workspace) -> None:
    assert texts(f"{postgres_url}&options=-cdefault_transaction_read_only%3Don", workspace) == [
        "Tea is at four."
    ]


def test_a_role_that_may_not_make_tables_reads_and_writes(postgres_url, workspace, said) -> None:
    role = f"role_{secrets.token_hex(6)}"
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute(f"CREATE ROLE {role} LOGIN")
        owner.execute(f"GRANT USAGE ON SCHEMA {SCHEMA} TO {role}")
        owner.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {SCHEMA} TO {role}")
    url = postgres_url.replace("postgres@", f"{role}@")

    store = MessageStore(PostgresMessages(url, NOW), workspace)
    store.add([said("Coffee is at five.")])
    store.close()

    assert texts(url, workspace) == ["Tea is at four.", "Coffee is at five."]


class CuttingProxy:
    """Something between us and the server that cuts the first words of as many connections as it is told."""

    def __init__(self, listening: socket.socket, server: str) -> None:
        self.cuts = 0
        self._listening, self._server = listening, server
        self._opened: list[socket.socket] = []

    def serve(self) -> None:
        with suppress(OSError):
            while True:
                ours, _ = self._listening.accept()
                theirs = socket.socket(socket.AF_UNIX)
                self._opened += [ours, theirs]
                theirs.connect(self._server)
                for ends in ((ours, theirs), (theirs, ours)):
                    threading.Thread(target=self._forward, args=ends, daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if b"SET search_path" in data and self.cuts:
                    self.cuts -= 1
                    break
                target.sendall(data)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        for each in (self._listening, *self._opened):
            each.close()


@pytest.fixture
def proxied(postgres_url, tmp_path_factory) -> Iterator[tuple[str, CuttingProxy]]:
    """Return the address of a proxy before the server, and the proxy."""
    folder = tmp_path_factory.mktemp("pg")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(f"{folder}/.s.PGSQL.5432")
    listening.listen()
    server = postgres_url.partition("host=")[2].partition("&")[0]
    proxy = CuttingProxy(listening, f"{server}/.s.PGSQL.5432")
    threading.Thread(target=proxy.serve, daemon=True).start()
    yield f"postgresql://postgres@/postgres?host={folder}", proxy
    proxy.close()


@pytest.mark.rest
def test_a_connection_that_is_lost_as_soon_as_it_is_made_is_made_again(proxied, workspace) -> None:
    url, proxy = proxied
    proxy.cuts = 2
    assert texts(url, workspace) == ["Tea is at four."]
    assert proxy.cuts == 0, "nothing was cut"
