"""Colours and progress at a terminal; none of it in a pipe or a file."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

import click

from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from threading import Event

PATIENCE, PACE = 2.0, 1.0  # seconds before anything is shown, and between two looks
_COLOURS = {"! ": "red", "wrong ": "red", "clawgit: ": "red", "? ": "yellow", "mended ": "green"}
_HIT = lazy_pattern(r"(?:[\w.-]+: )?\S+(?=  (?:you|your agent|an unknown author|from outside)\b)")
_CLEAR = "\r\x1b[K"


def is_terminal(stream: IO[str] | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def edited(prompt: str, line: str) -> str:
    """Return a line after the person at the terminal has changed it; unchanged at the end of input."""
    import readline

    readline.set_startup_hook(lambda: readline.insert_text(line))
    try:
        return input(prompt)
    except EOFError:
        return line
    finally:
        readline.set_startup_hook()


def coloured(text: str) -> str:
    return "\n".join(map(_coloured_line, text.split("\n")))


def _coloured_line(line: str) -> str:
    for mark, colour in _COLOURS.items():
        if line.startswith(mark):
            return click.style(mark, fg=colour, bold=True) + line[len(mark) :]
    match = _HIT.match(line)
    if match:
        return click.style(match[0], fg="cyan") + line[match.end() :]
    return line


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Yield the function that takes done and total; after two seconds, they are shown with the elapsed time."""
    if not is_terminal(sys.stderr):
        yield lambda done, total: None
        return
    from threading import Event, Thread

    ended = Event()
    share = [0, 0]
    ticking = Thread(target=_tick, args=(label, share, ended), daemon=True)
    ticking.start()

    def tell(done: int, total: int) -> None:
        share[:] = done, total

    try:
        yield tell
    finally:
        ended.set()
        ticking.join()


def _tick(label: str, share: Sequence[int], ended: Event) -> None:
    began, pause = time.monotonic(), PATIENCE
    while not ended.wait(pause):
        pause = PACE
        done, total = share
        counted = f"{100 * done // total} %, " if total else ""
        sys.stderr.write(f"{_CLEAR}{label}: {counted}{time.monotonic() - began:.0f} s")
        sys.stderr.flush()
    if pause == PACE:
        sys.stderr.write(_CLEAR)
        sys.stderr.flush()
