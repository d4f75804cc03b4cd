"""Memory under `memory_policy`: who writes what, what waits for a yes, and that nothing written is lost.

Mutants seen to fail here: an edited file stays as it is; the same lines are asked about twice; a rejected edit comes
back; what is approved is stamped anew; the miner keeps a statement under *explicit*.
"""

from __future__ import annotations

import os

import pytest
from running_service import QUICK, until

from clawgit.history.git.refs import RESCUE
from clawgit.history.review.proposals import MOST_OF_MEMORY
from clawgit.workspace.user.connections import Connection, connections_folder, read_token, write_connection
from clawgit.workspace.user.user_file import user_config_dir

BEFORE = "# Memory\n\n- The office is in Basel. <!-- m:aaaaaa -->\n"
REX = "- The dog is called Rex.\n"


@pytest.fixture
def reviewed(room, clawgit):
    """Return a workspace with a line of memory, in which changes of memory wait."""
    room.write("MEMORY.md", BEFORE)
    room.keep("operator")
    clawgit("config", "set", "memory_policy", "review")
    return room


@pytest.fixture
def token(room, own_home) -> str:
    folder = connections_folder(user_config_dir(os.environ, own_home))
    write_connection(folder, Connection("claude-code", "claude-code", room.root))
    return read_token(folder, "claude-code") or ""


def pending(clawgit) -> list[dict[str, object]]:
    return clawgit("pending", "--json").data


def only(clawgit) -> str:
    (item,) = pending(clawgit)
    return str(item["id"])


@pytest.mark.rest
def test_what_an_agent_adds_by_mcp_waits_and_a_yes_writes_it(reviewed, clawgit, start_service, token) -> None:
    running = start_service()
    told = running.client().ask("memory.add", token=token, text="The wifi is called Harbour.")["result"]

    assert (told["outcome"], told["proposal"]) == ("proposed", only(clawgit))
    assert "Harbour" not in reviewed.read("memory/learned.md")
    clawgit("approve", only(clawgit))
    assert "The wifi is called Harbour." in reviewed.read("memory/learned.md")
    assert pending(clawgit) == []


@pytest.mark.rest
def test_an_edit_that_an_agent_made_in_its_turn_goes_back_and_waits(
    reviewed, clawgit, start_service, token
) -> None:
    running = start_service()
    reviewed.write("MEMORY.md", BEFORE + REX)
    reviewed.write("memory/pets.md", "# Pets\n\n" + REX)
    running.client().ask("turn.end", token=token)

    assert reviewed.read("MEMORY.md") == BEFORE
    assert not (reviewed.root / "memory/pets.md").exists()
    assert sorted(each["files"] for each in pending(clawgit)) == [["MEMORY.md"], ["memory/pets.md"]]
    for item in pending(clawgit):
        assert clawgit("approve", item["id"]).code == 0
    assert reviewed.read("MEMORY.md") == BEFORE + REX
    assert reviewed.read("memory/pets.md") == "# Pets\n\n" + REX


@pytest.mark.rest
def test_an_edit_that_the_service_finds_goes_back_and_waits(reviewed, clawgit, start_service) -> None:
    start_service(QUICK._replace(period=0.2, quiet=0.1))
    reviewed.write("MEMORY.md", BEFORE + REX)
    until(lambda: reviewed.read("MEMORY.md") == BEFORE)

    clawgit("approve", only(clawgit))
    assert reviewed.read("MEMORY.md") == BEFORE + REX


def test_a_no_leaves_the_file_as_it_was_and_the_same_edit_does_not_come_back(reviewed, clawgit) -> None:
    reviewed.write("MEMORY.md", BEFORE.replace("Basel", "Bern"))
    clawgit("keep", actor="host")
    name = only(clawgit)
    clawgit("reject", name, "--reason", "It is in Basel.")
    reviewed.write("MEMORY.md", BEFORE.replace("Basel", "Bern"))
    said = clawgit("keep", actor="host")

    assert "It is in Basel." in said.err
    assert pending(clawgit) == []
    assert reviewed.read("MEMORY.md") == BEFORE
    assert "Bern" in reviewed.git("show", f"refs/clawgit/rejected/{name}:MEMORY.md")


