"""Units: which lines can be found, and as what words."""

from __future__ import annotations

import json
import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_folder import TESTS

from clawgit.recall.index.line_units import lines_apart, passages, read_units
from clawgit.text.markdown.lines import split_lines
from clawgit.text.words.tokens import count_tokens, fitting

PROSE = (
    "The deploy failed because the disk of the build machine was full, and nobody\n"
    "had noticed; Ada freed some space and started it again, which took an hour\n"
    "and a half altogether.\n"
)


def found(text: str | bytes, path: str = "", **options) -> list[tuple]:
    data = text.encode() if isinstance(text, str) else text
    return [(u.first, u.last, u.kind, u.text) for u in read_units(data, path, **options).units]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("- one\n- two\n", [(1, 1, "item", "one"), (2, 2, "item", "two")], id="items"),
        pytest.param("- one\n  - in\n", [(1, 1, "item", "one"), (2, 2, "item", "in")], id="nested items"),
        pytest.param("- one\n  goes on\n", [(1, 2, "item", "one goes on")], id="an item of two lines"),
        pytest.param("1. one\n2) two\n", [(1, 1, "item", "one"), (2, 2, "item", "two")], id="numbered"),
        pytest.param(
            "- one\n\n  more\n", [(1, 1, "item", "one"), (3, 3, "item", "more")], id="its paragraphs"
        ),
        pytest.param(
            "one\n\ntwo\n", [(1, 1, "paragraph", "one"), (3, 3, "paragraph", "two")], id="paragraphs"
        ),
        pytest.param(PROSE, [(1, 3, "paragraph", " ".join(PROSE.split()))], id="wrapped prose is one"),
        pytest.param(
            "Milk\nEggs\n", [(1, 1, "paragraph", "Milk"), (2, 2, "paragraph", "Eggs")], id="short lines"
        ),
        pytest.param(
            "Ada: hi\nBob: hello\n",
            [(1, 1, "paragraph", "Ada: hi"), (2, 2, "paragraph", "Bob: hello")],
            id="who speaks begins a unit",
        ),
        pytest.param("CEO is Noor", [(1, 1, "paragraph", "CEO is Noor")], id="a short note without line end"),
        pytest.param(
            "| a | b |\n|---|:-:|\n| x | y |\n",
            [(1, 1, "heading", "a | b"), (3, 3, "row", "x | y")],
            id="table rows",
        ),
        pytest.param(
            "```py\na = 1\n\nb = 2\n```\n", [(1, 5, "code", "py\na = 1\n\nb = 2")], id="a fence whole"
        ),
        pytest.param("    a = 1\n", [(1, 1, "code", "a = 1")], id="indented code"),
        pytest.param("# T\n\ntext\n", [(1, 1, "heading", "T"), (3, 3, "paragraph", "text")], id="a heading"),
        pytest.param(
            "T\n===\nx\n", [(1, 2, "heading", "T"), (3, 3, "paragraph", "x")], id="underlined heading"
        ),
        pytest.param(
            "> said\n> so\n", [(1, 1, "paragraph", "said"), (2, 2, "paragraph", "so")], id="quotation"
        ),
        pytest.param(
            "---\ntitle: x\n---\ntext\n", [(4, 4, "paragraph", "text")], id="front matter is no text"
        ),
        pytest.param(
            "a\n\n---\n\nb\n", [(1, 1, "paragraph", "a"), (5, 5, "paragraph", "b")], id="a rule is none"
        ),
        pytest.param("- x <!-- m:7k2x9d -->\n", [(1, 1, "item", "x")], id="ids are no text"),
        pytest.param("a <!-- b --> c\n", [(1, 1, "paragraph", "a c")], id="comments are no text"),
        pytest.param(
            "a <!-- b\nb --> c\n",
            [(1, 1, "paragraph", "a"), (2, 2, "paragraph", "c")],
            id="comments over lines",
        ),
        pytest.param("<!-- a\nb --> c\n", [(2, 2, "html", "c")], id="behind a comment"),
        pytest.param(
            "<!-- a\nb\n", [(1, 1, "html", "<!-- a"), (2, 2, "html", "b")], id="a comment that never ends"
        ),
        pytest.param("use `<!-- x -->`\n", [(1, 1, "paragraph", "use `<!-- x -->`")], id="an example of one"),
        pytest.param("<div>\nin <b>it</b>\n</div>\n", [(2, 2, "html", "in it")], id="the text in HTML"),
        pytest.param(
            "[api]: http://a.example\n", [(1, 1, "line", "[api]: http://a.example")], id="definitions"
        ),
        pytest.param("- \n- ---\n", [], id="nothing said"),
        pytest.param("\ufeff- one\n", [(1, 1, "item", "one")], id="a byte order mark"),
        pytest.param("- a\r\n- b\r\n", [(1, 1, "item", "a"), (2, 2, "item", "b")], id="CRLF"),
        pytest.param("- a\r- b\r", [(1, 1, "item", "a"), (2, 2, "item", "b")], id="CR"),
        pytest.param(
            "- a\u2028b\x0b\x85c\n- d\n", [(1, 1, "item", "a b c"), (2, 2, "item", "d")], id="no line ends"
        ),
        pytest.param(
            b"- \xff\xfe a\n- b\n", [(1, 1, "item", "\ufffd\ufffd a"), (2, 2, "item", "b")], id="no UTF-8"
        ),
        pytest.param("", [], id="empty"),
    ],
)
def test_units(text, expected) -> None:
    assert found(text) == expected


