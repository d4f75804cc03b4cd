from __future__ import annotations

from datetime import date, timedelta

import pytest

from clawgit.memory.entry_states import (
    CORRECTED,
    INFERRED,
    OPERATOR_SAID,
    ConfidencePolicy,
    confidence_steps,
)

DAY = date(2026, 1, 1)
POLICY = ConfidencePolicy()


def confidence(base: int, mentions: list[int], on: int) -> int:
    days = [DAY + timedelta(days=day) for day in mentions]
    return confidence_steps(base, DAY, days, DAY + timedelta(days=on), POLICY)[-1].confidence


@pytest.mark.parametrize(
    ("base", "mentions", "on", "left"),
    [
        pytest.param(OPERATOR_SAID, [], 0, 95, id="the operator said it"),
        pytest.param(INFERRED, [], 0, 60, id="inferred"),
        pytest.param(INFERRED, [], 29, 60, id="not yet one interval"),
        pytest.param(INFERRED, [], 31, 55, id="one interval"),
        pytest.param(INFERRED, [], 120, 40, id="four intervals"),
        pytest.param(INFERRED, [], 180, 30, id="lands on the prune line, not below"),
        pytest.param(INFERRED, [], 209, 30, id="still on it"),
        pytest.param(INFERRED, [], 210, 25, id="below it"),
        pytest.param(INFERRED, [], 3650, 20, id="never under the floor"),
        pytest.param(INFERRED, [], 30, 55, id="on the day"),
        pytest.param(INFERRED, [], 60, 50, id="two intervals"),
        pytest.param(INFERRED, [], 240, 20, id="eight intervals"),
        pytest.param(OPERATOR_SAID, [], 29, 95, id="the operator's, not yet"),
        pytest.param(OPERATOR_SAID, [], 30, 90, id="the operator's, on the day"),
        pytest.param(OPERATOR_SAID, [], 60, 85, id="the operator's, twice"),
        pytest.param(OPERATOR_SAID, [], 390, 30, id="thirteen intervals"),
        pytest.param(OPERATOR_SAID, [], 419, 30, id="a day before the fourteenth"),
        pytest.param(OPERATOR_SAID, [], 420, 25, id="the fourteenth"),
        pytest.param(OPERATOR_SAID, [], 449, 25, id="a day before the floor"),
        pytest.param(OPERATOR_SAID, [], 450, 20, id="to the floor"),
        pytest.param(OPERATOR_SAID, [], 480, 20, id="never under the floor either"),
        pytest.param(CORRECTED, [], 365, 100, id="a correction after a year"),
        pytest.param(CORRECTED, [], 3650, 100, id="corrections keep 100"),
        pytest.param(INFERRED, [1], 1, 65, id="one mention"),
        pytest.param(INFERRED, [1, 2], 2, 70, id="two mentions"),
        pytest.param(INFERRED, list(range(1, 20)), 19, 100, id="capped"),
        pytest.param(OPERATOR_SAID, [1, 2], 2, 100, id="capped from above"),
        pytest.param(INFERRED, [10], 39, 65, id="the days start again at the mention"),
        pytest.param(INFERRED, [10], 40, 60, id="thirty days after the mention"),
        pytest.param(INFERRED, [90], 90, 50, id="decay first, then the mention"),
        pytest.param(INFERRED, [3650], 3650, 25, id="from the floor upwards"),
        pytest.param(INFERRED, [], -5, 60, id="a clock that went back"),
        pytest.param(INFERRED, [50], 40, 55, id="a mention of tomorrow does not count yet"),
    ],
)
def test_confidence(base: int, mentions: list[int], on: int, left: int) -> None:
    assert confidence(base, mentions, on) == left


def test_the_steps_tell_the_story() -> None:
    steps = confidence_steps(INFERRED, DAY, [DAY + timedelta(days=90)], DAY + timedelta(days=150), POLICY)

    assert [(step.what, step.confidence) for step in steps] == [
        ("introduced", 60),
        ("mentioned", 50),
        ("not mentioned since", 40),
    ]
