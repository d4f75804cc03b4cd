"""Entries, the remembered statements of a T1 file: read from its list items, and added to them."""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern
from clawgit.text.markdown.block_structure import (
    REMEMBERED,
    ListItem,
    ends_open,
    list_items,
    parse_markdown,
    trim_blank,
)
from clawgit.text.markdown.lines import line_end, split_lines, without_end
from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import date


_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # without i, l, o, u, easily confused with 1, 0 and v
_SHORTEST = 6
_LONGEST = 48
_OPEN, _SAYS = b"<!--", "Source: "
# A note of the promotion's source, at the end of a line; a bare link or name is the writer's own.
_SOURCE = _SAYS + r"[^\s#<>:`]{1,300}#L\d{1,9}(?:-L?\d{1,9})?(?=[ \t]*(?:<!--|#[^\s#]|[\r\n]|\Z))"
# Between backticks it is an example, not an id.
_MARK = lazy_bytes_pattern(rb"(?<!`)<!--[ \t]*m:([0-9a-z]+)(?:[ \t]+understood)?[ \t]*-->(?!`)")
_SUPERSEDED = rb"(?<!`)<!--[ \t]*superseded: k:[0-9a-z]+[ \t]*-->(?!`)"
# Match only from the start of a run: else each of a million spaces would be tried.
_MARK_AND_SPACE = lazy_bytes_pattern(
    rb"(?:(?<![ \t])[ \t]+)?(?:" + _MARK.pattern + rb"|" + _SUPERSEDED + rb")"
)
_SUPERSEDED_AND_SPACE = lazy_bytes_pattern(rb"(?:(?<![ \t])[ \t]+)?" + _SUPERSEDED)
_NOTE = lazy_bytes_pattern(
    rb"(?:(?<!`)<!--[ \t]*(?:trigger:[^<>\r\n]{0,200}|importance:[ \t]*\d{1,2}|project:[ \t]*[^<>\s]{1,200}?)[ \t]*-->(?!`)"
    rb"|(?<=[ \t])%s)" % _SOURCE.encode()
)
_NOTE_AND_SPACE = lazy_bytes_pattern(rb"(?:(?<![ \t])[ \t]+)?" + _NOTE.pattern)
_SOURCE_AND_SPACE = lazy_pattern(r"(?<![ \t])[ \t]+" + _SOURCE)
_BEFORE = lazy_bytes_pattern(
    rb"[ \t]*<!-- was(?:, until \d{4}-\d{2}-\d{2})?: (?:(?!--)[^\r\n])*-->[ \t]*(?:\r\n|\r|\n)?"
)
# May change the meaning of later lines: fences, front matter, HTML, an open comment.
_UNUSUAL = lazy_bytes_pattern(rb"```|~~~|\A(?:\xef\xbb\xbf)?---|^[ ]{0,3}<(?!!--[^\r\n]*-->)", re.MULTILINE)
_MARKER = lazy_bytes_pattern(rb"(?:[-*+]|\d{1,9}[.)]) ")
_SAYS_NOTHING = lazy_bytes_pattern(rb"[^A-Za-z0-9\x80-\xff]*|#{1,6} .*|<!--.*-->")
_LAST_LINE = lazy_bytes_pattern(rb"(?:\A|\n)- \S[^\r\n]*\r?\n\Z")
_ITEMS = lazy_bytes_pattern(rb"(?:- \S[^\r\n]*\r?\n)+\Z")


def new_entry_id(statement: str, evidence: str, taken: Collection[str]) -> str:
    """Return an id for this statement and evidence that is not in ``taken``: six characters, one more per collision."""
    source = _source(statement, evidence)
    round_number = 0
    while True:
        digits = _digits(source, round_number)
        for length in range(_SHORTEST, _LONGEST + 1):
            if digits[:length] not in taken:
                return digits[:length]
        round_number += 1


def line_name(statement: str, evidence: str) -> str:
    """Return a name for a line without an id, derived from its text and evidence."""
    return new_entry_id(statement, evidence, ())


def is_made_from(entry_id: str, statement: str, evidence: str) -> bool:
    """Say whether an id was made of this statement on this evidence, and not on another."""
    return len(entry_id) >= _SHORTEST and _digits(_source(statement, evidence), 0).startswith(entry_id)


def _source(statement: str, evidence: str) -> str:
    return " ".join(statement.split()) + "\0" + evidence


def _digits(source: str, round_number: int) -> str:
    return base32(sha256(f"{round_number}\0{source}".encode("utf-8", "surrogatepass")).digest(), _LONGEST)


