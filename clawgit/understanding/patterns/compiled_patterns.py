"""Regular expressions that are compiled when they are first used, or revived as they were compiled before.

Compiling the dozen that a message needs takes as long as starting Python, so a cache may hold all of them in the form
that CPython's engine runs. That form is its own affair: it is taken only from the very same Python, the engine checks
it once more, and whatever is not as expected is compiled from its text.
"""

from __future__ import annotations

import _sre
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from re import Pattern
    from typing import Any

MADE_BY = f"{sys.implementation.cache_tag} {sys.version} {_sre.MAGIC} {sys.byteorder}"

_kept: dict[str, tuple[Any, ...]] = {}
_apart: dict[str, tuple[Any, ...]] = {}
_all: list[Lazy] = []


class Lazy:
    """Alternatives, one of which is looked for."""

    __slots__ = ("_compiled", "_flags", "_patterns")

    def __init__(self, *patterns: str, flags: str = "") -> None:
        self._patterns, self._flags = patterns, flags
        self._compiled: Pattern[str] | None = None
        _all.append(self)

    @property
    def text(self) -> str:
        """Return the whole expression."""
        return (f"(?{self._flags})" if self._flags else "") + "|".join(self._patterns)

    @property
    def now(self) -> Pattern[str]:
        """Return the compiled expression."""
        if self._compiled is None:
            self._compiled = _revived(self.text) or _compiled(self.text)
        return self._compiled


def use_compiled(kept: Mapping[str, tuple[Any, ...]], made_by: str) -> bool:
    """Revive expressions from ``kept`` from here on; False if another Python made them, or of other expressions."""
    if made_by != MADE_BY or any(lazy.text not in kept for lazy in _all):
        return False
    _kept.update(kept)
    return True


def all_compiled() -> dict[str, tuple[Any, ...]]:
    """Return every expression there is in the form in which it can be kept; none where Python works otherwise."""
    try:
        for text in {lazy.text for lazy in _all} - _apart.keys():
            _apart[text] = _taken_apart(text)
        return {lazy.text: _apart[lazy.text] for lazy in _all}
    except (AttributeError, ImportError, TypeError):
        return {}


def _compiled(text: str) -> Pattern[str]:
    import re  # noqa: PLC0415 - half of Python's own start-up, and not needed where everything is kept

    return re.compile(text)


def _revived(text: str) -> Pattern[str] | None:
    if text not in _kept:
        return None
    flags, code, *groups = _kept[text]
    try:
        found: Pattern[str] = _sre.compile(text, flags, memoryview(code).cast("I").tolist(), *groups)
    except (RuntimeError, TypeError, ValueError):
        return None
    return found


def _taken_apart(text: str) -> tuple[Any, ...]:
    """Do what `re.compile` does, up to the last step."""
    import re  # noqa: PLC0415

    inside: Any = re  # CPython's own parts have no types
    parsed = inside._parser.parse(text, 0)
    code: Iterable[int] = inside._compiler._code(parsed, 0)
    names = parsed.state.groupdict
    indexes: list[str | None] = [None] * parsed.state.groups
    for name, index in names.items():
        indexes[index] = name
    data = b"".join(word.to_bytes(4, sys.byteorder) for word in code)
    return parsed.state.flags, data, parsed.state.groups - 1, names, tuple(indexes)
