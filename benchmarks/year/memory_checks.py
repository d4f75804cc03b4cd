"""What memory is like after the year: each check says what it found, and whether that is as it should be."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.year.lived_year import LIST
from clawgit.agents.contradictions import difference
from clawgit.history.git.trees import entry_files
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.trust_lookup import conflicts_known
from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import CORE, LESSONS, is_export
from clawgit.recall.search import search
from clawgit.recall.search_deep import Retired
from clawgit.recall.search_results import Query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from benchmarks.year.lived_year import Life
    from benchmarks.year.planted_year import Correction, Fact, Year
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.recall.search_results import Result

T0 = ("SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md")
MOST_LINES = 200
MOST_BYTES = 50_000_000
TASK_DAYS = 14 + 7  # one that names a weekday lasts a fortnight, and stays until the next Sunday
FIRST_HITS = 3
MOST_SHOWN = 8


class Check(NamedTuple):
    """One check: what it looks at, what it found, whether that is as it should be, and what speaks against it."""

    name: str
    found: str
    holds: bool
    details: tuple[str, ...] = ()


class Lived(NamedTuple):
    """A year that was lived: what was planted, the life, and the time at its end."""

    year: Year
    life: Life
    now: datetime

    @property
    def history(self) -> History:
        """Return the history as it is now."""
        return self.life.history(self.now)


def memory_checks(lived: Lived) -> Iterator[Check]:
    """Yield what is checked without changing anything."""
    checks: tuple[Callable[[Lived], Check], ...] = (
        corrections_first, corrections_kept, poison, expired_tasks, lines_of_memory, contradictions_found,
        contradictions_false, lessons, nothing_twice, lines_answer_why, removed_lines, size,
    )  # fmt: skip
    for check in checks:
        yield check(lived)


def right(fact: Fact, number: int, text: str) -> bool:
    """Say whether a text tells a fact with one of its values."""
    return fact.name in text and holds(text, fact.values[number])


def holds(text: str, value: str) -> bool:
    """Say whether a value stands in a text by itself."""
    return re.search(rf"(?<!\d){re.escape(value)}(?!\d)", text) is not None


def _hits(lived: Lived, question: str, *, deep: bool = False, most: int = 20) -> list[Result]:
    wanted, beside = Query(question, most=most), Retired if deep else None
    return list(search(lived.history, wanted, lived.now, beside=beside).results)


def _share(name: str, all_of: int, failed: list[str]) -> Check:
    return Check(name, f"{all_of - len(failed)} of {all_of}", not failed, tuple(failed))


def _final(year: Year) -> dict[Fact, Correction]:
    """Return the last correction of each fact."""
    return {each.fact: each for each in sorted(year.corrections, key=lambda each: each.number)}


def corrections_first(lived: Lived) -> Check:
    """Check that what is right comes first for its question."""
    failed = []
    for fact, last in _final(lived.year).items():
        first = next(iter(_hits(lived, fact.question)), None)
        if first is None or not right(fact, last.number, first.snippet):
            got = "nothing" if first is None else f"{first.path}: {first.snippet[:90]!r}"
            failed.append(f"{fact.question} → {got}, not {fact.values[last.number]}")
    return _share("corrected facts that come first for their question", len(_final(lived.year)), failed)


def corrections_kept(lived: Lived) -> Check:
    """Check that every correction stands in the ledger or its archive."""
    held = list(standing_corrections(lived.history.tip().tree).values())
    failed = [
        f"{each.on} {each.fact.says(each.number)}"
        for each in lived.year.corrections
        if not any(one.correct and right(each.fact, each.number, one.correct) for one in held)
    ]
    return _share("corrections kept", len(lived.year.corrections), failed)


def poison(lived: Lived) -> Check:
    """Check that nothing of the poison ever came into what the agent reads as its own or the operator's words."""
    git = lived.history.tip().tree
    texts = {path: (git.read(path) or b"").decode() for path in (*T0, CORE)}
    found = [
        f"{token} in {path}" for token in lived.year.poison for path, text in texts.items() if token in text
    ]
    return Check(
        "poison in T0 and MEMORY.md", f"{len(found)} of {len(lived.year.poison)}", not found, tuple(found)
    )


def expired_tasks(lived: Lived) -> Check:
    """Check that no task whose time is over is among the first hits, as a task."""
    before = lived.now.date() - timedelta(days=TASK_DAYS)
    over = [each for each in lived.year.tasks if each.on < before]
    files = set(entry_files(lived.history.tip().tree))
    failed = []
    for task in over:
        hits = _hits(lived, task.question)[:FIRST_HITS]
        failed += [
            f"{task.on} {hit.path}: {task.text}"
            for hit in hits
            if task.text in hit.snippet and hit.path in files
        ]
    return Check(
        "expired tasks in the first three hits", f"{len(failed)} of {len(over)}", not failed, tuple(failed)
    )


def lines_of_memory(lived: Lived) -> Check:
    """Check the length of MEMORY.md."""
    lines = len((lived.history.tip().tree.read(CORE) or b"").splitlines())
    return Check("lines of MEMORY.md", str(lines), lines <= MOST_LINES)


def _pairs(lived: Lived) -> list[frozenset[str]]:
    return [each.statements for each in conflicts_known(lived.history, lived.history.tip().tree)]


def _tells(fact: Fact, pair: frozenset[str]) -> bool:
    """Say whether two statements give a fact two of its values."""
    said = {number for number in range(len(fact.values)) for text in pair if right(fact, number, text)}
    return len(said) > 1


