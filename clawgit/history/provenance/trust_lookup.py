"""Looks up the author and trust of a line, now or at a commit, the corrections in force, and notes shown beside a line."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property, lru_cache, partial
from itertools import chain
from operator import attrgetter, methodcaller
from typing import TYPE_CHECKING, TypeVar

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import HOST, UNKNOWN, authorship, by_person
from clawgit.history.git.objects import REVERTS
from clawgit.history.git.trees import Tree, correction_files, entry_files
from clawgit.history.provenance.correction_files import Present, corrected_by, is_held, why_not_held
from clawgit.history.provenance.fold_store import FoldStore, forget_fold, open_fold, read_only_fold
from clawgit.memory.conflict_log import Outcome, as_logged, conflict_ids, conflict_pieces
from clawgit.memory.corrections.corrected_entries import MARK, as_held, correction_pieces
from clawgit.memory.corrections.correction_log import LEDGER, MAY_LINK, Correction, Status, read_corrections
from clawgit.memory.entries.entries import line_name, read_entries
from clawgit.memory.entries.statements import parted, sentences_of
from clawgit.memory.entries.tiers import CONFLICTS, MAY_HOLD, day_in
from clawgit.memory.provenance.pieces import (
    CORRECTION,
    ENTRY,
    FORMS,
    Origin,
    Seen,
    Text,
    plain_words,
    storable,
)
from clawgit.memory.trust import OPERATOR, TRUSTS, UNDERSTOOD, WHOSE
from clawgit.plan import MESSAGE
from clawgit.text.comparing.similarity import words
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import without_conflict_markers
from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from datetime import date

    from clawgit.history.git.repository import History
    from clawgit.memory.conflict_log import Contradiction, Party


Answer = TypeVar("Answer")

REWRITTEN = "somebody else rewrote it in CONFLICTS.md"
_LOWEST_FIRST = (UNKNOWN, *TRUSTS)


def renew_fold(history: History, store: FoldStore) -> None:
    """Read what is new into the store, or into memory if the store cannot be written."""
    present = authorship(history)
    if store.is_up_to(present):
        return
    from clawgit.history.provenance.fold_update import fold_what_came

    try:
        fold_what_came(history, store, present)
    except sqlite3.OperationalError:  # a full disk, or read-only
        store.go_on_in_memory()
        fold_what_came(history, store, present)


@contextmanager
def renewed_fold(history: History) -> Iterator[FoldStore]:
    with open_fold(history.state) as store:
        renew_fold(history, store)
        yield store


@contextmanager
def present_fold(history: History) -> Iterator[FoldStore]:
    """Open the fold to read the present; if git cannot read the history, as it was last read."""
    with read_only_fold(history.state) as store:
        if store is not None and store.is_up_to(authorship(history)):
            yield store
            return
    with open_fold(history.state) as store:
        try:
            renew_fold(history, store)
        except ClawgitError as error:
            from clawgit.history.git.git_program import GitProgramError

            if not isinstance(error, GitProgramError):  # git missing or slow: no damage
                history.objects.unread = error.message
            store.go_on_in_memory()  # a reader beside it, maybe in this process, need not wait
        store.read_on()
        yield store


@contextmanager
def open_trusts(history: History) -> Iterator[TrustLookup]:
    with ExitStack() as stack:
        yield TrustLookup(history, stack)


class TrustLookup:
    """Answers questions about texts from the fold. Uncommitted text and unknown authors are `unknown`."""

    def __init__(self, history: History, stack: ExitStack) -> None:
        self._history, self._stack = history, stack
        self._store: FoldStore | None = None
        self._origins: dict[str, Origin | None] = {}
        self._held: dict[tuple[str, str, str], bool] = {}
        self.takers: dict[str, str] = {}  # by message, who took its quotes back, if it was another person
        self.present = Present(history)

    def of_lines(self, data: bytes, first: int, last: int) -> str:
        """Return the lowest trust of the lines ``first`` to ``last`` (from 1) of a text."""
        return self.lowest(keys_of_lines(data, first, last))

    def of_line(self, words: str, entry_id: str) -> str:
        """Return the trust of a line that is in no file any more; with an id, it may be one of an entry's lines."""
        line = storable(words)
        forms = [form + line for form in FORMS]
        self.look_up(forms)
        keys = list(filter(self._origins.get, forms))
        if not keys and entry_id:
            rows = self.ask(lambda store: store.seen(entry_id.removeprefix("m:")))
            keys = [ENTRY + row.words for row in rows if row.kind == "words" and line in row.words]
        return self.lowest(keys)

    def quotes_taken_back(self, quoted: str) -> set[str]:
        """Return the quotes with these words that support nothing, since all that rested on them was taken back.

        A message whose words left a line because of a later one has an empty quote: all of it is meant.
        """
        if quoted in self._messages_withdrawn:
            return {""}
        gone: set[str] = set()
        standing: set[str] = set()
        resting: dict[str, list[str]] = {"words": [], "correction": []}
        for entry_id, kind, cited in self._cited:
            if quoted in cited:
                resting[kind].append(entry_id)
        for entry_id in dict.fromkeys(resting["words"] or resting["correction"]):
            rows = self.ask(methodcaller("course_of", entry_id))
            for at, row in enumerate(rows):
                if row.kind == "left":
                    continue
                own = [item.partition(" ")[2].strip('"') for item in row.said.split("\n") if quoted in item]
                ending = _ending(row, rows[at + 1 :])
                is_gone = ending and REVERTS in self._history.objects.commit(ending).message
                (gone if is_gone else standing).update(own)
                if is_gone:
                    self.takers[quoted] = by_person(self._history, ending)
        return gone - standing

    @cached_property
    def _messages_withdrawn(self) -> set[str]:
        """Return the messages (`chat:…`) on which only links without words rest: a later message took these from their lines."""
        withdrawn: set[str] = set()
        others: set[str] = set()
        for piece, each in self.present.corrections:
            is_without_words = each.status is Status.WITHDRAWN and not each.trigger
            if is_without_words and self.holds(MARK + each.correction_id, piece.words):
                withdrawn.update(each.evidence)
            else:
                others.update(each.evidence)
        return withdrawn - others

    @cached_property
    def _cited(self) -> list[tuple[str, str, str]]:
        """Return the evidence of entries and corrections, empty if nothing was taken back."""
        cited: list[tuple[str, str, str]] = []
        if self.ask(methodcaller("verdicts")):
            cited = self.ask(methodcaller("cited"))
        return cited

    def of_correction(self, words: str) -> str:
        return self.lowest([CORRECTION + words])

    def holds(self, name: str, words: str, *, planned_by: str = "") -> bool:
        """Say whether a correction (`x:…`) so worded rests on the operator's word; of a conflict (`k:…`), that no host wrote it."""
        key = (name, words, planned_by)
        if key not in self._held:
            question = partial(is_held, self.present, name=name, words=words, planned_by=planned_by)
            self._held[key] = self.ask(question)
        return self._held[key]

    def why_not_held(self, name: str) -> str:
        return self.ask(partial(why_not_held, self.present, name=name))

    def corrections(self, tree: Tree) -> dict[str, Correction]:
        """Return id → correction of a state, of whatever status, for those that the fold holds (`holds`)."""
        result: dict[str, Correction] = {}
        for path in correction_files(tree):
            for piece, each in correction_pieces(tree.read(path) or b"", path).items():
                if each.correction_id not in result and self.holds(MARK + each.correction_id, piece.words):
                    result[each.correction_id] = as_held(each, self.of_correction(piece.words))
        return result

    def conflicts(self, data: bytes) -> list[Contradiction]:
        """Return the conflicts of a CONFLICTS.md that the detector or the operator worded."""
        conflicts: dict[str, Contradiction] = {}
        for piece, each in conflict_pieces(data).items():
            if each.conflict_id not in conflicts and self.holds(piece.entry_id or "", piece.words):
                conflicts[each.conflict_id] = each
        return list(conflicts.values())

    def taken_away(self, statement: str) -> str:
        """Return the words that the operator took away from a line, one message a line: of withdrawn links and corrections."""
        triggers = []
        for piece, each in self.present.corrections:
            is_of_line = each.status is Status.WITHDRAWN and each.said in _in_ledger(statement)
            if is_of_line and self.holds(MARK + each.correction_id, piece.words):
                triggers.append(each.trigger)
        return "\n".join(triggers)

    def is_of_another_line(self, words: str, statement: str) -> bool:
        """Say whether the operator's words correct, or stand beside, another line than this one."""
        for piece, each in self.present.corrections:
            if words in each.trigger and each.status is not Status.WITHDRAWN and each.said:
                is_other = each.said not in _in_ledger(statement)
                if is_other and self.holds(MARK + each.correction_id, piece.words):
                    return True
        return False

    def known_conflicts(self, data: bytes) -> list[Contradiction]:
        """Return the same, and rewritten ones as they were logged; each of these is open again."""
        if MAY_HOLD not in data:
            return []
        conflicts = self.conflicts(data)
        present_ids = set(map(attrgetter("conflict_id"), conflicts))
        for name in conflict_ids(data):
            logged = None if name in present_ids else self._as_logged(name)
            if logged is not None:
                conflicts.append(logged._replace(rule=REWRITTEN, outcome=Outcome.OPEN, reason=""))
        return conflicts

    def waiting(self, tree: Tree) -> list[Contradiction]:
        """Return the conflicts that wait for the operator, if both entries read as they did."""
        conflicts = with_both_sides(self.known_conflicts(tree.read(CONFLICTS) or b""), tree)
        return [each for each in conflicts if each.outcome is Outcome.OPEN]

    def _as_logged(self, conflict_id: str) -> Contradiction | None:
        name = f"k:{conflict_id}"
        for row in reversed(self.ask(lambda store: store.seen(name))):
            if self.holds(name, row.words):
                data = self._history.tree_of(row.commit_id).read(CONFLICTS) or b""
                by_words = {piece.words: each for piece, each in conflict_pieces(data).items()}
                return by_words.get(row.words)
        return None

    def lowest(self, keys: Collection[str]) -> str:
        self.look_up(keys)
        trusts = []
        for key in keys:
            origin = self._origins[key]
            is_known = origin is not None and origin.actor != UNKNOWN and origin.trust in TRUSTS
            trusts.append(origin.trust if origin is not None and is_known else UNKNOWN)
        return min(trusts, key=_LOWEST_FIRST.index, default=UNKNOWN)

    def since(self, keys: Collection[str]) -> str:
        """Return when the latest of these pieces came, empty if unknown."""
        self.look_up(keys)
        return max((origin.at for key in keys if (origin := self._origins[key]) is not None), default="")

    def origin(self, key: str) -> Origin | None:
        self.look_up([key])
        return self._origins[key]

    def look_up(self, keys: Iterable[str]) -> None:
        """Look up several pieces at once, so that later questions about them need no query."""
        new = [key for key in keys if key not in self._origins]  # nearly always none
        if new:
            new = list(dict.fromkeys(new))
            origins = self.ask(lambda store: store.origins(new))
            self._origins.update((key, origins.get(key)) for key in new)

    def ask(self, question: Callable[[FoldStore], Answer]) -> Answer:
        """Return an answer of the fold; a damaged fold is rebuilt."""
        try:
            return question(self._opened())
        except sqlite3.DatabaseError:
            self._stack.close()
            self._store = None
            with suppress(OSError):
                forget_fold(self._history.state)
            return question(self._opened())

    def _opened(self) -> FoldStore:
        if self._store is None:
            self._store = self._stack.enter_context(present_fold(self._history))
        return self._store


