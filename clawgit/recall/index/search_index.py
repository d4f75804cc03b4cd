"""The index, open for one reading: texts that hold a word, their places, and the lines around them."""

from __future__ import annotations

import json
import sqlite3
from array import array
from bisect import bisect_right
from collections import Counter
from contextlib import ExitStack, contextmanager
from functools import cached_property
from itertools import accumulate, chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.history.provenance.trust_lookup import TrustLookup, open_trusts
from clawgit.memory.entries.tiers import is_of_session
from clawgit.memory.notes import ASSISTANT, USER, words_of
from clawgit.recall.index.index_tables import MOST_LENGTH, SPAN, TABLES, in_parts, marks
from clawgit.recall.index.index_update import Reconcile
from clawgit.recall.index.line_units import only_asks, traits_of
from clawgit.recall.index.places import (
    AROUND,
    CLAIMED,
    CORRECTION,
    HEADING,
    POOL,
    UNDECIDED,
    Corpus,
    EntryCorrection,
    IndexedLine,
    Place,
    has_tag,
    over_days,
    rarity,
    strength,
)
from clawgit.recall.index.sealed_store import StoreShape, up_to_date
from clawgit.recall.index.searched_files import UNSEARCHED
from clawgit.text.words.terms import terms_in

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from clawgit.history.git.repository import History
    from clawgit.recall.index.places import SearchLimits

    Holds = Callable[[str, str], bool]

INDEX = "index.db"
_ASKING = frozenset(traits_of(f"{speaker}: x?") for speaker in (USER, ASSISTANT))
COPIES = 4  # so many places of one text enter the pool, more if there is room
MOST_HOLDING = 24
DEAR = 4000  # so many matches are scored at once
MOST_COMMON = 6  # so many common words of a question are searched beside others
_FILE = f"JOIN files f ON f.file_id = p.place_id / {SPAN}"
# The columns of `IndexedLine`, then the further ones of `Place`.
_ROWS = f"""
    SELECT p.place_id, p.section_id, p.place_id, t.terms, t.traits, f.path, s.terms, p.day, t.hash, p.kind,
           f.source, f.tier, f.blob, p.first, p.last, p.entry, t.text, s.titles,
           CASE p.kind WHEN '{CORRECTION}' THEN
             (SELECT c.words FROM corrections c WHERE c.correction_id = p.entry AND c.file_id = f.file_id LIMIT 1)
           ELSE '' END
      FROM places p JOIN texts t ON t.text_id = p.text_id JOIN sections s ON s.section_id = p.section_id {_FILE}
"""
_OF_LINE = 10  # columns


class Counts(NamedTuple):
    """Totals, unreadable files, the commit at which the index was written, and the scope."""

    files: int
    units: int
    left_out: tuple[str, ...]
    cursor: str
    paths: tuple[str, ...]


def shape_of(history: History) -> StoreShape:
    settings = history.settings
    return StoreShape(f"20/{settings.chunk_tokens}/{settings.max_file_bytes}", TABLES)


@contextmanager
def open_index(
    history: History, *, in_memory: bool = False, trusts: TrustLookup | None = None
) -> Iterator[Index]:
    """Open the index of the present files; ``in_memory`` builds another, for this once.

    ``trusts`` are reused if they are open already.
    """
    look = Reconcile(history)
    opened = up_to_date(
        history.state / INDEX, shape_of(history), fresh=look.is_done, fill=look.into, in_memory=in_memory
    )
    with ExitStack() as stack:
        db = stack.enter_context(opened)
        if trusts is None:
            trusts = stack.enter_context(open_trusts(history))
        yield Index(db, trusts, cached=_known(db, f"{history.state}"))


class _Known:
    """Rows read from an index with this ``seal``; equal values are shared, which keeps them in the processor's cache."""

    def __init__(self, seal: int = 0) -> None:
        self.seal = seal
        self.rows: dict[int, tuple[IndexedLine, Place] | None] = {}  # by place, None if there is none
        self.places: dict[int, tuple[int, ...]] = {}  # by text
        self.texts: dict[str, array[int]] = {}  # by their query
        self.ages: dict[int, tuple[str, bytes]] = {}  # the latest day of texts, and their hashes
        self.shared: dict[object, object] = {}