def base32(digest: bytes, length: int) -> str:
    """Return a digest in unambiguous letters and digits."""
    number = int.from_bytes(digest, "big")
    return "".join(_ALPHABET[(number >> (5 * place)) & 31] for place in range(length))


def notes_on(lines: list[bytes]) -> tuple[bytes, ...]:
    return tuple(note for line in lines if may_hold_notes(line) for note in _NOTE.findall(line))


def without_notes(line: bytes) -> bytes:
    """Return ``line`` without ids, a host's notes, and the white space before them."""
    return _NOTE_AND_SPACE.sub(b"", without_marks(line)) if may_hold_notes(line) else line


def without_sources(text: str) -> str:
    """Return a text without a host's source notes at the ends of its lines."""
    return _SOURCE_AND_SPACE.sub("", text) if _SAYS in text else text


def may_hold_notes(line: bytes) -> bool:
    """Say whether ``line`` may have a note between its words."""
    return _OPEN in line or _SAYS.encode() in line


def is_earlier_wording(line: bytes) -> bool:
    """Say whether a line is the comment with a corrected entry's earlier text."""
    return _OPEN in line and _BEFORE.fullmatch(line) is not None


def plain_lines(lines: Sequence[bytes]) -> str:
    """Return lines for injection: without ids, notes and old wordings."""
    shown = (without_notes(line) for line in lines if not is_earlier_wording(line))
    text = b"".join(shown).decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return "\n".join(map(str.rstrip, text.split("\n"))).strip("\n")


def mark_of(lines: list[bytes]) -> str | None:
    for line in lines:
        if _OPEN in line and (match := _MARK.search(line)) is not None:
            return match[1].decode()
    return None


def marks_in(data: bytes) -> frozenset[str]:
    return frozenset(map(bytes.decode, _MARK.findall(data)))


def without_marks(line: bytes) -> bytes:
    """Return ``line`` without ids, marks of lost conflicts, and the white space before them."""
    return _MARK_AND_SPACE.sub(b"", line) if _OPEN in line else line


def line_words(line: bytes) -> bytes:
    return without_marks(line).strip()


def said_lines(data: bytes) -> Counter[bytes]:
    """Return the lines with content, without ids and extra white space; headings and comments have none."""
    lines = (b" ".join(without_marks(line).split()) for line in split_lines(data))
    return Counter(line for line in lines if not _SAYS_NOTHING.fullmatch(line))


def lines_saying(texts: Iterable[bytes]) -> Counter[bytes]:
    """Return the same of several texts, without list markers."""
    lines: Counter[bytes] = Counter()
    for text in texts:
        if b"\0" not in text:
            for line, count in said_lines(text).items():
                content = _MARKER.sub(b"", line, count=1)
                if not _SAYS_NOTHING.fullmatch(content):
                    lines[content] += count
    return lines


def with_mark(lines: list[bytes], at: int, entry_id: str, *, is_understood: bool = False) -> list[bytes]:
    """Return ``lines`` with ``entry_id`` as their only id: in the place of an old one, else at the end of line ``at``."""
    mark = b"<!-- m:%s%s -->" % (entry_id.encode(), b" understood" if is_understood else b"")
    for place, line in enumerate(lines):
        match = _MARK.search(line)
        if match is not None:
            marked = line[: match.start()] + mark + without_marks(line[match.end() :])
            return [*lines[:place], marked, *map(without_marks, lines[place + 1 :])]
    text = without_end(lines[at])
    marked = text.rstrip(b" \t") + b" " + mark + lines[at][len(text) :]
    return [*lines[:at], marked, *lines[at + 1 :]]


def with_superseded(lines: list[bytes], at: int, conflict_id: str) -> list[bytes]:
    """Return an entry's ``lines`` with a mark of a lost conflict at the end of line ``at``; without an id, unmarked."""
    bare = [_SUPERSEDED_AND_SPACE.sub(b"", line) if _OPEN in line else line for line in lines]
    if not conflict_id:
        return bare
    text = without_end(bare[at])
    mark = b" <!-- superseded: k:%s -->" % conflict_id.encode()
    return [*bare[:at], text.rstrip(b" \t") + mark + bare[at][len(text) :], *bare[at + 1 :]]


def ends_in_item(data: bytes) -> bool:
    """Say whether ``data`` certainly ends with a top-level item `- …`, so that another can be appended directly."""
    return _LAST_LINE.search(data[-4096:]) is not None and not _is_unusual(data)


