"""Markdown's blocks and list items, as line ranges of the bytes. Nothing is ever rendered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern
from clawgit.text.markdown.lines import joined, line_end, split_lines, without_end

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it import MarkdownIt


class BlockToken(NamedTuple):
    """A token of a text's blocks, named and nested as in markdown-it; ``map`` is its line range."""

    type: str
    tag: str
    nesting: int
    level: int
    map: tuple[int, int] | None = None
    content: str = ""
    info: str = ""


class PlainBlock(NamedTuple):
    """A heading, a paragraph or a list item by its tag, a comment by "", with the lines of its text."""

    tag: str
    first: int
    texts: list[str]


# A line is plain if it is a whole comment, or if its text begins with a letter or digit (after bold or a quote at most),
# is not a numbered item, and does not end with white space.
_LINE = lazy_pattern(
    r"(?P<level>#{1,6}) (?P<title>[^\s#](?:.*[^\s#])?)"
    r"|(?P<comment><!--.*-->)"
    r"|(?P<mark>- |  )?(?P<text>(?![0-9]{1,9}[.)])(?:\*\*|[\"'(`])?[^\W_](?:.*\S)?)"
)
_TAGS = {"- ": "li", "  ": "more", None: "p"}


def plain_tokens(text: str) -> tuple[BlockToken, ...] | None:
    """Return the tokens of ``text``; None if only markdown-it can parse it."""
    blocks = plain_blocks(text)
    return None if blocks is None else tuple(_tokens(blocks, text.removesuffix("\n").count("\n") + 1))


def plain_blocks(text: str) -> list[PlainBlock] | None:
    """Return the blocks of ``text``; None if only markdown-it can parse it."""
    if "\r" in text or "\0" in text or text.endswith("-->"):
        return None
    lines = text.removesuffix("\n").split("\n")
    result: list[PlainBlock] = []
    goes_on = False  # whether the next line may continue the text
    for number, line in enumerate(lines):
        if not line:
            goes_on = False
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            return None
        if match["level"]:
            block = PlainBlock(f"h{len(match['level'])}", number, [match["title"]])
        elif match["comment"]:
            block = PlainBlock("", number, [line])
        else:
            block = PlainBlock(_TAGS[match["mark"]], number, [match["text"]])
        if goes_on and (block.tag == "p" or (block.tag == "more" and result[-1].tag == "li")):
            result[-1].texts.extend(block.texts)
        elif block.tag == "more":
            return None
        else:
            result.append(block)
            goes_on = block.tag in {"p", "li"}
    return result


def _tokens(blocks: list[PlainBlock], lines: int) -> Iterator[BlockToken]:
    ends = [*(block.first for block in blocks), lines][1:]
    for are_items, group in groupby(zip(blocks, ends, strict=False), key=lambda pair: pair[0].tag == "li"):
        tokens = list(group)
        if not are_items:
            for block, _ in tokens:
                yield from _text(block, block.tag, 0)
            continue
        yield BlockToken("bullet_list_open", "ul", 1, 0, (tokens[0][0].first, tokens[-1][1]))
        for block, end in tokens:
            yield BlockToken("list_item_open", "li", 1, 1, (block.first, end))
            yield from _text(block, "p", 2)
            yield BlockToken("list_item_close", "li", -1, 1)
        yield BlockToken("bullet_list_close", "ul", -1, 0)


def _text(block: PlainBlock, tag: str, level: int) -> Iterator[BlockToken]:
    place = (block.first, block.first + len(block.texts))
    if not tag:
        yield BlockToken("html_block", "", 0, level, place, f"{block.texts[0]}\n")
        return
    kind = "heading"
    if tag == "p":
        kind = "paragraph"
    yield BlockToken(f"{kind}_open", tag, 1, level, place)
    yield BlockToken("inline", "", 0, level + 1, place, "\n".join(block.texts))
    yield BlockToken(f"{kind}_close", tag, -1, level)


REMEMBERED = 8
BOM = b"\xef\xbb\xbf"
_MARKER = lazy_bytes_pattern(rb"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]*")
_KEY = lazy_bytes_pattern(rb"[^\s#\-][^:]*:(?:\s|\Z)")


class ListItem(NamedTuple):
    """One list item's own lines: 0-based, end exclusive, without trailing blanks and nested items."""

    first: int
    last: int
    text_last: int  # the end of its opening paragraph; ``first`` if it opens with another block
    indent: int  # bytes before its marker
    marker_width: int  # bytes from the marker to the text
    section: tuple[str, ...]


