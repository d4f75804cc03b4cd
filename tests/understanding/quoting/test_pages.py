"""What was pasted is told by how its lines are laid out; what is laid out nearly so, and is the operator's own, stays."""

from __future__ import annotations

import pytest

from clawgit.understanding.facts.keepable_sentences import Voice, kept_in
from clawgit.understanding.quoting.pages import without_pages

MIB = 1 << 20
TEA = "I prefer tea over coffee."


@pytest.mark.parametrize(
    ("pasted", "own"),
    [
        pytest.param("Green soup\n\nServes 4\n\n- leek\n- peas", "Hello there\n\n- leek\n- peas", id="a title above a list, a greeting"),
        pytest.param("Green soup\n\nFor: four\nStir it.", "My green soup\n\nFor: four\nStir it.", id="a title above labels, one's own"),
        pytest.param("Green soup\n\nWeekday dinner\n\nIt is quick.", "Green soup\n\nI ate it.\n\nIt is quick.", id="two titles, one's own words"),
        pytest.param("On soup\n\nPeas are sweet. Leeks are not.\n\nI cook. I eat.", "On soup\n\nPeas are sweet. Leeks are not.\n\nDo you cook? I eat.", id="an article, one to somebody"),
        pytest.param("mia_b\nI moved.\n\njonas\nMe too.", "mia stays\nI moved.\n\njonas too\nI moved.\n\nand what a day it was\nI moved.", id="names above remarks, a line above another"),
        pytest.param("INGREDIENTS\nleek\n\nMETHOD\nStir.", "WOW WHAT SOUP\nI ate it.\n\nMUCH MORE SOUP\nI ate it.", id="headings, above one's own"),
        pytest.param("What you get:\n- a desk\n\nWhat we ask:\n- patience", "For lunch:\n- I want soup\n\nFor dinner:\n- I want soup", id="headings with a colon, above one's own"),
        pytest.param("[Intro]\nI ate it\n[Outro]\nI ate it", "[Intro]\nI ate it", id="parts in brackets, one alone"),
        pytest.param("The pea is green\nThe leek is long\n\nThe soup is hot\nThe night is young\n\nAnd so\nWe eat", "I see the pea.\nI see the leek.\n\nThe soup is hot.\nThe night is young.\n\nAnd so.\nWe eat.", id="stanzas, sentences"),
        pytest.param("The pea, green,\nthe leek, long,\nthe soup hot\nall night long.", "I have peas, green.\nI have leeks, long.\nSoup, hot.\nNight, young.", id="lines that go on, lines that end"),
        pytest.param('It rained.\n\n"Soup," said the stranger.\n\nI ate.', '"Soup," said the stranger.\nI ate.', id="a story, a line of one"),
        pytest.param("It rained.\n\n— Soup?\n\n— Soup.\n\nI ate.", "It rained.\n\n— and how.\n\nI ate.", id="speech behind dashes, a dash"),
        pytest.param("Is it hot?\nIt is.\n\nIs it green?\nIt is.", "Is it hot?\nI hope so.\n\nIs it green?\nI hope so.", id="answers, one's own"),
        pytest.param("A cook has 3 peas.\n(a) How many?\n(b) Why?", "A cook has 3 peas.\nHow many?\nWhy?", id="an exercise, questions"),
        pytest.param("1/ Soup.\n\n2/ More soup.", "1/2 cup of peas.\n\nMore soup.", id="posts, a fraction"),
        pytest.param("$ make soup\nok", "$ 5 for soup\nok", id="a prompt, a price"),
        pytest.param("[12:01:03] ERROR no soup\nok", "The ERROR was mine\nok", id="a log, a word"),
        pytest.param("00:00:01,200 --> 00:00:02,000\nSoup!", "00:01 soup\nSoup!", id="subtitles, a time"),
    ],
)  # fmt: skip
def test_a_page_is_told_by_its_lines(pasted: str, own: str) -> None:
    """Mutants: each finder left out, each of what speaks against it left out."""
    assert without_pages(f"{TEA}\n\n{pasted}").strip() in ("", TEA)
    assert own.splitlines()[-1] in without_pages(own)
    assert own.splitlines()[0] in without_pages(own)


