"""The settings that hold in a workspace, by its history and by what its operator trusts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.inforce import read_settings
from clawgit.workspace.trust import is_trusted, read_trust

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.history.repository import History
    from clawgit.workspace.inforce import InForce
    from clawgit.workspace.problem import Problem
    from clawgit.workspace.setting import Value


def bring_into_force(history: History, trust: Path) -> tuple[InForce, tuple[Problem, ...]]:
    """Give ``history`` its settings; return them with where they come from, and what is wrong with the trust store."""
    store = read_trust(trust)

    def trusted(key: str, value: Value) -> bool:
        return is_trusted(store, history.root, key, value)

    in_force = read_settings(history, trusted)
    history.settings = in_force.settings
    return in_force, store.problems
