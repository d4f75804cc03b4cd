"""Plans of corrections, added entries and lessons; a correction is proven before it is committed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import starmap
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.exchanged_lines import (
    LinePlace,
    SameLine,
    correction_placed,
    file_beside_memory,
    is_only_read,
    line_exchanged,
    note_corrected,
    reach,
    refuse_earlier,
    said_again,
    still_said,
)
from clawgit.agents.door.linkable import corrected_since, entry_meant, link_now, links_in, remembered
from clawgit.history.apply_plan import APPLIED, Recorded, apply_plan
from clawgit.history.git.trees import Tree, entry_files, ids_beside
from clawgit.history.provenance.correction_files import CORRECTING, standing_corrections, withdrawal
from clawgit.history.provenance.trust_lookup import corrections_held
from clawgit.memory.corrections.correction_log import (
    BY_HAND,
    LEDGER,
    Correction,
    Status,
    archive_of,
    move_corrections,
    replace_correction,
)
from clawgit.memory.corrections.write_correction import (
    CUT,
    EntryInFile,
    MemoryFiles,
    Verdict,
    WrittenDown,
    exchange_in,
    shortened,
    write_down,
)
from clawgit.memory.entries.entries import Tag, add_items, entry_line, read_entries, refuse_page
from clawgit.memory.entries.own_section import add_remembered, core_file, ending_in_own_section
from clawgit.memory.entries.statements import of_day, parted, row_statements
from clawgit.memory.entries.tiers import LEARNED, LESSONS, STANDING_FILES, USER_FILE, WRITTEN, day_of_note
from clawgit.memory.entry_states import take_out
from clawgit.memory.provenance.fold import CLAIMED_WORDS
from clawgit.memory.provenance.readings import without_signs
from clawgit.memory.provenance.stamps import stamp
from clawgit.memory.trust import OPERATOR, UNDERSTOOD
from clawgit.plan import Edit, Evidence, Plan
from clawgit.recall.correction_proof import ProofClaim, question_about, why_unproven
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.corrections.correct_by_hand import (
    MOST_SHOWN,
    CorrectError,
    UnsaidError,
    is_line,
    is_whole,
    named,
)
from clawgit.understanding.corrections.fitted_line import fitted_line
from clawgit.understanding.corrections.ready_commands import in_shell, line_proposed, link_commands
from clawgit.understanding.forms.user_words import as_remembered
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date, datetime

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.recall.vector_search import Vectors

DAYS_FOR_PROOF = 60
_NAME = lazy_pattern(r"x:[0-9a-z]+")
_FRAGMENT = lazy_pattern(r"(?i)(?:on|at|in|by|from|to|until|till|every|with|for|not|no|yes)\b(?!.*[.!]$)")
MOST_QUERIES = 20  # earlier searches that a correction is tried with
_SUMMARIES = {
    Status.OPEN: "correction open: {}",
    Status.LOGGED: "correction noted: {}",
    Status.APPLIED: "correct: {}",
    Status.UNDERSTOOD: "correct, as understood: {}",
    Status.LINKED: "linked: {}",
}


class Prover(NamedTuple):
    """Tries a correction in the live index before it is committed ``by`` an actor; ``vectors`` are of committed texts."""

    history: History
    now: datetime
    vectors: Vectors | None = None
    by: str = CORRECTING

    def stands(self, correction: Correction) -> bool:
        return not why_unproven(self.history, {}, self.claim(correction, ()), self.now, vectors=self.vectors)

    def proven(self, written: WrittenDown) -> WrittenDown:
        """Return ``written`` noted as ranking first, or with the reason why it does not; an open item needs no proof."""
        if not written.correction.correct:
            return written
        claim = self.claim(written.correction, written.before)
        reason = why_unproven(self.history, written.texts, claim, self.now, by=self.by)
        if reason:
            return replace(written, notes=(*written.notes, reason))
        return written.proven()

    def claim(self, correction: Correction, before: tuple[str, ...]) -> ProofClaim:
        """Return what must hold for a correction, for earlier queries and for a person's question."""
        earlier: list[str] = []
        with open_records(self.history.state / RECORDS, self.now) as records:
            for entry_id in correction.corrects:
                earlier += records.queries_answered_by(f"m:{entry_id}", most=MOST_QUERIES)
        own = [*before, question_about(correction.correct, " ".join([*before, correction.said]))]
        queries = dict.fromkeys(filter(str.strip, (*earlier, *own)))
        if correction.status is Status.UNDERSTOOD:
            before = ()  # the old words stay beside a reading
        name = f"x:{correction.correction_id}"
        return ProofClaim(name, tuple(queries), before, correction.correct, correction.said)

    def keep(self, correction: Correction, before: tuple[str, ...] = ()) -> None:
        """Keep the queries of the proof for later jobs to pass."""
        if not correction.re_embedded:
            return
        claim = self.claim(correction, before)
        with open_records(self.history.state / RECORDS, self.now) as records:
            records.keep_queries(claim.correction, claim.queries)


