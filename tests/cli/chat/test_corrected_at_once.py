"""What a message plainly corrects is right in memory when it is answered, and the answer says so."""

from __future__ import annotations

import shlex

import pytest

from clawgit.clients.host_turns import told_of

LINE = "staging site: nginx on box2, port 8080, basic auth"
NOW = "staging site: nginx on box2, port 9090, basic auth"
SHUT = "Werkstatt: dienstags zu, freitags bis 20 Uhr"
SAID = "No, the staging site listens on port 9090, not 8080."


NEXT_DAY = {"CLAWGIT_NOW": "2026-03-20T10:30:00+00:00", "CLAWGIT_REHEARSE": "1"}


@pytest.fixture
def memory(clawgit, lived_once) -> None:
    def life() -> None:
        clawgit("remember", LINE)
        clawgit("remember", SHUT)

    lived_once("two lines", life)


@pytest.mark.usefixtures("memory")
def test_a_plain_correction_is_made_at_once_and_undone(clawgit, room) -> None:
    """Mutant: it waits for the night."""
    answer = clawgit("chat", "add", SAID).out

    (line,) = (line for line in answer.splitlines() if line.startswith("Corrected: "))
    assert line.startswith(f'Corrected: MEMORY.md "{LINE}" → "{NOW}" (undo x:')
    assert "Triage" not in answer
    assert NOW in room.read("MEMORY.md")
    clawgit("undo", line.rpartition("undo ")[2].rstrip(")"))
    assert LINE in room.read("MEMORY.md")
    assert NOW not in room.read("MEMORY.md")


def test_a_part_of_a_line_of_his_that_he_corrects_stays_his_word(clawgit, room) -> None:
    """Seen: `understood` in the marks, as if a reader had made it. Mutant: only a whole line is known as the corrected one."""
    room.append("MEMORY.md", "- The staging port is 8080 and the admin port is 8090.\n", actor="operator")

    clawgit("chat", "add", "no, the admin port is 8091, not 8090")

    text = room.read("MEMORY.md")
    assert "the admin port is 8091." in text
    assert "understood" not in text


@pytest.mark.parametrize("line", ["Release branch: train-7.", "The release branch is train-7."])
def test_a_value_of_a_word_and_a_number_is_set_right_at_once(clawgit, room, line: str) -> None:
    """Seen: `train-7` was no value, so that the correction waited for the night, and of a line with a label found nothing.

    Mutant: only capital letters and digits make one (`A-17`).
    """
    clawgit("remember", line)

    clawgit("chat", "add", "No, the release branch is train-8, not train-7.")

    assert line.replace("7", "8") in room.read("MEMORY.md")


@pytest.mark.usefixtures("memory")
def test_a_correction_in_which_triage_hears_nothing_is_made_too(clawgit, room) -> None:
    """Mutant: only what has a cue corrects."""
    (made,) = clawgit("chat", "add", "Die Werkstatt ist montags zu, nicht dienstags.", "--json").data[
        "corrected"
    ]

    assert (made["path"], made["before"], made["text"]) == (
        "MEMORY.md",
        SHUT,
        SHUT.replace("dienstags", "montags"),
    )


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    "text",
    [
        "Isn't the staging site on port 9090, not 8080?",
        "The demo site listens on port 9090, not 8080.",
        "Jonas says the staging site listens on port 9090, not 8080.",
    ],
)
def test_what_is_not_plain_changes_no_line(clawgit, room, text: str) -> None:
    answer = clawgit("chat", "add", text, "--json").data

    assert "corrected" not in answer
    assert LINE in room.read("MEMORY.md")


@pytest.mark.usefixtures("memory")
def test_what_was_brought_in_is_corrected_by_the_next_run(clawgit, room) -> None:
    """Mutant: the validator reads only what has a cue."""
    clawgit(
        "chat",
        "add",
        "Die Werkstatt ist montags zu, nicht dienstags.",
        "--at",
        "2026-03-19T22:00:00",
        environment=NEXT_DAY,
    )
    assert SHUT in room.read("MEMORY.md")

    clawgit("run", "recall-validator", environment=NEXT_DAY)

    assert "Werkstatt: montags zu" in room.read("MEMORY.md")


