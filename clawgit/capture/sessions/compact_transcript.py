"""Shortens a transcript: old tool results cut or cleared, or early turns summarised. Pure."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.capture.messages.incoming_message import masked, without_injected
from clawgit.capture.sessions.sessions import PAGE, counts, without_forgotten
from clawgit.capture.transcripts.importing import FORMATS, read_line
from clawgit.capture.transcripts.transcript_source import (
    TranscriptSource,
    TranscriptSummary,
    is_text,
    moment_of,
    object_of,
    text_of,
)
from clawgit.text.safety.control_characters import folded, head_and_tail
from clawgit.text.words.tokens import count_tokens
from clawgit.understanding.facts.routing import FactKind, kind_of
from clawgit.understanding.triage.triage_message import triage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from clawgit.capture.messages.message import IncomingMessage
    from clawgit.capture.transcripts.transcript_source import Prompt, Record
    from clawgit.workspace.settings.settings import Settings

CHARS_PER_TOKEN = 4
RATIOS = (0.3, 0.5)  # of the window: fill levels for trimming and for clearing
USER, ASSISTANT, TOOL_RESULT = "user", "assistant", "toolResult"
_TIMES = ("timestamp", "sent_at", "at", "ts", "time")
KEPT_TURNS = 10
SUMMARY_TOKENS = 1000
LONGEST = 300  # characters of one sentence
LOOKED_AT = 20_000  # characters of one message
SAYS_MUCH, FLAGGED = 3, 2
_TITLE = re.compile(r"\ASummary of the (\d{1,9}|one) turns? before this:\n")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message of a prompt, with its line and block; ``block`` is None for the line's whole content."""

    role: str
    text: str
    line: int = 0
    block: int | None = None


@dataclass(frozen=True, slots=True)
class Pruned:
    """The shorter transcript's lines, the results trimmed and cleared, and the characters of the prompt."""

    lines: tuple[bytes, ...]
    trimmed: int
    cleared: int
    before: int
    after: int


def cache_lapsed(last_call: datetime, now: datetime, ttl_seconds: int) -> bool:
    """Say whether the prompt cache is cold, so that pruning costs nothing extra."""
    return now.timestamp() - last_call.timestamp() >= ttl_seconds


def last_call(lines: Sequence[bytes], kind: str) -> datetime | None:
    """Return the time of the model's last answer; None if unknown."""
    prompt = prompt_form(kind)
    for line in reversed(lines):
        record = object_of(line) or {}
        message = prompt.message(record)
        if message is not None and message.get("role") == ASSISTANT:
            times = (moment_of(each.get(name)) for each in (message, record) for name in _TIMES)
            return next((time for time in times if time is not None), None)
    return None


def prune_transcript(lines: Sequence[bytes], kind: str, window: int, settings: Settings) -> Pruned:
    turns = prompt_of(lines, kind)
    pruned = prune(turns, window, settings)
    result = list(lines)
    cleared = trimmed = 0
    for each, turn in zip(turns, pruned, strict=True):
        if turn.text == each.text:
            continue
        result[turn.line] = _with_result(result[turn.line], prompt_form(kind), turn.block, turn.text)
        if turn.text == settings.prune_placeholder:
            cleared += 1
        else:
            trimmed += 1
    return Pruned(tuple(result), trimmed, cleared, _chars(turns), _chars(pruned))


def prune(
    turns: Sequence[PromptMessage],
    window_tokens: int,
    settings: Settings,
    ratios: tuple[float, float] = RATIOS,
) -> list[PromptMessage]:
    """Return the prompt with old tool results trimmed, and cleared if still too full.

    ``ratios`` are the shares of the window at which to trim, and to clear.
    """
    soft, hard = ratios
    placeholder = settings.prune_placeholder
    pruned = list(turns)
    window = window_tokens * CHARS_PER_TOKEN
    if _chars(pruned) < soft * window:
        return pruned
    answers = [at for at, turn in enumerate(turns) if turn.role == ASSISTANT]
    if len(answers) < settings.prune_keep_last_assistants:
        return pruned
    first = next((at for at, turn in enumerate(turns) if turn.role == USER), len(turns))
    last = [*answers, len(turns)][-1 - settings.prune_keep_last_assistants]
    prunable = [at for at in range(first, last) if turns[at].role == TOOL_RESULT]
    head, tail = settings.prune_soft_head_chars, settings.prune_soft_tail_chars
    for at in prunable:
        text = head_and_tail(pruned[at].text, settings.prune_soft_max_chars, head, tail)
        pruned[at] = replace(pruned[at], text=text)
    left = _chars(pruned)
    for at in prunable:
        if not settings.prune_hard_clear or left < hard * window:
            break
        won = len(pruned[at].text) - len(placeholder)
        if won > 0:
            pruned[at] = replace(pruned[at], text=placeholder)
            left -= won
    return pruned


