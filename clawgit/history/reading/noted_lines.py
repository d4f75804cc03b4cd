"""Lines of the days' notes that somebody wrote and that are still there: prose in its words, all lines by count."""

from __future__ import annotations

from collections import Counter
from operator import attrgetter, itemgetter
from shlex import quote
from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import HOST, UNKNOWN, WHOSE
from clawgit.history.reading.git_log import WITH_FILES, read_changes
from clawgit.memory.entries.tiers import date_of
from clawgit.memory.notes import NOTES, is_about, lines_about
from clawgit.memory.provenance.pieces import PLAIN, QUOTED, Piece, Text, headings_in
from clawgit.text.safety.control_characters import counted
from clawgit.text.safety.secrets import redact_lines

if TYPE_CHECKING:
    from collections.abc import Container

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


def is_days_note(path: str) -> bool:
    return path.startswith(NOTES) and date_of(path) is not None


def read_prose(base: Tree, made: Tree, tip: Tree, path: str) -> list[str]:
    """Return the lines, without items and headings, that ``made`` has over ``base`` and that ``tip`` still has; secrets masked."""
    return [piece.words for piece in _came(base, made, tip, path) if piece.form == PLAIN]


def _came(base: Tree, made: Tree, tip: Tree, path: str) -> list[Piece]:
    data = made.read(path) or b""
    if lines_about(data):  # a session's note repeats messages
        return []
    before = set(Text(base.read(path) or b"").pieces)
    still = set(Text(tip.read(path) or b"").pieces)
    headings = headings_in(data)
    pieces = Text(data).pieces
    if not pieces:  # the note is gone, or blank
        return []
    masked = redact_lines("\n".join(map(attrgetter("words"), pieces))).split("\n")
    came = []
    for piece, words in zip(pieces, masked, strict=True):
        is_new = piece in still and piece not in before
        if is_new and piece.form != QUOTED and piece.words not in headings and not is_about(piece.words):
            came.append(piece._replace(words=words))
    return came


def read_noted(
    history: History, base_id: str | None, tip_id: str, claimed: Container[str], *, is_prose: bool = False
) -> str:
    """Return in a sentence how many lines others than the operator and the jobs wrote into days' notes since ``base_id``.

    With ``is_prose`` without items, which are statements.
    """
    if tip_id in ("", base_id):
        return ""
    reach = [tip_id]
    if base_id is not None:
        reach.append(f"^{base_id}")
    tip = history.tree_of(tip_id)
    noted: dict[tuple[str, str], str] = {}  # the author by path and words
    for commit in read_changes(history, "--no-merges", *WITH_FILES, *reach):
        if commit.actor not in (HOST, UNKNOWN) or commit.commit_id in claimed:
            continue
        base, made = history.around(commit)
        for step in commit.files:
            if not is_days_note(step.path):
                continue
            for piece in _came(base, made, tip, step.path):
                if piece.form == PLAIN or not is_prose:
                    noted[step.path, piece.words] = WHOSE[commit.actor]
    if not noted:
        return ""
    amounts = (f"{counted(count, 'line')} by {whose}" for whose, count in Counter(noted.values()).items())
    where, *others = dict.fromkeys(map(itemgetter(0), noted))
    if others:
        where = NOTES
    return f"Noted: {' and '.join(amounts)} in {where} (`clawgit log --file {quote(where)}`)."
