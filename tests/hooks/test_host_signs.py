"""`git commit` in a host's shell, with the hooks installed: it is the host's, whatever name git has."""

from __future__ import annotations

import pytest
from rounds import some
from typed_commands import SIGNED, WAYS_BELOW, below, typed

from clawgit.history.authorship.host_signs import ACTOR_VARIABLE, HOST_SIGNS
from clawgit.history.hooks.install import shim_text
from clawgit.history.reconcile import reconcile

SOUL = "I am somebody else.\n"
ADA = "-c user.name=Ada -c user.email=ada@example.org"


@pytest.fixture
def settled(hooked):
    """Return a workspace whose first conversation is over."""
    (hooked.root / "BOOTSTRAP.md").unlink()
    hooked.must("commit", "-qam", "after the ritual", "--no-verify")
    return hooked


@pytest.mark.rest
@pytest.mark.parametrize("sign", some(HOST_SIGNS, each=4))
def test_a_commit_in_a_hosts_shell_is_the_hosts(settled, room, sign) -> None:
    settled.stage("notes.md", settled.GOOD)

    settled.must("commit", "-m", "A note.", **{sign: "exec"})

    assert room.actors()[0] == "host"


@pytest.mark.rest
def test_its_rewording_of_the_soul_is_stopped(settled) -> None:
    settled.stage("SOUL.md", SOUL)
    before = settled.head()

    done = settled.git("commit", "-m", "Better.", OPENCLAW_SHELL="exec")

    assert done.returncode == 1
    assert "more than soul_policy (evolve) lets the host make" in done.stderr
    assert settled.head() == before


@pytest.mark.rest
@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("SOUL.md", SOUL, id="a rewording of the soul"),
        pytest.param("memory/a.md", "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n", id="conflict markers"),
    ],
)
def test_a_host_that_is_refused_is_told_of_keep(settled, path, text) -> None:
    settled.stage(path, text)

    host, operator = (
        settled.git("commit", "-m", "Better.", **signs) for signs in ({"OPENCLAW_SHELL": "exec"}, {})
    )

    assert host.returncode == 1
    assert "`clawgit keep` commits what may be committed, and keeps the rest for the operator." in host.stderr
    assert "clawgit keep` commits" not in operator.stderr


@pytest.mark.rest
def test_a_name_without_a_terminal_lifts_no_sign(settled, room) -> None:
    settled.stage("notes.md", settled.GOOD)

    settled.must("commit", "-m", "A note.", CLAUDECODE="1", CLAWGIT_ACTOR="operator")

    assert room.actors()[0] == "host"


@pytest.mark.rest
def test_with_a_name_and_an_older_terminal_it_is_the_operators_and_marked(settled, room) -> None:
    settled.stage("SOUL.md", SOUL)

    said = typed(settled.root, f"{SIGNED} CLAWGIT_ACTOR=operator git {ADA} commit -m 'My soul.'")

    assert room.shown("SOUL.md") == SOUL, said
    assert settled.must("log", "-1", "--format=%(trailers:only)") == "Clawgit-Unattended: CLAUDECODE"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("way", WAYS_BELOW)
def test_a_terminal_made_below_a_sign_lifts_none(settled, way) -> None:
    settled.stage("SOUL.md", SOUL)
    before = settled.head()

    typed(settled.root, below(way, f"CLAWGIT_ACTOR=operator git {ADA} commit -m Better"))

    assert settled.head() == before


@pytest.mark.rest
def test_the_operator_amends_a_commit_of_the_hosts_and_it_stays_the_hosts(settled, room) -> None:
    settled.stage("notes.md", settled.GOOD)
    settled.must("commit", "-m", "A note.", CODEX_THREAD_ID="7")

    settled.must("commit", "--amend", "--no-edit")

    assert room.actors()[0] == "host"


def test_an_empty_actor_commits_nothing(hooked) -> None:
    hooked.stage("notes.md", hooked.GOOD)

    done = hooked.git("commit", "-m", "x", CLAWGIT_ACTOR="")

    assert done.returncode == 1
    assert "'' is not an actor" in done.stderr


@pytest.mark.rest
@pytest.mark.parametrize("sign", some(HOST_SIGNS, each=4))
def test_its_revert_is_the_hosts_too(settled, room, sign) -> None:
    settled.stage("notes.md", settled.GOOD)
    settled.must("commit", "-m", "A note of mine.", "--no-verify")

    settled.must("revert", "--no-edit", "HEAD", **{sign: "exec"})

    assert room.actors()[0] == "host"
    assert "This reverts commit" in settled.must("log", "-1", "--format=%B")


@pytest.mark.rest
def test_its_revert_of_what_the_operator_said_in_the_soul_is_stopped(settled) -> None:
    settled.append("SOUL.md", "- Never speak for me.\n")
    settled.must("commit", "-qam", "A rule of mine.", "--no-verify")
    before = settled.head()

    done = settled.git("revert", "--no-edit", "HEAD", OPENCLAW_SHELL="exec")

    assert "more than soul_policy (evolve) lets the host make" in done.stderr
    assert settled.head() == before


def test_a_revert_of_the_operators_says_nothing_of_anybody(settled, room) -> None:
    settled.append("SOUL.md", "- Never speak for me.\n")
    settled.must("commit", "-qam", "A rule of mine.", "--no-verify")

    settled.must("revert", "--no-edit", "HEAD")

    assert "host" not in room.actors()


@pytest.mark.rest
def test_a_hosts_commit_that_tells_of_a_revert_says_once_whose_it_is(settled) -> None:
    settled.stage("notes.md", settled.GOOD)
    message = f"Go back\n\nThis reverts commit {'a' * 40}.\n"
    settled.must("commit", "-m", message, OPENCLAW_SHELL="exec")
    assert settled.must("log", "-1", "--format=%B").count("Clawgit-Actor: host") == 1


def test_the_hooks_script_knows_every_sign() -> None:
    assert all(f"${name}" in shim_text().decode() for name in (ACTOR_VARIABLE, *HOST_SIGNS))


@pytest.mark.rest
def test_in_the_first_conversation_the_host_commits_its_soul_itself(hooked, room, now) -> None:
    hooked.stage("IDENTITY.md", "# Who am I\n\nMolty.\n")
    assert hooked.git("commit", "-qm", "a name", OPENCLAW_SHELL="exec").returncode == 0
    hooked.must("rm", "-q", "BOOTSTRAP.md")
    hooked.stage("SOUL.md", "# Be Molty\n")
    assert hooked.git("commit", "-qm", "a soul", OPENCLAW_SHELL="exec").returncode == 0
    assert reconcile(room.history, now, seconds=9).arrivals.open == ()

    hooked.stage("SOUL.md", "# Be somebody else\n")
    assert hooked.git("commit", "-qm", "another", OPENCLAW_SHELL="exec").returncode == 1
