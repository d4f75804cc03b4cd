"""The lines that a commit cut off come back into the text as it is now: a pure function of the texts."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from clawgit.history.decisions import with_cut_lines
from clawgit.memory.corrections.correction_log import with_entry
from clawgit.memory.entries.entries import lines_saying, read_entries
from clawgit.text.markdown.block_structure import blocks
from clawgit.text.markdown.lines import split_lines

TABLE = "| what | when |\n|---|---|\n"


@pytest.mark.parametrize(
    ("before", "after", "present", "expected"),
    [
        pytest.param("a\nb\nc\n", "a\n", "a\n", "a\nb\nc\n", id="as it was"),
        pytest.param("a\nb\nc\n", "a\nn\n", "a\nn\nl\n", "a\nn\nl\n\nb\nc\n", id="the old behind the new"),
        pytest.param("a\nb\nc\n", "a\nb\n", "a2\nb\n", "a2\nb\nc\n", id="what was reworded later stays so"),
        pytest.param("a\nb\nc\n", "a\nb\n", "b\n", "b\nc\n", id="what was taken out later stays out"),
        pytest.param(
            "a\nd\nb\nc\n", "a\nd\n", "c\na\nd\n", "c\na\nd\nb\n", id="what is back elsewhere comes once"
        ),
        pytest.param("a\nb", "a", "a", "a\nb", id="without an end of line"),
        pytest.param("a\r\nb\r\n", "a\r\n", "a", "a\r\nb\r\n", id="windows"),
        pytest.param("## H\n\na\n\n## I\n\nb\n", "", "", "## H\n\na\n\n## I\n\nb\n", id="headings"),
        pytest.param(
            f"- a\n- b\n\n{TABLE}| old | 1 |\n",
            "- a\n",
            "- a\n\n| who | what |\n|---|---|\n| Ada | x |\n",
            f"- a\n- b\n\n| who | what |\n|---|---|\n| Ada | x |\n\n{TABLE}| old | 1 |\n",
            id="behind a table that came since",
        ),
        pytest.param(
            "- a\n\n```\nssh old\n```\n\n- b\n",
            "- a\n",
            "- a\n\n```\nssh new\n```\n",
            "- a\n\n```\nssh new\n```\n\n```\nssh old\n```\n\n- b\n",
            id="behind code that came since",
        ),
        pytest.param(
            f"{TABLE}| one | 1 |\n| two | 2 |\n| three | 3 |\n",
            f"{TABLE}| one | 1 |\n| three | 3 |\n",
            f"{TABLE}| one | 1 |\n| new | 0 |\n| three | 3 |\n",
            f"{TABLE}| one | 1 |\n| new | 0 |\n| two | 2 |\n| three | 3 |\n",
            id="a row into its own table",
        ),
        pytest.param(
            "- one <!-- m:7k2x9d -->\n- b\n",
            "",
            "- first <!-- m:7k2x9d -->\n",
            "- first <!-- m:7k2x9d -->\n- b\n",
            id="an entry that reads otherwise by now",
        ),
        pytest.param(
            "# M\n\n- a\n- b\n",
            "# M\n\nNew text.\n",
            "# M\n\n- a\nNew text.\n- c\n",
            "# M\n\n- a\nNew text.\n- c\n- b\n",
            id="into the list",
        ),
        pytest.param(
            "# M\n- a\n- b\n",
            "# M\nNew text.\n",
            "# M\nNew text.\n",
            "# M\nNew text.\n\n- a\n- b\n",
            id="apart from prose",
        ),
        pytest.param(
            "- a\n- b\n# H\nText\n",
            "# H\nNew text.\nText\n",
            "# H\nNew text.\nText\n",
            "- a\n- b\n# H\nNew text.\nText\n",
            id="above a heading as before",
        ),
    ],
)
def test_lines_that_were_cut_come_back_and_the_others_stay(
    before: str, after: str, present: str, expected: str
) -> None:
    """Mutants: all that is missing comes back; an entry comes twice; two lines become one; a row of one table is put into another."""
    gone = lines_saying([before.encode()]) - lines_saying([present.encode()])

    text = with_cut_lines(before.encode(), after.encode(), present.encode(), gone, {"7k2x9d"})

    assert text.decode() == expected


WRITTEN = [
    "New summary: the van is sold.\n",
    "New\nsummary\n",
    "- new item\n  - its own\n",
    "- new item\nwith more\n",
    "1. first\n2. second\n",
    "```\nssh new\n```\n",
    "| who | what |\n|---|---|\n| Ada | x |\n",
    "> quoted\n",
    "## H\n",
    "<div>\nnew\n</div>\n\n",
    "\n",
]
BEFORE = [
    "# M\n\n",
    "- one <!-- m:111111 -->\n  more of it\n",
    "- two <!-- m:222222 -->\n",
    "\n## H\n\n",
    "- three <!-- m:333333 -->\n",
]


@pytest.mark.parametrize("seed", range(60))
def test_whatever_an_agent_wrote_what_comes_back_is_no_part_of_it(seed: int) -> None:
    """Mutants: no blank line below, none above, none beside a table; an entry takes another's nested items."""
    dice = random.Random(seed)
    parts = [part for part in BEFORE if dice.random() < 0.4]
    for part in dice.choices(WRITTEN, k=dice.randint(1, 4)):
        parts.insert(dice.randint(0, len(parts)), part)
    before, present = "".join(BEFORE).encode(), "".join(parts).encode()
    gone = lines_saying([before]) - lines_saying([present])
    there = {each.entry_id for each in read_entries(present)}

    back = with_cut_lines(before, present, present, gone, there)
    for entry in read_entries(before):
        if entry.entry_id in there:
            continue
        texts = [back, with_entry(present, before, entry)]
        for text in texts:
            assert [each.text for each in read_entries(text) if each.entry_id == entry.entry_id] == [
                entry.text
            ]
            assert _written(present) <= _written(text), text.decode()


def _written(text: bytes) -> Counter[tuple[str, str]]:
    """Return the blocks of a text, with what they say."""
    lines = split_lines(text)
    return Counter(
        (each.kind, b"".join(lines[each.first : each.last]).decode().strip()) for each in blocks(text)
    )
