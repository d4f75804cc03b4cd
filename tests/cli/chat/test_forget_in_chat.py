"""A message that asks to forget something: what goes at once, what is offered, and that the message itself is kept out."""

from __future__ import annotations

import re
import shlex

import pytest

from clawgit.clients.host_turns import told_of
from clawgit.history.undo.forgetting import forget_command
from clawgit.understanding.corrections.ready_commands import remember_command
from clawgit.understanding.evidence.orders_to_forget import only_asks_to_forget, to_forget

FOLDER = {
    "MEMORY.md": "# M\n\n- Ruben is allergic to penicillin.\n- The alarm code of the garage is 7731.\n"
    "- The salary talk with Birgit is on 9 December.\n",
    "notes/haus.md": "- Der Garagencode lautet 7731.\n",
    "notes/health.md": "Ruben verträgt kein Penicillin.\nRuben's blood group is A negative.\n",
}


@pytest.fixture
def lived(room) -> None:
    for path, text in FOLDER.items():
        room.write(path, text)
    room.git("add", *FOLDER)
    room.git("commit", "-qm", "notes of my own")


@pytest.mark.usefixtures("lived")
def test_a_line_that_says_no_more_than_what_shall_be_forgotten_goes_at_once(clawgit, room) -> None:
    """Mutants: what says so in another language goes too, or is not named; no reason in the history."""
    told = clawgit("chat", "add", "Please forget that Ruben is allergic to penicillin.").out

    assert f'Forgotten: MEMORY.md:3 "Ruben is allergic to penicillin." (undo {room.head()[:12]})' in told
    assert "  clawgit forget 'Ruben verträgt kein Penicillin.'   notes/health.md:1" in told
    assert "allergic" not in room.read("MEMORY.md")
    assert "Penicillin" in room.read("notes/health.md")
    assert "blood group" not in told
    message = room.git("log", "-1", "--format=%B")
    assert "> You asked in chat to forget it." in message
    assert "Please forget" not in message
    clawgit("undo", room.head())
    assert room.read("MEMORY.md") == FOLDER["MEMORY.md"]


@pytest.mark.usefixtures("lived")
@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("Forget what I said about the alarm code of the garage.", ["MEMORY.md:4", "notes/haus.md:1"]),
        ("Please forget that my salary talk is on 9 December.", ["MEMORY.md:5"]),
        (
            "Forget that Ruben is allergic to penicillin, it was a rash.",
            ["MEMORY.md:3", "notes/health.md:1"],
        ),
        ("Vergiss bitte, dass Ruben gegen Penicillin allergisch ist.", ["MEMORY.md:3", "notes/health.md:1"]),
        ("Streich bitte, dass Ruben gegen Penicillin allergisch ist.", ["MEMORY.md:3", "notes/health.md:1"]),
        ("lösch den Satz, dass Ruben gegen Penicillin allergisch ist", ["MEMORY.md:3", "notes/health.md:1"]),
        ("olvida lo de la alergia de Ruben a la penicilina", ["MEMORY.md:3", "notes/health.md:1"]),
        ("forget rubens penicillin allergy", ["MEMORY.md:3", "notes/health.md:1"]),
    ],
)
def test_what_says_more_or_otherwise_is_offered_and_stays(
    clawgit, room, text: str, offered: list[str]
) -> None:
    """Seen: "Streich bitte, dass …" and "forget veras shoe size" were called corrections."""
    told = clawgit("chat", "add", text).out

    assert "Nothing was removed" in told
    rows = [line for line in told.splitlines() if line.startswith("  clawgit forget ")]
    assert re.findall(r"\S+\.md:\d+", "\n".join(rows)) == offered
    assert all(room.read(path) == before for path, before in FOLDER.items())


@pytest.mark.usefixtures("lived")
def test_the_request_is_in_no_note_no_prompt_and_no_search_and_the_digest_names_what_to_do(
    clawgit, room
) -> None:
    """Seen: "Vergiss bitte, dass …" stood in the note of the session and in the prompt."""
    text = "Vergiss bitte, dass Ruben gegen Penicillin allergisch ist."
    clawgit("chat", "add", "The bus leaves at 9:50 now.", "--session", "s")
    told = clawgit("chat", "add", text, "--session", "s").out

    note = room.read(clawgit("session", "end", "--json").data["path"])
    prompt = clawgit("context", "--session", "s", "--query", "Is Ruben allergic to Penicillin?").out
    found = clawgit("search", "Vergiss Ruben Penicillin").out
    clawgit("run", "recall-validator")

    assert "This message is in no note, search or prompt" in told
    assert "bus" in note
    assert not [said for said in (note, prompt, found, room.read("CORRECTIONS.md")) if "Vergiss" in said]
    digest = clawgit("digest", "--since", "2026-03-18").out
    assert (
        ", and no line of memory with those words is gone. Your words, for a day → `clawgit chat log --not-kept`"
        in digest
    )
    assert "Penicillin" not in digest.partition("## Heard")[2]


@pytest.mark.parametrize(
    "forget",
    [
        pytest.param(("chat", "add", "forget Ole's salary"), id="in chat"),
        pytest.param(("forget", "Ole's salary is 63000", "--yes"), id="by command"),
    ],
)
def test_a_file_that_has_what_the_forgotten_line_said_before_its_correction_is_named(
    clawgit, room, forget: tuple[str, ...]
) -> None:
    """Seen: not a word of it, and the next search and prompt had the wrong salary. Mutant: another's salary is named, too."""
    room.change(
        {
            "MEMORY.md": "# M\n\n- Ole's salary is 61000 euros.\n- Ole comes on Mondays.\n",
            "notes/ole.md": "# Ole\n\nOle's salary is 61000 euros, he told me at lunch.\n",
            "notes/mei.md": "# Mei\n\nMei's salary is 61000 euros.\n",
        },
        actor="operator",
    )
    clawgit("chat", "add", "No, Ole's salary is 63000 euros, not 61000.")

    told = clawgit(*forget)

    assert "63000" not in room.read("MEMORY.md")
    assert "notes/ole.md:3" in told.out + told.err
    assert "notes/mei.md" not in told.out + told.err


@pytest.mark.parametrize(
    ("lines", "order", "gone"),
    [
        pytest.param(
            ["Mr Ortega has a partial tear.", "Mr Ortega comes on Mondays."],
            "Forget what I told you about Mr Ortega's diagnosis.",
            "Mr Ortega has a partial tear.",
            id="another line has his name",
        ),
        pytest.param(
            ["Nora keeps item 0 on shelf 0.", "Nora painted it red", "Mei painted item 22 red"],
            "Forget that Nora painted item 0 red.",
            "Nora painted it red",
            id="other lines have some of the words",
        ),
    ],
)
def test_an_order_whose_line_he_took_out_is_named_no_more_though_other_lines_are_like_it(
    clawgit, room, lines: list[str], order: str, gone: str
) -> None:
    """Seen: the digest printed the words that were to be forgotten. Mutant: what left is looked for only where no line is like the order."""
    room.write("MEMORY.md", "".join(f"- {line}\n" for line in lines))
    room.git("add", "MEMORY.md")
    room.git("commit", "-qm", "notes of my own")
    clawgit("chat", "add", order)
    assert f"    {order} → " in clawgit("chat", "log", "--not-kept").out

    clawgit("forget", gone, "--yes")

    assert "No messages." in clawgit("chat", "log", "--not-kept").out
    assert "asked to forget" not in clawgit("digest", "--since", "2026-03-18").out


