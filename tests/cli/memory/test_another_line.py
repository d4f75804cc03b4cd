"""A correction whose NEW says something else than the line that its link or id names."""

from __future__ import annotations

import re

import pytest

CELLAR = "The Whitfields get the small fan heater from the cellar."
SAID = "The staging port is 9090 since the move, btw"
LATER = {"CLAWGIT_NOW": "2026-03-19T12:30:00+00:00", "CLAWGIT_REHEARSE": "1"}

NIGHT = {"CLAWGIT_NOW": "2026-03-20T07:30:00+00:00", "CLAWGIT_REHEARSE": "1"}


@pytest.fixture
def linked(room, clawgit) -> str:
    """Return the link beside a line that his words are not about, as a wrong one is."""
    room.change(
        {"MEMORY.md": f"- The key box code is 4471.\n- {CELLAR} <!-- m:aaaaaa -->\n"}, actor="operator"
    )
    ledger = (
        "## 2026-03-19 10:00 <!-- x:abcdef re-embedded:false -->\n\n- trigger: The key box code is 8820 now.\n"
        f"- said: {CELLAR}\n- may correct: m:aaaaaa\n- status: linked\n"
    )
    room.change({"CORRECTIONS.md": ledger}, actor="operator")
    return "x:abcdef"


@pytest.mark.parametrize("name", ["x:abcdef", "m:aaaaaa"])
def test_a_line_that_shares_no_word_with_what_is_right_is_not_overwritten(
    room, clawgit, linked, name: str
) -> None:
    """Seen: the heater's line became the key box's, and the old code stayed. Mutants: the link's line is not compared; the entry's is not."""
    before = room.read("MEMORY.md")

    refused = clawgit("correct", name, "The key box code is 8820.")

    assert (refused.code, room.read("MEMORY.md")) == (1, before)
    assert f'{name} says "{CELLAR}"; NEW has hardly a word of it. Nothing was changed.' in refused.err
    assert f"clawgit correct {name} 'The key box code is 8820.' --yes" in refused.err
    assert "clawgit remember 'The key box code is 8820.'" in refused.err
    assert clawgit("correct", name, "The key box code is 8820.", "--yes").code == 0
    assert "The key box code is 8820." in room.read("MEMORY.md")


DOOR = "Mme Nguyen has the door code 4471"
PLACES = [
    pytest.param("MEMORY.md:3", f"- {DOOR}\n", id="an entry without an id"),
    pytest.param("m:aaaaaa", f"- {DOOR} <!-- m:aaaaaa -->\n", id="an entry with an id"),
    pytest.param("USER.md:3", f"- {DOOR}\n", id="USER.md"),
    pytest.param("notes/door.md:3", f"{DOOR}\n", id="a file beside memory"),
    pytest.param("MEMORY.md:5", f"| Who | What |\n|---|---|\n| Door | {DOOR} |\n", id="a row in memory"),
    pytest.param("notes/door.md:5", f"| Who | What |\n|---|---|\n| Door | {DOOR} |\n", id="a row beside it"),
]


@pytest.mark.parametrize(
    ("new", "why"),
    [
        pytest.param(
            "Ada: calls her brother about the bikes", "NEW has hardly a word of it", id="another line"
        ),
        pytest.param(
            "Ada: phones the bank about a mislaid card code",
            "NEW has hardly a word of it",
            id="one of five words",
        ),
        pytest.param("Door: Mme Nguyen has the code", "", id="no value"),
        pytest.param("Door: she has the door code 8830", "", id="no name"),
        pytest.param("Door: Mme Nguyen has the door code 8830", "", id="another value"),
        pytest.param("Door: the code of Mme Pham is 4471", "", id="another name"),
    ],
)
@pytest.mark.parametrize(("name", "text"), PLACES)
@pytest.mark.parametrize("output", [(), ("--json",)])
def test_a_named_line_loses_its_subject_a_name_or_a_value_only_with_yes(
    room, clawgit, name: str, text: str, new: str, why: str, output: tuple[str, ...]
) -> None:
    """Seen: by the place that a search had printed, which had moved since, another line was gone. Mutants: only lines with an id are compared; only the words, not the values."""
    path = name.partition(":")[0]
    if name.startswith("m:"):
        path = "MEMORY.md"
    room.change({path: f"# M\n\n{text}"}, actor="operator")
    if text.startswith("|"):
        new = f"| {new.replace(': ', ' | ')} |"
    before = room.read(path)

    done = clawgit("correct", name, new, *output)

    if why and "is no row that can be changed" in done.err:  # of another row
        assert (done.code, room.read(path)) == (1, before)
        return
    if why:
        assert (done.code, room.read(path)) == (1, before)
        assert why in done.err
        assert clawgit("correct", name, new, "--yes").code == 0
    assert new.split("|")[-1].strip() in room.read(path)


