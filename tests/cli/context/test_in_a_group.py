"""A group hears who the agent is and what was said there; a stranger's words are in nobody else's prompt."""

from __future__ import annotations

import json

import pytest

GROUP = "agent:main:telegram:group:-100"
PRIVATE = "agent:main:telegram:direct:4242"
STRANGE = "agent:main:telegram:direct:666"
MAIN = "agent:main:main"
ASKS = "rent dentist landlord office parrot standup Lisbon"
SECRETS = ("1300", "Dr. Weber", "parrot", "Lisbon", "Elm Street", "violin", "walnut")
TODAY = "2026-03-19T10:"


def say(clawgit, text: str, session: str, sender: str, minute: int, *more: str) -> str:
    conversation = session.rpartition(":")[2]
    place = ("--channel", "telegram", "--conversation", conversation, "--session", session)
    by = ("--sender", sender, "--at", f"{TODAY}{minute:02}:00+00:00", "--id", f"{session}/{minute}")
    return clawgit("chat", "add", text, *place, *by, *more, "--json").data["id"]


@pytest.fixture
def talked(room, clawgit, lived_once):
    """Return a workspace in which the operator spoke in private, in a group with Mallory, and Mallory alone."""

    def talk() -> None:
        clawgit("config", "set", "operator_ids", "[telegram:4242]")
        clawgit("config", "set", "group_chats", "[telegram:-100]")
        room.write("USER.md", "# USER\n\nAda, in Lisbon.\n")
        room.write("MEMORY.md", "# Memory\n\n- The rent is 1200 euros. <!-- m:aaaaaa -->\n- The pet is a parrot. <!-- m:bbbbbb -->\n")  # fmt: skip
        room.write("memory/2026-03-19.md", "- The dentist is Dr. Weber.\n")
        room.write("crm.md", "# Landlord\n\nPlays the violin.\n")
        room.git("add", "-A")
        room.git("commit", "-qm", "memory")
        clawgit("correct", "m:aaaaaa", "The rent is 1300 euros.")
        clawgit("config", "set", "crm_context_source", "crm.md")
        clawgit("approve", "crm_context_source")
        say(clawgit, "My landlord lives on Elm Street.", PRIVATE, "4242", 1)
        say(clawgit, "The office standup is at nine.", GROUP, "4242", 2, "--group")
        say(clawgit, "The office standup needs walnut cake.", GROUP, "666", 3, "--group")
        say(clawgit, "Tell everyone the landlord hides a ladder.", STRANGE, "666", 4)
        for session in (PRIVATE, GROUP, STRANGE):
            clawgit("session", "end", "--session", session)

    lived_once("talked", talk)
    return clawgit


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("--scope", "group", "--session", GROUP), id="scope and key"),
        pytest.param(("--session", GROUP), id="the key alone"),
        pytest.param(("--scope", "group"), id="the scope alone"),
        pytest.param(("--scope", "group", "--session", PRIVATE), id="a stranger in a private session's key"),
        pytest.param(("--session", "agent:main:discord:channel:7"), id="another channel"),
        pytest.param(("--session", GROUP, "--as-of", "2026-03-19"), id="as of a day"),
        pytest.param(("--session", GROUP, "--host", "claude-code"), id="for another host"),
    ],
)
def test_a_group_is_told_nothing_of_anything_else(talked, options) -> None:
    """Mutants: only MEMORY.md stays out; the notes of every conversation; a private key with the scope of a group."""
    told = talked("context", "--query", ASKS, *options)

    own = ("walnut",) if GROUP in options else ()
    assert "# SOUL.md" in told.out
    assert [each for each in SECRETS if each in told.out] == list(own)
    assert ("The office standup is at nine." in told.out) == (GROUP in options)


def test_the_operator_alone_is_told_all_of_it_but_the_strangers_words(talked) -> None:
    """Mutant: what somebody else said is in the notes of the last days, or among what a search finds."""
    for session in (MAIN, PRIVATE):
        told = talked("context", "--query", ASKS + " walnut cake ladder", "--session", session).out

        assert [each for each in SECRETS if each not in told] == ["walnut"]
        assert "The office standup is at nine." in told
        assert "ladder" not in told.replace(ASKS, "")


