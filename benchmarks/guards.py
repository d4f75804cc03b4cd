"""The guards alone, over a workspace of 10,000 files: a change of two, a file that moves, and text to be read."""

from __future__ import annotations

import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.one_change import make_workspace
from clawgit.history.authorship.intent import Intent
from clawgit.history.guards.check import check
from clawgit.history.transaction.working_tree import Draft
from clawgit.text.safety.secrets import find_secrets
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.history.git.repository import History

ROUNDS = 30
DAY = "memory/2026-03-19.md"
PROSE = "- 2026-03-19: Ada said that the plan for the week stays as it is. <!-- m:7k2x9d -->\n"


def guards() -> None:
    """Print what each takes; 20 ms are to be reached for the first."""
    with tempfile.TemporaryDirectory() as folder:
        history = make_workspace(Path(folder) / "workspace")
        line = b"- Ada likes tea. <!-- m:abc123 -->\n"
        append = {path: (history.tip().tree.read(path) or b"") + line for path in ("MEMORY.md", DAY)}
        _print("append to MEMORY.md and a new day", _asked(history, append), "to reach: 20 ms")
        lost = {"AGENTS.md": b"# AGENTS\n"}
        _print("a file that loses its text (reads 5,000 others)", _asked(history, lost), "")
    megabyte = PROSE * (1_000_000 // len(PROSE))
    _print("secrets in a megabyte of memories", lambda: find_secrets(megabyte), "")


def _asked(history: History, files: dict[str, bytes]) -> Callable[[], object]:
    tree = history.tip().tree
    draft = Draft(tree, {path: FileContent(data) for path, data in files.items()})
    intent = Intent("op", "operator", datetime.now(UTC))
    return lambda: check(tree, draft, intent, history.settings)


def _print(name: str, run: Callable[[], object], reach: str) -> None:
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        run()
        taken.append((time.perf_counter() - start) * 1000)
    rest = taken[1:]
    print(
        f"guards, {name}: {statistics.median(rest):.1f} ms ({min(rest):.1f}-{max(rest):.1f}), "
        f"the first time {taken[0]:.1f} ms {reach}".rstrip()
    )
