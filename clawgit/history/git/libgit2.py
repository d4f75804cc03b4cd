"""libgit2's binding, loaded on first use: that takes three times as long as starting Python."""

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
    """Load pygit2 without its settings: they read all authorities' certificates, and no server is contacted here."""
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
    """Break pygit2's reference cycle, so that libgit2's memory is freed with the last reference to ``repo``."""
    for name in ("branches", "references", "remotes", "submodules"):
        setattr(repo, name, type(getattr(repo, name))(weakref.proxy(repo)))
    return repo