class Made(NamedTuple):
    """The result of a correction; empty parts where its op was applied before."""

    recorded: Recorded
    correction: Correction | None = None
    notes: tuple[str, ...] = ()
    same: Sequence[SameLine] = ()  # lines that still have the old words


def record(
    prover: Prover,
    planned: Callable[[Tree], WrittenDown | None],
    intent: Intent,
    evidence: tuple[Evidence, ...] = (),
) -> Made:
    """Commit one planned change on the present tip, proven first; ``evidence`` is added to the correction's own."""
    made: list[WrittenDown | None] = []

    def plan(tree: Tree) -> Plan:
        written = planned(tree)
        made.append(prover.proven(written) if written is not None and written.texts else written)
        if made[-1] is None or not made[-1].texts:
            return Plan("")
        correction = made[-1].correction
        cited = correction.evidence[-1:] if intent.by_message else ()
        own = tuple(Evidence(each, correction.trigger) for each in cited)
        changes = plan_of([made[-1]], (*own, *evidence))
        if intent.actor == OPERATOR and not intent.by_message:  # even if another wrote the words before
            changes = changes._replace(trailers=(("Clawgit-Claims", CLAIMED_WORDS),))
        return changes

    recorded = apply_plan(prover.history, plan, intent)
    last = made[-1] if made else None
    if last is None:
        return Made(recorded)
    if recorded.outcome == APPLIED:
        prover.keep(last.correction, last.before)
    standing = standing_corrections(prover.history.tip().tree)
    return Made(recorded, standing.get(last.correction.correction_id, last.correction), last.notes)


def plan_of(written: Sequence[WrittenDown], evidence: tuple[Evidence, ...]) -> Plan:
    """Return the plan for several corrections, each on the files as the one before leaves them."""
    corrections = list(map(attrgetter("correction"), written))
    correction = next(filter(attrgetter("correct"), corrections), corrections[0])  # one with a change
    words = correction.correct or correction.trigger or correction.said
    more = ""
    if len(written) > 1:
        more = f" (and {len(written) - 1} more)"
    texts = {path: data for each in written for path, data in each.texts.items()}
    is_read = any(each.correction.status is Status.UNDERSTOOD for each in written)
    return Plan(
        summary=_SUMMARIES[correction.status].format(words) + more,
        edits=tuple(starmap(Edit, texts.items())),
        evidence=evidence,
        trust=UNDERSTOOD if is_read else "",
    )


def with_added(tree: Tree, statement: str, on: date, evidence: str) -> tuple[EntryInFile, bytes]:
    """Return the new entry with its id, and its file; the id is derived from ``evidence``."""
    path = core_file(tree.entry)
    old = tree.read(path) or b""
    line = entry_line(statement, on=on, tag=None)
    data = stamp(old, add_remembered(old, line), evidence, taken=ids_beside(tree, path))
    return next(EntryInFile(path, entry) for entry in read_entries(data) if entry.text == line), data


class Lessons:
    """memory/lessons.md while a plan adds to it."""

    def __init__(self, tree: Tree) -> None:
        self.data = self._before = tree.read(LESSONS) or b""
        self.added: dict[str, str] = {}  # line: its evidence
        self._tree = tree

    def add(self, lesson: str, on: date, evidence: str) -> None:
        line = entry_line(lesson, on=on, tag=Tag.SKILL)
        self.data = add_remembered(self.data, line)
        self.added[line] = evidence

    def edits(self) -> tuple[Edit, ...]:
        if self.data == self._before:
            return ()
        first = next(iter(self.added.values()))
        taken = ids_beside(self._tree, LESSONS)
        return (Edit(LESSONS, stamp(self._before, self.data, first, own=self.added, taken=taken)),)


