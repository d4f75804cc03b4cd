"""What the vectors of the compactor say of entries, corrections and copies of the soul."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest
from tests_folder import TESTS

from clawgit.agents.hygiene import DELETE, FLAG, IDLE_DAYS, KEEP, UNFLAG, WEAK, KeptVector, Weight, next_step
from clawgit.history.views import retained
from clawgit.workspace.settings.settings import Settings

VECTORS = json.loads((TESTS / "vectors" / "compactor.json").read_text("utf-8"))
TODAY = date.fromisoformat(VECTORS["now"][:10])
PARAMETERS = VECTORS["parameters"]


@pytest.mark.parametrize("case", VECTORS["memory_md_cases"], ids=lambda case: case["id"])
def test_entries_of_the_vectors(case: dict) -> None:
    """One that was never mentioned counts from the day on which it was written."""
    idle = case["days_since_mention"] if case["days_since_mention"] is not None else 1000
    weight = Weight(round(100 * case["confidence"]), idle, case["tag"] == "#correction")

    assert case["remove"] in (None, weight.is_weak)
    assert (round(100 * PARAMETERS["hygiene_confidence"]), PARAMETERS["hygiene_days"]) == (WEAK, IDLE_DAYS)


def test_what_the_operator_wrote_himself_never_goes() -> None:
    assert not Weight(20, 1000, by_hand=True).is_weak


def snapshots(case: dict) -> list[date]:
    if isinstance(case["snapshots"], str):
        return [TODAY - timedelta(days=back) for back in range(200)]
    return [date.fromisoformat(each) for each in case["snapshots"]]


@pytest.mark.parametrize("case", VECTORS["soul_history_cases"], ids=lambda case: case["id"])
def test_copies_of_the_soul_of_the_vectors(case: dict) -> None:
    """Of a month before, its last copy stays."""
    days = snapshots(case)

    kept = retained(
        days,
        date.fromisoformat(case.get("today", VECTORS["now"][:10])),
        PARAMETERS["soul_history_retention_days"],
    )

    expected = case["expect"]
    assert len(kept) == expected["total"]
    for month, number in expected.get("older_months", {}).items():
        assert sum(f"{day:%Y-%m}" == month for day in kept) >= number


ACTIONS = {KEEP, DELETE, UNFLAG, FLAG}


@pytest.mark.parametrize("case", VECTORS["embedding_cases"], ids=lambda case: case["id"])
def test_embeddings_of_the_vectors(case: dict) -> None:
    flagged = (TODAY - timedelta(days=400 if case.get("grace_over") else 1)) if case.get("flagged") else None
    days = case.get("corrected_days_ago")
    kept = KeptVector(
        last_seen=TODAY - timedelta(days=case.get("last_seen_days", 0)),
        mentions=case.get("mention_count", 1),
        corrected=None if days is None else TODAY - timedelta(days=days),
        flagged=flagged,
        is_correction=case.get("tag") == "#correction",
    )

    assert case["action"] in (None, next_step(kept, TODAY, Settings()))
    assert case["action"] in {None, *ACTIONS}
