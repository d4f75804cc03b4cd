"""A second question to a model: which of several given sentences does a message of the operator's say?"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.authorised_edits import Authority, EvidenceEdit, authorised, turns_before
from clawgit.agents.door.linkable import entry_meant, remembered
from clawgit.agents.models.model import TEXT, Asker, Material, ModelError, one_list, prompt_of
from clawgit.memory.corrections.correction_log import Status
from clawgit.plan import MESSAGE
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.understanding.evidence.own_sentences import own_text
from clawgit.understanding.patterns.own_words import own_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.capture.messages.message import ChatMessage

NOT_CONFIRMED = "A second reading of the message did not find that it says so."
NAME = "second-reader"  # purpose of the second reading
AUTO = "auto"
NONE = "None of these."
LONGEST = 1000  # of the agent's turn
_LETTERS = "abcde"
_SOUL = "You read what somebody says, and tell which of some sentences he says."
_TASK = (
    "Each number is one message of User's, the operator's, maybe with what the agent said right before it, and some sentences. "
    "For each number choose the one sentence that holds from now on because of that message: its subject, its values and its "
    "`not` are what the message says. A question, a guess, a joke, a quotation, or what somebody else said, says nothing: "
    "then, and in doubt, choose the sentence that held before, or none. Answer with the id of the sentence."
)
_WORD = lazy_pattern(r"[^\W\d_][\w'’-]*")
_UNSPACED = lazy_pattern(r"^[\u3400-\u9fff\uac00-\ud7a3 ]{1,8}?(?=的|在|是|은 |는 |이 |가 )")


class Reading(NamedTuple):
    """A reading of a message: a new line, maybe replacing an old one; ``other`` is the text of another entry."""

    message: str
    before: str
    old: str
    new: str
    other: str = ""

    def sentences(self) -> list[str]:
        """Return the possible meanings in an order that gives no hint."""
        wrong = (self.old, about_another(self.new, self.other), turned_round(self.new))
        every = dict.fromkeys([self.new, *filter(None, wrong), NONE])
        return sorted(every, key=lambda each: sha256(f"{self.message}\0{self.new}\0{each}".encode()).digest())


def confirmed(asker: Asker, readings: Sequence[Reading]) -> list[bool]:
    """Return for each reading whether the model confirms it; empty without a usable answer."""
    if not readings:
        return []
    materials: list[Material] = []
    choices: dict[str, str] = {}
    for number, reading in enumerate(readings, 1):
        materials.append(Material(str(number), "User, the operator", reading.message))
        if reading.before:
            turn_before = reading.before[:LONGEST]
            materials.append(
                Material(f"{number}-before", "Agent, the agent itself, right before", turn_before)
            )
        for letter, sentence in zip(_LETTERS, reading.sentences(), strict=False):
            choices[f"{number}{letter}"] = sentence
            materials.append(Material(f"{number}{letter}", "a sentence to choose", sentence))
    schema = one_list("choices", len(readings), {"number": TEXT, "sentence": TEXT})
    try:
        answer = asker.complete(prompt_of(_SOUL, _TASK, materials, schema), schema)["choices"]
    except ModelError:
        return []
    chosen = {row["number"].strip(): choices.get(row["sentence"].strip()) for row in answer}
    return [chosen.get(str(number)) == reading.new for number, reading in enumerate(readings, 1)]


def read_again(
    asker: Asker, edits: list[EvidenceEdit], near: Sequence[str], authority: Authority
) -> list[EvidenceEdit]:
    """Return the edits, each reading confirmed or with a doubt; ``near`` are other entries."""
    if authority.history.settings.second_reader != AUTO:
        return edits
    memory = remembered(authority.history.tip().tree)
    readings: dict[int, Reading] = {}
    for at, edit in enumerate(edits):
        target = entry_meant(edit.entry_id, memory)
        message = authority.store.get(edit.chat_id.removeprefix(MESSAGE))
        if target is None or message is None:
            continue
        outcome = authorised(edit, memory, authority)
        is_reading = outcome.status is Status.UNDERSTOOD
        if is_reading or (outcome.objection is not None and outcome.objection.may_be_confirmed):
            readings[at] = reading_of(message, target.parts.statement, edit.statement, near, authority)
    holds = dict(zip(readings, confirmed(asker, list(readings.values())), strict=False))
    read = list(edits)
    for at, is_confirmed in holds.items():
        doubt = "" if is_confirmed else NOT_CONFIRMED
        read[at] = edits[at]._replace(doubt=doubt, is_confirmed=is_confirmed)
    return read


def reading_of(
    message: ChatMessage, old: str, new: str, near: Sequence[str], authority: Authority
) -> Reading:
    """Return the second reader's question about a line read from a message."""
    turn_before = own_words(next(iter(turns_before(authority.store, message, most=1)), ""))
    other = next((each for each in near if each != old and about_another(new, each)), "")
    return Reading(own_text(message.text), turn_before, old, new, other)


def about_another(statement: str, other: str) -> str:
    """Return a statement with the topic of another in place of its first noun; empty if there is none."""
    first = _first_noun(statement)
    second = _first_noun(other)
    if not first or not second or subject(first) == subject(second):
        return ""
    return statement.replace(first, second, 1)


def _first_noun(statement: str) -> str:
    unspaced = _UNSPACED.match(statement)
    if unspaced is not None:
        return unspaced.group()
    words = (match.group() for match in _WORD.finditer(statement) if match.group().isascii())
    return next((word for word in words if subject(word)), "")


def turned_round(statement: str) -> str:
    """Return a statement with two values of one kind swapped, else its denial."""
    values = values_in(statement)
    for at, one in enumerate(values):
        for other in values[at + 1 :]:
            if one.kind is other.kind and one.text.casefold() != other.text.casefold():
                between = statement[one.end : other.start]
                return statement[: one.start] + other.text + between + one.text + statement[other.end :]
    return f"It is not so, or no more: {statement}"
