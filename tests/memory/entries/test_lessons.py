"""A lesson goes to the end of its own section, and moves nothing."""

from __future__ import annotations

import pytest

from clawgit.memory.entries.own_section import TITLE, add_below


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", "## Lessons\n\n- new\n", id="an empty file"),
        pytest.param("# Tools\n\nWords.\n", "# Tools\n\nWords.\n\n## Lessons\n\n- new\n", id="no section yet"),
        pytest.param("Words.", "Words.\n\n## Lessons\n\n- new\n", id="no line end"),
        pytest.param("## Lessons\n\n- a\n", "## Lessons\n\n- a\n- new\n", id="below the others"),
        pytest.param(
            "## Lessons\n\n- a\n\n## Safety\n\nWords.\n",
            "## Lessons\n\n- a\n- new\n\n## Safety\n\nWords.\n",
            id="before the next section",
        ),
        pytest.param(
            "## Lessons\n## Safety\n", "## Lessons\n\n- new\n\n## Safety\n", id="an empty section before another"
        ),
        pytest.param(
            "## Lessons\n- a\n## Safety\n", "## Lessons\n- a\n- new\n\n## Safety\n", id="sections without a gap"
        ),
        pytest.param(
            "# Lessons\n\n### Old\n\n- a\n\n# End\n", "# Lessons\n\n### Old\n\n- a\n- new\n\n# End\n", id="a part of it"
        ),
        pytest.param(
            "```\n## Lessons\n```\n", "```\n## Lessons\n```\n\n## Lessons\n\n- new\n", id="a heading in code is none"
        ),
        pytest.param(
            "## Lessons\n\nWords.\n\n## End\n", "## Lessons\n\nWords.\n\n- new\n\n## End\n", id="below words"
        ),
        pytest.param("## lessons:\r\n\r\n- a\r\n", "## lessons:\r\n\r\n- a\r\n- new\r\n", id="line ends"),
    ],
)  # fmt: skip
def test_a_lesson_finds_its_section(before: str, after: str) -> None:
    assert add_below(before.encode(), TITLE, "new") == after.encode()
