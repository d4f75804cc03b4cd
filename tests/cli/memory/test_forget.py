"""`clawgit forget`: found, shown, asked, removed, undone."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest

from clawgit.history.undo.forgetting import forget_command

FLAT = """# Flat

Landlord: Smith
The rent is due on the 1st, always.
Bike: red

- The key is under the mat.
  - The red one.
- Bins go out on Tuesday.
- Ida swims on Wednesday.
Mia teaches at Oakfield.
"""


@pytest.fixture
def adopted(room) -> None:
    """Have a note of the operator's, whose lines have no ids."""
    room.write("notes/flat.md", FLAT)
    room.git("add", "notes/flat.md")
    room.git("commit", "-qm", "notes of my own")


@pytest.mark.usefixtures("adopted")
@pytest.mark.parametrize(
    ("what", "gone"),
    [
        pytest.param("landlord: smith", "Landlord: Smith\n", id="one line of a paragraph"),
        pytest.param("notes/flat.md:5", "Bike: red\n", id="a place"),
        pytest.param("Bins go out on Tuesday.", "- Bins go out on Tuesday.\n", id="an item"),
        pytest.param(
            "under the mat", "- The key is under the mat.\n  - The red one.\n", id="what is within it"
        ),
        pytest.param("notes/flat.md:8", "  - The red one.\n", id="a nested item"),
        pytest.param("Mia teaches", "Mia teaches at Oakfield.\n", id="a line below a bullet"),
        pytest.param("Ida swims", "Ida swims on Wednesday.\n", id="the bullet above it"),
    ],
)
def test_a_line_without_an_id_goes_alone_and_comes_back(clawgit, room, what: str, gone: str) -> None:
    """Mutant: the whole paragraph goes."""
    tree = room.git("rev-parse", "HEAD^{tree}")

    done = clawgit("forget", what, "--yes", "--reason", "We moved.")

    assert done.code == 0
    assert room.read("notes/flat.md") == FLAT.replace(gone, "")
    assert "> We moved." in room.git("log", "-1", "--format=%B")
    assert f"`clawgit undo {room.head()[:12]}` brings it back." in done.err
    assert "messages keep the words" in done.err
    clawgit("undo", room.head())
    assert room.git("rev-parse", "HEAD^{tree}") == tree


@pytest.mark.rest
def test_an_entry_goes_by_its_id_or_its_words(clawgit, room) -> None:
    tea, rent = (
        clawgit("memory", "add", text, "--to", "MEMORY.md", "--json").data["entry"]
        for text in ("Ada drinks tea.", "The rent is due on the 1st.")
    )

    first = clawgit("forget", f"m:{tea}", "--yes", "--json").data
    second = clawgit("forget", "The", "rent", "is", "due", "--yes", "--json").data

    assert (first["id"], second["id"]) == (f"m:{tea}", f"m:{rent}")
    assert (first["outcome"], second["outcome"]) == ("applied", "applied")
    assert second["commit"] == room.head()
    assert "tea" not in room.read("MEMORY.md")
    assert "rent" not in room.read("MEMORY.md")
    assert "took it out" in clawgit("forget", f"m:{tea}", "--yes").err


def test_a_line_of_a_file_in_latin_1_is_shown_as_search_shows_it_and_goes_alone(clawgit, room) -> None:
    """Seen: `forget 'Der Schl�ssel…'`, and the words as they are in the file named another line."""
    path = room.root / "notes/key.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes("Der Schlüssel liegt im Büro.\nGrüße.\n".encode("latin-1"))
    room.keep("operator")

    done = clawgit("forget", "Der Schlüssel liegt im Büro", "--yes")

    assert "notes/key.txt:1  Der Schlüssel liegt im Büro." in done.out + done.err
    assert path.read_bytes() == "Grüße.\n".encode("latin-1")


@pytest.mark.usefixtures("adopted")
def test_what_else_says_the_same_is_named_and_stays(clawgit, room) -> None:
    """Mutant: another number counts as the same."""
    clawgit("correct", "The rent is due on the 3rd.", "The rent is due on the 1st.")
    room.append("memory/2026-03-19.md", "- The rent is due on the 2nd.", actor="operator")

    done = clawgit("forget", "2026-03-19: The rent is due on the 1st.", "--yes", "--json")

    assert done.data["place"].startswith("MEMORY.md:")
    assert [each["place"] for each in done.data["same"]] == ["notes/flat.md:4"]
    assert "`clawgit forget notes/flat.md:4`" in done.err
    assert "withdraws the correction x:" in done.err
    assert "the 1st" not in clawgit("search", "rent", "--path", "CORRECTIONS.md").out
    assert room.read("notes/flat.md") == FLAT


