"""Reading 10,000 commits: `soul log` and blame against the git program, `why` over 1,000 entries, and `undo`."""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.history.adopt import adopt
from clawgit.history.git.repository import History, open_history
from clawgit.history.provenance.why import find_why
from clawgit.history.reading.blame import blame
from clawgit.history.reading.git_log import SOUL_FILES, read_log
from clawgit.history.transaction.pack_writing import pack
from clawgit.history.undo.undo import find_undoing
from clawgit.text.comparing.word_diff import word_diff

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COMMITS = 10_000
ROUNDS = 7


def long_history() -> None:
    """Print the figures, each beside git's for the same question."""
    with tempfile.TemporaryDirectory() as folder:
        history = _history(Path(folder) / "workspace")
        tip = history.tip().commit_id or ""
        _print(
            "soul log (100 of 10,000)",
            lambda: read_log(history, SOUL_FILES),
            lambda: _git(history, "log", "--", *SOUL_FILES),
            "to reach: 1.2 x git's time",
        )
        for path, count in (("SOUL.md", 100), ("MEMORY.md", 1000)):
            _print(
                f"blame of {path} ({count:,} changes)",
                partial(blame, history, path, tip),
                partial(_git, history, "blame", "--porcelain", path),
                "to reach: 3 x git's time",
            )
        start = time.perf_counter()
        find_why(history, "m:e00500", date(2026, 3, 19))
        print(f"why, first time (reads {COMMITS:,} commits): {(time.perf_counter() - start) * 1000:.0f} ms")
        print(
            f"why, 1,000 entries, {COMMITS:,} commits, again: "
            f"{_median(lambda: find_why(history, 'm:e00500', date(2026, 3, 19))):.0f} ms (to reach: 300)"
        )
        middle = _median(lambda: find_undoing(history, f"HEAD~{COMMITS // 2}"))
        print(f"undo, what one of {COMMITS:,} commits did: {middle:.0f} ms")
    old = " ".join(f"word{number % 997}" for number in range(5000))
    new = " ".join(f"word{number % 997}" if number % 83 else "other" for number in range(5000))
    print(f"word diff, 10,000 tokens, 60 edits: {_median(lambda: word_diff(old, new)):.1f} ms (to reach: 50)")


def _print(name: str, ours: Callable[[], object], gits: Callable[[], object], reach: str) -> None:
    mine, theirs = _median(ours), _median(gits)
    print(f"{name}: {mine:.1f} ms, git {theirs:.1f} ms, {mine / theirs:.2f} x git's time {reach}".rstrip())


def _median(run: Callable[[], object]) -> float:
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        run()
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken[1:])


def _git(history: History, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=history.root, check=True, capture_output=True)


def _history(root: Path) -> History:
    """Make a workspace with `COMMITS` commits: a daily note each, every tenth also a memory, every hundredth the soul."""
    adopt(root, datetime(2020, 1, 1, tzinfo=UTC))
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, check=True, input=b"".join(stream()))
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=root, check=True)
    history = open_history(root)
    pack(history)
    return history


def stream() -> Iterator[bytes]:
    """Yield the commits for `git fast-import`, on top of what is there."""
    soul, memory = "# Soul\n", "# Memory\n"
    for number in range(COMMITS):
        files = {f"memory/{2000 + number // 365}-01-{number % 28 + 1:02}.md": f"- note {number}\n"}
        if number % 10 == 0:
            memory += f"- fact number {number // 10} of the project <!-- m:e{number // 10:05} -->\n"
            files["MEMORY.md"] = memory
        if number % 100 == 0:
            soul += f"- principle {number}\n"
            files["SOUL.md"] = soul
        message = f"step {number}\n\nClawgit-Op: op-{number}\nClawgit-Actor: memory-miner\n".encode()
        yield b"commit refs/heads/main\n"
        yield b"committer memory-miner <memory-miner@clawgit.invalid> %d +0000\n" % (
            1_600_000_000 + number * 3600
        )
        yield b"data %d\n%s\n" % (len(message), message)
        yield b"" if number else b"from refs/heads/main^0\n"
        for path, text in files.items():
            yield b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(text.encode()), text.encode())