def corrected(
    tree: Tree, old: str, new: str, intent: Intent, entry: str | None, at: LinePlace | None
) -> WrittenDown:
    """Correct ``old`` to ``new`` in memory (or at the place ``at``) and in the ledger; an open correction (`x:…`) gets ``new``."""
    refuse_page(new)
    if _NAME.fullmatch(old):
        written = _completed(tree, old, new, entry, intent)
    else:
        written = _made(tree, old, new, intent, entry, at)
    if written.before and {written.correction.correct}.issuperset(map(shortened, written.before)):
        raise CorrectError(f"The line says that already: {folded(new)!r}. Nothing was changed.")
    return written


def correct(
    history: History,
    old: str,
    new: str,
    intent: Intent,
    *,
    entry: str | None = None,
    at: LinePlace | None = None,
) -> Made:
    """Commit what `corrected` writes, proven first."""
    planned = partial(corrected, old=old, new=new, intent=intent, entry=entry, at=at)
    made = record(Prover(history, intent.now, by=intent.actor), planned, intent)
    path = (at or LinePlace("")).path
    if day_of_note(path) is not None:
        return made  # what other notes say is not corrected
    return _with_same(history, made, path)


def _with_same(history: History, made: Made, at: str = "") -> Made:
    if made.recorded.outcome != APPLIED or made.correction is None:
        return made
    again = tuple(said_again(history.tip().tree, made.correction))
    same = still_said(history, made.correction.said, made.correction.correct, at)
    return made._replace(same=same, notes=made.notes + again)


def _made(
    tree: Tree, old: str, new: str, intent: Intent, entry: str | None, at: LinePlace | None
) -> WrittenDown:
    memory = remembered(tree)
    is_at_place = at is not None and at.number is not None
    if is_at_place and not is_line(folded(new), folded(old)):
        sentence = f"{folded(new)[:MOST_SHOWN]!r} would be all that the line says."
        raise CorrectError(sentence, hint="Write the whole line as it is right, with a full stop.")
    is_other = entry is None and folded(old) != folded(new)
    day = day_of_note(at.path) if at is not None and is_at_place else None
    if day is not None and entry is None:
        verdict = note_corrected(tree, memory, of_day(folded(old), day), of_day(folded(new), day))
    elif is_other and line_exchanged(tree, old, new, at or LinePlace(USER_FILE)) is not None:
        verdict = Verdict(Status.LOGGED, folded(old), folded(new))
    else:
        try:
            verdict = named(old, new, _entries_at(at, memory), entry)
        except UnsaidError:
            refuse_earlier(tree, folded(old), folded(new))
            raise
        if at is not None and entry is None:
            _refuse_another(at, verdict)
    note = Correction("", intent.now.strftime(WRITTEN), BY_HAND)
    final_verdict, memory = _kept(verdict, tree, memory, intent, at)
    is_exchanged = final_verdict != verdict and not final_verdict.right  # a line that has it again
    if not verdict.wrong and not is_exchanged:
        change = (shortened(verdict.said), shortened(verdict.correct))
        for each in standing_corrections(tree).values():
            if each.holds and (each.said, each.correct) == change:
                return WrittenDown(each, {})
    return write_down(final_verdict, note, memory, intent.op)


def _entries_at(at: LinePlace | None, memory: MemoryFiles) -> list[EntryInFile]:
    """Return the entry at a place, or else all entries that its words may mean."""
    entries = memory.entries()
    if at is None or at.number is None:
        return entries
    return list(filter(partial(_is_at, at=at), entries)) or entries


def _is_at(candidate: EntryInFile, at: LinePlace) -> bool:
    entry = candidate.entry
    return candidate.path == at.path and at.number in range(entry.first, entry.text_last)


def _refuse_another(at: LinePlace, verdict: Verdict) -> None:
    """Refuse to correct an entry in place of a line that has the same text and cannot be changed."""
    for target, _ in verdict.wrong:
        if at.number is not None and not _is_at(target, at):
            sentence = f"{at.path}:{at.number + 1} is a table's row, a quotation or a sentence over lines: it is not changed in its place."
            hint = f"Edit the file, then `clawgit keep`. {target.path}:{target.entry.first + 1} says the same and is as before."
            raise CorrectError(sentence, hint=hint)


