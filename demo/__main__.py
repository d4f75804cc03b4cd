"""`make demo`: a fortnight with its digests, what is remembered after it, and its history as git and as clawgit tell it."""

from __future__ import annotations

import subprocess
import tempfile
import textwrap
from pathlib import Path

from demo.fortnight import Fortnight

WIDE = 100
HALF = (WIDE - 3) // 2
LATER = "2026-03-30T08:00:00+00:00"
ADA = "[user]\n\tname = Ada\n\temail = ada@example.org\n"


def main() -> None:
    """Replay the fortnight in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / ".gitconfig").write_text(ADA, "utf-8")
        _replay(Fortnight(home / "workspace", home))


def _replay(fortnight: Fortnight) -> None:
    for morning in fortnight.mornings():
        did = ", ".join(morning.slots) or "nothing was due"
        print()
        _print(f"== {morning.day:%A, %Y-%m-%d}, 07:30: {did}")
        print(flush=True)
        _print(morning.digest or "(no digest: nothing is new)")
    for name in ("MEMORY.md", "memory/learned.md", "CORRECTIONS.md"):
        print(f"\n== {name}\n")
        _print((fortnight.root / name).read_text("utf-8").rstrip())
    asked = ("git", "log", "--date=format:%m-%d %H:%M", "--format=%ad  %an: %s")
    git = subprocess.run(asked, cwd=fortnight.root, capture_output=True, text=True, check=True).stdout
    told = [*fortnight.run("soul", "log", now=LATER).splitlines(), "", "(and the runs of the agents)", ""]
    told += fortnight.run("runs", now=LATER).splitlines()
    print(f"\n{'== git log':{HALF}} | == clawgit soul log\n")
    _beside(git.splitlines(), told)
    print("\n== clawgit why\n")
    _print(fortnight.run("why", "The backups run", now=LATER))


def _print(text: str) -> None:
    for line in text.splitlines():
        print(textwrap.fill(line, WIDE, subsequent_indent="    ", break_on_hyphens=False) or "")


def _beside(left: list[str], right: list[str]) -> None:
    for at in range(max(len(left), len(right))):
        one, other = (lines[at] if at < len(lines) else "" for lines in (left, right))
        print(f"{one[:HALF]:{HALF}} | {other[:HALF]}".rstrip())


if __name__ == "__main__":
    main()
