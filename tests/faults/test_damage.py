"""P9: whatever file of git's or clawgit's is cut, emptied, garbled or gone, each command ends in seconds with a sentence.

None is taken for a bug, no file of the workspace changes that a command was not asked to write, and no object or
commit is lost beyond the damage itself.

Mutants seen to fail here: objects are read by libgit2 alone (hangs); a damaged cache is read all the same; `doctor --fix`
throws away what it cannot read.
"""

from __future__ import annotations

import io
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from clawgit.cli.main import run
from clawgit.history.hooks.install import install_hooks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EXPECTED = (0, 1, 4, 5)
COMMANDS = (
    ("status",),
    ("memory", "list"),
    ("why", "milk"),
    ("keep",),
    ("memory", "add", "Remember the bread.", "--to", "MEMORY.md"),
    ("soul", "log"),
    ("changelog",),
    ("doctor",),
    ("doctor", "--fix"),
    ("memory", "add", "Remember the butter.", "--to", "MEMORY.md"),
)
BRIEFLY = (0, 2, 4, 7, 8, 9)


def git(root: Path, *arguments: str) -> str:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    done = subprocess.run(["git", *who, *arguments], cwd=root, capture_output=True, check=True, text=True)
    return done.stdout.strip()


def _half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _flipped(data: bytes) -> bytes:
    at = len(data) // 2
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :] if data else b"?"


DAMAGES = {
    "cut in half": _half,
    "one byte short": lambda data: data[:-1],
    "emptied": lambda _: b"",
    "one bit flipped": _flipped,
    "zeros": lambda data: bytes(len(data) or 1),
    "gone": None,
}
KINDS = (
    *("HEAD", "index", "config", "packed-refs", "refs/heads/main", "refs/clawgit/past/*", "info/exclude"),
    *("refs/clawgit/proposals/*", "logs/HEAD", "logs/refs/heads/main", "hooks/pre-commit"),
    *("object HEAD", "object HEAD~1", "object HEAD^{tree}", "object HEAD:memory", "object HEAD:MEMORY.md"),
    *(
        "object HEAD:memory/old.md",
        "objects/pack/*.pack",
        "objects/pack/*.idx",
        "objects/info/commit-graph",
    ),
    *("clawgit/format", "clawgit/tips.json", "clawgit/views.json", "clawgit/config-history.json"),
    *("clawgit/arrivals.json", "clawgit/own-commits", "clawgit/interpreter", "clawgit/records.db"),
    *("clawgit/records.db-wal", "clawgit/fold.db", "clawgit/paused", "clawgit/lock", "clawgit/queue"),
    "clawgit/signal",
)
HANGING = [(f"object {name}", "cut in half") for name in ("HEAD", "HEAD~1", "HEAD:memory", "HEAD:MEMORY.md")]
CASES = [(kind, damage) for kind in KINDS for damage in DAMAGES]


@pytest.fixture(scope="module")
def sound_workspace(tmp_path_factory) -> Path:
    """Return a folder for the workspace that every case damages a copy of."""
    return tmp_path_factory.mktemp("sound") / "workspace"


@pytest.fixture
def pattern(sound_workspace, room) -> Path:
    """Return a workspace in which every kind of file is there."""
    if sound_workspace.exists():
        return sound_workspace
    install_hooks(room.history, sys.executable)
    room.change({"memory/old.md": "- milk, once\n", "notes.md": "as it was\n"})
    git(room.root, "branch", "packed")
    git(room.root, "gc", "-q")
    git(room.root, "commit-graph", "write", "--reachable")
    room.append("MEMORY.md", "- milk, always")
    room.append("memory/old.md", "- milk, again")
    room.git("commit", "-q", "--amend", "--no-verify", "-m", "amended")
    room.write("SOUL.md", "I am somebody else.\n")
    room.keep("unknown")
    room.git("checkout", "-q", "--", "SOUL.md")
    for words in (("memory", "list"), ("why", "milk"), ("pause", "a review"), ("status",)):
        assert run(["-w", str(room.root), *words], os.environ) == 0
    room.write("notes.md", "edited by hand\n")
    with closing(sqlite3.connect(room.root / ".git/clawgit/records.db")) as db:
        with db:
            db.execute("INSERT INTO tips VALUES ('2026-03-19T10:22:00+00:00', 'refs/heads/gone', '0')")
        room.unpack()
        shutil.copytree(room.root, sound_workspace)  # while it is open, its log is there too
    return sound_workspace


