"""pre-push looks at every commit and tag that the other repository lacks, and at nothing that it has.

Mutants seen to fail here: only the tip is looked at; what the remote has is looked at again; a deletion counts as a push;
clawgit's own references leave; messages of tags are not read.
"""

from __future__ import annotations

import pytest


@pytest.fixture
def remote(hooked, tmp_path) -> str:
    """Return a bare repository that has the workspace's first commits."""
    place = tmp_path / "remote.git"
    hooked.must("init", "-q", "--bare", str(place))
    hooked.must("remote", "add", "origin", str(place))
    hooked.unchecked("first.md", hooked.GOOD)
    hooked.must("push", "-q", "--no-verify", "origin", "main")
    return str(place)


@pytest.mark.rest
def test_a_push_of_what_is_fine_is_silent(hooked, remote) -> None:
    hooked.unchecked("notes.md", hooked.GOOD)

    done = hooked.git("push", "-q", "origin", "main")

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.rest
def test_every_commit_that_leaves_is_named_once(hooked, remote) -> None:
    bad = hooked.unchecked("notes.md", hooked.BAD)
    hooked.unchecked("notes.md", hooked.GOOD)

    done = hooked.git("push", "-q", "origin", "main")

    assert f"{bad[:12]}: notes.md:1: " in done.stderr
    hooked.unchecked("more.md", hooked.GOOD)
    assert hooked.git("push", "-q", "origin", "main").stderr == ""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("origin", "HEAD:refs/heads/new"), id="a new branch"),
        pytest.param(("--force", "origin", "HEAD:main"), id="by force"),
        pytest.param(("--all", "origin"), id="all branches"),
        pytest.param(("--tags", "origin"), id="a tag"),
        pytest.param(("{remote}", "HEAD:refs/heads/new"), id="to a path"),
        pytest.param(("origin", "HEAD~1:refs/heads/new"), id="an earlier commit"),
    ],
)
def test_however_it_is_pushed_it_is_looked_at(hooked, remote, words) -> None:
    hooked.must("switch", "-q", "-c", "side", "HEAD~1")
    bad = hooked.unchecked("notes.md", hooked.BAD)
    hooked.must("commit", "--allow-empty", "-q", "--no-verify", "-m", "on top")
    hooked.must("tag", "-a", "v1", "-m", "a tag")

    done = hooked.git("push", "-q", *(word.format(remote=remote) for word in words))

    assert done.returncode == 0, done.stderr
    assert done.stderr.count(f"{bad[:12]}: notes.md:1: ") == 1


def test_a_deletion_sends_nothing(hooked, remote) -> None:
    hooked.must("push", "-q", "--no-verify", "origin", "main:refs/heads/other")
    hooked.unchecked("notes.md", hooked.BAD)

    done = hooked.git("push", "-q", "origin", "--delete", "other")

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.rest
def test_what_the_operator_let_through_is_not_named_again(hooked, remote) -> None:
    hooked.stage("notes.md", hooked.BAD)
    hooked.must("commit", "-q", "-m", "A quotation.", CLAWGIT_OVERRIDE="It is one.")

    assert hooked.git("push", "-q", "origin", "main").stderr == ""


@pytest.mark.rest
def test_a_reason_for_something_else_lets_no_secret_leave(hooked, remote) -> None:
    hooked.unchecked("key.md", f"- ghp_{'a1B2' * 9}\n", "-m", "Clawgit-Override: loss: It was old.")

    done = hooked.git("push", "-q", "origin", "main")

    assert (done.returncode, "(github-token)" in done.stderr) == (1, True)


@pytest.mark.rest
@pytest.mark.parametrize("words", [("tag", "v1"), ("tag", "-a", "-m", "A file.", "v1")])
def test_a_tag_of_something_else_than_a_commit_does_not_leave_unread(hooked, remote, words) -> None:
    """Mutant: what is no commit is passed over."""
    hooked.write("key.md", f"- ghp_{'a1B2' * 9}\n")
    hooked.must(*words, hooked.must("hash-object", "-w", "key.md"))

    done = hooked.git("push", "-q", "origin", "v1")

    assert (done.returncode, "refs/tags/v1 names no commit" in done.stderr) == (1, True)


