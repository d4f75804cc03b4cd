"""`clawgit correct` and `corrections`: by hand, for good."""

from __future__ import annotations

import re
import shlex

import pytest

from clawgit.memory.corrections.correction_log import read_corrections
from clawgit.memory.corrections.write_correction import change_in_short


@pytest.fixture
def remembering(clawgit, room):
    """Return a workspace that remembers three things."""
    room.write("MEMORY.md", "- The review is on Wednesday. #event <!-- m:aaaaaa -->\n- The standup is on Wednesday. <!-- m:bbbbbb -->\n- Ada drinks tea. <!-- m:cccccc -->\n")  # fmt: skip
    room.git("commit", "-qam", "memory")
    return room


def ledger(room):
    return read_corrections(room.read("CORRECTIONS.md").encode())


@pytest.mark.parametrize(
    ("words", "entry_id", "then"),
    [
        pytest.param(("tea", "coffee"), "cccccc", "Ada drinks coffee.", id="a part"),
        pytest.param(("Ada drinks tea.", "Ada drinks oolong."), "cccccc", "Ada drinks oolong.", id="a statement"),
        pytest.param(("Wednesday", "Thursday", "--entry", "m:aaaaaa"), "aaaaaa", "The review is on Thursday.", id="of one entry"),
        pytest.param(("It is on Monday.", "The review is on Friday.", "--entry", "aaaaaa"), "aaaaaa", "The review is on Friday.", id="whatever it said"),
        pytest.param(("m:aaaaaa", "The review is on Friday."), "aaaaaa", "The review is on Friday.", id="an entry's id"),
    ],
)  # fmt: skip
def test_the_entry_says_what_is_right_and_search_brings_it_first(clawgit, remembering, words, entry_id: str, then: str) -> None:  # fmt: skip
    done = clawgit("correct", *words, "--json")

    assert (done.code, done.data["corrects"], done.data["re_embedded"]) == (0, [f"m:{entry_id}"], True)
    (listed,) = clawgit("corrections", "--json").data
    assert listed == {key: done.data[key] for key in listed}
    assert then in remembering.read("MEMORY.md")
    assert clawgit("memory", "search", then, "--json").data["results"][0]["entries"] == [done.data["id"]]
    assert ledger(remembering)[0].correct == then


@pytest.mark.parametrize(
    ("line", "whose", "first"),
    [
        pytest.param("The review is on Friday.", "operator", "Friday", id="another value"),
        pytest.param("The review is on Friday.", "git", "Friday", id="in his own commit"),
        pytest.param(
            "The review is on Wednesday.", "git", "Thursday", id="what was wrong, as of an older copy"
        ),
        pytest.param(
            "The review is on Thursday, in room 4.", "operator", "Thursday", id="what is right, and more"
        ),
        pytest.param("The review is on Friday.", "host", "Thursday", id="the agent's"),
    ],
)
def test_what_the_operator_writes_into_a_corrected_line_is_his_last_word(clawgit, remembering, line: str, whose: str, first: str) -> None:  # fmt: skip
    """Mutants: the correction stands for good; whoever writes ends it; an older copy does."""
    clawgit("correct", "Wednesday", "Thursday", "--entry", "m:aaaaaa")
    remembering.write(
        "MEMORY.md", re.sub(r"The review is on Thursday\.", line, remembering.read("MEMORY.md"))
    )
    if whose == "git":
        remembering.git("commit", "-qam", "by hand")
    else:
        clawgit("keep", "--as", whose, actor=whose)

    (hit, *_) = clawgit("memory", "search", "when is the review", "--json").data["results"]
    assert f"The review is on {first}" in hit["snippet"].splitlines()[0]
    told = clawgit("context", "--query", "when is the review").out
    assert f"The review is on {first}" in told
    assert ("review is on Thursday" in told) == (first == "Thursday")


def test_a_merge_that_chooses_the_other_value_is_no_older_word(clawgit, remembering, tmp_path) -> None:
    """Mutant: the correction was made after the other commit, and so it is later than the merge of both."""
    beside = tmp_path / "beside"
    remembering.git("clone", "-q", ".", str(beside))
    line = remembering.read("MEMORY.md").replace("review is on Wednesday", "review is on Friday")
    (beside / "MEMORY.md").write_text(line)
    remembering.git(
        "-C",
        str(beside),
        "-c",
        "user.name=Mei",
        "-c",
        "user.email=mei@example.org",
        "commit",
        "-qam",
        "Friday",
    )
    clawgit("correct", "Wednesday", "Thursday", "--entry", "m:aaaaaa")

    remembering.git("pull", "-q", "--no-rebase", "--no-edit", "-X", "theirs", str(beside), "HEAD")

    (hit, *_) = clawgit("memory", "search", "when is the review", "--json").data["results"]
    assert "The review is on Friday." in hit["snippet"].splitlines()[0]


@pytest.mark.parametrize("old", ["The lease ends on 30 June 2028.", "notes/rent.md:3"])
def test_a_line_beside_memory_is_corrected_in_its_place(clawgit, remembering, old: str) -> None:
    """Mutant: MEMORY.md has a new line that nobody understands alone, and the file says the old."""
    remembering.change({"notes/rent.md": "# Rent\n\nThe lease ends on 30 June 2028.\n"}, actor="operator")
    memory = remembering.read("MEMORY.md")

    done = clawgit("correct", old, "The lease ends on 31 July 2028.")

    assert "notes/rent.md has the new line." in done.err
    assert remembering.read("notes/rent.md") == "# Rent\n\nThe lease ends on 31 July 2028.\n"
    assert remembering.read("MEMORY.md") == memory
    (hit, *_) = clawgit("search", "when does the lease end", "--json").data["results"]
    assert "31 July 2028" in str(hit)
    assert clawgit("undo", "HEAD").code == 0
    assert "30 June 2028" in remembering.read("notes/rent.md")


def test_an_entry_that_says_the_same_as_a_named_row_of_a_table_stays(clawgit, remembering) -> None:
    """Seen: the entry of MEMORY.md had the new words, and the row the old ones."""
    table = "# House\n\n| what | how |\n|---|---|\n| Payment | by invoice |\n"
    remembering.change({"house.md": table, "MEMORY.md": "# M\n\n- Payment: by invoice\n"}, actor="operator")
    before = remembering.head()

    refused = clawgit("correct", "house.md:5", "Payment: in cash.")

    assert refused.code == 1
    assert "house.md:5 is a table's row" in refused.err
    assert "MEMORY.md:3 says the same" in refused.err
    assert remembering.head() == before


