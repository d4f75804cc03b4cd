"""A Markdown file as units, the lines that are found and shown: items, paragraphs, table rows, code. Pure."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.corrections.corrected_entries import correction_pieces
from clawgit.memory.corrections.correction_log import Correction, Status
from clawgit.memory.entries.entries import mark_of, without_sources
from clawgit.memory.entries.statements import without_day
from clawgit.memory.entries.tiers import date_of, day_in, day_in_name, is_correction_file, is_export, tier_of
from clawgit.memory.notes import ASSISTANT, MONTHS, USER, is_machines, lines_about, speaker_of, turns_apart
from clawgit.recall.index.places import ASKS, CORRECTION, HEADING, PRINTED, ROW, UNDECIDED
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.block_structure import (
    Outline,
    Parsed,
    parse_markdown,
    trim_blank,
)
from clawgit.text.markdown.lines import conflicts_in, split_lines, without_conflict_markers, without_end
from clawgit.text.words.terms import index_terms, terms_of
from clawgit.text.words.tokens import count_tokens, fitting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from clawgit.text.markdown.block_structure import BlockToken


_CODE = ("fence", "code_block")
_TAG = lazy_pattern(r"</?[A-Za-z][^<>]*>")
_RULE_CELL = lazy_pattern(r"\s*:?-+:?\s*")


class SearchUnit(NamedTuple):
    """One thing to be found: its lines (from 1, both ends included) and its words without ids.

    ``section`` is its place in `Units.sections`; ``entry`` is `m:…` of an entry or `x:…` of a correction.
    """

    first: int
    last: int
    kind: str
    text: str
    section: int = 0
    entry: str = ""


class Units(NamedTuple):
    """The units of a file in line order, and the titles above each section, outermost first.

    ``corrections`` are keyed by their words, as in the fold.
    """

    units: tuple[SearchUnit, ...]
    sections: tuple[tuple[str, ...], ...] = ((),)
    corrections: Mapping[str, Correction] = {}


def read_units(data: bytes, path: str = "", *, chunk_tokens: int = 400) -> Units:
    """Return the units of ``data``, without front matter, comments, ids and conflict markers; between these an entry is undecided.

    Code is one unit up to ``chunk_tokens``; a correction is one unit in any markup. The organizer's listings
    of entries and a session note's lines about the session are left out.
    """
    if is_export(path, data):
        return Units(())
    conflicts = conflicts_in(data)
    data = without_conflict_markers(data)
    reader = _Reader(split_lines(data), chunk_tokens)
    reader.read(parse_markdown(data))
    pieces = correction_pieces(data, path) if is_correction_file(path) else {}
    corrections = {piece.words: correction for piece, correction in pieces.items()}
    about = lines_about(data)
    units = sorted((unit for unit in reader.units if unit.first > about), key=itemgetter(0))
    for first, *_, last in conflicts:
        for at, unit in enumerate(units):
            if unit.entry and first < unit.first < last:
                units[at] = unit._replace(kind=UNDECIDED)
    if date_of(path) and any(speaker_of(unit.text) in (USER, ASSISTANT) for unit in units):
        for at, unit in enumerate(units):
            if is_machines(unit.text):
                units[at] = unit._replace(kind=PRINTED)
    for correction in corrections.values():
        first, last = correction.first + 1, trim_blank(reader.lines, correction.first, correction.last)
        section = next((unit.section for unit in units if unit.first >= first), 0)
        units_left = [unit for unit in units if not first <= unit.first <= last]
        if correction.holds and correction.status is not Status.LINKED:  # a link is shown beside its entry
            text = "\n".join(filter(None, (correction.correct, correction.said)))
            units_left.append(
                SearchUnit(first, last, CORRECTION, text, section, f"x:{correction.correction_id}")
            )
        units = sorted(units_left, key=lambda unit: unit.first)
    return Units(tuple(units), tuple(reader.sections), corrections)


class _Reader:
    def __init__(self, lines: list[bytes], chunk_tokens: int) -> None:
        self.lines, self.chunk_tokens = lines, chunk_tokens
        self.units: list[SearchUnit] = []
        self.sections: list[tuple[str, ...]] = [()]
        self.begins = [0]
        self.outline = Outline()
        self.items = 0
        self.seen: set[int] = set()

    def read(self, parsed: Parsed) -> None:
        for token, after in zip(parsed.tokens, (*parsed.tokens[1:], None), strict=False):
            self.outline.take(token)
            if token.type in {"list_item_open", "list_item_close"}:
                self.items += token.nesting
            if token.nesting == -1 or token.type == "inline" or token.map is None:
                continue
            self._block(token, after, parsed.lines_of(token))
        for at in range(parsed.offset, len(self.lines)):  # not in a block: link definitions
            if at not in self.seen and self.lines[at].strip():
                self._add(at, at + 1, "line", self.lines[at].decode("utf-8", "replace"))

    def _block(self, token: BlockToken, after: BlockToken | None, place: tuple[int, int]) -> None:
        first, last = place[0], trim_blank(self.lines, *place)
        content = after.content if after is not None and after.type == "inline" else token.content
        if token.type not in _CODE:
            content = without_comments(content)
        if token.type == "heading_open":
            self._heading(token.level, first, last, content)
        elif token.type == "paragraph_open":
            self._paragraph(first, content.split("\n"))
        elif token.type in _CODE:
            self._code(first, last, f"{token.info}\n{content}".strip())
        elif token.type == "html_block":
            self._each_line(first, _TAG.sub(" ", content).split("\n"), "html")
        elif token.type != "hr":
            return
        self.seen.update(range(first, last))

    def _heading(self, level: int, first: int, last: int, title: str) -> None:
        if level == 0:
            self._begin(first, (*self.outline.path, *filter(None, [" ".join(title.split())])))
        self._add(first, last, "heading", title)

    def _begin(self, first: int, titles: tuple[str, ...]) -> None:
        self.sections.append(titles)
        self.begins.append(first)

    def _paragraph(self, first: int, lines: list[str]) -> None:
        if self.items:
            self._item(first, lines)
        elif len(lines) > 1 and _is_rule(lines[1]):
            rows = [row.strip().strip("|") for row in lines]
            titles = self.sections[-1]
            self._begin(first, (*titles, " ".join(rows[0].split())))  # a row's heading
            self._add(first, first + 1, HEADING, rows[0])  # found and shown with the rows below it
            self._each_line(first + 2, rows[2:], ROW)
            self._begin(first + len(rows), titles)
        else:
            for begin, end in lines_apart(lines):
                self._add(first + begin, first + end, "paragraph", "\n".join(lines[begin:end]))

    def _item(self, first: int, lines: list[str]) -> None:
        """Take an item, with speech or program output that Markdown parses as its continuation."""
        kind = "item"
        for begin, end in turns_apart(lines):
            self._add(first + begin, first + end, kind, "\n".join(lines[begin:end]))
            kind = "paragraph"

    def _code(self, first: int, last: int, content: str) -> None:
        if count_tokens(content) <= self.chunk_tokens:
            self._keep(first, last, "code", content)
            return
        for piece in passages(b"".join(self.lines[first:last]), self.chunk_tokens, 0):
            self._keep(first + piece.first - 1, first + piece.last, "code", piece.text)

    def _each_line(self, first: int, lines: list[str], kind: str) -> None:
        for at, line in enumerate(lines, start=first):
            self._add(at, at + 1, kind, line)

    def _add(self, first: int, last: int, kind: str, text: str) -> None:
        text = " ".join(text.split())
        mark = mark_of(self.lines[first:last]) if kind == "item" else None
        self._keep(first, last, kind, text, f"m:{mark}" if mark else "")

    def _keep(self, first: int, last: int, kind: str, text: str, entry: str = "") -> None:
        if text[:1].isalnum() or any(map(str.isalnum, text)):
            section = bisect_right(self.begins, first) - 1
            self.units.append(SearchUnit(first + 1, last, kind, text, section, entry))


def _is_rule(line: str) -> bool:
    """Say whether ``line`` is the rule below a table's head: `|---|:-:|`."""
    cells = line.strip().removeprefix("|").removesuffix("|").split("|")
    return "|" in line and all(map(_RULE_CELL.fullmatch, cells))


