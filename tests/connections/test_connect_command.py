"""`clawgit connect` and `disconnect`, with the files of a home of the test's own."""

from __future__ import annotations

import json
import stat
import tomllib
from datetime import UTC, datetime

import pytest

from clawgit.clients.connect import note_event
from clawgit.workspace.user.connections import connections_folder, read_connection, token_file
from clawgit.workspace.user.user_file import user_config_dir

CLAUDE = '{\n  "numStartups": 3\n}'
SETTINGS = '{\n  "hooks": {\n    "Stop": []\n  }\n}\n'
CODEX = '# mine\nmodel = "x"\n'


@pytest.fixture
def home(own_home):
    (own_home / ".claude").mkdir()
    (own_home / ".codex").mkdir()
    (own_home / ".claude.json").write_text(CLAUDE)
    (own_home / ".claude" / "settings.json").write_text(SETTINGS)
    (own_home / ".codex" / "config.toml").write_text(CODEX)
    (own_home / ".codex" / "AGENTS.md").write_text("Be brief.")
    return own_home


@pytest.fixture
def host(clawgit, home):
    """Return a function that runs a command as somebody in a terminal of his own does."""
    return lambda *words: clawgit(*words, environment={"HOME": str(home)})


def files(home) -> dict[str, str]:
    """Return all files of the hosts."""
    found = [home / ".claude.json", *(home / ".claude").rglob("*"), *(home / ".codex").rglob("*")]
    return {str(path.relative_to(home)): path.read_text() for path in found}


@pytest.mark.parametrize("name", ["claude-code", "codex"])
def test_connected_and_left_again_every_file_is_as_it_was(host, home, name: str) -> None:
    before = files(home)
    rehearsed = host("connect", name, "--dry-run")
    assert files(home) == before

    connected = host("connect", name)
    during = files(home)
    again = host("connect", name)
    assert files(home) == during != before
    left = host("disconnect", name)

    assert (connected.code, again.code, left.code) == (0, 0, 0)
    assert "nothing was changed" in again.err
    assert "session_hook.py" in rehearsed.out
    assert "Call `memory_search` before you answer" in rehearsed.out
    assert "session_hook.py" not in connected.err  # what was put in was told once
    assert files(home) == before
    assert list(connections_folder(user_config_dir({}, home)).iterdir()) == []


def test_claude_code_gets_the_server_the_hooks_and_the_passage(host, home) -> None:
    host("connect", "claude-code")
    server = json.loads((home / ".claude.json").read_text())["mcpServers"]["clawgit"]
    hooks = json.loads((home / ".claude" / "settings.json").read_text())["hooks"]

    assert server["args"][-3:] == ["mcp", "--connection", "claude-code"]
    assert set(hooks) == {"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"}
    assert [each.get("matcher") for each in hooks["PostToolUse"]] == ["WebFetch|WebSearch|Bash|mcp__.*"]
    assert hooks["Stop"][0]["hooks"][0]["command"].endswith("session_hook.py claude-code Stop || true")
    assert "memory_search" in (home / ".claude" / "CLAUDE.md").read_text()


def test_codex_gets_the_same_and_its_trust_is_left_to_a_person(host, home) -> None:
    said = host("connect", "codex")
    config = tomllib.loads((home / ".codex" / "config.toml").read_text())

    assert config["mcp_servers"]["clawgit"]["args"][-1] == "codex"
    assert config["features"] == {"hooks": True}
    assert "trust the hooks" in said.err
    assert (home / ".codex" / "AGENTS.md").read_text().startswith("Be brief.\n\n<!-- clawgit: begin")
    assert "trusted" not in (home / ".codex" / "hooks.json").read_text()


def test_doctor_says_what_is_missing_and_that_no_hook_ever_ran(host, home) -> None:
    host("connect", "codex")
    folder = connections_folder(user_config_dir({}, home))
    silent = host("doctor").out
    note_event(folder, "codex", "Stop", datetime(2026, 3, 19, tzinfo=UTC))
    works = host("doctor").out
    (home / ".codex" / "hooks.json").write_text("{}")
    token_file(folder, "codex").chmod(0o644)
    broken = host("doctor").out

    assert "No hook of Codex ever ran. Start `codex` and trust the hooks" in silent
    assert "Codex" not in works
    assert "hooks.json no longer has all" in broken
    assert "which is not there" not in broken
    assert "others can read" in broken