TWO = "# Rent\n\n## Shop\n\nThe rent is 900 euros.\n\n## Flat\n\nThe rent is 900 euros.\n"
RAISED = "The rent is 950 euros."


@pytest.mark.parametrize("path", ["notes/rent.md", "USER.md"])
def test_of_two_lines_that_say_the_same_the_named_one_is_corrected(clawgit, remembering, path: str) -> None:
    """Seen: `USER.md:9`, the phone of somebody else, and the first line with these words was changed."""
    remembering.change({path: TWO}, actor="operator")

    done = clawgit("correct", f"{path}:9", RAISED)

    assert remembering.read(path) == TWO[: TWO.rindex("The rent")] + f"{RAISED}\n"
    assert f"{path} has the new line.\n" in done.err
    assert f"  {path}:5  The rent is 900 euros.   (`clawgit correct {path}:5 '{RAISED}'`)" in done.err


def test_of_two_entries_that_say_the_same_the_named_one_is_corrected(clawgit, remembering) -> None:
    """Seen: both were, the museum's and the baker's; the ready commands for them were one, and it found no entry."""
    text = "# M\n\n## Museum\n\n- Closed on Mondays.\n\n## Baker\n\n- Closed on Mondays.\n"
    remembering.write("MEMORY.md", text)
    remembering.git("commit", "-qam", "closed")

    told = clawgit("chat", "add", "I think the museum is closed on Tuesdays, not on Mondays.").out
    commands = [line.rpartition(": ")[2] for line in told.splitlines() if "clawgit correct" in line]
    clawgit("correct", "MEMORY.md:5", "Closed on Tuesdays.")

    assert len(commands) == 2
    for number, command in zip((5, 9), commands, strict=True):
        assert command.startswith(f"clawgit correct MEMORY.md:{number} ")
        assert "--evidence" not in command
    museum, baker = remembering.read("MEMORY.md").split("## Baker")
    assert "Closed on Tuesdays." in museum
    assert "- Closed on Mondays." in baker


SHORT = [
    pytest.param("Customer number 40771", "Customer number 40772", id="a value with its label"),
    pytest.param("Pay cash", "Pay by card", id="two words"),
    pytest.param("Vegetarian", "Vegan", id="one word"),
    pytest.param("Zahlen bar", "Mit Karte", id="words that look like a name"),
    pytest.param("Cash. The box is in room 9", "The box is in room 9", id="the rest, without a full stop"),
]


@pytest.mark.parametrize(("old", "new"), SHORT)
@pytest.mark.parametrize("path", ["notes/x.md", "USER.md", "MEMORY.md"])
def test_a_short_line_that_is_named_by_its_place_is_corrected(
    clawgit, remembering, path: str, old: str, new: str
) -> None:
    """Seen: "No entry says 'Customer number 40771'", for a line that was named."""
    remembering.change({path: f"# X\n\n- {old}\n- Ask Jo\n"}, actor="operator")

    clawgit("correct", f"{path}:3", new, "--yes")

    assert remembering.read(path).splitlines()[2].startswith(f"- {new}")
    assert "- Ask Jo" in remembering.read(path)


def test_a_short_entry_that_is_named_by_its_id_is_corrected(clawgit, remembering) -> None:
    mark = clawgit("remember", "Pay cash.", "--json").data["entry"]

    clawgit("correct", f"m:{mark}", "Pay by card")

    assert "Pay by card" in remembering.read("MEMORY.md")


def test_a_sentence_of_an_entry_keeps_its_end(clawgit, remembering) -> None:
    """Seen: `Bread on Tuesdays The farm closes at 6.`, by the command that was offered."""
    mark = clawgit("remember", "Bread on Mondays. The farm closes at 6.", "--json").data["entry"]

    clawgit("correct", "Bread on Mondays.", "Bread on Tuesdays", "--entry", mark)

    assert "Bread on Tuesdays. The farm closes at 6." in remembering.read("MEMORY.md")


def test_a_value_is_not_all_that_a_named_line_says(clawgit, remembering) -> None:
    text = "# X\n\n- Customer number 40771\n"
    remembering.change({"notes/x.md": text}, actor="operator")

    done = clawgit("correct", "notes/x.md:3", "40772")

    assert done.code != 0
    assert "full stop" in done.err
    assert remembering.read("notes/x.md") == text


@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("The choir meets on Monday in the hall. Bring cake.", "on Monday"),
        ("The choir meets on Monday in the hall. Bring cake.", "990"),
        ("Bo lives in Rome", "Milan"),
    ],
)
def test_a_part_of_a_line_is_not_all_that_it_says(clawgit, remembering, line: str, new: str) -> None:
    """Seen: the rest of the line was gone, by its id, and by its place where it has none."""
    (remembering.root / "MEMORY.md").write_text(
        f"# Memory\n\n- {line}\n- {line} By Ada. <!-- m:ccccccc -->\n"
    )
    remembering.git("commit", "-qam", "by hand")
    text = remembering.read("MEMORY.md")
    assert f"- {line}\n" in text

    for name in ("MEMORY.md:3", "m:ccccccc"):
        assert clawgit("correct", name, new).code != 0
    assert remembering.read("MEMORY.md") == text


def test_a_short_line_of_a_list_without_marks_is_corrected_in_its_place(clawgit, remembering) -> None:
    """Seen: each line of a list of lockers was taken for prose that goes on below, and refused."""
    remembering.write("lockers.txt", "Lockers\n\n12 free\n31 free\n40 Marta until May\n")
    remembering.git("add", "lockers.txt")
    remembering.git("commit", "-qm", "lockers")

    done = clawgit("correct", "lockers.txt:4", "31 Marta Sordo until June")

    assert done.code == 0
    assert "lockers.txt has the new line." in done.err
    assert remembering.read("lockers.txt") == (
        "Lockers\n\n12 free\n31 Marta Sordo until June\n40 Marta until May\n"
    )


def test_the_command_that_is_offered_for_a_short_line_beside_memory_corrects_it(clawgit, remembering) -> None:
    """Mutant: it has the words of the line, and no entry says them."""
    remembering.change({"notes/x.md": "# X\n\n- Customer number 40771\n- Pay cash\n"}, actor="operator")

    told = clawgit("chat", "add", "No, we pay by card, not cash.").out
    clawgit("correct", *shlex.split(told.rpartition("clawgit correct ")[2])[:1], "Pay by card")
    told = clawgit("chat", "add", "My customer number is 40772, not 40771.").out
    clawgit("correct", *shlex.split(told.rpartition("clawgit correct ")[2]))

    assert remembering.read("notes/x.md") == "# X\n\n- Customer number 40772\n- Pay by card\n"


