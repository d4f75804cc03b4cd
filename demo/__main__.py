"""`make demo`: a fortnight of talk beside what was learned from it, what is remembered in the end, and what to do next."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import click

from demo.fortnight import Fortnight
from demo.table import WIDE, day_lines
from demo.week import SECOND, TALK, days_of

LATER = "2026-03-30T08:00:00+00:00"
ADA = "[user]\n\tname = Ada\n\temail = ada@example.org\n"
INTRODUCTION = """\
Ada talks with her agent for a fortnight. Left: what is said. Right: what clawgit learns from it.

  + remembered, with its id   - no longer remembered   ! a contradiction   = said before, surer now
  ~ said of an entry, and shown beside it from then on   ? asked: Ada decides
"""


def main() -> None:
    """Replay the fortnight in a folder that is deleted afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        home = home_of_ada(Path(folder))
        click.echo(INTRODUCTION)
        fortnight = Fortnight(home / "workspace", home)
        for day in fortnight.days(days_of(TALK, SECOND)):
            click.echo("\n".join(day_lines(day)))
        for title, text in _afterwards(fortnight):
            click.secho(f"$ {title}", bold=True)
            click.echo("\n".join([*folded(text), ""]))
    click.echo(_next_step())


def home_of_ada(folder: Path) -> Path:
    """Make a folder a home in which git knows Ada, for this process and those that it starts."""
    (folder / ".gitconfig").write_text(ADA, "utf-8")
    os.environ["HOME"] = str(folder)
    return folder


def _afterwards(fortnight: Fortnight) -> list[tuple[str, str]]:
    log = ("git", "log", "-6", "--date=format:%m-%d %H:%M", "--format=%ad  %an: %s")
    done = subprocess.run(log, cwd=fortnight.root, capture_output=True, text=True, check=True)
    return [
        ("cat MEMORY.md", (fortnight.root / "MEMORY.md").read_text("utf-8").rstrip()),
        ('clawgit why "The backups run"', fortnight.run("why", "The backups run", now=LATER)),
        ("git log -6", done.stdout),
    ]


def folded(text: str) -> list[str]:
    """Return a text's lines, the long ones as several."""
    return [
        part
        for line in text.splitlines()
        for part in textwrap.wrap(line, WIDE, subsequent_indent=" " * 8, break_on_hyphens=False) or [""]
    ]


def _next_step() -> str:
    program = Path(sys.executable).with_name("clawgit")
    called = shlex.quote(os.path.relpath(program) if program.is_relative_to(Path.cwd()) else str(program))
    return f"""\
That was a rehearsal; its folder is deleted. Next, see what clawgit would do with your own:

  {called} init --dry-run ~/agent

Then follow "Five minutes" in README.md."""


if __name__ == "__main__":
    main()
