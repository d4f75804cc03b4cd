"""A line that the agent, or nobody known, set back against a correction: its undo, and who said what in the log."""

from __future__ import annotations

import pytest

OLD, NEW = "Nora: invoice 6843 is due on 11 June.", "Nora: invoice 6843 is due on 18 June."
TYPED = OLD.replace("11", "12")
BESIDE = "Emil has the key."
KINDS = [
    pytest.param("MEMORY.md", "- {}\n", id="an entry"),
    pytest.param("notes/nora.md", "- {}\n", id="an item beside memory"),
    pytest.param("notes/nora.md", "{}\n\n", id="a paragraph"),
    pytest.param("notes/nora.txt", "{}\n", id="a text file"),
    pytest.param("memory/nora.md", "{}\n\n", id="a paragraph of memory"),
]


def retype(room, path: str, old: str, new: str, actor: str = "host") -> str:
    """Have somebody type ``new`` in the place of ``old``, and return the commit."""
    text = room.read(path)
    head, _, rest = text.partition(old)
    room.write(path, f"{head}{new}{rest}")
    room.keep(actor)
    return room.head()[:12]


def place_of(room, path: str, words: str) -> str:
    lines = room.read(path).splitlines()
    return f"{path}:{next(at for at, line in enumerate(lines, start=1) if words in line)}"


@pytest.fixture
def told(clawgit):
    def told() -> tuple[bool, bool, bool]:
        """Say whether status, digest and corrections have a correction as set back."""
        return (
            "against a correction: " in clawgit("status").out,
            "against a correction)" in clawgit("digest").out,
            "set back by " in clawgit("corrections").out,
        )

    return told


@pytest.mark.parametrize("actor", ["host", "unknown"])
@pytest.mark.parametrize(("path", "form"), KINDS)
def test_undo_of_a_line_set_back_restores_what_the_correction_made(
    clawgit, room, told, path, form, actor
) -> None:
    """Seen: in memory it withdrew the correction, and beside memory it took the line out.

    Mutants: the change that first brought the words, not the last, is what is taken back.
    """
    room.change({path: form.format(OLD) + form.format(BESIDE)}, actor="operator")
    clawgit("correct", OLD, NEW)
    corrected = room.read(path)
    retype(room, path, NEW, TYPED, actor)
    assert told() == (True, True, True)

    shown = clawgit("undo", place_of(room, path, TYPED), "--dry-run").err
    done = clawgit("undo", place_of(room, path, TYPED))

    assert f"What it replaced comes back: {NEW}" in shown
    assert done.code == 0
    assert room.read(path) == corrected
    assert [each["status"] for each in clawgit("corrections", "--json").data] == ["applied"]
    assert told() == (False, False, False)


BESIDE_ENTRIES = [
    pytest.param("MEMORY.md", "| who | what |\n|---|---|\n| Nora | {} |\n\n", id="a row"),
    pytest.param("MEMORY.md", "{}\n\n", id="prose"),
    pytest.param("notes/nora.md", "- {}\n", id="an item beside memory"),
]


@pytest.mark.parametrize("actor", ["host", "unknown"])
@pytest.mark.parametrize(("path", "form"), BESIDE_ENTRIES)
def test_a_corrected_line_that_is_deleted_is_told_until_it_is_back(
    clawgit, room, told, path, form, actor
) -> None:
    """Seen: "edited" in log and status, and `corrections` said "applied"."""
    room.change({path: form.format(OLD) + form.format(BESIDE)}, actor="operator")
    clawgit(
        "correct", place_of(room, path, OLD), form.format(NEW).strip().rpartition("\n")[2].removeprefix("- ")
    )
    corrected = room.read(path)
    line = next(each for each in corrected.splitlines() if NEW in each)
    room.write(path, corrected.replace(f"{line}\n", ""))
    room.keep(actor)
    commit = room.head()[:12]

    assert told() == (True, True, True)
    assert " → removed " in clawgit("status").out
    rows = {row["verb"]: row for row in clawgit("log", "--json").data["rows"] if row["commit"][:12] == commit}
    assert "edited" not in rows
    assert (rows["set back"]["words"], NEW in rows["set back"]["before"]) == ("", True)
    assert clawgit("undo", commit).code == 0
    assert room.read(path) == corrected
    assert told() == (False, False, False)