def test_the_command_that_is_offered_for_a_short_linked_line_corrects_it(clawgit, remembering) -> None:
    remembering.change({"notes/x.md": "# X\n\n- Pay cash\n"}, actor="operator")
    clawgit("chat", "add", "No, we pay by card, not cash.")
    clawgit("run", "recall-validator")
    told = clawgit("corrections").out

    clawgit("correct", told.split()[0], "Pay by card")

    assert "linked in notes/x.md" in told
    assert remembering.read("notes/x.md") == "# X\n\n- Pay by card\n"


@pytest.mark.parametrize("path", ["notes/rent.md", "USER.md"])
def test_of_two_lines_that_say_the_same_none_is_corrected_by_its_words(
    clawgit, remembering, path: str
) -> None:
    remembering.change({path: TWO}, actor="operator")

    done = clawgit("correct", "The rent is 900 euros.", RAISED)

    assert remembering.read(path) == TWO
    assert f"  {path}:5  The rent is 900 euros." in done.err
    assert f"  {path}:9  The rent is 900 euros." in done.err


@pytest.mark.parametrize(
    "text",
    [
        "| what | euros | since |\n|---|---|---|\n| shop | The rent is 900 euros | May |\n",
        "# Rent\n\n> The rent is 900 euros.\n",
        "# Rent\n\nThe rent is 900 euros and\nthe deposit is 1,800 euros.\n",
    ],
)
def test_what_is_more_than_its_line_stays_in_its_file(clawgit, remembering, text: str) -> None:
    """Seen: the other cells of a row went with it."""
    remembering.change({"notes/rent.md": text}, actor="operator")

    done = clawgit("correct", "notes/rent.md:3", RAISED)

    assert remembering.read("notes/rent.md") == text
    assert "MEMORY.md has a new line." in done.err
    (command,) = re.findall(r"  notes/rent\.md:3  .*rent is 900 euros.* \(`clawgit (.*)`\)", done.err)
    assert clawgit(*shlex.split(command)).code == 0
    assert remembering.read("notes/rent.md") == text.replace("rent is 900", "rent is 950")


def test_a_line_of_two_files_beside_memory_is_named_where_it_stays(clawgit, remembering) -> None:
    """Mutants: one of them is changed; `Corrected m:...: old -> new`, and the files say the old."""
    line = "# Rent\n\nThe lease ends on 30 June 2028.\n"
    remembering.change({"notes/rent.md": line, "notes/two/rent.md": line}, actor="operator")

    done = clawgit("correct", "The lease ends on 30 June 2028.", "The lease ends on 31 July 2028.")

    assert (
        "  notes/rent.md:3  The lease ends on 30 June 2028.   (`clawgit correct notes/rent.md:3 '" in done.err
    )
    assert "  notes/two/rent.md:3  The lease ends" in done.err
    assert remembering.read("notes/rent.md") == line


def test_a_correction_is_the_operators_word_whoever_wrote_it_before(clawgit, remembering) -> None:
    """Mutant: `based on: host`, for a note of unknown origin has the same words."""
    remembering.change({"notes.md": "- Ada drinks coffee.\n"}, actor="unknown")

    assert clawgit("correct", "Ada drinks tea.", "Ada drinks coffee.").code == 0

    hits = clawgit("search", "Ada coffee", "--json").data["results"]
    assert [hit["trust"] for hit in hits if hit["path"] == "MEMORY.md"][:1] == ["operator"]
    assert clawgit("why", "m:cccccc", "--json").data["trust"] == "operator"


BLOCK = "- Ida swims on Wednesday.\nMia teaches at Oakfield.\nThe TÜV is due in March. <!-- m:dddddd -->\n"


@pytest.mark.parametrize("what", ["Mia teaches at Oakfield.", "Oakfield", "m:dddddd", "MEMORY.md:2"])
def test_of_an_entry_of_several_lines_the_one_that_is_meant_gives_way(clawgit, room, what: str) -> None:
    """Mutant: the lines below a bullet give way with it, without a word."""
    room.write("MEMORY.md", BLOCK)
    room.git("commit", "-qam", "memory")
    refused = clawgit("correct", "m:dddddd", "The car is blue.")
    assert "has 3 lines of its own" in refused.err
    assert room.read("MEMORY.md") == BLOCK

    done = clawgit("correct", what, "Mia teaches at Hillside.")

    was = "  <!-- was: Mia teaches at Oakfield. -->\n"
    assert room.read("MEMORY.md") == BLOCK.replace("Oakfield", "Hillside") + was
    assert '"Mia teaches at Oakfield." → "Mia teaches at Hillside."' in done.err


def test_an_entry_gets_a_last_day_and_another_one(clawgit, remembering) -> None:
    clawgit("correct", "Ada drinks tea.", "--until", "2026-12-31")
    assert "- Ada drinks tea (until 2026-12-31). <!--" in remembering.read("MEMORY.md")
    (entry,) = [each for each in clawgit("memory", "list", "--json").data if each["id"] == "m:cccccc"]
    assert entry["expires"] == "2026-12-31"
    clawgit("correct", "m:cccccc", "Ada drinks coffee.", "--until", "2027-01-31")
    assert "- Ada drinks coffee (until 2027-01-31). <!--" in remembering.read("MEMORY.md")
    assert "'soon' is no day" in clawgit("correct", "m:cccccc", "--until", "soon").err
    clawgit("correct", "m:cccccc", "--until", "2027-02-28")
    assert "- Ada drinks coffee (until 2027-02-28). <!--" in remembering.read("MEMORY.md")


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("Friday", "2026-03-20"),
        ("Thursday", "2026-03-26"),
        ("Freitag", "2026-03-20"),
        ("tomorrow", "2026-03-20"),
        ("next month", "2026-04-30"),
        ("1 March", "2027-03-01"),
        ("31 December", "2026-12-31"),
        ("2026-03-01", "2026-03-01"),
        ("yesterday", "2026-03-18"),
        ("last Friday", "2026-03-13"),
    ],
)
def test_a_last_day_in_words_is_one_to_come(clawgit, remembering, words: str, day: str) -> None:
    """Mutant: read as in `log --since`, where each is over."""
    clawgit("--now", "2026-03-19T10:22", "correct", "m:cccccc", "--until", words)
    assert f"- Ada drinks tea (until {day}). <!--" in remembering.read("MEMORY.md")


