"""What the operator orders to remember is in memory when his message is answered, and the answer says where, or why not."""

from __future__ import annotations

import io
import json
import sys

import pytest

ORDER = "Don't forget: rent is due on the 1st."
KEPT = "Rent is due on the 1st."
TASK = "Remember to call mum."


def entry_of(clawgit, text: str, *more: str) -> dict:
    (kept,) = clawgit("chat", "add", text, *more, "--json").data["remembered"]
    return kept


def test_the_answer_names_the_file_the_sentence_and_what_undoes_it(clawgit, room) -> None:
    """Mutant: the order waits for the night."""
    answer = clawgit("chat", "add", ORDER).out

    (line,) = (line for line in answer.splitlines() if line.startswith("Remembered: "))
    assert line.startswith(f'Remembered: MEMORY.md "{KEPT}" (undo m:')
    assert "memory-miner" not in answer
    assert KEPT in room.read("MEMORY.md")


def test_it_rests_on_the_operators_message(clawgit) -> None:
    """Mutant: it is the host's word."""
    entry = entry_of(clawgit, ORDER)

    origin = clawgit("why", entry["undo"]).out

    assert "based on: you\n" in origin
    assert "evidence: chat:" in origin


@pytest.mark.parametrize(
    "order",
    [
        "und merk dir dass der Whitfield um 17 Uhr kommt",
        "Schreib auf: Rauchmelder Almrausch neue Batterien vor Ostern",
        "Bitte schreib dir auf, dass der Kaminkehrer blau trägt",
        "Bitte merken: der Kaminkehrer heißt Berger",
    ],
)
def test_a_german_order_is_heard_in_its_forms(clawgit, room, order: str) -> None:
    """Seen: only `stored`. Mutants: `und` before it, no comma before `dass`, the infinitive, `schreib auf`."""
    assert entry_of(clawgit, order)["path"]


def test_what_is_to_be_written_to_somebody_is_no_order_to_remember(clawgit) -> None:
    assert (
        "remembered" not in clawgit("chat", "add", "Schreib der Frau Moser, dass wir kommen", "--json").data
    )


def test_an_order_in_a_long_message_is_answered_with_its_command(clawgit) -> None:
    text = "Hi, an update. The plumber came. Also, remember that the landlord is called Herr Pichler. Bye!"

    told = clawgit("chat", "add", text).out

    assert told.endswith("To have it in MEMORY.md: clawgit remember 'The landlord is called Herr Pichler.'\n")


def test_nothing_behind_a_semicolon_is_lost(clawgit, room) -> None:
    """Mutant: a sentence ends at a semicolon, and what is behind it is nowhere."""
    clawgit("chat", "add", "Remember: the dentist is Dr. Sato; her practice is in Jena.")

    assert "The dentist is Dr. Sato; her practice is in Jena." in room.read("MEMORY.md")


def test_the_answer_has_the_words_of_the_line(clawgit, room) -> None:
    """Mutant: the mark that he says it of himself is left out of the answer."""
    answer = clawgit("chat", "add", "Remember that I like green tea.").out

    assert 'Remembered: MEMORY.md User: "I like green tea." (undo' in answer
    assert 'User: "I like green tea."' in room.read("MEMORY.md")


def test_what_goes_on_behind_the_order_is_kept_too(clawgit, room) -> None:
    """Mutants: what stands behind the first sentence is lost; its "and" is in the line."""
    text = "remember that the plumber is Paco, 600 123 456. and the wifi for guests is Mar-Azul-9"

    answer = clawgit("chat", "add", text).out

    assert [line.partition(" (")[0] for line in answer.splitlines() if line.startswith("Remembered: ")] == [
        'Remembered: MEMORY.md "The plumber is Paco, 600 123 456."',
        'Remembered: MEMORY.md "The wifi for guests is Mar-Azul-9"',
    ]
    assert "Mar-Azul-9" not in clawgit("chat", "log", "--not-kept").out


