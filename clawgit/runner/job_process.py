"""A job as a process of its own: what it may take of time and output, and that nothing of it is left running."""

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


class Limits(NamedTuple):
    """What a job may take; a job that is told to end has ``grace`` seconds for it."""

    seconds: float = 1800
    most_bytes: int = 1024 * 1024
    grace: float = 10


class JobEnd(NamedTuple):
    """How a job ended: its exit code, None where it was stopped; and why it was, or what it said last."""

    code: int | None
    reason: str


class Command(NamedTuple):
    """A program with its arguments and environment, the folder that it runs in, and the lock that it holds as well."""

    argv: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    held: int


def run_process(command: Command, limits: Limits) -> JobEnd:
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
            stopped = _waited(process, output.fileno(), limits)
        finally:
            _kill(process, signal.SIGKILL)
            process.wait()
        return JobEnd(None, stopped) if stopped else _ended(process.returncode, output.fileno())


def _waited(process: subprocess.Popen[bytes], output: int, limits: Limits) -> str:
    """Wait for the end of a process; return why it was told to end, empty where it was not."""
    deadline = time.monotonic() + limits.seconds
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_LOOK)
            return ""
        too_much = os.fstat(output).st_size > limits.most_bytes
        if not too_much and time.monotonic() < deadline:
            continue
        _kill(process, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(limits.grace)
        if too_much:
            return f"It was stopped: it wrote more than {limits.most_bytes:,} bytes."
        return f"It was stopped: it did not end within {limits.seconds:g} seconds."


def _kill(process: subprocess.Popen[bytes], with_signal: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, with_signal)


def _ended(code: int, output: int) -> JobEnd:
    size = os.fstat(output).st_size
    said = folded(redact(os.pread(output, 4096, max(0, size - 4096)).decode("utf-8", "replace")))
    said = said[-_MOST_TOLD:]
    if code < 0:
        return JobEnd(None, f"It was killed by signal {-code}. {said}".strip())
    return JobEnd(code, said)
