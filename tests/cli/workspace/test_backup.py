"""`clawgit backup`: whole or not at all, made while others write; brought back with nothing lost.

Mutants that these tests caught: the stores copied as plain files, restored by a rename, by unlink and copy or in
several transactions; the log of a damaged store left beside the new one; nothing kept aside, or kept before the
writers are shut out; no check of the copy, of what was unpacked, of sums, sizes or names; an empty store taken for a
new one; a newer one replaced; FILE written in place; half-made files and the work of a killed backup left for ever;
the room on the disk not asked for.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from clawgit.cli.main import run
from clawgit.history.authorship.intent import Intent
from clawgit.history.backup.backup_records import make_backup, own_references, restore_backup
from clawgit.history.git.refs import PAST, RESCUE
from clawgit.history.git.repository import open_history
from clawgit.history.guards.finding import Finding
from clawgit.history.guards.quarantine import put_into_quarantine
from clawgit.history.transaction.working_tree import Draft
from clawgit.plan import Plan
from clawgit.workspace.records.sqlite_files import BusyStoreError, connect
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FORK = multiprocessing.get_context("fork")
OURS = {"lock", "queue", "backup"}


def messages(room, *words: str) -> None:
    """Write a store of messages as another part of clawgit would."""
    with closing(sqlite3.connect(room.history.state / "messages.db", isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE IF NOT EXISTS said (number INTEGER PRIMARY KEY, words TEXT)")
        db.executemany("INSERT INTO said (words) VALUES (?)", ((word,) for word in words))


def said(path: Path) -> list[str]:
    with closing(connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [word for (word,) in db.execute("SELECT words FROM said ORDER BY number")]


def tips(room) -> list[str]:
    with closing(connect(room.history.state / "records.db")) as db:
        return [commit_id for (commit_id,) in db.execute("SELECT commit_id FROM tips ORDER BY rowid")]


def state(room) -> dict[str, bytes]:
    """Return every file of clawgit's own folder, but for locks."""
    files = (path for path in room.history.state.rglob("*") if path.is_file())
    return {
        name: path.read_bytes()
        for path in files
        if (name := path.relative_to(room.history.state).as_posix()).split("/")[0] not in OURS
        or "work" in name
    }


def half_made(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if "clawgit-part" in path.name]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "disk"
    folder.mkdir()
    return folder / "agent.backup"


