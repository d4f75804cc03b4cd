"""A person's git that commits while CHANGELOG.md is being written: the next one to look renders it.

Mutant seen to fail here: what the views show is noted as the tip of the moment after they were written.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from clawgit.history.git.repository import open_history
from clawgit.history.views.render_views import refresh_views, write_views

if TYPE_CHECKING:
    from pathlib import Path

CHANGELOG = "CHANGELOG.md"


def write(say: Any, wait: Any, root: Path) -> None:
    history = open_history(root)
    wait()
    with history.locked():
        write_views(history, datetime.now(UTC))
    say("written")


def test_a_commit_made_while_the_views_are_written_is_rendered_by_the_next_look(room, stopped, start):
    def commit(words: str) -> None:
        with (room.root / "SOUL.md").open("a") as file:
            file.write(f"- {words}.\n")
        room.git("commit", "-qam", words)

    commit("Too hasty")
    after_the_file = (("renameat", CHANGELOG), lambda: commit("The sign"))

    assert stopped(lambda root: start(write, root), room.root, after_the_file) == ["written"]
    assert "The sign" not in (room.root / CHANGELOG).read_text("utf-8")

    with room.history.locked():
        assert refresh_views(open_history(room.root), datetime.now(UTC)) == ()

    assert "The sign" in (room.root / CHANGELOG).read_text("utf-8")
