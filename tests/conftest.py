"""A home of its own for every test, a fixed day, and a workspace with one real commit."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pygit2
import pytest
from copied_workspace import mould_of
from hypothesis import settings
from pygit2.enums import ConfigLevel

from clawgit.__main__ import OBJECTS_BETWEEN_COLLECTIONS
from clawgit.history.adopt import adopt
from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.authorship.actors import ACTORS
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.git.repository import History, open_history
from clawgit.history.provenance.trust_lookup import renewed_fold
from clawgit.history.review.keep import KeepOutcome, keep
from clawgit.plan import Edit, Plan
from clawgit.text.trailers import REVERTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from copied_workspace import Mould

pytest_plugins = [
    "embedding_service",
    "model_service",
    "tiny_models",
    "vector_room",
    "ended_owner",
    "forked_program",
    "postgres_server",
    "clawgit_command",
    "running_service",
    "rehearsed_runner",
    "time_limit",
]  # in tests/tools

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
NOT_FROM_OUTSIDE = ("GIT_", "CLAWGIT_", "XDG_", "OPENCLAW", "CLAUDE", "CODEX_", "AI_AGENT")
IN_MEMORY = Path("/dev/shm")
PLENTY = 2 << 30
TESTS = Path(__file__).parent
FAULTS = f"{TESTS / 'faults'}{os.sep}"
# What is said and remembered, and commands: a row of a table is one more way to say a thing.
TALKS = tuple(
    f"{TESTS / folder}{os.sep}"
    for folder in ("agents", "capture", "cli", "connections", "context", "journeys", "recall")
)
EACH_FIFTH = 5  # every third or sixth would be of one kind where two or three kinds take turns

settings.register_profile("repeated", deadline=None, database=None, derandomize=True, max_examples=20)
settings.register_profile("searching", deadline=None, max_examples=1000)


def pytest_configure(config: pytest.Config) -> None:
    """Let short runs say the same of the same code each time; `make faults` searches among new examples.

    Short runs write to memory where there is plenty: on a disk, half of the time goes into waiting for it. What must
    be on disk before something is said is seen in the calls that are made, not in waiting for them. A shell starts what
    it puts in the background deaf to ^C, and so would be all that tests start.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    settings.load_profile("searching" if config.getoption("--long") else "repeated")
    if IN_MEMORY.is_dir() and os.access(IN_MEMORY, os.W_OK) and not config.getoption("--long"):
        space = os.statvfs(IN_MEMORY)
        if space.f_bavail * space.f_frsize > PLENTY and not space.f_flag & os.ST_NOEXEC:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Start three processes on two processors: tests that wait for programs leave some of them idle."""
    return len(os.sched_getaffinity(0)) * 3 // 2 if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pytest_pycollect_makeitem(collector: pytest.Module, name: str, obj: object) -> list[pytest.Item] | None:
    """Make no cases of a test of which `make test` runs none: a third of all that would be made and left out."""
    if not name.startswith("test_") or not collector.config.getoption("--smoke"):
        return None
    marks = {mark.name for mark in getattr(obj, "pytestmark", ())}
    if (
        "rest" in marks
        or (is_fault(collector) and "smoke" not in marks)
        or collector.get_closest_marker("rest")
    ):
        return []
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave further rounds of the same to `make faults`; `make test` and `.ci/run` share the rest, each case in one."""
    left_out: set[pytest.Item] = set()
    if not config.getoption("--long"):
        left_out.update(item for item in items if item.get_closest_marker("long"))
    if config.getoption("--smoke"):
        left_out.update(beyond_smoke(items))
    if config.getoption("--rest"):
        left_out.update(set(items) - beyond_smoke(items), further_rows(items))
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


def beyond_smoke(items: list[pytest.Item]) -> set[pytest.Item]:
    """Return most of tests/faults, what is marked rest, and the rows of tables between those that are sampled."""
    left_out: set[pytest.Item] = set()
    cases: Counter[str] = Counter()
    for item in items:
        test = item.nodeid.partition("[")[0]
        number = cases[test]
        cases[test] += 1
        if (
            item.get_closest_marker("rest")
            or (is_fault(item) and (number or not item.get_closest_marker("smoke")))
            or number % rows_for_one(item)
        ):
            left_out.add(item)
    return left_out


