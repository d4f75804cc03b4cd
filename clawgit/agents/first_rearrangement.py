"""An agent's moves wait for the operator's yes (a commit): the first time in an adopted folder, and after an undone move."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime
from enum import Enum
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from clawgit.history.authorship.commit_messages import FIRST_MOVES_FILE, is_of_op
from clawgit.history.authorship.intent import ADOPTION_OP, FIRST_MOVES_OP, INIT_OP, Intent
from clawgit.history.provenance.trust_lookup import present_fold
from clawgit.history.reading.rearranged import Rearranged, compare_states, read_rearranged
from clawgit.memory.entries.tiers import is_export
from clawgit.plan import Plan
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import counted, few
from clawgit.text.trailers import REVERTS
from clawgit.workspace.safe_files import write_private

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.agents.run_agent import Agent, Rehearsed
    from clawgit.history.apply_plan import Recorded
    from clawgit.history.git.repository import History
    from clawgit.history.reading.rearranged import Reader

ORGANIZER: Final = "organizer"
COMPACTOR: Final = "memory-compactor"
MOVERS: Final = (ORGANIZER, COMPACTOR)
_MOST_NAMED: Final = 3
_WITHDRAWN: Final = "-withdrawn"  # ends the op of a no after a yes


class Word(Enum):
    """The operator's last answer to an agent's moves."""

    NOTHING = "nothing"
    YES = "yes"
    NO = "no"
    TAKEN_BACK = "taken back"


class RearrangementPreview(NamedTuple):
    """The moves of an agent when they were last counted, a sentence per place, since when they wait, and the operator's last answer."""

    agent: str
    moves: tuple[str, ...]
    since: datetime | None
    is_rejected: bool = False
    word: Word = Word.NOTHING
    counted: datetime | None = None

    @property
    def is_decided(self) -> bool:
        return self.is_rejected or self.word in (Word.YES, Word.NO) or self.since is None

    @property
    def text(self) -> str:
        if self.word is Word.YES:
            return f"You said that the {self.agent} may tidy this folder."
        if self.word is Word.TAKEN_BACK:
            return f"You took back what the {self.agent} moved. May it tidy this folder again?"
        if self.word is Word.NO:
            return f"You said that the {self.agent} may not tidy this folder any more. May it?"
        return f"May the {self.agent} tidy this folder for the first time?"

    @property
    def why(self) -> str:
        if not self.moves or self.counted is None or self.word is Word.YES:
            return ""
        return f"On {self.counted:%Y-%m-%d} it would have been: {'; '.join(self.moves)}."


def needs_yes(history: History, agent: str) -> bool:
    """Say whether an agent's moves need a yes: adopted folder, or a move undone, without a yes since."""
    if agent not in MOVERS:
        return False
    word = last_word(history, agent)
    if word is not Word.NOTHING:
        return word is not Word.YES
    for commit in history.objects.first_parents(history.tip().commit_id):
        op = commit.trailers.first("Clawgit-Op") or ""
        if op.startswith(ADOPTION_OP):
            return True
        if op.startswith(INIT_OP):
            return bool(commit.parent_ids)
    return True


def last_word(history: History, agent: str) -> Word:
    """Return the operator's last answer, or undo of a move that was not undone itself."""
    yes = FIRST_MOVES_OP + agent
    undone: set[str] = set()
    with present_fold(history) as store:
        names = store.verdicts()
    for commit in map(history.objects.commit, names):
        if is_of_op(history, commit, yes):
            return Word.YES
        if is_of_op(history, commit, yes + _WITHDRAWN):
            return Word.NO
        reverted = (commit.trailers.first(REVERTS) or "").split()
        if reverted and commit.commit_id not in undone:
            undone.update(reverted)
            for name in reverted:
                if _moved(history, name, agent):
                    return Word.TAKEN_BACK
    return Word.NOTHING


def _moved(history: History, name: str, agent: str) -> bool:
    """Say whether the agent's commit moved lines or files anywhere other than to the entry archive, or merged lines."""
    if ":" in name or not history.objects.has_commit(name):
        return False
    commit = history.objects.commit(name)
    if commit.trailers.first("Clawgit-Actor") != agent:
        return False
    rearranged = read_rearranged(*history.around(commit))
    return not all(map(attrgetter("is_dropped"), rearranged))


def would_move(history: History, rehearsed: list[Rehearsed]) -> list[Rearranged]:
    """Return what rehearsed plans would move, merge and remove, each largest first."""
    from clawgit.history.transaction.working_tree import draft_of

    tree = history.tip().tree
    moves: list[Rearranged] = []
    for each in rehearsed:
        plan = each.planned.plan or Plan("")
        draft = draft_of(tree, plan.edits)
        moves += compare_states(tree, draft.changed(tree), draft.read)
    return moves


