"""What a terminal shows besides the words: colours, and how far long work is. In a pipe or a file there is none of it."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

import click

from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from threading import Event

PATIENCE, PACE = 2.0, 1.0  # seconds before anything is shown, and between two looks
_COLOURS = {"! ": "red", "wrong ": "red", "clawgit: ": "red", "? ": "yellow", "mended ": "green"}
_HIT = lazy_pattern(r"(?:[\w.-]+: )?\S+(?=  \d\.\d\d  T\d  )")
_CLEAR = "\r\x1b[K"
_PARTS = 1000  # of a bar


def is_terminal(stream: IO[str] | None) -> bool:
    """Say whether a person looks at a stream."""
    return stream is not None and not stream.closed and stream.isatty()


def coloured(text: str) -> str:
    """Return lines with their marks, or the places of hits, in colour."""
    return "\n".join(map(_coloured_line, text.split("\n")))


def _coloured_line(line: str) -> str:
    for mark, colour in _COLOURS.items():
        if line.startswith(mark):
            return click.style(mark, fg=colour, bold=True) + line[len(mark) :]
    found = _HIT.match(line)
    return click.style(found[0], fg="cyan") + line[found.end() :] if found else line


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Yield what takes how much is done of how much, and shows it with the time that is left."""
    if not is_terminal(sys.stderr):
        yield lambda done, total: None
        return
    with click.progressbar(length=_PARTS, label=label, file=sys.stderr) as bar:
        yield lambda done, total: bar.update(_PARTS * done // max(total, 1) - bar.pos)


@contextmanager
def busy(label: str) -> Iterator[None]:
    """Show the seconds that pass, where nobody knows how many there will be."""
    if not is_terminal(sys.stderr):
        yield
        return
    from threading import Event, Thread

    ended = Event()
    ticking = Thread(target=_tick, args=(label, ended), daemon=True)
    ticking.start()
    try:
        yield
    finally:
        ended.set()
        ticking.join()


def _tick(label: str, ended: Event) -> None:
    began, pause = time.monotonic(), PATIENCE
    while not ended.wait(pause):
        pause = PACE
        sys.stderr.write(f"{_CLEAR}{label}: {time.monotonic() - began:.0f} s")
        sys.stderr.flush()
    if pause == PACE:
        sys.stderr.write(_CLEAR)
        sys.stderr.flush()
