"""`chat add` names the entries that a message may correct, and a host is told how to correct one of them.

Mutants that these tests caught: a search for every message, one without what the agent said before, one with what was
said in another conversation.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys

import pytest

from clawgit.capture.messages.incoming_message import Rules, take_down
from clawgit.capture.messages.message import ChatMessage, IncomingMessage, SignalNote
from clawgit.cli.chat.message_output import heard_lines
from clawgit.clients.host_turns import told_of
from clawgit.operations.messages import TakenDown
from clawgit.understanding.corrections.ready_commands import remember_command
from clawgit.understanding.facts.keepable_sentences import stated_in

ENTRIES = (
    "# Memory\n\n- The API listens on port 8080. <!-- m:p0rt00 -->\n- The standup starts at ten. <!-- m:stand0 -->\n"
    "- Ada lives in Leeds.\n"
)

NEXT_DAY = {"CLAWGIT_NOW": "2026-03-20T10:30:00+00:00", "CLAWGIT_REHEARSE": "1"}


@pytest.fixture
def memory(room) -> None:
    room.change({"MEMORY.md": ENTRIES}, actor="operator")


def said(clawgit, text: str, *words: str) -> list[dict[str, object]] | None:
    found = clawgit("chat", "add", text, "--json", *words).data
    return found.get("maybe_corrects")


@pytest.mark.usefixtures("memory")
def test_an_entry_is_found_by_what_the_operator_says(clawgit) -> None:
    found = said(clawgit, "No, the API is on port 9090 now.")

    assert found == [
        {"entry": "m:p0rt00", "text": "The API listens on port 8080.", "path": "MEMORY.md", "line": 3}
    ]


@pytest.mark.usefixtures("memory")
def test_the_hosts_model_is_told_the_line_as_its_tool_takes_it_and_no_id(clawgit) -> None:
    """Seen: "(m:p0rt00: The API …)" in a prompt, an id that no tool of its asks for."""
    message = clawgit("chat", "add", "No, the API is on port 9090 now.", "--json").data

    (told,) = told_of(message)

    assert 'MEMORY.md "The API listens on port 8080.".' in told
    assert f"evidence {message['id']}" in told
    assert "m:" not in told


def test_a_small_number_alone_offers_no_line(clawgit, room) -> None:
    """Seen: the 14 boxes were offered for a calendar of 14 pages."""
    room.change(
        {"MEMORY.md": "# Memory\n\n- Printed 14 boxes for shelf 14.\n- The standup starts at 9.\n"},
        actor="operator",
    )

    assert said(clawgit, "Actually the calendar has 14 pages.") == []


def test_a_numbered_thing_is_told_from_the_others_and_no_more_when_memory_says_so(clawgit, room) -> None:
    """Seen: after the model had applied it, three other items were named to it. Mutant: what memory says by now may be corrected, too."""
    lines = [f"- Tomasz keeps item {each} for the house on shelf {each}.\n" for each in (8, 15, 20)]
    lines.append("- Nora keeps item 18 for the house on shelf 1. <!-- m:item18 -->\n")
    room.change({"MEMORY.md": f"# Memory\n\n{''.join(lines)}"}, actor="operator")
    told = "Actually, item 18 for the house moved to shelf 3."
    first = clawgit("chat", "add", told, "--json").data
    assert [each["entry"] for each in first["maybe_corrects"]] == ["m:item18"]
    right = "Nora keeps item 18 for the house on shelf 3."

    clawgit("correct", "m:item18", right, "--evidence", first["id"], actor="host")

    assert right in room.read("MEMORY.md")
    for again in ("as I said, shelf 3 for item 18", told):
        assert said(clawgit, again) == []


@pytest.mark.usefixtures("memory")
def test_an_entry_is_found_by_what_the_agent_said_before_in_the_same_conversation(clawgit) -> None:
    clawgit("chat", "add", "I set the reminder for the standup.", "--role", "assistant")
    clawgit("chat", "add", "The API is up.", "--role", "assistant", "--conversation", "other")

    found = said(clawgit, "nope, nine")

    assert found is not None
    assert [each["entry"] for each in found] == ["m:stand0"]


@pytest.mark.usefixtures("memory")
def test_what_the_agent_said_the_day_before_is_not_meant(clawgit) -> None:
    """Mutant: its last turn, however old."""
    clawgit("chat", "add", "I set the reminder for the standup.", "--role", "assistant")

    answer = clawgit("chat", "add", "nope, nine", "--json", environment=NEXT_DAY)

    assert answer.data["maybe_corrects"] == []


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("Which port does the API listen on?", (), id="nothing is corrected"),
        pytest.param("Remember that the API is documented.", (), id="something to remember alone"),
        pytest.param("Don't save this: the API is on 9090 now.", (), id="an opt-out"),
        pytest.param("No, the API is on port 9090 now.", ("--role", "assistant"), id="the agent's own words"),
        pytest.param("> No, the API is on port 9090 now.", (), id="words that are quoted"),
        pytest.param("No, undo that.", (), id="a command to undo"),
    ],
)
def test_a_message_without_a_correction_gets_no_such_answer(clawgit, text, words) -> None:
    assert said(clawgit, text, *words) is None


@pytest.mark.usefixtures("memory")
def test_a_host_that_brings_a_message_is_answered_nothing(clawgit) -> None:
    added = clawgit("chat", "add", "No, the API is on port 9090 now.", "--json", actor="host")

    assert "maybe_corrects" not in added.data


def test_where_memory_has_nothing_like_it_the_answer_is_empty(clawgit) -> None:
    assert said(clawgit, "No, the ferry leaves at noon.") == []


def test_the_line_for_people_holds_the_command(clawgit, room) -> None:
    """Seen: "the next job reads it", which only put his words beside the line. Mutant: it is said so again."""
    room.change({"MEMORY.md": ENTRIES}, actor="operator")
    _, beside, offered = clawgit("chat", "add", "No, the API is on port 9090 now.").out.splitlines()
    (link,) = clawgit("corrections", "--json").data

    assert beside == (
        'Your words now stand beside MEMORY.md:3 "The API listens on port 8080.": search and prompts show both'
        f" (undo {link['id']})."
    )
    assert offered == f'To make it "The API listens on port 9090.": clawgit approve {link["id"]}'
    assert len(clawgit("chat", "add", "Hello.").out.splitlines()) == 1


@pytest.mark.rest
@pytest.mark.usefixtures("memory")
def test_lines_are_answered_with_it_too_and_nothing_is_loaded_where_nothing_was_heard(room) -> None:
    room.write("CONFIG.md", "```yaml\noperator_ids: ['cli:ada']\n```\n")
    room.git("commit", "-qam", "settings")
    texts = ("Hello.", "No, the API is on port 9090 now.")
    answers, loaded = [], []
    for text in texts:
        line = json.dumps({"id": text, "sender": "ada", "text": text}).encode()
        answer, modules = run(room, line)
        answers.append(answer)
        loaded.append("clawgit.recall.search" in modules)

    assert [[each["entry"] for each in answer.get("maybe_corrects", [])] for answer in answers] == [
        [],
        ["m:p0rt00"],
    ]
    assert loaded == [False, True]


def run(room, line: bytes) -> tuple[dict[str, list[dict[str, str]]], set[str]]:
    """Add a line in a process of its own; return its answer and the modules that it loaded."""
    code = (
        "import sys; from clawgit.__main__ import main; sys.argv = ['clawgit', 'chat', 'add', '--jsonl']; main();"
        "sys.stderr.write('\\n|' + ' '.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        input=line,
        capture_output=True,
        check=True,
        cwd=room.root,
        env={**os.environ, "CLAWGIT_ACTOR": "operator"},
    )
    return json.loads(done.stdout), set(done.stderr.decode().rpartition("\n|")[2].split())


def test_no_line_of_a_note_is_offered_and_nothing_that_shares_no_word(clawgit, room) -> None:
    """Mutants: what the search finds for want of better is offered; the agent's turn of last week is set right."""
    room.change({"memory/2026-03-18.md": "# Wednesday\n\n- Our rent is 1,240 euros.\n"}, actor="operator")
    room.change(
        {"MEMORY.md": "# M\n\n- My son is called Jonas.\n- Our EpiPen is in the red bag.\n"}, actor="operator"
    )

    told = clawgit("chat", "add", "Oh wait, the rent is 1,290 now").out.splitlines()[-1]

    assert told == (
        "Search finds it as your message. To have it in MEMORY.md: clawgit remember 'the rent is 1,290 now'"
    )
    assert said(clawgit, "Oh wait, the ferry leaves at noon now") == []


