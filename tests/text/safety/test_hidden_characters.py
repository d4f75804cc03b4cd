"""Mutants seen to fail here: marks of direction are fine anywhere; joiners are; overrides are in lines from the right."""

from __future__ import annotations

import pytest

from clawgit.text.safety.control_characters import Unseen, find_unseen

FINE = {
    "ascii": "plain words",
    "a mark at the begin of a file": "\ufeff# Title",
    "a family": "\U0001f468\u200d\U0001f469\u200d\U0001f467 at home",
    "skin and gender": "\U0001f937\U0001f3fb\u200d♀\ufe0f",
    "hearts and keycaps": "❤\ufe0f 1\ufe0f\u20e3 *\ufe0f\u20e3 ©\ufe0f",
    "rainbow": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "the flag of England": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "Persian": "می\u200cخواهم",
    "Hindi": "क\u094d\u200dष",
    "Hebrew with a mark": "שלום \u200fabc\u200e",
    "a closed embedding in Hebrew": "\u2067שלום\u2069 and \u202bשלום\u202c",
    "Thai": "ไทย\u200bไทย",
    "a Han variant": "葛\U000e0100城",
    "old Hangul": "ᄀ\u1160",
    "a soft hyphen": "Donau\u00addampf",
}
NOT_FINE = {
    "zero width in a word": "pass\u200bword",
    "a joiner in a word": "pass\u200dword",
    "a mark not at the begin": "x\ufeffy",
    "a word joiner": "a\u2060b",
    "an override": "abc\u202edef\u202c",
    "an override in Hebrew": "שלום \u202eabc\u202c",
    "an open override in Hebrew": "שלום \u202dabc",
    "an isolate in a comment": "/* \u2066 if admin \u2069 */",
    "an open embedding in Hebrew": "שלום \u2067abc",
    "a closing one alone": "שלום \u202c",
    "a mark of direction in English": "admin\u200f",
    "tag letters": "ok\U000e0069\U000e0067\U000e006e\U000e006f",
    "selectors in a row": "\U0001f600\ufe0f\ufe00\ufe01",
    "a selector behind a letter": "a\ufe0f",
    "a variant behind a letter": "a\U000e0100",
    "a filler": "a\u3164b",
    "an invisible operator": "f\u2061(x)",
    "a line separator": "one\u2028two",
    "zero width in Han": "日\u200b本",
}


@pytest.mark.parametrize("text", FINE.values(), ids=FINE.keys())
def test_what_a_script_or_an_emoji_needs_is_fine(text: str) -> None:
    assert find_unseen(text) == []


@pytest.mark.parametrize("text", NOT_FINE.values(), ids=NOT_FINE.keys())
def test_what_nothing_needs_is_found(text: str) -> None:
    assert find_unseen(text)


def test_each_is_found_at_its_line() -> None:
    assert find_unseen("one\ntwo\u200b\nthree\u202e") == [
        Unseen(2, 0x200B),
        Unseen(3, 0x202E),
    ]


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    "piece", ["\u200f", "\u2066", "\u200d", "א\u200f", "\ufe0f", "\U000e0041", "\u202a\u202c"]
)
def test_a_line_of_nothing_else_is_read_in_one_go(piece: str) -> None:
    """What looked back over all of the line from each of them would take many minutes."""
    find_unseen(piece * 50_000)
