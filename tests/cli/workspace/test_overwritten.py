"""The way back from an old copy of MEMORY.md, or a file that is nearly empty: one undo is exact, and says when it is done."""

from __future__ import annotations

import pytest

from clawgit.history.reading.changed_words import read_replaced

FORGOTTEN = "Nora: invoice 5590 due on 2 May"
OLD, NEW = "Nora: invoice 6843 due on 11 June", "Nora: invoice 6843 due on 18 June"
SHELF, RIGHT = "Lucía keeps item 417 on shelf 9.", "Lucía keeps item 417 on shelf 12."
ROW, RIGHT_ROW = "| Kiln review | 3 May |", "| Kiln review | 10 May |"
TABLE = "\n| what | when |\n|---|---|\n"
TOPICS = "".join(
    f"\n## Topic {number}\n{TABLE}| Review {number} | 3 May |\n\n- Emil keeps item {number} on shelf {number}.\n\n```\nssh host{number}\n```\n"
    for number in range(8)
)
COPY = f"# Memory\n\n- Nora is allergic to hazelnuts.\n- {FORGOTTEN}\n- {OLD}\n{TABLE}{ROW}\n{TOPICS}\n- Tomasz keeps item 416 on shelf 8.\n- {SHELF}\n- Mei keeps item 418 on shelf 10.\n"
SUMMARY = "# Memory\n\n- Nora is allergic to nuts, and her invoice is due on 11 June.\n"


@pytest.fixture
def before(clawgit, room) -> str:
    """Return MEMORY.md as the operator has it: two entries and a row corrected, one forgotten, one remembered."""
    room.write("MEMORY.md", COPY)
    room.keep("operator")
    for said, correct in ((OLD, NEW), (SHELF, RIGHT), (ROW, RIGHT_ROW)):
        clawgit("correct", said, correct)
    clawgit("forget", FORGOTTEN, "--yes")
    clawgit("remember", "The kiln inspector comes on Tuesdays.")
    text: str = room.read("MEMORY.md")
    return text


def overwrite(room, text: str) -> str:
    """Have the agent write the file, and another; return its commit."""
    room.write("MEMORY.md", text)
    room.write("notes/nora.md", "The agent was here.\n")
    room.keep("host")
    found: str = room.git("log", "-1", "--format=%H", "--author=host@").strip()
    return found[:12]


WRITTEN = pytest.mark.parametrize(
    "text",
    [
        pytest.param(COPY + "- The agent has a kite.\n", id="an old copy"),
        pytest.param(SUMMARY, id="99 percent gone"),
    ],
)


@WRITTEN
@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(["undo {}"], id="whole"),
        pytest.param(["undo {} MEMORY.md"], id="one file"),
        pytest.param(["reject l-{}", "undo {}"], id="rejected first"),
        pytest.param(["reject l-{}", "undo {} MEMORY.md"], id="rejected first, one file"),
    ],
)
def test_the_undo_is_exact_and_a_second_changes_nothing_and_says_so(
    clawgit, room, before, text, steps
) -> None:
    """Seen: the second undo took a corrected entry out; with a path a section moved; after a no a row was there twice."""
    commit = overwrite(room, text)

    for step in steps:
        assert clawgit(*step.format(commit).split()).code == 0
    done = room.head()
    again = clawgit(*steps[-1].format(commit).split())

    assert room.read("MEMORY.md") == before
    assert room.head() == done
    assert again.err.startswith("Nothing to take back: ")
    is_whole = "MEMORY.md" not in steps[-1]
    assert (f"took it back already; `clawgit undo {done[:12]}` brings it back." in again.err) is is_whole


@WRITTEN
def test_the_undo_is_named_first_everywhere(clawgit, room, before, text) -> None:
    """Seen: the answer was named alone, and left the old values beside the new ones."""
    commit = overwrite(room, text)
    screens = [clawgit(*words.split()) for words in ("status", "pending", "digest", "log", "doctor")]

    for told in screens:
        way, _, rest = told.out.partition(f"undo {commit}")
        assert rest
        assert f"reject l-{commit}" not in way
    assert f"`clawgit undo {commit}` takes the whole edit back" in clawgit("reject", f"l-{commit}").err


@WRITTEN
def test_what_is_undone_is_recommended_no_more(clawgit, room, before, text) -> None:
    """Seen: a line that was in no file was "learned, but you corrected this", since a comment has its words."""
    commit = overwrite(room, text)
    clawgit("undo", commit)

    told = clawgit("status").out + clawgit("pending").out

    assert f"undo {commit}" not in told
    assert "but you " not in told


def test_the_log_has_each_line_that_the_undo_took_out(clawgit, room, before) -> None:
    """Seen: none for a line whose words a comment has, so it went on as learned."""
    overwrite(room, COPY)
    clawgit("undo", "--source", "host")

    log = clawgit("log", "MEMORY.md").out

    for line in (FORGOTTEN, OLD, SHELF):
        assert f"undone      [-{line}-]" in log