def test_an_order_about_the_agents_behaviour_is_about_no_fact(clawgit, room) -> None:
    """Mutant: `calling me honey` is about who is called Jonas."""
    room.change({"MEMORY.md": "# M\n\n- My son is called Jonas.\n"}, actor="operator")
    clawgit("chat", "add", "--role", "assistant", "Jonas is your son.")

    assert said(clawgit, "I told you to stop calling me honey.") == []
    clawgit("chat", "add", "Please always answer me in German.")
    assert "linked" not in clawgit("run", "recall-validator").out


def test_a_line_beside_memory_is_offered_with_a_command_that_works(clawgit, room) -> None:
    """Mutant: it is named by its place, which another line has after an edit."""
    room.change({"notes/kiln.md": "# Kiln\n\nThe big kiln fires at 1240 degrees.\n"}, actor="operator")
    _, beside, offered = clawgit("chat", "add", "Actually the kiln fires at 1260 degrees.").out.splitlines()
    line = "The big kiln fires at 1260 degrees."
    old = "The big kiln fires at 1240 degrees."
    (link,) = clawgit("corrections", "--json").data
    command = ["correct", link["id"], line]
    room.change({"notes/kiln.md": f"# Kiln\n\nThe glaze is white.\n\n{old}\n"}, actor="operator")

    assert f'beside notes/kiln.md:3 "{old}"' in beside
    assert offered == f'To make it "{line}": clawgit approve {link["id"]}'
    assert clawgit(*command).code == 0
    (correction,) = clawgit("corrections", "--json").data
    assert correction["said"] == "The big kiln fires at 1240 degrees."


