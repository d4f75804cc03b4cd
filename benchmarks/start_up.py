"""What it costs to start: processor time of whole commands against `python -c pass`, turn by turn in one run.

Processor time, for it says the same on a busy machine; git and what else a command starts are counted with it.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from clawgit.history.adopt import adopt
from clawgit.history.git.repository import open_history
from clawgit.history.hooks.install import install_hooks

ROUNDS = 15
READING, SEARCHING, WRITING, SIGNALLING = 12, 16, 16, 2.5
ALL_HOOKS, AFTER = 200, 5  # milliseconds of one `git commit`
_COMMIT = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c"]
_PROGRAM = ["-P", "-m", "clawgit"]
_TAB = {"_CLAWGIT_COMPLETE": "bash_complete", "COMP_WORDS": "clawgit mem", "COMP_CWORD": "1"}
_COMMANDS: list[tuple[str, list[str], float | None]] = [  # without a figure: it is one of all hooks
    ("status", ["status"], READING),
    ("soul log", ["soul", "log"], READING),
    ("memory list", ["memory", "list"], READING),
    ("memory get", ["memory", "get", "MEMORY.md"], READING),
    ("memory search", ["memory", "search", "deploys on Wednesday"], SEARCHING),
    (
        "memory add",
        ["memory", "add", "--to", "memory/2026-03-19.md", "Item {round} is on shelf {round}."],
        WRITING,
    ),
    ("chat add", ["chat", "add", "--sender", "ada", "Box {round} came today."], WRITING),
    ("--help", ["--help"], READING),
    ("TAB", [], READING),
    ("hooks run post-commit", ["hooks", "run", "post-commit"], SIGNALLING),
    ("hooks run pre-commit, nothing to check", ["hooks", "run", "pre-commit"], None),
    ("hooks run commit-msg", ["hooks", "run", "commit-msg", ".git/COMMIT_EDITMSG"], None),
]


def start_up() -> None:
    """Print the ratio of each command to a bare Python, and what all hooks add to a `git commit`."""
    with tempfile.TemporaryDirectory() as folder:
        root = _workspace(Path(folder) / "workspace")
        commands = _COMMANDS
        taken: dict[str, list[float]] = {name: [] for name, _, _ in commands}
        bare: list[float] = []
        for number in range(ROUNDS + 1):
            bare.append(_seconds([sys.executable, "-c", "pass"], root))
            for name, words, _ in commands:
                told = [word.format(round=number) for word in words]
                extra = _TAB if name == "TAB" else {}
                taken[name].append(_seconds([sys.executable, *_PROGRAM, *told], root, extra))
        python = statistics.median(bare[1:])
        print(f"python -c pass: {python * 1000:.1f} ms ({min(bare) * 1000:.1f}-{max(bare) * 1000:.1f})")
        for name, _, most in commands:
            times = taken[name][1:]
            figure = "" if most is None else f" (to reach: {most})"
            print(f"{name}: {_spread(times)}, {statistics.median(times) / python:.1f} x{figure}")
        _staged_memory(root, python)
        _commits(root)


def _workspace(root: Path) -> Path:
    """Make a workspace with sixty days of notes, its hooks installed, and a first search done."""
    (root / "memory").mkdir(parents=True)
    for day in range(1, 29):
        for month in ("01", "02"):
            lines = "".join(
                f"- On day {day} box {number} went to shelf {number * day}.\n" for number in range(20)
            )
            (root / f"memory/2026-{month}-{day:02}.md").write_text(f"# 2026-{month}-{day:02}\n\n{lines}")
    (root / "MEMORY.md").write_text("# Memory\n\n- Deploys happen on Wednesdays.\n- Ada prefers tea.\n")
    (root / "notes").mkdir()
    adopt(root, datetime.now(UTC))
    install_hooks(open_history(root), sys.executable)
    _seconds([sys.executable, *_PROGRAM, "memory", "search", "deploys"], root)
    (root / ".git/COMMIT_EDITMSG").write_text("notes: one more\n")
    return root


def _staged_memory(root: Path, python: float) -> None:
    with (root / "memory/2026-02-01.md").open("a") as file:
        file.write("- One more box came.\n")
    subprocess.run(["git", "add", "memory/2026-02-01.md"], cwd=root, check=True)
    words = [sys.executable, *_PROGRAM, "hooks", "run", "pre-commit"]
    times = [_seconds(words, root) for _ in range(ROUNDS)]
    ratio = statistics.median(times) / python
    print(f"hooks run pre-commit, a file of memory: {_spread(times)}, {ratio:.1f} x")
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=root, check=True)


def _commits(root: Path) -> None:
    """Print what hooks add to a commit of a file of memory and of another file; "after" only leave a signal."""
    after = root.parent / "after"
    shutil.copytree(root / ".git/hooks", after, ignore=shutil.ignore_patterns("pre-*", "*-msg", "*.sample"))
    for name, path, hooks, most in (
        ("all hooks, nothing of memory", "notes/list.txt", root / ".git/hooks", ALL_HOOKS),
        ("all hooks, a file of memory", "memory/2026-02-02.md", root / ".git/hooks", ALL_HOOKS),
        ("the hooks after a commit", "notes/list.txt", after, AFTER),
    ):
        taken: dict[Path, list[float]] = {hooks: [], Path("/dev/null"): []}
        for number in range(ROUNDS):
            for folder, times in taken.items():
                with (root / path).open("a") as file:
                    file.write(f"- {folder}: {number}\n")
                subprocess.run(["git", "add", path], cwd=root, check=True)
                times.append(
                    _seconds([*_COMMIT, "-c", f"core.hooksPath={folder}", "commit", "-qmbench"], root)
                )
        added = statistics.median(one - other for one, other in zip(*taken.values(), strict=True))
        print(f"git commit with {name}: {added * 1000:.1f} ms added (to reach: {most})")


def _seconds(command: list[str], root: Path, extra: dict[str, str] | None = None) -> float:
    """Return the processor time of a command and of what it started."""
    environment = {**os.environ, **(extra or {})}
    process = subprocess.Popen(
        command, cwd=root, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime


def _spread(times: list[float]) -> str:
    middle = statistics.median(times)
    return f"{middle * 1000:.0f} ms ({min(times) * 1000:.0f}-{max(times) * 1000:.0f})"


if __name__ == "__main__":
    start_up()
