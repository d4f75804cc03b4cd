"""An order to remember that memory cannot hold is refused in the same turn; what else was heard and not kept is in the digest."""

from __future__ import annotations

import shlex

import pytest

from clawgit.history.undo.forgetting import forget_command
from clawgit.memory.entries.statements import without_order
from clawgit.understanding.evidence.orders_to_forget import to_forget

SECRET = "Remember: the PIN for the door is 4821."
FORGET = "Forget that Rex bites."
RENTS = ("Rent for the flat is 900 euros.", "Rent for the studio is 1,240 euros.")
LONG = "Don't forget the box. It is red. It is big. It stands in the hall."


@pytest.mark.parametrize(
    ("text", "why_not"),
    [
        pytest.param(SECRET, "it holds a secret", id="a secret"),
        pytest.param("Remember that.", "what it means is not in the message", id="nothing named"),
        pytest.param(
            "Remember that about the rye bread", "what it means is not in the message", id="a matter"
        ),
        pytest.param(
            "Merk dir das mit dem Roggenbrot", "what it means is not in the message", id="a matter, in German"
        ),
        pytest.param("Retiens ça.", "what it means is not in the message", id="nothing named, in French"),
        pytest.param("Anota esto.", "what it means is not in the message", id="nothing named, in Spanish"),
        pytest.param(LONG, "its message has more than 3 sentences", id="a long message"),
    ],
)
def test_a_refused_order_is_told_in_the_same_turn_with_the_reason(clawgit, text: str, why_not: str) -> None:
    """Mutant: only the run of the night says it."""
    assert clawgit("chat", "add", text, "--json").data["not_kept"] == why_not
    assert f"Not remembered: {why_not}." in clawgit("chat", "add", text).out


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("the wifi password is sunflower", "sunflower"),
        ("my PIN is 4711, as ever", "4711"),
        ("my PIN changed. 4711", "4711"),
        ("my card is 4111 1111 1111 1111", "4111"),
        ("the licence is AB12 CD34 EF56 GH78", "CD34"),
        ("密码是向日葵", "向日葵"),
        ("the api key: wV7kQ2xRt9Zb4LmN8pYc", "wV7kQ2xRt9Zb4LmN8pYc"),
    ],
)
def test_what_tells_a_secret_is_kept_by_no_door_and_masked_in_the_sessions_note(
    clawgit, room, text: str, value: str
) -> None:
    """Mutants: what chat refuses `remember` keeps; the note of a session has what was told in words."""
    clawgit("chat", "add", f"Remember: {text}.")
    assert clawgit("remember", text).code == 1
    assert clawgit("memory", "add", text).code == 1
    note = room.read(clawgit("session", "end", "--json").data["path"])

    assert "user: Remember: " in note
    assert value not in note
    assert value not in room.read("MEMORY.md")


@pytest.mark.parametrize(
    "text", ["My github token is ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8.", "My wifi password is sunflower."]
)
def test_to_a_secret_no_command_is_offered(clawgit, text: str) -> None:
    """Seen: `clawgit remember 'My github token is [redacted github-token].'` Mutant: only what is masked is one."""
    told = clawgit("chat", "add", text).out

    assert "It looks like a secret" in told
    assert "clawgit remember" not in told


def test_a_secret_in_the_sentence_behind_what_was_not_kept_is_left_out(clawgit) -> None:
    """Seen: `clawgit remember 'The PIN changed. 7741'` in the digest."""
    clawgit("chat", "add", "The PIN changed. 7741")
    clawgit("run", "recall-validator")
    clawgit("run", "memory-miner")

    told = clawgit("chat", "log", "--not-kept").out

    assert "looks like a secret" in told
    assert "clawgit remember" not in told


@pytest.mark.parametrize(
    "text",
    [
        "Nora's phone is +49 171 1234567 89.",
        "The login is at example.org.",
        "The choir's account is DE88 5019 0000 0000 8150 23.",
        "GB29 NWBK 6016 1331 9268 19 is the landlord's.",
        "My IBAN is ES91 2100 0418 4502 0005 13.",
        "Por cierto, recuerda que Iñaki vuelve el 7 de enero.",
    ],
)
def test_a_number_to_call_and_a_place_are_no_secrets(clawgit, room, text: str) -> None:
    assert clawgit("remember", text).code == 0
    assert without_order(text) in room.read("MEMORY.md")


@pytest.mark.parametrize(
    "text",
    [
        "IMPORTANT: rotate the API keys monthly.",
        "Remember that Rex bites.",
        "Then write down that we need brake pads.",
        "When you write letters, always sign with Maren.",
    ],
)
def test_of_what_is_kept_nothing_is_refused(clawgit, room, text: str) -> None:
    """Mutant: the word for a secret is one."""
    assert "not_kept" not in clawgit("chat", "add", text, "--json").data

    clawgit("run", "memory-miner")

    assert text.removeprefix("Remember that ") in room.read("MEMORY.md")


@pytest.mark.rest
@pytest.mark.parametrize(
    "text",
    [
        "Don't use emojis with me",
        "Keep it short.",
        "Bitte duz mich",
        "Could you answer me in a more cheerful way?",
        "Schreib mir bitte keine so langen Antworten",
        "You should not use so many exclamation marks.",
        "It is important to me that customers get their bike back clean.",
        "Remind me on Monday to call Schwalbe.",
        "Mr. Albers wants to bring his bike on Thursday. His number is 0761 445566.",
    ],
)
def test_a_wish_of_how_the_agent_shall_behave_is_named_at_once_and_in_the_night(clawgit, text: str) -> None:
    """Seen: `nothing was written`, and no digest named it: only a second one was heard."""
    assert "To have it in MEMORY.md: clawgit remember " in clawgit("chat", "add", text).out

    clawgit("run", "memory-miner")

    assert f"{text} → `clawgit remember " in clawgit("chat", "log", "--not-kept").out