def _chars(turns: Sequence[PromptMessage]) -> int:
    return sum(len(turn.text) for turn in turns)


def prompt_form(kind: str) -> Prompt:
    """Return the format's reader and writer of prompts; call `refuse_unwritable` first."""
    prompt = FORMATS[kind].prompt
    assert prompt is not None
    return prompt


def prompt_of(lines: Sequence[bytes], kind: str) -> list[PromptMessage]:
    """Return the turns of a transcript in order, without damaged lines and lines outside the prompt."""
    prompt = prompt_form(kind)
    turns: list[PromptMessage] = []
    for number, line in enumerate(lines):
        message = prompt.message(object_of(line) or {})
        if message is None:
            continue
        role = str(message.get("role"))
        if role == "tool":
            role = TOOL_RESULT
        content = message.get(_content_name(message, prompt))
        if role == TOOL_RESULT or not isinstance(content, list):
            turns.append(PromptMessage(role, text_of(content), number))
            continue
        others = [block for block in content if not _is_result(block)]
        if others:
            besides_text = "".join(json.dumps(block) for block in others if text_of([block]) == "")
            turns.append(PromptMessage(role, text_of(others) + besides_text, number))
        for place, block in enumerate(content):
            if _is_result(block):
                turns.append(PromptMessage(TOOL_RESULT, text_of(block.get("content")), number, place))
    return turns


def _content_name(message: Record, prompt: Prompt) -> str:
    if prompt.text_name in message:
        return prompt.text_name
    return "content"