def test_why_tells_what_it_said_before_once_and_readably(clawgit, remembering) -> None:
    clawgit("correct", "tea", "coffee")

    said = clawgit("why", "m:cccccc").out.splitlines()

    assert said[0] == "Ada drinks coffee."
    assert [line.strip() for line in said if "tea" in line] == [
        "said: Ada drinks tea.",
        "was: Ada drinks tea.",
    ]


def test_why_tells_what_a_line_without_an_id_said_before(clawgit, room) -> None:
    """Mutant: its story begins with its first correction."""
    room.write("MEMORY.md", "- The cat is called Mimi.\n")
    room.git("commit", "-qam", "a cat")
    clawgit("correct", "Mimi", "Momo")

    told = clawgit("why", "The cat is called Momo.", "--json").data["wordings"]

    assert {each["text"]: each["summary"] for each in told} == {
        "The cat is called Mimi.": "a cat",
        "The cat is called Momo.": "correct: The cat is called Momo.",
    }


def test_a_line_of_user_md_is_corrected_once(clawgit, room) -> None:
    """Mutant: the line at a place is set right by its own words, as a second correction."""
    room.change({"USER.md": "# User\n\n- Name: Maren\n- Phone: 0341 555 0142\n"}, actor="operator")

    told = clawgit("correct", "Phone: 0341 555 0142", "Phone: 0341 555 0277")
    again = clawgit("correct", "USER.md:4", "Phone: 0341 555 0277")

    assert told.err.startswith("Corrected (correction x:")
    assert (again.code, "OLD and NEW are the same." in again.err) == (1, True)


def test_a_link_is_not_answered_with_the_line_as_it_is(clawgit, room) -> None:
    """Seen: the command that was offered for "December, not November" had the old line twice, and made it a correction."""
    line = "van: reg WX14 KJN, MOT due 22 November"
    room.change({"notes/van.md": f"{line}\n"}, actor="operator")

    told = clawgit("chat", "add", "The MOT is due on 22 December, not November").out
    clawgit("run", "recall-validator")
    (link,) = clawgit("corrections", "--json").data
    again = clawgit("correct", link["id"], line)

    assert '"van: reg WX14 KJN, MOT due 22 December": clawgit approve ' in told
    assert (again.code, "The line says that already." in again.err) == (1, True)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        pytest.param(("Wednesday", "Thursday"), "--entry", id="two say so"),
        pytest.param(("Saturday", "Thursday"), "No entry says", id="none says so"),
        pytest.param(("Wednesday", "Thursday"), "on Wednesday. Name the one", id="with one full stop"),
        pytest.param(("tea", "tea"), "OLD and NEW are the same.", id="the same"),
        pytest.param(("周五", "周六"), "with a full stop", id="a word of Chinese"),
        pytest.param(("tea", " "), "what is right instead", id="nothing"),
        pytest.param(("Monday", "Tuesday", "--entry", "m:aaaaaa"), "m:aaaaaa does not say 'Monday'", id="one word for a whole entry"),
        pytest.param(("tea", "coffee", "--entry", "m:zzzzzz"), "no entry", id="no such entry"),
        pytest.param(("m:zzzzzz", "Ada drinks coffee."), "no entry m:zzzzzz", id="no entry of that id"),
        pytest.param(("m:cccccc", "coffee"), "would be all that m:cccccc says", id="one word for an entry's id"),
        pytest.param(("tea", "coffee " * 500), "at most 2,000 characters", id="a page"),
    ],
)  # fmt: skip
def test_what_cannot_be_told_is_refused_and_nothing_changes(clawgit, remembering, words, why: str) -> None:
    head = remembering.head()

    said = clawgit("correct", *words)

    assert said.code == 1
    assert why in said.err
    assert remembering.head() == head


def test_a_text_that_begins_with_a_dash_goes_behind_two(clawgit, remembering) -> None:
    refused = clawgit("correct", "- tea", "- coffee")

    assert (refused.code, "goes behind `--`" in refused.err) == (2, True)
    assert clawgit("correct", "--", "tea", "-coffee-").code == 0


def test_an_entry_that_cannot_say_it_is_not_said_to_read_so(clawgit, remembering) -> None:
    said = clawgit("correct", "tea", "<!-- tea")

    assert "m:cccccc stays, and is overridden" in said.err
    assert "Corrected" not in said.err
    assert "- Ada drinks tea. <!--" in remembering.read("MEMORY.md")


def test_only_the_operator_corrects(clawgit, remembering) -> None:
    asked, refused = (clawgit("correct", "tea", "coffee", actor=actor) for actor in ("host", "unknown"))

    assert "The operator is asked" in asked.err
    assert refused.code == 1
    assert "tea" in remembering.read("MEMORY.md")


def test_a_statement_that_nobody_remembers_is_kept_by_itself_once(clawgit, remembering) -> None:
    words = ("The office is in Berlin now.", "The office is in Hamburg now.")
    clawgit("correct", *words)
    head = remembering.head()

    again = clawgit("correct", *words)

    assert again.code == 0
    assert remembering.head() == head
    assert clawgit("memory", "search", "where is the office", "--json").data["results"][0]["snippet"].startswith("The office is in Hamburg")  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [("苹果项目的评审在周五。", "苹果项目的评审在周六。"), ("아다는 차를 마신다.", "아다는 커피를 마신다.")],
)
def test_a_short_sentence_is_a_statement_in_any_language(clawgit, remembering, old: str, new: str) -> None:
    """Mutant: only words with spaces between them count."""
    assert clawgit("correct", old, new).code == 0
    assert ledger(remembering)[0].correct == new


@pytest.fixture
def asked(clawgit, remembering):
    """Return what the operator is asked after he told what somebody else says."""
    said = clawgit(
        "chat", "add", "Bob says the review is on Monday.", "--at", "2026-03-19T09:01", "--json"
    ).data["id"]
    line = "The review is on Monday."
    clawgit("correct", "m:aaaaaa", line, "--evidence", said, actor="host")
    (found,) = clawgit("status", "--json").data["open_corrections"]
    return found


