"""What a host may change in the soul, under each policy."""

from __future__ import annotations

import pytest

from clawgit.identity.soul_policy import SoulPolicy, Verdict, judge_host_edit

OLD = b"- Never lie.\n"
ADDED = b"- Never lie.\n- Be brief.\n"
REWORDED = b"- Lie now and then.\n"


@pytest.mark.parametrize(
    ("policy", "old", "new", "verdict"),
    [
        pytest.param(SoulPolicy.EVOLVE, OLD, OLD, Verdict(OLD, False, False), id="evolve, no edit"),
        pytest.param(SoulPolicy.EVOLVE, OLD, ADDED, Verdict(ADDED, False, False), id="evolve, addition"),
        pytest.param(SoulPolicy.EVOLVE, OLD, REWORDED, Verdict(OLD, True, True), id="evolve, rewording"),
        pytest.param(
            SoulPolicy.EVOLVE,
            ADDED,
            b"- Lie.\n- Be brief.\n- Ask.\n",
            Verdict(ADDED + b"- Ask.\n", True, True),
            id="evolve, both",
        ),
        pytest.param(SoulPolicy.EVOLVE, None, OLD, Verdict(OLD, False, False), id="evolve, new file"),
        pytest.param(SoulPolicy.EVOLVE, OLD, None, Verdict(OLD, True, True), id="evolve, deletion"),
        pytest.param(SoulPolicy.REVIEW, OLD, OLD, Verdict(OLD, False, False), id="review, no edit"),
        pytest.param(SoulPolicy.REVIEW, OLD, ADDED, Verdict(OLD, True, True), id="review, addition"),
        pytest.param(SoulPolicy.REVIEW, None, OLD, Verdict(None, True, True), id="review, new file"),
        pytest.param(SoulPolicy.LOCKED, OLD, OLD, Verdict(OLD, False, False), id="locked, no edit"),
        pytest.param(SoulPolicy.LOCKED, OLD, ADDED, Verdict(OLD, False, True), id="locked, addition"),
        pytest.param(SoulPolicy.LOCKED, OLD, None, Verdict(OLD, False, True), id="locked, deletion"),
        pytest.param(SoulPolicy.LOCKED, None, None, Verdict(None, False, False), id="locked, no file"),
    ],
)
def test_judge_host_edit(policy: SoulPolicy, old: bytes | None, new: bytes | None, verdict: Verdict) -> None:
    assert judge_host_edit(policy, old, new) == verdict