@pytest.fixture
def remake(place: Path) -> Callable[..., None]:
    """Return a function that writes the backup anew, its parts or its manifest changed."""

    def write(new_files: dict[str, bytes], *, honest: bool = True, **manifest: Any) -> None:
        with zipfile.ZipFile(place) as old:
            files = {name: old.read(name) for name in old.namelist()}
        told = json.loads(files.pop("manifest.json")) | manifest
        files |= new_files
        if honest:
            told["parts"] = [
                {"name": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
                for name, data in files.items()
            ]
        with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as new:
            new.writestr("manifest.json", json.dumps(told))
            for name, data in files.items():
                new.writestr(name, data)

    return write


# --- there and back


def test_what_was_backed_up_comes_back_and_what_was_there_is_kept(clawgit, room, place) -> None:
    messages(room, "one", "two")
    clawgit("pause", "before a trip")
    made = clawgit("backup", str(place))
    clawgit("resume")
    messages(room, "three")

    done = clawgit("backup", "--restore", str(place))

    assert (made.code, made.out) == (0, f"{place}\n")
    assert done.code == 0, done.err
    assert "Restored as of 2026-03-19 10:22 UTC" in done.out
    assert "records.db, messages.db, paused." in done.out
    assert said(room.history.state / "messages.db") == ["one", "two"]
    assert "before a trip" in clawgit("status").out
    (kept,) = room.history.state.glob("before-restore-*")
    assert kept.name == "before-restore-20260319T102200Z"
    assert said(kept / "messages.db") == ["one", "two", "three"]
    assert not (room.history.state / "backup" / "work").exists()


def test_a_second_restore_keeps_what_the_first_one_brought(clawgit, room, place) -> None:
    clawgit("backup", str(place))
    for _ in range(2):
        assert clawgit("backup", "--restore", str(place)).code == 0

    assert len(list(room.history.state.glob("before-restore-*"))) == 2


def test_the_reason_of_a_pause_that_gives_way_is_kept(clawgit, room, place) -> None:
    clawgit("pause", "before")
    clawgit("backup", str(place))
    clawgit("resume")
    clawgit("pause", "since")

    clawgit("backup", "--restore", str(place))

    (kept,) = room.history.state.glob("before-restore-*")
    assert "since" in (kept / "paused").read_text()
    assert "before" in (room.history.state / "paused").read_text()


def test_a_backup_of_pages_as_they_were_in_the_store_comes_back(
    clawgit, room, place, remake, tmp_path
) -> None:
    """Earlier versions copied the pages of each store, with the mark of its write-ahead log."""
    messages(room, "one")
    clawgit("backup", str(place))
    copy = tmp_path / "messages.db"
    with (
        closing(connect(room.history.state / "messages.db")) as live,
        closing(sqlite3.connect(copy)) as pages,
    ):
        live.backup(pages)
    remake({"messages.db": copy.read_bytes()})
    messages(room, "two")

    done = clawgit("backup", "--restore", str(place))

    assert copy.read_bytes()[18:20] == b"\2\2"
    assert done.code == 0, done.err
    assert said(room.history.state / "messages.db") == ["one"]


def test_a_store_of_other_pages_comes_back_where_it_is_missing(clawgit, room, place) -> None:
    live = room.history.state / "messages.db"
    with closing(sqlite3.connect(live, isolation_level=None)) as db:
        db.execute("PRAGMA page_size = 16384")
        db.execute("CREATE TABLE said (number INTEGER PRIMARY KEY, words TEXT)")
    messages(room, "one")
    clawgit("backup", str(place))
    live.unlink()

    done = clawgit("backup", "--restore", str(place))

    assert done.code == 0, done.err
    assert said(live) == ["one"]


def test_backup_says_what_it_made(clawgit, room, place) -> None:
    data = clawgit("backup", str(place), "--json").data

    assert data["path"] == str(place)
    assert data["made_at"] == "2026-03-19T10:22:00+00:00"
    assert data["bytes"] == place.stat().st_size
    assert [part["name"] for part in data["parts"]] == ["records.db", "format"]
    assert place.stat().st_mode & 0o777 == 0o600
    assert half_made(place.parent) == []


def test_backup_names_what_no_clone_will_have_either(clawgit, room, place) -> None:
    room.write("USER.md", "# User\n\nAda.\n")
    room.write("memory/new.md", "- New.\n")
    room.git("add", "memory/new.md")

    said = clawgit("backup", str(place))
    room.git("commit", "-qam", "both")
    after = clawgit("backup", str(place))

    assert "Not committed, so neither the history nor this backup has 2 files:" in said.err
    assert "  USER.md: `clawgit keep`" in said.err
    assert "  memory/new.md: `git commit`" in said.err
    assert (said.code, after.code, "Not committed" in after.err) == (0, 0, False)


def test_backup_names_all_that_keep_leaves_out(clawgit, room, place) -> None:
    """Seen: a picture, a repository, and links missing after a move, and `keep` offered for a file with a key."""
    room.write("notes/keys.md", "- password: tiger777\n")
    room.write("picture.bin", "x" * 2_000_000)
    room.git("init", "-q", "site")
    room.write("site/index.md", "# Site\n")
    links = [f"link-{number}.md" for number in range(7)]
    for name in links:
        (room.root / name).symlink_to("MEMORY.md")
    room.write(".gitignore", "/ignored/\n")
    room.write("ignored/note.md", "- Not named.\n")

    clawgit("keep")
    said = clawgit("backup", str(place)).err.partition("Not committed")[2].splitlines()

    assert said == [
        ", so neither the history nor this backup has 10 files:",
        "  notes/keys.md:1 (looks like a key): copy it yourself",
        f"  {', '.join([*links, 'site'])} (no plain file, or in a folder that you may not open): copy it yourself",
        "  picture.bin (too large): copy it yourself",
    ]
    named = clawgit("doctor").err
    assert all(name in named for name in (*links, "site", "picture.bin", "keys.md"))


def test_restore_says_what_it_did(clawgit, room, place) -> None:
    clawgit("backup", str(place))
    messages(room, "later")

    data = clawgit("backup", "--restore", str(place), "--json").data

    assert data["restored"] == ["records.db"]
    assert data["stayed"] == ["messages.db"]
    assert data["workspace"] == str(room.root)
    assert said(room.history.state / "messages.db") == ["later"]


@pytest.mark.rest
def test_a_disk_that_does_not_keep_what_is_written_to_it_leaves_the_earlier_backup(
    clawgit, room, place, monkeypatch, long_words
) -> None:
    """Mutant: a backup that is not read back."""
    messages(room, *long_words)
    clawgit("backup", str(place))
    earlier = place.read_bytes()
    messages(room, "more")
    close = zipfile.ZipFile.close

    def close_and_lose_a_bit(archive: zipfile.ZipFile) -> None:
        writing, name = archive.mode == "w" and archive.fp is not None, archive.filename
        close(archive)
        if writing:
            with open(name, "r+b") as file:  # noqa: PTH123 - a name, as zipfile has it
                file.seek(len(earlier) // 2)
                bit = file.read(1)[0] ^ 1
                file.seek(-1, os.SEEK_CUR)
                file.write(bytes([bit]))

    monkeypatch.setattr(zipfile.ZipFile, "close", close_and_lose_a_bit)

    done = clawgit("backup", str(place))

    assert done.code == 1
    assert "damaged" in done.err
    assert place.read_bytes() == earlier
    assert half_made(place.parent) == []


def test_derived_stores_and_locks_are_not_in_it(clawgit, room, place) -> None:
    clawgit("memory", "add", "Something.")
    clawgit("memory", "list")
    (room.history.state / "index.db").write_bytes(b"derived")

    clawgit("backup", str(place))

    with zipfile.ZipFile(place) as archive:
        assert archive.namelist() == ["manifest.json", "records.db", "format"]


def test_the_same_records_give_the_same_bytes(room, place) -> None:
    messages(room, "one")

    for name in ("a", "b"):
        make_backup(room.history, place.with_name(name), room.now)

    assert place.with_name("a").read_bytes() == place.with_name("b").read_bytes()


def test_a_restored_workspace_knows_of_the_backup_it_came_from(clawgit, room, place) -> None:
    clawgit("backup", str(place))
    clawgit("backup", "--restore", str(place))

    assert clawgit("status", "--json").data["backup"]["path"] == str(place)


def test_records_come_back_into_a_clone(clawgit, room, place, tmp_path) -> None:
    messages(room, "one")
    clawgit("backup", str(place))
    room.git("clone", "-q", ".", str(tmp_path / "clone"))
    run(["init", str(tmp_path / "clone")], {})

    done = clawgit("-w", str(tmp_path / "clone"), "backup", "--restore", str(place))

    assert done.code == 0, done.err
    assert f"was made of {room.root}" in done.out
    assert said(tmp_path / "clone/.git/clawgit/messages.db") == ["one"]


@pytest.fixture
def waiting(clawgit, room):
    """Return a workspace in which a proposal, a refused edit, and a rescued and a past commit wait."""
    room.append("memory/a.md", "Something.")
    room.write("SOUL.md", "I am somebody else.\n")
    clawgit("keep")
    put_into_quarantine(
        room.history,
        room.history.tip(),
        Draft(room.history.tip().tree, {"memory/refused.md": FileContent(b"Refused.\n")}),
        [Finding("test", "memory/refused.md", "It was refused.", "Look at it.")],
        Intent("op-refused", "host", room.now),
        Plan(""),
    )
    for prefix in (RESCUE, PAST):
        commit = room.git("commit-tree", "-m", prefix, "-p", "main~1", "main~1^{tree}")
        room.git("update-ref", f"{prefix}0123456789abcdef", commit)
    room.git("update-ref", f"{RESCUE}of-a-branch", "main~1")
    return room


def own(root) -> dict[str, str]:
    return own_references(open_history(root))


@pytest.mark.rest
def test_proposals_quarantine_rescued_and_past_commits_come_back_into_a_clone(
    clawgit, waiting, place, tmp_path
) -> None:
    before = own(waiting.root)
    assert {name.split("/")[2] for name in before} == {"proposals", "quarantine", "rescue", "past"}
    refused = next(name for name in before if "quarantine" in name).split("/")[3]
    shown = clawgit("quarantine", "show", refused, "--json")
    made = clawgit("backup", str(place))
    clone = tmp_path / "clone"
    waiting.git("clone", "-q", f"file://{waiting.root}", str(clone))
    run(["init", str(clone)], {})

    done = clawgit("-w", str(clone), "backup", "--restore", str(place))

    assert (made.code, done.code) == (0, 0), done.err
    assert "5 of clawgit's own references" in done.out
    assert own(clone) == before
    waiting.git("-C", str(clone), "fsck", "--strict", "--connectivity-only")
    status = clawgit("-w", str(clone), "status", "--json").data
    assert (len(status["proposals"]), status["quarantined"], status["rescued"]) == (1, 1, 2)
    assert clawgit("-w", str(clone), "quarantine", "show", refused, "--json").data == shown.data


def test_references_are_a_bundle_that_git_reads(clawgit, waiting, place, tmp_path) -> None:
    clawgit("backup", str(place))
    with zipfile.ZipFile(place) as archive:
        archive.extract("references.bundle", tmp_path)
    clone = tmp_path / "clone"
    waiting.git("clone", "-q", f"file://{waiting.root}", str(clone))

    waiting.git(
        "-C", str(clone), "fetch", "-q", str(tmp_path / "references.bundle"), "refs/clawgit/*:refs/clawgit/*"
    )

    assert own(clone) == own(waiting.root)


def test_without_the_history_the_records_come_back_and_the_references_are_named(
    clawgit, waiting, place, tmp_path
) -> None:
    messages(waiting, "one")
    clawgit("backup", str(place))
    other = tmp_path / "other"
    run(["init", str(other)], {})

    done = clawgit("-w", str(other), "backup", "--restore", "--force", str(place))

    assert done.code == 0, done.err
    assert "5 of clawgit's own references" in done.out
    assert "did not come back" in done.out
    assert said(other / ".git/clawgit/messages.db") == ["one"]
    assert own(other) == {}


def test_a_reference_that_names_another_commit_here_stays_and_the_other_is_kept(
    clawgit, waiting, place
) -> None:
    clawgit("backup", str(place))
    name = next(name for name in own(waiting.root) if name.startswith(PAST))
    old = own(waiting.root)[name]
    waiting.git("update-ref", name, "main")

    assert clawgit("backup", "--restore", str(place)).code == 0

    assert own(waiting.root)[name] == waiting.head()
    assert own(waiting.root)[f"{RESCUE}{old[:16]}"] == old


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(
            lambda data: data.replace(b"refs/clawgit/past/", b"refs/heads/xpast/"), id="another reference"
        ),
        pytest.param(
            lambda data: data.replace(b"refs/clawgit/past/0", b"refs/clawgit/past/."), id="a bad name"
        ),
        pytest.param(lambda data: data[:-30], id="cut off"),
        pytest.param(lambda data: data.partition(b"\n\n")[0] + b"\n\n", id="without its commits"),
        pytest.param(lambda data: b"what", id="no bundle"),
    ],
)
def test_references_that_lie_are_refused_and_nothing_is_changed(
    clawgit, waiting, place, remake, tmp_path, change
) -> None:
    messages(waiting, "one")
    clawgit("backup", str(place))
    with zipfile.ZipFile(place) as archive:
        data = archive.read("references.bundle")
    remake({"references.bundle": change(data)})
    clone = tmp_path / "clone"
    waiting.git("clone", "-q", f"file://{waiting.root}", str(clone))
    run(["init", str(clone)], {})

    done = clawgit("-w", str(clone), "backup", "--restore", str(place))

    assert done.code == 1
    assert "damaged" in done.err
    assert own(clone) == {}
    assert not (clone / ".git/clawgit/messages.db").exists()


