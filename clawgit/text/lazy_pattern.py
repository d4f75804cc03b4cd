"""Regular expressions that are compiled when they are first used: a command needs few of those that it loads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from re import Pattern


class _Lazy:
    """Stands for a compiled expression; what was asked for once is an attribute of its own from then on."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, found)
        return found


def lazy_pattern(text: str, flags: int = 0) -> Pattern[str]:
    """Return what `re.compile` would, compiled later; functions of `re` itself do not take it."""
    return cast("Pattern[str]", _Lazy(text, flags))


def lazy_bytes_pattern(text: bytes, flags: int = 0) -> Pattern[bytes]:
    """Return the same for bytes."""
    return cast("Pattern[bytes]", _Lazy(text, flags))