class TextPiece(NamedTuple):
    """A piece of a text and its lines, from 1."""

    first: int
    last: int
    text: str


def passages(data: bytes, tokens: int, overlap: int) -> list[TextPiece]:
    """Return ``data`` as pieces of at most ``tokens``, each starting with the end of the one before.

    The overlap is at most ``overlap`` tokens and half a piece. Pieces end at a line's end if possible, else
    behind a space, never within a character. Blank pieces are left out.
    """
    lines = [line.decode("utf-8", "replace") for line in split_lines(data)]
    text = "".join(lines)
    starts = list(accumulate(map(len, lines), initial=0))[:-1]
    overlap = min(overlap, tokens // 2)
    pieces_placed: list[TextPiece] = []
    begin = end = 0
    while end < len(text):
        begin = _overlapping(text, starts, (begin, end), overlap)
        most = _most(text, begin, tokens)
        if most <= end:  # the overlap leaves no room for new text
            begin, most = end, _most(text, end, tokens)
        end = _end(text, starts, max(end, (begin + most) // 2), most)
        piece = text[begin:end]
        if piece.strip():
            pieces_placed.append(TextPiece(bisect_right(starts, begin), bisect_right(starts, end - 1), piece))
    return pieces_placed


def _most(text: str, begin: int, tokens: int) -> int:
    return begin + max(1, fitting(text[begin : begin + 4 * tokens], tokens))


def _end(text: str, starts: list[int], least: int, most: int) -> int:
    if most >= len(text):
        return len(text)
    line = starts[bisect_right(starts, most) - 1]
    if line > least:
        return line
    space = max(text.rfind(" ", least, most), text.rfind("\t", least, most)) + 1
    return space if space > least else most


def _overlapping(text: str, starts: list[int], last: tuple[int, int], overlap: int) -> int:
    """Return where the piece after ``last`` begins within the overlap: at a line's start, else at a word's."""
    begin, end = last
    if not overlap or not end:
        return end
    tail = text[max(begin + 1, end - 4 * overlap) : end]
    earliest = end - fitting(tail[::-1], overlap)
    line = bisect_right(starts, earliest - 1)
    if line < len(starts) and starts[line] < end:
        return starts[line]
    space = text.find(" ", earliest, end)
    return space + 1 if 0 <= space < end - 1 else earliest


_DAY = lazy_pattern(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)")
_OWN = lazy_pattern(r"\W{0,3}(\d{4}-\d{2}-\d{2})(?!\d)")
_MONTH = lazy_pattern(rf"(?<!\d)(\d{{4}})-({'|'.join(MONTHS)})")
_NUMBERED = lazy_pattern(r"(?<!\d)(\d{4})-(?:(\d{2})|Q([1-4]))(?!\d)")
# `Ada: …`, `- **Ada Lovelace**: …`, `[10:30] Ada: …`, `用户：…`
_SAID = lazy_pattern(
    r"[\s>*+-]*(?:[\[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?\s*[-–]?\s*)?[*_]{0,2}(?P<who>[^\W\d_][\w .'’-]{0,30}?)[*_]{0,2}(?:\s?\([^()]{1,20}\))?[*_]{0,2}(?::[*_]{0,2}\s|：)\s*\S"
)
_QUESTION = lazy_pattern(r"[^.!?。！？\n]*[?？]+")
_FEWEST_TOLD = 3  # words beside a question that make it a statement
_ASKS = lazy_pattern(r"[?？؟]\W*(?:[\[(（][^\[\]()（）]*[\])）]\s*)?\Z")
_SLUG = lazy_pattern(r"^\d{4}-\d{2}-\d{2}[-_]?|\.(?:md|markdown|txt)$")
_MOST_WORDS = 3
_MARKERS = lazy_pattern(r"\s*(?:>\s*)*(?:#{1,6}\s+|(?:[-*+]|\d{1,9}[.)])\s+)?")
_FENCE = lazy_pattern(r"\s*(?:```|~~~)")
WRAPPED_WIDTH = 40  # narrower text is not wrapped by an editor
# Text in backticks is an example.
_COMMENT_END = lazy_pattern(r"-->(?!`)")
# `Ada: …`, `**Ada** (10:30): …`, `[10:30] Ada: …`, `用户：…`
_BEGINS_TURN = lazy_pattern(
    r"\W{0,4}(?:\d{1,2}:\d{2}\W{1,3})?\w[\w .'&-]{0,30}(?:\W{0,2}\([^()]{1,30}\))?\W{0,2}(?::\W?\s|：)"
)
_ENDED = lazy_pattern(r"""[.!?。！？…][)\]"'”’」』*_`]*\Z|(?: {2}|\\)\Z""")


def own_day(text: str) -> date | None:
    """Return the day at the end of a line that corrects a note, or at the start, as in `2026-01-20: Chose REST`."""
    _, named = without_day(text)
    if named:
        return day_in(named)
    match = _OWN.match(text) if "-" in text[4:8] else None  # after the year
    return day_in(match[1]) if match else None


def section_day(path: str, titles: Sequence[str]) -> date | None:
    """Return the day of a section: the innermost heading's, else the file's (a month's or quarter's first day)."""
    for title in reversed(titles):
        for day_text in _DAY.findall(title):
            day = day_in(day_text)
            if day is not None:
                return day
    named = date_of(path) if tier_of(path) else day_in_name(path)
    return named or _month_of(path.rpartition("/")[2])


def heading_terms(path: str, titles: Sequence[str] = ()) -> str:
    """Return the terms above a line: of its file's name, and of the headings."""
    return index_terms(" ".join((_SLUG.sub("", path.rpartition("/")[2]), *titles)))


def _month_of(name: str) -> date | None:
    match = _MONTH.search(name)
    if match is not None:
        return day_in(f"{match[1]}-{MONTHS.index(match[2]) + 1:02}-01")
    numbered = _NUMBERED.match(name)
    if numbered is None:
        return None
    month = int(numbered[2]) if numbered[2] else 3 * int(numbered[3]) - 2
    return day_in(f"{numbered[1]}-{month:02}-01")


def traits_of(text: str) -> str:
    """Return the traits of a unit's text, packed: `?` if it ends in a question, then the terms of its speaker.

    Opaque to the index, which hands them to the ranking as `Line.traits`.
    """
    match = _SAID.match(text) if ":" in text or "：" in text else None
    speaker = terms_of(match["who"]) if match else []
    end = text[-300:]
    asks = ""
    if ("?" in end or "？" in end or "؟" in end) and _ASKS.search(end):
        asks = ASKS
    return asks + " ".join(speaker if len(speaker) <= _MOST_WORDS else [])


def only_asks(text: str) -> bool:
    """Say whether a text only asks. `I moved here from Sweden. And you?` also answers."""
    if not traits_of(text).startswith(ASKS):
        return False
    statement_terms = index_terms(_QUESTION.sub(" ", text))
    return len(statement_terms.split()) < _FEWEST_TOLD


def said_in(raw: bytes) -> str:
    """Return the words of a line without markers, comments and ids; empty without any."""
    text = without_end(raw).decode("utf-8", "replace").removeprefix("\ufeff")
    if _FENCE.match(text):
        return ""
    text = without_comments(text)
    match = _MARKERS.match(text)
    if match:
        text = text[match.end() :]
    text = " ".join(text.strip().strip("|").split())
    return text if any(map(str.isalnum, text)) else ""


def without_comments(text: str) -> str:
    """Return ``text`` without HTML comments and a host's notes; line numbers and unclosed comments stay."""
    if "<!--" not in text:
        return without_sources(text)
    parts: list[str] = []
    done = begin = 0
    while (begin := text.find("<!--", begin)) >= 0:
        if text[begin - 1 : begin] == "`":
            begin += 1
            continue
        end = _COMMENT_END.search(text, begin + 2)  # `<!-->` is a comment, too
        if end is None:
            break
        parts += [text[done:begin], "\n" * text.count("\n", begin, end.end())]
        done = begin = end.end()
    return without_sources("".join([*parts, text[done:]]))


def lines_apart(lines: list[str]) -> list[tuple[int, int]]:
    """Return the runs of lines that belong together, as begin and end.

    A line continues the one before if an editor wrapped it: the line before ends with neither a sentence nor
    a hard break, it does not begin with a speaker, and its first word had no room there.
    """
    width = max(map(len, lines), default=0)
    runs: list[tuple[int, int]] = []
    begin = 0
    for at in range(1, len(lines)):
        if not _is_wrapped(lines[at - 1], lines[at], width):
            runs.append((begin, at))
            begin = at
    return [*runs, (begin, len(lines))] if lines else []


def _is_wrapped(before: str, line: str, width: int) -> bool:
    if width < WRAPPED_WIDTH or _ENDED.search(before) or _BEGINS_TURN.match(line):
        return False
    word = ""
    if line.strip():
        word = line.split(None, 1)[0]
    if word[:1] > "\u2e7f":
        word = word[:1]  # without spaces between words: one character would have had room
    return len(before.rstrip()) + 1 + len(word) > width
