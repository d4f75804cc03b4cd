"""Text leaves a file only for another place, or with a word about why.

Mutants seen to fail here: only changed files are looked at; all files are read for an append; a reworded line
is lost; what is declared for another file counts.
"""

from __future__ import annotations

import pytest

from clawgit.history.authorship.intent import Intent
from clawgit.history.guards.check import check
from clawgit.history.transaction.working_tree import Draft
from clawgit.workspace.safe_files import FileContent
from clawgit.workspace.settings.settings import Settings

DAY = "memory/2026-03-19.md"
LINES = [f"- Fact {name} is what {name} said on that day.\n" for name in "abcdefghij"]
BEFORE = {DAY: "# Thursday\n\n" + "".join(LINES), "memory/other.md": "- Elsewhere.\n"}


@pytest.mark.parametrize(
    ("after", "rules"),
    [
        pytest.param({DAY: BEFORE[DAY] + "- One more.\n"}, [], id="append"),
        pytest.param({DAY: "".join(LINES[2:])}, [], id="a fifth, and the heading"),
        pytest.param({DAY: "".join(LINES[3:])}, ["loss"], id="three tenths"),
        pytest.param({DAY: None}, ["loss"], id="all"),
        pytest.param({"memory": "- A file in the folder's place.\n"}, ["loss", "loss"], id="folder gone"),
        pytest.param({DAY: "".join(reversed(LINES))}, [], id="another order"),
        pytest.param({DAY: BEFORE[DAY].replace("\n", "\r\n")}, [], id="other line ends"),
        pytest.param({DAY: BEFORE[DAY].replace(".", ". <!-- m:a1 -->")}, [], id="ids"),
        pytest.param({DAY: BEFORE[DAY].replace("is what", "was what")}, [], id="reworded"),
        pytest.param(
            {DAY: BEFORE[DAY].replace("Fact", "# Fact").replace("- #", "#")}, ["loss"], id="made a heading"
        ),
        pytest.param({DAY: "- It was a long day with many a fact.\n" * 10}, ["loss"], id="retold"),
        pytest.param({DAY: None, "Archive/Daily/2026/03/2026-03-19.md": BEFORE[DAY]}, [], id="moved"),
        pytest.param(
            {DAY: None, "memory/a.md": "".join(LINES[:5]), "memory/b.md": "".join(LINES[5:])}, [], id="split"
        ),
        pytest.param({DAY: None, "copy.txt": BEFORE[DAY]}, ["loss"], id="moved to no Markdown"),
    ],
)
def test_text_stays_or_moves(look, after: dict, rules: list[str]) -> None:
    assert look.rules(BEFORE, after) == rules


TRIP = "## Trip\n\n| a | b |\n|---|---|\n" + "".join(LINES)
REST = "# Memory\n\n| a | b |\n|---|---|\n" + "".join(
    f"- The {name} box is at the {name} end of the {name} shelf.\n" for name in "klmnopqrstuvwxyz" * 3
)
LONG = {"MEMORY.md": REST + TRIP, "memory/other.md": "- Elsewhere.\n"}


@pytest.mark.parametrize(
    ("after", "actor", "rules"),
    [
        pytest.param({"MEMORY.md": REST}, "host", ["loss"], id="cut by the agent"),
        pytest.param({"MEMORY.md": REST}, "unknown", ["loss"], id="cut by nobody known"),
        pytest.param({"MEMORY.md": REST}, "operator", [], id="his own cut"),
        pytest.param({"MEMORY.md": REST}, "organizer", [], id="a job, which has bounds of its own"),
        pytest.param({"MEMORY.md": REST, "memory/trip.md": TRIP}, "host", [], id="moved"),
        pytest.param(
            {"MEMORY.md": TRIP.replace("Trip", "Voyage") + REST}, "host", [], id="renamed and moved up"
        ),
        pytest.param({"MEMORY.md": REST + "".join(LINES)}, "host", [], id="its heading alone"),
        pytest.param({"MEMORY.md": REST + "## Trip\n"}, "host", [], id="emptied below its heading"),
        pytest.param({"MEMORY.md": REST + TRIP.replace("is what", "was what")}, "host", [], id="reworded"),
        pytest.param(
            {"MEMORY.md": REST, "memory/trip.md": TRIP.replace("is what", "was what")},
            "host",
            [],
            id="moved and reworded",
        ),
    ],
)
def test_a_whole_section_that_the_agent_cut_is_a_loss_below_a_quarter(
    look, after: dict, actor: str, rules: list[str]
) -> None:
    """Seen: two sections, 21 % of MEMORY.md, went without a question."""
    assert look.rules(LONG, after, actor=actor) == rules


def test_a_short_section_may_go(look) -> None:
    note = "## Milk\n\n" + "".join(LINES[:9])
    assert look.rules({"MEMORY.md": REST + note}, {"MEMORY.md": REST}, actor="host") == []


CORRECTED = "# CORRECTIONS\n\n## 2026-03-01 10:22 <!-- x:4f1caa re-embedded:false -->\n\n- correct: 不跑了。\n- status: applied\n"


