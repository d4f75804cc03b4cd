"""Which hits a model is told: nothing that only asks, and nothing of the agent's that says again what memory or another hit says.

What it was told leaves a receipt, as a context does.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.context import note_lines
from clawgit.context.assembly import token_counter
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
from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.recall.search_results import Hits, Result


NO_NEWS = "only asks, or only says again what memory or another hit says"
NOT_UNASKED = "from outside, printed, not in force, or no more than the message or another hit says"


def telling(history: History, results: Sequence[Result], now: datetime) -> list[Result]:
    """Return hits without questions of an earlier talk, and without what the agent only says again of memory or of another hit."""
    others: list[frozenset[str]] = []
    lines = "\n".join(map(_as_said, results)).splitlines()
    if ASSISTANT in map(speaker_of, lines):
        others = _said_by_others(history, results)
    results_left = []
    for hit in map(_without_blocks, results):
        each = _without_echo(hit, others, now)
        if each.trust == UNDERSTOOD:  # what is beside it says that
            each = _as_it_holds(each)
        is_question = speaker_of(each.snippet) != "" and note_lines.is_question(each.snippet)
        if each.message is not None:
            is_question = each.message.role == USER and only_asks(each.message.text)
        if not is_question and not note_lines.says_again(_as_said(each), others, now):
            results_left.append(each)
    return results_left


def told_unasked(results: Sequence[Result], query: str, now: datetime) -> tuple[Result, ...]:
    """Return what a host's prompt is given of hits.

    No stranger's words, no tool's output, no correction that is not in force nor what one set right, nothing that says no more
    than a prompt which asks nothing or is only found beside that, nothing far less to the point than the best.
    """
    chosen: list[Result] = []
    words = note_lines.telling_words(query, now)
    enough = note_lines.WORTH * min(1.0, max(map(attrgetter("score"), results), default=0.0))
    is_known = False
    for place, each in enumerate(map(_as_it_holds, results)):
        is_telling = each.trust != EXTERNAL and not is_machines(each.snippet) and each.score >= enough
        if is_correction_file(each.path) and not each.is_correction:
            is_telling = False
        if (
            not note_lines.is_question(query)
            and not each.beside
            and note_lines.says_no_more(each.snippet, query, now)
        ):
            is_telling = False
            is_known = is_known or place == 0
        if is_known and all(map(note_lines.terms_in(each.snippet).isdisjoint, words)):
            is_telling = False  # found beside the best one, which the prompt says itself
        if is_telling and not _is_told(each, chosen):
            chosen.append(each)
    return tuple(chosen)


def _as_it_holds(hit: Result) -> Result:
    """Return a correction without what was said before it; any other hit is as it is."""
    if hit.is_correction:
        return hit._replace(snippet=hit.snippet.partition(INSTEAD_OF)[0])
    return hit


def receipt_for(
    history: History, answer: Hits, request: WantedContext, budget: int, now: datetime, cuts: Iterable[Cut]
) -> None:
    """Keep the receipt of hits that a model is told, for a message or as it asks."""
    passages = []
    for each in answer.results:
        passages.append(_passage(each, answer.texts.get(each.path)))
    hits = SlotText(HITS, tuple(passages), tuple(cuts))
    opening = f"{DATA}\n"
    counter = token_counter(history.settings)
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
        counter.name,
        opening=opening,
    )
    keep_receipt(history, made, request, now)


def _passage(hit: Result, data: bytes | None) -> Passage:
    """Return a hit as it is told, with its text where its file does not say just that."""
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
    """Return which hits a model is not told of those that were found."""
    places = {each.citation for each in shown}
    for each in hits:
        if each.citation not in places:
            yield Cut(each.citation, why)


def _is_told(hit: Result, better_hits: Sequence[Result]) -> bool:
    """Say whether a better hit has all the words of one, in their order, and beside it all that is said beside that."""
    words = index_terms(note_lines.statement_of(hit.snippet))
    if hit.note or len(words.split()) < note_lines.FEWEST:
        return False
    for each in better_hits:
        is_same = f" {words} " in f" {index_terms(note_lines.statement_of(each.snippet))} "
        if is_same and set(hit.told).issubset(each.told):
            return True
    return False


def _as_said(hit: Result) -> str:
    """Return the lines of a hit; of a message, with who says it."""
    if hit.message is not None and hit.message.role == ASSISTANT:
        return f"{ASSISTANT}: {hit.snippet}"
    return hit.snippet


def _said_by_others(history: History, results: Sequence[Result]) -> list[frozenset[str]]:
    """Return what hits, the operator in the notes that they are of, and all of memory say that the agent may only say again."""
    others = []
    notes: dict[str, None] = {}
    for each in results:
        his = [line for line in _as_said(each).splitlines() if speaker_of(line) != ASSISTANT]
        others.append(note_lines.terms_in("\n".join(his)))
        if date_of(each.path) is not None and not each.agent:
            notes[each.path] = None
    for path in notes:
        others += note_lines.terms_of_his_lines(content_of(history, path))
    for path in note_lines.REMEMBERED:
        others += note_lines.terms_of_lines(content_of(history, path))
    return others


def _without_blocks(hit: Result) -> Result:
    """Return a message of the agent's, or lines of a dated note, without what a program printed behind the agent's words."""
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
    line_numbers = list(telling)
    beside = []
    for each in hit.beside:
        if each.at in telling:
            beside.append(each._replace(at=line_numbers.index(each.at)))
    best = first
    if hit.best_at in telling:
        best += line_numbers.index(hit.best_at)
    return hit._replace(first=first, snippet="\n".join(telling.values()), beside=tuple(beside), best=best)
