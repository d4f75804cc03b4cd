"""What hooks add: to a `git commit`, and to the start of Python.

Turn by turn, so that a machine whose speed drifts slows all of them. "After" are the hooks that only leave a signal;
"all" also checks what is staged and the message, which starts Python twice.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from clawgit.history.adopt import adopt
from clawgit.history.git.repository import open_history
from clawgit.history.hooks.hooks_folder import HOOK_NAMES
from clawgit.history.hooks.install import install_hooks

ROUNDS = 40
AFTER_TO_REACH = 5
START_TO_REACH = 2.5
_COMMIT = [
    "git",
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@b.c",
    "commit",
    "-q",
    "--allow-empty",
    "-m",
    "bench",
]


def hook_cost() -> None:
    """Print what each set of hooks adds to a commit, and what starting `hooks run` costs."""
    with tempfile.TemporaryDirectory() as folder:
        roots = {name: _workspace(Path(folder) / name) for name in ("none", "after", "all")}
        for name in HOOK_NAMES:
            if not name.startswith("post-"):
                (roots["after"] / ".git/hooks" / name).unlink()
        shutil.rmtree(roots["none"] / ".git/hooks")
        _print_commits(roots)
        _print_starts(roots["all"])


def _workspace(root: Path) -> Path:
    adopt(root, datetime.now(UTC))
    install_hooks(open_history(root), sys.executable)
    return root


def _print_commits(roots: dict[str, Path]) -> None:
    taken: dict[str, list[float]] = {name: [] for name in roots}
    for _ in range(ROUNDS):
        for name, root in roots.items():
            taken[name].append(_milliseconds(_COMMIT, root))
    none = taken["none"]
    for name in ("after", "all"):
        added = statistics.median(one - other for one, other in zip(taken[name], none, strict=True))
        print(
            f"git commit with the hooks {name!r}: {_spread(taken[name])}, without {_spread(none)}, "
            f"{added:.1f} ms added" + (f" (to reach: {AFTER_TO_REACH})" if name == "after" else "")
        )


def _print_starts(root: Path) -> None:
    run = ["-P", "-m", "clawgit", "hooks", "run"]
    commands = {
        "python -c pass": ["-c", "pass"],
        "hooks run post-commit": [*run, "post-commit"],
        "hooks run pre-commit": [*run, "pre-commit"],
    }
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, words in commands.items():
            taken[name].append(_milliseconds([sys.executable, *words], root))
    bare = statistics.median(taken["python -c pass"])
    for name, times in taken.items():
        print(
            f"{name}: {_spread(times)}, {statistics.median(times) / bare:.2f} x python -c pass"
            + (f" (to reach: {START_TO_REACH})" if "post" in name else "")
        )


def _milliseconds(command: list[str], root: Path) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=root, check=True)
    return (time.perf_counter() - start) * 1000


def _spread(times: list[float]) -> str:
    return f"{statistics.median(times):.1f} ms ({min(times):.1f}-{max(times):.1f})"
