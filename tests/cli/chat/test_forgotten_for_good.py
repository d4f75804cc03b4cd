"""What somebody asked in chat to forget: it stays forgotten when the order itself is deleted, whoever reads later."""

from __future__ import annotations

import pytest

from clawgit.capture.messages.open_messages import open_messages
from clawgit.context.lines_told import lines_told, message_told
from clawgit.recall.get_lines import get_lines, lines_got

SAID = "Teo's phone number is 338 555 4471, save it."
NUMBER = "338 555 4471"
ORDER = "Forget Teo's number."


def at(time: str) -> dict[str, str]:
    return {"CLAWGIT_NOW": f"2026-03-{time}:00+00:00", "CLAWGIT_REHEARSE": "1"}


def written(room, number: str = NUMBER) -> list[str]:
    """Return the files of the folder that have the number."""
    files = [path for path in sorted(room.root.rglob("*.md")) if ".git" not in path.parts]
    return [path.name for path in files if number in path.read_text("utf-8")]


TALKS = (
    (SAID, ORDER, NUMBER),
    ("Mira's phone number is 338 555 4472, save it.", "Forget Mira's number, and buy bread.", "338 555 4472"),
    ("Merk dir: die Nummer von Uwe ist 338 555 4473.", "Vergiss bitte die Nummer von Uwe.", "338 555 4473"),
    ("Il numero di Gabriele è 338 555 4474, ricordalo.", "Dimentica il numero di Gabriele.", "338 555 4474"),
)


OLE = "ole will auf 4 tage die woche runter, das bleibt aber unter uns"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "order",
    [
        "nee doch nicht, vergiss was ich über ole gesagt hab",
        "Vergiss, was ich dir über Ole erzählt habe.",
        "forget what I said about Ole",
        "Please forget everything I told you about Ole.",
        "olvida lo que te dije de Ole",
        "oublie ce que j'ai dit sur Ole",
        "dimentica quello che ho detto su Ole",
        "esquece o que eu disse sobre o Ole",
    ],
)
def test_what_he_asks_to_forget_of_somebody_leaves_the_talk_and_its_note(clawgit, room, order: str) -> None:
    """Seen: `You ask to forget "ole gesagt hab"`, and the next morning the note of the talk had his words.

    Mutants: only one message is taken back; a message of another name goes, too; so does one of another session.
    """
    clawgit("chat", "add", OLE, "--session", "s", environment=at("19T10:40"))
    clawgit("chat", "add", "Bleibt unter uns.", "--role", "assistant", "--session", "s", environment=at("19T10:40"))  # fmt: skip
    clawgit("chat", "add", "Ole fragt auch nach mehr Geld.", "--session", "s", environment=at("19T10:41"))
    clawgit("chat", "add", "Lotte bekommt eine Weste.", "--session", "s", environment=at("19T10:41"))
    clawgit("chat", "add", "Ole kommt am Montag.", "--session", "t", environment=at("19T10:41"))

    told = clawgit("chat", "add", order, "--session", "s", environment=at("19T10:42")).out
    clawgit("session", "end", "--session", "s", environment=at("19T10:43"))

    assert f'  user: "{OLE}"\n' in told
    assert written(room, "4 tage") == written(room, "Ole fragt") == written(room, "unter uns") == []
    assert len(written(room, "Lotte")) == 1
    assert "Ole kommt am Montag." in clawgit("chat", "log", environment=at("19T10:44")).out


