"""A file of memory that an edit cut short is told before all else, once, and until it is back or the operator says that it is right.

Mutants seen to fail here: before it is committed, a command is offered that destroys what is new in the file; the lines that went are told as dropped or merged, too;
only the first loss is asked; a loss that was answered, or is mended, is asked again; a scratch note of a few lines is asked about;
lines that an undo brings back are told as learned or typed; the log lists each of them.
"""

from __future__ import annotations

import pytest

from clawgit.cli.terminal import coloured
from clawgit.history.guards.check import lost_files
from clawgit.history.reading.rearranged import read_moves
from clawgit.operations.changed_news import read_changed

LINES = [
    f"- The box {number} stands on the shelf of {name}.\n" for number, name in enumerate("abcdefghijkl" * 4)
]
BEFORE = "# Memory\n\n" + "".join(LINES)
CUT = "# Memory\n\n" + "".join(LINES[:20])
LOST = "MEMORY.md loses 58 % of its text, and no other file has it"


@pytest.fixture
def memory(room) -> None:
    """Let MEMORY.md be full, and nothing else be asked."""
    (room.root / "BOOTSTRAP.md").unlink(missing_ok=True)
    room.write("MEMORY.md", BEFORE)
    room.keep("operator")


@pytest.fixture
def cut(clawgit, room, memory) -> str:
    """Return the commit that cut MEMORY.md short."""
    room.write("MEMORY.md", CUT)
    clawgit("keep")
    return room.head()[:12]


def marked(out: str) -> list[str]:
    return out.splitlines()[1:2]


def test_before_it_is_committed_status_says_so_first_and_how_it_comes_back(clawgit, room, memory) -> None:
    room.write("MEMORY.md", CUT)
    room.write("notes/kiln.md", "The kiln is hot.\n")

    told = clawgit("status")
    (lost,) = clawgit("status", "--json").data["lost"]

    back = "`clawgit keep` commits what is there and asks whether the rest comes back."
    assert marked(told.out) == [f"! {LOST}. {back}"]
    assert "not committed: MEMORY.md" not in told.out
    assert "  not committed: notes/kiln.md" in told.out
    assert "\x1b[31m" in coloured(marked(told.out)[0])
    assert (lost["sentence"], lost["command"], lost["commit"]) == (f"{LOST}.", "clawgit keep", "")

    told = clawgit("digest", "--since", "2026-03-01").out
    assert ": 1 lost" in told
    assert f"- {LOST}. → {back}" in told

    room.git("restore", "MEMORY.md")

    assert "lost" not in clawgit("status").out
    assert room.read("MEMORY.md") == BEFORE


@pytest.mark.parametrize(
    "staging", [("add", "MEMORY.md"), ("rm", "--cached", "MEMORY.md"), ("rm", "-f", "MEMORY.md")]
)
def test_what_is_staged_is_told_too(clawgit, room, memory, staging: tuple[str, ...]) -> None:
    """Mutants: a staged loss is not told; it is told as if `keep` took it; the text is looked for in the folder only."""
    room.write("MEMORY.md", CUT)
    room.git(*staging)
    there = (room.root / "MEMORY.md").exists()

    told = clawgit("status").out

    does = "loses" if staging[0] == "add" else "is deleted, and no other file has"
    assert marked(told)[0].startswith(f"! MEMORY.md {does} ")
    assert marked(told)[0].endswith(
        ". `git reset` takes that out of what your next `git commit` commits; the folder stays as it is."
    )
    room.git("reset", "-q")
    assert (room.root / "MEMORY.md").exists() is there
    assert "`clawgit keep` commits what is there and asks" in clawgit("status").out


def test_once_committed_it_is_one_line_with_its_undo_until_it_is_back(clawgit, room, cut) -> None:
    told = clawgit("status").out
    log = clawgit("log").out

    assert marked(told) == [
        f"! {LOST}. `clawgit undo {cut}` takes the whole edit back; `clawgit reject l-{cut}` keeps it and brings only what is lost back, `clawgit approve l-{cut}` says that it is right so."
    ]
    for sign in ("dropped:", "moved:", "removed from", "merged"):
        assert sign not in told
    assert "[-The box" not in log
    assert f"lost        {LOST}" in log
    assert f"→ `clawgit undo {cut}` or `clawgit approve l-{cut}`" in log

    undone = clawgit("undo", cut)

    assert f"Undone: {LOST}." in undone.err
    assert room.read("MEMORY.md") == BEFORE
    after = clawgit("status").out
    assert "! " not in after
    assert f"28 lines are back that {cut} took out" in after
    assert "typed" not in after
    assert clawgit("pending").out == "Nothing is pending.\n"


