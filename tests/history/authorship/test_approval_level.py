"""How sure an approval is: present only where a listed security key was touched for just this commit."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from security_key import SecurityKey

from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.approval_level import (
    ApprovalLevel,
    approval_level,
    is_isolated,
    says_touched,
    signer_with,
    touched,
)
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.plan import Edit, Plan

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
KEY, UNTOUCHED, OTHER = SecurityKey(), SecurityKey(touched=False), SecurityKey(b"\x09" * 32)


@pytest.fixture
def approve(room):
    """Return a function that makes a commit as an approval, signed as it is told."""

    def call(sign=None, **more) -> str:
        plan = Plan("approved: x", (Edit("USER.md", b"Ada\n"),), trailers=(("Clawgit-Proposal", "p-1"),))
        intent = Intent(new_op(), "operator", room.now, sign=sign, **more)
        done = apply_plan(room.history, lambda _: plan, intent)
        assert done.commit_id is not None
        return done.commit_id

    return call


@pytest.fixture
def listed(tmp_path):
    folder = tmp_path / "config"
    folder.mkdir()
    (folder / "allowed_signers").write_text(KEY.allowed)
    return folder


@pytest.mark.parametrize(
    ("sign", "level"),
    [
        pytest.param(None, ApprovalLevel.UNATTENDED, id="not signed"),
        pytest.param(KEY.sign, ApprovalLevel.PRESENT, id="touched"),
        pytest.param(UNTOUCHED.sign, ApprovalLevel.UNATTENDED, id="not touched"),
        pytest.param(OTHER.sign, ApprovalLevel.UNATTENDED, id="another key"),
        pytest.param(lambda _: KEY.sign(b"tree 0"), ApprovalLevel.UNATTENDED, id="of another commit"),
        pytest.param(
            lambda _: b"-----BEGIN PGP SIGNATURE-----\n\nx\n", ApprovalLevel.UNATTENDED, id="no signature"
        ),
    ],
)
def test_only_a_listed_key_that_was_touched_shows_that_somebody_was_there(
    room, approve, listed, sign, level
) -> None:
    """Mutants: any signature will do; the flag is not read; the list is not asked."""
    commit_id = approve(sign)

    assert approval_level(room.history, commit_id, listed) is level
    assert room.git("cat-file", "-t", commit_id) == "commit"
    assert room.git("fsck", "--strict", commit_id) == ""


@pytest.mark.parametrize("key", [KEY, UNTOUCHED, OTHER], ids=["touched", "not touched", "another key"])
def test_where_somebody_has_to_be_there_nothing_else_is_signed(room, approve, listed, key) -> None:
    """Mutants: the flag is not read; the list is not asked."""
    before = room.head()
    sign = touched(key.sign, listed / "allowed_signers")
    if key is KEY:
        assert approval_level(room.history, approve(sign), listed) is ApprovalLevel.PRESENT
        return
    with pytest.raises(ClawgitError, match="nothing was changed"):
        approve(sign)
    assert room.head() == before


def test_without_a_list_or_in_a_hosts_process_nobody_was_there(room, approve, listed, tmp_path) -> None:
    commit_id = approve(KEY.sign)
    assert approval_level(room.history, commit_id, tmp_path) is ApprovalLevel.UNATTENDED

    room.write("USER.md", "Bob\n")
    room.keep("operator")
    by_host = approve(KEY.sign, unattended="CLAUDECODE")
    assert approval_level(room.history, by_host, listed) is ApprovalLevel.UNATTENDED


def test_what_is_no_approval_of_the_operators_has_no_level(room, listed) -> None:
    assert approval_level(room.history, room.head(), listed) is None


def test_an_ordinary_key_signs_and_shows_nothing(room, approve, tmp_path, listed) -> None:
    key = tmp_path / "id_ed25519"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    (listed / "allowed_signers").write_text(f"ada@example.org {key.with_suffix('.pub').read_text()}")

    commit_id = approve(signer_with(key))

    assert "gpgsig -----BEGIN SSH SIGNATURE-----" in room.git("cat-file", "commit", commit_id)
    assert approval_level(room.history, commit_id, listed) is ApprovalLevel.UNATTENDED


def test_a_key_that_is_not_there_changes_nothing(room, approve, tmp_path) -> None:
    head = room.head()

    with pytest.raises(ClawgitError, match="did not sign"):
        approve(signer_with(tmp_path / "nowhere"))

    assert room.head() == head


@pytest.mark.parametrize(
    "data", [b"", b"x", b"-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END\n", KEY.sign(b"x")[:200]]
)
def test_half_a_signature_is_none(data: bytes) -> None:
    assert not says_touched(data)


@pytest.mark.parametrize(
    ("owner", "reader", "may_write", "isolated"),
    [(1000, 1000, True, False), (1000, 1001, False, True), (1000, 1001, True, False), (1000, 0, True, False)],
)
def test_another_accounts_repository_is_isolated_where_it_cannot_be_written(
    owner, reader, may_write, isolated
) -> None:
    assert is_isolated(owner, reader, may_write) is isolated
