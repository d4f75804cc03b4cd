"""How English says that somebody does not do something: `you eat`, `he eats`, `you do not eat`, `he does not eat`. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.understanding.values.value_positions import place_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_SAID_TO_HIM = re.compile(r"(?i)\b(?:you|i)\b")
_CALLED = re.compile("(?:[Tt]he )?[Uu]ser")  # a name may be another's
_VERB = re.compile(r"[a-z]+")
_END = " .!"


def denied(verb: str) -> str:
    """Return a verb with a `not`, of the same person."""
    return f"does not {_bare(verb)}" if verb.endswith("s") else f"do not {verb}"


def as_memory_says(
    said: str, statement: str, exchanges: Sequence[tuple[str, str]]
) -> Sequence[tuple[str, str]]:
    """Return what gives way to what in an entry, which says `User eats` where he was told `you eat`."""
    verb = _denied_verb(exchanges)
    if not verb or not _SAID_TO_HIM.search(said) or place_of(statement, verb):
        return exchanges
    his = _of_a_third(verb)
    place = place_of(statement, his)
    if place is None or not _CALLED.fullmatch(statement[: place[0]].strip()):
        return exchanges
    return ((his, denied(his)),)


def denies_all(said: str, statement: str, exchanges: Sequence[tuple[str, str]]) -> bool:
    """Say whether a verb that is denied has the same behind it in both: who eats no meat may eat fish."""
    verb = _denied_verb(exchanges)
    return not verb or _behind(statement, verb) in (_behind(said, verb), _behind(said, _bare(verb)))


def _denied_verb(exchanges: Sequence[tuple[str, str]]) -> str:
    """Return the verb that gets a `not` and nothing else, empty where something else is changed."""
    gone, came = exchanges[0]
    return gone if len(exchanges) == 1 and _VERB.fullmatch(gone) and came == denied(gone) else ""


def _behind(text: str, verb: str) -> str | None:
    place = place_of(text, verb)
    return None if place is None else text[place[1] :].strip(_END).casefold()


def _of_a_third(verb: str) -> str:
    if verb == "have":
        return "has"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("o", "ch", "sh", "x", "ss", "z")) else f"{verb}s"


def _bare(verb: str) -> str:
    """Return a verb without the ending of `he likes`, `she watches`, `it carries`."""
    if verb == "has":
        return "have"
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("oes", "ches", "shes", "xes", "sses")) else verb[:-1]
