"""What comes over the socket can be anything; nobody else is hurt, and the service stays."""

from __future__ import annotations

import json
import random
import signal
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from running_service import until

from clawgit.client import COMMANDS
from clawgit.service.requests import LONGEST_LINE
from clawgit.service.socket_server import MOST_CONNECTIONS

HERE = {"workspace": "main", "actor": "host"}
MEGABYTE = 1024 * 1024

SPARE = 30  # files that the service opens for itself: threads, indexes, connections that stay open; far less than the clients


@pytest.fixture
def running(start_service):
    return start_service()


def is_well(running) -> bool:
    said = running.client().ask("health")
    return said is not None and said.get("result", {}).get(
        "ok", False
    )  # where too many are there, it is not yet


def request(method: str, **params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": HERE | params}).encode() + b"\n"


def test_half_a_line_and_the_end(running) -> None:
    client = running.client()
    client.send(request("status")[:20])

    client.close()

    assert is_well(running)


def test_half_a_line_that_goes_on_later_is_one_request(running) -> None:
    client = running.client()
    said = request("triage", text="Don't forget: tea at four.")

    client.send(said[:20])
    assert is_well(running)  # meanwhile another is answered
    client.send(said[20:])

    assert client.line()["result"]["miner"]


def test_ten_megabytes_without_an_end_are_refused_and_the_connection_ends(running) -> None:
    """Mutant: the line has no bound."""
    client, said = running.client(), None
    with suppress(ConnectionError):  # it hangs up before all was said, and at times before its answer is seen
        for _ in range(10):
            client.send(b"x" * MEGABYTE)
        said = client.line()
        assert client.line() is None

    assert said is None or f"{LONGEST_LINE:,}" in said["error"]["message"]
    assert is_well(running)


def test_a_line_as_long_as_allowed_is_read(running) -> None:
    said = request("triage", text="x" * (LONGEST_LINE - 200))
    client = running.client()

    client.send(said)

    assert client.line()["result"]["miner"] is False


@pytest.mark.smoke
@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"\x00\n",
        b"tea\n",
        b"{}\n",
        b"[" * 50_000 + b"\n",
        b'{"jsonrpc":"2.0","id":1,"method":"nothing.such"}\n',
        b'{"jsonrpc":"2.0","id":{"a":[1]},"method":"status","params":{"workspace":"main","actor":"host"}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"memory.get","params":{"workspace":"main","actor":"host","path":"a\\u0000b"}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"memory.get","params":{"workspace":"main","actor":"host","path":"../../etc/passwd"}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"memory.search","params":{"workspace":"main","actor":"host","query":"\\ud800"}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"message.in","params":{"workspace":"main","actor":"host","text":"\\ud800"}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"status","params":{"workspace":"\\u0000","actor":"host"}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"status","params":{"workspace":"/etc","actor":"host"}}\n',
        b'{"jsonrpc":"2.0","id":1e999,"method":"health"}\n',
    ],
    ids=lambda line: line[:90].decode("latin-1").strip(),
)
def test_every_line_is_answered_or_passed_over_and_the_next_one_too(running, line: bytes) -> None:
    client = running.client()

    client.send(line)
    client.send(request("health"))

    said = client.line()
    while "result" not in said or "ok" not in said["result"]:
        assert said.get("error", {}).get("code") != -32603, said
        said = client.line()


def test_a_client_that_reads_nothing_holds_up_nobody_and_is_left(running) -> None:
    """Mutant: answers are collected for it without a bound."""
    slow = running.client()
    line = request("memory.get", path="x" * 100_000)  # its refusal is as long

    with pytest.raises(ConnectionError):
        slow.send(line * 300)

    assert is_well(running)


def test_two_hundred_at_once_are_all_answered(running) -> None:
    clients = [running.client() for _ in range(200)]
    for number, client in enumerate(clients):
        client.send(request("triage", text="Don't forget: tea.", id=number))

    answers = [client.line()["result"] for client in clients]

    assert [each["id"] for each in answers] == list(range(200))
    assert all(each["miner"] for each in answers)


def test_more_than_it_takes_are_told_so(running) -> None:
    clients = [running.client() for _ in range(MOST_CONNECTIONS)]
    for client in clients[:3]:
        assert client.ask("health")["result"]["ok"]
    until(lambda: _is_full(running))

    clients[0].close()

    until(lambda: not _is_full(running))


def _is_full(running) -> bool:
    client = running.client()
    try:
        client.send(request("health"))
        said = client.line()
    except OSError:
        said = {"error": {}}
    client.close()
    running.clients.remove(client)
    return said is None or "error" in said


def test_clients_that_die_over_a_request_leave_nothing_behind(running, full_length) -> None:
    """Mutant: the request's end is not noticed, and its place is never free again."""
    until(lambda: is_well(running))
    before = open_files(running)
    for number in range(600 if full_length else MOST_CONNECTIONS + 10):
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(running.requests))
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.sendall(request("memory.search" if number % 20 == 0 else "health", query=f"tea {number}"))
        client.close()

    until(lambda: is_well(running))
    until(lambda: open_files(running) < before + SPARE)


def open_files(running) -> int:
    """Return how many files the service has open; some are those of the process that it was forked from."""
    return len(list(Path(f"/proc/{running.pid}/fd").iterdir()))


def test_nonsense_on_the_socket_of_commands_is_left_alone(running, room, full_length) -> None:
    """Whatever is sent, the next command is done."""
    until((running.folder / COMMANDS).exists)
    dice = random.Random(7)
    for number in range(200 if full_length else 6):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(running.folder / COMMANDS))
            if dice.random() < 0.8:
                client.sendall(dice.randbytes(dice.choice((1, 3, 4, 100))))
            if number % 5 == 1:  # seconds pass until it hangs up
                client.recv(1)

    done = subprocess.run(
        [sys.executable, "-P", "-m", "clawgit", "status"], capture_output=True, check=False, cwd=room.root
    )

    assert done.returncode == 0
    assert is_well(running)


def test_commands_whose_clients_are_killed_end_too(running, room, full_length) -> None:
    until((running.folder / COMMANDS).exists)
    for _ in range(20 if full_length else 4):
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "clawgit", "triage", "--jsonl"],
            cwd=room.root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert process.stdin
        assert process.stdout
        process.stdin.write(b'{"id": "1", "text": "tea"}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.communicate()

    until(lambda: _forks(running) == 0)


def _forks(running) -> int:
    """Count the forks of the process that does commands for the service."""
    done = subprocess.run(["pgrep", "-P", str(running.pid)], capture_output=True, check=True, text=True)
    server = done.stdout.split()[0]
    return len(subprocess.run(["pgrep", "-P", server], capture_output=True, check=False).stdout.split())
