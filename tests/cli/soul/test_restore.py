"""Bringing an earlier soul back: byte for byte, told in the changelog, and nothing in between is lost."""

from __future__ import annotations

from datetime import timedelta

import pytest


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Be kind.\n", id="plain"),
        pytest.param("Be kind.\r\n\r\n- caf\u00e9\r\n", id="carriage returns"),
        pytest.param("\ufeff# SOUL\n\n\n- no line end at the end", id="BOM, gaps, no last line end"),
        pytest.param("", id="empty"),
    ],
)
def test_sk6_rollback(clawgit, room, text: str) -> None:
    """SK6 of recall_and_soul. Mutant: put back with a line end at its end, the bytes differ."""
    room.write("SOUL.md", text)
    clawgit("soul", "snapshot", "-m", "as I like it")
    room.now += timedelta(hours=1)
    made = room.append("SOUL.md", "- Be harsh.", actor="soul-keeper").commit_id
    harsh = room.read("SOUL.md")

    said = clawgit("soul", "restore", "as I like it", "--reason", "Too harsh.", "--json")

    assert (room.root / "SOUL.md").read_bytes() == text.encode()
    changelog = room.read("CHANGELOG.md")
    assert "soul: restore SOUL.md as of" in changelog
    assert "why: Too harsh." in changelog
    assert room.git("rev-list", "--count", f"{made}..{said.data['commit']}") == "1"
    assert clawgit("soul", "show", made).out == harsh
    assert clawgit("soul", "restore", made, "--reason", "Back again.").code == 0
    assert room.read("SOUL.md") == harsh


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "name",
    [
        "2026-03-12",
        "2026-03-12T10:00",
        "main",
        "side",
        "v1",
        "HEAD1",
        "ab12",
        "@",
        "-",
        "a..b",
        ":/soul",
        "^x",
    ],
)
def test_a_snapshot_is_reached_by_its_name_whatever_that_looks_like(clawgit, room, name: str) -> None:
    """Mutant: with the day or git's own reading first, another text is shown."""
    room.git("branch", "side")
    room.write("SOUL.md", "Be kind.\n")
    clawgit("soul", "snapshot", f"--message={name}")
    room.change({"SOUL.md": "Be blunt.\n"})

    assert clawgit("soul", "show", "--", name).out == "Be kind.\n"
    assert clawgit("soul", "restore", "--reason", "x", "--", name).code == 0
    assert room.read("SOUL.md") == "Be kind.\n"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "other"),
    [
        pytest.param("2026-03-19", "2026-03-19T23:59:59", id="a day"),
        pytest.param("main", "refs/heads/main", id="a branch"),
    ],
)
def test_the_other_meaning_of_a_snapshots_name_can_be_reached(clawgit, room, name: str, other: str) -> None:
    room.write("SOUL.md", "Be kind.\n")
    clawgit("soul", "snapshot", "-m", name)
    room.change({"SOUL.md": "Be blunt.\n"})

    assert clawgit("soul", "show", name).out == "Be kind.\n"
    assert clawgit("soul", "show", other).out == "Be blunt.\n"


@pytest.mark.rest
def test_a_snapshot_of_a_merged_branch_and_of_a_dropped_one_are_reached_by_name(clawgit, room) -> None:
    """Mutants: along first parents only, or on the branch only, one of them is not found."""
    room.git("checkout", "-qb", "side")
    room.write("SOUL.md", "Be merged.\n")
    clawgit("soul", "snapshot", "-m", "merged")
    room.git("checkout", "-q", "main")
    room.append("notes.md", "x")
    room.git("merge", "-q", "--no-edit", "side")
    room.write("SOUL.md", "Be dropped.\n")
    clawgit("soul", "snapshot", "-m", "dropped")
    room.git("reset", "-q", "--hard", "HEAD~1")
    room.append("notes.md", "y")

    assert clawgit("soul", "show", "merged").out == "Be merged.\n"
    assert clawgit("soul", "show", "dropped").out == "Be dropped.\n"


def test_of_two_snapshots_of_one_name_the_newer_counts(clawgit, room) -> None:
    for text in ("one\n", "two\n"):
        room.write("SOUL.md", text)
        clawgit("soul", "snapshot", "-m", "again")

    assert clawgit("soul", "show", "again").out == "two\n"


def test_only_the_operator_names_a_state(clawgit, room) -> None:
    """Mutant: without the look at the actor, whoever commits can redirect a `restore main`."""
    room.write("SOUL.md", "Be evil.\n")
    message = "x\n\nClawgit-Snapshot: main\nClawgit-Actor: host\nClawgit-Trust: host"
    room.git("commit", "-qam", message, "--author", "host <host@clawgit.invalid>")
    room.change({"SOUL.md": "Be kind.\n"})

    assert clawgit("soul", "show", "main").out == "Be kind.\n"


@pytest.mark.parametrize("name", ["HEAD", "HEAD~1", "a" * 40])
def test_a_name_that_commands_need_is_refused(clawgit, room, name: str) -> None:
    head = room.head()

    said = clawgit("soul", "snapshot", "-m", name)

    assert said.code == 1
    assert "Choose another name." in said.err
    assert room.head() == head


@pytest.mark.rest
def test_a_mode_comes_back_and_a_link_is_refused(clawgit, room) -> None:
    """Mutants: the file keeps its mode of now; a link of then counts as no file."""
    room.write("SOUL.md", "Be kind.\n")
    (room.root / "SOUL.md").chmod(0o755)
    clawgit("keep", "--as", "operator")
    runs = room.head()
    (room.root / "SOUL.md").chmod(0o644)
    clawgit("keep", "--as", "operator")
    (room.root / "SOUL.md").unlink()
    (room.root / "SOUL.md").symlink_to("USER.md")
    room.git("commit", "-qam", "a link")
    link = room.head()
    room.git("rm", "-q", "SOUL.md")
    room.git("commit", "-qm", "none")

    assert "was a symbolic link in" in clawgit("soul", "restore", link, "--reason", "x").err
    assert "There was no SOUL.md in" in clawgit("soul", "restore", "HEAD", "--reason", "x").err
    assert clawgit("soul", "restore", runs, "--reason", "x").code == 0
    assert room.git("ls-files", "-s", "SOUL.md").startswith("100755")
    assert (room.root / "SOUL.md").stat().st_mode & 0o100


def test_other_files_come_back_as_they_were_too(clawgit, room) -> None:
    """Mutant: stamped like new lines, the old ones get ids that they never had."""
    room.write("memory/topic.md", "- an old line without an id\n")
    clawgit("keep", "--as", "operator")
    room.change({"memory/topic.md": "- new\n"})

    clawgit("soul", "restore", "HEAD~1", "--reason", "x", "--file", "memory/topic.md")

    assert room.read("memory/topic.md") == "- an old line without an id\n"


def test_a_restore_over_a_link_is_refused(clawgit, room) -> None:
    (room.root / "SOUL.md").unlink()
    (room.root / "SOUL.md").symlink_to("USER.md")
    room.git("commit", "-qam", "a link")

    said = clawgit("soul", "restore", "HEAD~1", "--reason", "x")

    assert said.code == 1
    assert "SOUL.md is a link" in said.err
    assert (room.root / "SOUL.md").is_symlink()


def test_a_day_is_no_change_to_take_back(clawgit, room) -> None:
    said = clawgit("soul", "revert", "2026-03-19", "--reason", "x")

    assert said.code == 2
    assert "is a time, not a change" in said.err
