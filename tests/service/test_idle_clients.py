"""Clients that ask nothing for long: they are let go, and hold no place."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from clawgit.service.request_desk import RequestDesk
from clawgit.service.requests import Method
from clawgit.service.socket_server import SocketServer
from clawgit.service.sockets import address_of

if TYPE_CHECKING:
    from pathlib import Path

ASKS = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "echo", "params": {}}).encode() + b"\n"


@pytest.mark.parametrize(
    ("sent", "answers"),
    [
        pytest.param(b"", 0, id="says nothing"),
        pytest.param(ASKS[:20], 0, id="half a line"),
        pytest.param(ASKS, 1, id="asks once"),
        pytest.param(ASKS * 3, 3, id="asks three times"),
    ],
)
def test_who_is_idle_is_let_go_behind_the_answers(tmp_path: Path, sent: bytes, answers: int) -> None:
    """Mutant: a client that never ends has one of the places for ever."""

    async def talk() -> list[bytes]:
        desk = RequestDesk({"echo": Method(lambda _: "here", of_workspace=False)}, lambda _: tmp_path, repr)
        server = SocketServer(tmp_path / "s", desk, idle=0.2)
        await server.open()
        with address_of(tmp_path / "s") as address:
            reader, writer = await asyncio.open_unix_connection(address)
        writer.write(sent)
        lines = (await reader.read()).splitlines()  # until the server ends the connection
        writer.close()
        await server.close()
        return lines

    assert [json.loads(line)["result"] for line in asyncio.run(talk())] == ["here"] * answers
