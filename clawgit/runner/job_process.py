"""A job's process: its limits on time, output and room, and the end of all that it started."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_LOOK = 0.05  # seconds
_MOST_TOLD = 300
HANDED_BACK = "The runner was stopped."


class JobLimits(NamedTuple):
    """The limits of a job; ``grace`` is its time to end after a signal, in seconds."""

    seconds: float = 1800
    most_bytes: int = 1024 * 1024
    grace: float = 10


class JobEnd(NamedTuple):
    """The end of a job: its exit code, None if it was stopped; and the reason, or its last output."""

    code: int | None
    reason: str
    is_handed_back: bool = False  # the runner had to end, and the attempt does not count


class Stop:
    """Whether the runner is to end: no new job starts, and running ones have a while."""

    def __init__(self) -> None:
        self._until: float | None = None

    def tell(self, seconds: float) -> None:
        """End the runner; running jobs have ``seconds``, or what an earlier call left them if that is less."""
        until = time.monotonic() + seconds
        self._until = until if self._until is None else min(until, self._until)

    @property
    def is_told(self) -> bool:
        return self._until is not None

    @property
    def is_over(self) -> bool:
        return self._until is not None and time.monotonic() >= self._until


class JobCommand(NamedTuple):
    """A program with its arguments and environment, its folder, and the lock that it inherits."""

    argv: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    held: int


def run_process(command: JobCommand, limits: JobLimits, stop: Stop | None = None) -> JobEnd:
    """Run a job to its end, which is also the end of its process group.

    Its output goes to an unnamed file, so that it can end well if the runner does not.
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
        last_words = folded(redact(last))
        if len(last_words) > _MOST_TOLD:
            end = last_words[2 - _MOST_TOLD :]
            last_words = "… " + (end.partition(" ")[2] or end)  # no half word
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
