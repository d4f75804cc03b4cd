"""The process that makes commands quick is replaced where somebody ends it, and `status` says so meanwhile."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from running_service import until

from clawgit.client import COMMANDS
from clawgit.operations.status import read_standing
from clawgit.service.sockets import address_of

if TYPE_CHECKING:
    from running_service import Running


def worker_of(running: Running) -> int:
    """Return the process that listens for commands, 0 where none does."""
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            with address_of(running.folder / COMMANDS) as address:
                connection.connect(address)
        except OSError:
            return 0
        peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        return int(struct.unpack("3i", peer)[0])


def is_done_by_the_service(root: Path) -> bool:
    """Say whether a command is done elsewhere than in its own process, which then loads no parser of commands."""
    code = "import sys; from clawgit.client import served; print(served(sys.argv[1:], dict(__import__('os').environ)))"
    words = [sys.executable, "-P", "-c", code, "status"]
    done = subprocess.run(words, capture_output=True, check=True, cwd=root, text=True)
    return done.stdout.splitlines()[-1] == "0"


@pytest.mark.rest
def test_one_that_was_ended_is_replaced_again_and_again(start_service, room) -> None:
    """Mutant: nobody looks after it, and commands are slow until the service is started again."""
    running = start_service()
    met: list[int] = []
    for number in (signal.SIGKILL, signal.SIGUSR1, signal.SIGKILL):
        worker = until(lambda: worker_of(running))
        assert worker not in met
        met.append(worker)
        os.kill(worker, number)
        until(lambda gone=worker: worker_of(running) not in (0, gone))

    until(lambda: not read_standing(running.folder).worker)
    assert is_done_by_the_service(room.root)
    assert len([text for text in running.told("worker") if "another one begins" in text]) == 3
    assert running.end() == 0
    assert not (running.folder / COMMANDS).exists()


def test_status_and_doctor_say_so_until_there_is_another_one(start_service, room, clawgit) -> None:
    running = start_service(changed=lambda _, workings: workings._replace(worker=["false"]))
    home = {"HOME": os.environ["HOME"]}
    worker = until(lambda: worker_of(running))
    assert "makes commands quick" not in clawgit("status", environment=home).out

    os.kill(worker, signal.SIGKILL)

    said = until(lambda: read_standing(running.folder).worker)
    assert f"! {said}" in clawgit("status", environment=home).out
    assert clawgit("status", "--json", environment=home).data["service"]["worker"] == said
    assert said in {each["what"] for each in clawgit("doctor", "--json", environment=home).data}
    assert not running.client().ask("health")["result"]["ok"]
    assert running.end() == 0


def test_the_one_that_begins_goes_with_the_service(start_service, room) -> None:
    """Mutant: the new one outlives the service, and answers with old code."""
    running = start_service()
    first = until(lambda: worker_of(running))
    os.kill(first, signal.SIGKILL)
    second = until(lambda: worker_of(running) not in (0, first) and worker_of(running))

    running.end(signal.SIGKILL)

    until(lambda: not is_alive(second))


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
