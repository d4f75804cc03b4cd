from __future__ import annotations

import json

import pytest

from clawgit.cli.main import run
from clawgit.workspace.settings.settings import DEFAULTS, SETTINGS


def test_a_setting_of_the_operators_is_in_force(clawgit, room) -> None:
    before = room.read("CONFIG.md")

    assert clawgit("config", "set", "soul_policy", "review").code == 0

    assert clawgit("config", "show", "soul_policy", "--json").data["value"] == "review"
    changed = [
        pair
        for pair in zip(before.splitlines(), room.read("CONFIG.md").splitlines(), strict=True)
        if pair[0] != pair[1]
    ]
    assert len(changed) == 1


def test_a_guarded_setting_of_the_hosts_waits_until_it_is_trusted(clawgit) -> None:
    said = clawgit("config", "set", "soul_policy", "locked", actor="host")
    shown = clawgit("config", "show", "soul_policy", "--json").data

    assert "not in force" in said.err
    assert (shown["value"], shown["state"], shown["waiting"]) == ("evolve", "waiting", "locked")
    assert clawgit("status", "--json").data["settings_waiting"] == ["soul_policy"]
    assert clawgit("approve", "soul_policy", actor="host").code == 1
    assert clawgit("approve", "soul_policy").code == 0
    assert clawgit("config", "show", "soul_policy", "--json").data["value"] == "locked"
    assert clawgit("trust", "--revoke", "soul_policy").code == 0
    assert clawgit("config", "show", "soul_policy", "--json").data["value"] == "evolve"


def test_who_says_which_sender_he_is_reads_what_becomes_of_his_earlier_messages(clawgit, tmp_path) -> None:
    """Seen: seven messages of a day stayed from outside for ever, and nothing said so or named a way."""
    for number in range(2):
        said = ("--channel", "telegram", "--conversation", "7", "--sender", "77", "--id", str(number))
        assert clawgit("chat", "add", *said, f"Tea is at {number}.").code == 0

    told = clawgit("config", "set", "operator_ids", "telegram:77").err

    assert "operator_ids is set.\nMessages that are here already stay as they were stored." in told
    lines = clawgit("chat", "export").out.replace('"trust": "external", ', "")
    (tmp_path / "talk.jsonl").write_text(lines)
    (command,) = [word for word in told.split("`") if word.startswith("clawgit chat import")]
    words = command.replace("FILE", str(tmp_path / "talk.jsonl")).replace("SENDER", "77").split()[1:]
    assert "2 claimed" in clawgit(*words).out


def test_an_edit_of_unknown_origin_waits_and_a_claim_puts_it_in_force(clawgit, room) -> None:
    room.write("CONFIG.md", room.read("CONFIG.md").replace("soul_policy: evolve", "soul_policy: locked"))
    (commit,) = room.keep().commits
    assert clawgit("config", "show", "soul_policy", "--json").data["value"] == "evolve"

    assert clawgit("keep", "--as", "operator", commit).code == 0

    assert clawgit("config", "show", "soul_policy", "--json").data["value"] == "locked"


def test_the_operators_own_git_commit_is_their_word(clawgit, room) -> None:
    room.write("CONFIG.md", room.read("CONFIG.md").replace("soul_policy: evolve", "soul_policy: locked"))
    room.git("commit", "-qam", "lock it")

    assert clawgit("config", "show", "soul_policy", "--json").data["value"] == "locked"


def test_an_unguarded_setting_needs_no_trust(clawgit) -> None:
    clawgit("config", "set", "timezone", "Europe/Berlin", actor="host")

    assert clawgit("config", "show", "timezone", "--json").data["value"] == "Europe/Berlin"


def test_check_names_file_line_and_key(clawgit, room) -> None:
    room.write("CONFIG.md", "```yaml\nsearch_max_results: many\n```\n")

    said = clawgit("config", "check")

    assert said.code == 4
    assert "CONFIG.md:2" in said.out
    assert "search_max_results" in said.out


@pytest.mark.rest
def test_the_last_good_value_stays_in_force(clawgit, room) -> None:
    clawgit("config", "set", "search_max_results", "9")
    room.write("CONFIG.md", "```yaml\nsearch_max_results: many\n```\n")
    room.keep()

    assert clawgit("config", "show", "search_max_results", "--json").data["value"] == 9


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        pytest.param("[/invoice/i, /(a/]", "/(a/", id="no expression"),
        pytest.param("[/a/x]", "its flag 'x' is none of i, s, m", id="a flag that is none"),
        pytest.param("[{pattern: '(?=a)', flags: i}]", "/(?=a)/", id="in keys, with what RE2 does not take"),
    ],
)
def test_a_pattern_that_cannot_be_run_is_refused(clawgit, room, written: str, reason: str) -> None:
    before = room.read("CONFIG.md"), room.head()

    said = clawgit("config", "set", "heartbeat_custom_patterns", written)

    assert said.code == 4
    assert "heartbeat_custom_patterns" in said.err
    assert reason in said.err
    assert (room.read("CONFIG.md"), room.head()) == before


