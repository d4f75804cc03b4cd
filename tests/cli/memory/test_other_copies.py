"""A correction names what else says the old words still, with the command that sets each right."""

from __future__ import annotations

import re
import shlex

import pytest

pytestmark = pytest.mark.rest

FLAT = "# Flat\n\nThe landlord is Mr. Huber.\nThe dentist is on Thursday at 10:00, bring the card.\n"
HEALTH = "# Health\n\n- Dentist: Thursday at 10:00\n- The flu jab is on Thursday at 10:00.\n- 1.20 EUR for the floss\n"
PRICES = "# Prices\n\n| item | price |\n|---|---|\n| Flour | 1.20 EUR |\n| Rye | 2.20 EUR |\n"
MEMORY = (
    "- The dentist is on Thursday at 10:00. <!-- m:aaaaaa -->\n- Flour costs 1.20 EUR. <!-- m:bbbbbb -->\n"
)
OLD = "The dentist is on Thursday at 10:00."
NEW = "The dentist is on Friday at 10:00."
NAMED = [
    "clawgit correct notes/flat.md:4 'The dentist is on Friday at 10:00, bring the card.'",
    "clawgit correct notes/health.md:3 'Dentist: Friday at 10:00'",
]


@pytest.fixture
def folder(room):
    room.change({"MEMORY.md": MEMORY, "notes/flat.md": FLAT, "notes/health.md": HEALTH, "notes/prices.md": PRICES, "memory/2026-03-02.md": f"# Monday\n\n- {OLD}\n"}, actor="operator")  # fmt: skip
    return room


def commands(told: str) -> list[str]:
    return re.findall(r"\(`(clawgit correct [^`]+)`\)", told)


def test_a_correction_names_the_other_lines_and_their_commands_set_them_right(clawgit, folder) -> None:
    """Seen: the notes went on saying Thursday, and nothing said so. Mutant: another thing of that day is named, too."""
    done = clawgit("correct", OLD, NEW)

    assert sorted(commands(done.err)) == NAMED
    for command in commands(done.err):
        assert clawgit(*shlex.split(command)[1:]).code == 0
    assert folder.read("notes/flat.md") == FLAT.replace("Thursday", "Friday")
    assert folder.read("notes/health.md") == HEALTH.replace("Thursday", "Friday", 1)
    assert "memory/2026-03-02.md" not in done.err  # what a day's note tells was so


def test_json_has_them_too(clawgit, folder) -> None:
    same = clawgit("correct", OLD, NEW, "--json").data["same"]

    assert sorted(each["command"] for each in same) == NAMED
    assert {
        "text": "Dentist: Thursday at 10:00",
        "place": "notes/health.md:3",
        "id": None,
        "command": NAMED[1],
    } in same


def test_where_nothing_else_says_so_nothing_is_told(clawgit, folder) -> None:
    done = clawgit("correct", "The landlord is Mr. Huber.", "The landlord is Mr. Wolf.", "--json")

    assert "same" not in done.data
    assert "say the same" not in done.err


def test_a_correction_in_chat_names_a_row_of_a_table(clawgit, folder) -> None:
    answer = clawgit("chat", "add", "Flour costs 1.45 EUR now, not 1.20 EUR.").out

    assert commands(answer) == ["clawgit correct notes/prices.md:5 '| Flour | 1.45 EUR |'"]
    clawgit(*shlex.split(commands(answer)[0])[1:])
    assert folder.read("notes/prices.md") == PRICES.replace("1.20 EUR |", "1.45 EUR |", 1)


def test_no_command_puts_another_name_before_the_cells_of_a_row(clawgit, room) -> None:
    """Seen: the new treasurer got the voice and the telephone of the old one."""
    row = "| Hanno Bakker | bass | 06 1200 | treasurer |"
    room.change({"MEMORY.md": "- The treasurer is Hanno Bakker.\n", "notes/singers.md": f"| name | voice | phone | remark |\n|---|---|---|---|\n{row}\n"}, actor="operator")  # fmt: skip

    done = clawgit("correct", "The treasurer is Hanno Bakker.", "The treasurer is Rune Oud.")

    assert f"notes/singers.md:3  {row}   (edit it there)" in done.err


