"""What a person types right behind a taking back, and taking back behind thanks, a name or a statement."""

from __future__ import annotations

import pytest

from clawgit.understanding.evidence.taking_back import taken_by

CELADON = "# M\n\n- The kiln uses celadon glaze.\n"
NEXT_DAY = {"CLAWGIT_NOW": "2026-03-20T10:30:00+00:00", "CLAWGIT_REHEARSE": "1"}

LATER = {"CLAWGIT_NOW": "2026-03-22T10:30:00+00:00"}


def test_undo_that_behind_an_order_to_forget_brings_back_line_and_message_once(clawgit, room) -> None:
    """Guard: `undo that` behind an order to undo is the same order again (test_corrected_at_once)."""
    clawgit("chat", "add", "Remember that Nora is allergic to walnuts.")
    clawgit("chat", "add", "forget that Nora is allergic to walnuts")
    assert "walnuts" not in room.read("MEMORY.md")

    told = clawgit("chat", "add", "no, undo that").out
    again = clawgit("chat", "add", "undo that").out

    assert 'Back in search and prompts: user: "Remember that Nora is allergic to walnuts."' in told
    assert "walnuts" in room.read("MEMORY.md")
    assert "It takes nothing back" in again
    clawgit("run", "recall-validator", environment=NEXT_DAY)
    assert "walnuts" in room.read("MEMORY.md")


def test_undo_that_names_the_command_for_a_message_of_another_day(clawgit, room) -> None:
    """Seen: "what it means is not plain", of the turn right before."""
    room.change({"MEMORY.md": CELADON}, actor="operator")
    done = clawgit("chat", "add", "No, the kiln uses tenmoku, not celadon.", "--json").data

    told = clawgit("chat", "add", "Undo that.", environment=NEXT_DAY | LATER).out

    way = f"clawgit undo --source {done['id']}"
    assert f'"No, the kiln uses tenmoku, not celadon." is older than a day. What rests on it: {way}\n' in told
    assert clawgit(*way.split()[1:]).code == 0
    assert "The kiln uses celadon glaze." in room.read("MEMORY.md")


@pytest.mark.parametrize(
    "undo", ["take that back", "nimm das zurück", "no, I take that back", "je retire ça"]
)
@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("Remember that Nora is allergic to walnuts.", "forget that Nora is allergic to walnuts"),
        ("merk dir: der Elektriker kommt morgen um 9", "vergiss das mit dem elektriker"),
        ("My brother Ole is moving to Oslo.", "forget what I said about Ole"),
    ],
)
def test_take_that_back_behind_an_order_to_forget_brings_back_what_it_took(
    clawgit, room, said: str, order: str, undo: str
) -> None:
    """Seen: "It takes back …", nothing came back, and the message was deleted. Mutant: only `undo` undoes."""
    clawgit("chat", "add", said)
    memory = room.read("MEMORY.md")
    clawgit("chat", "add", order)

    told = clawgit("chat", "add", undo).out

    clawgit("run", "recall-validator", environment=NEXT_DAY)
    assert f'Back in search and prompts: user: "{said}"' in told
    assert room.read("MEMORY.md") == memory
    assert said in clawgit("chat", "log", environment=NEXT_DAY).out


@pytest.mark.parametrize("said", ["scratch that", "forget the trampoline"])
def test_take_that_back_brings_nothing_back_of_what_took_nothing(clawgit, room, said: str) -> None:
    """Mutant: `scratch that, take that back` undoes itself."""
    room.change({"MEMORY.md": CELADON}, actor="operator")
    clawgit("chat", "add", "No, the kiln uses tenmoku, not celadon.")
    clawgit("chat", "add", said)

    told = clawgit("chat", "add", "take that back").out

    assert "Brought back" not in told
    assert "It takes nothing back" in told
    assert ("celadon" in room.read("MEMORY.md").splitlines()[2]) == (said == "scratch that")


