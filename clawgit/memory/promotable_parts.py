"""The parts of daily notes worth keeping: scores of texts, parts to promote, and lines for a chronicle's week. Pure."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import dropwhile
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.entries import LONGEST, EntryError, tag_of, without_notes
from clawgit.memory.entries.own_section import core_file
from clawgit.memory.entries.statements import parted, without_time
from clawgit.memory.entries.tiers import date_of
from clawgit.memory.provenance.pieces import QUOTED, Text, headings_in
from clawgit.text.comparing.similarity import decided, words
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.block_structure import HEADINGS, Block, blocks, ends_open, parted_at, trim_blank
from clawgit.text.markdown.lines import line_end, split_lines
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.text.words.stopwords import ENGLISH, is_common
from clawgit.text.words.terms import english_stem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

FULL = 100
_WORD = r"[A-Za-z0-9_]"  # particles and other scripts may follow: `GDPR을`
DEEPEST = 3  # deeper headings open no part
LEAST = 40  # hundredths
DAYS = 7
_BULLETS = (b"-", b"*", b"+")
ROUTINE_DAYS = 5  # a line in this many notes is routine; repetition adds nothing
MOST_LINES = 14  # of a week
WORTH_TELLING = 35  # of 100: one trigger is enough, the line gets its day
ROUTINE = 3  # days with the same line, from which on it is listed once
MOST_ROUTINES = 3
_SHORTEST = 8  # letters
_SESSION, _FIELD = b"# Session", b"- "  # a session's note begins with a list of time and place
_TOKEN = lazy_pattern(r"[^\W_]+(?:[.,:/@'-][^\W_]+)*")
_DECIDING = ("not", "never", "no", "day ", "month ")


class Triggers(NamedTuple):
    """The triggers of one category: words between commas, other patterns, and the weight of each match."""

    category: str
    weight: int
    words: str
    patterns: tuple[str, ...] = ()


# Of equal weights the first is the strongest.
_IMPORTANT = r"(?-i:\b(?:IMPORTANT|CRITICAL)\b)|\bimportant:"
CATEGORIES = (
    Triggers(
        "explicit",
        50,
        "기억해, ★",
        (_IMPORTANT, r"(?<!不用)(?<!不要)(?<!不必)(?<!别)记住", r"(?<!不)重要[:：]"),
    ),
    Triggers("legal", 45, "trademark, patent, GDPR, 상표, 특허, 商标, 专利", (r"(?-i:\bToS\b)",)),
    Triggers("decision", 40, "decided, confirmed, approved, 결정, 확정, 승인, 决定, 确定, 确认, 批准"),
    Triggers(
        "financial",
        35,
        "pricing, margin, BEP, revenue, 가격 책정, 매출, 定价, 利润, 营收",
        (r"[$₩￥¥]\s?\d",),
    ),
    Triggers("architecture", 35, "design, schema, stack, architecture, 아키텍처, 설계, 架构, 技术栈"),
    Triggers("strategy", 35, "roadmap, vision, strategy, 로드맵, 전략, 路线图, 战略, 愿景"),
    Triggers(
        "milestone", 35, "launch, shipped, released, 출시, 发布, 上线", (r"\bphase \d+\b", r"第\S{1,2}阶段")
    ),
    Triggers("people", 30, "partner, client, 변리사, 客户, 合作伙伴"),
    Triggers("people", 40, "meeting results, 미팅 결과, 회의 결과, 会议结果"),
)


class PartScore(NamedTuple):
    """A score in hundredths, and the categories of the matched triggers, the strongest first."""

    score: int
    categories: tuple[str, ...]


def score_of(text: str) -> PartScore:
    """Return the score of ``text``; questions score nothing."""
    statements = "\n".join(line for line in text.splitlines() if not line.rstrip().endswith(("?", "？")))
    by_category: dict[str, int] = {}
    for category, weight, pattern in _patterns():
        if pattern.search(statements) is not None:
            by_category[category] = by_category.get(category, 0) + weight
    strongest = sorted(by_category, key=lambda category: -by_category[category])
    return PartScore(min(FULL, sum(by_category.values())), tuple(strongest))


@cache
def _patterns() -> tuple[tuple[str, int, re.Pattern[str]], ...]:
    patterns = []
    for each in CATEGORIES:
        words = []
        for word in each.words.split(", "):
            bounded = rf"(?<!{_WORD}){re.escape(word)}s?(?!{_WORD})"
            words.append(bounded if word.isascii() else re.escape(word))
        for pattern in (*words, *each.patterns):
            patterns.append((each.category, each.weight, re.compile(pattern, re.IGNORECASE | re.ASCII)))
    return tuple(patterns)


class NotePart(NamedTuple):
    """A part of a note: its title, lines (0-based, end exclusive; heading from ``begins``, words from ``first``), and text."""

    title: str
    begins: int
    first: int
    last: int
    text: str

    @property
    def scored(self) -> str:
        return f"{self.title}\n{self.text}" if self.title else self.text


def parts_of(data: bytes) -> list[NotePart]:
    lines = split_lines(data)
    all_blocks = blocks(data)
    opening = [block for block in all_blocks if block.kind in HEADINGS[:DEEPEST] and not block.inside]
    edges = [*map(attrgetter("first"), opening), len(lines)]
    parts = _loose(lines, all_blocks, 0, edges[0])
    for heading, end in zip(opening, edges[1:], strict=True):
        if heading.kind == HEADINGS[0]:
            parts += _loose(lines, all_blocks, heading.last, end)
        else:
            last = trim_blank(lines, heading.last, end)
            title = without_time(" ".join(heading.content.split()))
            parts.append(NotePart(title, heading.first, heading.last, last, _text(lines, heading.last, last)))
    return [part for part in parts if part.text.strip()]


def without_parts(data: bytes, parts: Iterable[NotePart]) -> bytes:
    """Return the note without these parts; all else stays, but no two blank lines remain at a gap."""
    lines = split_lines(data)
    gone = {at for part in parts for at in range(part.begins, part.last)}
    rest: list[bytes] = []
    for at, line in enumerate(lines):
        follows_gone = at and at - 1 in gone and not line.strip()
        if at in gone or (follows_gone and (not rest or not rest[-1].strip())):
            if follows_gone and at not in gone:
                gone.add(at)
            continue
        rest.append(line)
    ended = trim_blank(lines, 0, len(lines)) - 1 in gone  # the blank lines led to removed text
    return b"".join(rest[: trim_blank(rest, 0, len(rest))] if ended else rest)


def _loose(lines: list[bytes], blocks: list[Block], first: int, last: int) -> list[NotePart]:
    """Return each block between two lines as a part: an item with its nested lines, or a paragraph."""
    parts = []
    for block in blocks:
        is_item = block.kind == "list_item" and len(block.inside) == 1 and block.inside[0].endswith("list")
        is_outermost = is_item or not block.inside
        if first <= block.first < last and block.kind not in HEADINGS and is_outermost:
            end = trim_blank(lines, block.first, block.last)
            parts.append(NotePart("", block.first, block.first, end, _text(lines, block.first, end)))
    return parts


def _text(lines: list[bytes], first: int, last: int) -> str:
    return b"".join(lines[first:last]).decode("utf-8", "replace")


class Promotable(NamedTuple):
    """A part of a note and its score; ``sessions``: the number of sessions that needed it."""

    path: str
    part: NotePart
    scored: PartScore
    sessions: int = 0


def recent(paths: Iterable[str], on: date, days: int) -> list[str]:
    """Return the dated notes of the last days, oldest first, without future ones."""
    dated = []
    for path in paths:
        day = date_of(path)
        if day is not None and 0 <= (on - day).days <= days:
            dated.append((day, path))
    return [path for _, path in sorted(dated)]


def promotable(
    notes: Mapping[str, bytes], wrong: Iterable[str] = (), *, least: int = LEAST
) -> list[Promotable]:
    """Return the parts that score ``least`` or more, best first, without routine and texts that a correction found ``wrong``."""
    days = Counter(line for data in notes.values() for line in set(map(_bare, split_lines(data))))
    routine = {line for line, number in days.items() if number >= ROUTINE_DAYS} | {b""}
    refused = [each.casefold() for each in wrong if each]
    parts = []
    for path, data in notes.items():
        for part in parts_of(data):
            scored = score_of(part.scored)
            text = part.text.casefold()
            is_routine = routine.issuperset(map(_bare, part.text.encode().splitlines()))
            if scored.score >= least and not is_routine and not any(each in text for each in refused):
                parts.append(Promotable(path, part, scored))
    return sorted(parts, key=lambda each: (-each.scored.score, each.path, each.part.begins))


def target_of(categories: Iterable[str], exists: Callable[[str], bool]) -> str:
    """Return the file of the strongest category that has one (`memory/legal.md`, `memory/decisions.md`), else MEMORY.md."""
    strongest = next(iter(categories), "")
    for name in (strongest, f"{strongest}s"):
        path = f"memory/{name}.md"
        if strongest and exists(path):
            return path
    return core_file(exists)


def _bare(line: bytes) -> bytes:
    return b" ".join(without_notes(line).split())


def with_part(data: bytes, title: str, day: date, body: Sequence[bytes]) -> bytes:
    """Append a part, or insert it in the section `## TITLE (2026-03-19)`; `EntryError` where something is open."""
    end = line_end(data or b"".join(body))
    if ends_open(data) or ends_open(b"".join(body)):
        raise EntryError("It ends inside an open code block or comment.", hint="Close it first.")
    name = f"{title} ({day})" if title else day.isoformat()
    text = b"".join(body).strip(b"\r\n") + end
    head, section, rest = parted_at(data, name)
    if len(head) > len(data):  # no such section yet
        before = data.rstrip(b"\r\n")
        heading = f"## {name}".encode("utf-8", "surrogateescape")
        return before + (2 * end if before else b"") + heading + 2 * end + text
    before = (head + section).rstrip(b"\r\n")
    is_list = split_lines(before)[-1].lstrip().startswith(_BULLETS) and text.startswith(_BULLETS)
    text = before + (end if is_list else 2 * end) + text
    if rest.strip():
        text += end + rest.lstrip(b"\r\n")
    return text


class NoteText(NamedTuple):
    """A daily note's day and text."""

    day: date
    data: bytes


