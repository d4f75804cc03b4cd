"""Connections: whose token it is, and when it counts for nothing."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from clawgit.errors import ConfigurationError
from clawgit.workspace.user.connections import (
    Connection,
    connection_of,
    read_connection,
    read_connections,
    read_token,
    remove_connection,
    token_file,
    write_connection,
)

CONNECTION = Connection(
    "codex", "codex", Path("/home/ada/agent"), "2026-03-19", ({"file": "/x", "puts": []},)
)


@pytest.fixture
def folder(tmp_path):
    write_connection(tmp_path / "connections", CONNECTION)
    return tmp_path / "connections"


def test_a_connection_is_known_by_its_token(folder) -> None:
    assert connection_of(folder, read_token(folder, "codex") or "") == CONNECTION


def test_its_files_are_the_accounts_alone(folder) -> None:
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


@pytest.mark.parametrize(
    "token", ["", "codex", "codex.", "other.abc", "../codex.x", "codex.wrong", "codex." + "ä" * 40]
)
def test_any_other_word_is_nobodys(folder, token: str) -> None:
    assert connection_of(folder, token) is None


def test_a_token_that_others_can_read_counts_for_nothing(folder) -> None:
    token = read_token(folder, "codex") or ""
    token_file(folder, "codex").chmod(0o640)
    assert connection_of(folder, token) is None


def test_connecting_again_keeps_the_token_and_makes_another_where_others_could_read_it(folder) -> None:
    token = read_token(folder, "codex")
    write_connection(folder, CONNECTION)
    assert read_token(folder, "codex") == token

    token_file(folder, "codex").chmod(0o644)
    write_connection(folder, CONNECTION)
    assert read_token(folder, "codex") not in (token, None)


def test_a_connection_that_was_removed_leaves_no_file(folder) -> None:
    remove_connection(folder, "codex")
    assert list(folder.iterdir()) == []


def test_a_damaged_file_is_named_and_its_token_counts_for_nothing(folder) -> None:
    token = read_token(folder, "codex") or ""
    (folder / "codex.json").write_text("{}")

    assert connection_of(folder, token) is None
    assert read_connections(folder) == []
    with pytest.raises(ConfigurationError, match=r"codex\.json"):
        read_connection(folder, "codex")
