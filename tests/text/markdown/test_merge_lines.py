"""Somebody's edit and a change of ours in one file: both survive, and no marker is ever written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.markdown.merge_lines import weave

LINES = st.sampled_from([b"a\n", b"b\n", b"c\n", b"d\n", b"e\n"])


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged"),
    [
        pytest.param(
            "# d\n\n- a\n",
            "# d\n\n- a\n- b\n",
            "# d\n\n- a\n- c\n",
            "# d\n\n- a\n- b\n- c\n",
            id="both append",
        ),
        pytest.param("- a\n", "- a\n- b\n", "- a\n- b\n", "- a\n- b\n", id="the same line on both sides"),
        pytest.param(
            "- port: 8080\n",
            "- port: 8443\n",
            "- port: 9000\n",
            "- port: 8443\n- port: 9000\n",
            id="one line, two values",
        ),
        pytest.param(
            "x\n",
            "x\n<<<<<<< HEAD\nquoted\n=======\nother\n>>>>>>> b\n",
            "x\ny\n",
            "x\n<<<<<<< HEAD\nquoted\n=======\nother\n>>>>>>> b\ny\n",
            id="quoted markers are no conflict",
        ),
        pytest.param(
            "## c1\n", "## c1\n## c2\n", "## c1\n## c3\n", "## c1\n## c2\n## c3\n", id="both append sections"
        ),
        pytest.param(
            "a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n", "A\nb\nc\nd\nE\n", id="far apart"
        ),
        pytest.param("a\nb\n", "a\n", "a\nb\nc\n", "a\nc\n", id="one removes, the other appends"),
        pytest.param(None, "- ours\n", "- theirs\n", "- ours\n- theirs\n", id="both made the file"),
        pytest.param("a", "a\nours", "a\ntheirs", "a\nours\ntheirs", id="no final line end"),
        pytest.param(
            "a\r\n", "a\r\nours\r\n", "a\r\ntheirs\r\n", "a\r\nours\r\ntheirs\r\n", id="carriage returns"
        ),
    ],
)
def test_weave(base, ours, theirs, merged) -> None:
    old = None if base is None else base.encode()

    assert weave(old, ours.encode(), theirs.encode()).data.decode() == merged


def test_nothing_of_either_side_is_lost_when_everything_changed() -> None:
    merged = weave(b"1\n2\n3\n", b"a\nb\n", b"x\ny\n").data.split()

    assert {b"a", b"b", b"x", b"y"} <= set(merged)
    assert b"<<<<<<<" not in b"".join(merged)


@pytest.mark.parametrize(
    ("ours", "theirs", "conflicts"),
    [
        pytest.param(b"a\nB\nc\n", b"a\nX\nc\n", [(2, (b"B\n",), (b"X\n",))], id="two rewordings of a line"),
        pytest.param(b"a\nc\n", b"a\nX\nc\n", [(2, (), (b"X\n",))], id="gone here, reworded there"),
        pytest.param(b"a\nc\n", b"a\nc\n", [], id="gone on both sides"),
        pytest.param(b"a\nb\nc\nd\n", b"a\nb\nc\ne\n", [], id="both append"),
    ],
)
def test_only_edits_of_the_same_lines_conflict(ours, theirs, conflicts) -> None:
    found = weave(b"a\nb\nc\n", ours, theirs).conflicts

    assert [(conflict.line, conflict.ours, conflict.theirs) for conflict in found] == conflicts


@given(st.lists(LINES, max_size=8), st.lists(LINES, max_size=8), st.lists(LINES, max_size=8))
def test_weaving_is_sound(base, ours, theirs) -> None:
    old, one, other = (b"".join(lines) for lines in (base, ours, theirs))

    assert weave(old, one, old).data == one
    assert weave(old, old, other).data == other
    assert weave(old, one, one).data == one
    merged = weave(old, one, other).data.splitlines()
    for side in (one, other):
        assert set(side.splitlines()) - set(old.splitlines()) <= set(merged)