class Parsed(NamedTuple):
    """Block tokens, link definitions by label, and the number of front matter lines."""

    tokens: tuple[BlockToken, ...]
    links: dict[str, str]
    offset: int

    def lines_of(self, token: BlockToken) -> tuple[int, int]:
        return (token.map[0] + self.offset, token.map[1] + self.offset) if token.map else (0, 0)


@lru_cache(maxsize=REMEMBERED)
def parse_markdown(text: bytes) -> Parsed:
    """Parse the blocks of ``text``, with a cache of the last few; callers must not change the tokens."""
    body, offset = body_of(text)
    tokens = plain_tokens(body)
    return Parsed(*parsed_by_markdown_it(body), offset) if tokens is None else Parsed(tokens, {}, offset)


def body_of(text: bytes) -> tuple[str, int]:
    """Return the text below the front matter, and the front matter's number of lines."""
    offset = front_matter_lines(text)
    return b"".join(split_lines(text)[offset:]).removeprefix(BOM).decode("utf-8", "replace"), offset


def parsed_by_markdown_it(body: str) -> tuple[tuple[BlockToken, ...], dict[str, str]]:
    """Return the block tokens of any text without front matter, and its link definitions by label."""
    environment: dict[str, Any] = {}
    tokens = []
    for token in _parser().parse(body, environment):
        lines = (token.map[0], token.map[1]) if token.map else None
        head = token.type, token.tag, token.nesting, token.level
        tokens.append(BlockToken(*head, lines, token.content, token.info))
    links = environment.get("references", {})
    return tuple(tokens), {label: str(link["href"]) for label, link in links.items()}


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def front_matter_lines(text: bytes) -> int:
    """Return the number of lines of YAML front matter, both `---` included; its content must begin like a mapping."""
    lines = split_lines(text.removeprefix(BOM))
    if not lines or not _is_rule(lines[0]):
        return 0
    for number, line in enumerate(lines[1:], start=1):
        if _is_rule(line):
            meant = [each for each in lines[1:number] if each.strip() and not each.lstrip().startswith(b"#")]
            return number + 1 if not meant or _KEY.match(meant[0]) else 0
    return 0


def list_items(text: bytes) -> list[ListItem]:
    """Return the list items, nested ones too, in line order; none from code, HTML, front matter or quotations."""
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


HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")  # by level
CONTAINERS = frozenset({"list_item", "blockquote"})
_OF_LINES = frozenset({"p", "fence", "code_block", "html_block"})
_PROBE = b"PROBE-7f3a"
_BULLET = lazy_bytes_pattern(rb"[ \t]*[-*+][ \t]")
_HEADING = lazy_bytes_pattern(rb" {0,3}#{1,6}(?:[ \t]|\Z)")


class Block(NamedTuple):
    """One block: kind (`p`, `h2`, `fence`, `list_item` …), own lines, parents, text."""

    kind: str
    first: int
    last: int
    inside: tuple[str, ...]
    section: tuple[str, ...]
    content: str


def blocks(text: bytes) -> list[Block]:
    """Return paragraphs, headings, code, HTML, rules, list items and quotations, without front matter."""
    parsed = parse_markdown(text)
    lines = split_lines(text)
    result: list[Block] = []
    outline = Outline()
    inside = list[str]()
    for token, following in zip(parsed.tokens, (*parsed.tokens[1:], None), strict=False):
        outline.take(token)
        kind = token.type.removesuffix("_open").removesuffix("_close")
        if token.nesting < 0:
            inside.pop()
        elif token.type != "inline" and (kind in CONTAINERS or not kind.endswith("list")):
            first, last = parsed.lines_of(token)
            content = ""
            if token.nesting == 0:
                content = f"{token.info}\n{token.content}"
            elif following is not None and following.type == "inline":
                content = following.content
            here = Block(
                token.tag if kind in {"heading", "paragraph"} else kind,
                first,
                trim_blank(lines, first, last),
                tuple(inside),
                outline.path,
                content,
            )
            result.append(here)
        if token.nesting > 0:
            inside.append(kind)
    return result


def blocks_of_lines(text: bytes) -> list[Block]:
    """Return the paragraphs (a table is one), code and HTML of several lines: nothing may be inserted between their lines."""
    return [block for block in blocks(text) if block.kind in _OF_LINES and block.last - block.first > 1]


