"""Edits are kept when it is quiet; a workspace that breaks is left alone for a while, and hurts no other."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from running_service import QUICK, until

from clawgit.cli.app import App
from clawgit.workspace.user.workspace_registry import register, unregister

HERE = {"workspace": "main", "actor": "host"}
KEEPS = QUICK._replace(period=0.2, quiet=0.2)


def actor_of(room) -> str:
    return room.git("log", "-1", "--format=%(trailers:key=Clawgit-Actor,valueonly)")


@pytest.fixture
def registry(room) -> Path:
    return App(dict(os.environ)).registry_file


@pytest.mark.rest
def test_an_edit_is_kept_when_it_is_quiet_as_of_unknown_origin(start_service, room) -> None:
    running = start_service(KEEPS)

    room.write("memory/a.md", "- Words.\n")

    assert "memory/a.md" in running.wait_for("kept")
    assert room.git("status", "--porcelain") == ""
    assert actor_of(room) == "unknown"


@pytest.mark.rest
def test_while_somebody_writes_nothing_is_kept(start_service, room) -> None:
    """Mutant: edits are kept as soon as they are seen."""
    running = start_service()
    until(lambda: running.client().ask("health")["result"]["workspaces"])
    room.write("memory/a.md", "- Words.\n")

    said = running.client().ask("turn.end", **HERE)["result"]

    assert said["paths"] == ["memory/a.md"]
    assert running.told("kept") == []
    assert actor_of(room) == "host"


def test_a_workspace_that_goes_is_set_aside_and_looked_after_again_when_it_is_back(
    start_service, room, tmp_path
) -> None:
    running = start_service(QUICK._replace(period=0.05))
    running.wait_for("workspace")
    elsewhere = tmp_path / "elsewhere"
    room.root.rename(elsewhere)

    running.wait_for("aside", "workspace")  # in the middle of a look it was something else for a moment
    assert str(room.root) in until(lambda: running.client().ask("health")["result"]["aside"])
    assert "error" in running.client().ask("status", **HERE)

    elsewhere.rename(room.root)
    running.wait_for("back")
    assert running.client().ask("health")["result"]["ok"]
    told = running.told("aside")
    assert len(told) == len(set(told)), "said once, however often it was tried"


@pytest.mark.rest
def test_the_others_go_on_beside_a_broken_one(start_service, room, registry, tmp_path) -> None:
    broken = Path(shutil.copytree(room.root, tmp_path / "broken"))
    register(registry, "broken", broken)
    (broken / ".git/HEAD").write_text("nonsense")
    running = start_service(KEEPS)
    running.wait_for("aside")

    room.write("memory/a.md", "- Words.\n")

    assert "memory/a.md" in running.wait_for("kept")


def test_a_workspace_is_looked_after_as_soon_as_it_is_registered_and_no_longer(
    start_service, room, registry
) -> None:
    running = start_service(registered=False)
    assert running.client().ask("health")["result"]["workspaces"] == 0

    register(registry, "main", room.root)
    running.wait_for("workspace", "from now on")
    unregister(registry, "main")

    running.wait_for("workspace", "no more")


@pytest.mark.rest
def test_a_damaged_list_of_workspaces_is_said_and_takes_none_of_them_away(
    start_service, room, registry
) -> None:
    """Mutant: what cannot be read is empty."""
    running = start_service(KEEPS)
    running.wait_for("workspace", "from now on")
    whole = registry.read_bytes()
    registry.write_text("{")

    assert "`clawgit workspaces add NAME PATH`" in running.wait_for("registry")
    room.write("memory/a.md", "- Words.\n")
    assert "memory/a.md" in running.wait_for("kept")
    health = running.client().ask("health")["result"]
    assert (health["ok"], health["workspaces"]) == (False, 1)
    assert (
        "is damaged"
        in running.client().ask("status", **HERE | {"workspace": str(room.root)})["result"]["service"][
            "problem"
        ]
    )

    registry.write_bytes(whole)
    running.wait_for("registry", "can be read again")
    assert running.client().ask("health")["result"]["ok"]


@pytest.mark.rest
def test_a_wrong_config_is_told_once_and_the_last_good_values_stay(start_service, room) -> None:
    room.write("CONFIG.md", "```yaml\nsearch_max_results: 7\n```\n")
    room.git("commit", "-qam", "settings")
    running = start_service(KEEPS._replace(reconcile=0.05))

    room.write("CONFIG.md", "```yaml\nsearch_max_results: many\n```\n")

    assert "CONFIG.md:2" in running.wait_for("note")
    assert "last good value" in running.wait_for("note")
    assert running.client().ask("memory.search", **HERE, query="tea")["result"]["results"] == []
    room.write("CONFIG.md", "```yaml\nsearch_max_results: 8\n```\n")
    running.wait_for("kept", "CONFIG.md")
    assert len([text for text in running.told("note") if "CONFIG.md:2" in text]) == 1


def test_runner_status_names_the_command_that_does_the_jobs(start_service, clawgit) -> None:
    running = start_service()
    until(
        lambda: (
            running.folder.exists()
            and "is at work" in clawgit("runner", "status", environment={"HOME": os.environ["HOME"]}).out
        )
    )

    assert (
        f"`clawgit up` is at work (process {running.pid}"
        in clawgit("runner", "status", environment={"HOME": os.environ["HOME"]}).out
    )