def test_a_line_that_went_with_its_correction_is_forgotten_though_the_note_of_the_talk_has_it(
    clawgit,
) -> None:
    """Seen: "no line that fits left memory since", of the line that the chat had told as forgotten. Mutant: what a note of a talk repeats stands still."""
    clawgit("remember", "Marco drives a Fiat.")
    clawgit("chat", "add", "No, Marco drives a Skoda, not a Fiat.")
    assert "Forgotten: MEMORY.md" in clawgit("chat", "add", "Forget that Marco drives a Skoda.").out
    assert clawgit("session", "end").code == 0

    assert "asked to forget" not in clawgit("digest", "--since", "2026-03-18").out
    assert "Forget that Marco" not in clawgit("chat", "log", "--not-kept").out


def test_a_message_stays_taken_back_when_a_branch_is_merged_that_had_its_line(clawgit, room) -> None:
    """Seen: a teammate's merge, and the message was his again. Mutant: the last commit counts in which the line left."""
    clawgit("chat", "add", "Remember that Rex bites the postman.")
    room.git("branch", "theirs")
    clawgit("forget", "Rex bites the postman", "--yes")
    room.git("checkout", "-q", "theirs")
    room.write("plan.md", "Paint the gate.\n")
    room.git("add", "plan.md")
    room.git("commit", "-qm", "a plan")
    room.git("checkout", "-q", "main")
    room.git("merge", "-q", "--no-ff", "-m", "their plan", "theirs")

    assert "(you took this back)" in clawgit("search", "postman", "--source", "chat").out


def test_a_message_of_which_a_correction_was_taken_back_is_undone_and_in_no_note(clawgit, room) -> None:
    """Seen: `undo x:…`, and the session's note of that evening gave the old value as his. Mutant: an entry whose old words are back holds it."""
    clawgit("remember", "The calendar has 13 pages.")
    clawgit("chat", "add", "The bus leaves at 9:50 now.", "--session", "s")
    clawgit("chat", "add", "No, the calendar has 28 pages, not 13.", "--session", "s")
    (correction,) = clawgit("corrections", "--json").data

    assert clawgit("undo", correction["id"]).code == 0

    (told,) = [line for line in clawgit("chat", "log").out.splitlines() if "28 pages" in line]
    assert told.endswith("(undone)")
    note = room.read(clawgit("session", "end", "--json").data["path"])
    assert "bus" in note
    assert "28 pages" not in note


def test_a_message_whose_memory_was_taken_back_is_marked_in_a_search_and_in_no_prompt(clawgit) -> None:
    """Seen: the message stayed a hit, as good as any other. Mutant: every message of a forgotten subject is marked."""
    clawgit("chat", "add", "Remember that Rex bites the postman.")
    clawgit("chat", "add", "Remember that Rex sleeps in the postman's old basket.")
    assert "(you took this back)" not in clawgit("search", "postman", "--source", "chat").out

    assert clawgit("forget", "Rex bites the postman", "--yes").code == 0

    hits = clawgit("search", "postman", "--json").data["results"]
    notes = {each["snippet"]: each.get("note") for each in hits if each["source"] == "chat"}
    assert notes["Remember that Rex bites the postman."] == "you took this back"
    assert notes["Remember that Rex sleeps in the postman's old basket."] is None
    assert hits[-1]["snippet"] == "Remember that Rex bites the postman."
    assert "bites" not in clawgit("search", "postman", "--for-prompt").out


def test_a_message_that_the_next_one_takes_back_is_marked(clawgit) -> None:
    clawgit("chat", "add", "Remember that my PIN hint is the old house number.")
    clawgit("chat", "add", "Forget that.")

    assert "you took this back" in clawgit("search", "PIN hint").out


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Olvida que Ana vive en Cádiz.", "Ana vive en Cádiz"),
        ("Por favor, olvida lo que te dije sobre la casa.", "casa"),
        ("Oublie que Léa habite à Lyon.", "Léa habite à Lyon"),
        ("Oublie ce que j'ai dit sur le chien.", "chien"),
        ("Streich bitte, was ich über Tante Gerda gesagt habe.", "Tante Gerda"),
        ("I want you to forget the cat.", "cat"),
        ("Vergiss Teos Nummer.", "Teos Nummer"),
        ("Dimentica il compleanno di Marta.", "compleanno di Marta"),
        ("Scordati del compleanno di Marta.", "compleanno di Marta"),
        ("Dimenticati l'indirizzo di Anna, per favore.", "indirizzo di Anna"),
        ("Dimentica che Anna vive a Roma.", "Anna vive a Roma"),
        ("Dimentica quello che ti ho detto su Anna.", "Anna"),
        ("Cancella il numero di Gabriele dalla memoria.", "il numero di Gabriele"),
        ("Esquece o número do Rui.", "número do Rui"),
        ("Esqueça o que te disse sobre a Ana.", "Ana"),
        ("Esquece que a Ana mora em Braga.", "a Ana mora em Braga"),
        ("Apaga o número do Rui da memória.", "o número do Rui"),
        ("Vergeet het nummer van Jan.", "nummer van Jan"),
        ("Vergeet wat ik over Jan zei.", "Jan"),
        ("Vergeet dat Jan in Gent woont.", "Jan in Gent woont"),
        ("Zapomnij o numerze Tomasza", "numerze Tomasza"),
        ("Nie, zapomnij o tym, co mówiłam o Tomaszu.", "Tomaszu"),
        ("Zapomnij, że Ola mieszka w Gdyni.", "Ola mieszka w Gdyni"),
        ("Zapomeň na číslo Tomáše.", "číslo Tomáše"),
        ("Забудь про номер Тараса.", "номер Тараса"),
        ("Verwijder het nummer van Jan uit je geheugen.", "het nummer van Jan"),
        ("Delete the cat from memory.", "the cat"),
        ("Lösche das mit der Katze.", "Katze"),
        ("olvida lo del gato", "gato"),
        ("no, olvide la llave", "llave"),
    ],
)
def test_orders_in_other_words_and_languages(text: str, what: str) -> None:
    assert to_forget(text) == what
    assert only_asks_to_forget(text)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "text",
    [
        "Forget the Docker approach, we use Podman.",
        "Forget the old gate. The new one opens at 8.",
        "No olvides que Ana vive en Cádiz.",
        "no olvide la llave",  # seen: a polite order to keep it in mind forgot it
        "não esqueça a chave",
        "não se esqueçam da chave",
        "Nie zapomnij o numerze Tomasza.",
        "Nezapomeň na číslo Tomáše.",
        "Не забудь про номер Тараса.",
        "Zapomnij o tym.",
        "N'oublie pas que Léa habite à Lyon.",
        "Streich den Zaun bitte grün.",
        "Non dimenticare il compleanno di Marta.",
        "Não te esqueças do número do Rui.",
        "Vergeet niet de melk te kopen.",
        "Cancella il file config.json.",
        "Delete the second paragraph from notes.md.",
    ],
)
def test_what_says_something_besides_is_kept(text: str) -> None:
    assert not only_asks_to_forget(text)


