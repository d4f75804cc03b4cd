"""Texts that left memory: found by their words, with the time and author of their removal."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from operator import itemgetter
from typing import TYPE_CHECKING

from clawgit.history.git.git_program import git_output
from clawgit.history.git.refs import PAST, remembered_tips
from clawgit.history.provenance.fold_update import all_reached
from clawgit.history.reading.git_log import LineReader, LineStep
from clawgit.memory.entries.entries import mark_of
from clawgit.memory.entries.tiers import date_of, is_correction_file, is_listing
from clawgit.recall.index.index_tables import seen_in, text_hash
from clawgit.recall.index.line_units import heading_terms, own_day, said_in, traits_of
from clawgit.recall.index.places import POOL, RETIRED, IndexedLine, Place, Retirement, SearchLimits
from clawgit.recall.index.sealed_store import NONSENSE, StoreShape, forget, up_to_date
from clawgit.recall.index.search_index import Index, any_of, parted
from clawgit.recall.index.searched_files import MEMORY, is_searched, tier_found
from clawgit.text.words.terms import TOKENIZER, stored_terms

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping

    from clawgit.history.git.repository import History


RETIRED_STORE = "retired.db"
PATHS = ("MEMORY.md", "memory.md", "memory", "Archive")
# The first time it came, the last time, and the last time a commit removed it.
CAME, STAYS, WENT = "came", "stays", "went"
TABLES = (
    "CREATE TABLE tips (commit_id TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TABLE said (said_id INTEGER PRIMARY KEY, hash BLOB UNIQUE, text TEXT, terms TEXT, traits TEXT)",
    """CREATE TABLE events (name BLOB, kind TEXT, at INTEGER, commit_id TEXT, actor TEXT,
        path TEXT, line INTEGER, entry TEXT, PRIMARY KEY (name, kind)) WITHOUT ROWID""",
    f"""CREATE VIRTUAL TABLE words USING fts5 (terms, content='', tokenize="{TOKENIZER}")""",
    "CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row)",
)
_KEEP = """
    INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name, kind) DO UPDATE
       SET at = excluded.at, commit_id = excluded.commit_id, actor = excluded.actor,
           path = excluded.path, line = excluded.line, entry = excluded.entry
     WHERE CASE kind WHEN 'came' THEN excluded.at < at ELSE excluded.at >= at END
"""
SHAPE = StoreShape("retired/5", TABLES)


@contextmanager
def open_retired(history: History) -> Iterator[Retired]:
    """Open the store of retired lines, up to the history's present tips."""
    tips = past_tips(history)
    path = history.state / RETIRED_STORE
    try:
        with up_to_date(
            path,
            SHAPE,
            fresh=lambda db: known_tips(db) == tips,
            fill=lambda db: read_history(history, db, tips),
        ) as db:
            yield Retired(db)
    except NONSENSE:
        forget(path)  # it gave an impossible answer; the next try builds it again
        raise


def past_tips(history: History) -> frozenset[str]:
    """Return the tips of the history: the branch, commits left out of it, and those that may be left out by now."""
    named = [history.target("HEAD"), *history.refs(PAST).values()]
    last_seen = there(history, remembered_tips(history).values())
    return frozenset(name for name in named if name is not None) | last_seen


class Retired:
    """The lines of the whole history, open for one reading; lines in the present index are left out."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def seen(self, words: Iterable[str]) -> dict[str, int]:
        return seen_in(self._db, words)

    def matches(
        self, index: Index, seen: Mapping[str, int], limits: SearchLimits
    ) -> list[tuple[IndexedLine, Place]]:
        """Return the retired lines that fit best by their words, at most `POOL`."""
        if not seen or limits.days is not None:
            return []
        rare, _ = parted(seen)
        rows = self._db.execute(
            """
            SELECT s.said_id, s.hash, s.text, s.terms, s.traits FROM words w JOIN said s ON s.said_id = w.rowid
             WHERE w.words MATCH ? ORDER BY w.rank, s.hash
            """,
            (any_of(rare),),
        )
        lines: list[tuple[IndexedLine, Place]] = []
        for said_id, name, text, terms, traits in rows:
            story = self.story_of(name)
            if story is None or index.has_text(name):
                continue
            place = _place(-said_id, text, story)
            if limits.admits(place):
                key, heading = place.place_id, heading_terms(place.path)
                lines.append(
                    (IndexedLine(key, key, 0, terms, traits, place.path, heading, place.day, name), place)
                )
                if len(lines) == POOL:
                    break
        return lines

    def story_of(self, name: bytes | str) -> Story | None:
        """Return the events of a text (by its hash) or of an entry (`m:…`), None without any."""
        rows = self._db.execute(
            "SELECT kind, at, commit_id, actor, path, line, entry FROM events WHERE name = ?", (name,)
        )
        events = {kind: LineEvent(*values) for kind, *values in rows}
        if not events:
            return None
        stays = events.get(STAYS)
        gone = events.get(WENT)
        if gone is not None and stays is not None and gone.at < stays.at:
            gone = None
        return Story(events[CAME].at, gone or stays or events[CAME], gone)


def _place(place_id: int, text: str, story: Story) -> Place:
    last, gone, day = story.last, story.gone, own_day(text) or date_of(story.last.path)
    retirement = Retirement(datetime.fromtimestamp(story.came_at, UTC))
    if gone is not None:
        on = datetime.fromtimestamp(gone.at, UTC)
        retirement = retirement._replace(on=on, by=gone.actor, commit_id=gone.commit_id)
    return Place(
        *(place_id, last.path, MEMORY, tier_found(last.path).value, "", last.line, last.line),
        *(RETIRED, last.entry, text),
        day=None if day is None else day.isoformat(),
        headings="[]",
        retirement=retirement,
    )


@dataclass(frozen=True, slots=True)
class LineEvent:
    """The coming or going of a line: time, commit, author, place, and its entry's id."""

    at: int
    commit_id: str
    actor: str
    path: str
    line: int
    entry: str


