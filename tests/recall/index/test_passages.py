"""Passages: bounded, overlapping, complete."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_folder import TESTS

from clawgit.recall.index.passages import passages
from clawgit.text.markdown.lines import split_lines
from clawgit.text.words.tokens import count_tokens, fitting

VECTORS = json.loads((TESTS / "vectors/chunking.json").read_text("utf-8"))
TEXTS = st.text(alphabet=st.sampled_from("ab .\n\r\t数据库결정🙂é"), max_size=400)


def built(case) -> str:
    build = case["build"]
    if "text" in build:
        return build["text"]
    if build.get("mode") == "lines":
        return "\n".join(build["line"].replace("{i}", str(n)) for n in range(1, build["times"] + 1))
    return build["line"] * build["times"]


def check(data: bytes, tokens: int, overlap: int) -> None:
    """The invariants I1 to I10 of the vectors."""
    found = passages(data, tokens, overlap)
    text = data.decode("utf-8", "replace")
    lines = [line.decode("utf-8", "replace") for line in split_lines(data)]
    assert found == passages(data, tokens, overlap)
    assert [(p.first, p.last) for p in found] == sorted((p.first, p.last) for p in found)
    covered = {line for p in found for line in range(p.first, p.last + 1)}
    assert {n for n, line in enumerate(lines, start=1) if line.strip()} <= covered
    ends = {0}  # a piece that stands in several places may be any of them
    for passage in found:
        assert 1 <= passage.first <= passage.last <= len(lines)
        assert count_tokens(passage.text) <= tokens
        assert passage.text in "".join(lines[passage.first - 1 : passage.last])
        ends = {
            start + len(passage.text)
            for end in ends
            for start in range(end - fitting(text[:end][::-1], min(overlap, tokens // 2)), len(text))
            if not text[end:start].strip() and text.startswith(passage.text, start)
        }
    assert any(not text[end:].strip() for end in ends)


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_passages_of_the_vectors_keep_every_promise(case) -> None:
    check(built(case).encode(), case["config"]["tokens"], case["config"]["overlap"])


@pytest.mark.parametrize("case", VECTORS["line_map_cases"], ids=lambda case: case["id"])
def test_lines_of_passages_lead_back_through_a_map(case) -> None:
    found = passages(case["text"].encode(), case["config"]["tokens"], case["config"]["overlap"])
    assert case["line_map"][found[0].first - 1] == case["expect"]["first_start"]
    assert case["line_map"][found[-1].last - 1] == case["expect"]["last_end"]


@given(text=TEXTS, tokens=st.integers(2, 40), overlap=st.integers(0, 60))
def test_no_text_breaks_a_promise(text: str, tokens: int, overlap: int) -> None:
    check(text.encode(), tokens, overlap)


def test_chinese_fills_a_passage_as_tokens_not_as_bytes() -> None:
    found = passages("数据库选择与接口设计的讨论记录。".encode() * 100, 400, 0)
    assert {len(passage.text) for passage in found} == {400}


def test_a_passage_that_follows_says_the_end_of_the_one_before_again() -> None:
    lines = [f"line {n} some words to fill it up\n" for n in range(60)]
    first, second, *_ = passages("".join(lines).encode(), 100, 20)
    assert second.text.startswith(lines[second.first - 1])
    assert second.first <= first.last


@pytest.mark.parametrize("data", [b"", b"\n\n", b" \t\n"])
def test_a_blank_text_has_no_passages(data: bytes) -> None:
    assert passages(data, 400, 80) == []
