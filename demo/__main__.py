"""`make demo`: the week, what is remembered after it, and its history as git and as clawgit tell it."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from demo.week import Week

WIDE = 78
LATER = "2026-03-23T08:00:00+00:00"
ADA = "[user]\n\tname = Ada\n\temail = ada@example.org\n"


def main() -> None:
    """Replay the week in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / ".gitconfig").write_text(ADA, "utf-8")
        _replay(Week(home / "workspace", home))


def _replay(week: Week) -> None:
    for day in week.nights():
        print(f"{day}: told, and mined at night")
    for name in ("MEMORY.md", "memory/learned.md", "CORRECTIONS.md", "CONFLICTS.md"):
        print(f"\n== {name}\n\n{(week.root / name).read_text('utf-8').rstrip()}")
    asked = ("git", "log", "--date=format:%m-%d %H:%M", "--format=%ad  %an: %s")
    git = subprocess.run(asked, cwd=week.root, capture_output=True, text=True, check=True).stdout
    told = [*week.run("soul", "log", now=LATER).splitlines(), "", "(and the runs of the agents)", ""]
    told += week.run("runs", now=LATER).splitlines()
    print(f"\n{'== git log':{WIDE}} | == clawgit soul log\n")
    _beside(git.splitlines(), told)
    print("\n== clawgit why\n")
    print(week.run("why", "The staging server listens on port 9443.", now=LATER))


def _beside(left: list[str], right: list[str]) -> None:
    for at in range(max(len(left), len(right))):
        one, other = (lines[at] if at < len(lines) else "" for lines in (left, right))
        print(f"{one[:WIDE]:{WIDE}} | {other[:WIDE]}".rstrip())


if __name__ == "__main__":
    main()
