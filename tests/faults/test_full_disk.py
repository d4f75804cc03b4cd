"""P11: a full disk refuses the change, keeps everything that was there, and is forgotten once there is room again.

Mutants that these tests caught: a half-written file not removed, the staging's lock kept after the error, libgit2's
"no error" passed on instead of what it means.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from rounds import some

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGE = 4096
NAMESPACES = (["-r", "-m"], ["-m"])  # a user's own, or root's
HOLD = 'mount -t tmpfs -o size=4m none "$1" && echo ready && read -r _'


@dataclass
class SmallDisk:
    """A disk of 4 MiB that only processes started through ``run`` see."""

    folder: Path
    enter: list[str]

    def run(self, *command: object, check: bool = True) -> subprocess.CompletedProcess[str]:
        words = [*self.enter, *(str(word) for word in command)]
        done = subprocess.run(words, capture_output=True, check=False, text=True)
        assert not check or done.returncode == 0, done.stderr
        return done

    @property
    def root(self) -> Path:
        return self.folder / "workspace"

    def clawgit(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return self.run(sys.executable, "-m", "clawgit", "-w", self.root, *arguments, check=check)

    def git(self, *arguments: str) -> str:
        return self.run("git", "--no-optional-locks", "-C", self.root, *arguments).stdout.strip()

    def state(self) -> tuple[str, str]:
        """Return the tip, and MEMORY.md as it stands in the folder."""
        return self.git("rev-parse", "HEAD"), self.run("cat", self.root / "MEMORY.md").stdout

    def leave_free(self, pages: int) -> None:
        """Fill the disk up to ``pages``."""
        free = int(self.run("stat", "--file-system", "--format=%f", self.folder).stdout)
        fill = f'head -c {max(0, free - pages) * PAGE} /dev/zero > "$1"'
        self.run("sh", "-c", fill, "sh", self.folder / "ballast")

    def make_room(self) -> None:
        self.run("rm", "-f", self.folder / "ballast")

    def leftovers(self) -> list[str]:
        patterns = ("*.lock", "tmp_obj*", ".clawgit-new-*", "staging*")
        tests = [word for pattern in patterns for word in ("-o", "-name", pattern)][1:]
        intents = self.git("for-each-ref", "--format=%(refname)", "refs/clawgit/intent").split()
        return self.run("find", self.root, *tests).stdout.split() + intents


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    folder = tmp_path / "small"
    folder.mkdir()
    for options in NAMESPACES:
        try:
            holder = subprocess.Popen(
                ["unshare", *options, "sh", "-c", HOLD, "sh", folder],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except FileNotFoundError:
            pytest.skip("unshare is not installed, so no small disk can be mounted")
        assert holder.stdout is not None
        if holder.stdout.readline() == b"ready\n":
            user = ["-U", "--preserve-credentials"] if "-r" in options else []
            yield SmallDisk(folder, ["nsenter", f"--target={holder.pid}", *user, "-m"])
            holder.communicate(b"\n")
            return
        _, said = holder.communicate()
    pytest.skip(f"a small disk may not be mounted here: {said.decode().strip()}")


def test_whatever_room_is_left_a_change_is_made_whole_or_refused(small_disk, full_length):
    small_disk.clawgit("init")
    outcomes = set()
    for pages in range(0, 26, 1 if full_length else 12):
        small_disk.clawgit("memory", "add", f"before {pages} pages", "--to", "MEMORY.md")
        before = small_disk.state()
        small_disk.leave_free(pages)

        done = small_disk.clawgit(
            "memory", "add", f"with {pages} pages left", "--to", "MEMORY.md", check=False
        )

        outcomes.add(done.returncode)
        now = small_disk.state()
        if done.returncode == 0:
            assert now[0][:12] == done.stdout.strip()
            assert f"with {pages} pages left" in now[1]
        else:
            assert done.returncode == 1, done.stderr
            assert "disk is full" in done.stderr
            assert now == before
        small_disk.git("fsck", "--full", "--strict", "--no-dangling")
        assert small_disk.git("status", "--porcelain") == ""
        assert small_disk.leftovers() == [], f"with {pages} pages left: {done.stderr}"
        small_disk.make_room()
    assert outcomes == {0, 1}
    small_disk.clawgit("memory", "add", "with room again", "--to", "MEMORY.md")
    assert small_disk.git("show", "HEAD:MEMORY.md").count("with room again") == 1
    assert small_disk.git("status", "--porcelain") == ""


def test_a_large_change_that_does_not_fit_leaves_no_part_of_itself(small_disk):
    small_disk.clawgit("init")
    before = small_disk.git("rev-parse", "HEAD")
    text = small_disk.run("cat", small_disk.root / "USER.md").stdout
    noise = 'head -c 900000 /dev/urandom | od -An -tx1 | head -c 1000000 > "$1"'
    small_disk.run("sh", "-c", noise, "sh", small_disk.root / "memory/large.md")
    small_disk.leave_free(60)

    done = small_disk.clawgit("keep", check=False)

    assert done.returncode == 1, done.stderr
    assert "disk is full" in done.stderr
    assert small_disk.git("rev-parse", "HEAD") == before
    assert small_disk.run("cat", small_disk.root / "USER.md").stdout == text
    assert small_disk.leftovers() == []
    small_disk.make_room()
    small_disk.run("rm", small_disk.root / "memory/large.md")
    small_disk.clawgit("memory", "add", "with room again", "--to", "MEMORY.md")
    small_disk.git("fsck", "--full", "--strict", "--no-dangling")
    assert small_disk.git("status", "--porcelain") == ""


def test_a_message_that_does_not_fit_is_refused_and_the_others_stay(small_disk, full_length):
    small_disk.clawgit("init")
    small_disk.clawgit("chat", "add", "before", "--id", "before")
    kept = {"before"}
    for pages in (0, 1, 2, 4, 8, 16) if full_length else (0, 4):
        small_disk.leave_free(pages)
        name = f"with {pages} pages left"
        done = small_disk.clawgit("chat", "add", "x" * 20_000, "--id", name, check=False)
        if done.returncode == 0:
            kept.add(name)
        else:
            assert done.returncode == 1, done.stderr
            assert "full" in done.stderr
        small_disk.make_room()
        said = json.loads(small_disk.clawgit("chat", "log", "--json", "-n", "99").stdout)
        assert {message["message_id"] for message in said} == kept
    assert "with 0 pages left" not in kept
    small_disk.clawgit("chat", "add", "after", "--id", "after")
    assert "after" in small_disk.clawgit("chat", "log").stdout


def test_doctor_says_that_the_disk_is_full(small_disk):
    """Seen: "Everything is in order." while no command could write."""
    small_disk.clawgit("init")
    small_disk.leave_free(0)

    done = small_disk.clawgit("doctor", check=False)

    assert done.returncode == 1
    assert "Nothing can be written in " in done.stdout + done.stderr
    small_disk.make_room()
    assert "Nothing can be written" not in small_disk.clawgit("doctor", check=False).stdout


WORDS = "The staging server moved, and everybody who asks for it is told so. " * 12
EXPORT = ("chat", "export")
SHORTER = ("session", "prune", "{transcript}", "--window", "1", "-o")


@pytest.mark.smoke
@pytest.mark.parametrize("command", [EXPORT, SHORTER], ids=["chat export", "session prune"])
def test_a_file_for_which_there_is_no_room_is_refused_and_not_left_in_half(
    small_disk, room, command: tuple[str, ...]
) -> None:
    """Mutants: nothing is said, as where nobody takes the output; the half that fitted stays, and is in the way."""
    transcript, target = room.root / "talk.jsonl", small_disk.folder / "out.jsonl"
    lines = [json.dumps({"role": "user", "content": f"{number} {WORDS}"}) for number in range(200)]
    transcript.write_text("\n".join(lines))
    program = (sys.executable, "-m", "clawgit", "-w", room.root)
    small_disk.run(*program, "chat", "import", transcript)
    small_disk.leave_free(8)
    words = [word.format(transcript=transcript) for word in command]

    done = small_disk.run(*program, *words, target, check=False)

    assert done.returncode == 1, done.stderr
    assert "out.jsonl cannot be written (No space left on device)" in done.stderr
    assert "out.jsonl" not in small_disk.run("ls", small_disk.folder).stdout
    small_disk.make_room()
    small_disk.run(*program, *words, target)


@pytest.mark.parametrize("ask", [("why", "likes tea"), ("memory", "list")], ids=" ".join)
@pytest.mark.parametrize("fault", some(["full", "read-only"], each=2))
def test_where_a_statement_comes_from_is_told_on_a_disk_that_takes_nothing(
    small_disk, ask: tuple[str, ...], fault: str
) -> None:
    """Mutants: what history gave can only be kept on the disk; nothing that was read of it before counts."""
    small_disk.clawgit("init")
    for number in range(3):
        small_disk.clawgit("memory", "add", f"Ada likes tea number {number}.", "--to", "MEMORY.md")
        if number == 1:
            small_disk.clawgit(*ask)
    if fault == "full":
        small_disk.leave_free(0)
    else:
        small_disk.run("mount", "-o", "remount,ro", small_disk.folder)

    done = small_disk.clawgit(*ask, check=False)

    assert done.returncode == 0, done.stderr
    assert "tea number 2." in done.stdout


@pytest.mark.long
def test_jobs_that_are_due_while_the_disk_is_full_are_done_once_there_is_room(small_disk) -> None:
    """Mutants: a slot that could not be noted is lost; one that failed there is not tried again."""

    def at(time: str, *words: str) -> subprocess.CompletedProcess[str]:
        return small_disk.clawgit("--rehearse", "--now", f"{time}:00+00:00", *words, check=False)

    small_disk.clawgit("init", "--now", "2026-03-19T10:00:00+00:00", "--rehearse")
    assert at("2026-03-19T10:22", "runner", "once").returncode == 0
    at("2026-03-19T10:23", "chat", "add", "I prefer tea over coffee.")
    small_disk.leave_free(0)
    for minute in ("06:00", "06:05"):
        told = at(f"2026-03-20T{minute}", "runner", "once", "--json")
        assert told.returncode in (0, 1), told.stderr
        assert "Traceback" not in told.stderr
    small_disk.make_room()

    for minute in range(10, 60, 10):
        assert at(f"2026-03-20T06:{minute}", "runner", "once").returncode == 0

    (told,) = json.loads(at("2026-03-20T07:00", "runner", "status", "--json").stdout)
    slots = {each["job"]: each["last"] for each in told["jobs"]}
    assert (slots["memory-miner"]["slot"], slots["memory-miner"]["state"]) == ("2026-03-20", "done")
    assert small_disk.git("show", "HEAD:MEMORY.md").count("I prefer tea over coffee.") == 1
