"""Heartbeat triage: what one message asks of the agents, by patterns alone; no model, no files, no clock.

The miner's flag and the validator's confidence are found independently of each other.
"""

from __future__ import annotations

from clawgit.understanding.patterns import french, german, spanish
from clawgit.understanding.patterns.english import changes as english_changes
from clawgit.understanding.patterns.english import contrasts as english_contrasts
from clawgit.understanding.patterns.english import corrections as english_corrections
from clawgit.understanding.patterns.english import framed as english_framed
from clawgit.understanding.patterns.english import memory as english_memory
from clawgit.understanding.patterns.english import news as english_news
from clawgit.understanding.patterns.english import orders as english_orders
from clawgit.understanding.patterns.english import recall as english_recall
from clawgit.understanding.patterns.english import restated as english_restated
from clawgit.understanding.patterns.english import source_patterns as source
from clawgit.understanding.patterns.normalise import cut, spelled_alike
from clawgit.understanding.patterns.normalised_sentences import Said
from clawgit.understanding.patterns.own_words import own_words
from clawgit.understanding.patterns.pattern_rule import EXPLICIT, MEMORY, SOFT
from clawgit.understanding.triage.language_choice import (
    rules_by_letters,
    rules_by_names,
    rules_of_all_scripts,
)
from clawgit.understanding.triage.vetoes import veto

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from clawgit.understanding.patterns.pattern_rule import Rule
    from clawgit.understanding.triage.custom_patterns import CustomPatterns

HIGH, MEDIUM = "high", "medium"

LATIN = (
    *source.RULES,
    *english_memory.RULES,
    *english_orders.RULES,
    *english_recall.RULES,
    *english_corrections.RULES,
    *english_contrasts.RULES,
    *english_news.RULES,
    *english_changes.RULES,
    *english_restated.RULES,
    *english_framed.RULES,
    *spanish.RULES,
    *german.RULES,
    *french.RULES,
)


class Signal:
    """What triage found in a message; an empty one where there is nothing.

    ``matched`` names the patterns. ``veto`` says why nothing counts: the sender asks that it be not remembered
    (``opt-out``), or the text tries to command the agent (``command``).
    """

    __slots__ = ("custom", "matched", "miner", "validator", "veto")

    def __init__(
        self,
        matched: tuple[str, ...] = (),
        routes: Collection[str] = (),
        custom: tuple[str, ...] = (),
        veto: str = "",
    ) -> None:
        self.matched, self.custom, self.veto = matched, custom, veto
        self.miner = MEMORY in routes
        self.validator = HIGH if EXPLICIT in routes else MEDIUM if SOFT in routes else None

    def __bool__(self) -> bool:
        return bool(self.matched)


def triage(text: str, custom: CustomPatterns | None = None) -> Signal:
    """Look for the source patterns, our own and the operator's in what the sender says in his own words."""
    own = spelled_alike(own_words(cut(text)))
    said = Said(own)
    why = veto(said)
    if why:
        return Signal(veto=why)
    found = [(rule.name, rule.route) for rule in (*LATIN, *rules_by_letters(own)) if rule.is_in(said)]
    others: tuple[str, ...] = ()
    if custom is not None:
        hits = custom.hits(own)
        found += [(hit.name, hit.route) for hit in hits]
        others = tuple(dict.fromkeys(hit.route for hit in hits if hit.route not in (MEMORY, EXPLICIT, SOFT)))
    return Signal(tuple(name for name, _ in found), {route for _, route in found}, others)


def triage_literally(text: str) -> Signal:
    """Apply the twenty source patterns alone, to the text as it stands."""
    found = [(name, route) for name, route, pattern in source.LITERAL if pattern.now.search(text)]
    return Signal(tuple(name for name, _ in found), {route for _, route in found})


def all_rules() -> list[Rule]:
    """Return every rule there is; to look at one message, fewer are loaded."""
    return [*LATIN, *rules_of_all_scripts()]


def reasons(names: Iterable[str]) -> dict[str, str]:
    """Return what each rule of these languages and the Latin ones is for."""
    return {rule.name: rule.about.why for rule in (*LATIN, *rules_by_names(names))}
