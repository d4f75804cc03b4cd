"""The class of an entry, where that is plain without reading it: by its form and its values. Pure."""

from __future__ import annotations

import re

from clawgit.memory.entries.statements import parted
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.understanding.facts.first_person import USER

PERSONAL, TASKS, AGENTS, SYSTEM = "personal", "tasks", "agents", "system"
CLASSES = (PERSONAL, TASKS, AGENTS, SYSTEM)
_TASK = re.compile(r"\[[ xX]\] |(?i:todo)[:：]")
_PERSONAL = re.compile(rf"(?:(?i:the )?(?i:{USER})\b|用户|用戶|사용자)")
_SYSTEM = frozenset((ValueKind.LINK, ValueKind.CODE, ValueKind.VERSION))


def plain_class(text: str) -> str:
    """Return the class of an entry's words, empty where only a reader can tell: that has no end."""
    statement = parted(text).statement
    if _TASK.match(statement):
        return TASKS
    if _PERSONAL.match(statement):
        return PERSONAL
    return SYSTEM if any(value.kind in _SYSTEM for value in values_in(statement)) else ""
