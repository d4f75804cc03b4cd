"""The index: always what the files say, at the cost of what changed."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.recall.index import index_update as reconcile
from clawgit.recall.index.index_tables import MOST_LENGTH
from clawgit.recall.index.index_update import Reconcile
from clawgit.recall.index.places import POOL, SearchLimits
from clawgit.recall.index.sealed_store import made_in_memory, renew
from clawgit.recall.index.search_index import (
    DEAR,
    INDEX,
    any_of,
    beside_others,
    open_index,
    parted,
    shape_of,
)
from clawgit.recall.questions.read_question import read_question
from clawgit.recall.ranked_answers import (
    ENOUGH,
    LEADING,
    LEADING_TURNS,
    MANY,
    SHOWN,
    Sources,
    TextSource,
    gathered,
)
from clawgit.recall.recall_status import write_index
from clawgit.workspace.safe_files import UnsafePathError

DAY = "memory/2026-03-19.md"


def texts(history, *words: str, **limits) -> list[str]:
    with open_index(history) as index:
        places = index.places(index.matches(index.seen(words), SearchLimits(**limits)))
        return sorted(place.text for place in places.values())


def changes(history) -> int:
    """How many rows the index was ever given, so that what one use cost can be told."""
    with closing(sqlite3.connect(history.state / INDEX)) as db:
        return db.execute("SELECT MAX(text_id) FROM texts").fetchone()[0] // (MOST_LENGTH + 1)


def test_what_was_written_is_found_at_its_line(room) -> None:
    room.write(DAY, "# 2026-03-19\n\n- lunch\n- Ada likes quinces\n")
    with open_index(room.history) as index:
        (place,) = index.places(index.matches(index.seen(["quinc"]), SearchLimits())).values()
    assert (place.path, place.first, place.last, place.text) == (DAY, 4, 4, "Ada likes quinces")
    assert (place.tier, place.source, str(place.on), place.titles) == (
        "T2",
        "memory",
        "2026-03-19",
        ("2026-03-19",),
    )


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        pytest.param("- quince\n", "- quince\n- quince jam\n", ["quince", "quince jam"], id="appended"),
        pytest.param("- quince\n", "- new\n- quince\n", ["quince"], id="moved down"),
        pytest.param("- quince\n", "- apple\n", [], id="replaced"),
        pytest.param("- quince\n", "- apples\n", [], id="of the same size"),
        pytest.param("- quince\n", "- apples\n- more\n", [], id="replaced and appended to"),
        pytest.param("- quince\n", "", [], id="emptied"),
        pytest.param("- quince\n", None, [], id="deleted"),
        pytest.param("- quince\n- a\n", "```\n- quince\n- a\n", ["- quince - a"], id="swallowed by code"),
        pytest.param(
            "```\n- quince\n", "```\n- quince\n- a\n", ["- quince\n- a"], id="appended to open code"
        ),
        pytest.param("- \U0001f34f\n", "- \U0001f34f\n- quince\n", ["quince"], id="behind what has no words"),
    ],
)
def test_an_edit_is_seen_at_once(room, before, after, found) -> None:
    """Mutant: taking a longer file for an appended one without a look at what was there."""
    room.write(DAY, before)
    texts(room.history, "quinc")
    if after is None:
        (room.root / DAY).unlink()
    else:
        room.write(DAY, after)
    assert [text.replace("\n", " ") for text in texts(room.history, "quinc")] == [
        text.replace("\n", " ") for text in found
    ]


@pytest.mark.parametrize("told", [True, False])
def test_a_file_is_trusted_only_if_it_is_older_than_the_clock_of_its_disk(room, told: bool) -> None:
    """Mutant: trusting the stamp of a file that changed within the present tick: its next edit may look the same."""
    lock = room.history.state / f"{INDEX}.lock"
    texts(room.history, "quinc")
    room.write(DAY, "- quince\n")
    time.sleep(0.05)
    if not told:
        lock.unlink()
    with closing(made_in_memory(shape_of(room.history), Reconcile(room.history).into)) as db:
        assert Reconcile(room.history).is_done(db) is told


def test_an_edit_with_its_time_set_back_is_seen(room) -> None:
    room.write(DAY, "- quince 1\n")
    time.sleep(0.02)
    texts(room.history, "quinc")
    stamp = (room.root / DAY).stat()
    room.write(DAY, "- quince 2\n")
    os.utime(room.root / DAY, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert texts(room.history, "quinc") == ["quince 2"]


def test_whoever_waited_for_its_turn_does_not_take_out_what_came_meanwhile(room) -> None:
    """Mutant: looking at the files before one's turn."""
    early = Reconcile(room.history)
    room.write(DAY, "- quince\n")
    texts(room.history, "quinc")
    renew(room.history.state / INDEX, shape_of(room.history), early.into, unless=early.is_done)
    with closing(sqlite3.connect(room.history.state / INDEX)) as db:
        assert db.execute("SELECT COUNT(*) FROM files WHERE path = ?", (DAY,)).fetchone() == (1,)