_KNOWN: dict[str, _Known] = {}  # by the folder of an index
_MOST_ROWS, _MOST_WORDS = 60_000, 10_000  # 50 MB
_SHARED = (1, *range(4, 8), *range(9, 13), 17)  # columns: section, traits, path … kind … blob, titles


def _known(db: sqlite3.Connection, folder: str) -> _Known:
    """Return this process's cache of the index as it is; readers add to it."""
    row = db.execute("SELECT value FROM meta WHERE name = 'seal'").fetchone()
    if row is None:  # in memory
        return _Known()
    cached = _KNOWN.get(folder, _Known())
    is_much = len(cached.rows) > _MOST_ROWS or len(cached.texts) > _MOST_WORDS
    if is_much or cached.seal != row[0]:
        cached = _KNOWN[folder] = _Known(row[0])
    return cached


class Index:
    """An open index: it does not change until it is closed.

    ``trusts`` gives the authors of its texts, ``holds`` (else ``trusts``) the corrections in force,
    ``trust_of`` the trust of an author.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        trusts: TrustLookup,
        holds: Holds | None = None,
        trust_of: Callable[[str], str] | None = None,
        *,
        cached: _Known | None = None,
    ) -> None:
        self._db, self.trusts = db, trusts
        self._known = cached or _Known()
        self.trust_of_correction = trust_of or trusts.of_correction
        self._holds = holds or trusts.holds
        self._correction_texts: list[tuple[int, str]] | None = None

    def seen(self, words: Iterable[str]) -> dict[str, int]:
        named = list(dict.fromkeys(words))
        rows = self._db.execute(f"SELECT word, texts FROM word_counts WHERE word IN ({marks(named)})", named)
        counts: dict[str, int] = dict(rows)
        return {word: counts[word] for word in named if word in counts}

    def known(self, groups: Iterable[Sequence[str]]) -> dict[str, int]:
        """Return the words that texts have, and of a group of which no text has any those that names of files have."""
        alike = list(groups)
        seen = self.seen(frozenset(chain.from_iterable(alike)))
        lacking = set[str]()
        for words in alike:
            if not any(map(seen.__contains__, words)):
                lacking.update(words)
        if lacking:
            seen |= dict.fromkeys(chain.from_iterable(self.named(lacking).values()), 1)
        return seen

    def named(self, words: Collection[str]) -> dict[int, frozenset[str]]:
        """Return those of the words that names of files have, by the files' first places."""
        names = {}
        words = frozenset(filter(lambda word: len(word) > 1, words))
        beginnings = frozenset(map(itemgetter(slice(3)), words))
        for file_id, path in self._db.execute("SELECT file_id, path FROM files ORDER BY path"):
            name = path.rpartition("/")[2].lower()
            if not any(map(name.__contains__, beginnings)):
                continue
            parts = terms_in(name).intersection(words)
            if parts:
                names[file_id * SPAN] = parts
        return names

    def words_beginning(self, start: str) -> dict[str, int]:
        select = "SELECT word, texts FROM word_counts WHERE word >= ? AND word < ?"
        return dict(self._db.execute(select, (start, start + "\U0010ffff")))

    def words_holding(self, part: str) -> list[str]:
        """Return long words, such as compounds, with these three or more letters, the shortest first."""
        rows = self._db.execute(
            """
            SELECT word FROM word_parts
             WHERE word MATCH ? AND EXISTS (SELECT 1 FROM word_counts c WHERE c.word = word_parts.word)
             ORDER BY length(word), word LIMIT ?
            """,
            (quoted(part), MOST_HOLDING),
        )
        return list(map(itemgetter(0), rows))

    def corpus(self, seen: Mapping[str, int]) -> Corpus:
        units = self._meta["units"]
        return Corpus(units, self._meta["length"] / units if units else 0.0, seen)

    def counts(self) -> Counts:
        files = self._db.execute("SELECT path FROM files WHERE blob <> ''").fetchall()
        units = self._db.execute("SELECT COUNT(*) FROM places").fetchone()[0]
        paths = tuple(map(itemgetter(0), files))
        return Counts(len(paths), units, self.left_out(), self._meta["cursor"], paths)

    def left_out(self) -> tuple[str, ...]:
        unread = f"SELECT path FROM files WHERE blob = '' AND source <> '{UNSEARCHED}' ORDER BY path"
        return tuple(map(itemgetter(0), self._db.execute(unread)))

    def _conditions(self, limits: SearchLimits) -> tuple[str, list[str]]:
        if limits.category is not None:  # a statement prepared earlier is prepared again after it
            self._db.create_function("has_tag", 2, has_tag, deterministic=True)
        return limits.as_sql()

    @cached_property
    def _meta(self) -> dict[str, Any]:
        return dict(self._db.execute("SELECT name, value FROM meta"))

    def matches(self, seen: Mapping[str, int], limits: SearchLimits, most: int = POOL) -> list[int]:
        """Return the places of the ``most`` texts that fit best by their own words, best first."""
        if not seen:
            return []
        worth = self._worth(seen)
        if not worth:
            raise sqlite3.DatabaseError("no text holds words that were counted")
        if limits.is_open:
            return self._places_of(self._best_of(worth, most), most)
        conditions, values = self._conditions(limits)
        rows = self._db.execute(
            f"""
            SELECT p.text_id, p.place_id FROM places p JOIN texts t ON t.text_id = p.text_id {_FILE}
             WHERE p.text_id IN (SELECT value FROM json_each(?)) AND {conditions}
             ORDER BY p.day DESC, f.path, p.first
            """,
            (json.dumps(list(worth)), *values),
        )
        ranked = sorted(rows, key=lambda row: -worth[row[0]])
        return [place_id for _, place_id in ranked[:most]]

    def within(self, limits: SearchLimits, most: int) -> list[int]:
        """Return places by the filters alone: equally many of each day, headings last, the latest days first."""
        conditions, values = self._conditions(limits)
        rows = self._db.execute(
            f"""
            SELECT p.place_id, p.day FROM places p JOIN texts t ON t.text_id = p.text_id {_FILE}
             WHERE {conditions} ORDER BY p.day DESC, p.kind = '{HEADING}', f.path, p.first
            """,
            values,
        )
        return list(map(itemgetter(0), over_days(rows.fetchall(), lambda row: row[1], most)))

    def of_texts(self, hashes: Sequence[bytes], limits: SearchLimits) -> list[int]:
        """Return the places of these texts without headings; of a text with too many places, the latest."""
        conditions, values = self._conditions(limits)
        places, place_ids = Counter[bytes](), []
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
                    place_ids.append(place_id)
        return place_ids

    def lines(self, place_ids: Sequence[int]) -> dict[int, IndexedLine]:
        return {line.key: line for line, _ in self._read(place_ids)}

    def _read(self, place_ids: Sequence[int]) -> Iterator[tuple[IndexedLine, Place]]:
        """Return the lines at these places, from the cache if possible."""
        rows = self._known.rows
        share = self._known.shared.setdefault
        unread = list(frozenset(place_ids).difference(rows))
        if unread:
            read: dict[int, tuple[IndexedLine, Place] | None] = dict.fromkeys(unread)
            # One statement for any number: SQLite takes 0.1 ms to prepare it.
            select = f"{_ROWS} WHERE p.place_id IN (SELECT value FROM json_each(?))"
            for row in self._db.execute(select, (json.dumps(unread),)):
                own = list(row)
                for at in _SHARED:
                    own[at] = share(row[at], row[at])
                line = IndexedLine._make(own[:_OF_LINE])
                read[row[0]] = (line, _place_of(own))
            rows.update(read)  # at once: other threads read it
        return filter(None, map(rows.__getitem__, place_ids))

    def lines_around(
        self, lines: Mapping[int, IndexedLine], leading: Iterable[int]
    ) -> dict[int, IndexedLine]:
        """Return the lines around the ``leading`` ones of ``lines``, in their sections."""
        sections: dict[int, set[int]] = {}
        for key in leading:
            for near in range(key - AROUND, key + AROUND + 1):
                if near not in lines:
                    sections.setdefault(near, set()).add(lines[key].section)
        around = self.lines(list(sections))
        return {key: line for key, line in around.items() if line.section in sections[key]}

    def asking(self, lines: Iterable[IndexedLine]) -> set[int]:
        """Return those of the lines in which a turn of a talk with the agent only asks."""
        keys = set()
        asking = self.places([line.key for line in lines if line.traits in _ASKING])
        for key, place in asking.items():
            if is_of_session(place.path) and only_asks(words_of(place.text)):
                keys.add(key)
        return keys

    def places(self, place_ids: Sequence[int]) -> dict[int, Place]:
        return {place.place_id: self._in_force(place) for _, place in self._read(place_ids)}

    def entries(self, names: Sequence[str]) -> list[Place]:
        if not names:
            return []
        rows = self._db.execute(f"{_ROWS} WHERE p.entry <> '' AND p.entry IN ({marks(names)})", names)
        return [self._in_force(_place_of(row)) for row in rows]

    def correction_texts(self) -> list[tuple[int, str]]:
        """Return the places of all corrections, in force or not, and their texts."""
        if self._correction_texts is None:
            # `<> ''`: makes SQLite use the index on entries
            select = "SELECT p.place_id, t.text FROM places p JOIN texts t ON t.text_id = p.text_id"
            rows = self._db.execute(f"{select} WHERE p.entry <> '' AND p.kind = '{CORRECTION}'")
            self._correction_texts = rows.fetchall()
        return self._correction_texts

    def corrections_of(self, entries: Sequence[str]) -> dict[str, EntryCorrection]:
        """Return the latest correction in force of each entry that has one, and is not undecided."""
        if not entries:
            return {}
        rows = self._db.execute(
            f"""
            SELECT entry, correction_id, correct, words FROM corrections
             WHERE entry <> '' AND entry IN ({marks(entries)}) AND NOT EXISTS (
                   SELECT 1 FROM places p WHERE p.entry <> '' AND p.entry = corrections.entry
                      AND p.kind = '{UNDECIDED}')
             ORDER BY at, rowid
            """,
            entries,
        )
        latest = {}
        for entry, name, correct, words in rows.fetchall():
            if self._holds(name, words):
                latest[entry] = EntryCorrection(name, correct)
        return latest

    def superseded(self, corrections: Sequence[str]) -> dict[str, EntryCorrection]:
        """Return those of the corrections (`x:…`) whose entries were all corrected again, with the new correction."""
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

    def has_text(self, text_hash: bytes) -> bool:
        return self._db.execute("SELECT 1 FROM texts WHERE hash = ?", (text_hash,)).fetchone() is not None

    def _in_force(self, place: Place) -> Place:
        if place.kind == CORRECTION and not self._holds(place.entry, place.words):
            return place._replace(kind=CLAIMED)
        return place

    def _worth(self, seen: Mapping[str, int]) -> dict[int, float]:
        """Return the BM25 scores of the texts that hold any of these words, each word counting once.

        FTS5 would read a word's texts a second time to count them, and all texts a third time to score them.
        """
        units = self._meta["units"]
        mean = max(1.0, self._meta["length"] / units)
        by_length = [strength(1, length, mean) for length in range(MOST_LENGTH + 1)]
        rare, common = parted(seen)
        worth: dict[int, float] = {}
        worth_of = worth.get
        for match, word in [(quoted(word), word) for word in rare] + beside_others(rare, common):
            rarely = rarity(units, seen[word])
            fits = [rarely * each for each in by_length]
            texts = self._known.texts.get(match)
            if texts is None:
                rows = self._db.execute("SELECT rowid FROM words WHERE words MATCH ?", (match,))
                texts = self._known.texts[match] = array("q", chain.from_iterable(rows))
            for text_id in texts:
                worth[text_id] = worth_of(text_id, 0.0) + fits[text_id & MOST_LENGTH]
        return worth

    def _best_of(self, worth: Mapping[int, float], most: int) -> list[int]:
        """Return the texts that fit best; of equal ones the latest, whatever their numbers."""
        better = list(worth)
        equal: list[int] = []
        if len(worth) > most:
            edge = sorted(worth.values(), reverse=True)[most - 1]
            better = []
            for text_id in [text_id for text_id, fit in worth.items() if fit >= edge]:  # few of many
                if worth[text_id] > edge:
                    better.append(text_id)
                else:
                    equal.append(text_id)
        better.sort(key=lambda text_id: (-worth[text_id], text_id))
        if len(better) + len(equal) > most:
            ages = self._known.ages
            unread = list(frozenset(equal).difference(ages))
            if unread:
                latest = """
                    SELECT text_id, (SELECT MAX(day) FROM places p WHERE p.text_id = t.text_id), hash
                      FROM texts t WHERE text_id IN (SELECT value FROM json_each(?))
                """
                for text_id, day, place in self._db.execute(latest, (json.dumps(unread),)):
                    ages[text_id] = (day or "", place)
            equal.sort(key=lambda text_id: ages[text_id][1])
            equal.sort(key=lambda text_id: ages[text_id][0], reverse=True)
        return better + equal[: most - len(better)]

    def _places_of(self, text_ids: Sequence[int], most: int) -> list[int]:
        """Return the places of the texts, in their order; of a text with too many places, the latest first."""
        places_read = self._known.places
        unread: dict[int, list[int]] = {text_id: [] for text_id in text_ids if text_id not in places_read}
        if unread:
            rows = self._db.execute(
                f"""
                SELECT p.text_id, p.place_id FROM places p {_FILE}
                 WHERE p.text_id IN (SELECT value FROM json_each(?)) ORDER BY p.day DESC, f.path, p.first
                """,
                (json.dumps(list(unread)),),
            )
            for text_id, place_id in rows:
                unread[text_id].append(place_id)
            places_read.update((text_id, tuple(at)) for text_id, at in unread.items())
        first: list[int] = []
        more: list[int] = []
        for places in map(places_read.__getitem__, text_ids):
            first += places[:COPIES]
            more += places[COPIES:]
        return first + more[: max(0, most - len(first))]


