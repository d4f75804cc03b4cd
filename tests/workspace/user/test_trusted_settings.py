from __future__ import annotations

import multiprocessing
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from clawgit.errors import ConfigurationError
from clawgit.workspace.user.trusted_settings import is_trusted, read_trust, revoke, trust_file, trust_value
from clawgit.workspace.user.user_file import user_config_dir

if TYPE_CHECKING:
    from multiprocessing.synchronize import Barrier

    from clawgit.workspace.settings.setting_types import Value

HANDLER = "recall_external_handler"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return trust_file(tmp_path / "config" / "clawgit")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "ws" / "bin").mkdir(parents=True)
    (tmp_path / "ws" / "bin" / "handler").write_text("#!/bin/sh\necho fine\n")
    return tmp_path / "ws"


def trusts(store: Path, root: Path, key: str, value: Value) -> bool:
    return is_trusted(read_trust(store), root, key, value)


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        pytest.param({}, "/home/ada/.config/clawgit", id="default"),
        pytest.param({"XDG_CONFIG_HOME": "/etc/ada"}, "/etc/ada/clawgit", id="named"),
        pytest.param({"XDG_CONFIG_HOME": ""}, "/home/ada/.config/clawgit", id="empty"),
        pytest.param({"XDG_CONFIG_HOME": "here"}, "/home/ada/.config/clawgit", id="relative"),
    ],
)
def test_the_config_folder_is_the_users(env: dict[str, str], expected: str) -> None:
    assert user_config_dir(env, Path("/home/ada")) == Path(expected)


def test_nothing_is_trusted_before_it_was_said(store: Path, root: Path) -> None:
    assert not trusts(store, root, "soul_policy", "locked")
    assert read_trust(store).problems == ()


def test_exactly_the_value_is_trusted_in_exactly_this_workspace(store: Path, root: Path) -> None:
    trust_value(store, root, "operator_ids", ("ada", "grace"))
    assert trusts(store, root, "operator_ids", ("ada", "grace"))
    assert not trusts(store, root, "operator_ids", ("ada",))
    assert not trusts(store, root, "search_extra_paths", ("ada", "grace"))
    assert not trusts(store, root.parent, "operator_ids", ("ada", "grace"))


def test_the_workspace_is_known_by_its_real_path(store: Path, root: Path) -> None:
    link = root.parent / "link"
    link.symlink_to(root)
    trust_value(store, link, HANDLER, "bin/handler")
    assert trusts(store, root, HANDLER, "bin/handler")


def test_the_store_is_private_to_the_user(store: Path, root: Path) -> None:
    before = os.umask(0)
    trust_value(store, root, "soul_policy", "locked")
    os.umask(before)
    assert stat.S_IMODE(store.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.parent.stat().st_mode) == 0o700
    assert sorted(path.name for path in store.parent.iterdir()) == ["trust.json", "trust.lock"]


def test_a_program_that_changed_is_not_trusted_any_more(store: Path, root: Path) -> None:
    trust_value(store, root, HANDLER, "bin/handler --deep")
    assert trusts(store, root, HANDLER, "bin/handler --deep")
    (root / "bin" / "handler").write_text("#!/bin/sh\necho evil\n")
    assert not trusts(store, root, HANDLER, "bin/handler --deep")


def test_a_script_behind_an_interpreter_counts_as_well(store: Path, root: Path) -> None:
    trust_value(store, root, HANDLER, "/bin/sh bin/handler")
    (root / "bin" / "handler").write_text("echo evil\n")
    assert not trusts(store, root, HANDLER, "/bin/sh bin/handler")


def test_a_script_that_turned_up_later_was_never_trusted(store: Path, root: Path) -> None:
    trust_value(store, root, HANDLER, "/bin/sh bin/later")
    assert trusts(store, root, HANDLER, "/bin/sh bin/later")
    (root / "bin" / "later").write_text("echo evil\n")
    assert not trusts(store, root, HANDLER, "/bin/sh bin/later")


def test_a_program_that_went_away_is_not_trusted(store: Path, root: Path) -> None:
    trust_value(store, root, HANDLER, "bin/handler")
    (root / "bin" / "handler").unlink()
    assert not trusts(store, root, HANDLER, "bin/handler")


def test_a_program_that_is_not_there_cannot_be_trusted(store: Path, root: Path) -> None:
    with pytest.raises(ConfigurationError, match="no program at bin/absent"):
        trust_value(store, root, HANDLER, "bin/absent")
    assert not store.exists()


def test_what_is_no_setting_cannot_be_trusted(store: Path, root: Path) -> None:
    with pytest.raises(ConfigurationError, match="not a setting"):
        trust_value(store, root, "shell", "/bin/sh")


def test_revoking_forgets_one_setting_only(store: Path, root: Path) -> None:
    trust_value(store, root, "soul_policy", "locked")
    trust_value(store, root, "model", "m")
    assert revoke(store, root, "soul_policy")
    assert not trusts(store, root, "soul_policy", "locked")
    assert trusts(store, root, "model", "m")


def test_revoking_what_was_not_trusted_says_so(store: Path, root: Path) -> None:
    assert not revoke(store, root, "soul_policy")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"version": 2, "workspaces": {}}',
        b'{"version": 1}',
        b"{}",
        b'{"version": 1, "workspaces": []}',
        b'{"version": 1, "workspaces": {"/x": {"soul_policy": "locked"}}}',
        b'{"version": 1, "workspaces": {"/x": {"soul_policy": {"value": "y"}}}}',
        pytest.param(b"[" * 100_000, id="deep"),
    ],
)
def test_a_damaged_store_trusts_nothing_and_is_reported(store: Path, root: Path, content: bytes) -> None:
    trust_value(store, root, "soul_policy", "locked")
    store.write_bytes(content)
    found = read_trust(store)
    assert not is_trusted(found, root, "soul_policy", "locked")
    assert [problem.severity for problem in found.problems] == ["error"]
    with pytest.raises(ConfigurationError, match=r"Remove .*trust\.json first"):
        trust_value(store, root, "soul_policy", "locked")
    assert store.read_bytes() == content


def test_a_store_that_others_can_write_trusts_nothing(store: Path, root: Path) -> None:
    trust_value(store, root, "soul_policy", "locked")
    store.chmod(0o622)
    assert not trusts(store, root, "soul_policy", "locked")
    assert "written by others" in str(read_trust(store).problems[0])


def _trust_many(store: Path, root: Path, key: str, start: Barrier) -> None:
    start.wait()
    for number in range(20):
        trust_value(store, root / str(number), key, 700)


@pytest.mark.rest
def test_writers_at_the_same_time_lose_nothing(store: Path, root: Path) -> None:
    """Fails without the lock (tried)."""
    keys = ["identity_tokens", "user_profile_tokens", "corrections_tokens", "crm_tokens"]
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(len(keys))
    writers = [context.Process(target=_trust_many, args=(store, root, key, start)) for key in keys]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    found = read_trust(store)
    assert all(is_trusted(found, root / str(number), key, 700) for key in keys for number in range(20))
