"""Selects hits for a model: no mere questions, no agent's words that repeat memory or another hit.

Shown hits get a receipt, as a context does.
"""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.context import note_lines
from clawgit.context.assembly import VERSION, TokenCounter
from clawgit.context.receipts import hit_in, keep_receipt
from clawgit.context.slots import HIT, HITS, Cut, Passage, SlotText
from clawgit.context.wanted_context import Context, FilledSlot, WantedContext
from clawgit.memory.entries.tiers import date_of, is_correction_file
from clawgit.memory.notes import ASSISTANT, USER, is_machines, speaker_of, without_blocks
from clawgit.memory.trust import EXTERNAL, UNDERSTOOD
from clawgit.recall.index.line_units import only_asks
from clawgit.recall.model_lines import DATA, INSTEAD_OF, hit_parts
from clawgit.recall.search import content_of
from clawgit.text.safety.secrets import redact
from clawgit.text.words.terms import index_terms, terms_in
from clawgit.understanding.evidence.own_sentences import is_question

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.recall.search_results import Hits, Result


NO_NEWS = "only asks, or only says again what memory or another hit says"
NOT_UNASKED = "from outside, printed, not in force, or no more than the message or another hit says"


def telling(history: History, results: Sequence[Result], now: datetime) -> list[Result]:
    """Return hits without questions of an earlier talk, and without the agent's repetitions of memory or another hit."""
    others: list[frozenset[str]] = []
    lines = "\n".join(map(_as_said, results)).splitlines()
    if ASSISTANT in map(speaker_of, lines):
        others = _said_by_others(history, results)
    results_left = []
    for hit in map(_without_blocks, results):
        each = _without_echo(hit, others, now)
        if each.trust == UNDERSTOOD:  # its note says that
            each = _as_it_holds(each)
        is_asked = speaker_of(each.snippet) != "" and is_question(each.snippet)
        if each.message is not None:
            is_asked = each.message.role == USER and only_asks(each.message.text)
        if not is_asked and not note_lines.says_again(_as_said(each), others, now):
            results_left.append(each)
    return results_left


def told_unasked(results: Sequence[Result], query: str, now: datetime) -> tuple[Result, ...]:
    """Return the hits for a host's prompt.

    Left out are outsiders' words, tool output, corrections not in force, corrected texts, repetitions of a
    prompt that asks nothing, and hits with a far lower score than the best.
    """
    chosen: list[Result] = []
    enough = note_lines.WORTH * min(1.0, max(map(attrgetter("score"), results), default=0.0))
    for each in map(_as_it_holds, results):
        is_telling = each.trust != EXTERNAL and not is_machines(each.snippet) and each.score >= enough
        if is_correction_file(each.path) and not each.is_correction:
            is_telling = False
        if not is_question(query) and not each.beside and note_lines.says_no_more(each.snippet, query, now):
            is_telling = False
        if is_telling and not _is_told(each, chosen):
            chosen.append(each)
    return tuple(chosen)


def _as_it_holds(hit: Result) -> Result:
    """Return a correction without its old words; any other hit is unchanged."""
    if hit.is_correction:
        return hit._replace(snippet=hit.snippet.partition(INSTEAD_OF)[0])
    return hit


def receipt_for(
    history: History, answer: Hits, request: WantedContext, budget: int, now: datetime, cuts: Iterable[Cut]
) -> None:
    passages = tuple(_passage(each, answer.texts.get(each.path)) for each in answer.results)
    hits = SlotText(HITS, passages, tuple(cuts))
    opening = f"{DATA}\n"
    counter = TokenCounter(history.settings.token_factor)
    used = counter.count(hits.text)
    tip = history.tip()
    made = Context(
        "",
        opening + hits.text,
        counter.count(opening) + used,
        (FilledSlot(hits, budget or used, used, used),),
        now.date(),
        request.query,
        tip.tree.tree_id or "",
        tip.commit_id or "",
        VERSION,
        opening=opening,
    )
    keep_receipt(history, made, request, now)


def _passage(hit: Result, data: bytes | None) -> Passage:
    """Return a hit as a passage, with its text if the file reads differently."""
    lines, note = hit_parts(hit)
    why = f"{HITS.why} ({hit.score:.2f})"
    passage = Passage("\n".join(lines), HIT, hit.path, entry=hit.entry, note=note, why=why)
    if hit.message is None:
        passage = passage._replace(first=hit.first, last=hit.last)
    is_here = data is not None and not hit.agent and hit.retirement is None
    if is_here and hit.blob and hit_in(data or b"", hit.first, hit.last) == passage.text:
        return passage._replace(blob=hit.blob)
    return passage._replace(text=redact(passage.text))


def untold(hits: Iterable[Result], shown: Iterable[Result], why: str) -> Iterable[Cut]:
    places = set(map(attrgetter("citation"), shown))
    for each in hits:
        if each.citation not in places:
            yield Cut(each.citation, why)


def _is_told(hit: Result, better_hits: Sequence[Result]) -> bool:
    """Say whether a better hit has all words of this one in their order, and all of its notes."""
    words = index_terms(note_lines.statement_of(hit.snippet))
    if hit.note or len(words.split()) < note_lines.FEWEST:
        return False
    for each in better_hits:
        is_same = f" {words} " in f" {index_terms(note_lines.statement_of(each.snippet))} "
        if is_same and set(hit.told).issubset(each.told):
            return True
    return False


def _as_said(hit: Result) -> str:
    if hit.message is not None and hit.message.role == ASSISTANT:
        return f"{ASSISTANT}: {hit.snippet}"
    return hit.snippet


def _said_by_others(history: History, results: Sequence[Result]) -> list[frozenset[str]]:
    """Return the terms of hits, of the operator's words in the same notes, and of all memory: the agent only repeats these."""
    others = []
    notes = []
    for each in results:
        his = [line for line in _as_said(each).splitlines() if speaker_of(line) != ASSISTANT]
        others.append(terms_in("\n".join(his)))
        if date_of(each.path) is not None and not each.agent:
            notes.append(each.path)
    return others + note_lines.terms_to_repeat(partial(content_of, history), notes)


def _without_blocks(hit: Result) -> Result:
    """Return an agent's message, or lines of a dated note, without program output behind the agent's words."""
    if "```" not in hit.snippet or (hit.message is None and date_of(hit.path) is None):
        return hit
    lines = [_as_said(hit)]
    if hit.message is None:
        lines = hit.snippet.splitlines()
    bare = "\n".join(map(without_blocks, lines))
    if hit.message is not None:
        bare = bare.removeprefix(f"{ASSISTANT}: ")
    return hit._replace(snippet=bare)


def _without_echo(hit: Result, others: Sequence[frozenset[str]], now: datetime) -> Result:
    """Return lines of a dated note without program output and the agent's repetitions."""
    lines = hit.snippet.splitlines()
    if len(lines) == 1 or hit.message is not None or date_of(hit.path) is None:
        return hit
    telling = {}
    for number, line in enumerate(lines):
        if not is_machines(line) and not note_lines.says_again(line, others, now):
            telling[number] = line
    if not telling:
        return hit
    numbers = tuple(map(hit.number_of, telling))
    places = list(telling)
    beside = tuple(each._replace(at=places.index(each.at)) for each in hit.beside if each.at in telling)
    snippet = "\n".join(telling.values())
    return hit._replace(first=numbers[0], snippet=snippet, beside=beside, numbers=numbers)
