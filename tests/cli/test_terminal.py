"""What only a terminal gets: colours, and how far long work is."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from forked_program import begin, read_to_its_end

from clawgit.agents.recall_validator import RecallValidator
from clawgit.agents.run_agent import Means
from clawgit.cli.terminal import coloured
from clawgit.history.backup.backup_records import make_backup
from clawgit.history.doctor.doctor import CHECKS, examine

if TYPE_CHECKING:
    from collections.abc import Callable

ESCAPE = "\x1b["


@pytest.mark.parametrize(
    ("line", "is_marked"),
    [
        ("! USER.md: a secret.", True),
        ("? k:m7z042: which one holds?", True),
        ("clawgit: There is no entry m:7k2x9d.", True),
        ("MEMORY.md:5  you  m:7k2x9d  (MEMORY)", True),
        ("coding: memory/2026-03-02.md:7  an unknown author", True),
        ("    - 2026-03-19: The staging port is 8080. #knowledge", False),
        ("What! is this?", False),
    ],
)
def test_marks_errors_and_places_have_colours(line: str, is_marked: bool) -> None:
    shown = coloured(line)

    assert (ESCAPE in shown) == is_marked
    assert (
        "".join(part.partition("m")[2] if at else part for at, part in enumerate(shown.split(ESCAPE))) == line
    )


def searched_on_a_terminal(root: Path, words: str) -> str:
    ours, theirs = os.openpty()
    with Path(os.devnull).open("rb") as nothing:
        streams = (nothing.fileno(), theirs, theirs)
        searching = begin(["-w", str(root), "search", words], {"NO_COLOR": "1"}, streams)
    os.close(theirs)
    shown = read_to_its_end(ours).decode().replace("\r", "")
    searching.join()
    assert searching.exitcode == 0
    return shown


def test_a_person_is_shown_hits_until_the_score_falls_at_a_terminal_and_in_a_pipe(clawgit, room) -> None:
    """Seen: a question in a pipe had 17 lines about other things behind the right one. Mutant: a program is cut short, too."""
    (room.root / "BOOTSTRAP.md").unlink()
    room.write("MEMORY.md", "# Memory\n\n- Rent is due on the 1st.\n- My dog is Rex.\n")
    shown = searched_on_a_terminal(room.root, "dog")

    assert "My dog is Rex." in shown
    assert "Rent is due" not in shown
    assert "more: `--all` shows them" in shown
    assert clawgit("search", "dog").out == shown
    for whole in (("--all",), ("--top", "9"), ("--max-tokens", "999"), ("--min-score", "0"), ("--json",)):
        assert "Rent is due" in clawgit("search", "dog", *whole).out
    assert "Rent is due" in clawgit("search", "dog", actor="host").out


def test_five_hits_are_shown_and_of_each_the_lines_around_the_words(clawgit, room) -> None:
    """Mutant: a hundred lines below the right one."""
    for day in range(10, 20):
        room.write(f"memory/2026-03-{day}.md", f"```\nquince press {day}\nrain\nwind\nice\nfog\nsnow\n```\n")
    whole = clawgit("search", "quince press", "--all").out
    shown = clawgit("search", "quince press").out

    assert (whole.count("quince press"), whole.count("snow")) == (10, 10)
    assert [line.startswith("memory/") for line in shown.splitlines()].count(True) == 5
    assert shown.count("quince press") == 5
    assert "snow" not in shown
    assert shown.splitlines()[-1] == "5 more: `--all` shows them."


def test_the_line_that_answers_is_marked_and_has_two_neighbours_on_each_side(room) -> None:
    """Seen: a block of eight lines, and which one answers was not shown. Mutant: the place is that of the block."""
    (room.root / "BOOTSTRAP.md").unlink()
    lines = ["Ash", "Birch", "Cedar", "The dog sleeps in room 3", "Elm", "Fir", "Gum", "Hazel"]
    room.write("memory/2026-03-18.md", "```\n" + "".join(f"{line}\n" for line in lines) + "```\n")

    place, *shown = searched_on_a_terminal(room.root, "Where does the dog sleep?").splitlines()

    assert place.startswith("memory/2026-03-18.md:5  ")
    assert shown[:5] == ["    Birch", "    Cedar", "  > The dog sleeps in room 3", "    Elm", "    Fir"]


def test_lines_that_read_alike_are_one_hit_and_the_live_file_stands_for_its_copies(room) -> None:
    """Seen: five hits of five diaries said `Kiln fired.`, and a copy stood before its file."""
    (room.root / "BOOTSTRAP.md").unlink()
    for day in range(10, 20):
        room.write(f"memory/2026-03-{day}.md", f"- Kiln fired.\n\nDay {day} was dull and long.\n")
    for name in ("anselm (copy)", "anselm"):
        room.write(f"people/{name}.md", "# Anselm\n\nPhone 0117 of Anselm.\n")

    shown = searched_on_a_terminal(room.root, "kiln fired")

    assert shown.count("Kiln fired.") == 1
    assert "(the same in memory/2026-03-18.md:1, memory/2026-03-17.md:1 and 7 more)" in shown
    lines = searched_on_a_terminal(room.root, "Anselm phone").splitlines()
    assert lines[0].startswith("people/anselm.md:")
    assert "    (the same in people/anselm (copy).md:3)" in lines


def test_a_line_that_reads_as_its_correction_is_one_hit_with_it(clawgit, room) -> None:
    """Seen: CORRECTIONS.md before the line that says so, which stood in brackets. Mutant: the correction's id is not shown."""
    (room.root / "BOOTSTRAP.md").unlink()
    clawgit("remember", "The rent is 600 euro.")
    clawgit("chat", "add", "The rent is 650 euro now, not 600.")
    (entry_id,) = re.findall(r"m:\w+", room.read("MEMORY.md"))

    for shown in (searched_on_a_terminal(room.root, "rent"), clawgit("search", "rent").out):
        assert shown.startswith(f"MEMORY.md:5  you  {entry_id}")
        assert shown.count("The rent is 650 euro.\n") == 1
        assert '(you said on 19 March: "The rent is 650 euro now, not 600.")' in shown
        assert re.search(r"  corrected 2026-03-19 \d\d:\d\d, x:\w+$", shown.splitlines()[0])
        assert "CORRECTIONS.md" not in shown
    assert len(clawgit("search", "rent", "--json").data["results"]) == 3