def test_who_has_a_store_open_sees_the_restored_one_and_goes_on(clawgit, room, place) -> None:
    messages(room, "one")
    clawgit("backup", str(place))
    messages(room, "two")
    with closing(connect(room.history.state / "messages.db")) as db:
        assert db.execute("SELECT COUNT(*) FROM said").fetchone() == (2,)
        clawgit("backup", "--restore", str(place))

        assert db.execute("SELECT words FROM said").fetchall() == [("one",)]
        db.execute("INSERT INTO said (words) VALUES ('after')")
    assert said(room.history.state / "messages.db") == ["one", "after"]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda path: path.write_bytes(b""), id="emptied"),
        pytest.param(lambda path: path.write_bytes(b"words, no database" * 99), id="foreign"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:6000]), id="cut off"),
        pytest.param(lambda path: path.unlink(), id="missing"),
    ],
)
def test_a_damaged_store_is_replaced_and_kept_byte_for_byte(clawgit, room, place, damage) -> None:
    messages(room, "one")
    clawgit("backup", str(place))
    before = tips(room)
    for name in ("messages.db", "records.db"):
        damage(room.history.state / name)
    damaged = {name: data for name, data in state(room).items() if name in ("messages.db", "records.db")}

    done = clawgit("backup", "--restore", str(place))

    assert done.code == 0, done.err
    assert said(room.history.state / "messages.db") == ["one"]
    assert tips(room) == before
    kept = {
        path.name: path.read_bytes()
        for folder in room.history.state.glob("before-restore-*")
        for path in folder.iterdir()
    }
    if set(damaged) == set(kept):  # a store that still opens is copied page by page
        assert all(len(kept[name]) >= len(data) for name, data in damaged.items())
    else:
        assert kept == damaged == {}


