"""Two columns of text within 100 characters: what was said, and what was learned from it."""

from __future__ import annotations

import textwrap
import unicodedata
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from demo.fortnight import Day, Row

WIDE = 100
LEFT, RIGHT = 46, 51
COLOURS = {"+": "green", "-": "red", "!": "yellow", "=": "cyan", "~": "magenta", "?": "yellow"}


def day_lines(day: Day) -> Iterator[str]:
    """Yield a day's talk beside what was learned from it that night."""
    yield click.style(f"{day.day:%A %Y-%m-%d}".ljust(LEFT) + " | learned that night", bold=True)
    for row in day.rows:
        yield from _row_lines(row)
    yield ""


def _row_lines(row: Row) -> Iterator[str]:
    left = _wrapped(row.said, LEFT)
    right = [(change[0], line) for change in row.changes for line in _wrapped(change, RIGHT)]
    for at in range(max(len(left), len(right))):
        said = left[at] if at < len(left) else ""
        mark, change = right[at] if at < len(right) else ("", "")
        gap = " " * (LEFT - columns(said))
        yield f"{said}{gap} | {click.style(change, fg=COLOURS[mark])}" if mark else f"{said}{gap} |"


def _wrapped(text: str, width: int) -> list[str]:
    """Return a text as lines of at most ``width`` columns; letters of two columns are counted as two."""
    wide = columns(text) - len(text)
    return textwrap.wrap(text, width - (wide and width // 3), subsequent_indent="  ", break_on_hyphens=False)


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
