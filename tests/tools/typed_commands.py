"""Somebody who types: the commands of a document, in a home of his own, with the ids that were printed before; a line at a terminal."""

from __future__ import annotations

import io
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from clawgit.cli.main import run

_FENCE = re.compile(
    r"^(?P<not><!-- not run: [^\n]+ -->\n)?```(?P<kind>console|sh)\n(?P<body>.*?)^```$", re.M | re.S
)
_SHELL = re.compile(r"[|<>$*&;]|\\$")
# An id as documents have it; `said` has those of the home.
_IDS = [
    *[rf"\b{kind}:[0-9a-z]{{{size}}}\b" for kind, size in (("m", 6), ("x", "4,6"), ("k", 6), ("r", 10))],
    *[r"\bchat:[0-9a-z]{16}\b", r"\bq-[0-9a-f]{10}\b", r"\bp-[0-9a-f]{10}\b", r"\bmemory-compactor-[0-9a-f]{10}\b"],
    r"(?<![\w:-])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w-])",
]  # fmt: skip


class Block(NamedTuple):
    """The commands of one block of code; ``is_run`` unless the document says why not."""

    commands: tuple[str, ...]
    is_run: bool


def blocks_of(page: Path) -> list[Block]:
    """Return a document's blocks of commands."""
    found = _FENCE.finditer(page.read_text("utf-8"))
    return [Block(tuple(_commands(block["body"], block["kind"])), not block["not"]) for block in found]


def _commands(body: str, kind: str) -> list[str]:
    whole = re.sub(r"(?m)(\\|\|)\n(?:> )?\s*", lambda joined: joined[1].strip("\\") + " ", body)
    if kind == "console":
        return [line[2:] for line in whole.splitlines() if line.startswith("$ ")]
    return [line for line in whole.splitlines() if line.strip() and not line.startswith("#")]


@dataclass
class Typist:
    """Types commands in a home; what was said is kept, the latest first."""

    home: Path
    now: str
    said: str = ""
    place: Path = field(init=False)

    def __post_init__(self) -> None:
        self.place = self.home

    def type(self, command: str, *, now: str = "") -> tuple[int, str]:
        """Type a command; return its exit code and what it said."""
        command = self._with_ids(command)
        if command.startswith("cd ") and "&&" not in command:
            self.place = self.home / command[3:].replace("~/", "")
            return 0, ""
        code, said = self._clawgit(command, now) if self._is_plain(command) else self._sh(command, now)
        self.said = said + self.said
        return code, said

    @staticmethod
    def _is_plain(command: str) -> bool:
        bare = re.sub(r"'[^']*'|\"[^\"]*\"|\s#.*", "", command)
        return re.match(r"(?:\w+=\w+ )*clawgit ", command) is not None and not _SHELL.search(bare)

    def _with_ids(self, command: str) -> str:
        for pattern in _IDS:
            if (known := re.search(pattern, self.said)) is not None:
                command = re.sub(pattern, known[0], command)
        return command

    def _environment(self, now: str) -> dict[str, str]:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return {**os.environ, "HOME": str(self.home), "PATH": path, "CLAWGIT_NOW": now or self.now}

    def _clawgit(self, command: str, now: str) -> tuple[int, str]:
        words = [word.replace("~/", f"{self.home}/") for word in shlex.split(command, comments=True)]
        environment = self._environment(now)
        while "=" in words[0]:
            name, _, value = words.pop(0).partition("=")
            environment[name] = value
        out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
        before = Path.cwd()
        os.chdir(self.place)
        try:
            with (
                redirect_stdout(out),
                redirect_stderr(out),
                mock.patch.object(sys, "stdin", io.StringIO()),
                mock.patch.dict(os.environ, HOME=str(self.home)),
            ):
                code = run(words[1:], environment)
        finally:
            os.chdir(before)
        buffer = out.buffer
        assert isinstance(buffer, io.BytesIO)
        return code, buffer.getvalue().decode()

    def _sh(self, command: str, now: str) -> tuple[int, str]:
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=self.place,
            env=self._environment(now),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


SIGNED = "CLAUDECODE=1"
_PTY = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) and 1)"
_ALONE = "import os, sys; os.setsid(); os.execvp(sys.argv[1], sys.argv[1:])"
WAYS_BELOW = [
    "a terminal of its own",
    "and no sign in it",
    "and what it makes is left alone",
    "the terminal above, opened again",
    "no terminal",
    *(["script"] if shutil.which("script") else []),
]


def typed(folder: Path, line: str, *, yes_to: str = "") -> str:
    """Run a line as a shell at a new terminal runs it, say yes to what ends in ``yes_to``, and return what is seen there."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execlp(
            "sh", "sh", "-c", f"{line}; exit $?"
        )  # the shell stays, as one does at which somebody types
    seen = bytearray()
    with suppress(OSError):  # read to its end, or the other side waits
        while part := os.read(terminal, 1024):
            seen += part
            if yes_to and seen.endswith(yes_to.encode()):
                os.write(terminal, b"y\n")
    os.close(terminal)
    os.waitpid(pid, 0)
    return seen.decode("utf-8", "replace")


def below(way: str, line: str) -> str:
    """Return a line by which a host's process runs another at a terminal that it finds or makes."""
    python = shlex.quote(sys.executable)
    inner = shlex.quote(f"{line}; exit $?")
    made = {
        "a terminal of its own": f"{python} -c {shlex.quote(_PTY)} sh -c {inner}",
        "and no sign in it": f"{python} -c {shlex.quote(_PTY)} env -u CLAUDECODE sh -c {inner}",
        "and what it makes is left alone": f"{python} -c {shlex.quote(_PTY)} sh -c {shlex.quote(f'env -u CLAUDECODE sh -c {inner}; true')}",
        "the terminal above, opened again": f"{python} -c {shlex.quote(_ALONE)} sh -c {inner} <$(tty)",
        "no terminal": f"{python} -c {shlex.quote(_ALONE)} sh -c {inner} </dev/null 2>/dev/null",
        "script": f"script -qec {inner} /dev/null",
    }[way]
    return f"{SIGNED} sh -c {shlex.quote(f'{made}; exit $?')}"
