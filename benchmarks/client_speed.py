"""What hosts wait for: OpenClaw's plugin at each message, the session hooks' process, and `clawgit mcp` until it answers.

`python -m benchmarks.client_speed NODE` with a Node.js; each figure stands beside what is to be reached, and what the machine was
busy with. The service runs with a home of its own.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.search_speed import five_years
from benchmarks.service_speed import PROGRAM, _running
from clawgit.clients import session_hook
from clawgit.workspace.layout import data_folder

LINES, TURNS, STARTS = 36_000, 10, 25
REST = 2_000  # milliseconds from one turn to the next: the service keeps what was edited meanwhile
PAUSES = (0, 100, 500)  # between a message and its turn
HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}}


def client_speed(node: str) -> None:
    """Print all figures."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
        history, questions = five_years(Path(folder) / "workspace", LINES)
        subprocess.run([*PROGRAM, "-w", str(history.root), "connect", "mcp"], env=environment, check=True)
        print(f"{LINES:,} lines, {TURNS} turns, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        with _running(environment, history.root) as service:
            _turns(node, home, "with the service", questions)
            _processes(environment, history.root)
            service.send_signal(signal.SIGSTOP)
            _turns(node, home, "the service hangs", questions[:8], rest=20)
            service.send_signal(signal.SIGCONT)
        _turns(node, home, "without the service", questions, rest=20)


def _turns(node: str, home: Path, name: str, questions: list[str], *, rest: int = REST) -> None:
    """Print what a turn waits for longer than for empty handlers."""
    state = home / ".local/state/clawgit"
    own = {
        "socket": str(state / "requests.sock"),
        "tokenFile": str(home / ".config/clawgit/connections/mcp.token"),
        "spool": str(state / "spool.jsonl"),
    }
    plugin = (data_folder("hooks") / "openclaw" / "plugin" / "memory_hooks.js").as_uri()
    told: dict[str, Any] = {"plugin": plugin, "own": own, "name": name, "rest": rest}
    told |= {"words": questions[:TURNS], "pauses": PAUSES}
    script = str(Path(__file__).with_name("plugin_turns.mjs"))
    done = subprocess.run([node, script, json.dumps(told)], capture_output=True, check=True, text=True)
    taken = json.loads(done.stdout)
    print(f"OpenClaw's plugin, {name} (to reach: median 5 ms, p95 30 ms; without the service 350 ms)")
    for pause in PAUSES:
        some = [each for each in taken if each["pause"] == pause]
        _say(f"  a message and its turn {pause} ms later", [sum(each["own"].values()) for each in some])
    for part in ("received", "prompt", "ended"):
        _say(f"  of it {part}", [each["own"][part] for each in taken])
    _say("  empty handlers", [sum(each["empty"].values()) for each in taken])


def _processes(environment: dict[str, str], root: Path) -> None:
    """Print what a hook costs beside a Python that does nothing, in processor time, and when `clawgit mcp` answers."""
    said = json.dumps({"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "Tea?"}).encode()
    hook = [sys.executable, "-I", "-S", session_hook.__file__, "mcp", "UserPromptSubmit"]
    bare, own = [], []
    for _ in range(STARTS):
        bare.append(_used([sys.executable, "-c", "pass"], environment, b""))
        own.append(_used(hook, environment, said))
    _say("python -c pass, processor", [used for used, _ in bare])
    _say("a hook's process, processor", [used for used, _ in own])
    _say("a hook's process, time", [taken for _, taken in own])
    ratio = statistics.median(used for used, _ in own) / statistics.median(used for used, _ in bare)
    print(f"  {ratio:.2f} x (to reach: 1.5)")
    _say("clawgit mcp ready (to reach: 200 ms)", [_ready(environment, root) for _ in range(STARTS)])


def _used(words: list[str], environment: dict[str, str], given: bytes) -> tuple[float, float]:
    """Return the milliseconds of processor time and of time that a process takes."""
    began = time.perf_counter()
    with subprocess.Popen(
        words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as process:
        assert process.stdin is not None
        process.stdin.write(given)
        process.stdin.close()
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    return (usage.ru_utime + usage.ru_stime) * 1000, (time.perf_counter() - began) * 1000


def _ready(environment: dict[str, str], root: Path) -> float:
    line = json.dumps(HELLO | {"params": CLIENT}).encode() + b"\n"
    began = time.perf_counter()
    words = [*PROGRAM, "-w", str(root), "mcp"]
    with subprocess.Popen(words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line)
        process.stdin.flush()
        assert b"serverInfo" in process.stdout.readline()
        taken = (time.perf_counter() - began) * 1000
        process.stdin.close()
    return taken


def _say(name: str, taken: list[float]) -> None:
    inner = sorted(taken)
    print(
        f"{name}: median {statistics.median(inner):.1f}, p95 {inner[int(len(inner) * 0.95)]:.1f}, at most {inner[-1]:.1f} ms"
    )


if __name__ == "__main__":
    client_speed(sys.argv[1])