def test_json_of_a_correction_in_chat_has_them(clawgit, folder) -> None:
    (same,) = clawgit("chat", "add", "Flour costs 1.45 EUR now, not 1.20 EUR.", "--json").data["same"]

    assert same["place"] == "notes/prices.md:5"


def test_a_yes_to_a_link_names_them(clawgit, folder) -> None:
    folder.change({"notes/rent.md": "- Rent is paid on the 3rd.\n", "notes/dues.md": "Rent is paid on the 3rd.\n"}, actor="operator")  # fmt: skip
    clawgit("correct", "m:aaaaaa", NEW)
    clawgit("chat", "add", "Rent is paid on the 5th, not the 3rd.")
    clawgit("run", "recall-validator")
    name = clawgit("corrections").out.split()[0]

    done = clawgit("approve", name)

    assert commands(done.err)
    assert "5th" in commands(done.err)[0]


def test_no_command_writes_over_a_secret(clawgit, room) -> None:
    """Seen: the offered command put `[redacted password]` into the file, in the place of the password."""
    room.change({"MEMORY.md": "- The wifi box is in the hall.\n"}, actor="operator")
    secret = "The wifi box is in the hall, password: hunter2!Zq9x."
    (room.root / "notes").mkdir()
    (room.root / "notes/wifi.md").write_text(f"# Wifi\n\n{secret}\n")
    room.git("add", "notes/wifi.md")
    room.git("commit", "-qm", "wifi", "--no-verify")

    done = clawgit("correct", "The wifi box is in the hall.", "The wifi box is in the kitchen.", "--json")

    assert "hunter2" not in done.out
    assert "edit it there" in done.err
    assert [each["command"] for each in done.data["same"]] == [None]


def test_a_days_note_that_was_named_is_said_to_read_as_before(clawgit, room) -> None:
    room.change({"memory/2026-02-20.md": "# 2026-02-20\n\nThe boiler is from 1998.\n"}, actor="operator")

    done = clawgit("correct", "memory/2026-02-20.md:3", "The boiler is from 1999.")

    assert "memory/2026-02-20.md:3 stays as it is" in done.err


@pytest.mark.parametrize(
    ("path", "line", "value", "other", "both"),
    [
        ("CLAUDE.md", "Go 1.22, Postgres 14.", "Go 1.22, Postgres 16.", "Go 1.23, Postgres 14.", "Go 1.23, Postgres 16."),
        ("MEMORY.md", "Tickets in Jira, project FLB", "Tickets in Linear, project FLB", "Tickets in Jira, project FER", "Tickets in Linear, project FER"),
        ("USER.md", "Ada lives in Bonn, at 4 Elm Lane.", "Ada lives in Ulm, at 4 Elm Lane.", "Ada lives in Bonn, at 7 Elm Lane.", "Ada lives in Ulm, at 7 Elm Lane."),
    ],
)  # fmt: skip
def test_a_second_command_on_the_line_before_is_no_new_line(
    clawgit, room, path: str, line: str, value: str, other: str, both: str
) -> None:
    """Seen: two commands that clawgit had offered, pasted in turn; the second contradicted the first in MEMORY.md."""
    room.change({path: f"# Notes\n\n- {line}\n"}, actor="operator")
    assert clawgit("correct", line, value).code == 0
    before = room.head()

    refused = clawgit("correct", line, other)

    assert f"says {value!r} now. Nothing was changed." in refused.err
    assert (refused.code != 0, room.head()) == (True, before)
    (command,) = re.findall("`(clawgit correct [^`]+)`", refused.err)
    assert clawgit(*shlex.split(command)[1:]).code == 0
    assert f"- {both}" in room.read(path)
    assert "NEW LINE" in clawgit("correct", line, other).err