@lru_cache(maxsize=256)
def _in_ledger(statement: str) -> tuple[str, str]:
    """Return a line as corrections have it; a search shows a row without its outer bars."""
    from clawgit.memory.corrections.write_correction import shortened

    return shortened(statement), shortened(f"| {statement} |")


def keys_of_lines(data: bytes, first: int, last: int) -> frozenset[str]:
    return _text_of(data).keys_between(first, last)


@lru_cache(maxsize=256)  # the lines of a search are in few files
def _text_of(data: bytes) -> Text:
    return Text(without_conflict_markers(data))


def corrections_held(history: History, tree: Tree) -> dict[str, Correction]:
    """Return id → correction of a state that the fold holds, of whatever status: what agents go by."""
    with open_trusts(history) as trusts:
        return trusts.corrections(tree)


def undecided(history: History) -> Iterator[tuple[str, str, list[Correction]]]:
    """Yield an entry's id, its statement, and the corrections in force that it does not say since a merge that decided nothing."""
    tree = history.tip().tree
    rivals: dict[tuple[str, str], dict[str, Correction]] = {}
    for each in read_corrections(tree.read(LEDGER) or b""):
        for name in each.corrects:
            rivals.setdefault((name, each.said), {})[each.correct] = each
    if max(map(len, rivals.values()), default=0) < 2:
        return
    with open_trusts(history) as trusts:
        in_force = trusts.corrections(tree)
        for (name, _), several in rivals.items():
            line = trusts.present.words.get(name, "")
            count = 0
            left: list[Correction] = []
            for each in several.values():
                if in_force.get(each.correction_id) == each:
                    count += 1
                    if plain_words(each.correct) not in plain_words(line):
                        left.append(each)
            if len(left) < count:
                left = [each for each in left if trusts.ask(partial(trusts.present.left_out, each, name))]
            if line and left and count > 1:
                yield name, parted(line).statement, left