@pytest.mark.parametrize(
    ("kept", "ledger", "rules"),
    [(True, CORRECTED, []), (False, CORRECTED, ["loss"]), (True, "# CORRECTIONS\n", ["loss"])],
)
def test_what_a_corrected_line_said_before_is_not_lost(
    look, kept: bool, ledger: str, rules: list[str]
) -> None:
    """Seen: of four short lines the correction of one was refused; lines that somebody put into such comments were gone unseen."""
    before = {
        DAY: "- 用户每天早上六点半跑步。\n- 用户不喝咖啡。\n- 用户在减糖。\n",
        "CORRECTIONS.md": "# CORRECTIONS\n",
    }
    note = "  <!-- was: 用户每天早上六点半跑步。 -->\n" if kept else ""
    after = {
        DAY: f"- 现在改游泳,不跑了。\n{note}- 用户不喝咖啡。\n- 用户在减糖。\n",
        "CORRECTIONS.md": ledger,
    }

    assert look.rules(before, after, actor="operator") == rules


def test_an_entry_over_several_lines_is_kept_by_one_comment(look) -> None:
    """Seen: `MEMORY.md loses 47 % of its text, and no other file has it`, and the comment below had it."""
    first, second = "The user runs every morning at half past six", "along the river with the neighbour."
    before = {"MEMORY.md": f"- {first}\n  {second}\n", "CORRECTIONS.md": "# CORRECTIONS\n"}
    kept = f"- Swimming at noon.\n  <!-- was: {first} {second} -->\n"

    after = {"MEMORY.md": kept, "CORRECTIONS.md": CORRECTED}
    assert look.rules(before, after, actor="operator") == []
    after["MEMORY.md"] = kept.replace(f" {second}", "")
    assert look.rules(before, after, actor="operator") == ["loss"]


def test_what_an_untouched_file_holds_is_not_lost(look) -> None:
    before = BEFORE | {"memory/archive/2026-Q1.md": "# Q1\n\n" + "".join(LINES)}

    assert look(before, {DAY: None}) == []


def test_a_reason_for_that_file_lets_its_text_go(look) -> None:
    assert look.rules(BEFORE, {DAY: None}, losses={DAY: "It expired."}) == []
    assert look.rules(BEFORE, {DAY: None}, losses={"memory/other.md": "It expired."}) == ["loss"]
    assert look.rules(BEFORE, {DAY: None}, losses={DAY: " "}) == ["loss"]


@pytest.mark.parametrize(
    ("actor", "severity"), [("organizer", "refuse"), ("host", "remark"), ("operator", "remark")]
)
def test_an_agent_is_refused_and_others_are_told(look, actor: str, severity: str) -> None:
    (found,) = look(BEFORE, {DAY: "".join(LINES[5:])}, actor)

    assert found.severity.value == severity
    assert f"{DAY} loses 50 %" in found.sentence
    assert f"{DAY} loses 50 %" in found.happened().sentence


@pytest.mark.parametrize(
    "path",
    [
        "CONFIG.md",
        "notes.txt",
        "memory/INDEX.md",
        "memory/structured/entities/ada.md",
        "agents/organizer/SOUL.md",
    ],
)
def test_what_is_no_memory_may_change_freely(look, path: str) -> None:
    assert [
        rule for rule in look.rules({path: BEFORE[DAY]}, {path: "- x\n"}, "operator") if rule == "loss"
    ] == []


def test_the_first_conversation_ends_without_a_word(look) -> None:
    """Mutant: BOOTSTRAP.md is a standing file like the others."""
    assert look({"BOOTSTRAP.md": BEFORE[DAY]}, {"BOOTSTRAP.md": None}, "operator") == []


class Watched:
    """A state that counts what is read of it."""

    def __init__(self, tree) -> None:
        self.tree = tree
        self.read_paths: list[str] = []

    def read(self, path: str):
        self.read_paths.append(path)
        return self.tree.read(path)

    def __getattr__(self, name: str):
        return getattr(self.tree, name)


def test_an_append_reads_no_other_file(look, now) -> None:
    base = Watched(look.tree(BEFORE | {f"memory/{number}.md": "- x\n" for number in range(50)}))
    new = Draft(base, {DAY: FileContent((BEFORE[DAY] + "- One more.\n").encode())})

    assert check(base, new, Intent("op", "organizer", now), Settings()) == ()
    assert set(base.read_paths) <= {DAY}


def test_a_program_that_changed_is_not_read_as_it_was(look, now) -> None:
    """Mutant: what it lost is asked for before it is seen to be no note."""
    base = Watched(look.tree(BEFORE | {"src/main.py": "old\n"}))
    new = Draft(base, {"src/main.py": FileContent(b"new\n")})

    assert check(base, new, Intent("op", "organizer", now), Settings()) == ()
    assert base.read_paths == []


def test_a_file_of_many_lines_is_compared_without_pairing_them(look) -> None:
    before = "".join(f"- number {number} of this very long list\n" for number in range(1000))
    after = "".join(f"- entry {number} that has quite another text\n" for number in range(1000))

    assert look.rules({DAY: before}, {DAY: after}) == ["loss"]
