"""A test that waits in vain is one failure, and nothing more."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests_folder import TESTS

if TYPE_CHECKING:
    from pathlib import Path

HANGS = """
import signal, subprocess, pytest

@pytest.fixture
def asleep():
    process = subprocess.Popen(["sleep", "999"])
    yield process
    process.kill()
    process.wait()
    print("its process has ended")

def test_that_hangs(asleep):
    assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 80
    signal.setitimer(signal.ITIMER_REAL, 0.01)  # the time has passed
    asleep.wait()

def test_after_it():
    pass
"""


def test_a_test_that_hangs_fails_ends_what_it_started_and_the_next_one_runs(tmp_path: Path) -> None:
    """Mutant: the process that runs the tests is ended, and with it all that it had still to run."""
    (tmp_path / "test_it.py").write_text(HANGS)
    words = ["-c", os.devnull, "--rootdir", str(tmp_path), "-p", "time_limit", "-p", "no:cacheprovider"]
    words += ["-o", "faulthandler_timeout=100", "test_it.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTEST_ADDOPTS": "", "PYTHONPATH": str(TESTS / "tools")},
        text=True,
    )

    assert "1 failed, 1 passed" in done.stdout
    assert "It hangs" in done.stdout
    assert "its process has ended" in done.stdout
