"""T4, T5 and T16 for what reads memory: no path leads out, no link is followed, no query is a program."""

from __future__ import annotations

import json
import os
import random
import sys
from contextlib import suppress
from itertools import count, product
from typing import TYPE_CHECKING

import pytest

from clawgit.cli.main import run
from clawgit.errors import ClawgitError, ExitCode
from clawgit.recall.get_lines import get_lines
from clawgit.recall.index.search_index import INDEX
from clawgit.recall.search import search
from clawgit.recall.search_results import Query

if TYPE_CHECKING:
    from pathlib import Path

CANARY = "canary-7f3a9d"


@pytest.fixture
def guarded(room, tmp_path: Path):
    """A workspace beside which, and in whose closed files, a canary sits."""
    outside = tmp_path / "outside"
    outside.mkdir()
    for path in (outside / "secret.md", tmp_path / "secret.md", tmp_path / "workspace-other.md"):
        path.write_text(f"- {CANARY}\n")
    for name in ("agents/soul-keeper/SOUL.md", ".git/x.md", ".git/clawgit/x.md", ".hidden/x.md", "x.json"):
        (room.root / name).parent.mkdir(parents=True, exist_ok=True)
        (room.root / name).write_text(f"{CANARY}\n")
    for name in ("SOUL.md", "USER.md", "CONFIG.md", "x.md"):  # texts of the folder, which are served
        (room.root / name).write_text("- mine\n")
    room.write("memory/a.md", "- mine\n")
    (room.root / "memory/link.md").symlink_to(outside / "secret.md")
    (room.root / "memory/folder").symlink_to(outside)
    (room.root / "memory/inside.md").symlink_to(room.root / ".git/x.md")
    return room


HEADS = (
    "",
    "/",
    "./",
    "memory/",
    "memory/../",
    "memory/../../",
    "Archive/../",
    "MEMORY.md/../",
    "memory//",
    "memory/./",
    "//",
)
TAILS = (
    "SOUL.md", "USER.md", "CONFIG.md", "x.md", "../secret.md", "../workspace-other.md", "../outside/secret.md", ".git/x.md",
    ".GIT/x.md", ".git/clawgit/x.md", "git~1/x.md", ".g\u200cit/x.md", "agents/soul-keeper/SOUL.md", ".hidden/x.md", "x.json", "link.md", "inside.md",
    "folder/secret.md", "link.md/x.md", "a.md/../../SOUL.md", "..\\secret.md", "%2e%2e/secret.md", "a.md\0.md",
)  # fmt: skip


def test_no_path_reads_what_is_not_memory(guarded, capfd) -> None:
    """T4. Mutant: a path that is resolved before it is judged."""
    paths = {head + tail for head, tail in product(HEADS, TAILS)}
    paths |= {str(guarded.root / path.lstrip("/")) for path in paths if "\0" not in path}
    assert len(paths) > 200
    environment = {"CLAWGIT_WORKSPACE": str(guarded.root)}
    for path in sorted(paths):
        code = run(["memory", "get", path, "--json"], environment)
        out, _ = capfd.readouterr()
        assert code in (ExitCode.DONE, ExitCode.REFUSED, ExitCode.USAGE), path
        assert CANARY not in out, path
        assert code != ExitCode.DONE or json.loads(out)["text"] in ("", "- mine\n"), path


def test_nothing_but_memory_is_in_the_index(guarded) -> None:
    """T5. Mutant: links followed while files are listed and read."""
    assert search(guarded.history, Query(CANARY, min_score=0.0), guarded.now).results == ()
    assert CANARY.encode() not in (guarded.history.state / INDEX).read_bytes()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux exchanges two names in one step")
def test_a_folder_that_turns_into_a_link_is_not_entered(guarded, start, work, tmp_path, full_length) -> None:
    """T5. Mutant: reading a file by its whole path."""
    place = guarded.root / "memory/sub"
    place.mkdir()
    (place / "secret.md").write_text("- mine\n")
    swapper = start(work.swap, place, tmp_path / "outside")
    swapper.go()
    seen = set()
    rounds = count(1)
    while next(rounds) <= (1000 if full_length else 100) or "- mine\n" not in seen:
        with suppress(ClawgitError):
            seen.add(get_lines(guarded.history, "memory/sub/secret.md").text)
        os.utime(place.parent / "a.md")
        for hit in search(guarded.history, Query(f"mine {CANARY}", min_score=0.0), guarded.now).results:
            seen.add(hit.snippet)
        assert CANARY.encode() not in (guarded.history.state / INDEX).read_bytes()
    assert swapper.process.is_alive()
    assert not [text for text in seen if CANARY in text]
    assert "- mine\n" in seen


SYNTAX = (
    '"', '""', '" OR "', "'", "' OR 1=1 --", "; DROP TABLE texts; --", "*", "mine*", "^mine", "-mine", "NOT mine", "NEAR(", "NEAR(a b, 2)",
    "a AND", "OR", "AND OR NOT", "(", ")", "((((", "terms:mine", "words : mine", "{terms}: mine", "rank", "bm25(words)", "+", "a + b",
    "\\", "\\x00", "\0", "a\0b", "%", "_", "?", "?1", ":x", "@x", "$x", "#", "[", "]", "{}", "<!-- -->", "\ud800", "\udcff", "\ufffd",
    "\u202e", "\u0000mine", "\u200b", "a" * 100_000, "(" * 5000, '"' * 5001, "mine " * 5000, "数" * 3000, "🙂" * 500, "\n\r\t", "ﬁ", "İ", "ß",
)  # fmt: skip


def test_no_query_is_a_program(guarded, full_length) -> None:
    """T16. Mutant: what was typed put between quotes for FTS5 as it is."""
    guarded.write("memory/b.md", "- entirely different\n\n" * 30)
    dice = random.Random(2)
    queries = [*SYNTAX, *(f"{a} {b}" for a, b in zip(SYNTAX, reversed(SYNTAX), strict=True))]
    for _ in range(1000 if full_length else 50):
        queries.append("".join(dice.choices("\"'*()^:-+{}\\ \0aNEAR数🙂", k=12)))
    for query in queries:
        if not query.strip():
            continue
        for hit in search(guarded.history, Query(query, most=50), guarded.now).results:
            assert "mine" in query, (query, hit)
            assert "mine" in hit.snippet


@pytest.mark.smoke
@pytest.mark.parametrize("limit", ["path", "category", "tier", "source", "session"])
def test_no_limit_is_a_program(guarded, capfd, limit) -> None:
    for value in SYNTAX:
        if "\0" in value or "\ud800" in value or "\udcff" in value:
            continue
        code = run(
            ["memory", "search", "mine", f"--{limit}={value}", "--json"],
            {"CLAWGIT_WORKSPACE": str(guarded.root)},
        )
        out, _ = capfd.readouterr()
        assert code in (ExitCode.DONE, ExitCode.USAGE), value
        found = json.loads(out).get("results", [])
        assert len(found) <= 1
        assert limit == "session" or value in ("*", "?") or found == [], value
