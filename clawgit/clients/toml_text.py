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
    first, last = place
    name = ".".join(place)
    made = first not in document
    if made:
        document[first] = tomlkit.table(is_super_table=isinstance(value, dict))
    holder = document[first]
    if not isinstance(holder, Table | OutOfOrderTableProxy):
        raise TomlError(f"{first} is no table there")
    there = holder.unwrap()
    if last in there:
        if isinstance(value, dict):
            raise TomlError(f"[{name}] is there already, and not clawgit's")
        if there[last] != value:
            raise TomlError(f"{name} is {json.dumps(there[last])}; clawgit needs {json.dumps(value)}")
        return text, {"before": value}
    holder[last] = value
    written = document.as_string()
    if read_toml(written).unwrap().get(first) != there | {last: value}:
        raise TomlError(f"{name} cannot be put in; the file is written in a way that is not understood")
    return written, {"made": True} if made else {}


def take_from_toml(text: str, put: Mapping[str, Any]) -> str:
    """Return ``text`` without the table or key that was put in; unchanged if somebody else changed that since."""
    first, last = put["place"]
    document = read_toml(text)
    holder = document.get(first)
    if put.get("before") == put["value"] or not isinstance(holder, Table | OutOfOrderTableProxy):
        return text
    if holder.unwrap().get(last) != put["value"]:
        return text
    del holder[last]
    if put.get("made") and not holder.unwrap():
        del document[first]
    return document.as_string()
