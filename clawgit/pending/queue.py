"""The queue of all that needs the operator's decision, read from git and the records.

A new kind takes a member of PendingKind, a reader in READERS, and a yes and a no in answers.py.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from enum import Enum
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import in_words, with_person
from clawgit.history.git.refs import PROPOSALS, QUARANTINE, REJECTED
from clawgit.memory.entries.statements import parted, without_comments
from clawgit.memory.entries.tiers import AGENTS_FILES, CONFLICTS, MAY_HOLD, time_in
from clawgit.memory.trust import EXTERNAL, HOST, UNDERSTOOD
from clawgit.plan import Evidence
from clawgit.text.comparing.similarity import words
from clawgit.text.safety.control_characters import folded
from clawgit.workspace.settings.setting_types import OFF, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from clawgit.history.decisions import PendingEdit, ProposedPiece
    from clawgit.history.git.repository import History
    from clawgit.history.review.arrivals import Arrival
    from clawgit.memory.conflict_log import Contradiction
    from clawgit.memory.corrections.correction_log import Correction

SHOWN: Final = 3  # items in status and digest: a phone's screen
HIS_WORD: Final = "It counts as your own word."  # the yes to an agent's line


class PendingKind(Enum):
    """The kinds of items, in the order of the list."""

    LOSS = "loss"
    CLOCK = "clock"
    SETTING = "setting"
    DRIFT = "drift"
    CONFLICT = "conflict"
    QUESTION = "question"
    PROPOSAL = "proposal"
    ADDITION = "addition"
    QUARANTINE = "quarantine"
    REARRANGEMENT = "rearrangement"
    READING = "reading"


MARKS: Final = {
    "l-": PendingKind.LOSS,
    "p-": PendingKind.PROPOSAL,
    "u-": PendingKind.ADDITION,
    "q-": PendingKind.QUARANTINE,
    "x:": PendingKind.QUESTION,
    "k:": PendingKind.CONFLICT,
    "m:": PendingKind.READING,
    "t-": PendingKind.REARRANGEMENT,
}


class Pending(NamedTuple):
    """One item: the question in a line, why it is asked, and what a yes and a no do."""

    item_id: str
    kind: PendingKind
    text: str
    yes: str
    no: str
    commands: tuple[str, ...]  # that answer it, the yes first
    why: str = ""
    actor: str = ""
    person: str = ""  # another one, whose agent the actor is
    since: datetime | None = None
    lapses: date | None = None
    diff: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    entries: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    pieces: tuple[ProposedPiece, ...] = ()
    commit_id: str = ""
    problem: str = ""  # why a yes is not possible now
    wording: tuple[object, ...] = ()  # items with the same one are shown as one
    also: tuple[str, ...] = ()  # the ids of the others with this wording
    change: str = ""  # in a few words; empty where yes or no cannot answer it
    is_link: bool = False  # the operator's words beside an entry, not a question
    rivals: tuple[Correction, ...] = ()  # of one line, left out by a merge; a yes takes the last

    @property
    def line(self) -> str:
        more = f"Asked {len(self.also) + 1} times." * bool(self.also)
        diff = list(map(without_comments, self.diff[:SHOWN]))
        if len(self.diff) > SHOWN:
            diff.append(f"… ({len(self.diff)} lines)")
        if len(self.diff) == 1 and f'"{_statement_in(self.diff[0])}"' in self.text:
            diff = []
        return folded(" ".join(filter(None, (self.text, *diff, self.why, self.problem, more))))

    @property
    def takes_a_yes(self) -> bool:
        """Say whether a bare yes answers it: no problem, no words needed."""
        return not self.problem and self.commands[0] == f"clawgit approve {self.item_id}"


class ApproveRequest(NamedTuple):
    """The items and all ``like`` one; other words or some pieces of a single one; guards to override, and the signing key."""

    names: Sequence[str] = ()
    words: str = ""
    like: str = ""
    only: tuple[int, ...] = ()
    entry: str | None = None
    override: tuple[str, ...] = ()
    reason: str = ""
    key: str | None = None


class View(NamedTuple):
    """The input of the queue; ``held`` are values of settings not yet in force."""

    history: History
    now: datetime
    held: Mapping[str, Value]


def read_pending(history: History, now: datetime, held_settings: Mapping[str, Value]) -> list[Pending]:
    """Return all pending items; items with the same wording are one, with the evidence of all."""
    view = View(history, now, held_settings)
    return [item for kind in PendingKind for item in read_kind(view, kind)]


def find_pending(view: View, item_id: str) -> Pending:
    """Return one item, also a decided one: the operator may change a decision."""
    kind = kind_of(item_id)
    for item in read_kind(view, kind):
        if item_id == item.item_id or item_id in item.also:
            return item
    decided = _decided(view, kind, item_id)
    if decided is None:
        sentence = f"Nothing pending is called {item_id}."
        raise ClawgitError(sentence, hint="`clawgit pending` lists what is pending.")
    return decided


def _decided(view: View, kind: PendingKind, item_id: str) -> Pending | None:
    if kind is PendingKind.PROPOSAL and view.history.target(REJECTED + item_id) is not None:
        from clawgit.history.decisions import find_proposed

        return _proposal(view, find_proposed(view.history, item_id))
    if kind is PendingKind.REARRANGEMENT:
        decided = _rearrangements(view, decided_too=True)
        return next((item for item in decided if item.item_id == item_id), None)
    if kind is PendingKind.CONFLICT:
        from clawgit.agents.contradictions import find_conflict

        return _conflict(view, find_conflict(view.history, item_id))
    item = None
    if kind in (PendingKind.QUESTION, PendingKind.READING):
        item = _reading(view, item_id)
    if item is None and kind is PendingKind.QUESTION:
        from clawgit.history.provenance.correction_files import standing_corrections
        from clawgit.memory.corrections.correction_log import Status

        correction = standing_corrections(view.history.tip().tree).get(item_id.removeprefix("x:"))
        if correction is not None and correction.status is Status.WITHDRAWN:
            sentence = f"{item_id} is withdrawn and asks nothing; it is in {correction.path}."
            hint = "`clawgit undo` of the change that withdrew it brings it back."
            raise ClawgitError(sentence, hint=hint)
        item = correction and question_of(view, correction)
    return item


def kind_of(item_id: str) -> PendingKind:
    """Return the kind of an id; a setting has its name as id."""
    if item_id in (PendingKind.CLOCK.value, PendingKind.DRIFT.value):
        return PendingKind(item_id)
    return MARKS.get(item_id[:2], PendingKind.SETTING)


def read_kind(view: View, kind: PendingKind) -> list[Pending]:
    items: list[Pending] = []
    for item in READERS[kind](view):
        for at, other in enumerate(items):
            if item.wording and other.wording == item.wording:
                evidence = tuple(dict.fromkeys((*other.evidence, *item.evidence)))
                lapses = max(other.lapses, item.lapses) if other.lapses and item.lapses else None
                items[at] = other._replace(evidence=evidence, lapses=lapses, also=(*other.also, item.item_id))
                break
        else:
            items.append(item)
    return items


def _commands(item_id: str, *more: str) -> tuple[str, ...]:
    return f"clawgit approve {item_id}", f"clawgit reject {item_id}", *more


def _clock(view: View) -> Iterator[Pending]:
    from clawgit.workspace.clock_looks import noted_jump

    if jump := noted_jump(view.history.state, view.now):
        text = f"Is the clock right? {jump}"
        yes = "Jobs that move, merge or archive notes run again."
        no = "Nothing changes; set the clock."
        yield Pending("clock", PendingKind.CLOCK, text, yes, no, ("clawgit approve clock",))


def _settings(view: View) -> Iterator[Pending]:
    for key in sorted(view.held):
        yield Pending(
            key,
            PendingKind.SETTING,
            f"Shall {key} become {_shown(view.held[key])} as CONFIG.md says?",
            "The new value is in force, until it changes.",
            f"CONFIG.md gets back {_shown(getattr(view.history.settings, key))}.",
            _commands(key),
            why=f"In force is {_shown(getattr(view.history.settings, key))}.",
            files=("CONFIG.md",),
        )


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "nothing"
    return str(value) or "nothing"


def _drift(view: View) -> Iterator[Pending]:
    if not view.history.settings.drift_alarm:
        return
    from clawgit.history.states import drift_alarm

    if alarm := drift_alarm(view.history):
        text = f"Shall SOUL.md as it is become the new baseline? {alarm}"
        yes = "A snapshot is made; drift is measured from it."
        no = "Nothing changes; `clawgit undo` takes single changes back."
        ways = ("clawgit approve drift", "clawgit soul drift")
        yield Pending("drift", PendingKind.DRIFT, text, yes, no, ways, files=("SOUL.md",))


def _conflicts(view: View) -> Iterator[Pending]:
    tree = view.history.tip().tree
    if MAY_HOLD in (tree.read(CONFLICTS) or b""):
        from clawgit.history.provenance.trust_lookup import waiting

        yield from map(partial(_conflict, view), waiting(view.history, tree))


def _conflict(view: View, conflict: Contradiction) -> Pending:
    item_id = f"k:{conflict.conflict_id}"
    from clawgit.history.provenance.statement_changes import whose_entry

    evidence = []
    for name, side in (("A", conflict.a), ("B", conflict.b)):
        says = f"{name}, {side.on}, {whose_entry(view.history, side.entry_id)}"
        evidence.append(Evidence(f"m:{side.entry_id}", says))
    why = f"They differ in {conflict.differs}." if conflict.differs else ""
    return Pending(
        item_id,
        PendingKind.CONFLICT,
        f'Which one holds, A "{conflict.a.statement}" or B "{conflict.b.statement}"?',
        "The entry that you name holds; the other one is marked, and comes after it in every search.",
        "Both hold: they do not contradict each other.",
        (f"clawgit approve {item_id} A|B|both",),
        why=why,
        since=time_in(conflict.at, view.now.tzinfo or UTC),
        evidence=tuple(evidence),
        entries=(f"m:{conflict.a.entry_id}", f"m:{conflict.b.entry_id}"),
        files=("CONFLICTS.md",),
    )


def open_questions(history: History) -> list[Correction]:
    """Return the open corrections, newest first, except those that a correction answered since."""
    tree = history.tip().tree
    ledger = tree.read("CORRECTIONS.md") or b""
    if b"x:" not in ledger:  # no correction has an id
        return []
    from clawgit.memory.corrections.correction_log import Status, read_corrections

    corrections = [each for each in read_corrections(ledger) if each.status is Status.OPEN]
    if any(each.proposed for each in corrections):
        from clawgit.agents.door.linkable import linked_statements
        from clawgit.history.provenance.correction_files import standing_corrections

        standing = {each.said for each in standing_corrections(tree).values() if each.holds}
        answered = standing - linked_statements(tree, corrections)
        corrections = [each for each in corrections if not each.proposed or each.said not in answered]
    return sorted(corrections, key=lambda each: each.at)[::-1]


def question_of(view: View, correction: Correction) -> Pending:
    from clawgit.agents.door.linkable import link_now
    from clawgit.history.guards.conservation import LAPSES
    from clawgit.history.provenance.statement_changes import who_made
    from clawgit.memory.corrections.correction_log import Status
    from clawgit.memory.corrections.write_correction import change_in_short, is_askable
    from clawgit.understanding.corrections.ready_commands import line_proposed, link_commands

    item_id, is_link = f"x:{correction.correction_id}", correction.status is Status.LINKED
    correction, is_over = link_now(view.history, correction)
    entries = tuple(map("m:{}".format, correction.may_correct))
    about = " ".join((*entries, *((f'"{correction.said}"',) if correction.said else ())))
    if correction.beside:
        about += f" in {correction.beside}"
    yes, change = "What you write is right from now on.", ""
    if (line := line_proposed(correction)) and not is_over:
        text, yes = f'Shall {about} become "{line}"?', "The entry says so from now on."
        commands: tuple[str, ...] = _commands(item_id)
        if correction.proposed and is_askable(correction.said, correction.proposed, correction.trigger):
            change = change_in_short(correction.said, correction.proposed)
    elif is_link:
        text = f"Something was said beside {about}. The line is as it was; both are shown until you decide."
        if is_over:
            text = f"Something was said beside {about}, and that line is gone."
        commands = link_commands(item_id, correction.said, correction.trigger, correction.turn)
    else:
        text = f"What is right{' of ' * bool(about)}{about}?"
        if is_over:
            text += f' The line is gone or has changed since; proposed was "{correction.proposed}".'
        commands = (f'clawgit approve {item_id} "WHAT IS RIGHT"', f"clawgit reject {item_id}")
    person = who_made(view.history, item_id, "")
    why = f"{with_person('Your agent', person)} says so, and named no message of yours."
    if correction.evidence:
        why = "No words of yours say so."
    if correction.trigger:
        why = f"{person or 'You'} wrote: {correction.trigger}"
    since = time_in(correction.at, view.now.tzinfo or UTC)
    return Pending(
        item_id,
        PendingKind.QUESTION,
        text,
        yes,
        "Memory stays as it is.",
        commands,
        why=why,
        actor="" if correction.evidence else HOST,
        person=person,
        since=since,
        lapses=None if is_link or since is None else (since + LAPSES).date(),
        evidence=tuple(Evidence(name, correction.trigger) for name in correction.evidence),
        entries=entries,
        files=(correction.path,),
        wording=(correction.may_correct, tuple(words(correction.said)), tuple(words(correction.proposed)))
        * bool(about),
        change=change,
        is_link=is_link,
    )


def _questions(view: View) -> Iterator[Pending]:
    yield from map(partial(question_of, view), open_questions(view.history))
    from clawgit.history.provenance.statement_changes import quoted_correction
    from clawgit.history.provenance.trust_lookup import undecided

    for name, line, several in undecided(view.history):
        texts = " and to ".join(map(partial(quoted_correction, view.history), several))
        last = several[-1]
        item = question_of(view, last._replace(may_correct=(name,), said=line, proposed=last.correct))
        why = f"It was corrected to {texts}; after a merge the line does not say so."
        no = "The line stays as it is, and is not asked about again."
        ways = (*item.commands, f'clawgit approve {item.item_id} "WHAT IS RIGHT"')
        yield item._replace(why=why, no=no, commands=ways, lapses=None, actor="", rivals=tuple(several))


def _remembered_by_agent(view: View) -> Iterator[Pending]:
    """Yield what a host remembered without a message of the operator's: not the operator's word until decided or lapsed."""
    tree = view.history.tip().tree
    if not any(b"<!-- m:" in (tree.read(path) or b"") for path in AGENTS_FILES):
        return
    from clawgit.history.guards.conservation import LAPSES
    from clawgit.history.provenance.entries_at_tip import states_below
    from clawgit.history.provenance.set_back import said_against

    today = view.now.date()
    states, statements = [], []
    for state in states_below(view.history, AGENTS_FILES, today):
        is_asked = state.source == HOST and state.trust in (HOST, EXTERNAL)
        if is_asked and state.entry.entry_id and today - state.since < LAPSES:
            states.append(state)
            statements.append(parted(state.entry.text).statement)
    against = said_against(view.history, statements)
    asked_first = sorted(zip(states, statements, strict=True), key=lambda pair: pair[1] not in against)
    for state, statement in asked_first:
        why, yes = f"{with_person('Your agent', state.person)} remembered it, in its own words.", HIS_WORD
        if state.trust == EXTERNAL:
            why = f"{with_person('Your agent', state.person)} remembered it while it read what others wrote: it may be their word."
        parts = (item.partition(" ") for item in state.evidence)
        cited = [Evidence(name, quote.strip('"')) for name, _, quote in parts]
        decision = against.get(statement)
        if decision is not None:
            why += f" {decision.told('But you', today)}"
            if decision.name:
                way = f"until `clawgit undo {decision.name}`"
                yes += f" But {decision.name} stays in force, and is shown in its place, {way}."
        yield Pending(
            state.mark,
            PendingKind.READING,
            f'Is this so? "{folded(state.entry.text)}"',
            yes,
            "It is taken out.",
            _commands(state.mark),
            why=why,
            actor=HOST,
            person=state.person,
            since=datetime.combine(state.since, datetime.min.time(), view.now.tzinfo),
            lapses=state.since + LAPSES,
            evidence=tuple(cited),
            entries=(state.mark,),
            files=(state.path,),
        )


def _reading(view: View, item_id: str) -> Pending | None:
    from clawgit.agents.door.correction_plans import reading_called
    from clawgit.history.provenance.entries_at_tip import list_states
    from clawgit.history.provenance.trust_lookup import open_beside

    entries, reading = reading_called(view.history, view.history.tip().tree, item_id)
    states = list_states(view.history, view.now.date())
    states = [state for state in states if state.entry.entry_id in entries]
    if reading is None and not any(state.trust == UNDERSTOOD for state in states):
        return None
    with open_beside(view.history, view.now.date()) as evidence:
        notes = [evidence.of_line(each.entry.text, each.mark, each.trust) for each in states]
    says = ""
    if states:
        says = states[0].entry.text
    elif reading is not None:
        says = reading.correct
    return Pending(
        item_id,
        PendingKind.READING,
        f'Is this what you said? "{folded(says)}"',
        HIS_WORD,
        "The change is taken back.",
        _commands(item_id),
        why="; ".join(filter(None, notes)),
        entries=tuple(map(attrgetter("mark"), states)),
    )


def _proposals(view: View) -> Iterator[Pending]:
    if view.history.refs(PROPOSALS):
        from clawgit.history.decisions import pending_edits

        yield from map(partial(_proposal, view), pending_edits(view.history))


def _proposal(view: View, edit: PendingEdit) -> Pending:
    from clawgit.history.guards.conservation import LAPSES

    proposal = edit.proposal
    since = proposal.at.astimezone(view.now.tzinfo or UTC)
    paths = ", ".join(proposal.paths)
    diff = tuple(line for each in edit.pieces for line in each.piece.lines)
    commands, problem = _commands(proposal.parked_id), ""
    text = f"Shall {paths} change as proposed by {in_words(proposal.actor)}?{edit.loss * (len(diff) > SHOWN)}"
    if proposal.is_of_memory and len(diff) == 1 and diff[0].startswith("+ - "):
        text = f'Remember "{_statement_in(diff[0])}"?'
    if edit.is_open:
        problem = "It is in the folder and not committed."
        commands = ("clawgit keep --as operator", commands[1])
    elif edit.is_stale:
        problem = f"Later changes touch the same lines: `git show {proposal.commit_id[:12]}` has its text."
        commands = commands[1:]
    return Pending(
        proposal.parked_id,
        PendingKind.PROPOSAL,
        text,
        f"It becomes a change of your own ({edit.tokens:+} tokens).",
        "The same edit is not proposed again.",
        commands,
        why=edit.reason,
        actor=proposal.actor,
        since=since,
        lapses=(since + LAPSES).date() if edit.may_lapse else None,
        diff=diff,
        evidence=edit.evidence,
        files=proposal.paths,
        pieces=edit.pieces,
        commit_id=proposal.commit_id,
        problem=problem,
        wording=(proposal.paths, *map(tuple, map(words, diff))) if diff and not problem else (),
    )


def _statement_in(line: str) -> str:
    return parted(line[len("+ - ") :]).statement


def _additions(view: View) -> Iterator[Pending]:
    from clawgit.history.review.unreviewed import unreviewed_commits, unreviewed_id

    if not unreviewed_commits(view.history):
        return
    from clawgit.history.decisions import list_unreviewed

    for change, added in list_unreviewed(view.history):
        item_id = unreviewed_id(change.commit_id)
        yield Pending(
            item_id,
            PendingKind.ADDITION,
            f"May this stay in the soul? It was added by {with_person(in_words(change.actor), change.committed_by)}, and you have not seen it:",
            "It stays; nothing in the files changes.",
            "It is taken back.",
            _commands(item_id),
            why="" if added else change.subject,
            actor=change.actor,
            since=datetime.fromisoformat(change.at),
            diff=tuple(map("+ {}".format, added)),
            commit_id=change.commit_id,
        )


def _quarantine(view: View) -> Iterator[Pending]:
    if not view.history.refs(QUARANTINE):
        return
    from clawgit.history.guards.check import to_override
    from clawgit.history.guards.quarantine import list_quarantine

    for refused in list_quarantine(view.history):
        yes, no = _commands(refused.parked_id)
        yield Pending(
            refused.parked_id,
            PendingKind.QUARANTINE,
            f"Shall the change be made that a guard refused: {refused.summary}?",
            "It is made on top of later changes; the guards look at it again.",
            "It is deleted for good.",
            (f"{yes}{to_override(refused.rules)}", no),
            why=" ".join(refused.findings),
            actor=refused.actor,
            since=refused.at.astimezone(view.now.tzinfo or UTC),
            files=refused.paths,
            commit_id=refused.commit_id,
        )


def _losses(view: View) -> Iterator[Pending]:
    """Yield what edits dropped: text that was cut off, and entries that their author had not read."""
    from clawgit.history.review.arrivals import read_arrivals

    arrivals_by_commit: dict[str, list[Arrival]] = {}
    for arrival in filter(attrgetter("is_loss"), read_arrivals(view.history).open):
        arrivals_by_commit.setdefault(arrival.commit_id, []).append(arrival)
    for commit_id, arrivals in arrivals_by_commit.items():
        says = " ".join(map(attrgetter("sentence"), arrivals))
        item_id = f"l-{commit_id[:12]}"
        text = f"{says} Is that right?"
        yes = "It stays so, and is not told again."
        undo = f"clawgit undo {commit_id[:12]}"
        no = f"`{undo}` takes the whole edit back; a no keeps it, and brings only what is lost back."
        files = tuple(map(attrgetter("path"), arrivals))
        item = Pending(item_id, PendingKind.LOSS, text, yes, no, _commands(item_id, undo))
        yield item._replace(actor=arrivals[0].actor, files=files, commit_id=commit_id)


def _rearrangements(view: View, *, decided_too: bool = False) -> Iterator[Pending]:
    from clawgit.history.authorship.commit_messages import FIRST_MOVES_FILE

    if not decided_too and not (view.history.state / FIRST_MOVES_FILE).exists():
        return
    from clawgit.agents.first_rearrangement import COMPACTOR, ORGANIZER, asked_first

    settings = view.history.settings
    crons = {ORGANIZER: settings.cron_organizer, COMPACTOR: settings.cron_compactor_weekly}
    for preview in asked_first(view.history):
        if not decided_too and (preview.is_decided or crons[preview.agent] == OFF):
            continue
        agent, item_id = preview.agent, f"t-{preview.agent}"
        yield Pending(
            item_id,
            PendingKind.REARRANGEMENT,
            preview.text,
            "It does so when it is next due, with what there is to move by then, and from then on without a question; each run can be undone.",
            f"Nothing moves, no file is made, and it is not asked again; `clawgit approve {item_id}` allows it later.",
            _commands(item_id, f"clawgit run {agent} --dry-run"),
            why=preview.why,
            actor=agent,
            since=preview.since,
        )


READERS: Final[dict[PendingKind, Callable[[View], Iterator[Pending]]]] = {
    PendingKind.LOSS: _losses,
    PendingKind.CLOCK: _clock,
    PendingKind.SETTING: _settings,
    PendingKind.DRIFT: _drift,
    PendingKind.CONFLICT: _conflicts,
    PendingKind.QUESTION: _questions,
    PendingKind.PROPOSAL: _proposals,
    PendingKind.ADDITION: _additions,
    PendingKind.QUARANTINE: _quarantine,
    PendingKind.REARRANGEMENT: _rearrangements,
    PendingKind.READING: _remembered_by_agent,  # a reading with the operator's words beside it needs no answer
}
