"""Lines that left memory: found by their words, with the time and author of their removal.

The history is read for each search: about two seconds for 10,000 commits, half of them git's.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from itertools import chain
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.refs import PAST, remembered_tips
from clawgit.history.reading.git_log import ChangedLine, LoggedChange, read_lines, read_named
from clawgit.memory.entries.entries import mark_of
from clawgit.memory.entries.tiers import date_of, is_correction_file, is_listing
from clawgit.recall.index.index_tables import text_hash
from clawgit.recall.index.line_units import heading_terms, own_day, said_in, traits_of
from clawgit.recall.index.places import POOL, RETIRED, IndexedLine, Place, Retirement, SearchLimits, rarity
from clawgit.recall.index.searched_files import MEMORY, is_searched, tier_found
from clawgit.text.words.terms import stored_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clawgit.history.git.repository import History
    from clawgit.recall.index.search_index import Index


PATHS = ("MEMORY.md", "memory.md", "memory", "Archive")
LATEST = ("--full-history", "--date-order", "--no-merges", "--ignore-missing")  # the latest commits first


class Story(NamedTuple):
    """The first commit that had a text or an entry, the last one that added or removed it, and its line there."""

    came: str
    commit_id: str
    line: ChangedLine

    @property
    def is_gone(self) -> bool:
        """Say whether that commit removed it; if not, and no file has it, a merge or the folder lost it."""
        return not self.line.is_added


class _RetiredLine(NamedTuple):
    story: Story
    terms: str
    place: Place


class Retired:
    """The lines of the whole history that an open index does not have."""

    def __init__(self, history: History, index: Index) -> None:
        self._history = history
        self._lines: list[_RetiredLine] = []
        texts, _ = read_stories(history)
        for text, story in reversed(texts.items()):
            if not index.has_text(text_hash(text)):
                place = _place(-len(self._lines) - 1, text, story.line)
                self._lines.append(_RetiredLine(story, stored_terms(text), place))

    def matches(
        self, words: Iterable[str], limits: SearchLimits
    ) -> tuple[list[tuple[IndexedLine, Place]], Counter[str]]:
        """Return the lines that fit best by their words, at most `POOL`; and in how many lines each word is."""
        matching: list[tuple[set[str], _RetiredLine]] = []
        seen: Counter[str] = Counter()
        if limits.days is not None:
            return [], seen
        searched = set(words)
        for line in self._lines:
            shared = searched.intersection(line.terms.split())
            if shared and limits.admits(line.place):
                matching.append((shared, line))
                seen.update(shared)
        worth = {word: rarity(len(self._lines), count) for word, count in seen.items()}
        matching.sort(key=lambda match: -fsum(map(worth.__getitem__, match[0])))
        best = [line for _, line in matching[:POOL]]
        ids = chain.from_iterable((line.story.came, line.story.commit_id) for line in best)
        changes = read_named(self._history, ids)
        return [_indexed(line, changes) for line in best], seen


def _place(place_id: int, text: str, line: ChangedLine) -> Place:
    day = own_day(text) or date_of(line.path)
    return Place(
        *(place_id, line.path, MEMORY, tier_found(line.path).value, "", line.number, line.number),
        *(RETIRED, _entry_of(line), text),
        day=None if day is None else day.isoformat(),
        headings="[]",
    )


def _indexed(retired: _RetiredLine, changes: Mapping[str, LoggedChange]) -> tuple[IndexedLine, Place]:
    story, terms, place = retired
    came = datetime.fromtimestamp(changes[story.came].committed_at, UTC)
    retirement = Retirement(came)
    if story.is_gone:
        gone = changes[story.commit_id]
        on = datetime.fromtimestamp(gone.committed_at, UTC)
        retirement = Retirement(came, on, gone.actor, gone.commit_id)
    key, path, text = place.place_id, place.path, place.text
    heading = heading_terms(path)
    traits = traits_of(text)
    line = IndexedLine(key, key, 0, terms, traits, path, heading, place.day, text_hash(text))
    return line, place._replace(retirement=retirement)


def past_tips(history: History) -> list[str]:
    """Return the tips of the history: the branch, commits left out of it, and those that may be left out by now."""
    tips = {history.target("HEAD"), *history.refs(PAST).values(), *remembered_tips(history).values()}
    return sorted(name for name in tips if name is not None and history.objects.has_commit(name))


def read_stories(history: History) -> tuple[dict[str, Story], dict[str, Story]]:
    """Return what became of each text of memory, and of each entry by its id (`m:…`)."""
    texts: dict[str, Story] = {}
    entries: dict[str, Story] = {}
    tips = past_tips(history)
    if not tips:
        return texts, entries
    for commit_id, lines in read_lines(history, *LATEST, "--reverse", *tips, "--", *PATHS):
        added: dict[str, ChangedLine] = {}
        removed: dict[str, ChangedLine] = {}
        for line in filter(_counts, lines):
            changed = added if line.is_added else removed
            changed.setdefault(said_in(line.raw), line)
        staying = set(map(_entry_of, added.values()))
        for text, line in chain(added.items(), removed.items()):
            if not text or (text in added and text in removed):  # in both: only moved
                continue
            _note(texts, text, commit_id, line)
            entry = _entry_of(line)
            if entry and (line.is_added or entry not in staying):
                _note(entries, entry, commit_id, line)
    return texts, entries


def _note(stories: dict[str, Story], name: str, commit_id: str, line: ChangedLine) -> None:
    """Note the latest change of a text or an entry, behind all others."""
    came = commit_id
    if name in stories:
        came = stories.pop(name).came
    stories[name] = Story(came, commit_id, line)


def _entry_of(line: ChangedLine) -> str:
    mark = mark_of([line.raw])
    return f"m:{mark}" if mark else ""


def _counts(line: ChangedLine) -> bool:
    """Say whether a line can be retired: corrections stay for ever, and are longer than a line."""
    path = line.path
    return is_searched(path) and not is_correction_file(path) and not is_listing(path)
