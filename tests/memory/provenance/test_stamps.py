"""Ids go to what a change touched, and to nothing else."""

from __future__ import annotations

from itertools import zip_longest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.memory.entries.entries import new_entry_id, read_entries
from clawgit.memory.provenance.stamps import stamp
from clawgit.text.markdown.lines import split_lines

EVIDENCE = "msg:1"


def fresh(text: str) -> bytes:
    return new_entry_id(text, EVIDENCE, ()).encode()


@pytest.mark.parametrize(
    ("old", "new", "stamped"),
    [
        pytest.param(b"", b"- a\n", b"- a <!-- m:A -->\n", id="new item"),
        pytest.param(
            b"- b\n", b"- b\n- a\n", b"- b\n- a <!-- m:A -->\n", id="an old line without id stays without"
        ),
        pytest.param(b"- b\n", b"- a\n", b"- a <!-- m:A -->\n", id="changed line without id"),
        pytest.param(
            b"- a\n# 2\n- b\n",
            b"- b\n# 2\n- b\n",
            b"- b <!-- m:B -->\n# 2\n- b\n",
            id="a changed line that says what another one says",
        ),
        pytest.param(b"- b\n", b"*   b\n", b"*   b\n", id="white space and marker are no change"),
        pytest.param(
            b"", b"- a\r\n\r\n- b\r", b"- a <!-- m:A -->\r\n\r\n- b <!-- m:B -->\r", id="own line ends"
        ),
        pytest.param(b"", b"- a", b"- a <!-- m:A -->", id="no line end"),
        pytest.param(b"", b"- a\n  b\n\n  c\n", None, id="wrapped"),
        pytest.param(
            b"- a <!-- m:1x -->\n", b"- a\n", b"- a <!-- m:1x -->\n", id="exact words get their id back"
        ),
        pytest.param(
            b"- a <!-- m:1x -->\n",
            b"- a <!-- m:9y -->\n",
            b"- a <!-- m:1x -->\n",
            id="exact words, garbled id",
        ),
        pytest.param(
            b"- a <!-- m:1x -->\n- b <!-- m:2x -->\n",
            b"- b <!-- m:1x -->\n- a <!-- m:2x -->\n",
            b"- b <!-- m:2x -->\n- a <!-- m:1x -->\n",
            id="exact words, ids swapped",
        ),
        pytest.param(
            b"- a <!-- m:1x -->\n", b"- z <!-- m:1x -->\n", b"- z <!-- m:1x -->\n", id="reworded with its id"
        ),
        pytest.param(b"", b"- a <!-- m:9y -->\n", b"- a <!-- m:9y -->\n", id="a typed id is a label"),
        pytest.param(
            b"",
            b"- a <!-- m:9y -->\n- b <!-- m:9y -->\n",
            b"- a <!-- m:9y -->\n- b <!-- m:B -->\n",
            id="a label once",
        ),
        pytest.param(
            b"- a <!-- m:1x -->\n",
            b"- a <!-- m:1x -->\n- b <!-- m:1x -->\n",
            b"- a <!-- m:1x -->\n- b <!-- m:B -->\n",
            id="the untouched one of two keeps the id",
        ),
        pytest.param(
            b"- Ada likes green tea <!-- m:1x -->\n",
            b"- b <!-- m:1x -->\n- Ada likes tea <!-- m:1x -->\n",
            b"- b <!-- m:B -->\n- Ada likes tea <!-- m:1x -->\n",
            id="the closer one of two keeps the id",
        ),
        pytest.param(
            b"- The tests run nightly on CI <!-- m:1x -->\n",
            b"- Tests run nightly on CI\n",
            b"- Tests run nightly on CI <!-- m:1x -->\n",
            id="close words get the id of what vanished",
        ),
        pytest.param(
            b"- a <!-- m:1x -->\n- c <!-- m:1x -->\n",
            b"- a <!-- m:1x -->\n- c <!-- m:1x -->\n- b\n",
            b"- a <!-- m:1x -->\n- c <!-- m:1x -->\n- b <!-- m:B -->\n",
            id="old duplicates stay as they are",
        ),
        pytest.param(
            b"", b"```\n- a\n```\n<!--\n- b\n-->\n", b"```\n- a\n```\n<!--\n- b\n-->\n", id="no items"
        ),
        pytest.param(
            b"- a <!-- m:1x -->\n- b <!-- m:1x -->\n",
            b"- a\n- b\n",
            b"- a <!-- m:1x -->\n- b <!-- m:B -->\n",
            id="old duplicates that lost their ids share none again",
        ),
        pytest.param(b"", b"- a <!-- b\n", b"- a <!-- b\n", id="an id would close the open comment"),
        pytest.param(b"", b"- `<!-- m:1x -->`\n", None, id="an example in code"),
        pytest.param(b"", b"- caf\xe9\n", None, id="not UTF-8"),
    ],
)
def test_stamp(old: bytes, new: bytes, stamped: bytes | None) -> None:
    result = stamp(old, new, EVIDENCE)

    if stamped is not None:
        assert result == stamped.replace(b":A ", b":%s " % fresh("a")).replace(b":B ", b":%s " % fresh("b"))
    assert all(entry.entry_id or "<!--" in entry.text or entry.text == "b" for entry in read_entries(result))
    assert stamp(old, result, EVIDENCE) == result


