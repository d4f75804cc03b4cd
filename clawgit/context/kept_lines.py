"""What a session is told while its context is not ready: the lines that the last good one had of who the agent is, and of memory.

No text of memory is kept, only hashes: a line is read in its file again, and what is gone from there is not told. Of
Python's own modules alone, since a host's hook reads it where no service answers.
"""

from __future__ import annotations

import json
import re
from datetime import datetime
from hashlib import sha256

from clawgit.workspace.foreign_files import open_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from clawgit.context.wanted_context import FilledSlot

FILE = "context-lines.json"
HEADING, ITEM = "heading", "item"
OPEN, CLOSE = "<clawgit_context>", "</clawgit_context>"
MOST_BYTES = 1024 * 1024  # of a file
MOST_CHARACTERS = 9500  # a host takes 10,000
_COMMENT = re.compile(r"[ \t]*<!--.*?-->")
_TAG = re.compile(r" #(?:event|knowledge|skill|decision)\Z")  # of an entry, for its file


def lines_to_keep(
    slots: Iterable[FilledSlot], memory: Iterable[str], beside: Mapping[str, bytes], now: datetime
) -> dict[str, Any]:
    """Return what is kept of a context's stable slots; left out is what is told with a note, cut, or as data.

    Lines of the files in ``memory`` hold on that day alone, and only while the files ``beside`` them are as they were.
    """
    parts = []
    for slot in slots:
        if not slot.filled.slot.is_stable:
            continue
        for each in slot.filled.passages:
            is_plain = not (each.trust or each.note or each.since or each.until)
            if is_plain and each.path not in beside:
                parts.append([each.path, each.kind, list(map(hash_of_line, each.text.split("\n")))])
    hashes = {}
    for path, data in beside.items():
        hashes[path] = _hash_of(data)
    return {
        "at": now.isoformat(timespec="seconds"),
        "parts": parts,
        "memory": list(memory),
        "beside": hashes,
    }


def told_again(copy: object, root: str, now: datetime) -> str:
    """Return what still stands of the kept lines, with when they were told; empty where that is nothing."""
    try:
        return _told_again(copy, root, now)  # type: ignore[arg-type]
    except (AttributeError, KeyError, TypeError, ValueError):
        return ""


def _told_again(copy: Mapping[str, Any], root: str, now: datetime) -> str:
    at = datetime.fromisoformat(copy["at"])
    now = now.astimezone(at.tzinfo)
    if at > now:
        return ""
    is_as_it_was = at.date() == now.date()
    for path, was in copy["beside"].items():
        is_as_it_was = is_as_it_was and _hash_of(_content(root, path)) == was
    files: dict[str, Mapping[str, str]] = {}
    for path, _, _ in copy["parts"]:
        if path not in files:
            is_told = is_as_it_was or path not in copy["memory"]
            files[path] = _lines_of(root, path) if is_told else {}
    text = _joined(copy["parts"], files)
    if not text:
        return ""
    when = f"{at:%Y-%m-%d %H:%M}"
    return (
        f"(Memory as of {when}, what of it still stands. All of it follows with a later message.)\n\n{text}"
    )


def _joined(parts: Iterable[tuple[str, str, list[str]]], files: Mapping[str, Mapping[str, str]]) -> str:
    text = path_before = kind_before = ""
    headings: list[str] = []
    for path, kind, hashes in parts:
        if path != path_before:
            headings, path_before = [f"# {path}"], path
        if not files[path].keys() >= set(hashes):
            continue
        shown = "\n".join(map(files[path].__getitem__, hashes))
        if len(text) + len(shown) > MOST_CHARACTERS:
            break
        if kind == HEADING:
            headings.append(shown)
            continue
        is_next_item = kind == kind_before == ITEM and not headings
        text += "\n" if is_next_item else "\n\n"
        text += "\n\n".join([*headings, shown])
        headings, kind_before = [], kind
    return text.strip("\n")


def _lines_of(root: str, path: str) -> dict[str, str]:
    """Return the lines of a file by their hashes, without comments."""
    lines_by_hash = {hash_of_line(""): ""}
    for line in _content(root, path).decode("utf-8", "replace").splitlines():
        lines_by_hash[hash_of_line(line)] = _TAG.sub("", _bare(line))
    return lines_by_hash


def _content(root: str, path: str) -> bytes:
    try:
        with open_regular(f"{root}/{path}") as file:
            return file.read(MOST_BYTES)
    except OSError:
        return b""


def fenced(text: str) -> str:
    """Return a text in the passage that capture leaves out; no words of it can end that."""
    return f"{OPEN}\n{text.replace('clawgit_context', 'clawgit context')}\n{CLOSE}"


def read_all_kept(state: str) -> dict[str, Any]:
    """Return what is kept, by host."""
    try:
        with open_regular(f"{state}/{FILE}") as file:
            copies = json.loads(file.read(MOST_BYTES))
    except (OSError, ValueError):
        return {}
    return copies if isinstance(copies, dict) else {}


def read_kept(state: str) -> Any:
    """Return what was kept last, of whichever host: they are given the same."""
    latest: Any = {"at": ""}
    for copy in read_all_kept(state).values():
        if isinstance(copy, dict) and str(copy.get("at")) > latest["at"]:
            latest = copy
    return latest


def hash_of_line(line: str) -> str:
    """Return the hash by which a line is known again, whatever comment is behind it."""
    return _hash_of(_bare(line).encode("utf-8", "surrogatepass"))


def _hash_of(data: bytes) -> str:
    return sha256(data).hexdigest()[:24]


def _bare(line: str) -> str:
    return _COMMENT.sub("", line).rstrip()
