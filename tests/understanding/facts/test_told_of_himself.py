"""What the operator says of himself and no rule keeps: named in the digest, unless it is of the moment or somebody else's."""

from __future__ import annotations

import pytest

from clawgit.understanding.facts.keepable_sentences import kept_in, told_of_himself


@pytest.mark.parametrize(
    ("said", "is_named"),
    [
        ("I usually run on Tuesday evenings.", True),
        ("I don't answer calls before ten.", True),
        ("I have two cats, Miso and Tofu.", True),
        ("I'm learning Portuguese. What about you?", True),
        ("I'm tired today, maybe we should stop early.", False),
        ("I want you to fix the tests.", False),
        ("I guess we can ship it.", False),
        ("Is it going to rain?", False),
        ("The staging server is down.", False),
        ('Bob wrote: "I have two cats, Miso and Tofu."', False),
    ],
)
def test_what_he_says_of_himself_is_named_where_no_rule_keeps_it(said: str, is_named: bool) -> None:
    assert kept_in(said) == []
    assert bool(told_of_himself(said)) == is_named
