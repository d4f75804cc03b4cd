"""Processes that can be killed or failed at any system call, and what must hold afterwards, as git sees it."""

from __future__ import annotations

import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clawgit.history.commit import apply_plan
from clawgit.history.intent import Intent
from clawgit.history.keep import keep
from clawgit.history.ops import new_op
from clawgit.history.repository import History, open_history
from clawgit.plan import Edit, Plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FORK = multiprocessing.get_context("fork")
NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
READY = "ready"
TEMPORARIES = (".clawgit-new-*", "tmp_object_git2_*", "tmp_obj_*", "tmp_pack_*", "*.lock")


class Worker:
    """A process of its own: sets itself up, waits for ``go``, works, and says what it has finished."""

    def __init__(self, work: Callable[..., None], *arguments: Any) -> None:
        self._pipe, theirs = FORK.Pipe()
        self.process = FORK.Process(target=_work, args=(theirs, work, arguments), daemon=True)
        self.process.start()
        theirs.close()
        assert self._pipe.recv() == READY

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    def go(self) -> None:
        with suppress(BrokenPipeError):
            self._pipe.send("go")

    def kill(self) -> None:
        self.process.kill()
        self.process.join()

    def said(self, seconds: float = 60) -> list[Any]:
        """Return all that it said until its end."""
        found = []
        with suppress(EOFError, ConnectionResetError):
            while self._pipe.poll(seconds):
                found.append(self._pipe.recv())
        self.process.join(seconds)
        assert not self.process.is_alive(), "it hangs"
        return found


