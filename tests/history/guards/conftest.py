"""Two states of a workspace, and what the guards say to going from one to the other.

Every look asks, too, the guards that are passed over: they find nothing. Mutants seen to fail here: a guard is passed
over for standing files; for names with letters of other scripts; for archived corrections; for entries that go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import pygit2
import pytest

from clawgit.history.authorship.intent import Intent
from clawgit.history.git.objects import Objects
from clawgit.history.git.trees import Tree
from clawgit.history.guards.check import check
from clawgit.history.transaction.working_tree import Draft
from clawgit.workspace.safe_files import FileContent
from clawgit.workspace.settings.settings import Settings

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from clawgit.history.guards.finding import Finding
    from clawgit.plan import Plan

Files: TypeAlias = "dict[str, str | bytes | None]"


@dataclass
class Look:
    """Asks the guards; ``settings`` and the fields of an intent can be given."""

    repo: pygit2.Repository
    objects: Objects
    now: datetime

    def __call__(
        self,
        before: Files,
        after: Files,
        actor: str = "memory-miner",
        *,
        plan: Plan | None = None,
        settings: Settings | None = None,
        **intent: Any,
    ) -> list[Finding]:
        base = self.tree(before)
        new = Draft(base, contents(after))
        wanted = Intent("op-1", actor, self.now, **intent)
        return list(check(base, new, wanted, settings or Settings(), plan=plan))

    def tree(self, files: Files) -> Tree:
        draft = Draft(Tree(self.objects, None), contents(files))
        return Tree(self.objects, draft.store(self.repo))

    def rules(self, *arguments: Any, **more: Any) -> list[str]:
        return [finding.rule for finding in self(*arguments, **more)]


def contents(files: Files) -> dict[str, FileContent | None]:
    return {
        path: None if text is None else FileContent(text if isinstance(text, bytes) else text.encode())
        for path, text in files.items()
    }


@pytest.fixture
def look(tmp_path: Path, now: datetime) -> Look:
    repo = pygit2.init_repository(str(tmp_path / "repository"), bare=True)
    return Look(repo, Objects(lambda: repo, tmp_path / "repository" / "objects"), now)