def appended_items(old: bytes, new: bytes) -> bytes | None:
    """Return what ``new`` appends to ``old`` if that is certainly only new items without ids, else None."""
    if len(new) <= len(old) or not new.startswith(old) or not ends_in_item(old):
        return None
    tail = new[len(old) :]
    if _ITEMS.match(tail) is None or marks_in(tail) or _is_unusual(tail):
        return None
    return tail


def _is_unusual(data: bytes) -> bool:
    """Say whether a text may affect later lines, for example by an open comment."""
    if _UNUSUAL.search(data) is not None:
        return True
    return any(b"<!--" in line and b"-->" not in line.rpartition(b"<!--")[2] for line in data.splitlines())


LONGEST = 2000  # characters of a statement
_ENDS = (".", "!", "?", "。", "！", "？")
_TAG = lazy_pattern(r"#[^\s#]+")
_BULLET = lazy_bytes_pattern(rb" {0,3}[-*+] {1,4}\Z")


class EntryError(ClawgitError, ValueError):
    """A statement cannot become an entry, or cannot be written there."""


class Tag(Enum):
    """The one primary tag of an entry (a correction is not an entry)."""

    EVENT = "event"
    KNOWLEDGE = "knowledge"
    SKILL = "skill"
    DECISION = "decision"


_KNOWN = {tag.value: tag for tag in Tag}


class Entry(NamedTuple):
    """One remembered statement and its own lines (0-based, end exclusive, nested items excluded)."""

    entry_id: str | None
    text: str  # folded, with date and tags, without list marker and id
    tag: Tag | None
    first: int
    last: int
    text_last: int  # end of the opening paragraph, where the id belongs
    lines: tuple[str, ...] = ()  # of a paragraph with several statements

    @property
    def mark(self) -> str:
        """Return its id as cited, or ""."""
        return f"m:{self.entry_id}" if self.entry_id else ""


def read_entries(data: bytes) -> list[Entry]:
    """Return the entries in order of their lines: list items that open with a non-empty paragraph."""
    return list(_entries(data))


@lru_cache(maxsize=REMEMBERED)
def _entries(data: bytes) -> tuple[Entry, ...]:
    lines = split_lines(data)
    entries = (_entry(lines, item) for item in list_items(data) if item.text_last > item.first)
    return tuple(entry for entry in entries if entry.text)


def entry_line(statement: str, *, on: date, tag: Tag | None) -> str:
    """Return ``2026-01-20: statement #tag`` on one line; without ``tag``, a known tag at the statement's end counts."""
    text = folded(statement)
    if "<!--" in text or "-->" in text:
        raise EntryError("A statement cannot contain <!-- or -->.", hint="Write it without the comment.")
    tag = tag or tag_of(text)
    before, tags = _split_tags(text)
    text = " ".join([*before, *(word for word in tags if word[1:].lower() not in _KNOWN)])
    if not text:
        raise EntryError("There is no statement to remember.", hint="Write one sentence.")
    refuse_page(text)
    return f"{on.isoformat()}: {text}" + (f" #{tag.value}" if tag else "")


def refuse_page(statement: str) -> None:
    """Raise `EntryError` for a text too long for one statement."""
    if len(statement) > LONGEST:
        sentence = f"A statement has at most {LONGEST:,} characters, and this one has {len(statement):,}."
        hint = "Write one sentence; a text as long as that belongs into a file of its own below memory/."
        raise EntryError(sentence, hint=hint)


def add_entry(data: bytes, line_text: str) -> bytes:
    """Append a list item in the list's style; `EntryError` if it would not be read as one item."""
    item = line_text.encode("utf-8", "surrogateescape")
    if ends_in_item(data):
        added = b"- " + item + line_end(data)
        _refuse_surprise(b"", added, [line_text], 0)
        return data + added
    style = b"- "
    if _ends_in_list(data):
        style = _style(data, split_lines(data))
    result, at = _with_lines(data, [style + item])
    _refuse_surprise(data, result, [line_text], at)
    return result


def add_items(data: bytes, items: Sequence[Sequence[bytes]]) -> bytes:
    """Append items, given by their lines; `EntryError` if they would not be read as these items."""
    texts = [" ".join(map(attrgetter("text"), read_entries(b"".join(item)))) for item in items]
    result, at = _with_lines(data, list(chain.from_iterable(items)))
    _refuse_surprise(data, result, texts, at)
    return result