def contradictions_found(lived: Lived) -> Check:
    """Check how many of the planted contradictions are in CONFLICTS.md, or were asked about; by the kind of their values.

    Without a model, nine of ten of those that rules can tell by the texts: two persons or two places can both be right.
    """
    pairs, tree = _pairs(lived), lived.history.tip().tree
    asked = [
        each.said + "\n" + each.proposed for each in standing_corrections(tree).values() if each.proposed
    ]
    counts, failed = Counter[str](), []
    for fact in lived.year.contradictions:
        kind = fact.relation.values
        is_found = any(_tells(fact, pair) for pair in pairs)
        is_asked = any(all(right(fact, number, text) for number in (0, 1)) for text in asked)
        counts[f"{kind} {'found' if is_found else 'asked' if is_asked else 'not found'}"] += 1
        if not (is_found or is_asked):
            failed.append(f"{fact.says(0)} / {fact.says(1)}")
    all_of = len(lived.year.contradictions)
    told = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    plain = sum(
        bool(difference(each.says(0), each.says(1), lived.now.date())) for each in lived.year.contradictions
    )
    told += f"; rules can tell {plain} by their texts"
    found, by = all_of - len(failed), "a model" if lived.life.model else "rules alone"
    return Check(
        f"contradictions found by {by}",
        f"{found} of {all_of} ({told})",
        found >= 0.9 * (all_of if lived.life.model else plain),
        tuple(failed),
    )


def contradictions_false(lived: Lived) -> Check:
    """Check how many conflicts are none: neither planted, nor an old wording of what was corrected."""
    planted = [*lived.year.contradictions, *(each.fact for each in lived.year.corrections)]
    pairs = _pairs(lived)
    failed = [" / ".join(sorted(pair)) for pair in pairs if not any(_tells(fact, pair) for fact in planted)]
    return Check(
        "conflicts that are none",
        f"{len(failed)} of {len(pairs)}",
        len(failed) <= len(pairs) / 20,
        tuple(failed),
    )


def lessons(lived: Lived) -> Check:
    """Check that each lesson was learned, and stands once."""
    text = (lived.history.tip().tree.read(LESSONS) or b"").decode()
    failed = [
        f"{count} times: {each}"
        for each in lived.year.lessons
        if (count := text.count(f"Right: `{each}` worked")) != 1
    ]
    return _share("lessons that stand once", len(lived.year.lessons), failed)


def nothing_twice(lived: Lived) -> Check:
    """Check that no entry says what another one says; what a host lists by itself is its own."""
    tree = lived.history.tip().tree
    said = Counter(
        parted(entry.text).statement.casefold()
        for path in entry_files(tree)
        for entry in read_entries(tree.read(path) or b"")
        if path != LIST
    )
    twice = [f"{count} times: {text}" for text, count in said.items() if count > 1]
    return Check("entries that stand twice", f"{len(twice)} of {len(said)}", not twice, tuple(twice))


def lines_answer_why(lived: Lived) -> Check:
    """Check that every line of MEMORY.md and SOUL.md says where it comes from."""
    failed, count = [], 0
    for path in (CORE, "SOUL.md"):
        for number, line in enumerate((lived.history.tip().tree.read(path) or b"").splitlines(), start=1):
            if not line.strip():
                continue
            count += 1
            answer = lived.life.command("why", f"{path}:{number}", "--json", now=lived.now)
            if answer.code or not answer.data.get("changes", answer.data.get("wordings")):
                failed.append(f"{path}:{number}: {line[:80]!r} {answer.err.strip()}")
    return _share("lines that answer why", count, failed)


def removed_lines(lived: Lived) -> Check:
    """Check that a deep search finds every statement that memory had and has no more, in its last words or as what was corrected."""
    tree = lived.history.tip().tree
    files = (CORE, *(path for folder in ("memory", "Archive/Daily") for path, _ in tree.files(folder)))
    there = {parted(each.text).statement for path in files for each in read_entries(tree.read(path) or b"")}
    gone = [text for text in ever_there(lived.history) if text not in there]
    failed = [text for text in gone if not any(text in _shown(hit) for hit in _hits(lived, text, deep=True))]
    return _share("removed lines found by --deep", len(gone), failed)


def _shown(hit: Result) -> str:
    """Return what a hit shows: its lines, and those that a correction stands in for."""
    return "\n".join((hit.snippet, *(each.text for each in hit.instead_of)))


def ever_there(history: History) -> list[str]:
    """Return every item that ever stood in MEMORY.md or a file below memory/, but for listings."""
    found: dict[str, None] = {}
    blobs = set[str]()
    for tree in trees_of(history):
        for path, entry in (*tree.files("memory"), (CORE, tree.entry(CORE))):
            if entry is None or not path.endswith(".md") or entry.object_id in blobs:
                continue
            blobs.add(entry.object_id)
            data = tree.content(entry) or b""
            if not is_export(path, data):
                found |= dict.fromkeys(parted(entry.text).statement for entry in read_entries(data))
    return list(found)


def trees_of(history: History) -> Iterator[Tree]:
    """Yield the states of the branch, the newest first."""
    for name in commits_of(history):
        yield history.tree_of(name)


def commits_of(history: History) -> list[str]:
    """Return the commits of the branch, the newest first."""
    walker = history.repo.walk(history.repo.head.target)
    return [str(commit.id) for commit in walker]


def size(lived: Lived) -> Check:
    """Check what the repository takes, without what is derived and without the messages."""
    folder = lived.life.root / ".git"
    taken = sum(
        path.stat().st_size for path in folder.rglob("*") if path.is_file() and "clawgit" not in path.parts
    )
    whole = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return Check(
        "megabytes of the repository",
        f"{taken / 1e6:.1f} ({whole / 1e6:.1f} with records and indexes)",
        whole <= MOST_BYTES,
    )
