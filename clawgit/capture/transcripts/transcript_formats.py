"""The formats of transcripts, a row each; which of them a transcript has is told by what its lines are. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from clawgit.capture.transcripts.claude_code_lines import CLAUDE_CODE
from clawgit.capture.transcripts.codex_lines import CODEX
from clawgit.capture.transcripts.openclaw_lines import OPENCLAW, sender_in
from clawgit.capture.transcripts.plain_lines import PLAIN
from clawgit.capture.transcripts.transcript_source import Line, object_of
from clawgit.errors import ClawgitError
from clawgit.memory.trust import EXTERNAL

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.capture.transcripts.transcript_source import Format, Record, Source

LOOKED_AT = 200  # lines

_ROWS: Final = (OPENCLAW, CLAUDE_CODE, CODEX, PLAIN)
FORMATS: Final[dict[str, Format]] = {each.name: each for each in _ROWS}


def format_of(lines: Iterable[bytes]) -> str:
    """Return the format of which most of the first lines are; empty, damaged and unknown ones say nothing."""
    first = islice((line for line in lines if line.strip()), LOOKED_AT)
    votes = Counter(_format_of_line(record) for record in map(object_of, first) if record)
    del votes[""]
    return max(votes, key=lambda name: votes[name], default=PLAIN.name)


def read_line(line: bytes, source: Source) -> Line:
    """Read one line of a transcript."""
    if not line.strip():
        return Line()
    record = object_of(line)
    if record is None:
        return Line(problem="it is not a JSON object")
    return _by_its_sender(FORMATS[source.format].read(record, source), source)


def refuse_unwritable(name: str, transcript: object) -> None:
    """Refuse to make a transcript shorter whose prompt nobody here can write."""
    if FORMATS[name].prompt is None:
        what, hint = FORMATS[name].no_prompt
        raise ClawgitError(
            f"{transcript} is {what}, which neither `compact` nor `prune` can write.", hint=hint
        )


def _by_its_sender(line: Line, source: Source) -> Line:
    heard = line.heard
    if heard is None or heard.role != "user" or heard.group:
        return line
    named = "" if FORMATS[source.format].cuts_senders else sender_in(heard.text)
    if named and heard.sender in ("", source.sender):
        heard = heard._replace(sender=named)
        line = replace(line, by_text=True)
    if source.claimed and heard.sender != source.claimed:
        heard = heard._replace(by_operator=False)
    if line.by_text and not heard.by_operator:
        heard = heard._replace(most_trust=EXTERNAL)
    return replace(line, heard=heard)


def _format_of_line(record: Record) -> str:
    if isinstance(record.get("role"), str) or isinstance(record.get("text"), str):
        return PLAIN.name
    if CODEX.is_own(record):  # first: what it repeats of others is in its payload
        return CODEX.name
    return next((each.name for each in _ROWS if each.is_own(record)), "")