def test_what_is_approved_is_what_was_shown_and_other_lines_stay(reviewed, clawgit) -> None:
    reviewed.write("MEMORY.md", BEFORE.replace("Basel", "Bern") + REX)
    clawgit("keep", actor="host")
    clawgit("memory", "add", "The rent is due on the 1st.", "--to", "MEMORY.md")
    (item,) = pending(clawgit)

    assert item["diff"] == [
        "- - The office is in Basel. <!-- m:aaaaaa -->",
        "+ - The office is in Bern. <!-- m:aaaaaa -->",
        "+ - The dog is called Rex.",
    ]
    clawgit("approve", item["id"])
    text = reviewed.read("MEMORY.md")
    assert text.startswith(BEFORE.replace("Basel", "Bern"))
    assert REX in text
    assert "The rent is due on the 1st." in text


@pytest.mark.rest
def test_a_night_of_the_miner_asks_and_asks_once(reviewed, clawgit) -> None:
    clawgit("chat", "add", "I live in Utrecht.")
    clawgit("run", "memory-miner")
    clawgit("run", "memory-miner")

    assert reviewed.read("MEMORY.md") == BEFORE
    (item,) = pending(clawgit)
    assert [each["quote"] for each in item["evidence"]] == ["I live in Utrecht."]
    clawgit("approve", item["id"])
    assert "I live in Utrecht." in reviewed.read("MEMORY.md")


@pytest.mark.parametrize(
    ("policy", "text", "answer"),
    [
        ("explicit", "My wife is called Anna.", "To have it in MEMORY.md: clawgit remember"),
        (
            "explicit",
            "We decided to use Postgres for the booking page.",
            "To have it in MEMORY.md: clawgit remember",
        ),
        (
            "review",
            "My wife is called Anna.",
            "The next job proposes it, and you decide (`clawgit pending`).",
        ),
    ],
)
def test_an_answer_promises_no_more_than_the_policy_lets_a_job_do(
    room, clawgit, policy: str, text: str, answer: str
) -> None:
    """Seen: "The next job keeps it", and under *explicit* none did."""
    clawgit("config", "set", "memory_policy", policy)

    said = clawgit("chat", "add", text).out

    assert answer in said
    assert "next job keeps" not in said
    assert "next job reads" not in said
    clawgit("run", "memory-miner")
    assert len(pending(clawgit)) == (policy == "review")


def test_an_order_waits_too_and_its_answer_says_so(reviewed, clawgit) -> None:
    said = clawgit("chat", "add", "Remember: the rent is due on the 1st.")

    assert f"proposal {only(clawgit)}" in said.out


def test_what_adds_one_line_is_asked_in_a_sentence_without_marks(reviewed, clawgit) -> None:
    """Seen: "Shall MEMORY.md change as proposed by the memory-miner? + - 2026-11-23: … #knowledge <!-- m:… -->"."""
    clawgit("chat", "add", "Remember: the bin is green.")
    name = only(clawgit)

    told = clawgit("digest").out
    assert f'Remember "The bin is green."? → answer {name}\n' in told
    assert f'? {name}: Remember "The bin is green."? (`clawgit approve {name}`' in clawgit("status").out
    clawgit("reject", name)
    reviewed.write("MEMORY.md", BEFORE.replace("Basel", "Bern"))
    clawgit("keep", actor="host")
    assert "- - The office is in Basel. + - The office is in Bern. →" in clawgit("digest").out


