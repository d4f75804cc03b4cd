"""`clawgit connect openclaw` and `disconnect`, with a program that changes its settings as OpenClaw does."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime

import pytest

from clawgit.clients.connection_checks import note_event
from clawgit.clients.openclaw_settings import agents_of, merge_patch, owners_of, version_of
from clawgit.workspace.user.connections import connections_folder, token_file
from clawgit.workspace.user.user_file import user_config_dir

PROGRAM = """\
#!{python}
import json, os, pathlib, sys
words = sys.argv[1:]
if words[:2] == ["cron", "list"]:
    print(os.environ.get("JOBS", ""))
    sys.exit(0 if "JOBS" in os.environ else "no Gateway")
assert words == ["config", "patch", "--stdin"], words
path = pathlib.Path(os.environ["HOME"], ".openclaw/openclaw.json")
def merged(old, patch):
    for name, value in patch.items():
        if value is None:
            old.pop(name, None)
        elif isinstance(value, dict):
            old[name] = merged(old[name] if isinstance(old.get(name), dict) else {{}}, value)
        else:
            old[name] = value
    return old
patch = json.load(sys.stdin)
if os.environ.get("REFUSES"):
    sys.exit("Config invalid: plugins.slots.memory")
settings = merged(json.loads(path.read_text()), patch)
settings["wizard"] = {{"lastRunVersion": "2026.9.6"}}
settings["meta"] = {{"lastTouchedVersion": "2026.9.6"}}
path.write_text(json.dumps(settings, indent=2) + "\\n")
with (path.parent / "patches.jsonl").open("a") as file:
    file.write(json.dumps(patch) + "\\n")