def damaged_file(root: Path, kind: str) -> Path | None:
    if kind.startswith("object "):
        name = git(root, "rev-parse", kind.removeprefix("object "))
        return root / ".git/objects" / name[:2] / name[2:]
    return next(iter(sorted((root / ".git").glob(kind))), None)


def objects_in(root: Path) -> set[str]:
    """Return every object that is there as a file or in a pack's index, whole or not, or was put aside."""
    found = {path.parent.name + path.name for path in (root / ".git/objects").glob("??/*")}
    found |= {path.name for path in (root / ".git/clawgit").glob("damaged-objects/*")}
    for index in (root / ".git/objects/pack").glob("*.idx"):
        with index.open("rb") as file:
            said = subprocess.run(["git", "show-index"], stdin=file, capture_output=True, check=False).stdout
        found |= {line.split()[1].decode() for line in said.splitlines()}
    return found


def files_of(root: Path) -> dict[str, bytes]:
    """Return the workspace's own files; those that are rendered follow whatever history is left."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
        and ".git" not in path.relative_to(root).parts[:1]
        and not path.relative_to(root).as_posix().startswith(("CHANGELOG", "COMPACTION", "SOUL_HISTORY"))
    }


def commands(say, wait, root: Path, words: list[tuple[str, ...]]) -> None:
    """Run one command after the other, and say how each ended and what it said."""
    wait()
    for line in words:
        sys.stdout = sys.stderr = said = io.StringIO()
        code = run(["-w", str(root), *line], dict(os.environ))
        say((line, code, said.getvalue()))


def chosen(full_length: bool) -> Iterator[tuple[str, str]]:
    """Return all cases, or a few: every damage, a third of the kinds, and the objects on which libgit2 hangs."""
    yield from CASES if full_length else (*CASES[3::17], *HANGING)


def test_no_damage_hangs_breaks_or_loses_anything(pattern, start, tmp_path, full_length):
    words = list(COMMANDS) if full_length else [COMMANDS[number] for number in BRIEFLY]
    wrong = []
    assert len(CASES) >= 200
    for number, (kind, damage) in enumerate(chosen(full_length)):
        root = tmp_path / str(number) / "workspace"
        shutil.copytree(pattern, root)
        path = damaged_file(root, kind)
        assert path is not None, kind
        files = files_of(root)
        _damage(path, DAMAGES[damage])
        objects = objects_in(root)
        commits = named_commits(root)
        worker = start(commands, root, words)
        worker.go()
        said = worker.said()
        wrong += [f"{kind} {damage}: {what}" for what in _wrong(said, words)]
        wrong += [f"{kind} {damage}: {what}" for what in _lost(root, files, objects)]
        lost = () if path.is_relative_to(root / ".git/objects") else commits - named_commits(root)
        wrong += [f"{kind} {damage}: the commit {name} is named by nothing" for name in lost]
        shutil.rmtree(root.parent)
    assert not wrong, "\n".join(wrong)


def _damage(path: Path, how) -> None:
    if how is None:
        path.unlink()
        return
    path.chmod(0o644)
    path.write_bytes(how(path.read_bytes()))


def _wrong(said, words) -> Iterator[str]:
    if len(said) != len(words):
        yield f"only {len(said)} of {len(words)} commands ended: {said[-1:]}"
    for line, code, text in (one for one in said if isinstance(one, tuple)):
        name = " ".join(line)
        if code not in EXPECTED:
            yield f"{name} ended with {code}: {text[-300:]}"
        if "bug" in text or "Traceback" in text:
            yield f"{name} is broken: {text[-300:]}"
        if code != 0 and not text.strip():
            yield f"{name} said nothing and ended with {code}"


def _lost(root: Path, files: dict[str, bytes], objects: set[str]) -> Iterator[str]:
    present = files_of(root)
    for path, data in files.items():
        if not present.get(path, b"").startswith(data.rstrip(b"\n")):
            yield f"{path} reads otherwise"
    if objects - objects_in(root):
        yield "objects are gone"


def named_commits(root: Path) -> set[str]:
    """Return every commit that git reaches from a reference or its log, as far as it can read them."""
    words = ["git", "rev-list", "--all", "--reflog"]
    return set(subprocess.run(words, cwd=root, capture_output=True, check=False, text=True).stdout.split())
