"""A model on this machine that reads pairs of entries as a careful person does: it knows what was planted, and finds that alone."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from benchmarks.understanding.scripted_model import served
from benchmarks.year.memory_checks import right

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

    from benchmarks.year.planted_year import Fact, Year

_PAIR = re.compile(r"(e:\d+) with (e:\d+)")


def careful_model(year: Year) -> AbstractContextManager[str]:
    """Serve it; its address is what the conflict-detector asks."""
    facts: dict[str, list[Fact]] = {each.name: [] for each in _facts(year)}
    for fact in _facts(year):
        facts[fact.name].append(fact)

    def answer(_: str, messages: list[dict[str, str]]) -> dict[str, Any]:
        said = messages[-1]["content"]
        lines = (json.loads(line) for line in said.splitlines() if line.startswith("{"))
        texts = {each["id"]: each["text"] for each in lines}
        pairs = _PAIR.findall("\n".join(each["content"] for each in messages))
        return {"conflicts": [found for a, b in pairs for found in _conflict(facts, texts, a, b)]}

    return served(answer)


def _facts(year: Year) -> Iterable[Fact]:
    return dict.fromkeys((*year.contradictions, *(each.fact for each in year.corrections)))


def _conflict(facts: dict[str, list[Fact]], texts: dict[str, str], a: str, b: str) -> list[dict[str, str]]:
    """Return the finding about a pair, where both tell one fact and each another value."""
    for fact in (each for name, some in facts.items() if name in texts[a] for each in some):
        here, there = (
            [value for number, value in enumerate(fact.values) if _is_of(fact, number, texts[each])]
            for each in (a, b)
        )
        if here and there and here != there:
            return [{"a": a, "b": b, "a_says": here[0], "b_says": there[0]}]
    return []


def _is_of(fact: Fact, number: int, text: str) -> bool:
    return right(fact, number, text) and fact.says(number).rstrip(".。").casefold() in text.casefold()
