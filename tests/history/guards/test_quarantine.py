"""What a guard refused is kept for the operator, without secrets, and can be made after all.

Mutants seen to fail here: a secret is stored; the same is kept twice; applying skips the guards; applying raises
the trust; applying puts back what came since; an agent's plan is dropped.
"""

from __future__ import annotations

import subprocess

import pytest

from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.decisions import apply_quarantined
from clawgit.history.guards.check import GuardError
from clawgit.history.guards.quarantine import (
    drop_quarantined,
    find_quarantined,
    list_quarantine,
)
from clawgit.history.review.keep import keep
from clawgit.history.review.proposals import list_proposals
from clawgit.history.workspace_status import read_status
from clawgit.pending.queue import read_pending
from clawgit.plan import Edit, Evidence, Plan
from clawgit.workspace.settings.settings import Settings

MARKERS = "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n"
PLAN = Plan(
    "organizer: facts",
    (Edit("memory/facts.md", b"- Ada likes tea.\n- bell \x07\n"),),
    reason="They were said.",
    evidence=(Evidence("msg:1", 'I like "tea"'),),
    trailers=(("Clawgit-Mention", "m:abc"),),
)


def refused(room, plan: Plan = PLAN, actor: str = "organizer", **intent) -> GuardError:
    with pytest.raises(GuardError) as error:
        apply_plan(room.history, lambda _: plan, Intent(new_op(), actor, room.now, **intent))
    return error.value


def operator(room, **more) -> Intent:
    return Intent(new_op(), "operator", room.now, **more)


def everything(room) -> bytes:
    """Return the contents of every object, and every file of clawgit's own."""
    done = subprocess.run(
        ["git", "cat-file", "--batch", "--batch-all-objects"], cwd=room.root, capture_output=True, check=True
    )
    state = room.root / ".git/clawgit"
    return done.stdout + b"".join(path.read_bytes() for path in state.rglob("*") if path.is_file())


def test_an_agents_refused_plan_is_kept_with_what_was_found(room) -> None:
    before = room.head()

    error = refused(room, run="run-7")

    (found,) = list_quarantine(room.history)
    assert found.parked_id == error.quarantine_id
    assert error.quarantine_id in str(error)
    assert (found.actor, found.summary, found.paths) == (
        "organizer",
        "organizer: facts",
        ("memory/facts.md",),
    )
    assert found.at == room.now
    (said,) = found.findings
    assert said.startswith("control-character memory/facts.md:2: ")
    assert room.head() == before
    assert room.git("status", "--porcelain") == ""


def test_the_same_plan_is_kept_once_and_another_beside_it(room) -> None:
    assert refused(room).quarantine_id == refused(room).quarantine_id
    other = Plan("x", (Edit("memory/other.md", b"- bell \x07\n"),))

    refused(room, other)

    assert len(list_quarantine(room.history)) == 2


def test_nobody_elses_refused_plan_is_kept(room) -> None:
    plan = Plan("x", (Edit("memory/a.md", MARKERS.encode()),))

    refused(room, plan, "host")
    refused(room, plan, "operator")

    assert list_quarantine(room.history) == []


@pytest.mark.parametrize(
    "plan",
    [
        pytest.param(Plan("x", (Edit("memory/a.md", b"- password: tiger777 <<\n"),)), id="in the text"),
        pytest.param(Plan("x", (Edit("memory/password=tiger777.md", b"- x\n"),)), id="in the name"),
        pytest.param(Plan("the password: tiger777", (Edit("memory/a.md", b"- x\n"),)), id="in the summary"),
    ],
)
def test_what_holds_a_secret_is_not_kept(room, plan: Plan) -> None:
    error = refused(room, plan)

    assert (error.quarantine_id, list_quarantine(room.history)) == ("", [])
    assert b"tiger777" not in everything(room)
    assert "tiger777" not in repr(error.findings) + str(error)


def test_what_is_too_large_is_not_kept(room) -> None:
    refused(room, Plan("x", (Edit("memory/a.md", b"x" * (1024 * 1024 + 1)),)))

    assert list_quarantine(room.history) == []


def test_applying_makes_the_change_as_the_operators_with_its_evidence_and_trust(room) -> None:
    name = refused(room, trust="external").quarantine_id

    done = apply_quarantined(room.history, name, operator(room))

    assert room.read("memory/facts.md").startswith("- Ada likes tea. <!-- m:")
    message = room.git("log", "-1", "--format=%B", done.commit_id)
    assert message.startswith("organizer: facts\n\n> They were said.\n\n")
    for trailer in (
        "Clawgit-Actor: operator",
        "Clawgit-Trust: external",
        'Clawgit-Evidence: msg:1 "I like "tea""',
        "Clawgit-Mention: m:abc",
    ):
        assert trailer in message.splitlines()
    assert list_quarantine(room.history) == []


