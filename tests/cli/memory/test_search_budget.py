"""What one answer of `memory search` may cost, how sure it is, and the ids that other commands take.

Mutants seen to fail here: no budget; a budget beside a number that was asked for; the first hit counts against it,
too; the confidence of the last hit; an id only in JSON.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

DAY = "memory/2026-03-18.md"
ENTRY = "- 2026-01-20: Chose REST over GraphQL for the boiler. #decision <!-- m:7k2x9d -->\n"


@pytest.fixture
def apart(room):
    """Write forty days on which much was said about the boiler."""
    for day in range(40):
        month, number = divmod(day, 28)
        text = f"# Day\n\nThe boiler was looked at, visit {day}, {'and so on ' * 30}.\n"
        room.write(f"memory/2025-{month + 1:02}-{number + 1:02}.md", text)
    return room


def cost(data) -> float:
    return sum((len(each["snippet"]) + 1) / 4 for each in data["results"])


def test_an_answer_keeps_to_the_budget(clawgit, apart) -> None:
    data = clawgit("memory", "search", "boiler", "--json").data

    assert 1 < len(data["results"]) < 20
    assert cost(data) <= 1250


@pytest.mark.parametrize(
    ("options", "hits"),
    [
        pytest.param(("--max-results", "6", "--min-score", "0.35"), 6, id="a number of hits is no budget"),
        pytest.param(("--max-results", "30"), 30, id="more than fit"),
        pytest.param(("--max-tokens", "1"), 1, id="one at least"),
        pytest.param(("--max-tokens", "0"), 20, id="no limit but the number"),
        pytest.param(("--max-results", "30", "--max-tokens", "200"), 2, id="both"),
    ],
)
def test_whoever_asks_says_what_an_answer_may_cost(clawgit, apart, options, hits) -> None:
    assert len(clawgit("memory", "search", "boiler", *options, "--json").data["results"]) == hits


def test_where_hardly_anything_answers_little_is_handed_over(clawgit, apart) -> None:
    """Mutant: guesses fill the budget of an answer."""
    data = clawgit("memory", "search", "boiler opera tickets in Vienna with Clara", "--json").data

    assert 0 < cost(data) <= 250


def test_guesses_below_what_tells_a_host_nothing_new_are_as_few(clawgit, room) -> None:
    """Mutants: what is given to a host in place of first hits that say memory again may cost the whole budget, or is noted to have been."""
    room.write("MEMORY.md", "# Memory\n\n- The harbour opens at nine.\n")
    for day in range(1, 29):
        room.write(f"memory/2025-01-{day:02}.md", "# Day\n\nassistant: The harbour opens at nine.\n")
        room.write(
            f"memory/2025-02-{day:02}.md",
            f"# Day\n\nuser: On day {day} the harbour was seen{' again' * 30}.\n",
        )
    asked = ("memory", "search", "harbour opera tickets in Vienna with Clara", "--path", "memory/", "--json")

    first = clawgit(*asked).data
    told = clawgit(*asked, "--session", "agent:main:main", actor="host").data

    assert {each["snippet"] for each in first["results"]} == {"assistant: The harbour opens at nine."}
    assert told["confidence"] == "low"
    assert 0 < cost(told) <= 250
    noted = (
        "SELECT COUNT(*) FROM searches JOIN search_hits USING (search_id) WHERE session = 'agent:main:main'"
    )
    with closing(sqlite3.connect(room.history.state / "records.db")) as db:
        assert db.execute(noted).fetchone() == (len(told["results"]),)


def test_the_settings_say_it_for_all(clawgit, apart) -> None:
    clawgit("config", "set", "search_max_tokens", "200")

    assert len(clawgit("memory", "search", "boiler", "--json").data["results"]) == 2


def test_messages_keep_to_the_budget_with_the_notes(clawgit, apart) -> None:
    clawgit("chat", "add", "The boiler was repaired by Ada.", "--sender", "ada")

    data = clawgit("memory", "search", "boiler", "--json").data

    assert cost(data) <= 1250


@pytest.mark.parametrize(
    ("question", "confidence", "least", "most"),
    [
        pytest.param("boiler visit", "high", 0.8, 1.0, id="answered"),
        pytest.param("boiler opera tickets in Vienna with Clara", "low", 0.01, 0.4, id="not answered"),
        pytest.param("helicopter", "low", 0.0, 0.0, id="nothing found"),
    ],
)
def test_an_answer_says_how_sure_it_is(clawgit, apart, question, confidence, least, most) -> None:
    """Mutants: the word without the number; a number that is not rounded."""
    data = clawgit("memory", "search", question, "--json").data

    assert data["confidence"] == confidence
    assert least <= data["probability"] <= most
    assert data["probability"] == round(data["probability"], 2)


def test_a_weak_answer_says_so_and_what_would_look_for_meaning(clawgit, apart) -> None:
    said = clawgit("memory", "search", "boiler opera tickets in Vienna with Clara")

    assert said.err.count("Nothing in memory seems to answer this") == 1
    assert said.err.count("looks for meaning") == 1
    assert "seems to answer" not in clawgit("memory", "search", "boiler visit").err
    assert "seems to answer" not in clawgit("memory", "search", "helicopter").err


def test_a_hit_bears_what_other_commands_take(clawgit, room) -> None:
    room.write("MEMORY.md", f"# Memory\n\n## API\n\n{ENTRY}")
    room.keep("operator")

    (hit,) = clawgit("memory", "search", "GraphQL", "--json").data["results"]

    wanted = ("id", "trust", "tier", "heading", "entry_confidence")
    listed = clawgit("memory", "list", "--json").data
    assert [hit[key] for key in wanted] == ["m:7k2x9d", "operator", "T1", "API", listed[0]["confidence"]]
    assert "m:7k2x9d" in clawgit("memory", "search", "GraphQL").out
    assert clawgit("why", hit["id"]).code == 0


def test_a_line_of_a_note_has_no_id(clawgit, room) -> None:
    room.write(DAY, "- The quince harvest was good.\n")

    (hit,) = clawgit("memory", "search", "quince", "--json").data["results"]

    assert not {"id", "entry_confidence"} & set(hit)


def test_of_several_entries_in_one_hit_the_one_that_answers_is_named(room, clawgit) -> None:
    """Mutant: the ids of both are shown, and nothing says which line has which; `--json` has all."""
    lines = (
        "- The staging port is 8443. <!-- m:aaaaaa -->\n",
        "- The staging port is 9443. <!-- m:bbbbbb -->\n",
    )
    room.write("MEMORY.md", f"# MEMORY\n\n{''.join(lines)}")

    shown = clawgit("memory", "search", "staging port").out

    assert "  m:aaaaaa  (MEMORY)\n  > - The staging port is 8443.\n" in shown
    (hit,) = clawgit("memory", "search", "staging port", "--json").data["results"]
    assert hit["entries"] == ["m:aaaaaa", "m:bbbbbb"]
