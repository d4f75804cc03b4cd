"""`why PATH:LINE`: which committed line somebody means who looks at a file in the folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.memory.entries.entry_marks import mark_of
from clawgit.memory.entries.statement_lookup import CLOSE
from clawgit.memory.entries.tiers import is_derived
from clawgit.text.comparing.alignment import common_runs
from clawgit.text.comparing.similarity import likeness
from clawgit.text.markdown.lines import split_lines, without_end
from clawgit.workspace.safe_files import read_file

if TYPE_CHECKING:
    from clawgit.history.git.repository import History


class LineError(ClawgitError):
    """There is no such line, or nothing is known of it yet."""


@dataclass(frozen=True, slots=True)
class CommittedLine:
    """A line (from 1) as committed; ``note`` says what the folder has otherwise."""

    path: str
    number: int
    text: str
    note: str = ""


def committed_line(history: History, path: str, number: int) -> CommittedLine:
    """Return the committed form of line ``number`` of the folder's file.

    Raises:
        LineError: There is none, or it is not committed yet.
    """
    data = history.tip().tree.read(path)
    if data is None and is_derived(path):
        raise LineError(
            f"{path} is rendered from the history, so no change is behind its lines.",
            hint="`clawgit soul log` and `git log` list what it tells of.",
        )
    present = read_file(history.root, path)
    if data is None and present is None:
        raise LineError(f"There is no file {path}.", hint="Give its path as `git ls-files` lists it.")
    old = [without_end(line) for line in split_lines(data or b"")]
    if present is None:
        return _line(
            path, old, number, f"{path} is not in the folder any more; lines are counted as committed."
        )
    new = [without_end(line) for line in split_lines(present.data)]
    if new == old:
        return _line(path, old, number)
    if not 0 < number <= len(new):
        raise _no_line(path, number)
    then, is_same = _then(old, new, number)
    if then is None:
        raise LineError(
            f"Line {number} of {path} is not committed yet, so nothing is behind it.",
            hint="`clawgit keep` commits edits. Before that, ask by the earlier words.",
        )
    how = (
        f"is line {then} as committed"
        if is_same
        else f"rewords line {then} as committed, which is explained here"
    )
    moved = f"; line {number} of the folder {how}" if then != number or not is_same else ""
    return _line(path, old, then, f"{path} has edits that are not committed{moved}.")


def _line(path: str, lines: list[bytes], number: int, note: str = "") -> CommittedLine:
    if not 0 < number <= len(lines):
        raise _no_line(path, number)
    return CommittedLine(path, number, lines[number - 1].decode("utf-8", "replace"), note)


def _no_line(path: str, number: int) -> LineError:
    return LineError(f"There is no line {number} in {path}.", hint="Lines are counted from 1.")


def _then(old: list[bytes], new: list[bytes], number: int) -> tuple[int | None, bool]:
    """Return the committed line that became a line, and whether it is the same; of reworded ones by id, then by words."""
    first, second = ([line.decode("utf-8", "surrogateescape") for line in side] for side in (old, new))
    free = set(range(len(old)))
    for run in common_runs(first, second):
        if run.new < number <= run.new + run.length:
            return run.old + number - run.new, True
        free -= set(range(run.old, run.old + run.length))
    mark, words = mark_of([new[number - 1]]), second[number - 1]
    scores = [
        (mark is not None and mark_of([old[at]]) == mark, likeness(first[at], words), -at) for at in free
    ]
    same_id, alike, at = max(scores, default=(False, 0, 0))
    return (1 - at, False) if same_id or alike >= CLOSE else (None, False)
