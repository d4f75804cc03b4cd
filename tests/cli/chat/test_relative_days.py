"""A day that is meant from the day when it was said is shown with that day, also after a correction."""

from __future__ import annotations

import pytest

DAY, NEXT = "2026-04-01T10:00:00+00:00", "2026-04-02T08:00:00+00:00"


@pytest.mark.parametrize(
    ("order", "correction", "line"),
    [
        pytest.param(
            "remember: the plumber comes tomorrow at 9",
            "the plumber comes at 11, not 9",
            "2026-04-01: The plumber comes tomorrow at",
            id="English",
        ),
        pytest.param(
            "merk dir: der Gärtner kommt morgen um 9",
            "der Gärtner kommt um 11, nicht um 9",
            "2026-04-01: Der Gärtner kommt morgen um",
            id="German",
        ),
    ],
)
def test_tomorrow_is_shown_with_the_day_on_which_it_was_said(
    clawgit, order: str, correction: str, line: str
) -> None:
    """Seen: prompt and search gave it the correction's day, or none; status and digest none. Mutants: each of the screens."""

    def at(now: str, *words: str) -> str:
        return clawgit("--rehearse", "--now", now, *words).out

    at(DAY, "chat", "add", order)
    for screen in ("status", "digest"):
        assert f"{line} 9" in at(NEXT, screen)
    at(NEXT, "chat", "add", correction)

    assert f"{line} 11 (corrected on 2026-04-02)" in at(NEXT, "context")
    assert f"> {line} 11" in at(NEXT, "search", line.split()[2])
    for screen in ("status", "digest"):
        assert f"{line}: 9 → 11" in at(NEXT, screen).replace("tomorrow:", "tomorrow at:")


def test_a_day_that_came_with_a_correction_is_of_the_corrections_day(clawgit) -> None:
    def at(now: str, *words: str) -> str:
        return clawgit("--rehearse", "--now", now, *words).out

    at(DAY, "chat", "add", "remember: the plumber comes next Friday at 9")
    at(NEXT, "correct", "The plumber comes next Friday at 9", "The plumber comes tomorrow at 9")

    assert "- 2026-04-02: The plumber comes tomorrow at 9" in at(NEXT, "context")
