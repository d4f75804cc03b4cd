from __future__ import annotations

from datetime import timedelta

import pytest


@pytest.fixture
def soul(room):
    """Let the soul move in three steps, a day apart, by the operator and by a worker."""
    room.write("SOUL.md", "# SOUL\n\n- Never share secrets with anybody.\n- Be short.\n")
    room.keep("operator")
    room.now += timedelta(days=1)
    room.append("SOUL.md", "- Ask first.")
    room.now += timedelta(days=1)
    room.write("SOUL.md", room.read("SOUL.md").replace("Never share secrets", "Avoid to share secrets"))
    room.keep("operator")
    return room


def test_drift_names_what_differs_and_the_change_behind_it(clawgit, soul) -> None:
    start = soul.git("rev-parse", "HEAD~2").strip()

    data = clawgit("soul", "drift", "--since", start, "--json").data

    assert data["baseline"]["commit"] == start
    assert [(each["kind"], each["commit"], each["actor"]) for each in data["principles"]] == [
        ("softened", soul.head(), "operator"),
        ("added", soul.git("rev-parse", "HEAD~1").strip(), "memory-miner"),
    ]
    assert [day["actors"] for day in data["days"]] == [["memory-miner"], ["operator"]]
    distances = [day["distance"] for day in data["days"]]
    assert distances == sorted(distances)
    assert data["distance"] == distances[-1] > 0


@pytest.mark.rest
def test_without_a_baseline_it_is_the_newest_snapshot_else_the_first_soul(clawgit, soul) -> None:
    first = clawgit("soul", "drift", "--json").data["baseline"]["commit"]
    assert soul.git("log", "--format=%H", "--reverse", "--", "SOUL.md").split()[0] == first

    clawgit("soul", "snapshot", "-m", "accepted")

    assert clawgit("soul", "drift").out == (
        f"SOUL.md has not changed since {soul.head()[:12]} (soul: accepted).\n"
    )
    assert clawgit("soul", "drift", "--since", "accepted", "--json").data["distance"] == 0


def test_drift_in_a_terminal_has_a_row_a_day_and_the_undo(clawgit, soul) -> None:
    out = clawgit("soul", "drift", "--since", "HEAD~2").out

    assert "of SOUL.md differs from" in out
    assert "softened, under SOUL\n  - Never share secrets with anybody.\n  + Avoid to share" in out
    assert f"`clawgit undo {soul.head()[:12]}`" in out


@pytest.mark.rest
def test_what_came_back_word_for_word_is_no_drift(clawgit, soul) -> None:
    later = {"CLAWGIT_NOW": "2026-03-21T10:22:00+00:00"}
    clawgit("soul", "restore", "HEAD~2", "--reason", "Too soft.", environment=later)

    data = clawgit("soul", "drift", "--since", "HEAD~3", "--json").data

    assert (data["distance"], data["principles"], len(data["days"])) == (0, [], 2)


def test_an_unknown_baseline_is_refused(clawgit, soul) -> None:
    assert "There is no commit or snapshot nope." in clawgit("soul", "drift", "--since", "nope").err


def test_without_a_soul_there_is_nothing_to_measure(clawgit, room) -> None:
    (room.root / "SOUL.md").unlink()
    room.keep("operator")

    assert clawgit("soul", "drift").code == 0


@pytest.mark.rest
def test_the_alarm_is_shown_until_the_state_is_a_snapshot(clawgit, soul) -> None:
    """Mutant: compare with the day before, and small steps never sound it."""
    clawgit("soul", "snapshot", "-m", "base")
    clawgit("config", "set", "drift_alarm", "10")
    for step in range(6):
        soul.now += timedelta(days=1)
        soul.append("SOUL.md", f"- One more rule, number {step}.")

    assert "the alarm is at 10%" in clawgit("status").out

    clawgit("soul", "snapshot", "-m", "seen")
    assert "the alarm is at" not in clawgit("status").out
