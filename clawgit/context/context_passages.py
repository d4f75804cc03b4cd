"""What goes into a context whole or not at all: headings, list items, paragraphs and code of a Markdown file."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.entry_marks import is_earlier_wording, without_notes
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.block_structure import body_of, list_items
from clawgit.text.markdown.blocks import HEADINGS, blocks
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_CHARACTERS = 20_000  # of one file
HEADING, ITEM, PROSE, BLOCK = "heading", "item", "prose", "block"
_KINDS = {"p": PROSE}
_COMMENTS = lazy_pattern(r"(?:\s*<!--(?:(?!-->)[\s\S])*-->)+\s*")
_SENTENCE_END = lazy_pattern(r"[.!?…]+[\"'”’)\]*_]*(?=\s|\Z)|[。！？]+[」』”’）]*")


class Passage(NamedTuple):
    """A piece of a context, without marks; ``path`` and its lines (from 1) say where it was read, in which ``blob``.

    ``since`` and ``until`` say which of its characters are told; until 0 is all of them. With a ``trust`` it is fenced as data.
    Of a slot that is too small, the lowest ``rank`` goes in first, and then what is above. ``note`` is behind it.
    """

    text: str
    kind: str = ITEM
    path: str = ""
    first: int = 0
    last: int = 0
    blob: str = ""
    entry: str = ""
    trust: str = ""
    note: str = ""
    rank: tuple[float, ...] = ()
    since: int = 0
    until: int = 0
    why: str = ""  # it is in; empty where its slot says so

    @property
    def shown(self) -> str:
        """Return what is injected of it."""
        shown = self.text[self.since : self.until].strip() if self.until else self.text
        return f"{shown} ({self.note})" if self.note else shown

    @property
    def level(self) -> int:
        """Return how deep a heading is."""
        return len(self.text) - len(self.text.lstrip("#"))

    @property
    def lines(self) -> range:
        """Return its lines."""
        return range(self.first, self.last + 1)

    @property
    def place(self) -> str:
        """Return where it is, as a person or `memory get` takes it."""
        return f"{self.path}:{self.first}" if self.first else self.path


class FileText(NamedTuple):
    """A file as far as it is read: its text, before which line (from 0) that begins, and whether there is more."""

    data: bytes
    offset: int = 0
    is_cut: bool = False


def read_part(data: bytes, *, keep_end: bool = False, most: int = MOST_CHARACTERS) -> FileText:
    """Return at most so many characters of a file, whole lines: its begin, or its end where it grows there."""
    if len(data) <= most:
        return FileText(data)
    text = data.decode("utf-8", "replace")
    if len(text) <= most:
        return FileText(data)
    lines = split_lines(data)
    used = number = 0
    for line in reversed(lines) if keep_end else lines:
        used += len(line.decode("utf-8", "replace"))
        if used > most:
            break
        number += 1
    if not keep_end:
        return FileText(b"".join(lines[:number]) or _whole_sentences(lines[0]), is_cut=True)
    first = len(lines) - number
    return FileText(b"".join(lines[first:]), first, is_cut=True)


def _whole_sentences(line: bytes) -> bytes:
    text = line.decode("utf-8", "replace")[:MOST_CHARACTERS]
    ends = sentence_ends(text)
    return text[: ends[-1]].encode() if ends else b""


def sentence_ends(text: str) -> list[int]:
    """Return after how many characters each sentence of a text ends."""
    return [end.end() for end in _SENTENCE_END.finditer(text)]


@lru_cache(maxsize=64)
def passages_in(data: bytes, offset: int = 0) -> tuple[Passage, ...]:
    """Return what a Markdown text is made of, in its order; front matter and comments are left out.

    ``offset`` is how many lines of the file are before it.
    """
    lines = split_lines(data)
    _, front = body_of(data)
    names = {entry.first: entry.entry_id or "" for entry in read_entries(data)}
    passages = []
    for kind, first, last in _ranges(data):
        text = plain_lines(lines[first:last])
        if first >= front and text.strip() and not _COMMENTS.fullmatch(text):
            named = names.get(first, "") if kind == ITEM else ""
            entry = f"m:{named}" if named else ""
            passages.append(Passage(text, kind, first=first + 1 + offset, last=last + offset, entry=entry))
    return tuple(passages)


def plain_lines(lines: Sequence[bytes]) -> str:
    """Return lines as they are injected: without ids, notes and earlier wordings."""
    shown = (without_notes(line) for line in lines if not is_earlier_wording(line))
    text = b"".join(shown).decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def _ranges(data: bytes) -> Iterator[tuple[str, int, int]]:
    """Yield kind and lines (from 0) of everything, in order; a list item is one thing, its nested ones others."""
    items = [(ITEM, item.first, item.last) for item in list_items(data)]
    own = {at for _, first, last in items for at in range(first, last)}
    others = []
    for block in blocks(data):
        if block.inside or block.kind == "list_item" or block.first in own or block.last <= block.first:
            continue
        kind = HEADING if block.kind in HEADINGS else _KINDS.get(block.kind, BLOCK)
        others.append((kind, block.first, block.last))
    yield from sorted((*items, *others), key=lambda each: each[1])
