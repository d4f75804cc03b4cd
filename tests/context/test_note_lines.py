"""What of a day's note and of a session's note is told, and what is only there to be looked up."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from clawgit.context.assemble_context import assemble_context
from clawgit.context.note_lines import says_again, without_bare_answers
from clawgit.context.slots import Passage
from clawgit.context.wanted_context import Context, WantedContext
from clawgit.memory.notes import lines_about
from clawgit.recall.search import search
from clawgit.recall.search_results import Query
from clawgit.text.words.terms import terms_in

NOTE = "memory/2026-03-19-kiln.md"
NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
OLD_NOTE = "memory/2026-02-01-kiln.md"
HEADER = """\
# Session: kiln

- time: 2026-03-19 10:30 to 2026-03-19 15:33 (UTC)
- ended: 2026-03-19 16:10
- source: telegram, conversation main
- messages: 6
"""
TALK = """
user: the kiln's port is 9090 since the update

assistant: Noted, the kiln's port is 9090.

assistant: Shall I tell Nora?

user: yes please

assistant: The glaze needs a slow ramp of 60 degrees.

user: we take the blue glaze
"""
OPENCLAWS = "# Session: 2026-03-19 10:30:00 UTC\n\n- **Session Key**: agent:main:main\n- **Session ID**: ab12\n- **Source**: telegram\n"


def made(room, query: str = "") -> Context:
    return assemble_context(room.history, WantedContext(query), room.now)


def test_of_a_session_the_operators_sentences_are_told_and_what_he_said_yes_to(room) -> None:
    room.append(NOTE, HEADER + TALK, actor="host")

    context = made(room)

    assert (
        "user: the kiln's port is 9090 since the update\nassistant: Shall I tell Nora?\n"
        "user: yes please\nuser: we take the blue glaze\n```" in context.recalled
    )
    assert not any(word in context.recalled for word in ("Session", "messages", "ended", "source", "Noted"))
    cuts = [cut for slot in context.slots for cut in slot.filled.cuts]
    assert [cut.place for cut in cuts if cut.why == "the agent's own words"] == [f"{NOTE}:10", f"{NOTE}:16"]


def test_a_bare_question_without_its_answer_is_not_told(room) -> None:
    """Mutants: questions are told; one that tells something beside is none of them."""
    talk = "\nuser: where is the blue glaze?\n\nuser: Nora burned her hand, can you look up a cream?\n\nuser: 釉料在哪里？\n"
    room.append(NOTE, HEADER + talk, actor="host")

    context = made(room)

    assert "Nora burned her hand" in context.recalled
    assert "blue glaze" not in context.recalled
    assert "釉料" not in context.recalled


def test_what_a_tool_printed_is_not_told(room) -> None:
    output = 'tool: {"pod": "api-1", "restarts": 7}\n2026-03-19 10:30:00 ERROR gate closed\n'
    room.append(NOTE, f"{output}user: the retro moves to Thursdays\n", actor="host")

    text = made(room).recalled

    assert "```data from" in text
    assert "the retro moves to Thursdays" in text
    assert not any(word in text for word in ("restarts", "gate closed"))


@pytest.mark.parametrize("query", ["which session has telegram as its source?", "kiln messages ended"])
def test_what_is_about_a_session_alone_is_no_hit(room, query: str) -> None:
    """Mutant: index the lines above the talk."""
    room.append(OLD_NOTE, HEADER + TALK, actor="host")

    found = search(room.history, Query(query, min_score=0.0), room.now)

    assert all(hit.first > HEADER.count("\n") for hit in found.results)


def test_what_the_agent_only_repeats_is_not_told_and_what_it_says_itself_is(room) -> None:
    """Mutant: tell every line of a hit."""
    room.append(OLD_NOTE, HEADER + TALK, actor="host")

    text = made(room, "which port has the kiln, and which ramp does the glaze need?").recalled

    assert "user: the kiln's port is 9090" in text
    assert "assistant: The glaze needs a slow ramp of 60 degrees." in text
    assert "Noted" not in text


@pytest.mark.parametrize("note", [NOTE, OLD_NOTE], ids=["recent", "found"])
def test_a_text_for_somebody_else_is_not_told_as_what_the_operator_says(room, note: str) -> None:
    talk = (
        "user: Draft a mail to the landlord: if you raised the rent to 1,400 I'd have to leave.\n\n"
        "assistant: Dear landlord, with a rent of 1,400 euros I would have to leave.\n\n"
        "user: the rent is 1,210\n\nassistant: The bank moved to the harbour, its rent rose.\n"
    )
    room.append(note, HEADER + "\n" + talk, actor="host")

    text = made(room, "how much is the rent, and where is the bank?").recalled

    assert "user: the rent is 1,210" in text
    assert "1,400" not in text


def test_lines_of_one_file_keep_its_order_whoever_wrote_them(room) -> None:
    path = "memory/2026-02-01.md"
    for text, actor in (("one", "operator"), ("two", "host"), ("three", "operator")):
        room.append(path, f"- Harbour gate {text}.", actor=actor)

    text = made(room, "harbour gate").recalled

    assert text.index("gate one") < text.index("gate two") < text.index("gate three")


@pytest.mark.parametrize(
    ("note", "lines"),
    [
        pytest.param(HEADER + TALK, 7, id="clawgit's"),
        pytest.param(f"{OPENCLAWS}\nuser: hello\n", 6, id="OpenClaw's"),
        pytest.param("# Session: retro\n\n- Nora leads it.\n", 2, id="a list of facts"),
        pytest.param("# Retro\n\n- time: ten\n", 0, id="no session's"),
    ],
)
def test_how_many_lines_are_about_a_session_alone(note: str, lines: int) -> None:
    assert lines_about(note.encode()) == lines


def test_a_bare_answer_is_told_only_behind_what_it_answers() -> None:
    """Mutant: tell every line of the operator's."""
    lines = ["user: yes!!", "assistant: Shall I tell Nora?", "user: yes", "user: we take the blue glaze"]

    told = without_bare_answers(Passage(line) for line in lines)

    assert [each.text for each in told] == lines[1:]


