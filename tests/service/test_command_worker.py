"""Where somebody ends the process that makes commands quick, `status` says so, and commands work all the same."""

from __future__ import annotations

import os
import signal
import socket
import struct
from typing import TYPE_CHECKING

from running_service import until

from clawgit.client import COMMANDS
from clawgit.operations.standing import read_standing
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


def test_status_and_doctor_say_that_commands_take_longer(start_service, room, clawgit) -> None:
    running = start_service()
    home = {"HOME": os.environ["HOME"]}
    worker = until(lambda: worker_of(running))
    assert "makes commands quick" not in clawgit("status", environment=home).out

    os.kill(worker, signal.SIGKILL)

    said = until(lambda: read_standing(running.folder).worker)
    assert f"! {said}" in clawgit("status", environment=home).out
    assert clawgit("status", "--json", environment=home).data["service"]["worker"] == said
    assert said in {each["what"] for each in clawgit("doctor", "--json", environment=home).data}
    assert "(signal 9)" in running.wait_for("worker")
    assert not (running.folder / COMMANDS).exists()
    assert not running.client().ask("health")["result"]["ok"]
    assert running.end() == 0