def append_entry(data: bytes, line_text: str) -> bytes:
    """Append like `add_entry`, but keep all of ``data`` before the new item: for notes that only grow."""
    added = add_entry(data, line_text)
    if added.startswith(data):
        return added
    lines = split_lines(data)  # blank lines that end the list
    item = line_text.encode("utf-8", "surrogateescape")
    added = data + _style(data, lines) + item + line_end(data)
    _refuse_surprise(data, added, [line_text], len(lines))
    return added


def tag_of(text: str) -> Tag | None:
    """Return the first known tag among the `#tags` at the end of ``text``."""
    names = (word[1:].lower() for word in _split_tags(text)[1])
    return next((_KNOWN[name] for name in names if name in _KNOWN), None)


def _entry(lines: list[bytes], item: ListItem) -> Entry:
    own = lines[item.first : item.last]
    own = [own[0][item.indent + item.marker_width :], *own[1:]]
    words = (b"" if is_earlier_wording(line) else without_notes(line) for line in own)
    clean = [line.decode("utf-8", "surrogateescape") for line in words]
    paragraph = "".join(clean[: item.text_last - item.first])
    text = " ".join("".join(clean).split())
    paragraphs = []
    for first, last in own_lines(lines, item.first, item.text_last):
        paragraphs.append(" ".join("".join(clean[first - item.first : last - item.first]).split()))
    several = tuple(paragraphs) if len(paragraphs) > 1 and " ".join(paragraphs) == text else ()
    return Entry(mark_of(own), text, tag_of(paragraph), item.first, item.last, item.text_last, several)


def own_lines(lines: Sequence[bytes], first: int, last: int) -> list[tuple[int, int]]:
    """Return begin and end of a paragraph's statements; one begins after a sentence's end, or unindented without a small letter."""
    starts = [first]
    for at in range(first + 1, last):
        line = lines[at].decode("utf-8", "surrogateescape")
        above = without_notes(lines[at - 1]).decode("utf-8", "surrogateescape").rstrip()
        if above.endswith(_ENDS) or not (line[:1].isspace() or line[:1].islower()):
            starts.append(at)
    return list(zip(starts, [*starts[1:], last], strict=True))


def is_alone(entry: Entry, lines: Sequence[bytes]) -> bool:
    """Say whether an entry is not indented and has nothing nested below it."""
    below = b""
    if entry.last < len(lines):
        below = lines[entry.last]
    return not lines[entry.first].startswith((b" ", b"\t")) and not below.startswith((b" ", b"\t"))


def _split_tags(text: str) -> tuple[list[str], list[str]]:
    words = text.split()
    end = len(words)
    while end and _TAG.fullmatch(words[end - 1]):
        end -= 1
    return words[:end], words[end:]


def _ends_in_list(data: bytes) -> bool:
    tokens = parse_markdown(data).tokens
    return bool(tokens) and tokens[-1].type in {"bullet_list_close", "ordered_list_close"}


def _with_lines(data: bytes, item: Sequence[bytes]) -> tuple[bytes, int]:
    """Return ``data`` with an item's lines at its end, and the number of the first new line."""
    if ends_open(data):
        raise EntryError("The file ends inside an open code block or comment.", hint="Close it first.")
    end = line_end(data or b"".join(item))
    lines = split_lines(data)
    if lines and without_end(lines[-1]) == lines[-1]:
        lines[-1] += end
    at, gap = len(lines), [end] if lines and lines[-1].strip() else []
    if _ends_in_list(data):
        at, gap = trim_blank(lines, 0, len(lines)), []
    added = [*gap, *(without_end(line) + end for line in item)]
    return b"".join([*lines[:at], *added, *lines[at:]]), at


def _style(data: bytes, lines: list[bytes]) -> bytes:
    """Return the marker of the last top-level item, or `- ` where that is not a bullet."""
    parsed = parse_markdown(data)
    opened = [token for token in parsed.tokens if token.type == "list_item_open" and token.level == 1]
    first = parsed.lines_of(opened[-1])[0]
    for item in list_items(data):
        style = lines[item.first][: item.indent + item.marker_width]
        if item.first == first and _BULLET.fullmatch(style):
            return style
    return b"- "


def _refuse_surprise(old: bytes, new: bytes, texts: Sequence[str], at: int) -> None:
    before = list(map(attrgetter("text"), read_entries(old)))
    after = read_entries(new)
    added = [entry for entry in after if entry.first >= at]
    statements = []
    for text in texts:
        bare = without_notes(text.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")
        statements.append(" ".join(bare.split()))
    if list(map(attrgetter("text"), after)) != [*before, *statements] or len(added) != len(statements):
        sentence = "The statement would not read as one list item."
        raise EntryError(sentence, hint="Write it as one plain sentence.")