def test_what_was_flagged_and_not_kept_is_in_the_digest_once_with_the_command(clawgit) -> None:
    """Mutants: it is lost in silence; what was kept is told; it is told each day."""
    at = ("--rehearse", "--now")
    clawgit(*at, "2026-03-19T20:00:00+00:00", "digest", "--send", "2026-03-19")
    for text in (LONG, "Remember that Rex bites.", "Vergiss bitte, dass der Turm brennt."):
        clawgit(*at, "2026-03-19T21:00:00+00:00", "chat", "add", text)
    clawgit(*at, "2026-03-20T06:00:00+00:00", "run", "memory-miner")

    told = clawgit(*at, "2026-03-20T07:30:00+00:00", "digest", "--send", "2026-03-20").out
    next_day = clawgit(*at, "2026-03-21T07:30:00+00:00", "digest", "--send", "2026-03-21").out

    _, _, heard = told.partition("## Heard, not kept\n")
    assert "- Don't forget the box.\n" in heard
    assert (
        "You asked to forget something in cli (main) on 2026-03-19 at 21:00, and no line of memory with those words is gone"
        in heard
    )
    assert "Turm" not in told
    assert "Rex" not in heard
    assert "Heard, not kept" not in next_day


def test_what_shall_be_forgotten_is_named_with_the_command_and_stays_until_then(clawgit, room) -> None:
    """Mutant: nobody says that the order did nothing."""
    clawgit("memory", "add", "Rex bites the postman on Mondays.", "--to", "MEMORY.md")
    (entry,) = [each["id"] for each in clawgit("memory", "list", "--json").data]

    *_, told, way = clawgit("chat", "add", "Please forget that Rex bites the postman.").out.splitlines()

    assert told.startswith('You ask to forget "Rex bites the postman". Nothing was removed.')
    assert "Rex bites the postman" in room.read("MEMORY.md")
    assert f"→ `clawgit forget {entry}`" in clawgit("chat", "log", "--not-kept").out
    assert "You asked to forget something" in clawgit("digest", "--since", "2026-03-18").out
    assert clawgit(*way.split()[1:3], "--yes").code == 0
    assert "Rex" not in room.read("MEMORY.md")
    assert "asked to forget" not in clawgit("digest", "--since", "2026-03-18").out


@pytest.mark.parametrize("order", ["Forget that my sister Paula visits.", "Forget what I said about Paula."])
def test_an_order_to_forget_is_done_where_only_a_note_of_a_talk_said_so(clawgit, order: str) -> None:
    """Seen: the morning after, "no line that fits left memory", of the line that the answer had named as taken out.

    Mutants: an order with one word of that line is not done by it; it stays done when the line is back.
    """
    said = "My sister Paula visits on 12 December."
    clawgit("chat", "add", said, "--session", "s")
    clawgit("session", "end")

    told = clawgit("chat", "add", order, "--session", "s").out

    assert "Out of the note" in told
    assert "Paula" not in clawgit("chat", "log", "--not-kept").out
    assert "asked to forget" not in clawgit("digest", "--since", "2026-03-18").out
    undo = told.partition("(undo ")[2].partition(")")[0]
    assert clawgit("undo", undo).code == 0
    assert "Paula" in clawgit("chat", "log", "--not-kept").out


def test_an_order_that_took_his_last_words_back_offers_no_line_to_forget(clawgit, room) -> None:
    """Seen: "Heard, not kept: … → `clawgit forget 'kiln review'`" the morning after it was done, of the row that stays."""
    clawgit("memory", "add", "The kiln review is on 3 May.", "--to", "MEMORY.md")
    clawgit("chat", "add", "Well, the kiln review will be on 7 May.")
    clawgit("chat", "add", "Sorry, that was wrong, forget what I just said about the kiln review")

    assert "forget" not in clawgit("chat", "log", "--not-kept").out
    assert "3 May" in room.read("MEMORY.md")


def test_of_several_lines_that_an_order_to_forget_may_mean_each_is_named(clawgit) -> None:
    """Mutants: after an opt-out nobody says what memory holds; a line with the same name is named as one that says the same."""
    for text in ("Frau Sommer lives in Kiel.", "Frau Sommer has the spare key."):
        clawgit("memory", "add", text, "--to", "MEMORY.md")

    told = clawgit("chat", "add", "Actually, forget what I said about Frau Sommer.").out

    assert "This message is in no note" in told
    for entry in clawgit("memory", "list", "--json").data:
        assert f"  clawgit forget {entry['id']}   2026-03-19: Frau Sommer " in told
    told = clawgit("chat", "add", "Forget about the spare key.").out
    (spare,) = [each["id"] for each in clawgit("memory", "list", "--json").data if "spare" in each["text"]]
    assert told.endswith(f"or may:\n  clawgit forget {spare}   2026-03-19: Frau Sommer has the spare key.\n")


def test_the_line_that_an_order_to_forget_is_about_is_named_where_none_says_so(clawgit, room) -> None:
    """Mutants: it is offered to be corrected, and no line says so; once it is gone, the order is named as not done."""
    line = "Parcels: Herr Lund, +49 228 5550 22"
    room.write("MEMORY.md", f"# M\n\n- {line}\n")
    room.git("commit", "-qam", "parcels")
    later = {"CLAWGIT_NOW": "2099-03-19T10:22:00+00:00"}

    told = clawgit(
        "chat", "add", "Forget the number of Herr Lund, he asked us not to store it.", environment=later
    ).out

    assert (
        f"or may:\n  clawgit forget '{line}'   MEMORY.md:3\nThe next job puts your words beside the line.\n"
        in told
    )
    assert "clawgit correct" not in told
    clawgit("run", "recall-validator", environment=later)
    assert clawgit("forget", "MEMORY.md:3", "--yes", environment=later).code == 0
    assert forget_command(room.history, "number of Herr Lund") == ""
    assert forget_command(room.history, "number of Frau Sommer").startswith("clawgit memory search 'number")