@pytest.mark.parametrize(
    ("was", "now"),
    [
        pytest.param(
            "Deploys of the Acme API happen on Friday", "Deploys of the Acme API happen on Monday", id="day"
        ),
        pytest.param(
            "The build of the whole site is green", "The build of the whole site is not green", id="not"
        ),
        pytest.param(
            "The server listens on port 5000 today", "The server listens on port 6000 today", id="number"
        ),
        pytest.param(
            "The repository is owned by Alice Smith", "The repository is owned by Alicia Smith", id="name"
        ),
    ],
)
def test_other_facts_never_inherit_an_id(was: str, now: str) -> None:
    result = stamp(f"- {was} <!-- m:1x -->\n".encode(), f"- {now}\n".encode(), EVIDENCE)
    assert result == f"- {now} <!-- m:{fresh(now).decode()} -->\n".encode()


def test_equal_new_items_get_different_ids_that_avoid_those_in_use() -> None:
    first = fresh("a").decode()
    result = stamp(b"", b"- a\n- a\n", EVIDENCE, taken={first})
    ids = [entry.entry_id for entry in read_entries(result)]
    assert len(set(ids)) == 2
    assert first not in ids


def test_the_id_of_a_wrapped_item_ends_its_first_paragraph() -> None:
    lines = split_lines(stamp(b"", b"- a\n  b\n\n  c\n", EVIDENCE))
    assert [b"<!-- m:" in line for line in lines] == [False, True, False, False]


PHRASES = [
    "a",
    "b",
    "Ada likes green tea",
    "Ada likes tea",
    "Ada likes green tea a lot",
    "port 1",
    "x <!-- y",
    "`c",
]
MARKS = [
    "",
    "",
    " <!-- m:1x -->",
    " <!-- m:2x -->",
    " <!-- m:3x -->",
    " <!-- m:1x --> <!-- m:2x -->",
    " <!-- m:2x --> z",
]
ITEMS = st.builds(
    "{}{}{}".format,
    st.sampled_from(["- ", "- ", "  - ", "* ", "1. "]),
    st.sampled_from(PHRASES),
    st.sampled_from(MARKS),
)
OTHERS = st.sampled_from(
    ["", "text", "  more", "# H", "```", "<!--", "-->", "> - q", "  <!-- m:1x -->", "---", "-"]
)
FILES = st.builds(
    lambda lines, end: end.join(lines).encode(),
    st.lists(ITEMS | ITEMS | OTHERS, max_size=9),
    st.sampled_from(["\n", "\r\n"]),
)


@given(FILES, FILES)
def test_stamping_changes_nothing_but_ids_and_is_done_once(old: bytes, new: bytes) -> None:
    result = stamp(old, new, EVIDENCE)

    assert [entry.text for entry in read_entries(result)] == [entry.text for entry in read_entries(new)]
    assert stamp(old, result, EVIDENCE) == result
    assert stamp(result, result, EVIDENCE) == result
    changed = {
        n for n, pair in enumerate(zip_longest(split_lines(new), split_lines(result))) if pair[0] != pair[1]
    }
    assert changed <= {n for entry in read_entries(new) for n in range(entry.first, entry.last)}


@given(FILES)
def test_an_unchanged_text_is_never_stamped(data: bytes) -> None:
    assert stamp(data, data, EVIDENCE) == data


def test_an_id_is_made_of_what_the_item_itself_rests_on() -> None:
    """Mutant: of the first evidence of the change."""
    stamped = stamp(b"", b"- a\n- b\n", EVIDENCE, own={"b": "msg:2"})

    assert [entry.entry_id for entry in read_entries(stamped)] == [
        new_entry_id("a", EVIDENCE, ()),
        new_entry_id("b", "msg:2", ()),
    ]
