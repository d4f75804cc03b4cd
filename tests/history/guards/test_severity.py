"""Mutants seen to fail here: an override counts for anybody; it counts for every rule."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clawgit.history import guards
from clawgit.history.authorship.actors import ACTORS
from clawgit.history.guards.finding import RULES, Severity, severity_of

GUARDS = Path(guards.__file__).parent
MARKERS = "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n"


def test_every_rule_that_a_guard_names_is_in_the_table() -> None:
    named = {
        rule
        for path in GUARDS.glob("*.py")
        for line in path.read_text().splitlines()
        if "=" in line or "Finding(" in line or line.strip().startswith('"')
        for rule in re.findall(r'"([a-z]+(?:-[a-z]+)*)"', line)
    }
    assert set(RULES) <= named
    assert all(severity_of(rule, actor) in Severity for rule in RULES for actor in ACTORS)


@pytest.mark.parametrize("rule", RULES)
def test_an_agent_is_never_let_through_with_a_remark_alone(rule: str) -> None:
    allowed = {"settings-waiting"}
    assert severity_of(rule, "organizer").stops or rule in allowed


@pytest.mark.parametrize("rule", [name for name, rule in RULES.items() if rule.can_override])
def test_what_can_be_overridden_stops_the_operator_first(rule: str) -> None:
    assert severity_of(rule, "operator").stops


def test_the_operator_overrides_one_rule_with_a_reason(look) -> None:
    def severities(**intent: str) -> dict[str, Severity]:
        found = look(
            {}, {"a.md": MARKERS + "password: tiger777\n"}, intent.pop("actor", "operator"), **intent
        )
        return {finding.rule: finding.severity for finding in found}

    stopped = {"conflict-marker": Severity.REFUSE, "secret": Severity.REFUSE}
    assert severities() == stopped
    assert severities(override="conflict-marker: A quotation.") == stopped | {
        "conflict-marker": Severity.REMARK
    }
    assert severities(override="conflict-marker, secret: Both.") == dict.fromkeys(stopped, Severity.REMARK)
    assert severities(override="conflict-marker: ") == stopped
    by_agent = severities(override="conflict-marker: Mine.", actor="organizer")
    assert by_agent == stopped | {"authority": Severity.REFUSE}