def write_and_die(path: Path) -> None:
    db = connect(path)
    db.execute("INSERT INTO said (words) VALUES ('in the log only')")
    os._exit(0)


def test_the_log_of_an_emptied_store_is_kept_and_not_replayed_into_the_new_one(clawgit, room, place) -> None:
    messages(room, "one")
    clawgit("backup", str(place))
    live = room.history.state / "messages.db"
    writer = FORK.Process(target=write_and_die, args=(live,))
    writer.start()
    writer.join()
    live.write_bytes(b"")
    log = live.with_name("messages.db-wal").read_bytes()

    done = clawgit("backup", "--restore", str(place))

    assert done.code == 0, done.err
    assert said(live) == ["one"]
    (kept,) = room.history.state.glob("before-restore-*")
    assert (kept / "messages.db").read_bytes() == b""
    assert (kept / "messages.db-wal").read_bytes() == log


# --- while others write


def write_rows(root: Path, count: int) -> None:
    with closing(connect(root / ".git/clawgit/messages.db")) as db:
        for number in range(count):
            db.execute("INSERT INTO said (words) VALUES (?)", (str(number),))


def test_a_backup_beside_a_writer_holds_a_prefix_of_what_was_written(room, place, tmp_path) -> None:
    messages(room)
    writer = FORK.Process(target=write_rows, args=(room.root, 200))
    writer.start()
    found = []
    while writer.is_alive():
        before = len(said(room.history.state / "messages.db"))
        make_backup(room.history, place, room.now)
        with zipfile.ZipFile(place) as archive:
            archive.extract("messages.db", tmp_path)
        found.append(said(tmp_path / "messages.db"))
        assert len(found[-1]) >= before
    writer.join()

    assert writer.exitcode == 0
    for rows in found:
        assert rows == [str(number) for number in range(len(rows))]
    assert said(room.history.state / "messages.db") == [str(number) for number in range(200)]