def test_an_order_whose_line_went_since_in_other_words_is_not_named(clawgit) -> None:
    """Mutants: only the words of the order in its order are looked for; what went before the order settles it."""
    clawgit("remember", "Jonas owes me 40 euros.")
    clawgit("remember", "My sister Lena has a locker at the pool, code 4711.")
    clawgit("forget", "--yes", "My sister Lena has a locker at the pool, code 4711.")
    later = {"CLAWGIT_NOW": "2099-03-19T10:22:00+00:00"}
    clawgit("chat", "add", "Forget the forty euros of Jonas.", environment=later)
    clawgit("chat", "add", "Forget the pool locker code of Lena, please.", environment=later)
    clawgit("run", "recall-validator", environment=later)
    clawgit("forget", "--yes", "Jonas owes me 40 euros.", environment=later)

    told = clawgit("chat", "log", "--not-kept", environment=later).out
    assert "Jonas" not in told
    assert "→ `clawgit memory search 'pool locker code of Lena'`" in told


@pytest.mark.parametrize(
    ("order", "way"),
    [
        ("Forget that Nora lives in Bern.", "clawgit forget 'Nora lives in Bern'"),
        ("Forget that I don't hate milk.", "clawgit forget 'I don"),
        ("Forget the rent.", "clawgit forget rent"),
        ("Forget the gym.", "clawgit forget m:"),
    ],
)
def test_the_ready_command_removes_what_says_so_and_no_line_that_is_like_it(
    clawgit, order: str, way: str
) -> None:
    """Seen: `Nora lives in Basel.` was to go; the rent was done, since `parents` had gone before."""
    for line in (
        "My parents live in Ulm.",
        "Nora lives in Basel.",
        "I hate milk.",
        "Gym on Mondays.",
        *RENTS,
    ):
        clawgit("remember", line)
    clawgit("forget", "My parents live in Ulm.", "--yes")
    clawgit("chat", "add", order)

    assert f"    {order} → `{way}" in clawgit("chat", "log", "--not-kept").out


def test_an_order_to_forget_is_done_when_a_line_went_since_and_stays_while_another_file_says_so(
    clawgit, room
) -> None:
    """Mutants: what went before the order counts; of two lines that may be meant the other one is named still."""
    for line in RENTS:
        clawgit("remember", line)
    clawgit("chat", "add", "Forget the rent.")
    clawgit("forget", RENTS[0], "--yes")

    assert "No messages." in clawgit("chat", "log", "--not-kept").out
    room.change({"notes/rent.md": f"# Rent\n\n{RENTS[0]}\n"}, actor="operator")
    assert "Forget the rent. → `clawgit forget" in clawgit("chat", "log", "--not-kept").out


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Forget the gym and remember that Paul is vegan.", "gym"),
        ("Forget the gym; Paul is vegan.", "gym"),
        ("Forget about the gym, but keep its phone number.", "gym"),
        ("Olvida el gym, ahora nado en Triana.", "gym"),
        ("Delete the gym from your memory, use the pool instead.", "the gym"),
        ("Forget the gym: the new pool costs 900.", "gym"),
        ("Forget what I said, remember that Paul is vegan.", ""),
        ("Forget what I said, the gym costs 86 euros, not 84.", ""),
        ("Forget the gym. The pool costs 90.", "gym"),
    ],
)
def test_a_message_that_says_more_than_an_order_to_forget_is_kept_like_every_message(
    clawgit, text: str, asked: str
) -> None:
    """Seen: the whole message was in no search and gone after a day, with what it tells."""
    clawgit("remember", "Gym on Mondays.")

    told = clawgit("chat", "add", text).out

    assert "deleted after a day" not in told
    assert (f'You ask to forget "{asked}".' in told) is bool(asked)
    clawgit("chat", "add", "How are you?")
    assert text in clawgit("search", text, "--source", "chat").out


def test_an_order_to_forget_is_named_where_its_message_is_beside_another_line(clawgit) -> None:
    """Seen: `And forget the kiln.`, and the link beside `Nora is a nurse.` settled it."""
    clawgit("remember", "Nora is a nurse.")
    clawgit("remember", "The kiln has 12 shelves.")
    clawgit("chat", "add", "Remember that Nora is a nurse. And forget the kiln.")
    clawgit("run", "recall-validator")

    assert "And forget the kiln. → `clawgit forget m:" in clawgit("chat", "log", "--not-kept").out


def test_what_a_note_says_in_other_words_is_named_by_its_line_and_that_command_removes_it(
    clawgit, room
) -> None:
    """Mutants: a command is offered that finds nothing; the undo of a message takes out the note of the evening."""
    room.change(
        {"memory/2026-03-18.md": "# Wednesday\n\n- My mother says Tobias is lazy.\n"}, actor="operator"
    )

    told = clawgit("chat", "add", "Forget what I said about Tobias being lazy.").out

    assert "clawgit undo" not in told
    (way,) = [line for line in told.splitlines() if line.startswith("  clawgit forget ")]
    assert clawgit(*shlex.split(way)[1:3], "--yes").code == 0
    assert "lazy" not in room.read("memory/2026-03-18.md")
    assert (
        "No line of Markdown was found that says so; messages stay."
        in clawgit("chat", "add", "Forget that the moon is cheese.").out
    )


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Vergiss das mit dem TÜV.", "TÜV"),
        ("Bitte vergiss die Wireguard-Adresse.", "Wireguard-Adresse"),
        ("Vergiss, was ich über Frau Sommer gesagt habe.", "Frau Sommer"),
        ("Forget that Anke lives in Rotterdam.", "Anke lives in Rotterdam"),
        ("Forget my old address, please.", "old address"),
        ("Forget what I said about swimming, he quit.", "swimming"),
        ("Forget the invoice 5590, it's paid.", "invoice 5590"),
        ("Forget that Anke lives in Rotterdam, Holland.", "Anke lives in Rotterdam"),
        ("Please forget Herr Lund's phone number.", "Herr Lund's phone number"),
        ("Forget that Anke's number is 5.", "Anke's number is 5"),
    ],
)
def test_orders_to_forget(text: str, what: str) -> None:
    assert to_forget(text) == what


