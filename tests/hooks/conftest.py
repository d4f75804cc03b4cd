"""A workspace with clawgit's hooks in it, and git as a person runs it there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import pytest

from clawgit.history.git.repository import open_history
from clawgit.history.hooks.install import install_hooks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True)
class Hooked:
    """A workspace whose hooks are installed; what is GOOD passes every check, what is BAD does not."""

    GOOD: ClassVar[str] = "- Prefers tea.\n"
    BAD: ClassVar[str] = "<<<<<<< ours\n- tea\n=======\n- coffee\n>>>>>>> theirs\n"

    root: Path

    def git(
        self, *arguments: str, at: Path | None = None, stdin: str | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run git as Ada, whatever it answers."""
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        return subprocess.run(
            [shutil.which("git") or "git", *who, *arguments],
            cwd=at or self.root,
            capture_output=True,
            check=False,
            text=True,
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            env={**os.environ, **environment},
        )

    def must(
        self, *arguments: str, at: Path | None = None, stdin: str | None = None, **environment: str
    ) -> str:
        done = self.git(*arguments, at=at, stdin=stdin, **environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def append(self, path: str, text: str) -> None:
        with (self.root / path).open("a") as file:
            file.write(text)

    def stage(self, path: str, text: str) -> None:
        self.write(path, text)
        self.must("add", path)

    def unchecked(self, path: str, text: str, *arguments: str) -> str:
        """Commit a file past the hooks and return the commit."""
        self.stage(path, text)
        self.must("commit", "--quiet", "--no-verify", "-m", f"unchecked {path}", *arguments)
        return self.must("rev-parse", "HEAD")

    def head(self) -> str:
        """Return the tip, empty before the first commit."""
        return self.git("rev-parse", "--quiet", "--verify", "HEAD").stdout


@pytest.fixture
def new_hooked(new_workspace, now, tmp_path_factory) -> Callable[[str], Hooked]:
    """Return what makes a workspace with hooks outside of the test's own folder: a hook runs the program under test."""

    def new(name: str) -> Hooked:
        root = tmp_path_factory.mktemp(name) / "workspace"
        new_workspace(root, now)
        install_hooks(open_history(root), sys.executable)
        return Hooked(root)

    return new


@pytest.fixture
def hooked(room) -> Hooked:
    """Return a workspace with hooks; each test of a hook runs the program that is tested."""
    install_hooks(room.history, sys.executable)
    return Hooked(room.root)