def _is_result(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") == "tool_result"


def _with_result(line: bytes, prompt: Prompt, block: int | None, text: str) -> bytes:
    record = object_of(line) or {}
    message = prompt.message(record) or {}
    name = _content_name(message, prompt)
    if block is None:
        message[name] = _with_text(message[name], text)
    else:
        result = message[name][block]
        result["content"] = _with_text(result["content"], text)
    return encoded(record) + line[len(line.rstrip(b"\r\n")) :]


def _with_text(content: object, text: str) -> object:
    if not isinstance(content, list):
        return text
    others = [block for block in content if not is_text(block)]
    return [{"type": "text", "text": text}, *others]


def encoded(record: object) -> bytes:
    """Return a value as JSON that every reader accepts: lone surrogates stay escaped."""
    try:
        return json.dumps(record, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(record).encode()


@dataclass(frozen=True, slots=True)
class Compacted:
    """The smaller transcript's lines, its summary, and turns and tokens before and after."""

    lines: tuple[bytes, ...]
    why_not: str = ""
    summary: str = ""
    summarised: int = 0
    kept: int = 0
    before: int = 0
    after: int = 0


def compact_transcript(
    lines: Sequence[bytes],
    kind: str,
    *,
    keep_turns: int = KEPT_TURNS,
    summary_tokens: int = SUMMARY_TOKENS,
    summary: str = "",
) -> Compacted:
    """Return the transcript with early turns replaced by a summary, which has the id of the last message before the rest."""
    heard = [read_line(line, TranscriptSource(kind, kind, "main")).heard for line in lines]
    starts = [number for number, each in enumerate(heard) if each is not None and each.role == "user"]
    before = _tokens(lines, kind)
    if len(starts) <= keep_turns:
        why_not = f"it has {_count_of(len(starts))}, and the last {keep_turns:,} stay whole"
        return Compacted(tuple(lines), why_not, kept=len(starts), before=before, after=before)
    summarised = len(starts) - keep_turns
    cut = [*starts, len(lines)][summarised]
    early = [each for each in heard[:cut] if each is not None]
    earlier, turns_before = _earlier(lines[:cut])
    text = summary or summary_of(early, summary_tokens, earlier=earlier)
    titled = f"Summary of the {_count_of(turns_before + summarised)} before this:\n{text}"
    moments = (each.sent_at.isoformat() for each in reversed(early) if each.sent_at is not None)
    next_line = object_of(next(iter(lines[cut:]), b""))
    sessions = ((object_of(line) or {}).get("sessionId") for line in lines)
    session = next(filter(None, sessions), None)
    summed = TranscriptSummary(titled, next(moments, None), before, next_line or {}, session)
    line = prompt_form(kind).summary(summed)
    head = [line for line in lines[:1] if (object_of(line) or {}).get("type") == "session"]
    result = (*head, encoded(line) + b"\n", *lines[cut:])
    after = _tokens(result, kind)
    if prompt_form(kind).message(line) is None:  # the host adds it to the prompt itself
        after += count_tokens(titled)
    if after >= before:
        why_not = "it would not become smaller"
        return Compacted(tuple(lines), why_not, kept=len(starts), before=before, after=before)
    return Compacted(result, "", text, summarised, keep_turns, before, after)


def _tokens(lines: Sequence[bytes], kind: str) -> int:
    return sum(count_tokens(turn.text) for turn in prompt_of(lines, kind))


def _count_of(count: int) -> str:
    if count == 1:
        return "one turn"
    return f"{count} turns"


def _earlier(lines: Sequence[bytes]) -> tuple[str, int]:
    texts: list[str] = []
    turns = 0
    for line in lines:
        record = object_of(line) or {}
        if record.get("type") == "compaction":
            text = str(record.get("summary") or "")
        elif record.get("isCompactSummary") and isinstance(record.get("message"), dict):
            text = text_of(record["message"].get("content"))
        elif record.get("role") == "system" and record.get("summary") is True:
            text = text_of(record.get("text"))
        else:
            text = ""
        if not text:
            continue
        texts.append(_TITLE.sub("", text))
        title = _TITLE.match(text)
        if title is not None:
            turns += 1 if title[1] == "one" else int(title[1])
    return "\n".join(texts), turns


class _Sentence(NamedTuple):
    place: int
    line: str
    weight: int
    opens: bool  # begins a user's message


def summary_of(talk: Iterable[IncomingMessage], tokens: int, *, earlier: str = "") -> str:
    """Return what matters of a conversation, verbatim and in order: lasting and flagged sentences, then how the user's messages begin."""
    lines: list[str] = []
    left = tokens // 2  # the end of an earlier summary
    for line in reversed([line for line in earlier.splitlines() if line.strip()]):
        left -= count_tokens(line)
        if left < 0:
            break
        lines.insert(0, line)
    left = tokens - sum(map(count_tokens, lines))
    sentences = [each for each in _sentences(talk) if each.weight or each.opens]
    taken: dict[str, _Sentence] = {}
    for each in sorted(sentences, key=lambda each: (-each.weight, -each.place)):
        cost = count_tokens(each.line) + 1
        if each.line not in taken and each.line not in lines and cost <= left:
            taken[each.line] = each
            left -= cost
    return "\n".join([*lines, *map(attrgetter("line"), sorted(taken.values()))])


def _sentences(talk: Iterable[IncomingMessage]) -> Iterator[_Sentence]:
    place = 0
    for heard in without_forgotten(talk):
        text = masked(without_injected(heard.text))[:LOOKED_AT]
        if not counts(heard.role, text):
            continue
        is_user = heard.role == "user" and not heard.external
        who = PAGE if heard.role == "user" and heard.external else heard.role
        worth = -1
        if is_user:
            signal = triage(text)
            worth = FLAGGED if signal.miner or signal.validator is not None else 0
        opens = is_user
        for part in filter(None, map(folded, _SENTENCE.split(text))):
            shown = part[:LONGEST]
            weight = worth if kind_of(shown) is FactKind.PASSING else worth + SAYS_MUCH
            yield _Sentence(place, f"- {who}: {shown}", max(0, weight), opens)
            place += 1
            opens = False
