"""Commands in a process of their own that has everything imported: a fork of this one takes a tenth of the time."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from contextlib import suppress
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Protocol

import pygit2
import pytest

from clawgit.__main__ import main

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from multiprocessing.process import BaseProcess
    from pathlib import Path

FORK = multiprocessing.get_context("fork")
HANGS = 240  # seconds: less than what ends the test, which would leave the process behind


class Forked(Protocol):
    """Runs a command in a workspace; ends it, and the test, where it hangs."""

    def __call__(self, root: Path, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]: ...


@pytest.fixture
def forked() -> Forked:
    """Return a way to run clawgit where it does not matter how its process begins."""

    def run(root: Path, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
        words = ["-w", str(root), *arguments]
        with TemporaryFile() as nothing, TemporaryFile("w+") as out, TemporaryFile("w+") as err:
            process = begin(words, extra, (nothing.fileno(), out.fileno(), err.fileno()))
            code = _code(process, words)
            return subprocess.CompletedProcess(words, code, _said(out), _said(err))

    return run


def typed(words: Sequence[str], at: Path, stdin: bytes = b"", **extra: str) -> tuple[int, bytes, bytes]:
    """Run a command that is typed in a folder, and return its exit status, output and errors as they are."""
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        process = begin(words, extra, (given.fileno(), out.fileno(), err.fileno()), at)
        return _code(process, words), _bytes(out), _bytes(err)


def begin(
    words: Sequence[str], extra: Mapping[str, str], streams: tuple[int, int, int], at: Path | None = None
) -> BaseProcess:
    """Begin a command whose standard input, output and errors are these files."""
    process = FORK.Process(target=_run, args=(words, extra, streams, at))
    process.start()
    return process


def read_to_its_end(terminal: int) -> bytes:
    """Return all that a terminal is sent until its last writer is gone, and close it: one read may give a part of it."""
    said = bytearray()
    with suppress(OSError):  # so a terminal ends
        while part := os.read(terminal, 65536):
            said += part
    os.close(terminal)
    return bytes(said)


def _code(process: BaseProcess, words: Sequence[str]) -> int:
    process.join(HANGS)
    if process.exitcode is None:
        process.kill()
        process.join()
        raise subprocess.TimeoutExpired(list(words), HANGS)
    return process.exitcode


def _run(
    words: Sequence[str], extra: Mapping[str, str], streams: tuple[int, int, int], at: Path | None
) -> None:
    if at is not None:
        os.chdir(at)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
    sys.argv = ["clawgit", *words]
    os.environ.update(extra)
    pygit2.settings.enable_fsync_gitdir(False)  # as a process of its own begins
    sys.exit(main())


def _said(file: IO[str]) -> str:
    file.seek(0)
    return file.read()


def _bytes(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


# What a program runs so that it tells which modules it loaded, when it ends.
TELLS_MODULES = (
    "import sys; from clawgit.__main__ import main; sys.argv = ['clawgit', *sys.argv[1:]]; code = main();"
    "sys.stderr.write('\\n|' + ' '.join(sys.modules)); sys.exit(code)"
)


def told_modules(said: str) -> tuple[str, set[str]]:
    """Return what a command said, and the modules that it told of."""
    err, _, modules = said.rpartition("\n|")
    return err, set(modules.split())
