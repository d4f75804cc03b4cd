"""Heartbeat triage: what one message asks of the agents, by patterns alone; no model, no files, no clock.

The miner's flag and the validator's confidence are found independently of each other.
"""

from __future__ import annotations

from clawgit.capture.triage import (
    chinese_corrections,
    chinese_memory,
    chinese_recall,
    english_corrections,
    english_memory,
    english_news,
    english_orders,
    english_recall,
    french,
    german,
    japanese,
    korean_memory,
    korean_recall,
    source,
    spanish,
)
from clawgit.capture.triage.expressions import Lazy
from clawgit.capture.triage.own_words import own_words
from clawgit.capture.triage.rules import EXPLICIT, MEMORY, SOFT, Rule
from clawgit.capture.triage.sentences import Said
from clawgit.capture.triage.spelling import cut, spelled_alike
from clawgit.capture.triage.vetoes import veto

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from clawgit.capture.triage.custom import CustomPatterns

HIGH, MEDIUM = "high", "medium"

LATIN = (
    *source.RULES,
    *english_memory.RULES,
    *english_orders.RULES,
    *english_recall.RULES,
    *english_corrections.RULES,
    *english_news.RULES,
    *spanish.RULES,
    *german.RULES,
    *french.RULES,
)
SCRIPTS = (
    (Lazy("[\uac00-\ud7a3]"), (*korean_memory.RULES, *korean_recall.RULES)),
    (Lazy("[\u3400-\u9fff]"), (*chinese_memory.RULES, *chinese_recall.RULES, *chinese_corrections.RULES)),
    (Lazy("[\u3040-\u30ff]"), japanese.RULES),
)
RULES = (*LATIN, *(rule for _, rules in SCRIPTS for rule in rules))


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
    found = [(rule.name, rule.route) for rule in _rules_for(own) if rule.is_in(said)]
    others: tuple[str, ...] = ()
    if custom is not None:
        hits = custom.hits(own)
        found += [(hit.name, hit.route) for hit in hits]
        others = tuple(dict.fromkeys(hit.route for hit in hits if hit.route not in (MEMORY, EXPLICIT, SOFT)))
    return Signal(tuple(name for name, _ in found), {route for _, route in found}, others)


def _rules_for(text: str) -> list[Rule]:
    """Return the rules for the letters that the text has."""
    rules = list(LATIN)
    if not text.isascii():
        for letters, others in SCRIPTS:
            if letters.now.search(text):
                rules.extend(others)
    return rules


def triage_literally(text: str) -> Signal:
    """Apply the twenty source patterns alone, to the text as it stands."""
    found = [(name, route) for name, route, pattern in source.LITERAL if pattern.now.search(text)]
    return Signal(tuple(name for name, _ in found), {route for _, route in found})
