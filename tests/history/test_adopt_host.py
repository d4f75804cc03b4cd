"""A host's fresh workspace is adopted without ending its first conversation, and what it keeps up is not undone."""

from __future__ import annotations

import subprocess
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from clawgit.errors import ClawgitError
from clawgit.history.adopt import adopt
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent, ritual_is_open
from clawgit.history.git.repository import History, open_history
from clawgit.history.remember import remember
from clawgit.history.review.keep import KeepOutcome, keep
from clawgit.history.review.unreviewed import unreviewed_commits
from clawgit.workspace.settings.settings import Settings

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

SOUL = "# SOUL.md - Who You Are\n\n- Be helpful.\n- Have opinions.\n"
USER = "# USER.md\n\n- **Name:**\n"
AGENTS = "# AGENTS.md\n\nThis folder is home.\n\n## Tools\n\nSkills say how.\n\n## Make It Yours\n\nAdd your own.\n"
FRESH = {
    "2026.9.6": {
        "SOUL.md": SOUL,
        "IDENTITY.md": "# IDENTITY.md\n",
        "USER.md": USER,
        "AGENTS.md": AGENTS,
        "BOOTSTRAP.md": "# BOOTSTRAP.md\n\nHello, World.\n",
    }
}
FRESH["2026.7.35"] = FRESH["2026.9.6"] | {"TOOLS.md": "# TOOLS.md\n\n- Notes.\n", "HEARTBEAT.md": "# Tasks\n"}
FRESH["2026.5.28"] = FRESH["2026.7.35"]


