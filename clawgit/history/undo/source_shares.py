"""What of a change rests on one source, where the change says what each of its entries and lines rests on."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING

from clawgit.history.provenance.fold_store import open_fold
from clawgit.history.provenance.fold_update import renew_fold
from clawgit.history.transaction.taken_entry_ids import entry_files
from clawgit.memory.entries.entry_marks import is_made_from, line_name
from clawgit.memory.provenance.pieces import ENTRY
from clawgit.memory.undo.unit_steps import Part
from clawgit.workspace.layout import AGENT_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.history.undo.undo_targets import Source
    from clawgit.memory.provenance.fold import Seen


@dataclass(frozen=True, slots=True)
class Shares:
    """What of some changes rests on a source.

    ``parts``: change → what of it does, where something else does not; ``entries``: the same of the other changes, to which
    their entries alone can be taken back. ``others`` are the entries that rest on something
    else, ``again`` those that somebody else said, too; ``untouched`` are those of both that no change from the source
    touched otherwise.
    """

    parts: Mapping[str, Part] = field(default_factory=dict)
    entries: Mapping[str, Part] = field(default_factory=dict)
    others: frozenset[str] = frozenset()
    again: frozenset[str] = frozenset()
    untouched: frozenset[str] = frozenset()


WHOLE_CHANGES = Shares()


def shares_of(history: History, commits: Iterable[Commit], source: Source) -> Shares:
    """Return what of these changes rests on a source; of its own acts, all does."""
    resting = {each.commit_id: each for each in commits if not source.made(each)}
    with open_fold(history.state) as store:
        renew_fold(history, store)
        rows = store.brought_by(list(resting))
        lives = {row.entry_id: store.seen(row.entry_id) for row in rows}
        moved = {row for row in rows if _only_went(history, store, resting[row.commit_id], row)}
    shares = []
    for name, commit in resting.items():
        brought = [row for row in rows if row.commit_id == name and row not in moved]
        has_moved = any(row.commit_id == name for row in moved)
        shares.append(_Share(commit, source, brought, lives, has_moved=has_moved))
    others, again, own = (
        frozenset[str]().union(*sets)
        for sets in (
            [each.others for each in shares],
            [each.again for each in shares],
            [each.own for each in shares],
        )
    )
    parts = {each.commit.commit_id: each.part for each in shares if each.is_partial}
    whole = {each.commit.commit_id: each.part for each in shares if each.own and not each.is_partial}
    return Shares(parts, whole, others, again, (others | again) - own)


def _only_went(history: History, store: FoldStore, commit: Commit, row: Seen) -> bool:
    """Say whether the words of an entry were there before a change, which only put them somewhere else."""
    if row.before == row.words:
        return True
    origin = store.origin(ENTRY + row.words)
    if row.kind != "words" or origin is None or origin.commit_id == row.commit_id:
        return False
    tree = history.tree_of(commit.parent_ids[0]) if commit.parent_ids else None
    texts = () if tree is None else (tree.read(path) or b"" for path in entry_files(tree))
    return any(row.words.encode() in text for text in texts)


class _Share:
    """What of one change rests on a source."""

    def __init__(
        self,
        commit: Commit,
        source: Source,
        brought: Sequence[Seen],
        lives: Mapping[str, Sequence[Seen]],
        *,
        has_moved: bool,
    ) -> None:
        self.commit, self._source, self._has_moved = commit, source, has_moved
        self._lines = frozenset(commit.trailers.all("Clawgit-Line"))
        on_it = [row for row in brought if any(map(self._is_behind, row.said.split("\n")))]
        again = [row for row in on_it if self._is_said_by_others(row, lives[row.entry_id])]
        self.again = frozenset(row.entry_id for row in again)
        self.own = frozenset(row.entry_id for row in on_it) - self.again
        self.others = frozenset(row.entry_id for row in brought) - self.own - self.again

    @property
    def is_partial(self) -> bool:
        """Whether something in it does not rest on the source; an agent moves entries that it does not speak of."""
        if self.others or self.again:
            return True
        if self._has_moved and self.commit.trailers.first("Clawgit-Actor") in AGENT_NAMES:
            return True
        return bool(self._lines) and not all(map(self._is_behind, self._evidence))

    @property
    def part(self) -> Part:
        """Return what rests on the source."""
        cited = (item.partition(" ")[0] for item in self._evidence if self._is_behind(item))
        return Part(frozenset(name.removeprefix("x:") for name in self.own), frozenset(cited), self._lines)

    @property
    def _evidence(self) -> tuple[str, ...]:
        return self.commit.trailers.all("Clawgit-Evidence")

    def _is_behind(self, item: str) -> bool:
        return self._source.is_behind([item])

    def _says_whole(self, row: Seen, item: str) -> bool:
        """Say whether a message by itself gives the entry."""
        cited = item.partition(" ")[0]
        return is_made_from(row.entry_id, row.words, cited) or line_name(row.words, cited) in self._lines

    def _is_said_by_others(self, row: Seen, life: Sequence[Seen]) -> bool:
        """Say whether another message gives the entry, too, or mentioned it before it got other words."""
        others = [item for item in row.said.split("\n") if not self._is_behind(item)]
        if any(self._says_whole(row, item) for item in others):
            return True
        since = life[life.index(row) + 1 :]
        same = takewhile(lambda each: each.kind != "words" or each.words == row.words, since)
        return any(each.kind == "mention" and not self._is_behind(each.said) for each in same)