def extract(
    notes: Sequence[NoteText], wrong: Iterable[str] = (), is_noise: Callable[[str], bool] = lambda _: False
) -> tuple[str, ...]:
    """Return the lines worth telling of a week, masked, with days; if none, the first of each note that is not a conversation."""
    refused = [each.casefold() for each in wrong if each]
    statements: dict[tuple[date, str], None] = {}
    talk: set[str] = set()
    for note in notes:
        texts = _statements(note.data)
        if note.data.startswith(_SESSION):
            talk.update(texts)
        for text in texts:
            if not is_noise(text) and not any(each in text.casefold() for each in refused):
                statements[note.day, text] = None
    days = Counter(map(itemgetter(1), statements))
    weights: dict[tuple[date, str], int] = {}
    firsts: dict[date, str] = {}
    often: dict[str, None] = {}
    for each in statements:
        day, text = each
        if days[text] >= ROUTINE:
            often[text] = None
            continue
        weight = score_of(text).score + (WORTH_TELLING if tag_of(text) is not None else 0)
        if weight >= WORTH_TELLING:
            weights[each] = weight
        if text not in talk:
            firsts.setdefault(day, text)
    best = sorted(weights, key=lambda each: -weights[each])[:MOST_LINES]
    worth_telling = list(filter(best.__contains__, weights)) or firsts.items()
    lines = [f"{day.isoformat()}: {text}" for day, text in worth_telling]
    lines += [f"On {days[text]} days: {text}" for text in list(often)[:MOST_ROUTINES]]
    return tuple(map(redact, lines))