def test_the_digest_tells_a_loss_first_and_no_line_of_it(clawgit, room, cut) -> None:
    told = clawgit("digest", "--since", "2026-03-01").out

    first, _, rest = told.partition("\n## Lost\n")
    assert ": 1 lost" in first
    first_line = f'The first line: "{LINES[20][2:-1]}"'
    assert rest.startswith(f"- {LOST}. Is that right? {first_line} → undo {cut}, or → answer l-{cut}\n")
    before = room.git("rev-parse", f"{cut}~1").strip()
    changed = read_changed(room.history, before, room.head())
    assert (changed.dropped, changed.moved) == ((), ())
    assert read_moves(room.history, before, room.head(), lost_files).moves == ()


def test_the_first_line_of_a_loss_is_none_that_was_reworded(clawgit, room, memory) -> None:
    """Seen: `The first line: "Vera's shoe size is 31."` of a loss, and the line stood there with 13; or a pointer of the organizer's."""
    pointer = "More: [garden](memory/garden.md)\n"
    room.write("MEMORY.md", f"{pointer}{BEFORE}")
    room.keep("operator")
    room.write("MEMORY.md", CUT.replace(LINES[0], f"{LINES[0][:-2]} again.\n"))
    clawgit("keep")

    told = clawgit("digest", "--since", "2026-03-01").out

    assert f'The first line: "{LINES[20][2:-1]}" → undo' in told


def test_what_an_undo_of_the_undo_took_again_is_told_as_gone(clawgit, room, cut) -> None:
    clawgit("undo", cut)
    back = f"28 lines are back that {cut} took out"
    assert f"{back}  (you) → `clawgit undo {room.head()[:12]}`" in clawgit("status").out
    clawgit("undo", "HEAD")

    assert f"{back}, but went again since" in clawgit("log").out
    assert f"{back}  (" not in clawgit("status").out

    clawgit("undo", "HEAD")

    assert "went again" not in clawgit("log").out


def test_what_an_undo_brings_back_is_told_as_that_and_not_as_learned(clawgit, room, cut) -> None:
    clawgit("undo", cut)
    clawgit("remember", "The gallery opens at nine.")

    changed = read_changed(room.history, cut, room.head())

    assert [news.text for news in changed.back] == [f"28 lines are back that {cut} took out"]
    assert [news.text for news in changed.learned] == ["The gallery opens at nine."]
    assert changed.dropped == ()
    rows = [(row["verb"], row["words"]) for row in clawgit("log", "--json").data["rows"]]
    assert [words for verb, words in rows if verb == "back"] == [f"28 lines are back that {cut} took out"]
    assert "undone" not in dict(rows)
    assert f"{LINES[30][2:-1]}" in clawgit("log", "--all").out


def test_the_second_loss_is_told_as_the_first_was(clawgit, room, cut) -> None:
    clawgit("undo", cut)
    room.write("MEMORY.md", CUT)
    clawgit("keep")

    told = clawgit("status").out

    assert marked(told)[0].startswith(f"! {LOST}. `clawgit undo {room.head()[:12]}`")
    assert "are back" not in told


def test_a_yes_ends_it_and_a_no_brings_it_back(clawgit, room, cut) -> None:
    assert clawgit("approve", f"l-{cut}").code == 0

    assert "lost" not in clawgit("status").out
    assert "[-The box" not in clawgit("log").out
    assert "Lost" not in clawgit("digest", "--since", "2026-03-01").out

    room.write("MEMORY.md", "# Memory\n\n" + "".join(LINES[:9]))
    clawgit("keep")
    (again,) = clawgit("pending", "--json").data
    assert clawgit("reject", again["id"]).code == 0

    assert room.read("MEMORY.md") == CUT
    assert clawgit("pending").out == "Nothing is pending.\n"


def test_status_has_one_number_of_lines_for_what_an_overwrite_took_and_a_no_brings_back(
    clawgit, room, memory
) -> None:
    """Seen: "MEMORY.md -30", then "573 lines are back" and "551 lines are back"."""
    room.write("MEMORY.md", BEFORE + "\nThe kiln is old.\n\n| who | what |\n|---|---|\n| Nora | the key |\n")
    room.keep("operator")
    room.write("MEMORY.md", "# Memory\n\n- New start.\n")
    clawgit("keep")
    name = room.head()[:12]
    screens = (clawgit("status").out + clawgit("digest").out).splitlines()
    assert not [line for line in screens if "MEMORY.md -" in line and "unknown author" in line]

    done = clawgit("reject", f"l-{name}")

    assert ": 51 lines of MEMORY.md are back" in done.out + done.err
    assert f"back: 51 lines are back that {name} took out" in clawgit("status").out