def test_a_correction_is_shown_at_its_line_also_where_that_is_no_hit(clawgit, room) -> None:
    """Seen: CORRECTIONS.md:46 of a line that twenty others kept out of the list. Mutant: a line that says the old value is its place."""
    (room.root / "BOOTSTRAP.md").unlink()
    room.write("MEMORY.md", "# Memory\n\n- The calendar has 13 pages. <!-- m:aaaaaa -->\n")
    for number in range(9):
        room.write(f"notes/page-{number}.md", f"# Page {number}\nPicture of bowl {number}.\n")
    clawgit("keep", "--as", "operator")
    clawgit("correct", "m:aaaaaa", "The calendar has 14 pages.")

    place, line, _, *others = clawgit("search", "how many pages", "--top", "4").out.splitlines()

    assert place.startswith("MEMORY.md:3  you  m:aaaaaa  (Memory)  corrected 2026-03-19 ")
    assert (line, "MEMORY.md" in "".join(others)) == ("    The calendar has 14 pages.", False)


def test_a_corrected_line_is_named_by_its_own_id_alone(clawgit, room) -> None:
    """Seen: the id of the line above stood first, as if `forget` with it took out the line that is shown."""
    (room.root / "BOOTSTRAP.md").unlink()
    text = "- The rent of Ada is 1 euro a day. <!-- m:aaaaaa -->\n- The rent of Bo is 2 euros. <!-- m:bbbbbb -->\n- The dog of Cy is old. <!-- m:cccccc -->\n"
    room.write("MEMORY.md", f"# Memory\n\n{text}")
    clawgit("keep", "--as", "operator")
    clawgit("correct", "m:bbbbbb", "The rent of Bo is 4 euros.")

    shown = clawgit("search", "old dog rent").out

    assert "  m:bbbbbb  (Memory)  corrected " in shown


