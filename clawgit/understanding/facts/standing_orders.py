"""An order for good that is all of a message: "always …", "never …", "from now on …", "stop …". Pure.

What changes who the agent is has to be plain: a message that says more than the order, or an order that has an end, is
none; one that has the form of an order and is no sentence that is kept as a rule is for the operator to decide.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from clawgit.memory.entries.entries import Tag
from clawgit.memory.entries.statements import sentences_of
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.understanding.facts.keepable_sentences import kept_in
from clawgit.understanding.patterns.own_words import own_words
from clawgit.understanding.triage.triage_message import triage

MOST_LENGTH = 200
_KEPT = lazy_pattern(  # the form of an order to the agent, where the sentence is one that is kept as a rule
    r"^\W*(?:(?:no|please|and|also|so),? )*(?:(?:from now on|in future),? )?(?:please )?(?:always|never|don't ever|do not ever) \w"
    r"|^\W*(?:please )?from now on,? (?!(?:i|we|he|she|they|it|my|our|his|her|their|the|a|an|this|that)\b)\w"
    r"|^(?:请)?(?:以后|从现在起|从现在开始|永远|总是|每次)|항상|절대|앞으로|^(?:今後|これからは|必ず|決して|常に)"
    r"|^\W*(?:bitte )?(?:ab jetzt|ab sofort|künftig|immer|nie|niemals)\b|^\W*(?:désormais|toujours|siempre|nunca)\b",
    re.IGNORECASE,
)
_PLAIN = lazy_pattern(  # the form of an order that no rule keeps
    r"^\W*(?:no,? )?(?:please )?(stop \w+ing\b)|^(?:请)?(?:以后|从现在起|永远)?(?:不要再|别再|永远不要)",
    re.IGNORECASE,
)
_ENDS = lazy_pattern(
    r"\b(?:until|till|unless|today|tonight|tomorrow|this (?:week|month|time)|for now|if|when)\b|今天|明天|这次|暂时|오늘|내일"
    r"|\b(?:bis|heute|morgen|jusqu|hasta|hoy)\b",
    re.IGNORECASE,
)


class Ordered(NamedTuple):
    """An order as it was given and what it says, whether it corrects the agent, and whether it is plain: else it is asked."""

    quote: str
    says: str
    corrects: bool
    is_plain: bool = True


def standing_order_in(text: str) -> Ordered | None:
    """Return the order for good that a message is; None where it is something else, or says more than that."""
    words = text.strip()
    if "\n" in words or len(words) > MOST_LENGTH or not (_KEPT.search(words) or _PLAIN.search(words)):
        return None
    if len(sentences_of(words)) != 1 or own_words(words).strip() != words:
        return None
    if words.endswith(("?", "？")) or _ENDS.search(words):
        return None
    corrects = triage(words).validator is not None
    plain = _PLAIN.search(words)
    if plain:
        return Ordered(words, words[max(0, plain.start(1)) :], corrects)
    kept = [each for each in kept_in(words) if each.tag is Tag.SKILL and each.statement]
    is_plain = len(kept) == 1
    return Ordered(words, kept[0].statement if is_plain else words, corrects, is_plain)