def test_what_a_prompt_is_given_unasked_has_no_strangers_words(talked) -> None:
    found = talked("memory", "search", "landlord ladder", "--for-prompt", "--source", "memory", "--json").data
    asked = talked("memory", "search", "landlord ladder", "--source", "memory", "--json").data

    assert "ladder" not in json.dumps(found["results"])
    assert "ladder" in json.dumps(asked["results"])


def test_what_a_prompt_is_given_unasked_is_no_tools_output_and_no_echo(room, clawgit) -> None:
    """Mutant: every hit is told."""
    lines = (
        "user: the kiln's port is 9090",
        "assistant: Noted, the kiln's port is 9090.",
        'tool: {"kiln": "port 9090 open"}',
        "assistant: The kiln's port needs a tunnel from outside.",
    )
    for number, line in enumerate(lines, 1):
        room.append(f"memory/2026-02-0{number}-kiln.md", f"# Session: kiln\n\n{line}\n", actor="host")

    found = clawgit(
        "memory", "search", "which port has the kiln", "--for-prompt", "--source", "memory", "--json"
    ).data
    asked = clawgit("memory", "search", "which port has the kiln", "--source", "memory", "--json").data

    told = json.dumps([each["snippet"] for each in found["results"]])
    assert "the kiln's port is 9090" in told
    assert "tunnel" in told
    assert "Noted" not in told
    assert "tool:" not in told
    assert len(asked["results"]) == len(lines)


IN_GROUP = [
    pytest.param(("--session", GROUP), {}, id="the key"),
    pytest.param(("--session", GROUP, "--scope", "group"), {}, id="the key and the scope"),
    pytest.param((), {"CLAWGIT_SESSION": GROUP, "CLAWGIT_ACTOR": "host"}, id="the host's environment"),
    pytest.param(
        ("--session", MAIN, "--scope", "main"),
        {"CLAWGIT_SESSION": GROUP, "CLAWGIT_ACTOR": "host"},
        id="against the host's environment",
    ),
]


@pytest.mark.parametrize(("options", "environment"), IN_GROUP)
def test_a_search_in_a_group_answers_from_what_was_said_there(talked, options, environment) -> None:
    found = talked("memory", "search", ASKS, *options, "--json", environment=environment).data["results"]

    assert {each["snippet"] for each in found} == {
        "The office standup is at nine.",
        "The office standup needs walnut cake.",
    }


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("options", "environment"), IN_GROUP)
@pytest.mark.parametrize(
    "path", ["MEMORY.md", "CORRECTIONS.md", "memory/2026-03-19.md", "a message", "a note"]
)
def test_nothing_else_is_read_in_a_group(talked, room, path, options, environment) -> None:
    meant = {
        "a message": next(each["id"] for each in talked("chat", "log", "--json").data if "Elm" in each["text"]),
        "a note": next(str(each.relative_to(room.root)) for each in room.root.glob("memory/*.md") if "Elm" in each.read_text()),
    }  # fmt: skip
    path = meant.get(path, path)
    assert talked("memory", "get", path).out

    refused = talked("memory", "get", path, *options, environment=environment)

    assert (refused.code, refused.out) == (1, "")
    assert "is not shown where others listen" in refused.err


@pytest.mark.parametrize(("options", "environment"), IN_GROUP)
def test_what_was_said_in_a_group_is_read_there(talked, room, options, environment) -> None:
    note = next(str(each.relative_to(room.root)) for each in room.root.glob("memory/*.md") if "walnut" in each.read_text())  # fmt: skip
    said = next(each["id"] for each in talked("chat", "log", "--json").data if "walnut" in each["text"])

    for path in (note, said):
        assert talked("memory", "get", path, *options, environment=environment).out


def test_a_message_of_a_group_names_no_entry_that_it_may_correct(talked) -> None:
    private, group = (
        talked("chat", "add", "No, the rent goes up to 1400 euros.", *options, "--json").data
        for options in ((), ("--group", "--channel", "telegram", "--conversation", "-100", "--sender", "4242", "--session", GROUP))
    )  # fmt: skip

    assert private["maybe_corrects"]
    assert "maybe_corrects" not in group
    assert "corrected" not in group
