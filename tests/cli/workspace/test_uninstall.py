"""`clawgit uninstall`: its own things go, the files and commits stay, and a backup brings all back."""

from __future__ import annotations

import os
import subprocess

import pytest

from clawgit.client import LOCK
from clawgit.history.git.lock import taken
from clawgit.history.git.repository import open_history


def everything(root) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }


def git(root, *words: str) -> str:
    return subprocess.run(["git", "-C", root, *words], capture_output=True, check=True, text=True).stdout


@pytest.fixture
def lived(clawgit, room):
    """A workspace with messages, a name, hooks and a reference of clawgit's."""
    clawgit("memory", "add", "The deploy port is 8443.", "--tag", "knowledge")
    clawgit("chat", "add", "Good morning.")
    clawgit("hooks", "install")
    clawgit("workspaces", "add", "lived", str(room.root))
    git(room.root, "update-ref", "refs/clawgit/rescue/one", "HEAD")
    return room


def test_dry_run_names_what_would_go_and_deletes_nothing(clawgit, lived) -> None:
    said = clawgit("uninstall", "--dry-run", "--json").data

    assert said["references"] == ["refs/clawgit/rescue/one"]
    assert said["hooks"] is True
    assert said["name"] == "lived"
    assert said["bytes"] > 0
    assert said["deleted"] is False
    assert git(lived.root, "for-each-ref", "refs/clawgit")


def test_while_the_service_runs_nothing_is_deleted_and_a_dry_run_says_so(clawgit, lived, own_home) -> None:
    lock = own_home / ".local/state/clawgit" / LOCK
    lock.parent.mkdir(parents=True)
    handle = os.open(lock, os.O_RDWR | os.O_CREAT)
    assert taken(handle)

    def uninstall(*words: str) -> int:
        return clawgit("uninstall", *words, environment={"HOME": str(own_home)}).code

    codes = [uninstall("--dry-run"), uninstall("--no-backup", "--yes")]
    os.close(handle)

    assert codes == [1, 1]
    assert uninstall("--dry-run") == 0


@pytest.mark.rest
def test_it_leaves_files_and_commits_and_a_backup_brings_the_rest_back(clawgit, lived, tmp_path) -> None:
    files, head = everything(lived.root), git(lived.root, "rev-parse", "HEAD")
    messages = clawgit("chat", "log", "--json").data

    done = clawgit("uninstall", "--backup", str(tmp_path / "all.backup"), "--yes")

    assert done.code == 0, done.err
    assert everything(lived.root) == files
    assert git(lived.root, "rev-parse", "HEAD") == head
    assert git(lived.root, "for-each-ref", "refs/clawgit") == ""
    assert not (lived.root / ".git/clawgit").exists()
    assert not [path for path in (lived.root / ".git/hooks").iterdir() if path.suffix != ".sample"]
    assert clawgit("workspaces", "list", "--json").data == []

    assert clawgit("init", str(lived.root)).code == 0
    assert clawgit("backup", "--restore", str(tmp_path / "all.backup")).code == 0
    assert clawgit("chat", "log", "--json").data == messages
    assert git(lived.root, "for-each-ref", "refs/clawgit/rescue")


@pytest.mark.parametrize("words", [(), ("--backup", "x", "--no-backup"), ("--yes",)])
def test_what_happens_to_messages_has_to_be_said(clawgit, lived, words) -> None:
    refused = clawgit("uninstall", *words)

    assert refused.code == 2
    assert "--backup FILE" in refused.err
    assert open_history(lived.root).state.is_dir()


def test_without_a_yes_nothing_is_deleted(clawgit, lived) -> None:
    assert clawgit("uninstall", "--no-backup").code == 1
    assert open_history(lived.root).state.is_dir()


def test_a_host_does_not_remove_it(clawgit, lived) -> None:
    assert clawgit("uninstall", "--no-backup", "--yes", environment={"CLAUDECODE": "1"}).code == 1
    assert open_history(lived.root).state.is_dir()


def test_coming_back_finds_nothing_wrong_with_what_the_host_corrected_on_his_words(
    clawgit, room, tmp_path
) -> None:
    """Seen: `A message carries a host's change of memory, not of the commit message`, in every clone."""
    (room.root / "BOOTSTRAP.md").unlink()
    clawgit("remember", "The gateway is Envoy 1.29.")
    message = clawgit("chat", "add", "so our gateway moved up to 1.30 on friday", "--json").data["id"]
    corrected = clawgit(
        "correct",
        "The gateway is Envoy 1.29.",
        "The gateway is Envoy 1.30.",
        "--evidence",
        message,
        environment={"CLAWGIT_ACTOR": "host"},
    )
    assert corrected.code == 0, corrected.err
    clawgit("uninstall", "--no-backup", "--yes")

    clawgit("init", str(room.root))

    assert clawgit("status", "--json").data["arrived"] == []
    assert clawgit("doctor").code == 0
