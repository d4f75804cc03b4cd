"""A command that the page asks for: its words, its answer, and the line that does the same in a terminal."""

from __future__ import annotations

import json
import os
import shlex
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.workspace.settings.settings import Settings


# What is kept takes more than a few milliseconds to find out. Some of it is read from commits alone.
OF_COMMITS = (
    ("memory", "list"),
    ("memory", "status"),
    ("soul", "blame"),
    ("soul", "drift"),
    ("undo", "--dry-run"),
)
OF_RECORDS_TOO = (("log",), ("why",), ("status",), ("doctor",))
_LOGS, _REFS, _RECORDS = ".git/logs", ".git/refs/heads", ".git/clawgit"
MOST_KEPT = 40


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command answers: its JSON, what it says beside it, and why it was refused."""

    data: Any = None
    notes: tuple[str, ...] = ()
    problem: str = ""
    exit_code: int = 0

    @property
    def text(self) -> str:
        """Return the JSON as the command prints it."""
        return json.dumps(self.data, ensure_ascii=True, indent=2) + "\n"


Ask = Callable[[Path, Sequence[str]], Answer]


class Look(NamedTuple):
    """A workspace when somebody looks: its settings in force, and the time there."""

    settings: Settings
    now: datetime


class Served(NamedTuple):
    """What the page is made of that is above it.

    ``ask`` does a command in a workspace as the operator, ``workspaces`` returns the folders by name, ``look`` a workspace's
    settings and time, and ``report_bug`` notes what should not have happened and says where.
    """

    ask: Ask
    workspaces: Callable[[], Mapping[str, Path]]
    look: Callable[[Path], Look]
    report_bug: Callable[[Exception], str]


class KeptAnswers:
    """Asks, and keeps what takes long to find out: until the history, the records or the day are others."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._alone = threading.Lock()
        self._kept: OrderedDict[tuple[Path, tuple[str, ...]], tuple[object, Answer]] = OrderedDict()

    def __call__(self, root: Path, words: Sequence[str]) -> Answer:
        """Return the answer of a command."""
        asked = tuple(words)
        if asked[:2] in OF_COMMITS:
            state = _state_of(root / _LOGS, root / _REFS)
        elif asked[:1] in OF_RECORDS_TOO:
            state = _state_of(root / _LOGS, root / _REFS, root / _RECORDS)
        else:
            state = None
        if state is None:
            return self._ask(root, words)
        with self._alone:
            known = self._kept.get((root, asked))
        if known is not None and known[0] == state:
            return known[1]
        answer = self._ask(root, words)
        with self._alone:
            self._kept[root, asked] = state, answer
            self._kept.move_to_end((root, asked))
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return answer


def _state_of(*places: Path) -> object | None:
    """Return what differs when a file of these folders was written since, or when it is another day.

    None where one of them is elsewhere, as in a worktree of git's: then nothing is kept.
    """
    seen: list[tuple[str, int, int]] = []
    for place in places:
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    with suppress(FileNotFoundError):  # it went meanwhile
                        state = entry.stat()
                        seen.append((entry.name, state.st_mtime_ns, state.st_size))
        except OSError:
            return None
    return date.today(), sorted(seen)


def command_line(words: Sequence[str]) -> str:
    """Return the words as they are typed after `clawgit`."""
    return f"clawgit {shlex.join(words)}"


def with_operands(options: Sequence[str], *operands: str) -> list[str]:
    """Return a command's words; an operand that begins with a dash is told from an option."""
    for each in operands:
        if each.startswith("-"):
            return [*options, "--", *operands]
    return [*options, *operands]
