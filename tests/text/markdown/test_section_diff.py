"""A diff by section says what came, went, moved and was reworded, and where; nothing is left out."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.comparing.word_diff import DiffPiece
from clawgit.text.markdown.lines import split_lines, without_trailing_comment
from clawgit.text.markdown.section_diff import LineChange, SectionChange, Stat, section_diff, stat

SOUL = """\
# Soul

Be kind to users.

## Rules

- Never share private data. <!-- m:abc -->
- Likes tea. <!-- m:def -->
- 2026-01-20: Chose REST.

## Style

- Short.
- Use plain words here.
"""
FORMS = {"added": "+{1} {3}", "removed": "-{0} {2}", "changed": "{0}~{1} {2} → {3}", "moved": "{0}>{1} {3}"}

Told = dict[str, list[str]]


def told(changes: tuple[SectionChange, ...], *, formatting: bool = False) -> Told:
    """Show each change on one line; those of formatting only when asked for."""
    shown = {
        "/".join(section.section): [
            FORMS[line.kind].format(line.old_line, line.new_line, line.old, line.new)
            for line in section.changes
            if formatting or not line.formatting
        ]
        for section in changes
    }
    return {section: lines for section, lines in shown.items() if lines}


def edited(*replacements: tuple[str, str]) -> bytes:
    text = SOUL
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    return text.encode()


STYLE = "\n## Style\n\n- Short.\n- Use plain words here.\n"


@pytest.mark.parametrize(
    ("new", "changes"),
    [
        pytest.param(SOUL.encode(), {}, id="nothing"),
        pytest.param(
            edited(("Likes tea. <!-- m:def -->", "Likes coffee.")),
            {"Soul/Rules": ["8~8 - Likes tea. <!-- m:def --> → - Likes coffee."]},
            id="a line in other words",
        ),
        pytest.param(
            edited(("Chose REST", "Ada moved to Oslo")),
            {"Soul/Rules": ["-9 - 2026-01-20: Chose REST.", "+9 - 2026-01-20: Ada moved to Oslo."]},
            id="another statement in its place",
        ),
        pytest.param(
            edited(("- Short.\n", "- Short.\n- No jokes.\n")),
            {"Soul/Style": ["+14 - No jokes."]},
            id="a line comes in",
        ),
        pytest.param(
            edited(("- Likes tea. <!-- m:def -->\n", "")),
            {"Soul/Rules": ["-8 - Likes tea. <!-- m:def -->"]},
            id="a line goes",
        ),
        pytest.param(
            edited(("# Soul", "# Who I am")),
            {"Who I am": ["1~1 # Soul → # Who I am"]},
            id="the title renamed",
        ),
        pytest.param(
            edited(("## Rules", "## What holds")),
            {"Soul/What holds": ["5~5 ## Rules → ## What holds"]},
            id="a heading renamed",
        ),
        pytest.param(
            edited(("## Rules", "### Rules")),
            {"Soul/Rules": ["5~5 ## Rules → ### Rules"]},
            id="another level",
        ),
        pytest.param(
            edited(("## Style", "Style\n---")),
            {"Soul/Style": ["11~11 ## Style → Style", "+12 ---"]},
            id="another kind of heading",
        ),
        pytest.param(
            edited(
                ("## Style", "## How I talk"),
                ("plain words here", "plain words"),
                ("- Short.", "- Short.\n- New"),
            ),
            {
                "Soul/How I talk": [
                    "11~11 ## Style → ## How I talk",
                    "+14 - New",
                    "14~15 - Use plain words here. → - Use plain words.",
                ]
            },
            id="a heading renamed and its lines edited",
        ),
        pytest.param(
            (SOUL + "\n## Taste\n\n- Tea.\n").encode(),
            {"Soul/Taste": ["+16 ## Taste", "+18 - Tea."]},
            id="a section comes in",
        ),
        pytest.param(
            SOUL.replace(STYLE, "").encode(),
            {"Soul/Style": ["-11 ## Style", "-13 - Short.", "-14 - Use plain words here."]},
            id="a section goes",
        ),
        pytest.param(
            SOUL.replace(STYLE, "").replace("\n## Rules", STYLE + "\n## Rules").encode(),
            {"Soul/Style": ["11>5 ## Style", "13>7 - Short.", "14>8 - Use plain words here."]},
            id="a section moves",
        ),
        pytest.param(
            edited(
                ("- Likes tea. <!-- m:def -->\n", ""), ("- Short.", "- Likes tea. <!-- m:def -->\n- Short.")
            ),
            {"Soul/Style": ["8>12 - Likes tea. <!-- m:def -->"]},
            id="a line moves to another section",
        ),
        pytest.param(
            edited(("- 2026", "\n## Past\n\n- 2026")),
            {"Soul/Past": ["+10 ## Past"]},
            id="a heading divides a section",
        ),
        pytest.param(b"Ahead.\n" + SOUL.encode(), {"": ["+1 Ahead."]}, id="a line before the first heading"),
        pytest.param(
            edited(("## Rules", "```\n## Rules\n```")),
            {"Soul": ["+5 ```", "+7 ```"]},
            id="a heading in code is none",
        ),
    ],
)
def test_changes_are_told_by_section(new: bytes, changes: Told) -> None:
    assert told(section_diff(SOUL.encode(), new)) == changes


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        pytest.param(
            "# A\n- a b\n- c d\n# B\n- e f\n",
            "# B\n- e f\n# Zed\n- a b\n- x y\n",
            {"A": ["-1 # A", "-3 - c d"], "Zed": ["+3 # Zed", "2>4 - a b", "+5 - x y"]},
            id="another title elsewhere with half of the lines",
        ),
        pytest.param(
            "# A\n- a b\n- c d\n- g h\n# B\n- e f\n",
            "# B\n- e f\n# Zed\n- a b\n- x y\n- v w\n",
            {"A": ["-1 # A", "-3 - c d", "-4 - g h"], "Zed": ["+3 # Zed", "2>4 - a b", "+5 - x y", "+6 - v w"]},
            id="another one with a third of them",
        ),
        pytest.param(
            "# A\n- a b\n# B\n- e f\n# C\n- g h\n",
            "# B\n- e f\n# C\n- g h\n# A\n- q r\n",
            {"A": ["-2 - a b", "1>5 # A", "+6 - q r"]},
            id="moved and filled anew",
        ),
        pytest.param(
            "# A\n## X\n- a b\n", "# Q\n## X\n- a b\n", {"Q": ["1~1 # A → # Q"]}, id="renamed without own lines"
        ),
        pytest.param(
            "# Working style guide\n- a b\n",
            "# Work style guide\n- q r\n",
            {
                "Work style guide": ["1~1 # Working style guide → # Work style guide", "+2 - q r"],
                "Working style guide": ["-2 - a b"],
            },
            id="like titles in one place",
        ),
        pytest.param("# A\n> # Q\n> b c d\n", "# A\n> # Q\n> b c\n", {"A": ["3~3 > b c d → > b c"]}, id="quoted"),
    ],
)  # fmt: skip
def test_sections_are_recognised(old: str, new: str, changes: Told) -> None:
    assert told(section_diff(old.encode(), new.encode())) == changes


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        pytest.param(
            "# A\n- x y\n- x y\n# B\n- b\n- c\n",
            "# A\n# B\n- b\n- c\n- x y\n- x y\n",
            {"B": ["2>5 - x y", "3>6 - x y"]},
            id="twins move in their order",
        ),
        pytest.param(
            "# A\n- a b\n\n---\n# B\n- c d\n",
            "# A\n- a b\n# B\n- c d\n\n---\n",
            {"A": ["-4 ---"], "B": ["+6 ---"]},
            id="a line without words does not move",
        ),
        pytest.param(
            "- a b\n- a b\n```\n```\n",
            "- a b\n```\n- a b\n```\n",
            {"": ["+2 ```", "-3 ```"]},
            id="nor does it seem to stay when the order changed",
        ),
        pytest.param(
            "- one two three four five\n",
            "- one two three six seven\n- one two three four eight\n",
            {"": ["+1 - one two three six seven", "1~2 - one two three four five → - one two three four eight"]},
            id="the closest wording is the new one",
        ),
    ],
)  # fmt: skip
def test_lines_are_recognised(old: str, new: str, changes: Told) -> None:
    assert told(section_diff(old.encode(), new.encode())) == changes


def test_a_section_brings_the_blank_lines_before_it() -> None:
    diff = section_diff(b"# A\n\na\n", b"# A\n\na\n\n# B\n\nb\n")
    assert told(diff, formatting=True) == {"B": ["+4 ", "+5 # B", "+6 ", "+7 b"]}


def test_sections_come_in_the_order_of_the_new_text_removed_ones_where_they_were() -> None:
    old, new = b"# A\na b\n# B\nc d\n# C\ne f\n", b"# New\nq r\n# A\na\n# C\ne\n"
    assert list(told(section_diff(old, new))) == ["New", "A", "B", "C"]


def test_a_section_that_moved_takes_no_removed_one_along() -> None:
    old, new = b"# A\n- a b\n# R\n- r\n# B\n- b\n# C\n- c\n", b"# B\n- b\n# C\n- c\n# A\n- a b\n"
    assert list(told(section_diff(old, new))) == ["R", "A"]


def test_a_removed_line_stands_where_it_stood() -> None:
    old, new = b"- one\n- two\n- three\n- four\n", b"- zero\n- one\n- three\n- five\n- four\n"
    assert told(section_diff(old, new)) == {"": ["+1 - zero", "-2 - two", "+4 - five"]}


def test_sections_with_one_title_are_kept_apart() -> None:
    old = b"## 10:00\n- a b c\n## 10:00\n- d e f\n"
    assert section_diff(old, old.replace(b"f", b"f g")) == (
        SectionChange(
            ("10:00",),
            (
                LineChange(
                    "changed",
                    4,
                    4,
                    "- d e f",
                    "- d e f g",
                    (DiffPiece("same", "- d e f"), DiffPiece("added", " g")),
                ),
            ),
        ),
    )


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        pytest.param(b"a <!-- m:1 -->\n", b"a <!-- m:2 -->\n", {"": ["1~1 a <!-- m:1 --> → a <!-- m:2 -->"]}, id="id"),
        pytest.param(b"a  \n", b"a\n", {"": ["1~1 a   → a"]}, id="white space at the end"),
        pytest.param(b"a\r\n", b"a\n", {"": ["1~1 a → a"]}, id="line end"),
        pytest.param(b"a", b"a\n", {"": ["1~1 a → a"]}, id="no last line end"),
        pytest.param(b"a\n\nb\n", b"a\nb\n", {"": ["-2 "]}, id="a blank line goes"),
        pytest.param(b"a\n\nb\n", b"a\n\n \nb\n", {"": ["+3  "]}, id="a blank line comes"),
        pytest.param(
            b"# H <!-- x:1 done:no -->\n", b"# H <!-- x:1 done:yes -->\n",
            {"H": ["1~1 # H <!-- x:1 done:no --> → # H <!-- x:1 done:yes -->"]},
            id="a comment behind a heading is no part of the path",
        ),
    ],
)  # fmt: skip
def test_changes_of_no_word_are_formatting(old: bytes, new: bytes, changes: Told) -> None:
    diff = section_diff(old, new)
    assert told(diff, formatting=True) == changes
    assert stat(diff) == Stat(formatting=1)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(b"- a b\n", b"  - a b\n", id="indent"),
        pytest.param(b"a  b\n", b"a b\n", id="white space within"),
        pytest.param(b"<!-- a b c -->\n", b"<!-- a b d -->\n", id="a line that is a comment"),
        pytest.param(b"a \xff b\n", b"a \xfe b\n", id="bytes that are not UTF-8"),
    ],
)
def test_other_changes_are_not_formatting(old: bytes, new: bytes) -> None:
    assert [line.formatting for section in section_diff(old, new) for line in section.changes] == [False]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        pytest.param("a <!-- m:1 --> ", "a", id="comment"),
        pytest.param("a", "a", id="none"),
        pytest.param("<!-- a -->", "<!-- a -->", id="nothing else"),
        pytest.param("a <!-- b --> c", "a <!-- b --> c", id="not at the end"),
        pytest.param("a <!-- b --> -->", "a <!-- b --> -->", id="ended before"),
        pytest.param("a `<!-- b -->`", "a `<!-- b -->`", id="quoted"),
        pytest.param("a <!-->", "a <!-->", id="too short"),
    ],
)
def test_a_comment_at_the_end_is_left_out(text: str, left: str) -> None:
    assert without_trailing_comment(text) == left


def test_stat_counts_lines_and_words_without_ids() -> None:
    new = edited(
        ("Likes tea. <!-- m:def -->", "Likes green tea! <!-- m:xyz -->"),
        ("- Short.\n", ""),
        ("\n## Rules", "我喜歡 it. <!-- m:new -->\n\n\n## Rules"),
    )
    assert stat(section_diff(SOUL.encode(), new)) == Stat(
        added=1, removed=1, changed=1, formatting=1, words_added=5, words_removed=1
    )


def test_lines_too_long_to_compare_are_removed_and_added() -> None:
    old, new = "- Be kind to users.\n" + "a " * 60_000, "- Be nice to users.\n" + "a " * 59_999 + "b "
    changes = section_diff(old.encode(), new.encode())
    assert [line.kind for section in changes for line in section.changes] == ["changed", "removed", "added"]


def test_many_lines_are_compared_where_they_stand() -> None:
    old = "".join(f"- w{n} x{n} y{n} z{n} " + "v" * 90 + "\n" for n in range(600))
    new = old.replace("z", "q")
    assert stat(section_diff(old.encode(), new.encode())).changed == 600


MARKDOWN = st.lists(
    (
        st.sampled_from(
            [
                "# A",
                "## A",
                "# B <!-- x:1 -->",
                "## C d",
                "T\n===",
                "- a b c",
                "- a b d",
                "- a b c <!-- m:1 -->",
                "- e f",
            ]
        )
        | st.sampled_from(
            ["  - e f", "", "", " ", "text one two", "text one three", "```", "> # Q", "---", "k: v", "<!--"]
        )
    ).map(str.encode)
    | st.binary(max_size=4),
    max_size=25,
).flatmap(lambda lines: st.sampled_from([b"\n", b"\r\n", b"\r"]).map(lambda end: end.join([*lines, b""])))


def numbered(text: bytes, end: bytes = b"\r\n") -> dict[int, str]:
    lines = enumerate(split_lines(text), start=1)
    return {number: line.rstrip(end).decode("utf-8", "surrogateescape") for number, line in lines}


@given(MARKDOWN, MARKDOWN)
def test_a_diff_is_empty_only_for_equal_texts(old: bytes, new: bytes) -> None:
    assert (section_diff(old, new) == ()) == (old == new)


@given(MARKDOWN, MARKDOWN)
def test_each_line_is_told_once_at_most_as_it_stands(old: bytes, new: bytes) -> None:
    changes = [line for section in section_diff(old, new) for line in section.changes]
    for text, told_lines in (
        (old, [(line.old_line, line.old) for line in changes if line.old_line]),
        (new, [(line.new_line, line.new) for line in changes if line.new_line]),
    ):
        assert max(Counter(number for number, _ in told_lines).values(), default=1) == 1
        assert set(told_lines) <= set(numbered(text).items())


@given(MARKDOWN, MARKDOWN)
def test_what_is_not_told_is_the_same(old: bytes, new: bytes) -> None:
    changes = [line for section in section_diff(old, new) for line in section.changes]
    untold_old = {**numbered(old)}
    untold_new = {**numbered(new)}
    for line in changes:
        untold_old.pop(line.old_line or 0, None)
        untold_new.pop(line.new_line or 0, None)
    assert Counter(untold_old.values()) == Counter(untold_new.values())


@given(MARKDOWN, MARKDOWN)
def test_kinds_have_the_numbers_and_pieces_they_promise(old: bytes, new: bytes) -> None:
    for line in (line for section in section_diff(old, new) for line in section.changes):
        assert (line.old_line is None) == (line.kind == "added")
        assert (line.new_line is None) == (line.kind == "removed")
        changed = line.kind == "changed"
        assert "".join(p.text for p in line.pieces if p.kind != "added") == (line.old if changed else "")
        assert "".join(p.text for p in line.pieces if p.kind != "removed") == (line.new if changed else "")