@pytest.mark.parametrize("how", ["moved", "wrapped", "a job's", "his own"])
def test_a_corrected_line_that_is_elsewhere_or_that_others_took_out_is_no_alarm(
    clawgit, room, told, how: str
) -> None:
    """Mutants: only the same file is looked at; only the same bytes; anybody's removal counts."""
    row = f"| Nora | {OLD} |\n"
    room.change({"MEMORY.md": f"# Memory\n\n{row}| Emil | the key |\n\n{BESIDE}\n"}, actor="operator")
    clawgit("correct", "MEMORY.md:3", row.strip().replace("11", "18"))
    right = row.replace("11", "18")
    there = room.read("MEMORY.md").replace(right, "")
    if how == "moved":
        room.write("memory/nora.md", right)
    elif how == "wrapped":
        there += right.replace("invoice ", "invoice\n")
    room.write("MEMORY.md", there)
    room.keep({"a job's": "organizer", "his own": "operator"}.get(how, "host"))

    assert told() == (False, False, False)


@pytest.mark.parametrize("mover", ["organizer", "operator"])
def test_a_line_set_back_is_told_in_the_file_that_it_is_moved_to(clawgit, room, told, mover: str) -> None:
    """Seen: the organizer moved the section, and the digest said only "Corrected"."""
    row = f"| Nora | {OLD} |\n"
    room.change({"MEMORY.md": f"# Memory\n\n{row}| Emil | the key |\n\n{BESIDE}\n"}, actor="operator")
    clawgit("correct", "MEMORY.md:3", row.strip().replace("11", "18"))
    retype(room, "MEMORY.md", "18", "11")
    room.write("memory/nora.md", f"# Nora\n\n{row}")
    room.write("MEMORY.md", room.read("MEMORY.md").replace(row, ""))
    room.keep(mover)

    assert told() == (True, True, True)
    assert "→ `clawgit undo memory/nora.md:3`" in clawgit("status").out
    assert clawgit("undo", "memory/nora.md:3").code == 0
    assert room.read("memory/nora.md") == f"# Nora\n\n{row.replace('11', '18')}"
    assert told() == (False, False, False)


def test_status_counts_no_correction_that_was_set_back(clawgit, room) -> None:
    """Seen: "more: 1 against a correction, 3 learned" below three learned lines."""
    lines = [f"Invoice {day} is due on {day} June." for day in range(11, 15)]
    room.change({"MEMORY.md": "".join(map("- {}\n".format, lines))}, actor="operator")
    for line in lines:
        clawgit("correct", line, line.replace("June", "July"))
    room.write("MEMORY.md", room.read("MEMORY.md").replace("July", "August"))
    room.keep("host")

    assert clawgit("status").out.count("  against a correction: ") == len(lines)


@pytest.mark.parametrize("actor", ["host", "unknown"])
def test_the_old_words_below_an_id_go_back_as_a_dropped_line_does(clawgit, room, told, actor) -> None:
    """Seen: `sed` turned the value back, and MEMORY.md, which an agent reads raw, had it from then on."""
    room.change({"MEMORY.md": f"- {OLD}\n  - {BESIDE}\n"}, actor="operator")
    clawgit("correct", OLD, NEW)
    corrected = room.read("MEMORY.md")

    retype(room, "MEMORY.md", NEW, OLD, actor)

    assert room.read("MEMORY.md") == corrected
    assert told() == (False, False, False)


@pytest.mark.parametrize("new", [OLD, ""])
def test_keep_says_which_correction_of_a_row_it_sets_back(clawgit, room, new: str) -> None:
    """Seen: `Committed, written by your agent: MEMORY.md.` and no more, while `status` had the alarm."""
    room.change({"MEMORY.md": f"| Nora | {OLD} |\n| Emil | the key |\n"}, actor="operator")
    clawgit("correct", "MEMORY.md:1", f"| Nora | {NEW} |")
    row = f"| Nora | {new} |\n" if new else ""
    room.write("MEMORY.md", room.read("MEMORY.md").replace(f"| Nora | {NEW} |\n", row))

    said = clawgit("keep", environment={"CLAWGIT_ACTOR": "host"}).err

    alarm = next(each for each in clawgit("status").out.splitlines() if "against a correction: " in each)
    assert f"A{alarm.strip()[1:]}\n" in said
    room.write("MEMORY.md", f"{room.read('MEMORY.md')}{BESIDE}\n")
    assert "gainst your" not in clawgit("keep", environment={"CLAWGIT_ACTOR": "host"}).err


