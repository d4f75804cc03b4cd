"""Which hits a host's prompt is given: none that tells its model nothing."""

from __future__ import annotations

import os
from typing import Any

import pytest
from readings_made import correct

from clawgit.capture.messages.incoming_message import rules_in_force, take_down
from clawgit.capture.messages.message import IncomingMessage
from clawgit.capture.messages.open_messages import open_messages
from clawgit.cli.service.methods import methods
from clawgit.context.hits_told import told_unasked
from clawgit.recall.search_results import Result
from clawgit.service.requests import Request

NOTE = """# Session: 2026-11-24

user: When is the standup?
assistant: At 9:45.
user: Undo that.
user: Lotte brings the brochures of the fair.
"""
MEMORY = """# Memory

- The standup is at 9:45, in the back office.
- The cat is called Mimi.
- Die Katze frisst nur Nassfutter.

## Morning

- Lotte is on leave until 1 December.
"""


@pytest.fixture
def search(room):
    """Return a function that does a request's search, as the service does, and returns the answer."""
    answer = methods(os.environ)["memory.search"].answer

    def ask(actor: str, **params: object) -> dict[str, Any]:
        return answer(Request(1, "memory.search", str(room.root), actor, params))

    return ask


@pytest.fixture
def hits(room, clawgit, search):
    """Return a function that asks as a host does before it hands on a prompt, and returns the hits."""
    room.change({"MEMORY.md": MEMORY, "memory/2026-11-24-talk.md": NOTE}, actor="operator")

    def ask(prompt: str, session: str = "") -> str:
        asked = {
            "query": prompt,
            "source": "memory",
            "for_prompt": True,
            "max_results": 5,
            "session": session,
        }
        return "\n".join(each["snippet"] for each in search("host", **asked)["results"])

    return ask


@pytest.fixture
def talk_of(room):
    """Return a function that keeps what was said in a session, a line each."""

    def talk_of(session: str, *lines: str) -> None:
        rules = rules_in_force(room.history, room.now, "operator")
        with open_messages(room.history, room.now) as store:
            for line in lines:
                role, _, text = line.partition(": ")
                heard = IncomingMessage(
                    role, text, session=session, sent_at=room.now, by_operator=role == "user"
                )
                store.add([take_down(heard, rules, room.now)])

    return talk_of


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        pytest.param("When is the standup?", "back office", id="what answers it"),
        pytest.param("Is the cat called Mimi?", "Mimi", id="what a question wants confirmed"),
        pytest.param("Was frisst die Katze?", "Nassfutter", id="in another language"),
        pytest.param("The cat is ill.", "Mimi", id="what says more than the prompt"),
        pytest.param("Good morning, who brings the brochures?", "Lotte", id="a greeting with a question"),
    ],
)
def test_a_prompt_is_given(hits, prompt: str, told: str) -> None:
    assert told in hits(prompt)


@pytest.mark.parametrize(
    ("prompt", "not_told"),
    [
        pytest.param("When is the standup?", "When", id="a question of an earlier talk"),
        pytest.param("Undo that.", "Undo", id="what says no more than the prompt"),
        pytest.param("No, the cat is called Mimi, not Minka.", "Mimi", id="memory that says so already"),
        pytest.param("Good morning.", "Lotte", id="what has a greeting's word in its heading"),
    ],
)
def test_a_prompt_is_not_given(hits, prompt: str, not_told: str) -> None:
    assert not_told not in hits(prompt)


def test_of_lines_that_stand_together_the_printed_ones_and_the_agents_echo_are_not_told(hits, room) -> None:
    """Mutant: look at a hit as a whole."""
    note = '# 2026-11-23\n\nuser: the retro moves to Thursdays in room 4\nassistant: Noted, the retro moves to Thursdays.\ntool: {"retro": 3}\n'
    room.change({"memory/2026-11-23.md": note}, actor="operator")

    assert hits("When is the retro?") == "user: the retro moves to Thursdays in room 4"


