"""The soul and the standing files, for those who are not the operator.

Mutants seen to fail here: any trust will do; any size of addition; a new file passes for an agent; an open soul
is judged; the budget counts shrinking; prompts pass.
"""

from __future__ import annotations

import pytest

from clawgit.history.guards.finding import Severity
from clawgit.plan import Evidence, Plan
from clawgit.workspace.settings.settings import Settings

SOUL = "# Soul\n\n- Be kind.\n- Be brief.\n"
ADDED = SOUL + "- Ask first.\n"
REWORDED = SOUL.replace("kind", "blunt")
PLAN = Plan("soul: a principle", evidence=(Evidence("msg:1", "ask first, will you"),))
SAID = {"trust": "operator", "plan": PLAN}


@pytest.mark.parametrize(
    ("after", "actor", "intent", "rules"),
    [
        pytest.param(ADDED, "soul-keeper", SAID, [], id="an agent's addition on the operator's words"),
        pytest.param(
            ADDED, "soul-keeper", {"trust": "host", "plan": PLAN}, ["soul-policy"], id="on a host's"
        ),
        pytest.param(
            ADDED, "soul-keeper", {"trust": "external", "plan": PLAN}, ["soul-policy"], id="on the world's"
        ),
        pytest.param(REWORDED, "soul-keeper", SAID, ["soul-policy"], id="an agent's rewording"),
        pytest.param(SOUL[:-12], "soul-keeper", SAID, ["soul-policy"], id="an agent's removal"),
        pytest.param(
            SOUL + "- And another thing.\n" * 30, "soul-keeper", SAID, ["soul-policy"], id="a large addition"
        ),
        pytest.param(ADDED, "host", {}, [], id="a host's addition"),
        pytest.param(ADDED, "host", {"trust": "external"}, ["soul-policy"], id="one from outside"),
        pytest.param(REWORDED, "host", {}, ["soul-policy"], id="a host's rewording"),
        pytest.param(REWORDED, "host", {"soul_is_open": True}, [], id="during the first conversation"),
        pytest.param(ADDED, "unknown", {}, [], id="an unknown addition"),
        pytest.param(REWORDED, "unknown", {}, ["soul-policy"], id="an unknown rewording"),
        pytest.param(REWORDED, "operator", {}, [], id="the operator's rewording"),
    ],
)
@pytest.mark.parametrize("path", ["SOUL.md", "USER.md"])
def test_evolve_lets_through_what_only_adds(look, path, after, actor, intent, rules) -> None:
    upkeep = actor == "host" and path == "USER.md" and "trust" not in intent
    assert look.rules({path: SOUL}, {path: after}, actor, **intent) == ([] if upkeep else rules)


@pytest.mark.parametrize(
    ("policy", "actor", "rules", "severity"),
    [
        ("review", "soul-keeper", ["soul-policy"], Severity.PROPOSE),
        ("review", "host", ["soul-policy"], Severity.PROPOSE),
        ("review", "unknown", ["soul-policy"], Severity.HOLD),
        ("review", "operator", [], None),
        ("locked", "soul-keeper", ["soul-locked"], Severity.REFUSE),
        ("locked", "host", ["soul-locked"], Severity.REFUSE),
        ("locked", "unknown", ["soul-locked"], Severity.HOLD),
        ("locked", "operator", ["soul-locked"], Severity.REFUSE),
    ],
)
def test_the_other_policies_stop_every_change(look, policy: str, actor: str, rules, severity) -> None:
    intent = SAID if actor == "soul-keeper" else {}
    found = look(
        {"SOUL.md": SOUL}, {"SOUL.md": ADDED}, actor, settings=Settings(soul_policy=policy), **intent
    )

    assert [finding.rule for finding in found] == rules
    assert {finding.severity for finding in found} == ({severity} if severity else set())


def test_the_operator_opens_a_locked_soul_with_a_reason(look) -> None:
    settings = Settings(soul_policy="locked")
    (found,) = look(
        {"SOUL.md": SOUL},
        {"SOUL.md": ADDED},
        "operator",
        settings=settings,
        override="soul-locked: It is time.",
    )

    assert found.severity is Severity.REMARK


