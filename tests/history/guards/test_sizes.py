"""Mutant seen to fail here: what is too large is read by the other guards all the same."""

from __future__ import annotations

import pytest
from rounds import some

from clawgit.workspace.settings.settings import Settings

MIB = 1024 * 1024


@pytest.mark.parametrize("actor", some(["organizer", "operator"], each=2))
def test_a_plan_of_300_mib_is_refused_and_read_by_no_other_guard(look, actor: str) -> None:
    """T15, for a plan; the working tree's files are not even read."""
    data = b"- password: tiger777\n" * (300 * MIB // 21)

    assert look.rules({}, {"memory/huge.md": data}, actor) == ["file-size"]


def test_a_file_that_shrinks_is_welcome_at_any_size_and_read(look) -> None:
    settings = Settings(max_file_bytes=65_536)
    before = {"memory/a.md": "- x\n" * 20_000}

    assert look.rules(before, {"memory/a.md": "- x\n" * 19_000}, settings=settings) == []
    gained = "- x\n" * 18_000 + "- password: tiger777\n"
    assert look.rules(before, {"memory/a.md": gained}, settings=settings) == ["secret"]
