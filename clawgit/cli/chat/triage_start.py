"""`clawgit triage` without click, git and YAML: it runs on every message, so its start is most of its time."""

from __future__ import annotations

import os
import sys

from clawgit.capture.triage_cache import cached_patterns
from clawgit.workspace.find_workspace import find_workspace, state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clawgit.understanding.triage.custom_patterns import CustomPattern

_FLAGS = ("--json", "--jsonl", "--literal")


def start_triage(words: Sequence[str], environment: Mapping[str, str]) -> int | None:
    """Run the command and return its exit status; None if it takes more than this to do so."""
    asked = _asked(words)
    if asked is None:
        return None
    told, message, flags = asked
    patterns = _patterns(told or environment.get("CLAWGIT_WORKSPACE", ""), literal="--literal" in flags)
    if patterns is None:
        return None
    try:
        return _answer(message, flags, patterns)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    except KeyboardInterrupt:
        return 130


def _asked(words: Sequence[str]) -> tuple[str, str | None, set[str]] | None:
    """Return workspace, message and flags; None for anything that click should explain."""
    left, flags = list(words), set()
    workspace, said = "", []
    while left:
        word = left.pop(0)
        if word in ("-w", "--workspace") and left:
            workspace = left.pop(0)
        elif word in _FLAGS:
            flags.add(word)
        elif word.startswith("-") and word != "-":
            return None
        else:
            said.append(word)
    one = len(said) == 2 and "--jsonl" not in flags
    many = len(said) == 1 and "--jsonl" in flags
    if not said or said[0] != "triage" or not (one or many):
        return None
    return workspace, said[1] if one else None, flags


def _patterns(told: str, *, literal: bool) -> list[CustomPattern] | None:
    if literal:
        return []
    root = find_workspace(told)
    return cached_patterns(root, state_folder(root)) if root else []


def _answer(message: str | None, flags: set[str], patterns: list[CustomPattern]) -> int:
    from clawgit.cli.chat.triage_output import (
        Triage,
        message_of,
        say_skipped,
        signal_text,
        triage_lines,
    )

    found = Triage(patterns, literal="--literal" in flags)
    say_skipped(found.skipped, sys.stderr)
    if message is None:
        return 1 if triage_lines(sys.stdin.buffer, found, sys.stdout, sys.stderr) else 0
    signal = found.of(message_of(message))
    sys.stdout.write(signal_text(signal, as_json="--json" in flags))
    sys.stdout.flush()
    return 0
