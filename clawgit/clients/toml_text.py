"""Puts a table or a key into TOML and takes it out again; the rest of the file stays as it is. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import tomlkit
from tomlkit.container import OutOfOrderTableProxy
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Table

if TYPE_CHECKING:
    from collections.abc import Mapping


class TomlError(ValueError):
    """The text cannot be changed without touching other parts."""


def read_toml(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except (TOMLKitError, ValueError) as error:
        raise TomlError(f"this is no TOML ({error})") from error


def put_toml(text: str, place: tuple[str, ...], value: Any) -> tuple[str, dict[str, Any]]:
    """Return ``text`` with a table (a value of several keys) or one key in it, and what it replaced or needed."""
    document = read_toml(text)
    last = place[-1]
    data = document.unwrap()
    name = ".".join(place)
    holder = _holder(document, place[:-1])
    there = {} if holder is None else holder.unwrap()
    if last in there:
        if isinstance(value, dict):
            raise TomlError(f"[{name}] is there already, and not clawgit's")
        if there[last] != value:
            raise TomlError(f"{name} is {json.dumps(there[last])}; clawgit needs {json.dumps(value)}")
        return text, {"before": value}
    if isinstance(holder, Table) and not holder.is_super_table() and not isinstance(value, dict):
        if holder.value.body:  # at its head: what follows its last key may be a comment on the next table
            holder.value._insert_at(0, tomlkit.key(last), tomlkit.item(value))
        else:
            holder[last] = value
        written = document.as_string()
    else:
        gap = "\n\n"
        if text.endswith("\n"):
            gap = "\n"
        written = f"{text}{gap if text else ''}{_block(place, value)}"
    table = data
    for part in place[:-1]:
        table = table.setdefault(part, {})
    table[last] = value
    if read_toml(written).unwrap() != data:
        raise TomlError(f"{name} cannot be put in; the file is written in a way that is not understood")
    if holder is None and len(place) == 2:
        return written, {"made": True}
    return written, {}


def take_from_toml(text: str, put: Mapping[str, Any]) -> str:
    """Return ``text`` without the table or key that was put in; unchanged if somebody else changed that since."""
    place, value = tuple(put["place"]), put["value"]
    if put.get("before") == value:
        return text
    document = read_toml(text)
    holder = _holder(document, place[:-1])
    if holder is None or holder.unwrap().get(place[-1]) != value:
        return text
    block = _block(place, value)
    if text == block:
        return ""
    if text.endswith(f"\n{block}"):
        return text.removesuffix(f"\n{block}")
    if isinstance(value, dict) and text.count(f"\n{block}\n") == 1:
        return text.replace(f"\n{block}\n", "\n")
    del holder[place[-1]]
    if put.get("made") and not holder.unwrap():
        del document[place[0]]
    return document.as_string()


def _holder(document: tomlkit.TOMLDocument, place: tuple[str, ...]) -> Any:
    holder: Any = document
    for name in place:
        holder = holder.get(name)
        if not isinstance(holder, Table | OutOfOrderTableProxy):
            return None
    return holder


def _block(place: tuple[str, ...], value: Any) -> str:
    if isinstance(value, dict):
        header, values = place, dict(sorted(value.items()))
    else:
        header, values = place[:-1], {place[-1]: value}
    return f"[{'.'.join(header)}]\n{tomlkit.dumps(values)}"