def at(time: str) -> dict[str, str]:
    return {"CLAWGIT_NOW": f"2026-03-{time}:00+00:00", "CLAWGIT_REHEARSE": "1"}


@pytest.mark.parametrize(
    ("talk", "left"),
    [
        pytest.param(
            [
                "remember: the wiki is at w2.example.org",
                "remember: Emil has the van keys",
                "forget the wiki is at w2.example.org",
                "undo that",
            ],
            ("Emil has the van keys", "The wiki is at w2.example.org"),
            id="brought back: another message is the one before it",
        ),
        pytest.param(
            ["remember: Emil has the van keys", "please don't remember that", "undo that"],
            ("Emil has the van keys", "The kiln uses celadon glaze."),
            id="brought back: what was not to be remembered",
        ),
        pytest.param(
            [
                "remember: Emil has the van keys",
                "I hate green tea",
                "scratch that",
                "forget that I hate green tea",
            ],
            ("Emil has the van keys",),
            id="what was taken back is forgotten",
        ),
        pytest.param(
            [
                "remember: Emil has the van keys",
                "No, the kiln uses tenmoku glaze, not celadon.",
                "undo that",
                "forget that the kiln uses tenmoku glaze",
            ],
            ("Emil has the van keys", "The kiln uses celadon glaze."),
            id="the correction taken back is forgotten",
        ),
    ],
)
def test_what_he_took_back_is_the_same_when_the_messages_between_are_deleted(
    clawgit, room, talk: list[str], left: tuple[str, ...]
) -> None:
    """Seen: two days later the validator took back the message before, of which he had said nothing.

    Mutants: an order that is deleted leaves the next turn as it was; a search marks Emil's line as taken back.
    """
    room.change({"MEMORY.md": CELADON}, actor="operator")
    for minute, text in enumerate(talk, 31):
        clawgit("chat", "add", text, environment=at(f"19T10:{minute}"))
    said = clawgit("chat", "log", environment=at("19T10:40")).out

    for day in (20, 21, 22):
        clawgit("run", "recall-validator", environment=at(f"{day}T11:00"))
        clawgit("chat", "add", f"It rained on {day} March.", environment=at(f"{day}T12:00"))

    for line in left:
        assert line in room.read("MEMORY.md")
    found = clawgit("memory", "search", "Emil van keys", environment=at("22T13:00")).out
    assert ("Emil" in said) == ("Emil" in found)
    assert "taken back" not in found


def test_a_bare_value_is_about_what_was_said_right_before_it_also_when_that_is_forgotten(
    clawgit, room
) -> None:
    """Seen: on the next morning the rent was 900 again. Mutants: days later, when the deposit is deleted, it is."""
    room.change({"MEMORY.md": "# M\n\n- The rent is 900 euros.\n"}, actor="operator")
    talk = ("No, the rent is 950 euros, not 900.", "the deposit is 1200 euros", "no, 900")
    for minute, text in enumerate((*talk, "forget the deposit is 1200 euros"), 31):
        clawgit("chat", "add", text, environment=at(f"19T10:{minute}"))

    for day in (20, 21, 22):
        clawgit("run", "recall-validator", environment=at(f"{day}T09:00"))
        clawgit("chat", "add", f"It rained on {day} March.", environment=at(f"{day}T12:00"))

    assert "The rent is 950 euros." in room.read("MEMORY.md")


def test_undo_that_brings_back_a_line_that_no_message_made(clawgit, room) -> None:
    room.change({"MEMORY.md": CELADON}, actor="operator")
    clawgit("chat", "add", "forget that the kiln uses celadon glaze")
    assert "celadon" not in room.read("MEMORY.md")

    answer = clawgit("chat", "add", "mach das rückgängig", "--json").data

    assert "- The kiln uses celadon glaze." in room.read("MEMORY.md")
    assert answer["took_back"]["undo"] == room.head()[:12]