"""


@pytest.fixture
def config(own_home, room):
    """Make an OpenClaw whose agent has this workspace, and return the file of its settings."""
    folder = own_home / ".openclaw"
    package = own_home / "lib" / "openclaw"
    (own_home / "bin").mkdir()
    package.mkdir(parents=True)
    folder.mkdir()
    (package / "package.json").write_text('{"name": "openclaw", "version": "2026.9.6"}')
    (package / "openclaw.mjs").write_text(PROGRAM.format(python=sys.executable))
    (package / "openclaw.mjs").chmod(0o755)
    (own_home / "bin" / "openclaw").symlink_to(package / "openclaw.mjs")
    settings = {
        "agents": {"defaults": {"workspace": str(room.root)}},
        "commands": {"ownerAllowFrom": ["telegram:4242", "*"]},
        "plugins": {"entries": {"memory-core": {"config": {"dreaming": {"frequency": "0 4 * * *"}}}}},
    }
    (folder / "openclaw.json").write_text(json.dumps(settings, indent=2))
    return folder / "openclaw.json"


@pytest.fixture
def host(clawgit, own_home, config):
    """Return a function that runs a command as somebody in a terminal of his own does."""
    path = f"{own_home / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return lambda *words, **more: clawgit(*words, environment={"HOME": str(own_home), "PATH": path, **more})


def settings_in(config) -> dict[str, object]:
    return {
        name: value
        for name, value in json.loads(config.read_text()).items()
        if name not in ("meta", "wizard")
    }


def test_connected_and_left_again_each_setting_has_its_earlier_value_or_none(host, config, own_home) -> None:
    before = config.read_text()
    (config.parent / "clawgit").mkdir()
    host("connect", "openclaw", "--dry-run")
    assert config.read_text() == before

    connected = host("connect", "openclaw", "--yes")
    during = config.read_text()
    again = host("connect", "openclaw", "--yes")
    assert config.read_text() == during
    left = host("disconnect", "openclaw")

    assert (connected.code, again.code, left.code) == (0, 0, 0)
    assert "nothing was changed" in again.err
    assert settings_in(config) == json.loads(before)
    assert not (config.parent / "clawgit").exists()
    assert list(connections_folder(user_config_dir({}, own_home)).iterdir()) == []


def test_dreaming_ends_before_its_plugin_does_and_ours_has_the_slot(host, config, room, own_home) -> None:
    said = host("connect", "openclaw", "--yes")
    plugins = settings_in(config)["plugins"]
    first = json.loads((config.parent / "patches.jsonl").read_text().splitlines()[0])
    own = plugins["entries"]["clawgit-memory"]

    assert first == {"plugins": {"entries": {"memory-core": {"config": {"dreaming": {"enabled": False}}}}}}
    assert plugins["slots"] == {"memory": "clawgit-memory"}
    assert plugins["entries"]["memory-core"]["enabled"] is False
    assert plugins["entries"]["memory-core"]["config"]["dreaming"]["frequency"] == "0 4 * * *"
    assert own["hooks"]["allowConversationAccess"] is True
    assert own["config"]["workspace"] == str(room.root)
    assert own["config"]["agents"] == ["main"]
    assert own["config"]["tokenFile"] == str(
        token_file(connections_folder(user_config_dir({}, own_home)), "openclaw")
    )
    assert "OpenClaw 2026.9.6" in said.err
    assert "openclaw gateway restart" in said.err
    assert "openclaw cron list --all" in said.err


def test_openclaws_owners_are_the_operator_once_he_says_so(host, room) -> None:
    asked = host("connect", "openclaw")
    before = room.read("CONFIG.md")
    host("connect", "openclaw", "--yes")

    assert "`clawgit connect openclaw --yes` says that they are you" in asked.err
    assert "telegram:4242" not in before
    assert '["telegram:4242"]' in host("config", "show", "--json").out.replace("\n", "").replace(" ", "")


def test_what_the_operator_changed_since_stays_his(host, config) -> None:
    host("connect", "openclaw", "--yes")
    settings = json.loads(config.read_text())
    settings["plugins"]["slots"]["memory"] = "other"
    settings["plugins"]["load"]["paths"].append("/mine")
    settings["plugins"]["entries"]["clawgit-memory"]["config"]["timeoutMs"] = 200
    config.write_text(json.dumps(settings))
    host("disconnect", "openclaw")

    plugins = settings_in(config)["plugins"]
    assert plugins["slots"] == {"memory": "other"}
    assert plugins["load"] == {"paths": ["/mine"]}
    assert "clawgit-memory" not in plugins["entries"]


def test_what_was_never_captured_is_named_and_stays(host, config) -> None:
    host("connect", "openclaw", "--yes")
    (config.parent / "clawgit").mkdir()
    (config.parent / "clawgit" / "spool.jsonl").write_text("{}\n")
    left = host("disconnect", "openclaw")

    assert "was not captured" in left.err
    assert (config.parent / "clawgit" / "spool.jsonl").exists()


def test_what_openclaw_refuses_is_said_and_can_be_left(host, config) -> None:
    before = settings_in(config)
    said = host("connect", "openclaw", "--yes", REFUSES="1")
    left = host("disconnect", "openclaw")

    assert (said.code, left.code) == (1, 0)
    assert "OpenClaw refused the settings: Config invalid" in said.err
    assert settings_in(config) == before


def test_a_workspace_that_no_agent_has_is_refused_and_theirs_are_named(host, config, tmp_path, room) -> None:
    other = tmp_path / "other"
    host("init", str(other))
    said = host("-w", str(other), "connect", "openclaw")

    assert said.code == 1
    assert f"{room.root} (main)" in said.err


def test_doctor_says_when_openclaw_keeps_the_talk_from_the_plugin(host, own_home) -> None:
    host("connect", "openclaw", "--yes")
    folder, at = connections_folder(user_config_dir({}, own_home)), datetime(2026, 3, 19, tzinfo=UTC)
    silent = host("doctor").out
    note_event(folder, "openclaw", "message_received", at)
    deaf = host("doctor").out
    for event in ("before_prompt_build", "agent_end", "message:preprocessed"):
        note_event(folder, "openclaw", event, at)

    assert "No hook of OpenClaw ever ran. Restart its Gateway" in silent
    assert "never called before_prompt_build and agent_end. `plugins.entries" in deaf
    assert "does not tell the plugin which messages are forwarded. Its `hooks.internal.enabled`" in deaf
    assert "OpenClaw" not in host("doctor").out


def test_doctor_says_when_openclaws_own_nightly_job_is_left(host) -> None:
    host("connect", "openclaw", "--yes")
    left = host("doctor", JOBS='[{"declarationKey": "memory-core:memory-dreaming-promotion"}]').out

    assert (
        "(memory-core:memory-dreaming-promotion) is still among its jobs. `openclaw cron list --all`" in left
    )
    assert "among its jobs" not in host("doctor", JOBS="[]").out
    assert "among its jobs" not in host("doctor").out


@pytest.mark.parametrize(
    ("config", "agents"),
    [
        ({}, ["main"]),
        ({"agents": {"defaults": {"workspace": "/other"}}}, []),
        ({"agents": {"entries": {"a": {"default": True}, "b": {"workspace": "/w"}}}}, ["a", "b"]),
        ({"agents": {"list": [{"id": "a", "workspace": "/w"}, {"id": "b"}]}}, ["main", "a"]),
    ],
)
def test_the_agents_of_a_workspace(config, agents, tmp_path) -> None:
    folder = tmp_path / "workspace"
    told = json.loads(json.dumps(config).replace('"/w"', json.dumps(str(folder))))
    assert agents_of(told, folder, tmp_path) == agents


def test_a_patch_makes_the_new_of_the_old_and_says_no_more() -> None:
    assert merge_patch({"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"c": 2, "d": [4]}, "e": {}}) == {
        "a": None,
        "b": {"d": [4]},
        "e": {},
    }


def test_versions_and_owners_as_openclaw_writes_them() -> None:
    assert version_of("2026.9.6-beta.1") == (2026, 9, 6)
    assert version_of("next") == ()
    assert owners_of({"commands": {"ownerAllowFrom": ["telegram:1", "*", 7]}}) == ["telegram:1", "7"]
