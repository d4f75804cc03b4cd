"""`config set`: one setting changed in CONFIG.md, as one change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.errors import ConfigurationError
from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.plan import Edit, Plan
from clawgit.understanding.triage.custom_patterns import read_patterns
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.settings.config_file import read_config, set_value

if TYPE_CHECKING:
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree

PATTERNS = "heartbeat_custom_patterns"


def set_setting(history: History, key: str, written: str, intent: Intent) -> Recorded:
    """Set ``key`` to ``written``; the rest of the file stays byte for byte."""

    def plan(tree: Tree) -> Plan:
        old = (tree.read(CONFIG) or b"").decode("utf-8", "surrogateescape")
        new = set_value(old, key, written)
        if key == PATTERNS:
            _refuse_broken_patterns(new)
        return Plan(f"config: set {key}", (Edit(CONFIG, new.encode("utf-8", "surrogateescape")),))

    return apply_plan(history, plan, intent)


def _refuse_broken_patterns(text: str) -> None:
    """Refuse patterns that triage would pass over."""
    items = read_config(text).values.get(PATTERNS, ())
    for each in read_patterns(items if isinstance(items, tuple) else ()):
        if each.problem:
            raise ConfigurationError(
                f"{PATTERNS}: /{each.pattern}/ cannot be run ({each.problem}), so nothing was changed.",
                hint="docs/configuration.md says how a pattern is written; they are RE2's.",
            )