def test_a_restore_beside_a_writer_loses_no_word_of_it(room, place) -> None:
    messages(room, "backed up")
    make_backup(room.history, place, room.now)
    writer = FORK.Process(target=write_rows, args=(room.root, 200))
    writer.start()
    while not said(room.history.state / "messages.db")[1:]:
        time.sleep(0.001)

    restore_backup(room.history, place, room.now)
    writer.join()

    rows = said(room.history.state / "messages.db")
    (kept,) = room.history.state.glob("before-restore-*")
    before = said(kept / "messages.db")
    assert writer.exitcode == 0
    assert rows[0] == before[0] == "backed up"
    assert before[1:] + rows[1:] == [str(number) for number in range(200)]


# --- kill -9


def backed_up(root: Path, place: Path, now: Any) -> None:
    make_backup(open_history(root), place, now)


def restored(root: Path, place: Path, now: Any) -> None:
    restore_backup(open_history(root), place, now)


def killed_at(step: int, work: Callable[..., None], *arguments: object) -> int:
    """Do ``work`` in a process that kills itself at its call number ``step``; return how many calls it made.

    No load moves a call to another place, as it moves a moment.
    """
    made = FORK.RawValue("l", 0)

    def count(_frame: object, event: str, _argument: object) -> None:
        made.value += event in ("call", "c_call")
        if made.value == step:
            os.kill(os.getpid(), signal.SIGKILL)

    def counted() -> None:
        sys.setprofile(count)
        work(*arguments)
        sys.setprofile(None)

    process = FORK.Process(target=counted)
    process.start()
    process.join()
    return int(made.value)


def kill_within(longest: float, work: Callable[..., None], *arguments: object) -> None:
    process = FORK.Process(target=work, args=arguments)
    process.start()
    time.sleep(random.uniform(0, longest))  # the seed is the clock: every run tries other moments
    process.kill()
    process.join()


@pytest.fixture
def long_words() -> list[str]:
    chance = random.Random(1)
    return ["".join(chance.choices("abcdefgh ", k=2000)) for _ in range(500)]