def rejoined(lines: Sequence[bytes], *texts: bytes) -> bytes:
    """Return lines of these texts as one text, with a blank line where two that were neighbours in none would be one block."""
    end = line_end(b"".join(texts))
    text = joined(lines, end)
    neighbours: set[tuple[bytes, bytes]] = set()
    for each in texts:
        neighbours.update(pairwise(map(without_end, split_lines(each))))
    in_code: set[int] = set()
    for block in blocks_of_lines(text):
        if block.kind in ("fence", "code_block"):
            in_code.update(range(block.first + 1, block.last))
    parts = split_lines(text)
    for number in reversed(range(1, len(parts))):
        pair = tuple(map(without_end, parts[number - 1 : number + 1]))
        if number not in in_code and pair not in neighbours and not _may_touch(*pair):
            parts.insert(number, end)
    return b"".join(parts)


def _may_touch(above: bytes, below: bytes) -> bool:
    """Say whether two lines need no blank line between them: below a heading, in a list, or in a table."""
    if not above.strip() or not below.strip() or _HEADING.match(above):
        return True
    if above.startswith(b"|"):
        return below.startswith(b"|")
    return bool(_BULLET.match(below) and (_BULLET.match(above) or above[:1].isspace()))


def headings_of(text: bytes) -> list[Block]:
    return [block for block in blocks(text) if block.kind in HEADINGS and not block.inside]


def parted_at(data: bytes, title: str) -> tuple[bytes, bytes, bytes]:
    """Split a text: up to and including a section's heading, the section, and the rest."""
    end = line_end(data)
    lines = split_lines(data)
    headings = headings_of(data)
    at = next((number for number, block in enumerate(headings) if is_called(block, title)), None)
    if at is None:
        above = data
        if data:
            above += end if data.endswith((b"\n", b"\r")) else 2 * end
        return above + b"## " + title.encode("utf-8", "surrogateescape") + end, b"", b""
    below, level = headings[at].last, HEADINGS.index(headings[at].kind)
    others = (block.first for block in headings[at + 1 :] if HEADINGS.index(block.kind) <= level)
    after = next(others, len(lines))
    return b"".join(lines[:below]), b"".join(lines[below:after]), b"".join(lines[after:])


def is_called(block: Block, title: str) -> bool:
    """Say whether a heading is that title, in any case, with or without a colon."""
    return block.content.strip().rstrip(":").lower() == title.lower()


def ends_open(text: bytes) -> bool:
    """Say whether ``text`` ends inside a code fence or an HTML block, which would swallow an added line."""
    end = line_end(text)
    outer = [block for block in blocks(text + end + end + _PROBE + end) if not block.inside]
    return not any(block.kind == "p" and block.content.encode() == _PROBE for block in outer)


_MARGIN = lazy_bytes_pattern(rb"\n(?=- [^\s]|#{1,6}[ \t])")
_SWALLOWING = lazy_bytes_pattern(rb"\n( {0,3})(`{3,}|~{3,}|<(?:!--)?)([^\n]*)")


def safe_parts(text: bytes) -> list[bytes] | None:
    """Return the parts of a text that parse alone as in the whole, without their last line ends; None if only a parser can cut it.

    An item or a heading at the margin opens a block, unless open code or an open comment is above. So of two
    versions of a file only the differing parts are parsed.
    """
    if text.startswith(BOM):
        return None
    count = 0
    if text.startswith(b"---"):
        count = front_matter_lines(text)
    front = len(b"".join(split_lines(text)[:count]))
    lines = b"\n" + text[front:]  # every line of the text follows a newline here
    if lines.count(b"\r") != lines.count(b"\r\n"):
        return None
    closed = [(0, front)]  # stretches in which nothing opens
    at = 0
    while (match := _SWALLOWING.search(lines, at)) is not None:
        end = _end_of_opened(lines, match)
        if end is None:
            return None
        at = min(end, len(lines) - 1)
        closed.append((front + match.start(), front + at))
    places = [0]
    for margin in _MARGIN.finditer(text):
        place = margin.start() + 1
        if not any(first <= place < last for first, last in closed):
            places.append(place)
    return [text[start:end].removesuffix(b"\n") for start, end in pairwise([*places, len(text)])]


def _end_of_opened(lines: bytes, match: re.Match[bytes]) -> int | None:
    """Return the end of the construct that ``match`` opens (behind the text if it stays open), None if unclear."""
    indent, mark, rest = match.groups()
    if indent or mark == b"<" or (mark[:1] == b"`" and b"`" in rest):
        return None
    if mark == b"<!--":
        close = lines.find(b"-->", match.start(2))
    else:
        fence = re.compile(rb"\n {0,3}%s{%d,}[ \t]*\r?(?=\n|\Z)" % (mark[:1], len(mark)))
        closing = fence.search(lines, match.end())
        close = -1 if closing is None else closing.end()
    end = lines.find(b"\n", close) if close >= 0 else -1
    return len(lines) if end < 0 else end