@pytest.mark.rest
def test_status_counts_what_was_heard_and_not_set_right_until_it_is_settled(
    clawgit, remembering, asked
) -> None:
    """Mutants: the question does not name its entry; a fragment settles it and memory stays wrong."""
    out = clawgit("status").out
    question = (
        'Shall m:aaaaaa "The review is on Wednesday." become "The review is on Monday."? You wrote: Bob says'
    )
    assert f"? {asked['id']}: {question}" in out
    assert (asked["may_correct"], asked["correct"]) == (["m:aaaaaa"], "")
    assert clawgit("corrections", "--open", "--json").data == [asked]

    for nothing in ("Europe/Berlin", "on Fridays at 10"):
        assert clawgit("approve", asked["id"], nothing).code == 1
    clawgit("approve", asked["id"], "The review is on Friday.")

    assert clawgit("status", "--json").data["open_corrections"] == []
    assert f"? {asked['id']}" not in clawgit("status").out
    assert "- The review is on Friday. #event <!-- m:aaaaaa -->" in remembering.read("MEMORY.md")
    assert clawgit("approve", asked["id"], "Something else.").code == 1


@pytest.mark.rest
def test_a_line_that_is_proposed_is_taken_with_yes_and_dropped_with_no(clawgit, remembering) -> None:
    """Mutants: what is proposed counts as said; a question that was dropped is asked again."""
    memory = remembering.read("MEMORY.md")
    said = clawgit(
        "chat", "add", "Bob says Ada no longer drinks tea.", "--at", "2026-03-19T09:01", "--json"
    ).data["id"]
    line = "Ada no longer drinks tea."
    clawgit("correct", "m:cccccc", line, "--evidence", said, actor="host")

    (asked,) = clawgit("corrections", "--open", "--json").data
    question = f'Shall m:cccccc "Ada drinks tea." become "{asked["proposed"]}"? You wrote: {asked["trigger"]}'
    assert question in clawgit("status").out
    digest = clawgit("digest", "--since", "2026-03-19").out
    short = "1 Ada: drinks tea → no longer drinks tea?"
    assert f"- {short} → answer {asked['id']}\n" in digest
    assert (asked["correct"], remembering.read("MEMORY.md")) == ("", memory)
    assert clawgit("approve", asked["id"], actor="host").code == 1
    assert clawgit("reject", asked["id"]).code == 0
    assert clawgit("status", "--json").data["open_corrections"] == []
    assert remembering.read("MEMORY.md") == memory


def test_a_yes_to_what_the_agent_says_alone_is_proven_as_the_operators(clawgit, remembering) -> None:
    """Mutant: it is tried as an agent's, which would not count: a search shows CORRECTIONS.md:5 first, of itself."""
    asked = clawgit("correct", "m:cccccc", "Ada drinks coffee.", "--json", actor="host").data["id"]

    assert "first, not this correction" not in clawgit("approve", asked).err

    assert clawgit("corrections", "--json").data[0]["re_embedded"] is True


@pytest.mark.rest
def test_old_words_answer_nothing_and_a_yes_that_is_taken_back_asks_again(clawgit, remembering) -> None:
    """Mutant: of two answers the last counts."""
    memory = remembering.read("MEMORY.md")
    said = clawgit(
        "chat", "add", "Bob says Ada no longer drinks tea.", "--at", "2026-03-19T09:01", "--json"
    ).data["id"]
    line = "Ada no longer drinks tea."
    clawgit("correct", "m:cccccc", line, "--evidence", said, actor="host")
    (asked,) = clawgit("corrections", "--open", "--json").data

    assert clawgit("correct", asked["id"], "--yes", "--no").code == 2
    assert clawgit("corrections", "--open", "--json").data == [asked]
    made = clawgit("approve", asked["id"], "--json").data[0]["commit"]
    assert clawgit("corrections", "--open", "--json").data == []
    clawgit("undo", made, "--reason", "a slip")

    (again,) = clawgit("corrections", "--open", "--json").data
    assert (again["id"], again["proposed"]) == (asked["id"], asked["proposed"])
    assert remembering.read("MEMORY.md") == memory


@pytest.mark.rest
def test_a_yes_does_not_undo_what_the_entry_came_to_say_since(clawgit, remembering) -> None:
    """Mutant: the proposed line takes the place of whatever stands there."""
    said = clawgit(
        "chat", "add", "Bob says Ada no longer drinks tea.", "--at", "2026-03-19T09:01", "--json"
    ).data["id"]
    line = "Ada no longer drinks tea."
    clawgit("correct", "m:cccccc", line, "--evidence", said, actor="host")
    (asked,) = clawgit("corrections", "--open", "--json").data
    clawgit("correct", "m:cccccc", "Ada drinks water in Rome.")

    done = clawgit("approve", asked["id"])

    assert (done.code, "says something else since" in done.err) == (1, True)
    assert "Ada drinks water in Rome." in remembering.read("MEMORY.md")


@pytest.mark.rest
def test_an_answer_about_another_entry_hides_nothing_of_the_one_that_was_asked_about(
    clawgit, remembering, asked
) -> None:
    """Mutant: the ledger says that the entry that was asked about was wrong."""
    clawgit("approve", asked["id"], "Ada drinks water.", "--entry", "m:cccccc")

    assert ledger(remembering)[0].said == "Ada drinks tea."
    hit = clawgit("memory", "search", "when is the review", "--json").data["results"][0]
    assert hit["snippet"].removeprefix("- ").startswith("The review is on Wednesday.")


@pytest.mark.rest
def test_the_answer_to_an_open_one_can_name_the_entry_and_be_withdrawn(clawgit, remembering, asked) -> None:
    """Mutants: --entry is not heard; the field of another correction counts as a line that stays."""
    clawgit("approve", asked["id"], "Ada drinks water.", "--entry", "m:cccccc")
    assert "- Ada drinks water. <!-- m:cccccc -->" in remembering.read("MEMORY.md")

    undone = clawgit("undo", asked["id"])
    assert (undone.code, "stays as" in undone.err) == (0, False)
    assert asked["id"] not in [each["id"] for each in clawgit("corrections", "--json").data]
    assert "- Ada drinks tea. <!-- m:cccccc -->" in remembering.read("MEMORY.md")


@pytest.mark.rest
def test_the_answer_to_an_open_one_sets_the_entry_right(clawgit, remembering, asked) -> None:
    clawgit("approve", asked["id"], "It's Friday.")

    (done,) = clawgit("corrections", "--json").data
    assert (done["id"], done["status"], done["corrects"]) == (asked["id"], "applied", ["m:aaaaaa"])
    assert "- The review is on Friday. #event <!-- m:aaaaaa -->" in remembering.read("MEMORY.md")
    assert [each.correct for each in ledger(remembering)] == ["The review is on Friday."]