def test_a_unit_knows_its_section_and_its_entry() -> None:
    read = read_units(b"x\n# A\n## B\n- y <!-- m:ab12cd -->\n# C\nz\n\n[d]: /e\n")
    assert [(u.text, read.sections[u.section], u.entry) for u in read.units] == [
        ("x", (), ""),
        ("A", ("A",), ""),
        ("B", ("A", "B"), ""),
        ("y", ("A", "B"), "m:ab12cd"),
        ("C", ("C",), ""),
        ("z", ("C",), ""),
        ("[d]: /e", ("C",), ""),
    ]


def test_two_sections_of_one_title_are_two() -> None:
    read = read_units(b"# A\nx\n# A\ny\n")
    assert [unit.section for unit in read.units] == [1, 1, 2, 2]


def test_code_longer_than_a_chunk_is_cut_at_lines() -> None:
    text = "before\n\n```\n" + "".join(f"x{n} = {n}\n" for n in range(60)) + "```\n"
    units = found(text, chunk_tokens=50)[1:]
    assert len(units) > 2
    assert [unit[0] for unit in units[1:]] == [unit[1] + 1 for unit in units[:-1]]
    assert (units[0][0], units[-1][1]) == (3, 64)


LEDGER = """# Corrections

## 2026-03-01 10:22 <!-- x:4f1c re-embedded:false -->

- trigger: that is wrong
- said: The API is GraphQL.
- correct: The API is REST.
- corrects: m:7k2x9d
- status: applied

## A note by hand

- kept
"""


def test_a_correction_is_one_unit_of_what_is_right_and_what_was_said() -> None:
    read = read_units(LEDGER.encode(), "CORRECTIONS.md")
    assert [(u.first, u.last, u.kind, u.text, u.entry) for u in read.units] == [
        (1, 1, "heading", "Corrections", ""),
        (3, 9, "correction", "The API is REST.\nThe API is GraphQL.", "x:4f1c"),
        (11, 11, "heading", "A note by hand", ""),
        (13, 13, "item", "kept", ""),
    ]
    assert [c.corrects for c in read.corrections.values()] == [("7k2x9d",)]


@pytest.mark.parametrize("status", ["open", "linked", "withdrawn"])
def test_what_is_not_in_force_of_corrections_is_never_found(status: str) -> None:
    text = f"## 2026-03-01 10:22 <!-- x:4f1c re-embedded:false -->\n\n- said: The API is GraphQL.\n- correct:\n- status: {status}\n"

    read = read_units(text.encode(), "CORRECTIONS.md")

    assert read.units == ()
    assert [each.correction_id for each in read.corrections.values()] == ["4f1c"]