def test_what_a_correction_says_is_not_told_again_from_memory(hits, clawgit) -> None:
    """Mutant: each hit is told."""
    assert clawgit("correct", "The cat is called Mimi.", "The cat is called Moritz.").code == 0

    assert hits("How is the cat called?").count("The cat is called Moritz.") == 1


@pytest.mark.parametrize(("score", "number"), [(0.34, 1), (0.36, 2)])
def test_a_prompt_is_not_given_what_is_far_less_to_the_point_than_the_best(
    now, score: float, number: int
) -> None:
    """Mutant: what fills the budget is told as if it answered."""
    best = Result("MEMORY.md", 1, 1, 1.5, "The cat is called Mimi.", "memory", "T1", is_correction=True)
    other = best._replace(first=3, last=3, score=score, snippet="The cat eats fish.", is_correction=False)

    assert len(told_unasked([best, other], "How is the cat called?", now)) == number


def test_a_prompt_is_given_a_correction_as_it_holds(hits, clawgit) -> None:
    """Seen: "Before: The cat is called Mimi." in each prompt about the cat, and in that of the correction itself."""
    assert clawgit("correct", "The cat is called Mimi.", "The cat is called Moritz.").code == 0

    assert hits("How is the cat called?") == "The cat is called Moritz."
    assert hits("No, the cat is called Moritz now, not Mimi.") == ""


@pytest.mark.parametrize(
    ("session", "is_told"),
    [
        pytest.param("s-1", True, id="this one"),
        pytest.param("s-2", False, id="another one"),
        pytest.param("agent:main:telegram:group:fair", False, id="a group"),
    ],
)
def test_what_he_said_in_this_session_is_told_before_an_older_line(
    hits, talk_of, session: str, is_told: bool
) -> None:
    """Mutants: notes alone are searched; what he said in any session is told."""
    talk_of(session, "user: The standup is at ten from now on.")
    talk_of(session, "assistant: Noted, the standup.")
    talk_of(session, "user: When is the standup?")

    told = hits("When is the standup?", "s-1")

    assert "back office" in told
    assert ("at ten" in told.splitlines()[0]) is is_told
    assert ("at ten" in told) is is_told


def test_of_this_session_no_question_is_told_and_nothing_that_a_line_says_or_that_was_just_said(
    hits, talk_of
) -> None:
    """Mutants: whatever has the words is told; the agent's turns are; a prompt that asks nothing gets them, too."""
    talk_of("s-1", "user: Is the standup at ten?")
    talk_of("s-1", "user: The standup is at 9:45, in the back office.")
    talk_of("s-1", "user: The gym closes at eight.")

    assert "user:" not in hits("When is the standup?", "s-1")
    assert hits("When is the standup?", "s-1").count("back office") == 1
    assert hits("Look when the gym closes.", "s-1") == ""
    assert hits("When does the gym close?", "s-1") == "The gym closes at eight."


def test_a_bare_answer_is_told_with_the_question_before_it(hits, talk_of) -> None:
    """Mutant: the operator's words alone."""
    talk_of("s-1", "user: hello")
    talk_of("s-1", "assistant: Who cooks at the retreat?")
    talk_of("s-1", "user: Ines, as ever")
    talk_of("s-1", "assistant: Good.")

    assert hits("Who cooks?", "s-1") == "assistant: Who cooks at the retreat?\nuser: Ines, as ever"


CLAIMED = """
## 2026-03-19 09:00 <!-- x:abc123 re-embedded:false -->

- said: The cat is called Mimi.
- correct: The cat is called Minka.
- corrects:
- status: logged
"""