def further_rows(items: list[pytest.Item]) -> set[pytest.Item]:
    """Return four of five rows of a long table of faults: `make faults` runs each."""
    left_out: set[pytest.Item] = set()
    cases: Counter[str] = Counter()
    for item in filter(is_fault, items):
        test = item.nodeid.partition("[")[0]
        if cases[test] > EACH_FIFTH and cases[test] % EACH_FIFTH:
            left_out.add(item)
        cases[test] += 1
    return left_out


def rows_for_one(item: pytest.Item) -> int:
    """Return of how many rows of a table one is run: of five, where each is one more way to say a thing."""
    sampled = item.get_closest_marker("sampled")
    if sampled is not None:
        return int(sampled.args[0])
    is_said_in_a_workspace = str(item.path).startswith(TALKS) and "room" in getattr(item, "fixturenames", ())
    return EACH_FIFTH if is_said_in_a_workspace else 1


def is_fault(node: pytest.Collector | pytest.Item) -> bool:
    """Say whether it is in tests/faults."""
    return str(node.path).startswith(FAULTS)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Look for no garbage while tests are collected: all that is made then stays."""
    gc.disable()
    try:
        import_own_share(session)
        return (yield)
    finally:
        gc.enable()


def import_own_share(session: pytest.Session) -> None:
    """Import a part of the tests first, another one in each process: in a new clone each would compile all, ten seconds.

    What cannot be imported is tried again when it is collected, and said then.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args != session.config.getini("testpaths"):
        return
    number, count = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
    for path in sorted(TESTS.rglob("test_*.py"))[number::count]:
        with suppress(Exception, pytest.skip.Exception):
            if pytest.Module.from_parent(session, path=path).obj:
                continue
        for name in [name for name, module in sys.modules.items() if is_of(module, path)]:
            del sys.modules[name]


def is_of(module: ModuleType, path: Path) -> bool:
    """Say whether it is what a file became, whole or in part."""
    return getattr(module, "__file__", None) == str(path)


def pytest_collection_finish() -> None:
    """Leave ten thousand collected tests out of what is looked through for garbage, as seldom as the program looks."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the fault loops at full length")
    parser.addoption("--smoke", action="store_true", help="leave out what .ci/run runs by --rest")
    parser.addoption("--rest", action="store_true", help="run what --smoke leaves out")
    parser.addoption("--no-skips", action="store_true", help="a skipped test fails the run")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that left something out, where everything that tests need is installed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if session.config.getoption("--no-skips") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return folders in turn; pytest looks through all that are beside a new one, which took longer than many tests."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def own_home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test an empty home and no settings from outside."""
    home = next(homes)
    home.mkdir(mode=0o700)
    for name in [n for n in os.environ if n.startswith(NOT_FROM_OUTSIDE)]:
        monkeypatch.delenv(name)
    # programs keep what they compiled, as they do elsewhere: a third of the time in which they start
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for level in (ConfigLevel.GLOBAL, ConfigLevel.XDG, ConfigLevel.SYSTEM):
        pygit2.settings.search_path[level] = str(home)  # libgit2 looked at the real home when it was loaded
    return home


@pytest.fixture
def now() -> datetime:
    """Return the day on which the tests play."""
    return NOW


