"""What systemd is told by a unit of `Type=notify` with a watchdog.

Mutants that these tests caught: no sign of life, the end not told, a child that speaks for the service.
"""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest

from clawgit.service.daemon import ALIVE, READY, STOPPING, SystemdNotice

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HANGS = 120


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Return what listens in systemd's place."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.settimeout(HANGS)
        listener.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "120000000")
        yield listener


@pytest.mark.rest
def test_the_service_says_when_it_is_ready_that_it_lives_and_when_it_ends(systemd, start_service) -> None:
    running = start_service()
    said = [systemd.recv(100).decode()]
    while len(said) < 3:
        said.append(systemd.recv(100).decode())
    running.end()
    while said[-1] != STOPPING:
        said.append(systemd.recv(100).decode())

    assert said[0] == READY
    assert set(said[1:-1]) == {ALIVE}


def test_what_the_service_starts_does_not_speak_for_it(systemd) -> None:
    SystemdNotice(os.environ)

    assert not {"NOTIFY_SOCKET", "WATCHDOG_USEC"} & set(os.environ)


def test_an_abstract_address_is_reached_and_a_dead_one_hurts_nobody() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.settimeout(HANGS)
        listener.bind(b"\0clawgit-%d" % os.getpid())
        SystemdNotice({"NOTIFY_SOCKET": f"@clawgit-{os.getpid()}"}).tell(READY)
        assert listener.recv(100) == READY.encode()
    SystemdNotice({"NOTIFY_SOCKET": "/nowhere/notify"}).tell(READY)
    SystemdNotice({}).tell(READY)
