"""YAML without its traps: no anchors, no tags, no depth, no second value for a key, scalars as written.

Events are looked at one by one and nothing recurses deeper than ``MAX_DEPTH``, so hostile text is refused
within milliseconds. Positions are character offsets into the text.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.workspace.settings.setting_types import MAX_ITEMS, pattern_text

if TYPE_CHECKING:
    from clawgit.workspace.settings.setting_types import Setting, Value

MAX_BYTES = 64 * 1024
MAX_DEPTH = 20
MAX_EVENTS = 4000

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times faster where PyYAML has libyaml
# All but what YAML calls printable; said the other way round, Python takes ten times as long to compile it.
_UNREADABLE = lazy_pattern(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff\U0010fffe\U0010ffff]"
)
_PLAIN = lazy_pattern(r"[A-Za-z][A-Za-z0-9_./-]*")
_RESERVED = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"}
_SHOWN = 60


class YamlRefusedError(ValueError):
    """The text is not plain settings; ``index`` is where that shows."""

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.message = message
        self.index = index


class Scalar(NamedTuple):
    """One value as it was written; ``style`` is its quote, ``|`` or ``>``, and empty for a plain one."""

    text: str
    style: str
    start: int
    end: int


class Items(NamedTuple):
    """A list; ``flow`` says that it is in brackets."""

    items: tuple[Node, ...]
    flow: bool
    start: int
    end: int


class Pairs(NamedTuple):
    """Keys with their values, each key once; ``flow`` says that it is in braces."""

    entries: tuple[tuple[Scalar, Node], ...]
    flow: bool
    start: int
    end: int


Node = Scalar | Items | Pairs


def read_mapping(text: str, *, loader: Any = _LOADER) -> Pairs:
    """Return the one mapping that ``text`` is; empty text is an empty mapping."""
    if len(text) > MAX_BYTES:
        raise YamlRefusedError(f"There is more than {MAX_BYTES // 1024} KiB of settings.", 0)
    unreadable = _UNREADABLE.search(text)
    if unreadable is not None:
        raise YamlRefusedError("The settings contain a control character.", unreadable.start())
    node = _document(text, loader)
    if node is None:
        return Pairs((), False, 0, 0)
    if not isinstance(node, Pairs):
        raise YamlRefusedError("Settings are lines of `key: value`; this is something else.", node.start)
    return node


def _document(text: str, loader: Any) -> Node | None:
    """Return the only document, None where there is none; each event is looked at before anything is built of them."""
    depth = documents = 0
    is_empty = True
    try:
        for number, event in enumerate(yaml.parse(text, Loader=loader), start=1):
            _refuse_odd(event, number)
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise YamlRefusedError(
                        "A second YAML document begins here; only one is read.", _at(event)
                    )
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            elif isinstance(event, yaml.NodeEvent):
                if depth >= MAX_DEPTH:
                    raise YamlRefusedError(f"Values are nested more than {MAX_DEPTH} deep.", _at(event))
                is_nothing = isinstance(event, yaml.ScalarEvent) and not event.style and event.value == ""
                is_empty = is_empty and is_nothing
                depth += isinstance(event, yaml.CollectionStartEvent)
    except yaml.YAMLError as error:
        reason = str(getattr(error, "problem", None) or "it cannot be decoded")
        raise YamlRefusedError(f"This is not YAML: {reason}.", _fault(error)) from error
    return None if is_empty else _built(yaml.compose(text, Loader=loader))


def _refuse_odd(event: yaml.Event, number: int) -> None:
    if number > MAX_EVENTS:
        raise YamlRefusedError("There are too many settings.", _at(event))
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
        raise YamlRefusedError(
            "Anchors and aliases (& and *) are not read here; write the value out.", _at(event)
        )
    if getattr(event, "tag", None) is not None:
        raise YamlRefusedError("Tags (!) are not read here; write the plain value.", _at(event))


def _built(node: Any) -> Node:
    """Return a node as a value; a block ends with its last value, since comments are not its own."""
    start = node.start_mark.index
    end = node.end_mark.index
    if isinstance(node, yaml.ScalarNode):
        return Scalar(node.value, node.style or "", start, end)
    is_flow = bool(node.flow_style)
    if isinstance(node, yaml.SequenceNode):
        items = tuple(map(_built, node.value))
        return Items(items, is_flow, start, end if is_flow else items[-1].end)
    entries: dict[str, tuple[Scalar, Node]] = {}
    for key_node, value_node in node.value:
        key = _built(key_node)
        if not isinstance(key, Scalar):
            raise YamlRefusedError("A key is one word.", key.start)
        if key.text in entries:
            raise YamlRefusedError(f"{key.text[:60]} is set twice; keep one of the two.", key.start)
        entries[key.text] = (key, _built(value_node))
    pairs = tuple(entries.values())
    return Pairs(pairs, is_flow, start, end if is_flow else pairs[-1][1].end)


def _fault(error: yaml.YAMLError) -> int:
    """Return where the fault is; a line without a colon is to blame itself, not the place where that showed."""
    colonless = getattr(error, "context", None) == "while scanning a simple key"
    mark = getattr(error, "context_mark" if colonless else "problem_mark", None)
    return mark.index if mark else 0


def _at(event: yaml.Event) -> int:
    return event.start_mark.index if event.start_mark else 0


class WrongValueError(ValueError):
    """The value does not fit the setting; the message says what it takes."""


def value_of(setting: Setting, node: Node) -> Value:
    """Return what ``node`` says, typed by ``setting`` from the text as written."""
    if setting.is_list:
        return _list_of(setting, node)
    if not isinstance(node, Scalar):
        kind = "a list" if isinstance(node, Items) else "a group of keys"
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
    if not isinstance(node, Items) or len(node.items) > MAX_ITEMS:
        raise WrongValueError(f"{setting.name} takes {setting.accepts}.")
    try:
        return tuple(str(setting.read(_item_text(setting, item))) for item in node.items)
    except ValueError as error:
        said = f"An item of {setting.name} does not fit; it takes {setting.accepts}."
        raise WrongValueError(said) from error


def _item_text(setting: Setting, item: Node) -> str:
    if isinstance(item, Scalar):
        return _text_of(item)
    if setting.kind != "patterns" or not isinstance(item, Pairs):
        raise ValueError(setting.name)
    values = {key.text: _text_of(value) for key, value in item.entries if isinstance(value, Scalar)}
    if len(values) != len(item.entries):
        raise ValueError(setting.name)
    return pattern_text(values)


def _list_given(setting: Setting, raw: str) -> Node:
    if not raw.startswith("["):
        only = Scalar(raw, '"', 0, len(raw))
        return Items((only,) if raw else (), flow=True, start=0, end=len(raw))
    try:
        return read_mapping(f"list: {raw}").entries[0][1]
    except YamlRefusedError as error:
        raise WrongValueError(f"{setting.name} takes {setting.accepts}. {error.message}") from error


def _text_of(scalar: Scalar) -> str:
    nothing = not scalar.style and scalar.text in ("~", "null", "Null", "NULL")
    return "" if nothing else scalar.text.strip()