def test_a_long_message_that_names_him_among_other_things_stays(clawgit) -> None:
    plan = f"Plan: {', '.join(f'task {number} for board {number}' for number in range(20))}; Ole sweeps."
    clawgit("chat", "add", plan, "--session", "s", environment=at("19T10:40"))

    clawgit("chat", "add", "forget what I told you about Ole", "--session", "s", environment=at("19T10:41"))

    assert "Ole sweeps" in clawgit("chat", "log", environment=at("19T10:42")).out


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Forget what I said about Ole. Oak is 73 euros.", "[taken back]. Oak is 73 euros."),
        ("forget what I said about Ole, and remind me of the oak", "[taken back], and remind me of the oak"),
    ],
)
def test_what_an_order_to_forget_took_back_comes_back_by_its_undo(
    clawgit, room, said: str, left: str
) -> None:
    """Mutants: the order forgets again when a host brings it again; a rehearsal brings it back; so does another message's id."""
    order = ("chat", "add", said, "--session", "s", "--id", "o")
    clawgit("chat", "add", OLE, "--session", "s", "--id", "said", environment=at("19T10:40"))
    told = clawgit(*order, environment=at("19T10:41")).out
    way = told.partition("Until then `clawgit ")[2].partition("`")[0].split()

    clawgit(*way, "--dry-run", environment=at("19T10:42"))
    assert OLE not in clawgit("chat", "log", environment=at("19T10:42")).out
    assert OLE in clawgit(*way, environment=at("19T10:42")).err
    clawgit(*order, environment=at("19T10:43"))

    log = clawgit("chat", "log", environment=at("19T10:44")).out
    assert OLE in log
    assert left in log
    assert clawgit(*way, environment=at("19T10:44")).code == 1
    clawgit("session", "end", "--session", "s", environment=at("19T10:45"))
    assert len(written(room, OLE)) == 1


@pytest.mark.rest
def test_jobs_that_run_days_later_keep_nothing_of_it(clawgit, room) -> None:
    """Seen: the order was deleted after a day, and the miner, who could not find it any more, kept the number in MEMORY.md.

    Mutants: what is taken back is only looked for while the order is there; only an order that says nothing else counts.
    """
    for number, (said, order, kept) in enumerate(TALKS):
        talk = ("--session", f"s{number}")
        clawgit("chat", "add", said, *talk, environment=at("19T10:40"))
        clawgit("chat", "add", f"Saved: {kept}.", "--role", "assistant", *talk, environment=at("19T10:40"))
        clawgit("chat", "add", order, *talk, environment=at("19T10:41"))
    told = ""
    for day in ("20", "22"):
        clawgit("chat", "add", f"The van is at petrol station {day}.", environment=at(f"{day}T12:00"))
        clawgit("runner", "once", environment=at(f"{day}T12:01"))
        told += clawgit("chat", "log", "--not-kept", environment=at(f"{day}T12:02")).out
        told += clawgit(
            "context", "--query", "Teo's phone number?", "--session", "s0", environment=at(f"{day}T12:02")
        ).out
    told += clawgit("chat", "export", environment=at("22T12:03")).out
    told += clawgit("search", "phone number", environment=at("22T12:03")).out

    for _, _, kept in TALKS:
        assert kept not in told
        assert written(room, kept) == []


def test_an_order_in_a_later_talk_takes_it_out_of_the_note_of_the_earlier_one(clawgit, room) -> None:
    """The number was the last thing said; the jobs wrote the note before the order came, and would mine the message after it.

    Mutants: only the order's own talk is looked through; the note keeps the line; the agent's answer stays; the whole note goes;
    the history's new commit repeats the words.
    """
    clawgit("chat", "add", "The rent is 820 euro.", "--session", "a", environment=at("19T10:39"))
    clawgit("chat", "add", SAID, "--session", "a", environment=at("19T10:40"))
    clawgit(
        "chat",
        "add",
        f"Saved: {NUMBER}.",
        "--role",
        "assistant",
        "--session",
        "a",
        environment=at("19T10:40"),
    )
    note = clawgit("session", "end", "--json", environment=at("19T11:00")).data["path"]
    assert NUMBER in room.read(note)

    told = clawgit("chat", "add", ORDER, "--session", "b", environment=at("20T08:00")).out

    assert f'Out of the note: {note}:10 "user: {SAID}"' in told
    assert "The rent is 820 euro." in room.read(note)
    assert NUMBER not in clawgit("context", "--query", "Teo's phone number?", environment=at("20T08:01")).out
    clawgit("run", "memory-miner", environment=at("21T12:00"))
    assert written(room) == []
    assert NUMBER not in room.git("log", "-3", "--format=%B")