def listings_in(paths: Iterable[str], read: Reader) -> str:
    """Return a phrase with the listings among the files and their line counts; empty without any."""
    names = []
    lines = 0
    for path in paths:
        data = read(path)
        if data is not None and is_export(path, data):
            names.append(path)
            lines += len(split_lines(data))
    if not names:
        return ""
    return f"a new index of memory ({counted(lines, 'line')}): {few(sorted(names), _MOST_NAMED)}"


def note_first(history: History, agent: str, now: datetime) -> tuple[str, ...]:
    """Work out an agent's first moves, note them as waiting, and return them in sentences; without any, what waits stays as it was."""
    from clawgit.agents.compactor import MemoryCompactor
    from clawgit.agents.organizer import Organizer
    from clawgit.agents.run_agent import Means

    kinds: dict[str, type[Agent]] = {ORGANIZER: Organizer, COMPACTOR: MemoryCompactor}
    rehearsed = kinds[agent].rehearse_round(history, now, Means(only_moves=True))
    moves = tuple(each.sentence for each in would_move(history, rehearsed))
    written: dict[str, bytes | None] = {}
    for each in rehearsed:
        for edit in (each.planned.plan or Plan("")).edits:
            written[edit.path] = edit.data
    listed = listings_in(written, written.get)
    if moves and listed:
        moves += (listed,)
    if moves:
        waiting = _noted(history)
        before = waiting.get(agent, RearrangementPreview(agent, (), now))
        waiting[agent] = before._replace(moves=moves, counted=now)
        _write(history, waiting)
    return moves


def asked_first(history: History) -> Iterator[RearrangementPreview]:
    """Yield what waits, and what was answered: the operator may change the answer."""
    noted = _noted(history)
    for agent in MOVERS:
        word = last_word(history, agent)
        if agent in noted or word is not Word.NOTHING:
            yield noted.get(agent, RearrangementPreview(agent, (), None))._replace(word=word)


def allow_first(history: History, agent: str, intent: Intent) -> Recorded:
    """Record the operator's yes: the agent moves without asking from now on."""
    from clawgit.history.apply_plan import apply_plan

    trailers = (("Clawgit-Proposal", f"t-{agent}"),)
    plan = Plan(f"approve: the {agent} may move lines and notes of this folder", trailers=trailers)
    recorded = apply_plan(history, lambda _: plan, intent._replace(op=FIRST_MOVES_OP + agent, given=False))
    waiting = _noted(history)
    if waiting.pop(agent, None) is not None:
        _write(history, waiting)
    return recorded


def refuse_first(history: History, agent: str, intent: Intent) -> Recorded | None:
    """Note the operator's no, as a commit after an earlier yes: nothing moves, no further question."""
    from clawgit.history.apply_plan import apply_plan

    if last_word(history, agent) in (Word.YES, Word.TAKEN_BACK):
        trailers = (("Clawgit-Proposal", f"t-{agent}"),)
        plan = Plan(f"reject: the {agent} may move no more lines and notes of this folder", trailers=trailers)
        op = FIRST_MOVES_OP + agent + _WITHDRAWN
        return apply_plan(history, lambda _: plan, intent._replace(op=op, given=False))
    waiting = _noted(history)
    if agent in waiting:
        waiting[agent] = waiting[agent]._replace(is_rejected=True)
        _write(history, waiting)
    return None


def _noted(history: History) -> dict[str, RearrangementPreview]:
    waiting: dict[str, RearrangementPreview] = {}
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        for agent, row in json.loads((history.state / FIRST_MOVES_FILE).read_bytes()).items():
            since = datetime.fromisoformat(row["since"])
            counted_at = datetime.fromisoformat(row.get("counted", row["since"]))
            moves = tuple(map(str, row["moves"]))
            waiting[agent] = RearrangementPreview(
                agent, moves, since, bool(row["rejected"]), counted=counted_at
            )
    return waiting


def _write(history: History, waiting: dict[str, RearrangementPreview]) -> None:
    rows = {}
    for agent, each in waiting.items():
        if each.since is None or each.counted is None:
            continue
        row = {"since": each.since.isoformat(), "counted": each.counted.isoformat()}
        rows[agent] = {**row, "moves": each.moves, "rejected": each.is_rejected}
    write_private(history.state / FIRST_MOVES_FILE, json.dumps(rows))
