"""A line of a file beside memory that is corrected, and then corrected again or typed over: what holds is said last."""

from __future__ import annotations

from datetime import timedelta

import pytest

NOTES = "notes/fees.md"
LINE = "Private lesson: {} euros an hour."
TEXT = "# Fees\n\n- Private lesson: {} euros an hour.\n- Enrolment: 30 euros a year.\n"


@pytest.fixture
def fees(room):
    room.write(NOTES, TEXT.format(24))
    room.keep("operator")
    return room


def told(clawgit) -> tuple[str, str]:
    """Return the first line of a search, and the corrections of a prompt."""
    hits = clawgit("memory", "search", "how much is a private lesson", "--json").data["results"]
    prompt = clawgit("context", "--query", "how much is a private lesson").out
    return hits[0]["snippet"].split("\n")[0], prompt.partition("# Corrections")[2].partition("\n# ")[0]


@pytest.mark.parametrize("value", [pytest.param(27, id="another value"), pytest.param(24, id="back")])
def test_the_latest_of_several_corrections_of_one_line_holds(clawgit, fees, value: int) -> None:
    """Seen: each stayed in force, on one day the first came first, and back to the first value the true line was hidden."""
    clawgit("correct", LINE.format(24), LINE.format(25))

    said = clawgit("correct", LINE.format(25), LINE.format(value))

    assert "first, not this correction" not in said.err
    first, corrections = told(clawgit)
    assert first.removeprefix("- ") == LINE.format(value)
    assert LINE.format(value) in corrections
    assert corrections.count("Private lesson") == 1


def test_a_value_that_went_to_and_fro_is_corrected_each_time(clawgit, fees) -> None:
    """Seen: `It already says that.` of the third, by the first of these corrections, which was over."""
    for day, (old, new) in enumerate([(24, 25), (25, 24), (24, 25), (25, 24)], 20):
        environment = {"CLAWGIT_NOW": f"2026-03-{day}T09:00:00", "CLAWGIT_REHEARSE": "1"}
        assert clawgit("correct", LINE.format(old), LINE.format(new), environment=environment).code == 0

    first, corrections = told(clawgit)

    assert fees.read(NOTES) == TEXT.format(24)
    assert first.removeprefix("- ") == LINE.format(24)
    assert corrections.count("Private lesson") == 1


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("actor", "holds"), [("operator", "28"), ("host", "25"), ("unknown", "25")])
def test_only_the_operators_own_words_in_the_line_end_its_correction(clawgit, fees, actor, holds) -> None:
    """Seen: the correction came first for good. Mutant: anybody's words end it."""
    clawgit("correct", LINE.format(24), LINE.format(25))
    fees.write(NOTES, TEXT.format(28))
    fees.keep(actor)

    first, corrections = told(clawgit)

    assert first.removeprefix("- ") == LINE.format(holds)
    assert (LINE.format(25) in corrections) == (holds == "25")


def test_another_line_of_the_file_ends_nothing(clawgit, fees) -> None:
    clawgit("correct", LINE.format(24), LINE.format(25))
    fees.write(NOTES, TEXT.format(25).replace("30 euros", "35 euros"))
    fees.keep("operator")

    assert told(clawgit)[0].removeprefix("- ") == LINE.format(25)
    assert LINE.format(25) in told(clawgit)[1]


def test_a_plain_correction_in_chat_sets_the_line_right(clawgit, fees) -> None:
    """Seen: it was only named with the command. Mutants: an id in the file; the line is the agent's; it cannot be undone."""
    said = clawgit("chat", "add", "The private lesson is 25 euros now, not 24.")

    assert fees.read(NOTES) == TEXT.format(25)
    (correction,) = clawgit("corrections", "--json").data
    undo = f"x:{correction['id'].removeprefix('x:')}"
    corrected = f'Corrected: {NOTES} "{LINE.format(24)}" → "{LINE.format(25)}" (undo {undo})'
    assert said.out.splitlines()[1:] == [corrected]
    assert told(clawgit)[0].removeprefix("- ") == LINE.format(25)
    hits = clawgit("memory", "search", "how much is a private lesson", "--json").data["results"]
    assert {each["trust"] for each in hits if each["path"] == NOTES} == {"operator"}
    clawgit("undo", undo)
    assert fees.read(NOTES) == TEXT.format(24)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("notes/old.md", LINE, id="two files say so"),
        pytest.param(
            "notes/old.md", "A private lesson costs {} euros.", id="two lines say it in other words"
        ),
        pytest.param("MEMORY.md", "- Private lesson on Mondays: {} euros.", id="an entry has as many words"),
    ],
)
def test_a_line_that_may_not_be_the_only_one_stays(clawgit, fees, path: str, text: str) -> None:
    """Mutants: the first of several; a file before memory."""
    fees.change({path: f"# F\n\n{text.format(24)}\n"}, actor="operator")

    clawgit("chat", "add", "The private lesson is 25 euros now, not 24.")
    clawgit("run", "recall-validator")

    assert fees.read(NOTES) == TEXT.format(24)
    assert [each["status"] for each in clawgit("corrections", "--json").data if not each["corrects"]] in (
        [],
        ["linked"],
    )