def _statements(data: bytes) -> list[str]:
    lines = split_lines(data)
    headings = headings_in(data)
    if data.startswith(_SESSION):
        lines = list(dropwhile(lambda line: line.startswith(_FIELD) or not line.strip(), lines[1:]))
    statements = []
    pieces = (piece.words for piece in Text(b"".join(lines)).pieces if piece.form != QUOTED)
    for statement in dict.fromkeys(pieces):
        parts = parted(statement)
        text = folded(parts.statement + parts.after)
        is_comment = "<!--" in text or "-->" in text
        if statement not in headings and not is_comment and _SHORTEST <= len(text) <= LONGEST:
            statements.append(text)
    return statements


def unfounded(sentence: str, notes: Sequence[str], names: Sequence[str] = ()) -> str:
    """Return the first number, name, day or `not` that no note (or ``names``) has; empty if all are covered."""
    note_words = frozenset(word for text in (*notes, *names) for word in words(text))
    for match in _TOKEN.finditer(sentence):
        token = match.group()
        is_value = any(map(str.isdigit, token))
        small = token.lower()  # a name is capitalised, and no common opening of a sentence
        is_name = token != small and small not in ENGLISH and not is_common(english_stem(small))
        if (is_value or is_name) and not note_words.issuperset(words(token)):
            return token
    there = set(map(decided, note_words))
    for word in words(sentence):
        meaning = decided(word)
        if meaning.startswith(_DECIDING) and meaning not in there:
            return word
    return ""
