"""The questions of a day: at most three, oldest first, numbered; a shown one rests for a week.

A digest and the conversations of one day show the same questions under the same numbers.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import filterfalse, starmap
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from clawgit.pending.queue import Pending, PendingKind, View, read_kind
from clawgit.understanding.forms.numbered_answers import how_to_answer
from clawgit.workspace.records.record_tables import ShownNote
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clawgit.history.git.repository import History

MOST: Final = 3  # a day
RESTS: Final = timedelta(days=7)
FORGOTTEN: Final = timedelta(days=60)
_FIRST: Final = datetime.min.replace(tzinfo=UTC)


class DayQuestion(NamedTuple):
    """A question and its number on a day."""

    number: int
    item: Pending

    @property
    def line(self) -> str:
        return f"{self.number} {self.item.change or self.item.item_id}?"

    @property
    def shown(self) -> str:
        """Return the line for a conversation, with the words that answer it."""
        return f"{self.line} {how_to_answer(self.number)}"


def questions_of(history: History, now: datetime, *, in_talk: bool) -> list[DayQuestion]:
    """Return the questions of the day of ``now``; notes nothing.

    A conversation skips what a conversation showed within a week, a digest what either showed.
    """
    items = [item for item in read_kind(View(history, now, {}), PendingKind.QUESTION) if item.change]
    if not items:
        return []
    day = now.date()
    today: dict[int, ShownNote] = {}
    resting = set()
    for note in shown_since(history, now, day - RESTS):
        if note.day == day:
            today[note.number] = note
        if note.day > day - RESTS and (note.in_talk or not in_talk):
            resting.add(note.question)
    resting.update(map(attrgetter("question"), today.values()))
    by_id = {item.item_id: item for item in items}
    questions = []
    for number, note in today.items():
        item = by_id.get(note.question)
        if item is not None and DayQuestion(number, item).line == note.line:
            questions.append(DayQuestion(number, item))
    rested = [item for item in reversed(items) if item.item_id not in resting]
    rested.sort(key=lambda item: item.since or _FIRST)
    free = filterfalse(today.__contains__, range(1, MOST + 1))
    return sorted([*questions, *map(DayQuestion, free, rested)])


def others_of(history: History, now: datetime, items: Iterable[Pending], room: int) -> list[DayQuestion]:
    """Return what a digest of the day of ``now`` asks besides, numbered behind the questions.

    What a digest showed within a week rests; a wrong clock never does.
    """
    day = now.date()
    resting = set()
    for note in shown_since(history, now, day - RESTS):
        if day - RESTS < note.day < day:
            resting.add(note.question)
    others: list[Pending] = []
    for item in items:
        if item.kind is PendingKind.CLOCK or (item.item_id not in resting and len(others) < room):
            others.append(item)
    return list(starmap(DayQuestion, enumerate(others, MOST + 1)))


def shown_since(history: History, now: datetime, since: date) -> list[ShownNote]:
    if not (history.state / RECORDS).exists():
        return []
    with open_records(history.state / RECORDS, now) as records:
        return records.shown_questions.since(since)


def note_shown(history: History, questions: Sequence[DayQuestion], now: datetime, *, in_talk: bool) -> None:
    """Note questions as shown; call it before they are."""
    if not questions:
        return
    path, day = history.state / RECORDS, now.date()
    notes = [ShownNote(day, each.number, each.item.item_id, each.line, in_talk) for each in questions]
    with open_records(path, now, fsync=history.settings.fsync, may_get_lost=True) as records:
        records.shown_questions.note(notes, forget_before=day - FORGOTTEN)
