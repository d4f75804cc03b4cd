"""Notes of talks with the agent: what he said himself, and memory, come before what only goes on, and before the agent's turns."""

from __future__ import annotations

from datetime import date

from clawgit.recall.index.places import Place
from clawgit.recall.ranking.outdated_places import Scored, Weights
from clawgit.recall.ranking.results import in_order
from clawgit.recall.search import search
from clawgit.recall.search_results import Query

NOTE = "memory/2026-03-04-week.md"


def snippets(room, query: str) -> list[str]:
    return [hit.snippet for hit in search(room.history, Query(query), room.now).results]


def talked(*turns: str) -> str:
    return "# Session: week\n\n" + "\n\n".join(turns) + "\n"


def test_what_he_says_comes_before_what_the_agent_says_of_it(room) -> None:
    """Seen: the agent's wrong turn was first, his own word for it second."""
    room.write(
        NOTE,
        talked(
            "user: boiler code?",
            "assistant: The boiler code is 4471.",
            "user: no, the boiler code is 8820 now, Emil has changed it",
            "assistant: Thanks.",
        ),
    )
    assert snippets(room, "boiler code")[:2] == [
        "user: no, the boiler code is 8820 now, Emil has changed it",
        "assistant: The boiler code is 4471.",
    ]


def test_a_turn_that_only_goes_on_comes_behind_what_has_a_word_of_the_question(room) -> None:
    """Seen: of the first five, three were "Ok."; a dated note was below. Mutant: of his turns and the agent's, one kind alone."""
    room.write(
        NOTE,
        talked(
            "user: the glazier charged 85",
            "assistant: Noted.",
            "user: fine",
            "assistant: Ok.",
            "user: the glazier comes again",
            "assistant: Good.",
        ),
    )
    room.write(
        "memory/2026-02-10.md", "- Tea with Emil and a letter to the glazier about the large window.\n"
    )
    found = snippets(room, "glazier")
    without = [at for at, each in enumerate(found) if "glazier" not in each]
    assert "glazier" in "".join(found[:3])
    assert not without or min(without) >= 3


def test_what_he_answers_to_the_agent_counts_as_before(room) -> None:
    """Mutant: whatever has no word of the question is put back."""
    asked = talked(
        "user: hi", "assistant: Which printer is it?", "user: A Brother, in the hall.", "assistant: Ok."
    )
    room.write(NOTE, asked)
    room.write(
        "memory/2026-02-10.md", "- Tea with Emil, and he took the old printer away to the yard of his aunt.\n"
    )
    assert snippets(room, "which printer is it")[0] == "user: A Brother, in the hall."


def test_of_core_memory_the_line_that_answers_by_itself_comes_first() -> None:
    """Seen: "which port is redis on" was answered with the gateway, which stands between the lines of both words."""

    def scored(key: int, text: str, tier: str, order: float, scores: tuple[float, float]) -> Scored:
        path = "MEMORY.md" if tier == "T1" else "memory/2026-02-10.md"
        place = Place(key, path, "memory", tier, "", key, key, "item", "", text, None, "")
        return Scored(place, order, scores[0], direct=scores[1])

    note = scored(1, "Redis moved.", "T2", 8.0, (0.6, 0.4))
    gateway = scored(2, "The gateway is old.", "T1", 4.0, (0.9, 0.0))
    redis = scored(3, "Redis is on port 6390.", "T1", 6.0, (0.8, 0.8))
    ordered = in_order([note, gateway, redis], Weights(1.5, 0, date(2026, 3, 4)), is_dated=False)
    assert [each.place.text for each in ordered] == [
        "Redis is on port 6390.",
        "Redis moved.",
        "The gateway is old.",
    ]
