"""The organizer: classes for new entries, near-duplicates into the archive, listings, and a MEMORY.md that stays short."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from clawgit.agents.agent import NothingFollows, Planned
from clawgit.agents.organizer.entry_classes import TASKS, plain_class
from clawgit.agents.organizer.model_order import NOT_ASKED, Ordered, has_no_end
from clawgit.agents.organizer.near_duplicates import Pairs, near_duplicates
from clawgit.agents.organizer.undone_changes import is_put_back
from clawgit.history.provenance.entries_at_tip import list_states
from clawgit.history.transaction.taken_entry_ids import entry_files
from clawgit.memory.decay.retired_entries import archive_path, take_out, with_retired
from clawgit.memory.entries.entries import EntryError, read_entries
from clawgit.memory.entries.entry_marks import marks_in
from clawgit.memory.entries.tiers import CORE, INDEX, is_export
from clawgit.memory.organizing.exports import by_class, index, is_same_listing, listing, listing_path
from clawgit.memory.organizing.long_memory import is_too_long, shortened
from clawgit.memory.provenance.fold import Seen
from clawgit.memory.trust import HOST
from clawgit.plan import Edit, Plan

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.entry_states import EntryState

NAME = "organizer"
_MOST_NAMED = 3


@dataclass(frozen=True)
class Organizer(NothingFollows):
    """The agent for the files of entries that changed since its cursor (a commit; empty: all); a model may have been asked."""

    history: History
    now: datetime
    cursor: str = ""
    ordered: Ordered = NOT_ASKED
    name: str = NAME

    @property
    def trust(self) -> str:
        """Return what its own words rest on: titles and links. What moves keeps its origin."""
        return HOST

    @cached_property
    def changed(self) -> dict[str, str]:
        """Return the files of entries that changed, each with its blob; empty for one that went."""
        tree = self.history.tip().tree
        before = _blobs(self.history.tree_of(self.cursor)) if self.cursor else {}
        now = _blobs(tree)
        gone = dict.fromkeys(before.keys() - now.keys(), "")
        return {path: blob for path, blob in now.items() if before.get(path) != blob} | gone

    @property
    def input_id(self) -> str:
        """Return what tells these files from others; empty where none changed."""
        if not self.changed:
            return ""
        said = "\0".join((self.cursor, *(f"{path} {blob}" for path, blob in sorted(self.changed.items()))))
        return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()

    def states(self) -> list[EntryState]:
        """Return the entries of the tip."""
        return list_states(self.history, self.now.date())

    def to_class(self, states: list[EntryState]) -> list[EntryState]:
        """Return the entries that have no class, nor had one: of the files that changed, or of all for a model."""
        return [state for state in states if state.entry.entry_id and not state.was_classed]

    def pairs(self, states: list[EntryState]) -> Pairs:
        """Return the near-duplicates among entries that are new or changed, and all others."""
        tree = self.history.tree_of(self.cursor) if self.cursor else None
        texts = [tree.read(path) or b"" for path in self.changed] if tree is not None else []
        before = {(entry.entry_id, entry.text) for data in texts for entry in read_entries(data)}
        return near_duplicates(states, self.changed.keys(), before)

    def plan(self, tree: Tree) -> Planned:
        """Return the tree in order."""
        states = self.states()
        classes = self._classes(states)
        pairs = self.pairs(states)
        same = [pair for pair in pairs.same if self._is_one(pair)]
        texts = self._without(tree, same)
        notes = [*self.ordered.notes, *_differing(pairs), *self._shortened(tree, texts)]
        listings = self._listings(tree, _after(states, texts, classes), notes)
        edits = tuple(Edit(path, data) for path, data in (texts | listings).items())
        trailers = tuple(("Clawgit-Class", f"m:{name} {told}") for name, told in classes.items())
        if not edits and not trailers:
            return Planned(None, tuple(notes), self.ordered.tokens)
        says = [f"m:{going.entry.entry_id} says what m:{stays.entry.entry_id} says" for going, stays in same]
        summary = (
            f"organize: {len(classes)} classed, {len(same)} merged, {len(texts)} files of memory rearranged"
        )
        plan = Plan(summary, edits, "\n".join(says), trailers=trailers, verbatim=True)
        return Planned(plan, tuple(notes), self.ordered.tokens)

    def _classes(self, states: list[EntryState]) -> dict[str, str]:
        """Return the classes to give, by id."""
        found = {}
        for state in self.to_class(states):
            name = state.entry.entry_id or ""
            plain = plain_class(state.entry.text) if state.path in self.changed else ""
            plain = "" if plain == TASKS and has_no_end(state) else plain
            told = self.ordered.classes.get(f"m:{name}") or plain
            if told:
                found[name] = told
        return found

    def _is_one(self, pair: tuple[EntryState, EntryState]) -> bool:
        names = frozenset(f"m:{state.entry.entry_id}" for state in pair)
        return self.ordered.same is None or names in self.ordered.same

    def _without(self, tree: Tree, same: list[tuple[EntryState, EntryState]]) -> dict[str, bytes]:
        """Return the files without the entries that give way, and the archive that has them."""
        texts: dict[str, bytes] = {}
        items: list[bytes] = []
        for path in dict.fromkeys(going.path for going, _ in same):
            ids = {going.entry.entry_id or "" for going, _ in same if going.path == path}
            taken = take_out(tree.read(path) or b"", ids)
            if taken.items:
                texts[path] = taken.data
                items += taken.items.values()
        if items:
            on = self.now.date()
            texts[archive_path(on)] = with_retired(
                tree.read(archive_path(on)) or b"", items, on, "said elsewhere"
            )
        return texts

    def _shortened(self, tree: Tree, texts: dict[str, bytes]) -> list[str]:
        """Put a shorter MEMORY.md and what leaves it into ``texts``; return what is to be said of that."""
        core = CORE if tree.entry(CORE) is not None else CORE.lower()
        data = texts.get(core, tree.read(core) or b"")
        if not is_too_long(data) or is_put_back(self.history, tree, core, NAME):
            return []

        def read(path: str) -> bytes | None:
            return texts.get(path, tree.read(path))

        try:
            done = shortened(data, read, frozenset(tree.names("memory")))
        except EntryError as error:
            return [f"{core} stays as long as it is: {error.message}"]
        if done.data != data:
            texts |= {core: done.data, **done.others}
        if not is_too_long(done.data):
            return []
        return [
            f"{core} still has {done.lines:,} lines: give its prose headings, and whole sections can move."
        ]

    def _listings(self, tree: Tree, states: list[EntryState], notes: list[str]) -> dict[str, bytes]:
        """Return the listings that read otherwise than before; what is somebody's own is named and left alone."""
        groups, on = by_class(states, _listed_class), self.now.date()
        wanted = {listing_path(name): listing(name, group, on) for name, group in groups.items()}
        wanted[INDEX] = index(groups, on)
        filled = {listing_path(name) for name, group in groups.items() if group} | (
            {INDEX} if states else set()
        )
        found = {}
        for path, data in wanted.items():
            name, old = _as_spelt(tree, path), tree.read(path)
            if name != path or (old is not None and not is_export(path, old)):
                notes.append(
                    f"{name} is somebody's own, so it was left alone: rename it to have a listing there."
                )
            elif old is None and path in filled and self.history.repo.path_is_ignored(path):
                notes.append(f"{path} is ignored by git, so there is no listing: take it out of .gitignore.")
            elif (old is not None or path in filled) and not is_same_listing(old or b"", data):
                found[path] = data
        return found


