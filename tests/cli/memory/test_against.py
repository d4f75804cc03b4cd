"""Lines of the agent that go against what the operator corrected, took back or took out: he and the agent are told."""

from __future__ import annotations

import pytest

LINE = "Emil keeps item 1 of the workshop on shelf 1."
RIGHT = "Emil keeps item 1 of the workshop on shelf 3."
WALNUTS = "Nora is allergic to walnuts."
TUESDAY = "Nora teaches on Tuesdays."
MEMORY = f"# Memory\n\n- {LINE}\n- Emil keeps item 3 of the workshop on shelf 2.\n- {TUESDAY}\n- {WALNUTS}\n"


@pytest.fixture
def kiln(room):
    room.write("MEMORY.md", MEMORY)
    room.keep("operator")
    return room


def against(clawgit, line: str) -> tuple[str, str]:
    """Have the agent remember a line; return the sentence that it is told, and the one of the operator's question."""
    told = clawgit("remember", line, actor="host").err.splitlines()
    (item,) = [each for each in clawgit("pending", "--json").data if f'"2026-03-19: {line}"' in each["text"]]
    return "".join(each for each in told if each.startswith("The operator ")), item["why"].partition(" But ")[
        2
    ]


def decide(clawgit, how: str) -> None:
    steps = {
        "corrected": [("correct", LINE, RIGHT)],
        "linked": [("chat", "add", "Item 1 of the workshop is on shelf 3, not on shelf 1.")],
        "said": [("chat", "add", "Nora teaches on Wednesdays now."), ("chat", "add", "Scratch that.")],
        "forgotten": [("forget", WALNUTS, "--yes")],
        "brought back": [("forget", WALNUTS, "--yes"), ("undo", "HEAD")],
        "corrected again": [("correct", LINE, RIGHT), ("correct", RIGHT, LINE)],
        "nothing": [],
    }
    for step in steps[how]:
        clawgit(*step)


@pytest.mark.parametrize(
    ("how", "line", "says"),
    [
        pytest.param("corrected", LINE, f'corrected this on 19 March; "{RIGHT}" is in force (x:', id="corrected"),
        pytest.param("linked", LINE, 'said against it on 19 March: "Item 1 of the workshop is on', id="linked"),
        pytest.param("said", "Nora teaches on Wednesdays.", "took this back.", id="taken back"),
        pytest.param("forgotten", WALNUTS.rstrip("."), "took this out on 19 March.", id="forgotten"),
    ],
)  # fmt: skip
def test_an_agent_that_says_again_what_he_decided_against_is_told_and_so_is_he(
    clawgit, kiln, how, line, says
) -> None:
    """Seen: "Remembered", and "Is this so?" without a word of his correction."""
    decide(clawgit, how)

    told, asked = against(clawgit, line)

    assert told.startswith(f"The operator {says}")
    assert "If he has not said it since, take it out: `clawgit undo m:" in told
    assert asked.startswith(f"you {says}")
    assert f"you {' '.join(says.split()[:2]).rstrip('.')}" in clawgit("digest").out


@pytest.mark.parametrize(
    ("how", "line"),
    [
        pytest.param("corrected", "Emil keeps item 3 of the workshop on shelf 2.", id="another number"),
        pytest.param("corrected", RIGHT, id="what holds"),
        pytest.param("corrected again", LINE, id="corrected back"),
        pytest.param("said", TUESDAY, id="what came back"),
        pytest.param("forgotten", "Nora is allergic to cats.", id="another thing"),
        pytest.param("brought back", WALNUTS, id="brought back"),
        pytest.param("nothing", LINE, id="nothing decided"),
    ],
)
def test_a_line_against_which_he_decided_nothing_is_told_as_before(clawgit, kiln, how, line) -> None:
    decide(clawgit, how)

    assert against(clawgit, line) == ("", "")


def test_a_rejected_line_that_comes_again_is_told(clawgit, kiln) -> None:
    """Seen: the operator was asked again and again."""
    clawgit("remember", "Bruno likes tea.", actor="host")
    (item,) = clawgit("pending", "--kind", "reading", "--json").data
    clawgit("reject", item["id"])

    assert against(clawgit, "Bruno likes tea.")[1] == "you took this out on 19 March."


@pytest.mark.rest
def test_a_yes_to_a_corrected_line_says_that_the_correction_stays(clawgit, kiln) -> None:
    """Seen: "is your own word now", and search went on showing the correction in its place."""
    decide(clawgit, "corrected")
    clawgit("remember", "Bruno likes tea.", actor="host")
    clawgit("remember", LINE, actor="host")
    item, _ = clawgit("pending", "--kind", "reading", "--json").data
    (correction,) = clawgit("corrections", "--json").data
    name = correction["id"]
    stays = f"But {name} stays in force, and is shown in its place, until `clawgit undo {name}`."

    said = clawgit("approve", item["id"])

    assert item["yes"] == f"It counts as your own word. {stays}"
    assert said.err == f"{item['id']} is your own word now. {stays}\n"
    assert f"learned: {LINE}  (you, {item['id']})" in clawgit("status").out
    assert "instead of" in clawgit("search", "where does Emil keep item 1").out


ORDER = "I never want you to send email after 9pm."
CHANGED = "I like email in the evening."


@pytest.mark.rest
@pytest.mark.parametrize(("actor", "by"), [("host", "your agent"), ("unknown", "an unknown author")])
def test_an_order_of_his_that_somebody_reworded_is_no_quote_of_his_any_more(clawgit, kiln, actor, by) -> None:
    """Seen: "corrected: … (your agent)" without an undo, far down in the digest, and `User: "…"` in the prompt."""
    clawgit("chat", "add", f"Remember: {ORDER}")
    kiln.write("MEMORY.md", kiln.read("MEMORY.md").replace(ORDER, CHANGED).replace("Tuesdays", "Mondays"))
    kiln.keep(actor)
    undo = kiln.head()[:12]
    change = f"{ORDER.rstrip('.')} → {CHANGED.rstrip('.')}"

    status, digest, log = (clawgit(name).out for name in ("status", "digest", "log"))

    assert f"  your words changed: {change}  ({by}, m:" not in status, "the undo has the commit"
    assert f"  your words changed: {change}  ({by}) → `clawgit undo {undo}`\n" in status
    assert (
        f"  your words changed: Nora teaches: Tuesdays → Mondays  ({by}) → `clawgit undo {undo}`\n" in status
    )
    assert "corrected:" not in status
    above = digest.partition("## Said otherwise since\n")[2].partition("\n#")[0]
    assert f"- {change} ({by}, in the place of your words) → undo {undo}" in above
    assert CHANGED.rstrip(".") not in digest.partition("## Typed")[2]
    assert "User:" not in status + digest + log
    assert f"→ `clawgit undo {undo}`" in log
    assert f'"{CHANGED}"' in clawgit("context").out
    assert f'User: "{CHANGED}"' not in clawgit("context").out

    clawgit("undo", undo)
    assert "your words changed" not in clawgit("status").out
    assert f'User: "{ORDER}"' in clawgit("context").out