@pytest.mark.parametrize(
    ("line", "new", "gone"),
    [
        ("Bart swims on Tuesday.", "Bart no longer swims.", "tuesday"),
        ("Anna works at Siemens.", "Anna is retired.", "siemens"),
        ("The rent is 900 euros.", "The rent is included in the salary.", "900"),
    ],
)
def test_a_fact_that_ended_is_corrected_and_what_went_is_told(
    room, clawgit, line: str, new: str, gone: str
) -> None:
    """Mutant: a name or a value that goes needs --yes, whatever else the lines share."""
    room.change({"MEMORY.md": f"# M\n\n- {line}\n"}, actor="operator")

    done = clawgit("correct", "MEMORY.md:3", new)

    assert (done.code, new in room.read("MEMORY.md")) == (0, True)
    assert gone in done.err
    assert "clawgit undo" in done.err


@pytest.mark.parametrize(
    ("words", "gone", "came"),
    [
        (("x:abcdef", "The heater of the Whitfields is in the attic."), CELLAR, "attic"),
        (("4471", "8820"), "4471", "8820"),
        (("MEMORY.md:1", "Rent is paid on the 5th."), "4471", "Rent is paid"),
        (("m:aaaaaa", "--until", "2026-12-31"), CELLAR, "until 2026-12-31"),
    ],
)
def test_a_dry_run_shows_what_a_correction_would_do_and_changes_nothing(
    room, clawgit, linked, words: tuple[str, ...], gone: str, came: str
) -> None:
    """Seen: `No such option: --dry-run`, where `undo` has it. Mutant: it is made."""
    before = room.head()

    shown = clawgit("correct", *words, "--dry-run")
    data = clawgit("correct", *words, "--dry-run", "--json").data

    lines = shown.out.splitlines()
    is_refused = words[0] == "MEMORY.md:1"
    assert (shown.code, lines[0], room.head()) == (int(is_refused), "MEMORY.md", before)
    assert any(line.startswith("  - ") and gone in line for line in lines)
    assert any(line.startswith("  + ") and came in line for line in lines)
    assert [each["path"] for each in data["diff"]] == ["MEMORY.md"]
    assert ("NEW has hardly a word of it" in shown.err) is is_refused
    assert clawgit("correct", *words, "--dry-run", "--yes").code == 0


def test_what_a_host_says_is_asked_whatever_it_leaves_out(room, clawgit, linked) -> None:
    """Mutant: a host is told to add --yes."""
    before = room.read("MEMORY.md")

    question = clawgit("correct", "m:aaaaaa", "The key box code is 8820.", actor="host")

    assert (question.code, room.read("MEMORY.md")) == (0, before)
    assert "--yes" not in question.err


def test_a_yes_with_other_words_wipes_no_value_either(room, clawgit, linked) -> None:
    before = room.read("MEMORY.md")

    refused = clawgit("approve", linked, "The key box code is 8820.")

    assert (refused.code, room.read("MEMORY.md")) == (1, before)
    assert "NEW has hardly a word of it" in refused.err


def test_the_words_of_the_line_replace_it_with_anything(room, clawgit, linked) -> None:
    assert clawgit("correct", CELLAR, "The key box code is 8820.").code == 0
    assert f"- The key box code is 8820. <!-- m:aaaaaa -->\n<!-- was: {CELLAR} -->" in re.sub(
        " +<", " <", room.read("MEMORY.md")
    ).replace("\n <", "\n<")


def test_a_line_that_says_the_same_in_other_words_is_set_right_by_its_link(room, clawgit, linked) -> None:
    assert clawgit("correct", linked, "The heater for the Whitfields is in the attic.").code == 0
    assert "attic" in room.read("MEMORY.md")


def test_a_line_named_by_its_place_is_compared_as_well(room, clawgit, linked) -> None:
    refused = clawgit("correct", "MEMORY.md:1", "Rent is paid on the 5th.")

    assert refused.code == 1
    assert 'MEMORY.md:1 says "The key box code is 4471."; NEW has hardly a word of it.' in refused.err


def test_a_line_that_another_one_equals_once_it_is_corrected_has_the_words_of_it(room, clawgit) -> None:
    """Seen: "NEW has hardly a word of it". Mutant: words that another line has do not come."""
    room.change({"MEMORY.md": "# M\n\n- Nora painted it teal\n- Nora painted it ochre\n"}, actor="operator")

    assert clawgit("correct", "MEMORY.md:4", "Nora painted it teal").code == 0
    assert room.read("MEMORY.md").count("Nora painted it teal") == 2


