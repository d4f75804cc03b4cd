"""The index, open for one reading: which texts hold a word, where they stand, and what stands around them."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections import Counter
from contextlib import closing, contextmanager
from functools import cached_property
from itertools import accumulate, combinations
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from clawgit.history.provenance.trust_lookup import open_trusts
from clawgit.recall.index.index_tables import SPAN, TABLES, in_parts, marks
from clawgit.recall.index.index_update import Reconcile
from clawgit.recall.index.places import (
    AROUND,
    CLAIMED,
    CORRECTION,
    HEADING,
    POOL,
    Corpus,
    Corrected,
    Line,
    Place,
    has_tag,
    over_days,
)
from clawgit.recall.index.sealed_store import Shape, forget, made_in_memory, renew, up_to_date
from clawgit.recall.index.searched_files import UNSEARCHED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from clawgit.history.git.repository import History
    from clawgit.history.provenance.trust_lookup import TrustLookup
    from clawgit.recall.index.places import Limits

    Holds = Callable[[str, str], bool]
    Row: TypeAlias = tuple[Any, ...]
    Rows: TypeAlias = dict[int, Row | None]

INDEX = "index.db"
COPIES = 4  # so many places of one text go into the pool, more where there is room
EQUALS = 280  # so many behind the last of the pool are looked at, which may fit as well
SHORTEST = 20  # so many texts are looked at that hold the words of another
MOST_HOLDING = 24
DEAR = 4000  # so many matches are scored at once
MOST_COMMON = 6  # so many words of a question that more lines hold are looked for two by two
_FILE = f"JOIN files f ON f.file_id = p.place_id / {SPAN}"
_LINES = f"""
    SELECT p.place_id, p.section_id, p.place_id, t.terms, t.traits, f.path, s.terms, p.day, t.hash
      FROM places p JOIN texts t ON t.text_id = p.text_id JOIN sections s ON s.section_id = p.section_id {_FILE}
"""
_PLACES = f"""
    SELECT p.place_id, f.path, f.source, f.tier, f.blob, p.first, p.last, p.kind, p.entry, t.text, p.day, s.titles,
           CASE p.kind WHEN '{CORRECTION}' THEN
             (SELECT c.words FROM corrections c WHERE c.correction_id = p.entry AND c.file_id = f.file_id LIMIT 1)
           ELSE '' END
      FROM places p JOIN texts t ON t.text_id = p.text_id JOIN sections s ON s.section_id = p.section_id {_FILE}