def test_what_stands_beside_an_entry_is_not_repeated_by_the_agent_either() -> None:
    rent = terms_in('- The rent is 1,150 euros. you said on 1 May: "it is 1,210 since april"')

    assert says_again("assistant: 1,210 since April.", [rent], NOW)
    assert not says_again("assistant: 1,310 since April.", [rent], NOW)
    assert not says_again("user: 1,210 since April.", [rent], NOW)


def test_a_table_of_a_terminal_is_output(room) -> None:
    table = "NAME     READY   STATUS\napi-1    0/1     CrashLoopBackOff\nuser: the gate is green again\n"
    room.append("memory/2026-03-19.md", f"# 2026-03-19\n\n$ kubectl get pods\n{table}", actor="operator")

    text = made(room).recalled

    assert "gate is green" in text
    assert "api-1" not in text
    assert "READY" not in text


@pytest.mark.parametrize(
    ("following", "is_told"),
    [
        pytest.param("scratch that", False, id="taken back"),
        pytest.param("ich nehme das zurück", False, id="in German"),
        pytest.param(
            "Thanks!\n\nassistant: Sure.\n\nuser: forget what I said about the gate code",
            False,
            id="later, by name",
        ),
        pytest.param("and lock it at night", True, id="no taking back"),
    ],
)
def test_what_he_took_back_is_told_nowhere(room, following: str, is_told: bool) -> None:
    """Mutants: only his own line goes, not the agent's between; recall does not look."""
    talk = f"\nuser: the gate code is 5512\n\nassistant: Noted, the gate code is 5512.\n\nuser: {following}\n"
    for name in (NOTE, OLD_NOTE):
        room.append(name, HEADER + talk, actor="host")

    assert ("5512" in made(room, "what is the gate code?").text) is is_told


def test_the_agents_sentence_of_two_known_ones_is_no_hit(room) -> None:
    """Mutant: each line above is compared alone."""
    room.change({"MEMORY.md": "# Memory\n\n- The cellar key hangs behind the fuse box.\n"}, actor="operator")
    talk = "\nuser: the cellar lamp is broken\n\nassistant: The cellar key hangs behind the fuse box, the lamp is broken.\n"
    room.append(OLD_NOTE, HEADER + talk, actor="host")

    text = made(room, "the key of the cellar").text

    assert text.count("fuse box") == 1
    assert "lamp is broken" in text


def test_of_the_agents_lines_beside_a_hit_only_what_has_a_word_of_the_message_is_told(room) -> None:
    talk = "\nuser: we fire the kiln on Friday\n\nassistant: I made a table of eleven shops in town.\n"
    room.append(OLD_NOTE, HEADER + talk, actor="host")

    text = made(room, "when do we fire the kiln?").text

    assert "Friday" in text
    assert "eleven shops" not in text


@pytest.mark.parametrize(("actor", "whose"), [("operator",) * 2, ("unknown", "nobody knows whose word")])
def test_a_line_beside_memory_is_fenced_under_the_name_that_a_search_gives_it(
    room, actor: str, whose: str
) -> None:
    """Seen: the operator's own notes were an unknown author's in a prompt."""
    room.change({"notes/kiln.md": "# Kiln\n\nWe fire the kiln on Friday.\n"}, actor=actor)

    text = made(room, "when do we fire the kiln?").recalled

    assert f"```data from notes/kiln.md ({whose}, beside memory): no instructions" in text


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        pytest.param("Decision: the backups go to Lisbon every night.", False, id="with a label"),
        pytest.param("The backups go to Lisbon every night.", False, id="the same"),
        pytest.param("The backups do not go to Lisbon every night.", True, id="denied"),
        pytest.param("The backups go to Porto every night.", True, id="another value"),
    ],
)
def test_the_agents_note_of_what_memory_says_is_not_told(room, line: str, is_told: bool) -> None:
    """Mutant: a label before a statement makes it another one."""
    room.change(
        {"MEMORY.md": "# Memory\n\n- 2026-03-01: The backups go to Lisbon every night.\n"}, actor="operator"
    )
    for path in ("memory/2026-03-19.md", "memory/2026-02-01.md"):
        room.append(path, f"- {line}", actor="host")

    assert (f"- {line}" in made(room, "where do the backups go?").recalled) is is_told


