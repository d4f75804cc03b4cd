"""One principle put in, reworded or taken out."""

from __future__ import annotations

import pytest

from clawgit.identity.principle_edits import PrincipleEdit, opposes, same_order, with_edits

SOUL = b"# Soul\n\n- Be kind.\n- Be brief,\n  always.\n\n## Manner\n\nNo flattery.\nNo padding.\n"


@pytest.mark.parametrize(
    ("edit", "after"),
    [
        pytest.param(PrincipleEdit("Be kind.", "Be blunt."), SOUL.replace(b"kind", b"blunt"), id="reworded"),
        pytest.param(PrincipleEdit("Be kind.", ""), SOUL.replace(b"- Be kind.\n", b""), id="removed"),
        pytest.param(
            PrincipleEdit("Be brief, always.", ""),
            SOUL.replace(b"- Be brief,\n  always.\n", b""),
            id="of two lines",
        ),
        pytest.param(
            PrincipleEdit("No flattery. No padding.", "Be plain."),
            SOUL.replace(b"No flattery.\nNo padding.\n", b"Be plain.\n"),
            id="a paragraph",
        ),
        pytest.param(PrincipleEdit("Be loud.", ""), None, id="not there"),
        pytest.param(PrincipleEdit("", "Ask.", "## Manner"), SOUL + b"- Ask.\n", id="added below a heading"),
        pytest.param(
            PrincipleEdit("", "Ask.", "## New"), SOUL + b"\n## New\n\n- Ask.\n", id="below a new one"
        ),
    ],
)
def test_every_other_line_stays(edit: PrincipleEdit, after: bytes | None) -> None:
    assert with_edits(SOUL, [edit]) == after


def test_a_principle_that_is_there_twice_is_left_alone() -> None:
    assert with_edits(SOUL + b"\n- Be kind.\n", [PrincipleEdit("Be kind.", "")]) is None


@pytest.mark.parametrize(
    ("order", "other"),
    [("以后都用中文回答我", "以后不用中文回答了"), ("以后都写摘要", "以后不需要写摘要了")],
)
def test_an_order_and_that_it_need_not_be_followed_are_not_the_same(order: str, other: str) -> None:
    """Seen: the soul said "not in Chinese any more", asked for on the day of "always in Chinese" as well."""
    assert not same_order(order, other)
    assert opposes(order, other)
