"""Which entries are compared: what changed, with what is most like it, each pair once."""

from __future__ import annotations

from clawgit.agents.contradictions import MOST_LIKE, alike_pairs, standing_in

PORT, OTHER, TEA = "The port of the gate is 8443.", "The gate's port is 9443 now.", "User drinks tea."


def entries(*statements: str):
    return standing_in({"MEMORY.md": "".join(f"- {each} #knowledge\n" for each in statements).encode()})


def pairs(found, changed, more=lambda _: ()):
    return [set(pair.statements) for pair in alike_pairs(found, set(changed), more)]


def test_what_changed_is_compared_with_what_shares_its_words() -> None:
    assert pairs(entries(PORT, OTHER, TEA), [OTHER]) == [{PORT, OTHER}]


def test_nothing_that_stood_before_is_compared_with_each_other() -> None:
    assert pairs(entries(PORT, OTHER, TEA), [TEA]) == []


def test_two_that_both_changed_are_compared_once() -> None:
    assert pairs(entries(PORT, OTHER), [PORT, OTHER]) == [{PORT, OTHER}]


def test_what_only_the_vectors_find_alike_is_compared_too() -> None:
    found = entries(PORT, TEA)

    assert pairs(found, [TEA], lambda _: found[:1]) == [{PORT, TEA}]


def test_one_is_compared_with_no_more_than_the_nearest() -> None:
    many = [f"The port of the gate is {number}." for number in range(3 * MOST_LIKE)]

    assert len(pairs(entries(PORT, *many), [PORT])) == MOST_LIKE


def test_of_many_that_are_as_near_the_one_that_shares_a_rare_word_comes_first() -> None:
    gates = [f"Gate {number} opens at {at}." for number in range(2 * MOST_LIKE) for at in ("08:30", "09:45")]

    assert set(gates[-2:]) in pairs(entries(*gates), gates[-1:])