def test_what_waits_for_a_yes_is_not_told_as_not_kept_too(reviewed, clawgit) -> None:
    """Seen: with `clawgit remember 'Remember: …'`. Mutant: a sentence that no proposal has is not told either."""
    clawgit("chat", "add", "Remember: the bin is green.")
    clawgit("chat", "add", "Vergiss bitte, dass der Turm brennt.")

    told = clawgit("digest").out

    _, _, heard = told.partition("## Heard, not kept")
    assert "The bin is green." in told
    assert "bin is green" not in heard
    assert "forget something" in heard


@pytest.mark.rest
def test_a_correction_by_an_agent_waits_with_its_ledger(reviewed, clawgit) -> None:
    said = clawgit("chat", "add", "No, the office is in Bern.", "--json").data["id"]
    told = clawgit("correct", "m:aaaaaa", "The office is in Bern.", "--evidence", said, actor="host")

    assert "needs the operator's approval" in told.err
    assert reviewed.read("MEMORY.md") == BEFORE
    clawgit("approve", only(clawgit))
    assert "- The office is in Bern. <!-- m:aaaaaa -->" in reviewed.read("MEMORY.md")
    statuses = [each["status"] for each in clawgit("corrections", "--json").data]
    assert statuses == ["applied"]  # his words beside the line that was have ended
    statuses = [each["status"] for each in clawgit("corrections", "--all", "--json").data]
    assert statuses == ["applied", "linked"]


def test_an_editor_that_saves_more_and_more_asks_once(reviewed, clawgit) -> None:
    for text in (REX, REX + "- The cat is called Mia.\n"):
        reviewed.write("MEMORY.md", BEFORE + text)
        clawgit("keep", actor="host")
    reviewed.write("MEMORY.md", BEFORE + REX)
    clawgit("keep", actor="host")

    (item,) = pending(clawgit)
    assert item["diff"] == ["+ - The dog is called Rex.", "+ - The cat is called Mia."]


def test_he_is_told_in_the_second_person_that_an_edit_waits_for_him(reviewed, clawgit) -> None:
    reviewed.write("MEMORY.md", BEFORE + REX)

    said = clawgit("keep").err

    assert f"by an unknown author needs your approval: {only(clawgit)}" in said


@pytest.mark.parametrize("how", ["keep", "git"])
def test_the_operators_own_edit_waits_for_nobody(reviewed, clawgit, how: str) -> None:
    reviewed.write("MEMORY.md", BEFORE + REX)
    if how == "keep":
        clawgit("keep", "--as", "operator")
    else:
        reviewed.git("commit", "-qam", "the dog")

    assert reviewed.shown("MEMORY.md") == BEFORE + REX
    assert pending(clawgit) == []


def test_an_edit_in_the_way_of_the_operators_command_is_put_aside_and_not_lost(reviewed, clawgit) -> None:
    reviewed.write("MEMORY.md", BEFORE + REX)
    done = clawgit("memory", "add", "The rent is due on the 1st.", "--to", "MEMORY.md")

    assert done.code == 0
    assert "The rent is due on the 1st." in reviewed.read("MEMORY.md")
    clawgit("approve", only(clawgit))
    assert REX in reviewed.read("MEMORY.md")


@pytest.mark.rest
def test_where_too_much_waits_an_edit_goes_back_and_stays_reachable(reviewed, clawgit) -> None:
    for number in range(MOST_OF_MEMORY + 1):
        reviewed.write(f"memory/{number:02}.md", f"- Dog {number} is called Rex.\n")
    clawgit("keep", actor="host")

    assert list((reviewed.root / "memory").glob("??.md")) == []
    assert len(pending(clawgit)) == MOST_OF_MEMORY
    (aside,) = reviewed.history.refs(RESCUE)
    assert reviewed.shown(f"memory/{MOST_OF_MEMORY}.md", aside) == f"- Dog {MOST_OF_MEMORY} is called Rex.\n"


def test_notes_of_the_day_are_written_as_before(reviewed, clawgit) -> None:
    reviewed.write("memory/2026-03-19.md", "# 2026-03-19\n\n- We talked about pets.\n")
    clawgit("keep", actor="host")

    assert pending(clawgit) == []
    assert "pets" in reviewed.shown("memory/2026-03-19.md")


