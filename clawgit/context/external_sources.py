"""Slots from outside: CRM profiles of people in the conversation, and another system's context.

A source is a file, or a trusted program that reads the conversation and answers in time. If it fails, the
slot is empty, with the reason.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.context.slots import BLOCK, CRM, EXTERNAL, HEADING, Cut, Passage, SlotText, passages_in
from clawgit.errors import ClawgitError
from clawgit.memory.trust import EXTERNAL as OUTSIDE
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.workspace.find_workspace import with_home
from clawgit.workspace.safe_files import read_file
from clawgit.workspace.settings.setting_types import argv_of
from clawgit.workspace.settings.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from clawgit.context.assembly import Assembly

    RunProgram = Callable[[Sequence[str], bytes], bytes]

MOST_BYTES = 256 * 1024
_NAMES = ("name", "aliases", "alias", "nickname", "email", "company")


class SourceError(ClawgitError):
    """A source gave nothing usable."""


class _Profile(NamedTuple):
    names: tuple[str, ...]
    text: str


def crm_slot(assembly: Assembly, query: str) -> SlotText:
    """Return the profiles of people in the conversation; a program chooses them itself."""
    source = assembly.history.settings.crm_context_source
    if not source or not query.strip():
        return SlotText(CRM)
    try:
        text, is_chosen = _read(assembly, "crm_context_source", source, query)
        profiles = list(_profiles(text))
    except SourceError as error:
        return SlotText(CRM, cuts=(Cut(source, error.message),))
    words = folded(query).casefold()
    named = [each.text for each in profiles if is_chosen or any(_is_in(name, words) for name in each.names)]
    return SlotText(CRM, _passages(named, source))


def external_slot(assembly: Assembly, query: str) -> SlotText:
    settings = assembly.history.settings
    source = settings.external_context_source
    if not source or not settings.external_context_budget:
        return SlotText(EXTERNAL)
    try:
        texts = _texts(_read(assembly, "external_context_source", source, query)[0])
    except SourceError as error:
        return SlotText(EXTERNAL, cuts=(Cut(source, error.message),))
    return SlotText(EXTERNAL, _passages(texts, source))


def _passages(texts: Iterable[str], source: str) -> tuple[Passage, ...]:
    return tuple(
        Passage(redact(text), BLOCK, folded(source), first=place, trust=OUTSIDE, rank=(place,))
        for place, text in enumerate(texts, 1)
        if text.strip()
    )


def _read(assembly: Assembly, setting: str, source: str, query: str) -> tuple[str, bool]:
    if assembly.is_past:
        raise SourceError("What it said on an earlier day is not known.")
    argv = argv_of(SETTINGS[setting], source)
    if argv:
        if assembly.run is None:
            raise SourceError("Programs are not run here.")
        question = json.dumps({"conversation": query}, ensure_ascii=True).encode()
        try:
            return assembly.run(argv, question).decode("utf-8", "replace"), True
        except ClawgitError as error:
            raise SourceError(error.message) from error
    path = Path(with_home(source))
    base, inner = (path.parent, path.name) if path.is_absolute() else (assembly.history.root, source)
    try:
        content = read_file(base, inner, at_most=MOST_BYTES)
    except ClawgitError as error:
        raise SourceError(error.message) from error
    except OSError as error:
        raise SourceError(f"It cannot be read ({error.strerror}).") from error
    if content is None:
        raise SourceError("It is not there.")
    return content.data.decode("utf-8-sig", "replace"), False


def _profiles(text: str) -> Iterator[_Profile]:
    """Yield a source's profiles: from JSON (a list, or an object by name), else from the sections of Markdown."""
    data = _json(text)
    if data is None:
        yield from _sections(text)
    elif isinstance(data, dict):
        for name, value in data.items():
            yield _Profile((name, *_names(value)), f"{name}: {_written(value)}")
    else:
        for each in data:
            yield _Profile(_names(each), _written(each))


def _sections(text: str) -> Iterator[_Profile]:
    name = ""
    lines: list[str] = []
    for each in passages_in(text.encode()):
        if each.kind == HEADING:
            yield _Profile((name,), "\n".join(lines))
            name = each.text.strip("# \n")
            lines = []
        lines.append(each.text)
    yield _Profile((name,), "\n".join(lines))


def _texts(text: str) -> list[str]:
    data = _json(text)
    if data is None:
        return [each.text for each in passages_in(text.encode())]
    if isinstance(data, dict):
        return [f"{name}: {_written(value)}" for name, value in data.items()]
    return list(map(_written, data))


def _json(text: str) -> Any:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError("Its JSON is broken.") from error


def _names(value: Any) -> tuple[str, ...]:
    names: list[str] = []
    for key in _NAMES if isinstance(value, dict) else ():
        own = value.get(key)
        names += (str(name) for name in (own if isinstance(own, list) else [own]) if name)
    return tuple(names)


def _written(value: object) -> str:
    if isinstance(value, str):
        return folded(value)
    return folded(json.dumps(value, ensure_ascii=False))


def _is_in(name: str, words: str) -> bool:
    name = folded(name).casefold()
    return len(name) > 1 and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words) is not None