def test_one_of_several_is_offered_with_a_command_of_its_own(clawgit, room) -> None:
    lines = "# M\n\n- The blue API is on port 8080.\n- The red API is on port 8081.\n- The gate has a port.\n"
    room.change({"MEMORY.md": lines}, actor="operator")

    told = clawgit("chat", "add", "No, the API port is 9090 now.").out.splitlines()

    assert len(told) == 5
    assert all(each.startswith("Your words now stand beside MEMORY.md:") for each in told[1::2])
    assert all(": clawgit approve x:" in each for each in told[2::2])


def test_several_that_share_one_word_alone_are_not_offered(clawgit, room) -> None:
    """Seen: `The PIN hint is the old house number.` offered three lines of shelves in the house."""
    lines = "".join(f"- {who} keeps the ladder in the house.\n" for who in ("Nora", "Emil", "Mei"))
    room.change({"MEMORY.md": f"# M\n\n{lines}"}, actor="operator")

    told = clawgit("chat", "add", "Actually the house was painted white.")

    assert "Your message may correct" not in told.out


def test_a_link_that_is_rejected_names_the_sentence_that_would_be_lost(clawgit, room) -> None:
    """Seen: the surgeon's day was nowhere after the dentist's stayed."""
    room.change({"MEMORY.md": "# M\n\n- La cita del dentista es el 3 de febrero.\n"}, actor="operator")
    said_then = "La cita del dentista del abuelo es el 9 de enero."
    clawgit("chat", "add", said_then)
    clawgit("run", "recall-validator")
    (link,) = clawgit("corrections", "--json").data

    done = clawgit("reject", link["id"])

    kept = f"memory stays as it is. To keep your sentence: clawgit remember '{said_then}'"
    assert kept in done.out + done.err


def test_a_line_that_shares_one_of_many_words_is_not_offered(clawgit, room) -> None:
    """Seen: `Emil isn't at the harbour office, he is at the town hall.` was offered for a choir in the parish hall."""
    room.change({"MEMORY.md": "# M\n\n- The choir meets in the parish hall.\n"}, actor="operator")

    told = clawgit("chat", "add", "No, Emil isn't at the harbour office, he is at the town hall.")

    assert "Your message may correct" not in told.out


def test_what_is_to_be_filled_in_is_no_line(clawgit, room) -> None:
    room.change({"MEMORY.md": "# M\n\n- The choir meets in the parish hall.\n"}, actor="operator")

    refused = clawgit("correct", "MEMORY.md:3", "NEW LINE")

    assert refused.code == 2
    assert "Write that in its place" in refused.err


def test_words_that_will_stand_beside_a_line_are_told_without_a_cue(clawgit, room) -> None:
    """Mutant: `9090 since the move, btw` is stored, and nothing is said."""
    room.change({"MEMORY.md": "# M\n\n- The staging port is 8080.\n"}, actor="operator")
    clawgit("chat", "add", "--role", "assistant", "Staging answers on port 8080.")

    told = clawgit("chat", "add", "9090 since the move, btw").out

    assert "Your words now stand beside" in told
    assert 'To make it "The staging port is 9090.": ' in told