def test_an_order_to_remember_that_denies_the_value_of_a_line_corrects_it(clawgit, room) -> None:
    """Seen: `Not remembered: it may correct something`, and the next job kept a second line. Mutant: it corrects a line without that value."""
    room.change({"MEMORY.md": "- Ollie charges 280 a day.\n- Bea charges 290 a day.\n"}, actor="operator")

    clawgit("chat", "add", "remember that Ollie charges 300 a day, not 280")
    told = clawgit("chat", "add", "remember that Bea charges 310 a day, not 270").out

    assert "- Ollie charges 300 a day." in room.read("MEMORY.md")
    assert "Corrected:" not in told
    assert "- Bea charges 290 a day." in room.read("MEMORY.md")


@pytest.mark.usefixtures("memory")
def test_an_order_beside_a_correction_is_kept_at_once_too(clawgit, room) -> None:
    """Seen: the validator was said to read the message first, and had just done so.

    Mutant: a message that corrected is read no further.
    """
    answer = clawgit("chat", "add", f"{SAID} Remember that the plumber comes on Friday.").out

    assert answer.count("Corrected: ") == answer.count("Remembered: ") == 1
    assert "Not remembered" not in answer
    assert "plumber" in room.read("MEMORY.md")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("turn", "is_made"),
    [
        ("Pasta needs 20 minutes.", True),
        ("20 minutes.", True),
        ("The bus ride takes 20 minutes.", False),
        ("Die Busfahrt dauert 20 Minuten.", False),
    ],
)
def test_what_was_said_of_something_else_changes_no_line_that_has_the_same_value(
    clawgit, room, turn: str, is_made: bool
) -> None:
    """Seen: the minutes of the bus were written into the line about pasta."""
    clawgit("remember", "Pasta cooks for 20 minutes.")
    clawgit("chat", "add", "--role", "assistant", turn)

    answer = clawgit("chat", "add", "No, it takes 45 minutes, not 20 minutes.", "--json").data

    assert ("corrected" in answer) is is_made
    assert ("Pasta cooks for 45 minutes." in room.read("MEMORY.md")) is is_made


@pytest.mark.usefixtures("memory")
def test_an_order_to_forget_beside_a_correction_is_answered(clawgit) -> None:
    """Seen: the answer had the correction, and not a word of the order."""
    clawgit("remember", "Gym on Mondays.")

    answer = clawgit("chat", "add", f"{SAID} Forget the gym.").out

    assert "Corrected: " in answer
    assert 'You ask to forget "gym". Nothing was removed.' in answer
    assert "  clawgit forget m:" in answer


@pytest.mark.parametrize(
    ("line", "said", "right"),
    [
        (
            "The depot, which opens at 8:00, is in Graz.",
            "No, the depot opens at 8:30, not 8:00.",
            "The depot, which opens at 8:30, is in Graz.",
        ),
        (
            "The mechanic is Olga, and comes on Mondays.",
            "No, the mechanic comes on Tuesdays, not on Mondays.",
            "The mechanic is Olga, and comes on Tuesdays.",
        ),
        (
            "Standup is on Monday, but the retro is on Friday at 10:00.",
            "No, the retro is at 11:00, not 10:00.",
            'the retro is on Friday at 11:00. (behind "Standup is on Monday, but")',
        ),
    ],
)
def test_a_correction_says_in_the_prompt_of_what_it_is(clawgit, line: str, said: str, right: str) -> None:
    """Seen: "opens at 8:30, is in Graz." among the corrections of every prompt. Mutant: the whole line is, always."""
    clawgit("remember", line)
    assert "Corrected: " in clawgit("chat", "add", said).out

    prompt = clawgit("context", "--query", "hm").out

    assert prompt.partition("# Corrections by your operator\n\n")[2].splitlines()[0].endswith(f": {right}")