def test_what_is_said_of_another_numbered_thing_is_not_the_same(clawgit, room) -> None:
    """Seen: four lines about other tools behind `forget "tool 3"`."""
    tools = "".join(f"- Emil keeps tool {number} on shelf {number % 2}.\n" for number in range(1, 6))
    room.write("MEMORY.md", f"# Memory\n\n{tools}- Tool 3 of Emil is on the shelf.\n")
    room.keep("operator")

    done = clawgit("forget", "MEMORY.md:5", "--yes", "--json")

    assert done.data["text"] == "Emil keeps tool 3 on shelf 1."
    assert [each["text"] for each in done.data["same"]] == ["Tool 3 of Emil is on the shelf."]


@pytest.mark.rest
def test_a_number_is_a_whole_one(clawgit, room) -> None:
    """Seen: items 190 and 196 stood before item 19, for `forget "item 19"`."""
    items = "".join(f"- Emil keeps item {number} for the kiln.\n" for number in (190, 196, 19, 157))
    room.change({"MEMORY.md": f"# Memory\n\n{items}"}, actor="operator")

    done = clawgit("forget", "item 19", "--json", "--yes").data
    other = clawgit("forget", "that Emil keeps item 1", "--yes")

    assert done["text"] == "Emil keeps item 19 for the kiln."
    assert other.code == 1
    assert "item 157" not in other.out + other.err
    assert clawgit("forget", "item 15").code == 1
    assert "item 157" in room.read("MEMORY.md")


def test_the_place_of_the_same_is_that_after_the_removal(clawgit, room) -> None:
    """Mutants: the first one goes whatever line is named; places of before are offered."""
    room.write(
        "notes/bikes.md",
        "My bike is red.\n\nMine.\n\nMy bike is red.\n\nTwo motorbikes: my bike is redder.\n",
    )
    room.keep("operator")

    first = clawgit("forget", "notes/bikes.md:5", "--yes")
    text = room.read("notes/bikes.md")
    second = clawgit("forget", "notes/bikes.md:1", "--yes", "--json").data

    assert "  notes/bikes.md:1  My bike is red." in first.err
    assert text == "My bike is red.\n\nMine.\n\nTwo motorbikes: my bike is redder.\n"
    assert second["same"] == []


@pytest.mark.usefixtures("adopted")
def test_of_several_that_fit_none_is_removed(clawgit, room) -> None:
    entry = clawgit("memory", "add", "The rent is paid to Smith.", "--to", "MEMORY.md", "--json").data[
        "entry"
    ]
    head = room.head()

    done = clawgit("forget", "Smith", "--yes")
    listed = clawgit("forget", "Smith", "--json")

    assert (done.code, listed.code) == (1, 1)
    assert f"clawgit forget m:{entry} " in done.out
    assert "clawgit forget notes/flat.md:3 " in done.out
    assert {each["place"] for each in listed.data["lines"]} >= {"notes/flat.md:3"}
    assert room.head() == head


@pytest.mark.usefixtures("adopted")
def test_what_is_only_alike_is_not_removed_without_a_look(clawgit, room) -> None:
    head = room.head()

    done = clawgit("forget", "Bins go out Tuesdays", "--yes")

    assert done.code == 1
    assert done.out.startswith("clawgit forget notes/flat.md:9 ")
    assert room.head() == head


@pytest.mark.usefixtures("adopted")
def test_what_is_only_alike_is_not_asked_about(clawgit) -> None:
    """Seen: a guess stood behind "To forget:" with a y/N. Mutant: other words in their order are a guess, too."""
    guessed = clawgit("forget", "Ida swims on Wednesdays at noon").err
    told = clawgit("forget", "tuesday, the bins").err

    assert "To forget" not in guessed
    assert "Did you mean this?" in guessed
    assert "To forget: notes/flat.md:9  Bins go out on Tuesday." in told


