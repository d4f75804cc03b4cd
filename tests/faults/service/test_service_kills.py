"""kill -9 at any time, a disk that is full, a folder that goes: nothing that was answered is lost."""

from __future__ import annotations

import json
import random
import shutil
import signal
import time

import pytest
from running_service import QUICK, until

HERE = {"workspace": "main", "actor": "host"}


def test_no_message_that_was_answered_is_lost_by_kills(start_service, room, full_length) -> None:
    """Mutant: the answer is sent before the message is on disk."""
    dice, kept = random.Random(19), []
    for number in range(40 if full_length else 5):
        running = start_service(registered=number == 0)
        client = running.client()
        until_kill = time.monotonic() + dice.random() * 0.3
        while time.monotonic() < until_kill:
            kept.append(client.ask("message.in", **HERE, text=f"Message {len(kept)}.")["result"]["id"])
        client.send(b'{"jsonrpc":"2.0","id":1,"method":"memory.add","params":' + _add(number) + b"}\n")
        time.sleep(dice.random() * 0.05)
        running.end(signal.SIGKILL)

    last = start_service(registered=False).client()

    lost = [each for each in kept if not last.ask("memory.get", **HERE, path=each)["result"]["lines"]]
    assert lost == []
    assert len(set(kept)) == len(kept)
    assert room.git("fsck", "--no-dangling") == ""
    assert last.ask("status", **HERE)["result"]["blocked"] == ""


def _add(number: int) -> bytes:
    return json.dumps({**HERE, "text": f"Fact {number} is kept."}).encode()


def test_what_was_begun_when_it_was_killed_is_whole_or_not_there(start_service, room, full_length) -> None:
    dice = random.Random(3)
    for number in range(30 if full_length else 4):
        running = start_service(QUICK._replace(period=0.2, quiet=0.05), registered=number == 0)
        room.write("memory/a.md", f"- Edit {number}.\n")
        time.sleep(dice.random() * 0.4)
        running.end(signal.SIGKILL)

    running = start_service(QUICK._replace(period=0.2, quiet=0.05), registered=False)

    until(lambda: room.git("status", "--porcelain") == "")
    assert room.git("show", "HEAD:memory/a.md") == room.read("memory/a.md").strip()
    assert running.told("aside") == []


def test_a_disk_that_is_full_stops_the_log_and_nothing_else(start_service, room) -> None:
    """Mutant: an error of the log ends the service."""
    running = start_service(QUICK._replace(period=0.2, quiet=0.05))
    running.wait_for("workspace")
    log = running.folder / "service.log"
    log.unlink()
    log.symlink_to("/dev/full")

    for words in ("Words", "More words"):  # the second is kept after the first was logged
        room.write("memory/a.md", f"- {words}.\n")
        until(lambda: room.git("status", "--porcelain") == "")

    assert running.client().ask("health")["result"]["ok"]
    log.unlink()
    room.write("memory/a.md", "- Other words.\n")
    running.wait_for("log", "could not be written")


def test_its_folder_goes_again_and_again(start_service, full_length) -> None:
    running = start_service()
    for _ in range(20 if full_length else 3):
        shutil.rmtree(running.folder)
        until(running.requests.exists)
        until(lambda: running.client().ask("health")["result"]["process"] == running.pid)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "^C"])
def test_the_end_comes_in_the_middle_of_many_requests(start_service, number: signal.Signals, room) -> None:
    running = start_service()
    clients = [running.client() for _ in range(20)]
    for client in clients:
        client.send(b'{"jsonrpc":"2.0","id":1,"method":"memory.add","params":' + _add(id(client)) + b"}\n")

    assert running.end(number) == 0

    assert room.git("status", "--porcelain") == ""
    assert room.git("fsck", "--no-dangling") == ""