def conflicts_known(history: History, tree: Tree) -> list[Contradiction]:
    """Return a state's conflicts as the detector or the operator worded them, then those that others rewrote: they wait again."""
    with open_trusts(history) as trusts:
        return trusts.known_conflicts(tree.read(CONFLICTS) or b"")


def waiting(history: History, tree: Tree) -> list[Contradiction]:
    with open_trusts(history) as trusts:
        return trusts.waiting(tree)


def with_both_sides(conflicts: Iterable[Contradiction], tree: Tree) -> list[Contradiction]:
    """Return conflicts without open ones of which an entry is gone or reworded."""
    decided, undecided = [], []
    for each in conflicts:
        if each.outcome is Outcome.OPEN:
            undecided.append(each)
        else:
            decided.append(each)
    if not undecided:
        return decided
    there = set()
    for path in entry_files(tree):
        for entry in read_entries(tree.read(path) or b""):
            if entry.entry_id:
                there.add((entry.entry_id, as_logged(parted(entry.text).statement)))
    for each in undecided:
        if {(side.entry_id, side.statement) for side in (each.a, each.b)} <= there:
            decided.append(each)
    return decided


MOST_QUOTED = 200  # characters
LONGEST_NAME = 40  # of who said it: git lets anybody be called anything
_DAY = lazy_pattern(r"\d{4}-\d{2}-\d{2}")