def test_a_hit_of_a_corrected_part_is_the_line_in_force(clawgit) -> None:
    """Seen: `the bill is 194 euros.` for the question when the bicycle is ready, without whose bill it is."""
    clawgit(
        "chat", "add", "Remember that Frau Petersen's Gazelle is ready on Thursday, the bill is 184 euros."
    )
    clawgit("chat", "add", "No, wait: 194 euros, not 184.")

    found = clawgit("search", "when is the Gazelle ready").out

    assert "  > Frau Petersen's Gazelle is ready on Thursday, the bill is 194 euros.\n" in found
    assert "    instead of: the bill is 184 euros." in found


@pytest.mark.parametrize(
    ("line", "said", "right"),
    [
        ("Mi vuelo sale a las 7:15.", "Mi vuelo sale a las 9:40, no a las 7:15.", "Mi vuelo sale a las 9:40."),
        ("La reunión es el martes.", "La reunión es el jueves, no el martes.", "La reunión es el jueves."),
        ("Los jueves empezamos a las 10.", "Perdona, los jueves empezamos a las 11, no a las 10", "Los jueves empezamos a las 11."),
        ("La ITV del coche caduca el 3 de marzo.", "la itv caduca el 13 no el 3", "La ITV del coche caduca el 13 de marzo."),
        ("Le bail du garage finit le 3 mars.", "le bail finit le 13 pas le 3", "Le bail du garage finit le 13 mars."),
        ("Tomasz ma numer 600 700 800.", "Nie, Tomasz ma numer 601 700 800, a nie 600 700 800.", "Tomasz ma numer 601 700 800."),
        ("Okno nie jest w piątek.", "Nie, okno nie jest w sobotę, tylko w piątek.", "Okno nie jest w piątek."),
        ("Tomáš má číslo 600 700 800.", "Ne, Tomáš má číslo 601 700 800, ne 600 700 800.", "Tomáš má číslo 601 700 800."),
        ("Тарас має номер 600 700 800.", "Ні, Тарас має номер 601 700 800, а не 600 700 800.", "Тарас має номер 601 700 800."),
    ],
)  # fmt: skip
def test_a_plain_correction_in_other_languages_is_made_at_once(
    clawgit, room, line: str, said: str, right: str
) -> None:
    """Seen: `no el martes` denied nothing, as `pas le mardi` does; in Polish, Czech and Ukrainian nothing was heard.

    `el 13 no el 3` took no month from the line.
    Mutants: `a nie`, `ne` and `а не` deny nothing; a "Perdona," is no cue.
    """
    clawgit("remember", line)

    clawgit("chat", "add", said)

    assert right in room.read("MEMORY.md")


@pytest.mark.usefixtures("memory")
def test_what_a_message_takes_back_is_undone_at_once_and_nothing_else_is_offered(clawgit, room) -> None:
    """Seen: the correction was first in search until the next job, and the message was offered to correct the line."""
    clawgit("chat", "add", SAID)

    told = clawgit("chat", "add", "Scratch that.").out

    assert f'Taken back: MEMORY.md "{NOW}" → "{LINE}" (undo {room.head()[:12]})' in told
    assert "Your message may correct" not in told
    assert LINE in clawgit("search", "staging site port").out.splitlines()[1]
    assert "There was nothing to change." in clawgit("run", "recall-validator").out
    clawgit("undo", room.head())
    assert NOW in room.read("MEMORY.md")


@pytest.mark.usefixtures("memory")
def test_what_a_taking_back_says_besides_is_still_heard(clawgit, room) -> None:
    """Mutant: what takes back says nothing else."""
    clawgit("chat", "add", SAID)

    told = clawgit("chat", "add", "Scratch that. The staging site listens on port 7070, not 8080.").out

    assert f'Taken back: MEMORY.md "{NOW}" → "{LINE}"' in told
    assert f'Corrected: MEMORY.md "{LINE}" → "{LINE.replace("8080", "7070")}" (undo x:' in told


@pytest.mark.usefixtures("memory")
def test_the_older_value_does_not_hold_again_where_he_denies_it_too(clawgit, room) -> None:
    """Mutants: 8080 holds again; it is said that something was taken back."""
    clawgit("chat", "add", SAID)

    told = clawgit("chat", "add", "Scratch that, it does not listen on 8080 either.")
    data = clawgit("chat", "add", "Scratch that, it never did listen on 8080.", "--json").data

    assert NOW in room.read("MEMORY.md")
    assert "Taken back" not in told.out
    assert "undoes it" not in told.out
    assert "took_back" not in data


