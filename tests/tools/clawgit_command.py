"""Running commands in this process, as the program does."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from clawgit.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOW = "2026-03-19T10:22:00+00:00"
FIRST_COMMANDS = (("status",), ("triage", "Hello"))
FIRST_FILES = ("arrivals.json", "records.db", "reflogs.json", "triage.cache", "unseen")


@dataclass(frozen=True)
class Said:
    """What a command printed, said and ended with."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(scope="session")
def first_files(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[Callable[[Path], None]], dict[str, bytes]]:
    """Return what the first commands in a new workspace leave in `.git/clawgit`; each test would wait for it 20 ms."""
    made: dict[str, bytes] = {}

    def files(write: Callable[[Path], None]) -> dict[str, bytes]:
        if not made:
            root = tmp_path_factory.mktemp("begun") / "workspace"
            write(root)
            for words in FIRST_COMMANDS:
                run(words, {"CLAWGIT_WORKSPACE": str(root), "CLAWGIT_NOW": NOW, "CLAWGIT_REHEARSE": "1"})
            state = root / ".git/clawgit"
            with closing(sqlite3.connect(state / "records.db")) as store:
                store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            made.update({name: (state / name).read_bytes() for name in FIRST_FILES})
        return made

    return files


@pytest.fixture
def begun(room, new_workspace, first_files, now) -> None:
    """Let the first commands have been run in the workspace, where nothing but its making was done in it."""
    state = room.root / ".git/clawgit"
    if now.isoformat() != NOW or any((state / name).exists() for name in FIRST_FILES):
        return
    for name, data in first_files(lambda root: new_workspace(root, now)).items():
        (state / name).touch(0o600)
        (state / name).write_bytes(data)


@pytest.fixture
def clawgit(capfd: pytest.CaptureFixture[str], room, begun) -> Callable[..., Said]:
    """Return a function that runs a command in the workspace."""

    def call(*words: str, actor: str = "", environment: dict[str, str] | None = None) -> Said:
        values = {
            "CLAWGIT_WORKSPACE": str(room.root),
            "CLAWGIT_NOW": NOW,
            "CLAWGIT_REHEARSE": "1",
        }
        capfd.readouterr()
        code = run(words, values | ({"CLAWGIT_ACTOR": actor} if actor else {}) | (environment or {}))
        out, err = capfd.readouterr()
        return Said(code, out, err)

    return call
