"""A transcript with its early turns summarised and its late ones whole, as other lines. Pure.

The summary is made by rules: the talk's own sentences, those that say something lasting first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.capture.messages.incoming_message import masked, without_injected, without_vetoed
from clawgit.capture.sessions.session_text import PAGE
from clawgit.capture.sessions.sessions import counts
from clawgit.capture.transcripts.prune_transcript import encoded, prompt_form, prompt_of
from clawgit.capture.transcripts.transcript_formats import read_line
from clawgit.capture.transcripts.transcript_lines import object_of, text_of
from clawgit.capture.transcripts.transcript_source import Source, Summary
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.tokens import count_tokens
from clawgit.understanding.facts.routing import Kind, kind_of
from clawgit.understanding.triage.triage_message import triage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clawgit.capture.messages.message import Heard
    from clawgit.capture.transcripts.transcript_source import Record

KEPT_TURNS = 10
SUMMARY_TOKENS = 1000
LONGEST = 300  # characters of one sentence
LOOKED_AT = 20_000  # characters of one message
SAYS_MUCH, FLAGGED = 3, 2
_TITLE = re.compile(r"\ASummary of the (\d{1,9}|one) turns? before this:\n")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")


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


def compact_transcript(lines: Sequence[bytes], kind: str, shape: Shape, *, summary: str = "") -> Compacted:
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
    summarised = len(starts) - shape.keep_turns
    early = [each for each in heard[:cut] if each is not None]
    earlier, turns_before = _earlier(lines[:cut])
    text = summary or summary_of(early, shape.summary_tokens, earlier=earlier)
    titled = f"Summary of the {_turns(turns_before + summarised)} before this:\n{text}"
    moments = (each.sent_at.isoformat() for each in reversed(early) if each.sent_at is not None)
    line = prompt_form(kind).summary(
        Summary(
            titled,
            next(moments, None),
            before,
            (object_of(lines[cut]) or {}) if cut < len(lines) else {},
            _first_session(lines),
        )
    )
    head = [line for line in lines[:1] if (object_of(line) or {}).get("type") == "session"]
    result = (*head, encoded(line) + b"\n", *lines[cut:])
    after = _tokens(result, kind)
    if prompt_form(kind).message(line) is None:  # the host puts it into the prompt itself
        after += count_tokens(titled)
    if after >= before:
        why_not = "it would not become smaller"
        return Compacted(tuple(lines), why_not, kept=len(starts), before=before, after=before)
    return Compacted(result, "", text, summarised, shape.keep_turns, before, after)


def _tokens(lines: Sequence[bytes], kind: str) -> int:
    return sum(count_tokens(placed.turn.text) for placed in prompt_of(lines, kind))


def _turns(count: int) -> str:
    return "one turn" if count == 1 else f"{count} turns"


def _first_session(lines: Sequence[bytes]) -> str | None:
    for record in map(object_of, lines):
        if record and record.get("sessionId"):
            return record["sessionId"]  # type: ignore[no-any-return]
    return None


def _earlier(lines: Sequence[bytes]) -> tuple[str, int]:
    """Return the summaries that are in early lines, so that a second compaction does not lose the first.

    With them, of how many turns they say that they are.
    """
    texts: list[str] = []
    turns = 0
    for line in lines:
        text = _summary_in(object_of(line) or {})
        if not text:
            continue
        texts.append(_TITLE.sub("", text))
        title = _TITLE.match(text)
        if title is not None:
            turns += 1 if title[1] == "one" else int(title[1])
    return "\n".join(texts), turns


def _summary_in(record: Record) -> str:
    if record.get("type") == "compaction":
        return str(record.get("summary") or "")
    if record.get("isCompactSummary") and isinstance(record.get("message"), dict):
        return text_of(record["message"].get("content"))
    is_ours = record.get("role") == "system" and record.get("summary") is True
    return text_of(record.get("text")) if is_ours else ""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """One sentence: its place in the talk, its line, how much it says, and whether a user's message begins with it."""

    place: int
    line: str
    weight: int
    opens: bool


def summary_of(talk: Iterable[Heard], tokens: int, *, earlier: str = "") -> str:
    """Return what matters of a conversation in at most about ``tokens``, in its order; ``earlier`` comes before it.

    First what is lasting, a lesson or flagged by triage, the user's words before the host's; then what the user began
    messages with; of equals the latest, since it may set the earlier right. Nothing is reworded.
    """
    sentences = list(_sentences(talk))
    weighty = [each for each in sentences if each.weight]
    weighty.sort(key=lambda each: (-each.weight, -each.place))
    topics = [each for each in reversed(sentences) if each.opens and not each.weight]
    chosen = _fitting([line for line in earlier.splitlines() if line.strip()], tokens // 2)
    left = tokens - sum(map(count_tokens, chosen))
    there = set(chosen)
    taken: list[_Sentence] = []
    for each in (*weighty, *topics):
        cost = count_tokens(each.line) + 1
        if each.line not in there and cost <= left:
            there.add(each.line)
            taken.append(each)
            left -= cost
    taken.sort(key=lambda each: each.place)
    return "\n".join([*chosen, *(each.line for each in taken)])


def _sentences(talk: Iterable[Heard]) -> Iterator[_Sentence]:
    place = 0
    for heard in without_vetoed(talk):
        text = masked(without_injected(heard.text))[:LOOKED_AT]
        if not counts(heard.role, text):
            continue
        is_user = heard.role == "user" and not heard.external
        who = PAGE if heard.role == "user" and heard.external else heard.role
        signal = triage(text) if is_user else None
        flagged = signal is not None and (signal.miner or signal.validator is not None)
        opens = is_user
        for part in map(folded, _SENTENCE.split(text)):
            if part:
                shown = part[:LONGEST]
                weight = SAYS_MUCH * (kind_of(shown) is not Kind.PASSING) + FLAGGED * flagged - (not is_user)
                yield _Sentence(place, f"- {who}: {shown}", max(0, weight), opens)
                place += 1
                opens = False


def _fitting(lines: Sequence[str], tokens: int) -> list[str]:
    """Return the latest lines that fit."""
    fitting: list[str] = []
    for line in reversed(lines):
        tokens -= count_tokens(line)
        if tokens < 0:
            break
        fitting.append(line)
    return fitting[::-1]
