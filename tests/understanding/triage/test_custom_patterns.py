"""The operator's own patterns: routes, flags, and that none of them can hold up a message.

Mutants that these tests caught: Python's own engine in place of RE2 (the test never ends), no limit for the size of a
pattern's program, a bundle whose members are not asked one by one, the tail of a long message not looked at.
"""

from __future__ import annotations

import sys

import pytest

from clawgit.understanding.triage.custom_patterns import MAX_PATTERNS, CustomPatterns, read_patterns
from clawgit.understanding.triage.triage_message import triage


def signal(text: str, *items: str):
    patterns = read_patterns(items)
    assert [pattern.problem for pattern in patterns if pattern.problem] == []
    return triage(text, CustomPatterns(patterns))


@pytest.mark.parametrize(
    ("item", "text", "miner", "validator", "custom"),
    [
        pytest.param(
            "/invoice/ -> accounting", "the invoice came", False, None, ("accounting",), id="own route"
        ),
        pytest.param(
            "/invoice/ => accounting", "the invoice came", False, None, ("accounting",), id="other arrow"
        ),
        pytest.param("/invoice/ accounting", "the invoice came", False, None, ("accounting",), id="no arrow"),
        pytest.param("/invoice/", "the invoice came", True, None, (), id="no route is the miner's"),
        pytest.param("invoice", "the INVOICE came", True, None, (), id="no slashes, any case"),
        pytest.param("/invoice", "the /INVOICE came", True, None, (), id="one slash is a letter"),
        pytest.param("/invoice/ -> memory", "the invoice came", True, None, (), id="miner"),
        pytest.param("/invoice/ -> high", "the invoice came", False, "high", (), id="high"),
        pytest.param("/invoice/ -> explicit", "the invoice came", False, "high", (), id="explicit"),
        pytest.param("/invoice/ -> medium", "the invoice came", False, "medium", (), id="medium"),
        pytest.param("/invoice/ -> x", "the INVOICE came", False, None, (), id="case counts"),
        pytest.param("/invoice/i -> x", "the INVOICE came", False, None, ("x",), id="unless i is said"),
        pytest.param("/a.b/ -> x", "a\nb", False, None, (), id="dot is no line end"),
        pytest.param("/a.b/s -> x", "a\nb", False, None, ("x",), id="unless s is said"),
        pytest.param("/^b/ -> x", "a\nb", False, None, (), id="^ is the beginning"),
        pytest.param("/^b/m -> x", "a\nb", False, None, ("x",), id="of a line with m"),
        pytest.param("/a/b/ -> x", "a/b", False, None, ("x",), id="a slash inside"),
        pytest.param("/don't/ -> x", "I don’t", False, None, ("x",), id="curly apostrophe"),
        pytest.param("/결제/ -> x", "결제가 늦었어", False, None, ("x",), id="Korean"),
        pytest.param(
            "/invoice/ -> x", "```\ninvoice\n```\nwhat is that?", False, None, (), id="not in code blocks"
        ),
        pytest.param(
            "/invoice/ -> x", "invoice 12, don't remember that", False, None, (), id="not after an opt-out"
        ),
    ],
)
def test_a_pattern_finds_and_routes(item, text, miner, validator, custom) -> None:
    found = signal(text, item)
    assert (found.miner, found.validator, found.custom) == (miner, validator, custom)


def test_each_that_matched_is_named_by_its_number() -> None:
    found = signal("the invoice for acme", "/zebra/", "/invoice/ -> a", "/acme/ -> a", "/customer/ -> b")
    assert found.matched == ("custom:2", "custom:3")
    assert found.custom == ("a",)


@pytest.mark.parametrize(
    ("item", "says"),
    [
        pytest.param("/(a/", "missing", id="not closed"),
        pytest.param(r"/(a)\1/", "escape", id="back reference"),
        pytest.param("/(?=a)b/", "(?=", id="look-ahead"),
        pytest.param("/a/x", "flag 'x'", id="unknown flag"),
        pytest.param("/a/I -> x", "does not read as", id="flag in capitals"),
        pytest.param("/a/ -> two words", "does not read as", id="route of two words"),
        pytest.param("//", "does not read as", id="nothing between slashes"),
        pytest.param(f"/{'a' * 501}/", "longer than 500", id="too long"),
        pytest.param("a" * 501, "longer than 500", id="too long without slashes"),
        pytest.param("/(.{1,100}.{1,100}){1,9}z/", "steps", id="too large a program"),
        pytest.param("/a{1001}/", "repetition", id="too many repetitions"),
    ],
)
def test_a_bad_one_is_named_and_the_others_are_run(item: str, says: str) -> None:
    patterns = read_patterns([item, "/invoice/ -> a"])

    assert says in patterns[0].problem
    assert patterns[1].problem == ""
    assert triage("invoice", CustomPatterns(patterns[1:])).custom == ("a",)


def test_patterns_beyond_the_hundredth_are_named() -> None:
    patterns = read_patterns([f"/word{number}/" for number in range(MAX_PATTERNS + 2)])
    assert [number for number, each in enumerate(patterns) if each.problem] == [100, 101]


def test_together_they_may_be_only_so_large() -> None:
    patterns = read_patterns(["/a.{1,90}b/"] * 100)
    assert 0 < sum(not each.problem for each in patterns) < 100


@pytest.mark.parametrize("text", ["a" * 30_000 + "!", "ab" * 15_000, "a b " * 8_000], ids=["a", "ab", "a b"])
@pytest.mark.parametrize(
    "item", ["/(a+)+$/", "/(a|aa)+$/", "/(.*a){20}/", r"/(\w+\s?)*=/", "/(x*)*y/", "/(a?){100}a{100}z/"]
)
def test_a_hostile_pattern_on_a_hostile_text_ends(item: str, text: str) -> None:
    signal(text, item)


def test_of_a_long_message_head_and_tail_are_looked_at() -> None:
    filler = "가" * 20_000
    assert signal(f"invoice {filler}", "/invoice/ -> a").custom == ("a",)
    assert signal(f"{filler} invoice", "/invoice/ -> a").custom == ("a",)


def test_without_re2_each_pattern_says_so_and_the_built_in_ones_go_on(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "re2", None)

    (pattern,) = read_patterns(["/invoice/ -> accounting"])

    assert pattern.problem == "google-re2 is not installed, which runs it safely"
    assert triage("Don't forget the invoice.").miner
