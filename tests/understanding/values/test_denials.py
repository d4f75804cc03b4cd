"""What somebody does not do: said of him in the first person, told him in the second, remembered in the third."""

from __future__ import annotations

import pytest

from clawgit.memory.corrections.verdicts import Exchange, Held
from clawgit.memory.entries.entries import read_entries
from clawgit.understanding.corrections.multiple_corrections import judge_each
from clawgit.understanding.values.denials import denied


def now(entry: str, said: str, told: str) -> list[str]:
    held = [Held("MEMORY.md", each) for each in read_entries(f"- {entry} <!-- m:aaaaaa -->\n".encode())]
    verdicts = judge_each(Exchange(told, "medium", (said,)), held)
    return [reads for verdict in verdicts for _, reads in verdict.wrong]


@pytest.mark.parametrize(
    ("entry", "said", "told", "reads"),
    [
        ("User eats meat.", "You eat meat, so I chose the steak.", "No, I don't eat meat.", "User does not eat meat."),
        ("User works on Fridays.", "You work on Fridays.", "No, I don't work on Fridays.", "User does not work on Fridays."),
        ("The shop opens on Sundays.", "The shop opens on Sundays.", "No, the shop doesn't open on Sundays.", "The shop does not open on Sundays."),
    ],
)  # fmt: skip
def test_a_denial_turns_the_entry_that_says_it_of_him(entry, said, told, reads) -> None:
    """Mutant: the verb is looked for as it was told."""
    assert now(entry, said, told) == [reads]


@pytest.mark.parametrize(
    ("entry", "said", "told"),
    [
        ("User eats meat and fish.", "You eat meat.", "No, I don't eat meat."),
        ("User likes tea and coffee.", "You like tea.", "No, I don't like tea."),
        ("User eats meat on Sundays.", "You eat meat.", "No, I don't eat meat."),
        ("The shop opens on Saturdays and Sundays.", "The shop opens on Sundays.", "No, the shop doesn't open on Sundays."),
        ("Bob eats meat.", "You eat meat.", "No, I don't eat meat."),
        ("User does not eat meat.", "You eat meat.", "No, I don't eat meat."),
        ("User's wife eats meat.", "You eat meat.", "No, I don't eat meat."),
    ],
)  # fmt: skip
def test_what_an_entry_says_besides_is_not_denied_with_it(entry, said, told) -> None:
    """Mutant: what stands behind the verb is not looked at (3 of these)."""
    assert now(entry, said, told) == []


@pytest.mark.parametrize(
    "entry",
    [
        "The dog eats meat.",
        "The team eats meat.",
        "Everybody eats meat.",
        "User only eats meat.",
        "User rarely eats meat.",
        "User says Eve eats meat.",
        "User likes it when Eve eats meat.",
        "Until May User eats meat.",
    ],
)
def test_what_others_do_or_when_he_does_it_is_not_denied(entry) -> None:
    """Mutant: what stands before the verb is not looked at."""
    assert now(entry, "You eat meat.", "No, I don't eat meat.") == []


@pytest.mark.parametrize(
    ("verb", "reads"),
    [
        ("eat", "do not eat"),
        ("has", "does not have"),
        ("carries", "does not carry"),
        ("watches", "does not watch"),
        ("uses", "does not use"),
    ],
)
def test_a_verb_is_denied_in_its_person(verb, reads) -> None:
    assert denied(verb) == reads