def test_a_correction_of_what_no_entry_says_becomes_an_entry(clawgit, remembering) -> None:
    """Mutant: it is only noted."""
    clawgit("correct", "The gate is blue.", "The gate is green.")

    (made,) = clawgit("corrections", "--json").data
    assert (made["status"], made["said"]) == ("applied", "The gate is blue.")
    assert f"The gate is green. <!-- {made['corrects'][0]} -->" in remembering.read("MEMORY.md")


@pytest.mark.rest
def test_old_corrections_move_to_the_archive_and_count_on(clawgit, remembering) -> None:
    """Mutant: those that are not proven move, too."""
    clawgit("correct", "tea", "coffee")
    ledger_text = remembering.read("CORRECTIONS.md")
    remembering.write("CORRECTIONS.md", ledger_text + "\n## 2026-03-01 10:00 <!-- x:0pen re-embedded:false -->\n\n- trigger: Wrong.\n- status: open\n")  # fmt: skip
    remembering.git("commit", "-qam", "an open one")

    assert clawgit("corrections", "archive", "--now", "2026-03-25", "--json").data["moved"] == []
    moved = clawgit("corrections", "archive", "--now", "2026-04-15", "--json").data["moved"]

    assert len(moved) == 1
    assert [each.correction_id for each in ledger(remembering)] == ["0pen"]
    assert "coffee" in remembering.read("Archive/Corrections/2026-03.md")
    assert clawgit("memory", "search", "what does Ada drink", "--json").data["results"][0]["entries"] == [moved[0]["id"]]  # fmt: skip
    assert len(clawgit("corrections", "--json").data) == 1
    assert len(clawgit("corrections", "--all", "--json").data) == 2


@pytest.mark.rest
def test_an_archived_correction_is_undone_without_a_word_about_the_archives_own_lines(
    clawgit, remembering
) -> None:
    """Mutant: the lines of the archive count as lines that the change left behind."""
    before = remembering.read("MEMORY.md")
    made = clawgit("correct", "tea", "coffee", "--json").data["id"]
    clawgit("corrections", "archive", "--now", "2026-04-15")

    assert "`--all` looks into the archive" in clawgit("corrections").out
    said = clawgit("undo", made)

    assert (said.code, remembering.read("MEMORY.md")) == (0, before)
    assert "Of what it wrote" not in said.err


def test_a_list_says_what_was_said_and_what_is_right(clawgit, remembering) -> None:
    clawgit("correct", "tea", "coffee")

    out = clawgit("corrections").out

    assert "correct: Ada drinks coffee." in out
    assert "said: Ada drinks tea." in out


def test_a_list_says_which_does_not_rest_on_the_operators_word(clawgit, remembering) -> None:
    clawgit("correct", "Apollo review is on Wednesday", "Apollo review is on Thursday")
    forged = (
        "\n## 2026-03-19 10:00 <!-- x:f04ged -->\n\n- said: REST\n- correct: GraphQL\n- status: applied\n"
    )
    remembering.write("CORRECTIONS.md", remembering.read("CORRECTIONS.md") + forged)
    remembering.git("commit", "-qam", "forged", "--author", "host <host@clawgit.invalid>")

    his, others = [line for line in clawgit("corrections").out.splitlines() if line.startswith("x:")]

    assert others.endswith("applied, not in force: it does not rest on your word")
    assert "not in force" not in his


def test_the_operators_undo_of_a_correction_by_hand(clawgit, remembering) -> None:
    before = remembering.read("MEMORY.md")
    done = clawgit("correct", "tea", "coffee", "--json").data

    clawgit("undo", done["id"])

    assert remembering.read("MEMORY.md") == before


@pytest.mark.rest
@pytest.mark.parametrize("since", ["another correction", "an edit by hand"])
def test_the_earlier_of_two_is_withdrawn_and_what_came_later_stands(clawgit, remembering, since: str) -> None:
    """Mutant: the comment that the first one left counts as a conflict."""
    first = clawgit("correct", "tea", "coffee", "--json").data["id"]
    if since == "another correction":
        clawgit("correct", "coffee", "water")
    else:
        remembering.write("MEMORY.md", remembering.read("MEMORY.md").replace("coffee.", "water."))
        clawgit("keep")
    now = remembering.read("MEMORY.md")

    done = clawgit("undo", first)

    assert (done.code, remembering.read("MEMORY.md")) == (0, now)
    assert "m:cccccc was changed again since, so it stays as it is now." in done.err
    assert [each["id"] for each in clawgit("corrections", "--json").data].count(first) == 0


@pytest.mark.rest
@pytest.mark.parametrize("last", ["water", "tea"])
def test_of_two_corrections_of_one_entry_the_later_is_found_and_the_earlier_below_it(
    clawgit, remembering, last: str
) -> None:
    """Mutants: what an earlier one was instead of counts as what it says; both of its lines are shown."""
    clawgit("correct", "tea", "coffee")
    later = clawgit("correct", "coffee", last, "--json").data["id"]

    first, *others = clawgit("memory", "search", "what does Ada drink", "--json").data["results"]

    assert first["entries"] == [later]
    assert [old["text"] for old in first["corrects"] if old["path"] == "CORRECTIONS.md"] == [
        "Ada drinks coffee."
    ]
    assert [hit["snippet"] for hit in others if "coffee" in hit["snippet"]] == []


@pytest.mark.rest
def test_what_is_in_the_way_of_an_undo_is_named_where_it_is_a_correction(clawgit, remembering) -> None:
    made = clawgit("memory", "add", "Bob lives in Rome.", "--to", "MEMORY.md", "--json").data["commit"]
    done = clawgit("correct", "Rome", "Paris", "--json").data
    head = remembering.head()

    refused = clawgit("undo", made)

    assert (refused.code, remembering.head()) == (1, head)
    assert f"Take the later change back first (`clawgit undo {done['id']}`)" in refused.err
    clawgit("undo", done["id"])
    assert clawgit("undo", made).code == 0


@pytest.mark.rest
def test_of_an_entry_that_was_set_right_and_is_undone_it_is_said_what_happened(clawgit, remembering) -> None:
    """Mutant: "would be removed. Leave it where it is", of what was done."""
    last = clawgit("correct", "tea", "coffee", "--json").data["id"]
    before = remembering.read("MEMORY.md")

    said = clawgit("undo", "m:cccccc")

    assert said.code == 0
    assert f"withdraws the correction {last}" in said.err
    assert "would" not in said.err
    clawgit("undo", said.out.strip())
    assert remembering.read("MEMORY.md") == before
    assert f"→ `clawgit undo {last}`" in clawgit("log").out
    clawgit("undo", last)
    assert "Ada drinks tea." in remembering.read("MEMORY.md")