def test_the_agents_turn_is_meant_only_by_what_is_said_right_behind_it(clawgit, room) -> None:
    """Seen: `I moved to Cologne.` was offered as a correction of a port."""
    room.change({"MEMORY.md": "# M\n\n- The staging port is 8080.\n"}, actor="operator")
    clawgit("chat", "add", "--role", "assistant", "Staging answers on port 8080.")
    clawgit("chat", "add", "Good to know.")

    assert "Your message may correct" not in clawgit("chat", "add", "I moved to Cologne.").out


@pytest.mark.parametrize(("actor", "stands"), [("host", True), ("operator", False)])
def test_words_beside_a_line_stay_when_somebody_else_rewords_it(
    clawgit, room, actor: str, stands: bool
) -> None:
    """Mutant: an agent that rewords a line is rid of what the operator said against it."""
    room.change({"MEMORY.md": "# M\n\n- The rent is 900 euros. <!-- m:aaaaaa -->\n"}, actor="operator")
    clawgit("chat", "add", "rent: 950 from May, the landlord wrote")
    clawgit("run", "recall-validator")

    room.change(
        {"MEMORY.md": "# M\n\n- The rent for the flat is 900 euros. <!-- m:aaaaaa -->\n"}, actor=actor
    )

    (hit, *_) = clawgit("memory", "search", "rent for the flat", "--json").data["results"]
    assert any("950 from May" in note for note in hit.get("beside", ())) is stands


def test_what_a_message_takes_back_is_named_at_once(clawgit, room) -> None:
    """Seen: it was not told whether "Forget what I just said …" covered anything."""
    room.change({"MEMORY.md": "# M\n\n- The concert is on 12 December.\n"}, actor="operator")
    clawgit("chat", "add", "The concert is on 13 December.")

    told = clawgit("chat", "add", "Forget what I just said about the concert.").out

    assert 'Taken back: what rested on "The concert is on 13 December."' in told
    assert "covers an earlier message only" not in told


def test_a_word_about_oneself_is_no_correction_of_somebody_elses(clawgit, room) -> None:
    """Seen: `My phone number changed, …` offered Yuki's number."""
    files = {
        "MEMORY.md": "# M\n\n- Yuki's phone number is 0341 555 0100.\n",
        "USER.md": "# User\n\n- Name: Maren\n- Phone: 0341 555 0142\n",
    }
    room.change(files, actor="operator")

    told = clawgit("chat", "add", "My phone number changed, it is 0341 555 0277 now.").out

    assert "USER.md:4" in told
    assert "Yuki" not in told


def test_what_was_taken_back_is_told_in_the_morning(clawgit, room) -> None:
    """Seen: `Nothing new.` after a correction that he took back went."""
    room.change({"MEMORY.md": "# M\n\n- The concert is on 12 December.\n"}, actor="operator")
    clawgit("chat", "add", "No, the concert is on 13 December, not 12 December.")
    clawgit("chat", "add", "Forget what I just said about the concert.")

    clawgit("run", "recall-validator")

    assert "- The concert is on 12 December." in room.read("MEMORY.md")
    told = clawgit("digest", "--since", "2026-03-18").out
    assert "- The concert: 13 December → 12 December (you) →" in told.partition("## Taken back\n")[2]


def test_a_taking_back_that_was_undone_itself_is_no_news_in_the_morning(clawgit, room) -> None:
    """Seen: `The concert is on 13 December.` below *Taken back* while memory said so again."""
    room.change({"MEMORY.md": "# M\n\n- The concert is on 12 December.\n"}, actor="operator")
    clawgit("chat", "add", "No, the concert is on 13 December, not 12 December.")
    clawgit("chat", "add", "Forget what I just said about the concert.")
    assert "## Taken back" in clawgit("digest", "--since", "2026-03-18").out

    clawgit("undo", room.head())

    assert "- The concert is on 13 December." in room.read("MEMORY.md")
    assert "## Taken back" not in clawgit("digest", "--since", "2026-03-18").out


def test_what_was_taken_back_of_a_message_that_tells_more_is_told_in_its_words(clawgit, room) -> None:
    """Seen: `taken back, as you said: "undo: the correction x:fnvft4 "The staging port is 909…", withdrawn"`."""
    room.change(
        {"MEMORY.md": "# M\n\n- The staging port is 8080.\n- The review meeting is on Wednesday.\n"},
        actor="operator",
    )
    both = "The staging port is 9090, not 8080. The review meeting is on Thursday, not Wednesday."
    clawgit("chat", "add", both)

    clawgit("chat", "add", "Scratch what I said about the port.")

    told = clawgit("digest", "--since", "2026-03-18").out
    assert (
        '## Taken back\n- The staging port: 9090 → 8080 (you: "Scratch what I said about the port.") →'
        in told
    )


