from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clawgit.identity.principles import edit_pieces, with_pieces

OLD = b"# S\n\n- a\n- b\n\nText one\ngoes on.\n"
NEW = b"# S\n\n- a2\n- b\n- c\n\n## New\n\n- d\n\nText one\nwent on.\n"
_LINES = st.lists(st.sampled_from([b"- a\n", b"- b\n", b"\n", b"# H\n", b"words\n", b"more"]), max_size=12)


def test_each_principle_is_a_piece() -> None:
    assert [(piece.gone, piece.come) for piece in edit_pieces(OLD, NEW)] == [
        ((b"- a\n",), (b"- a2\n",)),
        ((), (b"- c\n",)),
        ((), (b"## New\n", b"\n", b"- d\n", b"\n")),
        ((b"goes on.\n",), (b"went on.\n",)),
    ]


def test_some_can_be_taken_and_others_left() -> None:
    pieces = edit_pieces(OLD, NEW)

    assert with_pieces(OLD, [pieces[1], pieces[-1]]) == (b"# S\n\n- a\n- b\n- c\n\nText one\nwent on.\n")


def test_a_line_after_an_open_end_stands_by_itself() -> None:
    assert with_pieces(b"- a", edit_pieces(b"- a\n", b"- a\n- b\n")) == b"- a\n- b\n"


@given(_LINES, _LINES)
def test_all_pieces_are_the_edit_and_none_is_nothing(old: list[bytes], new: list[bytes]) -> None:
    before, after = b"".join(old), b"".join(new)
    pieces = edit_pieces(before, after)

    assert with_pieces(before, pieces) == after
    assert with_pieces(before, []) == before
