"""`python -m benchmarks.conflicts`: what the rules find of the pairs, what the check of a model's answer lets through, and the time of a night.

`pairs.tsv` was written before the rules. A careful model names every pair that contradicts and no other; a careless one names all.
"""

from __future__ import annotations

import csv
import subprocess
import tempfile
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.agents.conflict_detector import ConflictDetector, ask_detector
from clawgit.agents.contradictions import Pair, alike_pairs, difference, standing_in
from clawgit.history.adopt import adopt
from clawgit.history.git.repository import History, open_history

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

PAIRS = Path(__file__).with_name("pairs.tsv")
ON = date(2026, 3, 1)
NOW = datetime(2026, 3, 19, 7, 0, tzinfo=UTC)
LINES, DAYS, ENTRIES = 36_000, 1825, 6_000


class Case(NamedTuple):
    """One pair, and whether it contradicts itself."""

    name: str
    lang: str
    contradict: str
    a: str
    b: str


def main() -> None:
    """Print all figures."""
    with PAIRS.open(encoding="utf-8") as file:
        cases = [Case(*row) for row in list(csv.reader(file, delimiter="\t"))[1:]]
    _print("rules alone", cases, lambda case: bool(difference(case.a, case.b, ON)))
    _print("compared at all", cases, lambda case: bool(_pairs(case)))
    _print("a careful model", cases, lambda case: case.contradict == "yes" and _by_model(case))
    _print("a careless model", cases, _by_model)
    _print("a careless model, decided by rules", cases, lambda case: _by_model(case, plain=True))
    with tempfile.TemporaryDirectory() as folder:
        _night(Path(folder) / "workspace")


def _print(what: str, cases: Iterable[Case], finds: Callable[[Case], bool]) -> None:
    found = [(case, finds(case)) for case in cases]
    right, false = (
        [case for case, hit in found if hit and case.contradict == answer] for answer in ("yes", "no")
    )
    each = {lang: sum(case.lang == lang for case in right) for lang in ("en", "de", "zh")}
    print(
        f"{what}: {len(right)} of 60 that contradict {each}, {len(false)} of 60 that do not {[case.name for case in false]}"
    )


def _pairs(case: Case) -> list[Pair]:
    entries = standing_in({"MEMORY.md": f"- {case.a}\n- {case.b}\n".encode()})
    return list(alike_pairs(entries, {each.statement for each in entries}, lambda _: ()))


def _by_model(case: Case, *, plain: bool = False) -> bool:
    """Say whether the check lets a model's finding through that quotes what differs, and maybe whether rules may decide it."""
    a_says, b_says = _quotes(case.a, case.b)

    def complete(*_: Any) -> Any:
        return {"conflicts": [{"a": "e:1", "b": "e:2", "a_says": a_says, "b_says": b_says}]}

    asker: Any = SimpleNamespace(complete=complete, spent=0)
    found = ask_detector(asker, "", _pairs(case), lambda _: "operator").conflicts.values()
    return any(not each.undecided or not plain for each in found)


def _quotes(a: str, b: str) -> tuple[str, str]:
    """Return what stands between the words with which both begin and those with which both end; all, where nothing does."""
    cut = list if max(a) >= "\u4e00" else str.split
    one, other = (cut(each.rstrip(".。")) for each in (a, b))
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    glue = "" if cut is list else " "
    return glue.join(one) or a, glue.join(other) or b


def _night(root: Path) -> None:
    """Print the processor's time of the first night over 36,000 lines, of one with 50 new entries, and of one without."""
    history = _workspace(root)
    print(f"{LINES:,} lines, {ENTRIES:,} of them entries")
    for what, count in (("first night", 0), ("50 new entries", 50), ("nothing changed", 0)):
        if count:
            new = "".join(f"- Gate {at} of hall {at % 40} opens at {at % 24}:45.\n" for at in range(count))
            _commit(root, "MEMORY.md", (root / "MEMORY.md").read_text("utf-8") + new)
        start, began = time.process_time(), time.perf_counter()
        reports = ConflictDetector.run_round(history, NOW + timedelta(days=2))
        taken = time.process_time() - start, time.perf_counter() - began
        told = [each.note.outcome.value for each in reports] or ["nothing waits"]
        print(f"  {what}: {taken[0]:.2f} s of the processor, {taken[1]:.2f} s in all ({', '.join(told)})")


def _workspace(root: Path) -> History:
    root.mkdir()
    notes = root / "memory"
    notes.mkdir()
    a_day = (LINES - ENTRIES) // DAYS
    for day in range(DAYS):
        name = (NOW.date() - timedelta(days=day)).isoformat()
        lines = (
            f"- Talked about part {at} of plan {day * a_day + at} with team {at % 7}.\n"
            for at in range(a_day)
        )
        (notes / f"{name}.md").write_text("".join(lines), "utf-8")
    entries = (f"- Gate {at} of hall {at % 40} opens at {at % 24}:30. #knowledge\n" for at in range(ENTRIES))
    (root / "MEMORY.md").write_text("# MEMORY\n\n" + "".join(entries), "utf-8")
    adopt(root, NOW, trust="operator")
    return open_history(root)


def _commit(root: Path, path: str, text: str) -> None:
    (root / path).write_text(text, "utf-8")
    git = ("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qam", "more")
    subprocess.run(git, cwd=root, check=True)


if __name__ == "__main__":
    main()
