"""A job's process: whatever it does, it ends, and nothing of it is left."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from running_service import until

from clawgit.runner.job_process import HANDED_BACK, JobCommand, JobEnd, JobLimits, Stop, run_process

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SOON = JobLimits(seconds=1, most_bytes=100_000, grace=0.2)
LONG = JobLimits(seconds=120)


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., JobEnd]:
    """Return a function that runs Python code as a job."""
    lock = os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT, 0o600)

    def call(code: str, limits: JobLimits = LONG, stop: Stop | None = None) -> JobEnd:
        argv = [sys.executable, "-S", "-c", code]
        return run_process(JobCommand(argv, dict(os.environ), tmp_path, lock), limits, stop)

    yield call
    os.close(lock)


def test_a_job_ends_with_its_exit_code_and_what_it_said_last(run) -> None:
    assert run("print('all is well')") == JobEnd(0, "all is well")
    assert run("import os; os._exit(7)") == JobEnd(7, "")


def test_what_a_job_said_last_is_cut_and_holds_no_secret(run) -> None:
    end = run("print('x ' * 5000); print('token ghp_' + 'a1B2' * 9); raise SystemExit(1)")

    assert end.code == 1
    assert len(end.reason) <= 300
    assert "ghp_" not in end.reason


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "code",
    [
        pytest.param("while True: pass", id="hangs"),
        pytest.param(
            "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(999)", id="does not hear"
        ),
        pytest.param("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", id="is stopped"),
    ],
)
def test_a_job_that_does_not_end_is_ended(run, code: str) -> None:
    assert run(code, SOON) == JobEnd(None, "It was stopped: it did not end within 1 seconds.")


def test_a_job_that_writes_without_end_is_ended(run) -> None:
    end = run("while True: print('x' * 1000)", LONG._replace(most_bytes=100_000, grace=0.2))

    assert end == JobEnd(None, "It was stopped: it wrote more than 100,000 bytes.")


def test_what_a_job_leaves_behind_is_ended_with_it(run, tmp_path: Path) -> None:
    """Mutant: the process is ended, its group is not."""
    end = run(
        "import os, time\nends, begins = os.pipe()\nif os.fork() == 0:\n"
        f"    with open({str(tmp_path / 'pid')!r}, 'w') as file: file.write(str(os.getpid()))\n"
        "    os.write(begins, b'x')\n    time.sleep(999)\nos.read(ends, 1)"
    )

    child = int((tmp_path / "pid").read_text())
    assert end.code == 0
    until(lambda: not is_running(child))


def test_a_job_that_forks_and_hangs_is_ended_with_all_that_it_forked(run, tmp_path: Path) -> None:
    """Mutants: the time limit ends the first process alone; a child that hears no SIGTERM goes on."""
    code = (
        f"import os, signal, time\nsignal.signal(15, signal.SIG_IGN)\n"
        f"for _ in range(2): os.fork()\n"
        f"open({str(tmp_path / 'pids')!r}, 'a').write(f'{{os.getpid()}}\\n')\ntime.sleep(999)"
    )
    seconds, pids = 0, tmp_path / "pids"
    while not pids.exists() or pids.read_text().count("\n") < 4:  # in a busy machine's time, too
        pids.unlink(missing_ok=True)
        seconds += 1
        end = run(code, SOON._replace(seconds=seconds))

    assert end.reason == f"It was stopped: it did not end within {seconds} seconds."
    until(lambda: not any(map(is_running, map(int, pids.read_text().split()))))


@pytest.mark.rest
def test_a_job_that_is_handed_back_has_no_failure(run) -> None:
    stop = Stop()
    stop.tell(0.5)

    assert run("while True: pass", SOON._replace(seconds=100), stop) == JobEnd(
        None, HANDED_BACK, is_handed_back=True
    )


def is_running(pid: int) -> bool:
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], check=False, capture_output=True, text=True
    ).stdout
    return bool(state.strip()) and not state.startswith("Z")


def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    end = run_process(JobCommand(["/nowhere/python"], {}, tmp_path, 0), LONG)

    assert end == JobEnd(None, "It could not be started (No such file or directory).")


def test_a_job_ends_by_itself_where_nobody_is_left_to_end_it(tmp_path: Path) -> None:
    """Mutant: only the runner knows how long a job may take."""
    code = (
        "import sys; from clawgit.cli.agents import job_start\n"
        "import clawgit.cli.main as program, time\n"
        "program.run = lambda *_: time.sleep(999)\n"
        "job_start.main(['0', '1'])"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], stdin=subprocess.DEVNULL, check=False)

    assert done.returncode == -14


def test_a_job_that_takes_too_much_memory_ends_by_itself() -> None:
    code = (
        "from clawgit.cli.agents import job_start\n"
        "import clawgit.cli.main as program\n"
        "job_start.MEMORY = 500_000_000\n"
        "program.run = lambda *_: len(bytes(2_000_000_000))\n"
        "job_start.main(['0', '600'])"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )

    assert done.returncode == 1
    assert b"MemoryError" in done.stderr