def _kept(
    verdict: Verdict, tree: Tree, memory: MemoryFiles, intent: Intent, at: LinePlace | None = None
) -> tuple[Verdict, MemoryFiles]:
    """Return the verdict with an entry of its own where memory has none, and memory with that."""
    if verdict.wrong or verdict.right or not verdict.correct:
        return verdict, memory
    places = [LinePlace(USER_FILE), *file_beside_memory(tree, verdict.said)]
    if at is not None:
        places = [at]
    for place in places:
        his = line_exchanged(tree, verdict.said, verdict.correct, place)
        if his is not None:
            verdict = verdict._replace(status=Status.APPLIED, note=f"{place.path} has the new line.")
            return verdict, replace(memory, now={**memory.now, place.path: his})
    refuse_earlier(tree, verdict.said, verdict.correct)
    if row_statements(verdict.correct) != [verdict.correct]:
        raise CorrectError(
            f"{verdict.said!r} is no row that can be changed, and the new one would be no entry of memory.",
            hint="Edit the file, then `clawgit keep`.",
        )
    added, data = with_added(tree, as_remembered(verdict.correct), intent.now.date(), intent.op)
    memory = replace(memory, now={**memory.now, added.path: data})
    note = reach(tree, verdict.said, added.path, at)
    for place in filter(lambda each: is_only_read(tree, each.path), places):
        note = f"{place.path} is not UTF-8, so clawgit does not write it: {added.path} has a new line."
    old = folded(verdict.said).casefold()
    for path in sorted(STANDING_FILES):
        text = (tree.read(path) or b"").decode("utf-8", "replace")
        if old in folded(text).casefold():
            note = f"{note} {path} goes on saying so: edit it there."
    return verdict._replace(status=Status.APPLIED, right=(added,), note=note), memory


def _completed(
    tree: Tree,
    name: str,
    right: str,
    entry: str | None,
    intent: Intent,
    evidence: tuple[Evidence, ...] = (),
) -> WrittenDown:
    memory = remembered(tree)
    words = folded(right)
    correction = correction_placed(tree, name)
    if correction is None:
        raise CorrectError(f"There is no correction {name}.", hint="`clawgit corrections` lists them.")
    if not words:
        raise CorrectError("Say what is right.", hint=f'`clawgit approve {name} "…"`.')
    if correction.correct == words:
        return WrittenDown(correction, {})
    if shortened(words) == correction.said:
        sentence = "The line says that already."
        raise CorrectError(sentence, hint=f"`clawgit reject {name}` says that your words do not correct it.")
    if words.endswith(CUT) and correction.said.endswith(CUT):
        sentence = f"The line is longer than what is shown of it, and would end with {CUT.strip()!r}."
        hint = "Write all of it; `clawgit correct PATH:LINE` opens it at a terminal."
        raise CorrectError(sentence, hint=hint)
    if correction.correct or correction.status is Status.WITHDRAWN:
        sentence = f"{name} is {correction.status.value}, and says what is right."
        raise CorrectError(sentence, hint='`clawgit correct "OLD" "NEW"` makes a new one.')
    verdict = _answered(correction, words, entry, memory, tree)
    changes_none = not verdict.wrong and not verdict.right
    is_of_entry = correction.status is Status.LINKED and not correction.beside
    is_about_a_line = is_of_entry or bool(correction.may_correct)
    if changes_none and (is_about_a_line or not is_line(words, correction.said) or _FRAGMENT.match(words)):
        sentence = f"{words[:MOST_SHOWN]!r} would leave memory as it is, and {name} would be gone."
        hint = "Write the whole line that is right, with a full stop; --entry ID names the entry that shall say it."
        raise CorrectError(sentence, hint=hint)
    at = None
    if correction.beside:
        at = LinePlace(correction.beside)
    verdict, memory = _kept(verdict, tree, memory, intent, at)
    memory = replace(memory, ledger=tree.read(correction.path) or b"")
    cited = dict.fromkeys((*correction.evidence, *map(attrgetter("evidence_id"), evidence)))
    note = correction._replace(
        at=intent.now.strftime(WRITTEN), may_correct=(), proposed="", beside="", evidence=tuple(cited)
    )
    return write_down(verdict, note, memory, intent.op)


def _line_of(correction: Correction, memory: MemoryFiles) -> EntryInFile | None:
    """Return the entry that an open item or a link is about."""
    if correction.may_correct:
        return entry_meant(f"m:{correction.may_correct[0]}", memory)
    return entry_meant(correction.said, memory)


