"""The decay engine: archives entries whose class has run out; a model may leave a lesson in their place."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import starmap
from operator import attrgetter
from typing import TYPE_CHECKING, Self

from clawgit.agents.door.correction_plans import Lessons
from clawgit.agents.mined_material import cited_as, readable_text
from clawgit.agents.models.model import (
    TEXT,
    Material,
    added_value,
    one_line_values,
    one_list,
    one_of,
    refused,
)
from clawgit.agents.run_agent import Agent, Agents, Means, Planned, answer_to, digest_of
from clawgit.capture.messages.message import ChatMessage, MessageQuery, is_his
from clawgit.capture.messages.open_messages import has_messages, open_messages
from clawgit.history.git.trees import Tree, entry_files
from clawgit.history.provenance.entries_at_tip import lifetimes_of, states_below
from clawgit.history.provenance.trust_lookup import present_fold
from clawgit.memory.entries.entries import EntryError, marks_in
from clawgit.memory.entries.statements import parted
from clawgit.memory.entry_states import EntryState, is_over, is_the_operators, retire
from clawgit.memory.trust import HOST, lowest
from clawgit.plan import MAX_QUOTE, Edit, Evidence, Plan
from clawgit.recall.questions.question_dates import find_days
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.understanding.facts.keepable_sentences import is_forbidden

if TYPE_CHECKING:
    from clawgit.agents.models.model import Asker
    from clawgit.history.git.repository import History
    from clawgit.workspace.records.records import Records

NAME = "decay-engine"
SOON = timedelta(days=14)  # after a message, when a weekday named in it has passed
AT_ONCE = 40  # entries in one question
MOST_READ, MOST_MESSAGES = 2000, 60
LEAST_SHARED = 2  # terms of a message that may be about an entry
LESSON, ALIVE = "LESSON", "ALIVE"
_SCHEMA = one_list(
    "entries",
    AT_ONCE,
    {"id": TEXT, "do": one_of("OVER", LESSON, ALIVE), "lesson": TEXT, "message": TEXT, "quote": TEXT},
    *("lesson", "message", "quote"),
)
_TASK = """\
The material is entries of memory whose time has run out (from "memory"), and what the operator said since that may be about
them. For each entry: "do" is OVER, the usual case; LESSON, where one or two sentences ("lesson") would help the next time; or ALIVE,
where a message says that it goes on: "message" is its id, and "quote" its words that say so, letter by letter. Entries that
belong together get the same lesson, word for word. Each part is checked by itself:
- A lesson says less than its entries: every number, date and name of it stands in them, and it is no longer than they are.
- A quote stands in the message that it names. An entry that is not answered is over."""


@dataclass(frozen=True)
class DecayEngine(Agent):
    """The agent for the entries that are ``over``; ``lessons`` and ``alive`` are a model's, checked."""

    history: History
    now: datetime
    over: tuple[EntryState, ...]
    lessons: tuple[tuple[str, tuple[str, ...]], ...] = ()  # a text, and the entries that it summarises
    alive: tuple[tuple[str, str, str], ...] = ()  # entry, message, quote
    name = NAME
    asks = True

    @classmethod
    def read(cls, history: History, records: Records, now: datetime, means: Means) -> Agents:
        with present_fold(history) as store:
            ids = store.classed([name for name, days in lifetimes_of(history.settings).items() if days])
        tree = history.tip().tree
        paths = []
        if ids:
            paths = [path for path in entry_files(tree) if ids & marks_in(tree.read(path) or b"")]
        states = states_below(history, paths, now.date(), only=ids) if paths else []
        yield cls(history, now, tuple(state for state in states if _is_over(state, now.date())))

    @property
    def trust(self) -> str:
        named = {name for _, names in self.lessons for name in names}
        return lowest([HOST, *(state.trust for state in self.over if state.mark in named)])

    @property
    def input_id(self) -> str:
        return digest_of(*sorted(f"{state.entry.entry_id} {state.expires}" for state in self.over))

    def ask(self, asker: Asker) -> Self:
        entries = {state.mark: state for state in self.over[:AT_ONCE]}
        heard = {cited_as(each): each for each in self._messages()}
        materials = [Material(name, "memory", state.entry.text) for name, state in entries.items()]
        for name, each in heard.items():
            on = each.sent_at.date().isoformat()
            materials.append(Material(name, "User, the operator", readable_text(each), on))
        lessons: dict[str, list[str]] = defaultdict(list)
        alive, notes = [], []
        for row in answer_to(asker, self.history, NAME, _TASK, materials, _SCHEMA)["entries"]:
            answer = one_line_values(row, "lesson", "message", "quote")
            name, quote, message = answer["id"], answer["quote"], heard.get(answer["message"])
            if name not in entries:
                notes.append(refused(f"it names the entry {name[:40]!r}, which it was not given."))
            elif answer["do"] == LESSON:
                lessons[answer["lesson"]].append(name)
            elif answer["do"] == ALIVE and message and quote and quote in folded(message.text):
                alive.append((name, answer["message"], quote))
            elif answer["do"] == ALIVE:
                notes.append(refused(f"no message says that {name} goes on."))
        fit = []
        for lesson, names in lessons.items():
            why_not = _unfit(lesson, " ".join(entries[name].entry.text for name in names))
            if why_not:
                notes.append(refused(f"{lesson!r}: {why_not}"))
            else:
                fit.append((lesson, tuple(names)))
        return replace(self, lessons=tuple(fit), alive=tuple(alive), notes=tuple(notes), tokens=asker.spent)

    def _messages(self) -> list[ChatMessage]:
        if not has_messages(self.history):
            return []
        day = min(map(attrgetter("words_since"), self.over))
        since = datetime(day.year, day.month, day.day, tzinfo=self.now.tzinfo or UTC)
        with open_messages(self.history, self.now) as store:
            messages = store.log(MessageQuery(role="user", since=since, limit=MOST_READ))
        topics = [subject(parted(state.entry.text).statement) for state in self.over[:AT_ONCE]]
        near = []
        for each in filter(is_his, messages):
            about = subject(each.text)
            if any(len(terms & about) >= min(LEAST_SHARED, len(terms)) > 0 for terms in topics):
                near.append(each)
        return near[-MOST_MESSAGES:]

    def plan(self, tree: Tree) -> Planned:
        alive = {name for name, *_ in self.alive}
        leaving = [state for state in self.over if state.mark not in alive]
        places = [(state.path, state.entry.entry_id or "") for state in leaving]
        texts, gone = retire(tree.read, places, self.now.date(), "their time was over")
        file = Lessons(tree)
        notes = list(self.notes)
        for lesson, names in self.lessons:
            if set(names).issubset(map("m:{}".format, gone)):
                try:
                    file.add(lesson, self.now.date(), names[0])
                except EntryError as error:
                    notes.append(f"{error.message} It was: {lesson}")
        lessons = file.edits()
        for state in leaving:
            if state.entry.entry_id not in gone:
                notes.append(f"{state.mark} stays in {state.path}: something below it belongs to it.")
        trailers = []
        for name, message, quote in self.alive:
            trailers.append(("Clawgit-Mention", f'{name} {message} "{redact(quote)[:MAX_QUOTE]}"'))
        if not texts and not trailers:
            return Planned(None, tuple(notes))
        summary = f"decay: {len(alive)} go on"
        reason = ""
        if gone:
            count = "an entry" if len(gone) == 1 else f"{len(gone)} entries"
            summary = f"decay: {count} whose time was over"
            named = ", ".join(map("m:{}".format, gone))
            reason = f"Their class gave them so long since they were last said: {named}."
        evidence_ids = dict.fromkeys(name for _, names in self.lessons for name in names) if lessons else ()
        edits = (*starmap(Edit, texts.items()), *lessons)
        plan = Plan(summary, edits, reason, tuple(map(Evidence, evidence_ids)), tuple(trailers))
        return Planned(plan, tuple(notes))


