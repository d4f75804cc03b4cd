"""Failures that were overcome: a command that failed, or was corrected, and one like it that then worked. Pure."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.text.words.word_lists import words_in
from clawgit.understanding.triage.triage_message import triage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from clawgit.capture.transcripts.tool_calls import Ran

WITHIN = timedelta(minutes=30)
MOST_BETWEEN = 12  # commands from the failure to what worked
LONGEST = 300  # letters of a command: what is longer is a script, and no lesson
ALIKE = 0.5  # of the words of both commands
SHORTEST = 3  # letters of an argument that may have been cut off
MOST_WHY = 160
# To fail is an answer of theirs, and another file is another question.
_LOOKING = words_in(
    "ls cat grep rg egrep fgrep find head tail test diff which cd echo sed awk stat wc pwd type tree file jq true false"
)
_BEFORE = re.compile(r"^(?:(?:cd [^&;|]+(?:&&|;)|sudo|time|timeout \S+|env|\w+=\S+)\s+)+")
_HOME = re.compile(r"/(?:home|Users)/[^/\s'\"]+")
_ERROR = re.compile(r"\b[A-Z][A-Za-z]{2,40}(?:Error|Exception)\b")
_SAID_BY_SYSTEMS = (
    "command not found",
    "No such file or directory",
    "Permission denied",
    "Connection refused",
)


class Overcome(NamedTuple):
    """One way out: what failed, how, what worked instead, why as far as a person said so, and the call that worked."""

    wrong: str
    error: str
    right: str
    why: str
    worked_id: str
    at: datetime | None
    output: str = ""

    @property
    def statement(self) -> str:
        """Return it as a lesson says it."""
        failed = f" ({self.error})" if self.error else ""
        what = "was wrong" if self.why and not self.error else "failed"
        said = f"User: “{self.why}”" if self.why else "unclear"
        program = program_of(self.right)
        return f"Situation: {program}. Wrong: `{self.wrong}` {what}{failed}. Right: `{self.right}` worked. Why: {said}."


def overcome_failures(commands: Sequence[Ran]) -> Iterator[Overcome]:
    """Yield the failures of a transcript that a command like them overcame, within half an hour; each success once."""
    for at, worked in enumerate(commands):
        if worked.failed is not False or not is_telling(worked.command):
            continue
        before = [ran for ran in commands[max(0, at - MOST_BETWEEN) : at] if _is_near(ran, worked)]
        if any(ran.command == worked.command and ran.failed is False for ran in before):
            continue  # it had worked before
        found = _failed_before(before, worked) or _corrected_before(commands, at)
        if found is not None:
            yield found


def program_of(command: str) -> str:
    """Return the program of a command: what is before it on the line is left out."""
    return next(iter(_words(command)), "").rpartition("/")[2]


def replaced_words(wrong: str, right: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return the program that worked, the words that gave way, and those that came instead."""
    first = _words(wrong)
    second = _words(right)
    gone = tuple(word for word in first if word not in second)
    return program_of(right), gone, tuple(word for word in second if word not in first)


def is_telling(command: str) -> bool:
    """Say whether a command is one line that does something, short enough to be kept word for word."""
    is_line = "\n" not in command and "`" not in command and len(command) <= LONGEST
    return is_line and program_of(command) not in _LOOKING | {""}


def _failed_before(before: Sequence[Ran], worked: Ran) -> Overcome | None:
    failed = [ran for ran in before if ran.failed and _is_other_try(ran.command, worked.command)]
    if not failed:
        return None
    nearest = max(failed, key=lambda ran: _share(ran.command, worked.command))
    return _overcome(nearest, worked, _error(nearest.output), "")


def _corrected_before(commands: Sequence[Ran], at: int) -> Overcome | None:
    """Return what a person corrected just before a command that then worked."""
    worked = commands[at]
    why = next((text for text in reversed(worked.heard) if triage(text).validator is not None), "")
    earlier = commands[at - 1] if at and why else None
    if earlier is None or not _is_near(earlier, worked) or not _is_other_try(earlier.command, worked.command):
        return None
    return _overcome(earlier, worked, "", folded(redact(why))[:MOST_WHY].strip())


def _overcome(wrong: Ran, right: Ran, error: str, why: str) -> Overcome:
    worked = (right.call_id, right.at)
    return Overcome(_shown(wrong.command), error, _shown(right.command), why, *worked, wrong.output)


def _is_near(one: Ran, other: Ran) -> bool:
    return one.at is None or other.at is None or timedelta(0) <= other.at - one.at <= WITHIN


def _is_other_try(wrong: str, right: str) -> bool:
    """Say whether two commands try the same: most words are shared, and it is not one argument in another's place."""
    if wrong == right or not is_telling(wrong):
        return False
    _, gone, come = replaced_words(wrong, right)
    is_one_argument = len(gone) == len(come) == 1 and gone[0] != _words(wrong)[0] and come[0][:1] != "-"
    if not is_one_argument:
        return _share(wrong, right) >= ALIKE
    # A file of the folder that failed is another question.
    is_part = come[0].startswith(f"{gone[0].rstrip('/')}/")
    short, long = sorted((gone[0], come[0]), key=len)
    return not is_part and len(short) >= SHORTEST and (long.startswith(short) or long.endswith(short))


def _share(one: str, other: str) -> float:
    first = set(_words(one))
    second = set(_words(other))
    return len(first & second) / len(first | second) if first | second else 0.0


def _words(command: str) -> list[str]:
    return _BEFORE.sub("", command.strip()).split()


def _shown(command: str) -> str:
    """Return a command as it is kept: without secrets, and without whose home it ran in."""
    return _HOME.sub("~", folded(redact(command)))


def _error(output: str) -> str:
    """Return what went wrong, by names that are no sentences of whoever wrote the output."""
    named = _ERROR.findall(output)
    said = [words for words in _SAID_BY_SYSTEMS if words.lower() in output.lower()]
    return ", ".join(dict.fromkeys((*named[-1:], *said[:1])))