@pytest.mark.parametrize(
    ("words", "way"),
    [
        pytest.param("azucar en efectivo", "Say --yes to remove it.", id="its words without an accent"),
        pytest.param("efectivo azúcar", "Say --yes to remove it.", id="in another order"),
        pytest.param("azúcares en efectivo", "--yes` to remove it.", id="like it"),
    ],
)
def test_what_a_refusal_says_removes_the_line(clawgit, room, words: str, way: str) -> None:
    """Seen: "Say --yes to remove it", and with --yes "Did you mean this? Name it". Mutant: --yes takes only the words in their order."""
    room.change(
        {"MEMORY.md": "# M\n\n- El azúcar se paga en efectivo.\n- Toño llega el 21.\n"}, actor="operator"
    )
    refused = clawgit("forget", words)
    assert way in refused.err
    named = re.search(r"clawgit forget (\S+) --yes", refused.err)

    done = clawgit("forget", named[1] if named else words, "--yes")

    assert done.code == 0
    assert "efectivo" not in room.read("MEMORY.md")


def test_a_line_with_one_of_several_words_is_no_guess(clawgit, room) -> None:
    """Seen: `forget 'red de invitados'`, their network, asked about the disk, and the digest had it as a command."""
    room.change(
        {"MEMORY.md": "# M\n\n- Disk azul: WD Red 8 TB.\n- QuirogaInvitados is ours.\n"}, actor="operator"
    )

    done = clawgit("forget", "red de invitados")

    assert done.code == 1
    assert "Disk" not in done.out + done.err
    assert "`clawgit memory search 'red de invitados'`" in done.err
    assert forget_command(room.history, "red de invitados") == "clawgit memory search 'red de invitados'"


def test_of_a_passage_that_a_search_finds_the_line_that_answers_is_offered(clawgit, room) -> None:
    """Seen: the piano for the dentist, three lines without a stick for the stick. Mutants: the first line of the passage; one of four words is enough."""
    room.change(
        {
            "notes/private.md": "Ingrid piano Wednesday 16:30\nDentist 9 Dec 10:15 Dr Mackie\nStocktake 2 Jan by phone.\n",
            "MEMORY.md": "# M\n\n- Petty cash limit is 150.\n- Backup of the ledger every Friday on the blue USB stick.\n",
        },
        actor="operator",
    )

    dentist = clawgit("chat", "add", "please forget the dentist appointment").out
    stick = clawgit("chat", "add", "vergiss das mit dem blauen Stick").out
    none = clawgit("chat", "add", "please forget the piano behind the green garden shed").out

    assert "  clawgit forget 'Dentist 9 Dec 10:15 Dr Mackie'   notes/private.md:2\n" in dentist
    assert "   Backup of the ledger" in stick
    assert dentist.count("  clawgit forget ") == stick.count("  clawgit forget ") == 1
    assert "  clawgit forget " not in none


@pytest.mark.usefixtures("adopted")
def test_a_dry_run_shows_what_would_go(clawgit, room) -> None:
    """Seen: `undo` had one, `forget` had none. Mutant: of several lines the first is shown."""
    head = room.head()

    done = clawgit("forget", "Ida swims", "--dry-run")
    several = clawgit("forget", "the", "--dry-run")

    assert done.code == 0
    assert "- - Ida swims on Wednesday." in done.out
    assert several.code == 1
    assert "may mean" in several.err
    assert room.head() == head


@pytest.mark.usefixtures("adopted")
@pytest.mark.parametrize(
    ("what", "code", "hint"),
    [
        pytest.param("zebra crossing", 1, "`clawgit memory search 'zebra crossing'`", id="nothing"),
        pytest.param(
            "soul_policy: evolve", 1, "`clawgit memory search 'soul_policy: evolve'`", id="a setting"
        ),
        pytest.param("m:zzzzzz", 1, "m:zzzzzz", id="no entry"),
        pytest.param("notes/flat.md:1", 1, "no statement", id="a heading"),
        pytest.param("notes/flat.md:2", 1, "no statement", id="a blank line"),
        pytest.param("CHANGELOG.md:1", 1, "rendered", id="a derived file"),
        pytest.param("notes/plain.csv:1", 1, "notes/plain.csv is no text", id="no text"),
        pytest.param(
            "notes/wide.txt:1", 1, "is not UTF-8: clawgit reads it and does not write it", id="UTF-16"
        ),
        pytest.param("x:4f1c", 2, "`clawgit undo x:4f1c`", id="a correction"),
        pytest.param("chat:7k2x9d3m4qv8w1ec", 2, "--source chat:7k2x9d3m4qv8w1ec", id="a message"),
    ],
)
def test_what_is_no_line_says_what_to_do(clawgit, room, what: str, code: int, hint: str) -> None:
    room.write("notes/plain.csv", "The gate is green.\n")
    (room.root / "notes/wide.txt").write_bytes("The gate is green.\n".encode("utf-16"))
    room.keep("operator")
    head = room.head()

    done = clawgit("forget", what, "--yes")

    assert done.code == code
    assert hint in done.err
    assert room.head() == head


