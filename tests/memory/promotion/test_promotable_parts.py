"""Which parts of notes are worth keeping for good: the vectors' lines and scenarios, and where a note is cut."""

from __future__ import annotations

import json
from datetime import date, datetime

import pytest
from tests_folder import TESTS

from clawgit.memory.entries.entries import EntryError
from clawgit.memory.promotable_parts import (
    LEAST,
    parts_of,
    promotable,
    recent,
    score_of,
    target_of,
    with_part,
    without_parts,
)

VECTORS = json.loads((TESTS / "vectors" / "promotion_lines.json").read_text("utf-8"))
DAY = date(2026, 3, 19)
NOTE = "memory/2026-03-19.md"
# What a person would decide otherwise: the table has the source's words and their translations, and reads no sense.
OTHERWISE = {
    "P051": "one weak word alone: only 설계 is of the table",
    "P072": "prices of a coffee: two words of money in small talk",
    "P076": "a decision about lunch",
    "P080": "a decision that was not made yet: words are counted, sense is not read",
    "P083": "no word of the table",
    "P084": "no word of the table",
    "P085": "no word of the table",
    "P088": "no word of the table",
    "P093": "preferences are no category of the source",
    "P094": "no word of the table",
}


def cases() -> list:
    marks = {name: [pytest.mark.xfail(strict=True, reason=why)] for name, why in OTHERWISE.items()}
    return [pytest.param(case, id=case["id"], marks=marks.get(case["id"], [])) for case in VECTORS["cases"]]


@pytest.mark.parametrize("case", cases())
def test_sections_of_the_vectors(case: dict) -> None:
    data = f"# 2026-03-19\n\n## {case['heading']}\n\n{case['body']}\n".encode()

    found = promotable({NOTE: data})

    wanted = case["human"]["candidate"]
    assert wanted in (None, bool(found))
    assert not (case["hard"] and case["id"] in OTHERWISE)
    assert VECTORS["threshold"] * 100 == LEAST
    assert (
        set(case["seed_table_categories"]) <= set(score_of(f"{case['heading']}\n{case['body']}").categories)
        or not wanted
    )


@pytest.mark.parametrize("case", VECTORS["scenario_cases"], ids=lambda case: case["id"])
def test_scenarios_of_the_vectors(case: dict) -> None:
    on, options = datetime.fromisoformat(case["now"]).date(), case["options"]
    paths = recent(case["files"], on, options.get("daysBack", 7))
    least = round(100 * options.get("minConfidence", 0.4))

    found = promotable({path: case["files"][path].encode() for path in paths}, least=least)

    titles = [each.part.title for each in found]
    assert len(found) == case.get("expect_candidates", len(found))
    assert titles == case.get("expect_order", titles)
    assert sorted(titles) == sorted(case.get("expect_sections", titles))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("★ rotate the keys", id="a star"),
        pytest.param("기억해: 금요일은 쉬는 날", id="Korean"),
        pytest.param("记住这个：每月轮换密钥", id="Chinese"),
        pytest.param("CRITICAL rotate the keys", id="English"),
    ],
)
def test_what_is_explicit_passes_alone(text: str) -> None:
    assert score_of(text).score >= LEAST
    assert score_of(text).categories == ("explicit",)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("不用记住这个", id="a Chinese not"),
        pytest.param("기억하지 마", id="a Korean not"),
        pytest.param("Was the patent granted?", id="a question"),
        pytest.param("The designer shipwrecked $HOME", id="parts of words, and a variable"),
        pytest.param("an unimportant: thing", id="the end of a word"),
    ],
)
def test_what_is_no_trigger(text: str) -> None:
    assert score_of(text).score < LEAST


def test_particles_do_not_hide_a_word() -> None:
    """Mutant: Python's own word boundary takes `GDPR을` for one word."""
    assert score_of("GDPR을 준수").categories == ("legal",)
    assert score_of("REST设计和schema已确认").categories == ("decision", "architecture")


def test_a_day_s_list_is_looked_at_item_by_item_and_a_section_as_a_whole() -> None:
    data = b"# 2026-03-19\n\n- IMPORTANT: rotate\n  the keys\n- soup\n\nDecided to go.\n\n## Notes\n\nsoup\n\n#### Deep\n\nit was approved\n\n```\n# no heading\n```\n"

    found = promotable({NOTE: data})

    assert [(each.part.title, each.part.text.strip()) for each in found] == [
        ("", "- IMPORTANT: rotate\n  the keys"),
        ("", "Decided to go."),
        ("Notes", "soup\n\n#### Deep\n\nit was approved\n\n```\n# no heading\n```"),
    ]


def test_what_goes_leaves_the_rest_as_it_was() -> None:
    data = b"## Notes\r\n\r\nfeed the cat\r\n\r\n## Notes\r\n\r\nIMPORTANT\r\n\r\n## Lunch\r\n\r\nnoodles\r\n"
    (one,) = [part for part in parts_of(data) if "IMPORTANT" in part.text]

    assert without_parts(data, [one]) == b"## Notes\r\n\r\nfeed the cat\r\n\r\n## Lunch\r\n\r\nnoodles\r\n"
    assert without_parts(data, parts_of(data)) == b""
    assert without_parts(data, []) == data


def test_the_routine_of_every_day_is_not_promoted() -> None:
    notes = {
        f"memory/2026-03-{day}.md": f"- Standup confirmed.\n- Day {day} approved.\n".encode()
        for day in range(14, 19)
    }

    assert {each.part.text.split()[1] for each in promotable(notes)} == {"Day"}


def test_what_was_set_right_is_not_promoted() -> None:
    assert promotable({NOTE: b"- The port is 8080, confirmed.\n"}, ["The port is 8080"]) == []


@pytest.mark.parametrize(
    ("there", "categories", "target"),
    [
        pytest.param(
            {"MEMORY.md", "memory/legal.md"}, ["legal", "decision"], "memory/legal.md", id="the strongest"
        ),
        pytest.param(
            {"MEMORY.md", "memory/decisions.md"}, ["decision"], "memory/decisions.md", id="of several"
        ),
        pytest.param(
            {"MEMORY.md", "memory/decision.md"}, ["legal", "decision"], "MEMORY.md", id="no weaker one"
        ),
        pytest.param({"memory.md"}, ["legal"], "memory.md", id="the other name"),
        pytest.param(set(), [], "MEMORY.md", id="nothing yet"),
    ],
)
def test_the_strongest_category_decides_the_file(there: set, categories: list, target: str) -> None:
    assert target_of(categories, there.__contains__) == target


def test_parts_of_one_day_gather_below_one_heading() -> None:
    once = with_part(b"# MEMORY\n\n- tea\n", "", DAY, [b"- one\n"])
    twice = with_part(once + b"\n## Later\n\nx\n", "", DAY, [b"- two\n"])

    assert once == b"# MEMORY\n\n- tea\n\n## 2026-03-19\n\n- one\n"
    assert twice == b"# MEMORY\n\n- tea\n\n## 2026-03-19\n\n- one\n- two\n\n## Later\n\nx\n"


def test_nothing_is_put_into_open_code() -> None:
    with pytest.raises(EntryError):
        with_part(b"```\nopen\n", "", DAY, [b"- one\n"])
    with pytest.raises(EntryError):
        with_part(b"# MEMORY\n", "", DAY, [b"```\n", b"open\n"])
