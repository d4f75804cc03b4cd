"""Processes that can be killed or failed at any system call, and what must hold afterwards, as git sees it."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fnmatch import fnmatch
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pygit2
import pytest

from clawgit.cli.main import run
from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.git.git_program import view_folder
from clawgit.history.git.repository import History, open_history
from clawgit.history.remember import remember
from clawgit.history.review.keep import keep
from clawgit.plan import Edit, Plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

collect_ignore = [] if find_spec("chromadb") else ["stores/test_vectors.py"]
HANGS = 240  # seconds: less than what ends the test, which would leave processes behind
FORK = multiprocessing.get_context("fork")
NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
READY = "ready"
AT_FDCWD, RENAME_EXCHANGE = -100, 2
TEMPORARIES = (
    ".clawgit-new-*",
    "clawgit-change-*.keep",
    "tmp_object_git2_*",
    "tmp_obj_*",
    "tmp_pack_*",
    "clawgit-half-*",
    "*.lock",
)


def below(root: Path, *patterns: str) -> list[Path]:
    """Return the files whose names fit; folders may go meanwhile, since a killed writer's git goes on packing."""
    return [
        Path(folder, name)
        for folder, _, names in os.walk(root)
        for name in names
        if any(fnmatch(name, pattern) for pattern in patterns)
    ]


@dataclass(frozen=True)
class Failed:
    """The error that ended a worker; an unexpected one is a bug."""

    kind: str
    message: str
    expected: bool


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

    def said(self, seconds: float = HANGS) -> list[Any]:
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

    pygit2.settings.enable_fsync_gitdir(False)  # as a process of its own begins
    try:
        work(pipe.send, wait, *arguments)
    except Exception as error:  # noqa: BLE001 - the test decides which of them may happen
        with suppress(OSError):
            pipe.send(Failed(type(error).__name__, str(error), expected=isinstance(error, ClawgitError)))
        os._exit(1)
    os._exit(0)