def _place_of(row: Sequence[Any]) -> Place:
    source, tier, blob, first, last, entry, text, titles, words = row[_OF_LINE:]
    return Place(row[0], row[5], source, tier, blob, first, last, row[9], entry, text, row[7], titles, words)


def parted(seen: Mapping[str, int]) -> tuple[list[str], list[str]]:
    """Return the words whose texts are all scored, and the common ones, whose texts count only with another word."""
    by_rarity = sorted(seen, key=lambda word: (seen[word], word))
    within = bisect_right(list(accumulate(seen[word] for word in by_rarity)), DEAR)
    first = max(1, within)
    return by_rarity[:first], by_rarity[first : first + MOST_COMMON]


def beside_others(rare: Sequence[str], common: Sequence[str]) -> list[tuple[str, str]]:
    """Return for each common word the query for texts with it and any other word."""
    queries = []
    for word in common:
        others = any_of(sorted({*rare, *common} - {word}))
        queries.append((f"{quoted(word)} AND ({others})", word))
    return queries


def any_of(words: Iterable[str]) -> str:
    """Return the query for texts with any of these words."""
    return " OR ".join(map(quoted, words))


def quoted(words: str) -> str:
    """Return words as one phrase of a query."""
    doubled = words.replace('"', '""')
    return f'"{doubled}"'