def test_a_line_that_is_gone_since_its_correction_is_written_again(clawgit, room) -> None:
    room.change({"CLAUDE.md": "# Notes\n\nThe gate is red.\n"}, actor="operator")
    clawgit("correct", "The gate is red.", "The gate is blue.")
    room.change({"CLAUDE.md": "# Notes\n"}, actor="operator")

    assert clawgit("correct", "The gate is red.", "The gate is green.").code == 0
    assert "The gate is green." in room.read("MEMORY.md")


def test_the_name_of_a_file_is_quoted_for_a_shell(clawgit, room) -> None:
    """Seen: `clawgit correct alt/paper-abstract-v2 (alt).md:8 '…'`, a syntax error. Mutants: of `correct` alone; of `forget` alone."""
    path = "notes/flat (home).md"
    room.change({"MEMORY.md": MEMORY, path: FLAT}, actor="operator")

    (command,) = commands(clawgit("correct", OLD, NEW).err)

    assert shlex.split(command)[2] == f"{path}:4"
    assert clawgit(*shlex.split(command)[1:]).code == 0
    room.change(
        {"notes/copy.md": FLAT}, actor="operator"
    )  # where two lines say the same, each is named by its place
    assert f"clawgit forget '{path}:3'" in clawgit("chat", "add", "forget that the landlord is Huber").out


FILES = {
    "MEMORY.md": "- La concha cuesta $12 y el cuernito $14.\n- Yesenia descansa los martes.\n"
    "- The photographer is Tom Kern, fee 1.900 €.\n- Sample size: n = 142 patients.\n- Waiting list: 17 people.\n- Room 7 costs 65.\n"
    "- Mr. Whitcombe collects the Raleigh on 12 December.\n- Das Sommerfest ist am 19. Juni 2027 in Lembach.\n",
    "prices.md": "# Prices\n- concha 12\n- cuernito 14\n- oreja 12\n",
    "recipe.md": "- concha: 1 kg harina, 200 g mantequilla, 12 g levadura\n",
    "old/prices.md": "- concha 12\n",
    "shifts.md": "| name | shift | free |\n|---|---|---|\n| Yesenia | early | martes |\n| Chuy | late | martes |\n",
    "budget.md": "| Photographer | 1900 | 0 |\n",
    "abstract.md": "Nurses screened n = 142 patients with the 4AT twice daily.\n",
    "party.md": "- 17 people came last time, 12 December\n",
    "diary.md": "- za 12 dec 13.00 Mr. Whitcombe, Raleigh\n- di 15 dec tandarts\n",
    "drafts/mail.md": "The Raleigh of Mr. Whitcombe will be ready on 12 December.\n",
    "rooms.md": "- Room 9 costs 65 a night\n- room 7 costs 65, with breakfast\n",
    "memory/sommerfest.md": "# Sommerfest 2027\n- Datum: 19. Juni 2027, Beginn 14 Uhr\n",
    "memory/2026-03-02.md": "# Monday\n\n- concha 12, Yesenia: martes\n",
}


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        ("La concha cuesta $12 y el cuernito $14.", "La concha cuesta $13 y el cuernito $14.", {"prices.md:2": "concha 13"}),
        ("Yesenia descansa los martes.", "Yesenia descansa los jueves.", {"shifts.md:3": "| Yesenia | early | jueves |"}),
        ("The photographer is Tom Kern, fee 1.900 €.", "The photographer is Tom Kern, fee 2.100 €.", {"budget.md:1": "| Photographer | 2.100 | 0 |"}),
        ("Sample size: n = 142 patients.", "Sample size: n = 139 patients.", {"abstract.md:1": "Nurses screened n = 139 patients with the 4AT twice daily."}),
        ("Room 7 costs 65.", "Room 7 costs 70.", {"rooms.md:2": "room 7 costs 70, with breakfast"}),
        ("Waiting list: 17 people.", "Waiting list: 19 people.", {}),
        ("Mr. Whitcombe collects the Raleigh on 12 December.", "Mr. Whitcombe collects the Raleigh on 15 December.",
         {"diary.md:1": None, "drafts/mail.md:1": "The Raleigh of Mr. Whitcombe will be ready on 15 December."}),
        ("Das Sommerfest ist am 19. Juni 2027 in Lembach.", "Das Sommerfest ist am 26. Juni 2027 in Lembach.",
         {"memory/sommerfest.md:2": "Datum: 26. Juni 2027, Beginn 14 Uhr"}),
    ],
    ids=["price list", "row", "other spelling", "word beside", "another room", "count of others", "short date", "named by its file"],
)  # fmt: skip
def test_a_line_with_the_value_and_a_word_of_the_subject_is_named(
    clawgit, room, before: str, after: str, named: dict[str, str | None]
) -> None:
    """Seen: price lists and shift tables said the old value on, and no answer named them."""
    room.change(FILES, actor="operator")

    same = clawgit("correct", before, after, "--json").data.get("same", [])

    commands_named = {each["place"]: each["command"] and shlex.split(each["command"])[3] for each in same}
    assert commands_named == named