def test_elsewhere_a_correction_is_text_like_any_other() -> None:
    assert not read_units(LEDGER.encode(), "memory/notes.md").corrections


@pytest.mark.parametrize(
    ("lines", "runs"),
    [
        pytest.param([], [], id="none"),
        pytest.param(["one"], [(0, 1)], id="one"),
        pytest.param(["a" * 50, "b" * 50], [(0, 2)], id="no room for the next word"),
        pytest.param(["a" * 20, "b " * 25], [(0, 1), (1, 2)], id="room enough"),
        pytest.param(["a" * 50 + ".", "b" * 50], [(0, 1), (1, 2)], id="a sentence ended"),
        pytest.param(["a" * 50 + "  ", "b" * 50], [(0, 1), (1, 2)], id="a hard break"),
        pytest.param(["a" * 50, "Ada: " + "b" * 45], [(0, 1), (1, 2)], id="somebody speaks"),
        pytest.param(["我们决定" * 12, "使用数据库" * 9], [(0, 2)], id="Chinese, wrapped"),
        pytest.param(["我们决定" * 6, "使用数据库" * 9], [(0, 1), (1, 2)], id="Chinese, not wrapped"),
    ],
)
def test_lines_apart(lines, runs) -> None:
    assert lines_apart(lines) == runs


MARKDOWN = st.lists(
    st.sampled_from(
        [
            "- item",
            "  - inner",
            "1. one",
            "text",
            "Ada: yes",
            "",
            "",
            "# Head",
            "## Sub",
            "```",
            "    code",
            "> quote",
            "| a | b |",
            "|---|---|",
            "---",
            "<!-- note -->",
            "<!-- open",
            "end -->",
            "<div>",
            "[x]: /y",
            "===",
            "  more",
            "数据库",
            "- x <!-- m:ab12cd -->",
            "\t- tab",
            "* star",
            "a" * 60,
            "b " * 40,
        ]
    ),
    max_size=25,
)


@given(lines=MARKDOWN, end=st.sampled_from(["\n", "\r\n", "\r"]))
def test_units_are_ordered_apart_and_the_same_with_every_line_end(lines: list[str], end: str) -> None:
    text = "\n".join(lines)
    units = read_units(text.encode()).units
    assert units == read_units(text.replace("\n", end).encode()).units
    count = len(split_lines(text.encode()))
    for before, unit in zip((None, *units), units, strict=False):
        assert 1 <= unit.first <= unit.last <= count
        assert before is None or before.last < unit.first


@given(lines=MARKDOWN)
def test_every_word_outside_comments_is_in_a_unit(lines: list[str]) -> None:
    text = "\n".join(line for line in lines if "<!--" not in line and "-->" not in line and line != "---")
    read = read_units(text.encode())
    covered = {n for unit in read.units for n in range(unit.first, unit.last + 1)}
    for number, line in enumerate(split_lines(text.encode()), start=1):
        if re.search(rb"\w", re.sub(rb"<[^>]*>", b"", line)):
            assert number in covered, line


PLAIN = (
    "",
    "# H <!-- h --> b",
    "## I",
    "- a <!-- m:7k2x9d --> b",
    "Ada: said",
    "said.",
    "  in",
    "<!-- c --> <b>d</b> -->",
)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("lines", [3, 4, 0, 1, 2])
def test_plain_lines_are_the_same_units_whoever_reads_them(lines: int) -> None:
    """A rule at the end leaves a text to markdown-it, and is no unit. Mutants: a title without its comment above a section; a comment's rest left out; an item's id lost."""
    texts = [
        "---\na: 1\n---\n" * front + "\n".join(order)
        for order in product(PLAIN, repeat=lines)
        for front in (0, 1)
    ]

    differing = [
        text for text in texts if read_units(text.encode()) != read_units(f"{text}\n\n***\n".encode())
    ]

    assert differing == []


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


@pytest.mark.sampled(3)
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