def test_the_preview_of_an_undo_shows_the_line_and_not_the_ledger(clawgit, room) -> None:
    room.change({"MEMORY.md": "# M\n\n- The concert is on 12 December.\n"}, actor="operator")
    clawgit("chat", "add", "No, the concert is on 13 December, not 12 December.")
    (correction,) = clawgit("corrections", "--json").data

    shown = clawgit("undo", correction["id"], "--dry-run").out

    assert "+ - The concert is on 12 December." in shown
    assert "- trigger" not in shown


LIVED = """# Memory

- Helvetia Pharma (Basel): regulatory texts, pays 30 days net
- Nordkap: 0.19 EUR/word
- Bluebarge: 0.11 USD/character
- The piano tuner comes on 15 December at 9:00.
- Skoda Octavia, FR-KB 284, diesel
- General meeting: 26 February, Gasthaus Krone
"""


@pytest.mark.parametrize(
    ("before", "text", "lines"),
    [
        pytest.param("Helvetia Pharma is in Zug, isn't it?", "no, Basel", [], id="memory says so"),
        pytest.param("The second half is due 4 December.", "they pushed it, the 9th", ["second half due 2026-12-04"], id="a day, no rate"),
        pytest.param("", "Nordkap now pays 0.20 per word", ["Nordkap: 0.19 EUR/word"], id="this customer alone"),
        pytest.param("", "I was wrong, we still have the Skoda until Christmas, the Touran comes in January.", [], id="comes is no subject"),
        pytest.param("The general meeting is on 26 February at Gasthaus Krone.", "nein, im Hirschen", ["General meeting: 26 February, Gasthaus Krone"], id="a German name alone"),
    ],
)  # fmt: skip
def test_what_a_short_answer_may_correct(clawgit, room, before: str, text: str, lines: list[str]) -> None:
    """Seen: another customer's rate, the piano tuner for a car, and nothing at all for the place of the meeting."""
    project = "# Bluebarge GW-300, second half\n\n- second half due 2026-12-04\n"
    room.change({"MEMORY.md": LIVED, "projects/gw300.md": project}, actor="operator")
    if before:
        clawgit("chat", "add", before, "--role", "assistant")

    assert [each["text"] for each in said(clawgit, text) or []] == lines


def test_what_takes_back_is_beside_no_line(clawgit, room) -> None:
    """Seen: "forget that, Erik was only asking" stood beside the rate in every prompt."""
    room.change({"MEMORY.md": LIVED}, actor="operator")
    clawgit("chat", "add", "Nordkap now pays 0.20 per word")
    clawgit("chat", "add", "Noted: Nordkap 0.20.", "--role", "assistant")

    assert said(clawgit, "forget that, Erik was only asking") is None


@pytest.mark.parametrize(
    ("turn", "line", "is_told"),
    [
        ("Shall we meet on Thursday?", "The board meets in Zurich.", False),
        ("The board meets on Thursday, right?", "The board meets on Thursday.", True),
    ],
)
def test_a_bare_answer_is_beside_no_line_that_has_not_what_gave_way(clawgit, turn, line, is_told) -> None:
    """Seen: `No, Friday.` may correct "The board meets in Zurich.", because the agent asked whether to meet on Thursday."""
    clawgit("remember", line)
    clawgit("remember", "My dentist is Dr. Kern.")
    clawgit("chat", "add", "--role", "assistant", turn)

    assert ("Your words now stand beside" in clawgit("chat", "add", "No, Friday.").out) is is_told


@pytest.mark.parametrize("text", ["scratch that", "I take that back", "leave it as it was"])
def test_what_takes_nothing_back_is_nothing_to_remember(clawgit, text) -> None:
    """Seen: `clawgit remember 'scratch that'` was ready to be pasted. Mutant: any sentence is."""
    clawgit("remember", "The board meets in Zurich.")

    told = clawgit("chat", "add", text).out

    assert "clawgit remember" not in told
    assert "It takes nothing back" in told
    assert "clawgit remember" not in clawgit("digest", "--since", "today").out


@pytest.mark.parametrize(
    "text", ["The spa opens at 9 on Fridays. Scrap that.", "Nora prefers the spa. Forget what I said."]
)
def test_what_a_message_takes_back_itself_is_not_offered_to_be_remembered(clawgit, text: str) -> None:
    """Seen: `clawgit remember 'The spa opens …'` was the answer to "… Scrap that.".

    Mutants: `stated_in` reads all sentences; `remember_command` does.
    """
    assert "clawgit remember" not in clawgit("chat", "add", text).out
    assert (stated_in(text), remember_command(text)) == ([], "")


