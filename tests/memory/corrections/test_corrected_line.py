"""An entry set right where it stands: marker, id, tags and line ends stay, and so does every other byte."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.memory.corrections.write_correction import UnfitError, set_entry_right
from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.statements import parted

ON = date(2026, 3, 19)
OTHERS = b"# MEMORY\n\n- Tea. <!-- m:bbbbbb -->\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("- It is Wed. <!-- m:aaaaaa -->\n", "- It is Thu. <!-- m:aaaaaa -->\n  <!-- was: It is Wed. -->\n", id="plain"),
        pytest.param("- 2026-01-20: It is Wed. #event #x <!-- m:aaaaaa -->\r\n", "- 2026-01-20: It is Thu. #event #x <!-- m:aaaaaa -->\r\n  <!-- was: It is Wed. -->\r\n", id="date, tags, CRLF"),
        pytest.param("- It is Wed. Source: memory/a.md#L3-L5 #x <!-- trigger: review, wed --> <!-- m:aaaaaa --> <!-- importance: 8 --> <!-- project: acme/shop -->\n", "- It is Thu. #x Source: memory/a.md#L3-L5 <!-- trigger: review, wed --> <!-- importance: 8 --> <!-- project: acme/shop --> <!-- m:aaaaaa -->\n  <!-- was: It is Wed. -->\n", id="a host's notes"),
        pytest.param("<!-- openclaw-memory-promotion:k1 -->\n- It is Wed.\n", "<!-- openclaw-memory-promotion:k1 -->\n- It is Thu.\n  <!-- was: It is Wed. -->\n", id="a host's marker above"),
        pytest.param("- It is Wed.\n  <!-- was: It is Tue. -->\n", "- It is Thu.\n  <!-- was: It is Wed. -->\n", id="set right before"),
        pytest.param("12. It is Wed.\n", "12. It is Thu.\n    <!-- was: It is Wed. -->\n", id="numbered"),
        pytest.param("* It\n  is Wed.\n  - below\n", "* It is Thu.\n  <!-- was: It is Wed. -->\n  - below\n", id="over two lines, with a list below"),
        pytest.param("- It is Wed.", "- It is Thu.\n  <!-- was: It is Wed. -->\n", id="the end of the file"),
        pytest.param("- It is --> <!-- Wed.\n", "- It is Thu.\n  <!-- was: It is -&#45;> <!-&#45; Wed. -->\n", id="comment marks"),
        pytest.param("- It is Wed---\n", "- It is Thu.\n  <!-- was: It is Wed-&#45;- -->\n", id="dashes at the end"),
    ],
)  # fmt: skip
def test_an_entry_is_set_right(old: str, new: str) -> None:
    data = OTHERS + old.encode()

    assert set_entry_right(data, read_entries(data)[1], "It is Thu.") == OTHERS + new.encode()


@pytest.mark.parametrize(
    ("old", "statement"),
    [
        pytest.param("- It is Wed.\n", "It is <!-- m:bbbbbb --> Thu.", id="an id of another"),
        pytest.param("- It is Wed.\n", "- It is Thu.", id="an item in the item"),
        pytest.param("- It is Wed.\n", "# It is Thu.", id="a heading"),
        pytest.param("- It is Wed.\n\n  A second paragraph.\n", "It is Thu.", id="only a part of the entry"),
    ],
)
def test_what_would_read_otherwise_is_refused(old: str, statement: str) -> None:
    data = OTHERS + old.encode()

    with pytest.raises(UnfitError):
        set_entry_right(data, read_entries(data)[1], statement)


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_harms_what_stands_beside(old: str, statement: str) -> None:
    data = b"- " + " ".join(old.split()).encode("utf-8", "replace") + b" x\n- Tea. <!-- m:bbbbbb -->\n"
    entries = read_entries(data)
    if len(entries) != 2:
        return
    try:
        new = set_entry_right(data, entries[0], " ".join(statement.split()))
    except UnfitError:
        return
    assert [each.text for each in read_entries(new)][1:] == ["Tea."]
    assert new.endswith(b"- Tea. <!-- m:bbbbbb -->\n")
    assert parted(read_entries(new)[0].text).statement == parted(" ".join(statement.split())).statement