@pytest.mark.parametrize("words", ["correct notes/plain.csv:1 New.", "undo notes/plain.csv:1"])
def test_the_address_of_a_file_that_is_no_text_is_never_taken_for_words(clawgit, room, words: str) -> None:
    """Mutant: `correct` makes an entry of it, and of MEMORY.md a correction that says the address."""
    room.write("notes/plain.csv", "The gate is green.\n")
    room.keep("operator")
    head = room.head()

    done = clawgit(*words.split())

    assert "notes/plain.csv is no text" in done.err
    assert (done.code, room.head()) == (1, head)


@pytest.mark.parametrize("name", ["notes/gate.txt", "notes/gate.markdown"])
def test_a_line_of_a_text_that_is_no_md_is_forgotten_corrected_and_undone_by_its_place(
    clawgit, room, name: str
) -> None:
    """Seen: `forget` listed `clawgit forget notes/gate.txt:1`, which was refused."""
    room.write("notes/gate.md", "The gate is green.\n")
    room.write(name, "The gate is green.\nThe oven is hot.\n")
    room.keep("operator")
    listed = clawgit("forget", "The gate is green.").out
    assert f"clawgit forget {name}:1 " in listed

    clawgit("correct", f"{name}:2", "The oven is cold.")
    assert room.read(name) == "The gate is green.\nThe oven is cold.\n"
    clawgit("forget", f"{name}:1", "--yes")
    assert room.read(name) == "The oven is cold.\n"
    clawgit("undo", f"{name}:1")
    assert room.read(name) == "The oven is hot.\n"
    assert room.read("notes/gate.md") == "The gate is green.\n"


@pytest.mark.usefixtures("adopted")
def test_only_the_operator_forgets(clawgit, room) -> None:
    done = clawgit("forget", "Landlord", "--yes", actor="host")

    assert done.code == 1
    assert "only you can forget" in done.err
    assert room.read("notes/flat.md") == FLAT


@pytest.mark.usefixtures("adopted")
def test_without_a_terminal_and_a_yes_it_only_shows_the_line(clawgit, room) -> None:
    done = clawgit("forget", "Landlord: Smith")

    assert done.code == 1
    assert "To forget: notes/flat.md:3  Landlord: Smith" in done.err
    assert "--yes" in done.err
    assert room.read("notes/flat.md") == FLAT


@pytest.mark.rest
@pytest.mark.usefixtures("adopted")
@pytest.mark.parametrize(
    ("answer", "is_gone"),
    [("y", True), ("n", False), ("s", True), ("Sí", True), ("ja", True), ("oui", True), ("nein", False)],
)
def test_a_terminal_is_asked_and_takes_a_yes_in_the_languages_of_a_chat(
    room, answer: str, is_gone: bool
) -> None:
    """Seen: `Type y for yes` after "s" and "sí"."""
    own, terminal = pty.openpty()
    os.write(own, f"{answer}\n".encode())
    command = [sys.executable, "-m", "clawgit", "-w", str(room.root), "forget", "Landlord: Smith"]
    done = subprocess.run(command, stdin=terminal, capture_output=True, text=True, check=False)
    os.close(own)
    os.close(terminal)

    assert "Forget it?" in done.stderr
    assert (done.returncode == 0) == is_gone
    assert ("Smith" not in room.read("notes/flat.md")) == is_gone


@pytest.mark.usefixtures("adopted")
def test_an_edit_beside_it_is_committed_first_and_stays(clawgit, room) -> None:
    """Mutant: by its number alone, another line goes."""
    room.write("notes/flat.md", FLAT.replace("# Flat\n", "# Flat\n\nTwo rooms.\n"))

    done = clawgit("forget", "Landlord: Smith", "--yes")

    assert "Committed first: notes/flat.md." in done.err
    assert room.read("notes/flat.md") == FLAT.replace("# Flat\n\nLandlord: Smith", "# Flat\n\nTwo rooms.\n")


