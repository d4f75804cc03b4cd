"""What the guards read: each changed file once, however many of them ask, and 100,000 files within seconds.

Mutant seen to fail here: every guard reads for itself.
"""

from __future__ import annotations

from collections import Counter

from clawgit.history.authorship.intent import Intent
from clawgit.history.git.objects import Objects
from clawgit.history.git.trees import Tree
from clawgit.history.guards.check import check
from clawgit.workspace.settings.settings import Settings


class Counting(Objects):
    """The repository's objects, and how often each file was read."""

    def __init__(self, *arguments) -> None:
        super().__init__(*arguments)
        self.read = Counter[str]()

    def blob(self, object_id: str) -> bytes:
        self.read[object_id] += 1
        return super().blob(object_id)


def test_every_changed_file_is_read_once(look, tmp_path, now) -> None:
    before = look.tree({f"memory/{number}.md": f"- said {number}\n" for number in range(9)})
    after = look.tree({f"memory/{number}.md": f"- said {number} times\n" for number in range(12)})
    objects = Counting(look.repo, tmp_path / "repository" / "objects")
    base, tree = Tree(objects, before.tree_id), Tree(objects, after.tree_id)

    check(base, tree, Intent("op", "operator", now), Settings())

    assert len(objects.read) == 9 + 12
    assert set(objects.read.values()) == {1}
