"""A transcript with its early turns summarised and its late ones whole, as other lines. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clawgit.capture.sessions.session_summary import summary_of
from clawgit.capture.transcripts.prompt_turns import encoded, prompt_of
from clawgit.capture.transcripts.transcript_formats import read_line
from clawgit.capture.transcripts.transcript_lines import object_of, text_of
from clawgit.capture.transcripts.transcript_source import Source
from clawgit.text.words.tokens import count_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.capture.messages.message import Heard
    from clawgit.capture.transcripts.transcript_source import Format

KEPT_TURNS = 10
SUMMARY_TOKENS = 1000
_TITLE = re.compile(r"\ASummary of the (\d{1,9}|one) turns? before this:\n")
_IDS = {"openclaw": ("id", "parentId"), "claude-code": ("uuid", "parentUuid")}


@dataclass(frozen=True, slots=True)
class Compacted:
    """The lines of the smaller transcript, the summary in it, and how many turns and tokens there were and are.

    ``why_not`` where the transcript is left as it is.
    """

    lines: tuple[bytes, ...]
    why_not: str = ""
    summary: str = ""
    summarised: int = 0
    kept: int = 0
    before: int = 0
    after: int = 0


@dataclass(frozen=True, slots=True)
class Shape:
    """How much of a transcript stays: its last turns whole, the rest in so many tokens."""

    keep_turns: int = KEPT_TURNS
    summary_tokens: int = SUMMARY_TOKENS


def compact_transcript(lines: Sequence[bytes], kind: Format, shape: Shape, *, summary: str = "") -> Compacted:
    """Return the transcript as the next prompt should have it; ``summary`` takes the place of one by rules.

    A turn is a user's message and all that follows it until the next one, so no result loses the call that it answers.
    The summary takes the place, and the id, of the last message before the turns that stay.
    """
    heard = [read_line(line, Source(kind, kind, "main")).heard for line in lines]
    starts = [number for number, each in enumerate(heard) if each is not None and each.role == "user"]
    before = _tokens(lines, kind)
    if len(starts) <= shape.keep_turns:
        why_not = f"it has {_turns(len(starts))}, and the last {shape.keep_turns:,} stay whole"
        return Compacted(tuple(lines), why_not, kept=len(starts), before=before, after=before)
    cut = starts[-shape.keep_turns] if shape.keep_turns else len(lines)
    said = [each for each in heard[:cut] if each is not None]
    earlier, turns_before = _earlier(lines[:cut])
    text = summary or summary_of(said, shape.summary_tokens, earlier=earlier)
    head = [line for line in lines[:1] if (object_of(line) or {}).get("type") == "session"]
    kept = min(shape.keep_turns, len(starts))
    told = f"Summary of the {_turns(turns_before + len(starts) - kept)} before this:\n{text}"
    line = encoded(_summary_line(lines, cut, kind, (told, said, before))) + b"\n"
    result = (*head, line, *lines[cut:])
    after = _tokens(result, kind) + (count_tokens(told) if kind == "openclaw" else 0)
    if after >= before:
        return Compacted(
            tuple(lines), "it would not become smaller", kept=len(starts), before=before, after=before
        )
    return Compacted(result, "", text, len(starts) - kept, kept, before, after)


def _tokens(lines: Sequence[bytes], kind: Format) -> int:
    return sum(count_tokens(placed.turn.text) for placed in prompt_of(lines, kind))


def _turns(count: int) -> str:
    return "one turn" if count == 1 else f"{count} turns"


def _earlier(lines: Sequence[bytes]) -> tuple[str, int]:
    """Return the summaries that are in early lines, so that a second compaction does not lose the first.

    With them, of how many turns they say that they are.
    """
    found = [text for text in (_summary_in(object_of(line) or {}) for line in lines) if text]
    titles = [title[1] for title in map(_TITLE.match, found) if title]
    turns = sum(1 if count == "one" else int(count) for count in titles)
    return "\n".join(_TITLE.sub("", text) for text in found), turns


def _summary_in(said: dict[str, Any]) -> str:
    if said.get("type") == "compaction":
        return str(said.get("summary") or "")
    if said.get("isCompactSummary") and isinstance(said.get("message"), dict):
        return text_of(said["message"].get("content"))
    return text_of(said.get("text")) if said.get("role") == "system" and said.get("summary") is True else ""


def _summary_line(
    lines: Sequence[bytes], cut: int, kind: Format, told: tuple[str, Sequence[Heard], int]
) -> dict[str, Any]:
    """Return the line that stands for the early ones, in the transcript's own form."""
    text, said, before = told
    after = object_of(lines[cut]) if cut < len(lines) else None
    at = next((each.sent_at.isoformat() for each in reversed(said) if each.sent_at is not None), None)
    if kind == "jsonl":
        return {"role": "system", "text": text, "summary": True} | ({"timestamp": at} if at else {})
    name, parent = _IDS[kind]
    ids = {name: (after or {}).get(parent) or "clawgit-summary", parent: None}
    if kind == "openclaw":
        first_kept = (after or {}).get("id")
        return {"type": "compaction", **ids, "timestamp": at, "summary": text} | {
            "firstKeptEntryId": first_kept,
            "tokensBefore": before,
        }
    session = next(
        (each["sessionId"] for each in map(object_of, lines) if each and each.get("sessionId")), None
    )
    message = {"role": "user", "content": text}
    return {"type": "user", **ids, "sessionId": session, "timestamp": at} | {
        "isCompactSummary": True,
        "message": message,
    }
