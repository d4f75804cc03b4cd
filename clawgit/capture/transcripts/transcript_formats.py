"""Which program's transcript it is, told by what its lines are, and the reader of each. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from clawgit.capture.transcripts.claude_code_lines import claude_code_known, claude_code_line
from clawgit.capture.transcripts.codex_lines import codex_known, codex_line
from clawgit.capture.transcripts.named_senders import sender_in
from clawgit.capture.transcripts.openclaw_lines import openclaw_line
from clawgit.capture.transcripts.openclaw_survey import openclaw_known
from clawgit.capture.transcripts.plain_lines import plain_line
from clawgit.capture.transcripts.transcript_lines import object_of
from clawgit.capture.transcripts.transcript_source import Known, Line
from clawgit.memory.trust import EXTERNAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clawgit.capture.transcripts.transcript_source import Format, Source

LOOKED_AT = 200

_READERS: Final[dict[Format, Callable[[dict[str, Any], Source], Line]]] = {
    "openclaw": openclaw_line,
    "claude-code": claude_code_line,
    "codex": codex_line,
    "jsonl": plain_line,
}
_SURVEYS: Final[dict[Format, Callable[[Iterable[bytes]], Known]]] = {
    "openclaw": openclaw_known,
    "claude-code": claude_code_known,
    "codex": codex_known,
}


def format_of(lines: Iterable[bytes]) -> Format:
    """Return the format of which most of the first lines are; empty, damaged and unknown ones say nothing."""
    first = islice((line for line in lines if line.strip()), LOOKED_AT)
    votes = Counter(kind for kind in map(_kind_of, filter(None, map(object_of, first))) if kind)
    return max(votes, key=lambda kind: votes[kind], default="jsonl")


def read_line(line: bytes, source: Source) -> Line:
    """Read one line of a transcript."""
    if not line.strip():
        return Line()
    said = object_of(line)
    if said is None:
        return Line(problem="it is not a JSON object")
    return _by_its_sender(_READERS[source.format](said, source), source)


def _by_its_sender(line: Line, source: Source) -> Line:
    """Return a line with the sender whom its text names, claimed only where he is the one that is claimed."""
    heard = line.heard
    if heard is None or heard.role != "user" or heard.group:
        return line
    named = "" if source.format == "openclaw" else sender_in(heard.text)  # that reader has cut it off
    if named and heard.sender in ("", source.sender):
        heard, line = heard._replace(sender=named), replace(line, by_text=True)
    if source.claimed and heard.sender != source.claimed:
        heard = heard._replace(by_operator=False)
    if line.by_text and not heard.by_operator:
        heard = heard._replace(most_trust=EXTERNAL)
    return replace(line, heard=heard)


def survey(lines: Iterable[bytes], kind: Format) -> Known:
    """Return what a transcript as a whole tells of its lines."""
    return _SURVEYS[kind](lines) if kind in _SURVEYS else Known()


def _kind_of(said: dict[str, Any]) -> Format | None:
    """Return the format that has such lines, None if that is not known."""
    kind = said.get("type")
    if isinstance(said.get("role"), str) or isinstance(said.get("text"), str):
        return "jsonl"
    if isinstance(said.get("payload"), dict) and isinstance(kind, str):
        return "codex"
    if said.get("traceSchema") == "openclaw-trajectory" or _is_openclaws(said):
        return "openclaw"
    if "leafUuid" in said or "parentUuid" in said or (isinstance(said.get("sessionId"), str) and kind):
        return "claude-code"
    return "jsonl" if isinstance(said.get("content"), (str, list)) else None


def _is_openclaws(said: dict[str, Any]) -> bool:
    if said.get("type") == "session":
        return "cwd" in said or "version" in said
    return isinstance(said.get("type"), str) and (
        "parentId" in said or (said["type"] == "message" and "message" in said)
    )
