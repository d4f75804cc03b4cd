"""A text as pieces: its entries as wholes, and every other line."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import cached_property, lru_cache
from itertools import accumulate, chain, filterfalse, takewhile
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.entries import Entry, is_earlier_wording, mark_of, read_entries, without_notes
from clawgit.memory.entries.tiers import tier_of
from clawgit.text.comparing.similarity import words
from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern
from clawgit.text.markdown.block_structure import parse_markdown, safe_parts
from clawgit.text.markdown.lines import as_utf8, is_heading, split_lines
from clawgit.text.safety.control_characters import legible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


ENTRY, PLAIN, QUOTED = "- ", "", "> "
FORMS = (ENTRY, PLAIN, QUOTED)
CORRECTION = "x: "
# In no text, as it counts as a space: before the key of words that the operator took out, or a commit and the key that it took over.
TAKEN_OUT = "\x1f"
# Markdown takes a second for 40,000 lines; a larger change is not parsed, and lends no authority.
MOST_BYTES = 256 * 1024
_MAY_HAVE_ID = b"<!--"
_QUOTING = frozenset({"fence", "code_block", "html_block", "blockquote_open"})
_DRESS = lazy_pattern(r"(?:[>#]+ ?|[-*+] |\d{1,9}[.)] |<!--+ ?)*")
# One entry, or prose, whatever is above and below it.
_ITEM = lazy_bytes_pattern(
    rb"- (?:\*{1,2}|_{1,2})?(?!\d{1,9}[.)])[\w\"'(@$\x80-\xff][^\r\n]*(?:\r?\n[ \t]*)*\r?"
)
_PROSE = lazy_bytes_pattern(rb"(?!\d{1,9}[.)])[\w\"'(@$\x80-\xff][^\r\n]*|#{1,6}[ \t][^\r\n]*|[ \t]*")


class Piece(NamedTuple):
    """An entry's words and id, or another line's words, white space folded; bytes that are not UTF-8 become marks."""

    words: str
    form: str = ENTRY
    entry_id: str | None = None

    @property
    def key(self) -> str:
        """Return the words with their form: an entry's differ from a quotation's."""
        return self.form + self.words


class Text:
    """One version of a file, with cached readings."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        parts = safe_parts(data)
        self.is_cut = parts is not None
        self.parts = [data] if parts is None else parts
        self._read = _parsed if parts is None else _read
        self._keys: dict[tuple[int, int], frozenset[str]] = {}

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        return tuple(piece for part in self.parts for piece in self._read(part).values())

    def between(self, first: int, last: int) -> list[Piece]:
        """Return the pieces on the lines ``first`` to ``last`` (from 1); only their parts are parsed."""
        start = max(0, bisect_right(self._placed, first - 1, key=itemgetter(0)) - 1)
        pieces = []
        for begin, part in takewhile(lambda part: part[0] < last, self._placed[start:]):
            pieces += [piece for at, piece in self._read(part).items() if first <= begin + at + 1 <= last]
        return pieces

    def keys_between(self, first: int, last: int) -> frozenset[str]:
        if (first, last) not in self._keys:
            self._keys[first, last] = frozenset(map(attrgetter("key"), self.between(first, last)))
        return self._keys[first, last]

    @cached_property
    def _placed(self) -> list[tuple[int, bytes]]:
        starts = accumulate((part.count(b"\n") + 1 for part in self.parts), initial=0)
        return list(zip(starts, self.parts, strict=False))


def changed_pieces(olds: Sequence[Text], new: Text) -> tuple[list[Piece], list[Piece]]:
    """Return the pieces of ``new`` that none of ``olds`` has, and those of any of ``olds`` that it lacks."""
    if len(olds) == 1 and olds[0].is_cut and new.is_cut:
        both = frozenset(olds[0].parts).intersection(new.parts)
        before = _pieces_of(filterfalse(both.__contains__, olds[0].parts))
        after = _pieces_of(filterfalse(both.__contains__, new.parts))
    else:
        before = dict.fromkeys(chain.from_iterable(map(attrgetter("pieces"), olds)))
        after = dict.fromkeys(new.pieces)
    gone = sorted(before.keys() - after.keys(), key=lambda piece: (piece.key, piece.entry_id or ""))
    return list(filterfalse(before.__contains__, after)), gone


def _pieces_of(parts: Iterable[bytes]) -> dict[Piece, None]:
    return dict.fromkeys(piece for part in parts for piece in _read(part).values())


def readable(path: str, data: bytes) -> bytes:
    """Return a file for reading pieces: beside memory decoded as for search; memory's bytes unchanged."""
    if tier_of(path) is None:
        return as_utf8(data)
    return data


def piece_of(entry: Entry) -> Piece:
    return Piece(storable(entry.text), ENTRY, entry.entry_id)


