"""A command says the same whether the service does it or its own process, byte for byte."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from forked_program import read_to_its_end, typed
from running_service import until

from clawgit.client import is_served

if TYPE_CHECKING:
    from collections.abc import Callable

ALONE = {"CLAWGIT_NO_SERVICE": "1"}
TELLS = "import sys, clawgit.__main__ as m; m.main(); print(*sys.modules, file=sys.stderr)"
PROGRAM = (sys.executable, "-P", "-m", "clawgit")


def started(root: Path, *words: str, stdin: bytes = b"", **extra: str) -> tuple[int, bytes, bytes]:
    """Run a command as a program of its own: the service takes none from a fork, whose beginnings were another's."""
    done = subprocess.run(
        [*PROGRAM, *words],
        capture_output=True,
        check=False,
        cwd=root,
        env={**os.environ, **extra},
        input=stdin,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def filled(room) -> None:
    room.write("MEMORY.md", "# MEMORY\n\n- Ada prefers tea. #knowledge\n- Rent is due on the 1st. 家賃\n")
    room.write("memory/2026-03-18.md", "- Deployed on Thursday, with \x1b[31mred\x1b[0m words.\n")
    room.keep("operator")
    typed(["chat", "add", "--id", "1", "The port is 8443."], room.root)


@pytest.fixture
def forks(start_service, room, filled, tmp_path) -> Callable[[], bool]:
    """Start the service; return what says whether a command was done by it since the last question."""
    running = start_service()
    until((running.folder / "commands.sock").exists)
    started(room.root, "status")  # what a first command notes
    typed(["status"], room.root, **ALONE)
    until(
        lambda: b'"outcome": "nothing"' in typed(["status", "--json"], room.root, **ALONE)[1]
    )  # the message was read
    return lambda: running


WORDS = [
    ("status",),
    ("status", "--json"),
    ("--json", "status"),
    ("memory", "search", "what does Ada prefer"),
    ("memory", "search", "when is rent due", "--json"),
    ("memory", "search", "red words", "--top", "1"),
    ("memory", "search"),
    ("memory", "search", "--no-such-option"),
    ("memory", "search", "--help"),
    ("memory", "search", "tea", "--as-of", "never"),
    ("memory", "search", "port", "--source", "chat"),
    ("memory", "get", "MEMORY.md"),
    ("memory", "get", "MEMORY.md", "--from", "3", "--lines", "1", "--json"),
    ("memory", "get", "memory/2026-03-18.md"),
    ("memory", "get", "../outside.md"),
    ("-w", "/nowhere", "memory", "get", "MEMORY.md"),
    ("pending",),
    ("pending", "--json"),
    ("memory", "list"),
    ("memory", "list", "--json"),
    ("memory", "add"),
    ("why", "Ada prefers tea"),
    ("why", "nothing of this kind", "--json"),
    ("soul", "log"),
    ("keep",),
    ("correct",),
    ("chat", "add", "--id", "1", "The port is 8443."),
    ("chat", "add"),
    ("chat", "add", "--role", "nobody", "x"),
    ("triage", "Don't forget the milk."),
    ("triage", "--json", "No, it's Thursday."),
    ("triage", "--literal", "remember this"),
    ("triage",),
    ("status", "--now", "2026-03-19"),
    ("changelog",),
    ("config", "show"),
    ("config", "check", "--json"),
    ("conflicts", "list"),
    ("corrections", "--json"),
    ("digest", "--since", "2026-03-18"),
    ("memory", "show"),
    ("memory", "status"),
    ("quarantine", "list"),
    ("receipts", "list"),
    ("runs", "--json"),
    ("soul", "show"),
    ("soul", "diff"),
    ("soul", "blame"),
    ("workspaces", "list"),
]


ONE_OF_EACH = [WORDS[0], *(words for words in WORDS if words[:2] == ("chat", "add"))]
ONE_OF_EACH += [("memory", "search", "what does Ada prefer"), ("memory", "get", "MEMORY.md"), ("triage", "x")]


@pytest.mark.rest
@pytest.mark.parametrize(
    ("extra", "commands"),
    [({}, WORDS), ({"CLAUDECODE": "1"}, ONE_OF_EACH), ({"CLAWGIT_ACTOR": ""}, ONE_OF_EACH)],
    ids=["operator", "host", "nobody"],
)
def test_every_command_says_the_same(forks, room, extra, commands) -> None:
    """Mutant: the folder is the service's."""
    differing = {}
    for words in commands:
        alone = typed(words, room.root, **extra, **ALONE)
        through = started(room.root, *words, **extra)
        if alone != through:
            differing[words] = (alone, through)

    assert differing == {}


FORGED = """
import os, sys, clawgit.client as client
client.SERVED |= {"config set"}
sys.exit(client.served(["config", "set", "soul_policy", "review"], os.environ) is None)
"""


@pytest.mark.rest
def test_a_client_that_asks_for_more_than_the_service_does_is_left_to_itself(forks, room) -> None:
    """Mutant: only the client looks at what is asked."""
    done = subprocess.run([sys.executable, "-c", FORGED], check=False, cwd=room.root)

    assert done.returncode == 1
    assert "\nsoul_policy: evolve" in room.read("CONFIG.md")


@pytest.mark.rest
def test_what_comes_on_standard_input_is_read(forks, room) -> None:
    lines = b'{"id": "1", "text": "remember this"}\n{"id": "2", "text": "tea"}\nno message\n'

    alone = typed(["triage", "--jsonl"], room.root, lines, **ALONE)

    assert started(room.root, "triage", "--jsonl", stdin=lines) == alone
    assert alone[0] == 1
    assert started(room.root, "triage", "-", stdin=b"remember this") == typed(
        ["triage", "-"], room.root, b"remember this", **ALONE
    )


@pytest.mark.rest
def test_a_terminal_is_one_on_both_ways(forks, room) -> None:
    assert on_terminal(room.root) == on_terminal(room.root, **ALONE)


def on_terminal(root: Path, **extra: str) -> bytes:
    master, slave = pty.openpty()
    done = subprocess.Popen(
        [*PROGRAM, "memory", "search", "red words"],
        cwd=root,
        env={**os.environ, **extra},
        stdin=slave,
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    said = read_to_its_end(master)
    done.wait()
    return said


STARTER = """
import os, sys
from pathlib import Path
from clawgit.service.command_server import CommandServer

def run(words, environment):
    nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    os.posix_spawn("/bin/sleep", ["sleep", "30"], {}, file_actions=nowhere)
    return 0

CommandServer(Path(sys.argv[1]), os.dup(0), run).serve()
"""


def test_what_a_command_starts_holds_nothing_of_the_clients(room, own_home) -> None:
    """Else whoever reads a command's output waits for the owner of the vectors, which the first search starts."""
    folder = own_home / ".local/state/clawgit"
    folder.mkdir(parents=True)
    path = folder / "commands.sock"
    server = [sys.executable, "-P", "-c", STARTER, str(path)]
    with subprocess.Popen(server, stdin=subprocess.PIPE, cwd=room.root) as process:
        try:
            until(path.exists)
            done = subprocess.run(
                [*PROGRAM, "status"],
                capture_output=True,
                check=False,
                cwd=room.root,
                env=os.environ,
                timeout=20,
            )
        finally:
            assert process.stdin is not None
            process.stdin.close()

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.rest
def test_an_output_that_nobody_reads_ends_the_command_alike(forks, room) -> None:
    def status(**extra: str) -> int:
        reader, writer = os.pipe()
        os.close(reader)
        process = subprocess.Popen(
            [*PROGRAM, "memory", "get", "MEMORY.md"],
            cwd=room.root,
            env={**os.environ, **extra},
            stdout=writer,
        )
        os.close(writer)
        return process.wait()

    assert status() == status(**ALONE) == 141


def loaded(root: Path, *words: str, **extra: str) -> set[str]:
    """Return what the process loaded that the command was typed into."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", TELLS, *words],
        capture_output=True,
        check=True,
        cwd=root,
        env={**os.environ, **extra},
        text=True,
    )
    return set(done.stderr.split())


@pytest.mark.rest
def test_the_process_of_a_command_that_the_service_does_loads_next_to_nothing(forks, room) -> None:
    commands = [["status"], ["memory", "search", "tea"], ["triage", "x"], ["chat", "add", "x"], ["pending"]]
    commands += [["memory", "add", "Rent went up."], ["why", "tea"], ["keep"], ["soul", "log"]]
    commands += [["correct", "Ada prefers tea.", "Ada prefers coffee."]]
    commands += [
        ["soul", "show"],
        ["memory", "status"],
        ["digest"],
        ["config", "show"],
        ["runs"],
        ["changelog"],
    ]
    for words in commands:
        modules = loaded(room.root, *words)

        assert {name for name in modules if name.startswith("clawgit")} == {
            "clawgit",
            "clawgit.__main__",
            "clawgit.client",
        }
        assert not {"click", "json", "socket", "sqlite3", "pathlib", "typing"} & modules


@pytest.mark.rest
def test_where_a_fork_would_not_be_the_same_the_command_is_done_here(forks, room) -> None:
    """It is not wanted, git is told something else, or letters are."""
    others = [{"CLAWGIT_NO_SERVICE": "1"}, {"GIT_AUTHOR_NAME": "Ada"}, {"PYTHONIOENCODING": "latin-1"}]

    assert [extra for extra in others if "click" not in loaded(room.root, "status", **extra)] == []


@pytest.mark.rest
def test_a_command_is_done_here_where_a_process_above_is_a_hosts(forks, room) -> None:
    """Its own environment makes it the operator's; the service does not act for him then. Mutant: nobody looks above."""
    above = (
        "import os, subprocess, sys; del os.environ['CLAUDECODE'];"
        " sys.exit(subprocess.run([sys.executable, '-P', '-c', *sys.argv[1:]]).returncode)"
    )
    done = subprocess.run(
        [sys.executable, "-c", above, TELLS, "status"],
        capture_output=True,
        check=True,
        cwd=room.root,
        env={**os.environ, "CLAUDECODE": "1"},
        text=True,
    )

    assert "click" in done.stderr.split()
    assert "click" not in loaded(room.root, "status")


@pytest.mark.parametrize(
    "words", [("memory", "compact"), ("undo", "x"), ("soul", "set"), ("approve", "x")], ids=" ".join
)
def test_other_commands_never_reach_the_service(words) -> None:
    assert not is_served(words)


@pytest.mark.rest
def test_an_interrupted_command_ends_in_the_service_too(forks, room) -> None:
    """The client waits for lines that never come; ^C ends both."""
    running = forks()
    process = subprocess.Popen(
        [*PROGRAM, "triage", "--jsonl"],
        cwd=room.root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(b'{"id": "1", "text": "tea"}\n')
    process.stdin.flush()
    process.stdout.readline()  # it is at work
    workers = forked_by(running.pid)
    assert workers

    process.send_signal(signal.SIGINT)

    assert process.wait() == 130
    until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))
    process.communicate()


def forked_by(pid: int) -> list[int]:
    """Return the forks of the process that does commands for the service."""
    children = {int(path.name): above_of(path) for path in Path("/proc").iterdir() if path.name.isdecimal()}
    servers = [child for child, above in children.items() if above == pid]
    return [child for child, above in children.items() if above in servers]


def above_of(path: Path) -> int:
    try:
        return int((path / "stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError):
        return 0


def test_a_change_through_the_service_is_whose_it_would_be(forks, room) -> None:
    """Mutant: a command of a fork is the service's own."""
    for number, extra in enumerate(({}, {"CLAUDECODE": "1"})):
        assert typed(["memory", "add", f"Ada has canary {number}."], room.root, **extra, **ALONE)[0] == 0
        assert started(room.root, "memory", "add", f"Ada has tortoise {number}.", **extra)[0] == 0

        one, other = room.git(
            "log", "-2", "--format=%an %(trailers:key=Clawgit-Actor,valueonly,separator=)"
        ).split("\n")
        assert one == other
        assert ("operator" in one) == (not extra)
