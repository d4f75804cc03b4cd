"""Whether a line is worth asking about in the place of an entry: it says something else, drops no value, changes no unit. Pure."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from clawgit.text.comparing.similarity import facts_differ, words
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.words.stopwords import ENGLISH

if TYPE_CHECKING:
    from clawgit.text.comparing.value_kinds import Value

_NEXT = re.compile(r"[\s-]?([a-z]+)")
_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_YEAR = re.compile(r"(?:19|20)\d\d")
# A number may be told with more or less around it: `3` and `3 hours`, `12 May` and `the 12th`.
_NUMBERS = frozenset(ValueKind) - {ValueKind.NAME, ValueKind.LINK, ValueKind.MAIL, ValueKind.CODE}


def is_sensible(entry: str, line: str, told: str = "") -> bool:
    """Say whether a person would ask if an entry shall become a line, because of what was ``told``."""
    return not _is_equal(entry, line) and not _drops(entry, line) and not _changes_unit(entry, line, told)


def _is_equal(entry: str, line: str) -> bool:
    return words(entry) == words(line) and not facts_differ(entry, line)


def _drops(entry: str, line: str) -> bool:
    """Say whether a value is gone, and none of its kind came."""
    before, after = (_count(values_in(text)) for text in (entry, line))
    after["number"] = max(after["number"], len(_DIGITS.findall(line)))
    return any(after[kind] < number for kind, number in before.items())


def _count(values: list[Value]) -> Counter[str]:
    return Counter("number" if value.kind in _NUMBERS else value.kind.value for value in values)


def _changes_unit(entry: str, line: str, told: str) -> bool:
    """Say whether a number took the place of one of something else: `13 pages` that of the year in `the 2027 calendar`."""
    old = [value for value in values_in(entry) if value.kind is ValueKind.NUMBER and value.text not in line]
    new = [value for value in values_in(line) if value.kind is ValueKind.NUMBER and value.text not in entry]
    if len(old) != 1 or len(new) != 1:
        return False
    if (_YEAR.fullmatch(old[0].text) is None) != (_YEAR.fullmatch(new[0].text) is None) and not told:
        return True
    units = _unit(entry, old[0].end), _unit(line, new[0].end)
    if all(units) and units[0] != units[1]:
        return True
    said = next((value for value in values_in(told) if value.text == new[0].text), None)
    unit = _unit(told, said.end) if said else ""
    return bool(unit) and unit != _unit(line, new[0].end)


def _unit(text: str, end: int) -> str:
    found = _NEXT.match(text, end)
    return "" if found is None or found[1] in ENGLISH else found[1]