PEOPLE = {
    "MEMORY.md": "# M\n\n- Anselm's phone number is 0117 496 0999.\n- Landlord: Mr Hargreaves, 0117 496 0123\n",
    "people/priya.md": "# Priya\n\nHer dog is called Biscuit.\n",
    "people/frau-keller.md": "# Frau Keller\n\n- Tel. +41 44 555 01 02\n",
}


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("Forget the landlord's phone number", "MEMORY.md:4"),
        ("Please forget Biscuit.", "people/priya.md:3"),
        ("Vergiss bitte, dass Priyas Hund Biscuit heisst.", "people/priya.md:3"),
        ("Oublie le numéro de Frau Keller.", "people/frau-keller.md:3"),
        ("Please delete Frau Keller's phone number from your notes.", "people/frau-keller.md:3"),
    ],
)
def test_the_line_with_the_rarest_word_is_offered_and_no_other(
    clawgit, room, text: str, offered: str
) -> None:
    """Seen: Anselm's number was offered for the landlord's, and "No line says so." where a heading had the name."""
    for path, content in PEOPLE.items():
        room.write(path, content)
    room.git("add", *PEOPLE)
    room.git("commit", "-qm", "notes of my own")

    told = clawgit("chat", "add", text).out

    assert [line.split()[-1] for line in told.splitlines() if line.startswith("  clawgit forget '")] == [
        offered
    ]


@pytest.mark.usefixtures("lived")
def test_the_hosts_model_is_told_what_went_and_the_commands_for_the_rest_not_the_words(clawgit) -> None:
    """Mutant: what shall be forgotten is said to the model once more."""
    gone = clawgit("chat", "add", "Forget that Ruben is allergic to penicillin.", "--json").data
    offered = clawgit("chat", "add", "Forget that my salary talk is on 9 December.", "--json").data

    told = " ".join((*told_of(gone), *told_of(offered)))

    assert f"MEMORY.md:3 is gone (`clawgit undo {gone['forgotten']['undo']}`)" in told
    assert "`clawgit forget notes/health.md:1`" in told
    assert "nothing was removed" in told
    assert "`clawgit forget MEMORY.md:4`" in told
    assert "Penicillin" not in told
    assert "salary" not in told


def test_the_commands_that_take_out_lines_of_one_file_can_be_pasted_one_after_the_other(
    clawgit, room
) -> None:
    """Seen: the first one moved the line that the second one named. Mutant: the best one first, whatever stands behind it."""
    room.write(
        "notes/a.md", "- Anselm comes on Thursdays.\n- Anselm comes on Thursdays to Graz.\n- Rex bites.\n"
    )
    room.keep("operator")
    told = clawgit("chat", "add", "Forget that Anselm comes on Thursdays, he quit.").out
    ways = [shlex.split(line)[2] for line in told.splitlines() if line.startswith("  clawgit forget ")]

    for words in ways:
        clawgit("forget", words, "--yes")

    assert room.read("notes/a.md") == "- Rex bites.\n"


def test_of_a_corrected_line_the_line_is_offered_and_not_the_undo_of_the_correction(clawgit) -> None:
    """Seen: `clawgit undo x:…` stood under "To remove what says so", and it brings the old words back."""
    clawgit("remember", "My dentist is Dr. Kern.")
    clawgit("chat", "add", "My dentist is Dr. Blau, not Dr. Kern.")

    told = clawgit("chat", "add", "Forget the dentist.").out

    (way,) = [line for line in told.splitlines() if line.startswith("  clawgit ")]
    assert way.startswith("  clawgit forget m:")
    assert way.endswith("My dentist is Dr. Blau.")


def test_an_order_to_forget_what_he_told_names_his_message_and_no_line_that_shares_a_name(
    clawgit, room
) -> None:
    """Seen: "Marek sleeps in the caravan" was offered, and the message with the account was not named."""
    room.change({"MEMORY.md": "# M\n\n- Marek sleeps in the caravan.\n"}, actor="operator")
    clawgit("chat", "add", "Marek has a Polish bank account now, number 4402.")

    told = clawgit("chat", "add", "Forget what I told you about Marek's bank account, he wants cash.").out

    assert 'It takes back "Marek has a Polish bank account now, number 4402."' in told
    assert "caravan" not in told
    assert "caravan" in clawgit("chat", "add", "Forget the caravan.").out


def test_an_order_to_forget_what_was_is_no_correction_and_leaves_what_is(clawgit, room) -> None:
    """Seen: it was read as a correction, then refused, and CORRECTIONS.md had the old words as `said:`.

    Mutants: a vetoed message corrects; what it is about is looked for by its pronoun (a line of SOUL.md); the newer message goes, too.
    """
    clawgit("chat", "add", "Remember: key of the site gate: under the third pot.")
    clawgit("chat", "add", "The site gate key isn't under the pot any more, it's in a lockbox now.")
    beside = room.read("CORRECTIONS.md")

    told = clawgit("chat", "add", "forget where the key of the site gate used to be", "--json").data

    (entry,) = clawgit("memory", "list", "--json").data
    assert [each["command"] for each in told["to_forget"]] == [f"clawgit forget {entry['id']}"]
    assert not {"corrected", "maybe_corrects", "not_kept", "kept_out"} & told.keys()
    assert room.read("CORRECTIONS.md") == beside
    clawgit("forget", entry["id"], "--yes")
    assert "third pot" not in room.read("MEMORY.md") + room.read("CORRECTIONS.md")
    assert "lockbox" in clawgit("chat", "log").out


def test_what_shares_a_number_alone_is_no_candidate(clawgit) -> None:
    """Seen: beside the insurance that ends on the 14th stood each line with a 14. Mutant: a number alone is alike."""
    for line in (
        "El seguro del coche vence el 14 de marzo.",
        "Shelf 14 holds the blue paint.",
        "We ordered 14 shelves.",
    ):
        clawgit("remember", line)

    told = clawgit("chat", "add", "Olvida lo del seguro del coche el 14 de marzo.").out

    ways = [line for line in told.splitlines() if line.startswith("  clawgit forget ")]
    assert len(ways) == 1
    assert "seguro" in ways[0]


def test_of_a_line_that_says_more_than_an_order_names_nothing_goes(clawgit, room) -> None:
    """Seen: the supplier went with his phone number. Mutants: the message is deleted."""
    clawgit("chat", "add", "Remember: our rose supplier is Van den Berghe, phone 09 224 11 22")
    (supplier,) = [each["id"] for each in clawgit("memory", "list", "--json").data if "rose" in each["text"]]

    told = clawgit("chat", "add", "forget the phone number of Van den Berghe").out

    assert "Nothing was removed." in told
    assert f"  clawgit forget {supplier}   " in told
    assert "09 224 11 22" in room.read("MEMORY.md")
    assert "09 224 11 22" in clawgit("chat", "log").out
    assert clawgit("correct", supplier, "Our rose supplier is Van den Berghe.", "--yes").code == 0


def test_a_small_word_is_no_part_of_a_name(clawgit) -> None:
    """Seen: "the van" was offered for Van den Berghe. Mutant: capital letters count in the order alone."""
    clawgit("remember", "The van needed 31 litres.")

    assert "litres" not in clawgit("chat", "add", "forget the phone number of Van den Berghe").out
    assert clawgit("forget", "Van den Berghe", "--yes").code == 1
    assert "litres" in clawgit("chat", "add", "forget the van").out


