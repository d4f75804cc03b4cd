"""Dated lines among the hits that say otherwise than an undated line: named beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.context.said_later import TELLING
from clawgit.history.authorship.commit_messages import KEEP_OP
from clawgit.history.authorship.intent import ADOPTION_OP, INIT_OP
from clawgit.history.provenance.trust_lookup import day_told, keys_of_lines
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import MEMORY_FILES, date_of
from clawgit.memory.notes import DRESS, is_machines, speaker_of, without_blocks
from clawgit.memory.trust import EXTERNAL
from clawgit.recall.index.searched_files import EXTRA, is_beside_memory
from clawgit.recall.ranking.results import shortened
from clawgit.recall.search_results import Otherwise
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.secrets import redact
from clawgit.understanding.evidence.says_beyond import MOST_BESIDE, words_shared

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from clawgit.history.git.repository import History
    from clawgit.history.provenance.trust_lookup import TrustLookup
    from clawgit.recall.search_results import Hits

MOST_HITS = 2  # undated ones are compared: the best
MOST_LINES = 8  # of each
MOST_DATED = 48  # lines
MOST_READ = 4  # of these for each line
MOST_QUOTED = 160  # characters
OF_ADOPTION = 3  # commits: the files in the folder itself, notes, and others
_NO_STATEMENT = ("#", ">", "|--", "| --", "|:", "```", "<!--")
_OF_PATH = lazy_pattern(r"[-_/]+")


class _Line(NamedTuple):
    """A line of a hit: its number in the file (from 1), and its words."""

    hit: int
    number: int
    text: str
    above: str


def with_dated_lines(history: History, hits: Hits, on: date, trusts: TrustLookup) -> Hits:
    """Return the hits, with the latest dated line beside each undated one that it contradicts.

    Not beside a line that was written or changed since: adoption says nothing about a line's age.
    """
    dated = list(_dated(hits, on))
    if not dated:
        return hits
    results = list(hits.results)
    for line in _undated(hits):
        other = _latest(history, hits, line, dated, trusts)
        if other is None:
            continue
        result = results[line.hit]
        path = results[other.hit].path
        words = shortened(redact(other.text))[:MOST_QUOTED]
        day_shown = day_told(str(date_of(path)), on)
        mark = Otherwise(line.number, path, other.number, day_shown, words)
        results[line.hit] = result._replace(otherwise=(*result.otherwise, mark))
    return hits._replace(results=tuple(results))


def _undated(hits: Hits) -> Iterator[_Line]:
    """Yield the lines of the best hits without a day."""
    left = MOST_HITS
    for at, each in enumerate(hits.results):
        is_plain = not (each.message or each.retirement or each.agent or each.is_correction or each.note)
        if left and is_plain and date_of(each.path) is None and each.trust != EXTERNAL:
            left -= 1
            yield from _lines(hits, at, MOST_LINES)


def _dated(hits: Hits, on: date) -> list[_Line]:
    """Return the lines of notes up to a day, the latest first; no turns of a talk, which have a speaker."""
    lines: list[_Line] = []
    for at, each in enumerate(hits.results):
        day = date_of(each.path)
        is_plain = not (each.message or each.retirement or each.agent or each.is_correction or each.note)
        if is_plain and day is not None and day <= on and each.trust != EXTERNAL:
            for line in _lines(hits, at, MOST_LINES):
                if not speaker_of(line.text) and not is_machines(line.text):
                    lines.append(line)
    del lines[MOST_DATED:]
    lines.sort(key=lambda line: (date_of(hits.results[line.hit].path), line.number), reverse=True)
    return lines


def _lines(hits: Hits, at: int, most: int) -> Iterator[_Line]:
    result = hits.results[at]
    data = hits.texts.get(result.path) or b""
    name = ""
    if result.path not in MEMORY_FILES and date_of(result.path) is None:
        name = _OF_PATH.sub(" ", result.path.rpartition(".")[0])
    above = " ".join((name, *result.titles))
    last = min(result.last, result.first + most - 1)
    for number, line in enumerate(split_lines(data)[result.first - 1 : last], result.first):
        text = without_blocks(line.decode("utf-8", "replace")).strip()
        statement = parted(text.lstrip(DRESS)).statement
        if statement and not text.startswith(_NO_STATEMENT):
            yield _Line(at, number, statement, above)


def _latest(
    history: History, hits: Hits, line: _Line, dated: Sequence[_Line], trusts: TrustLookup
) -> _Line | None:
    """Return the latest dated line that says otherwise than an older one, None if the latest one repeats its value."""
    near = _near(line, dated)
    if not near:
        return None
    from clawgit.understanding.corrections.says_otherwise import Described, repeats, says_otherwise

    stated = Described(line.text, line.above)
    for each in near:
        day = date_of(hits.results[each.hit].path)
        if day is None:
            continue
        other = Described(each.text, each.above)
        if says_otherwise(stated, other, day):
            if _is_older(history, hits, line, each, trusts):
                return each
            return None
        if repeats(stated, other, day):
            return None
    return None


def _near(line: _Line, dated: Sequence[_Line]) -> list[_Line]:
    """Return the dated lines with a third of a line's words and a value or name: reading a text takes half a millisecond."""
    near = []
    own = len(words_shared(line.text, line.text))
    for each in dated:
        shared = len(words_shared(line.text, each.text))
        if shared * MOST_BESIDE >= own > 0 and each.text != line.text and TELLING.search(each.text):
            near.append(each)
    return near[:MOST_READ]


def _is_older(history: History, hits: Hits, line: _Line, dated: _Line, trusts: TrustLookup) -> bool:
    """Say whether a line's words stood before a dated one: by its commit, unless that made or adopted the workspace."""
    result = hits.results[line.hit]
    if result.source == EXTRA and not is_beside_memory(result.path):
        return True  # nothing says since when
    since = _since(history, hits, line, trusts)
    if since is None:
        return False  # written just now
    day = str(date_of(hits.results[dated.hit].path))
    if since[:10] != day:
        return since[:10] < day
    written = _since(history, hits, dated, trusts)
    return written is None or written > since


def _since(history: History, hits: Hits, line: _Line, trusts: TrustLookup) -> str | None:
    """Return when a line's words came, empty if before the workspace, None if no commit has them."""
    data = hits.texts.get(hits.results[line.hit].path) or b""
    latest = ""
    for key in keys_of_lines(data, line.number, line.number):
        origin = trusts.origin(key)
        if origin is None:
            return None
        if not _is_taken_over(history, origin.commit_id):
            latest = max(latest, origin.at)
    return latest


def _is_taken_over(history: History, commit_id: str) -> bool:
    """Say whether a commit is a repository's first, or of an adoption, whose commits have one time: its words may be older."""
    commit = history.objects.commit(commit_id)
    moment = commit.committed_at
    for _ in range(OF_ADOPTION):
        if not commit.parent_ids:
            return True
        op = commit.trailers.first("Clawgit-Op") or ""
        if op.startswith((INIT_OP, ADOPTION_OP)):
            return True
        if not op.startswith(KEEP_OP):
            break
        commit = history.objects.commit(commit.parent_ids[0])
        if commit.committed_at != moment:
            break
    return False
