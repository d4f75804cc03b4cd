"""A command that the page asks for: its words, its answer, and the line that does the same in a terminal."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.workspace.settings.settings import Settings


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


def command_line(words: Sequence[str]) -> str:
    """Return the words as they are typed after `clawgit`."""
    return f"clawgit {shlex.join(words)}"


def with_operands(options: Sequence[str], *operands: str) -> list[str]:
    """Return a command's words; an operand that begins with a dash is told from an option."""
    for each in operands:
        if each.startswith("-"):
            return [*options, "--", *operands]
    return [*options, *operands]
