"""Guards against loss: text leaves a file only for another place or with a reason; a correction and its entries never.

Only the operator makes or alters a correction.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from itertools import chain, filterfalse, groupby, product
from operator import attrgetter, methodcaller
from typing import TYPE_CHECKING, Final, NamedTuple

from clawgit.history.authorship.actors import HOST, OPERATOR, UNKNOWN
from clawgit.history.git.trees import correction_files
from clawgit.history.guards.finding import (
    UNDO_OF_THIS,
    Finding,
    GuardStep,
    State,
    told,
)
from clawgit.memory.corrections.correction_log import LEDGER, Correction, Status, read_corrections
from clawgit.memory.entries import tiers
from clawgit.memory.entries.entries import Entry, is_earlier_wording, marks_in, read_entries, said_lines
from clawgit.memory.entries.statements import parted
from clawgit.memory.trust import UNDERSTOOD
from clawgit.plan import FORGET
from clawgit.text.comparing import fuzzy
from clawgit.text.lazy_pattern import lazy_bytes_pattern
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import begin_of, counted, few, shown
from clawgit.text.trailers import REVERTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


KEEPER = "recall-validator"  # the agent that writes CORRECTIONS.md
LAPSES: Final = timedelta(days=60)  # how long a proposal or a question is pending at most
RESTING: Final = (OPERATOR, UNDERSTOOD)  # the trust that a new correction needs
MOST_NAMED, NAMED_LENGTH = 3, 60  # corrected lines in a sentence, and characters of each
LOST, FORGED = "correction", "forged-correction"
ENTRY = "corrected-entry"
_SAYS = attrgetter("path", "correction_id", "status", "said", "correct", "corrects", "evidence")
_MAKE_ONE = "`clawgit keep --as operator` if it is yours."
_WITHDRAW = (
    "The operator withdraws it with `clawgit undo x:{}`,"
    " or drops it with `clawgit keep --as operator --override correction --reason …`."
)


def find_lost_corrections(step: GuardStep) -> Iterator[Finding]:
    """Find corrections that would be in no file any more, say something else, or are made up."""
    for dispute in disputes(step):
        about = dispute.about
        problem = "says something else"
        way_out = "Only the operator changes what one says."
        if dispute.was is None:
            problem, way_out = "does not rest on the operator's words", _MAKE_ONE
        elif dispute.now is None:
            problem, way_out = "is removed", _WITHDRAW.format(about.correction_id)
        sentence = f"The correction x:{about.correction_id} of {told(about.path)} {problem}."
        yield Finding(dispute.rule, about.path, sentence, way_out, about.first + 1)


def find_lost_corrected_entries(step: GuardStep) -> Iterator[Finding]:
    for path, lost in groupby(lost_corrected_entries(step), attrgetter("path")):
        named = []
        for each in lost:
            words = f"m:{each.mark}" if each.entry is None else each.entry.text
            named.append(f'"{begin_of(parted(words).statement.rstrip("."), NAMED_LENGTH)}"')
        sentence = f"{told(path)} lacks {counted(len(named), 'corrected line')}, or the id: {few(named, MOST_NAMED)}."
        way_out = "Leave what was corrected in its place; the correction overrides it."
        back = f"The corrections stay in force (`clawgit undo x:ID` ends one, `clawgit corrections` has the ID); {UNDO_OF_THIS} brings the lines back."
        yield Finding(ENTRY, path, sentence, way_out, way_back=back)


def _old_again(step: GuardStep) -> Iterator[tuple[str, str]]:
    """Yield path and id of each entry that the agent or nobody known worded as before its correction."""
    paths = list(filter(tiers.holds_entries, step.shortened))
    if step.intent.actor not in (HOST, UNKNOWN) or not paths or step.intent.sides:
        return  # of a merge, one side did it
    from clawgit.memory.corrections.corrected_entries import entries_set_back

    corrections = read_corrections(step.base.read(LEDGER) or b"", LEDGER)
    for path in paths if corrections else ():
        old = step.base.read(path) or b""
        for entry, each in entries_set_back(old, step.new.read(path) or b"", corrections):
            if each.said and parted(each.said).statement.rstrip(".。") in entry.text:
                yield path, str(entry.entry_id)


class Dispute(NamedTuple):
    """A correction that a step removes (``now`` is None), alters, or makes up (``was`` is None); ``about`` is the present one."""

    rule: str
    about: Correction
    was: Correction | None
    now: Correction | None


def disputes(step: GuardStep) -> Iterator[Dispute]:
    """Yield the corrections that ``step`` may not change so; each copy counts, since each copy is searched.

    What a merge has as another of its sides has it is that side's.
    """
    paths = list(filter(tiers.is_correction_file, step.paths))
    olds = _copies(step.base, paths)
    news = _copies(step.new, paths)
    had, left = _by_id(olds), {now.correction_id for now in news}
    if had.keys() != left:  # maybe moved between a changed and an unchanged file
        others = [path for path in correction_files(step.tree) if path not in paths]
        standing = _by_id(_copies(step.new, others))
        had, left = standing | had, left | standing.keys()
    for name, lost in had.items():
        if name not in left and not _is_forgotten(step, lost):
            yield Dispute(LOST, lost, lost, None)
    if step.intent.actor != OPERATOR:
        here = {(old.path, old.correction_id): old for old in olds}
        merged: set[tuple[object, ...]] = set()
        for side in step.intent.sides:
            merged.update(map(_SAYS, _copies(State(side), paths)))
        for now in filterfalse(lambda now: _SAYS(now) in merged, news):
            was = here.get((now.path, now.correction_id), had.get(now.correction_id))
            if was is None:
                only_asks = step.intent.by_message and _only_asks(now)
                is_disputed, rule = step.intent.trust not in RESTING and not only_asks, FORGED
            else:
                same = now._replace(status=was.status, path=was.path, first=was.first, last=was.last)
                is_emptied = was.status is Status.LINKED and same == was._replace(trigger="", turn="")
                is_same = same == was or (is_emptied and _is_taken_back(step, was))
                is_withdrawn = is_same and now.status is Status.WITHDRAWN and _may_end(step, was)
                is_settled = is_withdrawn or (step.intent.by_message and _asks_no_more(was, now))
                is_disputed, rule = not _still_says(was, now) and not is_settled, LOST
            if is_disputed:
                yield Dispute(rule, now, was, now)


def _is_forgotten(step: GuardStep, was: Correction) -> bool:
    """Say whether a link or a question goes with a line that the operator forgets: `forget` chose it."""
    is_his = OPERATOR in (step.intent.actor, step.intent.trust)
    is_forgetting = step.plan is not None and step.plan.summary.startswith(f"{FORGET}: ")
    return is_his and is_forgetting and _only_asks(was)


def _may_end(step: GuardStep, was: Correction) -> bool:
    """Say whether a reading or a link ends by itself, a question lapses, or the operator's next message took it back."""
    intent = step.intent
    if intent.actor != KEEPER:
        return False
    if was.status in (Status.UNDERSTOOD, Status.LINKED):
        return True
    asked_at = tiers.time_in(was.at, intent.now.tzinfo)
    if _only_asks(was) and asked_at is not None and intent.now - asked_at >= LAPSES:
        return True
    return _is_taken_back(step, was)


