"""The resident service: answers under load, commands done by it, and what it costs when nobody asks.

Each figure beside what is to be reached. The service runs with a home of its own; nothing outside of a temporary folder
is touched.
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.search_speed import five_years
from clawgit.service.sockets import address_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LINES = 36_000
A_SECOND, SECONDS = 50, 60
WORKSPACES, IDLE_SECONDS = 20, 60
STARTS = 40
PROGRAM = (sys.executable, "-P", "-m", "clawgit")
MESSAGE = "Don't forget: the review is on Thursday, and rent is due on the 1st. " * 8
TICKS = os.sysconf("SC_CLK_TCK")


def service_speed(*, only_contexts: bool = False) -> None:
    """Print all figures of the service, or those of contexts alone."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_CACHE_HOME": f"{folder}/cache"}
        history, questions = five_years(Path(folder) / "workspace", LINES)
        print(f"service: {LINES:,} lines, {A_SECOND} messages a second for {SECONDS} s")
        with _running(environment, history.root) as process:
            path = home / ".local/state/clawgit/requests.sock"
            if only_contexts:
                _contexts(process.pid, path, history.root, questions)
                return
            _answers(process.pid, path, history.root, questions)
            _commands(environment, history.root)
            _in_force(environment, path, Path(folder) / "talk")
            assert process.poll() is None
        with _running(environment, history.root) as process:
            _many(environment, Path(folder))
            _idle(process.pid)


@contextmanager
def _running(environment: dict[str, str], root: Path) -> Iterator[subprocess.Popen[bytes]]:
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [*PROGRAM, "up", str(root)], env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said
        )
        path = Path(environment["HOME"]) / ".local/state/clawgit/commands.sock"
        while not path.exists():
            time.sleep(0.05)
        yield process
        process.terminate()
        process.wait()