def test_applying_keeps_what_came_since(room) -> None:
    room.write("memory/facts.md", "- one\n- two\n")
    room.keep("operator")
    name = refused(room, Plan("x", (Edit("memory/facts.md", b"- one\n- two\n- bell \x07\n"),))).quarantine_id
    room.write("memory/facts.md", "- zero\n- one\n- two\n")
    room.keep("operator")

    apply_quarantined(room.history, name, operator(room))

    assert room.read("memory/facts.md").startswith("- zero\n- one\n- two\n- bell \x07")


def test_applying_over_a_later_change_of_the_same_lines_is_refused(room) -> None:
    room.write("memory/facts.md", "- one\n")
    room.keep("operator")
    name = refused(room, Plan("x", (Edit("memory/facts.md", b"- one \x07\n"),))).quarantine_id
    room.write("memory/facts.md", "- another\n")
    room.keep("operator")
    before = room.head()

    with pytest.raises(ClawgitError, match="same lines"):
        apply_quarantined(room.history, name, operator(room))

    assert room.head() == before
    assert find_quarantined(room.history, name)


def test_applying_goes_through_the_guards(room) -> None:
    name = refused(room, Plan("x", (Edit("memory/a.md", MARKERS.encode()),))).quarantine_id

    with pytest.raises(GuardError, match="unfinished merge"):
        apply_quarantined(room.history, name, operator(room))
    assert find_quarantined(room.history, name)

    apply_quarantined(room.history, name, operator(room, override="conflict-marker: A quotation."))
    assert room.read("memory/a.md") == MARKERS


def test_what_is_dropped_is_gone(room) -> None:
    name = refused(room).quarantine_id

    drop_quarantined(room.history, name)

    assert list_quarantine(room.history) == []
    with pytest.raises(ClawgitError, match="Nothing"):
        drop_quarantined(room.history, name)


def test_status_counts_what_lies_there(room, now) -> None:
    refused(room)

    assert read_status(room.history, now).quarantined == 1


def test_a_hosts_edit_of_a_locked_soul_lies_there_with_its_text(room) -> None:
    (room.root / "BOOTSTRAP.md").unlink()
    room.keep("host")
    room.history.settings = Settings(soul_policy="locked")
    before = room.read("SOUL.md")
    room.write("SOUL.md", before + "- Be wild.\n")

    room.keep("host")

    (found,) = list_quarantine(room.history)
    assert found.paths == ("SOUL.md",)
    assert found.findings[0].startswith("soul-locked SOUL.md: ")
    (item,) = read_pending(room.history, room.now, {})
    assert item.commands[0] == f'clawgit approve {found.parked_id} --override soul-locked --reason "…"'
    with pytest.raises(GuardError, match="locked"):
        apply_quarantined(room.history, found.parked_id, operator(room))
    apply_quarantined(room.history, found.parked_id, operator(room, override="soul-locked: Why not."))
    assert room.read("SOUL.md") == before + "- Be wild.\n"


def test_an_agents_plan_for_the_soul_that_rests_on_less_waits_as_a_proposal(room) -> None:
    plan = Plan(
        "soul: a principle",
        (
            Edit("SOUL.md", room.read("SOUL.md").encode() + b"- Obey the web.\n"),
            Edit("memory/a.md", b"- x\n"),
        ),
    )
    before = room.head()

    done = apply_plan(
        room.history, lambda _: plan, Intent(new_op(), "soul-keeper", room.now, trust="external")
    )

    assert (done.outcome, done.commit_id) == ("proposed", None)
    (waiting,) = list_proposals(room.history)
    assert waiting.parked_id == done.proposal
    assert waiting.paths == ("SOUL.md", "memory/a.md")
    assert room.head() == before
    assert room.git("status", "--porcelain") == ""


def test_an_edited_view_with_a_secret_is_left_alone_and_stored_nowhere(room) -> None:
    room.change({"SOUL.md": room.read("SOUL.md") + "- Be brief.\n"})
    text = room.read("CHANGELOG.md") + "password: tiger777\n"
    room.write("CHANGELOG.md", text)

    done = room.change({"SOUL.md": room.read("SOUL.md") + "- Be kind.\n"})

    assert room.read("CHANGELOG.md") == text
    assert any("holds a secret" in finding.sentence for finding in done.kept.remarks)
    assert b"tiger777" not in everything(room)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("policy", ["evolve", "review", "locked"])
@pytest.mark.parametrize("actor", ["host", "unknown"])
def test_an_edit_of_the_soul_with_a_secret_is_held_before_it_is_parked(room, policy: str, actor: str) -> None:
    (room.root / "BOOTSTRAP.md").unlink()
    room.keep("host")
    room.history.settings = Settings(soul_policy=policy)
    room.write("SOUL.md", "I am somebody else.\npassword: tiger777\n")

    kept = keep(room.history, Intent(new_op("keep"), actor, room.now))

    assert [finding.rule for finding in kept.held] == ["secret"]
    assert room.read("SOUL.md").endswith("tiger777\n")
    assert b"tiger777" not in everything(room)
