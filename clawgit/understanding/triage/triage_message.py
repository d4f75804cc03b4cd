"""Heartbeat triage: one message's work for the agents, by patterns alone; no model, no files, no clock.

The miner's flag and the validator's confidence are independent.
"""

from __future__ import annotations

from clawgit.understanding.patterns import east_asian, english, european
from clawgit.understanding.patterns.own_words import own_words
from clawgit.understanding.patterns.pattern_rule import (
    COMMAND,
    EXPLICIT,
    MEMORY,
    OPT_OUT,
    SOFT,
    WHY,
    MessageSentences,
    cut,
    spelled_alike,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from clawgit.understanding.patterns.pattern_rule import Rule
    from clawgit.understanding.triage.custom_patterns import CustomPattern, CustomPatterns

HIGH, MEDIUM = "high", "medium"
OWN = "Your own pattern."
ALL_RULES = (*english.RULES, *european.RULES, *east_asian.RULES)
_OPT_OUTS = tuple(rule for rule in ALL_RULES if rule.route == OPT_OUT)
_VETOES = (*_OPT_OUTS, *(rule for rule in ALL_RULES if rule.route == COMMAND))
_HEARD = tuple(rule for rule in ALL_RULES if rule not in _VETOES)


class Signal:
    """The findings of triage in a message, empty without any.

    ``matched`` names the patterns. ``veto`` says why nothing counts: the sender asks not to remember it
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
        self.validator = None
        if EXPLICIT in routes:
            self.validator = HIGH
        elif SOFT in routes:
            self.validator = MEDIUM

    def __bool__(self) -> bool:
        return bool(self.matched)


def triage(text: str, custom: CustomPatterns | None = None) -> Signal:
    """Search the sender's own words for the source patterns, clawgit's and the operator's."""
    own = spelled_alike(own_words(cut(text)))
    message = MessageSentences(own)
    why = next((rule.route for rule in _VETOES if rule.is_in(message)), "")
    if why:
        return Signal(veto=why)
    hits: list[Rule | CustomPattern] = [rule for rule in _HEARD if rule.is_in(message)]
    others: tuple[str, ...] = ()
    if custom is not None:
        own_hits = custom.hits(own)
        hits += own_hits
        others = tuple(dict.fromkeys(hit.route for hit in own_hits if hit.route not in WHY))
    return Signal(tuple(hit.name for hit in hits), {hit.route for hit in hits}, others)


def asks_to_forget(text: str) -> bool:
    """Say whether the sender asks in his own words not to remember this."""
    message = MessageSentences(spelled_alike(own_words(cut(text))))
    return any(rule.is_in(message) for rule in _OPT_OUTS)


def triage_literally(text: str) -> Signal:
    """Apply the twenty source patterns alone, to the text as it is."""
    hits = [(name, route) for name, route, pattern in english.LITERAL if pattern.now.search(text)]
    return Signal(tuple(name for name, _ in hits), {route for _, route in hits})


def reasons(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the routes of these rules, with the rules' names."""
    why = {rule.name: WHY[rule.route] for rule in _HEARD}
    rules: dict[str, list[str]] = {}
    for name in names:
        rules.setdefault(why.get(name, OWN), []).append(name)
    return rules
