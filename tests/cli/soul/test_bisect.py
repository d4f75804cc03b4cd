from __future__ import annotations

from datetime import timedelta

import pytest


@pytest.fixture
def grown(room, lived_once):
    """Let the soul grow by twenty rules; the eighth goes again with the fifteenth."""

    def life() -> None:
        for number in range(20):
            room.now += timedelta(days=1)
            if number == 15:
                room.write("SOUL.md", room.read("SOUL.md").replace("- Rule 8 of twenty.\n", ""))
                room.keep("operator")
            else:
                room.append("SOUL.md", f"- Rule {number} of twenty.")

    return lived_once("grown", life)


def _commit_of(room, subject: str) -> str:
    return room.git("log", "--format=%H", "-n1", f"--grep={subject}").strip()


def test_the_change_that_brought_a_text_is_found_in_a_few_looks(clawgit, grown) -> None:
    data = clawgit("soul", "bisect", "--contains", "Rule 11 of twenty", "--json").data

    assert [each["commit"] for each in data["found"]] == [_commit_of(grown, "Rule 11")]
    assert data["looks"] <= 6 < data["changes"]
    assert (data["start"], data["end"]) == (False, True)


def test_what_came_and_went_is_told_in_both_turns(clawgit, grown) -> None:
    data = clawgit("soul", "bisect", "--lacks", "Rule 8 of twenty", "--json").data

    assert [each["holds"] for each in data["found"]] == [False, True]
    assert data["found"][0]["commit"] == _commit_of(grown, "Rule 8 ")


def test_since_cuts_off_what_was_before(clawgit, grown) -> None:
    start = _commit_of(grown, "Rule 10")

    data = clawgit("soul", "bisect", "--lacks", "Rule 8 of twenty", "--since", start, "--json").data

    assert [each["holds"] for each in data["found"]] == [True]


def test_a_search_is_asked_of_each_state(clawgit, room) -> None:
    clawgit("memory", "add", "The port of the gateway is 7010")
    room.now += timedelta(days=1)
    clawgit("memory", "add", "Lunch is at noon")
    room.now += timedelta(days=1)
    first = clawgit(
        "soul", "bisect", "--query", "which port has the gateway", "--expect", "7010", "--json"
    ).data

    assert "7010" in first["found"][0]["summary"]
    assert clawgit("soul", "bisect", "--query", "gateway", "--expect", "nowhere").out.startswith(
        "It is not found at both ends."
    )


def test_a_program_is_run_in_copies_of_the_files_and_all_turns_are_listed(clawgit, grown) -> None:
    said = clawgit("soul", "bisect", "--run", 'grep -q "Rule 8 of" SOUL.md', "--all")

    assert said.out.count("It passes since") == said.out.count("It fails since") == 1
    assert not grown.git("status", "--porcelain")


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("no-such-program-anywhere", "cannot be run"),
        ("sh -c 'exit 125'", "ended with 125"),
        ("'", "is no command"),
        ("", "needs a command"),
    ],
)
def test_a_program_without_an_answer_ends_it(clawgit, grown, program: str, said: str) -> None:
    assert said in clawgit("soul", "bisect", "--run", program).err


def test_a_host_runs_no_program(clawgit, grown) -> None:
    done = clawgit("soul", "bisect", "--run", "touch ran", environment={"CLAWGIT_ACTOR": "host"})

    assert done.code == 1


@pytest.mark.parametrize(
    "words",
    [[], ["--contains", "x", "--lacks", "x"], ["--query", "x"], ["--expect", "x"]],
)
def test_one_thing_is_asked(clawgit, grown, words: list[str]) -> None:
    assert clawgit("soul", "bisect", *words).code == 2


def test_another_file_can_be_asked(clawgit, room) -> None:
    clawgit("memory", "add", "The operator lives in Lisbon")

    out = clawgit("soul", "bisect", "--contains", "lisbon", "--file", "MEMORY.md").out

    assert "It holds the text since" in out


@pytest.mark.parametrize(
    "text",
    ["Ask (twice).", "a^b [c] {d} $e", "x\\y|z*", "Grüße"],
    ids=["dots", "marks", "backslash", "not ASCII"],
)
def test_a_text_that_came_and_went_is_found_whatever_is_in_it(clawgit, room, text: str) -> None:
    """Mutant: what looks like a pattern is read as one."""
    soul = room.read("SOUL.md")
    for number, line in enumerate(("one", text.upper(), "two", "three")):
        room.change({"SOUL.md": f"{soul}\n- {number} {line}\n"}, actor="operator")

    found = clawgit("soul", "bisect", "--contains", text, "--json").data

    assert [flip["holds"] for flip in found["found"]] == [True, False]