@pytest.mark.parametrize(
    "said", ["my doctor is dr. weber", "the rent is 900. it's due on the 1st", "we meet in the Abt. Einkauf"]
)
def test_no_word_of_what_it_calls_remembered_is_lost(clawgit, room, said: str) -> None:
    """Seen: `Remembered: "My doctor is dr."`. Mutant: the log of what is not kept has the words behind the full stop."""
    entry_of(clawgit, f"remember {said}")

    assert said[1:] in room.read("MEMORY.md")
    assert said.split(". ")[1] not in clawgit("chat", "log", "--not-kept").out


@pytest.mark.parametrize(
    ("behind", "why", "named"),
    [
        pytest.param("ni palabra delante de ella", '"ni palabra delante de ella" does not plainly say', "ni palabra", id="a part of the order"),
        pytest.param("and dinner maybe at eight", '"and dinner maybe at eight" does not plainly say', "and dinner", id="no plain statement"),
        pytest.param("and the wifi password is Mar-Azul-9", "a sentence behind the order holds a secret", "looks like a secret", id="a secret"),
    ],
)  # fmt: skip
def test_what_is_not_kept_of_an_order_is_named(clawgit, room, behind: str, why: str, named: str) -> None:
    """Mutants: the answer names the first sentence alone; the log of what is not kept does."""
    answer = clawgit("chat", "add", f"Remember that the plumber is Paco. {behind}").out

    assert 'Remembered: MEMORY.md "The plumber is Paco."' in answer
    assert f"Not remembered: {why}" in answer
    assert named in clawgit("chat", "log", "--not-kept").out


@pytest.mark.rest
def test_the_miner_keeps_it_no_second_time_and_brings_nothing_back(clawgit, room) -> None:
    """Mutants: the message waits for the miner; it is linked to itself; what was undone is mined again."""
    entry = entry_of(clawgit, ORDER)
    before = room.history.tip().commit_id

    clawgit("run", "recall-validator")
    clawgit("run", "memory-miner")
    assert room.history.tip().commit_id == before

    clawgit("undo", entry["undo"])
    clawgit("run", "memory-miner")
    assert KEPT not in room.read("MEMORY.md")


def test_what_is_to_be_done_is_in_the_note_of_the_day_and_its_commit_is_named(clawgit, room) -> None:
    """Mutant: an id that nothing has is named."""
    entry = entry_of(clawgit, TASK)

    assert TASK in room.read(entry["path"])
    clawgit("undo", entry["undo"])
    assert not (room.root / entry["path"]).exists()


def test_what_memory_has_already_is_said_to_be_there(clawgit) -> None:
    """Mutant: an empty answer."""
    clawgit("chat", "add", ORDER, "--id", "1")

    assert 'Known: MEMORY.md:5 "Rent is due on the 1st."' in clawgit("chat", "add", ORDER, "--id", "2").out


def test_what_may_correct_is_left_to_the_validator(clawgit, room) -> None:
    """Mutant: the old value and the new one are two entries."""
    room.change({"MEMORY.md": "# M\n\n- Rent is due on the 1st, the landlord said.\n"}, actor="operator")
    text = "No, remember: rent is due on the 2nd, and the garage on the 5th."

    answer = clawgit("chat", "add", text, "--json").data

    assert (
        answer["not_kept"] == "it may correct something, so the next jobs read it first, and correct or keep"
    )
    assert "remembered" not in answer
    assert text not in (room.read("MEMORY.md") or "")


def test_an_order_that_may_correct_a_file_beside_memory_is_kept_at_once(clawgit, room) -> None:
    """Seen: an order was in no file until the night, since a line of a runbook says otherwise. Mutant: it waits."""
    room.write("runbooks/vpn.md", "# VPN\n\nThe VPN portal is at vpn.example. Ask for access.\n")
    clawgit("keep", "--as", "operator")

    told = clawgit("chat", "add", "Remember: the VPN portal moved to vpn2.example.").out

    assert 'Remembered: MEMORY.md "The VPN portal moved to vpn2.example."' in told
    assert 'Your words now stand beside runbooks/vpn.md:3 "The VPN portal is at vpn.example.' in told
    (link,) = clawgit("corrections", "--json").data
    assert f"To rewrite the line: clawgit correct {link['id']} " in told