def test_never_mind_takes_back_what_he_said_and_is_not_taken_back_itself(clawgit, room) -> None:
    """Seen: it had no answer, and "forget what I said about Lieve" took back the "never mind". Mutant: so does `never mind` alone."""
    said = "Remember: Lieve works mornings only."
    clawgit("chat", "add", said)
    told = clawgit("chat", "add", "never mind what I said about Lieve").out
    assert f'Taken back: what rested on "{said}" (undo {room.head()[:12]})' in told
    clawgit("undo", room.head())

    told = clawgit("chat", "add", "forget what I said about Lieve").out

    assert f'  user: "{said}"' in told
    assert "never mind" not in told
    assert "Lieve" not in room.read("MEMORY.md")


BRANCH = "I was wrong about the experiment branch, forget that it uses Postgres 17."


def test_an_order_to_forget_behind_its_reason_is_offered_and_is_nothing_to_remember(clawgit, room) -> None:
    """Seen: `correct … "NEW LINE"`, the day after `remember 'I was wrong …'`. Mutants: the message is deleted; what is said `if` is ordered."""
    clawgit("remember", "The experiment branch uses Postgres 17.")
    (branch,) = [each["id"] for each in clawgit("memory", "list", "--json").data]

    told = clawgit("chat", "add", BRANCH).out

    assert "Nothing was removed." in told
    assert f"\n  clawgit forget {branch}   " in told
    assert BRANCH in clawgit("chat", "log").out
    clawgit("run", "recall-validator")
    links = clawgit("corrections").out  # `status` counts them, and names this list
    assert "`clawgit forget 'The experiment branch uses Postgres 17.'`" in links
    assert "clawgit remember" not in links
    assert "(`clawgit pending`)" in clawgit("status").out
    told = clawgit("chat", "add", "If Mei asks, forget the experiment branch.").out
    assert "You ask to forget" not in told


def test_blank_fields_of_a_form_are_not_offered(clawgit, room) -> None:
    """Seen: "How to address them:" was offered for the office address. Mutant: a field with a value is blank."""
    room.write("USER.md", "# USER\n\n- **How to address them:**\n- **Pet:** Rex the dog\n")
    room.write("IDENTITY.md", "# IDENTITY\n\n- **Avatar:** (a path, or an address)\n")
    room.git("add", "USER.md", "IDENTITY.md")
    room.git("commit", "-qm", "forms")
    clawgit("remember", "Our office is on Storgatan 12.")

    told = clawgit("chat", "add", "Forget our office address please").out

    assert "Storgatan 12" in told
    assert "USER.md" not in told
    assert "IDENTITY.md" not in told
    assert "clawgit forget '**Pet:** Rex the dog'   USER.md:4" in clawgit("chat", "add", "Forget Rex").out


def test_what_he_said_last_is_in_the_command_that_keeps_it_or_it_is_not_offered(clawgit) -> None:
    """Seen: `clawgit remember` was offered with the value that the same message set right."""
    clawgit("chat", "add", "la 8 cuesta 65 euros. ah no, 70")

    assert "clawgit remember" not in clawgit("chat", "add", "forget that").out


def test_a_line_with_his_order_to_forget_is_not_offered(clawgit, room) -> None:
    """Seen: the digest offered `clawgit forget memory/…:12`, the line of the note with the order itself."""
    clawgit("chat", "add", "olvida lo de la ducha, ya la arreglaron")
    clawgit("session", "end")

    command = forget_command(room.history, "ducha")

    assert command == "clawgit memory search ducha"
    assert "memory/" not in clawgit("chat", "add", "olvida lo de la ducha").out


def test_of_more_lines_than_are_shown_the_number_of_the_others_is_said(clawgit, room) -> None:
    """Seen: six lines, and dozens fitted. Mutant: the search for lines ends with those that are shown."""
    lines = [f"- Mei keeps item {number} on shelf 1.\n" for number in range(10, 34)]
    room.write("MEMORY.md", "".join(lines))
    room.git("add", "MEMORY.md")
    room.git("commit", "-qm", "notes of my own")

    told = clawgit("forget", "Mei keeps item", "--yes").out
    data = clawgit("forget", "Mei keeps item", "--yes", "--json").data

    assert "and 14 more; --json shows all of them" in told
    assert len(data["lines"]) == 24
    assert "  and 19 more: clawgit forget WORDS" in clawgit("chat", "add", "Forget that Mei keeps item.").out


TUESDAY = "Merk dir, dass die Müllabfuhr dienstags kommt."
BINS = {"Remember that the bins go out on Tuesday.": "No, the bins go out on Wednesday, not Tuesday."}
COLLECTION = {TUESDAY: "Nein, die Müllabfuhr kommt mittwochs, nicht dienstags."}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("said", "order", "stays"),
    [
        (BINS, "Forget that the bins go out on Wednesday.", False),
        (BINS, "Forget that the bins go out on Tuesday.", True),
        (COLLECTION, "Vergiss, dass die Müllabfuhr mittwochs kommt.", True),
        (COLLECTION, "Vergiss die Müllabfuhr.", True),
    ],
)
def test_an_order_to_forget_brings_no_older_value_back(
    clawgit, room, said: dict[str, str], order: str, stays: bool
) -> None:
    """Seen: the order undid the correction, and Tuesday held again as his word, also for the host's model.

    Mutants: an order to forget is `scratch that`; the next job sets the line back; it is said that the job undoes something.
    """
    for each in said.items():
        for text in each:
            clawgit("chat", "add", text)

    taken = clawgit("chat", "add", order, "--json").data
    clawgit("run", "recall-validator")

    assert "took_back" not in taken
    assert "Tuesday." not in "".join(told_of(taken))
    memory = re.sub("<!--.*?-->", "", room.read("MEMORY.md"))
    assert "Tuesday" not in memory
    assert "dienstags" not in memory
    assert ("ednesday" in memory or "mittwochs" in memory) is stays
    assert ("forgotten" in taken) is not stays
    assert bool(taken["to_forget"]) is stays


@pytest.mark.parametrize("order", ["Forget that number again.", "Forget that Teo's shoe size is 44."])
def test_what_an_order_to_forget_leaves_is_not_said_to_be_undone(clawgit, room, order: str) -> None:
    """Mutant: `It takes back "No, …". If something in memory rests on that, the next job undoes it`."""
    clawgit("chat", "add", "Remember: Teo's shoe size is 43.")
    clawgit("chat", "add", "No, Teo's shoe size is 44, not 43.")

    told = clawgit("chat", "add", order).out

    assert "Taken back" not in told
    assert "undoes it" not in told
    assert "is 43." not in re.sub("<!--.*?-->", "", room.read("MEMORY.md"))