LONG = "# Soul\n\n" + "".join(
    f"- Principle {word}.\n" for word in ["one", "two", "three", "four", "five", "six"]
)
CORRECTED = "- Never mail before noon."
NOON = frozenset({("never", "mail", "before", "noon")})


@pytest.mark.parametrize(
    ("before", "after", "corrected", "rules"),
    [
        pytest.param(LONG, None, NOON, ["soul-rewrite"], id="the file goes"),
        pytest.param(
            LONG, "# Soul\n\n- All is new.\n", NOON, ["soul-rewrite"], id="the whole text rewritten"
        ),
        pytest.param(
            f"{LONG}{CORRECTED}\n", LONG, NOON, ["soul-rewrite"], id="a correction's principle goes"
        ),
        pytest.param(f"{LONG}{CORRECTED}\n", LONG, frozenset(), ["soul-policy"], id="another principle goes"),
        pytest.param(
            f"{LONG}{CORRECTED}\n",
            f"{LONG}- Mail before noon.\n",
            NOON,
            ["soul-policy"],
            id="turned round by a newer one",
        ),
        pytest.param(
            f"{LONG}{CORRECTED}\n",
            f"{LONG}- Never mail before ten or noon.\n",
            NOON,
            ["soul-rewrite"],
            id="reworded",
        ),
    ],
)
def test_what_no_agent_may_even_propose(
    look, before: str, after: str | None, corrected, rules: list[str]
) -> None:
    """Mutants: rewrites are only proposed; a correction's principle is one like any other."""
    said = SAID | {"corrected": corrected}
    assert look.rules({"SOUL.md": before}, {"SOUL.md": after}, "soul-keeper", **said) == rules
    assert not {*look.rules({"SOUL.md": before}, {"SOUL.md": after}, "operator")} & {
        "soul-rewrite",
        "soul-policy",
    }


def test_a_new_soul_is_not_an_agents_to_write(look) -> None:
    text = "# Soul\n" + "- A principle of mine.\n" * 30

    assert look.rules({}, {"SOUL.md": text}, "soul-keeper", **SAID) == ["soul-policy"]
    assert look.rules({}, {"SOUL.md": text}, "host") == []


@pytest.mark.parametrize(
    ("before", "after", "actor", "expected"),
    [
        (50, 290, "soul-keeper", Severity.REFUSE),
        (50, 90, "soul-keeper", None),  # a principle or two: the operator decides
        (50, 90, "host", Severity.PROPOSE),
        (50, 90, "unknown", Severity.HOLD),
        (50, 90, "operator", Severity.REMARK),
        (90, 85, "operator", None),
        (50, 79, "operator", None),
    ],
)
def test_a_soul_grows_no_further_than_its_budget(look, before: int, after: int, actor: str, expected) -> None:
    settings = Settings(soul_max_tokens=80)
    texts = [{"SOUL.md": "- word\n" + "word" * (tokens - 2)} for tokens in (before, after)]
    found = {finding.rule: finding.severity for finding in look(*texts, actor, settings=settings)}

    assert found.get("soul-budget") is expected


def test_han_counts_in_the_budget_as_it_costs(look) -> None:
    settings = Settings(soul_max_tokens=80)

    assert look.rules({}, {"SOUL.md": "我" * 81}, "operator", settings=settings) == ["soul-budget"]
    assert look.rules({}, {"SOUL.md": "i" * 81}, "operator", settings=settings) == []


@pytest.mark.parametrize(
    ("actor", "rules"), [("organizer", ["agent-prompt"]), ("host", ["agent-prompt"]), ("operator", [])]
)
def test_only_the_operator_instructs_the_agents(look, actor: str, rules: list[str]) -> None:
    assert look.rules({}, {"agents/memory-miner/SOUL.md": "- Remember everything.\n"}, actor) == rules
