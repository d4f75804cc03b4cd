"""A word diff loses nothing, stays readable, and its work is bounded."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.comparing.similarity import Run, common_runs
from clawgit.text.comparing.word_diff import DiffPiece, tokens, word_diff

FORMS = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}


def marked(pieces: tuple[DiffPiece, ...]) -> str:
    return "".join(FORMS[piece.kind].format(piece.text) for piece in pieces)


def side(pieces: tuple[DiffPiece, ...], kind: str) -> str:
    return "".join(piece.text for piece in pieces if piece.kind in {"same", kind})


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("a_1 b\t c", ["a_1", " ", "b", "\t ", "c"], id="words and white space"),
        pytest.param("a\r\n\n b\r", ["a", "\r\n", "\n", " ", "b", "\r"], id="line ends on their own"),
        pytest.param("it's 3.5!", ["it", "'", "s", " ", "3", ".", "5", "!"], id="punctuation on its own"),
        pytest.param("喝茶カナー", list("喝茶カナー"), id="Han and kana one by one"),
        pytest.param("v2版", ["v2", "版"], id="a word ends where Han begins"),
        pytest.param("서버를 켠다", ["서버를", " ", "켠다"], id="Hangul words whole"),
        pytest.param("Grüße Привет", ["Grüße", " ", "Привет"], id="other alphabets"),
        pytest.param("cafe\u0301 x", ["cafe\u0301", " ", "x"], id="an accent stays in its word"),
        pytest.param("می\u200cخواهم", ["می\u200cخواهم"], id="a joiner stays in its word"),
        pytest.param("हिन्दी", ["हिन्दी"], id="vowel signs stay in their word"),
        pytest.param("น้ำ", ["น้", "ำ"], id="Thai with its tone marks"),
        pytest.param("か\u3099", ["か\u3099"], id="kana with its voicing mark"),
        pytest.param("👍🏽👍", ["👍🏽", "👍"], id="skin tone"),
        pytest.param("👩\u200d💻!", ["👩\u200d💻", "!"], id="joined emoji"),
        pytest.param("😀\u200d a", ["😀\u200d", " ", "a"], id="a joiner with nothing to join"),
        pytest.param("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"], id="flags"),
        pytest.param("\ud800a", ["\ud800", "a"], id="lone surrogate"),
    ],
)
def test_tokens_are_what_a_reader_takes_for_one(text: str, parts: list[str]) -> None:
    assert tokens(text) == parts


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        pytest.param("", "", "", id="nothing"),
        pytest.param("a b", "a b", "a b", id="the same"),
        pytest.param("", "a b", "{+a b+}", id="all added"),
        pytest.param("a b", "", "[-a b-]", id="all removed"),
        pytest.param("Be kind.", "Be blunt.", "Be [-kind-]{+blunt+}.", id="one word"),
        pytest.param("the cat", "the big cat", "the {+big +}cat", id="a word comes in"),
        pytest.param("one two.", "one.", "one[- two-].", id="a word goes"),
        pytest.param("a b z", "x y z", "[-a b-]{+x y+} z", id="a space between replaced words is folded in"),
        pytest.param("x foo", "x, bar", "x[- foo-]{+, bar+}", id="all that is between two words is one"),
        pytest.param("foo bar", "bar baz 1", "[-foo -]bar{+ baz 1+}", id="a word outweighs spaces"),
        pytest.param("我喜歡茶。", "我喜歡咖啡。", "我喜歡[-茶-]{+咖啡+}。", id="Han by character"),
        pytest.param("서버를 켠다", "서버가 켠다", "[-서버를-]{+서버가+} 켠다", id="Hangul by word"),
        pytest.param("a  b", "a b", "a[-  -]{+ +}b", id="white space alone"),
        pytest.param("a\nc\n", "a\nb\nc\n", "a\n{+b\n+}c\n", id="a line comes in"),
        pytest.param("ok 👍🏻", "ok 👍🏽", "ok [-👍🏻-]{+👍🏽+}", id="an emoji is never torn"),
    ],
)
def test_a_word_diff_reads_well(old: str, new: str, shown: str) -> None:
    assert marked(word_diff(old, new)) == shown


TEXTS = st.text("ab ,\n我 茶🇩👍🏽\u200d\u0301", max_size=40) | st.text(st.characters(exclude_categories=()))


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_from_the_pieces(old: str, new: str) -> None:
    pieces = word_diff(old, new)
    assert side(pieces, "removed") == old
    assert side(pieces, "added") == new


@given(TEXTS, TEXTS)
def test_pieces_are_tidy(old: str, new: str) -> None:
    pieces = word_diff(old, new)
    kinds = [piece.kind for piece in pieces]
    assert all(piece.text for piece in pieces)
    assert ("added", "removed") not in pairwise(kinds)
    assert all(kind != following for kind, following in pairwise(kinds))


@given(st.text() | TEXTS)
def test_tokens_joined_are_the_text(text: str) -> None:
    assert "".join(tokens(text)) == text


def test_a_long_text_of_other_words_is_one_replacement() -> None:
    old, new = "a " * 60_000, "b\n" * 60_000
    assert [piece.kind for piece in word_diff(old, new)] == ["removed", "added"]


def test_of_two_very_long_texts_only_what_both_begin_and_end_with_is_shared() -> None:
    old, new = (["first", side, *map(str, range(21_000)), side, "last"] for side in ("a", "b"))
    assert common_runs(old, new) == [Run(0, 0, 1), Run(21_003, 21_003, 1)]


@pytest.mark.parametrize(
    ("old", "new", "runs"),
    [
        pytest.param("", "", [], id="nothing"),
        pytest.param("abc", "abc", [Run(0, 0, 3)], id="the same costs nothing"),
        pytest.param("axbyc", "axzyc", [Run(0, 0, 2), Run(3, 3, 2)], id="ends"),
        pytest.param("abxcd", "aybzcw", [Run(0, 0, 1), Run(1, 2, 1), Run(3, 4, 1)], id="the middle"),
        pytest.param("aa", "aaa", [Run(0, 0, 2)], id="ends do not overlap"),
    ],
)
def test_common_runs_are_a_longest_common_subsequence(old: str, new: str, runs: list[Run]) -> None:
    assert common_runs(old, new) == runs