def test_an_order_that_is_taken_back_in_its_message_is_not_obeyed(clawgit, room) -> None:
    clawgit("chat", "add", SAID, "--session", "a", environment=at("18T10:40"))

    clawgit("chat", "add", f"{ORDER} Forget that, keep it please.", environment=at("19T10:40"))

    log = clawgit("chat", "log", environment=at("19T10:41")).out
    assert NUMBER in log


def test_an_answer_that_says_nothing_goes_where_it_answers_what_goes(clawgit, room) -> None:
    """Seen: each `assistant: Noted.` of every note went along."""
    for said, then in (("The rent is 820 euro.", at("19T10:40")), (SAID, at("19T10:41"))):
        clawgit("chat", "add", said, "--session", "a", environment=then)
        clawgit("chat", "add", "Noted.", "--role", "assistant", "--session", "a", environment=then)
    note = clawgit("session", "end", "--json", environment=at("19T11:00")).data["path"]
    assert room.read(note).count("Noted.") == 2

    clawgit("chat", "add", ORDER, "--session", "b", environment=at("20T08:00"))

    assert room.read(note).endswith("user: The rent is 820 euro.\n\nassistant: Noted.\n")


ABOUT_ANOTHER = [
    ("Forget that item 5 is on shelf 5", "item 133 is on shelf 2 now", "item 5 is on shelf 5"),
    ("Forget that item 5 is on shelf 5", "item 5 is on shelf 2 now", "item 5 is on shelf 5"),
    ("Forget what I said about item 5", "item 133 is on shelf 2 now", "item 5 is on shelf 5"),
    ("Forget that Jonas pays 40 euros a month", "Mei pays 40 euros a month from now on", "Jonas pays 40 euros a month"),
    ("forget that jonas pays 40 euros a month", "mei pays 40 euros a month", "jonas pays 40 euros a month"),
    ("Vergiss, dass Jonas 40 Euro im Monat zahlt", "Mei zahlt ab jetzt 40 Euro im Monat", "Jonas zahlt 40 Euro im Monat"),
    ("Olvida que Jonas paga 40 euros al mes", "Mei paga 40 euros al mes desde ahora", "Jonas paga 40 euros al mes"),
    ("Forget that the kiln review is on 3 May", "The kiln review is on 10 May", "The kiln review is on 3 May"),
    ("Forget Teo's number", "Ana's number is 43", "Teo's number is 43"),
]  # fmt: skip


@pytest.mark.parametrize(("order", "another", "meant"), ABOUT_ANOTHER)
def test_an_order_takes_no_message_with_another_number_value_or_name(
    clawgit, order: str, another: str, meant: str
) -> None:
    """Seen: the messages about item 133 and about Mei were hidden, and deleted after a day."""
    clawgit("chat", "add", meant, "--session", "a", environment=at("19T10:39"))
    clawgit("chat", "add", another, "--session", "b", environment=at("19T10:40"))
    clawgit("chat", "add", f"{another}.", "--session", "a", environment=at("19T10:40"))

    for session in ("b", "a"):
        clawgit("chat", "add", order, "--session", session, environment=at("19T10:41"))

    log = clawgit("chat", "log", environment=at("19T10:42")).out
    assert log.count(another) == 2
    assert meant not in log


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Ich arbeite mittwochs nie", "Vergiss, dass ich mittwochs nie arbeite"),
        ("I prefer pytest without colours", "Forget that I prefer pytest without colours"),
    ],
)
def test_a_line_that_quotes_what_an_order_takes_back_goes_with_it(
    clawgit, room, text: str, order: str
) -> None:
    """Seen: the message was hidden, and the line learned from it stayed, for it begins with `User:`."""
    clawgit("chat", "add", text, environment=at("18T10:40"))
    clawgit("run", "memory-miner", environment=at("18T18:00"))
    assert text in room.read("MEMORY.md")

    clawgit("chat", "add", order, environment=at("20T10:40"))

    assert text not in room.read("MEMORY.md")