@pytest.mark.usefixtures("memory")
def test_the_job_that_takes_back_prints_the_line_that_holds_now(clawgit) -> None:
    """Seen: `1 line removed`, and never what came back."""
    clawgit("chat", "add", SAID, "--at", "2026-03-20T08:00:00+00:00", environment=NEXT_DAY)
    clawgit("run", "recall-validator", environment=NEXT_DAY)
    clawgit("chat", "add", "Scratch that.", "--at", "2026-03-20T08:05:00+00:00", environment=NEXT_DAY)

    told = clawgit("run", "recall-validator", environment=NEXT_DAY).out

    assert f'MEMORY.md says "{LINE}" again' in told


def test_what_was_committed_before_a_correction_is_said_and_that_an_older_text_is_staged(
    clawgit, room
) -> None:
    """Seen: nothing was said, and the `git commit` of what was staged took the correction out again."""
    clawgit("remember", "The staging port is 8080.")
    room.write("MEMORY.md", room.read("MEMORY.md") + "- Anna likes tea.\n")
    room.git("add", "MEMORY.md")
    room.write("MEMORY.md", room.read("MEMORY.md") + "- Bo owns a boat.\n")

    told = clawgit("chat", "add", "The staging port is 9090, not 8080.").err

    assert "Committed first: MEMORY.md." in told
    assert "MEMORY.md: an older text is staged." in told
    for said in ("Scratch that.", "Remember: Eve likes plums.", "Forget that Anna likes tea."):
        room.write("MEMORY.md", room.read("MEMORY.md") + f"- Before {said}\n")
        assert "Committed first: MEMORY.md." in clawgit("chat", "add", said).err


def test_what_stays_of_what_was_taken_back_is_said(clawgit, room) -> None:
    """Seen: `Taken back: what rested on "The staging port is 9090, …"`, and the line read 9091."""
    clawgit("remember", "The staging port is 8080.")
    clawgit("chat", "add", "The staging port is 9090, not 8080.")
    room.write("MEMORY.md", room.read("MEMORY.md").replace("9090", "9091"))
    clawgit("keep", "--as", "operator")

    told = clawgit("chat", "add", "Scratch that.").out

    assert "9091" in room.read("MEMORY.md")
    assert "was changed again since, so it stays as it is now." in told


@pytest.mark.parametrize(
    ("value", "again"),
    [
        ("8080.", '"The review is on Thursday." → "The review is on Wednesday."'),
    ],
)
def test_of_a_message_that_took_one_back_and_names_the_old_value_of_another_the_taking_back_is_said(
    clawgit, room, value: str, again: str
) -> None:
    """Seen: `Nothing was changed.`, and the review was on Wednesday again; it was, too, where 8080 is said to hold."""
    clawgit("remember", "The staging port is 8080.")
    clawgit("remember", "The review is on Wednesday.")
    clawgit("chat", "add", "The staging port is 9090, not 8080.")
    clawgit("chat", "add", "The review is on Thursday, not Wednesday.")

    told = clawgit("chat", "add", f"Scratch that. {value}").out

    assert again.rpartition('"')[0].rpartition('"')[2] in room.read("MEMORY.md")
    assert "Nothing was changed." not in told
    assert again in told


def test_a_line_that_his_taking_back_took_out_is_undone_by_him(clawgit) -> None:
    """Seen: `undone (recall-validator)`, and not a word of the message."""
    clawgit("chat", "add", "Remember: the VPN is called Hydra.")
    clawgit("chat", "add", "forget that")

    (undone,) = clawgit("log", "-n", "1", "--json").data["rows"]

    assert (undone["verb"], undone["before"]) == ("undone", "The VPN is called Hydra.")
    assert (undone["whose"], undone["quote"]) == ("operator", "forget that")