@pytest.mark.usefixtures("adopted")
def test_a_line_that_was_reworded_meanwhile_stays(clawgit, room) -> None:
    room.write("notes/flat.md", FLAT.replace("Landlord: Smith", "Landlord: Smythe"))

    done = clawgit("forget", "Landlord: Smith", "--yes")

    assert done.code == 1
    assert "reads otherwise" in done.err
    assert "Landlord: Smythe" in room.read("notes/flat.md")


@pytest.mark.usefixtures("adopted")
def test_an_op_is_applied_once(clawgit, room) -> None:
    words = ("forget", "Landlord: Smith", "--yes", "--op", "mine-1", "--json")

    first, again = (clawgit(*words).data for _ in range(2))

    assert (first["outcome"], again["outcome"]) == ("applied", "repeated")
    assert again["commit"] == first["commit"]


def test_what_was_forgotten_is_found_by_its_words_with_the_way_back(clawgit, room) -> None:
    clawgit("remember", "The key is under the mat.")
    clawgit("forget", "The key is under the mat.", "--yes")
    taken = room.head()[:12]

    undone = clawgit("undo", "the key is under the mat")
    why = clawgit("why", "key is under the mat").out

    assert undone.code != 0
    assert f"No line says 'The key is under the mat.' any more; {taken}" in undone.err
    assert f"`clawgit undo {taken}` brings it back." in undone.err
    assert "no longer in any file: 2026-03-19, you, forget: " in why
    assert f"`clawgit undo {taken}` takes that commit back" in why


def test_the_prompts_of_jobs_are_no_statements_like_it(clawgit) -> None:
    clawgit("remember", "Her dentist is Dr. Sato.")
    clawgit("forget", "Her dentist is Dr. Sato.", "--yes")

    assert "also like this" not in clawgit("why", "dentist").out


@pytest.mark.parametrize(
    ("line", "subject"),
    [
        ("The rent is due on the 1st.", 'forget: "The rent is due on the 1st."'),
        ("Key: ghp_" + "a1B2c3D4e5F6" * 3, 'forget: "Key: [redacted github-token]"'),
    ],
)
def test_the_commit_names_the_line_without_its_keys(clawgit, room, line: str, subject: str) -> None:
    room.write("notes/flat.md", f"# Flat\n\n{line}\n\nBike: red\n")
    room.git("add", "notes/flat.md")
    room.git("commit", "-qm", "notes of my own")

    assert clawgit("forget", "notes/flat.md:3", "--yes").code == 0
    assert room.git("log", "-1", "--format=%s").strip() == subject


def test_a_long_line_is_named_by_its_beginning(clawgit, room) -> None:
    room.write("notes/flat.md", f"# Flat\n\n{'The bins go out. ' * 20}\n\nBike: red\n")
    room.git("add", "notes/flat.md")
    room.git("commit", "-qm", "notes of my own")

    assert clawgit("forget", "notes/flat.md:3", "--yes").code == 0
    subject = room.git("log", "-1", "--format=%s").strip()
    assert subject.startswith('forget: "The bins go out. ')
    assert subject.endswith('…"')


@pytest.mark.parametrize("path", ["notes/kiln.md", "memory/2026-03-01.md"])
def test_a_line_of_a_note_that_was_forgotten_is_named_with_the_way_back(clawgit, room, path: str) -> None:
    """Seen: `undo` and `why` of a line beside memory knew of no removal."""
    line = "- The kiln room key hangs on hook 9.\n"
    room.write(path, f"# Kiln\n\n{line}- The old glaze is from Tomasz.\n")
    room.git("add", path)
    room.git("commit", "-qm", "kiln")
    assert clawgit("forget", "kiln room key", "--yes").code == 0
    name = room.head()[:12]

    for words in (("undo", "kiln room key"), ("forget", "the kiln room key"), ("why", "kiln room key hangs")):
        done = clawgit(*words)
        assert f"`clawgit undo {name}` " in done.out + done.err
    assert clawgit("undo", name).code == 0
    assert line in room.read(path)


