"""The tables of the index, and writing files into them: a text is stored once, its places refer to it."""

from __future__ import annotations

import json
from hashlib import sha256
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from clawgit.recall.index.line_units import SearchUnit, Units, heading_terms, own_day, section_day, traits_of
from clawgit.text.words.terms import TOKENIZER, stored_terms

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence


Each = TypeVar("Each")
Place: TypeAlias = "tuple[int, int, int, int, int, str, str, str | None]"

# Section and place numbers of a file start at its own number times this: more than any file has lines.
SPAN = 1 << 30
AT_ONCE = 500
# The low bits of a text's number are its number of terms, up to this: no look-up for the length.
MOST_LENGTH = (1 << 6) - 1
_FEW = 2000  # up to so many words are counted one by one
_LONG = 7  # letters: a shorter word is hardly a compound

TABLES = (
    """CREATE TABLE files (file_id INTEGER PRIMARY KEY, path TEXT UNIQUE, source TEXT, tier TEXT, blob TEXT,
        size INTEGER, mtime INTEGER, ctime INTEGER, inode INTEGER)""",
    "CREATE INDEX files_left_out ON files (path) WHERE blob = ''",
    "CREATE TABLE sections (section_id INTEGER PRIMARY KEY, titles TEXT, terms TEXT)",
    """CREATE TABLE places (place_id INTEGER PRIMARY KEY, text_id INTEGER, section_id INTEGER,
        first INTEGER, last INTEGER, kind TEXT, entry TEXT, day TEXT)""",
    "CREATE INDEX places_by_text ON places (text_id)",
    "CREATE INDEX places_by_entry ON places (entry) WHERE entry <> ''",
    "CREATE INDEX places_by_day ON places (day) WHERE day IS NOT NULL",
    """CREATE TABLE texts (text_id INTEGER PRIMARY KEY, hash BLOB UNIQUE, text TEXT, terms TEXT, traits TEXT,
        length INTEGER)""",
    # one row for each entry that a correction names, or one without an entry
    """CREATE TABLE corrections (file_id INTEGER, correction_id TEXT, entry TEXT, at TEXT, correct TEXT,
        words TEXT)""",
    "CREATE INDEX corrections_by_id ON corrections (correction_id)",
    "CREATE INDEX corrections_by_entry ON corrections (entry)",
    f"""CREATE VIRTUAL TABLE words USING fts5 (terms, content='', tokenize="{TOKENIZER}")""",
    # larger segments need fewer merges: a quarter less time, a fifth less space
    "INSERT INTO words (words, rank) VALUES ('hashsize', 16777216)",
    "CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row)",
    "CREATE TABLE word_counts (word TEXT PRIMARY KEY, texts INTEGER) WITHOUT ROWID",
    # every long word once, found by any three of its letters; it stays after its last text is deleted
    "CREATE TABLE long_words (word_id INTEGER PRIMARY KEY, word TEXT UNIQUE)",
    """CREATE VIRTUAL TABLE word_parts USING fts5 (word, content='long_words', content_rowid='word_id',
        tokenize='trigram')""",
    "INSERT INTO meta VALUES ('units', 0), ('length', 0)",
)


def text_hash(text: str) -> bytes:
    return sha256(text.encode("utf-8", "replace")).digest()[:16]