def test_the_same_op_corrects_once(clawgit, remembering) -> None:
    first = clawgit("correct", "tea", "coffee", "--op", "fix-1", "--json").data
    again = clawgit("correct", "coffee", "water", "--op", "fix-1", "--json").data

    assert (first["outcome"], again["outcome"], again["commit"]) == ("applied", "repeated", first["commit"])
    assert "coffee" in remembering.read("MEMORY.md")


ORDINALS = {
    "a day": (
        "User's flight is on the 14th.",
        "my flight is on the 12th, not the 14th",
        "User's flight is on the 12th.",
    ),
    "a floor": (
        "User's office is on the 2nd floor.",
        "my office is on the 3rd floor, not the 2nd",
        "User's office is on the 3rd floor.",
    ),
    "a word": (
        "User's office is on the fourth floor.",
        "my office is on the fifth floor, not the fourth",
        "User's office is on the fifth floor.",
    ),
}


@pytest.mark.parametrize(("entry", "told", "right"), ORDINALS.values(), ids=ORDINALS)
def test_an_ordinal_is_a_value(room, clawgit, entry: str, told: str, right: str) -> None:
    """Mutants: what differs in an ordinal is a statement of its own, and both are in memory; it is no value of his."""
    room.change({"MEMORY.md": f"- {entry} <!-- m:aaaaaa -->\n"}, actor="operator")
    later = {"CLAWGIT_NOW": "2026-03-19T12:30:00+00:00", "CLAWGIT_REHEARSE": "1"}
    clawgit("chat", "add", f"You forgot that {told}.", "--at", "2026-03-19T10:30", environment=later)

    report = clawgit("run", "recall-validator", "--json").data

    assert [each["outcome"] for each in report] == ["applied"]
    assert room.read("MEMORY.md").startswith(f"- {right} <!-- m:aaaaaa -->\n")
    news = clawgit("digest", "--since", "2026-01-01").out
    assert f"- {change_in_short(entry, right)} (you: " in news


def test_a_link_beside_a_line_without_an_id_sets_it_right_and_is_gone(clawgit, room) -> None:
    """Mutants: `There is no entry m:The staging port is 8080.`; a blank that was not filled in is taken for the line."""
    room.write("MEMORY.md", "- The staging port is 8080.\n")
    room.git("commit", "-qam", "a port")
    later = ("--rehearse", "--now", "2099-12-31T09:00:00+00:00")  # than the commit
    told = clawgit(*later, "chat", "add", "The staging port is 9090 since the move, btw").out
    link = re.findall("x:[0-9a-z]+", told)[0]
    assert f'To make it "The staging port is 9090.": clawgit approve {link}\n' in told
    assert f"clawgit approve {link}" in clawgit(*later, "pending", "show", link).out

    assert clawgit(*later, "correct", link, "NEW LINE").code == 1
    assert clawgit(*later, "correct", link, "The staging port is 9090.").code == 0

    assert "- The staging port is 9090. <!-- m:" in room.read("MEMORY.md")
    assert "linked:" not in clawgit(*later, "status").out
    assert clawgit(*later, "corrections", "--json").data[0]["status"] == "applied"


def test_a_line_that_goes_on_where_its_old_words_end_does_not_say_what_was_wrong(clawgit) -> None:
    """Seen: of the line just corrected it was said that it still says what was wrong. Mutant: the old words count within it."""
    clawgit("remember", "The rent is 840 euros.")

    done = clawgit("correct", "The rent is 840 euros.", "The rent is 840 euros, heating included.")

    assert "Corrected m:" in done.err
    assert "still says" not in done.err


@pytest.mark.rest
def test_an_entry_that_two_undone_corrections_give_back_is_not_said_to_stay(clawgit, remembering) -> None:
    """Seen: "m:cccccc was changed again since, so it stays as it is now", and it read as at first."""
    first = clawgit("correct", "tea", "coffee", "--json").data["id"]
    second = clawgit("correct", "coffee", "water", "--json").data["id"]
    assert "m:cccccc was changed again since" in clawgit("undo", first).err

    told = clawgit("undo", second).err

    assert "Ada drinks tea." in remembering.read("MEMORY.md")
    assert "changed again since" not in told


@pytest.mark.rest
def test_no_way_to_old_words_is_said_that_a_line_never_had(clawgit, room) -> None:
    """Seen: the words before came from USER.md, where they still stood, and the way back only took the new line out."""
    room.write("USER.md", "# User\n\n- Ana is 40.\n- Ana is 40.\n")
    clawgit("keep", "--as", "operator")
    clawgit("correct", "Ana is 40.", "Ana is 41.")

    told = clawgit("undo", "Ana is 41.").err

    assert "Ana is 41." not in room.read("MEMORY.md")
    assert "The line goes." not in told


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [
        ("Escalation without an ack in 10 min -> second; 25 min -> Dana.", "25 min", "20 minutes"),
        ("**Kuvio** (Madrid): es-419. Contact: Daniel Reyes. Pays late.", "Daniel Reyes", "Saoirse Whelan"),
        ("Hausarzt Dr. Seyfried, Tel. 06081 55 21 30", "Seyfried", "Amrani"),
        ("Hausarzt Dr. Seyfried, Sprechz. 8-12", "Seyfried", "Amrani"),
    ],
)
def test_a_clause_that_leans_on_its_line_is_corrected_with_it(
    clawgit, room, line, old: str, new: str
) -> None:
    """Seen: `Corrections by your operator: 20 minutes -> Dana.` in a prompt."""
    room.change({"MEMORY.md": f"- {line}\n"}, actor="operator")

    clawgit("correct", line, line.replace(old, new))

    (correction,) = clawgit("corrections", "--json").data
    assert (correction["said"], correction["correct"]) == (line, line.replace(old, new))


def test_a_file_of_the_agents_prompt_that_goes_on_saying_so_is_named(clawgit, remembering) -> None:
    """Seen: USER.md went on saying six, and the answer told of MEMORY.md alone."""
    remembering.change({"USER.md": "- Gets up at 6 o'clock.\n"}, actor="operator")

    done = clawgit("correct", "Gets up at 6", "Gets up at 7.")

    assert "MEMORY.md has a new line. USER.md goes on saying so: edit it there." in done.err


