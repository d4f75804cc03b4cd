"""P12 to P14: whatever happens to the index, the answers are those of one made from nothing."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from rounds import some

from clawgit.history.git.repository import History, open_history
from clawgit.recall.index.sealed_store import is_usable
from clawgit.recall.index.search_index import INDEX, shape_of
from clawgit.recall.search import search
from clawgit.recall.search_results import Query
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
QUERIES = (
    "quince harvest",
    "qiunce",
    "what happened last week",
    "数据库 选择",
    "배포 요일",
    "note 17",
    "nobody knows",
)
WORDS = [
    "quince",
    "harvest",
    "deploy",
    "failed",
    "office",
    "Berlin",
    "数据库",
    "选择",
    "배포",
    "요일",
    "note",
    "meeting",
    "budget",
    "Ada",
]


def fill(root: Path, files: int = 40, lines_each: int = 20) -> None:
    chance = random.Random(5)
    for number in range(files):
        day = f"2026-{1 + number // 28:02}-{1 + number % 28:02}"
        lines = [f"- {' '.join(chance.choices(WORDS, k=6))} {number}" for _ in range(lines_each)]
        (root / f"memory/{day}.md").write_text(f"# {day}\n\n" + "\n".join(lines) + "\n", "utf-8")


def answers(history: History, queries: tuple[str, ...] = QUERIES) -> list[Any]:
    return [search(history, Query(query, most=20), NOW) for query in queries]


@pytest.fixture
def memory(room, full_length):
    fill(room.root, lines_each=20 if full_length else 8)
    answers(room.history)
    return room


def path_of(room) -> Path:
    return room.history.state / INDEX


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0x40]) + data[at + 1 :]


DAMAGE = {
    "emptied": lambda data: b"",
    "zeroed": lambda data: bytes(len(data)),
    "garbage": lambda data: random.Random(1).randbytes(len(data)),
    "cut to one byte": lambda data: data[:1],
    "cut to one page": lambda data: data[:4096],
    "cut in half": lambda data: data[: len(data) // 2],
    "cut by a byte": lambda data: data[:-1],
    "longer": lambda data: data + bytes(4096),
    "a page of nothing inside": lambda data: data[:8192] + bytes(4096) + data[12288:],
}


@pytest.mark.smoke
@pytest.mark.parametrize("damage", some(DAMAGE.values(), each=3), ids=DAMAGE)
def test_a_damaged_index_changes_no_answer(memory, damage) -> None:
    expected, path = answers(memory.history), path_of(memory)
    path.write_bytes(damage(path.read_bytes()))
    assert answers(memory.history) == expected
    assert is_usable(path, shape_of(memory.history))


@pytest.mark.parametrize("date_put_back", [False, True])
def test_a_flipped_byte_changes_no_answer(memory, full_length, date_put_back) -> None:
    """P12."""
    expected, path = answers(memory.history), path_of(memory)
    chance = random.Random(7)
    for _ in range(60 if full_length else 4):
        flip(path, chance, date_put_back=date_put_back)
        assert answers(memory.history) == expected


def flip(path: Path, chance: random.Random, *, date_put_back: bool) -> None:
    data, seal = path.read_bytes(), path.stat().st_mtime_ns
    path.write_bytes(flipped(data, chance.randrange(len(data))))
    if date_put_back:
        os.utime(path, ns=(seal, seal))


def test_bits_that_a_disk_changed_in_silence_end_no_search_in_a_crash(room, full_length) -> None:
    """Mutant: only what SQLite notices is made anew."""
    fill(room.root)
    answers(room.history, QUERIES[:3])
    path = path_of(room)
    chance = random.Random(9)
    for _ in range(300 if full_length else 10):
        for _ in range(20):
            flip(path, chance, date_put_back=True)
        keep_seal(path)
        answers(room.history, QUERIES[:3])


def keep_seal(path: Path) -> None:
    """Have the store believed as it is now."""
    path.with_name(path.name + ".lock").write_text(f"{path.stat().st_ctime_ns:20}")


CHANGES = (
    "DELETE FROM places WHERE place_id % 2",
    "UPDATE texts SET terms = 'quinc'",
    "UPDATE places SET first = first + 1",
    "UPDATE files SET blob = 'x'",
    "INSERT INTO words (words) VALUES ('delete-all')",
    "UPDATE meta SET value = 0 WHERE name = 'units'",
)


@pytest.mark.parametrize("date_put_back", [False, True])
@pytest.mark.parametrize("change", some(CHANGES, each=2))
def test_an_index_that_somebody_else_wrote_to_is_not_believed(memory, change, date_put_back) -> None:
    """P12. Mutants: a store that is believed without its seal; the time of its last change not looked at."""
    expected, path = answers(memory.history), path_of(memory)
    seal = path.stat().st_mtime_ns
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(change)
    if date_put_back:
        os.utime(path, ns=(seal, seal))
    assert answers(memory.history) == expected


def test_an_index_that_sqlite_cannot_read_is_forgotten_even_with_its_seal(memory) -> None:
    """Mutant: an error of SQLite's in the midst of a search passed on."""
    expected, path = answers(memory.history), path_of(memory)
    seal = path.stat().st_mtime_ns
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE words_data SET block = zeroblob(length(block)) WHERE id > 10")
    os.utime(path, ns=(seal, seal))
    keep_seal(path)
    assert answers(memory.history) == expected
    assert is_usable(path, shape_of(memory.history))


