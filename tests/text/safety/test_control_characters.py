"""Characters that hide or command are found, escaped for a terminal, and kept out of subjects."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.safety.control_characters import Unseen, find_unseen, folded, one_line, shown


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("a\tb\r\nc\rd\n", [], id="white space is none"),
        pytest.param("a\x1b[31m", [Unseen(1, 0x1B)], id="escape"),
        pytest.param("a\r\nb\rc\n\x00", [Unseen(3, 0)], id="lines counted as git does"),
        pytest.param("\x7f\x9b\x85", [Unseen(1, c) for c in (0x7F, 0x9B, 0x85)], id="C1"),
    ],
)
def test_control_characters_are_found_with_their_line(text: str, found: list[Unseen]) -> None:
    assert find_unseen(text) == found


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        pytest.param("plain", "plain", id="plain"),
        pytest.param("Grüße 你好 🎉", "Grüße 你好 🎉", id="what can be seen"),
        pytest.param("a\tb\nc\r\nd", "a\tb\nc\nd", id="white space"),
        pytest.param("\x1b[2J", r"\u{1b}[2J", id="escape sequence"),
        pytest.param("a\rb", r"a\u{d}b", id="a lone CR overwrites the line"),
        pytest.param("\x9b31m", r"\u{9b}31m", id="C1"),
        pytest.param("x\u202ey", r"x\u{202e}y", id="bidi"),
        pytest.param("\u200b\ufeff\u00ad", r"\u{200b}\u{feff}\u{ad}", id="zero width"),
        pytest.param("\U000e0041\U000e0100", r"\u{e0041}\u{e0100}", id="tags and variation selectors"),
        pytest.param("\ue000\ud800", r"\u{e000}\u{d800}", id="private use and surrogates"),
        pytest.param("\u2028\u2029", r"\u{2028}\u{2029}", id="line and paragraph separator"),
        pytest.param("\u3164\uffa0", r"\u{3164}\u{ffa0}", id="fillers"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_as_an_escape(text: str, safe: str) -> None:
    assert shown(text) == safe


def test_newlines_can_be_shown_as_escapes_too() -> None:
    assert shown("a\r\nb\n", keep_newlines=False) == r"a\u{a}b\u{a}"


@given(st.text(st.characters(exclude_categories=())))
def test_nothing_unseen_is_left(text: str) -> None:
    left = {unicodedata.category(char) for char in shown(text) if char not in "\n\t"}
    assert not left & {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param(" a \n\n b\tc ", "a b c", id="white space"),
        pytest.param("a\u2028b\x85c\x0bd", "a b c d", id="every kind of line end"),
        pytest.param("a\x00b\x1bc", "abc", id="control characters"),
        pytest.param("Ada <ada@x>", "Ada ada@x", id="no angle brackets"),
        pytest.param("a\ud800b", "a\ufffdb", id="surrogate"),
        pytest.param("a \u202e b", "a b", id="bidi"),
        pytest.param("a < > b", "a b", id="no double space is left"),
    ],
)
def test_one_line_is_fit_for_a_subject_or_a_name(text: str, line: str) -> None:
    assert one_line(text) == line


def test_folding_keeps_brackets_and_the_joiners_that_spelling_needs() -> None:
    assert folded("a <b>\nمی\u200cخواهم") == "a <b> می\u200cخواهم"


@given(st.text(st.characters(exclude_categories=())))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert folded(folded(text)) == folded(text)
    assert one_line(one_line(text)) == one_line(text)
    one_line(text).encode()
