"""Any order of what may happen to a workspace: nothing acknowledged and nothing that a person wrote is ever lost.

Mutants seen to fail here: an op is not looked up before it is applied; recovery forgets intents.
"""

from __future__ import annotations

import re
import shutil
from itertools import count
from pathlib import Path
from signal import SIGKILL
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from patient_git import git_past_locks

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

SHORT = settings(
    max_examples=3,
    stateful_step_count=14,
    suppress_health_check=list(HealthCheck),
)
LONG = settings(SHORT, max_examples=60, stateful_step_count=40)
DAY, LEARNED, NOTES = "memory/2026-03-18.md", "memory/learned.md", "notes.md"
AGENT_FILES = st.sampled_from([DAY, LEARNED, "memory/new.md"])
FILES = st.sampled_from([DAY, LEARNED, NOTES])
# Files, branch, staging and intent are put in place by these; how many objects come first differs.
CUTS = st.sampled_from(
    [
        *(("renameat", number) for number in (1, 2)),
        *(("rename", number) for number in (1, 2, 3)),
        *(("link", number) for number in range(4, 9)),
        *(("unlink", number) for number in range(5, 12)),
    ]
)


class Life(RuleBasedStateMachine):
    """A workspace with an agent, a person and accidents; the model is what was said to be done."""

    template: Path
    folder: Path
    start: Callable[..., Any]
    work: Any
    tracer: Any
    numbers = count()

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(shutil.copytree(self.template, self.folder / f"life-{next(self.numbers)}"))
        self.acknowledged: set[str] = set()
        self.tried: list[str] = []
        self.lines: set[str] = set()

    def git(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return git_past_locks(self.root, *arguments)

    def said(self, *arguments: str) -> str:
        done = self.git(*arguments)
        assert done.returncode == 0, (arguments, done.stderr, done.stdout)
        return done.stdout

    def agent(self, path: str, op: str, cut: tuple[str, int] | None = None) -> None:
        """Make a change in a process of its own, killed before the n-th call of a name."""
        worker = self.start(self.work.append, self.root, path, [f"- the agent's {op}"], op)
        if cut is None:
            worker.go()
            answer = worker.said()
        else:
            answer = self.tracer.inject(worker, *cut, "signal=KILL")
        assert worker.process.exitcode in (0, -SIGKILL), answer
        if answer:
            self.acknowledged.add(op)
        else:
            assert cut is not None, "it ended without a word"

    @rule(path=AGENT_FILES, cut=st.one_of(CUTS, CUTS, st.none()))
    def write(self, path: str, cut: tuple[str, int] | None) -> None:
        self.tried.append(f"op-{len(self.tried)}")
        self.agent(path, self.tried[-1], cut)

    @precondition(lambda self: self.tried)
    @rule(data=st.data(), path=AGENT_FILES, cut=st.one_of(st.none(), CUTS))
    def rerun(self, data: Any, path: str, cut: tuple[str, int] | None) -> None:
        self.agent(path, data.draw(st.sampled_from(self.tried)), cut)

    @rule(path=FILES, above=st.booleans())
    def person_edits(self, path: str, above: bool) -> None:
        line = f"Ada wrote {len(self.lines)}"
        self.lines.add(line)
        place = self.root / path
        text = place.read_text() if place.exists() else ""
        place.write_text(f"{line}\n{text}" if above else f"{text}{line}\n")

    @rule(everything=st.booleans())
    def person_commits(self, everything: bool) -> None:
        self.git("commit", "--quiet", *(["-a"] if everything else []), "-m", "Ada's own commit")

    @rule(path=FILES)
    def person_stages(self, path: str) -> None:
        self.git("add", path)

    @rule(branch=st.sampled_from(["main", "side"]))
    def person_switches(self, branch: str) -> None:
        self.git("switch", "--quiet", branch)

    @rule()
    def keep(self) -> None:
        worker = self.start(self.work.keep, self.root)
        worker.go()
        (answer,) = worker.said()
        assert worker.process.exitcode == 0, answer

    @rule()
    def gc(self) -> None:
        self.git("gc", "--quiet")

    @invariant()
    def every_acknowledged_op_is_there_once(self) -> None:
        ops = self.said(
            "log",
            "--branches",
            "--glob=refs/clawgit/past/*",
            "--format=%(trailers:key=Clawgit-Op,valueonly,separator=%x2C)",
        ).split("\n")
        for op in self.tried:
            assert ops.count(op) == 1 if op in self.acknowledged else ops.count(op) <= 1, op

    @invariant()
    def no_line_of_a_persons_is_lost(self) -> None:
        text = self.said("log", "--all", "-p", "-m", "--full-history", "--format=")
        text += "".join(
            (self.root / path).read_text() for path in (DAY, LEARNED, NOTES) if (self.root / path).exists()
        )
        missing = [line for line in self.lines if not re.search(rf"{line}$", text, re.MULTILINE)]
        assert missing == []

    @invariant()
    def the_repository_is_whole(self) -> None:
        self.said("fsck", "--full", "--strict", "--no-dangling")

    def teardown(self) -> None:
        self.keep()
        assert self.said("for-each-ref", "refs/clawgit/intent") == ""
        assert self.said("diff", "--name-only") == "" or self.said("diff", "--cached", "--name-only") != ""
        self.every_acknowledged_op_is_there_once()
        shutil.rmtree(self.root)


def test_nothing_is_lost_in_any_order(room, start, work, tracer, tmp_path, full_length):
    """Write, edit, commit, stage, switch, kill, gc, keep and rerun, in orders that hypothesis makes up."""
    room.write(DAY, "the day\n")
    room.write(NOTES, "notes\n")
    room.git("add", "-A")
    room.git("commit", "-qm", "first")
    room.append(LEARNED, "- known")
    room.git("branch", "side")
    given = {"template": room.root, "folder": tmp_path, "work": work, "tracer": tracer}
    case = type("Case", (Life,), {**given, "start": staticmethod(start)})
    run_state_machine_as_test(case, settings=LONG if full_length else SHORT)
