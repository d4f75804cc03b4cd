"""What the texts of CONFIG.md say is remembered, and read again where that cannot be believed."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from clawgit.history.authorship.intent import Intent
from clawgit.history.authorship.settings_in_force import LATEST, read_settings
from clawgit.history.git.repository import open_history
from clawgit.history.operator_records import claim_commits

if TYPE_CHECKING:
    from clawgit.workspace.settings.settings import InForce


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


def changed_by(room, actor: str, results: int) -> str:
    room.write("CONFIG.md", f"```yaml\nsearch_max_results: {results}\nsoul_policy: locked\n```\n")
    room.keep(actor)
    return str(room.history.tip().commit_id)


def grown(room) -> None:
    """Put more commits on the branch than are read one by one."""
    parts = []
    for number in range(LATEST + 5):
        above = "" if number else "from refs/heads/main^0\n"
        parts.append(
            f"commit refs/heads/main\ncommitter A <a@b.c> {1790000000 + number} +0000\ndata 1\nx\n{above}"
            f"M 100644 inline notes/{number}.txt\ndata 1\nx\n"
        )
    stream = "".join(parts).encode()
    subprocess.run(["git", "fast-import", "--quiet"], cwd=room.root, input=stream, check=True)
    room.git("reset", "-q", "--hard")


def read_anew(room) -> InForce:
    """Return the settings as somebody reads them who remembers nothing."""
    (room.history.state / "config-history.json").unlink(missing_ok=True)
    return read_settings(open_history(room.root), lambda _key, _value: False)


@pytest.mark.rest
@pytest.mark.parametrize("is_claimed", [False, True])
def test_a_long_history_holds_the_same_settings(room, is_claimed) -> None:
    """Mutants: a claim far back is not seen; the change of somebody unknown counts without one."""
    changed_by(room, "operator", 9)
    unknown = changed_by(room, "unknown", 8)
    if is_claimed:
        claim_commits(room.history, (unknown,), Intent("op-claim", "operator", room.now))
    before = read_anew(room)

    grown(room)

    assert read_anew(room) == before


@pytest.mark.rest
def test_where_git_cannot_read_the_past_what_can_be_read_of_it_holds(room) -> None:
    """Mutants: git's failure is an error; what git said until then counts as the whole past."""
    first = room.history.tip().commit_id
    room.change({"memory/a.md": "- Tea.\n"})
    changed_by(room, "operator", 9)
    grown(room)
    room.lose(first)

    assert read_anew(room).settings.search_max_results == 9
