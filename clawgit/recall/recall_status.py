"""`memory status`: the searched files by tier, the state of the index, and notes that are often found."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.memory.entries.statements import sentences_of
from clawgit.memory.entries.tiers import IDENTITY_FILES, STANDING_FILES, Tier, is_derived, tier_of
from clawgit.recall.index.index_update import Reconcile
from clawgit.recall.index.sealed_store import is_usable, renew
from clawgit.recall.index.search_index import INDEX, open_index, shape_of
from clawgit.recall.index.searched_files import (
    MEMORY,
    ServedPath,
    is_beside_memory,
    is_excluded,
    is_ignored,
    is_searched,
    read_served,
    served_at,
    tier_found,
)
from clawgit.recall.questions.question import languages_of_memory
from clawgit.recall.questions.read_question import read_question
from clawgit.recall.search_results import ANSWERS_WELL, HIGH, Hits
from clawgit.text.markdown.lines import ENDINGS, as_utf8
from clawgit.text.safety.control_characters import begin_of, counted, few, folded, is_utf8, shown
from clawgit.text.safety.secrets import redact, redact_path
from clawgit.text.words.terms import index_terms
from clawgit.understanding.evidence.orders_to_forget import is_unwanted
from clawgit.workspace.layout import PROMPTS
from clawgit.workspace.records.records import (
    RECORDS,
    HitNote,
    Recalled,
    RecalledLines,
    SearchNote,
    open_records,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from clawgit.history.git.repository import History


_TITLES = {Tier.T0: "Soul", Tier.T1: "Core", Tier.T2: "Working"}
_LEDGERS = ("CONFLICTS.md",)
OFTEN_SESSIONS, OFTEN_DAYS, OFTEN_MOST = 3, 30, 20
QUERY_CHARACTERS = 500
_FOREIGN, _FEW = 0.05, 2  # of the lines, with a language's usual word; so few may be Los Angeles


class IndexNotWrittenError(ClawgitError):
    """The index cannot be written to disk."""


class RecallStatus(NamedTuple):
    """The numbers of searched files and lines, unreadable files, and the commit at which the index was written.

    ``on_disk`` is False if every search has to build the index again.
    """

    files: int
    units: int
    tiers: dict[str, int]
    left_out: tuple[str, ...]
    cursor: str
    on_disk: bool
    coverage: Coverage


def tier_counts(root: Path, searched: Iterable[str]) -> dict[str, int]:
    """Return how many files each tier has: ``searched`` ones, and others with a tier."""
    places = (root / path for path in (*IDENTITY_FILES, *_LEDGERS))
    others = [place.name for place in places if place.is_file() and not place.is_symlink()]
    tiers = list(map(tier_found, (*others, *searched)))
    return {tier.value: tiers.count(tier) for tier in Tier}


def tier_lines(counts: dict[str, int]) -> list[str]:
    """Return the counts in the format that other programs expect."""
    return [
        "Soul Memory Tiers:",
        *(f"  {tier.value} {title}: {counts[tier.value]} files" for tier, title in _TITLES.items()),
    ]


def read_recall_status(history: History) -> RecallStatus:
    """Bring the index up to date and return its state."""
    with suppress(IndexNotWrittenError):
        write_index(history)
    with open_index(history) as index:
        counts = index.counts()
    on_disk = is_usable(history.state / INDEX, shape_of(history))
    tiers = tier_counts(history.root, counts.paths)
    coverage = Coverage(counts.paths, unsearched_texts(history, counts.paths))
    return RecallStatus(counts.files, counts.units, tiers, counts.left_out, counts.cursor, on_disk, coverage)


def is_partly_foreign(history: History) -> bool:
    """Say whether a notable part of memory is not in English, by the usual words of other languages."""
    with open_index(history) as index:
        least = max(_FEW, _FOREIGN * index.counts().units)
        return bool(languages_of_memory(index, least))


def write_index(
    history: History,
    *,
    from_nothing: bool = False,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Bring the index on disk up to date, or build it again."""
    try:
        fill = Reconcile(history, tell).into
        renew(history.state / INDEX, shape_of(history), fill, from_nothing=from_nothing)
    except (OSError, sqlite3.Error) as error:
        cause = error.strerror if isinstance(error, OSError) else str(error)
        hint = "Searches work without it, slower. Check the free space and who owns .git/clawgit."
        raise IndexNotWrittenError(f"The index cannot be written ({cause}).", hint=hint) from error


def note_found(history: History, query: str, session: str, answer: Hits, now: datetime) -> None:
    """Note a search, its results and the tip it read; does not wait for the disk."""
    fsync, tip = history.settings.fsync, history.checked_out_tip()
    hits = [HitNote(hit.path, hit.first, hit.last, hit.best_entry, hit.score) for hit in answer.results]
    with open_records(history.state / RECORDS, now, fsync=fsync, may_get_lost=True) as records:
        if tip is not None:
            records.note_tip(*tip, now)
        records.note_search(SearchNote(now, folded(session), kept_query(query), tuple(hits)))


