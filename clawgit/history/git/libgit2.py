"""libgit2's binding, loaded when something of it is first used: that takes four times as long as starting Python."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygit2 import *  # noqa: F403 - what may be asked of it, under the same names
    from pygit2 import Repository
else:

    def __getattr__(name: str) -> object:
        import pygit2

        found = getattr(pygit2, name)
        globals()[name] = found
        return found


def without_cycles(repo: Repository) -> Repository:
    """Let what libgit2 holds of a repository go as soon as nobody has it: pygit2's parts of it hold it, and it holds them."""
    for name in ("branches", "references", "remotes", "submodules"):
        setattr(repo, name, type(getattr(repo, name))(weakref.proxy(repo)))
    return repo
