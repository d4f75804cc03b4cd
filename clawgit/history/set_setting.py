"""`config set`: one setting changed in CONFIG.md, as one change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.plan import Edit, Plan
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.settings.config_file import set_value

if TYPE_CHECKING:
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


def set_setting(history: History, key: str, written: str, intent: Intent) -> Recorded:
    """Set ``key`` to ``written``; the rest of the file stays byte for byte.

    Raises:
        ConfigurationError: No such setting, or a value that it does not take.
    """

    def plan(tree: Tree) -> Plan:
        old = (tree.read(CONFIG) or b"").decode("utf-8", "surrogateescape")
        new = set_value(old, key, written).encode("utf-8", "surrogateescape")
        return Plan(f"config: set {key}", (Edit(CONFIG, new),))

    return apply_plan(history, plan, intent)
