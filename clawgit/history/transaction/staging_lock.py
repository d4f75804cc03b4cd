"""Where the files of git's staging are, its lock, and whether that was taken by a clawgit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.history.git.repository import History


@dataclass(frozen=True, slots=True)
class Staging:
    """The places of one working tree's staging."""

    index: Path
    lock: Path
    ours: Path
    scratch: Path

    @classmethod
    def of(cls, history: History) -> Staging:
        """Return the staging of the working tree that ``history`` was opened in."""
        git_folder = history.git_folder
        own = "staging" if git_folder == history.folder else f"staging.{git_folder.name}"
        return cls(
            git_folder / "index", git_folder / "index.lock", history.state / own, history.state / f"{own}.new"
        )

    def is_ours(self) -> bool:
        """Say whether the present lock was taken by a clawgit (a dead one, if the workspace is ours)."""
        return _is_one_file(self.lock, self.ours) or _is_one_file(self.lock, self.index)

    def release_leftover(self) -> None:
        """Remove what a killed clawgit left; a foreign lock stays."""
        if self.is_ours():
            self.lock.unlink()
        for path in (self.ours, self.scratch, self.scratch.with_name(self.scratch.name + ".lock")):
            path.unlink(missing_ok=True)


def _is_one_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