@pytest.mark.rest
def test_messages_of_commits_and_tags_leave_too(hooked, remote) -> None:
    hooked.must("commit", "-q", "--allow-empty", "--no-verify", "-m", f"x\n\n{hooked.BAD}")
    hooked.must("tag", "-a", "v1", "-m", f"x\n\n{hooked.BAD}")

    done = hooked.git("push", "-q", "origin", "main", "v1")

    assert "the commit message:3: " in done.stderr
    assert "refs/tags/v1: the tag's message:3: " in done.stderr
    hooked.must("tag", "-a", "v2", "-m", "fine", "v1")
    assert "refs/tags/v2" not in hooked.git("push", "-q", "origin", "v2").stderr


@pytest.mark.rest
@pytest.mark.parametrize("words", [("--mirror", "origin"), ("origin", "refs/clawgit/*:refs/clawgit/*")])
def test_clawgits_own_references_do_not_leave_by_accident(hooked, room, remote, words) -> None:
    room.git("update-ref", "refs/clawgit/proposals/p-1", "HEAD")

    done = hooked.git("push", "-q", *words)

    assert done.returncode == 1
    assert "this push was stopped" in done.stderr
    assert "refs/clawgit/proposals/p-1 is clawgit's own" in done.stderr
    assert "clawgit" not in hooked.must("ls-remote", remote)
    assert hooked.git("push", "-q", *words, CLAWGIT_OVERRIDE="A full mirror.").returncode == 0


def test_a_push_that_cannot_be_looked_at_is_stopped(hooked, remote) -> None:
    commit = hooked.unchecked("notes.md", hooked.GOOD)
    tree = hooked.must("rev-parse", f"{commit}^{{tree}}")
    path = hooked.root / ".git/objects" / tree[:2] / tree[2:]
    path.chmod(0o644)
    path.write_bytes(b"")

    done = hooked.git("push", "-q", "origin", "main")

    assert done.returncode == 1
    assert "could not be checked" in done.stderr
    assert "--no-verify" in done.stderr


@pytest.mark.rest
def test_to_a_mirror_of_the_operators_own_references_of_clawgits_may_go(hooked, remote) -> None:
    """Mutant: the name of the remote counts, so that another address under it gets everything."""
    hooked.must("update-ref", "refs/clawgit/rescue/0123", "HEAD")
    refused = hooked.git("push", "-q", "--mirror", "origin")
    config = (hooked.root / "CONFIG.md").read_text()
    hooked.write("CONFIG.md", config.replace("operator_ids: []", f"mirror_urls: [{remote}]"))
    hooked.must("commit", "-q", "-am", "My own mirror.")
    other = f"{remote}.other"
    hooked.must("init", "-q", "--bare", other)

    sent = hooked.git("push", "-q", "--mirror", "origin")
    hooked.must("remote", "set-url", "origin", other)
    elsewhere = hooked.git("push", "-q", "--mirror", "origin")

    assert "list its address in mirror_urls" in refused.stderr
    assert sent.returncode == 0, sent.stderr
    assert "refs/clawgit/rescue/0123" in hooked.must("ls-remote", remote)
    assert elsewhere.returncode != 0
    assert hooked.must("ls-remote", other) == ""


def test_what_stops_a_push_is_told_alone_and_as_committed(hooked, remote) -> None:
    """Mutants: remarks are listed among the reasons; the way out of a text that is in no commit yet is told."""
    remark = hooked.unchecked("notes.md", hooked.BAD)
    secret = hooked.unchecked("more.md", "password: tiger777\n")

    done = hooked.git("push", "-q", "origin", "main")

    assert done.returncode == 1
    assert remark[:12] not in done.stderr
    assert f"{secret[:12]}: more.md:1: more.md: a secret (password) in line 1. It is committed" in done.stderr
    assert "`git commit --amend` of the last commit" in done.stderr
    assert "clawgit: allow" not in done.stderr


def test_a_push_remarks_on_no_commit_of_clawgits_own(hooked, remote, clawgit) -> None:
    hooked.write("MEMORY.md", "# Memory\n\n- Staging runs on port 5433.\n")
    hooked.must("add", "MEMORY.md")
    hooked.must("commit", "-qm", "memory")
    done = clawgit(
        "correct",
        "Staging runs on port 5433.",
        "Staging runs on port 5434.",
        environment={"CLAWGIT_ACTOR": "host"},
    )
    assert done.code == 0, done.err
    done = hooked.git("push", "-q", "origin", "main")

    assert (done.returncode, done.stderr) == (0, "")
