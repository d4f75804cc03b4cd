"""Secrets gained by a text, a name or a message.

Mutants seen to fail here: only the added lines are read; secrets that were there before count; a moved one
counts; anybody's `allow` counts; an `allow` without a reason counts; the value stands in a finding.
"""

from __future__ import annotations

import pytest

from clawgit.plan import Evidence, Plan
from clawgit.workspace.settings.settings import Settings

TOKEN = "ghp_" + "a1B2" * 9
PASSWORD = "tiger777"


def told(findings) -> list[tuple[str, str, int | None]]:
    return [(finding.rule, finding.path, finding.line) for finding in findings]


@pytest.mark.parametrize("actor", ["organizer", "host", "unknown", "operator"])
def test_a_secret_in_a_text_is_found_at_its_line_and_not_told(look, actor: str) -> None:
    found = look({}, {"memory/a.md": f"# A\n\n- The token is {TOKEN}.\n"}, actor)

    assert told(found) == [("secret", "memory/a.md", 3)]
    assert found[0].severity.stops
    assert TOKEN not in repr(found)
    assert PASSWORD not in repr(look({}, {"memory/a.md": f"- password: {PASSWORD}\n"}, actor))


def test_a_secret_that_comes_in_two_halves_is_found_with_the_second(look) -> None:
    before = {"memory/a.md": f"- {TOKEN[:20]}"}

    assert look({}, before) == []
    assert told(look(before, {"memory/a.md": f"- {TOKEN}\n"})) == [("secret", "memory/a.md", 1)]


def test_only_what_is_gained_counts(look) -> None:
    before = {"memory/a.md": f"- {TOKEN}\n", "notes.md": "one\n"}

    assert look(before, {"memory/a.md": f"- {TOKEN}\n- another line\n"}) == []
    assert look(before, {"memory/a.md": None, "memory/b.md": f"- {TOKEN}\n"}, "operator") == []
    assert told(look(before, {"notes.md": f"- {TOKEN}\n"})) == [("secret", "notes.md", 1)]


def test_other_files_and_encodings_are_read_too(look) -> None:
    assert told(look({}, {".env": f"DB_PASSWORD={PASSWORD}\n"})) == [("secret", ".env", 1)]
    assert told(look({}, {"a.bin": f"\0\0{TOKEN}\0".encode()})) == [("secret", "a.bin", 1)]
    assert told(look({}, {"a.txt": f"token {TOKEN}".encode("utf-16")})) == [("secret", "a.txt", 1)]


def test_a_secret_in_a_name_is_found_and_not_told(look) -> None:
    found = look({}, {f"memory/{TOKEN}.md": "- words\n", f"memory/password={PASSWORD}.md": "- words\n"})

    assert [finding.rule for finding in found] == ["secret", "secret"]
    assert [finding.path for finding in found] == [
        "memory/[redacted github-token].md",
        "memory/password=[redacted password].md",
    ]
    assert found[0].where == f"memory/{TOKEN}.md"
    assert TOKEN not in repr(found)
    assert PASSWORD not in repr(found)
    (found, _) = look({}, {f"memory/{TOKEN[:9]}\u200b{TOKEN[9:]}.md": "- words\n"})
    assert TOKEN[9:] not in repr(found)


@pytest.mark.parametrize(
    ("plan", "intent"),
    [
        pytest.param(Plan(f"the password: {PASSWORD}"), {}, id="summary"),
        pytest.param(Plan("x", reason=f"because {TOKEN}"), {}, id="reason"),
        pytest.param(Plan("x", trailers=(("Clawgit-Mention", f"m:a {TOKEN}"),)), {}, id="trailer"),
        pytest.param(Plan("x", evidence=(Evidence(TOKEN),)), {}, id="id of evidence"),
        pytest.param(Plan("x"), {"run": TOKEN}, id="run"),
        pytest.param(Plan("x"), {"losses": {"a.md": f"it had {TOKEN}"}}, id="loss"),
    ],
)
def test_a_secret_in_the_words_of_a_change_is_found(look, plan: Plan, intent: dict[str, str]) -> None:
    found = look({}, {"memory/a.md": "- words\n"}, plan=plan, **intent)

    assert told(found) == [("secret", "", None)]
    assert TOKEN not in repr(found)


def test_a_quote_of_evidence_is_no_finding_since_it_is_redacted(look) -> None:
    plan = Plan("x", evidence=(Evidence("msg:1", f"my password is {PASSWORD}"),))

    assert look({}, {"memory/a.md": "- words\n"}, plan=plan) == []


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- clawgit: allow a made-up key -->",
        "# clawgit: allow a made-up key",
        "// clawgit:allow a made-up key",
    ],
)
def test_a_line_with_a_reason_is_let_in_for_the_operator_alone(look, comment: str) -> None:
    text = {"memory/a.md": f"- {TOKEN} {comment}\r\n- words\r\n"}

    assert look.rules({}, text, "operator") == []
    assert look.rules({}, text, "host") == ["secret"]
    assert look.rules({}, text, "organizer") == ["secret"]


@pytest.mark.parametrize("comment", ["<!-- clawgit: allow -->", "# clawgit: allow", "clawgit: allow it", ""])
def test_without_a_reason_or_a_comment_it_is_not_let_in(look, comment: str) -> None:
    assert look.rules({}, {"memory/a.md": f"- {TOKEN} {comment}\n"}, "operator") == ["secret"]


def test_the_reason_stands_in_the_same_line(look) -> None:
    text = {"memory/a.md": f"- {TOKEN}\n- x <!-- clawgit: allow a made-up key -->\n"}

    assert look.rules({}, text, "operator") == ["secret"]


@pytest.mark.parametrize(
    ("items", "rules"),
    [
        (("github-token",), []),
        (("github-token:docs/*",), []),
        (("*:docs/*",), []),
        (("github-token:memory/*",), ["secret"]),
        (("password:docs/*",), ["secret"]),
        ((), ["secret"]),
    ],
)
def test_a_setting_lets_in_what_it_names(look, items: tuple[str, ...], rules: list[str]) -> None:
    settings = Settings(secrets_allowed=items)

    assert look.rules({}, {"docs/a.md": f"- {TOKEN}\n"}, "operator", settings=settings) == rules
    by_host = [rule for rule in rules if rule == "secret"]
    assert look.rules({}, {"docs/a.md": f"- {TOKEN}\n"}, "host", settings=settings) == by_host


@pytest.mark.rest
def test_what_is_let_in_does_not_fail_by_its_own_summary(clawgit, room) -> None:
    """Mutant: the message is looked at as if nothing was let in; it is redacted there all the same."""
    assert clawgit("config", "set", "secrets_allowed", '["*:memory/keys.md"]').code == 0

    added = clawgit("memory", "add", f"The token is {TOKEN}", "--to", "memory/keys.md", "--json")
    undone = clawgit("undo", added.data["entry"], "--reason", f"It was {TOKEN}.")
    elsewhere = clawgit("memory", "add", f"The token is {TOKEN}", "--to", "memory/house.md")

    assert (added.code, undone.code, elsewhere.code) == (0, 0, 1), (added.err, undone.err)
    assert TOKEN not in room.git("log", "--format=%B")


def test_a_file_of_nothing_but_secrets_says_so_ten_times(look) -> None:
    text = "".join(f"password: tiger{number}\n" for number in range(500, 900))

    assert len(look({}, {"a.md": text})) == 10
