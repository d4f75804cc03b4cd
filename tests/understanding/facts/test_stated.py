"""What the operator says to his agent and no rule keeps: named in the digest, unless it is of the moment or somebody else's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clawgit.understanding.facts.keepable_sentences import kept_in, stated_in

SENTENCES = json.loads(Path(__file__).with_name("heard_sentences.json").read_text("utf-8"))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("said", SENTENCES["facts"])
def test_a_fact_is_kept_or_named(said: str) -> None:
    """Mutant: only what begins with `I` or `my` is."""
    assert kept_in(said) or stated_in(said) == [said]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("said", SENTENCES["chatter"])
def test_chatter_is_neither(said: str) -> None:
    """Mutant: every sentence without a question mark is a statement."""
    assert kept_in(said) == []
    assert stated_in(said) == []


@pytest.mark.parametrize("name", ["Ich heiße Ida.", "Me llamo Ida.", "Je m'appelle Ida.", "My name is Ida."])
def test_his_name_is_kept_in_whatever_language(name: str) -> None:
    """Seen: `Ich heiße Ida.` was heard and not kept."""
    assert [each.quote for each in kept_in(name)] == [name]


def test_a_verb_of_names_without_a_name_is_not_kept() -> None:
    assert kept_in("Ich heiße das nicht gut.") == []


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("said", "is_named"),
    [
        ("I usually run on Tuesday evenings.", True),
        ("I don't answer calls before ten.", True),
        ("I have two cats, Miso and Tofu.", True),
        ("I'm learning Portuguese. What about you?", True),
        ("The wifi password is sunflower.", True),
        ("Mei hat jetzt einen neuen Job bei Siemens.", True),
        ("La voiture passe au contrôle avant le 3 mai.", True),
        ("La deuxième version, en 3 lignes.", False),
        ("Los 5 mejores libros de 2024.", False),
        ("Il fait 30 degrés ici.", False),
        ("Jajaja, mi perro gana 3000 euros al mes.", False),
        ("J'aimerais que le loyer soit de 500 euros.", False),
        ("I'm tired today, maybe we should stop early.", False),
        ("My blood group is O negative, in case you ever need it", True),
        ("Saturdays we have a stall at the market", True),
        ("Could you answer me in a more cheerful way?", True),
        ("Would you please keep it shorter?", True),
        ("Please be a bit more cheerful", True),
        ("Schreib mir bitte keine so langen Antworten", True),
        ("Antworte mir bitte ohne Aufzählungen", True),
        ("when a customer asks about allergens never guess", True),
        ("When I was young I never had a dog", False),
        ("Can you answer more of these?", False),
        ("Could you write a shorter version of this mail?", False),
        ("I want you to fix the tests.", False),
        ("Fix tests in main before noon.", False),
        ("I guess we can ship it.", False),
        ("Is it going to rain?", False),
        ("Did I tell you that I moved to Rome?", False),
        ("Do you remember that I told you the code is 4411?", False),
        ("Habe ich dir gesagt, dass ich umgezogen bin?", False),
        ("Could you remember what I told you about the rent?", False),
        ("Didn't I tell you that the rent is 900 now?", True),
        ("Is 4821 my PIN?", False),
        ("The staging server is down.", False),
        ('Bob wrote: "I have two cats, Miso and Tofu."', False),
    ],
)
def test_what_states_something_is_named_where_no_rule_keeps_it(said: str, is_named: bool) -> None:
    """Seen: a question whether something was told stood under what was heard and not kept, and one for it in MEMORY.md.

    Mutants: what triage hears in a question states something; a reproach in a question states nothing.
    """
    assert kept_in(said) == []
    assert bool(stated_in(said)) == is_named
