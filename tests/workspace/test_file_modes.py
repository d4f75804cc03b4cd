"""Who may read what clawgit makes: its own account alone, or the others who work in the folder, too.

Mutants that these tests caught: every group-writable folder taken for shared; a file's mode forgotten when it is replaced.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from clawgit.history.adopt import adopt
from clawgit.workspace.safe_files import FileContent, is_shared, write_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ME, MY_GROUP, OTHER = os.geteuid(), os.getegid(), 4711
FOLDER = stat.S_IFDIR


def folder(mode: int, *, owner: int = ME, group: int = MY_GROUP) -> os.stat_result:
    return os.stat_result((FOLDER | mode, 1, 1, 2, owner, group, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("found", "shared"),
    [
        pytest.param(folder(0o700), False, id="my own"),
        pytest.param(folder(0o755), False, id="my own, to be read by all"),
        pytest.param(folder(0o775, group=ME), False, id="group-writable, the group is mine alone"),
        pytest.param(folder(0o755, owner=OTHER), True, id="another account's"),
        pytest.param(folder(0o770, group=OTHER), True, id="group-writable"),
        pytest.param(folder(0o750, group=MY_GROUP), False, id="my own group may read it"),
        pytest.param(folder(0o750, group=OTHER), True, id="a group may read it"),
        pytest.param(folder(0o755, group=OTHER), False, id="a group that may do no more than all"),
        pytest.param(folder(0o2770), True, id="setgid"),
        pytest.param(folder(0o2700), False, id="setgid from above, closed to the group"),
        pytest.param(folder(0o1777), True, id="everybody writes there"),
    ],
)
def test_a_folder_is_shared_where_another_account_has_a_part_in_it(found, shared) -> None:
    assert is_shared(found) is shared


@pytest.fixture
def umask() -> Iterator[None]:
    """Let the group write what is made, for this test."""
    before = os.umask(0o007)
    yield
    os.umask(before)


def modes(root: Path) -> dict[str, str]:
    names = ("SOUL.md", "CONFIG.md", "memory", ".git/clawgit")
    return {name: f"{stat.S_IMODE((root / name).stat().st_mode):o}" for name in names}


@pytest.mark.usefixtures("umask")
def test_in_a_shared_folder_files_are_made_as_the_umask_says(tmp_path, now) -> None:
    tmp_path.chmod(0o2770)
    adopt(tmp_path, now)
    assert modes(tmp_path) == {
        "SOUL.md": "660",
        "CONFIG.md": "660",
        "memory": "2770",
        ".git/clawgit": "2700",
    }


@pytest.mark.usefixtures("umask")
def test_in_a_folder_of_ones_own_they_are_for_nobody_else(tmp_path, now) -> None:
    tmp_path.chmod(0o700)
    adopt(tmp_path, now)
    found = modes(tmp_path)
    assert [found[name] for name in ("SOUL.md", "CONFIG.md", ".git/clawgit")] == ["600", "600", "700"]


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o664])
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path, mode) -> None:
    tmp_path.chmod(0o2770)
    (tmp_path / "a.md").touch()
    (tmp_path / "a.md").chmod(mode)

    write_file(tmp_path, "a.md", FileContent(b"new\n"))

    assert stat.S_IMODE((tmp_path / "a.md").stat().st_mode) == mode


def test_a_file_that_is_replaced_keeps_its_group(tmp_path) -> None:
    groups = [group for group in (*os.getgroups(), OTHER) if group != MY_GROUP]
    (tmp_path / "a.md").touch()
    try:
        os.chown(tmp_path / "a.md", -1, groups[0])
    except PermissionError:  # in no other group than one's own: there is none to keep
        groups = [MY_GROUP]

    write_file(tmp_path, "a.md", FileContent(b"new\n"))

    assert (tmp_path / "a.md").stat().st_gid == groups[0]
