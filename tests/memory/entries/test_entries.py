"""Entries are read from list items, and added without touching anything else."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.errors import ClawgitError
from clawgit.memory.entries.entries import Entry, EntryError, Tag, add_entry, entry_line, read_entries, tag_of

ON = date(2026, 1, 20)
NEW = "2026-01-20: new"


def test_an_entry_is_its_words_its_tag_and_its_id() -> None:
    data = (
        b"# Decisions\n\n"
        b"- 2026-01-20: Chose REST over GraphQL for the Acme API. #decision <!-- m:7k2x9d -->\n"
        b"- Likes\ttea,\n  green. #event #knowledge\n  - nested\n\n  not read\n- ```\n  code\n  ```\n-\n"
    )
    assert read_entries(data) == [
        Entry(
            "7k2x9d", "2026-01-20: Chose REST over GraphQL for the Acme API. #decision", Tag.DECISION, 2, 3, 3
        ),
        Entry(None, "Likes tea, green. #event #knowledge", Tag.EVENT, 3, 5, 5),
        Entry(None, "nested", None, 5, 6, 6),
    ]


@pytest.mark.parametrize(
    ("data", "texts"),
    [
        pytest.param(b"- a <!-- m:1a -->\n\n  b\n", [("1a", "a b")], id="two paragraphs"),
        pytest.param(b"- a\n  <!-- m:1a -->\n", [("1a", "a")], id="id on a line of its own"),
        pytest.param(b"- caf\xe9\n", [(None, "caf\udce9")], id="not UTF-8"),
        pytest.param(b"\xef\xbb\xbf- a\n", [(None, "a")], id="byte order mark"),
        pytest.param(b"- <!-- m:1a -->\n", [], id="an id alone says nothing"),
        pytest.param(b"- # heading\n", [], id="a heading is no statement"),
        pytest.param(b"- [ ] task\n", [(None, "[ ] task")], id="task"),
    ],
)
def test_unusual_items(data: bytes, texts: list[tuple[str | None, str]]) -> None:
    assert [(entry.entry_id, entry.text) for entry in read_entries(data)] == texts


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        pytest.param("a #decision", Tag.DECISION, id="one"),
        pytest.param("a #skill #event", Tag.SKILL, id="the first of two"),
        pytest.param("a #acme #Event", Tag.EVENT, id="the first known"),
        pytest.param("#event happened", None, id="not at the end"),
        pytest.param("a#event", None, id="no word of its own"),
        pytest.param("a #correction", None, id="a correction is no entry's tag"),
        pytest.param("#event", Tag.EVENT, id="alone"),
    ],
)
def test_the_tag_is_the_first_known_one_at_the_end(text: str, tag: Tag | None) -> None:
    assert tag_of(text) is tag


@pytest.mark.parametrize(
    ("statement", "tag", "line"),
    [
        pytest.param("Ada likes tea", None, "2026-01-20: Ada likes tea", id="no tag"),
        pytest.param(" Ada\nlikes\x1b tea ", Tag.EVENT, "2026-01-20: Ada likes tea #event", id="one line"),
        pytest.param("a #event", Tag.SKILL, "2026-01-20: a #skill", id="the given tag wins"),
        pytest.param("a #acme #event", Tag.EVENT, "2026-01-20: a #acme #event", id="foreign tags stay"),
        pytest.param("a #event", None, "2026-01-20: a #event", id="the statement's own tag stays"),
        pytest.param("a #skill #Event", None, "2026-01-20: a #skill", id="of two the first is its one tag"),
        pytest.param("a < b > c", None, "2026-01-20: a < b > c", id="brackets"),
    ],
)
def test_an_entry_line_carries_date_statement_and_tag(statement: str, tag: Tag | None, line: str) -> None:
    assert entry_line(statement, on=ON, tag=tag) == line


@pytest.mark.parametrize("statement", ["", " \n", "\x00", "#event", "a <!-- b", "a --> b", "a <!\u200b-- b"])
def test_what_is_no_statement_is_refused_with_a_sentence(statement: str) -> None:
    with pytest.raises(EntryError, match=r"[A-Z].*\.") as refused:
        entry_line(statement, on=ON, tag=None)
    assert isinstance(refused.value, ClawgitError)
    assert isinstance(refused.value, ValueError)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(b"", b"- NEW\n", id="empty file"),
        pytest.param(b"\n\n", b"\n\n- NEW\n", id="blank file"),
        pytest.param(b"# H\n", b"# H\n\n- NEW\n", id="heading"),
        pytest.param(b"p", b"p\n\n- NEW\n", id="paragraph without end"),
        pytest.param(b"p\n\n\n", b"p\n\n\n- NEW\n", id="blank lines are there already"),
        pytest.param(b"- a\n", b"- a\n- NEW\n", id="list"),
        pytest.param(b"- a", b"- a\n- NEW\n", id="list without end"),
        pytest.param(b"- a\n\n\n", b"- a\n- NEW\n\n\n", id="blank lines stay below"),
        pytest.param(b"* a\n", b"* a\n* NEW\n", id="its bullet"),
        pytest.param(b" -  a\n", b" -  a\n -  NEW\n", id="its indentation"),
        pytest.param(b"- a\n  - b\n", b"- a\n  - b\n- NEW\n", id="nested"),
        pytest.param(b"1. a\n", b"1. a\n- NEW\n", id="numbered"),
        pytest.param(b"- a\n\n# H\n", b"- a\n\n# H\n\n- NEW\n", id="the list ended before"),
        pytest.param(b"> - a\n", b"> - a\n\n- NEW\n", id="quoted list"),
        pytest.param(b"a\r\n- b\r\n", b"a\r\n- b\r\n- NEW\r\n", id="CRLF"),
        pytest.param(b"# H\r", b"# H\r\r- NEW\r", id="CR"),
        pytest.param(b"---\na: 1\n---\n", b"---\na: 1\n---\n\n- NEW\n", id="front matter only"),
        pytest.param(b"- a\n  ```\n  b\n", b"- a\n  ```\n  b\n- NEW\n", id="code in an item ends with it"),
        pytest.param(b"-\n", b"-\n- NEW\n", id="empty item"),
        pytest.param(b"\xff\n", b"\xff\n\n- NEW\n", id="not UTF-8"),
        pytest.param(b"\xef\xbb\xbf- a\n", b"\xef\xbb\xbf- a\n- NEW\n", id="byte order mark"),
        pytest.param(b"<!-- a -->\n", b"<!-- a -->\n\n- NEW\n", id="comment"),
    ],
)
def test_an_entry_is_added_at_the_end_and_all_else_stays(before: bytes, after: bytes) -> None:
    assert add_entry(before, NEW) == after.replace(b"NEW", NEW.encode())


@pytest.mark.parametrize(
    ("data", "line"),
    [
        pytest.param(b"```\na\n", NEW, id="open code"),
        pytest.param(b"<!-- a\n", NEW, id="open comment"),
        pytest.param(b"- a\n", "a\n- b", id="two items"),
        pytest.param(b"- a\n", "a\n\nb", id="leaves the list"),
        pytest.param(b"- a\n", "---", id="a rule"),
        pytest.param(b"- a\n", "- b", id="a nested item"),
        pytest.param(b"- a\n", "# b", id="a heading"),
        pytest.param(b"- a\n", "```", id="code"),
        pytest.param(b"- a\n", "", id="nothing"),
    ],
)
def test_what_would_not_read_as_one_item_is_refused(data: bytes, line: str) -> None:
    with pytest.raises(EntryError):
        add_entry(data, line)


def test_a_text_that_ends_open_is_named_as_the_reason() -> None:
    with pytest.raises(EntryError, match="ends inside an open code block"):
        add_entry(b"```\na\n", NEW)


MARKDOWN = st.lists(
    st.sampled_from(
        ["- a", "* b", "  - c", "1. d", "-", "", "text", "# H", "```", "<!--", "> q", "---", "k: v", "[x]: y"]
    )
)


@pytest.mark.rest
@given(MARKDOWN, st.sampled_from(["\n", "\r\n", "\r"]), st.text(max_size=20))
def test_adding_is_one_insertion_or_a_refusal(parts: list[str], end: str, statement: str) -> None:
    data = end.join(parts).encode()
    try:
        line = entry_line(statement, on=ON, tag=None)
        result = add_entry(data, line)
    except EntryError:
        return
    before, _, after = result.rpartition(line.encode())
    assert data.startswith(after.strip()) or not after.strip()
    assert read_entries(result)[-1].text == " ".join(line.split())
    assert before.startswith(data.rstrip(b"\r\n"))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param("- Ida swims\nMia teaches\n", ("Ida swims", "Mia teaches"), id="no bullet of its own"),
        pytest.param("- It is.\n  It was.\n", ("It is.", "It was."), id="a sentence each"),
        pytest.param("- It is\n  Wednesday.\n", (), id="goes on"),
        pytest.param("- It is\nwednesday.\n", (), id="goes on, not indented"),
    ],
)
def test_lines_that_say_something_each(text: str, lines: tuple[str, ...]) -> None:
    (entry,) = read_entries(text.encode())

    assert entry.lines == lines
