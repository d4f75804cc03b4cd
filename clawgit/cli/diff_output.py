"""A diff in words and lines, for a terminal, a pipe or another program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import picked
from clawgit.text.safety.control_characters import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.history.states import FileDiff
    from clawgit.text.comparing.word_diff import Piece
    from clawgit.text.markdown.section_diff import LineChange

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
    return [click.unstyle(line) for diff in diffs for line in diff_lines(diff, words=False)]


def stat_line(diff: FileDiff) -> str:
    from clawgit.text.markdown.section_diff import stat

    sums = stat(diff.sections)
    counts = {
        "added": sums.added,
        "removed": sums.removed,
        "changed": sums.changed,
        "moved": sums.moved,
        "formatting only": sums.formatting,
    }
    parts = [f"{count} {what}" for what, count in counts.items() if count]
    words = f"(words: +{sums.words_added} -{sums.words_removed})"
    return f"{diff.path}: {', '.join(parts) or 'nothing'} {words}"


def diff_lines(diff: FileDiff, *, words: bool) -> Iterator[str]:
    """Yield the lines of a file's diff, styled; click takes the style out where there is no terminal."""
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
            if change.kind == "changed" and (words or change.formatting):
                yield "  ~ " + _in_words(change)
            elif change.kind == "moved":
                yield click.style(
                    f"  > {shown(change.new)}  (from line {change.old_line})", fg=_COLOURS["moved"]
                )
            else:
                if change.kind != "added":
                    yield click.style("  - " + shown(change.old), fg=_COLOURS["removed"])
                if change.kind != "removed":
                    yield click.style("  + " + shown(change.new), fg=_COLOURS["added"])


def _in_words(change: LineChange) -> str:
    if change.formatting:
        return shown(change.new) + "  (formatting only)"
    return worded(change.pieces)


def worded(pieces: Iterable[Piece]) -> str:
    parts = []
    for piece in pieces:
        before, after = _WORD_MARKS[piece.kind]
        parts.append(click.style(before + shown(piece.text) + after, fg=_COLOURS.get(piece.kind)))
    return "".join(parts)
