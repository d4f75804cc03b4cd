from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from clawgit.history.hooks.install import shim_text

if TYPE_CHECKING:
    from pathlib import Path


def _remove(folder: Path) -> None:
    (folder / "pre-commit").unlink()


def _change(folder: Path) -> None:
    (folder / "pre-commit").write_bytes(shim_text() + b"\n")


def _close(folder: Path) -> None:
    (folder / "pre-commit").chmod(0o644)


def _replace(folder: Path) -> None:
    (folder / "pre-commit").write_bytes(b"#!/bin/sh\n")


def _lose_python(folder: Path) -> None:
    (folder.parent / "clawgit/interpreter").write_text("/nowhere/bin/python")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("act", "said"),
    [
        pytest.param(_remove, "pre-commit in .* is missing", id="missing"),
        pytest.param(_change, "pre-commit in .* was changed", id="changed"),
        pytest.param(_close, "pre-commit in .* is not executable", id="not executable"),
        pytest.param(_replace, "pre-commit in .* was replaced", id="replaced"),
        pytest.param(_lose_python, "Python .* is gone", id="interpreter gone"),
    ],
)
def test_what_is_wrong_with_the_hooks_is_said_and_mended(room, clawgit, act, said) -> None:
    assert clawgit("hooks", "status").out.startswith("No hooks are installed")
    clawgit("hooks", "install")
    assert clawgit("hooks", "status").code == 0
    act(room.root / ".git/hooks")

    found = clawgit("hooks", "status", "--json")

    assert found.code == 1
    assert len(found.data["problems"]) == 1
    assert re.search(said, found.data["problems"][0])
    assert clawgit("hooks", "install").code == 0
    assert clawgit("hooks", "status").code == 0


def test_who_has_no_name_in_git_is_told_whose_words_others_will_see(room, clawgit) -> None:
    """Seen: in a colleague's clone the words of one without a name were the colleague's own, "you"."""
    line = '"you" to all. `git config --global user.name'
    assert line in clawgit("hooks", "install").err
    room.git("config", "user.name", "Ada")
    assert line not in clawgit("hooks", "install").err


def test_a_host_installs_and_removes_nothing(clawgit) -> None:
    for words in (["install"], ["uninstall"]):
        assert clawgit("hooks", *words, actor="host").code == 1


def test_a_python_that_a_copied_folder_names_is_never_started(clawgit, room, tmp_path) -> None:
    clawgit("hooks", "install")
    trap = tmp_path / "python"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/canary\n")
    trap.chmod(0o755)
    (room.root / ".git/clawgit/interpreter").write_text(str(trap))

    for words in (["hooks", "status"], ["status"], ["doctor"], ["doctor", "--fix"]):
        clawgit(*words)

    assert not (tmp_path / "canary").exists()


def test_run_says_nothing_about_what_is_fine(clawgit, room, monkeypatch) -> None:
    """Also by way of click, for whoever gives options before the command."""
    monkeypatch.chdir(room.root)

    assert (clawgit("hooks", "run", "pre-commit").code, clawgit("hooks", "run", "post-commit").code) == (0, 0)
    assert (room.root / ".git/clawgit/signal").exists()


def test_run_refuses_as_the_hook_does(clawgit, room, monkeypatch) -> None:
    monkeypatch.chdir(room.root)
    room.write("notes.md", "<<<<<<< a\n=======\n>>>>>>> b\n")
    room.git("add", "notes.md")

    said = clawgit("hooks", "run", "pre-commit")

    assert (said.code, "notes.md:1: " in said.err) == (1, True)
