"""`memory compact`: the vectors' scenarios from the command line, and what must not be lost on the way."""

from __future__ import annotations

import json

import pytest
from tests_folder import TESTS

VECTORS = json.loads((TESTS / "vectors" / "compaction_quarterly.json").read_text("utf-8"))
Q4, Q1 = "memory/archive/2025-Q4.md", "memory/archive/2026-Q1.md"
NOTES = {"memory/2025-11-05.md", "memory/2025-12-24.md", "memory/2026-01-10.md"}


class Compacting:
    """A room with a case's files, and the command at the case's time."""

    def __init__(self, room, clawgit) -> None:
        self.room, self.clawgit, self.now = room, clawgit, "2026-06-15T12:00:00+00:00"
        self.days = 90

    def lay_out(self, files: dict[str, str]) -> None:
        self.room.change(files, actor="operator")
        self.room.now = self.room.now.replace(month=6, day=15)

    def compact(self, *options: str):
        return self.clawgit(
            "memory", "compact", "--days", str(self.days), *options, environment={"CLAWGIT_NOW": self.now}
        )

    def step(self, step: dict):
        return self.compact(*(f"--{name}" for name, wanted in step.items() if wanted))

    def texts(self) -> dict[str, str]:
        tree = self.room.history.tip().tree
        return {
            path: (tree.read(path) or b"").decode()
            for path, _ in tree.files()
            if path.startswith(("MEMORY.md", "memory/", "Archive/"))
        }


@pytest.fixture
def compacting(room, clawgit) -> Compacting:
    return Compacting(room, clawgit)


def check_s2(said: list, before: dict, after: dict) -> None:
    assert "met Noor" in after[Q4]
    assert "launch party" in after[Q4]
    assert "chose Postgres" in after[Q1]
    assert {path: after[path] for path in before} == before


def check_s4(said: list, before: dict, after: dict) -> None:
    assert (after[Q4] + after[Q1]).count("met Noor") == 1
    assert (after[Q4] + after[Q1]).count("chose Postgres") == 1
    assert "had them all already" in said[1].out


def check_s5(said: list, before: dict, after: dict) -> None:
    check_s4(said, before, after)
    assert not NOTES & after.keys()
    assert after["memory/2026-06-10.md"] == before["memory/2026-06-10.md"]


def check_s6(said: list, before: dict, after: dict) -> None:
    assert after[Q4].startswith(before[Q4])
    assert "met Noor" in after[Q4]
    assert "launch party" in after[Q4]


def check_s8(said: list, before: dict, after: dict) -> None:
    assert sum("memory/2" in line for line in said[0].out.splitlines()) == 4
    assert after == before


def check_s9(said: list, before: dict, after: dict) -> None:
    assert said[0].out == "No dated note is 90 days old or older.\n"
    assert after == before


def check_s12(said: list, before: dict, after: dict) -> None:
    assert "- CEO is Noor, not Nour #correction\n- had lunch #event\n" in after[Q4]


def check_s14(said: list, before: dict, after: dict) -> None:
    assert "daily" in after[Q4].splitlines()
    assert "other" in after[Q4].splitlines()
    assert after[Q4].startswith(before[Q4])


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_scenarios_of_the_vectors(compacting: Compacting, case: dict) -> None:
    compacting.days = case["days"]
    compacting.lay_out(case["files"])
    before = compacting.texts()

    said = [compacting.step(step) for step in case["steps"]]

    assert [each.code for each in said] == [0] * len(said)
    globals()[f"check_{case['id'].lower()}"](said, before, compacting.texts())


OLD = {"memory/2025-11-05.md": "# 2025-11-05\n\nmet Noor\n", "memory/2025-12-24.md": "launch party\n"}


def test_an_edit_after_archiving_is_archived_before_the_file_goes(compacting: Compacting) -> None:
    """Mutant: what a mark says was archived is removed, and the edit with it."""
    compacting.lay_out(OLD)
    compacting.compact("--apply")
    compacting.room.write("memory/2025-11-05.md", "# 2025-11-05\n\nmet Noor\nand Bob\n")

    compacting.compact("--apply", "--remove")
    compacting.compact("--apply", "--remove")

    after = compacting.texts()
    assert "and Bob" in after[Q4]
    assert not OLD.keys() & after.keys()


def test_it_is_shown_and_nothing_is_done_without_apply(compacting: Compacting) -> None:
    compacting.lay_out(OLD)
    head = compacting.room.head()

    said = compacting.compact("--remove", "--json")

    assert [each["quarter"] for each in said.data["notes"]] == ["2025-Q4", "2025-Q4"]
    assert "Nothing is removed without --apply." in said.err
    assert compacting.room.head() == head


@pytest.mark.rest
def test_what_was_removed_is_found_and_comes_back(compacting: Compacting) -> None:
    compacting.lay_out(OLD)
    before = compacting.texts()
    commits = compacting.compact("--apply", "--remove", "--json").data["commits"]
    later = {"CLAWGIT_NOW": "2026-06-15T12:01:00+00:00"}

    found = compacting.clawgit("memory", "search", "who met Noor", "--json", environment=later).data
    log = compacting.room.read("COMPACTION_LOG.md")
    for commit in reversed(commits):
        assert compacting.clawgit("undo", commit, environment=later).code == 0

    assert found["results"][0]["path"] == Q4
    assert "2 notes of 2025-Q4 removed" in log
    assert "clawgit memory revive PATH" in log
    assert compacting.texts() == before


def test_notes_of_the_daily_archive_go_with_the_others(compacting: Compacting) -> None:
    compacting.lay_out({"Archive/Daily/2025/11/2025-11-05.md": "met Noor\n"})

    compacting.compact("--apply", "--remove")

    assert "met Noor" in compacting.texts()[Q4]
    assert not any(path.startswith("Archive/Daily/") for path in compacting.texts())


def test_a_line_in_an_archive_has_the_day_of_its_note(compacting: Compacting) -> None:
    compacting.lay_out(OLD)
    compacting.compact("--apply", "--remove")

    said = compacting.clawgit(
        "memory",
        "search",
        "launch party 24 December 2025",
        "--json",
        environment={"CLAWGIT_NOW": "2026-06-15T12:01:00+00:00"},
    )

    assert said.data["results"][0]["path"] == Q4
