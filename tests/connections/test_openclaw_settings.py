"""`clawgit connect openclaw` and `disconnect`, with a program that changes its settings as OpenClaw does."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from clawgit.agents.models.answering_models import host_model
from clawgit.clients.connect import note_event
from clawgit.clients.openclaw import merge_patch, owners_of, version_of, workspaces_of
from clawgit.workspace.user.connections import (
    connection_of,
    connections_folder,
    connections_to,
    read_token,
    token_file,
)
from clawgit.workspace.user.user_file import user_config_dir


def settings_in(config) -> dict[str, object]:
    return {
        name: value
        for name, value in json.loads(config.read_text()).items()
        if name not in ("meta", "wizard")
    }


@pytest.mark.rest
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


@pytest.mark.rest
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
    assert "enabled" not in plugins["entries"]["memory-core"]["config"]["dreaming"]
    assert "OpenClaw 2026.9.6" in said.err
    assert "openclaw gateway restart" in said.err
    assert "openclaw cron list --all" in said.err


@pytest.mark.rest
def test_nothing_is_left_in_the_settings_of_its_own_memory_of_which_openclaw_would_warn(host, config) -> None:
    """Mutants: `dreaming.enabled` stays; its null is in no patch."""
    settings = json.loads(config.read_text())
    del settings["plugins"]
    config.write_text(json.dumps(settings))
    host("connect", "openclaw", "--yes")

    assert not settings_in(config)["plugins"]["entries"]["memory-core"].get("config")
    host("disconnect", "openclaw")
    assert settings_in(config) == settings


@pytest.mark.parametrize("more", [("--dry-run",), ("--yes",)], ids=["a dry run", "connecting"])
def test_what_stops_with_its_own_memory_is_said_in_words_with_the_way_back(host, more) -> None:
    said = host("connect", "openclaw", *more).err

    for words in (
        "`openclaw memory` is unknown",
        '"Remember across conversations" stops',
        "rewriting of MEMORY.md stops",
    ):
        assert words in said
    assert "`clawgit disconnect openclaw` brings all of that back." in said


@pytest.mark.rest
def test_openclaws_owners_are_the_operator_once_he_says_so(host, room) -> None:
    asked = host("connect", "openclaw")
    before = room.read("CONFIG.md")
    host("connect", "openclaw", "--yes")

    assert "`clawgit connect openclaw --yes` says that they are you" in asked.err
    assert "telegram:4242" not in before
    assert '["telegram:4242"]' in host("config", "show", "--json").out.replace("\n", "").replace(" ", "")


@pytest.mark.rest
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


@pytest.mark.rest
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


@pytest.mark.rest
def test_doctor_says_when_openclaw_keeps_the_talk_from_the_plugin(host, own_home) -> None:
    host("connect", "openclaw", "--yes")
    folder, at = connections_folder(user_config_dir({}, own_home)), datetime(2026, 3, 19, tzinfo=UTC)
    silent = host("doctor").out
    note_event(folder, "openclaw", "agent_end", at)
    unheard = host("doctor").out
    note_event(folder, "openclaw", "message_received", at)
    deaf = host("doctor").out
    for event in ("before_prompt_build", "message:preprocessed"):
        note_event(folder, "openclaw", event, at)

    assert "No hook of OpenClaw ever ran. Restart its Gateway" in silent
    assert "never called before_prompt_build. `plugins.entries" in unheard
    assert "forwarded" not in unheard
    assert "never called before_prompt_build. `plugins.entries" in deaf
    assert "does not tell the plugin which messages are forwarded. Its `hooks.internal.enabled`" in deaf
    assert "OpenClaw" not in host("doctor").out


@pytest.mark.rest
def test_doctor_says_when_openclaws_own_nightly_job_is_left(host) -> None:
    host("connect", "openclaw", "--yes")
    left = host("doctor", JOBS='[{"declarationKey": "memory-core:memory-dreaming-promotion"}]').out

    assert (
        "(memory-core:memory-dreaming-promotion) is still among its jobs. `openclaw cron list --all`" in left
    )
    assert "among its jobs" not in host("doctor", JOBS="[]").out
    assert "among its jobs" not in host("doctor").out


@pytest.fixture
def second(config, own_home):
    """Give OpenClaw a second agent, whose workspace nobody has made one of clawgit's."""
    folder = own_home / ".openclaw" / "workspace-work"
    folder.mkdir()
    (folder / "SOUL.md").write_text("# SOUL\n\n- Be quick.\n")
    settings = json.loads(config.read_text())
    usual = settings["agents"]["defaults"].pop("workspace")
    settings["agents"]["entries"] = {"main": {"default": True, "workspace": usual}, "work": {}}
    config.write_text(json.dumps(settings, indent=2))
    return folder


def plugins_own(config) -> dict[str, object]:
    own: dict[str, object] = settings_in(config)["plugins"]["entries"]["clawgit-memory"]["config"]
    return own