def test_a_no_brings_the_lines_back_and_nothing_of_what_came_since_goes(clawgit, room, memory) -> None:
    """Mutants: the commit is undone whole; a later rewording of what it added is in the way; what was moved since, or is another entry's new wording, comes twice."""
    room.write("MEMORY.md", "# Memory\n\n- The kiln is hot.\n" + "".join(LINES[:20]))
    room.write("memory/2026-03-02.md", "- The day was long.\n")
    told = clawgit("keep")
    name = room.head()[:12]
    assert f"`clawgit undo {name}`" in told.out + told.err
    reworded = "- The box 0 stands on no shelf any more, but on the floor.\n"
    later = "# Memory\n\n- The kiln is cold.\n" + reworded + "".join(LINES[1:20]) + "- The end.\n"
    room.write("MEMORY.md", later)
    room.write("memory/shelf.md", LINES[30])
    clawgit("keep")

    done = clawgit("reject", f"l-{name}")

    assert f"l-{name}: 27 lines of MEMORY.md are back; what came since stays." in done.out + done.err
    lines = room.read("MEMORY.md").splitlines(keepends=True)
    assert lines[:4] == ["# Memory\n", "\n", "- The kiln is cold.\n", reworded]
    assert sorted(lines) == sorted([*later.splitlines(keepends=True), *LINES[20:30], *LINES[31:]])
    assert room.read("memory/2026-03-02.md") == "- The day was long.\n"
    assert clawgit("pending").out == "Nothing is pending.\n"
    assert f"27 lines are back that {name} took out" in clawgit("status").out
    again = clawgit("reject", f"l-{name}")
    assert again.code != 0

    clawgit("undo", room.head())
    assert room.read("MEMORY.md") == later


def test_after_a_no_a_corrected_line_is_where_it_was(clawgit, room, memory) -> None:
    """Seen: it was put back into a table at once, and stayed there when the others came. Mutants: it comes twice; its id keeps it where it is."""
    table = "| what | when |\n|---|---|\n| review | 3 May |\n\n"
    text = (
        BEFORE.replace(LINES[2], f"\n{table}{LINES[2]}")
        + f"\n## Money\n\n{table}- The port is 8080. <!-- m:aaaaaa -->\n"
    )
    room.write("MEMORY.md", text)
    room.keep("operator")
    assert clawgit("correct", "m:aaaaaa", "The port is 9090.").code == 0
    before = room.read("MEMORY.md")
    room.write("MEMORY.md", "".join(before.splitlines(keepends=True)[:20]))
    clawgit("keep", actor="host")
    (loss,) = [each["id"] for each in clawgit("pending", "--json").data if each["kind"] == "loss"]
    assert "The port is 9090." in room.read("MEMORY.md")
    room.write("MEMORY.md", room.read("MEMORY.md") + "- The gate is green.\n")
    room.keep("operator")

    assert clawgit("reject", loss).code == 0

    assert room.read("MEMORY.md").replace("- The gate is green.\n", "") == before


def test_a_file_that_went_comes_back_with_its_headings_and_lines(clawgit, room, memory) -> None:
    text = "# Memory\n\n## Boxes\n\n" + "".join(LINES[:24]) + "\n## Shelves\n\n" + "".join(LINES[24:])
    room.write("MEMORY.md", text)
    room.keep("operator")
    room.write("MEMORY.md", "# Memory\n")
    clawgit("keep")
    name = room.head()[:12]

    assert clawgit("reject", f"l-{name}").code == 0

    assert room.read("MEMORY.md") == text


def test_text_that_is_elsewhere_by_now_is_not_lost(clawgit, room, cut) -> None:
    room.write("memory/boxes.md", "".join(LINES))
    clawgit("keep")

    assert "lost" not in clawgit("status").out


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("path", "lines", "is_asked"),
    [
        ("MEMORY.md", 4, True),
        ("memory/todo.md", 4, False),
        ("memory/todo.md", 40, True),
        ("SOUL.md", 40, False),
    ],
)
def test_a_scratch_note_of_a_few_lines_may_change(
    clawgit, room, path: str, lines: int, is_asked: bool
) -> None:
    (room.root / "BOOTSTRAP.md").unlink(missing_ok=True)
    room.write(path, "".join(LINES[:lines]))
    room.keep("operator")
    room.write(path, LINES[0])
    room.keep("operator")

    assert (clawgit("pending", "--kind", "loss").out != "Nothing is pending.\n") is is_asked


def test_what_he_commits_with_git_is_told_once(clawgit, room, memory) -> None:
    room.write("MEMORY.md", CUT)
    room.git("commit", "-qam", "shorter")

    assert LOST in clawgit("status").out
    assert LOST not in clawgit("status").out