def test_out_of_a_note_that_is_edited_goes_the_line_that_is_meant(clawgit, room) -> None:
    """Seen: lines were counted in the commit and taken out by their number in the folder: other words went."""
    for said in (
        "The gate is painted green now.",
        "The cellar door sticks.",
        "Lara also wants the blue tent.",
    ):
        clawgit("chat", "add", "--session", "s1", said)
    clawgit("session", "end")
    note = next(path for path in room.root.glob("memory/2026-*.md") if "Lara" in path.read_text())
    note.write_text("above\nit\n" + note.read_text())

    clawgit("chat", "add", "--session", "s1", "Forget what I said about Lara.")

    left = note.read_text()
    assert "Lara" not in left
    assert "The cellar door sticks." in left
    assert "The gate is painted green now." in left


NUMBERS = {
    "MEMORY.md": "# M\n\n- Brais: friend, plumber. 622 908 411.\n- Brais fixed the leak in 2025.\n"
    "- Moncho can come the 24th of November.\n- Boiler technician: Moncho, 654 220 118.\n- Moncho: boiler technician.\n",
}


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("borra de tu memoria el número de Brais, ya no nos hablamos", "622 908 411"),
        ("Delete from your notes the number of Brais.", "622 908 411"),
        ("olvida el número de Moncho", "654 220 118"),
    ],
)
def test_somebodys_number_is_the_line_with_his_name_and_a_number(
    clawgit, room, text: str, offered: str
) -> None:
    """Seen: fourteen lines with the name; "Sounds like a correction", and the digest had `remember 'borra …'`."""
    room.change(NUMBERS, actor="operator")

    told = clawgit("chat", "add", text).out

    (way,) = [line for line in told.splitlines() if line.startswith("  clawgit forget ")]
    assert offered in way


@pytest.mark.parametrize(
    "text",
    [
        "vergiss das mit der Hafermilch, that was for his wife",
        "olvida lo que hablamos el 12 de marzo, fue otro",
    ],
)
def test_an_order_to_forget_that_finds_no_line_is_a_search_and_nothing_to_remember(
    clawgit, text: str
) -> None:
    """Seen: `clawgit forget Hafermilch`, which failed; `clawgit remember 'olvida …'`. Mutant: an order not to forget is one."""
    clawgit("remember", "Mia likes tea.")
    told = clawgit("chat", "add", text).out
    clawgit("run", "recall-validator")
    clawgit("run", "memory-miner")
    heard = clawgit("digest", "--since", "2026-03-18").out.partition("## Heard")[2]

    assert "clawgit remember" not in told + heard
    assert "clawgit forget Hafermilch" not in told + heard
    assert "`clawgit memory search " in heard
    assert remember_command("Vergiss nicht, dass Mia 12 ist.") != ""


NEWS = "What else you say there was not written into MEMORY.md; search finds it as your message."


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("Forget what I said about the hotel drawers, Berthet wants knobs after all.", True),
        ("Forget what I said about the hotel drawers. Berthet wants brass knobs.", True),
        ("Forget what I said about the hotel drawers, please.", False),
        ("Forget what I said about the hotel drawers.", False),
    ],
)
def test_what_an_order_to_forget_says_besides_is_named_as_not_kept(clawgit, room, text: str, is_named: bool) -> None:  # fmt: skip
    """Seen: `forget the drawers, he wants knobs` offered to forget, and was silent of the knobs."""
    room.change({"MEMORY.md": "- The hotel drawers have no handles.\n"}, actor="operator")

    told = clawgit("chat", "add", text).out

    assert "  clawgit forget " in told
    assert (NEWS in told) is is_named
    assert ("knobs" in clawgit("search", "Berthet knobs").out) is is_named


def test_an_order_to_forget_with_news_is_put_beside_its_line_and_the_answer_says_so(clawgit, room) -> None:
    room.change({"MEMORY.md": "- The hotel drawers have no handles.\n"}, actor="operator")

    told = clawgit("chat", "add", "Forget that the hotel drawers have no handles, they get brass knobs.").out
    assert clawgit("corrections", "--json").data == []
    clawgit("run", "recall-validator")

    assert "The next job puts your words beside the line." in told
    assert "The hotel drawers have no handles." in clawgit("corrections").out


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Vergiss Olafs Adresse. Der Hund der Nachbarn beißt.", f"{NEWS}\n"),
        ("Merk dir: Bea hat den Schlüssel. Der Hund der Nachbarn beißt.", f"{NEWS}\n"),
        ("Forget Nora's address. Remember that Bea has the key.", ""),
        ("Remember that Bea has the key. Her brother collects stamps.", ""),
        ("Remember that Bea has the key. Thanks!", ""),
        ("Forget Nora's address. What is on today?", ""),
    ],
)
def test_a_sentence_behind_an_order_is_kept_or_named(clawgit, room, text: str, left: str) -> None:  # fmt: skip
    """Seen: an order's answer was silent of the sentence behind it, or spoke of a question as of news."""
    room.change({"MEMORY.md": "- Nora's address is Oak Road 2.\n"}, actor="operator")  # fmt: skip

    told = clawgit("chat", "add", text).out

    assert told.endswith(left)
    assert (NEWS in told) is bool(left)


def test_behind_an_order_to_forget_no_older_turn_is_meant(clawgit) -> None:
    """Seen: "Actually don't remember that" behind an order that was done offered the line of three turns before."""
    clawgit("chat", "add", "Remember: the staging port is 9092.")
    clawgit("remember", "The market is on Saturdays.")
    assert "Forgotten" in clawgit("chat", "add", "Forget that the market is on Saturdays.").out

    told = clawgit("chat", "add", "Actually don't remember that.").out

    assert "clawgit forget m:" not in told


def test_what_he_said_is_meant_and_no_older_line_about_it(clawgit, room) -> None:
    """Seen: "forget what I said about the contract" offered two older lines, each a true one."""
    room.change({"MEMORY.md": "# M\n\n- The flour contract is with Petzold.\n"}, actor="operator")
    clawgit("chat", "add", "Jonas's contract runs until 31 December.")

    told = clawgit("chat", "add", "forget what I said about the contract").out

    assert 'It takes back "Jonas\'s contract runs until 31 December."' in told
    assert "Petzold" not in told


def test_what_was_corrected_on_words_he_takes_back_is_undone_and_comes_back_by_name(clawgit, room) -> None:
    """Seen: the order took the message back, 1,20 stood, and two other lines were offered. Mutants: they still are; the undo names no change."""
    lines = "# M\n\n- taxe de séjour 1,10 € par nuit\n- la taxe de sejour: 1,10 pas 0,90, payer en mairie\n"
    room.change({"MEMORY.md": lines}, actor="operator")
    clawgit("chat", "add", "la taxe de séjour par nuit c'est 1,20 pas 1,10")
    assert "- taxe de séjour 1,20 € par nuit" in room.read("MEMORY.md")

    order = "oublie ce que j'ai dit sur la taxe de séjour, c'était 1,10 le bon"
    added = clawgit("chat", "add", order, "--json").data
    again = clawgit("undo", added["id"]).err

    assert "- taxe de séjour 1,10 € par nuit" in room.read("MEMORY.md")
    assert added["to_forget"] == []
    assert f"What rested on them in files: clawgit undo {added['took_back']['undo']}" in again
    clawgit("undo", added["took_back"]["undo"])
    assert "- taxe de séjour 1,20 € par nuit" in room.read("MEMORY.md")