def accept(history: History, name: str, intent: Intent, evidence: tuple[Evidence, ...] = ()) -> Made:
    """Apply what an open item (`x:…`) proposes, or what rules make of a link: the operator's yes, given by ``evidence``."""

    def planned(tree: Tree) -> WrittenDown:
        correction = _asking(tree, name)
        correction, _ = link_now(history, correction, tree)
        proposed = line_proposed(correction)
        if correction.status is Status.LINKED and correction.path != LEDGER:
            hint = '`clawgit correct "OLD" "NEW"` sets the line right.'
            raise CorrectError(f"{name} has ended: the line, or what you said of it, is newer.", hint=hint)
        if not proposed:
            raise _no_line(name, correction)
        if correction.beside:
            is_changeable = line_exchanged(tree, correction.said, proposed, LinePlace(correction.beside))
            if is_changeable is None and not is_only_read(tree, correction.beside):
                raise CorrectError(
                    f"{correction.beside} does not say that any more, or cannot be changed in its place.",
                    hint=f"`clawgit reject {name}` drops it; `clawgit correct PATH:LINE NEW` sets a line right.",
                )
        else:
            memory = remembered(tree)
            target = _line_of(correction, memory)
            if target is None or shortened(target.parts.statement) != correction.said:
                raise CorrectError(
                    f"The line of {name} is gone, or says something else since it was asked.",
                    hint=f'`clawgit approve {name} "NEW" --entry m:ID` says what is right, `clawgit reject {name}` drops the question.',
                )
        return _completed(tree, name, proposed, None, intent, evidence)

    made = record(Prover(history, intent.now, by=intent.actor), planned, intent, evidence)
    return _with_same(history, made)


def _no_line(name: str, correction: Correction) -> CorrectError:
    if correction.status is not Status.LINKED:
        hint = f'`clawgit approve {name} "…"` or `clawgit reject {name}`.'
        return CorrectError(f"{name} proposes no line.", hint=hint)
    *settling, rejected = link_commands(name, correction.said, correction.trigger, correction.turn)
    hint = f"`{'` or `'.join(settling)}` does what you said; `{rejected}` says that your words do not correct it."
    return CorrectError(f"{name} proposes no line, so a yes changes nothing.", hint=hint)


def drop(
    history: History,
    name: str,
    intent: Intent,
    *,
    both: bool = False,
    reason: str = "",
    evidence: tuple[Evidence, ...] = (),
) -> Made:
    """Withdraw an open item for good; with ``both``, its proposal becomes an entry of its own."""

    def plan(tree: Tree) -> Plan:
        correction = _asking(tree, name)
        dropping = withdrawal(tree, [correction], reason, evidence)
        if not both:
            return dropping
        proposed = line_proposed(correction)
        if not proposed:
            raise _no_line(name, correction)
        added, data = with_added(tree, proposed, intent.now.date(), f"x:{correction.correction_id}")
        cited = tuple(Evidence(each, correction.trigger) for each in correction.evidence)
        cited += evidence
        edits = (*dropping.edits, Edit(added.path, data))
        return Plan(f"remember: {added.parts.statement}", edits, evidence=cited)

    recorded = apply_plan(history, plan, intent)
    settled = standing_corrections(history.tip().tree).get(name.removeprefix("x:"))
    return Made(recorded, settled)


def reading_called(history: History, tree: Tree, name: str) -> tuple[set[str], Correction | None]:
    """Return the ids of the entries that a reading (`m:…`, `x:…`) is about, and its understood correction."""
    corrections = corrections_held(history, tree)
    correction = corrections.get(name.removeprefix("x:"))
    if correction is None:
        entries = {name.removeprefix("m:")}
        latest = [each for each in corrections.values() if entries.intersection(each.corrects)]
        correction = max(latest, key=lambda each: each.at, default=None)
    else:
        entries = {*correction.corrects}
    if correction is None or correction.status is not Status.UNDERSTOOD:
        return entries, None
    return entries, correction


