"""An entry corrected in its place: the new words, its id and its tags kept, the old words below as a comment."""

from __future__ import annotations

from itertools import dropwhile

from clawgit.errors import ClawgitError
from clawgit.memory.entries.entries import Entry, read_entries
from clawgit.memory.entries.entry_marks import is_earlier_wording, notes_on, with_mark
from clawgit.memory.entries.statements import parted
from clawgit.text.markdown.lines import line_end, split_lines, without_end


class UnfitError(ClawgitError):
    """An entry cannot be corrected where it is."""


def set_entry_right(data: bytes, entry: Entry, statement: str) -> bytes:
    """Return ``data`` with ``entry`` saying ``statement``, and what it said before in a short comment below.

    A host's notes stay on the line.

    Raises:
        UnfitError: It would not read as that one entry with these words; nothing is returned.
    """
    lines = split_lines(data)
    first = without_end(lines[entry.first])
    end = lines[entry.first][len(first) :] or line_end(data)
    parts = parted(_opening(lines, entry))
    notes = notes_on(lines[entry.first : entry.text_last])
    text = b" ".join((parts.saying(statement).encode("utf-8", "surrogateescape"), *notes))
    lead = _lead(first)
    told = b"<!-- was: %s -->" % _commented(parts.statement)
    item = [lead + text + end, b" " * len(lead.expandtabs(4)) + told + end]
    if entry.entry_id is not None:
        item = with_mark(item, 0, entry.entry_id)
    below = dropwhile(is_earlier_wording, lines[entry.text_last :])  # the history has them
    new = b"".join([*lines[: entry.first], *item, *below])
    _refuse_surprise(data, new, entry, statement)
    return new


def _opening(lines: list[bytes], entry: Entry) -> str:
    """Return the words of the entry's first paragraph, without its marker and its id."""
    inside = b"".join(lines[entry.first : entry.text_last])
    found = read_entries(inside.lstrip(b" \t"))
    return found[0].text if found else entry.text


def _lead(line: bytes) -> bytes:
    """Return what is before an item's words: white space, its marker, white space."""
    rest = line.lstrip(b" \t")
    marker = rest.split(maxsplit=1)[0]
    words = rest[len(marker) :].lstrip(b" \t")
    return line[: len(line) - len(words)]


def _commented(text: str) -> bytes:
    """Return words as they may be in a comment: nothing in them ends one or begins one."""
    return text.replace("--", "-&#45;").encode("utf-8", "surrogateescape")


def _refuse_surprise(old: bytes, new: bytes, entry: Entry, statement: str) -> None:
    """Raise unless the same entries are there, this one with its new words.

    Raises:
        UnfitError: They do not.
    """
    before, after = read_entries(old), read_entries(new)
    at = next(number for number, each in enumerate(before) if each.first == entry.first)
    others = [each.text for each in before[:at] + before[at + 1 :]]
    if (
        "<!--" in statement
        or len(after) != len(before)
        or [each.text for each in after[:at] + after[at + 1 :]] != others
        or [each.entry_id for each in after] != [each.entry_id for each in before]
        or parted(after[at].text).statement != parted(statement).statement
    ):
        raise UnfitError(
            "The entry cannot say that in its place.", hint="Edit the line, and commit it with git."
        )