def test_a_yes_to_a_link_makes_the_line_that_is_shown_with_it(room, clawgit) -> None:
    """Seen: `proposes no line, so a yes changes nothing`, with the command that it could have run."""
    room.change({"MEMORY.md": "- The staging port is 8080. <!-- m:aaaaaa -->\n"}, actor="operator")
    clawgit(
        "chat",
        "add",
        SAID,
        "--at",
        "2026-03-19T10:30",
        environment=LATER,
    )
    clawgit("run", "recall-validator", environment=LATER)
    (link,) = [each["id"] for each in clawgit("corrections", "--json").data]
    yes = f"`clawgit approve {link}`"
    assert "later words beside 1 line, a new line is ready (`clawgit pending`)" in clawgit("status", environment=LATER).out  # fmt: skip
    assert f'→ "The staging port is 9090." ({yes})' in clawgit("corrections", environment=LATER).out
    row = f'- The staging port: 8080 → 9090 (you said: "{SAID}") → answer {link}\n'
    assert row in clawgit("digest", environment=LATER).out
    shown = clawgit("pending", "show", link, environment=LATER).out
    assert 'Shall m:aaaaaa "The staging port is 8080." become "The staging port is 9090."?' in shown
    assert "both" not in shown

    done = clawgit("approve", link, environment=LATER)

    assert done.code == 0
    assert (
        f'"The staging port is 8080." → "The staging port is 9090." To have it back: clawgit undo {link}'
        in done.err
    )
    assert room.read("MEMORY.md").startswith("- The staging port is 9090. <!-- m:aaaaaa -->\n")
    assert clawgit("undo", link, environment=LATER).code == 0
    assert room.read("MEMORY.md") == "- The staging port is 8080. <!-- m:aaaaaa -->\n"


def test_both_lets_the_line_stay_and_remembers_the_ready_one_and_says_so(room, clawgit) -> None:
    """Seen: `proposes no line`, of a link that status and log show with one."""
    room.change({"MEMORY.md": "- The staging port is 8080. <!-- m:aaaaaa -->\n"}, actor="operator")
    clawgit("chat", "add", SAID, "--at", "2026-03-19T10:30", environment=LATER)
    clawgit("run", "recall-validator", environment=LATER)
    (link,) = [each["id"] for each in clawgit("corrections", "--json").data]

    done = clawgit("approve", link, "both", environment=LATER)

    assert done.code == 0
    assert 'Remembered: "The staging port is 9090."; "The staging port is 8080." stays.' in done.err
    memory = room.read("MEMORY.md")
    assert memory.startswith("- The staging port is 8080. <!-- m:aaaaaa -->\n")
    assert "The staging port is 9090." in memory
    assert clawgit("corrections", "--json").data == []


def test_a_yes_to_a_link_without_a_ready_line_changes_nothing(room, clawgit, linked) -> None:
    before = room.read("MEMORY.md")

    refused = clawgit("approve", linked)

    assert (refused.code, room.read("MEMORY.md")) == (1, before)
    assert "proposes no line" in refused.err
    assert clawgit("approve", linked, "both").err == refused.err


@pytest.fixture
def beside(room, clawgit) -> str:
    """Return a link with a ready line, beside a line of a file that is not memory."""
    room.change(
        {"MEMORY.md": "# Memory\n", "notes/flat.md": "# Flat\n\nThe rent is 900 euros.\n"}, actor="operator"
    )
    ledger = (
        "## 2026-03-19 10:00 <!-- x:abcdef re-embedded:false -->\n\n- trigger: The rent is 950 euros now.\n"
        "- said: The rent is 900 euros.\n- beside: notes/flat.md\n- status: linked\n"
    )
    room.change({"CORRECTIONS.md": ledger}, actor="operator")
    return "x:abcdef"


def test_a_yes_beside_memory_is_taken_back_as_it_says(room, clawgit, beside) -> None:
    """Seen: `Undone`, and the file stayed as it was."""
    before = room.read("notes/flat.md")

    assert clawgit("approve", beside).code == 0
    assert "950" in room.read("notes/flat.md")
    assert clawgit("undo", beside).code == 0

    assert room.read("notes/flat.md") == before


def test_a_yes_to_a_line_that_says_something_else_by_now_writes_nothing(room, clawgit, beside) -> None:
    """Seen: the old line with the new value became an entry of MEMORY.md."""
    room.change({"notes/flat.md": "# Flat\n\nThe rent is 980 euros.\n"}, actor="operator")

    refused = clawgit("approve", beside)

    assert refused.code == 1
    assert "notes/flat.md does not say that any more" in refused.err
    assert room.read("MEMORY.md") == "# Memory\n"