def confirm_reading(history: History, name: str, intent: Intent, reason: str = "") -> Recorded:
    """Make a reading of the operator's words, an entry (`m:…`) or a correction (`x:…`), the operator's own: a yes.

    What an agent remembered moves to core memory.
    """

    def plan(tree: Tree) -> Plan:
        entries, last = reading_called(history, tree, name)
        claims = [f"m:{entry_id}" for entry_id in sorted(entries)]
        texts: dict[str, bytes] = {}
        if last is not None:
            claims.append(f"x:{last.correction_id}")
            ledger = tree.read(last.path) or b""
            texts[last.path] = replace_correction(ledger, last._replace(status=Status.APPLIED))
        texts |= {path: without_signs(tree.read(path) or b"", entries) for path in entry_files(tree)}
        learned, items = take_out(texts.get(LEARNED, b""), entries)
        if items:
            core = core_file(tree.entry)
            own = ending_in_own_section(texts.get(core, b""))
            texts |= {LEARNED: learned, core: add_items(own, list(map(split_lines, items.values())))}
        edits = [Edit(path, data) for path, data in texts.items() if data != tree.read(path)]
        trailers = tuple(("Clawgit-Claims", claim) for claim in claims)
        return Plan(f"yes to {name}", tuple(edits), reason, trailers=trailers, verbatim=True)

    return apply_plan(history, plan, intent)


def _asking(tree: Tree, name: str) -> Correction:
    correction = correction_placed(tree, name)
    if correction is None or correction.status not in (Status.OPEN, Status.LINKED):
        raise CorrectError(f"{name} asks nothing.", hint="`clawgit corrections --open` lists what is asked.")
    return correction


def _answered(
    correction: Correction, words: str, entry: str | None, memory: MemoryFiles, tree: Tree
) -> Verdict:
    target = _line_of(correction, memory)
    if target is None and correction.status is Status.LINKED:
        target = corrected_since(correction.said, memory, tree)
        is_of_line = entry is None or entry.removeprefix("m:") in correction.may_correct
        if target is None and is_of_line and not correction.beside:
            sentence = f"The line beside your words is gone: {correction.said!r}."
            raise CorrectError(sentence, hint=f"`clawgit remember {in_shell(words)}` adds yours.")
    is_new_line = words == correction.proposed
    if correction.status is Status.LINKED:
        is_new_line = is_line(words, correction.said)
    if is_new_line and entry is None and target is not None:
        line = exchange_in(target, parted(words).statement).statement
        return Verdict(Status.APPLIED, target.parts.statement, line, ((target, line),))
    if correction.beside and entry is None:
        return Verdict(Status.LOGGED, correction.said, words)
    if entry is not None and is_whole(words):
        verdict = named(correction.said or correction.trigger, words, memory.entries(), entry)
        changed = [target.parts.statement for target, _ in verdict.wrong]
        return verdict._replace(said=changed[0] if changed else correction.said)
    is_one = len(values_in(words)) == 1
    line = fitted_line(correction.said, words) if is_one else ""
    is_sentence = is_whole(words) and not _FRAGMENT.match(words)
    if not line and is_sentence and subject(words) & subject(correction.said):
        line = words
    if target is None or not line or shortened(target.parts.statement) != correction.said:
        return Verdict(Status.LOGGED, correction.said, words)
    return Verdict(Status.APPLIED, correction.said, line, ((target, line),))


def old_corrections(history: History, tree: Tree, on: date, days: int) -> list[Correction]:
    """Return the settled corrections that are ``days`` old; an unproven one at most ``DAYS_FOR_PROOF`` days later."""
    before = (on - timedelta(days=days)).isoformat()
    long_before = (on - timedelta(days=max(days, DAYS_FOR_PROOF))).isoformat()
    corrections = standing_corrections(tree).values()
    links = {each.correction_id for each in links_in(history, tree)}
    old = []
    for each in corrections:
        if each.path != LEDGER or each.at[:10] > before or each.correction_id in links:
            continue
        awaits_proof = each.holds and not each.re_embedded and each.at[:10] > long_before
        if each.status is not Status.OPEN and not awaits_proof:
            old.append(each)
    return old


def archive_old(history: History, intent: Intent) -> Recorded:
    """Move old corrections to the archive, a file per month; they stay in force."""
    days = history.settings.correction_archive_days
    return apply_plan(history, lambda tree: archive_plan(history, tree, intent.now.date(), days), intent)


def archive_plan(history: History, tree: Tree, on: date, days: int) -> Plan:
    """Return the plan that moves old corrections from the ledger to the archive."""
    texts = {LEDGER: tree.read(LEDGER) or b""}
    moved = old_corrections(history, tree, on, days)
    for each in moved:
        path = archive_of(each)
        archive = texts.get(path, tree.read(path) or b"")
        texts[LEDGER], texts[path] = move_corrections(texts[LEDGER], archive, [each.correction_id])
    edits = tuple(starmap(Edit, texts.items()))
    return Plan(f"corrections: {len(moved)} moved to the archive", edits if moved else ())