@lru_cache(maxsize=64)  # the note of a search and the receipt of its answer keep the same query
def kept_query(query: str) -> str:
    """Return a query for the records: one line, shortened, without secrets (records go into backups).

    Empty for a query that must not be remembered.
    """
    if is_unwanted(query):
        return ""
    return redact(folded(query))[:QUERY_CHARACTERS]


def often_found(history: History, now: datetime) -> list[Recalled]:
    """Return the dated notes that several recent sessions found with a good score; core memory needs no promotion."""
    if not (history.state / RECORDS).exists():
        return []
    since = now - timedelta(days=OFTEN_DAYS)
    with open_records(history.state / RECORDS, now) as records:
        notes = records.recalled_since(since, sessions=OFTEN_SESSIONS, least=ANSWERS_WELL)
    return [note for note in notes if _is_note(note.path)][:OFTEN_MOST]


def lines_often_found(history: History, now: datetime, days: int) -> list[RecalledLines]:
    """Return the lines of dated notes among the first hits of several sessions in these days, with a good score."""
    if not (history.state / RECORDS).exists():
        return []
    since = now - timedelta(days=days)
    with open_records(history.state / RECORDS, now) as records:
        lines = records.recalled_lines(since, sessions=OFTEN_SESSIONS, least=ANSWERS_WELL)
    return [line for line in lines if _is_note(line.path)][:OFTEN_MOST]


def _is_note(path: str) -> bool:
    """Say whether a path is a dated note of memory: the operator's prose beside memory is not promoted."""
    return is_searched(path) and tier_of(path) is Tier.T2


SHOWN = 240  # characters of what a line says
IGNORED, EXCLUDED = "git ignores it", "`search_exclude` names it"
LINK, REPOSITORY, SPECIAL = "a link", "in another repository", "a pipe, a socket or a device"
NAME, UNREAD = "its name is not UTF-8", "too large, or not readable as text"
KIND = f"none of {', '.join(ENDINGS)}"
OWN, PROMPT = "clawgit's own", "for your agent's prompt"
NAMED, MOST_FOLDERS, MOST_PROMPT_FILES = 3, 5, 7


class Unsearched(NamedTuple):
    """A file that is not searched, and the reason."""

    path: str
    reason: str


def unsearched_texts(history: History, searched: Collection[str]) -> tuple[Unsearched, ...]:
    """Return the workspace's texts that are not ``searched``, and its committed files of other kinds; those with reason OWN or PROMPT last."""
    searched_paths = set(searched)
    texts = []
    for path, _ in history.tip().tree.files():
        is_hidden = path.startswith(".") or "/." in path
        if not (path.endswith(ENDINGS) or is_hidden or is_derived(path)):
            texts.append(Unsearched(path, KIND))
    for path, on_the_way in _texts(history.root):
        if path not in searched_paths:
            texts.append(Unsearched(path, on_the_way or _reason(history, path)))
    return tuple(sorted(texts, key=lambda text: (text.reason in (OWN, PROMPT), text)))


def searched_words(paths: Collection[str]) -> str:
    """Return the searched texts in words: the agent's memory, and other texts by folder."""
    folders: Counter[str] = Counter()
    memory = 0
    for path in paths:
        if is_searched(path):
            memory += 1
        else:
            folder, slash, _ = path.partition("/")
            folders[f"{folder}/" if slash else "this folder"] += 1
    words = f"Searched: {counted(memory, 'file')} of memory"
    if not folders:
        return f"{words}."
    named = [f"{_shown(folder)} {count:,}" for folder, count in folders.most_common(MOST_FOLDERS)]
    if len(folders) > MOST_FOLDERS:
        named.append(f"{len(folders) - MOST_FOLDERS} more")
    return f"{words} and {folders.total():,} beside it ({', '.join(named)})."


def nothing_found(history: History, *, is_else: bool = False) -> str:
    """Return the message for an empty answer: how many texts were searched, and which or how many were not."""
    status = read_coverage(history)
    sentence = f"Nothing{' else' * is_else} in {counted(len(status.paths), 'file')}."
    return f"{sentence} {unsearched_words(status.unsearched, way='`clawgit memory status`')}".rstrip()


class Coverage(NamedTuple):
    """The searched paths, and the unsearched files."""

    paths: tuple[str, ...]
    unsearched: tuple[Unsearched, ...]


def read_coverage(history: History) -> Coverage:
    with open_index(history) as index:
        paths = index.counts().paths
    return Coverage(paths, unsearched_texts(history, paths))


