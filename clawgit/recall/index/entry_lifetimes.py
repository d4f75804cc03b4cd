"""When each line and each entry came into memory and went: a fold over the history, in whatever parts it is read."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

from clawgit.history.reading.git_log import git_output
from clawgit.history.reading.line_steps import LineReader, LineStep, WrittenLine
from clawgit.memory.corrections.correction_log import is_correction_file
from clawgit.memory.entries.entry_marks import mark_of
from clawgit.memory.entries.tiers import is_listing
from clawgit.recall.index.index_tables import text_hash
from clawgit.recall.index.line_facts import said_in, traits_of
from clawgit.recall.index.searched_files import is_searched
from clawgit.text.words.terms import TOKENIZER, index_terms

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import LoggedChange

PATHS = ("MEMORY.md", "memory.md", "memory", "Archive")
# The first time that it came, the last time, the last time that a commit took it out, and that a merge left it out.
CAME, STAYS, WENT, DROPPED = "came", "stays", "went", "dropped"
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


@dataclass(frozen=True, slots=True)
class Event:
    """A line that came or went: when, by which commit of whom, where it is or was, and its entry's id."""

    at: int
    commit_id: str
    actor: str
    path: str
    line: int
    entry: str


@dataclass(frozen=True, slots=True)
class Story:
    """What is known of a text or an entry; ``gone`` is None where no commit took it out."""

    came_at: int
    last: Event
    gone: Event | None


def read_history(history: History, db: sqlite3.Connection, tips: frozenset[str]) -> None:
    """Read what the store has not read yet; all of it, where something that was read is gone."""
    known = known_tips(db)
    if not known <= there(history, known) or _is_left_behind(history, known, tips):
        db.execute("DELETE FROM said")
        db.execute("DELETE FROM events")
        db.execute("INSERT INTO words (words) VALUES ('delete-all')")
        known = frozenset()
    steps = LineReader(history, said_in).steps(tips, known, PATHS)
    _store(db, steps)
    db.execute("DELETE FROM tips")
    db.executemany("INSERT INTO tips VALUES (?)", ((name,) for name in tips))


def known_tips(db: sqlite3.Connection) -> frozenset[str]:
    """Return the commits up to which the history was read."""
    return frozenset(row[0] for row in db.execute("SELECT commit_id FROM tips"))


def there(history: History, commits: Iterable[str]) -> frozenset[str]:
    """Return the commits that the repository still has: what nothing names is gone after `git gc`."""
    asked = "".join(f"{name}\n" for name in sorted(commits)).encode()
    said = git_output(history, "cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=asked)
    answers = (line.split() for line in said.decode().splitlines())
    return frozenset(words[0] for words in answers if words[1:] == ["commit"])


def story_of(db: sqlite3.Connection, name: bytes | str) -> Story | None:
    """Return what is known of a text (by its hash) or of an entry (`m:…`)."""
    rows = db.execute(
        "SELECT kind, at, commit_id, actor, path, line, entry FROM events WHERE name = ?", (name,)
    )
    events = {kind: Event(*values) for kind, *values in rows}
    if not events:
        return None
    stays = events.get(STAYS)
    gone = next(
        (
            events[kind]
            for kind in (WENT, DROPPED)
            if kind in events and (stays is None or events[kind].at >= stays.at)
        ),
        None,
    )
    last = gone or stays or events[CAME]
    return Story(events[CAME].at, last, gone)


def _is_left_behind(history: History, known: frozenset[str], tips: frozenset[str]) -> bool:
    """Say whether some of what was read is reached from no tip any more."""
    names = (*sorted(known), *(f"^{name}" for name in sorted(tips)))
    return bool(known) and bool(git_output(history, "rev-list", "--max-count=1", *names))


def _store(db: sqlite3.Connection, steps: Iterable[LineStep]) -> None:
    texts: dict[bytes, str] = {}
    found: dict[tuple[bytes | str, str], Event] = {}
    for step in steps:
        for text, name, kind, event in _events(step):
            texts.setdefault(text_hash(text), text)
            for each in (CAME, kind):
                _keep(found, (name, each), event)
    known = {row[0] for row in db.execute("SELECT hash FROM said")}
    for name, text in texts.items():
        if name not in known:
            _put_text(db, name, text)
    db.executemany(_KEEP, ((*key, *astuple(event)) for key, event in found.items()))


def _keep(found: dict[tuple[bytes | str, str], Event], key: tuple[bytes | str, str], new: Event) -> None:
    """Keep the first time that something came, and the last time of anything else."""
    old = found.get(key)
    if old is None or (new.at < old.at if key[1] == CAME else new.at >= old.at):
        found[key] = new


def _events(step: LineStep) -> Iterator[tuple[str, bytes | str, str, Event]]:
    """Yield a text, whose event it is (the text's, and that of an entry whose id it carries), the kind, the event."""
    still = {mark_of([where.raw]) for where in step.added.values() if _counts(where.path)}
    for kind, lines in ((STAYS, step.added), (WENT, step.removed), (DROPPED, step.dropped)):
        for text, where in lines.items():
            if not _counts(where.path):
                continue
            mark = mark_of([where.raw])
            event = _event(step.change, where, mark)
            yield text, text_hash(text), kind, event
            if mark and (kind == STAYS or mark not in still):
                yield text, event.entry, kind, event


def _event(change: LoggedChange, where: WrittenLine, mark: str | None) -> Event:
    place = where.path, where.number
    return Event(change.committed_at, change.commit_id, change.actor, *place, f"m:{mark}" if mark else "")


def _counts(path: str) -> bool:
    """Say whether lines of ``path`` can be retired: corrections never leave, and are more than lines."""
    return is_searched(path) and not is_correction_file(path) and not is_listing(path)


def _put_text(db: sqlite3.Connection, name: bytes, text: str) -> None:
    terms = index_terms(text)
    made = db.execute(
        "INSERT INTO said (hash, text, terms, traits) VALUES (?, ?, ?, ?)",
        (name, text, terms, traits_of(text)),
    )
    db.execute("INSERT INTO words (rowid, terms) VALUES (?, ?)", (made.lastrowid, terms))