@pytest.fixture
def gits_clock(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a person commit on the day before; clawgit does not look at this."""
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2026-03-18T12:00:00+00:00")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-03-18T12:00:00+00:00")


@pytest.fixture
def full_length(request: pytest.FixtureRequest) -> bool:
    """Say whether loops run at full length (`make faults`) or at a tenth."""
    return bool(request.config.getoption("--long"))


@dataclass
class Room:
    """A workspace, its history, and what a person with git at hand does to it."""

    root: Path
    history: History
    now: datetime

    def git(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(
            ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", *arguments],
            cwd=self.root,
            capture_output=True,
            check=check,
            text=True,
        )
        return done.stdout.strip()

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(text.encode())

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def change(
        self,
        files: dict[str, str | None],
        *,
        actor: str = "memory-miner",
        op: str = "",
        reverts: str = "",
        slot: str = "",
    ) -> Recorded:
        """Make a change whatever soul_policy and conservation say to it: tests of other things need both."""
        edits = tuple(Edit(path, None if text is None else text.encode()) for path, text in files.items())
        there = [path for path in files if (self.root / path).exists()]
        losses = dict.fromkeys(there, "The test wants it so.") if actor not in ACTORS[:3] else None
        intent = Intent(
            op or new_op(), actor, self.now, losses=losses, given=bool(op), soul_is_open=True, slot=slot
        )
        trailers = ((REVERTS, reverts),) * bool(reverts)
        return apply_plan(self.history, lambda _: Plan("test: a change", edits, trailers=trailers), intent)

    def append(self, path: str, line: str, *, actor: str = "memory-miner", op: str = "") -> Recorded:
        intent = Intent(op or new_op(), actor, self.now, given=bool(op), soul_is_open=True)

        def plan(tree):
            return Plan(f"test: {line}", (Edit(path, (tree.read(path) or b"") + line.encode() + b"\n"),))

        return apply_plan(self.history, plan, intent)

    def keep(self, actor: str = "unknown", *, reason: str = "") -> KeepOutcome:
        return keep(self.history, Intent(new_op("keep"), actor, self.now), reason=reason)

    def branch_off(self, start: str) -> None:
        """Commit a file on a new branch `other` that begins at ``start``, and come back to main."""
        self.git("checkout", "-qb", "other", start)
        self.write("memory/other.md", "x\n")
        self.git("add", "memory/other.md")
        self.git("commit", "-qm", "elsewhere")
        self.git("checkout", "-q", "main")

    def rebase(self, start: str) -> None:
        """Put all that came after ``start`` on top of a commit that another branch made there."""
        self.branch_off(start)
        self.git("rebase", "-q", "other")

    def head(self) -> str:
        return str(pygit2.Repository(str(self.root)).head.target)

    def unpack(self) -> None:
        """Leave the objects of all changes one by one, as git's own commits do: each can be damaged by itself."""
        for pack in sorted((self.root / ".git/objects/pack").glob("clawgit-change*.pack")):
            data = pack.read_bytes()
            for ending in (".pack", ".idx", ".keep"):
                pack.with_suffix(ending).unlink(missing_ok=True)
            subprocess.run(["git", "unpack-objects", "-q"], cwd=self.root, input=data, check=True)

    def lose(self, object_id: str) -> None:
        """Leave every object one by one, and take one away."""
        objects = self.root / ".git/objects"
        for pack in [*(objects / "pack").glob("*.pack")]:
            data = pack.read_bytes()
            for path in pack.parent.glob(f"{pack.stem}.*"):
                path.unlink()
            subprocess.run(["git", "unpack-objects", "-q"], cwd=self.root, input=data, check=True)
        (objects / object_id[:2] / object_id[2:]).unlink()

    def set_packs_apart(self) -> None:
        """Give each pack a second of its own: those of one are looked through in any order, with other calls each time."""
        for number, pack in enumerate(sorted((self.root / ".git/objects/pack").glob("*.pack"))):
            os.utime(pack, (number, number))

    def shown(self, path: str, rev: str = "HEAD") -> str:
        return self.git("show", f"{rev}:{path}") + "\n"

    def actors(self) -> list[str]:
        return self.git("log", "--format=%(trailers:key=Clawgit-Actor,valueonly,separator=)").split("\n")


@pytest.fixture(scope="session")
def new_workspace(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path, datetime], None]:
    """Return what writes a new workspace that was made at a time; it is made once for each time."""
    moulds: dict[datetime, Mould] = {}

    def write(root: Path, at: datetime) -> None:
        if at not in moulds:
            made = tmp_path_factory.mktemp("adopted") / "workspace"
            adopt(made, at)
            with renewed_fold(open_history(made)):  # each test would read the first commits again: 10 ms
                pass
            moulds[at] = mould_of(made)
        moulds[at].cast(root)

    return write


@pytest.fixture
def room(tmp_path: Path, now: datetime, new_workspace: Callable[[Path, datetime], None]) -> Room:
    """Return a new workspace that git knows Ada in."""
    root = tmp_path / "workspace"
    new_workspace(root, now)
    return Room(root, open_history(root), now)


@pytest.fixture(scope="module")
def lived() -> dict[str, tuple[Mould, datetime]]:
    """Return what the first tests of a module made of their workspaces, by a name."""
    return {}


@pytest.fixture
def lived_once(
    room: Room, lived: dict[str, tuple[Mould, datetime]]
) -> Callable[[str, Callable[[], None]], Room]:
    """Return what lets the workspace live through something: one test of a module does it, the others get a copy."""

    def live(name: str, life: Callable[[], None]) -> Room:
        if name not in lived:
            life()
            lived[name] = mould_of(room.root), room.now
        else:
            mould, room.now = lived[name]
            shutil.rmtree(room.root)
            mould.cast(room.root)
            room.history = open_history(room.root)
        return room

    return live