@pytest.mark.parametrize(
    "text",
    [
        "Vergiss die Milch nicht!",
        "Vergiss das bitte wieder.",
        "Forget what I said.",
        "Don't forget that Rex bites.",
        "Forget that.",
        "Forget about it!",
        "Erase that from your memory.",
        "Delete everything from your memory.",
        "Did you forget that Rex bites?",
    ],
)
def test_what_is_no_order_to_forget_a_line(text: str) -> None:
    assert (to_forget(text), to_forget(FORGET)) == ("", "Rex bites")


def test_each_sentence_that_memory_has_not_is_named_once_also_beside_one_that_was_kept(clawgit) -> None:
    """Mutants: a message of which something was kept, or that holds a secret, hides the rest; what memory has is named."""
    for text in (
        "Our landlord is Herr Brandt. His number is 030 5550123.",
        "Jonas has a nut allergy. The wifi password is sunflower.",
        "Jonas has a nut allergy.",
    ):
        clawgit("chat", "add", text)
    clawgit("remember", "Jonas has a nut allergy.")
    clawgit("run", "recall-validator")
    clawgit("run", "memory-miner")

    _, _, heard = clawgit("digest", "--since", "2026-03-18").out.partition("## Heard, not kept\n")

    (secret, number) = heard.partition("\n\n")[0].splitlines()
    assert number == "- His number is 030 5550123."
    assert secret.startswith("- Something that looks like a secret was left out → `clawgit memory get chat:")
    assert "sunflower" in clawgit(*secret.rstrip("`").split()[-3:]).out
    log = clawgit("chat", "log", "--not-kept").out.splitlines()
    assert log[1].endswith("His number is 030 5550123. → `clawgit remember 'His number is 030 5550123.'`")
    assert [line.split("user: ")[-1].split()[0] for line in log] == ["Our", "His", "Jonas", "Something"]
    assert clawgit("chat", "log", "--not-kept", "--json").data[0]["not_kept"] == [
        "His number is 030 5550123."
    ]


def test_what_no_job_has_read_yet_is_said_where_one_looks_for_what_is_missing(clawgit) -> None:
    """Mutant: the first evening says `No messages.`."""
    clawgit("chat", "add", "Our landlord is Herr Brandt.")
    unread = "1 message is still to be read, at 06:00 where `clawgit up` or a timer runs; now: `clawgit run memory-miner`"

    assert clawgit("chat", "log", "--not-kept").err.strip() == unread
    assert unread in clawgit("status").out

    clawgit("config", "set", "cron_memory_miner", "off")
    assert "still to be read, not by itself (`cron_memory_miner` is off); now: " in clawgit("status").out
    clawgit("memory", "add", "The port is 8080.")
    clawgit("chat", "add", "No, the port is 9191, not 8080.")  # all of it is a correction by now
    assert "  1 message is still to be read" in clawgit("status").out

    clawgit("run", "memory-miner")
    assert unread not in clawgit("chat", "log", "--not-kept").err


@pytest.mark.parametrize(
    ("text", "command"),
    [
        pytest.param("I moved to Lisbon in September.", "clawgit remember 'I moved to Lisbon in September.'", id="a fact"),
        pytest.param("No, it's on port 9090 now.", 'clawgit correct "WHAT IS WRONG" "NEW LINE"', id="nothing without its talk"),
    ],
)  # fmt: skip
def test_what_may_correct_and_says_enough_alone_is_offered_to_be_remembered(
    clawgit, text: str, command: str
) -> None:
    """Mutant: a cue for a correction leaves only a command with two blanks."""
    clawgit("chat", "add", text)
    for agent in ("recall-validator", "memory-miner"):
        clawgit("run", agent)

    assert command in clawgit("chat", "log", "--not-kept").out


def test_what_says_nothing_alone_is_told_with_what_was_said_before_it(clawgit) -> None:
    """Seen: `no, mentira, son 150`, of what nobody could tell the next morning."""
    clawgit("chat", "add", "I'll plant 200 gorses in autumn? No, it's 150 of them.")
    clawgit("chat", "add", "--role", "assistant", "The service runs on port 8080.")
    clawgit("chat", "add", "No, it's on port 9090 now.")
    for agent in ("recall-validator", "memory-miner"):
        clawgit("run", agent)

    digest = clawgit("digest").out
    assert "I'll plant 200 gorses in autumn? No, it's 150 of them.\n" in digest
    assert 'No, it\'s on port 9090 now. (your agent said: "The service runs on port 8080.")\n' in digest


@pytest.mark.parametrize(
    ("text", "fate"),
    [
        pytest.param("My sister Ana lives in Porto.", "The next job keeps it in MEMORY.md. Now:", id="kept"),
        pytest.param("I hate cilantro.", "The next job keeps it in MEMORY.md. Now:", id="kept, with no form of a statement"),
        pytest.param("Call me Nora.", "Search finds it as your message. To have it in MEMORY.md:", id="an order for good, said once"),
        pytest.param("Hana is away from 3 to 17 November.", "Search finds it as your message. To have it in MEMORY.md:", id="a message"),
    ],
)  # fmt: skip
def test_a_plain_fact_is_answered_with_what_becomes_of_it(clawgit, text: str, fate: str) -> None:
    """Seen: `stored`, and no word of what memory makes of it; later `the memory-miner keeps it, or the digest names it as not kept`."""
    told = clawgit("chat", "add", text).out.splitlines()
    assert told[1:] == [f"{fate} clawgit remember '{text}'"]

    assert text in clawgit("search", text).out
    clawgit("run", "memory-miner")
    assert (text in clawgit("memory", "get", "MEMORY.md").out) == ("next job" in fate)


def test_a_job_that_is_off_is_not_promised(clawgit) -> None:
    clawgit("config", "set", "cron_memory_miner", "off")

    said = clawgit("chat", "add", "My sister Ana lives in Porto.").out

    assert "To have it in MEMORY.md: clawgit remember 'My sister Ana lives in Porto.'" in said