class Work:
    """What workers do: each takes ``say`` and ``wait``, opens the workspace, waits, and says what was acknowledged."""

    @staticmethod
    def append(
        say: Any, wait: Any, root: Path, path: str, lines: list[str], op: str = "", patience: int = HANGS
    ) -> None:
        """Append each line in a change of its own; an op of its own choice only for a single line."""
        history = open_history(root)
        history.settings = history.settings._replace(lock_wait_seconds=patience)  # a busy machine is no fault
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
    def mixed(say: Any, wait: Any, root: Path, token: str, round_number: int) -> None:
        """Append, reword, create and remove, several files at a time, until killed."""
        history = open_history(root)
        wait()
        for number in count():
            name = f"{token} {round_number}-{number}"

            def plan(tree: Any, name: str = name, number: int = number) -> Plan:
                learned = (tree.read("memory/learned.md") or b"").replace(b"first", b"second", 1)
                there = tree.read("memory/new/note.md")
                day = (there or b"") + (tree.read("memory/day.md") or b"")  # what goes is kept there
                note = None if there is not None else f"- {name}\n".encode()
                return Plan(
                    f"test: {name}",
                    (
                        Edit("memory/learned.md", learned + f"- {name} learned\n".encode()),
                        Edit("memory/day.md", f"- {name} on top\n".encode() + day),
                        Edit("memory/new/note.md", note),
                    ),
                )

            say(apply_plan(history, plan, Intent(new_op(), "memory-miner", NOW)).commit_id)

    @staticmethod
    def remember(say: Any, wait: Any, root: Path, statement: str, op: str) -> None:
        """Do what `memory add` does."""
        history = open_history(root)
        wait()
        say(remember(history, statement, Intent(op, "operator", NOW, given=True)).recorded.commit_id)

    @staticmethod
    def by_program(say: Any, wait: Any, root: Path, statement: str) -> None:
        """Run `memory add`, settings read as the program does."""
        wait()
        say(run(["-w", str(root), "memory", "add", statement, "--to", "MEMORY.md"], dict(os.environ)))

    @staticmethod
    def command(say: Any, wait: Any, root: Path, words: tuple[str, ...]) -> None:
        """Run a command as the program does."""
        wait()
        say(run(["-w", str(root), *words], dict(os.environ)))

    @staticmethod
    def keep(say: Any, wait: Any, root: Path) -> None:
        history = open_history(root)
        wait()
        say(list(keep(history, Intent(new_op("keep"), "unknown", NOW)).recovered))

    @staticmethod
    def swap(_say: Any, wait: Any, place: Path, outside: Path) -> None:
        """Exchange a folder and a link to the outside, in one step each time and at no regular pace, until killed."""
        link = place.with_name("link")
        link.symlink_to(outside)
        exchange = ctypes.CDLL(None, use_errno=True).renameat2
        dice = random.Random(5)
        wait()
        while True:
            for pause in (0.003, 0.03):
                assert exchange(AT_FDCWD, bytes(place), AT_FDCWD, bytes(link), RENAME_EXCHANGE) == 0
                time.sleep(dice.uniform(0, pause))


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
        """Return once no call of the worker can be missed.

        The kernel names a tracer before the tracer has stopped the process; strace says "attached" after that.
        """
        self.count += 1
        self.log = self.folder / f"strace-{self.count}"
        command = ["strace", "-y", "-s", "0", "-o", str(self.log), "-p", str(worker.pid), *options]
        said = self.log.with_suffix(".said")
        with said.open("wb") as errors:
            tracer = subprocess.Popen(command, stderr=errors)
        while b"attached" not in said.read_bytes():
            assert tracer.poll() is None, f"strace ended early: {said.read_text()}"
            time.sleep(0.001)
        return tracer

    def run(self, worker: Worker, *options: str) -> list[Any]:
        """Let the worker go under strace and return what it said."""
        tracer = self.attach(worker, *options)
        worker.go()
        said = worker.said()
        tracer.wait()
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
    view_folder()  # the first change of an account makes it, and calls are counted
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
        found = below(root, *TEMPORARIES)
        names = sorted(path.relative_to(root).as_posix() for path in found)
        return names + cls.git(root, "for-each-ref", "--format=%(refname)", "refs/clawgit/intent").split()

    @classmethod
    def age_leftovers(cls, root: Path) -> None:
        """Date half-written objects and records back to where nobody can still be writing them."""
        for path in (
            *below(root, "tmp_object_git2_*", "clawgit-half-*"),
            *below(root / ".git/clawgit", ".clawgit-new-*"),
        ):
            os.utime(path, (0, 0))

    @classmethod
    def check(cls, root: Path, status: str = "") -> None:
        """Say that the repository is whole, staging and files read as HEAD, and nothing lies about."""
        cls.fsck(root)
        assert cls.git(root, "status", "--porcelain").strip() == status
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


DURABLE = frozenset(
    {
        *("write", "pwrite64", "ftruncate", "fsync", "fdatasync", "openat", "fchmod", "utimensat"),
        *("rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat"),
    }
)
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


@pytest.fixture
def stopped(
    tracer: Tracer, durable_calls: Callable[[Path, Path], list[Call]], tmp_path: Path
) -> Callable[..., list[Any]]:
    """Return a way to stop a worker right after some of its calls, to act then, and to hear what it said.

    Which calls these are is found in a rehearsal on a copy: the first of that name in whose line the word stands. With
    ``failing``, a call fails on the way.
    """

    def run(
        begin: Callable[[Path], Worker],
        root: Path,
        *acts: tuple[tuple[str, str], Callable[[], object]],
        failing: tuple[str, str] | None = None,
    ) -> list[Any]:
        rehearsal = tmp_path / "rehearsal"
        subprocess.run(["cp", "-a", root, rehearsal], check=True)
        tracer.run(begin(rehearsal))
        calls = durable_calls(tracer.log, rehearsal)
        faults = [*((place, "signal=SIGSTOP") for place, _ in acts)]
        faults += [(failing, "error=EIO")] if failing else []
        options = []
        for (name, part), fault in faults:
            call = next(call for call in calls if call.name == name and part in call.line)
            options += ["-e", f"inject={name}:{fault}:when={call.number}"]
        traced = ",".join(sorted({name for (name, _), _ in faults}))
        worker = begin(root)
        strace = tracer.attach(worker, "-e", f"trace={traced}", *options)
        try:
            worker.go()
            for number, (_, act) in enumerate(acts, 1):
                while tracer.log.read_text().count("stopped by SIGSTOP") < number:
                    assert worker.process.is_alive(), "it did not stop"
                act()
                os.kill(worker.pid, signal.SIGCONT)
            return worker.said()
        finally:
            worker.kill()
            strace.wait()

    return run
