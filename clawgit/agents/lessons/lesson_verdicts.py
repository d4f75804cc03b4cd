"""What a model says of failures that were overcome: a new lesson, a known one, or none. Each part is checked by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.models.answer_schema import TEXT, one_list, one_of
from clawgit.agents.models.model_prompts import Material, as_read, prompt_of
from clawgit.text.comparing.value_kinds import values_in
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.facts.keepable_sentences import is_forbidden

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clawgit.agents.lessons.overcome_failures import Overcome
    from clawgit.agents.models.ask_model import Asker
    from clawgit.memory.entries.entries import Entry

AT_ONCE, MOST_KNOWN = 30, 60
MOST_TOLD = 200  # letters of a situation or a cause
MOST_PRINTED = 600
NEW, DUPLICATE, NONE = "NEW", "DUPLICATE", "NONE"
_SCHEMA = one_list(
    "lessons",
    AT_ONCE,
    {"id": TEXT, "do": one_of(NEW, DUPLICATE, NONE)},
    {"entry": TEXT, "situation": TEXT, "why": TEXT},
)
_TASK = """\
The material is commands that failed, each with what it printed and with the one that then worked (from "a session"), and the lessons that are
known (from "memory"). For each one: "do" is NEW; DUPLICATE where a known lesson says it, with its id as "entry"; NONE where there is nothing to
learn, since the two commands do different things, or something else changed in between. Of what is new, "situation" says in some words what was to be
done and with what, and "why" the cause as it shows there; leave out what does not show. The commands are taken over by themselves. Every number and name
that you write stands in the material."""


class Verdict(NamedTuple):
    """What became of one: NEW, DUPLICATE of ``entry``, NONE, or nothing was said."""

    do: str = ""
    entry: str = ""
    situation: str = ""
    why: str = ""

    @property
    def says(self) -> bool:
        """Say whether the model put something into words of its own."""
        return bool(self.situation or self.why)


class Verdicts(NamedTuple):
    """What was said, by the evidence of each, and why more was not."""

    by_id: Mapping[str, Verdict]
    notes: tuple[str, ...] = ()
    tokens: int = 0


UNASKED = Verdicts({})


def ask_verdicts(
    asker: Asker, soul: str, found: Sequence[tuple[str, Overcome]], known: Sequence[Entry]
) -> Verdicts:
    """Return what the model says of failures that were overcome.

    Raises:
        ModelError: It gave no answer of the shape that was asked for.
    """
    asked = dict(found[:AT_ONCE])
    texts = {name: _told(each) for name, each in asked.items()}
    lessons = {f"m:{each.entry_id}": each for each in known[-MOST_KNOWN:] if each.entry_id}
    materials = [Material(name, "memory", each.text) for name, each in lessons.items()]
    materials += [Material(name, "a session", text) for name, text in texts.items()]
    answer = asker.complete(prompt_of(soul, _TASK, materials, _SCHEMA), _SCHEMA)
    by_id: dict[str, Verdict] = {}
    notes = []
    for row in answer["lessons"]:
        told = {"entry": "", "situation": "", "why": ""} | {key: folded(value) for key, value in row.items()}
        verdict = Verdict(told["do"], told["entry"], told["situation"], told["why"])
        why_not = _unfit(verdict, texts.get(told["id"]), lessons)
        if why_not:
            notes.append(f"Refused of the model's answer: {told['id'][:60]!r} {why_not}")
        else:
            by_id[told["id"]] = verdict
    return Verdicts(by_id, tuple(notes), asker.spent)


def _told(each: Overcome) -> str:
    printed = as_read(each.output[-MOST_PRINTED:])
    why = f" The operator said: {each.why}" if each.why else ""
    return f"Failed: {each.wrong} | It printed: {printed} | Worked: {each.right}{why}"


def _unfit(verdict: Verdict, text: str | None, known: Mapping[str, Entry]) -> str:
    """Return why a verdict counts for nothing, empty if it counts."""
    if text is None:
        return "was not given to it."
    if verdict.do == DUPLICATE and verdict.entry not in known:
        return f"is said to repeat {verdict.entry[:40]!r}, which is no known lesson."
    said = f"{verdict.situation} {verdict.why}"
    if max(len(verdict.situation), len(verdict.why)) > MOST_TOLD or any(
        mark in said for mark in ("`", "<", "#")
    ):
        return "says too much, or has marks in it."
    if is_forbidden(said):
        return "speaks of instructions, of the agent's own files or of secrets."
    added = next((each.text for each in values_in(said) if each.text.casefold() not in text.casefold()), "")
    return f"names {added!r}, which is not there." if added else ""
