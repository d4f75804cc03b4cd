"""`clawgit connect openclaw` alone: a fresh OpenClaw has memory, and nothing else is to be found out."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from clawgit_command import Said

from clawgit.operations.status import read_standing
from clawgit.workspace.find_workspace import workspace_above

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FORM = {
    "SOUL.md": "# SOUL.md\n\n- Be helpful.\n",
    "IDENTITY.md": "# IDENTITY.md\n\n- **Name:**\n",
    "USER.md": "# USER.md\n\n- **Name:**\n",
    "AGENTS.md": "# AGENTS.md\n\n## Tools\n",
    "BOOTSTRAP.md": "# BOOTSTRAP.md\n\nHello, World.\n",
}


@pytest.fixture
def fresh(config: Path, own_home: Path) -> Path:
    """Give OpenClaw's agent a workspace as OpenClaw makes it, which nobody made one of clawgit's."""
    root = own_home / ".openclaw" / "workspace"
    root.mkdir()
    for name, text in FORM.items():
        (root / name).write_text(text)
    settings = json.loads(config.read_text())
    settings["agents"]["defaults"]["workspace"] = str(root)
    config.write_text(json.dumps(settings))
    return root


@pytest.fixture
def alone(own_home, tmp_path) -> Iterator[Callable[..., Said]]:
    """Return a function that runs a command in no workspace, as a program of its own; the service that it started is ended."""
    path = f"{own_home / 'bin'}{os.pathsep}{os.environ['PATH']}"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def run(*words: str, **more: str) -> Said:
        done = subprocess.run(
            [sys.executable, "-m", "clawgit", *words],
            cwd=elsewhere,
            env=os.environ | {"HOME": str(own_home), "PATH": path} | more,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)

    yield run
    run("down")


@pytest.mark.rest
def test_one_command_makes_the_workspace_connects_starts_and_restarts(alone, fresh, config, own_home) -> None:
    before = {path.name: path.read_text() for path in fresh.glob("*.md")}
    done = alone("connect", "openclaw", "--yes", "--lend-model", JOBS="[]")
    after = {path.name: path.read_text() for path in fresh.glob("*.md") if path.name in before}

    assert done.code == 0
    assert workspace_above(str(fresh)) == str(fresh)
    assert json.loads(config.read_text())["plugins"]["slots"] == {"memory": "clawgit-memory"}
    assert after == before
    assert not (fresh / "MEMORY.md").exists()
    assert "Started clawgit's service" in done.err
    assert read_standing(own_home / ".local" / "state" / "clawgit") is not None
    assert "Restarted OpenClaw's Gateway" in done.err
    assert (own_home / ".openclaw" / "restarted").exists()
    settings = (fresh / "CONFIG.md").read_text()
    assert re.search(r'(?m)^model: "?host', settings)
    assert re.search(r"(?m)^operator_ids:.*telegram:4242", settings)


@pytest.mark.rest
def test_a_dry_run_refuses_what_the_run_would_refuse(alone, fresh) -> None:
    """Mutant: with something staged it says what would be made, and the run refuses."""
    for words in (["init", "-q"], ["add", "AGENTS.md"]):
        subprocess.run(["git", *words], cwd=fresh, check=True)

    planned, done = alone("connect", "openclaw", "--dry-run"), alone("connect", "openclaw")

    assert planned.code == done.code == 1
    for each in (planned, done):
        assert "Staged in git and not committed: AGENTS.md." in each.err


def test_a_dry_run_makes_nothing(alone, fresh) -> None:
    done = alone("connect", "openclaw", "--dry-run")

    assert done.code == 0
    assert f"Would make {fresh} a clawgit workspace" in done.out
    assert 'plugins.slots.memory = "clawgit-memory"' in done.out
    assert sorted(path.name for path in fresh.iterdir()) == sorted(FORM)


@pytest.mark.rest
@pytest.mark.parametrize(
    ("more", "said"),
    [
        pytest.param({}, "Gateway does not answer", id="no Gateway"),
        pytest.param(
            {"JOBS": "[]", "RESTART": "it is in the foreground"}, "could not be restarted", id="no unit"
        ),
    ],
)
def test_what_cannot_be_restarted_is_said(alone, fresh, more, said) -> None:
    done = alone("connect", "openclaw", "--yes", **more)

    assert done.code == 0
    assert said in done.err
    assert "`openclaw gateway restart`" in done.err


def test_a_workspace_that_openclaw_has_not_made_yet_is_said(alone, config, own_home) -> None:
    settings = json.loads(config.read_text())
    settings["agents"]["defaults"]["workspace"] = str(own_home / "nowhere")
    config.write_text(json.dumps(settings))

    done = alone("connect", "openclaw", "--yes")

    assert done.code == 1
    assert "say something to your agent once" in done.err