def test_one_line_more_on_a_long_day_adds_only_that_line(room) -> None:
    room.write(DAY, "# Day\n\n" + "".join(f"- note {n} about something\n" for n in range(2000)))
    texts(room.history, "note")
    before = changes(room.history)
    with (room.root / DAY).open("a") as file:
        file.write("- quince\n")
    assert texts(room.history, "quinc") == ["quince"]
    assert changes(room.history) == before + 1


def test_a_text_that_stands_everywhere_leaves_room_for_others_with_its_latest_places(room) -> None:
    room.write("memory/fruit.md", "".join(f"- quince {number}\n" for number in range(POOL)))
    for number in range(1, 29):
        room.write(f"memory/2026-02-{number:02}.md", "- quince\n")
    with open_index(room.history) as index:
        places = index.places(index.matches(index.seen(["quinc"]), SearchLimits()))
    dated = [place.path[-5:-3] for place in places.values() if "2026" in place.path]
    assert sorted(dated) == ["25", "26", "27", "28"]


def test_the_pool_is_bounded(room) -> None:
    room.write(DAY, "".join(f"- quince {n}\n" for n in range(3 * POOL)))
    with open_index(room.history) as index:
        assert len(index.matches(index.seen(["quinc"]), SearchLimits())) == POOL
        assert len(index.matches(index.seen(["quinc"]), SearchLimits(tier="T2"))) == POOL


@pytest.mark.parametrize(
    ("line", "others", "results", "pool", "around"),
    [
        pytest.param(
            "quince {}", 0, SHOWN, POOL, POOL, id="few lines: all matches, two before and two behind"
        ),
        pytest.param("quince {}", MANY, SHOWN + 1, POOL, LEADING, id="many lines: only the best matches"),
        pytest.param("quince {}", MANY, SHOWN, ENOUGH, LEADING, id="many lines, few results: fewer matches"),
        pytest.param("Ada: a quince {}", MANY, 75, POOL, LEADING_TURNS, id="many turns: twice as many"),
    ],
)
def test_what_stands_around_weak_matches_is_not_ranked_where_there_are_many_lines(
    room, line: str, others: int, results: int, pool: int, around: int
) -> None:
    notes = "".join(
        f"- plum {n}\n- pear {n}\n- {line.format(n)}\n- fig {n}\n- nut {n}\n" for n in range(POOL + 20)
    )
    room.write(DAY, notes)
    room.write("memory/other.md", "".join(f"- nothing of it {n}\n" for n in range(others)))
    with open_index(room.history) as index:
        sources = Sources(index, TextSource(lambda place: None))
        found = gathered(sources, read_question("quince", room.now), SearchLimits(), results)
    assert (len(found.lines), len(found.pool)) == (pool + 4 * around, pool)


def lines(history) -> list[tuple[str, int, str]]:
    with open_index(history) as index:
        found = index.lines(index.matches(index.seen(["quinc"]), SearchLimits())).values()
        places = index.places([line.key for line in found])
    return sorted((line.path, places[line.key].first, line.terms) for line in found)


def test_a_search_that_begins_while_another_reads_the_index_sees_every_line(room) -> None:
    """Mutant: what is being read is noted as not there."""
    room.write(DAY, "- one quince\n")
    with open_index(room.history) as one, open_index(room.history) as other:
        (place_id,) = one.matches(one.seen(["quinc"]), SearchLimits())
        meanwhile = []
        one._db.set_trace_callback(lambda _: meanwhile.append(len(other.lines([place_id]))))
        one.lines([place_id])
        one._db.set_trace_callback(None)
    assert meanwhile == [1]