@pytest.mark.rest
@pytest.mark.parametrize(("path", "form"), KINDS)
def test_one_undo_restores_it_over_several_edits(clawgit, room, told, path, form) -> None:
    """Mutant: only the last edit is taken back, as the operator's own words."""
    room.change({path: form.format(OLD) + form.format(BESIDE)}, actor="operator")
    clawgit("correct", OLD, NEW)
    corrected = room.read(path)
    retype(room, path, NEW, TYPED)
    retype(room, path, TYPED, OLD.replace("11 June", "13 June"))

    assert clawgit("undo", "invoice 6843 is due on 13 June").code == 0

    assert room.read(path) == corrected
    assert told() == (False, False, False)


@pytest.mark.rest
@pytest.mark.parametrize("by", ["place", "commit"])
@pytest.mark.parametrize(("path", "form"), KINDS[:2])
def test_an_undo_that_is_undone_leaves_the_alarm(clawgit, room, told, path, form, by) -> None:
    """Seen: "Nothing new", while the correction was "applied" and the file said otherwise."""
    room.change({path: form.format(OLD)}, actor="operator")
    clawgit("correct", OLD, NEW)
    commit = retype(room, path, NEW, TYPED)
    clawgit("undo", commit if by == "commit" else place_of(room, path, "invoice"))
    assert told() == (False, False, False)

    assert clawgit("undo", room.head()[:12]).code == 0

    assert TYPED in room.read(path)
    assert told() == (True, True, True)
    assert clawgit("undo", place_of(room, path, "invoice")).code == 0
    assert NEW in room.read(path)
    assert told() == (False, False, False)


@pytest.mark.rest
@pytest.mark.parametrize(("path", "form"), KINDS[:2])
def test_a_correction_that_is_brought_back_over_another_line_says_so(clawgit, room, told, path, form) -> None:
    """Seen: of a line without an id the alarm was gone, and `log` had a value that he denied as his correction."""
    room.change({path: form.format(OLD)}, actor="operator")
    clawgit("correct", OLD, NEW)
    (correction,) = clawgit("corrections", "--json").data
    retype(room, path, NEW, {"MEMORY.md": TYPED}.get(path, OLD))
    clawgit("undo", correction["id"])
    assert told() == (False, False, False)

    assert clawgit("undo", room.head()[:12]).code == 0

    assert told() == (True, True, True)
    for line in clawgit("log").out.splitlines():
        if "  corrected  " in line:
            assert "{+18+}" in line


def test_his_own_later_words_end_the_alarm(clawgit, room, told) -> None:
    """Mutant: only the correction's words end it."""
    room.change({"MEMORY.md": f"- {OLD}\n"}, actor="operator")
    clawgit("correct", OLD, NEW)
    retype(room, "MEMORY.md", NEW, OLD)
    retype(room, "MEMORY.md", OLD, OLD.replace("11", "15"), "operator")

    assert told() == (False, False, False)


def test_the_log_names_who_said_it_then(clawgit, room) -> None:
    """Seen: what he had remembered was "(your agent)" as soon as the agent had typed it again, also after the undo."""

    def rows() -> list[str]:
        return list(filter(lambda line: "invoice" in line, clawgit("log").out.splitlines()))

    clawgit("remember", OLD)
    clawgit("correct", OLD, NEW)
    his = rows()
    commit = retype(room, "MEMORY.md", NEW, TYPED)
    assert rows()[1:] == his
    clawgit("undo", commit)
    assert rows()[2:] == his

    clawgit("chat", "add", "Sorry, Nora's invoice 6843 is due on 11 June, not 18 June.")

    assert OLD in room.read("MEMORY.md")
    assert rows()[-2:] == his
    set_back, undone = rows()[-3:-5:-1]
    assert "(your agent" in set_back
    assert "(you" in undone
    assert "based on: your agent" not in clawgit("why", place_of(room, "MEMORY.md", OLD)).out


@pytest.mark.parametrize(
    ("path", "form"),
    [*KINDS, pytest.param("notes/nora.md", "| Nora | {} |\n|---|---|\n", id="a row of a table")],
)
def test_why_of_what_he_corrected_names_him(clawgit, room, path, form) -> None:
    """Seen: "based on: your agent" of a line that he had just corrected, and the correction nowhere. Mutant: all of it is his."""
    room.change({path: form.format(OLD)}, actor="host")

    clawgit("chat", "add", "No, Nora's invoice 6843 is due on 18 June, not 11 June.")

    (correction,) = clawgit("corrections", "--json").data
    why = clawgit("why", place_of(room, path, NEW)).out
    assert f"  based on: you ({correction['id']}); the rest: your agent\n" in why
    assert f"  correction {correction['id']} " in why


