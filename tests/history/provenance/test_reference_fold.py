"""Every view against a slow and obvious way to the same answer, over histories that people make with git."""

from __future__ import annotations

import json
import random
import subprocess
from datetime import timedelta

import pytest

from clawgit.history.provenance.entries_at_tip import list_states
from clawgit.history.reading.blame import blame
from clawgit.history.reading.git_log import SOUL_FILES, read_log
from clawgit.memory.provenance.pieces import ENTRY, line_pieces

FILES = ("SOUL.md", "MEMORY.md", "memory/topic.md", "memory/2026-03-19.md")
ACTORS = ("operator", "host", "memory-miner")


class Author:
    """Somebody who works on a workspace for a while, with clawgit and with git, following a seed."""

    def __init__(self, room, seed: int) -> None:
        self.room = room
        self.dice = random.Random(seed)
        self.number = 0

    def work(self, steps: int) -> None:
        for _ in range(steps):
            self.room.now += timedelta(minutes=self.dice.randrange(1, 300))
            self.dice.choice(
                [
                    *[self.change] * 3,
                    *[self.keep, self.by_hand, self.merge, self.rebase],
                    *[self.squash, self.revert, self.amend, self.cherry_pick],
                ]
            )()

    def text(self, path: str) -> str:
        self.number += 1
        old = self.room.read(path) if (self.room.root / path).exists() else ""
        lines = old.splitlines(keepends=True)
        if lines and self.dice.random() < 0.3:
            del lines[self.dice.randrange(len(lines))]
        lines.insert(self.dice.randrange(len(lines) + 1), f"- statement {self.number} about things\n")
        return "".join(lines)

    def change(self) -> None:
        path = self.dice.choice(FILES)
        self.room.change({path: self.text(path)}, actor=self.dice.choice(ACTORS))

    def keep(self) -> None:
        self.room.write("memory/topic.md", self.text("memory/topic.md"))
        self.room.keep(self.dice.choice(["operator", "host", "unknown"]))

    def by_hand(self) -> None:
        path = self.dice.choice(FILES)
        self.room.write(path, self.text(path))
        self.git("add", path)
        self.git("commit", "-qm", f"by hand {self.number}")

    def side(self, steps: int) -> None:
        self.git("checkout", "-qb", f"side-{self.number}")
        for _ in range(steps):
            self.dice.choice([self.change, self.by_hand])()

    def merge(self) -> None:
        self.side(2)
        name = self.room.git("branch", "--show-current")
        self.git("checkout", "-q", "main")
        self.by_hand()
        if self.git("merge", "-q", "--no-edit", name) != 0:
            self.git("merge", "--abort")

    def rebase(self) -> None:
        self.side(2)
        name = self.room.git("branch", "--show-current")
        self.git("checkout", "-q", "main")
        self.by_hand()
        self.git("checkout", "-q", name)
        if self.git("rebase", "-q", "main") != 0:
            self.git("rebase", "--abort")
        self.git("checkout", "-q", "main")
        self.git("merge", "-q", "--no-edit", name)
        if self.room.git("status", "--porcelain"):
            self.git("merge", "--abort")

    def squash(self) -> None:
        if int(self.room.git("rev-list", "--count", "--first-parent", "HEAD")) > 3:
            self.git("reset", "-q", "--soft", "HEAD~2")
            self.git("commit", "-qm", "squashed")

    def revert(self) -> None:
        if self.git("revert", "--no-edit", "HEAD~1") != 0:
            self.git("revert", "--abort")

    def amend(self) -> None:
        self.git("commit", "-q", "--amend", "-m", "amended by hand")

    def cherry_pick(self) -> None:
        self.side(1)
        made = self.room.head()
        self.git("checkout", "-q", "main")
        if self.git("cherry-pick", made) != 0:
            self.git("cherry-pick", "--abort")

    def git(self, *arguments: str) -> int:
        stamp = self.room.now.isoformat()
        environment = {
            "GIT_AUTHOR_DATE": stamp,
            "GIT_COMMITTER_DATE": stamp,
            "PATH": "/usr/bin:/bin:/usr/local/bin",
        }
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
        return subprocess.run(
            ["git", *who, *arguments], cwd=self.room.root, capture_output=True, check=False, env=environment
        ).returncode


@pytest.fixture(params=range(3))
def worked(room, request, lived_once, full_length: bool):
    """Return a workspace after some days of work."""
    seed = request.param
    return lived_once(str(seed), lambda: Author(room, seed).work(60 if full_length else 12))


def parents(room, commit: str) -> list[str]:
    return room.git("log", "-1", "--format=%P", commit).split()


def files_of(room, commit: str) -> dict[str, str]:
    listed = room.git("ls-tree", "-r", commit).splitlines()
    return {line.split("\t")[1]: line.split()[2] for line in listed}


@pytest.mark.sampled(4)
def test_the_log_has_every_commit_that_changed_the_soul(worked) -> None:
    expected = set()
    for commit in worked.git("rev-list", "HEAD").split():
        soul = {path: blob for path, blob in files_of(worked, commit).items() if path in SOUL_FILES}
        before = [
            {path: blob for path, blob in files_of(worked, parent).items() if path in SOUL_FILES}
            for parent in parents(worked, commit)
        ]
        if all(soul != old for old in before) and (before or soul):
            expected.add(commit)

    assert {change.commit_id for change in read_log(worked.history)} == expected


@pytest.mark.sampled(3)
def test_blame_agrees_with_git(worked) -> None:
    for path in ("SOUL.md", "MEMORY.md"):
        gits = [
            line.split()[0]
            for line in worked.git("blame", "-w", "-l", "-s", "--root", "HEAD", "--", path).splitlines()
        ]
        ours = [line.change.commit_id for line in blame(worked.history, path, worked.head())]
        assert [name.lstrip("^") for name in gits] == [name[: len(gits[0])] for name in ours]


def memory_words(room, commit: str, known: dict[str, set[str]]) -> set[str]:
    """Return what stands anywhere at a commit; ``known`` has what was read of each blob before."""
    words = set()
    for path, blob in files_of(room, commit).items():
        if path.endswith(".md"):
            if blob not in known:
                known[blob] = {piece.key for piece in line_pieces(room.git("show", blob).encode()).values()}
            words |= known[blob]
    return words


@pytest.mark.sampled(4)
def test_every_statement_has_the_origin_that_a_slow_search_finds(worked) -> None:
    tips = ["HEAD", *worked.git("for-each-ref", "--format=%(refname)", "refs/clawgit/past/").split()]
    remembered = worked.root / ".git/clawgit/tips.json"
    tips += json.loads(remembered.read_text()).values()
    first: dict[str, str] = {}
    known: dict[str, set[str]] = {}
    for commit in worked.git("rev-list", "--date-order", "--reverse", *tips).split():
        before = set().union(*(memory_words(worked, parent, known) for parent in parents(worked, commit)))
        for words in memory_words(worked, commit, known) - before:
            first.setdefault(words, commit)

    for state in list_states(worked.history, worked.now.date()):
        assert state.commit_id == first[ENTRY + state.entry.text]
        actor = worked.git(
            "log", "-1", "--format=%(trailers:key=Clawgit-Actor,valueonly,separator=)", state.commit_id
        )
        assert state.source == (actor or "operator")