def test_what_is_told_of_something_else_by_name_is_put_beside_no_line(clawgit) -> None:
    """Seen: `Redis moved to port 6390` beside the port of staging. Mutants: a first word is no name; the search does not ask for it."""
    clawgit("remember", "The staging port is 8080.")

    assert "Your message may correct" not in clawgit("chat", "add", "Redis moved to port 6390.").out
    clawgit("run", "recall-validator")
    assert "6390" not in clawgit("search", "staging port").out.splitlines()[0]
    assert "staging" not in clawgit("pending").out
    assert "Your words now stand beside" in clawgit("chat", "add", "The port has changed, it is 9090.").out


def test_what_a_correction_by_id_takes_out_of_a_line_is_told(clawgit, room) -> None:
    """Seen: the command for breakfast took room 4 and Sra. Ibáñez out of memory, with no warning."""
    clawgit("remember", "Breakfast is from 8 to 10. Room 4 has no TV. Sra. Ibáñez comes on Fridays.")
    (entry,) = re.findall(r"m:[0-9a-z]+", room.read("MEMORY.md"))

    kept = clawgit(
        "correct", "Breakfast is from 8 to 10.", "Breakfast is from 8 to 11.", "--entry", entry
    ).err
    lost = clawgit("correct", entry, "Breakfast is from 7 to 11.", "--yes").err

    assert "No longer said" not in kept
    assert lost.startswith("No longer said: Room 4 has no TV. Sra. Ibáñez comes on Fridays.")


def test_the_next_job_is_named_only_where_it_may_do_something(clawgit, room) -> None:
    """Seen: "the next job reads it", and the next digest told him to do it himself. Mutant: what was flagged is always read."""
    room.change({"MEMORY.md": "# M\n\n- The plumber is Paco.\n"}, actor="operator")
    decided = "We decided on Postgres yesterday after a long talk about it"
    flagged = clawgit("chat", "add", decided).out
    kept = clawgit("chat", "add", "From now on call me Sam").out
    message = take_down(IncomingMessage("user", "No."), Rules(), room.now)
    assert isinstance(message, ChatMessage)
    message = message._replace(signal=SignalNote(validator="medium"))
    (wrong,) = heard_lines(TakenDown(message, "stored"), message)
    found = clawgit("chat", "add", "No, ask the plumber first.").out
    linked = clawgit("chat", "add", "Actually the plumber isn't Paco any more.").out

    assert (
        flagged.splitlines()[1]
        == f"Search finds it as your message. To have it in MEMORY.md: clawgit remember '{decided}'"
    )
    assert "The next job keeps it in MEMORY.md." in kept
    assert "Sounds like a correction; nothing was changed." in wrong
    assert "the next job" not in flagged + wrong
    assert (
        "Nothing was changed; the next job puts your words beside the line. Your message may correct" in found
    )
    assert "Your words now stand beside" in linked
    clawgit("run", "recall-validator")
    assert room.read("CORRECTIONS.md").count("- status: linked") == 2
    clawgit("run", "memory-miner")
    assert "Postgres" not in room.read("MEMORY.md")


CARE = "# Prices\n\n| Cake | Price | Weight |\n|---|---|---|\n| Pretzel | 0,90 € | 80 g |\n| Brioche | 6,50 € | 400 g |\n"


@pytest.mark.parametrize(
    ("agent", "text", "row"),
    [
        ("", "The pretzel costs 0.95 €, not 0.90.", "| Pretzel | 0,95 € | 80 g |"),
        ("The pretzel costs 0,90 €.", "No, 0,95 €", "| Pretzel | 0,95 € | 80 g |"),
        ("A pretzel weighs 80 g.", "No, 85 g", "| Pretzel | 0,90 € | 85 g |"),
    ],
)
def test_a_row_is_offered_with_its_cell_set_right(clawgit, room, agent: str, text: str, row: str) -> None:
    """Seen: `remember` was offered, and both prices would have stood. Mutant: euros go where the grams are."""
    room.change({"lists/prices.md": CARE}, actor="operator")
    if agent:
        clawgit("chat", "add", "--role", "assistant", agent)

    offered = clawgit("chat", "add", text).out.splitlines()[-1]

    made, _, command = offered.partition(": clawgit ")
    assert made == f'To make it "{row}"'
    assert clawgit(*shlex.split(command)).code == 0
    assert row in room.read("lists/prices.md").splitlines()
    assert len(room.read("lists/prices.md").splitlines()) == len(CARE.splitlines())


