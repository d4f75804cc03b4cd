"""Characters that a reader does not see and a model does: found where no script or emoji calls for them."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_SUSPECT = lazy_pattern(
    "[\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\U000e0000-\U000e0fff]"
)
_JOINER, _NON_JOINER = "\u200d", "\u200c"
_MARKS_OF_DIRECTION = "\u061c\u200e\u200f"
_OPENING = {
    "\u202a": "\u202c",
    "\u202b": "\u202c",
    "\u2066": "\u2069",
    "\u2067": "\u2069",
    "\u2068": "\u2069",
}
_OVERRIDES = "\u202d\u202e"
_RIGHT_TO_LEFT = {"R", "AL"}
# Scripts in whose words letters are joined or kept apart by hand, and those that mark word ends by what is unseen.
_JOINING = lazy_pattern(
    "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ua980-\uabff\ufb50-\ufdff\ufe70-\ufefc]"
)
_UNSPACED = lazy_pattern("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_HAN = lazy_pattern("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_HANGUL_PARTS = lazy_pattern("[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]")
# Which characters are fine beside which letters; the last line is for selectors of a letter's variant.
_BESIDE = (
    (_JOINER + _NON_JOINER, _JOINING),
    ("\u200b", _UNSPACED),
    ("\u115f\u1160", _HANGUL_PARTS),
    ("\u034f\u180e", re.compile("[^\x00-\u02ff\U00040000-\U0010ffff]")),
    ("", _HAN),
)
_SYMBOLS = {"So", "Sk", "Sm", "Po", "Nd"}  # what a variation selector makes an emoji of: ❤, ‼, 1, 🏽
_FLAG = "\U0001f3f4"


class HiddenCharacter(NamedTuple):
    """Where it is (line from 1) and which it is."""

    line: int
    codepoint: int


def find_hidden(text: str) -> list[HiddenCharacter]:
    """Return the characters that are unseen or turn text around, and have no business where they are.

    Fine are: joiners in emoji and in the scripts that need them, marks of direction in a line that has letters
    written from the right, closed embeddings there, one variation selector, and the mark at a file's begin.
    """
    if text.isascii():
        return []
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.isascii():
            found += [HiddenCharacter(number, ord(char)) for char in _hidden_in(line, is_first=number == 1)]
    return found


def _hidden_in(line: str, *, is_first: bool) -> Iterator[str]:
    matches = list(_SUSPECT.finditer(line))
    from_the_right = bool(matches) and _is_from_the_right(line)
    turned = not from_the_right or _turns_around(line)
    for match in matches:
        char, at = match[0], match.start()
        if char in _OPENING or char in _OVERRIDES or char in _OPENING.values():
            if turned:
                yield char
        elif not (is_first and at == 0 and char == "\ufeff") and not _is_fine(line, at, from_the_right):
            yield char


def _turns_around(line: str) -> bool:
    """Say whether what the line embeds is not closed in it, or overrides how letters are written."""
    open_ones: list[str] = []
    for char in line:
        if char in _OVERRIDES:
            return True
        if char in _OPENING:
            open_ones.append(_OPENING[char])
        elif char in _OPENING.values() and (not open_ones or open_ones.pop() != char):
            return True
    return bool(open_ones)


def _is_from_the_right(line: str) -> bool:
    return any(
        unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in line if char not in _MARKS_OF_DIRECTION
    )


def _is_fine(line: str, at: int, from_the_right: bool) -> bool:
    char, before, after = line[at], line[at - 1 : at], line[at + 1 : at + 2]
    if char == _JOINER and _is_emoji(after):
        return _is_emoji(before)
    if char in _MARKS_OF_DIRECTION:
        return from_the_right
    if "\ufe00" <= char <= "\ufe0f" and not _HAN.match(before):
        return _is_emoji(before, selected=False)
    if "\U000e0000" <= char <= "\U000e007f":
        return _FLAG in line[max(0, at - 7) : at]
    beside = next((script for marks, script in _BESIDE if char in marks or not marks), None)
    return beside is not None and bool(beside.match(before) or beside.match(after))


def _is_emoji(char: str, *, selected: bool = True) -> bool:
    """Say whether ``char`` is one, or ends one (``selected``: by a variation selector)."""
    return bool(char) and (
        unicodedata.category(char) in _SYMBOLS or (selected and "\ufe00" <= char <= "\ufe0f")
    )
