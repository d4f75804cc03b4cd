"""Regular expressions that are compiled at their first use, or restored from compiled forms.

A command needs few of those that it loads; compiling all takes three times as long as starting Python. A
cache holds them in the form that CPython's engine runs. That form is private to CPython: it is accepted only
from the same Python, the engine checks it again, and any surprise leads to compiling the text.
"""

from __future__ import annotations

import _sre
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from re import Pattern
    from typing import Any, TypeAlias

    Key: TypeAlias = tuple[str | bytes, int]  # the expression's text and flags
    Form: TypeAlias = tuple[Any, ...]

MADE_BY = f"{sys.implementation.cache_tag} {sys.version} {_sre.MAGIC} {sys.byteorder}"

_kept: dict[Key, Form] = {}
_all: list[Lazy] = []
compiled_here: set[Key] = set()  # for lack of a cached form


class _StandIn:
    """Placeholder of a compiled expression; attributes are cached at their first use."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text, self._flags = text, flags
        self._pattern: Pattern[Any] | None = None

    def __getattr__(self, name: str) -> Any:
        if self._pattern is None:
            self._pattern = compiled(self._text, self._flags)
        member = getattr(self._pattern, name)
        setattr(self, name, member)
        return member


def lazy_pattern(text: str, flags: int = 0) -> Pattern[str]:
    """Return what `re.compile` would, compiled later; `please` is also `pls`. Functions of `re` itself do not accept it."""
    return _StandIn(text.replace("please", "(?:please|pls|plz)"), flags)  # type: ignore[return-value]


def lazy_bytes_pattern(text: bytes, flags: int = 0) -> Pattern[bytes]:
    return _StandIn(text, flags)  # type: ignore[return-value]


def compiled(text: str | bytes, flags: int = 0) -> Pattern[Any]:
    key = (text, int(flags))
    if key not in _kept:
        compiled_here.add(key)
        kept_forms([key])
    try:
        flags_in_form, code, *groups = _kept[key]
        steps = memoryview(code).cast("I").tolist()
        pattern: Pattern[Any] = _sre.compile(text, flags_in_form, steps, *groups)
    except (KeyError, RuntimeError, TypeError, ValueError):
        import re  # noqa: PLC0415 - half of Python's own start-up, and not needed where everything is kept

        _kept.pop(key, None)
        compiled_here.add(key)
        pattern = re.compile(text, flags)
    return pattern


class Lazy:
    """Alternatives as one expression; all such expressions are cached together, so that triage compiles none."""

    __slots__ = ("_compiled", "_flags", "_patterns")

    def __init__(self, *patterns: str, flags: str = "") -> None:
        self._patterns, self._flags = patterns, flags
        self._compiled: Pattern[str] | None = None
        _all.append(self)

    @property
    def text(self) -> str:
        return (f"(?{self._flags})" if self._flags else "") + "|".join(self._patterns)

    @property
    def now(self) -> Pattern[str]:
        if self._compiled is None:
            self._compiled = compiled(self.text)
        return self._compiled


def use_kept(forms: Mapping[Key, Form], made_by: str) -> bool:
    """Restore expressions from ``forms`` from now on; return False if another Python made them."""
    if made_by != MADE_BY:
        return False
    _kept.update(forms)
    return True


def kept_forms(keys: Collection[Key]) -> dict[Key, Form]:
    """Return expressions in the form for the cache; empty if this Python works otherwise."""
    try:
        for key in keys:
            if key not in _kept:
                _kept[key] = _taken_apart(*key)
        return {key: _kept[key] for key in keys}
    except (AttributeError, ImportError, TypeError):
        return {}


def use_compiled(forms: Mapping[Key, Form], made_by: str) -> bool:
    """Restore expressions from ``forms`` from now on; return False if another Python made them, or of other expressions."""
    if any((each.text, 0) not in forms for each in _all):
        return False
    return use_kept(forms, made_by)


def all_compiled() -> dict[Key, Form]:
    """Return every expression in the form for the cache; empty if this Python works otherwise."""
    return kept_forms([(each.text, 0) for each in _all])


def _taken_apart(text: str | bytes, flags: int) -> Form:
    """Do what `re.compile` does, up to the last step."""
    import re  # noqa: PLC0415
    from array import array  # noqa: PLC0415

    inside: Any = re  # CPython's own parts have no types
    parsed = inside._parser.parse(text, flags)
    code = array("I", inside._compiler._code(parsed, flags))
    names = parsed.state.groupdict
    indexes: list[str | None] = [None] * parsed.state.groups
    for name, index in names.items():
        indexes[index] = name
    return flags | parsed.state.flags, code.tobytes(), parsed.state.groups - 1, names, tuple(indexes)