def _blobs(tree: Tree) -> dict[str, str]:
    return {path: entry.object_id for path in entry_files(tree) if (entry := tree.entry(path)) is not None}


def _listed_class(state: EntryState) -> str:
    """Return the class under which an entry is listed; one whose class was taken back has none."""
    return state.entry_class or ("" if state.was_classed else plain_class(state.entry.text))


def _differing(pairs: Pairs) -> Iterator[str]:
    """Say which entries look alike and differ in a fact, as far as there is room."""
    for other, one in pairs.differing[:_MOST_NAMED]:
        names = f"m:{one.entry.entry_id} and m:{other.entry.entry_id}"
        yield f"{names} look alike and differ, so both stay: the conflict-detector looks at them."
    more = len(pairs.differing) - _MOST_NAMED
    if more > 0:
        yield f"So do {more:,} more pairs."


def _after(
    states: list[EntryState], texts: Mapping[str, bytes], classes: Mapping[str, str]
) -> list[EntryState]:
    """Return the entries as they are once ``texts`` are written and ``classes`` given: those that went are left out."""
    written = {path: data for path, data in texts.items() if not path.startswith("Archive/")}
    place = {name: path for path, data in written.items() for name in marks_in(data)}
    said = {path: {entry.text for entry in read_entries(data)} for path, data in written.items()}
    found = []
    for state in states:
        name = state.entry.entry_id or ""
        told = (Seen(name, "class", "", "", classes[name]),) if name in classes else ()
        path = state.path
        if path in texts:
            path = place.get(name, "") if name else _holder(said, path, state.entry.text)
        if path:
            found.append(state._replace(path=path, seen=(*state.seen, *told)))
    return found


def _holder(said: Mapping[str, set[str]], path: str, text: str) -> str:
    """Return the file that has an entry without an id: its own, if that still has it; empty where none does."""
    return next((each for each in (path, *said) if text in said.get(each, ())), "")


def _as_spelt(tree: Tree, path: str) -> str:
    """Return a path as a file is spelt that differs from it in its letters' case only; on many disks that is one file."""
    folder, _, name = path.rpartition("/")
    found = (each for each in tree.names(folder) if each.casefold() == name.casefold())
    return f"{folder}/{min(found, key=lambda each: each != name, default=name)}"