STRANGE = {
    "minutes": "Present: Ito, Okafor\nPlace: room 2\n1. The rent was raised.\n2. The roof is mended in May.",
    "a table": "| Name | Likes |\n|---|---|\n| Ito | tea |\n| Okafor | soup |",
    "columns": "王芳 31 喜欢爬山\n李强 28 喜欢下棋\n赵敏 35 不喜欢运动\n周婷 41 喜欢茶",
    "a recipe": "500 g flour\n2 eggs\nFold it.\nNo salt.\nCool for an hour.",
    "clauses": "4.1 The lease starts on 1 May.\n4.2 It ends after two years.\n5.1 The deposit is 900 euros.\n5.2 No pets.",
}


@pytest.mark.parametrize("strange", STRANGE.values(), ids=STRANGE)
def test_where_hardly_a_line_is_said_of_oneself_the_blocks_of_others_go(strange: str) -> None:
    """Mutants: one line of one's own in a long text saves it all, or goes with it; a short message is looked at so."""
    assert without_pages(strange).strip() == ""
    assert without_pages(f"{strange}\n{strange}\n{TEA}").strip() == TEA
    assert without_pages(f"{strange}\n{strange}\n\nWe chose REST.").strip() == "We chose REST."
    short = "\n".join(strange.splitlines()[:3])
    assert without_pages(short) == short


@pytest.mark.parametrize(
    "own",
    [
        pytest.param("Facts for later:\n- the rent was raised\n- no pets\n- the roof leaks\n- Ito has the keys\n- tea", id="a list that is introduced"),
        pytest.param("Decisions\n\n- We use Postgres.\n- We ship on Fridays.", id="a title that is a label"),
        pytest.param("Decisions from today\n\n- Postgres for the shop\n- Tom is responsible for billing", id="a title that tells of decisions"),
        pytest.param("Architecture\n\n- We decided to use Postgres.\n- We ship on Fridays.", id="a list of what was decided"),
        pytest.param("The rent was raised.\nNo pets.\nThe roof leaks.\nTom is responsible for billing.", id="a fact of somebody"),
        pytest.param("Rent.\nNo pets.\nThe roof leaks.\nNever pay in cash.", id="a rule"),
        pytest.param("Rent.\nNo pets.\nThe roof leaks.\nDecision: pay by card.", id="a label"),
        pytest.param("The rent was raised.\nNo pets.\nThe roof leaks.\nWhat next?", id="a question"),
        pytest.param("房租涨了\n不能养宠物\n屋顶漏水\n帮我找一家", id="a task"),
    ],
)  # fmt: skip
def test_a_message_with_something_of_ones_own_stays(own: str) -> None:
    """Mutants: each of what speaks for it left out."""
    assert without_pages(own) == own


@pytest.mark.parametrize(
    "text",
    [
        *("Ab\n\n" * 50_000, "1. a\n\n" * 30_000, "a\tb\nc\n\n" * 30_000, "ab: c\n" * 50_000, "A" * MIB + "\nx"),
        *(" " * MIB + "x\ny", "a: " + " " * MIB + ".\nx", "ab,\n" * 50_000, "1.1" * MIB + "\nx"),
        *('"a" ' + "b " * MIB + "\n\nx\n\ny", "# " + "a " * MIB + "\nb", "ABCD " * MIB + "\nq"),
    ],
    ids=range(12),
)  # fmt: skip
def test_a_long_hostile_message_is_laid_out(text: str) -> None:
    """One second at most; where the work grows with the square of a line, it takes as long as a test may take.

    Mutant: space of any length before what is looked for.
    """
    assert {*without_pages(text).split("\n")} <= {"", *text.split("\n")}


def test_an_agent_writes_pages_of_its_own() -> None:
    """Mutant: headings of an agent's own summary make it somebody else's text."""
    page = "Done.\n\n## Front\n- a login page\n- a menu\n\n## Back\n- two tables\n\nDecision: the launch is on May 4."

    assert [each.statement for each in kept_in(page, Voice.AGENT)] == ["the launch is on May 4."]
    assert kept_in(page, Voice.OPERATOR) == []