@pytest.mark.parametrize("said", ["Please undo that.", "Annule ça.", "Mach das rückgängig."])
def test_what_was_kept_at_once_is_taken_back_once_and_then_it_is_said_that_nothing_was_undone(
    clawgit, room, said: str
) -> None:
    """Seen: nothing was undone, and nobody told so; "Undo that." took back these words.

    Mutants: the digest offers to remember it; the host's model is told nothing; where one was undone, the next undoes that.
    """
    clawgit("chat", "add", "Remember: the spare key is in the blue tin.")

    back = clawgit("chat", "add", said, "--json").data
    again = clawgit("chat", "add", "Undo that.", "--json").data

    assert back["took_back"]["undo"] == room.head()[:12]
    assert "spare key" not in room.read("MEMORY.md")
    assert "took_back" not in again
    assert "nothing was undone" in " ".join(told_of(again))
    assert f"remember '{said}" not in clawgit("digest", "--since", "2026-03-18").out


@pytest.mark.parametrize(
    "said", ["Deshaz lo último", "undo that last one", "Mach die letzte Änderung rückgängig."]
)
def test_an_order_to_undo_the_last_change_takes_no_words_back_and_names_the_log(
    clawgit, room, said: str
) -> None:
    """Seen: "Deshaz lo último" took back the sentence before, which had changed nothing."""
    clawgit("remember", "The spare key is in the blue tin.")
    clawgit("chat", "add", "The school comes on 4 December.")

    told = clawgit("chat", "add", said).out

    assert "It takes nothing back: what it means is not plain. `clawgit log` lists each change" in told
    assert "spare key" in room.read("MEMORY.md")


def test_an_order_to_drop_a_thing_never_said_offers_no_undo_of_another(clawgit, room) -> None:
    """Seen: the undo of an invoice's correction was offered for words about Tuesday."""
    clawgit("remember", "The spare key is in the blue tin.")

    told = clawgit("chat", "add", "das mit dem Dienstag stimmt nicht, vergiss es").out

    assert "It takes nothing back: what it means is not plain." in told
    assert "clawgit undo " + room.head()[:12] not in told


def test_a_question_is_not_taken_back_and_both_are_told_that_nothing_was(clawgit, room) -> None:
    """Seen: `It takes back "Where is the spare key?"`, and a search marked the question. Mutant: the model is told nothing."""
    clawgit("chat", "add", "Remember: the spare key is in the blue tin.")
    clawgit("chat", "add", "Where is the spare key?")

    told = clawgit("chat", "add", "Undo that.").out
    data = clawgit("chat", "add", "Take that back.", "--json").data

    assert "It takes nothing back" in told
    assert "nothing was undone" in " ".join(told_of(data))
    assert "spare key" in room.read("MEMORY.md")
    assert "you took this back" not in clawgit("search", "spare key").out


def test_what_holds_in_one_season_alone_is_not_made_at_once(clawgit, room) -> None:
    """Seen: "The bakery opens at 8.", as his word. Mutant: a season is a word like any other."""
    clawgit("remember", "The bakery opens at 7.")

    told = clawgit("chat", "add", "No, the bakery opens at 8, not 7, in winter.").out

    assert "Corrected" not in told
    assert "The bakery opens at 7." in room.read("MEMORY.md")


TABLE = "# Prices\n\n| Bread       | Price  | Weight |\n|-------------|-------:|--------|\n| Rye bread   | 4,20 € | 750 g  |\n| Spelt bread | 5,10 € | 500 g  |\n"


