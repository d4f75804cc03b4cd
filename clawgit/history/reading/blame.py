"""Which change each line comes from, looking through those that only moved white space or ids; and what brought each principle of the soul."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.git.git_program import git_output
from clawgit.history.reading.git_log import LoggedChange, read_named
from clawgit.identity.principle_edits import spoken, withdraws
from clawgit.identity.principles import read_principles
from clawgit.identity.soul_policy import is_addition
from clawgit.memory.entries.entry_marks import without_marks
from clawgit.memory.entries.tiers import is_identity
from clawgit.text.comparing.alignment import common_runs
from clawgit.text.comparing.similarity import words
from clawgit.text.markdown.lines import split_lines
from clawgit.workspace.safe_files import check_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.identity.principles import Principle
    from clawgit.plan import Plan

_OPTIONS = (
    *("-p", "-U0", "--topo-order", "--full-history", "--parents", "--format=%x00%H %P"),
    *("--diff-merges=off", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv", "--text"),
)
_HEADER = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
# For each line of one version of the file, the lines (by number) of the last version that it became.
Became: TypeAlias = "list[tuple[int, ...]]"


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that are in the place of others; ``old`` and ``new`` are where they begin, counted from 0."""

    old: int
    new: int
    removed: tuple[bytes, ...]
    added: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class FileChange:
    """One commit in the history of a file; its parents are those of that history. A merge has no hunks."""

    commit_id: str
    parent_ids: tuple[str, ...]
    hunks: tuple[Hunk, ...]


def read_file_changes(history: History, path: str, commit_id: str) -> Iterator[FileChange]:
    """Yield the commits up to ``commit_id`` that changed a file, and all merges, children before parents.

    Reads twice as many each time, so that whoever has enough after a few waits for no more than that.
    """
    start, most = 0, 32
    while True:
        part = (f"--skip={start}", f"--max-count={most}")
        output = git_output(history, "log", *_OPTIONS, *part, commit_id, "--", path)
        found = list(_read(output))
        yield from found
        if len(found) < most:
            return
        start, most = start + most, 2 * (start + most)


def _read(output: bytes) -> Iterator[FileChange]:
    lines = iter(output.split(b"\n"))
    names: list[str] = []
    hunks: list[Hunk] = []
    for line in lines:
        if line.startswith(b"\0"):
            if names:
                yield FileChange(names[0], tuple(names[1:]), tuple(hunks))
            names, hunks = line[1:].decode().split(), []
        elif header := _HEADER.match(line):
            hunks.append(_hunk(lines, *(1 if number is None else int(number) for number in header.groups())))
    if names:
        yield FileChange(names[0], tuple(names[1:]), tuple(hunks))


def _hunk(lines: Iterator[bytes], old: int, removed: int, new: int, added: int) -> Hunk:
    """Take the lines of one hunk; where it has none of a side, git names the line before."""
    gone: list[bytes] = []
    come: list[bytes] = []
    while len(gone) < removed or len(come) < added:
        line = next(lines)
        if line.startswith(b"-"):
            gone.append(line[1:])
        elif line.startswith(b"+"):
            come.append(line[1:])
    return Hunk(old - (removed > 0), new - (added > 0), tuple(gone), tuple(come))


@dataclass(frozen=True, slots=True)
class BlamedLine:
    """One line of a file without its end, and the change that its words come from."""

    number: int
    text: str
    change: LoggedChange


def blame(history: History, path: str, commit_id: str) -> list[BlamedLine]:
    """Return the lines of ``path`` as of ``commit_id``, each with its change."""
    lines = _lines(history, check_path(path), commit_id)
    brought = _Blame(history, path).brought(commit_id, [(number,) for number in range(1, len(lines) + 1)])
    changes = read_named(history, brought.values())
    return [
        BlamedLine(number, line.removesuffix(b"\r").decode("utf-8", "replace"), changes[brought[number]])
        for number, line in enumerate(lines, start=1)
    ]


class _Blame:
    """Takes the lines back from commit to commit: each stays where no parent has its words.

    git's own blame can be told to pass commits over. But then it guesses which line became which, and it takes
    25 times as long where a fifth of 5,000 changes only set ids.
    """

    def __init__(self, history: History, path: str) -> None:
        self._history, self._path = history, path
        self._waiting: dict[str, Became] = {}
        self._found: dict[int, str] = {}

    def brought(self, commit_id: str, lines: Became) -> dict[int, str]:
        wanted = sum(map(len, lines))
        tip: Became | None = lines
        for change in read_file_changes(self._history, self._path, commit_id):
            here, tip = self._waiting.pop(change.commit_id, tip), None
            if here is not None:
                for numbers in self._taken_back(change, here):
                    self._found |= dict.fromkeys(numbers, change.commit_id)
            if len(self._found) == wanted:
                break
        return self._found

    def _taken_back(self, change: FileChange, here: Became) -> Iterable[tuple[int, ...]]:
        """Let the lines wait at the parents that have their words; return those that none has."""
        first = change.hunks[0] if len(change.hunks) == 1 else None
        begins_anew = first is not None and len(first.added) == len(here) and not first.removed
        if not change.parent_ids or begins_anew:  # the file was gone (or empty) before
            return self._from_another_name(change.commit_id, here)
        if len(change.parent_ids) == 1 and change.hunks:
            return self._through_hunks(change, here)
        for parent_id in change.parent_ids:
            old, new = (_lines(self._history, self._path, name) for name in (parent_id, change.commit_id))
            self._wait(parent_id, _moved(old, new, here))
        return here

    def _through_hunks(self, change: FileChange, here: Became) -> list[tuple[int, ...]]:
        stays: list[tuple[int, ...]] = []
        for hunk in reversed(change.hunks):
            last = hunk.new + len(hunk.added)
            came = here[hunk.new : last]
            here[hunk.new : last] = (
                _moved(hunk.removed, hunk.added, came) if any(came) else [()] * len(hunk.removed)
            )
            stays += came
        self._wait(change.parent_ids[0], here)
        return stays

    def _wait(self, parent_id: str, there: Became) -> None:
        """Let lines wait at a parent, together with those that came from another child."""
        if parent_id in self._waiting:
            there = [a + b for a, b in zip(self._waiting[parent_id], there, strict=True)]
        self._waiting[parent_id] = there

    def _from_another_name(self, commit_id: str, here: Became) -> Iterable[tuple[int, ...]]:
        name = _name_before(self._history, self._path, commit_id)
        if name is not None:
            parent_id = self._history.objects.commit(commit_id).parent_ids[0]
            old = _lines(self._history, name, parent_id)
            new = _lines(self._history, self._path, commit_id)
            self._found |= _Blame(self._history, name).brought(parent_id, _moved(old, new, here))
        return here


