"""`clawgit hooks run NAME`, as git calls it: it branches off before click and other heavy imports.

Before a commit it checks what is staged, and a file says which git is committing; after it, the file is emptied and
the derived files are renewed in the background. Where nothing can be checked, git goes on.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clawgit.history.git.repository import History

SIGNAL = "signal"
SIGNALLING = ("post-commit", "post-merge", "post-checkout", "post-rewrite")
COMMITTING = ("pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg")
RENEWING = "renew-views"


def run_hook(arguments: list[str]) -> int:
    """Run one hook and return its exit status: 1 refuses, 3 is a bug, and git stops; 2 is an unknown hook."""
    name = arguments[0]
    if name in SIGNALLING:
        leave_signal()
        start_renewing()
        return 0
    if name == RENEWING:
        renew_apart(dict(os.environ))
        return 0
    if name in COMMITTING and "CLAWGIT_HOOK" not in os.environ:  # else the script has done it
        from clawgit.history.hooks.hook_call import calling_git

        leave_signal(calling_git()[0] or "")
    gc.disable()  # what is imported stays: looking through it for garbage takes 10 ms
    try:
        try:
            from clawgit.cli.workspace.hook_output import run_checks
            from clawgit.workspace.user.pattern_cache import keep_patterns, revive_patterns
        except ImportError as error:
            sentence = f"clawgit: it is not whole ({error}), so nothing was checked. Install it again.\n"
            sys.stderr.write(sentence)
            return 0
        revive_patterns()
        status = run_checks(name, arguments[1:])
        keep_patterns()
        return status
    finally:
        gc.enable()


def leave_signal(committing: int | str = "") -> None:
    """Write which process is committing here, or none; silent outside a workspace."""
    folder = os.environ.get("GIT_DIR", ".git")
    if os.path.isfile(folder):  # noqa: PTH113
        folder = _said(folder).removeprefix("gitdir:").strip()
    folder = os.path.join(folder, _said(os.path.join(folder, "commondir")).strip())  # noqa: PTH118
    try:
        with open(os.path.join(folder, "clawgit", SIGNAL), "w", encoding="ascii") as file:  # noqa: PTH118, PTH123 - pathlib costs a start
            file.write(f"{committing}\n")
    except OSError:
        return


def _said(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return ""


def start_renewing() -> None:
    words = [sys.executable, "-E", "-P", "-m", "clawgit", "hooks", "run", RENEWING]
    nowhere = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in (0, 1, 2)]
    with suppress(OSError):  # no room for a process: the next command renews them
        os.posix_spawn(sys.executable, words, os.environ, file_actions=nowhere)


def renew_apart(environment: Mapping[str, str]) -> None:
    """Leave the terminal and the pipes of the git process, renew the views, and end quietly."""
    root = _let_go()
    if root is None or environment.get("CLAWGIT_NOW"):  # a rehearsal: the next command knows its day
        return
    for variable in [variable for variable in environment if variable.startswith("GIT_")]:
        os.environ.pop(variable, None)  # what is run here must not take another repository for this one
    from clawgit.history.hooks.hook_call import read_call

    call = read_call(environment, root)
    if call is None:
        return
    from clawgit.errors import ClawgitError
    from clawgit.history.git import libgit2 as pygit2
    from clawgit.history.views import renew_until_current
    from clawgit.operations.wiring.open_settings import open_for_hook

    def opened() -> History:
        history = open_for_hook(call, environment, "hook post-commit")
        if history is None:
            raise ClawgitError(f"{call.root} is no workspace.")
        return history

    # removed, full or damaged: the next command reports it
    with suppress(ClawgitError, pygit2.GitError, OSError):
        renew_until_current(opened)


def _let_go() -> str | None:
    """Leave git's terminal, open files and folder; return that folder, None if it is gone."""
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