def test_a_second_undo_of_all_of_an_actor_changes_nothing(clawgit, room, before) -> None:
    overwrite(room, COPY)
    clawgit("undo", "--source", "host")
    done = room.head()

    clawgit("undo", "--source", "host")

    assert (room.head(), room.read("MEMORY.md")) == (done, before)


def test_a_line_that_he_forgot_is_told_as_that_and_in_the_place_of_no_other(clawgit, room, before) -> None:
    """Seen: "your words changed: invoice 6843 … → invoice 5590 …", two entries, and no word of the forgetting."""
    commit = overwrite(room, COPY)

    told = clawgit("status").out

    assert f"learned: {FORGOTTEN}  (your agent), but you took this out: `clawgit undo {commit}`" in told
    assert f"learned: {OLD}  (your agent), but you corrected this: `clawgit undo {commit}`" in told
    assert f"{NEW} → " not in told
    around = room.history.around(room.history.objects.commit(room.git("rev-parse", commit).strip()))
    assert FORGOTTEN not in read_replaced(*around, "MEMORY.md")


PROSE = "# Memory\n\nNew summary: item 417 is sold.\n"


@pytest.mark.parametrize("then", ["keep", "reject"])
def test_prose_written_over_corrected_lines_is_no_part_of_them(clawgit, room, before, then) -> None:
    """Seen: the agent's sentence below the last entry was read as the operator's correction, at 100 %."""
    words = {each["id"]: each["text"] for each in clawgit("memory", "list", "--json").data}

    room.write("MEMORY.md", PROSE)
    kept = clawgit("keep", environment={"CLAWGIT_ACTOR": "host"})
    if then == "reject":
        assert clawgit("reject", f"l-{kept.out[:12]}").code == 0

    assert "New summary: item 417 is sold.\n" in room.read("MEMORY.md")
    listed = {each["id"]: each["text"] for each in clawgit("memory", "list", "--json").data}
    assert RIGHT in str(listed)
    assert listed.items() <= words.items()
    named = (f'"{NEW}"', f'"{RIGHT.rstrip(".")}"')
    assert "MEMORY.md lacks 2 corrected lines, or the id: " in kept.err
    assert kept.err.count("The edit was kept, and this put back (") == 1
    assert all(each in kept.err for each in named)
    assert f"brought back  {RIGHT}" in clawgit("log").out
    assert f"learned: {RIGHT}" not in clawgit("status").out


def test_lines_that_are_back_are_no_news(clawgit, room, before) -> None:
    """Seen: `MEMORY.md -31`, though no line was missing. Mutant: an edit told by its count is not looked at."""
    commit = overwrite(room, SUMMARY)
    assert "MEMORY.md -31 " in clawgit("log").out

    clawgit("reject", f"l-{commit}")

    told = clawgit("digest").out
    assert f"lines are back that {commit} took out" in told
    assert "MEMORY.md -" not in told

    overwrite(room, SUMMARY)
    assert "lines are back" not in clawgit("digest").out  # seen: with an undo that has nothing to take back


def test_a_heading_that_is_back_beside_another_was_not_replaced(clawgit, room) -> None:
    """Seen: `"## House" → "# Memory"`, though both are there. Mutant: only the new line is looked for."""
    items = "".join(f"- Item {number} of the house is on shelf {number}.\n" for number in range(60))
    room.write("MEMORY.md", f"# House\n\n{items}")
    room.keep("operator")
    room.write("MEMORY.md", SUMMARY)
    room.keep("host")
    commit = room.git("log", "-1", "--format=%H").strip()[:12]
    assert '"# House" → "# Memory"' in clawgit("digest").out

    clawgit("reject", f"l-{commit}")

    assert room.read("MEMORY.md").startswith("# Memory\n# House\n")
    assert '→ "# Memory"' not in clawgit("digest").out
    assert "House → Memory" not in clawgit("status").out


@pytest.mark.parametrize(
    "undos", [pytest.param(1, id="undone"), pytest.param(3, id="undone, done again and undone")]
)
@pytest.mark.parametrize("author", ["host", "operator"])
def test_what_stands_after_undos_is_news_and_was_not_taken_out(clawgit, room, before, author, undos) -> None:
    """Seen: of a line that stood, "you took this out"; after three undos, nobody told what the day had taught.

    Mutants: an undo's rows are told as if it held; a removal that was undone counts.
    """
    room.write("MEMORY.md", f"{before}- The roof company is Dachs.\n")
    room.keep("host")
    clawgit("remember", "The vet is Dr Sol.")
    text = room.read("MEMORY.md")
    room.write("MEMORY.md", SUMMARY)
    room.keep(author)

    for name in (room.git("log", "-1", "--format=%H", f"--author={author}@").strip(), "HEAD", "HEAD")[:undos]:
        clawgit("undo", name)

    assert room.read("MEMORY.md") == text
    digest = clawgit("digest").out
    assert "- The roof company is Dachs. (your agent) →" in digest
    assert "- The vet is Dr Sol. (you) →" in digest
    status = clawgit("status").out
    assert "learned: The roof company is Dachs.  (your agent)\n" in status