@pytest.mark.parametrize(
    ("order", "named"),
    [
        ("supprime la ligne sur les Lefort", "Lefort"),
        ("Delete the line about Ollie Marsh.", "'Ollie Marsh'"),
        ("please delete what you know about the Leforts", "Leforts"),
        ("remove the line about pricing from the draft", ""),
        ("delete the choir", "'the choir'"),
        ("Lösch bitte die Miete.", "'die Miete'"),
        ("supprime l'adresse", '"l\'adresse"'),
        ("borra el gato", "'el gato'"),
        ("delete the choir picture on the server", ""),
        ("delete choir.txt", ""),
        ("delete that", ""),
        ("borra la última", ""),
    ],
)
def test_an_order_to_delete_something_offers_to_look_for_it_and_removes_nothing(clawgit, room, order: str, named: str) -> None:  # fmt: skip
    """Seen: no answer at all. Mutant: a line of another text counts."""
    room.change(
        {"MEMORY.md": "- Les Lefort viennent.\n- Ollie Marsh sings.\n- The choir is on Monday.\n"},
        actor="operator",
    )
    memory = room.read("MEMORY.md")

    told = clawgit("chat", "add", order).out

    assert ("To see which lines may say so" in told) is bool(named)
    assert (f"To see which lines may say so: clawgit forget {named}\n" in told) is bool(named)
    assert room.read("MEMORY.md") == memory


def test_words_beside_a_line_that_shall_be_forgotten_are_offered_to_be_rejected(clawgit) -> None:
    """Seen: "forget what I said about Hansen, we stay with Koppert", and his earlier words stood beside the line for good."""
    clawgit("remember", "Koppert delivers the beneficial insects on Tuesday.")
    clawgit("chat", "add", "We don't order beneficial insects from Koppert any more, but from Hansen")
    clawgit("run", "recall-validator")
    (link,) = clawgit("corrections", "--json").data

    order = "Forget what I said about Hansen, we stay with Koppert"
    told = clawgit("chat", "add", "--conversation", "another", order).out

    assert f'  clawgit reject {link["id"]}   beside "{link["said"]}": We don\'t order' in told
    clawgit("reject", link["id"])
    assert clawgit("corrections", "--json").data == []


def test_what_no_line_says_in_these_words_is_looked_for_where_search_looks_and_stays(clawgit, room) -> None:
    """Seen: `No line says so`, while search had the line first, by translated words."""
    wlan = "WLAN Vereinshaus: Netz Kleingarten, Schlüssel Tomate."
    room.change({"MEMORY.md": f"- {wlan}\n- The rent is 900 euros.\n"}, actor="operator")

    told = clawgit("chat", "add", "Please forget the wifi password").out
    by_command = clawgit("forget", "wifi password", "--yes").out

    assert f"   {wlan}\n" in told
    assert by_command.startswith("clawgit forget ")
    assert by_command.endswith(f"   {wlan}\n")
    assert wlan in room.read("MEMORY.md")


def test_of_many_lines_with_a_name_that_with_the_initials_too_is_offered(clawgit, room) -> None:
    lines = [
        "Northwind rate: 0.11 per word.",
        "Northwind needs the PO on each invoice.",
        "Northwind is late.",
    ]
    room.change({"MEMORY.md": "".join(f"- {each}\n" for each in lines)}, actor="operator")

    told = clawgit("chat", "add", "Olvida lo de que Northwind necesita el PO").out

    assert f"   {lines[1]}\n" in told
    assert (lines[0] in told, lines[2] in told) == (False, False)


def test_an_amount_alone_is_no_other_wording(clawgit, room) -> None:
    mower = "New mower is a Honda, bought 25 Nov for 629 EUR."
    room.change({"MEMORY.md": f"- {mower}\n- Deposit for a key: 25 EUR.\n"}, actor="operator")

    told = clawgit("forget", "MEMORY.md:1", "--yes")

    assert "Deposit" not in told.err


def test_an_order_that_names_a_thing_by_what_others_said_of_it_has_its_command(clawgit, room) -> None:
    """Seen: only `stored`."""
    room.change({"MEMORY.md": "- Hedge: at most 1.20 m.\n"}, actor="operator")

    told = clawgit("chat", "add", "Forget what Wagner wrote about the hedge").out

    assert told.splitlines()[-1].endswith(
        "To see which lines may say so: clawgit forget 'what Wagner wrote about the hedge'"
    )
    assert "Hedge" in room.read("MEMORY.md")


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (
            "remember that Noa is allergic to pistachios and Ben drives a Volvo",
            "not the pistachios, I was wrong",
        ),
        ("apunta que Noa también es alérgica a los pistachos", "espera, no, pistachos no. Me equivoqué."),
        ("remember that Noa is allergic to pistachios", "wait, no, not the pistachios, I was wrong"),
        ("remember that Noa is allergic to pistachios", "not the pistachios"),
        ("remember that Noa is allergic to pistachios", "not the pistachios, I was wrong, it is walnuts"),
        ("apunta que Noa es alérgica a los pistachos", "quita lo de los pistachos"),
    ],
)
def test_what_takes_back_less_plainly_changes_nothing(clawgit, room, order: str, words: str) -> None:
    clawgit("chat", "add", order)

    told = clawgit("chat", "add", words).out

    assert "Noa" in room.read("MEMORY.md")
    assert "Taken back" not in told
    if words.startswith("quita"):
        assert "  clawgit forget m:" in told


@pytest.mark.parametrize(
    ("back", "title"),
    [
        ("forget what I just said about the van", "- 1 message, as you asked in cli (main) on 2026-03-19 at 10:22: "),
        ("drop the van thing", ""),
        ("actually no, forget that", ""),
    ],
)  # fmt: skip
def test_what_he_took_back_where_memory_has_nothing_is_said_in_the_answer_and_once_in_the_digest(
    clawgit, back: str, title: str
) -> None:
    """Seen: "Nothing was undone", and the digest: "no line of memory with those words is gone", or `Only stored: "…"`."""
    clawgit("chat", "add", "We are thinking of a new van from Ottokar for 14,000 euros")

    told = clawgit("chat", "add", back).out
    digest = clawgit("digest", "--since", "2026-03-18").out

    assert "Nothing in memory rests on it." in told
    assert ("Search still shows these words, as taken back." in told) == (not title)
    assert ("search and prompts have it no more" in digest) == bool(title)
    assert title in digest
    assert "no line of memory" not in digest
    assert "Only stored" not in digest


@pytest.mark.parametrize(
    "words",
    [
        "en realidad el 15 estaba bien, olvida lo que dije",
        "actually the 15th was right, forget what I said",
    ],
)
def test_the_value_before_and_an_order_to_forget_take_the_correction_back(clawgit, room, words: str) -> None:
    """Seen: `You ask to forget "que dije"`, and the wrong 16 stayed. Mutant: so does news that is to be forgotten itself."""
    clawgit("remember", "The kiln inspection is on the 15th.")
    clawgit("chat", "add", "no, the kiln inspection is on the 16th, not the 15th")
    clawgit("chat", "add", "actually Haas is ill, forget that", "--conversation", "of Haas")
    assert "on the 16th" in room.read("MEMORY.md")

    told = clawgit("chat", "add", words).out

    assert "on the 16th" not in room.read("MEMORY.md")
    assert 'Taken back: MEMORY.md "' in told
    assert "This message is in no note" in told