@contextmanager
def open_beside(history: History, on: date) -> Iterator[EvidenceBeside]:
    with open_trusts(history) as trusts:
        yield EvidenceBeside(history, trusts, history.tip().tree.read(LEDGER) or b"", on)


class EvidenceBeside:
    """Notes shown beside the lines of a state with this ``ledger``, on a day."""

    def __init__(self, history: History, trusts: TrustLookup, ledger: bytes, on: date) -> None:
        self._history, self._trusts, self._ledger, self._on = history, trusts, ledger, on

    def look_up(self, texts: Iterable[str]) -> None:
        """Look up at once the lines that are not the operator's own words, so that later questions need no query."""
        self._trusts.look_up(ENTRY + storable(folded(text)) for text in texts)

    def of_line(self, text: str, entry: str, trust: str) -> str:
        """Return the note behind a line (with its entry's id, if any), empty for none."""
        statement, notes = folded(text), []
        if trust != OPERATOR:
            notes.append(self._reading_note(statement, entry.removeprefix("m:"), trust))
        links: Sequence[Correction] = ()
        if self._links:
            links = self._links_of(statement, entry)
        if self._links and not links and entry and trust not in (OPERATOR, UNDERSTOOD):
            links = self._links_before(entry)
        notes += map(self._link_note, sorted(links, key=attrgetter("at"), reverse=True))
        return "; ".join(filter(None, notes))

    def of_correction(self, correction: Correction) -> str:
        """Return the note behind a correction: the message of a mere reading, and the operator's later words."""
        notes = []
        if correction.status is Status.UNDERSTOOD:
            notes.append(self._read(correction.at, correction.trigger, correction.said, correction.correct))
        for entry_id in correction.corrects:
            notes += map(self._link_note, self._links_of(folded(correction.correct), entry_id))
        return "; ".join(dict.fromkeys(notes))

    def _link_note(self, link: Correction) -> str:
        from clawgit.understanding.evidence.orders_to_forget import to_forget

        order = " to forget this" if to_forget(link.trigger) else ""
        who = self._maker(link)[:LONGEST_NAME] or "the operator"
        return said_note(link.trigger, link.at, self._on, order, who)

    def _maker(self, correction: Correction) -> str:
        name = MARK + correction.correction_id
        return self._trusts.ask(lambda store: corrected_by(self._history, store, name))

    def _reading_note(self, statement: str, entry_id: str, trust: str) -> str:
        reading = self._reading_of(storable(statement), entry_id)
        if reading is None:
            return ""
        quotes = []
        for item in reading.said.split("\n"):
            name, _, quote = item.partition(" ")
            if name.startswith(MESSAGE) and quote:
                quotes.append((name, quote.strip('"')))
        trailers = self._history.objects.commit(reading.commit_id).trailers
        is_by_host = trailers.all("Clawgit-Actor") == (HOST,)
        if trust != UNDERSTOOD and not (quotes and is_by_host):
            return ""
        if not quotes:
            return self._read(reading.at, "", reading.before, statement)
        who = by_person(self._history, reading.commit_id)
        name, quote = quotes[0]
        note = self._read(self._said_at(reading, name, statement), quote, reading.before, statement, who)
        if len(quotes) == 1 or reading.before:
            return note
        # A host's reading names the operator's second message.
        if is_by_host:
            note = f'{note}; right before: "{_quoted(quotes[1][1])}"'
        return note

    def _said_at(self, reading: Seen, name: str, statement: str) -> str:
        """Return when a message was said, by the ledger or its line: the change may be days later."""
        if reading.before:
            ledger = self._history.tree_of(reading.commit_id).read(LEDGER) or b""
            for each in read_corrections(ledger):
                if name in each.evidence:
                    return each.at
            return reading.at
        day = parted(statement).before[:10]
        if _DAY.fullmatch(day) is None:
            return reading.at
        return min(day, reading.at)

    def _read(self, at: str, quote: str, before: str, now: str, who: str = "") -> str:
        note = f"understood from the operator's message of {day_told(at, self._on)}"
        if quote:
            note = f"{who[:LONGEST_NAME] or 'the operator'}'s words, {day_told(at, self._on)}"
        old, new = parted(before).statement, parted(now).statement
        if quote and not _is_said(quote, new, old):
            note = f'{note}: "{_quoted(quote)}"'
        if not old or old == new:
            return note
        from clawgit.memory.provenance.readings import value_exchanged

        exchange = value_exchanged(old, new)
        if exchange is not None:
            old = exchange[0].text
        return f"{note}; before: {_quoted(old)}"

    def _reading_of(self, words: str, entry_id: str) -> Seen | None:
        reading = _reading_in(self._trusts, words, entry_id)
        if reading is None or reading.said:
            return reading
        # wordings in dated notes are not kept
        trailers = self._history.objects.commit(reading.commit_id).trailers
        lines = trailers.all("Clawgit-Line")
        cited = trailers.all("Clawgit-Evidence")
        own = [item for item in cited if line_name(words, item.partition(" ")[0]) in lines]
        return reading._replace(said="\n".join(own or cited))

    def _links_before(self, entry: str) -> Sequence[Correction]:
        """Return the links of an entry that another author reworded later, which ends no link."""
        from clawgit.memory.corrections.write_correction import MOST_LINKS, standing_links

        every = chain.from_iterable(self._links.values())
        links = filter(lambda each: entry.removeprefix("m:") in each.may_correct, every)
        return standing_links(links, self._links)[:MOST_LINKS]

    def _links_of(self, line_text: str, entry: str) -> Sequence[Correction]:
        from clawgit.memory.corrections.write_correction import standing_links

        statements = _in_ledger(parted(line_text).statement)
        name = entry.removeprefix("m:")
        own = [*self._links.get(statements[0], []), *self._links.get(statements[1], [])]
        own = [each for each in own if not each.may_correct or name in each.may_correct]
        return standing_links(own, statements)

    @cached_property
    def _links(self) -> dict[str, list[Correction]]:
        if MAY_LINK not in self._ledger:
            return {}
        from clawgit.understanding.corrections.ready_commands import beside_now

        corrections = correction_pieces(self._ledger, LEDGER)
        right = {each.said for each in corrections.values() if each.holds}
        links = defaultdict[str, list[Correction]](list)
        for piece, each in corrections.items():
            is_over = each.status is not Status.LINKED or (each.beside and each.said in right)
            if not is_over and self._trusts.holds(MARK + each.correction_id, piece.words):
                links[each.said].append(each)
                now = beside_now(each, corrections.values(), lambda *two: len(set(map(self._maker, two))) > 1)
                if now is not each:
                    links[now.said].append(now)
        return links