def test_why_of_a_note_that_he_corrected_himself_is_based_on_him(clawgit, room) -> None:
    """Seen: "you, who committed it", as of a text of another."""
    room.change({"notes/nora.md": f"- {OLD}\n"}, actor="host")

    clawgit("correct", OLD, NEW)

    assert "  based on: you\n" in clawgit("why", "notes/nora.md:1").out


@pytest.mark.parametrize("actor", ["host", "unknown"])
def test_a_line_that_he_took_out_and_somebody_types_again_says_so(clawgit, room, actor) -> None:
    """Seen: "Typed into the files (your agent)", and nothing of his forgetting. Mutant: only a line with the same date and tags."""
    clawgit("chat", "add", "Remember that Lucía has coeliac disease.")
    clawgit("forget", "Lucía has coeliac disease", "--yes")
    clawgit("digest", "--send", "2026-03-18")
    room.write("MEMORY.md", f"{room.read('MEMORY.md')}- Lucía has coeliac disease\n- Emil has the key.\n")
    room.keep(actor)

    digest = clawgit("digest").out.splitlines()
    (typed,) = filter(lambda line: line.startswith("- Lucía"), digest)
    assert "; you took this out) → undo " in typed
    (other,) = filter(lambda line: line.startswith("- Emil"), digest)
    assert "you" not in other.replace("your agent", "")
    assert f"), but you took this out: `clawgit undo {room.head()[:12]}`" in clawgit("status").out


def test_a_line_set_back_is_still_told_behind_an_overwrite_and_its_undo(clawgit, room, told) -> None:
    """Seen: "learned", with the value that was corrected: a job had put the line back as the overwrite found it."""
    others = "".join(f"- Shelf {each} holds box {each + 20}.\n" for each in range(30))
    room.change({"MEMORY.md": f"# M\n\n- {OLD}\n{others}"}, actor="operator")
    clawgit("correct", OLD, NEW)
    retype(room, "MEMORY.md", NEW, TYPED)
    room.write("MEMORY.md", "# M\n\n- New.\n")
    overwrite = clawgit("keep", actor="host").out.split()[0]
    assert clawgit("undo", overwrite).code == 0

    assert TYPED in room.read("MEMORY.md")
    assert told() == (True, True, True)


REWORDED = "- Mei keeps item {} for the house on shelf {}.\n"


@pytest.mark.parametrize("back", ["undo", "undo of its undo's undo", "reject"])
@pytest.mark.parametrize(
    "overwritten", ["# Memory\n\n- I am a new memory.\n", "", REWORDED.format("1 to 9", 3)]
)
def test_undo_of_words_that_an_undo_brought_back_restores_what_they_replaced(
    clawgit, room, back, overwritten
) -> None:
    """Seen: the overwrite's undo counted as what had brought the line, and the line was taken out.

    Mutant: the state before the line was reworded is looked for in the overwrite.
    """
    before = "# M\n\n" + "".join(REWORDED.format(number, number) for number in range(1, 13))
    room.change({"MEMORY.md": before}, actor="operator")
    retype(room, "MEMORY.md", "shelf 4", "shelf 14")
    room.write("MEMORY.md", overwritten)
    room.keep("host")
    overwrite = room.head()[:12]
    if back == "reject":
        assert clawgit("reject", f"l-{overwrite}").code == 0
    else:
        assert clawgit("undo", overwrite).code == 0
    if back == "undo of its undo's undo":
        clawgit("undo", room.head()[:12])
        clawgit("undo", room.head()[:12])
    assert "shelf 14." in room.read("MEMORY.md")
    there = room.read("MEMORY.md")

    shown = clawgit("undo", "Mei keeps item 4 for the house", "--dry-run").err
    done = clawgit("undo", "Mei keeps item 4 for the house")

    assert done.code == 0
    assert "What it replaced comes back: Mei keeps item 4 for the house on shelf 4." in shown
    assert room.read("MEMORY.md") == there.replace("shelf 14.", "shelf 4.")