def test_his_words_are_below_the_line_that_they_are_about(clawgit, room) -> None:
    """Seen: below the last line of a hit, as if they were about that; or where their line is not shown."""
    (room.root / "BOOTSTRAP.md").unlink()
    room.write("MEMORY.md", "# Memory\n\n- On Mondays the shop is closed.\n- The van of the shop is blue.\n")
    clawgit("keep", "--as", "operator")
    clawgit("chat", "add", "no, on mondays we open the shop at noon")
    clawgit("run", "recall-validator")

    lines = clawgit("search", "van shop").out.splitlines()

    closed = lines.index("    - On Mondays the shop is closed.")
    assert lines[closed + 1] == '    (you said on 19 March: "no, on mondays we open the shop at noon")'
    assert lines[closed + 2] == "  > - The van of the shop is blue."


def test_a_hit_without_a_word_of_the_question_is_not_shown_below_one_that_has_some(clawgit, room) -> None:
    """Seen: below the blood group stood what else was remembered on that day."""
    (room.root / "BOOTSTRAP.md").unlink()
    clawgit("remember", "Daniel's blood group is A positive.")
    clawgit("remember", "The glaze order goes out on Fridays.")

    shown = searched_on_a_terminal(room.root, "Which blood group has Lotte?")

    assert shown.startswith("No file has 'Lotte'.\nNo line answers this for sure.")
    assert "A positive" in shown
    assert "glaze" not in shown
    assert clawgit("search", "Daniel's blood group", "--json").data["confidence"] == "high"
    assert clawgit("search", "Lotte's blood group", "--json").data["confidence"] != "high"


def test_the_lines_that_together_have_most_of_the_words_are_shown(room) -> None:
    """Seen: "want" did not show the line with "Wants", but the heading with the name."""
    (room.root / "BOOTSTRAP.md").unlink()
    lines = ["Buyer at Fern & Fable", "Takes 40% margin", "Orders 60 mugs", "Wants delivery before 11"]
    room.write("people/bea.md", "# Bea Whitlock\n" + "".join(f"- {line}\n" for line in lines))

    shown = searched_on_a_terminal(room.root, "When does Bea want the mugs delivered?")

    assert "Wants delivery before 11" in shown


def on_a_terminal(root: Path, **extra: str) -> str:
    """Return what `clawgit why` of nothing says on a terminal."""
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "clawgit", "-w", str(root), "why", "m:aaaaaa"]
    done = subprocess.run(
        command, stderr=theirs, env=os.environ | extra, stdin=subprocess.DEVNULL, check=False
    )
    os.close(theirs)
    assert done.returncode == 1
    return read_to_its_end(ours).decode()


@pytest.mark.rest
def test_a_refusal_is_red_on_a_terminal_unless_no_color_is_set(room) -> None:
    assert on_a_terminal(room.root).startswith(f"{ESCAPE}31m{ESCAPE}1mclawgit: ")
    assert on_a_terminal(room.root, NO_COLOR="1").startswith("clawgit: Nothing like")


def typed_at_the_prompt(root: Path, keys: bytes, *words: str) -> str:
    """Return what a command says at a terminal where the person presses ``keys`` at its prompt."""
    ours, theirs = os.openpty()
    shown = b""
    asking = begin(["-w", str(root), *words], {"NO_COLOR": "1", "TERM": "xterm"}, (theirs, theirs, theirs))
    os.close(theirs)
    while not shown.endswith((b"The line: ", b"[y/N]: ")) and b"The line: " not in shown:
        shown += os.read(ours, 4096)
    os.write(ours, keys)
    shown += read_to_its_end(ours)
    asking.join()
    return shown.decode()