"""


class Counts(NamedTuple):
    """How much there is, which files could not be read, the commit at which the index was written, and what it is of."""

    files: int
    units: int
    left_out: tuple[str, ...]
    cursor: str
    paths: tuple[str, ...]


def shape_of(history: History) -> Shape:
    """Return the shape of the index under the settings in force."""
    settings = history.settings
    return Shape(f"12/{settings.chunk_tokens}/{settings.max_file_bytes}", TABLES)


@contextmanager
def open_index(history: History, *, in_memory: bool = False) -> Iterator[Index]:
    """Open the index of the files as they stand now; ``in_memory`` makes it anew, for this once."""
    look = Reconcile(history)
    shape = shape_of(history)
    if in_memory:
        opened: AbstractContextManager[sqlite3.Connection] = closing(made_in_memory(shape, look.into))
    else:
        opened = up_to_date(history.state / INDEX, shape, fresh=look.is_done, fill=look.into)
    with opened as db, open_trusts(history) as trusts:
        yield Index(db, trusts, held=_held_rows(db, f"{history.state}"))


def forget_index(history: History) -> None:
    """Delete the index on disk, if that is possible: what it said could not be true."""
    forget(history.state / INDEX)


def renew_index(
    history: History, *, from_nothing: bool, tell: Callable[[int, int], None] = lambda done, total: None
) -> None:
    """Bring the index on disk up to date, or make it anew."""
    renew(history.state / INDEX, shape_of(history), Reconcile(history, tell).into, from_nothing=from_nothing)


class Held(NamedTuple):
    """Rows that were read of an index as it is since it was last filled, by place; None where there is no such place.

    They are plain tuples, which the collector of garbage does not look at again and again. ``files`` has what each file is
    known by: while that is the same, so are the rows of its places, as long as the index is not ``made`` anew.
    """

    made: str
    seal: int
    files: set[Row]
    lines: Rows
    places: Rows


_HELD: dict[str, Held] = {}  # by the folder of the index
_MOST_LINES, _MOST_PLACES = 40_000, 10_000  # 30 MB


def _held_rows(db: sqlite3.Connection, folder: str) -> Held | None:
    """Return what this process has read before, as far as it is the same by now; whoever reads on adds to it."""
    meta = dict(db.execute("SELECT name, value FROM meta WHERE name IN ('made', 'seal')"))
    if "seal" not in meta:  # in memory, for this once
        return None
    made, seal = meta.get("made", ""), meta["seal"]
    old = _HELD.get(folder)
    held = Held(made, seal, set(), {}, {})
    if old is not None:  # a process that searches once need not know the files
        if old.seal == seal and old.files:
            return old
        files = set(db.execute("SELECT file_id, path, source, tier, blob FROM files"))
        alike = set()
        if old.seal == seal:
            alike = files
        elif old.made == made:
            alike = files & old.files
        same = {row[0] for row in alike}
        lines, places = (
            {place_id: row for place_id, row in rows.copy().items() if place_id // SPAN in same}
            for rows in (old.lines, old.places)
        )
        held = Held(made, seal, files, lines, places)
    _HELD[folder] = held
    return held


class Index:
    """An index that is open: nothing in it changes until it is closed.

    ``trusts`` says whose words its texts are, ``holds`` (else ``trusts``) which corrections are in force, ``trust_of`` what
    one of these words rests on.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        trusts: TrustLookup,
        holds: Holds | None = None,
        trust_of: Callable[[str], str] | None = None,
        *,
        held: Held | None = None,
    ) -> None:
        self._db, self.trusts = db, trusts
        self._lines: Rows = {} if held is None else held.lines
        self._places: Rows = {} if held is None else held.places
        self.trust_of_correction = trust_of or trusts.of_correction
        self._holds = holds or trusts.holds
        self._correction_texts: list[tuple[int, str]] | None = None

    def seen(self, words: Iterable[str]) -> dict[str, int]:
        """Return in how many texts each word is; words that are in none are left out."""
        select = "SELECT texts FROM word_counts WHERE word = ?"
        counts: dict[str, int] = {}
        for word in dict.fromkeys(words):
            found = self._db.execute(select, (word,)).fetchone()
            if found is not None:
                counts[word] = found[0]
        return counts

    def words_beginning(self, start: str) -> dict[str, int]:
        select = "SELECT word, texts FROM word_counts WHERE word >= ? AND word < ?"
        return dict(self._db.execute(select, (start, start + "\U0010ffff")))

    def words_holding(self, part: str) -> list[str]:
        """Return long words, such as compounds, that hold these three or more letters, the shortest first."""
        rows = self._db.execute(
            """
            SELECT word FROM word_parts
             WHERE word MATCH ? AND EXISTS (SELECT 1 FROM word_counts c WHERE c.word = word_parts.word)
             ORDER BY length(word), word LIMIT ?
            """,
            (quoted(part), MOST_HOLDING),
        )
        return [row[0] for row in rows]

    def corpus(self, seen: Mapping[str, int]) -> Corpus:
        units = self._meta["units"]
        return Corpus(units, self._meta["length"] / units if units else 0.0, seen)

    def counts(self) -> Counts:
        files = self._db.execute("SELECT path FROM files WHERE blob <> ''").fetchall()
        units = self._db.execute("SELECT COUNT(*) FROM places").fetchone()[0]
        paths = tuple(row[0] for row in files)
        return Counts(len(paths), units, self.left_out(), self._meta["cursor"], paths)

    def left_out(self) -> tuple[str, ...]:
        """Return the files that are too large, or could not be read."""
        unread = f"SELECT path FROM files WHERE blob = '' AND source <> '{UNSEARCHED}' ORDER BY path"
        return tuple(row[0] for row in self._db.execute(unread))

    def _conditions(self, limits: Limits) -> tuple[str, list[str]]:
        if limits.category is not None:  # what is prepared is prepared anew behind it
            self._db.create_function("has_tag", 2, has_tag, deterministic=True)
        return limits.as_sql()

    @cached_property
    def _meta(self) -> dict[str, Any]:
        return dict(self._db.execute("SELECT name, value FROM meta"))

    def matches(self, seen: Mapping[str, int], limits: Limits, most: int = POOL) -> list[int]:
        """Return the places of the ``most`` texts that fit best by their own words, best first."""
        match = match_any(seen)
        if not match:
            return []
        if limits.is_open:
            return self._places_of(self._best_texts(match, most), most)
        conditions, values = self._conditions(limits)
        rows = self._db.execute(
            f"""
            SELECT p.place_id FROM words w
              JOIN texts t ON t.text_id = w.rowid JOIN places p ON p.text_id = w.rowid {_FILE}
             WHERE w.words MATCH ? AND {conditions}
             ORDER BY w.rank, p.day DESC, f.path, p.first LIMIT ?
            """,
            (match, *values, most),
        )
        return [row[0] for row in rows]

    def within(self, limits: Limits, most: int) -> list[int]:
        """Return places by their limits alone: of every day as many, headings last, the latest days first."""
        conditions, values = self._conditions(limits)
        rows = self._db.execute(
            f"""
            SELECT p.place_id, p.day FROM places p JOIN texts t ON t.text_id = p.text_id {_FILE}
             WHERE {conditions} ORDER BY p.day DESC, p.kind = '{HEADING}', f.path, p.first
            """,
            values,
        )
        return [row[0] for row in over_days(rows.fetchall(), lambda row: row[1], most)]

    def of_texts(self, hashes: Sequence[bytes], limits: Limits) -> list[int]:
        """Return where these texts stand, headings left out; of one that stands everywhere, the latest places."""
        conditions, values = self._conditions(limits)
        places, found = Counter[bytes](), []
        for some in in_parts(hashes):
            rows = self._db.execute(
                f"""
                SELECT t.hash, p.place_id FROM texts t JOIN places p ON p.text_id = t.text_id {_FILE}
                 WHERE t.hash IN ({marks(some)}) AND p.kind <> 'heading' AND {conditions}
                 ORDER BY p.day DESC, f.path, p.first
                """,
                (*some, *values),
            )
            for text, place_id in rows:
                places[text] += 1
                if places[text] <= COPIES:
                    found.append(place_id)
        return found

    def lines(self, place_ids: Sequence[int]) -> dict[int, Line]:
        if len(self._lines) > _MOST_LINES:
            self._lines.clear()
        rows = self._read(_LINES, place_ids, self._lines)
        return {key: Line._make(row) for key, row in rows.items()}

    def _read(self, select: str, place_ids: Sequence[int], held: Rows) -> dict[int, Row]:
        """Return the rows of these places, from memory where they were read before."""
        read: Rows = {}
        unread: list[int] = []
        for key in place_ids:
            if key in held:
                read[key] = held[key]
            else:
                unread.append(key)
        for some in in_parts(unread):
            read.update(dict.fromkeys(some))
            for row in self._db.execute(f"{select} WHERE p.place_id IN ({marks(some)})", some):
                read[row[0]] = row
        for key in unread:
            held[key] = read[key]
        return {key: row for key, row in read.items() if row is not None}

    def lines_around(self, known: Mapping[int, Line], leading: Iterable[int]) -> dict[int, Line]:
        """Return what stands around the ``leading`` of the lines that are known, in their sections."""
        sections: dict[int, set[int]] = {}
        for key in leading:
            for near in range(key - AROUND, key + AROUND + 1):
                if near not in known:
                    sections.setdefault(near, set()).add(known[key].section)
        return {
            key: line for key, line in self.lines(list(sections)).items() if line.section in sections[key]
        }

    def places(self, place_ids: Sequence[int]) -> dict[int, Place]:
        if len(self._places) > _MOST_PLACES:
            self._places.clear()
        rows = self._read(_PLACES, place_ids, self._places)
        return {key: self._place(row) for key, row in rows.items()}

    def entries(self, names: Sequence[str]) -> list[Place]:
        if not names:
            return []
        rows = self._db.execute(f"{_PLACES} WHERE p.entry <> '' AND p.entry IN ({marks(names)})", names)
        return [self._place(row) for row in rows]

    def correction_texts(self) -> list[tuple[int, str]]:
        """Return the places of all corrections, in force or not, and their texts."""
        if self._correction_texts is None:
            found = "SELECT p.place_id, t.text FROM places p JOIN texts t ON t.text_id = p.text_id"
            rows = self._db.execute(
                f"{found} WHERE p.entry <> '' AND p.kind = '{CORRECTION}'"
            )  # by its index
            self._correction_texts = rows.fetchall()
        return self._correction_texts

    def corrections_of(self, entries: Sequence[str]) -> dict[str, Corrected]:
        """Return the correction in force of each entry that has one: the latest."""
        if not entries:
            return {}
        rows = self._db.execute(
            f"""
            SELECT entry, correction_id, correct, words FROM corrections
             WHERE entry <> '' AND entry IN ({marks(entries)}) ORDER BY at, rowid
            """,
            entries,
        )
        return {
            entry: Corrected(name, correct)
            for entry, name, correct, words in rows.fetchall()
            if self._holds(name, words)
        }

    def superseded(self, corrections: Sequence[str]) -> dict[str, Corrected]:
        """Return those of the corrections (`x:…`) whose entries were all corrected again, with what corrects them now."""
        if not corrections:
            return {}
        rows = self._db.execute(
            f"""
            SELECT correction_id, entry FROM corrections
             WHERE entry <> '' AND correction_id IN ({marks(corrections)})
            """,
            corrections,
        ).fetchall()
        latest = self.corrections_of(sorted({entry for _, entry in rows}))
        still = {name for name, entry in rows if entry not in latest or latest[entry].correction_id == name}
        return {name: latest[entry] for name, entry in rows if name not in still}

    def holding(self, terms: str) -> list[str]:
        """Return some texts that hold these terms side by side, the shortest."""
        found = "SELECT t.text FROM words w JOIN texts t ON t.text_id = w.rowid WHERE w.words MATCH ?"
        shortest = f"{found} ORDER BY t.length, t.hash LIMIT {SHORTEST}"
        return [row[0] for row in self._db.execute(shortest, (quoted(terms),))]

    def has_text(self, known: bytes) -> bool:
        return self._db.execute("SELECT 1 FROM texts WHERE hash = ?", (known,)).fetchone() is not None

    def _place(self, row: Sequence[Any]) -> Place:
        place = Place(*row)
        if place.kind == CORRECTION and not self._holds(place.entry, place.words):
            return place._replace(kind=CLAIMED)
        return place

    def _best_texts(self, match: str, most: int) -> list[int]:
        """Return the texts that fit best; of those that fit equally well, the latest, whatever their numbers are."""
        # SQLite sorts, and keeps the first; `rank` would have FTS5 sort them all.
        best = "SELECT rowid, bm25(words) AS fit FROM words WHERE words MATCH ? ORDER BY fit, rowid LIMIT ?"
        rows = self._db.execute(best, (match, most + EQUALS)).fetchall()
        if not rows:
            raise sqlite3.DatabaseError("no text holds words that were counted")
        edge = rows[most - 1][1] if len(rows) > most else None
        if edge is None or rows[most][1] != edge:
            return [row[0] for row in rows[:most]]
        better = [text_id for text_id, fit in rows if fit < edge]
        room = most - len(better)
        if rows[-1][1] == edge and len(rows) == most + EQUALS:
            same = "JOIN words w ON w.rowid = t.text_id WHERE words MATCH ? AND bm25(words) = ?"
            return better + self._latest(same, (match, edge), room)
        equal = [text_id for text_id, fit in rows if fit == edge]
        return better + self._latest(f"WHERE t.text_id IN ({marks(equal)})", equal, room)

    def _latest(self, which: str, values: Sequence[Any], most: int) -> list[int]:
        latest = "SELECT MAX(day) FROM places p WHERE p.text_id = t.text_id"
        found = f"SELECT t.text_id FROM texts t {which} ORDER BY ({latest}) DESC, t.hash LIMIT {most:d}"
        return [row[0] for row in self._db.execute(found, values)]

    def _places_of(self, text_ids: Sequence[int], most: int) -> list[int]:
        """Return where the texts stand, in their order; of one that stands everywhere, the latest places first."""
        places: dict[int, list[int]] = {text_id: [] for text_id in text_ids}
        found = "SELECT p.text_id, p.place_id FROM places p {} WHERE p.text_id IN ({}) {}"
        for text_id, place_id in self._db.execute(found.format("", marks(text_ids), ""), text_ids):
            places[text_id].append(place_id)
        some = [text_id for text_id, at in places.items() if len(at) > 1]
        places.update((text_id, []) for text_id in some)
        in_order = found.format(_FILE, marks(some), "ORDER BY p.day DESC, f.path, p.first")
        for text_id, place_id in self._db.execute(in_order, some) if some else ():
            places[text_id].append(place_id)
        first = [place for found in places.values() for place in found[:COPIES]]
        more = [place for found in places.values() for place in found[COPIES:]]
        return first + more[: max(0, most - len(first))]


def match_any(seen: Mapping[str, int]) -> str:
    """Return the query for texts that hold any of these words, empty for none.

    Scoring a match costs ten times as much as finding it, and a word that very many lines hold tells little: such
    lines are only scored where they hold another word as well.
    """
    by_rarity = sorted(seen, key=lambda word: (seen[word], word))
    within = bisect_right(list(accumulate(seen[word] for word in by_rarity)), DEAR)
    rare, common = by_rarity[: max(1, within)], by_rarity[max(1, within) :]
    pairs = (f"({quoted(one)} AND {quoted(other)})" for one, other in combinations(common[:MOST_COMMON], 2))
    match = " OR ".join(map(quoted, rare))
    more = " OR ".join(map(quoted, common))
    return " OR ".join([f"({match})", f"(({match}) AND ({more}))", *pairs]) if common else match


def quoted(words: str) -> str:
    """Return words as one phrase of a query."""
    doubled = words.replace('"', '""')
    return f'"{doubled}"'
