"""The blocks of a Markdown text as values, to see whether an edit changed more than it seems to."""

from __future__ import annotations

from typing import NamedTuple

from clawgit.text.markdown.block_structure import Outline, parse_markdown, trim_blank
from clawgit.text.markdown.lines import line_end, split_lines

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")  # their kinds, by level
CONTAINERS = frozenset({"list_item", "blockquote"})
_PROBE = b"PROBE-7f3a"


class Block(NamedTuple):
    """One block: its kind (`p`, `h2`, `fence`, `list_item` …), own lines, what it is in, its text."""

    kind: str
    first: int
    last: int
    inside: tuple[str, ...]
    section: tuple[str, ...]
    content: str


def blocks(text: bytes) -> list[Block]:
    """Return paragraphs, headings, code, HTML, rules, list items and quotations; front matter is none."""
    parsed = parse_markdown(text)
    lines = split_lines(text)
    found: list[Block] = []
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
            found.append(here)
        if token.nesting > 0:
            inside.append(kind)
    return found


def headings_of(text: bytes) -> list[Block]:
    """Return the headings that are in no quotation and no item."""
    return [block for block in blocks(text) if block.kind in HEADINGS and not block.inside]


def ends_open(text: bytes) -> bool:
    """Say whether ``text`` ends inside a code fence or an HTML block, so that a line added is swallowed."""
    end = line_end(text)
    probed = blocks(text + end + end + _PROBE + end)
    return not any(
        block.kind == "p" and not block.inside and block.content.encode() == _PROBE for block in probed
    )
