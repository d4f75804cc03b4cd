"""A process that looks often rests on its last look, and still sees every change at once."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from clawgit.recall.index.index_update import FolderEvents, files_now
from clawgit.recall.index.searched_files import searched_files

if TYPE_CHECKING:
    from pathlib import Path

EXTRA = ("notes/deep",)
DAY = "memory/2026/19.md"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder whose files are known, and were not looked at again."""
    root = tmp_path / "workspace"
    for name in ("MEMORY.md", DAY, "memory/plain.md", "notes/deep/one.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("text\n")
    try:
        FolderEvents([f"{root}"]).close()
    except OSError:
        pytest.skip("nobody tells of changes here")
    looks = [files_now(root, EXTRA) for _ in range(3)]
    assert looks[2] is looks[1]
    return root


def append(root: Path) -> None:
    with (root / DAY).open("a") as file:
        file.write("more\n")


def replace(root: Path) -> None:
    (root / "memory/.19.md.swp").write_text("else\n")
    (root / "memory/.19.md.swp").rename(root / DAY)


def replace_workspace(root: Path) -> None:
    shutil.copytree(root, root.with_name("copy"))
    root.parent.rename(root.parent.with_name("gone"))
    root.parent.with_name("gone").joinpath("copy").rename(root.parent)
    shutil.copytree(root.parent, root)


CHANGES = {
    "a line more": append,
    "replaced": replace,
    "a new note": lambda root: (root / "memory/new.md").write_text("new\n"),
    "a note gone": lambda root: (root / DAY).unlink(),
    "a note elsewhere": lambda root: (root / DAY).rename(root / "memory/19.md"),
    "a first file": lambda root: (root / "CORRECTIONS.md").write_text("new\n"),
    "a folder moved in": lambda root: (root / "notes").rename(root / "memory/notes"),
    "a folder moved away": lambda root: (root / "memory/2026").rename(root / "2026"),
    "a folder is a link": lambda root: (
        (root / "notes").rename(root / "n"),
        (root / "notes").symlink_to("n"),
    ),
    "a repository": lambda root: (root / "memory/2026/.git").mkdir(),
    "other permissions": lambda root: (root / DAY).chmod(0o600),
    "another workspace": replace_workspace,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_is_seen_at_once(change, root: Path) -> None:
    known = files_now(root, EXTRA)

    change(root)

    now = files_now(root, EXTRA)
    assert now is not known
    assert now.found == searched_files(root, EXTRA)


def test_what_changes_in_a_new_folder_is_seen(root: Path) -> None:
    (root / "memory/new").mkdir()
    files_now(root, EXTRA)
    (root / "memory/new/note.md").write_text("one\n")
    for _ in range(3):
        files_now(root, EXTRA)

    (root / "memory/new/note.md").write_text("two words\n")

    assert files_now(root, EXTRA).found == searched_files(root, EXTRA)


def test_hidden_files_cost_no_look(root: Path) -> None:
    known = files_now(root, EXTRA)
    (root / "memory/.19.md.swp").write_text("swap\n")
    assert files_now(root, EXTRA) is known


def test_a_fork_takes_no_event_from_its_parent(root: Path) -> None:
    known = files_now(root, EXTRA)
    append(root)
    child = os.fork()
    if child == 0:
        own = [files_now(root, EXTRA).found for _ in range(4)]
        os._exit(0 if all(found == searched_files(root, EXTRA) for found in own) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert files_now(root, EXTRA) is not known


def test_many_workspaces_are_known_as_they_are(tmp_path: Path) -> None:
    roots = [tmp_path / f"{number}" for number in range(20)]
    for root in roots:
        (root / "memory").mkdir(parents=True)
    for _ in range(3):
        for root in roots:
            files_now(root, ())
            (root / "memory/note.md").write_text(f"{root}\n")
            assert files_now(root, ()).found == searched_files(root)