def _is_taken_back(step: GuardStep, was: Correction) -> bool:
    """Say whether the step undoes what rests on a message, on the ground of another of the operator's."""
    plan = step.plan
    is_reverting = plan is not None and plan.cites_message and REVERTS in dict(plan.trailers)
    return is_reverting and step.intent.trust == OPERATOR and bool(was.evidence)


def _only_asks(correction: Correction) -> bool:
    """Say whether a correction changes no entry: it only asks the operator, or is beside an entry."""
    asks = correction.status in (Status.OPEN, Status.LINKED)
    return asks and not correction.correct and not correction.corrects


def _asks_no_more(was: Correction, now: Correction) -> bool:
    """Say whether a question only became a link: the operator's words stay beside the entry, as newer ones do."""
    if was.status is not Status.OPEN or now.status is not Status.LINKED or not was.trigger:
        return False
    return now._replace(status=was.status, proposed=was.proposed, first=was.first, last=was.last) == was


class LostEntry(NamedTuple):
    """An entry of a correction that would be in no file any more."""

    path: str
    mark: str
    entry: Entry | None


def lost_corrected_entries(step: GuardStep) -> Iterator[LostEntry]:
    """Yield the entries that ``step`` loses, or words as before, and that one of its corrections in force is about."""
    lost: dict[str, frozenset[str]] = {}
    for path in sorted(filter(tiers.holds_entries, step.shortened)):
        lost[path] = marks_in(step.base.read(path) or b"") - marks_in(step.new.read(path) or b"")
    for path, mark in _old_again(step):
        lost[path] |= {mark}
    if not any(lost.values()):
        return
    files = {*correction_files(step.tree), *filter(tiers.is_correction_file, step.paths)}
    corrected: set[str] = set()
    left = _by_id(_copies(step.base, files)) | _by_id(_copies(step.new, files))
    for each in left.values():  # one that is a link again corrects nothing
        if each.status is not Status.WITHDRAWN:
            corrected.update(each.corrects)
    if corrected.isdisjoint(chain.from_iterable(lost.values())):
        return
    for path in (*step.paths, *step.others()):
        corrected -= marks_in(step.new.read(path) or b"") - lost.get(path, frozenset())
    for path, marks in lost.items():
        for mark in sorted(marks & corrected):
            entries = read_entries(step.base.read(path) or b"")
            yield LostEntry(path, mark, next((each for each in entries if each.entry_id == mark), None))