def test_where_no_model_reads_no_job_is_said_to_read_it(clawgit, room) -> None:
    """Seen: "The next job reads it", which only put the words beside the line, and a person waited for a change."""
    room.change({"MEMORY.md": "# M\n\n- The cat eats salmon.\n- The bakery opens at 7.\n"}, actor="operator")

    named = clawgit("chat", "add", "The cat doesn't eat salmon anymore, she eats tuna.").out
    clawgit("chat", "add", "--role", "assistant", "The bakery opens at 7.")
    answered = clawgit("chat", "add", "No, at 6:30").out
    clawgit("run", "recall-validator")

    for told in (named, answered):
        assert "Your words now stand beside" in told
    assert room.read("CORRECTIONS.md").count("- status: linked") == 2
    assert "salmon" in room.read("MEMORY.md")


def test_what_was_remembered_is_said_to_be_beside_a_line_only_where_it_is(clawgit, room) -> None:
    """Seen: "the next job puts your words beside the line" of a line that only a part of memory's words made near, and no job did."""
    room.change({"MEMORY.md": "# M\n\n- The heater in Almrausch must be on in winter.\n"}, actor="operator")

    beside = clawgit(
        "chat", "add", "don't forget: the heater in Almrausch must be off when nobody is there"
    ).out
    clawgit("chat", "add", "vergiss nicht: die Heizung in Almrausch muss im Sommer aus sein")
    alone = clawgit("chat", "add", "vergiss nicht, dass Sepp am Freitag um 9 kommt").out

    assert "Your words now stand beside" in beside
    assert "Almrausch" not in alone
    assert "next job" not in beside + alone
    clawgit("run", "recall-validator")
    assert room.read("CORRECTIONS.md").count("- status: linked") == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Remember: the sauna is closed on Tuesdays", id="an order"),
        pytest.param("The sauna is closed on Tuesdays.", id="a statement"),
        pytest.param("no, the sauna is closed on Tuesdays", id="in words of a correction"),
    ],
)
def test_what_memory_says_already_is_named_and_nothing_is_offered(clawgit, room, text: str) -> None:
    """Seen: "it may correct the line" that says just that, or `remember` of it. Mutant: half of two sentences is enough."""
    room.change({"MEMORY.md": "# M\n\n- The sauna is closed on Tuesdays.\n"}, actor="operator")

    more = clawgit("chat", "add", f"{text.rstrip('.')}. The pool is shut in May.").out
    (_, known) = clawgit("chat", "add", text).out.splitlines()

    assert known == 'Known: MEMORY.md:3 "The sauna is closed on Tuesdays."'
    assert "Known" not in more


def test_what_a_message_brought_is_not_what_it_may_correct(clawgit) -> None:
    """Seen: "Remembered: …", then "Your message may correct" the same line; the host's model was told so, too."""
    told = clawgit("chat", "add", "Remember: Ania has a new flat in Gdynia.")
    again = clawgit("chat", "add", "Ania has a new flat in Gdynia.", "--json").data

    assert told.out.splitlines()[1:] == [
        f'Remembered: MEMORY.md "Ania has a new flat in Gdynia." (undo {again["known"]["entry"]})'
    ]
    assert again["known"]["path"] == "MEMORY.md"


def test_of_a_row_the_model_is_told_to_send_a_sentence() -> None:
    """Seen: it was told to correct "that line", sent the row, and `memory_correct` takes none."""
    message = {"id": "chat:a", "maybe_corrects": [{"path": "a.md", "text": "| Tea | 2 |"}]}
    entry = {"id": "chat:a", "maybe_corrects": [{"path": "a.md", "text": "Tea is 2."}]}

    assert "no row" in told_of(message)[0]
    assert "no row" not in told_of(entry)[0]


@pytest.mark.parametrize(
    ("line", "is_named"),
    [("Emil keeps item 97 on shelf 12.", False), ("Emil is away until 12 December.", True), ("Emil is on holiday.", True)],
)  # fmt: skip
def test_a_day_is_set_right_beside_no_number_of_the_same_person(
    clawgit, room, line: str, is_named: bool
) -> None:
    """Seen: two lines of shelves were said to be corrected by the end of a holiday."""
    room.change({"MEMORY.md": f"- {line}\n- Mei keeps the books.\n"}, actor="operator")

    clawgit("chat", "add", "Stimmt nicht, Emil ist bis zum 14. Dezember weg, nicht bis zum 12.")
    told = clawgit("chat", "add", "That's wrong, Emil is away until 14 December, not the 12th").out

    assert ("MEMORY.md" in told.replace("To have it in MEMORY.md", "")) is is_named
    assert bool(clawgit("corrections", "--json").data) <= is_named