def test_what_the_next_job_refuses_is_not_promised(clawgit) -> None:
    """Seen: "The next job keeps it in MEMORY.md", and the job: "what it means is not in the message"."""
    assert "next job" not in clawgit("chat", "add", "Remember?").out


def test_an_order_that_corrects_no_line_is_done_at_once(clawgit) -> None:
    """Seen: "Not remembered: it may correct something", of an order beside which no line was found, until the next morning."""
    said = clawgit("chat", "add", "make a note: the filter is changed every 3 months").out

    assert 'Remembered: MEMORY.md "The filter is changed every 3 months"' in said
    assert "correct" not in said


def test_what_a_day_note_has_is_not_named_as_not_kept(clawgit) -> None:
    """Seen: "Remembered: memory/2026-11-27.md", and the sentence stood in the digest below "Heard, not kept"."""
    said = clawgit("chat", "add", "Note to self: pay Tom").out

    assert "Remembered for the day: memory/2026-03-19.md" in said
    assert "Tom" not in clawgit("chat", "log", "--not-kept").out


def test_what_the_soul_has_is_not_named_as_not_kept(clawgit, room) -> None:
    for day in ("2026-03-18", "2026-03-19"):
        clawgit("chat", "add", "Call me Nora.", "--at", f"{day}T10:00")
    clawgit("run", "memory-miner")
    assert "Nora" in clawgit("chat", "log", "--not-kept").out

    clawgit("run", "soul-keeper")
    for each in clawgit("pending", "--json").data:
        clawgit("approve", each["id"])

    assert "Call me Nora" in room.read("SOUL.md")
    assert "Nora" not in clawgit("chat", "log", "--not-kept").out


@pytest.mark.parametrize(
    "text",
    [
        "Did I tell you when the vaccination is?",
        "What a lovely morning!",
        "haha nice",
        "What is the door code?",
        "Danke!",
    ],
)
def test_a_mood_is_answered_with_nothing_more(clawgit, text: str) -> None:
    assert len(clawgit("chat", "add", text).out.splitlines()) == 1


@pytest.mark.parametrize(
    "text",
    ["Qué pena, soy alérgico a las nueces!", "How I hate mails, my address is Elm Street 4!", "What a day!"],
)
def test_what_is_told_behind_a_mood_is_kept(clawgit, room, text: str) -> None:
    """Seen: the answer to his allergy was that nothing was written, since its sentence began like a mood."""
    clawgit("chat", "add", text)
    clawgit("run", "memory-miner")

    assert (text in room.read("MEMORY.md")) == ("," in text)


@pytest.mark.parametrize(
    "text",
    [
        "btw nora eats no walnuts either",
        "drop the van thing",
        "nah Emil was joking, he doesnt owe me anything",
        "lol he doesnt owe me anything",
        "sorry, it's in the kitchen",
        "nora verträgt auch keine Walnüsse",
        "诺拉也不能吃核桃",
        "I slept so badly",
        "I can't remember where I put my glasses.",
    ],
)
def test_what_states_or_orders_in_words_that_no_rule_keeps_has_an_answer(clawgit, text: str) -> None:
    """Seen: `stored`, and for a day he thought that it was lost; then a line and a command after each bit of talk."""
    (told,) = clawgit("chat", "add", text).out.splitlines()
    assert told.endswith(" stored; nothing was written into MEMORY.md")


@pytest.mark.parametrize(
    "text",
    [
        "thanks a lot for the help",
        "no problem at all",
        "haha that is so funny",
        "good morning, how are you",
        "is it in the shed?",
    ],
)
def test_greetings_thanks_and_questions_get_no_sentence(clawgit, text: str) -> None:
    assert clawgit("chat", "add", text).out.splitlines()[1:] == []


def test_a_bare_answer_is_offered_for_the_line_of_a_file_and_never_as_a_line_of_its_own(
    clawgit, room
) -> None:
    """Seen: "no, the 28th" was offered for the opening hours, and "no, 09:45" as `clawgit remember 09:45`."""
    room.change({"jars.md": "# Moon jars\n\n- Show opens on 21 November\n"}, actor="operator")
    clawgit("chat", "add", "--role", "assistant", "The Corn Street show opens on 21 November.")
    told = clawgit("chat", "add", "no, the 28th").out
    (link,) = clawgit("corrections", "--json").data
    clawgit("chat", "add", "--role", "assistant", "Is the standup still 09:15?")
    alone = clawgit("chat", "add", "no, 09:45").out

    assert 'Your words now stand beside jars.md:3 "Show opens on 21 November"' in told
    assert told.endswith(f'To make it "Show opens on 28 November": clawgit approve {link["id"]}\n')
    assert 'If it corrects a line of memory: clawgit correct "WHAT IS WRONG" "NEW LINE"' in alone


def test_an_order_to_remember_in_a_message_that_is_not_kept_is_said_to_be_lost(clawgit, room) -> None:
    """Seen: the message is deleted after a day, and nobody was told that its order was. Mutant: of a veto nothing else is told."""
    order = "Remember that the wifi code is on the fridge."

    told = clawgit("chat", "add", f"Don't note this. {order}").out

    assert "Not remembered: the same message asks that something be not kept" in told
    assert "wifi" not in room.read("MEMORY.md")
    assert "Not remembered" not in clawgit("chat", "add", "Don't remember that Tom is allergic to nuts.").out


def test_of_a_value_that_a_line_has_it_is_not_said_that_memory_lacks_it(clawgit) -> None:
    """Seen: "MEMORY.md does not have it", of the port that it has."""
    clawgit("remember", "The staging port is 8080.")

    told = clawgit("chat", "add", "8080").out

    assert "does not have it" not in told
    assert "nothing was written into MEMORY.md" in told