@pytest.mark.parametrize("gone", ["index.db", "index.db.lock", "the whole folder's stores"])
def test_a_deleted_index_comes_back_the_same(memory, gone) -> None:
    expected = answers(memory.history)
    for path in memory.history.state.iterdir():
        if path.name == gone or (gone.startswith("the") and path.suffix in (".db", ".lock", ".new")):
            path.unlink()
    assert answers(memory.history) == expected


def test_an_index_of_other_code_is_made_anew(memory) -> None:
    expected, path = answers(memory.history), path_of(memory)
    seal = path.stat().st_mtime_ns
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE meta SET value = 'another version' WHERE name = 'shape'")
        db.execute("DELETE FROM places")
    os.utime(path, ns=(seal, seal))
    keep_seal(path)
    assert answers(memory.history) == expected


def test_a_folder_in_place_of_the_index_is_no_obstacle(memory) -> None:
    expected, path = answers(memory.history), path_of(memory)
    path.unlink()
    path.mkdir()
    assert answers(memory.history) == expected


IN_A_ROOM = ["unshare", "-m", "sh", "-c"]
READ_ONLY = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"'
FULL = 'mount -t tmpfs -o size=8m none "$2" && cp -a "$1/." "$2" && head -c 8m /dev/zero > "$2/ballast"; shift 2 && exec "$@"'


def in_a_room(script: str, folders: list[Path], root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "clawgit", "-w", str(root), "memory", "search", *words, "--json"]
    command = [*IN_A_ROOM, script, "sh", *map(str, folders), *program]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    if "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip(f"no namespaces here: {done.stderr.strip()}")
    return done


@pytest.mark.parametrize("state", ["as it is", "index missing", "an edit not indexed", "index damaged"])
def test_in_a_read_only_folder_the_answers_are_the_same(memory, forked, state) -> None:
    if state == "an edit not indexed":
        (memory.root / "memory/2026-03-18.md").write_text("- quince harvest of the year\n")
    expected = forked(memory.root, "memory", "search", "quince harvest", "--json")
    if state == "an edit not indexed":
        (memory.root / "memory/2026-03-18.md").write_text("\n- quince harvest of the year\n")
    elif state == "index missing":
        path_of(memory).unlink()
    elif state == "index damaged":
        path_of(memory).write_bytes(b"x" * 9000)
    done = in_a_room(READ_ONLY, [memory.root], memory.root, "quince harvest")
    assert done.returncode == 0, done.stderr
    moved = expected.stdout.replace('"startLine": 1,', '"startLine": 2,').replace(
        '"endLine": 1,', '"endLine": 2,'
    )
    wanted = (
        moved.replace('2026-03-18.md:1"', '2026-03-18.md:2"')
        if state == "an edit not indexed"
        else expected.stdout
    )
    assert done.stdout == wanted
    assert "Traceback" not in done.stderr


def test_on_a_full_disk_the_answers_are_the_same(memory, forked, tmp_path) -> None:
    expected = forked(memory.root, "memory", "search", "quince harvest", "--json").stdout
    path_of(memory).unlink()
    (memory.history.state / "records.db").unlink()
    disk = tmp_path / "disk"
    disk.mkdir()
    done = in_a_room(FULL, [memory.root, disk], disk, "quince harvest")
    assert (done.returncode, done.stdout) == (0, expected), done.stderr


def edit_and_search(say: Any, wait: Any, root: Path, name: str, rounds: int) -> None:
    """Write a line, and say whether the next search finds it, again and again."""
    history = open_history(root)
    path = root / f"memory/{name}.md"
    wait()
    for number in range(rounds):
        word = f"word{name}x{number}"
        path.write_text(f"- {word} of a day\n" * (1 + number % 3))
        found = search(history, Query(word), NOW)
        lines = {line for hit in found.results for line in hit.snippet.split("\n")}
        say(lines == {f"- {word} of a day"})


def test_eight_processes_edit_and_search_at_once(room, start, full_length) -> None:
    """P14. Mutant: no turns: rows are missing, or SQLite says that it is locked."""
    rounds = 200 if full_length else 12
    workers = [start(edit_and_search, room.root, f"w{number}", rounds) for number in range(8)]
    for worker in workers:
        worker.go()
    for worker in workers:
        assert worker.said(600) == [True] * rounds


