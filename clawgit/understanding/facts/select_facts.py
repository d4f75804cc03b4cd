"""What was found worth keeping, against what is remembered: new, a mention, or nothing. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import Tag
from clawgit.memory.entries.statements import parted
from clawgit.memory.trust import OPERATOR
from clawgit.understanding.facts.relative_days import is_beside
from clawgit.understanding.facts.same_statement import Relation, Statements, contradicts, relation
from clawgit.understanding.values.asserted_text import bare_value
from clawgit.understanding.values.contrasted_values import contrasts_in
from clawgit.understanding.values.value_positions import place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date

    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.memory.entries.entries import Entry
    from clawgit.understanding.facts.cancelled_plans import TakingBack

JUST_BEFORE = 1  # messages of the same trust


@dataclass(frozen=True, slots=True)
class Candidate:
    """A statement that may become an entry: what it rests on, its day, in which session it was said, and where in it.

    ``around`` are the sentences in which the quote stands, where it is only a part of them: a model quotes what it likes.
    """

    evidence_id: str
    quote: str
    statement: str
    tag: Tag
    on: date
    session: str
    trust: str
    place: int = 0  # among the messages that were read with it
    takes_back: TakingBack | None = None  # it says only that something does not hold any more
    around: str = ""
    at: str = ""  # when a message was sent, as the ledger writes times

    @property
    def said(self) -> str:
        """Return the whole sentences that it rests on."""
        return self.around or self.quote


@dataclass(slots=True)
class Standing:
    """An entry that is there, or will be, on behalf of ``new``."""

    statement: str
    day: str
    entry_id: str | None = None
    new: Candidate | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """That the operator said something later than a correction of his, and against it."""

    said: Candidate
    against: Correction

    @classmethod
    def of(cls, said: Candidate, against: Correction) -> Question | None:
        """Return the question, None where it is nobody's but an earlier or another's word.

        In the minute of the correction, what repeats the wrong statement was said before it.
        """
        if said.trust != OPERATOR or not said.at or said.at < against.at:
            return None
        if said.at == against.at and relation(said.statement, against.said) is Relation.SAME:
            return None
        return cls(said, against)


@dataclass(slots=True)
class Gathered:
    """What to add, which entries were said again, what is asked, and what was left out, a sentence each."""

    new: list[Standing] = field(default_factory=list)
    mentions: list[tuple[Standing, Candidate]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


def standing_of(entry: Entry) -> Standing:
    """Return an entry as it stands in a file."""
    parts = parted(entry.text)
    return Standing(parts.statement, parts.before.strip(": "), entry.entry_id)


@dataclass(frozen=True, slots=True)
class Remembering:
    """What is remembered: entries, corrections in force, and in which sessions an entry (by its id) was said."""

    entries: Sequence[Standing]
    corrections: Sequence[Correction] = ()
    sessions: Callable[[str], frozenset[str]] = lambda _: frozenset()


def gather(candidates: Iterable[Candidate], remembering: Remembering) -> Gathered:
    """Return what candidates add to what stands; what repeats it is a mention, what a correction speaks against is nothing.

    It is asked where the operator said it later than the correction. Only the operator's words are mentions, once a session.
    """
    return _Gathering(remembering).all(candidates)


@dataclass(frozen=True, slots=True)
class _Denial:
    """That a candidate, the ``number``-th, says what is not so: `the port is 9000, not 8443`."""

    number: int
    by: Candidate
    wrong: str

    def denies(self, number: int, candidate: Candidate) -> bool:
        """Say whether it takes back what was said before it, by somebody of the same trust."""
        return (
            number < self.number
            and candidate.trust == self.by.trust
            and place_of(candidate.statement, self.wrong) is not None
            and relation(candidate.statement, self.by.statement) is Relation.CONFLICT
        )


@dataclass(frozen=True, slots=True)
class _TakenBack:
    """That the ``number``-th candidate takes back what was said before it: `scrap the evening deploy`."""

    number: int
    by: Candidate
    what: TakingBack

    def denies(self, number: int, candidate: Candidate) -> bool:
        """Say whether it takes back a candidate: one that it names, or, if it names nothing, what was said just before."""
        is_other = candidate.takes_back is None and candidate.said != self.by.said
        if number >= self.number or candidate.trust != self.by.trust or not is_other:
            return False
        if self.what.about:
            return self.what.is_of(candidate.statement) or self.what.is_of(candidate.said)
        return candidate.session == self.by.session and self.by.place - candidate.place <= JUST_BEFORE


def _denials(candidates: Sequence[Candidate]) -> list[_Denial | _TakenBack]:
    contrasts = [
        _Denial(number, each, bare_value(wrong))
        for number, each in enumerate(candidates)
        for wrong, _ in contrasts_in(each.said)
    ]
    taken_back = [
        _TakenBack(number, each, each.takes_back)
        for number, each in enumerate(candidates)
        if each.takes_back is not None
    ]
    return [*contrasts, *taken_back]


class _Gathering:
    def __init__(self, remembering: Remembering) -> None:
        self._standing, self._remembering = list(remembering.entries), remembering
        self._statements = Statements(each.statement for each in remembering.entries)
        self._said_in: dict[int, set[str]] = {}  # by the number of an entry
        self._gathered = Gathered()

    def all(self, candidates: Iterable[Candidate]) -> Gathered:
        listed = list(candidates)
        denials = _denials(listed)
        for number, candidate in enumerate(listed):
            if any(denial.denies(number, candidate) for denial in denials):
                self._gathered.left_out.append(f"It was set right in the same talk: {candidate.statement}")
            elif candidate.takes_back is None:
                self._take(candidate)
            else:
                self._take_back(candidate, candidate.takes_back)
        return self._gathered

    def _take(self, candidate: Candidate) -> None:
        against = self._against(candidate)
        if against is not None:
            question = Question.of(candidate, against)
            self._gathered.questions += [] if question is None else [question]
            self._gathered.left_out.append(
                f"x:{against.correction_id} speaks against it: {candidate.statement}"
            )
            return
        found = self._statements.like(candidate.statement, by_overlap=candidate.tag is not Tag.SKILL)
        same = (number for number, how in found if how is Relation.SAME)
        number = next((each for each in same if _is_of_its_day(self._standing[each], candidate)), None)
        if number is not None:
            self._mention(number, candidate)
            return
        other = next((self._standing[each] for each, how in found if how is Relation.CONFLICT), None)
        if other is not None and candidate.tag is not Tag.EVENT:
            name = f"m:{other.entry_id}" if other.entry_id else other.statement.rstrip(".")
            self._gathered.conflicts.append(f"“{candidate.statement}” differs from {name}; both stand.")
        self._add(candidate)

    def _take_back(self, candidate: Candidate, what: TakingBack) -> None:
        """Let it stand beside the last entry that it takes back: nothing else tells a reader that the plan is off."""
        before = (each for each in reversed(self._standing) if each.new is None and each.entry_id)
        taken = next((each for each in before if what.is_of(each.statement)), None)
        if taken is None:
            return
        self._gathered.conflicts.append(f"“{candidate.statement}” takes m:{taken.entry_id} back; both stand.")
        if all(each.new is None or each.new.said != candidate.said for each in self._standing):
            self._add(candidate)

    def _against(self, candidate: Candidate) -> Correction | None:
        return next(
            (
                each
                for each in self._remembering.corrections
                if contradicts(candidate.statement, each.said, each.correct)
            ),
            None,
        )

    def _mention(self, number: int, candidate: Candidate) -> None:
        same = self._standing[number]
        if candidate.trust != OPERATOR or (same.entry_id is None and same.new is None):
            return
        if number not in self._said_in:
            self._said_in[number] = set(self._remembering.sessions(same.entry_id or ""))
        if candidate.session not in self._said_in[number]:
            self._said_in[number].add(candidate.session)
            self._gathered.mentions.append((same, candidate))

    def _add(self, candidate: Candidate) -> None:
        added = Standing(candidate.statement, candidate.on.isoformat(), None, candidate)
        self._standing.append(added)
        self._said_in[self._statements.add(added.statement)] = {candidate.session}
        self._gathered.new.append(added)


def _is_of_its_day(each: Standing, candidate: Candidate) -> bool:
    """Say whether both may be of one thing: what happened on another day happened again, and `next Friday` is another one."""
    holds_always = candidate.tag is not Tag.EVENT and not is_beside(candidate.statement)
    return holds_always or each.day in ("", candidate.on.isoformat())
