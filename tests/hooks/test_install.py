"""Hooks that were there go on running and come back byte for byte, whatever happened meanwhile.

Mutants seen to fail here: the second install keeps clawgit's own script as the foreign one; a kept hook is
overwritten by the next; mode bits are not kept; core.hooksPath is not looked at; a script that somebody changed is removed.
"""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from clawgit.errors import ClawgitError
from clawgit.history.git.repository import open_history
from clawgit.history.hooks.install import (
    HOOK_NAMES,
    HooksPathError,
    install_hooks,
    is_runnable,
    read_hooks_state,
    shim_text,
    uninstall_hooks,
)

ODD = b"#!/bin/sh\n# \xff\xfe caf\xc3\xa9\r\nexit 0"


def hook(room, name: str, text: bytes = ODD, mode: int = 0o751) -> Path:
    path = room.root / ".git/hooks" / name
    path.write_bytes(text)
    path.chmod(mode)
    return path


def standing(folder: Path) -> dict[str, tuple[int, object]]:
    """Return every file of a folder with its mode and what it holds."""
    return {
        path.name: (
            stat.S_IMODE(path.lstat().st_mode),
            path.readlink() if path.is_symlink() else path.read_bytes(),
        )
        for path in folder.iterdir()
    }


@pytest.fixture
def install(room):
    return lambda **options: install_hooks(room.history, sys.executable, **options)


def test_every_hook_is_the_same_static_script(room, install) -> None:
    done = install()

    assert [path.name for path in done.done] == list(HOOK_NAMES)
    assert {path.read_bytes() for path in done.done} == {shim_text()}
    assert len(shim_text().splitlines()) <= 20
    assert {stat.S_IMODE(path.stat().st_mode) for path in done.done} == {0o755}


def test_install_and_uninstall_leave_the_folder_as_it_was(room, install) -> None:
    hook(room, "pre-commit")
    hook(room, "pre-push", mode=0o644)  # git does not run it, and neither does clawgit
    (room.root / ".git/hooks/commit-msg").symlink_to("../../some script")
    hook(room, "update")
    before = standing(room.root / ".git/hooks")

    install()
    assert standing(room.root / ".git/hooks") != before
    assert not install().done
    uninstall_hooks(room.history)

    assert standing(room.root / ".git/hooks") == before


def test_of_a_hook_that_was_there_it_is_said_that_clawgits_commits_do_not_run_it(room, install) -> None:
    """Seen: a team's lint that none of clawgit's commits passed. Mutants: said of every hook; said again each time."""
    hook(room, "pre-commit")
    hook(room, "pre-push")

    done = install()

    assert done.notes == (
        "Commits that clawgit makes never run your pre-commit; your own `git commit` does.",
    )
    assert install().notes == ()


def test_a_folder_of_hooks_that_is_missing_is_made(room, install) -> None:
    shutil.rmtree(room.root / ".git/hooks")

    assert len(install().done) == len(HOOK_NAMES)


def test_a_hook_that_changed_meanwhile_comes_back_as_it_is_now(room, install) -> None:
    path = hook(room, "pre-commit")
    install()
    path.with_name("pre-commit.before-clawgit").write_bytes(b"#!/bin/sh\nexit 3\n")

    uninstall_hooks(room.history)

    assert path.read_bytes() == b"#!/bin/sh\nexit 3\n"


def test_a_hook_that_took_clawgits_place_is_not_touched_by_uninstall(room, install) -> None:
    path = hook(room, "pre-commit")
    install()
    hook(room, "pre-commit", b"#!/bin/sh\n# a newer one\n", 0o700)

    done = uninstall_hooks(room.history)

    assert path.read_bytes() == b"#!/bin/sh\n# a newer one\n"
    assert path.with_name("pre-commit.before-clawgit").read_bytes() == ODD
    assert any("now belongs to another program" in note for note in done.notes)


