"""Jobs in a fork of the process that has everything loaded: each is as one that was started from nothing."""

from __future__ import annotations

import fcntl
import os
import signal
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest
from running_service import until

from clawgit.runner.job_process import Command, JobEnd, Limits, run_process
from clawgit.service.command_server import CommandServer
from clawgit.service.warm_jobs import WarmJobs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONG = Limits(seconds=120, grace=0.2)


class Warm(NamedTuple):
    """A process that forks, and what is asked of it."""

    jobs: WarmJobs
    server: int
    folder: Path
    lock: int

    def run(self, code: str, limits: Limits = LONG) -> JobEnd:
        argv = [sys.executable, "-c", "print('started from nothing')", code]
        environment = {"PATH": os.environ["PATH"], "MOOD": "calm"}
        command = Command(argv, environment, self.folder, self.lock)
        return run_process(command, limits, begin=self.jobs.begin)


@pytest.fixture
def warm(tmp_path: Path) -> Iterator[Warm]:
    jobs = WarmJobs(lambda words: exec(words[1], {"held": int(words[0])}), 2)
    jobs.open()
    ending, parent = os.pipe()
    server = os.fork()
    if server == 0:
        os.close(parent)
        try:
            CommandServer(tmp_path / "commands.sock", ending, lambda *_: 0, jobs).serve()
        finally:
            os._exit(0)
    jobs.keep_asking()
    lock = os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    yield Warm(jobs, server, tmp_path, lock)
    jobs.close()
    for each in (ending, parent):
        os.close(each)
    os.waitpid(server, 0)


def test_a_forked_job_has_its_own_group_environment_folder_and_streams(warm: Warm) -> None:
    end = warm.run(
        "import os, sys\nassert os.getpgrp() == os.getpid()\n"
        "print(sorted(os.environ), os.path.samefile('.', os.path.dirname(os.path.abspath('lock'))), [sys.stdin.read()])"
    )

    assert end == JobEnd(0, "['MOOD', 'PATH'] True ['']")


@pytest.mark.parametrize(
    ("code", "end"),
    [
        pytest.param("raise SystemExit(7)", JobEnd(7, ""), id="exit code"),
        pytest.param("import sys; print('so', file=sys.stderr)", JobEnd(0, "so"), id="errors are output"),
        pytest.param(
            "import os; os.kill(os.getpid(), 15)", JobEnd(None, "It was killed by signal 15."), id="signal"
        ),
    ],
)
def test_the_end_of_a_forked_job_is_told(warm: Warm, code: str, end: JobEnd) -> None:
    assert warm.run(code) == end


def test_a_forked_job_that_hangs_is_ended_with_what_it_forked(warm: Warm) -> None:
    """Mutant: the fork makes no group of its own."""
    code = (
        "import os, time\nwith open('pids', 'a') as file:\n    file.write(f'{os.fork()}\\n')\ntime.sleep(999)"
    )
    seconds, pids = 0, warm.folder / "pids"
    while not pids.exists() or pids.read_text().count("\n") < 2:  # in a busy machine's time, too
        pids.unlink(missing_ok=True)
        seconds += 1
        end = warm.run(code, LONG._replace(seconds=seconds))

    assert end.reason == f"It was stopped: it did not end within {seconds} seconds."
    until(lambda: not any(pid and is_running(pid) for pid in map(int, pids.read_text().split())))


def test_the_lock_of_a_job_is_held_by_nobody_after_it(warm: Warm) -> None:
    """Mutant: the process that forks keeps what it was handed."""
    fcntl.flock(warm.lock, fcntl.LOCK_EX)
    assert warm.run("import os; print(os.path.samestat(os.fstat(held), os.stat('lock')))") == JobEnd(
        0, "True"
    )
    os.close(warm.lock)

    again = os.open(warm.folder / "lock", os.O_RDWR)
    fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(again)


def test_where_nobody_forks_a_job_is_started_from_nothing(warm: Warm) -> None:
    warm.jobs.close()
    assert warm.run("print('forked')") == JobEnd(0, "started from nothing")


def test_a_job_whose_forking_process_is_killed_is_ended(warm: Warm) -> None:
    end = warm.run(f"import os, time\nos.kill({warm.server}, {signal.SIGKILL:d})\ntime.sleep(999)")

    assert end == JobEnd(None, "It was killed by signal 9.")
    assert warm.run("print('forked')") == JobEnd(0, "started from nothing")


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