def test_one_word_names_too_little_to_take_back_every_message_with_it(clawgit) -> None:
    """Mutants: each message with the word goes; the turn right before, which the order means, stays."""
    clawgit("chat", "add", "The meeting with Paula is at nine.", "--session", "a", environment=at("19T10:40"))
    clawgit("chat", "add", "Forget the meeting.", "--session", "b", environment=at("19T10:41"))

    assert "Paula" in clawgit("chat", "log", "--json", environment=at("19T10:42")).out


def test_a_transcript_without_a_store_is_noted_without_it(clawgit, room, tmp_path) -> None:
    """Mutant: of a transcript only the order is left out."""
    path = tmp_path / "talk.jsonl"
    lines = []
    for number, text in enumerate(("The rent is 820 euro.", SAID, ORDER, "Thanks, see you.")):
        lines.append(f'{{"role": "user", "text": "{text}", "id": "{number}", "session": "s"}}\n')
    path.write_text("".join(lines), "utf-8")

    note = clawgit(
        "session", "end", "--as", "operator", str(path), "--json", environment=at("19T11:00")
    ).data["path"]

    assert "820" in room.read(note)
    assert NUMBER not in room.read(note)


def test_an_import_of_both_keeps_neither(clawgit, room, tmp_path) -> None:
    """Mutant: only what comes alone, live, is looked at."""
    path = tmp_path / "talk.jsonl"
    lines = []
    for number, text in enumerate((SAID, ORDER)):
        lines.append(
            f'{{"role": "user", "text": "{text}", "id": "{number}", "sent_at": "2026-03-19T10:0{number}:00Z"}}\n'
        )
    path.write_text("".join(lines), "utf-8")
    clawgit("chat", "import", str(path), "--as", "operator", environment=at("19T11:00"))
    clawgit("chat", "add", "The van is at the petrol station.", environment=at("21T08:00"))

    clawgit("run", "memory-miner", environment=at("21T12:00"))

    assert written(room) == []
    assert NUMBER not in clawgit("chat", "export", environment=at("21T12:03")).out


@pytest.mark.parametrize(
    "order",
    [
        "Please forget that number again.",
        "Vergiss diese Nummer wieder.",
        "Dimentica quel numero.",
        "Oublie ce numéro.",
        "Olvida ese número.",
        "Esquece esse número.",
        "Vergeet dat nummer weer.",
    ],
)
def test_a_thing_that_an_order_points_at_is_what_was_said_last(clawgit, room, order: str) -> None:
    """Seen: an older line about another number was offered. Mutants: the oldest that has the word; a line of memory that has it."""
    clawgit("chat", "add", "Remember: the phone number of Lele is 339 111 2233.", environment=at("19T10:40"))
    clawgit("chat", "add", SAID, environment=at("19T10:50"))

    told = clawgit("chat", "add", order, environment=at("19T10:51")).out

    assert f'  user: "{SAID}"' in told
    assert "Lele" not in told
    assert "Lele" in room.read("MEMORY.md")


@pytest.mark.parametrize(
    "order",
    [
        "oh and forget Adaeze's mobile, she only reads mails now",
        "Please forget Adaeze's mobile.",
    ],
)
def test_a_line_made_of_what_an_order_takes_back_goes_days_later(clawgit, room, order: str) -> None:
    """Seen: the message and the note's line went, and MEMORY.md went on saying the number.

    Mutants: what else the message told goes; the change has no reason, or repeats the number.
    """
    told = "Remember: Adaeze's mobile is 0803 555 1212. Also remember: the rent of the shop is 640."
    clawgit("chat", "add", told, "--session", "a", environment=at("14T10:40"))
    before = room.read("MEMORY.md")

    answer = clawgit("chat", "add", order, "--session", "b", environment=at("19T10:40")).out

    assert "Forgotten: MEMORY.md:" in answer
    assert f"(undo {room.head()[:12]})" in answer
    assert "0803" not in room.read("MEMORY.md")
    assert "The rent of the shop is 640." in room.read("MEMORY.md")
    assert "> You asked in chat to forget it." in room.git("log", "-1", "--format=%B")
    assert "0803" not in clawgit("search", "Adaeze", environment=at("19T10:41")).out
    clawgit("undo", room.head(), environment=at("19T10:43"))
    assert room.read("MEMORY.md") == before


