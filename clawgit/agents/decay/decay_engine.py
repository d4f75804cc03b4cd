"""The decay engine: entries whose time is over leave memory for the archive, and may leave a lesson behind."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from clawgit.agents.agent import NothingFollows, Planned
from clawgit.agents.decay.model_farewell import Farewell
from clawgit.history.authorship.commit_messages import MAX_QUOTE
from clawgit.history.transaction.taken_entry_ids import ids_beside
from clawgit.memory.decay.retired_entries import archive_path, take_out, with_retired
from clawgit.memory.entries.entries import EntryError, Tag, entry_line
from clawgit.memory.entries.own_section import add_remembered
from clawgit.memory.entries.tiers import LESSONS
from clawgit.memory.provenance.fold import lowest
from clawgit.memory.provenance.stamps import stamp
from clawgit.memory.trust import HOST
from clawgit.plan import Edit, Evidence, Plan
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from datetime import date

    from clawgit.history.git.trees import Tree
    from clawgit.memory.entry_states import EntryState

NAME = "decay-engine"
NOTHING_SAID = Farewell()


@dataclass(frozen=True)
class DecayEngine(NothingFollows):
    """The agent for the entries whose time is over on a day; a model may have said what remains of them."""

    over: tuple[EntryState, ...]
    on: date
    farewell: Farewell = NOTHING_SAID
    name: str = NAME

    @property
    def trust(self) -> str:
        """Return what the new words rest on: lessons on the lowest of what they sum up, never on the operator."""
        told = {name for _, names in self.farewell.lessons for name in names}
        return lowest([HOST, *(state.trust for state in self.over if f"m:{state.entry.entry_id}" in told)])

    @property
    def input_id(self) -> str:
        """Return what tells these entries, each with the day on which its time was over, from others."""
        if not self.over:
            return ""
        each = sorted(f"{state.entry.entry_id} {state.expires}" for state in self.over)
        return sha256("\0".join(each).encode()).hexdigest()

    def plan(self, tree: Tree) -> Planned:
        """Return the files without these entries, the archive that has them, and the lessons that remain."""
        alive = {name for name, _, _ in self.farewell.alive}
        leaving = [state for state in self.over if f"m:{state.entry.entry_id}" not in alive]
        edits, gone = self._moved(tree, leaving)
        lessons, notes = self._lessons(tree, gone)
        left_out = (*self.farewell.notes, *notes, *_staying(leaving, gone))
        trailers = tuple(
            ("Clawgit-Mention", f'{name} {message} "{redact(quote)[:MAX_QUOTE]}"')
            for name, message, quote in self.farewell.alive
        )
        if not edits and not trailers:
            return Planned(None, left_out, self.farewell.tokens)
        count = "an entry" if len(gone) == 1 else f"{len(gone)} entries"
        summary = f"decay: {count} whose time was over" if gone else f"decay: {len(alive)} go on"
        reason = f"Their class gave them so long since they were last said: {_named(gone)}." if gone else ""
        told = dict.fromkeys(name for _, names in self.farewell.lessons for name in names)
        evidence = tuple(Evidence(name) for name in told if lessons)
        plan = Plan(summary, (*edits, *lessons), reason, evidence, trailers)
        return Planned(plan, left_out, self.farewell.tokens)

    def _moved(self, tree: Tree, leaving: list[EntryState]) -> tuple[tuple[Edit, ...], list[str]]:
        """Return the edits that move entries into the archive, and the ids of those that moved."""
        path = archive_path(self.on)
        edits: list[Edit] = []
        items: list[tuple[str, bytes]] = []  # one id may be in two files
        for name in dict.fromkeys(state.path for state in leaving):
            data = tree.read(name) or b""
            wanted = {state.entry.entry_id or "" for state in leaving if state.path == name}
            taken = take_out(data, wanted)
            items += taken.items.items()
            edits += [Edit(name, taken.data)] if taken.items else []
        if not items:
            return (), []
        texts = [item for _, item in items]
        archive = with_retired(tree.read(path) or b"", texts, self.on, "their time was over")
        return (*edits, Edit(path, archive)), list(dict.fromkeys(entry_id for entry_id, _ in items))

    def _lessons(self, tree: Tree, gone: list[str]) -> tuple[list[Edit], list[str]]:
        """Return the edit that adds what remains of entries that left, and why some of it could not be added."""
        old = tree.read(LESSONS) or b""
        data, left_out = old, list[str]()
        own: dict[str, str] = {}
        for lesson, names in self.farewell.lessons:
            if not {name.removeprefix("m:") for name in names} <= set(gone):
                continue
            try:
                line = entry_line(lesson, on=self.on, tag=Tag.SKILL)
                data = add_remembered(data, line)
            except EntryError as error:
                left_out.append(f"{error.message} It was: {lesson}")
            else:
                own[line] = names[0]
        if data == old:
            return [], left_out
        first = next(iter(own.values()))
        return [Edit(LESSONS, stamp(old, data, first, own=own, taken=ids_beside(tree, LESSONS)))], left_out


def _named(entry_ids: list[str]) -> str:
    return ", ".join(f"m:{entry_id}" for entry_id in entry_ids)


def _staying(leaving: list[EntryState], gone: list[str]) -> list[str]:
    stays = [state for state in leaving if state.entry.entry_id not in gone]
    return [
        f"m:{state.entry.entry_id} stays in {state.path}: something below it belongs to it."
        for state in stays
    ]
