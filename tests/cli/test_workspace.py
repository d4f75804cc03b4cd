from __future__ import annotations

import os
import subprocess
import sys

import pytest

from clawgit.cli.main import run


def test_init_makes_a_workspace_and_says_what_to_do_next(tmp_path, capfd) -> None:
    assert run(["init", str(tmp_path / "x")], {}) == 0

    out, err = capfd.readouterr()
    assert "is a clawgit workspace now" in out
    assert "BOOTSTRAP.md" in out
    assert "git knows no user.name" in err


def test_init_dry_run_changes_nothing(tmp_path, capfd) -> None:
    assert run(["init", str(tmp_path / "x"), "--dry-run"], {}) == 0

    assert "Nothing was changed." in capfd.readouterr().out
    assert not (tmp_path / "x").exists()


def test_status_is_silent_when_nothing_waits(clawgit, room) -> None:
    (room.root / "BOOTSTRAP.md").unlink()
    room.keep("operator")

    assert "Nothing waits" in clawgit("status").out


def test_status_names_what_is_not_committed_and_what_waits(clawgit, room) -> None:
    room.write("memory/a.md", "x\n")
    room.write("memory/big.md", "x" * (1024 * 1024 + 1))
    room.write("SOUL.md", "I am somebody else.\n")
    clawgit("keep")
    room.write("memory/b.md", "x\n")

    said = clawgit("status")
    data = clawgit("status", "--json").data

    assert "not committed: memory/b.md" in said.out
    assert "memory/big.md has 1,048,577 bytes" in said.out
    assert data["uncommitted"] == ["SOUL.md", "memory/b.md"]
    assert [item["paths"] for item in data["proposals"]] == [["SOUL.md"]]


def test_status_in_the_middle_of_a_merge_says_so(clawgit, room) -> None:
    room.git("checkout", "-qb", "other")
    room.write("USER.md", "theirs\n")
    room.git("commit", "-qam", "theirs")
    room.git("checkout", "-q", "main")
    room.write("USER.md", "ours\n")
    room.git("commit", "-qam", "ours")
    room.git("merge", "-q", "other", check=False)

    assert "A merge is not finished" in clawgit("status").out
    assert clawgit("memory", "add", "x").code == 1


def test_keep_commits_and_prints_the_commits(clawgit, room) -> None:
    room.write("memory/a.md", "x\n")

    said = clawgit("keep", "--reason", "A walk in the park.")

    assert said.out == room.head() + "\n"
    assert "> A walk in the park." in room.git("log", "-1", "--format=%B")
    assert room.actors()[0] == "unknown"


def test_keep_as_the_operator_carries_their_git_name(clawgit, room) -> None:
    room.git("config", "user.name", "Ada Lovelace")
    room.write("memory/a.md", "x\n")

    clawgit("keep", "--as", "operator")

    assert room.git("log", "-1", "--format=%an") == "Ada Lovelace"


def test_a_host_cannot_keep_as_the_operator(clawgit, room) -> None:
    room.write("memory/a.md", "x\n")

    assert clawgit("keep", "--as", "operator", actor="host").code == 1
    assert clawgit("keep", "--as", "operator", "HEAD", actor="memory-miner").code == 1


def test_an_unknown_actor_is_a_configuration_error(clawgit) -> None:
    assert clawgit("memory", "add", "x", actor="somebody").code == 4


def test_pause_and_resume(clawgit) -> None:
    clawgit("pause", "a review")

    assert "a review" in clawgit("status").out
    assert clawgit("memory", "add", "x", actor="memory-miner", environment={}).code == 1
    clawgit("resume")
    assert clawgit("memory", "add", "x", actor="memory-miner").code == 0


def test_only_the_operator_makes_a_workspace_pauses_and_resumes(clawgit, tmp_path) -> None:
    for words in (["init", str(tmp_path / "x")], ["pause"], ["resume"]):
        said = clawgit(*words, actor="host")
        assert said.code == 1
        assert "only the operator" in said.err
    assert not (tmp_path / "x").exists()


def test_status_does_not_list_thousands_of_files(clawgit, room) -> None:
    for number in range(30):
        room.write(f"memory/{number}.md", "x\n")

    assert "and 10 more files" in clawgit("status").out


def test_doctor_finds_nothing_in_a_good_workspace(clawgit) -> None:
    said = clawgit("doctor")

    assert (said.code, said.out) == (0, "Everything is in order.\n")


def test_doctor_names_a_damaged_object_and_does_not_hang(clawgit, room) -> None:
    made = room.change({"memory/a.md": "x\n"}).commit_id
    path = room.root / ".git/objects" / made[:2] / made[2:]
    data = path.read_bytes()
    path.chmod(0o600)
    path.write_bytes(data[: len(data) // 2])

    said = clawgit("doctor")

    assert said.code == 1
    assert made in said.out
    refused = clawgit("memory", "add", "x")
    assert refused.code == 1
    assert made in refused.err


def test_doctor_fix_removes_an_old_foreign_lock(clawgit, room) -> None:
    lock = room.root / ".git/index.lock"
    lock.touch()
    os.utime(lock, (1, 1))

    assert "index.lock has been there" in clawgit("doctor").out
    assert clawgit("doctor", "--fix").code == 0
    assert not lock.exists()


def test_doctor_fix_closes_the_folder_of_records(clawgit, room) -> None:
    (room.root / ".git/clawgit").chmod(0o755)

    assert clawgit("doctor", "--fix").code == 0
    assert (room.root / ".git/clawgit").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("words", [["status"], ["keep"], ["memory", "add", "x"], ["config", "show"]])
def test_outside_of_a_workspace_the_message_names_the_way_in(tmp_path, monkeypatch, capfd, words) -> None:
    monkeypatch.chdir(tmp_path)

    assert run(words, {}) == 1
    assert "clawgit init" in capfd.readouterr().err


def test_the_workspace_is_found_upwards(room, monkeypatch, capfd) -> None:
    monkeypatch.chdir(room.root / "memory")

    assert run(["status", "--json"], {}) == 0
    assert str(room.root) in capfd.readouterr().out


def test_now_dates_the_commit(clawgit, room) -> None:
    clawgit("memory", "add", "Later.", "--now", "2027-01-02T03:04:05+00:00")

    assert room.git("log", "-1", "--format=%aI") == "2027-01-02T03:04:05+00:00"
    assert "2027-01-02: Later." in room.read("MEMORY.md")


def test_a_wrong_time_is_a_usage_error(clawgit) -> None:
    assert clawgit("memory", "add", "x", "--now", "tomorrow").code == 2


def test_a_closed_pipe_is_no_bug(room) -> None:
    done = subprocess.run(
        f"{sys.executable} -m clawgit -w {room.root} config show | head -1; echo ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        check=True,
        text=True,
    )

    assert done.stdout.splitlines()[-1] in ("0", "141")
    assert "Traceback" not in done.stderr


def test_a_close_command_is_suggested(clawgit) -> None:
    said = clawgit("memroy", "add", "x")

    assert said.code == 2
    assert "memory" in said.err


def test_up_makes_the_workspace_and_does_one_round(tmp_path, capfd) -> None:
    assert run(["-w", str(tmp_path / "w"), "up"], {}) == 0
    (tmp_path / "w/memory/a.md").write_text("x\n")
    capfd.readouterr()

    assert run(["-w", str(tmp_path / "w"), "up"], {}) == 0

    out, err = capfd.readouterr()
    assert "memory/a.md" in err
    assert "What to do next" in out
