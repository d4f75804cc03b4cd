"""Authority, settings and hidden characters.

Mutants seen to fail here: trust is believed; trailers of a plan are; problems that were there count; a waiting
value is refused; a hidden character counts wherever it was before.
"""

from __future__ import annotations

import pytest
from bad_input import BOMB

from clawgit.history.guards.finding import Severity
from clawgit.plan import Evidence, Plan

CONFIG = "CONFIG.md"
FINE = "```yaml\nsearch_max_results: 6\n```\n"


@pytest.mark.parametrize(
    ("actor", "plan", "intent", "rules"),
    [
        ("host", None, {"trust": "operator"}, ["authority"]),
        ("unknown", None, {"trust": "operator"}, ["authority"]),
        ("organizer", Plan("x"), {"trust": "operator"}, ["authority"]),
        ("organizer", Plan("x", evidence=(Evidence("msg:1"),)), {"trust": "operator"}, []),
        ("organizer", Plan("x"), {"trust": "external"}, []),
        ("organizer", None, {"override": "secret: Mine."}, ["authority"]),
        ("organizer", Plan("x", trailers=(("Clawgit-Claims", "1a2b"),)), {}, ["authority"]),
        ("organizer", Plan("x", trailers=(("Clawgit-Actor", "operator"),)), {}, ["authority"]),
        ("host", Plan("x", trailers=(("Clawgit-Disconnected", "codex"),)), {}, ["authority"]),
        ("host", Plan("x", trailers=(("Clawgit-Connected", "codex"),)), {}, ["authority"]),
        ("organizer", Plan("x", trailers=(("Clawgit-Mention", "m:a"),)), {}, []),
        ("operator", Plan("x", trailers=(("Clawgit-Claims", "1a2b"),)), {"trust": "host"}, []),
    ],
)
def test_nobody_gives_himself_what_is_the_operators(look, actor, plan, intent, rules) -> None:
    assert look.rules({}, {"memory/a.md": "- x\n"}, actor, plan=plan, **intent) == rules


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("```yaml\nsearch_max_results: lots\n```\n", 2),
        ("```yaml\nmode: &a core\n```\n", 2),
        ("# Settings\n\n```yaml\nmode: core\nmode: core\n```\n", 5),
    ],
)
def test_a_setting_that_cannot_be_read_is_named_by_its_line(look, text: str, line: int) -> None:
    answers = {"organizer": Severity.REFUSE, "host": Severity.REMARK, "operator": Severity.REMARK}
    for actor, answer in answers.items():
        (found,) = look({CONFIG: FINE}, {CONFIG: text}, actor)
        assert (found.rule, found.line, found.severity) == ("settings", line, answer)


def test_only_new_problems_count(look) -> None:
    before = {CONFIG: "```yaml\nsearch_max_results: lots\n```\n"}

    assert look(before, {CONFIG: "# Title\n\n" + before[CONFIG]}, "operator") == []


@pytest.mark.parametrize(
    ("actor", "text", "waits"),
    [
        ("host", "soul_policy: review", True),
        ("organizer", "soul_policy: review", True),
        ("operator", "soul_policy: review", False),
        ("operator", "recall_external_handler: /usr/bin/true", True),
        ("host", "timezone: UTC", False),
    ],
)
def test_a_value_that_needs_trust_is_said_to_wait_and_refused_to_nobody(look, actor, text, waits) -> None:
    found = look({CONFIG: "```yaml\n```\n"}, {CONFIG: f"```yaml\n{text}\n```\n"}, actor)

    assert [finding.rule for finding in found] == (["settings-waiting"] if waits else [])
    assert not any(finding.severity.stops for finding in found)


@pytest.mark.parametrize(
    ("actor", "severity"), [("organizer", "refuse"), ("host", "remark"), ("operator", "remark")]
)
def test_hidden_characters_are_found_where_they_are_new(look, actor: str, severity: str) -> None:
    before = {"memory/a.md": "- o\u200bld\n- plain\n"}

    (found,) = look(before, {"memory/a.md": "- o\u200bld\n- plain\n- ne\u202ew\n"}, actor)

    assert (found.rule, found.line, found.severity.value) == ("control-character", 3, severity)
    assert "U+202E" in found.sentence


def test_a_name_that_hides_something_is_found(look) -> None:
    assert look.rules({}, {"memory/in\u202evoice.md": "- x\n"}) == ["control-character"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(BOMB, 2, id="a bomb of aliases"),
        pytest.param("mode: !!python/object/apply:os.system ['touch owned']\n", 2, id="a tag that runs"),
        pytest.param("mode: " + "[" * 3000 + "\n", 2, id="depth"),
        pytest.param("search_max_results: 12:30\n", 2, id="a time that YAML takes for a number"),
    ],
)
def test_hostile_settings_are_named_by_their_line(look, text: str, line: int) -> None:
    """T10, in the commit path: an agent is refused, everybody else told; the last good value stays in force."""
    (found,) = look({CONFIG: FINE}, {CONFIG: f"```yaml\n{text}```\n"}, "host")

    assert (found.rule, found.line, found.severity) == ("settings", line, Severity.REMARK)