def test_a_bus_changes_no_shelf_of_the_same_number(clawgit, room) -> None:
    """Seen: two items were offered on shelf 16, each with a command. Mutant: a name and a denied number are a topic."""
    room.change(
        {"MEMORY.md": "- Mei keeps item 82 for the money on shelf 14.\n- Mei likes tea.\n"}, actor="operator"
    )
    clawgit("chat", "add", "Mei's bus is number 14")

    told = clawgit("chat", "add", "Mei's bus is number 16 not 14").out

    assert "shelf" not in told
    assert clawgit("corrections", "--json").data == []


def test_an_item_takes_no_line_of_another_item_with_its_new_shelf(clawgit, room) -> None:
    """Seen: the line of item 75 was offered as one of item 291. Mutant: an item's number is a value."""
    lines = (
        "- Lucía keeps item 75 for the money on shelf 7.\n- Lucía keeps item 291 for the health on shelf 2.\n"
    )
    room.change({"MEMORY.md": lines}, actor="operator")

    clawgit("chat", "add", "Lucía's shelf for item 291 is wrong, it's on 7")

    (link,) = clawgit("corrections", "--json").data
    assert link["said"] == "Lucía keeps item 291 for the health on shelf 2."


@pytest.mark.parametrize(
    ("message", "is_known"),
    [
        ("Nora's invoice 5590 is paid", False),
        ("Nora's invoice 5590 is due on 2 May", True),
        ("We pay Nora's invoice 5590 on 2 May", True),
    ],
)
def test_what_the_last_word_tells_is_news(clawgit, room, message: str, is_known: bool) -> None:
    """Seen: `Known: … due on 9 May`, and a search hid that it was paid. Mutant: a light word never tells anything."""
    room.change({"MEMORY.md": "- Nora: invoice 5590 due on 2 May\n"}, actor="operator")

    told = clawgit("chat", "add", message).out

    assert ("Known:" in told) is is_known
    assert ("the next job puts your words beside the line" in told) is not is_known


@pytest.mark.parametrize("message", ["Nora is allergic to walnuts too", "Nora is also allergic to walnuts"])
def test_an_addition_corrects_no_line(clawgit, room, message: str) -> None:
    """Seen: "Your message may correct MEMORY.md:3", with a command that would take the hazelnuts out."""
    room.change({"MEMORY.md": "- Nora is allergic to hazelnuts.\n"}, actor="operator")

    assert "may correct" not in clawgit("chat", "add", message).out


def test_a_number_of_another_thing_in_the_line_makes_nothing_known(clawgit) -> None:
    """Seen: `Known: … titebond 3, shelf 2`."""
    clawgit("remember", "The glue for outside is titebond 3, shelf 2")

    assert "Known" not in clawgit("chat", "add", "titebond is on shelf 3 now").out


def test_an_age_is_no_opening_hour_that_is_known(clawgit) -> None:
    """Seen: `Known: … Opening hours …`, of a child's age."""
    clawgit("remember", "The bakery opens on Tuesday 7:00-14:00")

    assert "Known" not in clawgit("chat", "add", "she's 7").out


def test_another_friday_of_the_month_is_news_and_so_is_the_monday_behind_it(clawgit) -> None:
    """Seen: `Known: … the last Friday`, and `clawgit remember 'the first monday'`."""
    clawgit("remember", "Joanna does the books on the last Friday of the month")

    for text in ("Joanna moved the books to the first friday", "no sorry, the first monday"):
        assert "Your words now stand beside MEMORY.md" in clawgit("chat", "add", text).out


def test_who_denies_a_name_of_one_line_alone_speaks_of_it_and_who_laughs_does_not(clawgit, room) -> None:
    """Seen: the line stood without a word beside it; a joke stood beside a line in every prompt."""
    clawgit("remember", "Feature flags live in Figma.")
    clawgit("remember", "The database of the shop runs on Postgres 14.")

    denied = clawgit("chat", "add", "We no longer use Figma.").out
    joke = clawgit("chat", "add", "Our database obviously runs on a potato haha").out

    assert "Figma" in denied
    assert "MEMORY.md:" not in joke
