"""A diff in words and lines, for a terminal, a pipe or another program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import picked
from clawgit.text.safety.control_characters import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.history.states import FileDiff
    from clawgit.text.comparing.word_diff import DiffPiece

_COLOURS = {"removed": "red", "added": "green", "moved": "cyan", "heading": "yellow"}
_WORD_MARKS = {"removed": ("[-", "-]"), "added": ("{+", "+}"), "same": ("", "")}


def diffs_data(diffs: Iterable[FileDiff]) -> list[dict[str, Any]]:
    from clawgit.text.markdown.section_diff import stat

    rows = []
    for diff in diffs:
        sections = [picked(part, "section changes") for part in diff.sections]
        rows.append(picked(diff, "path made gone") | {"stat": stat(diff.sections), "sections": sections})
    return rows


def diffs_lines(diffs: Iterable[FileDiff]) -> list[str]:
    return [click.unstyle(line) for diff in diffs for line in diff_lines(diff)]


def diff_lines(diff: FileDiff) -> Iterator[str]:
    note = ""
    if diff.made:
        note = " (new file)"
    elif diff.gone:
        note = " (file removed)"
    yield click.style(shown(diff.path) + note, bold=True)
    for part in diff.sections:
        if part.section:
            yield click.style("  @ " + shown(" / ".join(part.section)), fg=_COLOURS["heading"])
        for change in part.changes:
            if change.kind == "changed" and change.formatting:
                yield f"  ~ {shown(change.new)}  (formatting only)"
            elif change.kind == "moved":
                yield click.style(
                    f"  > {shown(change.new)}  (from line {change.old_line})", fg=_COLOURS["moved"]
                )
            else:
                if change.kind != "added":
                    yield click.style("  - " + shown(change.old), fg=_COLOURS["removed"])
                if change.kind != "removed":
                    yield click.style("  + " + shown(change.new), fg=_COLOURS["added"])


def worded(pieces: Iterable[DiffPiece]) -> str:
    parts = []
    for piece in pieces:
        before, after = _WORD_MARKS[piece.kind]
        parts.append(click.style(before + shown(piece.text) + after, fg=_COLOURS.get(piece.kind)))
    return "".join(parts)