@pytest.mark.rest
def test_kill_9_during_a_backup_leaves_the_earlier_one_and_the_next_one_cleans_up(
    clawgit, room, place, long_words, full_length
) -> None:
    messages(room, "first")
    assert clawgit("backup", str(place)).code == 0
    first = place.read_bytes()
    messages(room, *long_words)
    started = time.monotonic()
    calls = killed_at(0, backed_up, room.root, place, room.now)
    needed = time.monotonic() - started
    place.write_bytes(first)
    cut_short = []
    for number in range(rounds := 100 if full_length else 4):
        if number % 2:
            kill_within(needed, backed_up, room.root, place, room.now)
        else:
            killed_at(1 + number * calls // rounds, backed_up, room.root, place, room.now)
            cut_short.append(place.read_bytes() == first)

        again = place.with_name("again")
        assert run(["-w", str(room.root), "backup", "--restore", str(place)], {}) == 0
        assert len(said(room.history.state / "messages.db")) in (1, 501)
        place.write_bytes(first)
        messages(room, *long_words)
        make_backup(room.history, again, room.now)
        again.unlink()
    killed_at(calls, backed_up, room.root, place, room.now)

    assert cut_short[0]
    assert sum(cut_short) > 1
    assert place.read_bytes() != first
    make_backup(room.history, place, room.now)
    assert half_made(place.parent) == []
    assert not (room.history.state / "backup" / "work").exists()


@pytest.mark.rest
def test_kill_9_during_a_restore_leaves_each_store_old_or_new(
    clawgit, room, place, long_words, full_length
) -> None:
    messages(room, "old")
    old = place.with_name("old")
    clawgit("backup", str(old))
    messages(room, *long_words)
    room.write("memory/a.md", "x\n")
    clawgit("keep")
    clawgit("backup", str(place))
    new_tips = tips(room)
    found = set()
    restore_backup(room.history, old, room.now)
    started = time.monotonic()
    calls = killed_at(0, restored, room.root, place, room.now)
    needed = time.monotonic() - started
    for number in range(rounds := 201 if full_length else 5):
        restore_backup(room.history, old, room.now)
        if number % 2:
            kill_within(needed, restored, room.root, place, room.now)
        else:
            killed_at(1 + number * (calls - 1) // (rounds - 1), restored, room.root, place, room.now)

        rows = len(said(room.history.state / "messages.db"))
        assert rows in (1, 501)
        assert tips(room) in (new_tips[:1], new_tips)
        found.add((rows, len(tips(room))))
        for kept in room.history.state.glob("before-restore-*"):
            assert {path.name for path in kept.iterdir()} <= {"records.db", "messages.db"}
            assert all(said(path)[0] == "old" for path in kept.glob("messages.db"))
            shutil.rmtree(kept)
    restore_backup(room.history, place, room.now)

    assert len(said(room.history.state / "messages.db")) == 501
    assert tips(room) == new_tips
    assert found >= {(1, 1), (501, 2)}
    assert not (room.history.state / "backup" / "work").exists()


# --- what is refused


def refused(clawgit, room, place: Path) -> str:
    """Restore, which must be refused with a sentence and without a trace; return the sentence."""
    before = state(room)
    done = clawgit("backup", "--restore", str(place))
    assert done.code == 1, done
    assert state(room) == before
    assert not (room.history.state / "backup" / "work").exists()
    return done.err


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("parts", "manifest", "sentence"),
    [
        pytest.param({}, {"clawgit_backup": 2}, "newer clawgit", id="newer backup format"),
        pytest.param({"format": b"99\n"}, {}, "workspace format 99", id="newer workspace format"),
        pytest.param({"format": b"x\n"}, {}, "no workspace format", id="no format"),
        pytest.param({"../../SOUL.md": b"x"}, {}, "no backup holds", id="a path that leads out"),
        pytest.param({"/etc/cron.d/x": b"x"}, {}, "no backup holds", id="an absolute path"),
        pytest.param({"fold.db": b"x"}, {}, "no backup holds", id="a derived store"),
        pytest.param({"paused": b"x" * 70_000}, {}, "size or kind", id="a small file that is large"),
        pytest.param({"messages.db": b""}, {}, "damaged messages.db", id="an empty store"),
        pytest.param({"messages.db": b"words" * 9999}, {}, "damaged messages.db", id="no database"),
        pytest.param({"records.db": b"SQLite format 3\0" * 999}, {}, "damaged records.db", id="broken pages"),
        pytest.param({}, {"made_at": "yesterday"}, "incomplete", id="no time"),
        pytest.param({}, {"made_at": "2026-03-19"}, "incomplete", id="a time of no zone"),
    ],
)
def test_a_backup_that_does_not_fit_is_refused(
    clawgit, room, place, remake, parts, manifest, sentence
) -> None:
    clawgit("backup", str(place))
    remake(parts, **manifest)

    assert sentence in refused(clawgit, room, place)


@pytest.mark.parametrize(
    ("parts", "manifest", "sentence"),
    [
        pytest.param({"messages.db": b"x"}, {}, "other files than", id="a file that is not named"),
        pytest.param({"format": b"1\n1"}, {}, "size or kind", id="another size"),
        pytest.param({"format": b"1\n"}, {}, "not what was put in", id="other bytes of that size"),
        pytest.param({}, {"parts": [{"name": "format"}]}, "incomplete", id="no sizes"),
        pytest.param({}, {"parts": 7}, "incomplete", id="no list"),
        pytest.param({}, {"clawgit_backup": "1"}, "not a backup", id="no version"),
    ],
)
def test_a_manifest_that_lies_is_refused(clawgit, room, place, remake, parts, manifest, sentence) -> None:
    clawgit("backup", str(place))
    remake(parts, honest=False, **manifest)

    assert sentence in refused(clawgit, room, place)


def test_records_of_a_newer_clawgit_are_refused(clawgit, room, place, remake, tmp_path) -> None:
    clawgit("backup", str(place))
    with zipfile.ZipFile(place) as archive:
        archive.extract("records.db", tmp_path)
    with closing(connect(tmp_path / "records.db")) as db:
        db.execute("INSERT INTO migrations VALUES (99, '')")
    remake({"records.db": (tmp_path / "records.db").read_bytes()})

    assert "newer clawgit" in refused(clawgit, room, place)


def test_newer_records_that_are_there_are_not_replaced(clawgit, room, place) -> None:
    clawgit("backup", str(place))
    with closing(connect(room.history.state / "records.db")) as db:
        db.execute("INSERT INTO migrations VALUES (99, '')")

    assert "newer clawgit" in refused(clawgit, room, place)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("claimed", [10**15, 30_000_000, 20_000], ids=["too much", "honest", "too little"])
def test_a_bomb_is_refused(clawgit, room, place, claimed) -> None:
    clawgit("backup", str(place))
    bomb_bytes = 30_000_000
    parts = [{"name": "messages.db", "bytes": claimed, "sha256": ""}]
    told = {"clawgit_backup": 1, "made_at": "2026-03-19T10:22:00+00:00", "workspace": "", "parts": parts}
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", json.dumps(told))
        archive.writestr("messages.db", b"\0" * bomb_bytes)
    if claimed < bomb_bytes:
        headers = place.read_bytes().replace(bomb_bytes.to_bytes(4, "little"), claimed.to_bytes(4, "little"))
        place.write_bytes(headers)

    assert "is damaged" in refused(clawgit, room, place)


def test_a_backup_larger_than_the_disk_is_refused(clawgit, room, place, remake) -> None:
    """The disk is too large to be filled here: the headers of the zip say what a true backup's would."""
    clawgit("backup", str(place))
    huge = 1 << 50
    with zipfile.ZipFile(place) as old:
        files = {name: old.read(name) for name in old.namelist()}
    told = json.loads(files["manifest.json"])
    told["parts"] = [{"name": "messages.db", "bytes": huge, "sha256": ""}]
    entry = zipfile.ZipInfo("messages.db")
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("manifest.json", json.dumps(told))
        with archive.open(entry, "w", force_zip64=True) as target:
            target.write(b"x")
        entry.file_size = huge

    assert "the disk has" in refused(clawgit, room, place)


def test_a_backup_that_was_cut_off_is_refused(clawgit, room, place) -> None:
    clawgit("backup", str(place))
    whole = place.read_bytes()
    for length in (0, 1, 100, len(whole) // 2, len(whole) - 30, len(whole) - 1):
        place.write_bytes(whole[:length])

        refused(clawgit, room, place)


@pytest.mark.rest
def test_a_flipped_bit_is_refused_or_changes_nothing(clawgit, room, place, full_length) -> None:
    """A zip has bytes that mean nothing (times, attributes); every byte of the records is covered."""
    messages(room, "one", "two")
    clawgit("backup", str(place))
    whole = place.read_bytes()
    codes = set()
    chance = random.Random(3)
    for position in chance.sample(range(len(whole)), len(whole) if full_length else 60):
        flipped = bytearray(whole)
        flipped[position] ^= 1 << chance.randrange(8)
        place.write_bytes(flipped)

        done = clawgit("backup", "--restore", str(place))

        assert done.code in (0, 1), f"byte {position}: {done.err}"
        codes.add(done.code)
        assert said(room.history.state / "messages.db") == ["one", "two"]
    assert 1 in codes


def test_what_is_no_backup_at_all_is_refused(clawgit, room, place) -> None:
    clawgit("status")
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("photo.jpg", b"x")
    assert "not a backup" in refused(clawgit, room, place)
    place.write_text("words")
    assert "not a backup" in refused(clawgit, room, place)
    assert "it is a folder" in refused(clawgit, room, place.parent)
    assert "No such file" in refused(clawgit, room, place.parent / "missing")
    os.mkfifo(place.parent / "pipe")
    assert "it is a pipe" in refused(clawgit, room, place.parent / "pipe")


def test_only_the_operator_restores(clawgit, room, place) -> None:
    clawgit("backup", str(place))

    done = clawgit("backup", "--restore", str(place), actor="host")

    assert done.code == 1
    assert "only you can" in done.err


def test_a_store_that_stays_busy_is_not_replaced(clawgit, room, place) -> None:
    messages(room, "one")
    clawgit("backup", str(place))
    room.history.settings = room.history.settings._replace(lock_wait_seconds=0.2)
    before = state(room)
    with closing(connect(room.history.state / "records.db")) as db:
        db.execute("BEGIN IMMEDIATE")
        with pytest.raises(BusyStoreError, match="busy"):
            restore_backup(room.history, place, room.now)
        db.execute("ROLLBACK")

    assert state(room) == before
    assert not list(room.history.state.glob("before-restore-*"))


def test_records_of_another_history_come_only_by_force(clawgit, room, place, tmp_path) -> None:
    """Mutant: whatever backup is given replaces the records."""
    other = tmp_path / "other"
    assert clawgit("init", str(other)).code == 0
    made = clawgit("-w", str(other), "backup", str(place))
    messages(room, "of here")

    refused = clawgit("-w", str(room.root), "backup", "--restore", str(place))
    kept = said(room.history.state / "messages.db")
    forced = clawgit("-w", str(room.root), "backup", "--restore", "--force", str(place))

    assert (made.code, refused.code, forced.code) == (0, 1, 0)
    assert "this one has none of its commits" in refused.err
    assert kept == ["of here"]


def test_a_file_that_is_no_backup_is_left_alone_without_force(clawgit, place) -> None:
    place.write_text("a letter")

    done = clawgit("backup", str(place))

    assert done.code == 1
    assert "--force" in done.err
    assert place.read_text() == "a letter"
    assert clawgit("backup", "--force", str(place)).code == 0
    assert clawgit("backup", str(place)).code == 0


def test_the_backup_of_another_workspace_is_left_alone_without_force(clawgit, room, place, tmp_path) -> None:
    clawgit("backup", str(place))
    before = place.read_bytes()
    run(["init", str(tmp_path / "other")], {})

    done = clawgit("-w", str(tmp_path / "other"), "backup", str(place))

    assert done.code == 1
    assert f"another workspace ({room.root})" in done.err
    assert place.read_bytes() == before


@pytest.mark.parametrize("where", ["memory/agent.backup", ".git/agent.backup"])
def test_a_place_inside_the_workspace_is_refused(clawgit, room, where) -> None:
    (room.root / "memory").mkdir(exist_ok=True)

    done = clawgit("backup", str(room.root / where))

    assert done.code == 1
    assert "is in the workspace" in done.err
    assert not (room.root / where).exists()


@pytest.mark.parametrize("where", ["missing/agent.backup", "file/agent.backup", "folder", "link", "x" * 300])
def test_a_place_that_cannot_be_written_is_a_sentence(clawgit, place, where) -> None:
    (place.parent / "file").touch()
    (place.parent / "folder").mkdir()
    (place.parent / "link").symlink_to(place)
    before = sorted(place.parent.iterdir())

    done = clawgit("backup", "--force", str(place.parent / where))

    assert done.code == 1, done.err
    assert sorted(place.parent.iterdir()) == before


def test_a_damaged_store_is_not_backed_up_and_the_earlier_backup_stays(clawgit, room, place) -> None:
    messages(room, *(f"{number} " * 900 for number in range(99)))
    clawgit("backup", str(place))
    before = place.read_bytes()
    with (room.history.state / "messages.db").open("r+b") as file:
        file.seek(5 * 4096)
        file.write(b"\xff" * 3 * 4096)

    done = clawgit("backup", str(place))

    assert done.code == 1
    assert "messages.db in .git/clawgit is damaged" in done.err
    assert place.read_bytes() == before
    assert half_made(place.parent) == []
    assert not (room.history.state / "backup" / "work").exists()


def on_a_small_disk(folder: Path, room, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a command with 200 KiB mounted at ``folder``, then list what is in it."""
    script = 'mount -t tmpfs -o size=200k none "$0" && { "$@"; echo "code $?"; find "$0" -type f | sort; }'
    command = [sys.executable, "-m", "clawgit", "-w", room.root, *words]
    for options in (["-r", "-m"], ["-m"]):
        entered = ["unshare", *options, "sh", "-c", script, folder, *command]
        done = subprocess.run(entered, capture_output=True, check=False, text=True)
        if "code " in done.stdout:
            return done
    pytest.skip(f"a small disk may not be mounted here: {done.stderr.strip()}")


@pytest.mark.rest
def test_a_full_disk_leaves_no_part_of_a_backup(clawgit, room, place, long_words) -> None:
    messages(room, *long_words)
    work = room.history.state / "backup"
    work.mkdir()

    there = on_a_small_disk(place.parent, room, "backup", place)
    here = on_a_small_disk(work, room, "backup", place)

    assert there.stdout == "code 1\n"
    assert "No space left" in there.stderr
    assert here.stdout == f"code 1\n{work}/lock\n{work}/queue\n"
    assert "The disk is full" in here.stderr
    assert list(place.parent.iterdir()) == []


@pytest.mark.rest
def test_a_full_disk_leaves_the_records_as_they_were(clawgit, room, place, long_words) -> None:
    messages(room, *long_words)
    clawgit("backup", str(place))
    before = state(room)

    done = on_a_small_disk(room.history.state / "backup", room, "backup", "--restore", place)

    assert done.stdout.startswith("code 1\n")
    assert "the disk has" in done.stderr
    assert state(room) == before


# --- what status and keep do with it


def test_a_new_workspace_says_nothing_about_backups(clawgit, room) -> None:
    clawgit("status")

    assert "backup" not in clawgit("status").out
    assert clawgit("status", "--json").data["backup"] is None


def test_after_a_week_status_says_that_there_is_no_backup(clawgit, room) -> None:
    clawgit("status")

    assert "no backup of the records yet" in clawgit("--now", "2026-03-27", "status").out


def test_status_says_when_the_last_backup_was_made(clawgit, room, place) -> None:
    (room.root / "BOOTSTRAP.md").unlink()
    clawgit("keep", "--as", "operator")
    clawgit("backup", str(place))

    out = clawgit("--now", "2026-03-22T10:22:00Z", "status").out

    assert f"last backup of the records: 2026-03-19 10:22 ({place})" in out
    assert "Everything is committed, and nothing is pending." in out
    assert clawgit("status", "--json").data["backup"] == {
        "made_at": "2026-03-19T10:22:00+00:00",
        "age_seconds": 0,
        "path": str(place),
    }


def test_status_and_keep_note_the_tip_when_it_is_another_one(clawgit, room) -> None:
    first = room.head()
    clawgit("status")
    clawgit("status")
    room.write("memory/a.md", "x\n")
    clawgit("keep")

    assert tips(room) == [first, room.head()]


def test_damaged_records_stop_neither_status_nor_keep(clawgit, room) -> None:
    (room.history.state / "records.db").write_bytes(b"words")
    room.write("memory/a.md", "x\n")

    kept = clawgit("keep")
    seen = clawgit("status")

    assert (kept.code, kept.out) == (0, room.head()[:12] + "\n")
    assert "records.db in .git/clawgit is damaged" in kept.err
    assert "without a backup, move it and its `-wal` away" in kept.err
    assert seen.code == 0
    assert "! records.db in .git/clawgit is damaged" in seen.out
    assert "is damaged" in clawgit("status", "--json").data["records_problem"]
