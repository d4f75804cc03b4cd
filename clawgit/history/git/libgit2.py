"""libgit2's binding, loaded when something of it is first used: that takes as long as starting Python three times."""

from __future__ import annotations

import sys
import weakref
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygit2 import *  # noqa: F403 - what may be asked of it, under the same names
    from pygit2 import Repository
else:

    def __getattr__(name: str) -> object:
        member = getattr(_loaded(), name)
        globals()[name] = member
        return member


def _loaded() -> ModuleType:
    """Load pygit2 without its settings: they read the certificates of all authorities, and no server is asked here."""
    if "pygit2" not in sys.modules:
        settings = ModuleType("pygit2.settings")
        settings.__dict__["__getattr__"] = lambda _name: object
        sys.modules[settings.__name__] = settings
    try:
        import pygit2
    finally:
        sys.modules.pop("pygit2.settings", None)
    return pygit2


def without_cycles(repo: Repository) -> Repository:
    """Let what libgit2 holds of a repository go as soon as nobody has it: pygit2's parts of it hold it, and it holds them."""
    for name in ("branches", "references", "remotes", "submodules"):
        setattr(repo, name, type(getattr(repo, name))(weakref.proxy(repo)))
    return repo