def test_what_is_not_in_force_of_corrections_is_no_hit(hits, clawgit, room) -> None:
    """Mutants: an item that is asked is a hit of a search, or of a prompt; so is what the agent wrote into the file."""
    wrong, right = "The cat is called Mimi.", "The cat is called Moritz."
    assert clawgit("correct", wrong, right, actor="host").code == 0
    assert "status: open" in room.read("CORRECTIONS.md")

    found = clawgit("search", "How is the cat called?", "--json").data["results"]
    assert "Mimi" in hits("How is the cat called?")
    assert "status" not in hits("How is the cat called?")
    assert "CORRECTIONS.md" not in {each["path"] for each in found}

    room.write("CORRECTIONS.md", room.read("CORRECTIONS.md") + CLAIMED)
    assert "Minka" not in hits("How is the cat called?")


ECHO = "The staging port is 8080, and Nora is allergic to hazelnuts"
JOINED = f"# Session: 2026-03-18\n\nuser: what do we know of staging?\nassistant: {ECHO}.\n"
TWO = "# Memory\n\n- Nora is allergic to hazelnuts.\n- The staging port is 8080.\n"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("is_corrected", [False, True])
@pytest.mark.parametrize("prompt", ["Which port has staging?", "Nora hazelnuts", "Is Nora allergic?"])
def test_what_the_agent_joins_of_two_entries_is_told_to_no_prompt(
    hits, clawgit, room, prompt: str, is_corrected: bool
) -> None:
    """Mutants: only what was found counts as memory; what a correction gave up is news."""
    room.change({"MEMORY.md": TWO, "memory/2026-03-18-talk.md": JOINED}, actor="operator")
    if is_corrected:
        assert clawgit("correct", "The staging port is 8080.", "The staging port is 9090.").code == 0

    context = clawgit("context", "--query", prompt, "--host", "openclaw", "--part", "recall").out

    assert hits(prompt) != ""
    assert "assistant:" not in hits(prompt)
    assert "assistant:" not in context


def test_what_the_agent_joins_of_his_words_and_an_entry_is_told_to_no_prompt(hits, room) -> None:
    """Seen: "Noted: the kitchen of the new flat will be blue. Nora is allergic to hazelnuts." for a question about Nora."""
    his = "user: The kitchen of the new flat will be blue.\n"
    agents = "assistant: Noted: the kitchen of the new flat will be blue. Nora is allergic to hazelnuts.\n"
    other = "assistant: Nora is allergic to hazelnuts, and to 3 kinds of pollen.\n"
    note = f"# Session: 2026-03-18\n\n{his}{agents}{other}"
    room.change({"MEMORY.md": TWO, "memory/2026-03-18-talk.md": note}, actor="operator")

    told = hits("Is Nora allergic?")

    assert "hazelnuts" in told
    assert "kitchen" not in told
    assert "pollen" in told


@pytest.fixture
def searched(search):
    """Return a function that searches for somebody, in files and messages, and returns the snippets."""

    def ask(actor: str, query: str, most: int = 6) -> list[str]:
        return [each["snippet"] for each in search(actor, query=query, max_results=most)["results"]]

    return ask


def test_a_model_that_searches_is_given_no_echo_and_no_question_and_the_operator_is(
    searched, room, talk_of
) -> None:
    """Mutants: each hit is told; a program's and a person's search are cut as well."""
    room.change({"MEMORY.md": TWO, "memory/2026-03-18-talk.md": JOINED}, actor="operator")
    talk_of(
        "s-1", "user: What is the staging port?", "assistant: The staging port is 8080.", "assistant: Noted."
    )

    given = searched("host", "What is the staging port?")

    assert any("- The staging port is 8080." in each for each in given)
    assert not any("assistant" in each or "?" in each for each in given)
    assert "The staging port is 8080." not in given
    assert "What is the staging port?" in searched("operator", "What is the staging port?")