class Tables:
    """Writes into an open index. Call ``settle`` last: it deletes texts without a place."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._maybe_gone: set[int] = set()
        self._known = db.execute("SELECT MAX(text_id) FROM texts").fetchone()[0] or 0
        self._next_text = self._known | MOST_LENGTH
        self._words: set[str] = set()
        self._units = self._length = 0  # beyond the recorded totals

    def put_file(self, path: str, about: tuple[str, str, str], read: Units) -> None:
        """Put in a file with its source, tier and blob (``about``), without a stamp."""
        file_id = self._db.execute(
            """
            INSERT INTO files (path, source, tier, blob) VALUES (?, ?, ?, ?)
                ON CONFLICT (path) DO UPDATE SET source = excluded.source, tier = excluded.tier, blob = excluded.blob
                RETURNING file_id
            """,
            (path, *about),
        ).fetchone()[0]
        self.put_units(file_id, path, read)

    def put_units(self, file_id: int, path: str, read: Units) -> None:
        """Give a file these units; unchanged rows are not written again, known texts not indexed again."""
        old = self._places(file_id)
        self._db.execute("DELETE FROM sections WHERE section_id BETWEEN ? AND ?", _span(file_id))
        self._db.execute("DELETE FROM corrections WHERE file_id = ?", (file_id,))
        new = self._rows(file_id, read.units, self._put_sections(file_id, path, read.sections))
        rows = new
        if old:
            rows = [row for row in new if old.get(row[0]) != row]
            gone = old.keys() - set(map(itemgetter(0), new))
            self._db.executemany("DELETE FROM places WHERE place_id = ?", [(key,) for key in gone])
            self._maybe_gone |= set(map(itemgetter(1), old.values())) - set(map(itemgetter(1), new))
        self._db.executemany("INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        insert = "INSERT INTO corrections VALUES (?, ?, ?, ?, ?, ?)"
        for words, each in read.corrections.items():
            for entry in ("", *(f"m:{name}" for name in each.corrects)) if each.holds else ():
                about = (file_id, f"x:{each.correction_id}", entry, each.at, each.correct, words)
                self._db.execute(insert, about)

    def drop_file(self, file_id: int) -> None:
        span = _span(file_id)
        self._maybe_gone |= set(map(itemgetter(1), self._places(file_id).values()))
        self._db.execute("DELETE FROM places WHERE place_id BETWEEN ? AND ?", span)
        self._db.execute("DELETE FROM sections WHERE section_id BETWEEN ? AND ?", span)
        self._db.execute("DELETE FROM corrections WHERE file_id = ?", (file_id,))
        self._db.execute("DELETE FROM files WHERE file_id = ?", (file_id,))

    def settle(self) -> None:
        """Count the words of new texts, and delete texts without a place."""
        self._db.execute(
            "INSERT INTO words (rowid, terms) SELECT text_id, terms FROM texts WHERE text_id > ?",
            (self._known,),
        )
        self._known = self._next_text
        added, self._words = self._words, set()
        for text_id in sorted(self._maybe_gone):
            if self._db.execute("SELECT 1 FROM places WHERE text_id = ?", (text_id,)).fetchone() is None:
                terms, length = self._db.execute(
                    "SELECT terms, length FROM texts WHERE text_id = ?", (text_id,)
                ).fetchone()
                self._db.execute(
                    "INSERT INTO words (words, rowid, terms) VALUES ('delete', ?, ?)", (text_id, terms)
                )
                self._db.execute("DELETE FROM texts WHERE text_id = ?", (text_id,))
                self._words.update(terms.split())
                self._count(-1, -length)
        self._maybe_gone.clear()
        _count_words(self._db, added | self._words)
        (last,) = self._db.execute("SELECT MAX(word_id) FROM long_words").fetchone()
        long = sorted(word for word in added if len(word) >= _LONG and word.isalpha())
        insert = "INSERT OR IGNORE INTO long_words (word) VALUES (?)"
        self._db.executemany(insert, [(word,) for word in long])
        parts = "INSERT INTO word_parts (rowid, word) SELECT word_id, word FROM long_words WHERE word_id > ?"
        self._db.execute(parts, (last or 0,))
        self._words.clear()
        change = "UPDATE meta SET value = value + ? WHERE name = ?"
        self._db.executemany(change, [(self._units, "units"), (self._length, "length")])
        self._units = self._length = 0

    def _rows(self, file_id: int, units: Sequence[SearchUnit], days: Sequence[str | None]) -> list[Place]:
        texts = self._text_ids(list(map(attrgetter("text"), units)))
        start = file_id * SPAN
        rows = []
        for place_id, (first, last, kind, text, section, entry) in enumerate(units, start):
            own = own_day(text)
            day = days[section] if own is None else own.isoformat()
            rows.append((place_id, texts[text], start + section, first, last, kind, entry, day))
        return rows

    def _places(self, file_id: int) -> dict[int, Place]:
        rows = self._db.execute(
            """
            SELECT place_id, text_id, section_id, first, last, kind, entry, day FROM places
             WHERE place_id BETWEEN ? AND ?
            """,
            _span(file_id),
        )
        return {row[0]: row for row in rows}

    def _text_ids(self, texts: Sequence[str]) -> dict[str, int]:
        """Return the id of each text; new ones are indexed."""
        hashes = {text_hash(text): text for text in texts}
        ids_by_text = {hashes[hash_of_text]: text_id for hash_of_text, text_id in self._known_of(hashes)}
        added = []
        for hash_of_text, text in hashes.items():
            if text in ids_by_text:
                continue
            terms = stored_terms(text)
            length = len(terms.split())
            self._next_text += MOST_LENGTH + 1
            text_id = self._next_text - max(0, MOST_LENGTH - length)
            added.append((text_id, hash_of_text, text, terms, traits_of(text), length))
            ids_by_text[text] = text_id
            self._count(1, length)
            self._words.update(terms.split())
        self._db.executemany("INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?)", added)
        return ids_by_text

    def _known_of(self, hashes: Mapping[bytes, str]) -> Iterator[tuple[bytes, int]]:
        for some in in_parts(list(hashes)):
            yield from self._db.execute(
                f"SELECT hash, text_id FROM texts WHERE hash IN ({marks(some)})", some
            )

    def _count(self, units: int, length: int) -> None:
        self._units, self._length = self._units + units, self._length + length

    def _put_sections(self, file_id: int, path: str, sections: Sequence[Sequence[str]]) -> list[str | None]:
        """Return the days of the sections."""
        rows = []
        days = []
        for number, titles in enumerate(sections, file_id * SPAN):
            rows.append((number, json.dumps(titles), heading_terms(path, titles)))
            day = section_day(path, titles)
            days.append(None if day is None else day.isoformat())
        self._db.executemany("INSERT INTO sections VALUES (?, ?, ?)", rows)
        return days


def _span(file_id: int) -> tuple[int, int]:
    return file_id * SPAN, file_id * SPAN + SPAN - 1


def in_parts(values: Sequence[Each]) -> Iterator[Sequence[Each]]:
    """Yield the values in parts that fit one SQL statement."""
    for at in range(0, len(values), AT_ONCE):
        yield values[at : at + AT_ONCE]


def marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def seen_in(db: sqlite3.Connection, words: Iterable[str]) -> dict[str, int]:
    """Return in how many texts each word is; words in no text are left out."""
    seen = {}
    for word in dict.fromkeys(words):
        row = db.execute("SELECT doc FROM vocabulary WHERE term = ?", (word,)).fetchone()
        if row is not None:
            seen[word] = int(row[0])
    return seen


def _count_words(db: sqlite3.Connection, words: Collection[str]) -> None:
    """Store in how many texts each word is (``words``, or all): `vocabulary` counts at each look-up."""
    if len(words) > _FEW:
        db.execute("DELETE FROM word_counts")
        db.execute("INSERT INTO word_counts SELECT term, doc FROM vocabulary")
        return
    db.executemany("DELETE FROM word_counts WHERE word = ?", [(word,) for word in words])
    db.executemany("INSERT INTO word_counts VALUES (?, ?)", sorted(seen_in(db, words).items()))