def test_what_he_did_himself_since_is_not_named(clawgit) -> None:
    """Seen: both were named as heard and not kept. Mutants: what was done before he said so settles it; a correction of something else does."""

    def do(time: str, *words: str) -> str:
        return clawgit(*words, environment={"CLAWGIT_NOW": f"2026-03-19T{time}:00+00:00"}).out

    do("08:00", "remember", "Nora is allergic to hazelnuts.")
    do("08:01", "remember", "The spare key is under the pot.")
    do("08:02", "remember", "The boat key is under the mat.")
    do("08:05", "forget", "--yes", "The boat key is under the mat.")
    do("09:10", "chat", "add", "Nora isn't allergic to hazelnuts, it's walnuts")
    do("09:20", "chat", "add", "scratch that about the spare key")
    do("09:30", "chat", "add", "scratch that about the boat key")
    do("09:40", "chat", "add", "Nora isn't playing the harp, it's the flute")
    do("09:51", "correct", "Nora is allergic to hazelnuts.", "Nora is allergic to walnuts.")
    do("09:53", "forget", "--yes", "The spare key is under the pot.")
    do("09:54", "run", "recall-validator")
    do("09:55", "run", "memory-miner")

    told = do("09:56", "chat", "log", "--not-kept")

    named = [
        word
        for word in ("walnuts", "spare", "boat", "flute")
        if f"{word} key →" in told or f"{word} →" in told
    ]
    assert named == ["boat", "flute"]


@pytest.mark.rest
@pytest.mark.parametrize(
    ("said", "since"),
    [
        ("The wholesaler delivers on Tuesday at 6.", ("chat", "add", "No, the wholesaler delivers on Wednesday at 6, not on Tuesday.")),
        ("The wholesaler delivers on Tuesday at 6.", ("correct", "The wholesaler delivers on Tuesday at 6.", "The wholesaler delivers on Wednesday at 6.")),
    ],
)  # fmt: skip
def test_a_value_that_he_corrected_since_is_not_offered(clawgit, said: str, since: tuple[str, ...]) -> None:
    """Seen: the wrong value was, beside what corrects it. Mutants: an earlier value, or one of another thing, corrects it."""
    at = ("--rehearse", "--now")
    clawgit(*at, "2026-03-19T20:00:00+00:00", "chat", "add", since[-1])
    clawgit(*at, "2026-03-19T21:00:00+00:00", "chat", "add", "Emil's lesson is on Tuesday at 6.")
    clawgit(*at, "2026-03-19T21:10:00+00:00", "chat", "add", said)
    for agent in ("recall-validator", "memory-miner"):
        clawgit(*at, "2026-03-19T21:15:00+00:00", "run", agent)
    before = clawgit(*at, "2026-03-19T21:20:00+00:00", "chat", "log", "--not-kept").out
    clawgit(*at, "2026-03-19T21:30:00+00:00", *since)
    for agent in ("recall-validator", "memory-miner"):
        clawgit(*at, "2026-03-19T21:40:00+00:00", "run", agent)

    told = clawgit(*at, "2026-03-19T21:50:00+00:00", "chat", "log", "--not-kept").out

    assert f"clawgit remember '{said}'" in before
    assert f"clawgit remember '{said}'" not in told
    assert "Emil" in told


@pytest.mark.rest
@pytest.mark.parametrize(
    ("said", "number", "is_named"),
    [
        pytest.param("No, la prenotazione ha il codice 5436.", "5436", False, id="the value that he set"),
        pytest.param("No, la prenotazione ha il codice 5436, non quello di prima.", "5436", False, id="in more words"),
        pytest.param("No, la prenotazione ha il codice 5436.", "5437", True, id="another value"),
        pytest.param("No, la prenotazione ha il codice 5436 e parte alle 9:50.", "5436", True, id="one value more"),
        pytest.param("No, la prenotazione ha il codice 5436 e parte da Milano.", "5436", True, id="one name more"),
    ],
)  # fmt: skip
def test_what_memory_says_since_he_corrected_it_is_not_offered(
    clawgit, said: str, number: str, is_named: bool
) -> None:
    """Seen: `remember 'No, la prenotazione …'`, though he had run the `correct` that was offered. Mutants: any correction settles it; the grammar of another language is a word that memory lacks."""

    def do(time: str, *words: str) -> str:
        return clawgit(*words, environment={"CLAWGIT_NOW": f"2026-03-19T{time}:00+00:00"}).out

    line = "Il codice della prenotazione per Torino è {}."
    do("08:00", "remember", line.format(5432))
    do("09:00", "chat", "add", said)
    do("09:10", "correct", line.format(5432), line.format(number))
    do("09:20", "run", "recall-validator")
    do("09:21", "run", "memory-miner")

    assert ("prenotazione ha" in do("09:30", "chat", "log", "--not-kept")) is is_named


@pytest.mark.parametrize(
    "text",
    [
        "Unohda tiedot Norasta.",
        "Unohda uudet ajat: 18.6. kello 15.",
        "Felejtsd azt a számot.",
        "Felejtsd azt, hogy Nora allergiás.",
        "Gleymdu því að Nora er með ofnæmi.",
        "Uită de numărul Norei.",
        "Unut: Nora'nın numarası 601 222 333.",
        "Glöm att Nora är allergisk mot nötter.",
        "Vergeet dat Jan in Gent woont.",
    ],
)
def test_an_order_in_a_language_that_is_not_known_is_never_offered_to_be_remembered(
    clawgit, text: str
) -> None:
    """Seen: "Glöm att …", forget that, with `clawgit remember`. Mutant: `att`, `tiedot`, `azt` are German verbs in any language."""
    told = clawgit("chat", "add", text).out

    assert "stored" in told
    assert "clawgit remember" not in told
    assert "clawgit remember" not in clawgit("chat", "log", "--not-kept").out


