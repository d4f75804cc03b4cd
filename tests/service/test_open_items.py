"""A host asks the operator at most ten things at once, through whatever door; equal ones are one."""

from __future__ import annotations

import pytest

HOST = {"OPENCLAW_SHELL": "exec"}
REASON = "He said so three times."
MEMORY = "".join(f"- The review of team {name} is on Wednesday. #event <!-- m:{name * 6} -->\n" for name in "abcdefghijklmn")  # fmt: skip


@pytest.fixture
def asked(room):
    """Return a workspace with entries that a host may want to change, and no message that says so."""
    room.change({"MEMORY.md": MEMORY}, actor="operator")
    return room


def by_command(number: int):
    return lambda clawgit, _service: clawgit("soul", "propose", f"I keep promise number {number}.", "--reason", REASON, environment=HOST)  # fmt: skip


def by_question(letter: str):
    words = (
        "correct",
        f"m:{letter * 6}",
        f"The review of team {letter} is on Monday.",
    )
    return lambda clawgit, _service: clawgit(*words, environment=HOST)


def waiting(clawgit) -> int:
    proposals = clawgit("pending", "--kind", "proposal", "--json").data
    return len(proposals) + len(clawgit("corrections", "--open", "--json").data)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "more",
    [
        pytest.param([by_command(number) for number in range(12)], id="proposals"),
        pytest.param([by_question(letter) for letter in "abcdefghijkl"], id="questions"),
        pytest.param(
            [each for pair in zip(map(by_command, range(6)), map(by_question, "abcdef"), strict=True) for each in pair],
            id="both in turn",
        ),
    ],
)  # fmt: skip
def test_a_host_asks_no_more_than_ten_things(asked, clawgit, more) -> None:
    """Mutants: proposals alone count; there is no limit."""
    done = [each(clawgit, None) for each in more]

    assert [each.code for each in done] == [0] * 10 + [1] * 2
    assert waiting(clawgit) == 10
    assert "10 proposals and questions of yours wait for the operator already" in done[-1].err


@pytest.mark.rest
def test_the_operator_is_not_held_back_and_his_answer_makes_room(asked, clawgit) -> None:
    for number in range(10):
        by_command(number)(clawgit, None)
    first = clawgit("pending", "--kind", "proposal", "--json").data[0]["id"]

    own = clawgit("soul", "propose", "I keep a diary.", "--reason", REASON)
    refused = by_command(11)(clawgit, None)
    clawgit("reject", first, "--reason", "No.")

    assert (own.code, refused.code, by_command(11)(clawgit, None).code) == (0, 1, 0)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("first", "again"),
    [
        (("soul", "propose", "I answer in short sentences.", "--reason", REASON), ("soul", "propose", "- I answer in short sentences", "--reason", "Again.")),
        (("soul", "propose", "I answer in short sentences.", "--reason", REASON), ("soul", "propose", "I ANSWER in short sentences!", "--reason", REASON)),
        (("correct", "m:aaaaaa", "The review is on Monday."), ("correct", "m:aaaaaa", "the review is on Monday")),
    ],
)  # fmt: skip
def test_what_is_equal_is_asked_once(asked, clawgit, first, again) -> None:
    clawgit(*first, environment=HOST)
    asked.append("SOUL.md", "- Be kind to animals.", actor="operator")

    clawgit(*again, environment=HOST)

    assert waiting(clawgit) == 1


@pytest.mark.rest
def test_the_service_counts_with_the_command_line(asked, clawgit, start_service) -> None:
    """Mutant: each door has ten of its own."""
    for number in range(8):
        by_command(number)(clawgit, None)
    client = start_service().client()

    said = [
        client.ask("propose", workspace="main", actor="host", text="I like tea.", reason=REASON),
        client.ask("correct", workspace="main", actor="host", old="m:aaaaaa", new="The review of team a is on Monday."),
        client.ask("propose", workspace="main", actor="host", text="I like coffee.", reason=REASON),
        client.ask("correct", workspace="main", actor="host", old="m:bbbbbb", new="The review of team b is on Monday."),
    ]  # fmt: skip

    assert ["error" in each for each in said] == [False, False, True, True]
    assert all("wait for the operator already" in each["error"]["message"] for each in said[2:])


@pytest.mark.rest
def test_a_hosts_edits_of_the_soul_do_not_fill_the_queue_and_none_is_lost(room, clawgit) -> None:
    """Mutants: each edit is one more proposal; what is one too many is gone."""
    clawgit("config", "set", "soul_policy", "review")
    soul = room.read("SOUL.md")
    told = ""
    for number in range(13):
        room.write("SOUL.md", f"{soul}\n- I follow rule {number}.\n")
        told = clawgit("keep", environment=HOST).err

    assert room.read("SOUL.md") == soul
    assert len(clawgit("pending", "--kind", "proposal", "--json").data) == 10
    assert "others of its author need the operator's answer first" in told
    refs = room.git("for-each-ref", "--format=%(refname)", "refs/clawgit").split()
    kept = "".join(
        room.git("show", f"{name}:SOUL.md") for name in refs if "/proposals/" in name or "/rescue/" in name
    )
    assert all(f"- I follow rule {number}." in kept for number in range(13))
