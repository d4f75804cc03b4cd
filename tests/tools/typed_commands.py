"""The commands of a document, and somebody who types them in a home of his own: ids are those that were printed before."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
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