def test_what_says_so_in_other_words_or_another_language_is_offered_and_stays(clawgit, room) -> None:
    """Seen: the Spanish line and the note of the day were neither named nor removed. Mutant: a shared name is enough."""
    room.change(
        {
            "MEMORY.md": "# M\n\n- Jonas owes me 400 euros.\n- Jonas is my cousin.\n- The van costs 900 euros.\n",
            "notes/dinero.md": "- Jonas me debe 400 euros desde junio.\n- El alquiler son 1200 euros.\n",
            "memory/2026-03-18.md": "# W\n\n- Jonas borrowed 400 euros from me.\n- Jonas borrowed 20 euros from Ida.\n",
        },
        actor="operator",
    )

    done = clawgit("forget", "Jonas owes me 400 euros", "--yes", "--json")

    places = [each["place"] for each in done.data["same"]]
    assert sorted(places) == ["memory/2026-03-18.md:3", "notes/dinero.md:1"]
    assert "(`clawgit forget notes/dinero.md:1`)" in done.err
    assert "Jonas me debe 400 euros" in room.read("notes/dinero.md")


def test_what_has_the_name_alone_is_not_offered_beside_what_has_more(clawgit, room) -> None:
    """Seen: all that any file says of him, for his number."""
    card = "# Rossi\n\n- Phone: 0341 555 0104\n- Bike: Kalkhoff\n- Pays by cash.\n"
    diary = "# Monday\n\n- Repaired Rossi's brakes, 21 euro.\n"
    room.change({"customers/rossi.md": card, "notes/monday.md": diary}, actor="operator")

    number = clawgit("chat", "add", "Please forget the phone number of Rossi.").out
    all_of_it = clawgit("chat", "add", "Please forget everything about Rossi.").out

    assert "  clawgit forget 'Phone: 0341 555 0104'   customers/rossi.md:3\n" in number
    assert number.count("  clawgit forget ") == 1
    assert all_of_it.count("  clawgit forget ") == 4


def test_a_line_that_only_the_agents_prompt_has_is_named_with_its_place(clawgit, room) -> None:
    """Seen: "No line says anything like it", for git does not have a TOOLS.md with a key, and a search names its line."""
    room.write("TOOLS.md", "# Tools\n\n- Shop wifi guests: VeloGuest\n")

    done = clawgit("forget", "guest wifi")

    place = 'TOOLS.md is not searched; it has "- Shop wifi guests: VeloGuest" in line 3.'
    assert f"No line of memory says anything like 'guest wifi'. {place} Edit it there." in done.err
    assert done.code == 1
    assert "TOOLS.md" not in clawgit("forget", "the zebra").err


def test_a_line_of_the_agents_prompt_is_no_guess(clawgit) -> None:
    """Seen: "Before you answer …" of AGENTS.md was offered for "no such line here"."""
    done = clawgit("forget", "no such line here", "--json")

    assert done.code == 1
    assert done.data["error"].startswith("No line of memory says anything like 'no such line here'.")


def test_words_of_another_language_than_the_lines_are_answered_with_the_lines(clawgit, room) -> None:
    """Seen: "No line says anything like …" though three lines say it. Mutant: what only shares the name is offered too."""
    room.change(
        {
            "MEMORY.md": "# M\n\n- Ruben is allergic to penicillin.\n- Ruben likes tea.\n",
            "notes/health.md": "Ruben es alérgico a la penicilina.\nRuben's blood group is A negative.\n",
        },
        actor="operator",
    )

    done = clawgit("forget", "dass Ruben gegen Penicillin allergisch ist", "--yes", "--json")

    assert (done.code, done.data["outcome"]) == (1, "unclear")
    assert sorted(each["place"] for each in done.data["lines"]) == ["MEMORY.md:3", "notes/health.md:1"]


def test_what_is_listed_of_a_line_goes_with_it_and_what_keeps_its_words_is_named(clawgit, room) -> None:
    """Seen: memory/INDEX.md and memory/structured/ had the words until the organizer ran, and Archive/Corrections/ was not named.

    Mutants: the listings of other entries go, too; an undo does not bring the listing back; a note of the operator's counts as derived.
    """
    clawgit("remember", "The key of the site gate is under the third pot.")
    clawgit("remember", "The spare key hangs in the shed.")
    room.write("notes/gate.md", "The key of the site gate is under the third pot, on the left.\n")
    clawgit("keep")
    clawgit("run", "organizer")
    listed = ("memory/INDEX.md", "memory/structured/other.md")
    before = [room.read(path) for path in listed]
    assert all("third pot" in text for text in before)

    done = clawgit("forget", "The key of the site gate is under the third pot.", "--yes")

    assert done.code == 0, done.err
    texts = [room.read(path) for path in listed]
    assert not [text for text in texts if "third pot" in text]
    assert all("in the shed" in text for text in texts)
    assert "third pot" in room.read("notes/gate.md")
    assert "CORRECTIONS.md and Archive/Corrections/ where they name them" in done.err
    assert clawgit("undo", room.head()).code == 0
    assert [room.read(path) for path in listed] == before