@dataclass(frozen=True, slots=True)
class Story:
    """Events of a text or an entry; ``gone`` is None if no commit removed it."""

    came_at: int
    last: LineEvent
    gone: LineEvent | None


def read_history(history: History, db: sqlite3.Connection, tips: frozenset[str]) -> None:
    """Read new commits into the store; all commits, if one read before no longer exists."""
    known_commits = known_tips(db)
    if not known_commits <= there(history, known_commits) or not all_reached(history, known_commits, tips):
        db.execute("DELETE FROM said")
        db.execute("DELETE FROM events")
        db.execute("INSERT INTO words (words) VALUES ('delete-all')")
        known_commits = frozenset()
    steps = LineReader(history, said_in).steps(tips, known_commits, PATHS)
    _store(db, steps)
    db.execute("DELETE FROM tips")
    db.executemany("INSERT INTO tips VALUES (?)", ((name,) for name in tips))


def known_tips(db: sqlite3.Connection) -> frozenset[str]:
    """Return the tips up to which the history was read."""
    return frozenset(map(itemgetter(0), db.execute("SELECT commit_id FROM tips")))


def there(history: History, commits: Iterable[str]) -> frozenset[str]:
    """Return the commits that the repository has: `git gc` deletes unreachable ones."""
    names = "".join(f"{name}\n" for name in sorted(commits)).encode()
    output = git_output(history, "cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=names)
    answers = (line.split() for line in output.decode().splitlines())
    return frozenset(words[0] for words in answers if words[1:] == ["commit"])


def _store(db: sqlite3.Connection, steps: Iterable[LineStep]) -> None:
    texts: dict[bytes, str] = {}
    for step in steps:
        for text, name, kind, event in _events(step):
            texts.setdefault(text_hash(text), text)
            for each in (CAME, kind):
                db.execute(_KEEP, (name, each, *astuple(event)))
    known_hashes = set(map(itemgetter(0), db.execute("SELECT hash FROM said")))
    for name, text in texts.items():
        if name in known_hashes:
            continue
        terms = stored_terms(text)
        added = "INSERT INTO said (hash, text, terms, traits) VALUES (?, ?, ?, ?)"
        cursor = db.execute(added, (name, text, terms, traits_of(text)))
        db.execute("INSERT INTO words (rowid, terms) VALUES (?, ?)", (cursor.lastrowid, terms))


def _events(step: LineStep) -> Iterator[tuple[str, bytes | str, str, LineEvent]]:
    """Yield the path, the key (of the text, and of an entry with an id), the kind and the event."""
    still = {mark_of([where.raw]) for where in step.added.values() if _counts(where.path)}
    for kind, lines in ((STAYS, step.added), (WENT, step.removed)):
        for text, where in lines.items():
            if not _counts(where.path):
                continue
            mark = mark_of([where.raw])
            entry = f"m:{mark}" if mark else ""
            at, commit_id, actor = step.change.committed_at, step.change.commit_id, step.change.actor
            event = LineEvent(at, commit_id, actor, where.path, where.number, entry)
            yield text, text_hash(text), kind, event
            if mark and (kind == STAYS or mark not in still):
                yield text, event.entry, kind, event


def _counts(path: str) -> bool:
    """Say whether lines of ``path`` can be retired: corrections stay for ever, and are longer than a line."""
    return is_searched(path) and not is_correction_file(path) and not is_listing(path)