def test_what_the_host_wrote_is_not_made_his_own_word(clawgit, room) -> None:
    """Mutant: the line with the host's room 3 counts as the operator's."""
    text = "# Fees\n\n- Private lesson in room 3: 24 euros.\n"
    room.change({NOTES: text}, actor="host")

    clawgit("chat", "add", "The private lesson is 25 euros now, not 24.")

    assert room.read(NOTES) == text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        pytest.param("Anna: the private lesson is 24 euros.", "25 euros now, not 24", id="a speaker"),
        pytest.param('Anna wrote: "Private lesson: 24 euros."', "25 euros now, not 24", id="a quotation"),
        pytest.param("Private lesson in 2019: 24 euros.", "25 euros now, not 24", id="a year"),
        pytest.param("Private lesson (adults): 24 euros.", "25 euros now, not 24", id="a group in the line"),
        pytest.param(
            "Private lesson: 24 euros.", "25 euros, not 24, for adults", id="a group in the message"
        ),
        pytest.param(
            "Private lesson: 24 euros to DE89 3704.", "25 euros now, not 24", id="what he did not say"
        ),
    ],
)
def test_a_line_that_says_more_than_he_or_less_is_left_to_a_link(
    clawgit, room, line: str, message: str
) -> None:
    """Seen: words of another speaker, of 2019 and of one group were made his own, and of all."""
    text = f"# Fees\n\n- {line}\n"
    room.change({NOTES: text}, actor="operator")

    clawgit("chat", "add", f"No, the private lesson is {message}.")
    clawgit("run", "recall-validator")

    assert room.read(NOTES) == text


@pytest.mark.parametrize("second", ["chat", "correct"])
def test_what_he_typed_between_two_corrections_ends_the_first(clawgit, fees, second: str) -> None:
    """Seen: after one in chat the first came back, before the true line. Mutant: only what he typed counts as his."""
    clawgit("chat", "add", "No, the private lesson is 25 euros, not 24.")
    fees.write(NOTES, TEXT.format(26))
    fees.keep("operator")

    if second == "chat":
        clawgit("chat", "add", "No, the private lesson is 27 euros, not 26.")
    else:
        clawgit("correct", LINE.format(26), LINE.format(27))

    assert fees.read(NOTES) == TEXT.format(27)
    first, corrections = told(clawgit)
    assert first.removeprefix("- ") == LINE.format(27)
    assert corrections.count("Private lesson") == 1


def test_a_line_whose_value_is_denied_is_offered_to_be_corrected(clawgit, room) -> None:
    """Seen: `remember` was offered, and both lines would have stood."""
    room.change({NOTES: "# Hours\n\n- The bar opens at 7.\n"}, actor="operator")

    said = clawgit("chat", "add", "The bar opens at 8, not 7, for members.")

    assert 'Your words now stand beside notes/fees.md:3 "The bar opens at 7."' in said.out
    (link,) = clawgit("corrections", "--json").data
    assert f"To rewrite the line: clawgit correct {link['id']} " in said.out
    assert "remember" not in said.out


def test_a_line_of_a_text_file_is_set_right_in_its_place(clawgit, room) -> None:
    """Seen: MEMORY.md had a new line, and the file the old one."""
    room.change({"notes/bar.txt": "The bar opens at 7.\n"}, actor="operator")

    clawgit("correct", "The bar opens at 7.", "The bar opens at 8.")
    assert room.read("notes/bar.txt") == "The bar opens at 8.\n"
    clawgit("chat", "add", "No, the bar opens at 9, not 8.")
    assert room.read("notes/bar.txt") == "The bar opens at 9.\n"