def explicit(room, clawgit) -> None:
    room.write("MEMORY.md", BEFORE)
    room.keep("operator")
    clawgit("config", "set", "memory_policy", "explicit")


@pytest.mark.rest
def test_explicit_keeps_what_the_operator_orders_and_corrects_and_nothing_else(room, clawgit) -> None:
    explicit(room, clawgit)
    clawgit("chat", "add", "I live in Utrecht.")
    clawgit("chat", "add", "Remember that the rent is due on the 1st.")
    clawgit("chat", "add", "No, the office is in Bern.")
    clawgit("run", "recall-validator")
    clawgit("run", "memory-miner")

    text = room.read("MEMORY.md")
    assert "The rent is due on the 1st" in text
    assert "The office is in Bern." in text
    assert "Utrecht" not in text
    assert pending(clawgit) == []


def test_explicit_lets_an_agents_own_words_wait(room, clawgit) -> None:
    explicit(room, clawgit)
    said = clawgit("chat", "add", "I live in Utrecht.", "--json").data["id"]
    cited = clawgit("memory", "add", "I live in Utrecht.", "--evidence", said, actor="host")
    room.write("MEMORY.md", BEFORE + REX)
    clawgit("keep", actor="host")

    assert "needs the operator's approval" in cited.err
    assert [each["files"] for each in pending(clawgit)] == [["memory/learned.md"], ["MEMORY.md"]]
    assert room.read("MEMORY.md") == BEFORE


def test_a_yes_to_a_removal_and_an_addition_is_told_as_that_with_its_undo(room, clawgit) -> None:
    """Seen: "corrected: OLD LINE (you)" of a line that was gone, and an empty undo in the digest."""
    room.write("MEMORY.md", BEFORE + "- Nora is allergic to hazelnuts.\n")
    room.keep("operator")
    clawgit("status")
    clawgit("config", "set", "memory_policy", "explicit")
    room.write("MEMORY.md", BEFORE + REX)
    clawgit("keep", actor="host")
    tomorrow = ("--rehearse", "--now", "2026-03-20T10:22:00+00:00")
    commit = clawgit(*tomorrow, "approve", only(clawgit)).out.split()[-1]

    status = clawgit(*tomorrow, "status").out
    digest = clawgit(*tomorrow, "digest", "--since", "2026-03-20").out

    yes = f"(proposed, with your yes) → `clawgit undo {commit}`"
    assert f"  learned: The dog is called Rex.  {yes}" in status
    assert f"  removed: Nora is allergic to hazelnuts.  {yes}" in status
    dropped = f"Nora is allergic to hazelnuts. (proposed, with your yes) → undo {commit}"
    assert f"## Dropped\n- {dropped}\n" in digest
    assert f"(proposed, with your yes) → undo {commit}" in digest.partition("## Dropped")[0]


def test_a_wipe_that_waits_is_told_in_short_and_not_as_done(room, clawgit) -> None:
    """Seen: "It stays in the history: `clawgit undo` brings it back" of a file that never changed, and a line of 4 KB."""
    text = BEFORE + "".join(f"- The item {number} is on a shelf.\n" for number in range(80))
    room.write("MEMORY.md", text)
    room.keep("operator")
    clawgit("config", "set", "memory_policy", "explicit")
    room.write("MEMORY.md", "# Memory\n")

    kept = clawgit("keep", actor="host")
    (line,) = [line for line in clawgit("status").out.splitlines() if line.startswith("? ")]

    assert room.read("MEMORY.md") == text
    assert "loses" not in kept.err + kept.out
    assert "undo" not in kept.err + kept.out
    assert "It would remove or reword 100 % of MEMORY.md." in line
    assert len(line) < 400
    assert f"(`clawgit pending show {only(clawgit)}`)" in line
