"""After a night of tidying, everything that memory said is found in it or by a deep search, and stands once."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from datetime import timedelta

import pytest
from rounds import some

from clawgit.agents.decay_engine import DecayEngine
from clawgit.agents.organizer import Organizer
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.statements import parted
from clawgit.plan import Edit, Evidence, Plan
from clawgit.recall.search import search
from clawgit.recall.search_deep import Retired
from clawgit.recall.search_results import Query
from clawgit.workspace.records.records import RunOutcome

NAMES = ("Ada", "Mary", "Otto", "the crew", "用户", "User")
THINGS = (
    "lives in a flat in Lyon with a big balcony",
    "prefers the early train",
    "的电话号码是 {number}",
    "reads the wiki each morning now",
)
FILES = ("MEMORY.md", "memory/learned.md", "memory/plans.md")


def statements(seed: int) -> list[tuple[str, str]]:
    """Return some statements with the files in which they stand, many of them alike."""
    pick = random.Random(seed)
    return [
        (
            pick.choice(FILES),
            f"{pick.choice(('', '', 'TODO: ', '[ ] '))}{pick.choice(NAMES)} "
            f"{pick.choice(THINGS).format(number=pick.randint(1, 3))}",
        )
        for _ in range(16)
    ]


def memory_lines(room) -> Counter[str]:
    """Return the entries of memory and of the archive, dates and ids left out."""
    found: Counter[str] = Counter()
    for name in room.git("-c", "core.quotePath=false", "ls-files").split("\n"):
        is_memory = name == "MEMORY.md" or name.startswith(("memory/", "Archive/Entries/"))
        if is_memory and not name.startswith(("memory/structured/", "memory/INDEX.md", "memory/topic")):
            found.update(entry.text for entry in read_entries((room.root / name).read_bytes()))
    return found


def write(room, said, actor: str) -> None:
    texts: dict[str, str] = {}
    for number, (path, statement) in enumerate(said):
        texts.setdefault(path, "# Title\r\n\r\nProse, *as it is*.\r\n\r\n")
        texts[path] += f"- 2026-03-19: {statement} #knowledge <!-- m:x{number:05} -->\r\n"
    edits = tuple(Edit(path, text.encode()) for path, text in texts.items())
    losses = dict.fromkeys(texts, "The test wants it so.")
    plan = Plan("test: memory", edits, "", (Evidence("chat:1", "said"),), verbatim=True)
    apply_plan(room.history, lambda _: plan, Intent(new_op(), actor, room.now, losses=losses))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("actor", ["memory-miner", "operator"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_statement_is_found_and_stands_once(room, seed: int, actor: str) -> None:
    """Mutants: what leaves is not archived; what is archived stays; the archive is forgotten by a deep search."""
    write(room, statements(seed), actor)
    before = memory_lines(room)

    for _ in range(2):
        reports = Organizer.run_round(room.history, room.now)
        room.now += timedelta(days=9)
        reports += DecayEngine.run_round(room.history, room.now)
        assert {each.note.outcome for each in reports} <= {RunOutcome.APPLIED, RunOutcome.NOTHING}

    assert memory_lines(room) == before
    archive = room.root / "Archive/Entries"
    assert archive.exists() is (actor == "memory-miner")
    for path in archive.glob("*.md"):
        for entry in read_entries(path.read_bytes()):
            said = parted(entry.text).statement
            hits = search(room.history, Query(said), room.now, beside=Retired).results
            assert any(said in hit.snippet for hit in hits), said


KILLED = """
import os, sys
from datetime import datetime
from pathlib import Path
from clawgit.history.git.repository import open_history
from clawgit.history.transaction import working_tree
from clawgit.agents.organizer import Organizer
left = int(sys.argv[3])
replace = os.replace
def dying(*given, **more):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), 9)
    return replace(*given, **more)
os.replace = os.rename = dying
Organizer.run_round(open_history(Path(sys.argv[1])), datetime.fromisoformat(sys.argv[2]))
"""


@pytest.mark.rest
@pytest.mark.parametrize("renames", some([0, 1, 3, 5], each=2))
def test_a_run_that_is_killed_and_run_again_comes_to_the_same(room, tmp_path, renames: int) -> None:
    said = [
        ("MEMORY.md", "TODO: User lives in a flat"),
        ("MEMORY.md", "User lives in a flat in Lyon with a big balcony"),
    ]
    said += [("memory/plans.md", "User lives in a flat in Lyon with a big balcony now")]
    write(room, said, "memory-miner")
    arguments = [str(room.root), room.now.isoformat(), str(renames)]
    ended = subprocess.run([sys.executable, "-c", KILLED, *arguments], env=dict(os.environ), check=False)

    Organizer.run_round(room.history, room.now)

    assert ended.returncode in (0, -signal.SIGKILL)
    assert "x00002" not in room.read("memory/plans.md")
    assert room.read("Archive/Entries/2026-03.md").count("x00002") == 1
    assert room.git("status", "--porcelain") == ""
    assert room.read("memory/structured/tasks.md").count("TODO: ") == 1
