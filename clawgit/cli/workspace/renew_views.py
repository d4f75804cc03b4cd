"""The derived files after git's own commit, merge or switch: git does not wait for the process that renews them."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clawgit.history.git.repository import History

RENEWING = "renew-views"


def start_renewing() -> None:
    """Start the process that renews them, with nothing of this one's input and output."""
    words = [sys.executable, "-E", "-P", "-m", "clawgit", "hooks", "run", RENEWING]
    nowhere = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in (0, 1, 2)]
    with suppress(OSError):  # no room for a process: the next command renews them
        os.posix_spawn(sys.executable, words, os.environ, file_actions=nowhere)


def renew_apart(environment: Mapping[str, str]) -> None:
    """Be that process: let go of the terminal and the pipes of whoever ran git, renew the views, and end quietly."""
    root = _let_go()
    if root is None or environment.get("CLAWGIT_NOW"):  # a rehearsal: the next command knows its day
        return
    for variable in [variable for variable in environment if variable.startswith("GIT_")]:
        os.environ.pop(
            variable, None
        )  # what is run from here on must not take another repository for this one
    from clawgit.history.hooks.hook_call import read_call

    call = read_call(environment, root)
    if call is not None:
        _renew(environment, root, call.git_folder)


def _let_go() -> str | None:
    """Leave the terminal, the open files and the folder of whoever ran git; return that folder, None where it is gone."""
    with suppress(OSError):  # it leads a group of processes already
        os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    try:
        root = os.getcwd()  # noqa: PTH109 - pathlib costs a start
    except FileNotFoundError:
        return None
    os.chdir(os.sep)
    return root


def _renew(environment: Mapping[str, str], root: str, git_folder: str) -> None:
    from pathlib import Path

    from clawgit.errors import ClawgitError
    from clawgit.history.git import libgit2 as pygit2
    from clawgit.history.git.repository import NotAWorkspaceError, open_history
    from clawgit.history.views.renewing import renew_until_current
    from clawgit.operations.open_settings import bring_into_force
    from clawgit.workspace.user.trusted_settings import trust_file
    from clawgit.workspace.user.user_file import user_config_dir

    place = None if os.path.lexists(f"{root}/.git") else Path(git_folder)
    trust = trust_file(user_config_dir(environment, Path.home()))

    def opened() -> History:
        history = open_history(Path(root), holder="hook post-commit", git_folder=place)
        if not (history.state / "format").exists():
            raise NotAWorkspaceError(f"{root} is no workspace.")
        bring_into_force(history, trust)
        return history

    with suppress(
        ClawgitError, pygit2.GitError, OSError
    ):  # removed, full or damaged: the next command says so
        renew_until_current(opened)