def test_what_a_process_has_read_of_the_index_is_read_again_where_its_file_changed(room) -> None:
    room.write(DAY, "- one quince\n")
    room.write("memory/fruit.md", "- two quinces\n")
    for _ in range(3):
        assert lines(room.history) == [(DAY, 1, "one quinc"), ("memory/fruit.md", 1, "two quinc")]
    room.write("memory/fruit.md", "- three quinces\n- an apple\n")
    for _ in range(2):
        assert lines(room.history) == [(DAY, 1, "one quinc"), ("memory/fruit.md", 1, "three quinc")]
    (room.root / DAY).unlink()
    assert lines(room.history) == [("memory/fruit.md", 1, "three quinc")]
    write_index(room.history, from_nothing=True)  # files and places get other numbers
    assert lines(room.history) == [("memory/fruit.md", 1, "three quinc")]


@pytest.mark.parametrize(
    ("limits", "found"),
    [
        pytest.param({}, ["quince a #decision", "quince b", "quince c", "quince d"], id="none"),
        pytest.param({"tier": "T1"}, ["quince a #decision", "quince b"], id="tier"),
        pytest.param({"path": "memory"}, ["quince b", "quince c"], id="folder"),
        pytest.param({"path": "memory/"}, ["quince b", "quince c"], id="folder with slash"),
        pytest.param({"path": "MEMORY.md"}, ["quince a #decision"], id="file"),
        pytest.param({"path": "memory/2026-03-*"}, ["quince c"], id="pattern"),
        pytest.param({"category": "decision"}, ["quince a #decision"], id="tag"),
        pytest.param({"category": "legal"}, ["quince b"], id="topic file"),
        pytest.param({"category": "decis"}, [], id="not a part of a tag"),
        pytest.param({"source": "extra"}, [], id="source"),
    ],
)
def test_limits(room, limits, found) -> None:
    room.write("MEMORY.md", "- quince a #decision\n")
    room.write("memory/legal.md", "- quince b\n")
    room.write(DAY, "- quince c\n")
    room.write("Archive/Daily/2026/01/2026-01-02.md", "- quince d\n")
    assert texts(room.history, "quinc", **limits) == found


def test_a_new_chunk_size_makes_the_index_anew(room) -> None:
    room.write(DAY, "```\n" + "".join(f"quince{n} = {n}\n" for n in range(200)) + "```\n")
    assert len(texts(room.history, "quince1", "quince199")) == 2
    room.history.settings = room.history.settings._replace(chunk_tokens=8000)
    assert len(texts(room.history, "quince1", "quince199")) == 1


LINES = st.lists(
    st.sampled_from(
        [
            "- a <!-- m:aaaaaa -->",
            "- b",
            "  - c",
            "text",
            "Ada: hi",
            "",
            "# H",
            "## 2026-01-02",
            "```",
            "> q",
            "数据库",
        ]
    ),
    max_size=8,
).map(lambda lines: "".join(f"{line}\n" for line in lines))
LEDGER = st.sampled_from(
    [
        f"## 2026-03-0{n} <!-- x:{n} re-embedded:false -->\n\n- said: a\n- correct: b{n}\n- corrects: m:aaaaaa\n- status: {status}\n"
        for n in (1, 2)
        for status in ("applied", "withdrawn")
    ]
)
PATHS = st.sampled_from(
    ["MEMORY.md", "memory/a.md", DAY, "memory/sub/b.md", "Archive/Daily/2026/03/2026-03-19.md"]
)
STEPS = st.one_of(
    st.tuples(st.just("write"), PATHS, LINES),
    st.tuples(st.just("append"), PATHS, LINES),
    st.tuples(st.just("write"), st.just("CORRECTIONS.md"), LEDGER),
    st.tuples(st.just("delete"), PATHS, st.none()),
    st.tuples(st.just("move"), PATHS, PATHS),
    st.tuples(st.just("swap"), PATHS, PATHS),
    st.tuples(
        st.sampled_from(["commit", "back", "side", "merge", "reset", "use", "use", "damage"]),
        st.none(),
        st.none(),
    ),
)