def test_a_model_that_searches_is_given_the_agents_words_without_what_a_program_printed_behind_them(
    searched, room, talk_of
) -> None:
    """Seen: JSON and a table of nodes in the line that answers. Mutant: of messages and notes only one is looked at."""
    shop = 'The shop runs in Falkenstein. ```json {"nodes": 3} ``` It is small.'
    note = f"# Session: 2026-03-18\n\nuser: Tell me of the shop.\nassistant: {shop}\nassistant: ``` shop-1 Ready ```\n"
    room.change({"memory/2026-03-18-talk.md": note}, actor="operator")
    talk_of("s-1", f"assistant: {shop.replace('shop', 'gallery')}")

    given = "\n".join(searched("host", "Where does the shop run?"))
    assert "assistant: The shop runs in Falkenstein. It is small." in given
    assert "Ready" not in given
    assert "The gallery runs in Falkenstein. It is small." in searched("host", "Where does the gallery run?")
    assert any("json" in each for each in searched("operator", "Where does the shop run?"))


def test_an_answer_below_questions_is_given_all_the_same(searched, room, talk_of) -> None:
    """Mutant: memory has nothing about it where the first hits are questions."""
    talk_of("s-1", *["user: What is the gate colour?"] * 3, "user: the colour is green")

    assert searched("host", "What is the gate colour?", 2) == ["the colour is green"]


BESIDE = {
    "notes/office.md": "The safe in the office is behind the map.\nThe safe in the office opens at eight.\nThe safe in the office is grey.\n",
    "projects/fair.txt": "The standup is at 8:15, in the canteen.\n",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        pytest.param("Where is the safe in the office?", "notes", id="a question that it answers"),
        pytest.param("When is the standup?", "MEMORY", id="a question that memory answers"),
        pytest.param("The safe in the office is too small.", "", id="no question"),
        pytest.param("Which colour has the car of the office?", "", id="a question that nothing answers"),
    ],
)
def test_of_a_file_beside_memory_a_prompt_is_given(room, search, prompt: str, told: str) -> None:
    """Mutants: memory alone is asked; both always are; a guess is told, too; all of its lines are."""
    room.change({"MEMORY.md": MEMORY, **BESIDE}, actor="operator")
    asked = {"query": prompt, "source": "memory", "for_prompt": True, "max_results": 5}

    found = search("host", **asked)

    places = [each["path"] for each in found["results"] if found["confidence"] == "high"]
    assert {place[: len(told)] for place in places} == ({told} if told else set())
    assert len([place for place in places if place in BESIDE]) <= 2


def test_a_prompt_is_given_what_a_file_beside_memory_says_of_it_before_what_memory_says_of_a_part(
    hits, room
) -> None:
    """Seen: "when does Lucy leave?" gave the leave of somebody else, and not the mail in which Lucy says it. Mutant: where memory answers for sure, nothing else is asked."""
    memory = "- The contact of the town is on leave until the end of May.\n"
    room.change(
        {"MEMORY.md": memory, "inbox/lucy.txt": "I leave on 20 March. Cheers, Lucy\n"}, actor="operator"
    )

    told = hits("When does Lucy leave?").splitlines()

    assert told[0] == "I leave on 20 March. Cheers, Lucy"
    assert all("town" in each for each in told[1:])


def test_a_reading_is_told_once_with_his_words(hits, room) -> None:
    """Seen: the line and its correction, both with the same words beside them. Mutant: what has a note is told wherever it stands."""
    correct(room)

    told = hits("Where are the board meetings?")

    assert told.count("Basel") == 1


def test_what_he_said_in_this_session_and_set_right_since_is_not_told_as_it_was(
    hits, talk_of, clawgit
) -> None:
    """Mutant: each message of his that answers is told."""
    assert clawgit("remember", "Die Müllabfuhr kommt dienstags.").code == 0
    talk_of("s-1", "user: Merk dir bitte: die Müllabfuhr kommt dienstags.")
    talk_of("s-1", "user: Wann kommt die Müllabfuhr?")
    question = "Wann kommt die Müllabfuhr?"
    assert "Merk dir" in hits(question, "s-1")

    assert clawgit("correct", "Die Müllabfuhr kommt dienstags.", "Die Müllabfuhr kommt mittwochs.").code == 0

    assert hits(question, "s-1").splitlines()[0] == "Die Müllabfuhr kommt mittwochs."
    assert "Merk dir" not in hits(question, "s-1")
