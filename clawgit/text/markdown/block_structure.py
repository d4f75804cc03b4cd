"""Where Markdown keeps its blocks and list items, as line ranges of the bytes. Nothing is ever rendered."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.text.lazy_pattern import lazy_bytes_pattern
from clawgit.text.markdown.lines import split_lines, without_end
from clawgit.text.markdown.plain_tokens import BlockToken, plain_tokens

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

REMEMBERED = 8
BOM = b"\xef\xbb\xbf"
_MARKER = lazy_bytes_pattern(rb"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]*")
_KEY = lazy_bytes_pattern(rb"[^\s#\-][^:]*:(?:\s|\Z)")


class ListItem(NamedTuple):
    """One list item's own lines: 0-based, end exclusive, without trailing blanks and without nested items.

    ``text_last`` is where its opening paragraph ends (``first`` if it opens with anything else); ``indent``
    is the number of bytes before its marker and ``marker_width`` of those from the marker to the text.
    """

    first: int
    last: int
    text_last: int
    indent: int
    marker_width: int
    section: tuple[str, ...]


class Parsed(NamedTuple):
    """Block tokens, link definitions by label, and the number of front matter lines before them."""

    tokens: tuple[BlockToken, ...]
    links: dict[str, str]
    offset: int

    def lines_of(self, token: BlockToken) -> tuple[int, int]:
        return (token.map[0] + self.offset, token.map[1] + self.offset) if token.map else (0, 0)


@lru_cache(maxsize=REMEMBERED)
def parse_markdown(text: bytes) -> Parsed:
    """Parse the blocks of ``text``; bytes that are not UTF-8 never raise and never move a line.

    One edit asks for the same text several times (400 entries: 10 ms each), so the last few are remembered;
    callers leave the tokens as they are.
    """
    body, offset = body_of(text)
    tokens = plain_tokens(body)
    return Parsed(*parsed_by_markdown_it(body), offset) if tokens is None else Parsed(tokens, {}, offset)


def body_of(text: bytes) -> tuple[str, int]:
    """Return what is below the front matter, and how many lines that takes."""
    offset = front_matter_lines(text)
    return b"".join(split_lines(text)[offset:]).removeprefix(BOM).decode("utf-8", "replace"), offset


def parsed_by_markdown_it(body: str) -> tuple[tuple[BlockToken, ...], dict[str, str]]:
    """Return the block tokens of any text without front matter, and its link definitions by label."""
    found: dict[str, Any] = {}
    tokens = tuple(
        BlockToken(
            token.type,
            token.tag,
            token.nesting,
            token.level,
            (token.map[0], token.map[1]) if token.map else None,
            token.content,
            token.info,
        )
        for token in _parser().parse(body, found)
    )
    return tokens, {label: str(link["href"]) for label, link in found.get("references", {}).items()}


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def front_matter_lines(text: bytes) -> int:
    """Return how many lines the YAML front matter takes, both `---` included; 0 without one.

    A rule at the top is none: what is between must begin like a mapping.
    """
    lines = split_lines(text.removeprefix(BOM))
    if not lines or not _is_rule(lines[0]):
        return 0
    for number, line in enumerate(lines[1:], start=1):
        if _is_rule(line):
            return number + 1 if _begins_mapping(lines[1:number]) else 0
    return 0


def list_items(text: bytes) -> list[ListItem]:
    """Return the list items of ``text``, nested ones on their own, in the order of their lines.

    Not items: what is in code, HTML blocks, front matter or a quotation, and items without
    a line of their own (the outer one of `- - x`).
    """
    reader = _ItemReader(split_lines(text), parse_markdown(text))
    for token in reader.parsed.tokens:
        reader.take(token)
    return sorted(reader.items, key=lambda item: item.first)


def trim_blank(lines: list[bytes], first: int, last: int) -> int:
    """Return ``last`` moved up over the blank lines at the end of the range, not above ``first``."""
    while last > first and not lines[last - 1].strip():
        last -= 1
    return last


class Outline:
    """The headings above the present place."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []
        self._level = 0

    def take(self, token: BlockToken) -> None:
        """Follow ``token``; only headings at the top level count."""
        if token.type == "heading_open" and token.level == 0:
            self.enter(int(token.tag[1:]))
        elif token.type == "inline" and self._level:
            self.name(token.content)

    def enter(self, level: int) -> None:
        self._level = level
        self._open = [(above, title) for above, title in self._open if above < level]

    def name(self, title: str) -> None:
        self._open.append((self._level, title))
        self._level = 0

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._open)


class _OpenItem:
    def __init__(self, first: int, last: int) -> None:
        self.first = first
        self.last = last
        self.text_last = first
        self.expects_text = True


class _ItemReader:
    def __init__(self, lines: list[bytes], parsed: Parsed) -> None:
        self.lines = lines
        self.parsed = parsed
        self.items: list[ListItem] = []
        self.open_items: list[_OpenItem] = []
        self.outline = Outline()
        self.quotes = 0

    def take(self, token: BlockToken) -> None:
        self.outline.take(token)
        if token.type in {"blockquote_open", "blockquote_close"}:
            self.quotes += token.nesting
        if self.quotes:
            return
        if token.type == "list_item_open":
            self._open(*self.parsed.lines_of(token))
        elif token.type == "list_item_close":
            self._close()
        elif self.open_items and self.open_items[-1].expects_text:
            self._take_text(token)

    def _open(self, first: int, last: int) -> None:
        for outer in self.open_items:
            outer.last = min(outer.last, first)
            outer.expects_text = False
        self.open_items.append(_OpenItem(first, last))

    def _take_text(self, token: BlockToken) -> None:
        item = self.open_items[-1]
        item.expects_text = False
        if token.type == "paragraph_open":
            item.text_last = self.parsed.lines_of(token)[1]

    def _close(self) -> None:
        markers = sum(outer.first == self.open_items[-1].first for outer in self.open_items)
        item = self.open_items.pop()
        last = trim_blank(self.lines, item.first, item.last)
        if last == item.first:
            return
        indent, content = _marker_at(self.lines[item.first], markers)
        text_last = trim_blank(self.lines, item.first, min(item.text_last, last))
        self.items.append(ListItem(item.first, last, text_last, indent, content - indent, self.outline.path))


def _marker_at(line: bytes, markers: int) -> tuple[int, int]:
    start = end = len(BOM) if line.startswith(BOM) else 0
    for _ in range(markers):
        match = _MARKER.match(line, end)
        if match is None:
            break
        start, end = end, match.end()
    return start + len(line[start:end]) - len(line[start:end].lstrip(b" \t")), end


def _is_rule(line: bytes) -> bool:
    return without_end(line).rstrip(b" \t") == b"---"


def _begins_mapping(lines: list[bytes]) -> bool:
    meant = [line for line in lines if line.strip() and not line.lstrip().startswith(b"#")]
    return not meant or _KEY.match(meant[0]) is not None
