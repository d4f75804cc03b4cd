"""`soul blame`: which change each line comes from, looking through those that only moved white space or ids."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clawgit.history.hunks import read_hunks
from clawgit.history.log import LoggedChange, git_output, read_named
from clawgit.memory.marks import without_marks
from clawgit.workspace.files import check_path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from clawgit.history.hunks import Hunk
    from clawgit.history.repository import History

_LINE = re.compile(rb"([0-9a-f]{40}) \d+ (\d+)")
MOST_RANGES = 50


@dataclass(frozen=True, slots=True)
class BlamedLine:
    """One line of a file, and the change that its words come from."""

    number: int
    text: str
    change: LoggedChange


def blame(history: History, path: str, commit_id: str) -> list[BlamedLine]:
    """Return the lines of ``path`` as of ``commit_id``, each with its change.

    Raises:
        ClawgitError: git could not read the history.
    """
    lines = _Blame(history, check_path(path), commit_id).lines()
    changes = read_named(history, (line.commit_id for line in lines))
    return [
        BlamedLine(line.number, line.text.decode("utf-8", "replace"), changes[line.commit_id])
        for line in lines
    ]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line and the commit that git names for it; ``path`` is the file's name there."""

    number: int
    text: bytes
    commit_id: str
    path: str

    @property
    def words(self) -> bytes:
        return _words(self.text)


@dataclass(frozen=True, slots=True)
class _Done:
    """What a commit did to a file's words: which it put in, which it only dressed otherwise, and whether that is all."""

    added: frozenset[bytes]
    dressed: frozenset[bytes]
    wordless: bool


class _Blame:
    """Asks git again and again, each time without the commits in which a line's words only changed their dress."""

    def __init__(self, history: History, path: str, commit_id: str) -> None:
        self._history, self._path, self._commit_id = history, path, commit_id
        self._done: dict[str, _Done] = {}
        self._wordless: set[str] = set()
        self._order: list[str] = []

    def lines(self) -> list[_Line]:
        """Return the lines, each with the commit that its words come from."""
        found = self._ask(self._commit_id, self._path)
        passed: dict[int, frozenset[str]] = dict.fromkeys(found, frozenset())
        while passed:
            dressed = [number for number in passed if self._only_dresses(found[number])]
            passed = {number: passed[number] | {found[number].commit_id} for number in dressed}
            if passed:
                further = self._further(found, passed)
                found |= further
                passed = {number: passed[number] for number in further}
        return [found[number] for number in sorted(found)]

    def _further(self, found: dict[int, _Line], passed: dict[int, frozenset[str]]) -> dict[int, _Line]:
        """Return those lines that git finds further back: all at once, and one by one where that led astray."""
        self._find_wordless({found[number].commit_id for number in passed})
        ignored = self._wordless.union(*passed.values())
        again = self._ask(self._commit_id, self._path, ignored=ignored, only=passed.keys())
        further = {number: line for number, line in again.items() if self._is_further(line, passed[number])}
        return further | self._behind([found[number] for number in passed.keys() - further.keys()])

    def _only_dresses(self, line: _Line) -> bool:
        return line.words in self._done[line.commit_id].dressed

    def _is_further(self, line: _Line, passed: frozenset[str]) -> bool:
        """Say whether git found these words in another commit: what it finds may only look like them."""
        return line.commit_id not in passed and line.words in self._done[line.commit_id].added

    def _behind(self, lines: list[_Line]) -> dict[int, _Line]:
        """Return the lines as they are blamed in the parent of the commit that only dressed them."""
        groups: dict[tuple[str, str], list[_Line]] = {}
        for line in lines:
            groups.setdefault((line.commit_id, line.path), []).append(line)
        found = {}
        for (commit_id, path), group in groups.items():
            parent = self._history.objects.commit(commit_id).parent_ids[0]
            data = self._history.tree_of(parent).read(path) or b""
            places = {_words(raw): number for number, raw in enumerate(data.split(b"\n"), start=1)}
            wanted = {places[line.words]: line for line in group if line.words in places}
            for place, line in self._ask(parent, path, only=wanted.keys()).items() if wanted else ():
                found[wanted[place].number] = replace(line, number=wanted[place].number)
        return found

    def _ask(
        self, commit_id: str, path: str, *, ignored: Iterable[str] = (), only: Collection[int] = ()
    ) -> dict[int, _Line]:
        """Return the lines (all, or some) by number as git blames them, and read what their commits changed."""
        options = [f"--ignore-rev={name}" for name in sorted(ignored)]
        ranges = [f"-L{number},{number}" for number in sorted(only)] if len(only) <= MOST_RANGES else []
        asked = ("--porcelain", "-w", *options, *ranges, commit_id, "--", path)
        lines = _parsed(git_output(self._history, "blame", *asked), path)
        found = {line.number: line for line in lines if not only or line.number in only}
        new = [line for line in found.values() if line.commit_id not in self._done]
        self._read({line.commit_id for line in new}, {line.path for line in new} | {self._path})
        return found

    def _read(self, names: set[str], paths: set[str]) -> None:
        read = read_hunks(self._history, sorted(names), sorted(paths))
        self._done |= {name: _done(read.get(name, [])) for name in names}

    def _find_wordless(self, names: set[str]) -> None:
        """Note which commits near ``names`` changed no word of the file, looking back twice as far each time.

        A file that was put into another form a hundred times takes seven rounds so.
        """
        if not self._order:
            listed = git_output(self._history, "log", "--format=%H", self._commit_id, "--", self._path)
            self._order = listed.decode().split()
            back = 0
        else:
            back = 2 * (1 + len(self._wordless))
        places = [at for at, name in enumerate(self._order) if name in names]
        near = {name for at in places for name in self._order[at : at + 1 + back]}
        self._read(near - self._done.keys(), {self._path})
        self._wordless |= {name for name in near if self._done[name].wordless}


def _done(hunks: list[Hunk]) -> _Done:
    pairs = [(Counter(map(_words, hunk.removed)), Counter(map(_words, hunk.added))) for hunk in hunks]
    dressed = frozenset(words for removed, added in pairs for words in removed & added)
    added = frozenset(words for _, added in pairs for words in added)
    return _Done(added, dressed, bool(pairs) and all(removed == added for removed, added in pairs))


def _words(line: bytes) -> bytes:
    return b" ".join(without_marks(line).split())


def _parsed(porcelain: bytes, path: str) -> Iterator[_Line]:
    """Yield the lines; a line's text is what begins with a tab."""
    found, name = _Line(0, b"", "", path), ""
    paths: dict[str, str] = {}
    for line in porcelain.split(b"\n"):
        if line.startswith(b"\t"):
            yield replace(found, text=line[1:], path=paths.get(name, path))
        elif match := _LINE.match(line):
            name = match[1].decode()
            found = _Line(int(match[2]), b"", name, path)
        elif line.startswith(b"filename "):
            paths[name] = line[9:].decode("utf-8", "replace")
