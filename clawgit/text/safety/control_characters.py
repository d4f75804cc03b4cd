"""Characters that hide or command: found in files, shown as escapes, removed from one-line texts."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence


_CONTROL = lazy_pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")

_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
# Letters and marks that print as nothing; their categories are Lo and Mn.
_UNSEEN_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_TAGS_AND_SELECTORS = range(0xE0000, 0xE1000)
# Persian and Indic spelling and most family emoji need them, and they move no other character.
_JOINERS = "\u200c\u200d"
_OF_NO_SUBJECT = lazy_pattern(f"[<>{_JOINERS}]")


class Unseen(NamedTuple):
    """A character that hides or commands, and its line, from 1."""

    line: int
    codepoint: int


def shown(text: str, *, keep_newlines: bool = True) -> str:
    r"""Return ``text`` as a terminal may print it: invisible and control characters as ``\u{1b}``; for display only."""
    lines = text.replace("\r\n", "\n").split("\n")
    safe = [line if _is_plain(line) else "".join(map(_escaped, line)) for line in lines]
    return ("\n" if keep_newlines else r"\u{a}").join(safe)


def few(texts: Sequence[str], most: int) -> str:
    """Return the first texts in a row, and how many more there are."""
    named = ", ".join(texts[:most])
    return f"{named} and {len(texts) - most:,} more" if len(texts) > most else named


def first_few(lines: Sequence[str], most: int, rest: str) -> list[str]:
    """Return the first lines, then ``rest`` with the number of others for its `{}`."""
    if len(lines) <= most:
        return list(lines)
    return [*lines[:most], rest.format(f"{len(lines) - most:,}")]


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: `1 entry`, `1,200 entries`."""
    if count == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{count:,} {noun[:-1]}ies"
    return f"{count:,} {noun}s"


def begin_of(text: str, most: int) -> str:
    """Return ``text``; if longer than ``most``, its beginning and an ellipsis."""
    if len(text) <= most:
        return text
    return f"{text[:most]}…"


def folded(text: str) -> str:
    """Return ``text`` on one line without invisible characters, with joiners; a lone surrogate becomes U+FFFD."""
    if _is_plain(text):
        return " ".join(text.split())
    return " ".join("".join(map(_kept, text)).split())


def one_line(text: str) -> str:
    """Return ``text`` for a commit's subject or an author's name: as `folded`, without joiners, < and >."""
    return " ".join(_OF_NO_SUBJECT.sub("", folded(text)).split())