def _work(pipe: Any, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    def wait() -> None:
        pipe.send(READY)
        pipe.recv()

    try:
        work(pipe.send, wait, *arguments)
    except Exception as error:  # noqa: BLE001 - the test decides which of them may happen
        with suppress(OSError):
            pipe.send(error)
    os._exit(0)


class Work:
    """What workers do: each takes ``say`` and ``wait``, opens the workspace, waits, and says what was acknowledged."""

    @staticmethod
    def append(say: Any, wait: Any, root: Path, path: str, lines: list[str], op: str = "") -> None:
        """Append each line in a change of its own; an op of its own choice only for a single line."""
        history = open_history(root)
        wait()
        for line in lines:

            def plan(tree: Any, line: str = line) -> Plan:
                old = tree.read(path) or b""
                return Plan(f"test: {line}", (Edit(path, old + line.encode() + b"\n"),))

            intent = Intent(op or new_op(), "memory-miner", NOW, given=bool(op))
            say(apply_plan(history, plan, intent).commit_id)

    @staticmethod
    def change(say: Any, wait: Any, root: Path, files: dict[str, str | None], op: str) -> None:
        """Make one change of several files."""
        history = open_history(root)
        wait()
        say(_change(history, files, op))

    @staticmethod
    def keep(say: Any, wait: Any, root: Path) -> None:
        history = open_history(root)
        wait()
        say(list(keep(history, Intent(new_op("keep"), "unknown", NOW)).recovered))


def _change(history: History, files: dict[str, str | None], op: str) -> str | None:
    edits = tuple(Edit(path, None if text is None else text.encode()) for path, text in files.items())
    intent = Intent(op, "memory-miner", NOW, given=True)
    return apply_plan(history, lambda _: Plan("test: a change", edits), intent).commit_id


@dataclass
class Tracer:
    """strace on one process: what it called, or a fault at one of its calls."""

    folder: Path
    count: int = 0
    log: Path = field(init=False)

    def attach(self, worker: Worker, *options: str) -> subprocess.Popen[bytes]:
        self.count += 1
        self.log = self.folder / f"strace-{self.count}"
        command = ["strace", "-y", "-s", "0", "-o", str(self.log), "-p", str(worker.pid), *options]
        tracer = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        status = Path(f"/proc/{worker.pid}/status")
        while "TracerPid:\t0\n" in status.read_text():
            assert tracer.poll() is None, "strace ended early"
            time.sleep(0.001)
        return tracer

    def run(self, worker: Worker, *options: str) -> list[Any]:
        """Let the worker go under strace and return what it said."""
        tracer = self.attach(worker, *options)
        worker.go()
        said = worker.said()
        tracer.wait(20)
        return said

    def inject(self, worker: Worker, call: str, number: int, fault: str) -> list[Any]:
        return self.run(worker, "-e", f"trace={call}", "-e", f"inject={call}:{fault}:when={number}")


@pytest.fixture
def tracer(tmp_path: Path) -> Tracer:
    """Return strace; skips where it is missing or not allowed to look into a process."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    probe = subprocess.run(
        ["strace", "-e", "inject=getppid:error=EIO", "-o", os.devnull, "true"],
        capture_output=True,
        check=False,
    )
    if probe.returncode != 0:
        pytest.skip(f"strace may not trace here: {probe.stderr.decode().strip()}")
    folder = tmp_path / "strace"
    folder.mkdir()
    return Tracer(folder)


class Sound:
    """What git itself says about a workspace after a fault."""

    @staticmethod
    def git(root: Path, *arguments: str) -> str:
        command = ["git", "-c", "gc.auto=0", *arguments]
        done = subprocess.run(command, cwd=root, capture_output=True, check=False)
        assert done.returncode == 0, f"{command}: {(done.stderr or done.stdout).decode()}"
        return done.stdout.decode()

    @classmethod
    def fsck(cls, root: Path) -> None:
        cls.git(root, "fsck", "--full", "--strict", "--no-dangling")

    @classmethod
    def commits(cls, root: Path) -> list[str]:
        return cls.git(root, "rev-list", "HEAD").split()

    @classmethod
    def times(cls, root: Path, op: str) -> int:
        """Return how many commits of HEAD say that they are ``op``."""
        said = cls.git(root, "log", "--format=%(trailers:key=Clawgit-Op,valueonly,separator=%x2C)")
        return said.split("\n").count(op)

    @classmethod
    def leftovers(cls, root: Path) -> list[str]:
        """Return lock files, temporaries and pending intents."""
        found = [path for pattern in TEMPORARIES for path in root.rglob(pattern)]
        names = sorted(path.relative_to(root).as_posix() for path in found)
        return names + cls.git(root, "for-each-ref", "--format=%(refname)", "refs/clawgit/intent").split()

    @classmethod
    def check(cls, root: Path) -> None:
        """Say that the repository is whole, staging and files read as HEAD, and nothing lies about."""
        cls.fsck(root)
        assert cls.git(root, "status", "--porcelain") == ""
        assert cls.leftovers(root) == []


@pytest.fixture
def sound() -> type[Sound]:
    return Sound


@pytest.fixture
def work() -> type[Work]:
    return Work


@pytest.fixture
def start() -> Iterator[Callable[..., Worker]]:
    """Return a way to start workers; those still alive at the test's end are killed."""
    workers: list[Worker] = []

    def begin(what: Callable[..., None], *arguments: Any) -> Worker:
        workers.append(Worker(what, *arguments))
        return workers[-1]

    yield begin
    for worker in workers:
        worker.kill()


@pytest.fixture
def program() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a way to run clawgit as its users do."""

    def run(root: Path, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "clawgit", "-w", str(root), *arguments],
            capture_output=True,
            check=False,
            text=True,
            env={**os.environ, **extra},
        )

    return run


@dataclass(frozen=True)
class Call:
    """One system call of a trace that changes something on disk: the n-th of its name."""

    name: str
    number: int
    line: str


DURABLE = (
    "write pwrite64 fsync fdatasync rename renameat renameat2 link linkat mkdir mkdirat unlink unlinkat ftruncate "
    "openat fchmod chmod utimensat"
).split()
_CALL = re.compile(r"^(?:\[pid +\d+\] )?(\w+)\(")


@pytest.fixture
def durable_calls() -> Callable[[Path, Path], list[Call]]:
    """Return a reader of traces: every call on the workspace that makes, fills, names or removes something."""

    def read(log: Path, root: Path) -> list[Call]:
        counts: dict[str, int] = {}
        found = []
        for line in log.read_text("utf-8", "replace").splitlines():
            match = _CALL.match(line)
            if match is None or match[1] not in DURABLE:
                continue
            name = match[1]
            counts[name] = counts.get(name, 0) + 1
            if str(root) in line and (name != "openat" or "O_CREAT" in line):
                found.append(Call(name, counts[name], line))
        return found

    return read
