"""The verbs of decision before there was one queue: each answers with the command that does it now, for one version."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from clawgit.client import command_words

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOVED: Final = {
    ("soul", "approve"): ("approve",),
    ("soul", "reject"): ("reject",),
    ("quarantine", "apply"): ("approve",),
    ("quarantine", "drop"): ("reject",),
}
_ANSWERS: Final = {"--yes": ("approve", ""), "--no": ("reject", ""), "--both": ("approve", "both")}


def old_words(arguments: Sequence[str]) -> str:
    """Return the command that does today what a command line did, as a sentence; empty where it is none of these."""
    words = command_words(arguments) or []
    command, rest = tuple(words[:2]), list(words[2:])
    if command == ("soul", "pending"):
        new = ["pending", *(["show"] if rest and not rest[0].startswith("-") else []), *rest]
    elif command in _MOVED:
        new = [*_MOVED[command], *rest]
    elif command == ("conflicts", "resolve"):
        new = ["approve", *_with_side(rest)]
    elif command[:1] == ("correct",) and any(word.startswith("x:") for word in words):
        new = _answer(list(words[1:]))
    else:
        return ""
    return f"Everything that needs your decision is one queue now: `clawgit {shlex.join(new)}`."


def _with_side(words: list[str]) -> list[str]:
    split = [
        part for word in words for part in (word.split("=", 1) if word.startswith("--keep=") else [word])
    ]
    if "--keep" not in split[:-1]:
        return split
    at = split.index("--keep")
    side = split.pop(at + 1)
    split.pop(at)
    return [*split[:1], side, *split[1:]]


def _answer(words: list[str]) -> list[str]:
    for option, (verb, more) in _ANSWERS.items():
        if option in words:
            left = [word for word in words if word not in _ANSWERS]
            return [verb, *left[:1], *([more] if more else []), *left[1:]]
    return ["approve", *words]
