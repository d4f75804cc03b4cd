"""`up`, `down` and `logs`, through the installed program."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from forked_program import typed
from running_service import line_with, until

from clawgit.operations.status import folder_of
from clawgit.service.service_log import read_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PROGRAM = (sys.executable, "-P", "-m", "clawgit")


def run(*words: str, cwd: Path | None = None, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run a command beside the service."""
    code, out, err = typed(words, cwd or Path.cwd(), **extra)
    return subprocess.CompletedProcess(words, code, out.decode(), err.decode())


def looked_after() -> list[str]:
    """Return the workspaces that the service has begun to look after."""
    log = read_log(folder_of(os.environ))
    return [event["workspace"] for event in log if event["kind"] == "workspace"]


@pytest.fixture
def up(tmp_path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Return a function that starts `clawgit up` and waits until it says that it runs."""
    started: list[subprocess.Popen[str]] = []

    def start(*words: str, **extra: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*PROGRAM, "up", *words],
            cwd=tmp_path,
            env={**os.environ, **extra},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        started.append(process)
        # before it looks after something, it does not hear SIGTERM yet
        until(lambda: process.poll() is not None or looked_after())
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.mark.rest
def test_up_with_a_path_makes_it_a_workspace_registers_it_and_serves(up, tmp_path) -> None:
    process = up("Agent One")
    command = line_with(process.stdout, "chat add").strip()
    line_with(process.stdout, "looked after")

    kept = subprocess.run(command, capture_output=True, check=True, cwd="/", shell=True, text=True)

    assert kept.stdout.startswith("chat:")
    assert [each["name"] for each in json.loads(run("workspaces", "list", "--json").stdout)] == ["agent-one"]
    status = run("status", "--json", cwd=tmp_path / "Agent One")
    assert json.loads(status.stdout)["service"]["process"] == process.pid
    process.send_signal(signal.SIGINT)
    assert process.wait() == 0


@pytest.mark.rest
def test_up_again_has_the_first_look_after_that_workspace_too_and_is_no_second_service(up, tmp_path) -> None:
    """Mutants: it ends with an error, though all that was asked for is done; two serve."""
    process = up("agent")

    again = run("--rehearse", "--now", "2027-01-01T10:00", "up", "other", cwd=tmp_path)

    assert again.returncode == 0, again.stderr
    assert "--now is not heard" in again.stderr
    assert f"The service runs already: process {process.pid}" in again.stdout
    assert "chat add" in again.stdout
    assert "other" in run("workspaces", "list").stdout
    while "other is looked after from now on" not in process.stdout.readline():
        pass
    for words in (
        (),
        ("other", "--http", "0"),
    ):  # without a path, and with a port, it would be a second service
        refused = run("up", *words, cwd=tmp_path)

        assert refused.returncode == 5
        assert f"process {process.pid}" in refused.stderr


def test_up_in_a_workspace_looks_after_it(up, tmp_path) -> None:
    """Seen: `clawgit up` in the folder, and a service that looked after nothing."""
    assert run("init", cwd=tmp_path).returncode == 0

    process = up()

    line_with(process.stdout, f"{tmp_path} is looked after from now on")
    assert run("workspaces", "list").stdout.count(str(tmp_path)) == 1
    other = tmp_path.with_name("other")
    assert run("init", str(other), cwd=tmp_path).returncode == 0
    assert "`clawgit up .` has the service look after it" in run("status", cwd=other).stdout
    assert "not registered" not in run("status", cwd=tmp_path).stdout


@pytest.mark.rest
def test_down_ends_it_and_status_and_logs_say_so(up, tmp_path) -> None:
    process = up("agent")

    assert run("down").returncode == 0

    assert process.wait() == 0
    assert "The service does not run" in run("status", cwd=tmp_path / "agent").stdout
    assert "No service runs." in run("down").stderr
    said = [json.loads(line) for line in run("logs", "--json").stdout.splitlines()]

    assert [each["kind"] for each in said] == ["started", "workspace", "stopping", "stopped"]
    assert "is looked after from now on" in run("logs").stdout
    assert run("logs", "--since", "2098-01-01").stdout == ""
    assert run("logs", "-n", "1", "--json").stdout.count("\n") == 1


@pytest.mark.rest
def test_in_a_hosts_shell_a_folder_is_looked_after_and_not_registered(up, tmp_path) -> None:
    process = up("agent", CLAUDECODE="1")

    line_with(process.stdout, "looked after")
    assert json.loads(run("workspaces", "list", "--json").stdout) == []


def test_without_a_home_it_says_what_is_missing(tmp_path) -> None:
    done = run("up", HOME="", cwd=tmp_path)

    assert done.returncode == 4
    assert "HOME" in done.stderr