def test_a_workspace_that_a_host_uses_is_left_after_that(host, home, room) -> None:
    """Mutant: the document says that it is disconnected first, and the program sends one away to do it."""
    before = files(home)
    host("connect", "mcp")
    host("connect", "codex")
    connected = files(home)
    ahead = host("uninstall", "--dry-run")
    still = files(home)
    said = host("uninstall", "--no-backup", "--yes")

    assert "to be disconnected: Codex\n" in ahead.out
    assert "Would change" in ahead.out
    assert still == connected != before
    assert said.code == 0
    assert "codex is not connected any more." in said.err
    assert files(home) == before


def test_a_host_cannot_connect_itself(clawgit, home) -> None:
    said = clawgit("connect", "codex", actor="host")
    assert said.code == 1
    assert "only you can" in said.err


def test_a_host_that_is_not_there_and_one_that_has_another_workspace_are_named(
    host, home, room, tmp_path
) -> None:
    host("connect", "codex")
    other = tmp_path / "other"
    host("init", str(other))
    elsewhere = host("-w", str(other), "connect", "codex")
    (home / ".claude" / "settings.json").unlink()
    (home / ".claude").rmdir()
    missing = host("connect", "claude-code")
    rehearsed = host("connect", "claude-code", "--dry-run")

    assert str(room.root) in elsewhere.err
    assert (elsewhere.code, missing.code, rehearsed.code) == (1, 1, 1)
    assert "is not set up here" in missing.err
    assert "is not set up here" in rehearsed.err
    assert "settings.json  (a new file)" in rehearsed.out
    assert not (home / ".claude").exists()


def test_a_file_that_is_no_json_stops_everything_before_anything_is_changed(host, home) -> None:
    (home / ".claude" / "settings.json").write_text("{")
    before = files(home)
    said = host("connect", "claude-code")

    assert said.code == 1
    assert "settings.json is no JSON" in said.err
    assert files(home) == before


def test_a_rehearsal_is_its_output_and_its_json_has_the_changes(host, home) -> None:
    """Seen: stdout was empty, and --json had the names of files alone."""
    said = host("connect", "codex", "--dry-run")
    told = host("connect", "codex", "--dry-run", "--json").data
    assert "Would install git's hooks" in said.out
    assert said.err == ""
    assert [each["file"] for each in told["changes"]] == told["files"]
    assert any("session_hook.py" in line for each in told["changes"] for line in each["lines"])


def test_files_keep_their_permissions_and_links_stay_links(host, home, tmp_path) -> None:
    kept = tmp_path / "dotfiles.json"
    kept.write_text(SETTINGS)
    kept.chmod(0o640)
    (home / ".claude" / "settings.json").unlink()
    (home / ".claude" / "settings.json").symlink_to(kept)
    host("connect", "claude-code")

    assert (home / ".claude" / "settings.json").is_symlink()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640
    assert "clawgit" in kept.read_text()


def test_any_client_of_mcp_gets_a_token_and_the_command(host, home) -> None:
    before = files(home)
    said = host("connect", "mcp")

    assert files(home) == before
    assert "mcp --connection mcp" in said.err
    assert "files are as they should be" not in said.err
    again = json.loads(host("connect", "mcp", "--json").out)
    assert again["server"][-3:] == ["mcp", "--connection", "mcp"]
    assert again["token_file"] == str(token_file(connections_folder(user_config_dir({}, home)), "mcp"))
    assert (
        stat.S_IMODE(token_file(connections_folder(user_config_dir({}, home)), "mcp").stat().st_mode) == 0o600
    )


def test_an_openclaw_that_loads_no_plugins_gets_a_token_of_its_own_kind(host, home) -> None:
    """Mutant: the hook goes on with the token of a client of MCP, which cannot say who spoke."""
    before = files(home)
    folder = connections_folder(user_config_dir({}, home))
    said = host("connect", "openclaw", "--no-plugin")
    connection = read_connection(folder, "openclaw")
    other = host("connect", "codex", "--no-plugin")
    left = host("disconnect", "openclaw")

    assert (said.code, other.code, left.code) == (0, 2, 0)
    assert "`clawgit config set operator_ids telegram:4242`" in said.err
    assert connection is not None
    assert connection.may_say_who_spoke
    assert files(home) == before
    assert list(folder.iterdir()) == []
    assert "openclaw memory" not in left.err
    assert "`openclaw hooks disable clawgit`" in left.err