@pytest.mark.parametrize("words", [["The show opens"], ["MEMORY.md:3", "NEW LINE"]])
def test_a_terminal_opens_the_line_to_be_corrected(room, words: list[str]) -> None:
    """Mutants: the prompt is empty; the blank of a ready command is taken for the line."""
    room.change({"MEMORY.md": "# M\n\n- The show opens on 21 May.\n"}, actor="operator")

    shown = typed_at_the_prompt(room.root, b"\x7f" * 7 + b"28 May.\r", "correct", *words)

    assert '"The show opens on 21 May." → "The show opens on 28 May."' in shown
    assert "- The show opens on 28 May. <!-- m:" in room.read("MEMORY.md")


@pytest.mark.parametrize("path", ["USER.md", "notes/shop.md"])
def test_the_opened_line_is_the_one_that_is_corrected_in_its_file(room, path: str) -> None:
    """Seen: USER.md went on saying 6, and MEMORY.md had a second line. Mutant: the words that named it are corrected."""
    room.change({path: "# T\n\n- Gets up at 6, opens the shop at 9\n"}, actor="operator")

    shown = typed_at_the_prompt(room.root, b"\x7f" + b"10\r", "correct", "Gets up at 6")

    assert f"{path} has the new line." in shown.replace("\r\n", "\n")
    assert room.read(path) == "# T\n\n- Gets up at 6, opens the shop at 10\n"
    assert "Gets up" not in room.read("MEMORY.md")


@pytest.mark.parametrize("keys", [b"\r", b"\x15\r"])
def test_a_line_that_is_left_as_it_was_changes_nothing(room, keys: bytes) -> None:
    room.change({"MEMORY.md": "# M\n\n- The show opens on 21 May.\n"}, actor="operator")

    shown = typed_at_the_prompt(room.root, keys, "correct", "The show opens")

    assert "Nothing was changed." in shown
    assert "- The show opens on 21 May." in room.read("MEMORY.md")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("keys", "stays"), [(b"\r", True), (b"y\r", False)])
@pytest.mark.parametrize("name", ["MEMORY.md:3", "m:7k2x9d"])
def test_what_a_named_line_also_says_goes_only_after_a_yes(
    room, name: str, keys: bytes, *, stays: bool
) -> None:
    """Seen: `correct x:... "..."` with the new hour took the allergy out of memory. Mutant: only places are asked about."""
    line = "- Mme Nguyen: insulin at 7:30, allergic to penicillin <!-- m:7k2x9d -->\n"
    room.change({"MEMORY.md": f"# M\n\n{line}"}, actor="operator")

    shown = typed_at_the_prompt(room.root, keys, "correct", name, "Mme Nguyen: insulin at 8:00")

    assert f'{name} says: "Mme Nguyen: insulin at 7:30, allergic to penicillin"' in shown
    assert "NEW leaves out: allergic to penicillin. Is that to go?" in shown
    assert ("Nothing was changed." in shown) is stays
    assert (line in room.read("MEMORY.md")) is stays


def test_a_line_that_shares_no_word_with_the_new_one_is_replaced_only_after_a_yes(room) -> None:
    """Seen: the line had moved since the search that named its number, and was replaced in silence."""
    room.change({"MEMORY.md": "# M\n\n- The door code is 4471.\n"}, actor="operator")

    shown = typed_at_the_prompt(room.root, b"\r", "correct", "MEMORY.md:3", "Ada calls tomorrow.")

    assert 'MEMORY.md:3 says: "The door code is 4471."' in shown
    assert "NEW has hardly a word of it. Is that to go? [y/N]" in shown
    assert "Nothing was changed." in shown
    assert "- The door code is 4471." in room.read("MEMORY.md")


WAITS = """
import time
from clawgit.cli import terminal
terminal.PATIENCE = terminal.PACE = 0.0
with terminal.progress("Working") as tell:
    tell(1, 2)
    while True:
        time.sleep(0.01)
"""