@pytest.mark.parametrize(
    "text", ["no, tuesday", "no, worse", "the 24th, not the 20th.", "nope, the other draft"]
)
def test_what_only_corrects_is_not_offered_to_be_remembered(clawgit, text: str) -> None:
    """Seen: `clawgit remember 'no, tuesday'`, next morning. Mutants: only a pronoun leans on the talk; a cue alone is cut off."""
    told = clawgit("chat", "add", text).out
    for agent in ("recall-validator", "memory-miner"):
        clawgit("run", agent)
    offered = clawgit("chat", "log", "--not-kept").out

    assert 'clawgit correct "WHAT IS WRONG" "NEW LINE"' in told
    assert 'clawgit correct "WHAT IS WRONG" "NEW LINE"' in offered
    assert "clawgit remember" not in told + offered


def test_what_he_corrected_right_behind_is_offered_as_he_corrected_it(clawgit) -> None:
    """Seen: the digest offers to keep *thursdays*, or has a sentence that he never said. Mutants: `no wait` before the value hides it; every later turn is looked at."""
    clawgit("chat", "add", "the market van comes on thursdays")
    clawgit("chat", "add", "no wait, wednesdays")
    clawgit("chat", "add", "the choir meets on mondays")
    clawgit("chat", "add", "my sister is here")
    clawgit("chat", "add", "no, fridays")
    clawgit("chat", "add", "my pilates class is on wednesdays")
    clawgit("chat", "add", "not wednesdays, tuesdays, sorry")
    clawgit("run", "memory-miner")
    offered = clawgit("chat", "log", "--not-kept").out

    assert "clawgit remember 'the market van comes on wednesdays'" in offered
    assert "clawgit remember 'my pilates class is on tuesdays'" in offered
    assert "clawgit remember 'the market van comes on thursdays'" not in offered
    assert "    the market van comes on thursdays → `clawgit remember 'the market van" in offered
    assert "clawgit remember 'the choir meets on mondays'" in offered


@pytest.mark.parametrize("mark", [":", ","])
def test_what_stands_behind_keep_it_in_mind_is_what_it_means(clawgit, room, mark: str) -> None:
    """Mutant: `it` always means something that was said before."""
    told = clawgit("chat", "add", f"keep it in mind{mark} the spare fuse is in the attic", "--json").data

    assert [each["path"] for each in told["remembered"]] == ["MEMORY.md"]
    assert "he spare fuse is in the attic" in room.read("MEMORY.md")


def test_an_order_that_names_nothing_is_told_as_not_kept(clawgit) -> None:
    """Seen: `keep it in mind` was taken for an order to the agent, and named nowhere."""
    clawgit("chat", "add", "keep it in mind")
    clawgit("run", "memory-miner")

    assert "keep it in mind" in clawgit("chat", "log", "--not-kept").out


def test_what_the_note_of_the_day_has_of_an_order_is_kept(clawgit, room) -> None:
    """Seen: `remember to buy milk` stood in the note, and in the digest as not kept."""
    told = clawgit("chat", "add", "please remember to buy milk", "--json").data

    clawgit("run", "memory-miner")

    assert room.read(told["remembered"][0]["path"]).count("buy milk") == 1
    assert "milk" not in clawgit("chat", "log", "--not-kept").out
    assert "Heard, not kept" not in clawgit("digest").out


@pytest.mark.parametrize(
    ("text", "is_errand"),
    [
        ("denk dran Milch zu kaufen", True),
        ("Vergiss nicht, das Auto abzuholen.", True),
        ("acuérdate de llamar a Pilar", True),
        ("acordate de llamar a Pilar", True),
        ("n'oublie pas d'acheter du lait", True),
        ("Lembra-te de comprar leite.", True),
        ("Denk dran, immer Handschuhe zu tragen.", False),
        ("Denk dran, dass Ole nicht an Epoxid darf.", False),
        ("recuerda que Pilar es diabética", False),
    ],
)
def test_an_errand_goes_with_the_day_in_each_language(clawgit, text: str, is_errand: bool) -> None:
    """Seen: `denk dran Milch zu kaufen` stood in MEMORY.md for good. Mutant: so does nothing else that is to be remembered."""
    told = clawgit("chat", "add", text, "--json").data

    assert told["remembered"][0]["path"].startswith("memory/") is is_errand


def test_a_word_alone_is_nothing_to_remember(clawgit) -> None:
    """Seen: the digest offered `clawgit remember decided`."""
    clawgit("chat", "add", "I like Duruflé in French. decided. We do Italian for the rest.")
    clawgit("run", "memory-miner")

    told = clawgit("digest", "--since", "2026-03-18").out

    assert "Italian" in told
    assert "remember decided" not in told


@pytest.mark.parametrize(
    ("turn", "text"),
    [
        pytest.param("", "The PIN of the shed is 7741. No, that's not right.", id="before it"),
        pytest.param("The PIN of the shed is 7741.", "No, that's not right.", id="the agent's turn"),
    ],
)
def test_what_holds_a_secret_stands_beside_nothing(clawgit, turn: str, text: str) -> None:
    """Seen: below "something that looks like a secret was left out" stood the PIN."""
    if turn:
        clawgit("chat", "add", "--role", "assistant", turn)
    clawgit("chat", "add", text)
    clawgit("run", "recall-validator")
    clawgit("run", "memory-miner")

    told = clawgit("digest", "--since", "2026-03-18").out

    assert "not right" in told
    assert "7741" not in told


LINES = """# M

- Der Fotograf ist Thomas Kern, Honorar 1.900 €.
- Praktikantin Lena bleibt bis 18. Dezember.
- Gästezahl 85
"""


@pytest.fixture
def wedding(room, clawgit):
    """Return what says something, has the jobs read it, and returns the message."""
    room.change({"MEMORY.md": LINES}, actor="operator")

    def say(text: str) -> dict:
        data = clawgit("chat", "add", text, "--json").data
        clawgit("run", "recall-validator")
        clawgit("run", "memory-miner")
        return data

    return say


@pytest.mark.parametrize(
    ("behind", "is_offered"),
    [
        pytest.param("es bleibt bei 1.900", False, id="what stays"),
        pytest.param("danke", True, id="nothing stays"),
    ],
)
def test_what_an_order_to_forget_leaves_as_it_is_is_not_offered_to_be_forgotten(
    clawgit, wedding, behind: str, is_offered: bool
) -> None:
    """Seen: that with `clawgit forget Fotograf`. Mutant: anything behind it."""
    wedding(f"vergiss das mit dem Fotograf, {behind}")

    assert ("clawgit forget" in clawgit("chat", "log", "--not-kept").out) is is_offered