@pytest.mark.parametrize("verb", ["why", "forget", "correct"])
def test_a_commit_of_a_file_beside_memory_names_the_line_that_it_brought(clawgit, room, verb: str) -> None:
    """Seen: `brought no statement that still stands`, of a line that stood. Mutant: another line of the file is named."""
    room.change({"notes/flat.md": "# Flat\n\nThe landlord is Mr. Huber.\n"}, actor="operator")
    room.change({"notes/flat.md": "# Flat\n\nThe landlord is Mr. Huber.\nThe bakery opens at 7.\n"}, actor="operator")  # fmt: skip
    commit = room.head()[:12]

    done = clawgit(verb, commit, *{"forget": ["--yes"], "correct": ["The bakery opens at 8."]}.get(verb, []))

    assert done.code == 0
    assert "The bakery opens at 7." in done.out + done.err
    assert "Huber" not in done.out + done.err


def test_correct_names_the_place_of_words_beside_memory(clawgit, room) -> None:
    """Seen: `No entry says 'bakery opens'`, and why, undo and forget found the line by these words."""
    room.change({"notes/flat.md": "# Flat\n\nThe bakery opens at 7.\n"}, actor="operator")

    refused = clawgit("correct", "bakery opens", "The bakery opens at 8.")

    assert refused.code == 1
    assert "`clawgit correct notes/flat.md:3 'The bakery opens at 8.'`" in refused.err
    assert clawgit("correct", "notes/flat.md:3", "The bakery opens at 8.").code == 0


def test_correct_says_how_a_row_of_a_table_is_written(clawgit, room) -> None:
    """Seen: `No entry says '| Bins | Tuesday |'`, of the place that was named."""
    room.change({"notes/flat.md": "| what | when |\n|---|---|\n| Bins | Tuesday |\n"}, actor="operator")

    refused = clawgit("correct", "notes/flat.md:3", "Bins: Wednesday")

    assert "notes/flat.md:3 reads '| Bins | Tuesday |'" in refused.err
    assert clawgit("correct", "notes/flat.md:3", "| Bins | Wednesday |").code == 0


def test_what_no_job_has_read_yet_is_named_with_what_to_do(clawgit) -> None:
    """Seen: "No line says anything like it", minutes after "The next job keeps it". Mutants: an order to forget is such a message; any message is."""
    said = clawgit("chat", "add", "My coffee machine died, I use the neighbour's now.", "--json").data["id"]
    clawgit("chat", "add", "Forget the tea strainer.")

    asked = clawgit("forget", "coffee machine")

    assert (asked.code, f"yet: the next job reads your message {said}." in asked.err) == (1, True)
    assert "`clawgit run memory-miner`" in asked.err
    for words in ("tea strainer", "garden hose"):
        assert f"No line says anything like '{words}'. " in clawgit("forget", words).err


def test_links_go_with_the_line_beside_which_they_stand_and_come_back_with_it(clawgit, room) -> None:
    """Seen: `- said: key of the site gate: under the third pot.` stayed. Mutants: links of another line go; the undo brings none back."""
    clawgit("remember", "The pool opens at 7:00.")
    clawgit("remember", "key of the site gate: under the third pot.")
    clawgit("chat", "add", "Actually the pool opens at 8 in the holidays.")
    clawgit("chat", "add", "The site gate key isn't under the pot any more, it's in a lockbox now.")
    before = room.read("CORRECTIONS.md")
    assert before.count("- status: linked") == 2
    key = next(each["id"] for each in clawgit("memory", "list", "--json").data if "pot" in each["text"])

    done = clawgit("forget", key, "--yes")

    assert "What was said or asked beside it goes, too: x:" in done.err
    (link,) = clawgit("corrections", "--json").data
    assert link["said"] == "The pool opens at 7:00."
    assert "pot" not in room.read("MEMORY.md") + room.read("CORRECTIONS.md")
    assert not list((room.root / "Archive/Corrections").glob("2*.md"))
    assert clawgit("undo", room.head()).code == 0
    assert room.read("CORRECTIONS.md") == before