def _ending(row: Seen, later: Sequence[Seen]) -> str:
    """Return the change that reworded words, or removed them or their later wording; empty if they are present."""
    if later and later[-1].kind != "left":
        if later[-1].words == row.words:
            return ""
        return next(each.commit_id for each in later if each.words != row.words)
    ending = ""
    for each in reversed(later):
        if each.kind != "left":
            break
        ending = each.commit_id
    return ending


def _is_said(quote: str, now: str, before: str) -> bool:
    """Say whether a line repeats a quote sentence by sentence, and otherwise only what it said before."""
    says = words(now)
    for sentence in sentences_of(quote):
        if f" {' '.join(words(sentence))} " not in f" {' '.join(says)} ":
            return False
    return set(says) <= {*words(quote), *words(before)}


def _reading_in(trusts: TrustLookup, words: str, entry_id: str) -> Seen | None:
    rows = []
    if entry_id:
        seen = trusts.ask(lambda store: store.seen(entry_id))
        rows = [row for row in seen if row.kind == "words" and words in row.words]
    if rows:
        words = rows[-1].words
    origin = trusts.origin(ENTRY + words)
    is_hosts = origin is not None and origin.trust == HOST and bool(entry_id)
    if origin is None or not (is_hosts or origin.trust == UNDERSTOOD):
        return None
    if not entry_id:
        rows = [row for _, row in trusts.ask(lambda store: store.wordings("", words))]
    row = next((row for row in rows if row.commit_id == origin.commit_id), None)
    if is_hosts and not (row and row.said):
        return None
    return row or Seen(entry_id, "words", origin.commit_id, origin.at)


def dispute_note(conflict: Contradiction, side: Party) -> str:
    """Return the note on an open conflict beside one of its sides: the other side's words."""
    other = conflict.a if side is conflict.b else conflict.b
    against = ", ".join(filter(None, ("against it", other.on, WHOSE.get(other.trust))))
    return f'disputed, ask before you rely on it; {against}: "{_quoted(other.statement)}"'


def said_note(words: str, at: str, on: date, order: str = "", who: str = "the operator") -> str:
    return f'{who} said on {day_told(at, on)}{order}: "{_quoted(words)}"'


def day_told(at: str, on: date) -> str:
    day = day_in(at[:10])
    if day is None:
        return "an unknown day"
    if day.year == on.year:
        return f"{day.day} {day:%B}"
    return f"{day.day} {day:%B %Y}"


def _quoted(text: str) -> str:
    from clawgit.text.safety.secrets import redact

    words = redact(folded(text))
    if len(words) <= MOST_QUOTED:
        return words
    return f"{words[:MOST_QUOTED].rstrip()}…"
