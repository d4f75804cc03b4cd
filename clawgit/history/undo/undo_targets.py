"""Which changes somebody means who wants something undone: by commit, op, run or source, and what rests on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import OPERATOR, UNKNOWN, actor_of
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.provenance.fold_store import open_fold
from clawgit.history.provenance.fold_update import renew_fold
from clawgit.history.reading.commit_batches import read_commits
from clawgit.history.undo.introducing_change import commits_of
from clawgit.text.trailers import REVERTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History

RESTS_ON = "Clawgit-Derived-From"
SHORT = 7


class UndoError(ClawgitError):
    """There is nothing of that name to undo."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Entries that rest on something else than a source: change → those that it brought so.

    ``whole`` are those that no change from the source touched otherwise.
    """

    brought: Mapping[str, frozenset[str]] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()


NOWHERE = Elsewhere()


class Changes:
    """Every commit of the branch, children before parents, read once."""

    def __init__(self, history: History) -> None:
        self._history = history
        tip = history.tip().commit_id
        self.all = [] if tip is None else read_commits(history, tip)

    def called(self, word: str) -> list[Commit]:
        """Return the changes with that op or run, else the one commit that git takes the word for."""
        named = [commit for commit in self.all if word in commit.message and word in names_of(commit)]
        if named:
            return named
        meant = self._meant(word)
        return [commit for commit in self.all if commit.commit_id == meant]

    def of_source(self, source: str) -> list[Commit]:
        """Return the changes made by an actor, or resting on evidence from a source; merges are none."""
        wanted = _trimmed(source)
        silent = wanted in (OPERATOR, UNKNOWN)  # what a commit is by not saying who made it
        said = (commit for commit in self.all if silent or wanted in commit.message)
        return [commit for commit in said if len(commit.parent_ids) < 2 and _is_from(commit, wanted)]

    def resting_elsewhere(self, named: Iterable[Commit], source: str) -> Elsewhere:
        """Return the entries that changes from a source brought, or gave other words, on other evidence alone."""
        wanted = _trimmed(source)
        made = [each.commit_id for each in named if actor_of(each.trailers, each.author) != wanted]
        with open_fold(self._history.state) as store:
            renew_fold(self._history, store)
            rows = store.brought_by(made)
        on_it = {row for row in rows if _rests_on_source(row.said.split("\n"), wanted)}
        touched = frozenset((row.commit_id, row.entry_id) for row in on_it)
        others = {(row.commit_id, row.entry_id) for row in rows if row not in on_it} - touched
        spared = {name: frozenset(entry for commit, entry in others if commit == name) for name in made}
        return Elsewhere(spared, frozenset().union(*spared.values()) - {entry for _, entry in touched})

    def resting_on(
        self, names: Collection[str], chosen: Collection[str] = (), spared: Collection[str] = ()
    ) -> list[Commit]:
        """Return the other changes, newest first, that say that they are derived from these, or from one of those.

        An entry or a correction that a change brought names it too: that goes with it, where it is not ``spared``.
        """
        known = set(names)
        along: list[Commit] = []
        others = [commit for commit in reversed(self.all) if commit.commit_id not in chosen]
        said = {commit: _rests_on(commit) for commit in others if RESTS_ON in commit.message}
        brought = commits_of(self._history, chain.from_iterable(said.values()), self.all)
        for commit, words in said.items():
            going = (word for word in words if word in brought and word.removeprefix("m:") not in spared)
            bringers = (brought[word].commit_id for word in going)
            if any(_is_named(word, known) for word in chain(words, bringers)):
                along.append(commit)
                known |= names_of(commit)
        return along[::-1]

    def names_alone(self, commit: Commit) -> set[str]:
        """Return what names this change and no other: its run counts where that made only this change."""
        run = commit.trailers.first("Clawgit-Run")
        shared = run and sum(run in other.message and run in names_of(other) for other in self.all) > 1
        return names_of(commit) - ({run} if shared else set())

    def taking_back(self, commit: Commit) -> Commit | None:
        """Return the newest change that took a commit back, and that was not taken back itself."""
        wanted = commit.commit_id
        named = (each for each in self.all if REVERTS in each.message and wanted in each.message)
        found = (each for each in named if wanted in (each.trailers.first(REVERTS) or "").split())
        return next((each for each in found if self.taking_back(each) is None), None)

    def in_order(self, chosen: Collection[str]) -> tuple[Commit, ...]:
        """Return the commits with these ids, children before parents."""
        return tuple(commit for commit in self.all if commit.commit_id in chosen)

    def _meant(self, word: str) -> str | None:
        """Return the commit that git takes ``word`` for, such as HEAD~1 or a part of an id.

        Raises:
            UndoError: It could be several.
        """
        if not word.strip():
            return None
        short = [commit.commit_id for commit in self.all if commit.commit_id.startswith(word.lower())]
        if len(short) > 1:
            raise UndoError(
                f"{word} could be {short[0][:12]}, {short[1][:12]} or another commit.",
                hint="Write more of it.",
            )
        try:
            return str(self._history.repo.revparse_single(word).peel(pygit2.Commit).id)
        except (KeyError, ValueError, pygit2.GitError):
            return short[0] if short and len(word) >= SHORT else None


def names_of(commit: Commit) -> set[str]:
    """Return what others can name a change by: its commit, its op, its run."""
    op, run = commit.trailers.first("Clawgit-Op"), commit.trailers.first("Clawgit-Run")
    return {commit.commit_id, *(name for name in (op, run) if name)}


def _trimmed(source: str) -> str:
    return source.strip().rstrip(":/")


def _is_from(commit: Commit, source: str) -> bool:
    evidence = commit.trailers.all("Clawgit-Evidence")
    return actor_of(commit.trailers, commit.author) == source or _rests_on_source(evidence, source)


def _rests_on_source(evidence: Iterable[str], source: str) -> bool:
    cited = (item.partition(" ")[0] for item in evidence)
    return any(item == source or item.startswith((source + ":", source + "/")) for item in cited)


def _rests_on(commit: Commit) -> list[str]:
    return [item.partition(" ")[0] for item in commit.trailers.all(RESTS_ON)]


def _is_named(word: str, names: Collection[str]) -> bool:
    return word in names or (len(word) >= SHORT and any(name.startswith(word) for name in names))