@pytest.mark.rest
def test_what_the_next_turn_takes_back_is_undone(clawgit, room) -> None:
    """Mutant: what was kept at once stays."""
    entry_of(clawgit, ORDER)

    told = clawgit("chat", "add", "Never mind, forget that.").out

    assert KEPT not in room.read("MEMORY.md")
    assert f'Taken back: what rested on "{ORDER}" (undo {room.head()[:12]})' in told


def test_while_the_agents_are_paused_the_order_waits_and_the_answer_says_so(clawgit, room) -> None:
    """Mutants: the message is lost; the pause does not count."""
    clawgit("pause", "moving house")

    assert "Not remembered: The jobs are paused" in clawgit("chat", "add", ORDER).out

    clawgit("resume")
    clawgit("run", "memory-miner")
    assert KEPT in room.read("MEMORY.md")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("I can't stand cilantro.", id="a fact"),
        pytest.param("The soup was great yesterday.", id="talk"),
        pytest.param("Do you remember my sister's name?", id="a question"),
    ],
)
def test_what_orders_nothing_is_left_to_the_miner(clawgit, room, text: str) -> None:
    """Mutant: each message makes a commit."""
    before = room.history.tip().commit_id

    answer = clawgit("chat", "add", text, "--json").data

    assert not {"remembered", "not_kept"} & answer.keys()
    assert room.history.tip().commit_id == before


def test_nobody_elses_order_is_kept(clawgit, room) -> None:
    """Mutant: whoever says `remember` is obeyed."""
    before = room.history.tip().commit_id

    for answer in (
        clawgit("chat", "add", ORDER, actor="host"),
        clawgit("chat", "add", ORDER, "--external"),
        clawgit("chat", "add", ORDER, "--role", "assistant"),
        clawgit("chat", "add", ORDER, "--channel", "telegram", "--sender", "99"),
    ):
        assert "Remembered" not in answer.out
    assert room.history.tip().commit_id == before


def test_what_was_said_long_ago_is_left_to_the_miner(clawgit, room) -> None:
    """Mutant: who brings in an old talk makes a commit a message."""
    before = room.history.tip().commit_id

    answer = clawgit("chat", "add", ORDER, "--at", "2026-03-19T09:00").out

    assert "The next job keeps it" in answer
    assert room.history.tip().commit_id == before


def test_a_stream_of_messages_is_left_to_the_miner(clawgit, room, monkeypatch) -> None:
    """Mutant: an old transcript makes a commit a message."""
    before = room.history.tip().commit_id
    line = json.dumps({"text": ORDER, "role": "user"}).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line)))

    answer = clawgit("chat", "add", "--jsonl")

    assert answer.code == 0, answer.err
    assert "remembered" not in answer.out
    assert room.history.tip().commit_id == before


def test_what_was_kept_at_once_is_beside_no_line_of_the_talk_before_that_shares_no_word(
    clawgit, room
) -> None:
    """Seen: a birthday stood beside the concert that the talk was about."""
    concert = "The spring concert is on Saturday 18 April 2026 at 20:00 in the Zuiderkerk."
    room.change({"MEMORY.md": f"# MEMORY\n\n- {concert}\n"}, actor="operator")

    def say(minute: int, role: str, text: str) -> None:
        at = {"CLAWGIT_NOW": f"2026-03-19T11:0{minute}:00+00:00", "CLAWGIT_REHEARSE": "1"}
        clawgit("chat", "add", "--role", role, text, environment=at)

    say(0, "user", "No, the spring concert starts at 19:30, not 20:00.")
    say(1, "assistant", "ok")
    say(2, "user", "the concert starts at 19:30 not 20:00")
    say(3, "assistant", "ok")
    say(4, "user", "Vergeet niet: Henk is op 12 maart jarig")
    say(5, "assistant", "ok")
    later = {"CLAWGIT_NOW": "2026-03-19T12:00:00+00:00", "CLAWGIT_REHEARSE": "1"}
    clawgit("run", "recall-validator", environment=later)

    assert "Henk is op 12 maart jarig" in room.read("MEMORY.md")
    assert "Henk" not in room.read("CORRECTIONS.md")