@pytest.mark.parametrize(
    ("path", "before", "said", "old", "new"),
    [
        ("lists/prices.md", TABLE, "Rye bread costs 4,50 €, not 4,20 €.", "| 4,20 € |", "| 4,50 € |"),
        (
            "lists/prices.md",
            TABLE,
            "The weight of rye bread is 800 g, not 750 g.",
            "| 750 g  |",
            "| 800 g  |",
        ),
        (
            "lists/team.md",
            "| Name | Manager | Room |\n|---|---|---|\n| Alice | Bob | 14 |\n",
            "Alice's room is 12, not 14.",
            "14",
            "12",
        ),
        (
            "guests/hotel-adler.md",
            "# Hotel Adler\n\nThey order 60 rolls a day.\n",
            "Hotel Adler orders 80 rolls a day now, not 60.",
            "60",
            "80",
        ),
        (
            "notes/maison.md",
            "# Maison de vacances\n\nLe loyer est de 700 euros par semaine.\n",
            "Le loyer de la maison de vacances est de 750 euros par semaine, pas 700.",
            "700",
            "750",
        ),
        ("memory/prices.md", TABLE, "Rye bread costs 4,50 €, not 4,20 €.", "4,20 €", "4,50 €"),
        (
            "MEMORY.md",
            "# Memory\n\nThe kiln needs 32 amps.\n\n- We open at 10. <!-- m:aaaaaa -->\n",
            "No, the kiln needs 40 amps, not 32.",
            "32",
            "40",
        ),
        (
            "memory/laden.md",
            "# Laden\n\nDie Werkstatt macht um 10 Uhr auf.\nDie Miete beträgt 900 Euro.\n",
            "Nein, die Miete beträgt 950 Euro, nicht 900.",
            "900",
            "950",
        ),
        (
            "memory/taller.md",
            "---\ntitle: taller\n---\nEl alquiler del taller es de 500 euros.\n",
            "No, el alquiler del taller es de 550 euros, no de 500.",
            "500",
            "550",
        ),
    ],
)
def test_a_cell_and_a_line_below_its_heading_are_set_right_in_their_file(
    clawgit, room, path: str, before: str, said: str, old: str, new: str
) -> None:
    """Seen: of a table nothing was named, and `remember` was offered. Mutants: a row needs two of its words; what is above a line is strange to it."""
    room.change({path: before}, actor="operator")

    told = clawgit("chat", "add", said).out

    assert f"Corrected: {path} " in told
    assert room.read(path) == before.replace(old, new)
    clawgit("undo", told.rpartition("undo ")[2].rstrip(")\n"))
    assert room.read(path) == before


@pytest.mark.parametrize(
    "said",
    [
        "No, the oven needs 40 amps, not 32.",
        "The neighbour's kiln needs 40 amps, not 32.",
        "Der Brennofen der Nachbarn braucht 40 Ampere, nicht 32.",
        "If the kiln needs 40 amps, not 32, we need another cable.",
        "Is it true that the kiln needs 40 amps, not 32?",
        "No, the lamp costs 45 euros, not 40.",
        "No, the key is in drawer 8, not 7.",
    ],
)
def test_prose_of_memory_about_something_else_and_comments_stay(clawgit, room, said: str) -> None:
    """Mutants: prose needs only the old value; a comment is prose."""
    memory = (
        "# The lamp costs 40 euros\n\nThe kiln needs 32 amps.\n\n<!-- The key is in drawer 7. -->\n\n"
        "<!--\nThe key is in drawer 7.\n-->\n"
    )
    room.change({"MEMORY.md": memory, "memory/2026-03-01.md": "The lamp costs 40 euros.\n"}, actor="operator")

    assert "Corrected" not in clawgit("chat", "add", said).out
    assert room.read("MEMORY.md") == memory


@pytest.mark.parametrize(
    "said",
    [
        "The shop next door sells rye bread for 4,50 €, not 4,20 €.",
        "Hotel Krone orders 80 rolls a day now, not 60.",
        "If rye bread costs 4,50 €, not 4,20 €, we sell less.",
        "Write an invoice over 4,50 € for a rye bread, not 4,20 €.",
        "Rye bread costs 4,50 €, not 4,00 €.",
        "Alice's manager is in room 12, not 14.",
        "Alice's manager has the phone 4712, not 4711.",
        "In other projects the budget is 5000 euros, not 9000 euros.",
    ],
)
def test_a_cell_or_a_line_of_something_else_stays(clawgit, room, said: str) -> None:
    files = {
        "lists/prices.md": TABLE,
        "guests/hotel-adler.md": "# Hotel Adler\n\nThey order 60 rolls a day.\n",
        "lists/team.md": "| Name | Manager | Room | Phone |\n|---|---|---|---|\n| Alice | Bob | 14 | 4711 |\n",
        "projects/shop.md": "# Shop\n\nThe budget is 9000 euros.\n",
    }
    room.change(files, actor="operator")

    assert "Corrected" not in clawgit("chat", "add", said).out
    for path, text in files.items():
        assert room.read(path) == text


