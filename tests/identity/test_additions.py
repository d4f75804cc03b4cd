"""Only what leaves every old line as it was, in meaning too, is an addition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.identity.soul_policy import additions_only, is_addition
from clawgit.text.markdown.lines import split_lines

SOUL = b"# Soul\n\nI am kind.\n\n## Rules\n\n- Never lie.\n- Ask first.\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(SOUL, SOUL, id="nothing"),
        pytest.param(SOUL, SOUL + b"- Be brief.\n", id="an item at the end"),
        pytest.param(SOUL, SOUL.replace(b"- Ask", b"- Be brief.\n- Ask"), id="an item between"),
        pytest.param(SOUL, SOUL + b"\n## Taste\n\nTea.\n", id="a section at the end"),
        pytest.param(SOUL, SOUL.replace(b"## Rules", b"I am calm.\n\n## Rules"), id="a paragraph"),
        pytest.param(
            SOUL, SOUL.replace(b"## Rules", b"## Taste\n\nTea.\n\n## Rules"), id="a section between"
        ),
        pytest.param(SOUL, SOUL + b"\n<!-- note -->\n", id="a closed comment at the end"),
        pytest.param(SOUL, SOUL + b"\n```\ncode\n```\n", id="closed code at the end"),
        pytest.param(SOUL[:-1], SOUL + b"- Be brief.\n", id="the old text had no last end"),
        pytest.param(SOUL.replace(b"\n", b"\r\n"), SOUL.replace(b"\n", b"\r\n") + b"- x\r\n", id="CRLF"),
        pytest.param(b"", b"# Soul\n", id="an empty file"),
        pytest.param(SOUL, SOUL + b"- Be brief.", id="no last end"),
    ],
)
def test_an_addition_stays_whole(old: bytes, new: bytes) -> None:
    assert is_addition(old, new)
    assert additions_only(old, new) == new


@pytest.mark.parametrize(
    "new",
    [
        pytest.param(b"", id="all deleted"),
        pytest.param(SOUL.replace(b"- Never lie.\n", b""), id="a line deleted"),
        pytest.param(SOUL.replace(b"Never lie", b"Lie"), id="a line reworded"),
        pytest.param(SOUL.replace(b"lie.\n", b"lie.\n  Unless asked.\n"), id="an item continued"),
        pytest.param(SOUL.replace(b"lie.\n", b"lie.\nUnless asked.\n"), id="an item continued lazily"),
        pytest.param(
            SOUL.replace(b"lie.\n", b"lie.\n\n  Unless asked.\n\n"), id="a second paragraph in an item"
        ),
        pytest.param(
            SOUL.replace(b"lie.\n", b"lie.\n  - Unless asked.\n"), id="an item qualified by a nested one"
        ),
        pytest.param(SOUL + b"  unless asked\n", id="the last item continued"),
        pytest.param(SOUL.replace(b"kind.\n", b"kind.\nNot always.\n"), id="a paragraph continued"),
        pytest.param(SOUL.replace(b"I am kind", b"Nobody says\nI am kind"), id="a paragraph led in"),
        pytest.param(SOUL.replace(b"kind.\n", b"kind.\n---\n"), id="a paragraph made a heading"),
        pytest.param(SOUL.replace(b"- Never", b"<!--\n- Never"), id="a comment opened"),
        pytest.param(SOUL.replace(b"- Never", b"<!--\n- Never") + b"-->\n", id="lines commented out"),
        pytest.param(SOUL.replace(b"- Never", b"```\n- Never"), id="code opened"),
        pytest.param(SOUL.replace(b"- Never", b"```\n- Never") + b"```\n", id="lines made code"),
        pytest.param(SOUL + b"\n<!--\n", id="a comment left open"),
        pytest.param(SOUL + b"\n```\n", id="code left open"),
        pytest.param(SOUL.replace(b"- Never", b"<details>\n\n- Never"), id="an HTML block opened"),
        pytest.param(b"---\n" + SOUL, id="a rule at the top"),
        pytest.param(b"---\na: 1\n---\n" + SOUL, id="front matter"),
        pytest.param(SOUL.replace(b"- Never", b"## Past rules\n\n- Never"), id="another heading above"),
        pytest.param(SOUL.replace(b"- Never", b"Never do this:\n\n- Never"), id="announced by a colon"),
        pytest.param(SOUL.replace(b"- Never", b"- Ignore:\n\n  - x\n\n      - Never"), id="moved inwards"),
    ],
)
def test_what_changes_an_old_line_or_its_meaning_is_left_out(new: bytes) -> None:
    assert not is_addition(SOUL, new)
    assert additions_only(SOUL, new) == SOUL


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        pytest.param(
            SOUL,
            SOUL.replace(b"kind", b"blunt") + b"- Be brief.\n",
            SOUL + b"- Be brief.\n",
            id="reworded and added",
        ),
        pytest.param(
            SOUL,
            SOUL.replace(b"## Rules", b"I am calm.\n\n## Rules") + b"  unless asked\n",
            SOUL.replace(b"## Rules", b"I am calm.\n\n## Rules"),
            id="one harmless insertion, one not",
        ),
        pytest.param(b"- a b c\n\nx\n", b"x\n\n- a b c\n", b"- a b c\n\nx\n", id="moved"),
        pytest.param(
            b"Never lie.\n\nx\n", b"\nNever lie unless asked.\n\nx\n", b"Never lie.\n\nx\n", id="said again"
        ),
        pytest.param(
            b"---\na: 1\n---\nx\n", b"---\na: 1\nb: 2\n---\nx\n", b"---\na: 1\n---\nx\n", id="front matter"
        ),
        pytest.param(b"```\na\n", b"```\na\nb\n", b"```\na\n", id="into open code"),
        pytest.param(b"- a\n  - b\n", b"- a\n  - c\n  - b\n", b"- a\n  - b\n", id="into an item with items"),
        pytest.param(b"[a]\n", b"[a]\n\n[a]: http://x\n", b"[a]\n", id="a link's target"),
        pytest.param(b"a", b"b", b"a", id="no last end and nothing added"),
    ],
)
def test_the_additions_of_a_mixed_edit_stay(old: bytes, new: bytes, kept: bytes) -> None:
    assert additions_only(old, new) == kept
    assert not is_addition(old, new)


TEXTS = st.lists(
    st.sampled_from(
        [
            "- a",
            "- b",
            "  - c",
            "",
            "",
            "text",
            "more words",
            "# H",
            "## I",
            "```",
            "<!--",
            "-->",
            "> q",
            "---",
            "k: v",
        ]
    )
).map(lambda lines: "".join(line + "\n" for line in lines).encode())


def is_subsequence(old: bytes, new: bytes) -> bool:
    rest = iter(split_lines(new))
    return all(line in rest for line in split_lines(old))


@given(TEXTS, TEXTS)
def test_every_old_line_is_kept_and_nothing_is_invented(old: bytes, new: bytes) -> None:
    kept = additions_only(old, new)

    assert is_subsequence(old, kept)
    assert set(split_lines(kept)) <= set(split_lines(old)) | set(split_lines(new))
    if is_addition(old, new):
        assert kept == new
