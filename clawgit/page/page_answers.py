"""Calls of operations from the page, their cached answers, and the same as a command line."""

from __future__ import annotations

import json
import os
import shlex
import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from pathlib import Path

    from clawgit.workspace.settings.settings import Settings

# Answers that take more than a few milliseconds are cached; some depend on commits alone.
OF_COMMITS = ("entries", "memory.list", "memory.status", "soul.blame", "undo")
OF_RECORDS_TOO = ("log", "why", "doctor", "soul.log")
_LOGS, _REFS, _RECORDS = ".git/logs", ".git/refs/heads", ".git/clawgit"
MOST_KEPT = 40
_OPTIONS = {"like": "all_like"}
_OPERANDS = frozenset(
    ["names", "what", "old", "new", "text", "words", "query", "revision", "receipt", "agent"]
)


class PageCall(NamedTuple):
    """An operation by the name of its command (`memory.list`), its values, and the commit ``of`` which alone it reports."""

    name: str
    values: tuple[tuple[str, Any], ...] = ()
    of: str = ""

    @property
    def line(self) -> str:
        words = ["clawgit", *self.name.split(".")]
        operands: list[str] = []
        for name, value in self.values:
            given = value if isinstance(value, tuple) else (value,)
            if name in _OPERANDS:
                operands += map(str, given)
                continue
            for each in given:
                option = f"--{_OPTIONS.get(name, name).replace('_', '-')}"
                words.append(option if each is True else f"{option}={each}")
        if any(each.startswith("-") for each in operands):
            words.append("--")
        return shlex.join([*words, *operands])


def asked(name: str, **values: Any) -> PageCall:
    """Return a call without its empty values."""
    return PageCall(name, tuple((key, value) for key, value in values.items() if value not in ("", None, ())))


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """The answer of an operation: its JSON, its notes, and the reason of a refusal."""

    data: Any = None
    notes: tuple[str, ...] = ()
    problem: str = ""

    @property
    def text(self) -> str:
        return json.dumps(self.data, ensure_ascii=True, indent=2) + "\n"


class PageLook(NamedTuple):
    """A workspace at the time of a request: settings in force, time, and functions that ask and act as the operator."""

    settings: Settings
    now: datetime
    ask: Callable[[PageCall], PageAnswer]
    do: Callable[[PageCall], PageAnswer]


class ServedPage(NamedTuple):
    """The parts of the page from higher layers.

    ``look`` opens a workspace, ``workspaces`` returns the folders by name, and ``report_bug`` stores a bug and returns
    its place.
    """

    look: Callable[[Path], PageLook]
    workspaces: Callable[[], Mapping[str, Path]]
    report_bug: Callable[[Exception], str]


class KeptAnswers:
    """Caches slow answers until the history, the records or the day change."""

    def __init__(self) -> None:
        self._alone = threading.Lock()
        self._kept: OrderedDict[tuple[Path, PageCall], tuple[object, PageAnswer]] = OrderedDict()

    def answer(self, root: Path, wish: PageCall, ask: Callable[[PageCall], PageAnswer]) -> PageAnswer:
        places = [root / _LOGS, root / _REFS]
        if wish.name in OF_RECORDS_TOO:
            places.append(root / _RECORDS)
        elif wish.name not in OF_COMMITS and not wish.of:
            return ask(wish)
        state = wish.of or _state_of(*places)
        if state is None:
            return ask(wish)
        with self._alone:
            cached = self._kept.get((root, wish))
        if cached is not None and cached[0] == state:
            return cached[1]
        answer = ask(wish)
        with self._alone:
            self._kept[root, wish] = state, answer
            self._kept.move_to_end((root, wish))
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return answer


def _state_of(*places: Path) -> object | None:
    """Return a state that changes with a file in these folders, or with the day.

    None if a folder is elsewhere, as in a worktree of git's: then nothing is cached.
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
