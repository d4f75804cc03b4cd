"""A transcript whose old results of tools are cut to head and tail, or cleared, as other lines. The original is not touched.

The importers leave out what tools answered; here it is what matters.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from clawgit.capture.transcripts.transcript_formats import FORMATS
from clawgit.capture.transcripts.transcript_lines import head_and_tail, is_text, moment_of, object_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from clawgit.capture.transcripts.transcript_source import Prompt, Record
    from clawgit.workspace.settings.settings import Settings

CHARS_PER_TOKEN = 4
USER, ASSISTANT, TOOL_RESULT = "user", "assistant", "toolResult"
_TIMES = ("timestamp", "sent_at", "at", "ts", "time")


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a prompt."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A turn, and the line and block from which it is; ``block`` is None for the line's whole content."""

    turn: Turn
    line: int
    block: int | None = None


@dataclass(frozen=True, slots=True)
class PruningPolicy:
    """When results are trimmed or cleared; the ratios are shares of the window that the prompt fills."""

    keep_last_assistants: int = 3
    max_chars: int = 4000
    head_chars: int = 1500
    tail_chars: int = 1500
    hard_clear: bool = True
    placeholder: str = "[Old tool result removed]"
    soft_ratio: float = 0.3
    hard_ratio: float = 0.5


@dataclass(frozen=True, slots=True)
class Pruned:
    """The lines of the shorter transcript, and what was done: results trimmed, cleared, and characters of the prompt."""

    lines: tuple[bytes, ...]
    trimmed: int
    cleared: int
    before: int
    after: int


def policy_of(settings: Settings) -> PruningPolicy:
    """Return the policy that the settings ask for."""
    return PruningPolicy(
        keep_last_assistants=settings.prune_keep_last_assistants,
        max_chars=settings.prune_soft_max_chars,
        head_chars=settings.prune_soft_head_chars,
        tail_chars=settings.prune_soft_tail_chars,
        hard_clear=settings.prune_hard_clear,
        placeholder=settings.prune_placeholder,
    )


def cache_lapsed(last_call: datetime, now: datetime, ttl_seconds: int) -> bool:
    """Say whether the prompt cache is cold by now, so that pruning costs nothing more."""
    return now.timestamp() - last_call.timestamp() >= ttl_seconds


def last_call(lines: Sequence[bytes], kind: str) -> datetime | None:
    """Return when the model answered last, None if no line says it."""
    prompt = prompt_form(kind)
    for line in reversed(lines):
        record = object_of(line)
        message = None if record is None else prompt.message(record)
        if record is not None and message is not None and message.get("role") == ASSISTANT:
            times = (moment_of(each.get(name)) for each in (message, record) for name in _TIMES)
            return next((time for time in times if time is not None), None)
    return None


def prune_transcript(lines: Sequence[bytes], kind: str, window: int, policy: PruningPolicy) -> Pruned:
    """Return the transcript as it should be for a prompt in a window of so many tokens."""
    prompt = prompt_form(kind)
    placed = prompt_of(lines, kind)
    pruned = prune([each.turn for each in placed], window, policy)
    result = list(lines)
    cleared = trimmed = before = after = 0
    changed: dict[int, dict[int | None, str]] = {}
    for each, turn in zip(placed, pruned, strict=True):
        before += len(each.turn.text)
        after += len(turn.text)
        if turn.text == each.turn.text:
            continue
        changed.setdefault(each.line, {})[each.block] = turn.text
        if turn.text == policy.placeholder:
            cleared += 1
        else:
            trimmed += 1
    for number, texts in changed.items():
        result[number] = _with_results(lines[number], prompt, texts)
    return Pruned(tuple(result), trimmed, cleared, before, after)


def prune(turns: Sequence[Turn], window_tokens: int, policy: PruningPolicy) -> list[Turn]:
    """Return the prompt with old tool results trimmed, and cleared where that is not enough.

    What is before the first user message and from the third-last answer on stays whole.
    """
    pruned = list(turns)
    window = window_tokens * CHARS_PER_TOKEN
    if _chars(pruned) < policy.soft_ratio * window:
        return pruned
    prunable = [at for at in _open_range(turns, policy) if turns[at].role == TOOL_RESULT]
    for at in prunable:
        text = head_and_tail(pruned[at].text, policy.max_chars, policy.head_chars, policy.tail_chars)
        pruned[at] = replace(pruned[at], text=text)
    left = _chars(pruned)
    for at in prunable:
        if not policy.hard_clear or left < policy.hard_ratio * window:
            break
        won = len(pruned[at].text) - len(policy.placeholder)
        if won > 0:
            pruned[at] = replace(pruned[at], text=policy.placeholder)
            left -= won
    return pruned


def _open_range(turns: Sequence[Turn], policy: PruningPolicy) -> range:
    """Return the places that may be pruned; none while there are fewer answers than are kept."""
    answers = [at for at, turn in enumerate(turns) if turn.role == ASSISTANT]
    first = next((at for at, turn in enumerate(turns) if turn.role == USER), len(turns))
    if len(answers) < policy.keep_last_assistants:
        return range(0)
    last = answers[-policy.keep_last_assistants] if policy.keep_last_assistants else len(turns)
    return range(first, last)


def _chars(turns: Sequence[Turn]) -> int:
    return sum(len(turn.text) for turn in turns)


def prompt_form(kind: str) -> Prompt:
    """Return how a format's prompt is read and written; `refuse_unwritable` was asked before."""
    prompt = FORMATS[kind].prompt
    assert prompt is not None
    return prompt


def prompt_of(lines: Sequence[bytes], kind: str) -> list[Placed]:
    """Return the turns of a transcript in their order; what is no part of the prompt, or damaged, is passed over."""
    prompt = prompt_form(kind)
    turns: list[Placed] = []
    for number, line in enumerate(lines):
        record = object_of(line)
        message = None if record is None else prompt.message(record)
        if message is not None:
            turns += _turns(message, number, _content_name(message, prompt))
    return turns


def _turns(message: Record, number: int, name: str) -> Iterator[Placed]:
    role = str(message.get("role"))
    if role == "tool":
        role = TOOL_RESULT
    content = message.get(name)
    if role == TOOL_RESULT or not isinstance(content, list):
        yield Placed(Turn(role, text_of(content)), number)
        return
    others = [block for block in content if not _is_result(block)]
    if others:
        yield Placed(Turn(role, text_of(others) + _besides_text(others)), number)
    for place, block in enumerate(content):
        if _is_result(block):
            yield Placed(Turn(TOOL_RESULT, text_of(block.get("content"))), number, place)


def _content_name(message: Record, prompt: Prompt) -> str:
    return prompt.text_name if prompt.text_name in message else "content"


def _is_result(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") == "tool_result"


def _besides_text(blocks: list[Any]) -> str:
    """Return what a message holds besides its text, for its length: the calls of tools above all."""
    return "".join(json.dumps(block) for block in blocks if text_of([block]) == "")


def _with_results(line: bytes, prompt: Prompt, texts: Mapping[int | None, str]) -> bytes:
    """Return a line in which the results of tools have these texts, by block; all else in it stays."""
    record = object_of(line) or {}
    message = prompt.message(record) or {}
    name = _content_name(message, prompt)
    for block, text in texts.items():
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
    """Return a value as JSON that every reader takes: half characters stay escaped."""
    try:
        return json.dumps(record, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(record).encode()
