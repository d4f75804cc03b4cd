"""A table or a key put into TOML as text, so that everything else in the file stays as it is. Pure."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


class TomlError(Exception):
    """The text cannot be changed without touching more than what is meant."""


def put_toml(text: str, place: tuple[str, ...], value: Any) -> tuple[str, dict[str, Any]]:
    """Return ``text`` with a table (a value of several keys) or one key in it, and what was there before.

    Raises:
        TomlError: It is no TOML, or has that table already, or in a form that is not understood.
    """
    data = read_toml(text)
    *above, last = place
    holder: Any = data
    for name in above:
        holder = holder.get(name, {}) if isinstance(holder, dict) else {}
    if isinstance(value, dict):
        if last in holder:
            raise TomlError(f"[{'.'.join(place)}] is there already, and not clawgit's")
        written = _appended(text, _table(place, value))
    elif holder.get(last) == value:
        return text, {"before": value}
    elif last in holder:
        raise TomlError(f"{'.'.join(place)} is {json.dumps(holder[last])}; clawgit needs {json.dumps(value)}")
    else:
        written = _with_key(text, tuple(above), f"{last} = {json.dumps(value, ensure_ascii=False)}\n")
    _set(data, place, value)
    if read_toml(written) != data:
        raise TomlError(
            f"{'.'.join(place)} cannot be put in; the file is written in a way that is not understood"
        )
    return written, {}


def take_from_toml(text: str, put: Mapping[str, Any]) -> str:
    """Return ``text`` without a table or a key that was put in; as it is where somebody else changed it since.

    Raises:
        TomlError: It is no TOML, or what was put in cannot be told from the rest any more.
    """
    place, value = tuple(put["place"]), put["value"]
    if put.get("before") == value:
        return text
    data = read_toml(text)
    if not _take(data, place, value):
        return text
    left = _without_table(text, place, value) if isinstance(value, dict) else _without_key(text, place, value)
    if _pruned(read_toml(left)) != _pruned(data):
        raise TomlError(
            f"{'.'.join(place)} cannot be taken out; the file is written in a way that is not understood"
        )
    return left


def read_toml(text: str) -> dict[str, Any]:
    """Return what a text of TOML says.

    Raises:
        TomlError: It is none.
    """
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise TomlError(f"this is no TOML ({error})") from error


def _set(data: dict[str, Any], place: tuple[str, ...], value: Any) -> None:
    for name in place[:-1]:
        data = data.setdefault(name, {})
    data[place[-1]] = value


def _take(data: dict[str, Any], place: tuple[str, ...], value: Any) -> bool:
    for name in place[:-1]:
        below = data.get(name)
        if not isinstance(below, dict):
            return False
        data = below
    if data.get(place[-1]) != value:
        return False
    del data[place[-1]]
    return True


def _pruned(data: Any) -> Any:
    """Return a document without empty tables: a header alone says nothing."""
    if not isinstance(data, dict):
        return data
    return {name: below for name, each in data.items() if (below := _pruned(each)) != {}}


def _table(place: tuple[str, ...], value: Mapping[str, Any]) -> str:
    lines = [
        f"[{'.'.join(place)}]",
        *(f"{name} = {json.dumps(each, ensure_ascii=False)}" for name, each in sorted(value.items())),
    ]
    return "\n".join(lines) + "\n"


def _appended(text: str, block: str) -> str:
    return f"{text}{gap_after(text)}{block}"


def gap_after(text: str) -> str:
    """Return what makes an empty line behind a text, nothing where there is no text."""
    if not text:
        return ""
    return "\n" if text.endswith("\n") else "\n\n"


def _with_key(text: str, above: tuple[str, ...], line: str) -> str:
    header = f"[{'.'.join(above)}]"
    lines = text.splitlines(keepends=True)
    for number, each in enumerate(lines):
        if each.strip() == header:
            own = each if each.endswith("\n") else each + "\n"
            return "".join([*lines[:number], own, line, *lines[number + 1 :]])
    return _appended(text, f"{header}\n{line}")


def _without_table(text: str, place: tuple[str, ...], value: Mapping[str, Any]) -> str:
    verbatim = _table(place, value)
    for gap in ("\n", ""):
        if text.count(gap + verbatim) == 1 and (gap or text.startswith(verbatim)):
            return text.replace(gap + verbatim, "")
    header = f"[{'.'.join(place)}]"
    left: list[str] = []
    inside = False
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("["):
            inside = line.strip() == header
            if inside and left and not left[-1].strip():
                left.pop()
        if not inside:
            left.append(line)
    return "".join(left)


def _without_key(text: str, place: tuple[str, ...], value: Any) -> str:
    header, line = f"[{'.'.join(place[:-1])}]\n", f"{place[-1]} = {json.dumps(value, ensure_ascii=False)}\n"
    for gap in ("\n", ""):
        alone = gap + header + line
        if text.endswith(alone) and (gap or text == alone):
            return text.removesuffix(alone)
    return text.replace(header + line, header, 1)