def test_long_work_is_shown_on_a_terminal_and_nowhere_else(tmp_path) -> None:
    ours, theirs = os.openpty()
    with subprocess.Popen([sys.executable, "-c", WAITS], stderr=theirs, stdin=subprocess.DEVNULL) as working:
        os.close(theirs)
        said = b""
        while b"Working: 50 %, 0 s" not in said:
            said += os.read(ours, 4096)
        working.kill()
    os.close(ours)

    silent = subprocess.run(
        [sys.executable, "-c", WAITS.replace("while True", "if True")], capture_output=True, check=True
    )
    assert (silent.stdout, silent.stderr) == (b"", b"")


ADOPTS = """
import sys
from clawgit.__main__ import main
from clawgit.cli import terminal
terminal.PATIENCE = terminal.PACE = 0.0
sys.argv[1:] = ["init", "."]
main()
"""


def test_init_of_a_folder_with_a_history_shows_that_it_works(tmp_path) -> None:
    """Mutants: the adoption is silent; the look through what was adopted is."""
    (tmp_path / "MEMORY.md").write_text("- Ada prefers tea.\n")
    ours, theirs = os.openpty()
    command = [sys.executable, "-c", ADOPTS]
    with subprocess.Popen(command, cwd=tmp_path, stderr=theirs, stdin=subprocess.DEVNULL) as working:
        os.close(theirs)
        said = read_to_its_end(ours)

    assert working.returncode == 0
    assert b"Adopting: 0 s" in said
    assert b"Reading the history: 0 s" in said


def counts(work: Callable[..., object], *given: object, **told: object) -> list[tuple[int, int]]:
    """Return what long work tells of itself."""
    found: list[tuple[int, int]] = []
    work(*given, tell=lambda done, total: found.append((done, total)), **told)
    return found


def test_backup_doctor_and_validator_tell_how_far_they_are(clawgit, room, tmp_path) -> None:
    for number in range(3):
        clawgit("chat", "add", f"No, the port is 909{number}, not 8080.")

    def validate(tell: Callable[[int, int], None]) -> None:
        RecallValidator.run_round(room.history, room.now, Means(tell=tell))

    assert counts(validate) == [(0, 3), (1, 3), (2, 3)]
    assert counts(examine, room.history, fix=False)[-1] == (len(CHECKS), len(CHECKS) + 1)
    assert counts(make_backup, room.history, tmp_path / "b", room.now)[-1] == (3, 4)


def test_at_a_terminal_remember_says_a_sentence_and_a_program_gets_the_commit(clawgit, room) -> None:
    """Mutant: a person reads forty digits first."""
    own, terminal = pty.openpty()
    command = [sys.executable, "-m", "clawgit", "-w", str(room.root), "remember", "Tea is at four."]
    done = subprocess.run(command, stdout=terminal, stderr=subprocess.PIPE, text=True, check=True)
    os.close(terminal)
    assert 'Remembered: MEMORY.md "Tea is at four."' in done.stderr
    with pytest.raises(
        OSError, match="Input/output error"
    ):  # nothing was written, and nobody writes any more
        os.read(own, 100)
    os.close(own)
    assert clawgit("remember", "Coffee is at nine.").out == f"{room.head()[:12]}\n"


def test_the_runner_says_each_job_when_it_begins_on_a_terminal_alone(clawgit, room) -> None:
    """Seen: nothing for up to 100 seconds. Mutants: in a pipe, too; also when it ends."""
    clawgit("runner", "once", "--json")
    night = ("--rehearse", "--now", "2026-03-20T12:00:00+00:00", "runner", "once")
    piped = clawgit("--rehearse", "--now", "2026-03-19T23:00:00+00:00", "runner", "once")
    assert " …" not in piped.err

    own, terminal = pty.openpty()
    command = [sys.executable, "-m", "clawgit", "-w", str(room.root), *night]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=terminal, text=True, check=True)
    os.close(terminal)

    begun = read_to_its_end(own).decode().split("\r\n")
    assert "organizer …" in begun
    assert begun.count("organizer …") == 1
    assert done.stdout == "digest 2026-03-20: done\n"
