"""There is one service; it ends in good order, heals what was taken away, and leaves nobody waiting."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from running_service import QUICK, until

from clawgit.client import COMMANDS, LOCK
from clawgit.errors import ExitCode
from clawgit.operations.status import read_standing
from clawgit.service import daemon
from clawgit.service.page_server import ADDRESS
from clawgit.service.sockets import is_there, place_of

if TYPE_CHECKING:
    from pathlib import Path

HERE = {"workspace": "main", "actor": "host"}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def search(root: Path, **extra: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "clawgit", "memory", "search", "tea"],
        capture_output=True,
        check=False,
        cwd=root,
        env={**os.environ, **extra},
        text=True,
    )


def test_what_it_makes_is_for_this_account_alone(start_service) -> None:
    """T14. Mutant: the sockets are made under the umask of whoever starts it."""
    running = start_service()
    until(lambda: (running.folder / COMMANDS).exists() and (running.folder / "service.log").exists())
    made = ["requests.sock", COMMANDS, LOCK, "service.log"]
    if find_spec("starlette"):  # the extra `page`
        made.append(ADDRESS)

    assert mode(running.folder) == 0o700
    assert {path.name: mode(path) for path in running.folder.iterdir()} == dict.fromkeys(made, 0o600)


@pytest.mark.rest
def test_a_second_one_is_refused_and_the_first_named(start_service, tmp_path) -> None:
    running = start_service()

    second = start_service(registered=False)
    second.process.join()

    assert second.process.exitcode == ExitCode.BUSY
    said = (tmp_path / "service-1.out").read_text()
    assert f"process {running.pid}, since 20" in said
    assert running.client().ask("health")["result"]["ok"]


@pytest.mark.rest
def test_it_finishes_what_it_does_before_it_ends(start_service, room) -> None:
    """Mutant: the end does not wait for what was begun."""
    running = start_service()
    client = running.client()
    client.send(
        b'{"jsonrpc":"2.0","id":1,"method":"memory.add","params":{"workspace":"main","actor":"host","text":"Tea."}}\n'
    )
    assert running.client().ask("health")["result"]["ok"]  # what came before it was begun

    assert running.end() == 0
    assert "Tea." in room.git("log", "-p")
    assert not running.requests.exists()
    assert not (running.folder / COMMANDS).exists()
    assert read_standing(running.folder) is None
    assert running.told("stopped")
    assert room.git("status", "--porcelain") == ""


@pytest.mark.rest
def test_after_a_kill_the_next_one_starts_and_nothing_is_lost(start_service, room) -> None:
    running = start_service()
    kept = running.client().ask("message.in", **HERE, text="I like tea.")["result"]["id"]
    running.end(signal.SIGKILL)
    assert running.requests.exists()
    assert search(room.root).returncode == 0  # a socket that nobody answers

    again = start_service(registered=False)

    found = again.client().ask("memory.search", **HERE, query="tea")["result"]["results"]
    assert [each["path"] for each in found] == [kept]


@pytest.mark.rest
def test_commands_are_done_while_it_is_stopped(start_service, room) -> None:
    """A service that does not answer in time is not waited for."""
    running = start_service()
    until((running.folder / COMMANDS).exists)
    alone = search(room.root, CLAWGIT_NO_SERVICE="1")
    os.kill(running.pid, signal.SIGKILL)
    running.process.join()

    assert search(room.root).stdout == alone.stdout


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name", ["requests.sock", COMMANDS, LOCK, ""], ids=["requests", "commands", "lock", "the folder"]
)
def test_what_was_taken_away_is_there_again(start_service, name: str) -> None:
    running = start_service()
    until((running.folder / COMMANDS).exists)
    if name:
        (running.folder / name).unlink()
    else:
        shutil.rmtree(running.folder)

    until((running.folder / (name or "requests.sock")).exists)
    until((running.folder / COMMANDS).exists)

    assert running.client().ask("health")["result"]["process"] == running.pid
    until(lambda: (standing := read_standing(running.folder)) and standing.process == running.pid)
    assert mode(running.folder) == 0o700


@pytest.mark.rest
def test_a_service_whose_code_is_old_says_so_and_leaves_commands_to_others(
    start_service, monkeypatch, tmp_path, room
) -> None:
    """Mutant: the stamp is of the version alone."""
    package = tmp_path / "package"
    package.mkdir()
    (package / "a.py").write_text("1")
    monkeypatch.setattr(daemon, "_PACKAGE", package)
    running = start_service(QUICK._replace(stale=0.02))
    until((running.folder / COMMANDS).exists)

    (package / "a.py").write_text("22")

    assert "clawgit down" in running.wait_for("stale")
    until(lambda: not (running.folder / COMMANDS).exists())
    until(lambda: (standing := read_standing(running.folder)) and standing.is_stale)
    assert not running.client().ask("health")["result"]["ok"]
    assert running.client().ask("status", **HERE)["result"]["service"]["stale"]


@pytest.mark.rest
def test_where_the_process_that_does_commands_dies_they_are_done_elsewhere(start_service, room) -> None:
    running = start_service()
    until((running.folder / COMMANDS).exists)
    done = subprocess.run(["pgrep", "-P", str(running.pid)], capture_output=True, check=True, text=True)
    os.kill(int(done.stdout.split()[0]), signal.SIGKILL)

    assert search(room.root).returncode == 0
    client = running.client()
    assert until(lambda: client.ask("health")["result"]["ok"])


def test_what_is_taken_away_before_it_was_looked_at_is_not_there(tmp_path) -> None:
    """Mutant: nothing is the same as nothing, and the socket is never bound again."""
    gone = tmp_path / "requests.sock"

    assert not is_there(gone, place_of(gone))


def folder_that_is_waited_for(place: Path) -> Path:
    """Make a workspace whose git settings are a pipe: libgit2 waits for somebody who writes into it."""
    subprocess.run(["git", "init", "-q", str(place)], check=True)
    (place / ".git/config").unlink()
    os.mkfifo(place / ".git/config")
    return place


@pytest.mark.rest
def test_it_ends_and_gives_up_its_lock_though_a_request_never_does(start_service, room, tmp_path) -> None:
    """Mutant: it says that it has ended, and lives on with its lock until somebody writes into the pipe."""
    running = start_service(QUICK._replace(finish=0.5))
    stuck = folder_that_is_waited_for(tmp_path / "stuck")
    client = running.client()
    request = {"jsonrpc": "2.0", "id": 1, "method": "status"}
    params = {"workspace": str(stuck), "actor": "host"}
    client.send(json.dumps({**request, "params": params}).encode() + b"\n")
    writer = until(lambda: opened_for_writing(stuck / ".git/config"))

    status = running.end()
    os.close(writer)

    assert status == 0
    assert read_standing(running.folder) is None
    assert "something that it did had no end" in running.told("stopped")[-1]
    assert start_service().client().ask("health")["result"]["ok"]


def opened_for_writing(pipe: Path) -> int | None:
    """Open a pipe once somebody reads from it, who then waits for what is written."""
    try:
        return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return None
