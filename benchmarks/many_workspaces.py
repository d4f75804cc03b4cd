"""What a thousand registered workspaces cost the runner: to say how they stand, to ask what is due, and to do nothing."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from clawgit.history.adopt import adopt
from clawgit.history.git.repository import open_history
from clawgit.runner.run_due_jobs import Runner, run_due_jobs

COUNTS = (100, 1000)
SECONDS = 60
_CLAWGIT = [sys.executable, "-P", "-m", "clawgit"]
_PROGRAM = [*_CLAWGIT, "runner"]


def many_workspaces() -> None:
    """Print processor time for all workspaces, and what the resident runner takes while nothing is due."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        roots = [home / f"w{number}" for number in range(max(COUNTS))]
        adopt(roots[0], datetime.now(UTC))
        environment = {
            **os.environ,
            "HOME": folder,
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_STATE_HOME": str(home / "state"),
        }
        _register(home, roots[:1])
        subprocess.run([*_PROGRAM, "once", "--all"], env=environment, check=True, capture_output=True)
        for root in roots[1:]:
            shutil.copytree(roots[0], root, symlinks=True)
        for count in COUNTS:
            _register(home, roots[:count])
            runner = Runner(lambda: datetime.now(UTC), _unused)
            begin = time.process_time()
            for root in roots[:count]:
                run_due_jobs(open_history(root), runner)
            seconds = time.process_time() - begin
            for what in ("of copies", "merged", "unchanged"):
                told = _processor_seconds([*_PROGRAM, "status", "--all", "--json"], environment)
                print(
                    f"{count:5} workspaces: what is due {seconds:.2f} s, runner status --all {told:.2f} s of processor time"
                    f" ({what})"
                )
                time.sleep(2)  # what was written a moment ago is read again
            if Path("/proc/self/stat").exists():
                _print_idle(count, environment)


def _unused(*_: object) -> tuple[list[str], dict[str, str]]:
    raise AssertionError


def _register(home: Path, roots: list[Path]) -> None:
    path = home / "config/clawgit/workspaces.json"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    names = {root.name: {"path": str(root)} for root in roots}
    path.write_text(json.dumps({"version": 1, "workspaces": names}))
    path.chmod(0o600)


def _processor_seconds(words: list[str], environment: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _print_idle(count: int, environment: dict[str, str]) -> None:
    """Print what a runner takes in a minute in which nothing happens, after it has looked at everything once."""
    running = subprocess.Popen([*_CLAWGIT, "up"], env=environment, stdout=subprocess.DEVNULL)
    try:
        time.sleep(SECONDS)  # the pause after the start
        before = 0.0
        while (now := _used(running.pid)[0]) - before > 0.2:
            before = now
            time.sleep(5)
        begin, _ = _used(running.pid)
        time.sleep(SECONDS)
        end, size = _used(running.pid)
        print(f"      up, idle: {end - begin:.2f} s of processor time in {SECONDS} s, {size / 2**20:.0f} MiB")
    finally:
        running.terminate()
        running.wait()


def _used(pid: int) -> tuple[float, int]:
    """Return the processor seconds and the resident bytes of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = os.sysconf("SC_CLK_TCK")
    return (int(fields[11]) + int(fields[12])) / ticks, int(fields[21]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    many_workspaces()
