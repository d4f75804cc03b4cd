"""Edits that a `git rebase --autostash` put aside and left there when it ended early: no reference names them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_NAME = "autostash"


def left_autostash(git_folder: Path) -> str:
    """Return the commit of such edits, empty where no rebase left any or one is still going on."""
    for folder in (git_folder / "rebase-merge", git_folder / "rebase-apply"):
        with suppress(OSError):
            if [each.name for each in folder.iterdir()] == [_NAME]:
                return (folder / _NAME).read_text("ascii", "replace").strip()
    return ""
