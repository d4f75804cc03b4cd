"""Which pairs of entries a model takes for contradictions: a finding counts only where what it quotes is in both."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.models.answer_schema import one_list
from clawgit.agents.models.model import ModelError
from clawgit.agents.models.model_prompts import Material, as_read, prompt_of
from clawgit.memory.trust import OPERATOR
from clawgit.text.comparing.subjects import subject
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.corrections.corrected_statement import is_same
from clawgit.understanding.facts.same_statement import Relation, relation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from clawgit.agents.conflict_detector.entry_pairs import Pair, Standing
    from clawgit.agents.models.ask_model import Asker

AT_ONCE = 40  # pairs in one question
MOST_QUESTIONS = 10  # of one run
LONGEST = 600  # letters of an entry
_ID = {"type": "string", "maxLength": 40}
_QUOTE = {"type": "string", "minLength": 1, "maxLength": 400}
_SCHEMA = one_list("conflicts", AT_ONCE, {"a": _ID, "b": _ID, "a_says": _QUOTE, "b_says": _QUOTE})
_TASK = """\
The material is entries of memory. Of each pair below, say whether both can hold at the same time. List the pairs that cannot:
"a" and "b" are the two ids, "a_says" the words of the one that the other contradicts, letter by letter, "b_says" the words of the
other. A pair conflicts only where both speak of the same thing and of the same side of it, and that can be one way alone: one
port, one day, one answer. Two events, two liked things, two people, two allergies are no conflict. One that says more than the
other is none either. An empty list is a good answer. Which of the two is right is not asked.

The pairs: """


class Found(NamedTuple):
    """In what two statements conflict; ``is_plain``: besides that they say the same, so that rules may decide which one holds."""

    differs: str
    is_plain: bool = True


class Verdicts(NamedTuple):
    """What a model said: which pairs (by their statements) conflict, which it was asked about, what it cost, and notes on how it went.

    ``failed``: some pairs got no answer of use.
    """

    conflicts: Mapping[frozenset[str], Found] = {}
    asked: frozenset[frozenset[str]] = frozenset()
    tokens: int = 0
    notes: tuple[str, ...] = ()
    failed: bool = False


def ask_detector(
    asker: Asker, soul: str, pairs: Sequence[Pair], trust_of: Callable[[Standing], str]
) -> Verdicts:
    """Return what a model makes of pairs; what it gives no usable answer for is left to the rules."""
    conflicts: dict[frozenset[str], Found] = {}
    asked: set[frozenset[str]] = set()
    notes: list[str] = []
    for start in range(0, min(len(pairs), AT_ONCE * MOST_QUESTIONS), AT_ONCE):
        some = pairs[start : start + AT_ONCE]
        try:
            answer = _answer(asker, soul, some, trust_of)
        except ModelError as error:
            note = f"Rules did it: {error.message}"
            return Verdicts(conflicts, frozenset(asked), asker.spent, (*notes, note), failed=True)
        asked |= {pair.statements for pair in some}
        for pair, found in answer:
            if pair is None or not isinstance(found, Found):
                notes.append(f"Refused of the model's answer: {found}")
            else:
                conflicts[pair.statements] = found
    return Verdicts(conflicts, frozenset(asked), asker.spent, tuple(notes))


def _answer(
    asker: Asker, soul: str, pairs: Sequence[Pair], trust_of: Callable[[Standing], str]
) -> list[tuple[Pair | None, Found | str]]:
    """Return the findings of one question: the pair and in what it conflicts, or why the finding does not count."""
    entries = {each.statement: each for pair in pairs for each in pair}
    names = {statement: f"e:{number}" for number, statement in enumerate(entries, start=1)}
    material = [
        Material(names[statement], _origin(trust_of(each)), statement[:LONGEST])
        for statement, each in entries.items()
    ]
    told = {frozenset((names[pair.a.statement], names[pair.b.statement])): pair for pair in pairs}
    listed = "; ".join(f"{names[pair.a.statement]} with {names[pair.b.statement]}" for pair in pairs)
    answer = asker.complete(prompt_of(soul, _TASK + listed, material, _SCHEMA), _SCHEMA)
    return list(_findings(answer["conflicts"], told, names))


def _origin(trust: str) -> str:
    return "User, the operator" if trust == OPERATOR else "somebody else, not the operator"


def _findings(
    answer: list[dict[str, str]], told: Mapping[frozenset[str], Pair], names: Mapping[str, str]
) -> Iterator[tuple[Pair | None, Found | str]]:
    for each in answer:
        pair = told.get(frozenset((each["a"], each["b"])))
        if pair is None:
            yield (
                None,
                f"it names {each['a'][:20]!r} and {each['b'][:20]!r}, which is no pair that it was given.",
            )
            continue
        a, b = pair if names[pair.a.statement] == each["a"] else (pair.b, pair.a)
        quotes = folded(each["a_says"]), folded(each["b_says"])
        why_not = _objection(a.statement, b.statement, quotes)
        yield pair, why_not or Found(" / ".join(quotes), _say_the_same(a.statement, b.statement, quotes))


def _objection(a: str, b: str, quotes: tuple[str, str]) -> str:
    """Return what speaks against a finding, empty if nothing does."""
    for statement, quote in zip((a, b), quotes, strict=True):
        if quote not in as_read(statement[:LONGEST]):
            return f"{quote[:60]!r} is not in {statement[:60]!r}."
    if quotes[0].casefold() == quotes[1].casefold():
        return f"{quotes[0][:60]!r} is what both say."
    if relation(a, b) is Relation.SAME:
        return f"{a[:60]!r} and {b[:60]!r} say the same."
    if not subject(a) & subject(b):
        return f"{a[:60]!r} and {b[:60]!r} name nothing that both are about."
    return ""


def _say_the_same(a: str, b: str, quotes: tuple[str, str]) -> bool:
    """Say whether two statements are about one thing, what was quoted left aside: one may say more of it."""
    about, here = (subject(said) - subject(quote) for said, quote in zip((a, b), quotes, strict=True))
    return bool(about) and bool(here) and is_same(about, here)
