"""What a host may change in the soul, under each policy."""

from __future__ import annotations

import pytest

from clawgit.identity.soul_policy import (
    Ban,
    SoulEdit,
    SoulPolicy,
    objection,
    part_that_stays,
)

OLD = b"- Never lie.\n"
ADDED = b"- Never lie.\n- Be brief.\n"
REWORDED = b"- Lie now and then.\n"


@pytest.mark.parametrize(
    ("policy", "old", "new", "stays"),
    [
        pytest.param(SoulPolicy.EVOLVE, OLD, OLD, OLD, id="evolve, no edit"),
        pytest.param(SoulPolicy.EVOLVE, OLD, ADDED, ADDED, id="evolve, addition"),
        pytest.param(SoulPolicy.EVOLVE, OLD, REWORDED, OLD, id="evolve, rewording"),
        pytest.param(
            SoulPolicy.EVOLVE,
            ADDED,
            b"- Lie.\n- Be brief.\n- Ask.\n",
            ADDED + b"- Ask.\n",
            id="evolve, both",
        ),
        pytest.param(SoulPolicy.EVOLVE, None, OLD, OLD, id="evolve, new file"),
        pytest.param(SoulPolicy.EVOLVE, OLD, None, OLD, id="evolve, deletion"),
        pytest.param(SoulPolicy.REVIEW, OLD, OLD, OLD, id="review, no edit"),
        pytest.param(SoulPolicy.REVIEW, OLD, ADDED, OLD, id="review, addition"),
        pytest.param(SoulPolicy.REVIEW, None, OLD, None, id="review, new file"),
        pytest.param(SoulPolicy.LOCKED, OLD, OLD, OLD, id="locked, no edit"),
        pytest.param(SoulPolicy.LOCKED, OLD, ADDED, OLD, id="locked, addition"),
        pytest.param(SoulPolicy.LOCKED, OLD, None, OLD, id="locked, deletion"),
        pytest.param(SoulPolicy.LOCKED, None, None, None, id="locked, no file"),
    ],
)
def test_part_that_stays(
    policy: SoulPolicy, old: bytes | None, new: bytes | None, stays: bytes | None
) -> None:
    assert part_that_stays(SoulEdit("host", "host", old, new), policy) == stays


SOUL = b"- Never lie.\n- Be kind.\n- Ask first.\n- Use metric units.\n- Greet people.\n"
LIE = frozenset({("never", "lie")})


@pytest.mark.parametrize(
    ("actor", "trust", "new", "why"),
    [
        pytest.param("operator", "operator", b"", None, id="the operator does anything"),
        pytest.param("soul-keeper", "operator", SOUL + b"- Rest.\n", None, id="an agent adds on his word"),
        pytest.param("soul-keeper", "host", SOUL + b"- Rest.\n", Ban.ASKS, id="on less"),
        pytest.param("soul-keeper", "operator", SOUL[13:], Ban.CORRECTED, id="takes out a correction's"),
        pytest.param(
            "soul-keeper", "operator", b"- Lie.\n" + SOUL[13:], Ban.ASKS, id="turns it round on his word"
        ),
        pytest.param("soul-keeper", "host", b"- Lie.\n" + SOUL[13:], Ban.CORRECTED, id="on another's"),
        pytest.param("soul-keeper", "operator", SOUL[:13], Ban.REWRITES, id="takes out four"),
        pytest.param("soul-keeper", "operator", None, Ban.REWRITES, id="the file"),
        pytest.param(
            "soul-keeper", "operator", SOUL.replace(b"kind", b"nice"), Ban.ASKS, id="rewords another"
        ),
        pytest.param("host", "host", SOUL + b"- Rest.\n", None, id="a host adds"),
        pytest.param("host", "external", SOUL + b"- Rest.\n", Ban.ASKS, id="what it read outside"),
        pytest.param("host", "host", SOUL[13:], Ban.ASKS, id="a host takes out"),
        pytest.param("unknown", "host", SOUL[13:], Ban.ASKS, id="somebody takes out"),
        pytest.param("runner", "operator", SOUL + b"- Lie.\n" * 9, None, id="the runner adds as they do"),
        pytest.param("runner", "operator", SOUL[13:], Ban.ASKS, id="and takes out no more"),
    ],
)
def test_who_may_touch_which_principle(actor: str, trust: str, new: bytes | None, why: Ban | None) -> None:
    """Mutants: each of the rules left out."""
    edit = SoulEdit(actor, trust, SOUL, new)

    found = objection(edit, SoulPolicy.EVOLVE, LIE)

    assert (found.why if found else None) is why
    locked = objection(edit, SoulPolicy.LOCKED, LIE)
    assert locked is not None
    assert locked.why is Ban.LOCKED
