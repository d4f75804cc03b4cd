"""Where the settings are in the text of CONFIG.md: front matter, the first yaml fence, or bare YAML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from frontmatter.default_handlers import YAMLHandler

from clawgit.text.comparing import fuzzy
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.workspace.settings.settings import ALIASES, SETTINGS, setting_named

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINE = lazy_pattern(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
BREAK = lazy_pattern(r"\r\n|\n|\r")
_BOUNDARY = lazy_pattern(r"^---[ \t]*\r?$", re.MULTILINE)
_FENCE = lazy_pattern(r" {0,3}(?P<mark>`{3,}|~{3,})[ \t]*(?P<word>[^\s`]*)(?P<rest>[^\r\n]*)")
_KEY = lazy_pattern(r"[\"']?([a-z][a-z0-9_]*)[\"']?[ \t]*:(?=[ \t\r\n]|\Z)")
_NAMES = (*SETTINGS, *ALIASES)
_MATTER = YAMLHandler(fm_boundary=_BOUNDARY)  # only asked where the matter stands


class Block(NamedTuple):
    """A stretch of YAML in the text, from ``start`` up to ``end``, without its delimiters."""

    kind: Literal["front matter", "fence", "bare"]
    start: int
    end: int


def find_blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks that are read, each winning over the one before it."""
    matter = _front_matter(text)
    fence = _first_fence(text, matter.end if matter else 0)
    found = tuple(block for block in (matter, fence) if block is not None)
    if found or not _looks_bare(text):
        return found
    return (Block("bare", len(text) - len(text.lstrip("\ufeff")), len(text)),)


def line_of(text: str, index: int) -> int:
    """Return the number of the line that holds ``index``, counted from 1."""
    return len(BREAK.findall(text, 0, index)) + 1


def lines_of(text: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the lines from ``start`` on, each with its offset and its own line end."""
    for line in _LINE.finditer(text, start):
        yield line.start(), line[0]


def unknown_key(key: str) -> str:
    """Return the sentence about a key that is no setting, with the nearest one where there is one."""
    nearest = fuzzy.process.extractOne(key[:80], _NAMES, scorer=fuzzy.fuzz.ratio, score_cutoff=70)
    hint = f"; did you mean {nearest[0]}?" if nearest else "."
    return f"{key[:60]} is not a setting of clawgit{hint}"


def _front_matter(text: str) -> Block | None:
    body = text.lstrip("\ufeff \t\r\n")
    if not _MATTER.detect(body):
        return None
    try:
        matter, _ = _MATTER.split(body)
    except ValueError:  # never closed
        return None
    opening = _BOUNDARY.match(body)
    start = len(text) - len(body) + (opening.end() if opening else 0)
    return Block("front matter", start, start + len(matter))


def _first_fence(text: str, start: int) -> Block | None:
    inside = None
    for offset, line, fence in _lines_with_fences(text, start):
        if inside is not None and fence is None:
            return Block("fence", inside, offset)
        if inside is None and fence is not None and _is_yaml(fence):
            inside = offset + len(line)
    return Block("fence", inside, len(text)) if inside is not None else None


def _lines_with_fences(text: str, start: int) -> Iterator[tuple[int, str, re.Match[str] | None]]:
    """Yield lines outside HTML comments, each with the fence that it opens or is in; a closing line has none."""
    fence: re.Match[str] | None = None
    commented = False
    for offset, line in lines_of(text, start):
        if fence is not None:
            fence = None if _closes(line, fence["mark"]) else fence
        elif commented or line.lstrip().startswith("<!--"):
            commented = "-->" not in line
            continue
        else:
            fence = _opening(line)
        yield offset, line, fence


def _opening(line: str) -> re.Match[str] | None:
    found = _FENCE.match(line)
    return None if found is None or (found["mark"][0] == "`" and "`" in found["rest"]) else found


def _closes(line: str, mark: str) -> bool:
    bare = line.strip(" \t\r\n")
    return len(line) - len(line.lstrip(" ")) <= 3 and len(bare) >= len(mark) and set(bare) == {mark[0]}


def _is_yaml(opening: re.Match[str]) -> bool:
    return opening["word"].lower() in ("yaml", "yml")


def _looks_bare(text: str) -> bool:
    first = True
    for _, line, fence in _lines_with_fences(text, len(text) - len(text.lstrip("\ufeff"))):
        if fence is not None or not line.strip() or line.lstrip().startswith("#"):
            continue
        key = _KEY.match(line)
        if (first and (key or line.startswith(("---", "{", "%")))) or (key and setting_named(key[1])):
            return True
        first = False
    return False
