"""Changes that one guard alone sees.

Mutants seen to fail here: a file that lost its last line counts as one that only grew; only Markdown is looked at for
characters that command, so the name of another file is not.
"""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        pytest.param(
            {"memory/a.md": "- Ada lives in Ulm.\n- x y z.\n"},
            {"memory/a.md": "- Ada lives in Ulm.\n"},
            "loss",
            id="the last line goes",
        ),
        pytest.param({}, {"a\x07.txt": "x\n"}, "control-character", id="a name that rings"),
        pytest.param({}, {"a\u202eb.txt": "x\n"}, "control-character", id="a name that turns around"),
    ],
)
def test_what_only_one_guard_sees_is_found(look, before, after, rule) -> None:
    assert rule in look.rules(before, after)
