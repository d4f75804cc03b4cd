"""The block tokens of a plain text, as markdown-it has them: importing that takes longer than using it. Other texts are left to it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator


class BlockToken(NamedTuple):
    """One token of a text's blocks, named and nested as markdown-it does; ``map`` is its line range."""

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


# A line is plain if it is a whole comment, or if its text begins with a letter or digit, at most behind bold or a quote,
# is no item of a numbered list, and does not end with white space.
_LINE = lazy_pattern(
    r"(?P<level>#{1,6}) (?P<title>[^\s#](?:.*[^\s#])?)"
    r"|(?P<comment><!--.*-->)"
    r"|(?P<mark>- |  )?(?P<text>(?![0-9]{1,9}[.)])(?:\*\*|[\"'(`])?[^\W_](?:.*\S)?)"
)
_TAGS = {"- ": "li", "  ": "more", None: "p"}


def plain_tokens(text: str) -> tuple[BlockToken, ...] | None:
    """Return the tokens of ``text``; None where markdown-it has to be asked."""
    blocks = plain_blocks(text)
    return None if blocks is None else tuple(_tokens(blocks, text.removesuffix("\n").count("\n") + 1))


def plain_blocks(text: str) -> list[PlainBlock] | None:
    """Return the blocks of ``text``; None where markdown-it has to be asked."""
    if "\r" in text or "\0" in text or text.endswith("-->"):
        return None
    lines = text.removesuffix("\n").split("\n")
    found: list[PlainBlock] = []
    goes_on = False  # a text that the next line can be a part of
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
        if goes_on and (block.tag == "p" or (block.tag == "more" and found[-1].tag == "li")):
            found[-1].texts.extend(block.texts)
        elif block.tag == "more":
            return None
        else:
            found.append(block)
            goes_on = block.tag in {"p", "li"}
    return found


def _tokens(blocks: list[PlainBlock], lines: int) -> Iterator[BlockToken]:
    ends = [*(block.first for block in blocks), lines][1:]
    for are_items, group in groupby(zip(blocks, ends, strict=False), key=lambda pair: pair[0].tag == "li"):
        found = list(group)
        if not are_items:
            for block, _ in found:
                yield from _text(block, block.tag, 0)
            continue
        yield BlockToken("bullet_list_open", "ul", 1, 0, (found[0][0].first, found[-1][1]))
        for block, end in found:
            yield BlockToken("list_item_open", "li", 1, 1, (block.first, end))
            yield from _text(block, "p", 2)
            yield BlockToken("list_item_close", "li", -1, 1)
        yield BlockToken("bullet_list_close", "ul", -1, 0)


def _text(block: PlainBlock, tag: str, level: int) -> Iterator[BlockToken]:
    place = (block.first, block.first + len(block.texts))
    if not tag:
        yield BlockToken("html_block", "", 0, level, place, f"{block.texts[0]}\n")
        return
    kind = "paragraph" if tag == "p" else "heading"
    yield BlockToken(f"{kind}_open", tag, 1, level, place)
    yield BlockToken("inline", "", 0, level + 1, place, "\n".join(block.texts))
    yield BlockToken(f"{kind}_close", tag, -1, level)