class _Client:
    """A connection, and how long each answer took."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        with address_of(path) as address:
            self._socket.connect(address)
        self._lines = self._socket.makefile("rb")

    def ask(self, method: str, **params: Any) -> tuple[float, Any]:
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n"
        began = time.perf_counter()
        self._socket.sendall(line)
        said = self._lines.readline()
        return (time.perf_counter() - began) * 1000, json.loads(said)


def _answers(pid: int, path: Path, root: Path, questions: list[str]) -> None:
    """Triage of 50 messages a second, alone, then beside searches; then searches and messages alone."""
    here = {"workspace": str(root), "actor": "host"}
    _, first = _Client(path).ask("memory.search", **here, query=questions[0])  # brings the index up to date
    assert first["result"]["results"]

    def triage(client: _Client, _: int) -> float:
        return client.ask("triage", **here, text=MESSAGE)[0]

    with _used(pid) as used:
        alone = _paced(triage, _Client(path), SECONDS // 2)
    _say("triage, p99", _quantile(alone, 99), "5 ms", alone, used())
    with _used(pid) as used:
        client = _Client(path)
        searches = [client.ask("memory.search", **here, query=question)[0] for question in questions[:100]]
    _say("memory.search, p95", _quantile(searches, 95), "20 ms", searches, used())
    _contexts(pid, path, root, questions)
    beside: list[float] = []
    stop = threading.Event()

    def search() -> None:
        client = _Client(path)
        while not stop.is_set():
            for question in questions:
                beside.append(client.ask("memory.search", **here, query=question)[0])
                if stop.wait(0.2):
                    return

    thread = threading.Thread(target=search)
    thread.start()
    triages = _paced(triage, _Client(path), SECONDS)
    stop.set()
    thread.join()
    _say("triage beside searches, p99", _quantile(triages, 99), "5 ms", triages)
    _say("memory.search beside triage, p95", _quantile(beside, 95), "20 ms", beside)
    with _used(pid) as used:
        client = _Client(path)
        kept = [client.ask("message.in", **here, text=f"Message {n}: {MESSAGE}")[0] for n in range(300)]
    _say("message.in, p95", _quantile(kept, 95), "none said", kept, used())


def _contexts(pid: int, path: Path, root: Path, questions: list[str]) -> None:
    """Contexts as a host asks for them, one after the other, then each at once after the message that it is for."""
    client = _Client(path)
    here = {"workspace": str(root), "actor": "host", "session": "agent:main:main"}
    client.ask("memory.search", workspace=str(root), actor="host", query=questions[0])  # makes the index
    for name, part in (
        ("at first", {}),
        ("whole", {}),
        ("stable", {"part": "stable"}),
        ("digest", {"part": "digest"}),
    ):
        with _used(pid) as used:
            contexts = [
                client.ask("context", **here, **part, host="openclaw", query=each) for each in questions[:100]
            ]
        _say_contexts(f"context, {name}, p95", "30 ms", contexts, used())
    other = _Client(path)
    with _used(pid) as used:
        turns = []
        for number, each in enumerate(questions[100:160]):
            other.ask("message.in", **here, text=f"{each}, number {number}")
            turns.append(client.ask("context", **here, host="openclaw", query=each))
            time.sleep(0.5)
    _say_contexts("context at once after its message, p95", "60 ms", turns, used())


def _say_contexts(what: str, to_reach: str, answers: list[tuple[float, Any]], used: float) -> None:
    """Print a figure of contexts; one that was late is an empty one, and no context."""
    taken = [milliseconds for milliseconds, _ in answers]
    late = sum(1 for _, answer in answers if not answer["result"]["receipt"])
    _say(f"{what} ({late} late)", _quantile(taken, 95), to_reach, taken, used)


@contextmanager
def _used(pid: int) -> Iterator[Callable[[], float]]:
    """Give what returns the milliseconds of processor time that a process used meanwhile."""
    before = _ticks(pid)
    yield lambda: (_ticks(pid) - before) / TICKS * 1000


def _paced(ask: Callable[[_Client, int], float], client: _Client, seconds: int) -> list[float]:
    """Ask so often a second, whatever the answers take."""
    taken, began = [], time.perf_counter()
    for number in range(A_SECOND * seconds):
        pause = began + number / A_SECOND - time.perf_counter()
        if pause > 0:
            time.sleep(pause)
        taken.append(ask(client, number))
    return taken


def _commands(environment: dict[str, str], root: Path) -> None:
    """Commands as they are typed, side by side with a Python that does nothing, in processor time of the caller."""
    bare = _medians(environment, root, [sys.executable, "-c", "pass"])
    print(f"  python -c pass: {bare[0]:.1f} ms of processor, {bare[1]:.1f} ms of time")
    for words in (
        ("triage", "Don't forget: tea."),
        ("memory", "get", "MEMORY.md"),
        ("status",),
        ("memory", "search", "the review"),
    ):
        through = _medians(environment, root, [*PROGRAM, *words])
        alone = _medians({**environment, "CLAWGIT_NO_SERVICE": "1"}, root, [*PROGRAM, *words])
        print(
            f"  clawgit {words[0]} {words[1] if len(words) > 2 else ''}: the caller's processor"
            f" {through[0] / bare[0]:.2f} x bare (to reach: 1.5), its time {through[1] / bare[1]:.2f} x"
            f" ({through[1]:.0f} ms); without the service {alone[0] / bare[0]:.1f} x and {alone[1] / bare[1]:.1f} x"
        )


def _medians(environment: dict[str, str], root: Path, command: list[str]) -> tuple[float, float]:
    """Return the median processor time of a process and of what it waited for, and how long it took."""
    processor, taken = [], []
    for _ in range(STARTS):
        before, began = os.times(), time.perf_counter()
        subprocess.run(
            command,
            check=True,
            cwd=root,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        after = os.times()
        taken.append((time.perf_counter() - began) * 1000)
        used = after.children_user + after.children_system - before.children_user - before.children_system
        processor.append(used * 1000)
    return statistics.fmean(processor), statistics.median(taken)  # the system counts processor time in ticks


def _in_force(environment: dict[str, str], path: Path, root: Path) -> None:
    """How long after a message what it corrects comes first in a search."""
    subprocess.run([*PROGRAM, "init", str(root)], check=True, env=environment, capture_output=True)
    subprocess.run(
        [*PROGRAM, "workspaces", "add", "talk", str(root)], check=True, env=environment, capture_output=True
    )
    taken = []
    for subject, room, other in (
        ("The budget review", "Oslo", "Bergen"),
        ("The staff lunch", "Lisbon", "Porto"),
        ("The design talk", "Turin", "Milan"),
    ):
        subprocess.run(
            [
                *PROGRAM,
                "-w",
                str(root),
                "memory",
                "add",
                f"{subject} is in room {room}.",
                "--to",
                "MEMORY.md",
            ],
            check=True,
            env=environment,
            capture_output=True,
        )
        client, here = _Client(path), {"workspace": str(root), "actor": "operator"}
        time.sleep(2)
        began = time.perf_counter()
        client.ask(
            "message.in", **here, text=f"No, {subject.lower()} is in room {other}, not in room {room}."
        )
        while time.perf_counter() - began < 60:
            found = client.ask("memory.search", **here, query=subject, source="memory")[1]["result"][
                "results"
            ]
            if found and found[0]["path"] == "CORRECTIONS.md" and other in found[0]["snippet"]:
                taken.append(time.perf_counter() - began)
                break
            time.sleep(0.02)
    said = ", ".join(f"{each:.1f} s" for each in taken) or "never"
    print(f"  a correction is in force after {said} (to reach: 2 s)")


def _many(environment: dict[str, str], folder: Path) -> None:
    for number in range(WORKSPACES - 1):
        root = folder / f"many-{number}"
        for words in (("init", str(root)), ("workspaces", "add", f"many-{number}", str(root))):
            subprocess.run([*PROGRAM, *words], check=True, env=environment, capture_output=True)


def _idle(pid: int) -> None:
    """What the service and its process for commands use while nobody asks."""
    time.sleep(90)  # the pause after a start, and what is due at first
    family = [
        pid,
        *map(
            int,
            subprocess.run(
                ["pgrep", "-P", str(pid)], check=True, capture_output=True, text=True
            ).stdout.split(),
        ),
    ]
    before = sum(map(_ticks, family))
    time.sleep(IDLE_SECONDS)
    share = (sum(map(_ticks, family)) - before) / TICKS / IDLE_SECONDS * 100
    print(f"  idle with {WORKSPACES} workspaces: {share:.2f} % of a core (to reach: 1 %)")
    resident = [_status(each, "VmRSS") / 1024 for each in family]
    shared = sum(_proportional(each) for each in family) / 1024
    said = " + ".join(f"{each:.0f}" for each in resident)
    print(
        f"  memory: {said} MB resident, {shared:.0f} MB with what they share counted once (to reach: 120 MB)"
    )


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _status(pid: int, name: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def _proportional(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def _quantile(taken: list[float], percent: int) -> float:
    return statistics.quantiles(taken, n=100)[percent - 1]


def _say(what: str, found: float, to_reach: str, taken: list[float], used: float = 0.0) -> None:
    """Print a figure; the processor time that an answer costs is the same on a busy machine."""
    cost = f"; {used / len(taken):.1f} ms of processor each" if used else ""
    middle = statistics.median(taken)
    print(
        f"  {what}: {found:.1f} ms (to reach: {to_reach}); median {middle:.1f}, {len(taken):,} times{cost}",
        flush=True,
    )


if __name__ == "__main__":
    service_speed(only_contexts="contexts" in sys.argv[1:])