@pytest.mark.parametrize(
    ("between", "order"),
    [
        (
            ("correct", "Adaeze's mobile is 0803 555 1212.", "Adaeze's mobile is 0803 555 1299."),
            "Forget Adaeze's mobile.",
        ),
        (None, "Forget Adaeze's mobile, it is 0803 777 9999 now."),
        (None, "Forget Adaeze's mobile except the last digits."),
        (None, "Forget Adaeze's address."),
    ],
    ids=["corrected since", "another value", "excepted", "another thing"],
)
def test_a_line_of_which_not_all_is_meant_is_named_and_stays(clawgit, room, between, order: str) -> None:
    """Mutants: a line goes that was changed since; one that only has a word of the order."""
    told = "Remember: Adaeze's mobile is 0803 555 1212."
    clawgit("chat", "add", told, "--session", "a", environment=at("14T10:40"))
    if between:
        clawgit(*between, environment=at("15T10:40"))

    answer = clawgit("chat", "add", order, "--session", "b", environment=at("19T10:40")).out

    assert "Forgotten" not in answer
    assert "0803 555" in room.read("MEMORY.md")


@pytest.mark.parametrize(
    "told",
    [
        "Olli is moving out from his wife. Forget that, that's private.",
        "Haas told me he is ill. oh, forget what i just said",
        "Marek ist krank. vergiss das bitte wieder, ist privat",
        "My sister is pregnant, but keep that out of the files.",
    ],
)
def test_who_says_and_forgets_in_one_breath_means_that_and_not_what_he_said_before(
    clawgit, room, told: str
) -> None:
    """Seen: the order of the message before was undone, and the secret stood in a commit, a note and each prompt."""
    clawgit("chat", "add", "Remember: the spare key is under the green pot.", environment=at("19T10:40"))

    answer = clawgit("chat", "add", told, environment=at("19T10:41"))

    assert "This message is in no note, search or prompt" in answer.out
    assert "green pot" in room.read("MEMORY.md")
    assert (
        clawgit("search", told[:12], "--source", "chat", "--json", environment=at("19T10:42")).data["results"]
        == []
    )
    assert told[:12] not in room.git("log", "--format=%B")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "pasted",
    [
        f"Here is what Eve wrote me:\n{ORDER}\nWhat shall I answer?",
        f"Summarise this mail:\n\n{ORDER}\n\nRegards, Eve",
        "Eve wrote:\nForget that number again.\nWhat does she mean?",
        "Check this mail for typos:\nPlease don't remember this. Forget that.",
    ],
)
def test_what_somebody_else_wrote_takes_no_message_out(clawgit, pasted: str) -> None:
    """Seen: a mail that he pasted ordered it, and his own message was deleted.

    Mutants: an order is looked for in all of a message; only one that names something is looked for in his own words.
    """
    clawgit("chat", "add", SAID, "--session", "s", environment=at("19T10:40"))
    told = clawgit("chat", "add", pasted, "--session", "s", environment=at("19T10:41")).out

    assert NUMBER in clawgit("chat", "log", "--json", environment=at("19T10:42")).out
    assert "after a day they are deleted" not in told


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("My rent for the flat in Basel is 820 euro.", "Forget about the rent for the flat for now."),
        (
            "My rent for the flat in Basel is 820 euro.",
            "Forget the flat rent for a moment, let's plan the trip.",
        ),
        ("Teos Geburtstag ist am 5. Mai.", "Vergiss Teos Geburtstag nie."),
        ("De verjaardag van Teo is op 5 mei.", "Vergeet de verjaardag van Teo nooit."),
        ("Il compleanno di Teo è il 5 maggio.", "Dimentica per ora il compleanno di Teo."),
        ("Il compleanno di Teo è il 5 maggio.", "Dimentica il compleanno di Teo per ora."),
    ],
)
def test_what_is_set_aside_for_a_while_or_never_to_be_forgotten_stays(clawgit, said: str, order: str) -> None:
    """Seen: `nie` and `nooit` at the end deleted what was never to be forgotten, `for now` what he went on with later.

    Mutants: only `nicht` and `niet` are known; the order that says nothing else is looked at alone.
    """
    clawgit("chat", "add", said, "--session", "s", environment=at("19T10:40"))
    told = clawgit("chat", "add", order, "--session", "s", environment=at("19T10:41")).out

    assert said in clawgit("chat", "log", environment=at("19T10:42")).out
    assert "You ask to forget" not in told


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("order", "stays"),
    [
        ("Forget the meeting with Paula, it moved to ten.", True),
        ("Forget that the meeting with Paula is at nine; it is at ten.", True),
        ("Forget the meeting with Paula, she asked me to.", False),
        ("Forget the meeting with Paula, the one at nine.", False),
    ],
)
def test_what_an_order_goes_on_to_correct_is_not_deleted(clawgit, order: str, *, stays: bool) -> None:
    """Seen: `it moved to ten` deleted the day and the room with the hour.

    Mutants: each order that goes on is a correction; a value that was said before is new; so is one behind an `and`.
    """
    said = "The meeting with Paula is at nine on Friday in room 12."
    clawgit("chat", "add", said, "--session", "s", environment=at("19T10:40"))
    told = clawgit("chat", "add", order, "--session", "s", environment=at("19T10:41")).out

    assert (said in clawgit("chat", "log", environment=at("19T10:42")).out) is stays
    assert ("after a day they are deleted" in told) is not stays