def test_the_command_for_a_line_names_its_words_since_its_number_changes(clawgit, room) -> None:
    """Seen: `clawgit forget MEMORY.md:639`, which named another line after the next message."""
    room.write("MEMORY.md", "# M\n\n- The calendar has 13 pages.\n- The calendar is blue.\n")
    room.git("commit", "-qam", "pages")
    told = clawgit("chat", "add", "Forget the number of pages of the calendar.").out
    (way,) = [line for line in told.splitlines() if "13 pages" in line]
    room.write(
        "MEMORY.md", "# M\n\n- Mei likes tea.\n- The calendar has 13 pages.\n- The calendar is blue.\n"
    )
    room.git("commit", "-qam", "tea")

    clawgit("forget", shlex.split(way)[2], "--yes")

    assert room.read("MEMORY.md") == "# M\n\n- Mei likes tea.\n- The calendar is blue.\n"


def test_a_line_about_somebody_else_is_not_offered(clawgit, room) -> None:
    """Seen: "These may say so, too" had Mei's line for that of Jonas, and a line with one word of an order's two was offered."""
    lines = "- Jonas pays 40 euros a month.\n- Mei pays 40 euros a month.\n- Jonas worked on batch 198 at night.\n"
    room.write("MEMORY.md", f"# M\n\n{lines}")
    room.git("commit", "-qam", "lines")

    paid = clawgit("chat", "add", "Forget that Jonas pays 40 euros a month").out
    never = clawgit("chat", "add", "Forget that I work never on Wednesdays").out

    assert 'Forgotten: MEMORY.md:3 "Jonas pays 40 euros a month."' in paid
    assert "Mei" not in paid
    assert "batch 198" not in never


SHELVES = "".join(f"- Mei keeps item {number} for the house on shelf 4.\n" for number in range(10, 30))
MEI = (
    "- Nora: invoice 5590 due on 2 May.\n- Nora: invoice 6843 due on 11 June.\n"
    f"- Mei's birthday is 3 March.\n- Mei painted it ochre.\n{SHELVES}"
)


@pytest.mark.parametrize(
    ("order", "offered"),
    [
        ("Vergiss das mit Meis Geburtstag", ["Mei's birthday is 3 March."]),
        ("Forget Mei's birthday", ["Mei's birthday is 3 March."]),
        ("Vergiss die Rechnung 5590", ["Nora: invoice 5590 due on 2 May."]),
        ("olvida lo de la factura 5590", ["Nora: invoice 5590 due on 2 May."]),
        ("Vergiss die Rechnung 5591", []),
        ("Forget Mei's bicycle", []),
        ("Vergiss das mit Jonas' Geburtstag", []),
    ],
)
def test_an_order_offers_what_search_finds_in_any_language_and_no_line_with_the_name_alone(
    clawgit, room, order: str, offered: list[str]
) -> None:
    """Seen: five shelves of Mei's "and 137 more" for her birthday; no line for an invoice that search had first.

    Mutants: a line needs no number of the order; none of its names.
    """
    room.change({"MEMORY.md": MEI}, actor="operator")

    told = clawgit("chat", "add", order).out

    rows = [line for line in told.splitlines() if line.startswith("  clawgit forget ")]
    assert [row.partition("   ")[2] for row in map(str.strip, rows)] == offered
    assert "more: clawgit forget WORDS" not in told
    assert room.read("MEMORY.md").count("\n") == MEI.count("\n")


def test_an_order_is_done_once_the_offered_line_of_its_number_went_whatever_its_language(
    clawgit, room
) -> None:
    """Seen: he ran the printed command, and two digests said that no line was gone. Mutant: so does the line of another number."""
    room.change({"MEMORY.md": MEI}, actor="operator")
    for order, line in (("Vergiss die Rechnung 6843", 5590), ("Vergiss die Rechnung 5590", 6843)):
        clawgit("chat", "add", order)
        (went,) = [each.strip("- ") for each in MEI.splitlines() if str(line) in each]
        clawgit("forget", went, "--yes")
        is_done = line == 6843  # by then both are gone
        assert ("no line of memory" in clawgit("digest", "--since", "2026-03-18").out) is not is_done


@pytest.mark.parametrize(
    ("said", "order", "named"),
    [
        pytest.param(
            ["remember the cat is called milo", "the cat was at the vet today"],
            "forget the thing about the cat",
            "The cat is called milo",
            id="the last turn names it too",
        ),
        pytest.param(
            ["merk dir: die katze heisst milo", "die katze war beim tierarzt"],
            "vergiss das mit der katze",
            "Die katze heisst milo",
            id="in German",
        ),
        pytest.param(
            ["recuerda que el gato se llama Pixel", "el gato no se llama Pixel, se llama Pixie"],
            "olvida lo del gato",
            "El gato se llama Pixel",
            id="only the words beside the line go",
        ),
        pytest.param(
            ["remember the plumber is called Otto, phone 0171 5550777", "forget ottos number"],
            "Forget Otto's number",
            "The plumber is called Otto, phone 0171 5550777",
            id="an order before it",
        ),
        pytest.param(
            ["remember the plumber is called Otto, phone 0171 5550777", "Otto's number is on the fridge"],
            "Forget Otto's number",
            "The plumber is called Otto, phone 0171 5550777",
            id="a number by its digits",
        ),
    ],
)
def test_an_order_that_takes_back_a_turn_names_what_memory_still_says(
    clawgit, said: list[str], order: str, named: str
) -> None:
    """Seen: "Nothing in memory rests on it", and the line stayed without its command. Mutants: an order to forget is what he said last; the line of another thing is named."""
    clawgit("remember", "The kiln is cold on Mondays.")
    for text in said:
        clawgit("chat", "add", text)

    told = clawgit("chat", "add", order).out

    assert "Nothing in memory rests on it" not in told
    assert 'It takes back "forget' not in told
    (row,) = [line for line in told.splitlines() if line.startswith("  clawgit forget ")]
    assert named in row


def test_words_that_he_takes_back_have_a_search_for_other_lines_about_it(clawgit, room) -> None:
    """Mutant: the answer reads as if memory had nothing of it."""
    room.change({"MEMORY.md": "# M\n\n- The flour contract is with Petzold.\n"}, actor="operator")
    clawgit("chat", "add", "Jonas's contract runs until 31 December.")

    told = clawgit("chat", "add", "forget what I said about the contract").out

    assert told.splitlines()[-1] == "Lines of memory may say so, too: clawgit forget contract"


@pytest.mark.parametrize("order", ["vergiss dass {}", "vergiss, dass {}"])
def test_a_comma_makes_no_order_to_forget(clawgit, room, order: str) -> None:
    """Seen: without the comma it was offered as a correction of the line, and the next order took that one back."""
    for text in ("merk dir: der müll wird dienstags abgeholt", "der müll kommt mittwochs, nicht dienstags", "scratch that"):  # fmt: skip
        clawgit("chat", "add", text)
    assert "dienstags abgeholt" in room.read("MEMORY.md")

    told = clawgit("chat", "add", order.format("der müll dienstags abgeholt wird")).out

    assert "müll" not in room.read("MEMORY.md")
    assert "Nothing in memory rests on it" not in told