def test_what_a_line_says_since_he_corrected_it_himself_is_not_named(clawgit, wedding) -> None:
    """Seen: `Lena bleibt bis 22. Jänner`, which the line said by then."""
    wedding("Lena bleibt bis 22. Jänner")

    clawgit(
        "correct", "Praktikantin Lena bleibt bis 18. Dezember.", "Praktikantin Lena bleibt bis 22. Jänner."
    )

    assert "Lena" not in clawgit("chat", "log", "--not-kept").out


@pytest.mark.parametrize(
    ("said", "since", "is_named"),
    [
        ("ma is verhuisd naar kamer 118", ("correct", "Ma woont in De Beyart, kamer 212.", "Ma woont in De Beyart, kamer 118."), False),
        ("ma is verhuisd naar kamer 118", ("correct", "Ma woont in De Beyart, kamer 212.", "Ma woont in De Beyart, kamer 119."), True),
        ("achterdeur code is 8830 geworden", ("correct", "Code van het slot op de achterdeur: 4471.", "Code van het slot op de achterdeur: 8830."), False),
        ("Lena is staying until 22 January", ("remember", "Lena the trainee is staying till 22 January."), False),
        ("Lena is staying until 22 January", ("remember", "Kim the trainee is staying till 22 January."), True),
    ],
    ids=["corrected", "another value", "a secret", "remembered", "of another"],
)  # fmt: skip
def test_what_he_corrected_or_remembered_since_in_other_words_is_not_named(
    clawgit, room, said: str, since: tuple[str, ...], is_named: bool
) -> None:
    """Seen: the room and "something that looks like a secret", both corrected by hand before."""
    room.change({"MEMORY.md": "- Ma woont in De Beyart, kamer 212.\n- Code van het slot op de achterdeur: 4471.\n"}, actor="operator")  # fmt: skip

    def do(time: str, *words: str) -> str:
        return clawgit(*words, environment={"CLAWGIT_NOW": f"2026-03-19T{time}:00+00:00"}).out

    do("08:00", "chat", "add", said)
    do("08:10", *since)
    do("08:20", "run", "recall-validator")
    do("08:21", "run", "memory-miner")

    told = do("08:30", "chat", "log", "--not-kept")

    assert ("→" in told) is is_named


@pytest.mark.parametrize(
    ("said", "way", "is_named"),
    [
        ("la audicion no es el 23, es el 30 de mayo", "reject", False),
        ("la audicion no es el 23, es el 30 de mayo", "undo", False),
        ("la audicion no es el 23, es el 30 de mayo. Nacho isn't the treasurer anymore.", "reject", True),
    ],
)
def test_words_that_he_took_away_from_their_line_are_not_named(
    clawgit, room, said: str, way: str, is_named: bool
) -> None:
    """Seen: after `reject` the digest offered `clawgit remember` of the sentence. Mutant: its neighbours go, too."""
    room.change({"MEMORY.md": "- Audición del conservatorio: 23 de mayo, aula 4\n"}, actor="operator")
    clawgit("chat", "add", said)
    for agent in ("recall-validator", "memory-miner"):
        clawgit("run", agent)
    (link,) = clawgit("corrections", "--json").data
    clawgit(way, link["id"])

    told = clawgit("chat", "log", "--not-kept").out

    assert "remember 'la" not in told
    assert ("→" in told) is is_named


@pytest.mark.parametrize(
    ("said", "is_named"),
    [
        ("Irina isn't the treasurer anymore, Nacho is", True),
    ],
)
def test_what_he_corrected_by_hand_in_another_language_is_not_named(
    clawgit, room, said: str, is_named: bool
) -> None:
    """Seen: `clawgit remember` of it, after the line was corrected. Mutant: any line with the name settles it."""
    room.change({"MEMORY.md": "- Irina es vegetariana.\n"}, actor="operator")
    clawgit("chat", "add", said)
    clawgit("correct", "Irina es vegetariana.", "Irina come pescado, no carne.")
    for agent in ("recall-validator", "memory-miner"):
        clawgit("run", agent)

    assert ("→" in clawgit("chat", "log", "--not-kept").out) is is_named


def test_what_was_taken_back_in_other_words_is_not_heard_and_not_kept(clawgit) -> None:
    """Seen: the digest named the words as not kept, although they had taken the line back."""
    clawgit("chat", "add", "Remember that Lucía doesn't eat meat.")
    done = clawgit("chat", "add", "scratch that, the thing about Lucía not eating meat is wrong")

    rows = clawgit("chat", "log", "--not-kept").out

    assert "Taken back" in done.out
    assert "eating meat" not in rows


def test_a_refused_secret_comes_with_the_way_out(clawgit) -> None:
    """Seen: the gate's code was refused without a word on what to do, and search went on showing it."""
    said = clawgit("chat", "add", "Remember: the gate code is 4711.")
    assert "If it is no secret, `clawgit remember` names the way." in said.out
    assert "gate code is [redacted secret]" in clawgit("search", "gate code").out

    clawgit("chat", "add", "forget what I said")

    assert "redacted" not in clawgit("search", "gate code").out


def test_what_stands_beside_a_line_is_not_named_a_second_time(clawgit) -> None:
    """Seen: one sentence was in both lists of `pending`, with two commands. Mutant: only a link with a ready line settles it."""
    clawgit("remember", "Die Miete beträgt 1.240 Euro, fällig am Ersten.")
    clawgit("chat", "add", "Miete wird teurer: 1310 ab Februar")
    clawgit("run", "recall-validator")
    clawgit("run", "memory-miner")

    assert "Miete wird teurer" in clawgit("pending").out
    assert clawgit("chat", "log", "--not-kept", "--json").data == []