def test_patterns_that_can_be_run_are_set(clawgit) -> None:
    assert clawgit("config", "set", "heartbeat_custom_patterns", "[/invoice/i -> accounting]").code == 0


def test_a_wrong_value_or_key_is_refused(clawgit, room) -> None:
    before = room.read("CONFIG.md")

    assert clawgit("config", "set", "search_max_results", "many").code == 4
    told = clawgit("config", "set", "edit_here", "mine")
    assert (
        told.code,
        "is not a setting of clawgit; did you mean edits_here? `clawgit config show --all`" in told.err,
    ) == (4, True)
    assert clawgit("config", "show", "no_such_key").code == 4
    assert room.read("CONFIG.md") == before


def test_the_settings_in_force_survive_a_lost_cache(clawgit, room) -> None:
    clawgit("config", "set", "soul_policy", "review")
    (room.root / ".git/clawgit/config-history.json").write_text("{broken")

    assert clawgit("config", "show", "soul_policy", "--json").data["value"] == "review"


def test_removing_the_line_does_not_undo_the_operators_value(clawgit, room) -> None:
    clawgit("config", "set", "soul_policy", "locked")
    room.write("CONFIG.md", "nothing here any more\n")
    room.keep()

    assert clawgit("config", "show", "soul_policy", "--json").data["value"] == "locked"


def test_json_is_the_only_thing_on_stdout(room, capfd) -> None:
    run(["-w", str(room.root), "config", "show", "--json"], {})

    assert isinstance(json.loads(capfd.readouterr().out), list)


@pytest.mark.rest
def test_a_merge_puts_no_value_in_force_that_it_only_brings_along(clawgit, room) -> None:
    clawgit("config", "set", "soul_policy", "locked")
    room.git("checkout", "-qb", "side")
    clawgit("config", "set", "soul_policy", "evolve", actor="host")
    room.git("checkout", "-q", "main")
    room.append("memory/a.md", "x")
    room.git("merge", "-q", "--no-edit", "side")

    shown = clawgit("config", "show", "soul_policy", "--json").data

    assert (shown["value"], shown["waiting"]) == ("locked", "evolve")


def test_asking_for_a_value_that_waits_puts_it_in_force(clawgit) -> None:
    clawgit("config", "set", "soul_policy", "locked", actor="host")

    clawgit("config", "set", "soul_policy", "locked")

    assert clawgit("config", "show", "soul_policy", "--json").data["value"] == "locked"


def test_a_repeated_op_is_not_told_as_set(clawgit) -> None:
    clawgit("memory", "add", "x", "--op", "z1")

    said = clawgit("config", "set", "mode", "enhanced", "--op", "z1")

    assert "nothing was set" in said.err
    assert clawgit("config", "show", "mode", "--json").data["value"] == "core"


BLINDING = {
    "search_min_score": 1,
    "search_max_results": 1,
    "search_max_tokens": 1,
    "correction_archive_days": 1,
    "compaction_age_days": 1,
    "memory_retention_hours": 1,
    "corrected_embedding_grace_days": 0,
    "confidence_decay_interval_days": 1,
    "confidence_decay_amount": 1,
    "correction_relevance_boost": 1,
    "temporal_decay_enabled": True,
    "temporal_decay_half_life_days": 1,
    "soul_history_retention_days": 1,
    "receipt_retention_days": 1,
    "vector_stale_days": 1,
    "vector_flag_grace_days": 0,
    "max_lateness_hours": 1,
    "session_reset": "never",
    "flush_enabled": False,
    "flush_reserve_tokens": 1,
    "token_factor": 10,
    "approvals": "present",
    **{name: "23:59" for name in SETTINGS if name.startswith("cron_")},
}


@pytest.mark.rest
@pytest.mark.parametrize("actor", ["host", "unknown"])
def test_an_edit_that_would_blind_the_memory_waits_for_the_operator(clawgit, room, actor: str) -> None:
    """Mutant: a number or a time is not guarded."""
    lines = "\n".join(f"{name}: {json.dumps(value)}" for name, value in BLINDING.items())
    room.write("CONFIG.md", f"```yaml\n{lines}\n```\n")
    room.keep(actor)

    said = clawgit("status", "--json").data

    assert sorted(said["settings_waiting"]) == sorted(BLINDING)
    shown = {name: clawgit("config", "show", name, "--json").data["value"] for name in BLINDING}
    assert shown == {name: DEFAULTS[name] for name in BLINDING}
    clawgit("approve", "search_min_score")
    assert clawgit("config", "show", "search_min_score", "--json").data["value"] == 1
