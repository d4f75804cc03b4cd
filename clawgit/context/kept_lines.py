"""A session's substitute while its context is not ready: the last good context's lines of identity and memory.

Only hashes are stored, no text: each line is read again from its file, and deleted lines are left out.
Imports fast modules of Python alone, since a host's hook reads it if no service answers.
"""

from __future__ import annotations

from _blake2 import blake2b

from clawgit.workspace.find_workspace import state_folder
from clawgit.workspace.foreign_files import open_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from datetime import datetime

    from clawgit.context.wanted_context import FilledSlot

FILE = "context-lines"
HEADING, ITEM = "heading", "item"
OPEN, CLOSE = "<clawgit_context>", "</clawgit_context>"
MOST_BYTES = 1024 * 1024  # of a file
MOST_CHARACTERS = 9500  # one host's limit is 10,000
_AS_IT_WAS = "beside"  # of a file: the lines below hold while its text is the same
_TAGS = ("event", "knowledge", "skill", "decision")  # after an entry, for its file


def lines_to_keep(
    slots: Iterable[FilledSlot], memory: Collection[str], beside: Mapping[str, bytes], now: datetime
) -> str:
    """Return the stored form of a context's stable slots, without noted, cut and fenced lines.

    Lines of the files in ``memory`` hold on that day alone, and only while the files ``beside`` them are
    unchanged.
    """
    end_of_day = now.replace(hour=23, minute=59, second=59)
    rows = [f"{now:%Y-%m-%d %H:%M}\t{int(now.timestamp())}\t{int(end_of_day.timestamp())}"]
    of_a_day = []
    for path, data in beside.items():
        of_a_day.append(f"{_AS_IT_WAS}\t{path}\t{_hash_of(data)}")
    for slot in slots:
        path, is_below = "", True  # its own heading, if any
        for each in slot.filled.passages:
            is_plain = not (each.trust or each.note or each.since or each.until)
            if each.path != path:
                path, is_below = each.path, True
            if each.kind == HEADING:
                is_below = is_plain
            if slot.filled.slot.is_stable and is_plain and is_below and each.path not in beside:
                hashes = " ".join(map(hash_of_line, each.text.split("\n")))
                to_rows = of_a_day if each.path in memory else rows
                to_rows.append(f"{each.kind}\t{each.path}\t{hashes}")
    return "\n".join([*rows, *of_a_day])


def told_again(root: str, now: float) -> str:
    """Return the stored lines that are still in their files, of any host, with the time of storing; empty without any."""
    try:
        with open_regular(f"{state_folder(root)}/{FILE}") as file:
            return _told_again(file.read(MOST_BYTES).decode("utf-8", "replace"), root, now)
    except (OSError, ValueError):
        return ""


def _told_again(copy: str, root: str, now: float) -> str:
    head, *rows = copy.split("\n")
    when, at, end_of_day = head.split("\t")
    if float(at) > now:
        return ""
    files: dict[str, Mapping[str, str]] = {}
    parts = []
    for row in rows:
        kind, path, hashes = row.split("\t")
        if kind != _AS_IT_WAS:
            parts.append((path, kind, hashes.split(" ")))
            if path not in files:
                files[path] = _lines_of(root, path)
        elif now >= float(end_of_day) + 1 or _hash_of(_content(root, path)) != hashes:
            break
    text = _joined(parts, files)
    if not text:
        return ""
    return (
        f"(Memory as of {when}, what of it still stands. All of it follows with a later message.)\n\n{text}"
    )


def _joined(parts: Iterable[tuple[str, str, list[str]]], files: Mapping[str, Mapping[str, str]]) -> str:
    text = path_before = kind_before = ""
    headings: list[str] = []
    is_lost = False  # below a deleted heading the text may mean something else
    for path, kind, hashes in parts:
        if path != path_before:
            headings, path_before, is_lost = [f"# {path}"], path, False
        is_there = files[path].keys() >= set(hashes)
        is_lost = is_lost or (kind == HEADING and not is_there)
        if is_lost or not is_there:
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
    lines_by_hash = {hash_of_line(""): ""}
    for line in _content(root, path).decode("utf-8", "replace").splitlines():
        bare = _bare(line)
        text, _, tag = bare.rpartition(" #")
        lines_by_hash[hash_of_line(bare)] = text if tag in _TAGS else bare
    return lines_by_hash


def _content(root: str, path: str) -> bytes:
    try:
        with open_regular(f"{root}/{path}") as file:
            return file.read(MOST_BYTES)
    except OSError:
        return b""


def fenced(text: str) -> str:
    """Return a text in the passage that capture leaves out; the text cannot end it."""
    return f"{OPEN}\n{text.replace('clawgit_context', 'clawgit context')}\n{CLOSE}"


def hash_of_line(line: str) -> str:
    return _hash_of(_bare(line).encode("utf-8", "surrogatepass"))


def _hash_of(data: bytes) -> str:
    return blake2b(data, digest_size=12).hexdigest()


def _bare(line: str) -> str:
    """Return a line without its comments; without `re`, which is half of a hook's cost."""
    text, begin, rest = line.partition("<!--")
    while begin:
        _, end, behind = rest.partition("-->")
        if not end:
            return (text + begin + rest).rstrip()
        text = text.rstrip(" \t") + behind
        text, begin, rest = text.partition("<!--")
    return text.rstrip()