def is_utf8(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


def is_unseen(char: str) -> bool:
    """Say whether ``char`` hides, reorders or commands: categories Cc, Cf, Cs, Co, Zl, Zp, tags, fillers."""
    is_filler = char in _UNSEEN_LETTERS or ord(char) in _TAGS_AND_SELECTORS
    return is_filler or unicodedata.category(char) in _UNSEEN_CATEGORIES


@lru_cache(maxsize=8192)
def _escaped(char: str) -> str:
    return f"\\u{{{ord(char):x}}}" if char != "\t" and is_unseen(char) else char


@lru_cache(maxsize=8192)
def _kept(char: str) -> str:
    if char.isspace():
        return " "
    if unicodedata.category(char) == "Cs":
        return "\ufffd"
    return char if char in _JOINERS or not is_unseen(char) else ""


_SUSPECT = lazy_pattern(
    "[\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\U000e0000-\U000e0fff]"
)
_JOINER, _NON_JOINER = "\u200d", "\u200c"
_MARKS_OF_DIRECTION = "\u061c\u200e\u200f"
_OPENING = dict.fromkeys("\u202a\u202b", "\u202c") | dict.fromkeys("\u2066\u2067\u2068", "\u2069")
_OVERRIDES = "\u202d\u202e"
_RIGHT_TO_LEFT = {"R", "AL"}
# Scripts in which joiners are part of words, and those with invisible word ends.
_JOINING = lazy_pattern(
    "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ua980-\uabff\ufb50-\ufdff\ufe70-\ufefc]"
)
_UNSPACED = lazy_pattern("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_HAN = lazy_pattern("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_HANGUL_PARTS = lazy_pattern("[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]")
# Characters allowed beside certain letters; the last line is for selectors of a letter's variant.
_BESIDE = (
    (_JOINER + _NON_JOINER, _JOINING),
    ("\u200b", _UNSPACED),
    ("\u115f\u1160", _HANGUL_PARTS),
    ("\u034f\u180e", lazy_pattern("[^\x00-\u02ff\U00040000-\U0010ffff]")),
    ("", _HAN),
)
_SYMBOLS = {"So", "Sk", "Sm", "Po", "Nd"}  # a variation selector makes them emoji: ❤, ‼, 1, 🏽
_FLAG = "\U0001f3f4"


def find_unseen(text: str) -> list[Unseen]:
    r"""Return control characters (C0, DEL, C1) but \n, \t and \r, and what is invisible or reverses text where that is wrong.

    Allowed are: joiners in emoji and in the scripts that need them, direction marks in a line with
    right-to-left letters, closed embeddings there, one variation selector, and the mark at a file's start.
    """
    if text.isascii() and _CONTROL.search(text) is None:
        return []
    unseen = []
    for number, line in enumerate(text.split("\n"), 1):
        unseen += [Unseen(number, ord(char)) for char in _CONTROL.findall(line)]
        if not line.isascii():
            unseen += [Unseen(number, ord(char)) for char in _hidden_in(line, is_first=number == 1)]
    return unseen


def _hidden_in(line: str, *, is_first: bool) -> Iterator[str]:
    matches = list(_SUSPECT.finditer(line))
    from_the_right = False
    if matches:
        letters = (char for char in line if char not in _MARKS_OF_DIRECTION)
        from_the_right = not _RIGHT_TO_LEFT.isdisjoint(map(unicodedata.bidirectional, letters))
    turned = not from_the_right or _turns_around(line)
    for match in matches:
        char, at = match[0], match.start()
        if char in _OPENING or char in _OVERRIDES or char in _OPENING.values():
            if turned:
                yield char
        elif not (is_first and at == 0 and char == "\ufeff") and not _is_fine(line, at, from_the_right):
            yield char


def _turns_around(line: str) -> bool:
    """Say whether an embedding in the line is not closed in it, or overrides the direction of letters."""
    open_ones: list[str] = []
    for char in line:
        if char in _OVERRIDES:
            return True
        if char in _OPENING:
            open_ones.append(_OPENING[char])
        elif char in _OPENING.values() and (not open_ones or open_ones.pop() != char):
            return True
    return bool(open_ones)


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
    """Say whether ``char`` is an emoji, or ends one (``selected``: by a variation selector)."""
    is_selector = selected and "\ufe00" <= char <= "\ufe0f"
    return is_selector or (char != "" and unicodedata.category(char) in _SYMBOLS)


_UNSEEN = lazy_pattern(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]+"
)
# A line's end between two characters, with the next line's quote marks and indentation.
_WRAP = lazy_pattern(r"(?<=\S)[ \t]*+(?:\\[ \t]*+)?(?:\r?\n|[\r\x85\u2028\u2029])[ \t>]*+(?=\S)")
_ENDS = "\n\r\x85\u2028\u2029"  # of lines
_WIDE = ((0xFF01, 0xFF5E), (0xFE50, 0xFE6B), (0x1D400, 0x1D7FF), (0x2460, 0x24FF), (0x2000, 0x200A))
_QUOTES = {"“": '"', "”": '"', "„": '"', "「": '"', "」": '"', "『": '"', "』": '"', "‘": "'", "’": "'"}


class Legible(NamedTuple):
    """A text to be searched; ``place`` maps a character to the original."""

    text: str
    starts: tuple[int, ...] = (0,)  # from each on, the text is the original's from its origin on
    origins: tuple[int, ...] = (0,)
    joins: frozenset[int] = frozenset()  # between neighbours that a line's end separated

    def place(self, index: int) -> int:
        run = bisect_right(self.starts, index) - 1
        return self.origins[run] + index - self.starts[run]

    def joined(self) -> Legible:
        if not any(end in self.text for end in _ENDS):
            return self
        return _without(self, _WRAP, are_joins=True)


def legible(text: str) -> Legible:
    """Return ``text`` with wide and styled letters made plain, without characters that print as nothing."""
    if not text.isascii():
        text = text.translate(_plain_letters())
    elif text.replace("\n", "").replace("\t", "").replace("\r", "").isprintable():
        return Legible(text)  # nothing invisible: the pattern for it takes 0.3 ms to make
    return _without(Legible(text), _UNSEEN)


def _without(was: Legible, unwanted: re.Pattern[str], *, are_joins: bool = False) -> Legible:
    gaps = [match.span() for match in unwanted.finditer(was.text)]
    if not gaps:
        return was
    places: dict[int, int] = {}  # index in the new text → place in the original, wherever they diverge
    pieces: list[str] = []
    joins: set[int] = set()
    begin = length = 0
    for first, last in (*gaps, (len(was.text), len(was.text))):
        places[length] = was.place(begin)
        for start in was.starts[bisect_right(was.starts, begin) : bisect_left(was.starts, first)]:
            places[length + start - begin] = was.place(start)
        pieces.append(was.text[begin:first])
        length, begin = length + first - begin, last
        joins.add(length)
    text = "".join(pieces)
    outer = frozenset(joins - {len(text)}) if are_joins else frozenset()
    return Legible(text, tuple(places), tuple(places.values()), outer)


@lru_cache(maxsize=1)
def _plain_letters() -> dict[int, str]:
    letters = {ord(mark): plain for mark, plain in _QUOTES.items()}
    letters |= dict.fromkeys((0xA0, 0x202F, 0x205F, 0x3000), " ")
    letters[0x130] = "I"  # İ alone becomes longer in lower case
    for code in chain.from_iterable(range(first, last + 1) for first, last in _WIDE):
        plain = unicodedata.normalize("NFKC", chr(code))
        if len(plain) == 1 and plain.isascii():
            letters[code] = plain
    return letters


def head_and_tail(text: str, most: int, head: int, tail: int) -> str:
    """Return ``text``; if longer than ``most``, its head and tail, unless these are longer."""
    cut = len(text) - head - tail
    if len(text) <= most or cut <= 0:
        return text
    trimmed = f"{text[:head]}\n[… {cut:,} of {len(text):,} characters left out …]\n{text[len(text) - tail :]}"
    return min(trimmed, text, key=len)
