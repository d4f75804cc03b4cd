"""Orders for good in a message: "always …", "never …", "from now on …", "stop …". Pure."""

from __future__ import annotations

import re

from clawgit.memory.entries.entries import Tag
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.understanding.facts.keepable_sentences import kept_in, order_in

_FOR_GOOD = lazy_pattern(
    r"\b(?:always|never|from now on|don't ever|do not ever|every time|whenever)\b|^(?:please )?stop \w+ing\b"
    r"|以后|从现在|永远|总是|一律|别再|不要再|每次|항상|절대|앞으로|언제나|今後|必ず|決して|常に"
    r"|\b(?:immer|niemals|nie|ab jetzt|ab sofort|künftig|toujours|jamais|désormais|siempre|nunca|a partir de ahora)\b",
    re.IGNORECASE,
)
MOST_LENGTH = 200


def standing_orders_in(own_text: str, *, is_ordered: bool) -> list[tuple[str, str]]:
    """Return the orders for good of a message in its sender's own words: as they were said, and without "please".

    ``is_ordered``: triage heard an order in it. Where no sentence has a form that is kept, it is taken as a whole.
    """
    kept = kept_in(own_text)
    if not kept and is_ordered:
        kept = [order_in(own_text)._replace(tag=Tag.SKILL)]
    return [
        (each.quote, each.statement)
        for each in kept
        if each.statement
        and each.tag is Tag.SKILL
        and len(each.quote) <= MOST_LENGTH
        and _FOR_GOOD.search(each.quote)
    ]
