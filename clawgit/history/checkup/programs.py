"""What runs by itself: clawgit's hooks as they were installed, and whatever else this repository could run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.checkup.complaint import Complaint
from clawgit.history.hooks.install import read_installation
from clawgit.history.hooks.state import read_hooks_state
from clawgit.history.strange import strange_things

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from clawgit.history.repository import History

_TRUSTS = "`clawgit trust --repository` if it is yours."
_SAID = {
    "setting": ("The setting {} in .git/config", "`git config --local --unset-all {}` takes it out;"),
    "hook": ("The hook {}", "Look at it, and remove it if you do not know it;"),
    "program": ("The {} that clawgit's hooks run", "`clawgit hooks install` names the one that you use now;"),
}


def check_hooks(history: History) -> Iterator[Complaint]:
    """Look whether clawgit's hooks stand as they were installed, and who else could change them."""
    for problem in read_hooks_state(history).problems:
        yield Complaint(
            "hooks", problem, "`clawgit hooks install` mends it, `clawgit hooks uninstall` ends it."
        )
    for folder in read_installation(history).folders:
        yield from _open_to_others(history.root / folder)


def _open_to_others(folder: Path) -> Iterator[Complaint]:
    for path in (folder, *sorted(folder.glob("*"))):
        if not path.is_symlink() and path.exists() and path.stat().st_mode & 0o022:
            yield Complaint(
                "permissions",
                f"{path} can be written by other users of this machine, and git runs what is there.",
                "`clawgit doctor --fix` closes it.",
                mend=lambda path=path: path.chmod(path.stat().st_mode & ~0o022),  # type: ignore[misc]
            )


def check_strange(history: History, trusted: Collection[str]) -> Iterator[Complaint]:
    """Look for settings and hooks that nobody vouched for."""
    for thing in strange_things(history, trusted):
        what, way_out = _SAID[thing.kind]
        yield Complaint(
            "repository",
            f"{what.format(thing.name)} can run programs or send data elsewhere, and you have not trusted it.",
            f"{way_out.format(thing.name)} {_TRUSTS}",
        )
