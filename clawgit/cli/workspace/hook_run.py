"""`clawgit hooks run NAME`, as git calls it: branches off before click, and before anything heavy, is imported.

Before a commit what is staged is checked, and a file says which git is committing; after it the file is emptied, and
the derived files are renewed in the background. Where nothing can be checked, git goes on.
"""

from __future__ import annotations

import gc
import os
import sys

from clawgit.cli.workspace.renew_views import RENEWING, renew_apart, start_renewing

SIGNAL = "signal"
SIGNALLING = ("post-commit", "post-merge", "post-checkout", "post-rewrite")
COMMITTING = ("pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg")


def run_hook(arguments: list[str]) -> int:
    """Do what one hook does and return its exit status: 1 refuses, 3 is a bug, and git stops; 2 is no hook of clawgit's."""
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
        if _has_nothing_to_say(name, arguments[1:]):
            return 0
        from clawgit.cli.workspace.hook_output import run_checks
    except ImportError as error:
        sys.stderr.write(f"clawgit: it is not whole ({error}), so nothing was checked. Install it again.\n")
        return 0
    except Exception as error:  # noqa: BLE001 - as the whole check: a bug must not let through what it should have found
        from clawgit.cli.workspace.hook_output import say_bug

        return say_bug(name, error)
    finally:
        gc.enable()
    return run_checks(name, arguments[1:])


def _has_nothing_to_say(name: str, arguments: list[str]) -> bool:
    """Say whether a first look is enough; where it is not, the whole check looks."""
    from clawgit.history.hooks.first_look import has_nothing_to_say

    try:
        root = os.getcwd()  # noqa: PTH109 - pathlib costs a start
    except FileNotFoundError:  # the whole check says so
        return False
    return has_nothing_to_say(name, arguments, os.environ, root)


def leave_signal(committing: int | str = "") -> None:
    """Say which process is committing here, or that none is any more; silent where there is no workspace."""
    folder = _git_folder()
    try:
        with open(os.path.join(folder, "clawgit", SIGNAL), "w", encoding="ascii") as file:  # noqa: PTH118, PTH123 - pathlib costs a start
            file.write(f"{committing}\n")
    except OSError:
        return


def _git_folder() -> str:
    """Return git's folder that all linked working trees share, as the hooks' script finds it."""
    folder = os.environ.get("GIT_DIR", ".git")
    if os.path.isfile(folder):  # noqa: PTH113
        folder = _said(folder).removeprefix("gitdir:").strip()
    return os.path.join(folder, _said(os.path.join(folder, "commondir")).strip())  # noqa: PTH118


def _said(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return ""
