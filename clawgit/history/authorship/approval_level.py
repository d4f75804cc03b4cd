"""How sure it is that a person approved something: a touched key, another account's repository, or neither."""

from __future__ import annotations

import base64
import binascii
import os
import subprocess
import tempfile
from enum import Enum
from pathlib import Path
from struct import error as struct_error
from struct import unpack_from
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import OPERATOR, actor_in
from clawgit.history.git import libgit2 as pygit2
from clawgit.text.trailers import PROPOSAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.history.git.repository import History

ALLOWED = "allowed_signers"  # in the user's config folder, in the form of ssh-keygen(1)
NAMESPACE = "git"
_USER_PRESENT = 0x01
_SECURITY_KEY = b"sk-"
_SECONDS = 90
_ARMOUR = "-----"


class ApprovalLevel(Enum):
    """Evidence of an approval."""

    UNATTENDED = "unattended"
    PRESENT = "present"
    ISOLATED = "isolated"


def approval_level(history: History, commit_id: str, config_folder: Path) -> ApprovalLevel | None:
    """Return how sure the approval by a commit is; None if it is not one of the operator's."""
    commit = history.objects.commit(commit_id)
    is_his = actor_in(history, commit) == OPERATOR
    if not is_his or commit.trailers.first(PROPOSAL) is None:
        return None
    if is_isolated(history.git_folder.stat().st_uid, os.geteuid(), os.access(history.git_folder, os.W_OK)):
        return ApprovalLevel.ISOLATED
    signature, payload = history.repo[commit_id].peel(pygit2.Commit).gpg_signature
    if not signature or not payload or commit.trailers.first("Clawgit-Unattended") is not None:
        return ApprovalLevel.UNATTENDED
    if _was_touched(signature, payload, config_folder / ALLOWED):
        return ApprovalLevel.PRESENT
    return ApprovalLevel.UNATTENDED


def _was_touched(signature: bytes, payload: bytes, allowed: Path) -> bool:
    return says_touched(signature) and _is_allowed(signature, payload, allowed)


def is_isolated(owner: int, reader: int, may_write: bool) -> bool:
    """Say whether a repository belongs to another account, and this one cannot write it."""
    return owner != reader and not may_write


def signer_with(key: Path) -> Callable[[bytes], bytes]:
    """Return a function that signs a commit, or raises a ClawgitError; a security key waits for its touch."""

    def sign(data: bytes) -> bytes:
        try:
            done = _ssh_keygen("-q", "-Y", "sign", "-n", NAMESPACE, "-f", str(key), data=data)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ClawgitError("ssh-keygen did not sign, so nothing was changed.") from error
        if done.returncode or not done.stdout:
            message = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
            sentence = f"ssh-keygen did not sign ({message}), so nothing was changed."
            raise ClawgitError(sentence, hint="--sign takes the file of the private key.")
        return done.stdout

    return sign


def touched(sign: Callable[[bytes], bytes], allowed: Path) -> Callable[[bytes], bytes]:
    """Return ``sign`` with a check: a ClawgitError unless a listed security key was touched for the signature."""

    def signed(data: bytes) -> bytes:
        signature = sign(data)
        if not _was_touched(signature, data, allowed):
            sentence = f"No security key of {allowed} was touched, so nothing was changed."
            raise ClawgitError(sentence, hint="docs/concepts.md, Who approved, says how a key is listed.")
        return signature

    return signed


def says_touched(armoured: bytes) -> bool:
    """Say whether an SSH signature claims that a security key made it with a person present."""
    lines = armoured.decode("ascii", "replace").split("\n")
    body = "".join(line.strip() for line in lines if not line.startswith(_ARMOUR))
    try:
        blob = base64.b64decode(body, validate=True)
        if not blob.startswith(b"SSHSIG"):
            return False
        key, rest = _string(blob, 10)
        for _ in range(3):  # namespace, reserved, hash
            _, rest = _string(blob, rest)
        made, _ = _string(blob, rest)
        key_type, _ = _string(key, 0)
        _, after = _string(made, 0)
        _, after = _string(made, after)
        return key_type.startswith(_SECURITY_KEY) and bool(made[after] & _USER_PRESENT)
    except (binascii.Error, struct_error, ValueError, IndexError):
        return False


def _string(data: bytes, at: int) -> tuple[bytes, int]:
    (length,) = unpack_from(">I", data, at)
    end = at + 4 + length
    if end > len(data):
        raise ValueError("cut off")
    return data[at + 4 : end], end


def _is_allowed(signature: bytes, payload: bytes, allowed: Path) -> bool:
    if not allowed.is_file():
        return False
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "signature"
        file.write_bytes(signature)
        files = ("-f", str(allowed), "-s", str(file))
        try:
            listed = _ssh_keygen("-Y", "find-principals", *files)
            who = listed.stdout.decode("utf-8", "replace").strip().partition("\n")[0]
            if listed.returncode or not who:
                return False
            verified = _ssh_keygen("-Y", "verify", *files, "-I", who, "-n", NAMESPACE, data=payload)
        except (OSError, subprocess.TimeoutExpired):
            return False
        return verified.returncode == 0


def _ssh_keygen(*words: str, data: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    command = ["ssh-keygen", *words]
    return subprocess.run(command, input=data, capture_output=True, timeout=_SECONDS, check=False)