def test_no_other_numbered_thing_with_the_value_is_named(clawgit, room) -> None:
    """Seen: item 24 left shelf 7, and 29 other items of that shelf were offered for a move."""
    lines = (
        "- Emil keeps item 24 for the house on shelf 7.\n- Emil keeps item 517 for the house on shelf 7.\n"
    )
    room.change(
        {"MEMORY.md": lines, "notes/flat.md": "Item 24 is on shelf 7 in the house.\n"}, actor="operator"
    )

    done = clawgit(
        "correct",
        "Emil keeps item 24 for the house on shelf 7.",
        "Emil keeps item 24 for the house on shelf 2.",
    )

    assert "517" not in done.err
    assert "notes/flat.md:1" in done.err


REVIEWS = """# Memory

| What | When | Who |
|---|---|---|
| Kiln review | 4 May | Jonas |
| House review | 4 May | Nora |
| Money review | 4 May | Jonas |
| Review of the kiln | 4 May | Mei |
| Stove | 3 July | Noor |
| Garden | 3 July | Noor |

- The glaze review with Jonas is on 4 May.
- The kiln review is in the shed, 4 May.
- Travel review: 4 May
- La revisión del horno es el 9 de junio.
- La revisión de la casa es el 9 de junio.
- Die Prüfung des Ofens ist am 7. August.
- Die Prüfung der Heizung ist am 7. August.
- The people review is on 4 May.

| What | When |
|---|---|
| People review | 4 May |
"""


@pytest.mark.parametrize(
    ("line", "after", "named"),
    [
        pytest.param(5, "| Kiln review | 5 May | Jonas |", {"MEMORY.md:13", "MEMORY.md:8"}, id="row"),
        pytest.param(10, "| Garden | 4 July | Noor |", set(), id="row of another name"),
        pytest.param(13, "The kiln review is in the shed, 5 May.", {"MEMORY.md:5", "MEMORY.md:8"}, id="list item"),
        pytest.param(15, "La revisión del horno es el 10 de junio.", set(), id="Spanish"),
        pytest.param(17, "Die Prüfung des Ofens ist am 8. August.", set(), id="German"),
    ],
)  # fmt: skip
def test_no_other_thing_of_the_kind_is_named(clawgit, room, line: int, after: str, named: set[str]) -> None:
    """Seen: one review was moved, and seven others were offered, each with a command that would falsify it.

    Mutants: a word of the kind and the date are enough; the first cell of a row is a word like the others.
    """
    room.change({"MEMORY.md": REVIEWS}, actor="operator")

    same = clawgit("correct", f"MEMORY.md:{line}", after, "--json").data.get("same", [])

    assert {each["place"] for each in same} == named


def test_memory_is_named_first(clawgit, room) -> None:
    room.change({"MEMORY.md": "- Steam release date: 11 March\n", "about.md": "Release: 11 March\n", "game/plan.md": "- Release: 11 March\n"}, actor="operator")  # fmt: skip

    same = clawgit("correct", "game/plan.md:1", "Release: 18 March", "--json").data["same"]

    assert [each["place"].partition(":")[0] for each in same] == ["MEMORY.md", "about.md"]


