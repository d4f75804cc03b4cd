"""`make picture`: three days of the demo as docs/demo.svg, a picture of a terminal. Made of what the program prints."""

from __future__ import annotations

import re
import sys
import tempfile
from html import escape
from pathlib import Path

import click

from demo.__main__ import LATER, folded, home_of_ada
from demo.fortnight import Fortnight
from demo.table import day_lines
from demo.week import SECOND, days_of

PICTURE = Path(__file__).parents[1] / "docs/demo.svg"
DAYS = ("2026-03-24", "2026-03-25", "2026-03-26")
ASKED = "The backups run"
WIDTH, HEIGHT, LETTER = 880, 19, 8.43
COLOURS = {
    "1": "#ffffff",
    "31": "#ff8a80",
    "32": "#8fd694",
    "33": "#ffd166",
    "35": "#d8a8e8",
    "36": "#7fd1e6",
}
RUN = re.compile(r"\S+(?: \S+)*")
STYLED = re.compile(r"\x1b\[(\d+)m")


def terminal_lines() -> list[str]:
    """Replay three days, and return what a terminal shows of them, colours included."""
    talk = days_of(SECOND)
    with tempfile.TemporaryDirectory() as folder:
        home = home_of_ada(Path(folder))
        fortnight = Fortnight(home / "workspace", home)
        lines = [line for day in fortnight.days({day: talk[day] for day in DAYS}) for line in day_lines(day)]
        lines.append(click.style(f'$ clawgit why "{ASKED}"', bold=True))
        return lines + folded(fortnight.run("why", ASKED, now=LATER))


def drawn(lines: list[str]) -> str:
    """Return lines of a terminal as SVG."""
    height = (len(lines) + 3) * HEIGHT
    texts = [
        f'<text x="16" y="{(at + 2) * HEIGHT + 8}">{_spans(line)}</text>' for at, line in enumerate(lines)
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">',
            "<title>Three days of talk, what was learned from them, and where a statement comes from</title>",
            "<style>text { font: 14px ui-monospace, Menlo, Consolas, monospace; fill: #d4d4d4 }</style>",
            f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#1e1e2e"/>',
            *(f'<circle cx="{20 + 18 * at}" cy="16" r="5" fill="#5a5a6e"/>' for at in range(3)),
            *texts,
            "</svg>\n",
        ]
    )


def words_of(picture: str) -> list[str]:
    """Return the lines of text in a picture, ids of commits left out: these follow every change of a template."""
    lines = re.findall(r"<text [^>]*>(.*?)</text>", picture)
    return [re.sub(r"\b[0-9a-f]{12}\b", "", re.sub(r"<[^>]*>", "", line)) for line in lines]


def _spans(line: str) -> str:
    """Return a line in colours; what follows several spaces begins at its column, however wide letters are."""
    spans, column, colour = [], 0, ""
    for at, part in enumerate(STYLED.split(line)):
        if at % 2:
            colour = COLOURS.get(part, "")
            continue
        fill = f' fill="{colour}"' if colour else ""
        for run in RUN.finditer(part):
            x = 16 + (column + run.start()) * LETTER
            spans.append(f'<tspan x="{x:.1f}"{fill}>{escape(run[0], quote=False)}</tspan>')
        column += len(part)
    return "".join(spans)


if __name__ == "__main__":
    PICTURE.write_text(drawn(terminal_lines()), "utf-8")
    sys.stdout.write(f"{PICTURE} is written.\n")