def _copies(state: State, paths: Iterable[str]) -> list[Correction]:
    return [correction for path in paths for correction in read_corrections(state.read(path) or b"", path)]


def _by_id(copies: Iterable[Correction]) -> dict[str, Correction]:
    """Return each correction once, by the ledger's copy if it has one."""
    return {each.correction_id: each for each in sorted(copies, key=lambda each: each.path == LEDGER)}


def _still_says(was: Correction, now: Correction) -> bool:
    """Say whether filled fields are unchanged; an open correction may be completed, none withdrawn."""
    is_answered = bool(now.correct) and not now.may_correct and not now.proposed
    return (
        now.said == was.said
        and now.correct == (was.correct or now.correct)
        and set(was.corrects) <= set(now.corrects)
        and set(was.evidence) <= set(now.evidence)
        and (is_answered or (was.may_correct, was.proposed) == (now.may_correct, now.proposed))
        and (was.status is not Status.LINKED or now.status is Status.LINKED or bool(now.correct))
        and (now.status is Status.WITHDRAWN) == (was.status is Status.WITHDRAWN)
    )


RULE = "loss"
MOST_PERCENT = 25
FEWEST_CUT = 10  # lines: fewer are asked about in MEMORY.md only, and in no section
MOST_SECTIONS = 3  # that are named
_BEFORE_HEADING = lazy_bytes_pattern(rb"^(?=#{1,6}[ \t])", re.MULTILINE)
REWORDED = 60  # of 100: at least as similar is a new wording of the line
MOST_PAIRS = 40_000  # lines compared with lines: 0.1 s; a file with more has no reworded lines
MOST_FILES = 5_000  # searched for the lost text: a second
_ARCHIVES = ("Archive/", "memory/archive/")

Lines = Counter[bytes]


def find_losses(step: GuardStep) -> Iterator[Finding]:
    """Find files of which more than a quarter, or whole sections, would be lost without a reason; other files are read only if one may be."""
    reasons = [*(step.intent.losses or {}).items()]
    for key, detail in step.plan.trailers if step.plan is not None else ():
        if key == "Clawgit-Loss":
            reasons.append(detail.partition(": ")[::2])
    declared = {path for path, why in reasons if why.strip()}
    lost: dict[str, Lines] = {}
    for path in step.shortened:
        if path not in declared and _is_kept(step, path):
            lost[path] = _gained(step.new, step.base, path)
    if not any(lost.values()):
        return
    come = Lines()
    for path in step.paths:
        come.update(_gained(step.base, step.new, path))
    much = {}
    for path, gone in _left_here(step, lost, come).items():
        if _percent(step, path, gone) > MOST_PERCENT or _sections_cut(step, path, gone):
            much[path] = gone
    elsewhere = _elsewhere(step, much.values()) if much else Lines()
    for path, gone in much.items():
        lost_here = _less(gone, elsewhere)
        elsewhere -= gone
        percent = _percent(step, path, lost_here)
        sections: list[str] = []
        if percent <= MOST_PERCENT:
            sections = _sections_cut(step, path, _not_reworded(lost_here, come))
        if percent > MOST_PERCENT or sections:
            yield _loss(path, percent, sections, is_deleted=step.new.entry(path) is None)


def _left_here(step: GuardStep, lost: Mapping[str, Lines], come: Lines) -> dict[str, Lines]:
    """Return the lost lines of each file that no changed file has, and that were not reworded in their own."""
    left: dict[str, Lines] = {}
    is_corrected = any(map(tiers.is_correction_file, step.paths))
    for path, gone in lost.items():
        if gone:
            noted = Lines()
            if is_corrected:
                noted = _noted(step, path)
            come_here = _gained(step.base, step.new, path) + noted
            left[path] = _not_reworded(_not_noted(_less(gone, come), noted), come_here)
    return left


def _sections_cut(step: GuardStep, path: str, gone: Lines) -> list[str]:
    """Return the headings of whole sections that the agent or nobody known cut, if ten lines below them are lost."""
    if step.intent.actor not in (HOST, UNKNOWN) or gone.total() < FEWEST_CUT:
        return []
    old = step.base.read(path) or b""
    new = step.new.read(path) or b""
    present = set(split_lines(new))
    went = said_lines(old) - said_lines(new)
    headings: list[str] = []
    number = 0
    for section in _BEFORE_HEADING.split(old)[1:]:
        lines = said_lines(section)
        heading = split_lines(section)[0]
        if lines & gone and lines <= went and heading not in present:
            headings.append(shown(heading.strip(b"# \t\r\n").decode("utf-8", "replace")))
            number += (lines & gone).total()
    if number < FEWEST_CUT:
        headings.clear()
    return headings