def test_no_old_copy_is_named(clawgit, room) -> None:
    """Seen: each correction named the line of `old/MEMORY-june.md`, which shall stay."""
    room.change({"MEMORY.md": MEMORY, "old/MEMORY-june.md": MEMORY, "notes/flat (copy).md": FLAT}, actor="operator")  # fmt: skip

    assert "same" not in clawgit("correct", OLD, NEW, "--json").data


@pytest.mark.parametrize("path", ["MEMORY.md", "memory/shop.md"])
def test_the_offered_command_changes_prose_of_memory_in_its_place_and_undo_sets_it_back(
    clawgit, room, path: str
) -> None:
    """Seen: the command for the line added another line to MEMORY.md, and was offered again."""
    prose = "# Shop\n\nThe kiln needs 32 amps.\n"
    room.change({path: prose, "notes/kiln.md": "# Kiln\n\nThe kiln needs 32 amps.\n"}, actor="operator")
    told = clawgit("correct", "notes/kiln.md:3", "The kiln needs 40 amps.").err

    (command,) = commands(told)
    named = clawgit(*shlex.split(command)[1:], "--json").data["id"]

    assert room.read(path) == prose.replace("32", "40")
    clawgit("undo", named)
    assert room.read(path) == prose


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The kiln needs 32 amps.", "The kiln needs 40 amps."),
        ("Der Ofen braucht 32 Ampere.", "Der Ofen braucht 40 Ampere."),
        ("El horno necesita 32 amperios.", "El horno necesita 40 amperios."),
    ],
)
def test_correct_by_its_words_changes_prose_of_memory_in_its_place(clawgit, room, old: str, new: str) -> None:
    """Seen: MEMORY.md got another line, and the old one stayed. Mutant: a copy in another file leaves both as they are."""
    prose = f"# Shop\n\n{old}\n"
    room.change({"memory/shop.md": prose, "notes/kiln.md": prose}, actor="operator")
    before = room.read("MEMORY.md")

    told = clawgit("correct", old, new).err

    assert room.read("memory/shop.md") == prose.replace(old, new)
    assert commands(told) == [f"clawgit correct notes/kiln.md:3 '{new}'"]
    assert room.read("MEMORY.md") == before


def test_prose_that_two_files_of_memory_have_is_left(clawgit, room) -> None:
    prose = "# Shop\n\nThe kiln needs 32 amps.\n"
    room.change({"memory/shop.md": prose, "memory/kiln.md": prose}, actor="operator")

    told = clawgit("correct", "The kiln needs 32 amps.", "The kiln needs 40 amps.").err

    assert room.read("memory/shop.md") == room.read("memory/kiln.md") == prose
    assert len(commands(told)) == 2


@pytest.mark.parametrize(
    ("line", "old", "new", "changed"),
    [
        ("The kiln needs 32 amps.", "32 amps", "40 amps", "The kiln needs 40 amps."),
        ("Die Miete beträgt 900 Euro. Sie steigt.", "900 Euro", "950 Euro", "Die Miete beträgt 950 Euro. Sie steigt."),
        ("La clase cuesta 30 euros.", "30 euros", "35 euros", "La clase cuesta 35 euros."),
        ("The box listens on port 80.5 and on 8080.", "port 80", "port 90", ""),
    ],
)  # fmt: skip
def test_a_part_of_prose_is_corrected_by_its_words(clawgit, room, line: str, old: str, new: str, changed: str) -> None:  # fmt: skip
    """Seen: words at the end of a sentence were refused. Mutant: a part of a number is one."""
    room.change({"memory/shop.md": f"# Shop\n\n{line}\n"}, actor="operator")

    done = clawgit("correct", old, new)

    assert room.read("memory/shop.md") == f"# Shop\n\n{changed or line}\n"
    assert (done.code == 0) == bool(changed)
