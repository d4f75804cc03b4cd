"""git's hooks keep a host that works in the shared memory from committing there.

Mutants seen to fail here: the hook does not ask the registry; it asks for the operator, too.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from clawgit.workspace.user.user_file import user_config_dir
from clawgit.workspace.user.workspace_registry import register, registry_file


@pytest.mark.parametrize(("actor", "code"), [("host", 1), ("operator", 0)])
def test_only_the_operator_commits_by_git_in_the_shared_memory(hooked, tmp_path, actor, code):
    registry = registry_file(user_config_dir(os.environ, Path.home()))
    register(registry, "main", tmp_path / "main")
    register(registry, "common", hooked.root, orchestrator="main")
    hooked.stage("memory/notes.md", hooked.GOOD)

    done = hooked.git("commit", "-m", "notes", CLAWGIT_ACTOR=actor)

    assert done.returncode == code, done.stderr
    assert ("Only main writes to the shared memory common." in done.stderr) == bool(code)