@pytest.mark.parametrize(
    ("line", "said", "right"),
    [
        pytest.param(
            "doña Cuca XV años 12 dic, 80 personas, tres leches",
            "doña cuca ya no quiere 80 personas, son 100",
            "doña Cuca XV años 12 dic, 100 personas, tres leches",
            id="a correction",
        ),
        pytest.param(
            "My son Emil has swimming on Tuesdays.",
            "remember that Emil's swimming moved to Thursdays",
            "My son Emil has swimming on Thursdays.",
            id="an order to remember",
        ),
    ],
)
def test_the_line_that_is_offered_beside_a_message_is_the_same_on_every_screen(
    room, clawgit, line: str, said: str, right: str
) -> None:
    """Seen: the whole line in the answer of `chat add`, "NEW LINE" in `corrections`, `pending show` and the digest. Mutant: each has its own rule."""
    room.change({"MEMORY.md": f"# M\n\n- {line}\n"}, actor="operator")
    told = clawgit("chat", "add", said, "--at", "2026-03-19T10:30", environment=LATER)
    clawgit("run", "recall-validator", environment=LATER)
    (link,) = [each["id"] for each in clawgit("corrections", "--json", environment=LATER).data]
    command = f"clawgit approve {link}"

    shown = [clawgit("corrections", environment=LATER).out]
    shown.append(clawgit("pending", "show", link, environment=LATER).out)
    if "stand beside" in told.out:
        shown.append(told.out)
    for screen in shown:
        assert command in screen
        assert f'"{right}"' in screen
    for screen in ("corrections", "digest", "status", "log"):
        assert "NEW LINE" not in clawgit(screen, environment=LATER).out


@pytest.mark.parametrize(
    ("other", "is_linked"),
    [
        pytest.param("12 bultos harina", False, id="another thing with a number"),
        pytest.param("Harina: el bulto a $585", True, id="a line with the old value"),
    ],
)
def test_a_message_that_a_correction_answered_is_put_beside_no_line_without_the_old_value(
    room, clawgit, other: str, *, is_linked: bool
) -> None:
    """Seen: the night after the price was set right, `12 bultos harina` → `610 bultos harina` was proposed. Mutants: what was answered is linked again; nothing of it is."""
    price = "Harina: Molinos San Blas, bulto a $585, entregan lunes y jueves."
    room.change({"MEMORY.md": f"# M\n\n- {price}\n", "compras.md": f"# C\n\n- {other}\n"}, actor="operator")
    clawgit("chat", "add", "la harina ya esta en 610 el bulto", environment=LATER)
    links = clawgit("corrections", "--json", environment=LATER).data
    (link,) = [each["id"] for each in links if each["said"] == price]
    assert clawgit("correct", link, price.replace("585", "610"), environment=LATER).code == 0

    clawgit("run", "recall-validator", environment=NIGHT)

    links = clawgit("corrections", "--json", environment=NIGHT).data
    assert [each["said"] for each in links if each["status"] == "linked"] == [other] * is_linked


@pytest.mark.parametrize("is_linked", [True, False])
def test_a_value_that_he_denied_stays_denied_when_another_part_of_the_line_is_corrected(
    room, clawgit, is_linked: bool
) -> None:
    """Seen: "15, not 14" was promised to stand beside the line, and was gone once "Fridays, not Thursdays" had rewritten it."""
    line = "The team meeting is on Thursdays at 14 Uhr in room 3."
    room.change({"MEMORY.md": f"- {line} <!-- m:aaaaaa -->\n"}, actor="operator")
    clawgit("chat", "add", "15 Uhr, nicht 14", "--at", "2026-03-19T10:30", environment=LATER)
    if is_linked:
        clawgit("run", "recall-validator", environment=LATER)
    clawgit("correct", "m:aaaaaa", line.replace("Thursdays", "Fridays"), environment=LATER)

    clawgit("run", "recall-validator", environment=LATER)

    links = [each for each in clawgit("corrections", "--json").data if each["status"] == "linked"]
    assert [(each["said"], each["trigger"]) for each in links] == [
        (line.replace("Thursdays", "Fridays"), "15 Uhr, nicht 14")
    ]
    clawgit("correct", "m:aaaaaa", line.replace("Thursdays at 14", "Fridays at 15"), environment=LATER)
    clawgit("run", "recall-validator", environment=LATER)
    assert "linked" not in clawgit("corrections", environment=LATER).out


def test_words_about_a_line_that_is_gone_go_beside_no_other(room, clawgit) -> None:
    """Mutant: words are read again for whatever reason their link has ended."""
    line = "The team meeting is on Thursdays at 14 Uhr in room 3."
    room.change({"MEMORY.md": f"- {line} <!-- m:aaaaaa -->\n"}, actor="operator")
    clawgit("chat", "add", "15 Uhr, nicht 14", "--at", "2026-03-19T10:30", environment=LATER)
    clawgit("run", "recall-validator", environment=LATER)
    room.change(
        {"MEMORY.md": "- The book club is at 14 Uhr in room 4. <!-- m:bbbbbb -->\n"}, actor="operator"
    )

    clawgit("run", "recall-validator", environment=LATER)

    assert clawgit("corrections", "--json").data == []