def test_the_digest_says_of_an_order_that_took_a_line_out_only_what_is_so(clawgit, room) -> None:
    """Seen: "memory is as it was", below the line that the order had taken out."""
    for text in (
        "acuerdate que lucia es vegetariana",
        "lucia ya no es vegetariana, ahora es vegana",
        "oh and forget the thing about lucia being vegetarian",
        "olvida que lucia es vegetariana",
    ):
        clawgit("chat", "add", text)
    assert "lucia" not in room.read("MEMORY.md").lower()

    digest = clawgit("digest", "--since", "2026-03-18").out

    assert "search and prompts have it no more" in digest
    assert "memory is as it was" not in digest


def test_of_a_corrected_line_beside_memory_the_line_is_offered_and_not_the_undo_of_the_correction(
    clawgit, room
) -> None:
    """Seen: the same of an entry, above; of a line of a file the correction names no entry. Mutant: only entries are looked for."""
    room.change(
        {"notes/seguro.md": "# Coche\n\nEl seguro del coche vence el 14 de mayo.\n"}, actor="operator"
    )
    clawgit("chat", "add", "el seguro del coche vence el 20 de mayo, no el 14")
    assert "20 de mayo" in room.read("notes/seguro.md")

    told = clawgit("chat", "add", "borra lo del seguro").out

    assert "clawgit forget 'El seguro del coche vence el 20 de mayo.'" in told
    assert "clawgit undo" not in told


def test_words_beside_a_line_that_shall_be_forgotten_are_offered_whatever_they_name(clawgit, room) -> None:
    """Seen: of two links one was listed. Mutant: only words that name it themselves."""
    room.change({"MEMORY.md": "# M\n\n- Jonas keeps item 41 on shelf 7.\n"}, actor="operator")
    clawgit("chat", "add", "he keeps item 41 on shelf 9 now")
    (link,) = clawgit("corrections", "--json").data

    told = clawgit("chat", "add", "forget everything about jonas").out

    assert f"  clawgit reject {link['id']}   beside " in told


def test_a_link_whose_line_he_forgot_says_so_and_how_to_keep_its_words(clawgit, room) -> None:
    """Seen: "would leave memory as it is … with a full stop", "There is no entry", "The line is as it was"."""
    clawgit("chat", "add", "acuerdate que lucia es vegetariana")
    clawgit("chat", "add", "lucia ya no es vegetariana, ahora es vegana")
    (link,) = clawgit("corrections", "--json").data
    clawgit("chat", "add", "olvida que lucia es vegetariana")
    assert "lucia" not in room.read("MEMORY.md").lower()

    shown = clawgit("pending", "show", link["id"]).out
    answers = [clawgit("correct", link["id"], words) for words in ("Lucia es vegana", "Lucia es vegana.")]

    assert "and that line is gone." in shown
    assert all("The line beside your words is gone: 'Lucia es vegetariana'." in each.err for each in answers)
    assert "`clawgit remember 'Lucia es vegana.'`" in answers[1].err
    assert "lucia" not in room.read("MEMORY.md").lower()


BIRTHDAY = "# M\n\n- Mum has her birthday on 4 May.\n- Nora is allergic to hazelnuts.\n- Mama hat am 4. Mai Geburtstag.\n"


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("please delete mum's birthday", '"mum\'s birthday"'),
        ("can you delete Nora's allergy", '"Nora\'s allergy"'),
        ("tu peux effacer l'allergie de Nora", '"l\'allergie de Nora"'),
        ("supprime le code postal de l'atelier", '"le code postal de l\'atelier"'),
        ("efface l'anniversaire de maman s'il te plaît", '"l\'anniversaire de maman"'),
        ("bitte lösche Noras Allergie", "'Noras Allergie'"),
        ("kannst du bitte den Geburtstag von Mama löschen", "'den Geburtstag von Mama'"),
        ("por favor borra la alergia de Nora", "'la alergia de Nora'"),
    ],
)
def test_a_request_to_delete_has_the_command_to_forget_and_stands_beside_no_line(
    clawgit, room, said: str, named: str
) -> None:
    """Seen: `clawgit correct … "NEW LINE"` was offered, and the request stood beside the line in prompts."""
    room.change({"MEMORY.md": BIRTHDAY}, actor="operator")

    told = clawgit("chat", "add", said).out.splitlines()
    clawgit("run", "recall-validator")

    way = f"To see which lines may say so: clawgit forget {named}"
    assert told[1:] == [f"Nothing was removed: such words alone forget nothing. {way}"]
    assert clawgit("corrections", "--json").data == []


@pytest.mark.parametrize(
    "said",
    [
        "Nora removed the wall",
        "delete the tmp files on the server",
        "Nora can remove the nuts",
        "please don't delete Nora's allergy",
        "le script supprime les logs",
        "Mei kann die Dateien löschen",
        "no borres la alergia de Nora",
    ],
)
def test_other_words_of_deleting_are_no_request(clawgit, room, said: str) -> None:
    room.change({"MEMORY.md": BIRTHDAY}, actor="operator")
    assert "Nothing was removed" not in clawgit("chat", "add", said).out


@pytest.mark.parametrize(
    "order",
    [
        "I always eat rye bread on Sundays, forget that",
        "that's none of your business, forget that",
        "I was only joking about the bread, forget that",
    ],
)
def test_an_order_behind_the_same_statement_or_a_reason_takes_the_line_of_it_out(
    clawgit, room, order: str
) -> None:
    """Seen: the message went, and MEMORY.md kept the line. Mutant: of another statement, too."""
    clawgit("remember", "Nora eats rye bread.")
    clawgit("chat", "add", "I always eat rye bread on Sundays")
    clawgit("run", "memory-miner")

    told = clawgit("chat", "add", order).out

    assert "This message is in no note" in told or "reads the messages that you take back" in told
    assert "always eat" not in room.read("MEMORY.md")
    assert "Nora eats rye bread." in room.read("MEMORY.md")


def test_what_is_said_instead_of_words_taken_back_is_named_as_not_kept(clawgit) -> None:
    """Seen: the taking back alone had an answer."""
    clawgit("chat", "add", "The meeting is at 15:00")

    assert NEWS in clawgit("chat", "add", "scratch that, the meeting is at 14:30").out
    assert NEWS not in clawgit("chat", "add", "scratch that").out


def test_words_that_stand_beside_no_line_any_more_are_not_called_unclear(clawgit, room) -> None:
    """Seen: `No longer beside …`, and `It takes nothing back` below it."""
    room.change({"MEMORY.md": "- The meeting is at 14:30.\n"}, actor="operator")
    first = clawgit(
        "--rehearse", "--now", "2026-03-20T10:22:00+00:00", "chat", "add", "The meeting is at 15:00"
    ).out

    told = clawgit(
        "--rehearse", "--now", "2026-03-20T10:24:00+00:00", "chat", "add", "Scratch that, 14:30 was right"
    ).out
    assert "stand beside" in first

    assert "No longer beside" in told
    assert "nothing" not in told


def test_a_declined_title_names_the_same_line(clawgit) -> None:
    """Seen: `Herrn Weber` found no line of `Herr Weber`."""
    clawgit("remember", "Herr Weber owes me 40 euros.")

    assert "Herr Weber owes" in clawgit("forget", "Herrn Weber").out
