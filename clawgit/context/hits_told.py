"""Which hits a model is told: nothing that only asks, and nothing of the agent's that says again what memory or another hit says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.context import note_lines
from clawgit.memory.entries.tiers import date_of, is_correction_file
from clawgit.memory.notes import ASSISTANT, USER, is_machines, speaker_of
from clawgit.memory.trust import EXTERNAL
from clawgit.recall.search import content_of
from clawgit.recall.search_messages import only_asks
from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.recall.search_results import Result


def telling(history: History, results: Sequence[Result], now: datetime) -> list[Result]:
    """Return hits without questions of an earlier talk, and without what the agent only says again of memory or of another hit."""
    others: list[frozenset[str]] = []
    lines = "\n".join(map(_as_said, results)).splitlines()
    if ASSISTANT in map(speaker_of, lines):
        others = _said_by_others(history, results)
    told = []
    for hit in results:
        each = _without_echo(hit, others, now)
        is_question = speaker_of(each.snippet) != "" and note_lines.is_question(each.snippet)
        if each.message is not None:
            is_question = each.message.role == USER and only_asks(each.message)
        if not is_question and not note_lines.says_again(_as_said(each), others, now):
            told.append(each)
    return told


def told_unasked(results: Sequence[Result], query: str, now: datetime) -> tuple[Result, ...]:
    """Return what a host's prompt is given of hits.

    No stranger's words, no tool's output, no correction that is not in force, nothing that says no more than a prompt which
    asks nothing.
    """
    told: list[Result] = []
    for each in results:
        is_telling = each.trust != EXTERNAL and not is_machines(each.snippet)
        if is_correction_file(each.path) and not each.is_correction:
            is_telling = False
        if (
            not note_lines.is_question(query)
            and not each.beside
            and note_lines.says_no_more(each.snippet, query, now)
        ):
            is_telling = False
        if is_telling and not _is_told(each, told):
            told.append(each)
    return tuple(told)


def _is_told(hit: Result, told: Sequence[Result]) -> bool:
    """Say whether a better hit has all the words of one, in their order, and nothing is said beside it."""
    words = index_terms(note_lines.statement_of(hit.snippet))
    if hit.beside or hit.note or len(words.split()) < note_lines.FEWEST:
        return False
    return any(f" {words} " in f" {index_terms(note_lines.statement_of(each.snippet))} " for each in told)


def _as_said(hit: Result) -> str:
    """Return the lines of a hit; of a message, with who says it."""
    if hit.message is not None and hit.message.role == ASSISTANT:
        return f"{ASSISTANT}: {hit.snippet}"
    return hit.snippet


def _said_by_others(history: History, results: Sequence[Result]) -> list[frozenset[str]]:
    """Return what hits and all of memory say that the agent may only say again."""
    others = []
    for each in results:
        his = [line for line in _as_said(each).splitlines() if speaker_of(line) != ASSISTANT]
        others.append(note_lines.terms_in("\n".join(his)))
    for path in note_lines.REMEMBERED:
        others += note_lines.terms_of_lines(content_of(history, path))
    return others


def _without_echo(hit: Result, others: Sequence[frozenset[str]], now: datetime) -> Result:
    """Return several lines of a dated note without those that a program printed, or that the agent only says again."""
    lines = hit.snippet.splitlines()
    if len(lines) == 1 or hit.message is not None or date_of(hit.path) is None:
        return hit
    telling = {}
    for number, line in enumerate(lines):
        if not is_machines(line) and not note_lines.says_again(line, others, now):
            telling[number] = line
    if not telling:
        return hit
    first = hit.first
    if len(lines) == hit.last - hit.first + 1:
        first += min(telling)
    kept = list(telling)
    beside = []
    for each in hit.beside:
        if each.at in telling:
            beside.append(each._replace(at=kept.index(each.at)))
    best = first
    if hit.best_at in telling:
        best += kept.index(hit.best_at)
    return hit._replace(first=first, snippet="\n".join(telling.values()), beside=tuple(beside), best=best)