def _loss(path: str, percent: int, sections: Sequence[str], *, is_deleted: bool) -> Finding:
    part = f"{percent} % of its text"
    sentence = f"{told(path)} loses {part}, and no other file has it."
    if is_deleted:
        sentence = f"{told(path)} is deleted, and no other file has {part}."
    elif sections:
        named = few(sections, MOST_SECTIONS)
        sentence = f"{told(path)} loses {part} (whole sections: {named}), and no other file has it."
    way_out = "Move it instead, or say why it may go; what is committed stays in the history."
    back = f"It stays in the history: {UNDO_OF_THIS} brings it back."
    return Finding(RULE, path, sentence, way_out, way_back=back)


def _is_kept(step: GuardStep, path: str) -> bool:
    """Say whether the file is one of memory or, for the operator, of the soul; `soul_policy` guards the soul from others."""
    if tiers.is_identity(path) or tiers.is_standing(path):
        return step.intent.actor == OPERATOR and path != tiers.RITUAL
    # Corrections have their own guard, and derived files lose nothing.
    is_exempt = tiers.is_correction_file(path) or path.startswith(tiers.WRITTEN_BY_OTHERS)
    return tiers.tier_of(path) is not None and not is_exempt


def _gained(one: State, other: State, path: str) -> Lines:
    if not path.endswith(".md"):
        return Lines()
    old = one.read(path) or b""
    new = other.read(path) or b""
    if old.startswith(new):
        return Lines()
    if new.startswith(old) and old.endswith(b"\n"):
        return said_lines(new[len(old) :])
    return said_lines(new) - said_lines(old)


def _noted(step: GuardStep, path: str) -> Lines:
    """Return what lines said before a correction, kept in comments below them; empty without a correction."""
    base_lines = set(split_lines(step.base.read(path) or b""))
    noted = Lines()
    for line in split_lines(step.new.read(path) or b""):
        if is_earlier_wording(line) and line not in base_lines:
            noted[line.partition(b": ")[2].strip().removesuffix(b"-->")] += 1
    return noted


def _not_noted(gone: Lines, noted: Lines) -> Lines:
    """Return the lines of ``gone`` that no comment keeps: a comment has an entry's lines as one."""
    left = Lines(gone)
    for text, line in product(noted, gone):
        if f" {_plain(line).lstrip('-*+ ')} " in f" {_plain(text).strip()} ":
            left.pop(line, None)
    return left


def _less(lines: Lines, others: Lines) -> Lines:
    """Return ``lines - others``; `Counter` would walk all of ``others``, for each of a thousand files."""
    return Lines({line: left for line, count in lines.items() if (left := count - others[line]) > 0})


def _not_reworded(gone: Lines, come: Lines) -> Lines:
    """Return the lines of ``gone`` that are not like one of ``come``; each of these is the new wording of one line only."""
    choices = dict(enumerate(map(_plain, come)))
    if not choices or len(gone) * len(choices) > MOST_PAIRS:
        return gone
    left = Lines(gone)
    for line in gone:
        best = fuzzy.process.extractOne(_plain(line), choices, scorer=fuzzy.fuzz.ratio, score_cutoff=REWORDED)
        if best is not None:
            del choices[best[2]]
            left[line] -= 1
    return +left


def _plain(line: bytes) -> str:
    return line.decode("utf-8", "replace").lower()


def _percent(step: GuardStep, path: str, gone: Lines) -> int:
    total = _count_words(said_lines(step.base.read(path) or b""))
    if gone and total:
        return _count_words(gone) * 100 // total
    return 0


def _count_words(lines: Lines) -> int:
    from clawgit.text.comparing.similarity import words

    return sum(count * len(words(_plain(line))) for line, count in lines.items())


def _elsewhere(step: GuardStep, gone: Iterable[Lines]) -> Lines:
    """Return the ``gone`` lines that files keep, archives first."""
    gone_lines = {line for lines in gone for line in lines}
    counted_lines = Lines()
    others = sorted(step.others(), key=lambda path: (not path.startswith(_ARCHIVES), path))
    for path in [*filter(methodcaller("endswith", ".md"), step.paths), *others[:MOST_FILES]]:
        here = said_lines(step.new.read(path) or b"")
        if path in step.paths:
            here &= said_lines(step.base.read(path) or b"")
        counted_lines.update({line: count for line, count in here.items() if line in gone_lines})
    return counted_lines
