"""What git tells a hook, and whether a first look at the commit is enough: without what only a finding needs.

The first look asks the same guards, over the same files and the same message. libgit2, the settings' history and the
words to a person are not loaded. Whatever a guard finds, and whatever is not as usual, is left to the whole check,
which decides and speaks.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.host_signs import ACTOR_VARIABLE, host_sign

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NO_EDITOR = ":"
ANCESTORS = 6
KNOWN_FORMAT = 1


class HookCall(NamedTuple):
    """One call of a hook: the working tree, git's folder, the index that is used, and how the message comes about."""

    root: str
    git_folder: str
    index_file: str
    edited: bool
    amends: bool = False

    def in_root(self, path: str) -> str:
        """Return the place of a file of the working tree."""
        return os.path.join(self.root, path)


def read_call(environment: Mapping[str, str], root: str) -> HookCall | None:
    """Return what git tells, None where no repository is; git runs hooks at the top of the working tree."""
    git_folder = _git_folder(os.path.join(root, environment.get("GIT_DIR", ".git")))
    if git_folder is None:
        return None
    return HookCall(
        root,
        git_folder,
        os.path.join(root, environment.get("GIT_INDEX_FILE", os.path.join(git_folder, "index"))),
        environment.get("GIT_EDITOR", "") != NO_EDITOR,
        _amends(),
    )


def _git_folder(named: str) -> str | None:
    if os.path.isfile(named):
        said = (text_of(named) or "").removeprefix("gitdir:").strip()
        named = os.path.join(os.path.dirname(named), said)
    return named if os.path.isdir(named) else None


def text_of(path: str) -> str | None:
    """Return what one of git's small files says, None where there is none, or where no file can have that name."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None


def _amends() -> bool:
    """Say whether one of the processes above is a `git commit --amend`; git does not tell its hooks."""
    words = calling_git()[1]
    return b"commit" in words and any(len(word) > 3 and b"--amend".startswith(word) for word in words)


def calling_git() -> tuple[int, list[bytes]]:
    """Return the process that runs this hook, and its words; 0 where processes cannot be looked at (no /proc)."""
    process = os.getppid()
    for _ in range(ANCESTORS):
        try:
            words = _read(f"/proc/{process}/cmdline").split(b"\0")
            after_name = _read(f"/proc/{process}/stat").rpartition(b")")[2].split()
        except OSError:
            break
        if os.path.basename(words[0]) == b"git":
            return process, words
        process = int(after_name[1])
    return 0, []


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def has_nothing_to_say(
    name: str, arguments: Sequence[str], environment: Mapping[str, str], root: str
) -> bool:
    """Say whether the checks of the hook ``name`` would let git go on without a word.

    False where that is not sure: something is damaged, cannot be read or is not as usual.
    """
    try:
        return _has_nothing_to_say(name, arguments, environment, root)
    except (ClawgitError, OSError):
        return False


def _has_nothing_to_say(
    name: str, arguments: Sequence[str], environment: Mapping[str, str], root: str
) -> bool:
    if environment.get(ACTOR_VARIABLE, "operator") != "operator" or host_sign(environment):
        return False
    if environment.get("CLAWGIT_OVERRIDE"):
        return False
    call = read_call(environment, root)
    if call is None or name not in ("pre-commit", "pre-merge-commit", "commit-msg"):
        return False
    shared = (text_of(os.path.join(call.git_folder, "commondir")) or "").strip()
    folder = os.path.join(call.git_folder, shared)
    version = text_of(os.path.join(folder, "clawgit/format"))
    if version is None:
        return True  # no workspace: nothing here is clawgit's
    if version.strip() != str(KNOWN_FORMAT):
        return False
    from clawgit.history.hooks import first_look

    if name == "commit-msg":
        return first_look.may_say(call, folder, call.in_root(arguments[0]))
    return first_look.may_commit(call, folder, environment)