def unsearched_words(texts: Sequence[Unsearched], *, way: str = "") -> str:
    """Return how many texts are not searched, which and why (of many ``way``, if there is one), without the reasons OWN and PROMPT; empty without any."""
    counts = Counter(map(attrgetter("reason"), texts))
    count = counts.total() - counts.pop(OWN, 0) - counts.pop(PROMPT, 0)
    if not count:
        return ""
    named = [f"{_shown(path)} ({reason})" for path, reason in texts[:count]]
    if count > NAMED and way:
        named = [way]
    elif count > NAMED:
        named = [f"{reason}: {number:,}" for reason, number in counts.most_common()]
    return f"{counted(count, 'file')} {'is' * (count == 1) or 'are'} not searched: {'; '.join(named)}."


def prompt_files_words(texts: Sequence[Unsearched]) -> str:
    """Return which files are left out as parts of the agent's prompt; empty without any."""
    paths = [_shown(text.path) for text in texts if text.reason == PROMPT]
    if not paths:
        return ""
    return f"Not searched, since they are for your agent's prompt: {few(paths, MOST_PROMPT_FILES)}."


def is_answered(hits: Hits, query: str, now: datetime) -> bool:
    """Say whether hits likely hold the answer, and have a word of the question as a word: `Blutdruck` has none of `drucker`."""
    if hits.confidence != HIGH:
        return False
    asked_words = read_question(query, now).telling
    for each in hits.results:
        text = " ".join((each.path, *each.titles, each.snippet))
        if not asked_words.isdisjoint(index_terms(text).split()):
            return True
    return not asked_words


def held_in_prompt(history: History, query: str, now: datetime, hits: Hits | None = None) -> str:
    """Return which lines of the agent's prompt files hold most words of a question: at least half, and more than the best of ``hits``, or all.

    Empty where none does.
    """
    question = read_question(query, now)
    places: dict[frozenset[str], tuple[str, int, str]] = {}
    for path in sorted(STANDING_FILES | IDENTITY_FILES):
        with suppress(ClawgitError, OSError):
            data = read_served(history, ServedPath(path, history.root, path, MEMORY)) or b""
            for number, (line, terms) in enumerate(_lines_of(data), start=1):
                words = question.telling.intersection(terms)
                places.setdefault(words, (path, number, line))
    term_count = sum(not question.telling.isdisjoint(term.words) for term in question.terms)
    least = max(1, (term_count + 1) // 2, *map(len, places))
    if hits is not None and hits.results:
        least = max(least, min(term_count, int(hits.results[0].score * term_count) + 1))
    sentences = []
    for words, (path, number, line) in places.items():
        if len(words) >= least:
            sentence = _sentences_with(words, redact(line))
            text = begin_of(shown(sentence, keep_newlines=False), SHOWN)
            sentences.append(f'{path} is not searched; it has "{text}" in line {number}.')
    return " ".join(sentences[:NAMED])


def _sentences_with(words: frozenset[str], line: str) -> str:
    """Return the sentences of a long line that have some words, whole: the answer may be the last word."""
    if len(line) <= SHOWN:
        return line.strip()
    meant = filter(lambda each: not words.isdisjoint(index_terms(each).split()), sentences_of(line))
    return " ".join(meant) or line.strip()


@lru_cache(maxsize=16)
def _lines_of(data: bytes) -> list[tuple[str, list[str]]]:
    lines = as_utf8(data).decode("utf-8", "replace").splitlines()
    return [(line, index_terms(line).split()) for line in lines]


def _shown(path: str) -> str:
    return shown(redact_path(path), keep_newlines=False)


def _texts(root: Path) -> Iterator[tuple[str, str]]:
    """Yield each text below ``root``, and the problem on the way to it; hidden folders are skipped."""
    for name_of_folder, below, names in os.walk(root):
        folder = Path(name_of_folder)
        is_foreign = folder != root and (".git" in below or ".git" in names)
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in names:
            if name.startswith("."):
                continue
            place = folder / name
            reason = ""
            with suppress(OSError):  # a folder that may not be entered
                mode = place.lstat().st_mode
                if stat.S_ISLNK(mode):
                    reason = LINK
                elif not stat.S_ISREG(mode):
                    reason = SPECIAL
            if is_foreign:
                reason = REPOSITORY
            if name.endswith(ENDINGS):
                yield place.relative_to(root).as_posix(), reason
        if is_foreign:
            below.clear()


def _reason(history: History, path: str) -> str:
    settings = history.settings
    if not is_utf8(path):
        return NAME
    if path.rpartition("/")[2] in STANDING_FILES | IDENTITY_FILES and not path.startswith(PROMPTS):
        return PROMPT
    if not (is_searched(path) or is_beside_memory(path)):
        return OWN
    if is_excluded(path, settings.search_exclude):
        return EXCLUDED
    served = served_at(history.root, (), path)
    if served is not None and is_ignored(history, served):
        return IGNORED
    return UNREAD