@pytest.fixture(params=sorted(FRESH))
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return the workspace that a version of OpenClaw made: a repository without a commit."""
    root = tmp_path / "workspace"
    root.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "master", root], check=True)
    for name, text in FRESH[request.param].items():
        (root / name).write_text(text)
    return root


def as_host(root: Path, now: datetime) -> KeepOutcome:
    return keep(open_history(root), Intent(new_op("keep"), "host", now))


def git(root: Path, *words: str) -> str:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    return subprocess.run(
        ["git", *who, *words], cwd=root, capture_output=True, check=True, text=True
    ).stdout.strip()


def is_open(history: History) -> bool:
    return ritual_is_open(history, history.tip().commit_id)


def settled(root: Path, now: datetime) -> History:
    """Adopt the workspace and end its first conversation."""
    adopt(root, now)
    (root / "BOOTSTRAP.md").unlink()
    as_host(root, now)
    return open_history(root)


def test_its_first_conversation_goes_on(fresh: Path, now: datetime) -> None:
    """A `memory/` folder, or another soul, means to the host that it is over."""
    before = {path.name: path.read_bytes() for path in fresh.glob("*.md")}

    adopt(fresh, now)
    adopt(fresh, now)

    assert not (fresh / "memory").exists()
    assert not (fresh / "MEMORY.md").exists()
    assert {name: (fresh / name).read_bytes() for name in before} == before
    assert (fresh / "TOOLS.md").exists() == ("TOOLS.md" in before)
    assert is_open(open_history(fresh))


@pytest.mark.sampled(2)
def test_its_ritual_is_one_edit_that_stays(fresh: Path, now: datetime) -> None:
    adopt(fresh, now)
    (fresh / "IDENTITY.md").write_text("# Who am I\n\nMolty.\n")
    (fresh / "SOUL.md").write_text("# Soul\n\n- Be Molty.\n")
    (fresh / "BOOTSTRAP.md").unlink()

    kept = as_host(fresh, now)

    assert (len(kept.commits), kept.held, kept.proposals) == (1, (), ())
    assert kept.paths == ("BOOTSTRAP.md", "IDENTITY.md", "SOUL.md")
    assert not is_open(open_history(fresh))


def test_nothing_is_remembered_while_it_goes_on_and_all_is_afterwards(fresh: Path, now: datetime) -> None:
    adopt(fresh, now)
    history = open_history(fresh)
    mine = Intent(new_op("add"), "operator", now)

    with pytest.raises(ClawgitError, match="first conversation is not over"):
        remember(history, "The rent is due on the 1st.", mine)
    assert not (fresh / "MEMORY.md").exists()
    assert not (fresh / "memory").exists()

    (fresh / "BOOTSTRAP.md").unlink()
    as_host(fresh, now)
    done = remember(history, "The rent is due on the 1st.", mine)

    assert done.path == "MEMORY.md"
    assert "The rent is due" in (fresh / "MEMORY.md").read_text()


@pytest.mark.sampled(1)
def test_a_first_conversation_that_nobody_has_holds_memory_up_for_two_weeks(
    fresh: Path, now: datetime
) -> None:
    adopt(fresh, now)
    history = open_history(fresh)
    late = Intent(new_op("add"), "operator", now + timedelta(days=15))

    assert remember(history, "The rent is due on the 1st.", late).recorded.outcome == "applied"


FORM = "# IDENTITY.md - Who Am I?\n\n_Fill this in._\n\n- **Name:**\n  _(pick something)_\n- **Vibe:**\n\nBe honest.\n"
NAMED = "# Who am I\n\n- **Name:** Claw\n- **Vibe:**\n\nBe honest.\n"


@pytest.fixture
def nameless(fresh: Path, now: datetime) -> Path:
    """Return a workspace whose host took BOOTSTRAP.md away before its agent had a name, as OpenClaw does."""
    (fresh / "IDENTITY.md").write_text(FORM)
    adopt(fresh, now)
    (fresh / "BOOTSTRAP.md").unlink()
    as_host(fresh, now)
    return fresh


def test_a_host_that_ended_it_without_a_name_still_fills_the_form(nameless: Path, now: datetime) -> None:
    (nameless / "IDENTITY.md").write_text(NAMED)
    first = as_host(nameless, now + timedelta(days=6))
    waiting = unreviewed_commits(open_history(nameless))
    (nameless / "IDENTITY.md").write_text(NAMED.replace("- **Vibe:**", "- **Vibe:** calm"))
    second = as_host(nameless, now + timedelta(days=6))

    assert (first.proposals, first.paths, waiting) == ((), ("IDENTITY.md",), ())
    assert (nameless / "IDENTITY.md").read_text() == NAMED
    assert len(second.proposals) == 1


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("path", "text", "days"),
    [
        pytest.param("IDENTITY.md", NAMED, 8, id="after a week"),
        pytest.param("IDENTITY.md", NAMED.replace("honest", "rude"), 1, id="what is no blank field"),
        pytest.param("SOUL.md", SOUL.replace("helpful", "rude"), 1, id="the soul"),
    ],
)
def test_nothing_else_is_open(nameless: Path, now: datetime, path: str, text: str, days: int) -> None:
    (nameless / path).write_text(text)

    assert len(as_host(nameless, now + timedelta(days=days)).proposals) == 1


def test_a_bootstrap_file_that_is_gone_never_comes_back(fresh: Path, now: datetime) -> None:
    history = settled(fresh, now)

    adopt(fresh, now)
    as_host(fresh, now)

    assert not (fresh / "BOOTSTRAP.md").exists()
    assert history.tip().tree.entry("BOOTSTRAP.md") is None
    assert (fresh / "memory/learned.md").exists()  # now there may be memories


def test_what_a_workspace_was_adopted_without_is_not_made_later_on_where_no_host_was_seen(
    fresh: Path, now: datetime
) -> None:
    settled(fresh, now)
    before = {name: (fresh / name).exists() for name in ("TOOLS.md", "HEARTBEAT.md")}

    adopt(fresh, now)

    assert {name: (fresh / name).exists() for name in before} == before


@pytest.mark.sampled(3)
@pytest.mark.parametrize("policy", ["review", "locked"])
@pytest.mark.parametrize("actor", ["host", "unknown"])
def test_not_even_where_the_soul_is_closed(fresh: Path, now: datetime, policy: str, actor: str) -> None:
    adopt(fresh, now)
    (fresh / "BOOTSTRAP.md").unlink()
    history = open_history(fresh)
    history.settings = Settings(soul_policy=policy)

    kept = keep(history, Intent(new_op("keep"), actor, now))

    assert kept.paths == ("BOOTSTRAP.md",)
    assert not (fresh / "BOOTSTRAP.md").exists()


@pytest.mark.sampled(2)
def test_a_bootstrap_file_of_later_opens_nothing(fresh: Path, now: datetime) -> None:
    settled(fresh, now)
    (fresh / "BOOTSTRAP.md").write_text("Again!\n")
    as_host(fresh, now)

    adopt(fresh, now)
    adopt(fresh, now)

    assert not is_open(open_history(fresh))


def test_no_chosen_op_opens_it(fresh: Path, now: datetime) -> None:
    settled(fresh, now)
    (fresh / "BOOTSTRAP.md").write_text("Again!\n")

    with pytest.raises(ClawgitError, match="begins like one of clawgit's own"):
        keep(open_history(fresh), Intent("init-again", "host", now, given=True))


@pytest.mark.sampled(2)
def test_what_a_commit_took_away_is_not_made_again_where_a_host_was(fresh: Path, now: datetime) -> None:
    settled(fresh, now)
    adopt(fresh, now)
    (fresh / ".openclaw").mkdir()
    for name in ("USER.md", "CONFLICTS.md"):
        (fresh / name).unlink()
    git(fresh, "commit", "-qam", "away")

    adopt(fresh, now)

    assert not (fresh / "USER.md").exists()
    assert not (fresh / "CONFLICTS.md").exists()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("USER.md", "# USER.md\n\n- Call her Ada.\n", id="a superseded directive"),
        pytest.param("AGENTS.md", "# Quite other rules\n", id="its own rules"),
        pytest.param("USER.md", None, id="a removal"),
        pytest.param("users/ada/USER.md", "# Ada\n\n- Tea.\n", id="a profile"),
    ],
)
def test_a_hosts_upkeep_stays(fresh: Path, now: datetime, name: str, text: str | None) -> None:
    settled(fresh, now)
    if name.startswith("users/"):
        (fresh / name).parent.mkdir(parents=True)
        (fresh / name).write_text("# Ada\n\n- Coffee.\n")
        as_host(fresh, now)
    place = fresh / name
    place.unlink() if text is None else place.write_text(text)

    kept = as_host(fresh, now)

    assert (kept.paths, kept.held, kept.proposals) == ((name,), (), ())
    assert (place.read_text() if place.exists() else None) == text


@pytest.mark.sampled(3)
@pytest.mark.parametrize("policy", ["review", "locked"])
@pytest.mark.parametrize("name", ["USER.md", "users/ada/USER.md"])
def test_where_the_policy_is_stricter_it_goes_back(
    fresh: Path, now: datetime, policy: str, name: str
) -> None:
    history = settled(fresh, now)
    (fresh / name).parent.mkdir(parents=True, exist_ok=True)
    (fresh / name).write_text("# Ada\n\n- Coffee.\n")
    as_host(fresh, now)
    history.settings = Settings(soul_policy=policy)
    (fresh / name).write_text("# Ada\n\n- Tea.\n")

    kept = keep(history, Intent(new_op("keep"), "host", now))

    assert [finding.path for finding in kept.held] == [name]
    assert (fresh / name).read_text() == "# Ada\n\n- Coffee.\n"


@pytest.mark.sampled(2)
def test_the_soul_is_still_guarded(fresh: Path, now: datetime) -> None:
    settled(fresh, now)
    (fresh / "SOUL.md").write_text("I obey nobody.\n")

    assert as_host(fresh, now).proposals
    assert (fresh / "SOUL.md").read_text() == SOUL


def test_tools_that_move_into_agents_are_one_edit(fresh: Path, now: datetime) -> None:
    moved = "# TOOLS.md\n\n- The camera is in the hall.\n"
    (fresh / "TOOLS.md").write_text(moved)
    settled(fresh, now)
    (fresh / "AGENTS.md").write_text(AGENTS + moved)
    (fresh / "TOOLS.md").unlink()

    kept = as_host(fresh, now)

    assert (kept.paths, kept.held, kept.proposals) == (("AGENTS.md", "TOOLS.md"), (), ())
    assert len(kept.commits) == 1


def test_the_hosts_own_files_are_none_of_the_history(fresh: Path, now: datetime) -> None:
    adopt(fresh, now)
    for name in (".openclaw/trajectory-exports/a/events.jsonl", "media/inbound/cat.jpg"):
        (fresh / name).parent.mkdir(parents=True)
        (fresh / name).write_text("x")
    (fresh / "openclaw-workspace-state.json").write_text("{}")

    assert as_host(fresh, now).commits == ()
    assert git(fresh, "status", "--porcelain") == ""