class Folder:
    """What happens to the files, done with git and by hand."""

    def __init__(self, room, kept_index) -> None:
        self.room = room
        self.use = lambda *_: kept_index(room.history)

    def write(self, path: str, text: str) -> None:
        self.room.write(path, text)

    def append(self, path: str, text: str) -> None:
        old = self.room.read(path) if (self.room.root / path).exists() else ""
        self.room.write(path, old + text)

    def delete(self, path: str, _) -> None:
        (self.room.root / path).unlink(missing_ok=True)

    def move(self, path: str, target: str) -> None:
        if (self.room.root / path).exists():
            (self.room.root / target).parent.mkdir(parents=True, exist_ok=True)
            (self.room.root / path).rename(self.room.root / target)

    def swap(self, path: str, other: str) -> None:
        self.move(path, "memory/aside.md")
        self.move(other, path)
        self.move("memory/aside.md", other)

    def commit(self, *_) -> None:
        self.room.git("add", "-A")
        self.room.git("commit", "-qm", "by hand", "--allow-empty")

    def back(self, *_) -> None:
        self.room.git("checkout", "-q", "-f", "main", check=False)

    def side(self, *_) -> None:
        self.room.git("checkout", "-q", "-f", "-B", "side", "HEAD~1", check=False)

    def merge(self, *_) -> None:
        self.room.git("merge", "-q", "--no-edit", "-X", "ours", "main", check=False)
        self.room.git("merge", "--abort", check=False)

    def reset(self, *_) -> None:
        self.room.git("reset", "-q", "--hard", "HEAD~1", check=False)

    def damage(self, *_) -> None:
        path = self.room.history.state / INDEX
        if path.exists():
            path.write_bytes(path.read_bytes()[:-5000])


@pytest.mark.rest
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, max_size=14))
def test_after_any_history_the_index_equals_one_made_from_nothing(room, kept_index, new_index, steps) -> None:
    """Mutants: places left of a deleted file; texts that stand nowhere not forgotten."""
    folder = Folder(room, kept_index)
    for name, one, other in steps:
        getattr(folder, name)(one, other)
    assert kept_index(room.history) == new_index(room.history)


@pytest.mark.rest
def test_a_larger_limit_brings_in_what_was_too_large_and_a_smaller_one_takes_it_out(room) -> None:
    """Mutant: an index that does not know by which limit it was filled."""
    room.write(DAY, "- quince\n" * 20_000)
    for most, found in ((65_536, set()), (1 << 20, {"quince"}), (65_536, set())):
        room.history.settings = room.history.settings._replace(max_file_bytes=most)
        assert set(texts(room.history, "quinc")) == found


@pytest.mark.parametrize("fault", [OSError(errno.EIO, "x"), UnsafePathError("x")], ids=["plain", "wrapped"])
def test_a_file_that_could_not_be_read_once_is_read_the_next_time(room, monkeypatch, fault) -> None:
    """Mutant: a fault that passes is noted with the file's stamp, and stays."""
    room.write(DAY, "- quince\n")
    time.sleep(0.02)
    fault.__cause__ = OSError(errno.EMFILE, "x")
    with monkeypatch.context() as patched:
        patched.setattr(reconcile, "read_served", lambda *_, **__: (_ for _ in ()).throw(fault))
        assert texts(room.history, "quinc") == []
    assert texts(room.history, "quinc") == ["quince"]


def test_words_that_very_many_lines_hold_are_looked_for_where_they_meet_another() -> None:
    """A line with one common word alone costs as much as a good one, and is not worth it."""
    rare, only, other = DEAR // 4, DEAR - 1, DEAR
    lines = ["quince"] * rare + ["plum"] * only + ["pear"] * other
    both, with_rare = len(lines) + 1, len(lines) + 2
    lines += ["plum with pear", "quince with pear"]
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE words USING fts5 (terms)")
        db.executemany("INSERT INTO words (terms) VALUES (?)", [(line,) for line in lines])
        words, common = parted({"quince": rare + 1, "plum": only + 1, "pear": other + 2})
        matches = [any_of(words), *(match for match, _ in beside_others(words, common))]
        select = "SELECT rowid FROM words WHERE words MATCH ?"
        found = [[row[0] for row in db.execute(select, (match,))] for match in matches]
    assert found == [[*range(1, rare + 1), with_rare], [both], [both, with_rare]]