def test_a_comment_that_the_agent_opened_is_not_in_the_ledger(clawgit, room) -> None:
    """Seen: what stands behind it would be hidden."""
    clawgit("remember", "The piano lesson costs 40 euros.")
    clawgit("chat", "add", "--role", "assistant", "The piano lesson costs <!-- 40 euros.")

    clawgit("chat", "add", "No, the piano lesson costs 45 euros, not 40.")

    assert "- said: The piano lesson costs 40 euros." in room.read("CORRECTIONS.md")


def test_the_value_behind_went_up_to_is_replaced_alone(clawgit, room) -> None:
    """Seen: "went up to 34 EUR" became "went 35 EUR"."""
    clawgit("remember", "The lesson fee went up to 34 EUR per 45 min in January.")

    clawgit("chat", "add", "The lesson fee is 35 EUR, not 34.")

    assert "went up to 35 EUR per 45 min" in room.read("MEMORY.md")


def test_a_bound_that_his_sentence_has_not_is_no_value_to_replace(clawgit, room) -> None:
    clawgit("remember", "A lesson takes up to 34 minutes.")

    assert "Corrected" not in clawgit("chat", "add", "A lesson takes 35 minutes, not 34.").out
    assert "up to 34 minutes" in room.read("MEMORY.md")


FEES = "# Fees\n\n| Pupil | Lesson | per month |\n|---|---|---|\n| Yasmin Öztürk | 60 min | 204 |\n| Mads Bruun | 45 min | 136 |\n| Mads Lind | 45 min | 136 |\n| Ole Bo | 30 min | 99 |\n"


@pytest.mark.parametrize(
    "text",
    [
        "Yasmin pays 210 per month, not 204.",
        "Mads pays 140 per month, not 136.",
        "Yasmin pays 210 per month.",
        "Ole's brother pays 90, not 99.",
        "Yasmin lives at number 210, not 204.",
        "Yasmin is 210 now, not 204.",
    ],
)
def test_a_row_is_set_right_by_its_whole_name_alone(clawgit, room, text: str) -> None:
    """Seen: where she lives became what she pays."""
    room.change({"pupils/fees.md": FEES}, actor="operator")

    assert "Corrected" not in clawgit("chat", "add", text).out
    assert room.read("pupils/fees.md") == FEES


STARTS = "The deploy freeze starts Friday at 16:00."
LATER = "The deploy freeze starts Friday at 14:30."
TALK = ("chat", "add", "--conversation", "ops")


@pytest.fixture
def freeze(clawgit) -> None:
    clawgit("remember", STARTS)
    clawgit("remember", "The regatta is on 10 May.")


@pytest.mark.usefixtures("freeze")
def test_the_old_value_right_behind_a_correction_undoes_it(clawgit, room) -> None:
    """Seen: `quatsch, doch der 12.12.` was only stored. Mutants: what the line said before is not asked; more is offered."""
    clawgit(*TALK, "The deploy freeze starts Thursday, not Friday.")

    answer = clawgit(*TALK, "no wait, Friday was right, just called them").out

    assert f'→ "{STARTS}" (undo ' in answer
    assert "may correct" not in answer
    assert STARTS in room.read("MEMORY.md")


@pytest.mark.usefixtures("freeze")
@pytest.mark.parametrize(
    "first",
    ["The deploy freeze starts Friday at 14:00, not 16:00.", "Wrong. The freeze starts Friday at 14:00"],
)
def test_another_value_right_behind_a_correction_or_an_offer_is_offered_as_the_whole_line(
    clawgit, room, first: str
) -> None:
    """Seen: `no, 14:30` was about nothing. Mutant: it is made at once."""
    clawgit(*TALK, first)
    before = room.read("MEMORY.md")

    command = clawgit(*TALK, "no, 14:30").out.rpartition(": clawgit ")[2]

    assert room.read("MEMORY.md") == before
    clawgit(*shlex.split(command))
    assert LATER in room.read("MEMORY.md")


