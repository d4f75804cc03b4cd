"""A job as a process of its own: what it may take of time, output and room, and that nothing of it is left running."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_LOOK = 0.05  # seconds
_MOST_TOLD = 300
PATIENCE = 60.0  # seconds after which one that still works gives its place to others
MOST_AT_WORK = 32  # those included that gave their places away
HANDED_BACK = "The runner was stopped."


class JobLimits(NamedTuple):
    """What a job may take; a job that is told to end has ``grace`` seconds for it."""

    seconds: float = 1800
    most_bytes: int = 1024 * 1024
    grace: float = 10


class JobEnd(NamedTuple):
    """How a job ended: its exit code, None where it was stopped; and why it was, or what it said last.

    ``is_handed_back`` is set where the runner itself had to end: the job is not worse for it.
    """

    code: int | None
    reason: str
    is_handed_back: bool = False


class Stop:
    """Whether the runner is to end: no job begins then, and one that works has a while to come to its end."""

    def __init__(self) -> None:
        self._until: float | None = None

    def tell(self, seconds: float) -> None:
        """Have the runner end; jobs that work have ``seconds``, or what an earlier call left them, if that is less."""
        until = time.monotonic() + seconds
        self._until = until if self._until is None else min(until, self._until)

    @property
    def is_told(self) -> bool:
        return self._until is not None

    @property
    def is_over(self) -> bool:
        return self._until is not None and time.monotonic() >= self._until


class ThreadSlots:
    """Room for a few threads at once; one that takes long gives its place to the next."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._begun: dict[int, float] = {}  # when each that holds a place began, the longest first
        self._changed = threading.Condition()

    @contextmanager
    def one(self, at_once: int) -> Iterator[None]:
        """Wait until fewer than ``at_once`` hold a place, and hold one for as long as patience lasts."""
        me = threading.get_ident()
        with self._changed:
            while len(begun := list(self._begun.values())[-at_once:]) == at_once:
                seconds = begun[0] + self._patience - time.monotonic()
                if seconds <= 0:
                    break
                self._changed.wait(seconds)
            self._begun[me] = time.monotonic()
        try:
            yield
        finally:
            with self._changed:
                del self._begun[me]
                self._changed.notify_all()


class JobCommand(NamedTuple):
    """A program with its arguments and environment, the folder that it runs in, and the lock that it holds as well."""

    argv: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    held: int


def run_process(command: JobCommand, limits: JobLimits, stop: Stop | None = None) -> JobEnd:
    """Run a job to its end; whatever it started in its process group ends with it.

    Its output goes to a file without a name, so that it can end well where the runner does not.
    """
    with tempfile.TemporaryFile(dir=command.folder) as output:
        try:
            process = subprocess.Popen(
                command.argv,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=dict(command.environment),
                cwd=command.folder,
                start_new_session=True,
                pass_fds=(command.held,),
            )
        except OSError as error:
            return JobEnd(None, f"It could not be started ({error.strerror or error}).")
        try:
            stopped = _waited(process, output.fileno(), limits, stop or Stop())
        finally:
            _kill(process, signal.SIGKILL)
            process.wait()
        if stopped:
            return JobEnd(None, stopped, is_handed_back=stopped == HANDED_BACK)
        size = os.fstat(output.fileno()).st_size
        last = os.pread(output.fileno(), 4096, max(0, size - 4096)).decode("utf-8", "replace")
        last_words = folded(redact(last))[-_MOST_TOLD:]
        if process.returncode < 0:
            return JobEnd(None, f"It was killed by signal {-process.returncode}. {last_words}".strip())
        return JobEnd(process.returncode, last_words)


def _waited(process: subprocess.Popen[bytes], output: int, limits: JobLimits, stop: Stop) -> str:
    deadline = time.monotonic() + limits.seconds
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_LOOK)
            return ""
        if os.fstat(output).st_size > limits.most_bytes:
            why = f"It was stopped: it wrote more than {limits.most_bytes:,} bytes."
        elif time.monotonic() >= deadline:
            why = f"It was stopped: it did not end within {limits.seconds:g} seconds."
        elif stop.is_over:
            why = HANDED_BACK
        else:
            continue
        _kill(process, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(limits.grace)
        return why


def _kill(process: subprocess.Popen[bytes], with_signal: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, with_signal)
