"""One thing put into a host's file, and taken out again: JSON, TOML or a marked passage of text. Pure.

The record has what was there before. Taking out starts from the file as it is then: later changes by the host or its
user stay.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.text.strict_json import dict_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KEY, ITEM, PASSAGE, TABLE = "key", "item", "passage", "table"
BEGIN: Final = "<!-- clawgit: begin (clawgit disconnect takes this out) -->\n"
END: Final = "<!-- clawgit: end -->\n"
_LOOK: Final = "Look at the file; nothing was changed."


class HostFileError(ClawgitError):
    """A host's file cannot be read, so it is not changed."""


class Put(NamedTuple):
    """One thing to put into a file: a key's value, an item of a list, a table of TOML, or a passage of text."""

    kind: str
    place: tuple[str, ...]
    value: Any

    @property
    def shown(self) -> str:
        if self.kind == PASSAGE:
            return "\n      ".join(["a passage:", *self.value.strip().splitlines()])
        return f"{'.'.join(self.place)} {'gets' if self.kind == ITEM else '='} {json.dumps(self.value)}"


class FilePlan(NamedTuple):
    """All that is put into one file; ``form`` is json, toml or text."""

    file: str
    form: str
    puts: tuple[Put, ...]


def put_in(text: str | None, plan: FilePlan) -> tuple[str, dict[str, Any]]:
    """Return a file's text with a plan's things in it, and the record to take them out."""
    record: dict[str, Any] = {"file": plan.file, "form": plan.form, "was_there": text is not None}
    new, puts = _FORMS[plan.form][0](text or "", plan)
    applied = json.loads(json.dumps(puts, sort_keys=True))  # as it will be read again
    record |= {"puts": applied, "digest": digest(new)}
    if text is not None and _FORMS[plan.form][1](new, record) != text:
        record["before"] = text  # what was there comes back by its bytes or not at all
    return new, record


def taken_out(text: str | None, record: Mapping[str, Any]) -> str | None:
    """Return a file's text without the things in the record; None if it had nothing else."""
    if text is None:
        return None
    if digest(text) == record["digest"]:
        if not record["was_there"]:
            return None
        if "before" in record:
            return str(record["before"])
    left = str(_FORMS[record["form"]][1](text, record))
    if not record["was_there"] and left.strip() in ("", "{}"):
        return None
    return left


def is_in(text: str, record: Mapping[str, Any]) -> bool:
    try:
        return all(_is_there(text, record["form"], put) for put in record["puts"])
    except (HostFileError, ValueError):
        return False


def digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _put_json(text: str, plan: FilePlan) -> tuple[str, list[dict[str, Any]]]:
    data, puts = _read_json(text, plan.file), []
    for put in plan.puts:
        made, holder = 0, data
        for name in put.place[:-1]:
            if not isinstance(holder.get(name), dict):
                if name in holder:
                    raise HostFileError(f"{name} is no object there.", hint=_LOOK)
                holder[name] = {}
                made += 1
            holder = holder[name]
        last = put.place[-1]
        record = put._asdict() | {"place": list(put.place), "made": made}
        if put.kind == ITEM:
            record["alone"] = last not in holder
            items = holder.setdefault(last, [])
            if not isinstance(items, list):
                raise HostFileError(f"{last} is no list there.", hint=_LOOK)
            items.append(put.value)
        else:
            if last in holder:
                record["before"] = holder[last]
            holder[last] = put.value
        puts.append(record)
    return _written(data), puts


def _take_json(text: str, record: Mapping[str, Any]) -> str:
    data = _read_json(text, record["file"])
    for put in reversed(record["puts"]):
        _take_one(data, put, put["place"])
    return _written(data)


def _take_one(holder: Any, put: Mapping[str, Any], place: Sequence[str]) -> None:
    name, *below = place
    if not isinstance(holder, dict) or name not in holder:
        return
    value = put["value"]
    if below:
        _take_one(holder[name], put, below)
        if holder[name] == {} and len(below) <= put["made"]:
            del holder[name]
    elif put["kind"] == ITEM:
        items = holder[name]
        if isinstance(items, list) and value in items:
            items.remove(value)
            if put["alone"] and not items:
                del holder[name]
    elif holder[name] == value:  # later values of others stay
        if "before" in put:
            holder[name] = put["before"]
        else:
            del holder[name]


def _read_json(text: str, file: str) -> dict[str, Any]:
    try:
        data = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise HostFileError(f"{file} is no JSON ({error}).", hint="Mend it; nothing was changed.") from error
    if not isinstance(data, dict):
        raise HostFileError(f"{file} holds no JSON object.", hint="Mend it; nothing was changed.")
    return data


def _written(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _without_passage(text: str, _record: Mapping[str, Any]) -> str:
    start = text.find(BEGIN)
    end = text.find(END)
    if start < 0 or end < start:
        return text
    before, after = text[:start], text[end + len(END) :]
    if before.endswith("\n\n") or (before == "\n" and not after):
        before = before[:-1]
    return before + after


def _put_passage(text: str, plan: FilePlan) -> tuple[str, list[dict[str, Any]]]:
    for put in plan.puts:
        if text:
            text = text.removesuffix("\n") + "\n\n"
        text = f"{text}{BEGIN}{put.value}{END}"
    return text, [put._asdict() | {"place": []} for put in plan.puts]


def _put_toml(text: str, plan: FilePlan) -> tuple[str, list[dict[str, Any]]]:
    from clawgit.clients.toml_text import TomlError, put_toml  # noqa: PLC0415 - for Codex alone

    puts: list[dict[str, Any]] = []
    try:
        for put in plan.puts:
            text, before = put_toml(text, put.place, put.value)
            puts.append(put._asdict() | {"place": list(put.place), **before})
    except TomlError as error:
        raise HostFileError(f"{plan.file}: {error}", hint=_LOOK) from error
    return text, puts


def _take_toml(text: str, record: Mapping[str, Any]) -> str:
    from clawgit.clients.toml_text import TomlError, take_from_toml  # noqa: PLC0415 - for Codex alone

    try:
        for put in reversed(record["puts"]):
            text = take_from_toml(text, put)
    except TomlError as error:
        raise HostFileError(f"{record['file']}: {error}", hint="Take it out by hand.") from error
    return text


def _is_there(text: str, form: str, put: Mapping[str, Any]) -> bool:
    if form == "text":
        return str(put["value"]) in text
    if form == "toml":
        from clawgit.clients.toml_text import read_toml  # noqa: PLC0415 - for Codex alone

        data: Any = read_toml(text).unwrap()
    else:
        data = _read_json(text, "")
    for name in put["place"]:
        data = dict_of(data).get(name)
    if put["kind"] == ITEM:
        return put["value"] in (data or [])
    return bool(data == put["value"])


_FORMS: Final[dict[str, Any]] = {
    "json": (_put_json, _take_json),
    "toml": (_put_toml, _take_toml),
    "text": (_put_passage, _without_passage),
}
