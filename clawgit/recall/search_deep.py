"""What was once in memory and is not any more: found by its words, with when it went and by whom."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from clawgit.history.git.reflogs import remembered_tips
from clawgit.history.git.refs import PAST
from clawgit.memory.entries.tiers import date_of
from clawgit.recall.index.entry_lifetimes import TABLES, Story, known_tips, read_history, story_of, there
from clawgit.recall.index.index_tables import marks
from clawgit.recall.index.keywords import match_any, seen_in
from clawgit.recall.index.line_facts import heading_terms, own_day
from clawgit.recall.index.matched_lines import POOL, Line
from clawgit.recall.index.places import RETIRED, Place, Retirement
from clawgit.recall.index.sealed_store import NONSENSE, Shape, forget, up_to_date
from clawgit.recall.index.searched_files import MEMORY, tier_found
from clawgit.text.comparing.similarity import facts_differ
from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clawgit.history.git.repository import History
    from clawgit.recall.index.search_index import Index
    from clawgit.recall.index.search_limits import Limits

RETIRED_STORE = "retired.db"
SHAPE = Shape("retired/3", TABLES)


@contextmanager
def open_retired(history: History) -> Iterator[Retired]:
    """Open what the history knows, up to its present tips.

    Raises:
        ClawgitError: git could not read the history.
    """
    tips = past_tips(history)

    def is_done(db: sqlite3.Connection) -> bool:
        return known_tips(db) == tips

    def fill(db: sqlite3.Connection) -> None:
        read_history(history, db, tips)

    path = history.state / RETIRED_STORE
    try:
        with up_to_date(path, SHAPE, fresh=is_done, fill=fill) as db:
            yield Retired(db)
    except NONSENSE:
        forget(path)  # what it said could not be true; the next try makes it again
        raise


def past_tips(history: History) -> frozenset[str]:
    """Return where the history is read from: the branch, what was left out of it, and what may be left out by now."""
    named = [history.target("HEAD"), *history.refs(PAST).values()]
    last_seen = there(history, remembered_tips(history).values())
    return frozenset(name for name in named if name is not None) | last_seen


class Retired:
    """The lines of the whole history, open for one reading; what the present index has is no answer here."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def seen(self, words: Iterable[str]) -> dict[str, int]:
        """Return in how many lines each word is."""
        return seen_in(self._db, words)

    def matches(self, index: Index, seen: Mapping[str, int], limits: Limits) -> list[tuple[Line, Place]]:
        """Return the lines that are not in memory any more and fit best by their words, at most `POOL`."""
        match = match_any(seen)
        if not match or limits.days is not None:
            return []
        rows = self._db.execute(
            """
            SELECT s.said_id, s.hash, s.text, s.terms, s.traits FROM words w JOIN said s ON s.said_id = w.rowid
             WHERE w.words MATCH ? ORDER BY w.rank, s.hash
            """,
            (match,),
        )
        found: list[tuple[Line, Place]] = []
        for row in rows:
            line = self._gone(index, row, limits)
            found += [] if line is None else [line]
            if len(found) == POOL:
                break
        return found

    def of_texts(self, index: Index, hashes: Sequence[bytes], limits: Limits) -> list[tuple[Line, Place]]:
        """Return the lines of these texts that are not in memory any more."""
        if limits.days is not None:
            return []
        rows = self._db.execute(
            f"SELECT said_id, hash, text, terms, traits FROM said WHERE hash IN ({marks(hashes)})", hashes
        )
        return [line for row in rows if (line := self._gone(index, row, limits)) is not None]

    def _gone(
        self, index: Index, row: tuple[int, bytes, str, str, str], limits: Limits
    ) -> tuple[Line, Place] | None:
        """Return a line with its last place, if it is not in memory any more and the limits admit it."""
        said_id, name, text, terms, _ = row
        story = story_of(self._db, name)
        if story is None or index.has_text(name) or _is_still_said(index, text, terms):
            return None
        place = _place(-said_id, text, story)
        return (_line(place, row), place) if limits.admits(place) else None

    def entry(self, name: str) -> Story | None:
        """Return what is known of an entry (`m:…`)."""
        return story_of(self._db, name)


def _is_still_said(index: Index, text: str, terms: str) -> bool:
    """Say whether a line of memory begins with these words and states no other facts."""
    lines = (line for found in index.holding(terms) for line in found.split("\n"))
    return any(
        f"{index_terms(line)} ".startswith(f"{terms} ") and not facts_differ(text, line) for line in lines
    )


def _place(place_id: int, text: str, story: Story) -> Place:
    last, day = story.last, own_day(text) or date_of(story.last.path)
    return Place(
        *(place_id, last.path, MEMORY, tier_found(last.path).value, "", last.line, last.line),
        *(RETIRED, last.entry, text),
        day=None if day is None else day.isoformat(),
        headings="[]",
        retirement=_retirement(story),
    )


def _retirement(story: Story) -> Retirement:
    since, gone = datetime.fromtimestamp(story.came_at, UTC), story.gone
    if gone is None:
        return Retirement(since)
    return Retirement(since, datetime.fromtimestamp(gone.at, UTC), gone.actor, gone.commit_id)


def _line(place: Place, row: tuple[int, bytes, str, str, str]) -> Line:
    _, name, _, terms, traits = row
    key = place.place_id
    return Line(key, key, 0, terms, traits, place.path, heading_terms(place.path), place.on, name)