def _is_over(state: EntryState, on: date) -> bool:
    if is_the_operators(state) or state.is_wanted or not is_over(state, on):
        return False
    until = open_until(parted(state.entry.text).statement, state.words_since)
    return until is not None and is_over(state, on, open_until=until)


def open_until(statement: str, said_on: date) -> date | None:
    """Return the last day that a sentence names, or else ``said_on``; None for an unreadable date."""
    last = said_on
    days_named = [each for each in values_in(statement) if each.kind in (ValueKind.DATE, ValueKind.WEEKDAY)]
    for text in (statement, *(each.text for each in days_named)):
        days = find_days(text, said_on).days
        if days is None and text is statement:
            continue
        if days is None:
            return None
        end = days.last
        if end < said_on and days.any_year:
            end = date(end.year + 1, end.month, min(end.day, 28 if end.month == 2 else 31))
        elif end < said_on and said_on - end <= SOON / 2:
            end = said_on + SOON
        last = max(last, end)
    return last


def _unfit(lesson: str, entry_text: str) -> str:
    if not lesson or len(lesson) > len(entry_text):
        return "it is empty, or longer than what it sums up."
    if is_forbidden(lesson) or "<!--" in lesson or "-->" in lesson:
        return "it speaks of instructions, of the agent's own files or of secrets."
    added = added_value(lesson, entry_text)
    if added:
        return f"{added!r} is in none of its entries."
    return ""
