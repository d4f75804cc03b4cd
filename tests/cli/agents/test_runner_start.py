"""`clawgit runner start`: the program itself, from its start to its end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def start(room) -> Iterator:
    """Return a function that starts the runner, and waits until it looks after the workspaces."""
    running = []

    def call(*words: str) -> subprocess.Popen[str]:
        argv = [sys.executable, "-P", "-m", "clawgit", "runner", "start", "--json", *words]
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        running.append(process)
        return process

    yield call
    for each in running:
        each.kill()
        each.communicate()


def until(process: subprocess.Popen[str], wanted: str) -> dict:
    for line in process.stdout:
        event = json.loads(line)
        if event["event"] == wanted and (event["slot"] is None or event["slot"]["state"] == "done"):
            return event
    raise AssertionError(process.stderr.read())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "^C"])
def test_a_correction_is_in_force_while_it_works_and_a_signal_ends_it(clawgit, start, room, end) -> None:
    assert clawgit("workspaces", "add", "main", str(room.root)).code == 0
    clawgit("memory", "add", "We deploy on Mondays.", "--to", "MEMORY.md")
    process = start()
    assert until(process, "start")["text"] == "1 workspace(s) are looked after."
    said = [sys.executable, "-P", "-m", "clawgit", "-w", str(room.root), "chat", "add"]
    subprocess.run([*said, "No, we deploy on Thursdays, not on Mondays."], check=True, capture_output=True)

    event = until(process, "job")
    process.send_signal(end)

    assert event["workspace"] == str(room.root)
    assert (event["slot"]["job"], event["slot"]["outcome"]) == ("recall-validator", "applied")
    assert "Thursdays" in room.read("MEMORY.md")
    assert until(process, "stop")
    assert process.wait() == 0


def test_one_workspace_is_looked_after_where_it_is_named(start, room) -> None:
    process = start("-w", str(room.root))

    assert until(process, "start")["text"] == "1 workspace(s) are looked after."


@pytest.mark.rest
def test_a_second_one_is_refused_and_names_the_first(start, room) -> None:
    """Mutant: two of them look after the same workspaces."""
    first = start("-w", str(room.root))
    until(first, "start")

    second = start("-w", str(room.root))
    out, err = second.communicate()

    assert second.returncode == 5
    assert f"process {first.pid}" in err
    assert json.loads(out)["exit"] == 5


def test_it_goes_by_the_clock(clawgit) -> None:
    told = clawgit("runner", "start")

    assert told.code == 2
    assert "`runner start` goes by the clock" in told.err
    assert not os.environ.get("CLAWGIT_NOW")
