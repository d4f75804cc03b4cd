"""What a model says of entries whose time is over: over, a lesson remains, or still alive. Each part is checked by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.authorised_edits import is_his
from clawgit.agents.miner.mined_material import cited_as, readable_text
from clawgit.agents.models.answer_schema import TEXT, one_list, one_of
from clawgit.agents.models.model_prompts import Material, prompt_of
from clawgit.memory.entries.statements import parted
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import values_in
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.facts.keepable_sentences import is_forbidden

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clawgit.agents.models.ask_model import Asker
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.memory.entry_states import EntryState

AT_ONCE = 40  # entries in one question
MOST_MESSAGES = 60
LEAST_SHARED = 2  # terms of a message that may speak of an entry
OVER, LESSON, ALIVE = "OVER", "LESSON", "ALIVE"
_SCHEMA = one_list(
    "entries",
    AT_ONCE,
    {"id": TEXT, "do": one_of(OVER, LESSON, ALIVE)},
    {"lesson": TEXT, "message": TEXT, "quote": TEXT},
)
_TASK = """\
The material is entries of memory whose time has run out (from "memory"), and what the operator said since that may be about
them. For each entry: "do" is OVER, the usual case; LESSON, where one or two sentences ("lesson") would help the next time; or ALIVE,
where a message says that it goes on: "message" is its id, and "quote" its words that say so, letter by letter. Entries that
belong together get the same lesson, word for word. Each part is checked by itself:
- A lesson says less than its entries: every number, date and name of it stands in them, and it is no longer than they are.
- A quote stands in the message that it names. An entry that is not answered is over."""


class Farewell(NamedTuple):
    """What remains: lessons with the entries that they sum up, entries that are alive with the words that say so, and why more is not."""

    lessons: tuple[tuple[str, tuple[str, ...]], ...] = ()
    alive: tuple[tuple[str, str, str], ...] = ()  # entry, message, quote
    notes: tuple[str, ...] = ()
    tokens: int = 0


def said_since(states: Sequence[EntryState], messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Return the operator's messages that may speak of one of the entries, the latest ones."""
    about = [subject(parted(state.entry.text).statement) for state in states]
    his = (each for each in messages if is_his(each))
    found = [
        each
        for each in his
        if any(len(terms & subject(each.text)) >= min(LEAST_SHARED, len(terms)) > 0 for terms in about)
    ]
    return found[-MOST_MESSAGES:]


def ask_farewell(
    asker: Asker, soul: str, states: Sequence[EntryState], messages: Sequence[ChatMessage]
) -> Farewell:
    """Return what the model says of the entries; what it says of others, or cannot show, counts for nothing.

    Raises:
        ModelError: It gave no answer of the shape that was asked for.
    """
    known = {f"m:{state.entry.entry_id}": state for state in states[:AT_ONCE]}
    heard = {cited_as(each): each for each in said_since(states, messages)}
    entries = (Material(name, "memory", state.entry.text) for name, state in known.items())
    talk = (
        Material(name, "User, the operator", readable_text(each), each.sent_at.date().isoformat())
        for name, each in heard.items()
    )
    answer = asker.complete(prompt_of(soul, _TASK, [*entries, *talk], _SCHEMA), _SCHEMA)
    lessons: dict[str, list[str]] = {}
    alive, notes = [], []
    for each in (_folded(item) for item in answer["entries"]):
        name = each["id"]
        if name not in known:
            notes.append(
                f"Refused of the model's answer: it names the entry {name[:40]!r}, which it was not given."
            )
        elif each["do"] == LESSON:
            lessons.setdefault(each["lesson"], []).append(name)
        elif each["do"] == ALIVE:
            message = heard.get(each["message"])
            if message is None or not each["quote"] or each["quote"] not in folded(message.text):
                notes.append(f"Refused of the model's answer: no message says that {name} goes on.")
            else:
                alive.append((name, each["message"], each["quote"]))
    kept = []
    for lesson, names in lessons.items():
        why_not = _unfit(lesson, [known[name] for name in names])
        if why_not:
            notes.append(f"Refused of the model's answer: {lesson!r}: {why_not}")
        else:
            kept.append((lesson, tuple(names)))
    return Farewell(tuple(kept), tuple(alive), tuple(notes), asker.spent)


def _folded(item: Mapping[str, str]) -> dict[str, str]:
    return {"lesson": "", "message": "", "quote": ""} | {key: folded(value) for key, value in item.items()}


def _unfit(lesson: str, states: Sequence[EntryState]) -> str:
    """Return why a lesson says more than its entries do, empty if it does not."""
    said = " ".join(state.entry.text for state in states)
    if not lesson or len(lesson) > len(said):
        return "it is empty, or longer than what it sums up."
    if is_forbidden(lesson) or "<!--" in lesson or "-->" in lesson:
        return "it speaks of instructions, of the agent's own files or of secrets."
    there = {each.text.casefold() for each in values_in(said)}
    added = next((each.text for each in values_in(lesson) if each.text.casefold() not in there), "")
    return f"{added!r} is in none of its entries." if added else ""