def test_words_beside_a_line_that_was_corrected_since_set_its_present_words_right(
    clawgit, remembering
) -> None:
    """Seen: `would leave memory as it is`, for a line with another time. Mutant: only its old words are looked for."""
    text = "- Daughter Lara: piano on Wednesday 16:45 with Ms Dorn\n"
    remembering.change({"MEMORY.md": text}, actor="operator")
    clawgit("chat", "add", "piano on Wednesday is later from now on, 17:15 I think")
    clawgit("run", "recall-validator")
    link = re.search(r"x:\w+", clawgit("corrections").out)
    assert link is not None
    clawgit("correct", "16:45", "17:45")

    clawgit("correct", link[0], "Daughter Lara: piano on Wednesday 17:15 with Ms Dorn")

    assert "- Daughter Lara: piano on Wednesday 17:15 with Ms Dorn <!-- m:" in remembering.read("MEMORY.md")


def test_a_line_that_was_rewritten_since_is_not_corrected_to_its_own_words(clawgit, room) -> None:
    """Seen: `walnuts → walnuts` in the ledger, MEMORY.md, search and digest, and the true correction in none.

    Mutants: one of the four ways still writes; the link stays in the list; a link to another line leaves it, too.
    """
    room.change({"MEMORY.md": "- Nora is allergic to hazelnuts.\n- Emil pays by card.\n"}, actor="operator")
    clawgit("chat", "add", "Nora is not so allergic to hazelnuts any more, ask her about nuts")
    clawgit("chat", "add", "Emil can't pay by card this time")
    clawgit("run", "recall-validator")
    beside = {each["said"]: each["id"] for each in clawgit("corrections", "--json").data}
    clawgit("chat", "add", "Nora is allergic to walnuts, not hazelnuts")
    right, before = "Nora is allergic to walnuts.", room.read("MEMORY.md")
    link = beside["Nora is allergic to hazelnuts."]

    names = [link, re.findall(r"m:\w+", before)[0], "MEMORY.md:1", "allergic to walnuts"]
    refused = [clawgit("correct", name, right) for name in names]
    yes = clawgit("approve", link, right)

    assert [(each.code, "says that already" in each.err) for each in (*refused, yes)] == [(1, True)] * 5
    assert room.read("MEMORY.md") == before
    listed = [(each["said"], each["correct"]) for each in clawgit("corrections", "--json").data]
    assert listed == [("Nora is allergic to hazelnuts.", right), ("Emil pays by card.", "")]


def test_an_offered_line_is_named_by_its_link_and_whole(clawgit, remembering) -> None:
    """Seen: its place, which was another line a minute later, and a command that kept both prices."""
    remembering.write("MEMORY.md", "- bins: Tuesday\n- babysitter: Femke, 12 euro/h\n")
    remembering.git("commit", "-qam", "home")

    told = clawgit("chat", "add", "the babysitter is 13 euro now").out

    (link,) = clawgit("corrections", "--json").data
    assert f'To make it "babysitter: Femke, 13 euro/h": clawgit approve {link["id"]}\n' in told
    assert "clawgit remember" not in told


def test_the_line_that_is_corrected_gets_the_id_and_not_one_that_says_the_same(clawgit, room) -> None:
    """Seen: production's line got the id, and `undo` said "Undone" and changed nothing. Mutant: equal words are paired from the top."""
    room.write("MEMORY.md", "# M\n\n## Staging\n\n- Port: 8080\n\n## Production\n\n- Port: 9090\n")
    room.git("add", "MEMORY.md")
    room.git("commit", "-qm", "ports")
    before = room.read("MEMORY.md")

    clawgit("correct", "MEMORY.md:5", "Port: 9090")

    (made,) = clawgit("corrections", "--json").data
    (entry_id,) = made["corrects"]
    assert f"## Staging\n\n- Port: 9090 <!-- {entry_id} -->\n" in room.read("MEMORY.md")
    assert clawgit("undo", made["id"]).code == 0
    assert room.read("MEMORY.md") == before


def test_a_second_yes_is_made_on_the_line_as_it_reads_by_now(clawgit, room) -> None:
    """Seen: "is gone, or says something else since it was asked". Mutants: the line as it was asked; any value of it."""
    clawgit("chat", "add", "note: train le 8 décembre à 7h42")
    first = clawgit("chat", "add", "le train est à 9h10 finalement", "--json").data["linked"][0]["link"]
    second = clawgit("chat", "add", "finalement le train part le 9 décembre", "--json").data["linked"][0][
        "link"
    ]
    clawgit("approve", first)

    clawgit("approve", second)

    assert "train le 9 décembre à 9h10" in room.read("MEMORY.md").lower()


def test_a_corrected_number_leaves_his_words_of_another_thing_beside_the_line(clawgit) -> None:
    """Seen: `cherry, not walnut` was gone, and the prompt had walnut as a correction of his."""
    clawgit("remember", "Ada wants a kitchen of walnut, budget 14000 euro.")
    clawgit("chat", "add", "ada wants the kitchen in cherry now, not walnut")

    clawgit("chat", "add", "ada's budget is 15000 not 14000")

    assert "budget 15000 euro." in clawgit("memory", "list").out
    assert '"ada wants the kitchen in cherry now, not walnut"' in clawgit("context").out


def test_a_correction_leaves_his_words_of_another_value_beside_the_new_line(clawgit) -> None:
    """Seen: gone without a word. Mutant: those of the same value stay, too."""
    clawgit("remember", "Train le 8 décembre à 7h42.")
    for said in ("le train est à 9h10 finalement", "finalement le train part le 9 décembre"):
        clawgit("chat", "add", said)

    clawgit("correct", "Train le 8 décembre à 7h42.", "Train le 8 décembre à 8h00.", "--yes")

    links = [each for each in clawgit("corrections", "--json").data if each["status"] == "linked"]
    beside = [("finalement le train part le 9 décembre", "Train le 8 décembre à 8h00.")]
    assert [(each["trigger"], each["said"]) for each in links] == beside
    assert "finalement le train part le 9 décembre" in clawgit("context").out


def test_a_second_yes_for_the_value_that_the_first_replaced_is_refused(clawgit, room) -> None:
    clawgit("chat", "add", "note: train le 8 décembre à 7h42")
    first = clawgit("chat", "add", "le train est à 9h10 finalement", "--json").data["linked"][0]["link"]
    clawgit("correct", "Train le 8 décembre à 7h42", "Train le 8 décembre à 8h00", "--yes")

    assert clawgit("approve", first).code == 1
    assert "Train le 8 décembre à 8h00" in room.read("MEMORY.md")
