"""What `clawgit triage` says; imported before click is, and so without anything heavy."""

from __future__ import annotations

import sys

from clawgit.understanding.triage.custom_patterns import CustomPattern, CustomPatterns
from clawgit.understanding.triage.triage_message import Signal, reasons, triage, triage_literally

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, TextIO


class Triage:
    """The patterns of one run: the operator's good ones beside the built-in ones, or the source patterns alone."""

    def __init__(self, patterns: Sequence[CustomPattern], *, literal: bool = False) -> None:
        self.skipped = [] if literal else [pattern for pattern in patterns if pattern.problem]
        good = [pattern for pattern in patterns if not pattern.problem]
        self._custom = CustomPatterns(good) if good and not literal else None
        self._literal = literal

    def of(self, text: str) -> Signal:
        """Return the signal of one message."""
        return triage_literally(text) if self._literal else triage(text, self._custom)


def say_skipped(skipped: Sequence[CustomPattern], err: TextIO) -> None:
    """Name each of the operator's patterns that is not run."""
    for pattern in skipped:
        err.write(f"{pattern.name} is skipped: /{pattern.pattern}/: {pattern.problem}.\n")


def signal_data(signal: Signal, message_id: Any = None) -> dict[str, Any]:
    data = {
        "id": message_id,
        "miner": signal.miner,
        "validator": signal.validator,
        "custom": list(signal.custom),
        "matched": list(signal.matched),
    }
    return {**data, "veto": signal.veto} if signal.veto else data


def signal_text(signal: Signal, *, as_json: bool) -> str:
    """Return a signal as it is printed."""
    if not as_json:
        return signal_line(signal) + "\n"
    import json

    return json.dumps(signal_data(signal), indent=2) + "\n"


def signal_line(signal: Signal) -> str:
    """Return a signal as people read it, each reason with its patterns."""
    wanted = ["the miner"] * signal.miner
    wanted += [f"the validator ({signal.validator} confidence)"] if signal.validator else []
    wanted += list(signal.custom)
    if signal.veto:
        return f"Nothing: vetoed ({signal.veto})."
    if not wanted:
        return "Nothing."
    why = [f"  {reason} ({', '.join(names)})" for reason, names in reasons(signal.matched).items()]
    return "\n".join([f"For {', '.join(wanted)}:", *why])


def triage_lines(lines: Iterable[bytes], found: Triage, out: TextIO, err: TextIO) -> int:
    """Answer every line with one line, at once; a line that is no message is named. Return how many were not."""
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
        out.write(json.dumps(signal_data(found.of(message["text"]), message.get("id"))) + "\n")
        out.flush()
    return damaged


def _message(line: bytes) -> dict[str, Any] | None:
    from clawgit.text.strict_json import strict_json  # needs json, which takes long to load

    try:
        said = strict_json(line)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) and isinstance(said.get("text"), str) else None


def message_of(argument: str) -> str:
    """Return the message: the argument, or all of stdin for ``-``."""
    return sys.stdin.buffer.read().decode("utf-8", "replace") if argument == "-" else argument
