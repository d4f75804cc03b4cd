from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from clawgit.history.hooks.shim import shim_text

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


def test_a_host_installs_and_removes_nothing(clawgit) -> None:
    for words in (["install"], ["uninstall"]):
        assert clawgit("hooks", *words, actor="host").code == 1
