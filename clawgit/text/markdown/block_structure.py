"""Where Markdown keeps its blocks and list items, as line ranges of the bytes. Nothing is ever rendered."""

from __future__ import annotations

from dataclasses import dataclass
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
    """One list item's own lines: 0-based, end exclusive, without trailing blanks and without nested items."""

    first: int
    last: int
    text_last: int  # where its opening paragraph ends; ``first`` if it opens with anything else
    indent: int  # bytes before its marker
    marker_width: int  # bytes from the marker to the text
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
    """Parse the blocks of ``text``, remembering the last few; callers leave the tokens as they are."""
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
    """Return how many lines the YAML front matter takes, both `---` included; what is between must begin like a mapping."""
    lines = split_lines(text.removeprefix(BOM))
    if not lines or not _is_rule(lines[0]):
        return 0
    for number, line in enumerate(lines[1:], start=1):
        if _is_rule(line):
            meant = [each for each in lines[1:number] if each.strip() and not each.lstrip().startswith(b"#")]
            return number + 1 if not meant or _KEY.match(meant[0]) else 0
    return 0


def list_items(text: bytes) -> list[ListItem]:
    """Return the list items, nested ones too, in the order of their lines; none in code, HTML, front matter or quotations."""
    lines = split_lines(text)
    parsed = parse_markdown(text)
    items: list[ListItem] = []
    open_items: list[_OpenItem] = []
    outline = Outline()
    quotes = 0
    for token in parsed.tokens:
        outline.take(token)
        if token.type in {"blockquote_open", "blockquote_close"}:
            quotes += token.nesting
        if quotes:
            continue
        first, last = parsed.lines_of(token)
        if token.type == "list_item_open":
            for outer in open_items:
                outer.last = min(outer.last, first)
                outer.expects_text = False
            open_items.append(_OpenItem(first, last, first))
        elif token.type == "list_item_close":
            markers = sum(outer.first == open_items[-1].first for outer in open_items)
            item = open_items.pop()
            if trim_blank(lines, item.first, item.last) > item.first:
                items.append(_closed(item, lines, markers, outline.path))
        elif open_items and open_items[-1].expects_text:
            open_items[-1].expects_text = False
            if token.type == "paragraph_open":
                open_items[-1].text_last = last
    return sorted(items, key=lambda item: item.first)


@dataclass(slots=True)
class _OpenItem:
    first: int
    last: int
    text_last: int
    expects_text: bool = True


def _closed(item: _OpenItem, lines: list[bytes], markers: int, section: tuple[str, ...]) -> ListItem:
    last = trim_blank(lines, item.first, item.last)
    text_last = trim_blank(lines, item.first, min(item.text_last, last))
    line = lines[item.first]
    start = end = len(BOM) if line.startswith(BOM) else 0
    for _ in range(markers):
        match = _MARKER.match(line, end)
        if match is None:
            break
        start, end = end, match.end()
    indent, content = start + len(line[start:end]) - len(line[start:end].lstrip(b" \t")), end
    return ListItem(item.first, last, text_last, indent, content - indent, section)


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


def _is_rule(line: bytes) -> bool:
    return without_end(line).rstrip(b" \t") == b"---"