def test_the_answer_names_the_entry_that_says_what_the_line_beside_memory_says(clawgit, room) -> None:
    """Seen: MEMORY.md told the old fee in each context beside the new one. Mutant: any entry with that value."""
    fee = "The accompanist is Dirk Vlaming, 75 euro per rehearsal."
    row = "| accompanist per rehearsal | 75 | Dirk |"
    room.change({"notes/fees.md": f"| what | euro | who |\n|---|---|---|\n{row}\n"}, actor="operator")
    room.change({"MEMORY.md": f"# MEMORY\n\n- {fee}\n- The poster costs 75 euro.\n"}, actor="operator")

    answer = clawgit("chat", "add", "Remember: Dirk gets 80 euro per rehearsal from now on, he agreed").out
    clawgit("run", "recall-validator")

    assert f'MEMORY.md:3 "{fee}"' in answer
    assert "notes/fees.md:3" in answer
    assert "poster" not in answer
    assert room.read("CORRECTIONS.md").count("- status: linked") == 2


SHOP = "# M\n\n- The wheel is by the window.\n- The gallery takes 30 percent of each sale.\n"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("Remember that we are closed on Mondays", "We are closed on Mondays", id="cue"),
        pytest.param("Remember that the gallery is closed on Sundays", "The gallery is closed on Sundays", id="a line with one word of it"),
        pytest.param("Don't forget that Anna left the gallery", "Anna left the gallery", id="another order"),
        pytest.param("Note that my new number is 0170 5556677.", "my new number is 0170 5556677.", id="new"),
        pytest.param("We are closed on Mondays now, remember that please", "We are closed on Mondays now", id="order at the end"),
    ],
)  # fmt: skip
def test_an_order_with_a_word_of_change_is_kept_where_no_line_says_otherwise(
    clawgit, room, text: str, kept: str
) -> None:
    """Seen: "closed" made it "Sounds like a correction; nothing was changed", in an empty folder too.

    Mutants: the `that` of the order is a pronoun; a line that has only one word of it is enough to wait.
    """
    room.change({"MEMORY.md": SHOP}, actor="operator")

    told = clawgit("chat", "add", text).out

    assert "Remembered: MEMORY.md" in told
    assert "correct" not in told
    assert kept.casefold() in room.read("MEMORY.md").casefold()


@pytest.mark.parametrize(
    "text", ["Remember that this is wrong.", "Remember that it's the 30th now.", "It moved to Friday, remember that."]
)  # fmt: skip
def test_an_order_without_a_topic_of_its_own_waits(clawgit, room, text: str) -> None:
    room.change({"MEMORY.md": SHOP}, actor="operator")

    assert clawgit("chat", "add", text, "--json").data["not_kept"].startswith("it may correct something")
    assert room.read("MEMORY.md").count("\n- ") == SHOP.count("\n- ")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("order", "kept"),
    [
        ("The ladder is at Emil's, please remember", "The ladder is at Emil's"),
        ("I keep the key in the blue drawer — remember that please", "I keep the key in the blue drawer"),
        ("My sister's birthday is 3 June, don't forget", "My sister's birthday is 3 June"),
        ("can you remember that Lucía is vegetarian?", "Lucía is vegetarian"),
        ("Remember this for me: the boiler man is called Hervé", "The boiler man is called Hervé"),
        ("n'oublie surtout pas que Jonas habite à Lille", "Jonas habite à Lille"),
        ("Retiens ceci : la clé est chez Paul", "La clé est chez Paul"),
    ],
)
def test_the_order_is_not_in_the_line(clawgit, room, order: str, kept: str) -> None:
    """Seen: only `stored`; "what it means is not in the message"; the order's own words in memory."""
    entry_of(clawgit, order)

    assert kept in room.read("MEMORY.md")
    assert order not in room.read("MEMORY.md")