@pytest.mark.parametrize(
    "order", ["No, don't remember that article.", "Don't keep that file.", "Vergiss diesen Artikel."]
)
def test_a_thing_of_the_agents_that_he_points_at_takes_no_message_of_his_out(clawgit, order: str) -> None:
    """Seen: any message with a digit was `that article`.

    Mutant: what he said last is meant, whatever he points at.
    """
    said = "The van is at petrol station 3."
    clawgit("chat", "add", said, "--session", "s", environment=at("19T10:40"))
    clawgit("chat", "add", "Here it is.", "--role", "assistant", "--session", "s", environment=at("19T10:40"))
    told = clawgit("chat", "add", order, "--session", "s", environment=at("19T10:41")).out

    assert said in clawgit("chat", "log", environment=at("19T10:42")).out
    assert "It takes back" not in told


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("The trip to Rome is in May.", "Forget all about the trip to Rome except the date."),
        ("The trip to Rome is in May.", "Forget the trip to Rome, but keep the date."),
        ("Die Reise nach Rom ist im Mai.", "Vergiss die Reise nach Rom, außer dem Datum."),
    ],
)
def test_an_order_that_leaves_something_out_deletes_no_message(clawgit, said: str, order: str) -> None:
    """Seen: the date that he wanted kept went with the message.

    Mutant: what is left out is not looked at.
    """
    clawgit("chat", "add", said, "--session", "s", environment=at("19T10:40"))
    clawgit("chat", "add", order, "--session", "s", environment=at("19T10:41"))

    assert said in clawgit("chat", "log", environment=at("19T10:42")).out


def test_an_order_in_a_group_takes_nothing_out(clawgit, room) -> None:
    """Seen: what he said to the agent alone was deleted, and nobody was told. Mutant: his order counts wherever it is said."""
    room.change({"CONFIG.md": "```yaml\ngroup_chats: [telegram:g]\n```\n"}, actor="operator")
    group = ("--group", "--channel", "telegram", "--conversation", "g", "--session", "telegram:group:g")
    sender = ("--sender", "telegram:5")
    clawgit("config", "set", "operator_ids", '["telegram:5"]')
    clawgit("chat", "add", SAID, "--session", "s", environment=at("19T10:40"))

    assert clawgit("chat", "add", ORDER, *group, *sender, environment=at("19T10:41")).code == 0

    assert NUMBER in clawgit("chat", "log", environment=at("19T10:42")).out


