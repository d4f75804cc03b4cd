from __future__ import annotations

import pytest

SOUL = "# SOUL\n\n- Be kind.\n- Be short.\n- Be honest.\n"
WANTED = SOUL.replace("Be kind", "Be harsh").replace("Be short", "Be long")


@pytest.fixture(autouse=True)
def after_the_first_conversation(room) -> None:
    (room.root / "BOOTSTRAP.md").unlink()
    room.keep("operator")


@pytest.fixture
def proposed(room, clawgit) -> str:
    """Let a host reword two principles, and return the proposal's id."""
    room.write("SOUL.md", SOUL)
    room.keep("operator")
    room.write("SOUL.md", WANTED)
    clawgit("keep", environment={"CLAWGIT_ACTOR": "host"})
    assert room.read("SOUL.md") == SOUL
    (found,) = clawgit("pending", "--kind", "proposal", "--json").data
    proposal_id = found["id"]
    assert isinstance(proposal_id, str)
    return proposal_id


def test_pending_shows_who_wants_what_in_pieces_and_how_to_answer(clawgit, proposed) -> None:
    out = clawgit("pending").out

    assert f"{proposed}  proposal, by your agent, since 2026-03-19, lapses 2026-05-18" in out
    assert "Shall SOUL.md change as proposed by your agent?" in out
    assert "(+0 tokens)" in out
    assert "  1. SOUL.md:3\n     - - Be kind.\n     + - Be harsh.\n" in out
    assert "  2. SOUL.md:4\n     - - Be short.\n     + - Be long.\n" in out
    assert f"`clawgit approve {proposed}`\n    `clawgit reject {proposed}`" in out


@pytest.mark.rest
def test_an_approval_is_a_change_of_the_operators_that_names_the_proposal(clawgit, room, proposed) -> None:
    clawgit("approve", proposed)

    message = room.git("log", "-1", "--format=%an%n%B")
    assert room.read("SOUL.md") == WANTED
    assert "Clawgit-Actor: operator" in message
    assert f"Clawgit-Proposal: {proposed}" in message
    assert "Reviewed-by: " in message
    assert clawgit("pending").out == "Nothing is pending.\n"
    assert clawgit("undo", "HEAD", "--json").code == 0
    assert room.read("SOUL.md") == SOUL


@pytest.mark.rest
def test_an_approval_says_which_lines_went_and_came_and_why(clawgit, room, proposed) -> None:
    half = clawgit("approve", proposed, "--only", "2").err
    rest = clawgit("approve", proposed, "--only", "1").err

    assert "     - - Be short.\n     + - Be long.\n" in half
    assert "kind" not in half
    assert "     - - Be kind.\n     + - Be harsh.\n" in rest


def test_an_approval_says_why_it_was_proposed(clawgit, room) -> None:
    room.write("SOUL.md", SOUL)
    room.keep("operator")
    (proposed,) = [
        clawgit(
            "soul", "propose", "Answer in verse.", "--reason", "You asked for it.", "--json", actor="host"
        ).data["proposal"]
    ]

    said = clawgit("approve", proposed).err

    assert "+ - Answer in verse." in said
    assert "why: You asked for it." in said


@pytest.mark.rest
def test_an_addition_that_stays_is_shown(clawgit, room) -> None:
    room.write("SOUL.md", SOUL)
    room.keep("operator")
    room.write("SOUL.md", SOUL + "- Rest on Sundays.\n")
    clawgit("keep", actor="host")
    (found,) = clawgit("pending", "--kind", "addition", "--json").data

    assert "+ Rest on Sundays." in clawgit("approve", found["id"]).err


@pytest.mark.rest
def test_half_can_be_approved_and_the_rest_stays_pending(clawgit, room, proposed) -> None:
    clawgit("approve", proposed, "--only", "2")

    assert room.read("SOUL.md") == SOUL.replace("Be short", "Be long")
    (left,) = clawgit("pending", "--kind", "proposal", "--json").data
    assert [piece["new"] for piece in left["pieces"]] == ["- Be harsh.\n"]

    clawgit("approve", proposed, "--only", "1")
    assert room.read("SOUL.md") == WANTED
    assert clawgit("pending", "--kind", "proposal", "--json").data == []


def test_an_unknown_piece_changes_nothing(clawgit, room, proposed) -> None:
    head = room.head()

    assert clawgit("approve", proposed, "--only", "3").code == 1
    assert room.head() == head


def test_what_came_since_stays(clawgit, room, proposed) -> None:
    room.append("SOUL.md", "- Be quick.")

    clawgit("approve", proposed)

    assert room.read("SOUL.md").endswith("- Be honest.\n- Be quick.\n")
    assert "- Be harsh.\n" in room.read("SOUL.md")


def test_where_later_changes_touch_the_same_lines_it_is_said_and_refused(clawgit, room, proposed) -> None:
    room.write("SOUL.md", SOUL.replace("Be kind", "Be gentle"))
    room.keep("operator")

    assert "Later changes touch the same lines" in clawgit("pending").out
    assert clawgit("approve", proposed).code == 1
    assert "- Be gentle." in room.read("SOUL.md")


def test_a_rejected_edit_is_not_proposed_again_and_its_author_is_told_why(clawgit, room, proposed) -> None:
    """Mutant: delete the proposal without noting the rejection."""
    clawgit("reject", proposed, "--reason", "I like short answers.")
    assert clawgit("pending", "--kind", "proposal", "--json").data == []

    room.write("SOUL.md", WANTED)
    said = clawgit("keep", environment={"CLAWGIT_ACTOR": "host"}).err

    assert "went back, since it was rejected before (I like short answers.)" in said
    assert clawgit("pending", "--kind", "proposal", "--json").data == []
    assert room.read("SOUL.md") == SOUL


@pytest.mark.sampled(6)
@pytest.mark.parametrize("actor", ["host", "unknown", "memory-miner", "soul-keeper"])
@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_only_the_operator_decides(clawgit, room, proposed, actor: str, verb: str) -> None:
    reason = ["--reason", "Yes."] if verb == "reject" else []

    assert clawgit(verb, proposed, *reason, environment={"CLAWGIT_ACTOR": actor}).code == 1
    assert room.read("SOUL.md") == SOUL
    assert len(clawgit("pending", "--kind", "proposal", "--json").data) == 1


def test_an_edit_that_nobody_owns_is_answered_in_the_folder(clawgit, room) -> None:
    room.write("SOUL.md", SOUL)
    room.keep("operator")
    room.write("SOUL.md", WANTED)
    clawgit("keep", environment={"CLAWGIT_ACTOR": "unknown"})

    assert "It is in the folder and not committed." in clawgit("pending").out

    clawgit("keep", "--as", "operator")
    assert clawgit("pending").out == "Nothing is pending.\n"


def test_a_deletion_can_be_approved(clawgit, room) -> None:
    (room.root / "IDENTITY.md").unlink()
    clawgit("keep", environment={"CLAWGIT_ACTOR": "host"})
    (found,) = clawgit("pending", "--kind", "proposal", "--json").data
    assert (room.root / "IDENTITY.md").exists()

    clawgit("approve", found["id"])

    assert not (room.root / "IDENTITY.md").exists()


@pytest.mark.parametrize(
    "verb", [["approve", "p-0"], ["reject", "p-0", "--reason", "No."], ["pending", "show", "p-0"]]
)
def test_an_unknown_proposal_is_named(clawgit, room, verb: list[str]) -> None:
    assert "Nothing pending is called p-0." in clawgit(*verb).err
