"""What a model says of entries: their class, and which pairs are one fact. Each part is checked by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.agents.models.model_prompts import Material, prompt_of
from clawgit.agents.organizer.entry_classes import AGENTS, CLASSES, TASKS
from clawgit.memory.entries.entries import Tag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.agents.models.ask_model import Asker
    from clawgit.memory.entry_states import EntryState

AT_ONCE, MOST_PAIRS = 60, 20
MOST_ASKED = 300  # entries in a run: the others are asked about in the next ones
_LASTING = (Tag.DECISION, Tag.SKILL)
_TEXT = {"type": "string"}


def _rows(**properties: Any) -> dict[str, Any]:
    row = {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }
    return {"type": "array", "maxItems": AT_ONCE, "items": row}


_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "classes": _rows(id=_TEXT, **{"class": {"type": "string", "enum": [*CLASSES]}}),
        "same": _rows(id=_TEXT, entry=_TEXT),
    },
    "required": ["classes", "same"],
    "additionalProperties": False,
}
_TASK = """\
The material is entries of memory. Give each one that is from "to be classed" its class in "classes". What is from "a pair" has two ids
with a space between them, and two statements that look alike: list in "same" those of which either could stand for both, with
the two ids as "id" and "entry". Where a number, a date, a name, a day or a "not" differs, or one says more, they are two.
Where you waver, take the class that lives longer: only what is to be done once and is then over is of tasks, only what agents are at
just now is of agents."""


class Ordered(NamedTuple):
    """The classes by entry (`m:…`), the pairs that are one fact (None: nobody was asked), and why more is not."""

    classes: dict[str, str]
    same: frozenset[frozenset[str]] | None
    notes: tuple[str, ...] = ()
    tokens: int = 0


NOT_ASKED = Ordered({}, None)


def ask_order(
    asker: Asker, soul: str, states: Sequence[EntryState], pairs: Sequence[tuple[EntryState, EntryState]]
) -> Ordered:
    """Return what the model says of entries and pairs; what it says of others counts for nothing.

    Raises:
        ModelError: It gave no answer of the shape that was asked for.
    """
    classes: dict[str, str] = {}
    same: set[frozenset[str]] = set()
    notes: list[str] = []
    for first in range(0, max(1, min(len(states), MOST_ASKED)), AT_ONCE):
        known = {_name(state): state for state in states[first : first + AT_ONCE]}
        asked = {} if first else {frozenset(map(_name, pair)): pair for pair in pairs[:MOST_PAIRS]}
        materials = [Material(name, "to be classed", state.entry.text) for name, state in known.items()]
        materials += (
            Material(" ".join(map(_name, pair)), "a pair", " / ".join(each.entry.text for each in pair))
            for pair in asked.values()
        )
        answer = asker.complete(prompt_of(soul, _TASK, materials, _SCHEMA), _SCHEMA)
        for row in answer["classes"]:
            why_not = _unfit(row["class"], known.get(row["id"]))
            if why_not:
                notes.append(f"Refused of the model's answer: {row['id'][:40]!r} {why_not}")
            else:
                classes[row["id"]] = row["class"]
        same |= {frozenset((row["id"], row["entry"])) for row in answer["same"]} & asked.keys()
    return Ordered(classes, frozenset(same), tuple(notes), asker.spent)


def _name(state: EntryState) -> str:
    return f"m:{state.entry.entry_id}"


def has_no_end(state: EntryState) -> bool:
    """Say whether an entry gets no class that has an end: it is a decision or a lesson."""
    return state.entry.tag in _LASTING


def _unfit(told: str, state: EntryState | None) -> str:
    """Return why an entry does not get a class, empty if nothing speaks against it."""
    if state is None:
        return "was not given to it."
    if told in (TASKS, AGENTS) and has_no_end(state):
        return "is a decision or a lesson, so it has no end."
    return ""
