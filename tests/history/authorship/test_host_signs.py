"""Whom the environment names as the actor."""

from __future__ import annotations

import pytest

from clawgit.history.authorship.host_signs import HOST_SIGNS, acting


@pytest.mark.parametrize("sign", HOST_SIGNS)
@pytest.mark.parametrize(
    ("named", "has_terminal", "actor"),
    [
        pytest.param({}, True, "host", id="a host's shell"),
        pytest.param({"CLAWGIT_ACTOR": "operator"}, False, "host", id="said without a terminal"),
        pytest.param({"CLAWGIT_ACTOR": "operator"}, True, "operator", id="said at a terminal"),
        pytest.param({"CLAWGIT_ACTOR": "host"}, True, "host", id="the host"),
        pytest.param({"CLAWGIT_ACTOR": "unknown"}, True, "unknown", id="somebody unknown"),
        pytest.param({"CLAWGIT_ACTOR": "memory-miner"}, True, "host", id="an agent's name"),
        pytest.param({"CLAWGIT_ACTOR": "runner"}, True, "host", id="the runner's name"),
        pytest.param({"CLAWGIT_ACTOR": ""}, True, "", id="nobody"),
    ],
)
def test_a_hosts_sign_makes_nobody_the_operator(sign, named, has_terminal, actor) -> None:
    assert acting({sign: "1", **named}, lambda: has_terminal) == actor


@pytest.mark.parametrize(
    ("environment", "actor"),
    [
        pytest.param({}, "operator", id="nothing"),
        pytest.param({"OPENCLAW_SHELL": ""}, "operator", id="an empty sign"),
        pytest.param({"CLAWGIT_ACTOR": "host"}, "host", id="named"),
        pytest.param({"CLAWGIT_ACTOR": "memory-miner"}, "memory-miner", id="a job"),
    ],
)
def test_without_a_sign_the_name_counts(environment, actor) -> None:
    assert acting(environment, lambda: False) == actor
