"""What runs by itself: clawgit's hooks as they were installed, and whatever else this repository could run."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from clawgit.history.authorship.vouching import connected_hosts
from clawgit.history.doctor.complaint import Complaint
from clawgit.history.doctor.folder_checks import close_to_others, others_write
from clawgit.history.doctor.risky_git_config import strange_things
from clawgit.history.hooks.hooks_status import read_hooks_state
from clawgit.history.hooks.install import (
    install_hooks,
    interpreter_of,
    read_installation,
    were_brought_by_connect,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from clawgit.history.git.repository import History

_TRUSTS = "`clawgit trust --repository` if it is yours."
_SAID = {
    "setting": ("The setting {} in .git/config", "`git config --local --unset-all {}` takes it out;"),
    "hook": ("The hook {}", "Look at it, and remove it if you do not know it;"),
    "program": ("The {} that clawgit's hooks run", "`clawgit hooks install` names the one that you use now;"),
}


def check_hooks(history: History) -> Iterator[Complaint]:
    """Look whether clawgit's hooks are as they were installed, and who else could change them."""
    state = read_hooks_state(history)
    for problem in state.problems:
        yield Complaint(
            "hooks",
            problem,
            "`clawgit hooks install` mends it, `clawgit hooks uninstall` ends it.",
            mend=partial(_put_back, history) if state.can_be_put_back else None,
        )
    for folder in read_installation(history).folders:
        yield from _open_to_others(history.root / folder)


def check_connected(history: History) -> Iterator[Complaint]:
    """Look whether git's hooks are there while a host is connected."""
    hosts = connected_hosts(history)
    if hosts and not read_hooks_state(history).installed:
        yield Complaint(
            "hooks",
            f"{', '.join(hosts)} is connected, and git's hooks are not installed:"
            " nothing tells its commits from yours, so all of them count as unknown.",
            "`clawgit hooks install` mends it.",
        )


def _put_back(history: History) -> None:
    install_hooks(history, interpreter_of(history), by_connect=were_brought_by_connect(history))


def _open_to_others(folder: Path) -> Iterator[Complaint]:
    for path in (folder, *sorted(folder.glob("*"))):
        if others_write(path):
            yield Complaint(
                "permissions",
                f"{path} can be written by other users of this machine, and git runs what is there.",
                "`clawgit doctor --fix` closes it.",
                mend=partial(close_to_others, path),
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