@pytest.mark.rest
def test_each_agents_workspace_is_connected_after_a_yes_and_named(host, config, second, room) -> None:
    before, git = config.read_text(), second / ".git"
    rehearsed = host("connect", "openclaw", "--yes", "--dry-run")
    unchanged = (config.read_text(), git.exists())
    asked = host("connect", "openclaw")
    alone = plugins_own(config)
    said = host("connect", "openclaw", "--yes")
    both = plugins_own(config)
    again = host("connect", "openclaw")

    assert unchanged == (before, False)
    assert [f"agent work has its workspace at {second}" in each.err for each in (rehearsed, asked, said)] == [
        True
    ] * 3
    assert "it would be connected, too" in rehearsed.err
    assert "`clawgit connect openclaw --yes` connects that, too" in asked.err
    assert "it is connected, too" in said.err
    assert (alone["agents"], alone.get("others")) == (["main"], None)
    assert [(each["workspace"], each["agents"]) for each in (both, *both["others"])] == [
        (str(room.root), ["main"]),
        (str(second), ["work"]),
    ]
    assert len({each[name] for each in (both, *both["others"]) for name in ("tokenFile", "spool")}) == 4
    assert f"{second} is registered as workspace-work" in said.err
    assert "nothing was changed" in again.err
    assert plugins_own(config) == both


@pytest.mark.rest
def test_each_workspace_has_its_own_token_owners_and_model(host, config, second, own_home, room) -> None:
    host("connect", "openclaw", "--yes")
    folder = connections_folder(user_config_dir({}, own_home))
    tokens = {
        place: read_token(folder, name) for name, place in (("openclaw", room.root), ("openclaw-2", second))
    }

    assert {place: connection_of(folder, token).workspace for place, token in tokens.items()} == {
        place: place for place in tokens
    }
    for place, token in tokens.items():
        lent = host_model({"HOME": str(own_home)}, place, 1.0)
        assert (lent.place, lent.token) == (plugins_own(config)["modelSocket"], token)
        ids = host("-w", str(place), "config", "show", "--json").out.replace("\n", "").replace(" ", "")
        assert '["telegram:4242"]' in ids


@pytest.mark.rest
def test_doctor_looks_at_each_workspace_by_itself(host, config, second, own_home) -> None:
    host("connect", "openclaw", "--yes")
    folder, at = connections_folder(user_config_dir({}, own_home)), datetime(2026, 3, 19, tzinfo=UTC)
    for event in ("message_received", "before_prompt_build", "agent_end", "message:preprocessed"):
        note_event(folder, "openclaw", event, at)
    first, other = host("doctor").out, host("-w", str(second), "doctor").out
    config.write_text(json.dumps(settings_in(config) | {"plugins": {}}))

    assert "OpenClaw" not in first
    assert "No hook of OpenClaw ever ran" in other
    for place in ((), ("-w", str(second))):
        assert "no longer has all that connects OpenClaw" in host(*place, "doctor").out


@pytest.mark.rest
def test_leaving_leaves_all_workspaces(host, config, second, own_home) -> None:
    before = json.loads(config.read_text())
    host("connect", "openclaw", "--yes")
    left = host("disconnect", "openclaw")

    assert left.code == 0
    assert settings_in(config) == before
    assert list(connections_folder(user_config_dir({}, own_home)).iterdir()) == []


@pytest.mark.rest
def test_a_workspace_of_an_agent_that_is_gone_is_forgotten(host, config, second, own_home) -> None:
    host("connect", "openclaw", "--yes")
    settings = json.loads(config.read_text())
    del settings["agents"]["entries"]["work"]
    config.write_text(json.dumps(settings))
    host("connect", "openclaw")

    assert "others" not in plugins_own(config)
    assert [
        each.name for each in connections_to(connections_folder(user_config_dir({}, own_home)), "openclaw")
    ] == ["openclaw"]


@pytest.mark.rest
def test_a_workspace_that_openclaw_has_not_made_yet_is_left_to_it(host, config, second) -> None:
    (second / "SOUL.md").unlink()
    second.rmdir()
    said = host("connect", "openclaw", "--yes")

    assert f"{second}, which is not there yet. Say something to that agent" in said.err
    assert not second.exists()
    assert "others" not in plugins_own(config)


@pytest.mark.parametrize(
    ("config", "folders"),
    [
        ({}, {"main": "state/workspace"}),
        ({"agents": {"defaults": {"workspace": "/w"}}}, {"main": "/w"}),
        ({"agents": {"entries": {"a": {}}}}, {"a": "state/workspace"}),
        (
            {"agents": {"entries": {"a": {}, "b": {"default": True}, "c": {"workspace": "/c"}}}},
            {"b": "state/workspace", "a": "state/workspace-a", "c": "/c"},
        ),
        ({"agents": {"entries": {"a": {}, "b": {}}}}, {"a": "state/workspace-a", "b": "state/workspace-b"}),
        (
            {"agents": {"defaults": {"workspace": "/w"}, "list": [{"id": "a"}, {"id": "b"}]}},
            {"a": "/w", "b": "/w/b"},
        ),
    ],
)
def test_each_agents_workspace_is_where_openclaw_has_it(config, folders, tmp_path) -> None:
    found = workspaces_of(config, tmp_path / "state")
    assert list(found.items()) == [(name, tmp_path / folder) for name, folder in folders.items()]


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
