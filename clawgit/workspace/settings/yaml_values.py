"""Values of settings and how they are written in YAML."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.workspace.settings.setting_types import MAX_ITEMS, pattern_text
from clawgit.workspace.settings.strict_yaml import Mapping, Scalar, Sequence, YamlRefusedError, read_mapping

if TYPE_CHECKING:
    from clawgit.workspace.settings.setting_types import Setting, Value
    from clawgit.workspace.settings.strict_yaml import Node

_PLAIN = lazy_pattern(r"[A-Za-z][A-Za-z0-9_./-]*")
_RESERVED = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"}
_SHOWN = 60


class WrongValueError(ValueError):
    """The value does not fit the setting; the message says what it takes."""


def value_of(setting: Setting, node: Node) -> Value:
    """Return what ``node`` says, typed by ``setting`` from the text as written."""
    if setting.is_list:
        return _list_of(setting, node)
    if not isinstance(node, Scalar):
        kind = "a list" if isinstance(node, Sequence) else "a group of keys"
        raise WrongValueError(f"{setting.name} is {kind}; it takes {setting.accepts}.")
    text = _text_of(node)
    try:
        return setting.read(text)
    except ValueError as error:
        shown = _shown(setting, text)
        raise WrongValueError(f"{setting.name} is {shown}; it takes {setting.accepts}.") from error


def value_given(setting: Setting, raw: str) -> Value:
    """Return what an operator typed: one value, or for a list either ``[a, b]`` or a single item."""
    node: Node = Scalar(raw.strip(), '"', 0, len(raw))
    if setting.is_list:
        node = _list_given(setting, raw.strip())
    return value_of(setting, node)


def write_value(value: Value, style: str = '"') -> str:
    """Return ``value`` as inline YAML; ``style`` is the quote that a text had, empty for none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, tuple):
        return f"[{', '.join(write_value(item) for item in value)}]"
    if style == "'":
        return "'" + value.replace("'", "''") + "'"
    plain = not style and _PLAIN.fullmatch(value) and value.lower() not in _RESERVED
    return value if plain else json.dumps(value, ensure_ascii=False)


def quote_of(setting: Setting) -> str:
    """Return the quote in which a new value of ``setting`` is written: none for words of a fixed choice."""
    return "" if setting.kind == "choice" else '"'


def _shown(setting: Setting, text: str) -> str:
    """Return the wrong value for a message; an address may hold a password and is not repeated."""
    if setting.kind in ("url", "channel"):
        return "not usable"
    return repr(text[:_SHOWN]) if text else "empty"


def _list_of(setting: Setting, node: Node) -> tuple[str, ...]:
    if isinstance(node, Scalar) and not _text_of(node):
        return ()
    items = node.items if isinstance(node, Sequence) else None
    if items is None or len(items) > MAX_ITEMS:
        raise WrongValueError(f"{setting.name} takes {setting.accepts}.")
    try:
        return tuple(str(setting.read(_item_text(setting, item))) for item in items)
    except ValueError as error:
        raise WrongValueError(
            f"An item of {setting.name} does not fit; it takes {setting.accepts}."
        ) from error


def _item_text(setting: Setting, item: Node) -> str:
    if isinstance(item, Scalar):
        return _text_of(item)
    if setting.kind != "patterns" or not isinstance(item, Mapping):
        raise ValueError(setting.name)
    values = {key.text: _text_of(value) for key, value in item.entries if isinstance(value, Scalar)}
    if len(values) != len(item.entries):
        raise ValueError(setting.name)
    return pattern_text(values)


def _list_given(setting: Setting, raw: str) -> Node:
    if not raw.startswith("["):
        only = Scalar(raw, '"', 0, len(raw))
        return Sequence((only,) if raw else (), flow=True, start=0, end=len(raw))
    try:
        return read_mapping(f"list: {raw}").entries[0][1]
    except YamlRefusedError as error:
        raise WrongValueError(f"{setting.name} takes {setting.accepts}. {error.message}") from error


def _text_of(scalar: Scalar) -> str:
    nothing = not scalar.style and scalar.text in ("~", "null", "Null", "NULL")
    return "" if nothing else scalar.text.strip()
