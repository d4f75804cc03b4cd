"""The register of workspaces: kept from others, changed by one at a time, never half-written.

Mutants that these tests caught: a name that moves to another folder, a second shared memory, an orchestrator that is
removed, a register that others can write believed.
"""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest
from processes_at_once import run_at_once

from clawgit.errors import ConfigurationError
from clawgit.workspace.user.workspace_registry import (
    RegistryError,
    read_registry,
    register,
    registry_file,
    unregister,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return registry_file(tmp_path / "config" / "clawgit")


def names(path: Path) -> list[str]:
    return sorted(read_registry(path).workspaces)


def test_nothing_is_registered_in_the_beginning(path: Path) -> None:
    assert read_registry(path).workspaces == {}
    assert read_registry(path).problem == ""


def test_a_workspace_is_known_by_name_and_by_folder_even_through_a_link(path: Path, tmp_path: Path) -> None:
    (tmp_path / "main").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "main")
    register(path, "main", tmp_path / "link")
    found = read_registry(path)
    assert found.named("main").root == tmp_path / "main"
    assert found.at(tmp_path / "link") == found.named("main")
    assert found.at(tmp_path) is None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["", "Main", "a b", "../x", "-x", "x" * 65, "名"])
def test_a_name_is_plain(path: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(RegistryError, match="no name"):
        register(path, name, tmp_path)


def test_a_name_or_a_folder_that_is_taken_stays_with_whom_it_is(path: Path, tmp_path: Path) -> None:
    register(path, "main", tmp_path / "a")
    register(path, "main", tmp_path / "a")
    with pytest.raises(RegistryError, match="registered as main"):
        register(path, "other", tmp_path / "a")
    with pytest.raises(RegistryError, match="already"):
        register(path, "main", tmp_path / "b")
    assert names(path) == ["main"]


def test_there_is_one_shared_memory_and_it_has_an_orchestrator_among_the_others(
    path: Path, tmp_path: Path
) -> None:
    with pytest.raises(RegistryError, match="could be its orchestrator"):
        register(path, "common", tmp_path / "c", orchestrator="main")
    register(path, "main", tmp_path / "a")
    register(path, "common", tmp_path / "c", orchestrator="main")
    shared = read_registry(path).shared
    assert shared is not None
    assert (shared.name, shared.orchestrator) == ("common", "main")
    with pytest.raises(RegistryError, match="shared already"):
        register(path, "more", tmp_path / "d", orchestrator="main")
    with pytest.raises(RegistryError, match="orchestrator of the shared memory"):
        unregister(path, "main")
    unregister(path, "common")
    unregister(path, "main")
    assert names(path) == []


def test_what_is_not_there_cannot_be_removed_or_found(path: Path, tmp_path: Path) -> None:
    register(path, "main", tmp_path / "a")
    with pytest.raises(RegistryError, match="known: main"):
        unregister(path, "other")
    with pytest.raises(RegistryError, match="known: main"):
        read_registry(path).named("other")


def damaged(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True)
    path.write_text(text)
    path.chmod(0o600)
    return path


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        "{}",
        '{"version": 2, "workspaces": {}}',
        '{"version": 1}',
        '{"version": 1, "workspaces": {"a": 1}}',
    ],
)
def test_a_damaged_register_is_believed_nothing_and_never_overwritten(
    path: Path, tmp_path: Path, text: str
) -> None:
    damaged(path, text)
    found = read_registry(path)
    assert found.workspaces == {}
    assert str(path) in found.problem
    with pytest.raises(ConfigurationError, match="Remove"):
        register(path, "main", tmp_path)
    with pytest.raises(RegistryError, match="no other workspace is known"):
        found.named("main")
    assert path.read_text() == text


def test_a_register_that_others_can_write_is_not_believed(path: Path, tmp_path: Path) -> None:
    register(path, "main", tmp_path)
    path.chmod(0o666)
    assert "can be written by others" in read_registry(path).problem


def _register(path: Path, root: Path, number: int) -> None:
    register(path, f"agent-{number}", root / str(number))


@pytest.mark.rest
def test_many_who_register_at_once_are_all_there(path: Path, tmp_path: Path) -> None:
    run_at_once(_register, ((path, tmp_path, number) for number in range(12)))

    assert names(path) == sorted(f"agent-{number}" for number in range(12))
