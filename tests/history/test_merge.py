"""Somebody's edit and a change of ours in one file: both survive, and no marker is ever written."""

from __future__ import annotations

import pygit2
import pytest

from clawgit.history.merge import merge_text


@pytest.fixture
def repo(tmp_path) -> pygit2.Repository:
    return pygit2.init_repository(str(tmp_path))


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
def test_merge(repo, base, ours, theirs, merged) -> None:
    old = None if base is None else base.encode()

    assert merge_text(repo, old, ours.encode(), theirs.encode()).decode() == merged


def test_what_git_takes_for_binary_stays_as_somebody_left_it(repo) -> None:
    assert merge_text(repo, b"a\0b", b"a\0ours", b"a\0theirs") == b"a\0theirs"


def test_nothing_of_either_side_is_lost_when_everything_changed(repo) -> None:
    merged = merge_text(repo, b"1\n2\n3\n", b"a\nb\n", b"x\ny\n").split()

    assert {b"a", b"b", b"x", b"y"} <= set(merged)
    assert b"<<<<<<<" not in b"".join(merged)