def storable(text: str) -> str:
    """Return text for a database: bytes that are not UTF-8 become marks, always the same ones."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def line_pieces(data: bytes) -> dict[int, Piece]:
    """Return the piece of each line (from 0), without blank lines."""
    entries = read_entries(data)
    lines = split_lines(data)
    whole = {at: piece_of(entry) for entry in entries for at in range(entry.first, entry.last)}
    pieces = {at: piece for at, piece in whole.items() if not is_earlier_wording(lines[at])}
    parsed = parse_markdown(data)
    quoted: set[int] = set()
    for token in parsed.tokens:
        if token.type in _QUOTING:
            quoted.update(range(*parsed.lines_of(token)))
    for at, line in enumerate(lines):
        if at not in pieces and (words := bare_words(line)):
            pieces[at] = Piece(words, QUOTED if at in quoted or at in whole else PLAIN)
    return pieces


@lru_cache(maxsize=1024)  # the next commit changes what this one wrote
def _read(part: bytes) -> Mapping[int, Piece]:
    """Return the piece of each line (from 0) of a part; usual lines are matched by pattern, 50 times faster than a parser."""
    if _ITEM.fullmatch(part):
        piece = Piece(_folded(part[2:]), ENTRY, mark_of([part]) if _MAY_HAVE_ID in part else None)
        return {0: piece}
    lines = part.split(b"\n")
    if all(_PROSE.fullmatch(line.removesuffix(b"\r")) for line in lines):
        return {at: Piece(words, PLAIN) for at, line in enumerate(lines) if (words := bare_words(line))}
    return _parsed(part)


@lru_cache(maxsize=64)
def _parsed(data: bytes) -> Mapping[int, Piece]:
    if len(data) > MOST_BYTES:
        lines = enumerate(split_lines(data))
        return {at: Piece(words, QUOTED) for at, line in lines if (words := bare_words(line))}
    return line_pieces(data)


def _folded(line: bytes) -> str:
    return " ".join(without_notes(line).decode("utf-8", "replace").split())


def bare_words(line: bytes) -> str:
    """Return a line's words without id and Markdown markers."""
    return _DRESS.sub("", _folded(line), count=1).removesuffix("-->").rstrip()


def headings_in(data: bytes) -> set[str]:
    """Return the words of a text's headings."""
    return set(map(bare_words, filter(is_heading, split_lines(data))))


class Origin(NamedTuple):
    """The change that first brought some words, and their trust; ``said_in`` is the operator's later one that said yes to them."""

    commit_id: str
    at: str
    actor: str
    trust: str
    said_in: str = ""


class Seen(NamedTuple):
    """An event of one entry in one commit: its words, a mention, or a class.

    For a correction (id with `x:`): its wording.

    For words: their place, and the words (and id) they replaced. ``said`` is the evidence,
    line by line, or for a mention or class the text after the id.

    For the log alone: removed entries (``before``), lines of identity files, files with only counted lines (``said``), and
    what the operator approves.
    """

    entry_id: str
    kind: str  # "words", "mention", "class" or "correction"; for the log: "left", "line", "lines" or "yes"
    commit_id: str
    at: str
    said: str = ""
    path: str = ""
    words: str = ""
    before: str = ""
    before_id: str = ""


_SIGNS = str.maketrans(
    dict.fromkeys("’‘ʼ‛`´", "'")
    | dict.fromkeys("‐‑‒–—―−", "-")
    | dict.fromkeys('"“”„‟«»‹›「」『』《》″')
    | {"。": ".", "…": "."}
)
_TAG = lazy_pattern(r"</?(?:b|i|em|strong|u|mark|code|small|span)(?:\s[^<>]*)?>", re.IGNORECASE)
_ESCAPED = lazy_pattern(r"\\(?=[!-/:-@\[-`{-~])")
# Marks of emphasis, but not a star between digits, nor an apostrophe or underscore within a word.
_EMPHASIS = lazy_pattern(r"(?<![\d*])\*+|\*+(?![\d*])|(?<!\w)['_]+|['_]+(?!\w)|(?<![^\W_])_+|_+(?![^\W_])")
_END = lazy_pattern(r"(?<=\S)[.!,;:]+(?=\s|\Z)")
# A checkbox and a date before a statement, and tags after it, are not content.
_STAMP = lazy_pattern(r"\A(?:\[[ xX]\]\s+)?(?:\d{4}-\d\d-\d\d:\s+)?")
_TAGS = lazy_pattern(r"(?:\s+#\w[\w/-]*)+\Z")
_LINK = lazy_pattern(r"!?\[([^\[\]]+)\]\([^()\s]*\)")
_ADDRESS = lazy_pattern(r"<((?:https?://|mailto:)?[^<>\s]*[@:/][^<>\s]*)>")
_PLAIN_WORD = lazy_pattern(r"\w+")


def plain_words(text: str) -> str:
    """Return a statement without formatting; a different letter, number or word stays a difference."""
    if "&" in text:
        from html import unescape  # noqa: PLC0415 - takes 1 ms, and few lines have one

        text = unescape(text)
    if not text.isascii():
        text = legible(unicodedata.normalize("NFC", text)).text
    text = _TAGS.sub("", _STAMP.sub("", text, count=1))
    text = _ADDRESS.sub(r"\1", _LINK.sub(r"\1", _TAG.sub("", text)))
    text = _ESCAPED.sub("", text).translate(_SIGNS)
    return "".join(_END.sub("", _EMPHASIS.sub("", text)).casefold().split())


def traces(text: str) -> set[tuple[str, ...]]:
    """Return the keys for finding similar texts: each three consecutive words."""
    text_words = _PLAIN_WORD.findall(text.lower()) if text.isascii() else words(text)
    return set(zip(text_words, text_words[1:], text_words[2:], strict=False))
