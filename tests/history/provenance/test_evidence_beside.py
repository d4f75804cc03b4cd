"""What the operator said himself stands beside what was read from it, and beside what it seems to contradict."""

from __future__ import annotations

from datetime import date

import pytest
from readings_made import LINK, NEW, OLD, QUOTE, WITH_LINK, WITH_QUOTE, correct, line, link, write

from clawgit.history.provenance.trust_lookup import corrections_held, open_beside

ID = "m:aaa111"


def beside(room, text: str, entry: str = ID, trust: str = "understood", on: date = date(2026, 3, 19)) -> str:
    with open_beside(room.history, on) as evidence:
        return evidence.of_line(text, entry, trust)


@pytest.fixture
def march(room):
    room.now = room.now.replace(day=8)
    return room


def test_a_reading_is_told_with_its_quote_and_what_it_took_the_place_of(march) -> None:
    correct(march)
    held = corrections_held(march.history, march.history.tip().tree)["4f1c"]

    assert beside(march, NEW) == WITH_QUOTE
    with open_beside(march.history, date(2027, 1, 1)) as evidence:
        assert evidence.of_correction(held) == WITH_QUOTE.replace("8 March", "8 March 2026")


def test_the_operators_own_line_has_nothing_beside_it(march) -> None:
    write(march, line(OLD), OLD)

    assert beside(march, OLD) == ""


@pytest.mark.parametrize(
    ("path", "text", "entry"),
    [
        pytest.param("MEMORY.md", f"- 2026-03-08: {NEW} #event\n", "", id="core memory"),
        pytest.param(
            "memory/2026-03-08.md", f"# 2026-03-08\n\n- 2026-03-08: {NEW} #event\n", "", id="a note"
        ),
    ],
)
def test_an_addition_is_told_with_its_quote(march, path: str, text: str, entry: str) -> None:
    write(march, text, QUOTE, path=path)
    said = next(row for row in march.read(path).splitlines() if NEW in row)
    entry = f"m:{said.split('m:')[1][:6]}" if "m:" in said else ""

    assert beside(march, f"2026-03-08: {NEW} #event", entry) == f'the operator\'s words, 8 March: "{QUOTE}"'


def test_a_quote_is_cut_and_holds_no_key(march) -> None:
    key = "sk-proj-" + "aB3dE5fG7h" * 4
    long = f"the board with {key} goes to Basel and " + "on and on " * 30
    write(march, line(NEW), long)

    said = beside(march, NEW)
    assert key not in said
    assert len(said) < 240


def test_a_link_stands_while_its_entry_says_just_that(march) -> None:
    """Mutant: a link stays beside whatever its entry says by now."""
    write(march, line(OLD), actor="operator")
    link(march)
    assert beside(march, f"2026-01-01: {OLD} #event", trust="operator") == WITH_LINK
    assert beside(march, OLD, "m:bbb222", "operator") == ""

    assert beside(march, "Board meetings are in Bern.", trust="operator") == ""


def test_the_two_newest_links_stand_the_newest_first(march) -> None:
    write(march, f"- {OLD}\n", actor="operator")
    for day in (9, 11, 10):
        link(march, entry_ids=(), name=f"71nk{day}", at=f"2026-03-{day:02} 09:00", trigger=f"No {day}.")

    assert (
        beside(march, OLD, "", "operator")
        == 'the operator said on 11 March: "No 11."; the operator said on 10 March: "No 10."'
    )


def test_a_link_that_a_host_writes_into_the_ledger_is_not_told(march) -> None:
    write(march, line(OLD), actor="operator")
    item = f"## 2026-03-09 09:00 <!-- x:71nk -->\n\n- trigger: {LINK}\n- said: {OLD}\n- status: linked\n"
    march.write("CORRECTIONS.md", item)
    march.git("add", "CORRECTIONS.md")
    march.git("commit", "-q", "--author=host <host@clawgit.invalid>", "-m", "x\n\nClawgit-Actor: host")

    assert beside(march, OLD, trust="operator") == ""
