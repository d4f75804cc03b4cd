"""The tips that were seen last are read from a small record, which the disk may have spoiled."""

from __future__ import annotations

import json

from clawgit.history.git.refs import pin_lost_tips, remembered_tips

MAIN = "refs/heads/main"


def test_what_is_no_id_of_a_commit_is_no_tip(room) -> None:
    tip = room.head()
    spoiled = {MAIN: tip, "refs/heads/a": tip[:-1] + "`", "refs/heads/b": 7, "refs/heads/c": None}
    (room.root / ".git/clawgit/tips.json").write_text(json.dumps(spoiled))

    assert pin_lost_tips(room.history) == []

    assert remembered_tips(room.history) == {MAIN: tip}