def test_a_message_that_only_has_the_words_of_an_order_stays(clawgit) -> None:
    """Mutant: whatever has a name and a word of the order is deleted."""
    clawgit(
        "chat",
        "add",
        "Teo told the band a number of things about the hotels in Rome.",
        environment=at("18T10:40"),
    )
    clawgit("chat", "add", SAID, environment=at("18T10:41"))

    clawgit("chat", "add", ORDER, environment=at("19T10:41"))

    log = clawgit("chat", "log", "--json", environment=at("19T10:42")).out
    assert ("hotels in Rome" in log, NUMBER in log) == (True, False)


def test_what_was_forgotten_at_the_terminal_comes_back_to_no_model(clawgit, room) -> None:
    """Seen: the tool of the model gave it the message, and the note, in which it was said.

    Mutants: the note's line stays; the message is marked for a model as for a person; what is read by place has no mark.
    """
    order = "Remember: Teo's phone number is 338 555 4471."
    said = clawgit("chat", "add", order, "--json").data["id"]
    path = clawgit("session", "end", "--json").data["path"]
    (line,) = [each for each in room.read("MEMORY.md").splitlines() if NUMBER in each]
    entry = line.partition("<!-- ")[2].split()[0]
    assert clawgit("search", "Teo phone number", actor="host").out.count(NUMBER) > 1

    assert clawgit("forget", entry, "--yes").code == 0

    for words in ((), ("--source", "chat"), ("--source", "memory")):
        asked = ("search", "Teo phone number", *words)
        assert NUMBER not in clawgit(*asked, actor="host").out
        mine = clawgit(*asked).out
        assert mine.count("(you took this back)") == mine.count(NUMBER) > 0
    told = lines_told(room.history, get_lines(room.history, path), None, room.now).text
    assert f"{NUMBER}. (the operator took this back)" in told
    with open_messages(room.history, room.now) as store:
        message = store.get(said.removeprefix("chat:"))
    got = lines_got(said, message.text.encode(), None, None)
    assert "the operator took this back" in message_told(room.history, got, message, room.now).text


def test_a_line_that_was_not_made_of_the_messages_that_go_is_said_to_be_read_on(clawgit) -> None:
    """Seen: "no job, search or prompt reads what you take back", and MEMORY.md, the search and the prompt had its line."""
    clawgit("remember", "Mia likes tea.")
    clawgit("remember", "I prefer pytest output without colours.")
    clawgit("chat", "add", "I prefer pytest output without colours", "--session", "s")

    told = clawgit(
        "chat", "add", "forget what I said about pytest colours, I want them", "--session", "t"
    ).out

    assert "reads the messages that you take back" in told
    kept, way, _ = told.splitlines()[-3:]
    assert kept == "What memory says of it stays, and is read on. To remove what says so, or may:"
    assert way.startswith("  clawgit forget m:")


def test_lines_made_of_all_that_was_said_of_a_thing_go_with_it(clawgit, room) -> None:
    """Seen: the message was listed as gone, and MEMORY.md went on saying so in every prompt."""
    clawgit("chat", "add", "Remember: my brother Ole moves to Bremen in May.", "--session", "s")
    clawgit("chat", "add", "Ole's daughter Pia is 4 years old.", "--session", "s")
    assert "Bremen" in room.read("MEMORY.md")

    answer = clawgit("chat", "add", "forget what I said about Ole", "--session", "s").out

    assert "Bremen" not in room.read("MEMORY.md")
    assert "Forgotten: MEMORY.md" in answer


@pytest.mark.rest
def test_a_refused_change_that_cannot_be_kept_is_told_once_and_asks_nothing(clawgit, room) -> None:
    """Seen: for eight days `status`, `pending` and each digest asked about words that he had taken back, and offered a yes to nothing."""
    clawgit("config", "set", "max_file_bytes", "65536")
    room.write("MEMORY.md", "# Memory\n\n" + "- Tea.\n" * 9350)
    room.keep("operator")

    told = clawgit(
        "chat", "add", f"Remember that the key of the kiln hangs behind {'the clock in ' * 6}the hall."
    )

    assert "the limit is 65,536" in f"{told.out}{told.err}"
    assert clawgit("pending", "--kind", "quarantine", "--json").data == []
    assert "kiln" not in clawgit("status").out
