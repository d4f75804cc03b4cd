"""What a repository can run is named until it is trusted as it is; what only describes it is not.

Mutants seen to fail here: an unknown setting counts as harmless; a changed hook stays trusted; the user's own settings are named.
"""

from __future__ import annotations

import shutil
import sys

import pytest

from clawgit.history.doctor.risky_git_config import strange_things
from clawgit.history.git.repository import open_history
from clawgit.history.hooks.install import install_hooks
from clawgit.workspace.user.trusted_settings import read_known, trust_known

RUNS = {
    "core.fsmonitor": ".git/watch",
    "core.sshcommand": "ssh -v",
    "core.pager": "less",
    "core.editor": "vi",
    "core.askpass": "ask",
    "core.gitproxy": "proxy",
    "core.hookspath": ".githooks",
    "core.attributesfile": "elsewhere",
    "sequence.editor": "vi",
    "diff.external": "diff",
    "diff.secret.textconv": "cat",
    "diff.secret.command": "cat",
    "merge.union.driver": "merge",
    "filter.lfs.clean": "git-lfs clean",
    "filter.lfs.process": "git-lfs",
    "gpg.program": "gpg",
    "gpg.ssh.defaultKeyCommand": "key",
    "credential.helper": "store",
    "include.path": "other",
    "includeif.gitdir:/x/.path": "other",
    "alias.st": "!status",
    "alias.lg": "-c core.pager=x log",
    "pager.log": "less",
    "uploadpack.packobjectshook": "x",
    "remote.origin.uploadpack": "x",
    "remote.origin.vcs": "x",
    "remote.origin.url": "ext::sh -c x",
    "remote.other.url": "-oProxyCommand=x",
    "remote.third.pushurl": "ssh://-oProxyCommand=x/y",
    "url.https://evil.example/.insteadof": "https://good.example/",
    "http.proxy": "http://evil.example",
    "http.extraheader": "Authorization: x",
    "submodule.x.update": "!x",
    "trailer.x.cmd": "x",
    "lfs.customtransfer.x.path": "x",
    "gc.pruneexpire": "now",
    "protocol.ext.allow": "always",
    "interactive.difffilter": "x",
    "something.new": "x",
}
DESCRIBES = {
    "core.fsmonitor": "true",
    "core.autocrlf": "false",
    "user.name": "Ada",
    "user.email": "ada@example.org",
    "branch.main.remote": "origin",
    "branch.Feature/X.merge": "refs/heads/x",
    "remote.origin.url": "git@github.com:ada/agent.git",
    "remote.https.url": "https://example.org/ada/agent.git",
    "remote.ssh.url": "ssh://git@example.org:22/agent.git",
    "remote.path.url": "/mnt/usb/agent.git",
    "remote.near.url": "../agent.git",
    "remote.home.url": "~/agent.git",
    "remote.file.url": "file:///mnt/usb/agent.git",
    "remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*",
    "pull.rebase": "true",
    "commit.gpgsign": "false",
    "color.ui": "auto",
}


def names(room, trusted=()) -> list[str]:
    return [thing.name for thing in strange_things(open_history(room.root), trusted)]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", RUNS)
def test_a_setting_that_can_run_something_is_named(room, key) -> None:
    room.git("config", key, RUNS[key])

    assert [name.lower() for name in names(room)] == [key.lower()]


def test_settings_that_only_describe_are_not_named(room) -> None:
    for key, value in DESCRIBES.items():
        room.git("config", key, value)

    assert names(room) == []


def test_the_users_own_settings_are_their_own_business(room) -> None:
    room.git("config", "--global", "core.pager", "less")

    assert names(room) == []


def test_what_was_included_is_named_too(room, tmp_path) -> None:
    (tmp_path / "included").write_text("[core]\n\tsshCommand = x\n")
    room.git("config", "include.path", str(tmp_path / "included"))

    assert names(room) == ["include.path", "core.sshcommand"]


def test_a_hook_is_named_until_it_is_trusted_and_again_when_it_changes(room, tmp_path) -> None:
    hook = room.root / ".git/hooks/post-commit"
    hook.write_text("#!/bin/sh\n")
    assert names(room) == []  # git does not run it
    hook.chmod(0o755)
    assert names(room) == ["post-commit"]

    trust_known(tmp_path, room.root, [thing.digest for thing in strange_things(room.history)])
    assert names(room, read_known(tmp_path, room.root)) == []
    hook.write_text("#!/bin/sh\necho more\n")

    assert names(room, read_known(tmp_path, room.root)) == ["post-commit"]


def test_trust_of_one_workspace_is_nobody_elses(room, tmp_path) -> None:
    trust_known(tmp_path, room.root, ["a"])
    trust_known(tmp_path, tmp_path, ["b"])

    assert read_known(tmp_path, room.root) == {"a"}
    assert read_known(tmp_path, tmp_path / "other") == frozenset()


@pytest.mark.parametrize("text", ["", "[]", '{"x": 1}', "garbage"])
def test_a_damaged_store_trusts_nothing(room, tmp_path, text) -> None:
    (tmp_path / "repositories.json").write_text(text)

    assert read_known(tmp_path, room.root) == frozenset()
    trust_known(tmp_path, room.root, ["a"])
    assert read_known(tmp_path, room.root) == {"a"}


def test_a_store_that_others_can_write_trusts_nothing(room, tmp_path) -> None:
    trust_known(tmp_path, room.root, ["a"])
    (tmp_path / "repositories.json").chmod(0o666)

    assert read_known(tmp_path, room.root) == frozenset()


def test_the_python_that_runs_here_is_not_strange_in_a_copy(room, tmp_path) -> None:
    install_hooks(room.history, sys.executable)
    copy = tmp_path / "copy"
    shutil.copytree(room.root, copy, symlinks=True)

    assert strange_things(open_history(copy)) == []


def test_clawgits_own_merge_driver_is_known_and_another_one_of_its_name_is_not(room) -> None:
    """Mutants: the driver that comes with the hooks is called strange; whatever has its name is harmless."""
    install_hooks(room.history, sys.executable)
    assert strange_things(room.history) == []

    room.git("config", "merge.clawgit.driver", "evil %A")

    assert [thing.name for thing in strange_things(open_history(room.root))] == ["merge.clawgit.driver"]
