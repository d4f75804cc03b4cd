"""What a model finds worth keeping: its answer is nobody's word until every part of it was looked up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clawgit.agents.model_prompts import Material, as_read, prompt_of
from clawgit.agents.models.model import ModelError
from clawgit.memory.entries.entries import Tag
from clawgit.memory.entries.statements import parted
from clawgit.text.comparing.similarity import words
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.readable_text import legible
from clawgit.text.words.tokens import count_tokens
from clawgit.understanding.facts.faithfulness import (
    has_invented_link,
    invented_sense,
    invented_subject,
    is_turned,
)
from clawgit.understanding.facts.first_person import AGENT, SAYS, USER
from clawgit.understanding.facts.keepable_sentences import is_forbidden
from clawgit.understanding.facts.select_facts import Candidate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    from clawgit.agents.models.ask_model import Asker

_OPERATOR_ELSEWHERE = ("用户", "用戶", "사용자")  # what memory calls the operator, where words have no ends
MOST_READ = 20_000  # tokens of one question: what is more waits for the next run
MOST_MEMORIES = 40
SHORTEST_QUOTE = 2  # words
MADE_OF = 3  # one word of so many, at least, stands in the message

_NAME = re.compile(r"(?<=[\w,] )[^\W\d_]\w+(?:['’]\w+)?")
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "memories": {
            "type": "array",
            "maxItems": MOST_MEMORIES,
            "items": {
                "type": "object",
                "properties": {
                    "statement": {"type": "string", "minLength": 8, "maxLength": 240},
                    "tag": {"type": "string", "enum": [tag.value for tag in Tag]},
                    "id": {"type": "string", "maxLength": 80},
                    "quote": {"type": "string", "minLength": 4, "maxLength": 200},
                },
                "required": ["statement", "tag", "id", "quote"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["memories"],
    "additionalProperties": False,
}
_TASK = (
    "The material is what was said since the last time. List what will still matter in a month: for each memory one sentence "
    "that stands alone, one tag, the id of the one message that it rests on, and the decisive words of that message as "
    "they stand there. The operator is called User in a memory. What anybody but User says is not about User, and begins with "
    'the name that "from" tells. An empty list is a good answer.'
)


def attributed(statement: str, who: str) -> str:
    """Return a statement of ``who`` as memory keeps it: it begins with whose it is, unless it is the operator's.

    The agent's own stand as they are, but for those about the operator: these would read like his.
    """
    if who == USER or _begins_with(statement, who) or (who == AGENT and not _is_about_operator(statement)):
        return statement
    return f"{who}{SAYS}{statement}"


def _begins_with(statement: str, who: str) -> bool:
    rest = statement[len(who) : len(who) + 1]
    return statement.casefold().startswith(who.casefold()) and not rest.isalnum()


def _is_about_operator(statement: str) -> bool:
    named = {USER.casefold(), f"{USER.casefold()}'s"}
    return not named.isdisjoint(words(statement)) or any(name in statement for name in _OPERATOR_ELSEWHERE)


class UnfitAnswerError(ModelError):
    """A model answered with something that was never said."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message as a model gets to read it: its sender's own words, who that is, and when they were said.

    ``who`` is what memory calls the sender: `User` is the operator, `Agent` the agent itself; ``place`` is where in the talk
    it stands.
    """

    evidence_id: str
    text: str
    who: str
    on: date
    session: str
    trust: str
    place: int = 0
    at: str = ""

    @property
    def tokens(self) -> int:
        """Return about how many tokens it is."""
        return count_tokens(self.text)


def within_budget(said: Iterable[Said]) -> list[Said]:
    """Return as many messages, from the first on, as one question may hold; at least one."""
    found: list[Said] = []
    used = 0
    for each in said:
        used += each.tokens
        if found and used > MOST_READ:
            break
        found.append(each)
    return found


def ask_miner(asker: Asker, soul: str, said: Sequence[Said]) -> list[Candidate]:
    """Return what the model finds worth keeping in messages.

    Raises:
        ModelError: It gave no answer, or one that names or quotes what is not there; nothing of it is used.
    """
    if not said:
        return []
    material = [
        Material(each.evidence_id, _origin(each.who), each.text, each.on.isoformat()) for each in said
    ]
    answer = asker.complete(prompt_of(soul, _TASK, material, _SCHEMA), _SCHEMA)
    known = {each.evidence_id: each for each in said}
    found = []
    for memory in answer["memories"]:
        against = _objection(memory, known.get(memory["id"]))
        if against:
            raise UnfitAnswerError(
                f"The model's answer was not used: {against}.",
                hint="The next run works by rules on what is still the same.",
                reached=True,
                spent=asker.spent,
            )
        found.append(_candidate(memory, known[memory["id"]]))
    return found


def _origin(who: str) -> str:
    return {USER: "User, the operator", AGENT: "Agent, the agent itself"}.get(who, f"{who}, not the operator")


def _candidate(memory: Mapping[str, str], said: Said) -> Candidate:
    statement = attributed(parted(folded(memory["statement"])).statement, said.who)
    quote = folded(memory["quote"])
    return Candidate(
        said.evidence_id,
        quote,
        statement,
        Tag(memory["tag"]),
        said.on,
        said.session,
        said.trust,
        said.place,
        at=said.at,
    )


def _names(statement: str) -> set[str]:
    """Return what looks like a name inside a statement, in small letters."""
    return {word for name in _NAME.findall(statement) if name[0].isupper() for word in words(name)}


def _objection(memory: Mapping[str, str], said: Said | None) -> str:
    """Return what speaks against one memory of an answer, empty if nothing does."""
    if said is None:
        return f"it names {folded(memory['id'])[:40]!r}, which it was not given"
    text, quote, statement = as_read(said.text), folded(memory["quote"]), folded(memory["statement"])
    if (
        quote not in folded(text)
        or len(words(quote)) < SHORTEST_QUOTE
        or set(words(quote)) - set(words(text))
    ):
        return f"it quotes what {said.evidence_id} does not say"
    if is_forbidden(legible(statement).text) or "<!--" in statement or "-->" in statement:
        return "a memory of it speaks of instructions, of the agent's own files or of secrets"
    if unfaithful := _unfaithful(statement, quote, text, said.who):
        return unfaithful
    there = {*words(f"{text}\n{said.who}\n{said.who}'s"), *words(said.on.isoformat())}
    asked = words(parted(statement).statement)
    telling = {word for word in asked if any(map(str.isdigit, word))} | _names(statement)
    invented = next((word for word in asked if word in telling and word not in there), None)
    if invented is not None:
        return f"{said.evidence_id} says nothing of {invented}"
    if MADE_OF * sum(word in there for word in asked) < len(asked):
        return f"a memory of it has little to do with {said.evidence_id}"
    return ""


def _unfaithful(statement: str, quote: str, text: str, who: str) -> str:
    """Return in what a statement says something else than its message, empty if nothing is seen."""
    is_operators = who == USER
    if is_turned(statement, quote, text):
        return "a memory of it says the contrary of what was said"
    if has_invented_link(statement, text, is_operators=is_operators):
        return "a memory of it holds a link that the operator did not write"
    invented = invented_subject(statement, f"{who} {text}", is_operators=is_operators)
    if invented:
        return f"a memory of it is about {invented}, of whom nothing was said"
    sense = invented_sense(statement, f"{who} {text}")
    return f"a memory of it {sense}" if sense else ""
