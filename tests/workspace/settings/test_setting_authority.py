from __future__ import annotations

import pytest

from clawgit.workspace.settings.settings import (
    SETTINGS,
    ConfigVersion,
    SettingOrigin,
    Settings,
    Value,
    settings_in_force,
)

OPERATOR, HOST = True, False
History = list[tuple[str, bool, dict[str, Value]]]


def versions(oldest_first: History) -> list[ConfigVersion]:
    return [ConfigVersion(*entry) for entry in reversed(oldest_first)]


def test_without_any_history_everything_is_default() -> None:
    held = settings_in_force([])
    assert held.settings == Settings()
    assert held.waiting == {}
    assert set(held.origins) == set(SETTINGS)
    assert set(held.origins.values()) == {SettingOrigin("default")}


@pytest.mark.parametrize(
    ("history", "policy", "origin"),
    [
        pytest.param(
            [("a", OPERATOR, {"soul_policy": "locked"})],
            "locked",
            SettingOrigin("in force", "a"),
            id="the operator's word",
        ),
        pytest.param(
            [("a", HOST, {"soul_policy": "locked"})],
            "evolve",
            SettingOrigin("waiting", None),
            id="the host's waits",
        ),
        pytest.param(
            [("a", OPERATOR, {"soul_policy": "locked"}), ("b", HOST, {"soul_policy": "review"})],
            "locked",
            SettingOrigin("waiting", "a"),
            id="the earlier one stays",
        ),
        pytest.param(
            [("a", OPERATOR, {"soul_policy": "locked"}), ("b", HOST, {})],
            "locked",
            SettingOrigin("waiting", "a"),
            id="deleting the line does not bring the default back",
        ),
        pytest.param(
            [("a", OPERATOR, {"soul_policy": "locked"}), ("b", HOST, {"soul_policy": "evolve"})],
            "locked",
            SettingOrigin("waiting", "a"),
            id="nor does writing the default",
        ),
        pytest.param(
            [
                ("a", HOST, {"soul_policy": "review"}),
                ("b", OPERATOR, {"soul_policy": "review", "mode": "enhanced"}),
            ],
            "evolve",
            SettingOrigin("waiting", None),
            id="an operator's commit that left it alone legitimises nothing",
        ),
        pytest.param(
            [
                ("a", OPERATOR, {"soul_policy": "locked"}),
                ("b", HOST, {"soul_policy": "review"}),
                ("c", HOST, {"soul_policy": "locked"}),
            ],
            "locked",
            SettingOrigin("in force", "a"),
            id="the host going back to what holds anyway",
        ),
        pytest.param(
            [
                ("a", OPERATOR, {"soul_policy": "review"}),
                ("b", OPERATOR, {"soul_policy": "locked"}),
                ("c", HOST, {"soul_policy": "review"}),
            ],
            "locked",
            SettingOrigin("waiting", "b"),
            id="an old word of the operator's is not the host's to bring back",
        ),
        pytest.param(
            [("a", HOST, {"soul_policy": "review"}), ("b", HOST, {"soul_policy": "locked"})],
            "evolve",
            SettingOrigin("waiting", None),
            id="down to the default",
        ),
        pytest.param(
            [("a", HOST, {"soul_policy": "review"}), ("b", HOST, {"soul_policy": "evolve"})],
            "evolve",
            SettingOrigin("default"),
            id="back at the default without anyone's leave",
        ),
    ],
)
def test_a_guarded_value_counts_by_the_operators_word(
    history: History, policy: str, origin: SettingOrigin
) -> None:
    held = settings_in_force(versions(history))
    assert held.settings.soul_policy == policy
    assert held.origins["soul_policy"] == origin
    assert ("soul_policy" in held.waiting) == (origin.state == "waiting")


def test_trust_in_the_value_itself_is_enough() -> None:
    history = versions([("a", HOST, {"soul_policy": "review", "model_url": "https://x.org"})])
    held = settings_in_force(history, lambda key, value: (key, value) == ("soul_policy", "review"))
    assert held.settings.soul_policy == "review"
    assert held.waiting == {"model_url": "https://x.org"}


@pytest.mark.parametrize(
    ("trusted", "model"),
    [
        pytest.param("command bin/ask", "command bin/ask", id="the program"),
        pytest.param("", "", id="none, where its trust is gone"),
        pytest.param("command bin/old", "", id="nor a program that was there before"),
    ],
)
def test_what_the_operator_replaced_by_a_program_does_not_come_back(trusted: str, model: str) -> None:
    history = versions(
        [
            ("a", OPERATOR, {"model": "openai:far-away", "model_url": "https://x.org"}),
            ("b", OPERATOR, {"model": "command bin/old"}),
            ("c", OPERATOR, {"model": "command bin/ask"}),
            ("d", HOST, {"model": "openai:elsewhere"}),
        ]
    )
    held = settings_in_force(history, lambda _key, value: value == trusted)
    assert held.settings.model == model
    assert held.waiting["model"] == "openai:elsewhere"


def test_a_program_that_the_host_names_leaves_the_operators_value_in_force() -> None:
    history = versions([("a", OPERATOR, {"model": "ollama:here"}), ("b", HOST, {"model": "command bin/ask"})])
    assert settings_in_force(history).settings.model == "ollama:here"


def test_an_unguarded_value_is_simply_the_newest() -> None:
    held = settings_in_force(versions([("a", OPERATOR, {"mode": "core"}), ("b", HOST, {"mode": "enhanced"})]))
    assert held.settings.mode == "enhanced"
    assert held.origins["mode"] == SettingOrigin("in force", "b")
    assert held.waiting == {}


def test_a_command_needs_trust_even_from_the_operator() -> None:
    history = versions([("a", OPERATOR, {"recall_external_handler": "./h", "digest_channel": "off"})])
    held = settings_in_force(history)
    assert (held.settings.recall_external_handler, held.settings.digest_channel) == ("", "off")
    assert held.waiting == {"recall_external_handler": "./h"}
    assert settings_in_force(history, lambda *_: True).settings.recall_external_handler == "./h"


def test_the_last_good_value_stays_while_the_newest_is_unreadable() -> None:
    good = ConfigVersion("a", OPERATOR, {"soul_policy": "locked", "mode": "enhanced"})
    broken = ConfigVersion("b", HOST, {}, frozenset(SETTINGS))
    held = settings_in_force([broken, good])
    assert (held.settings.soul_policy, held.settings.mode) == ("locked", "enhanced")
    assert held.waiting == {}
    assert held.origins["mode"] == SettingOrigin("in force", "a")


def test_a_broken_key_keeps_its_value_and_lets_the_others_change() -> None:
    newest = ConfigVersion("b", HOST, {"timezone": "UTC"}, frozenset({"mode"}))
    held = settings_in_force([newest, ConfigVersion("a", HOST, {"mode": "enhanced"})])
    assert (held.settings.mode, held.settings.timezone) == ("enhanced", "UTC")
