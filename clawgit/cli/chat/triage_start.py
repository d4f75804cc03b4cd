"""`clawgit triage` without click, git and YAML: it runs on every message, and most of its time is its start."""

from __future__ import annotations

import os
import sys

from clawgit.capture.triage_cache import cached_patterns
from clawgit.workspace.find_workspace import find_workspace, state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TextIO

    from clawgit.understanding.triage.custom_patterns import CustomPattern
    from clawgit.understanding.triage.triage_message import Signal

_FLAGS = ("--json", "--jsonl", "--literal")


def start_triage(words: Sequence[str], environment: Mapping[str, str]) -> int | None:
    """Run the command and return its exit status; None if it needs click."""
    arguments = _asked(words)
    if arguments is None:
        return None
    named, message, flags = arguments
    patterns: list[CustomPattern] | None = []
    if "--literal" not in flags:
        root = find_workspace(named or environment.get("CLAWGIT_WORKSPACE", ""))
        if root:
            patterns = cached_patterns(root, state_folder(root))
    if patterns is None:
        return None
    try:
        return answer(message, Triage(patterns, literal="--literal" in flags), as_json="--json" in flags)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141


def _asked(words: Sequence[str]) -> tuple[str, str | None, set[str]] | None:
    """Return workspace, message and flags; None for words that click must explain."""
    left = list(words)
    flags = set()
    workspace, positional = "", []
    while left:
        word = left.pop(0)
        if word in ("-w", "--workspace") and left:
            workspace = left.pop(0)
        elif word in _FLAGS:
            flags.add(word)
        elif word.startswith("-") and word != "-":
            return None
        else:
            positional.append(word)
    one = len(positional) == 2 and "--jsonl" not in flags
    many = len(positional) == 1 and "--jsonl" in flags
    if not positional or positional[0] != "triage" or not (one or many):
        return None
    return workspace, positional[1] if one else None, flags


def answer(message: str | None, patterns: Triage, *, as_json: bool) -> int:
    for pattern in patterns.skipped:
        sys.stderr.write(f"{pattern.name} is skipped: /{pattern.pattern}/: {pattern.problem}.\n")
    if message is None:
        return int(triage_lines(sys.stdin.buffer, patterns, sys.stdout, sys.stderr) > 0)
    if message == "-":
        message = sys.stdin.buffer.read().decode("utf-8", "replace")
    signal = patterns.of(message)
    if as_json:
        import json

        sys.stdout.write(json.dumps(signal_data(signal), indent=2) + "\n")
    else:
        sys.stdout.write(signal_line(signal) + "\n")
    sys.stdout.flush()
    return 0


class Triage:
    """The patterns of one run: built-in and the operator's valid ones, or only the source patterns."""

    def __init__(self, patterns: Sequence[CustomPattern], *, literal: bool = False) -> None:
        from clawgit.understanding.triage.custom_patterns import CustomPatterns

        self.skipped = [] if literal else [pattern for pattern in patterns if pattern.problem]
        good = [pattern for pattern in patterns if not pattern.problem]
        self._custom = CustomPatterns(good) if good and not literal else None
        self._literal = literal

    def of(self, text: str) -> Signal:
        from clawgit.understanding.triage.triage_message import triage, triage_literally

        if self._literal:
            return triage_literally(text)
        return triage(text, self._custom)


def signal_data(signal: Signal, message_id: Any = None) -> dict[str, Any]:
    data = {"id": message_id, "miner": signal.miner, "validator": signal.validator}
    data |= {"custom": list(signal.custom), "matched": list(signal.matched)}
    if signal.veto:
        data["veto"] = signal.veto
    return data


def signal_line(signal: Signal) -> str:
    readers = ["the miner"] * signal.miner
    if signal.validator:
        readers.append(f"the validator ({signal.validator} confidence)")
    readers += list(signal.custom)
    if signal.veto:
        return f"Nothing: vetoed ({signal.veto})."
    if not readers:
        return "Nothing."
    from clawgit.understanding.triage.triage_message import reasons

    why = [f"  {reason} ({', '.join(names)})" for reason, names in reasons(signal.matched).items()]
    return "\n".join([f"For {', '.join(readers)}:", *why])


def triage_lines(lines: Iterable[bytes], patterns: Triage, out: TextIO, err: TextIO) -> int:
    """Answer each line at once with a line; name lines that are not messages, and return their count."""
    import json

    damaged = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        message = _message(line)
        if message is None:
            damaged += 1
            err.write(f'Line {number} is not a message such as {{"id": "1", "text": "…"}}.\n')
            continue
        out.write(json.dumps(signal_data(patterns.of(message["text"]), message.get("id"))) + "\n")
        out.flush()
    return damaged


def _message(line: bytes) -> dict[str, Any] | None:
    from clawgit.text.strict_json import strict_json  # needs json, which takes long to load

    try:
        fields = strict_json(line)
    except (ValueError, RecursionError):
        return None
    if isinstance(fields, dict) and isinstance(fields.get("text"), str):
        return fields
    return None
