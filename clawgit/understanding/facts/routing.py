"""The file for a statement: the note of the day, core memory, lessons, or the ways of working."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.entries import Tag, tag_of
from clawgit.memory.entries.statements import statement_of
from clawgit.memory.entries.tiers import CORE, LEARNED, LESSONS, TOOLS, WAYS
from clawgit.memory.trust import OPERATOR
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.forms.sentence_forms import (
    DATED,
    LASTING,
    LESSON,
    MARKS,
    ORDER,
    REMEMBER_THIS,
    SETTLED,
    TOOL,
)

if TYPE_CHECKING:
    from datetime import date


class FactKind(Enum):
    """The topic of a statement."""

    LESSON = "a lesson about how to work"
    TOOL_LESSON = "a lesson about a tool"
    ORDER = "a standing order"
    LASTING = "a lasting fact, preference or decision"
    ASKED = "what was asked to be remembered, which goes with the day first"
    PASSING = "something of the day"


class Route(NamedTuple):
    """The file for a statement, and the reason as a sentence."""

    path: str
    kind: FactKind
    why: str


def unlabelled(text: str) -> str:
    """Return a statement without a label or a request to remember before it."""
    statement = folded(text)
    for mark in MARKS.values():
        statement = mark.sub("", statement, count=1).strip() or statement
    return statement_of(statement)


def kind_of(text: str, tag: Tag | None = None) -> FactKind:
    """Return the kind of a statement, by its tag (in the text, too) if that is decisive; in doubt the day's."""
    statement = statement_of(text)
    tag = tag or tag_of(statement)
    if tag is None and REMEMBER_THIS.search(folded(text)):
        return FactKind.ASKED
    bare_text = unlabelled(text)
    if tag is None and (ORDER.search(statement) or ORDER.search(bare_text)):
        return FactKind.ORDER
    is_fact = bare_text != statement and LASTING.search(bare_text)  # `Note to self: Nora is allergic to nuts`
    if tag is Tag.SKILL or (tag is None and not is_fact and LESSON.search(statement)):
        return FactKind.TOOL_LESSON if TOOL.search(statement) else FactKind.LESSON
    if tag in (Tag.DECISION, Tag.KNOWLEDGE):
        return FactKind.LASTING
    if LASTING.search(statement) and (SETTLED.search(statement) or not DATED.search(statement)):
        return FactKind.LASTING
    return FactKind.PASSING


def route(text: str, *, trust: str, on: date, tag: Tag | None = None, locked: bool = False) -> Route:
    """Return the file for ``text``; core memory and the ways of working take only the operator's words.

    ``locked``: the ways of working are closed even to those, a setting of `soul_policy`.
    """
    kind = kind_of(text, tag)
    if kind in (FactKind.PASSING, FactKind.ASKED):
        return Route(day_path(on), kind, f"it is {kind.value}")
    if trust != OPERATOR:
        path = LESSONS if kind in (FactKind.LESSON, FactKind.TOOL_LESSON) else LEARNED
        return Route(
            path, kind, f"it is {kind.value} that rests on the {trust}'s word, not on the operator's"
        )
    path = {FactKind.ORDER: CORE, FactKind.LASTING: CORE, FactKind.LESSON: WAYS, FactKind.TOOL_LESSON: TOOLS}[
        kind
    ]
    if locked and path != CORE:
        return Route(LESSONS, kind, f"it is {kind.value}, and soul_policy locks {path}")
    return Route(path, kind, f"it is {kind.value} on your word")


def day_path(on: date) -> str:
    """Return the path of a day's note."""
    return f"memory/{on.isoformat()}.md"
