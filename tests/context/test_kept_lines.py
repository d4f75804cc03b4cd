"""What is told of kept lines: what still stands in its file, of that day, while what corrects it is as it was."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from clawgit.context.kept_lines import FILE, fenced, lines_to_keep, told_again
from clawgit.context.slots import HEADING, LONGTERM, PROSE, RECALL, Passage, SlotText
from clawgit.context.wanted_context import FilledSlot

NOW = datetime(2026, 11, 23, 10, 0, tzinfo=UTC)
TEA, DOG = "- Ada likes tea.", "- The dog is called Rex."
FILES = {
    "SOUL.md": "# SOUL\n\n## Manner\n\nBe kind.\n",
    "MEMORY.md": f"# Memory\n\n{TEA} <!-- m:abcdef -->\n{DOG}\n- Only said.\n",
    "CORRECTIONS.md": "# Corrections\n",
}
PASSAGES = [
    Passage("## Manner", HEADING, "SOUL.md"),
    Passage("Be kind.", PROSE, "SOUL.md"),
    Passage(TEA, path="MEMORY.md"),
    Passage(DOG, path="MEMORY.md"),
]

NOT_STABLE = (Passage("- Only said.", path="MEMORY.md"),)


@pytest.fixture
def root(tmp_path):
    for path, text in FILES.items():
        (tmp_path / path).write_text(text)
    return tmp_path


def kept(*more: Passage) -> str:
    beside = {"CORRECTIONS.md": FILES["CORRECTIONS.md"].encode(), "CONFLICTS.md": b""}
    slot = FilledSlot(SlotText(LONGTERM, (*PASSAGES, *more)), 0, 0, 0)
    return lines_to_keep(
        [slot, FilledSlot(SlotText(RECALL, NOT_STABLE), 0, 0, 0)], ["MEMORY.md"], beside, NOW
    )


def lines_told(root, later: timedelta = timedelta(hours=1), what: str = "") -> list[str]:
    (root / ".git/clawgit").mkdir(parents=True, exist_ok=True)
    (root / ".git/clawgit" / FILE).write_bytes((what or kept()).encode("utf-8", "surrogateescape"))
    return told_again(str(root), (NOW + later).timestamp()).splitlines()


def test_kept_lines_are_told_as_their_files_have_them_with_their_age(root) -> None:
    assert lines_told(root) == [
        "(Memory as of 2026-11-23 10:00, what of it still stands. All of it follows with a later message.)",
        "",
        "# SOUL.md",
        "",
        "## Manner",
        "",
        "Be kind.",
        "",
        "# MEMORY.md",
        "",
        TEA,
        DOG,
    ]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("MEMORY.md", f"{DOG}\n"),
        ("MEMORY.md", "- Ada likes teapots.\n- Ada likes tea. And cake.\n"),
        ("MEMORY.md", f"<!-- was: Ada likes tea. -->\n{DOG}\n"),
        ("CORRECTIONS.md", "# Corrections\n\n## x:abcdef\n"),
        ("CONFLICTS.md", "# Conflicts\n"),
    ],
    ids=["forgotten", "part of others", "corrected", "a correction came", "a conflict came"],
)
def test_what_may_not_hold_any_more_is_not_told(root, path: str, text: str) -> None:
    """Mutants: each of the two looks is left out; a line is looked for as a part of the text."""
    (root / path).write_text(text)

    assert TEA not in lines_told(root)
    assert "Be kind." in lines_told(root)


@pytest.mark.parametrize(
    ("later", "soul", "memory"),
    [
        (timedelta(hours=13), True, True),
        (timedelta(hours=14), True, False),
        (timedelta(minutes=-1), False, False),
    ],
    ids=["the same day", "the next day", "a clock that was put back"],
)
def test_memory_is_told_on_its_own_day_alone(root, later: timedelta, soul: bool, memory: bool) -> None:
    """Mutant: an entry whose time ran out at midnight is told."""
    said = lines_told(root, later)

    assert ("Be kind." in said, TEA in said) == (soul, memory)


def test_what_is_told_with_a_note_or_as_data_is_not_kept(root) -> None:
    noted = [
        Passage("- A.", path="MEMORY.md", note="disputed"),
        Passage("- B.", path="MEMORY.md", trust="a fence"),
        Passage("- C. D.", path="MEMORY.md", until=4),
    ]
    (root / "MEMORY.md").write_text(f"{FILES['MEMORY.md']}- A.\n- B.\n- C. D.\n")

    assert lines_told(root, what=kept(*noted))[-2:] == [TEA, DOG]


def test_a_heading_with_nothing_below_it_is_not_told(root) -> None:
    (root / "SOUL.md").write_text("# SOUL\n\n## Manner\n")

    assert lines_told(root)[2] == "# MEMORY.md"


def test_what_is_below_a_heading_that_is_told_as_data_is_not_kept(root) -> None:
    """Mutant: it is told below the heading before."""
    (root / "SOUL.md").write_text(f"{FILES['SOUL.md']}\n## Ada\n\n- Is late.\n")
    others = (Passage("## Ada", HEADING, "SOUL.md", trust="unknown"), Passage("- Is late.", path="SOUL.md"))
    beside = {"CORRECTIONS.md": b"", "CONFLICTS.md": b""}
    slot = FilledSlot(SlotText(LONGTERM, (*PASSAGES[:2], *others)), 0, 0, 0)

    lines = lines_told(root, what=lines_to_keep([slot], [], beside, NOW))

    assert lines[-1] == "Be kind."


def test_what_stood_below_a_heading_that_is_gone_is_not_told(root) -> None:
    """Seen: `## Never` became `## Never do`, and what is never to be done was told below the heading before."""
    (root / "SOUL.md").write_text("# SOUL\n\n## How\n\nBe kind.\n")

    told = lines_told(root)

    assert "Be kind." not in told
    assert TEA in told


@pytest.mark.parametrize("what", [" ", "[", "2026-11-23 10:00\tx\t0", "\udcff", f"{kept()}\nitem\tSOUL.md"])
def test_a_record_that_is_damaged_tells_nothing(root, what: str) -> None:
    assert lines_told(root, what=what) == []


def test_nothing_is_told_where_nothing_is_kept(root) -> None:
    assert told_again(str(root), NOW.timestamp()) == ""


def test_no_line_ends_the_passage_in_which_it_is_told() -> None:
    assert fenced("a </clawgit_context> b").count("</clawgit_context>") == 1


def test_a_kept_line_is_told_without_the_tag_of_its_entry(root) -> None:
    (root / "MEMORY.md").write_text(f"# Memory\n\n{TEA} #knowledge <!-- m:abcdef -->\n{DOG}\n")
    tagged = Passage(f"{TEA} #knowledge", path="MEMORY.md", tag=" #knowledge")

    assert TEA in lines_told(root, what=kept(tagged))
