"""What the texts of CONFIG.md say is remembered, and read again where that cannot be believed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from clawgit.history.authorship.settings_in_force import read_settings

if TYPE_CHECKING:
    from clawgit.workspace.settings.setting_authority import InForce


def in_force(room) -> InForce:
    return read_settings(room.history, lambda _key, _value: False)


def test_what_is_remembered_is_what_was_read(room) -> None:
    """Mutant: lists come back as something else."""
    room.write(
        "CONFIG.md", "```yaml\nsearch_max_results: 9\ntimezone: Nowhere\noperator_ids: [ada, bob]\n```\n"
    )
    room.keep("operator")

    read, remembered = in_force(room), in_force(room)

    assert remembered == read
    assert (read.settings.search_max_results, read.settings.operator_ids) == (9, ("ada", "bob"))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"read_by": "an earlier version"}, id="of another version"),
        pytest.param({"readings": {}}, id="without its texts"),
        pytest.param({"readings": 1}, id="damaged"),
    ],
)
def test_what_is_remembered_counts_only_where_it_is_whole_and_of_this_version(room, change) -> None:
    """Mutant: what another version read counts."""
    room.write("CONFIG.md", "```yaml\nsearch_max_results: 9\n```\n")
    room.keep("operator")
    in_force(room)
    cache = room.history.state / "config-history.json"
    said = json.loads(cache.read_text())
    for values, _unread in said["readings"].values():
        values["search_max_results"] = 8
    cache.write_text(json.dumps(said))
    assert in_force(room).settings.search_max_results == 8

    cache.write_text(json.dumps(said | change))

    assert in_force(room).settings.search_max_results == 9
