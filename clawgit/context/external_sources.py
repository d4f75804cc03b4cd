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
DEEPEST = 20
_LISTS = ("profiles", "contacts", "people", "entities", "items")  # usual keys of such lists
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
    """Yield a source's profiles: from JSON, else from the sections of Markdown."""
    data = _json(text)
    if data is None:
        name = ""
        lines: list[str] = []
        for each in passages_in(text.encode()):
            if each.kind == HEADING:
                if lines:
                    yield _Profile((name,), "\n".join(lines))
                name = each.text.strip("# \n")
                lines = []
            lines.append(each.text)
        if lines:
            yield _Profile((name,), "\n".join(lines))
        return
    if isinstance(data, dict):
        people = next((data[key] for key in _LISTS if isinstance(data.get(key), list)), None)
        if people is None:
            for name, value in data.items():
                yield _Profile((str(name), *_names(value)), "\n".join(_lines(value, f"{name}: ")))
            return
        data = people
    for each in data if isinstance(data, list) else [data]:
        yield _Profile(_names(each), "\n".join(_lines(each)))


def _texts(text: str) -> list[str]:
    data = _json(text)
    if data is None:
        return [each.text for each in passages_in(text.encode())]
    if isinstance(data, dict):
        return ["\n".join(_lines(value, f"{name}: ")) for name, value in data.items()]
    return ["\n".join(_lines(data))]


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


def _lines(value: Any, before: str = "", depth: int = 0) -> Iterator[str]:
    indent = "  " * min(depth, 8)
    inner: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        inner = [(f"{key}: ", each) for key, each in value.items()]
    elif isinstance(value, list):
        inner = [("- ", each) for each in value]
    elif value not in (None, ""):
        yield f"{indent}{before}{folded(str(value))}"
    if inner and before:
        yield f"{indent}{before.rstrip()}{' …' if depth > DEEPEST else ''}"
    for name, each in inner if depth <= DEEPEST else ():
        yield from _lines(each, name, depth + bool(before))


def _is_in(name: str, words: str) -> bool:
    name = folded(name).casefold()
    return len(name) > 1 and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words) is not None
