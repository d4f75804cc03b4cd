"""`clawgit memory search --json`, as it is shipped, run in this process."""

from __future__ import annotations

import json
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING, Any

from benchmarks.retrieval.measures import Range
from clawgit.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from pathlib import Path

ALL = ("--max-results", "200", "--min-score", "0")
SIX = ("--max-results", "6", "--min-score", "0.35")


def said(root: Path, environment: Mapping[str, str], *words: str) -> Any:
    """Run a command and return what it reports."""
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(StringIO()):
        code = run(["--json", "-w", str(root), *words], environment)
    if code:
        raise SystemExit(f"clawgit {' '.join(words)} ended with {code}: {out.getvalue()}")
    return json.loads(out.getvalue() or "null")


def adopted(root: Path) -> None:
    """Make a workspace of the folder ``root``."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        code = run(["init", str(root)], {})
    if code:
        raise SystemExit(f"{root} could not be made a workspace.")


def files_of(root: Path) -> dict[str, list[str]]:
    """Return the lines of every file that a search may return."""
    paths = [path for path in root.rglob("*.md") if ".git" not in path.parts]
    return {path.relative_to(root).as_posix(): path.read_text("utf-8").split("\n") for path in paths}


def core(root: Path, now: datetime, options: tuple[str, ...] = ALL) -> Callable[[str], list[Range]]:
    """Return a function that asks the workspace on that day."""

    def ask(question: str) -> list[Range]:
        words = ("memory", "search", *options, "--query", question)
        found = said(root, {"CLAWGIT_NOW": now.isoformat(), "CLAWGIT_REHEARSE": "1"}, *words)
        return [Range(each["path"], each["startLine"], each["endLine"]) for each in found["results"]]

    return ask