def test_what_he_orders_to_remember_beside_an_opposite_line_is_told(clawgit, fees) -> None:
    """Seen: both stood, and nothing said so."""
    said = clawgit("chat", "add", "Remember that the private lesson is 25 euros.")

    assert f'Your words now stand beside notes/fees.md:3 "{LINE.format(24)}"' in said.out
    (link,) = clawgit("corrections", "--json").data
    assert said.out.endswith(f'To make it "{LINE.format(25)}": clawgit approve {link["id"]}\n')


def test_two_lines_of_one_message_are_left_to_links(clawgit, fees) -> None:
    """Mutant: the second takes the first back."""
    clawgit("chat", "add", "No, the private lesson is 25 euros, not 24. The enrolment is 35 euros, not 30.")
    clawgit("run", "recall-validator")

    assert fees.read(NOTES) == TEXT.format(24)
    assert {each["status"] for each in clawgit("corrections", "--json").data} == {"linked"}


def test_no_command_writes_a_mask_over_a_secret(clawgit, room) -> None:
    """Seen: the command offered for a line that says so still had `password: [redacted password]`, and run it took the password out."""
    room.write("MEMORY.md", "# M\n\n- The wifi box is in the hall.\n")
    room.write("notes/wifi.md", "The wifi box is in the hall, password: hunter2!Zq9x.\n")
    room.git("add", "-A")
    room.git("commit", "-qnm", "a secret")

    done = clawgit("correct", "The wifi box is in the hall.", "The wifi box is in the kitchen.", "--json")

    assert "hunter2" not in done.out
    assert [each["command"] for each in done.data["same"]] == [None]
    assert "notes/wifi.md:1 " in done.err
    assert "(edit it there)" in done.err
    assert "clawgit correct notes/wifi.md" not in done.err


PRICES = "memory/prices.md"
ROW = "| Microchip | {} € | with SIAC |"
TABLE = "# Prices\n\n| Item | Price | Note |\n|---|---|---|\n| Rabies | 25 € | |\n| Microchip | {} € | with SIAC |\n"


@pytest.mark.parametrize("value", [pytest.param(47, id="another value"), pytest.param(40, id="back")])
def test_a_row_of_a_table_in_memory_is_corrected_in_its_place(clawgit, room, value: int) -> None:
    """Seen: the command that three screens offered was refused."""
    room.change({PRICES: TABLE.format(40)}, actor="operator")
    clawgit("correct", f"{PRICES}:6", ROW.format(45))
    assert room.read(PRICES) == TABLE.format(45)

    clawgit("correct", ROW.format(45), ROW.format(value))

    assert room.read(PRICES) == TABLE.format(value)
    hits = clawgit("memory", "search", "microchip", "--json").data["results"]
    prompt = clawgit("context", "--query", "microchip price").out
    corrections = prompt.partition("# Corrections")[2].partition("\n# ")[0]
    assert hits[0]["snippet"].split("\n")[0] == ROW.format(value)
    assert corrections.count("Microchip") == 1
    assert ROW.format(value) in corrections


@pytest.mark.parametrize("path", ["MEMORY.md", PRICES, "notes/prices.md"])
def test_a_corrected_row_that_was_set_back_is_told_until_it_is_settled(clawgit, room, path: str) -> None:
    """Seen: of a row of memory `corrections` said "applied", and status and digest told the correction alone.

    Mutant: the correction is still in force in the digest.
    """
    room.change({path: TABLE.format(40)}, actor="operator")
    clawgit("correct", f"{path}:6", ROW.format(45))
    corrected = next(row for row in clawgit("log", "--json").data["rows"] if row["verb"] == "corrected")
    assert corrected["path"] == path
    assert "  corrected: " in clawgit("status").out

    room.write(path, TABLE.format(40))
    room.keep("host")

    assert set_back_in(clawgit, room) == (True, True, True)
    assert "  corrected: " not in clawgit("status").out
    assert clawgit("status").out.count("45 € → 40 €") == 1
    assert "## Corrected" not in clawgit("digest").out
    assert clawgit("undo", room.head()[:12]).code == 0
    assert room.read(path) == TABLE.format(45)
    assert set_back_in(clawgit, room) == (False, False, False)