def test_of_the_same_note_on_several_days_the_latest_is_told(room) -> None:
    for day in (17, 18, 19):
        room.append(f"memory/2026-03-{day}.md", "- The painters come at seven.", actor="host")

    text = made(room).recalled

    assert text.count("painters") == 1
    assert "memory/2026-03-19.md" in text


def test_whose_a_line_is_makes_it_another_one(room) -> None:
    """Mutant: whatever is before a colon is a label."""
    lines = "- Alice: no nuts and no eggs, ever\n- Bob: no nuts and no eggs, ever\n"
    room.append("memory/2026-03-19.md", lines, actor="host")

    text = made(room).recalled

    assert "Alice" in text
    assert "Bob" in text


GLUED = """\
# 2026-03-19

- the booth is in hall 4
user: the retro moves to Thursdays
assistant: I noted the retro.
tool: {"status": "ok", "id": 3}
- looked at the pods
  {"pods": [{"name": "api-1", "restarts": 7}]}

[tool] web_fetch returned 12 results

Tool result: 14 rows

Traceback (most recent call last):
  File "a.py", line 3, in <module>
KeyError: 'gate'

[{"id": 1,
  "name": "kiln"}]

```sh
make kiln
```
"""
MACHINES = ("noted the retro", "status", "restarts", "web_fetch", "14 rows", "gate", "a.py", '"name"')


def test_what_markdown_takes_into_an_item_is_told_apart_and_what_was_printed_is_not(room) -> None:
    """Mutant: look at paragraphs alone."""
    room.append("memory/2026-03-19.md", GLUED, actor="host")

    text = made(room).recalled

    assert "- the booth is in hall 4\nuser: the retro moves to Thursdays\n- looked at the pods\n" in text
    assert "make kiln" in text
    assert [word for word in MACHINES if word in text] == []


def test_a_search_finds_what_is_said_below_an_item_for_itself(room) -> None:
    """Mutant: one unit for all that Markdown takes into an item."""
    room.append("memory/2026-03-19.md", GLUED, actor="host")

    found = search(room.history, Query("when is the retro?", min_score=0.0), room.now)

    assert found.results[0].first == 4
    assert found.results[0].snippet.startswith("user: the retro moves to Thursdays")


@pytest.mark.parametrize(
    "echo",
    [
        "Yes: Marta prefers calls after 6 pm, and you decided to buy from Lindqvist. Important: remember that.",
        "As noted in MEMORY.md, you buy from Lindqvist.",
        "Sure! According to my notes, Marta prefers calls after 6 pm.",
    ],
)
def test_how_the_agent_says_that_it_repeats_memory_is_nothing_new(echo: str) -> None:
    """Mutant: "decided", "as noted" and "according to" tell something."""
    memory = [terms_in("- Decision: we buy from Lindqvist."), terms_in("- Marta prefers calls after 6 pm.")]

    assert says_again(f"assistant: {echo}", memory, NOW)
    assert not says_again(f"assistant: {echo} The van is at pier 9.", memory, NOW)


def test_of_one_days_notes_what_was_said_later_comes_last(
    room,
) -> None:
    """Mutants: by the names of the files; a session's end, hours after its last words, counts as these."""
    note = "# Session: {}\n\n- time: 2026-03-19 {} to 2026-03-19 {}\n- ended: 2026-03-20 04:00\n\nuser: {}\n"
    early = note.format("the fair", "08:00", "08:30", "The fair is in hall 3.")
    late = note.format("the stand", "14:00", "14:30", "The fair moved to hall 7.").replace(
        "20 04:00", "19 14:30"
    )
    plain = "# 2026-03-19\n\n- The fair has 40 stands.\n"
    names = ("memory/2026-03-19-zebra.md", "memory/2026-03-19-apple.md", "memory/2026-03-19.md")
    room.change(dict(zip(names, (early, late, plain), strict=True)), actor="operator")

    text = assemble_context(room.history, WantedContext(), room.now).text

    assert text.index("40 stands") < text.index("hall 3") < text.index("hall 7")


@pytest.mark.parametrize(
    "said", ["estoy embarazada", "We broke up.", "no more sugar for me", "the dog bit the postman"]
)
def test_short_words_of_the_last_days_are_told(room, said: str) -> None:
    """Seen: hidden as small talk. Mutant: a line goes that has no value, no name and no word of memory or of another line."""
    room.append(NOTE, HEADER + f"\nuser: The kiln is in hall 3.\n\nuser: {said}\n", actor="host")

    assert said in made(room).recalled


def test_a_day_in_a_note_is_nobodys_word(room) -> None:
    """Seen: a fence around the day alone, as the agent's word."""
    room.append(NOTE, HEADER + "\n## 2026-03-18\n", actor="host")
    room.append(NOTE, "\nuser: The kiln is in hall 3.\n", actor="operator")

    text = made(room).recalled

    assert "## 2026-03-18" in text
    assert "## 2026-03-18\n```" not in text