@pytest.mark.usefixtures("freeze")
@pytest.mark.parametrize(
    ("between", "said"),
    [
        ("", "no, Friday I fly to Rome"),
        ("", "no, the 14:30 train is fine"),
        ("", "no, Friday?"),
        ("", "no, before Friday"),
        ("", "no Friday"),
        ("Done. Shall I remind you on Thursday?", "no, Friday"),
        ("Done. Should the review move, too? Else it stays on Wednesday.", "no, Friday"),
        ("Noted. Review is on Wednesday then, I put it in.", "no, Friday"),
    ],
)
def test_what_may_be_about_something_else_is_no_second_word(clawgit, room, between: str, said: str) -> None:
    """Mutants: whatever has a value of the kind is one; what the agent said between is none."""
    clawgit(*TALK, "The deploy freeze starts Thursday, not Friday.")
    if between:
        clawgit(*TALK, "--role", "assistant", between)
    before = room.read("MEMORY.md")

    answer = clawgit(*TALK, said).out

    assert room.read("MEMORY.md") == before
    assert "Taken back" not in answer


def test_a_day_of_a_month_with_a_stop_has_one_stop(clawgit, room) -> None:
    clawgit("remember", "Die Treppe für Dirks muss am 12.12. fertig sein.")

    clawgit("chat", "add", "nein, die Treppe für Dirks muss am 5.12. fertig sein, nicht am 12.12.")

    assert "muss am 5.12. fertig sein." in room.read("MEMORY.md")


@pytest.mark.parametrize(
    ("line", "said", "old", "new"),
    [
        (
            "The shop opens at 10:00. The rent is 840 euros. Nora has the key.",
            "No, the rent is 860 euros, not 840.",
            "840",
            "860",
        ),
        (
            "Der Laden macht um 10 Uhr auf. Die Miete beträgt 900 Euro.",
            "Nein, der Laden macht um 11 Uhr auf, nicht um 10.",
            "10",
            "11",
        ),
        (
            "El seguro vence el 3 de mayo. El alquiler es de 600 euros.",
            "No, el alquiler es de 650 euros, no de 600.",
            "600",
            "650",
        ),
    ],
)
@pytest.mark.parametrize("author", ["operator", "host", "unknown"])
def test_one_sentence_of_a_line_of_prose_is_set_right_where_the_line_is_his(
    clawgit, room, author: str, line: str, said: str, old: str, new: str
) -> None:
    """Seen: what nobody known wrote in the other sentences became the operator's word. Mutant: the agent's does."""
    prose = f"# Notes\n\n{line}\nThe kiln is blue.\n"
    room.change({"memory/notes.md": prose}, actor=author)

    told = clawgit("chat", "add", said).out

    if author != "operator":
        assert "Corrected" not in told
        assert room.read("memory/notes.md") == prose
        return
    assert f'Corrected: memory/notes.md "{line}" → "{line.replace(old, new)}" (undo x:' in told
    assert room.read("memory/notes.md") == prose.replace(old, new)
    clawgit("undo", told.rpartition("undo ")[2].rstrip(")\n"))
    assert room.read("memory/notes.md") == prose


@pytest.mark.parametrize(
    "said",
    [
        "The gallery's rent is 860 euros, not 840.",
        "No, the deposit is 860 euros, not 840.",
        "No, the rent is due on the 5th, not on the 3rd.",
        "No, he starts at 6, not at 5.",
        "No, her number is 9999, not 1234.",
        "No, it opens at 9, not at 10.",
    ],
)
def test_a_sentence_of_prose_about_something_else_stays(clawgit, room, said: str) -> None:
    """Seen: "he", of whom nobody had spoken, changed Emil's hours. Mutants: the value alone is enough; the sentence before says what the next one is about."""
    prose = "# Notes\n\nThe shop opens at 10:00. The rent is 840 euros. The tax is due on the 3rd.\n"
    prose += "Emil works at the bakery. He starts at 5.\nDr. Klee is my doctor. Her number is 1234.\n"
    prose += (
        "The bar is in Graz. It opens at 10.\n" + "The rent, and so on, and so on, " * 99 + "is 840 euros.\n"
    )
    room.change({"memory/notes.md": prose}, actor="operator")

    assert "Corrected" not in clawgit("chat", "add", said).out
    assert room.read("memory/notes.md") == prose