def test_talk_about_a_row_in_memory_is_put_beside_it_with_the_row_ready(clawgit, room) -> None:
    """Seen: the message named no line, or a wrong one."""
    room.change({PRICES: TABLE.format(40), "MEMORY.md": "- Prices rise in May.\n"}, actor="operator")

    told = clawgit("chat", "add", "Actually the microchip costs about 45 € since June.").out
    clawgit("run", "recall-validator")
    (link,) = clawgit("corrections", "--json").data
    clawgit("approve", f"x:{link['id'].removeprefix('x:')}")

    assert f"{PRICES}:6" in told
    assert f'To make it "{ROW.format("about 45")}": ' in told
    assert room.read(PRICES) == TABLE.format("about 45")


@pytest.mark.parametrize("path", ["memory/house.md", "notes/house.md"])
def test_an_offer_follows_its_row_to_another_file(clawgit, room, path: str) -> None:
    """Seen: the organizer moved the row; `approve` failed, and `status` named the offer no more."""
    close = TABLE.format(40).replace("Microchip", "Microchip lamp")
    room.change({"MEMORY.md": TABLE.format(40)}, actor="operator")
    clawgit("chat", "add", "Actually the microchip costs about 45 € since June.")
    clawgit("run", "recall-validator")
    (link,) = clawgit("corrections", "--json").data
    item = f"x:{link['id'].removeprefix('x:')}"
    room.change(
        {"MEMORY.md": "# Memory\n", path: TABLE.format(40), "memory/lamp.md": close}, actor="organizer"
    )

    shown = clawgit("status").out
    listed = clawgit("pending").out
    done = clawgit("approve", item)

    assert (
        ("a new line is ready (`clawgit pending`)" in shown) == (item in listed) == path.startswith("memory/")
    )
    assert (done.code, room.read(path)) == (0, TABLE.format("about 45"))
    assert room.read("memory/lamp.md") == close
    assert room.read("MEMORY.md") == "# Memory\n"


LIST = "call Keller about the key\nPlan Christmas!! Karin wants the 24th\nrenew flu vaccine order ({} doses)\nrota for May\n"


def test_the_new_line_that_is_offered_for_a_list_without_full_stops_is_made_by_a_yes(clawgit, room) -> None:
    """Seen: "TODO.txt does not say that any more", of the lines that it did say. Mutant: what may go on over lines is never changed."""
    room.change({"TODO.txt": LIST.format(30)}, actor="operator")

    clawgit("chat", "add", "renew flu vaccine order is 34, not 30")
    clawgit("run", "recall-validator")
    (link,) = clawgit("corrections", "--json").data
    done = clawgit("approve", f"x:{link['id'].removeprefix('x:')}")

    assert (done.code, room.read("TODO.txt")) == (0, LIST.format(34))


def test_a_line_that_goes_on_is_reworded_in_no_part(clawgit, room) -> None:
    """Mutant: as many other words make a sentence that the next line does not end."""
    room.change({"TODO.txt": LIST.format(30)}, actor="operator")

    clawgit("correct", "TODO.txt:2", "Plan Easter: nobody may want Monday")

    assert room.read("TODO.txt") == LIST.format(30)


ADVANCE = "Utrecht, 20 February\nload in 11:00  (was 12:00)\ndoors 19:00\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("load in 11:00 (was 12:00)", "load in 10:00 (was 12:00)", id="two spaces"),
        pytest.param("load in 11:00", "load in 10:00", id="a part of it"),
    ],
)
def test_words_of_a_line_correct_it_in_its_file(clawgit, room, old: str, new: str) -> None:
    """Seen: MEMORY.md got `load in 10:00 (was 12:00)`, and the file went on saying 11:00."""
    room.write("tours/utrecht.md", ADVANCE)
    room.keep("operator")

    clawgit("correct", old, new)

    assert "load in 10:00 (was 12:00)\n" in room.read("tours/utrecht.md").replace("  ", " ")
    assert "load in" not in room.read("MEMORY.md")


def test_a_part_of_a_number_is_no_part_of_a_line(clawgit, room) -> None:
    """Seen: `port 80` to `port 90` made `port 9080` of `port 8080`."""
    room.write("notes/srv.md", "The box listens on port 8080 at night.\n")
    room.keep("operator")

    assert clawgit("correct", "port 80", "port 90").code == 1
    assert "port 8080" in room.read("notes/srv.md")