def test_of_two_other_hooks_the_later_runs_and_both_are_kept(room, install) -> None:
    path = hook(room, "pre-commit")
    install()
    hook(room, "pre-commit", b"#!/bin/sh\n# a newer one\n", 0o700)

    done = install()

    assert path.read_bytes() == shim_text()
    assert path.with_name("pre-commit.before-clawgit").read_bytes() == b"#!/bin/sh\n# a newer one\n"
    assert path.with_name("pre-commit.before-clawgit.1").read_bytes() == ODD
    assert any("two other pre-commit hooks" in note for note in done.notes)


def test_the_same_hook_put_there_again_is_kept_once(room, install) -> None:
    path = hook(room, "pre-commit")
    install()
    hook(room, "pre-commit")

    assert install().notes == ()
    assert sorted(p.name for p in path.parent.glob("pre-commit.*clawgit*")) == ["pre-commit.before-clawgit"]


@pytest.mark.parametrize("act", ["install", "uninstall"])
def test_a_script_of_clawgits_that_somebody_changed_is_kept_aside(room, install, act) -> None:
    install()
    changed = shim_text() + b"echo mine\n"
    path = hook(room, "post-commit", changed)

    done = install() if act == "install" else uninstall_hooks(room.history)

    assert path.with_name("post-commit.altered-clawgit").read_bytes() == changed
    assert path.exists() == (act == "install")
    assert any("had been changed" in note for note in done.notes)


def test_uninstall_without_install_does_nothing(room) -> None:
    before = standing(room.root / ".git/hooks")

    assert uninstall_hooks(room.history).done == ()
    assert standing(room.root / ".git/hooks") == before


def test_hooks_are_taken_away_from_another_working_tree(room, install, tmp_path) -> None:
    path = hook(room, "pre-commit")
    install()
    room.git("worktree", "add", "-q", str(tmp_path / "linked"))

    uninstall_hooks(open_history(tmp_path / "linked"))

    assert path.read_bytes() == ODD
    assert not read_hooks_state(room.history).installed


# --- core.hooksPath ---


@pytest.mark.parametrize("named", [".githooks", "./sub/hooks/", "{root}/.husky/_"])
def test_a_folder_of_hooks_in_the_working_tree_is_used_and_said(room, named) -> None:
    room.git("config", "core.hooksPath", named.format(root=room.root))
    history = open_history(room.root)

    done = install_hooks(history, sys.executable)

    assert done.done[0].parent == Path(room.git("rev-parse", "--path-format=absolute", "--git-path", "hooks"))
    assert "inside the workspace" in done.notes[0]
    assert read_hooks_state(history).problems == ()


def test_a_folder_of_hooks_for_all_repositories_is_left_alone(room, own_home) -> None:
    ours = own_home / "hooks"
    ours.mkdir()
    (ours / "pre-commit").write_bytes(ODD)
    room.git("config", "--global", "core.hooksPath", "~/hooks")
    history = open_history(room.root)

    with pytest.raises(HooksPathError, match="other repositories too"):
        install_hooks(history, sys.executable)
    uninstall_hooks(history)
    assert standing(ours) == {"pre-commit": (0o644, ODD)}


@pytest.mark.parametrize("named", ["/dev/null", "", "%(prefix)/hooks"])
def test_where_no_hooks_can_be_put_it_says_so(room, named, install) -> None:
    install()
    room.git("config", "core.hooksPath", named)
    history = open_history(room.root)

    with pytest.raises(HooksPathError, match="hooksPath"):
        install_hooks(history, sys.executable)
    assert "core.hooksPath" in read_hooks_state(history).problems[0]
    assert len(uninstall_hooks(history).done) == len(HOOK_NAMES)


def test_hooks_that_git_no_longer_looks_at_are_missed(room, install) -> None:
    install()
    room.git("config", "core.hooksPath", ".githooks")

    assert "is missing" in read_hooks_state(open_history(room.root)).problems[0]


# --- how they stand ---


def test_a_python_without_clawgit_is_noticed(room, tmp_path) -> None:
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    install_hooks(room.history, str(bare / "bin/python"))

    assert not is_runnable(room.history)


def test_no_install_where_the_folder_cannot_be_written(room, install) -> None:
    shutil.rmtree(room.root / ".git/hooks")
    (room.root / ".git/hooks").write_text("a file\n")

    with pytest.raises((ClawgitError, OSError)):
        install()