def test_a_killed_search_leaves_nothing_wrong(memory, start, full_length) -> None:
    """P12."""
    expected = answers(memory.history)
    chance = random.Random(3)
    for number in range(150 if full_length else 5):
        worker = start(edit_and_search, memory.root, "killed", 10_000)
        if number % 3 == 0:
            path_of(memory).unlink(missing_ok=True)
        worker.go()
        time.sleep(chance.random() * 0.05)
        worker.kill()
        (memory.root / "memory/killed.md").unlink(missing_ok=True)
        assert answers(memory.history) == expected


def search_once(say: Any, wait: Any, root: Path) -> None:
    history = open_history(root)
    wait()
    say([hit.snippet for hit in search(history, Query("quince harvest"), NOW).results])


@pytest.mark.parametrize("there", [True, False], ids=["renewed", "made anew"])
def test_a_store_is_on_disk_before_it_is_sealed_and_sealed_before_it_has_its_name(
    memory, start, tracer, there
) -> None:
    """P12. Mutants: no fsync; the name first."""
    (memory.root / "memory/new.md").write_text("- quince harvest once more\n")
    if not there:
        path_of(memory).unlink()
    tracer.run(start(search_once, memory.root), "-e", "trace=pwrite64,fsync,utimensat,rename")
    calls = [
        line for line in tracer.log.read_text().splitlines() if "/index.db" in line and ".lock" not in line
    ]
    names = [line.split("(")[0] for line in calls]
    order = [name for at, name in enumerate(names) if at == 0 or names[at - 1] != name]
    assert order == ["pwrite64", "fsync", "utimensat", *(["rename"] if not there else [])]


CALLS = (
    ("pwrite64", 1),
    ("pwrite64", 4),
    ("fsync", 1),
    ("utimensat", 1),
    ("utimensat", 2),
    ("rename", 1),
    ("openat", 9),
)


@pytest.mark.parametrize("there", [True, False], ids=["index is stale", "no index"])
@pytest.mark.parametrize(("call", "number"), some(CALLS, each=2))
@pytest.mark.parametrize("fault", some(["error=ENOSPC", "error=EIO"], each=2))
def test_a_failing_disk_changes_no_answer(memory, start, tracer, there, call, number, fault) -> None:
    (memory.root / "memory/new.md").write_text("- quince harvest once more\n")
    expected = [hit.snippet for hit in search(memory.history, Query("quince harvest"), NOW).results]
    (memory.root / "memory/new.md").write_text("\n- quince harvest once more\n")
    if not there:
        path_of(memory).unlink()
    said = tracer.inject(start(search_once, memory.root), call, number, fault)
    assert said == [expected]
    assert [hit.snippet for hit in search(memory.history, Query("quince harvest"), NOW).results] == expected


def test_every_hit_stands_where_it_is_said_to_stand(memory, full_length) -> None:
    """P13. Mutant: an index that is not asked whether the files changed."""
    chance = random.Random(11)
    memory.git("add", "-A")
    memory.git("commit", "-qm", "first")
    files = sorted(path.name for path in (memory.root / "memory").glob("2026-*.md"))
    for step in range(500 if full_length else 30):
        path = memory.root / "memory" / chance.choice(files)
        lines = split_lines(path.read_bytes()) if path.exists() else []
        act = chance.randrange(6)
        if act == 0:
            path.write_bytes(b"".join([*lines, f"- step{step} quince {step}\n".encode()]))
        elif act == 1 and lines:
            lines[chance.randrange(len(lines))] = f"- edited{step} quince\n".encode()
            path.write_bytes(b"".join(lines))
        elif act == 2:
            path.unlink(missing_ok=True)
        elif act == 3:
            memory.git(
                "checkout", "-q", "-f", chance.choice(["HEAD", "HEAD~1", "main"]), "--", "memory", check=False
            )
        elif act == 4:
            memory.git("add", "-A")
            memory.git("commit", "-qm", f"step {step}", "--allow-empty")
        else:
            chance.shuffle(lines)
            path.write_bytes(b"".join(lines))
        _check_hits(memory, chance.choice(["quince", f"edited{step}", f"step{step} quince", "Ada budget"]))


def _check_hits(memory, query: str) -> None:
    for hit in search(memory.history, Query(query, most=30, min_score=0.0), NOW).results:
        lines = split_lines((memory.root / hit.path).read_bytes())[hit.first - 1 : hit.last]
        here = [line.decode().strip() for line in lines if line.strip()]
        assert hit.snippet.split("\n") == here
    standing = [path for path in (memory.root / "memory").glob("*.md") if query.encode() in path.read_bytes()]
    if 0 < len(standing) <= 3:
        found = {hit.path for hit in search(memory.history, Query(query, most=50), NOW).results}
        assert {f"memory/{path.name}" for path in standing} <= found
