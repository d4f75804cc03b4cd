"""What a context holds of what it must and must not hold at a moment."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.moments.scene_played import live, set_up
from benchmarks.moments.table import NEVER, changed_files, scenes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.moments.scene_played import Played
    from benchmarks.moments.table import Moment

AIM = 95  # of a hundred lines that must be in; of those that must not, none is


def moments(
    names: list[str] | None = None, only: str = "", keep: Path | None = None, *, show: bool = False
) -> int:
    """Ask at each moment; return 0 if the aims are reached."""
    if changed := changed_files():
        print(f"Not as frozen: {', '.join(changed)}.")
        return 1
    tally = Counter[str]()
    for moment, played in _played(names, only, keep):
        answer = played.asked(moment)
        wrong = judged(moment, answer, tally)
        print(f"  {moment.name:40} {answer['tokens']:5} tokens  {'; '.join(wrong) or 'as it must be'}")
        for line in played.failed:
            print(f"    failed: {line}")
        if show and wrong:
            print(answer["text"])
    share = 100 * tally["there"] / max(1, tally["must"])
    print(
        f"moments: {tally['there']} of {tally['must']} lines that must be in ({share:.1f} %), "
        f"{tally['present']} of {tally['must not']} that must not, {tally['too long']} too long"
    )
    return int(share < AIM or bool(tally["present"] or tally["too long"]))


def _played(names: list[str] | None, only: str, keep: Path | None) -> Iterator[tuple[Moment, Played]]:
    for scene in scenes():
        wanted = [each for each in scene.moments if only in each.name]
        if (names and scene.name not in names) or not wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            if scene.life:
                lived = live(scene, Path(folder), keep)
                for moment in wanted:
                    yield moment, lived
                continue
            for number, moment in enumerate(wanted):
                yield moment, set_up(scene, moment, Path(folder) / str(number))


def judged(moment: Moment, answer: dict[str, Any], tally: Counter[str]) -> list[str]:
    """Return what is wrong with a moment's context, and count it."""
    lines = answer["text"].casefold().splitlines()
    wrong = []
    for words in moment.must:
        tally["must"] += 1
        tally["there"] += _first(lines, words) < len(lines)
        if _first(lines, words) == len(lines):
            wrong.append(f"without {words!r}")
    for words in moment.once:
        count = sum(words.casefold() in line for line in lines)
        tally["must"] += 1
        tally["there"] += count > 0
        tally["must not"] += 1
        tally["present"] += count > 1
        if count != 1:
            wrong.append(f"{count} times {words!r}")
    for words in (*moment.must_not, *NEVER):
        tally["must not"] += 1
        tally["present"] += _first(lines, words) < len(lines)
        if _first(lines, words) < len(lines):
            wrong.append(f"with {words!r}")
    for first, second in moment.before:
        tally["must not"] += 1
        is_late = _first(lines, second) < _first(lines, first)
        tally["present"] += is_late
        if is_late:
            wrong.append(f"{second!r} above {first!r}")
    if moment.tokens and answer["tokens"] > moment.tokens:
        tally["too long"] += 1
        wrong.append(f"more than {moment.tokens} tokens")
    return wrong


def _first(lines: list[str], words: str) -> int:
    """Return the first line that holds one of the words between bars; behind the last where none does."""
    wanted = words.casefold().split("|")
    for number, line in enumerate(lines):
        if any(each in line for each in wanted):
            return number
    return len(lines)