def test_a_mail_is_not_rewritten(clawgit, room) -> None:
    """Seen: a yes would have put the operator's day into another's mail."""
    mail = "From: Bram\nSubject: carnet\n\nThe carnet list is due on 1 December.\n"
    room.write("inbox/carnet.md", mail)
    room.keep("operator")
    clawgit("chat", "add", "The carnet list is due on 4 December, not 1 December.")
    clawgit("run", "recall-validator")

    clawgit("correct", "The carnet list is due on 1 December.", "The carnet list is due on 4 December.")

    assert room.read("inbox/carnet.md") == mail
    assert all("inbox/carnet.md" not in str(each) for each in clawgit("pending", "--json").data)


def set_back_in(clawgit, room, days: int = 0) -> tuple[bool, bool, bool]:
    """Say whether status, digest and corrections have a correction as set back."""
    now = (room.now + timedelta(days=days)).isoformat()
    later = {"CLAWGIT_NOW": now, "CLAWGIT_REHEARSE": "1"}
    status, digest = (clawgit(name, environment=later).out for name in ("status", "digest"))
    return (
        "against a correction: " in status,
        "against a correction)" in digest,
        "set back by " in clawgit("corrections").out,
    )


@pytest.mark.parametrize(("actor", "by"), [("host", "your agent"), ("unknown", "an unknown author")])
def test_a_correction_that_was_set_back_is_told_until_it_is_settled(clawgit, fees, actor, by) -> None:
    """Seen: the digest said only "Corrected", `corrections` "applied", and the prompt lost the file of the line.

    Mutants: only the changes of the last day are looked at; an edit of another line ends it.
    """
    clawgit("correct", LINE.format(24), LINE.format(25))
    fees.write(NOTES, TEXT.format(24))
    fees.keep(actor)
    undo = fees.head()[:12]
    assert f"→ `clawgit undo {undo}`" in clawgit("status").out
    assert f"({by}, against a correction) → undo {undo}" in clawgit("digest").out
    assert f"set back by {by} (`clawgit undo {undo}`)" in clawgit("corrections").out
    assert f"in {NOTES}" in told(clawgit)[1]

    fees.write(NOTES, TEXT.format(24).replace("30 euros", "35 euros"))
    fees.keep("operator")
    clawgit("digest", "--send", "2026-03-18")
    assert set_back_in(clawgit, fees, days=3) == (True, True, True)

    assert clawgit("undo", undo).code == 0
    assert set_back_in(clawgit, fees) == (False, False, False)


@pytest.mark.parametrize("settle", ["own edit", "withdrawn", "corrected again", "file gone"])
def test_what_he_settled_or_what_is_gone_is_not_set_back(clawgit, fees, settle: str) -> None:
    clawgit("correct", LINE.format(24), LINE.format(25))
    (correction,) = clawgit("corrections", "--json").data
    fees.write(NOTES, TEXT.format(24))
    fees.keep("host")
    assert set_back_in(clawgit, fees) == (True, True, True)

    if settle == "own edit":
        fees.write(NOTES, TEXT.format(26))
        fees.keep("operator")
    elif settle == "withdrawn":
        clawgit("undo", correction["id"])
    elif settle == "corrected again":
        clawgit("correct", LINE.format(24), LINE.format(27))
    else:
        (fees.root / NOTES).unlink()
        fees.keep("operator")

    assert set_back_in(clawgit, fees) == (False, False, False)


def test_words_beside_a_line_that_a_teammate_said_have_his_name(clawgit, room) -> None:
    """Seen: in a clone a colleague's words were "you said"."""
    room.change({"MEMORY.md": "# M\n\n- The staging port is 8080.\n"}, actor="operator")
    room.git("config", "user.name", "Emil Kask")
    room.git("config", "user.email", "emil@example.org")
    clawgit("chat", "add", "Ole is moving the staging port to 9191 in May")
    mine = clawgit("search", "staging port").out
    room.git("config", "user.name", "Nora")
    room.git("config", "user.email", "nora@example.org")

    theirs = clawgit("search", "staging port").out

    assert '(you said on 19 March: "Ole is moving' in mine
    assert '(Emil Kask said on 19 March: "Ole is moving' in theirs
