"""Edits are kept when it is quiet; a workspace that breaks is left alone for a while, and hurts no other."""

from __future__ import annotations

import asyncio
import os
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from running_service import QUICK, until

from clawgit.cli.app import App
from clawgit.service.caretaker import Care, Caretaker, ServiceClock, Times, Watch, stamp_below
from clawgit.service.request_desk import RequestDesk
from clawgit.workspace.user.workspace_registry import register, unregister

HERE = {"workspace": "main", "actor": "host"}
KEEPS = QUICK._replace(quiet=0.2)


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


def test_an_edit_that_comes_while_others_are_kept_is_kept_as_well(tmp_path) -> None:
    """Mutant: what is there when they are kept counts as seen."""
    watch = Watch(tmp_path, QUICK._replace(look=0.0, quiet=0.0))
    (tmp_path / "a.md").write_text("tea\n")
    assert watch.is_due()

    (tmp_path / "b.md").write_text("came while a.md was kept\n")
    watch.done()

    assert watch.is_due()
    watch.done()
    assert not watch.is_due()


def test_an_error_without_words_is_told_by_its_kind_and_the_edit_is_still_due(tmp_path) -> None:
    """Mutant: what has no text is no error, and the edit waits as if it were kept."""

    def fail(_root: Path) -> None:
        raise TimeoutError

    async def stay_for_a_moment() -> None:
        desk = RequestDesk({}, Path, str)
        caretaker = Caretaker(Care(lambda: [tmp_path], str, fail), desk, events.append, times)
        with suppress(TimeoutError):
            await asyncio.wait_for(caretaker.stay(), 0.5)
        aside.update(caretaker.aside)

    events, aside = [], {}
    times = QUICK._replace(look=0.0, quiet=0.0)
    (tmp_path / "a.md").write_text("tea\n")
    asyncio.run(stay_for_a_moment())

    assert aside == {str(tmp_path): "TimeoutError"}
    assert [event.kind for event in events] == ["workspace", "aside"]


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
    running = start_service(QUICK._replace(reconcile=0.05))
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


@pytest.mark.parametrize("change", ["written", "added", "removed", "moved", "same size, same second"])
def test_every_change_of_a_file_changes_the_stamp(tmp_path, change: str) -> None:
    (tmp_path / "memory").mkdir()
    file = tmp_path / "memory/a.md"
    file.write_text("tea\n")
    os.utime(file, (1, 1))
    before = stamp_below(tmp_path)

    match change:
        case "written":
            file.write_text("coffee\n")
        case "added":
            (tmp_path / "memory/b.md").write_text("")
        case "removed":
            file.unlink()
        case "moved":
            file.rename(tmp_path / "memory/c.md")
        case _:
            fresh = tmp_path / "memory/new"
            fresh.write_text("pie\n")
            os.utime(fresh, (1, 1))
            fresh.replace(file)

    assert stamp_below(tmp_path) != before


def test_gits_own_files_and_reading_change_no_stamp(room) -> None:
    before = stamp_below(room.root)

    room.git("gc", "-q")
    (room.root / "MEMORY.md").read_bytes() if (room.root / "MEMORY.md").exists() else None

    assert stamp_below(room.root) == before


def test_a_reason_is_told_again_only_when_it_is_another(tmp_path) -> None:
    watch = Watch(tmp_path, QUICK)

    assert [watch.failed(reason) for reason in ("gone", "gone", "read-only", "gone")] == [
        True,
        False,
        True,
        True,
    ]


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


class BusyMachine:
    """A clock on a machine that is so busy that each look takes most of a second, of a millisecond's work."""

    def __init__(self) -> None:
        self.now = self.work = 0.0
        self.looks = 0

    def read(self) -> ServiceClock:
        return ServiceClock(lambda: self.now, self._worked)

    def _worked(self) -> float:
        """Return the work so far: asked before a look and after it."""
        self.looks += 0.5
        self.now += 0.35
        self.work += 0.0005
        return self.work


@pytest.mark.parametrize("many", [1, 5])
def test_the_last_edit_is_kept_in_time_on_a_busy_machine(tmp_path, many: int) -> None:
    """Mutant: looks are put off for as long as they take, and 210 seconds go by before the edit is seen."""
    machine, times = BusyMachine(), Times()
    note = tmp_path / "note.md"
    note.write_text("- one\n")
    os.utime(note, (0, 0))
    watch = Watch(tmp_path, times, machine.read())
    while not watch.is_due(many):
        machine.now += times.look
    watch.done()
    for _ in range(5):
        assert not watch.is_due(many)
        machine.now += times.look
    edited = machine.now
    note.write_text("- one\n- two\n")
    os.utime(note, (edited, edited))

    while not watch.is_due(many):
        machine.now += times.look

    assert times.quiet <= machine.now - edited <= times.quiet + 2 * (times.look + 0.7)
    assert machine.looks > 10


def test_an_edit_that_bears_an_old_date_is_kept_once_it_was_quiet(tmp_path) -> None:
    """Mutant: what was copied here with its date counts as quiet since then."""
    machine, times = BusyMachine(), Times()
    note = tmp_path / "note.md"
    note.write_text("- one\n")
    os.utime(note, (0, 0))
    machine.now = 10_000.0
    watch = Watch(tmp_path, times, machine.read())
    assert not watch.is_due()
    machine.now += times.quiet
    assert watch.is_due()
    watch.done()
    machine.now += 60
    assert not watch.is_due()
    machine.now += 1
    os.utime(note, (5_000, 5_000))

    assert not watch.is_due()
