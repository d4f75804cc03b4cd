"""YAML without its traps: no anchors, tags, deep nesting or duplicate keys, scalars as written.

Events are checked one by one and nothing recurses deeper than ``MAX_DEPTH``, so hostile text is refused within
milliseconds. Positions are character offsets into the text. A scalar's ``style`` is its quote, ``|`` or ``>``, and empty
for a plain one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import yaml

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.workspace.settings.setting_types import MAX_ITEMS, Setting, Value, pattern_text

if TYPE_CHECKING:
    from collections.abc import Iterator


MAX_BYTES = 64 * 1024
MAX_DEPTH = 20
MAX_EVENTS = 4000

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times faster where PyYAML has libyaml
# All that YAML does not call printable; Python compiles the complement ten times slower.
_UNREADABLE = lazy_pattern(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff\U0010fffe\U0010ffff]"
)
_PLAIN = lazy_pattern(r"[A-Za-z][A-Za-z0-9_./-]*")
_RESERVED = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"}
_SHOWN = 60


class YamlRefusedError(ValueError):
    """The text is not plain settings; ``index`` is the place of the problem."""

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.message = message
        self.index = index


def read_mapping(text: str, *, loader: Any = _LOADER) -> yaml.MappingNode:
    """Return the one mapping in ``text``; empty text is an empty mapping."""
    if len(text) > MAX_BYTES:
        raise YamlRefusedError(f"There is more than {MAX_BYTES // 1024} KiB of settings.", 0)
    unreadable = _UNREADABLE.search(text)
    if unreadable is not None:
        raise YamlRefusedError("The settings contain a control character.", unreadable.start())
    try:
        _refuse_odd(yaml.parse(text, Loader=loader))
        node = yaml.compose(text, Loader=loader)
    except yaml.YAMLError as error:
        # report the line without a colon, not the later place where the parser failed
        is_colonless = getattr(error, "context", None) == "while scanning a simple key"
        mark = getattr(error, "context_mark" if is_colonless else "problem_mark", None)
        reason = str(getattr(error, "problem", None) or "it cannot be decoded")
        raise YamlRefusedError(f"This is not YAML: {reason}.", mark.index if mark else 0) from error
    if node is None or (isinstance(node, yaml.ScalarNode) and not node.style and node.value == ""):
        return yaml.MappingNode("", [])
    if not isinstance(node, yaml.MappingNode):
        raise YamlRefusedError("Settings are lines of `key: value`; this is something else.", start_of(node))
    _refuse_odd_keys(node)
    return node


def _refuse_odd(events: Iterator[yaml.Event]) -> None:
    """Refuse more than one plain document, before anything is built of the events."""
    depth = documents = 0
    for number, event in enumerate(events, start=1):
        place = 0
        if event.start_mark:
            place = event.start_mark.index
        if number > MAX_EVENTS:
            raise YamlRefusedError("There are too many settings.", place)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            text = "Anchors and aliases (& and *) are not read here; write the value out."
            raise YamlRefusedError(text, place)
        if getattr(event, "tag", None) is not None:
            raise YamlRefusedError("Tags (!) are not read here; write the plain value.", place)
        if isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.NodeEvent) and depth >= MAX_DEPTH:
            raise YamlRefusedError(f"Values are nested more than {MAX_DEPTH} deep.", place)
        documents += isinstance(event, yaml.DocumentStartEvent)
        if documents > 1:
            raise YamlRefusedError("A second YAML document begins here; only one is read.", place)
        depth += isinstance(event, yaml.CollectionStartEvent)


def _refuse_odd_keys(node: yaml.Node) -> None:
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _refuse_odd_keys(item)
    elif isinstance(node, yaml.MappingNode):
        written = set()
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise YamlRefusedError("A key is one word.", start_of(key))
            if key.value in written:
                raise YamlRefusedError(f"{key.value[:60]} is set twice; keep one of the two.", start_of(key))
            written.add(key.value)
            _refuse_odd_keys(value)


def start_of(node: yaml.Node) -> int:
    return node.start_mark.index if node.start_mark else 0


def end_of(node: yaml.Node) -> int:
    """Return the end of a node: of a block its last value's, without comments after it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style:
        last = node.value[-1]
        return end_of(last[1] if isinstance(node, yaml.MappingNode) else last)
    return node.end_mark.index if node.end_mark else 0


class WrongValueError(ValueError):
    """The value does not fit the setting; the message says what it takes."""


def value_of(setting: Setting, node: yaml.Node) -> Value:
    if setting.is_list:
        if isinstance(node, yaml.ScalarNode) and not _text_of(node):
            return ()
        if not isinstance(node, yaml.SequenceNode) or len(node.value) > MAX_ITEMS:
            raise WrongValueError(f"{setting.name} takes {setting.accepts}.")
        try:
            return tuple(str(setting.read(_item_text(setting, item))) for item in node.value)
        except ValueError as error:
            problem = f"An item of {setting.name} does not fit; it takes {setting.accepts}."
            raise WrongValueError(problem) from error
    if not isinstance(node, yaml.ScalarNode):
        kind = "a group of keys"
        if isinstance(node, yaml.SequenceNode):
            kind = "a list"
        raise WrongValueError(f"{setting.name} is {kind}; it takes {setting.accepts}.")
    text = _text_of(node)
    try:
        return setting.read(text)
    except ValueError as error:
        shown = repr(text[:_SHOWN]) if text else "empty"
        if setting.kind in ("url", "channel"):  # an address may hold a password
            shown = "not usable"
        raise WrongValueError(f"{setting.name} is {shown}; it takes {setting.accepts}.") from error


def value_given(setting: Setting, raw: str) -> Value:
    """Return the value that an operator typed; for a list ``[a, b]`` or a single item."""
    typed = raw.strip()
    if not setting.is_list:
        return value_of(setting, yaml.ScalarNode("", typed, style='"'))
    if not typed.startswith("["):
        items = [yaml.ScalarNode("", typed, style='"')] if typed else []
        return value_of(setting, yaml.SequenceNode("", items))
    try:
        return value_of(setting, read_mapping(f"list: {typed}").value[0][1])
    except YamlRefusedError as error:
        raise WrongValueError(f"{setting.name} takes {setting.accepts}. {error.message}") from error


def write_value(value: Value, style: str = '"') -> str:
    """Return ``value`` as inline YAML; ``style`` is the text's earlier quote, empty for none."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(write_value, value))}]"
    if style == "'":
        return "'" + value.replace("'", "''") + "'"
    plain = not style and _PLAIN.fullmatch(value) and value.lower() not in _RESERVED
    return value if plain else json.dumps(value, ensure_ascii=False)


def quote_of(setting: Setting) -> str:
    """Return the quote for a new value of ``setting``: none for words of a fixed choice."""
    return "" if setting.kind == "choice" else '"'


def _item_text(setting: Setting, item: yaml.Node) -> str:
    if isinstance(item, yaml.ScalarNode):
        return _text_of(item)
    if setting.kind != "patterns" or not isinstance(item, yaml.MappingNode):
        raise ValueError(setting.name)
    values = {key.value: _text_of(value) for key, value in item.value if isinstance(value, yaml.ScalarNode)}
    if len(values) != len(item.value):
        raise ValueError(setting.name)
    return pattern_text(values)


def _text_of(scalar: yaml.ScalarNode) -> str:
    is_nothing = not scalar.style and scalar.value in ("~", "null", "Null", "NULL")
    return "" if is_nothing else str(scalar.value).strip()
