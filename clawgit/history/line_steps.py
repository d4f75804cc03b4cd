"""What each commit added to and took out of files, line by line; a line that only moved did neither."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clawgit.history.log import WITH_FILES, read_changes
from clawgit.text.lines import split_lines
from clawgit.text.markdown import front_matter_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from clawgit.history.log import FileStep, LoggedChange
    from clawgit.history.repository import History

REMEMBERED = 64


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A line as it was written, and where: the path, and the number from 1."""

    raw: bytes
    path: str
    number: int


@dataclass(slots=True)
class LineStep:
    """One commit, and by what they say, the lines that it added and those that it took out."""

    change: LoggedChange
    added: dict[str, WrittenLine] = field(default_factory=dict)
    removed: dict[str, WrittenLine] = field(default_factory=dict)


class LineReader:
    """Reads steps; ``said`` returns what counts of a line, empty for nothing. Front matter says nothing."""

    def __init__(self, history: History, said: Callable[[bytes], str]) -> None:
        self._history = history
        self._said = said
        self._known: dict[str, list[bytes]] = {}

    def steps(self, tips: Iterable[str], known: Iterable[str], paths: Sequence[str]) -> Iterator[LineStep]:
        """Yield the commits that ``tips`` reach and ``known`` do not, oldest first, that changed ``paths``.

        Raises:
            ClawgitError: git could not read the history.
        """
        asked = ("--topo-order", "--reverse", "--full-history", *WITH_FILES)
        names = (*sorted(tips), *(f"^{name}" for name in sorted(known)))
        for change in read_changes(self._history, *asked, *names, paths=paths):
            yield self._step(change)

    def _step(self, change: LoggedChange) -> LineStep:
        step = LineStep(change)
        for file in change.files:
            if file.path.endswith(".md"):
                self._compare(step, file)
        for said in step.added.keys() & step.removed.keys():
            del step.added[said], step.removed[said]
        return step

    def _compare(self, step: LineStep, file: FileStep) -> None:
        """Put into ``step`` what a file has more or less than in each of the commit's parents."""
        new, olds = self._lines(file.new), [self._lines(old) for old in file.olds] or [[]]
        if len(olds) == 1 and new[: len(olds[0])] == olds[0]:
            self._take(step.added, new, file.path, Counter(new[len(olds[0]) :]), skip=len(olds[0]))
            return
        here, there = Counter(new), [Counter(old) for old in olds]
        most, least = there[0].copy(), there[0]
        for other in there[1:]:
            most, least = most | other, least & other
        self._take(step.added, new, file.path, here - most)
        self._take(step.removed, olds[0], file.path, least - here)

    def _take(
        self,
        into: dict[str, WrittenLine],
        lines: list[bytes],
        path: str,
        wanted: Counter[bytes],
        skip: int = 0,
    ) -> None:
        for number, raw in enumerate(lines[skip:], start=skip + 1):
            if wanted[raw] > 0:
                wanted[raw] -= 1
                said = self._said(raw)
                if said:
                    into.setdefault(said, WrittenLine(raw, path, number))

    def _lines(self, blob: str | None) -> list[bytes]:
        if blob is None:
            return []
        if blob not in self._known:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            data = self._history.objects.blob(blob)
            lines = split_lines(data)
            above = front_matter_lines(data) if data.lstrip(b"\xef\xbb\xbf").startswith(b"---") else 0
            self._known[blob] = [b""] * above + lines[above:]
        return self._known[blob]