def _moved(old: Sequence[bytes], new: Sequence[bytes], here: Became) -> Became:
    """Return what the old lines became; what is taken over from ``here`` is not there any more."""
    before: Became = [()] * len(old)
    for run in common_runs(list(map(_words, old)), list(map(_words, new))):
        before[run.old : run.old + run.length] = here[run.new : run.new + run.length]
        here[run.new : run.new + run.length] = [()] * run.length
    return before


def _name_before(history: History, path: str, commit_id: str) -> str | None:
    output = git_output(history, "diff-tree", "-r", "-M", "-z", "--raw", "--no-commit-id", commit_id)
    tokens = output.split(b"\0")
    for at, token in enumerate(tokens):
        if token.startswith(b":") and b" R" in token and tokens[at + 2] == os.fsencode(path):
            return os.fsdecode(tokens[at + 1])
    return None


def _lines(history: History, path: str, commit_id: str) -> list[bytes]:
    lines = (history.tree_of(commit_id).read(path) or b"").split(b"\n")
    return lines if lines[-1] else lines[:-1]


def _words(line: bytes) -> str:
    return b" ".join(without_marks(line).split()).decode("latin-1")


BASIS = "Clawgit-Basis"  # on what a principle of the soul keeper's rests: correction, order or pattern
CORRECTION_MARK = "x:"


class Origin(Enum):
    """What brought the words of a principle."""

    ORIGINAL = "original"
    OPERATOR = "operator"
    CORRECTION = "correction"
    ORDER = "order"
    INFERENCE = "inference"


class OriginOf(NamedTuple):
    """One principle, what brought its words, the change that did, and how much evidence that has."""

    principle: Principle
    origin: Origin
    change: LoggedChange
    support: int


def principle_origins(history: History, path: str, commit_id: str) -> list[OriginOf]:
    """Return the principles of a file of the soul as of a commit, each by the first change that brought its words.

    Whoever commits the same words again, after an undo or a squash, is not where they came from.
    """
    text = history.tree_of(commit_id).read(path) or b""
    lines = [line.decode("utf-8", "replace") for line in split_lines(text)]
    keys = {each.line: tuple(words(lines[each.line - 1])) for each in read_principles(text)}
    wanted = set(keys.values())
    first = dict[tuple[str, ...], str]()
    begun = commit_id
    for change in read_file_changes(history, path, commit_id):
        begun = change.commit_id if change.hunks else begun
        for line in (line for hunk in change.hunks for line in hunk.added):
            said = tuple(words(line.decode("utf-8", "replace")))
            if said in wanted:
                first[said] = change.commit_id
    changes = read_named(history, first.values())
    origins = []
    for each in read_principles(text):
        if keys[each.line] in first:
            brought = changes[first[keys[each.line]]]
            origin = _origin(brought, is_first=brought.commit_id == begun)
            origins.append(OriginOf(each, origin, brought, len(brought.evidence)))
    return origins


def corrected_at_risk(history: History, commit_id: str | None, plan: Plan) -> frozenset[tuple[str, ...]]:
    """Return the words of principles that came from a correction, of the files of the soul that a plan does more to than add.

    Left out is what the operator takes back in the words that the plan cites.
    """
    found: set[tuple[str, ...]] = set()
    if commit_id is None:
        return frozenset()
    tree = history.tree_of(commit_id)
    for edit in plan.edits:
        if is_identity(edit.path) and not is_addition(tree.read(edit.path) or b"", edit.data or b""):
            for principle, origin, *_ in principle_origins(history, edit.path, commit_id):
                text = spoken(principle.text)
                is_taken_back = any(withdraws(each.quote, text) for each in plan.evidence)
                if origin is Origin.CORRECTION and not is_taken_back:
                    found.add(principle.words)
    return frozenset(found)


def _origin(change: LoggedChange, *, is_first: bool) -> Origin:
    basis = change.trailers.first(BASIS)
    if basis == Origin.CORRECTION.value or any(each.startswith(CORRECTION_MARK) for each in change.evidence):
        return Origin.CORRECTION
    if basis == Origin.ORDER.value:
        return Origin.ORDER
    if is_first:
        return Origin.ORIGINAL
    return Origin.OPERATOR if basis is None and change.actor == OPERATOR else Origin.INFERENCE