def test_undo_that_of_a_host_brings_nothing_back(clawgit, room) -> None:
    """What a host writes in his name is no order of his."""
    room.change({"MEMORY.md": CELADON}, actor="operator")
    clawgit("chat", "add", "forget that the kiln uses celadon glaze")

    clawgit("chat", "add", "undo that", actor="host")

    assert "celadon" not in room.read("MEMORY.md")


@pytest.mark.parametrize("opening", ["No,", "Scratch that."])
def test_undo_that_behind_a_correction_takes_the_correction_back(clawgit, room, opening: str) -> None:
    """Mutant: the words that it took back as well are brought back, and the correction stays."""
    room.change({"MEMORY.md": "# M\n\n- Deploy day is Tuesday.\n"}, actor="operator")
    clawgit("chat", "add", "I hate green tea")
    clawgit("chat", "add", f"{opening} Deploy day is Thursday, not Tuesday.")

    told = clawgit("chat", "add", "undo that").out

    assert "Taken back: MEMORY.md" in told
    assert "Deploy day is Tuesday." in room.read("MEMORY.md")


DUMP = "The backup runs at 03:15, not 02:30."


@pytest.mark.parametrize(
    ("turns", "text", "taken"),
    [
        (["Nora eats no nuts.", "ok"], "scratch that", 1),  # a yes to what the agent asked
        (["Nora eats no nuts.", "Thursday"], "forget what I said", 1),
        (["I hate tea."], "My boss: forget what I said", None),
        (["Ich hasse Tee."], "Mein Chef: vergiss was ich gesagt habe", None),
        (["I hate tea."], "Anna: scratch that", None),
        (["I hate tea."], "Sorry: forget that", 0),
        (["I hate tea.", "Weber pays 5 euro."], "correction: scratch that", 1),
        ([DUMP, "Weber pays 5 euro."], "backup: scratch that, 02:30 was right", 0),
        ([DUMP, "Weber pays 5 euro."], "backup: scratch that", 0),
        ([DUMP, "Weber pays 5 euro."], "printer: scratch that, 9 was right", None),
        (["The backup runs at 03:15 now.", "Weber pays 5 euro."], "scratch that, 02:30 was right", None),
    ],
)
def test_his_last_words_are_meant_not_his_thanks_and_not_by_words_of_another(
    turns: list[str], text: str, taken: int | None
) -> None:
    """Seen: "thanks" was taken back, what the boss said took back his own words, and words of one topic another fact."""
    assert taken_by(text, turns) == taken


def test_the_value_before_needs_no_cue_where_he_takes_his_words_back(clawgit, room) -> None:
    """Guard: what is no value of the line takes nothing back."""
    room.change({"MEMORY.md": "# M\n\n- Deploy day is Tuesday.\n"}, actor="operator")
    clawgit("chat", "add", "No, deploy day is Thursday, not Tuesday.")
    clawgit("chat", "add", "Tuesday is my day off, forget what I said")
    assert "Thursday" in room.read("MEMORY.md")
    clawgit("chat", "add", "No, deploy day is Friday, not Thursday.")

    told = clawgit("chat", "add", "Thursday was right, forget what I said").out

    assert 'Taken back: MEMORY.md "Deploy day is Friday." → "Deploy day is Thursday."' in told


@pytest.mark.parametrize(
    ("said", "orders"),
    [
        ("remember the kiln guy is Bernd", ["forget that the kiln guy is Bernd"] * 2),
        ("no, the kiln uses tenmoku glaze, not celadon", ["undo that", "nimm das zurück"]),
        ("the wifi network is Nest", ["forget the kiln", "undo that"]),
    ],
)
def test_what_is_gone_already_is_not_said_to_be_shown_by_search(
    clawgit, room, said: str, orders: list[str]
) -> None:
    """Seen: "Search still shows these words", of which a search had nothing. Mutant: what only this order takes back counts."""
    room.change({"MEMORY.md": CELADON}, actor="operator")
    clawgit("chat", "add", said)
    clawgit("chat", "add", orders[0])

    assert "Search still shows" not in clawgit("chat", "add", orders[1]).out
