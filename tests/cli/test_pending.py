"""The one queue: for each kind of item the question, its yes, its no, other words, and taking the answer back."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

import pytest

from clawgit.agents.first_rearrangement import note_first
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import FIRST_MOVES_FILE, new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.guards.check import GuardError
from clawgit.history.review.proposals import change_of, park
from clawgit.history.review.working_tree_edits import WorkEdit
from clawgit.plan import Edit, Plan
from clawgit.workspace.clock_looks import note_clock
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from collections.abc import Callable

SOUL = "# SOUL\n\n- Be kind.\n- Be short.\n"
MARKERS = "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n"
OLD, NEW = "The staging server listens on port 8443.", "The staging server listens on port 9443."
ENTRY = "- Ada drinks tea. <!-- m:cccccc -->\n"


@pytest.fixture(autouse=True)
def after_the_first_conversation(room, lived_once) -> None:
    def life() -> None:
        (room.root / "BOOTSTRAP.md").unlink()
        room.write("SOUL.md", SOUL)
        room.keep("operator")

    lived_once("the first conversation", life)


def proposal(room, clawgit) -> None:
    room.write("SOUL.md", SOUL.replace("Be kind", "Be harsh"))
    clawgit("keep", actor="host")


def addition(room, clawgit) -> None:
    room.write("SOUL.md", SOUL + "- Be brief.\n")
    clawgit("keep", actor="host")


def question(room, clawgit) -> None:
    room.change({"MEMORY.md": ENTRY}, actor="operator")
    said = clawgit(
        "chat", "add", "Bob says Ada no longer drinks tea.", "--at", "2026-03-19T09:01", "--json"
    ).data["id"]
    line = "Ada no longer drinks tea."
    clawgit("correct", "m:cccccc", line, "--evidence", said, actor="host")


def conflict(room, clawgit) -> None:
    for text in (OLD, NEW):
        clawgit("memory", "add", text, "--tag", "knowledge", "--to", "MEMORY.md")
    clawgit("run", "conflict-detector")


def quarantine(room, clawgit) -> None:
    plan = Plan("organizer: facts", (Edit("memory/facts.md", MARKERS.encode()),))
    with pytest.raises(GuardError):
        apply_plan(room.history, lambda _: plan, Intent(new_op(), "organizer", room.now))


def setting(room, clawgit) -> None:
    clawgit("config", "set", "soul_max_tokens", "5000", actor="host")


def loss(room, clawgit) -> None:
    clawgit("memory", "add", "The kitchen is green.", "--tag", "knowledge")
    copy = room.read("MEMORY.md")
    clawgit("memory", "add", "Eve likes quinces.", "--tag", "knowledge")
    room.write("MEMORY.md", copy + "- Ada asked for a shorter summary.\n")
    clawgit("keep", actor="host")


def clock(room, clawgit) -> None:
    state = room.root / ".git/clawgit"
    note_clock(state, room.now - timedelta(days=90), None)
    note_clock(state, room.now, None)


def drift(room, clawgit) -> None:
    clawgit("soul", "snapshot", "-m", "calm")
    clawgit("config", "set", "drift_alarm", "10")
    room.write("SOUL.md", "# SOUL\n\n- Shout at everybody.\n- Never rest.\n")
    room.keep("operator")


def reading(room, clawgit) -> None:
    clawgit("memory", "add", "The wifi is called Harbour.", actor="host")


class Case(NamedTuple):
    """A kind of item, the words behind its id for a yes, a file with what a yes and a no leave there."""

    makes: Callable[..., None]
    words: tuple[str, ...] = ()
    path: str = ""
    after_yes: str = ""
    after_no: str = ""
    undone: bool = True


CASES = {
    "proposal": Case(proposal, (), "SOUL.md", "- Be harsh.", "- Be kind."),
    "addition": Case(addition, (), "SOUL.md", "- Be brief.", "- Be short.\n"),
    "question": Case(question, (), "MEMORY.md", "- Ada no longer drinks tea", ENTRY),
    "conflict": Case(conflict, ("B",), "CONFLICTS.md", "outcome: b holds", "outcome: both hold"),
    "quarantine": Case(
        quarantine, ("--override", "conflict-marker", "--reason", "A quotation."), "memory/facts.md", MARKERS
    ),
    "setting": Case(setting, (), "CONFIG.md", "5000", "", undone=False),
    "loss": Case(loss, (), "MEMORY.md", "shorter summary", "Eve likes quinces."),
    "clock": Case(clock, undone=False),
    "drift": Case(drift, (), "SOUL.md", "- Never rest.", undone=False),
    "reading": Case(reading, (), "memory/learned.md", "The wifi is called Harbour.", "# Learned"),
}
KINDS = pytest.mark.parametrize("kind", CASES)


@pytest.fixture
def waits(room, clawgit, lived_once) -> Callable[[str], dict]:
    """Return what lets one item of a kind wait, and returns it."""

    def wait(kind: str) -> dict:
        lived_once(kind, lambda: CASES[kind].makes(room, clawgit))
        (item,) = of_kind(clawgit, kind)
        return item

    return wait


def of_kind(clawgit, kind: str) -> list[dict]:
    return list(clawgit("pending", "--kind", kind, "--json").data)


@pytest.mark.sampled(4)
@KINDS
def test_each_kind_is_asked_in_the_same_shape_everywhere(room, clawgit, waits, kind: str) -> None:
    """Mutants: a kind is in no list; `show` knows another id than the list."""
    item = waits(kind)

    assert all(item[key] for key in ("id", "kind", "text", "yes", "no", "commands"))
    assert clawgit("pending", "show", item["id"], "--json").data == item
    assert item in clawgit("status", "--json").data["pending"]
    shown = f"`clawgit reject {item['id']}` keeps it" if kind == "loss" else f"? {item['id']}: {item['text']}"
    assert shown in clawgit("status").out
    (row,) = (
        line
        for line in clawgit("digest", "--since", "2026-03-18").out.splitlines()
        if line.startswith("- ") and item["id"] in line
    )
    shown = f"- {item['text'][:20]}"
    if item["change"]:
        shown = f"- 1 {item['change']}? → answer {item['id']}"
    if kind == "reading":  # under "Learned", with its answers
        shown = "- "
    assert row.startswith(shown)
    command, *others = item["commands"]
    assert row.endswith((f" → answer {item['id']}", f" → show {item['id']}" if others else f" → `{command}`"))
    assert (item["lapses"] is not None) == (kind in ("proposal", "question", "reading"))


@pytest.mark.sampled(4)
@KINDS
def test_a_yes_does_what_the_item_says_and_can_be_taken_back(room, clawgit, waits, kind: str) -> None:
    case = CASES[kind]
    if kind == "reading":  # his word is in core memory
        case = case._replace(path="MEMORY.md")
    item = waits(kind)
    before = room.read(case.path) if case.path and (room.root / case.path).exists() else ""

    done = clawgit("approve", item["id"], *case.words, "--json")

    assert done.code == 0, done.err
    (answer,) = done.data
    assert (answer["id"], answer["kind"], answer["answer"]) == (item["id"], kind, "yes")
    assert of_kind(clawgit, kind) == []
    assert not case.path or case.after_yes in room.read(case.path)
    if case.undone:
        assert clawgit("undo", answer["commit"]).code == 0
        assert (room.read(case.path) if (room.root / case.path).exists() else "") == before


@pytest.mark.sampled(4)
@KINDS
def test_a_no_does_what_the_item_says(room, clawgit, waits, kind: str) -> None:
    case = CASES[kind]
    item = waits(kind)

    done = clawgit("reject", item["id"], "--yes", "--json")

    if kind in ("clock", "drift"):
        assert (done.code, len(of_kind(clawgit, kind))) == (1, 1)
        return
    assert (done.code, done.data[0]["answer"]) == (0, "no"), done.err
    assert of_kind(clawgit, kind) == []
    assert not case.after_no or case.after_no in room.read(case.path)
    assert kind != "setting" or "5000" not in room.read("CONFIG.md")


@pytest.mark.sampled(1)
@KINDS
def test_nobody_but_the_operator_decides(clawgit, waits, kind: str) -> None:
    item = waits(kind)

    for actor in ("host", "soul-keeper"):
        for verb in ("approve", "reject"):
            said = clawgit(verb, item["id"], actor=actor)
            assert (said.code, "only you can" in said.err) == (1, True), (actor, verb)
    assert of_kind(clawgit, kind) == [item]


@pytest.mark.parametrize(
    ("kind", "words", "path", "line"),
    [
        ("proposal", "Be firm.", "SOUL.md", "- Be firm.\n- Be short.\n"),
        ("question", "Ada drinks water.", "MEMORY.md", "- Ada drinks water. <!-- m:cccccc -->"),
        ("question", "both", "MEMORY.md", ENTRY),
        ("addition", "Be brief and warm.", "SOUL.md", "- Be brief and warm."),
        ("reading", "The wifi is called Pier.", "memory/learned.md", "The wifi is called Pier."),
    ],
)
def test_other_words_are_taken_instead(
    room, clawgit, waits, kind: str, words: str, path: str, line: str
) -> None:
    item = waits(kind)

    done = clawgit("approve", item["id"], words)

    assert done.code == 0, done.err
    assert line in room.read(path)
    assert of_kind(clawgit, kind) == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("kind", ["addition", "proposal"])
def test_a_choice_of_another_kind_is_no_line_of_the_soul(room, clawgit, waits, kind: str) -> None:
    """Seen: `approve u-… both` made `- both` of the line."""
    item = waits(kind)
    before = room.read("SOUL.md")

    refused = clawgit("approve", item["id"], "both")

    assert (refused.code, f"A {kind} takes no `both`." in refused.err) == (2, True)
    assert room.read("SOUL.md") == before


@pytest.mark.parametrize("kind", ["quarantine", "setting", "loss", "clock", "drift"])
def test_what_takes_no_other_words_says_so(room, clawgit, waits, kind: str) -> None:
    item = waits(kind)

    said = clawgit("approve", item["id"], "Something else.")

    assert (said.code, f"A {kind} takes no other words." in said.err) == (2, True)
    assert of_kind(clawgit, kind) == [item]


def test_a_yes_to_a_setting_is_a_commit_of_the_operators(room, clawgit, waits) -> None:
    """Mutant: only a file of this account knows of it."""
    item = waits("setting")
    before = room.head()
    clawgit("approve", item["id"])
    commit = room.history.objects.commit(room.head())
    assert room.head() != before
    assert commit.subject == "config: soul_max_tokens approved"
    assert commit.trailers.first("Clawgit-Actor") == "operator"
    assert clawgit("config", "show", "soul_max_tokens", "--json").data["value"] == 5000


@pytest.mark.parametrize("words", [("keep", "--as", "operator"), ("reject", "{}", "--yes")])
def test_an_edit_of_the_folder_that_was_decided_is_not_asked_again(room, clawgit, words) -> None:
    """Mutants: the item is only hidden while the file reads so; a no leaves the edit in the folder."""
    soul = room.read("SOUL.md")
    first = next(line for line in soul.splitlines() if line.startswith("- "))
    room.write("SOUL.md", soul.replace(first, "- Answer in verse."))
    clawgit("keep")
    (item,) = of_kind(clawgit, "proposal")
    assert item["commands"] == ["clawgit keep --as operator", f"clawgit reject {item['id']}"]

    assert clawgit(*(word.format(item["id"]) for word in words)).code == 0
    if words[0] == "keep":
        commit = room.history.objects.commit(room.head())
        assert commit.trailers.first("Clawgit-Proposal") == item["id"]
        clawgit("soul", "revert", "HEAD", "--reason", "No verse.")
    assert room.read("SOUL.md") == soul
    assert of_kind(clawgit, "proposal") == []
    assert clawgit("status", "--json").data["uncommitted"] == []


def test_the_sides_of_a_conflict_are_named_by_whose_words_they_are(room, clawgit) -> None:
    """Mutant: what an unknown author wrote counts as little as the agent's, and is called the agent's."""
    room.write("MEMORY.md", "- The staging port is 8080.\n")
    clawgit("keep")
    room.write("memory/facts.md", "- The staging port is 9090.\n")
    clawgit("keep", actor="host")
    clawgit("run", "conflict-detector")
    (item,) = of_kind(clawgit, "conflict")
    quotes = [each["quote"] for each in item["evidence"]]
    assert sorted(quote.rpartition(", ")[2] for quote in quotes) == ["an unknown author", "your agent"]
    listed = clawgit("conflicts", "list").out
    assert "an unknown author)" in listed
    assert "your agent)" in listed


def later(room, days: int) -> dict[str, str]:
    return {"CLAWGIT_NOW": (room.now + timedelta(days=days)).isoformat(), "CLAWGIT_REHEARSE": "1"}


@pytest.mark.sampled(4)
@KINDS
def test_what_waits_for_an_answer_alone_lapses_after_60_days(room, clawgit, waits, kind: str) -> None:
    """Mutants: everything lapses; what lapsed is told each morning, or never; it cannot be brought back."""
    case = CASES[kind]
    item = waits(kind)
    clawgit("run", "soul-keeper", environment=later(room, 59))
    assert [each["id"] for each in of_kind(clawgit, kind)] == [item["id"]]
    before = room.read(case.path) if kind in ("proposal", "question") else ""
    clawgit("digest", "--send", "2026-05-18", environment=later(room, 60))

    said = clawgit("run", "soul-keeper", environment=later(room, 61))
    assert said.code == 0, said.err

    if kind == "reading":  # it stays as it is, the agent's word
        shown = [
            clawgit("pending", "--kind", kind, "--json", environment=later(room, days)).data
            for days in (59, 60)
        ]
        assert [len(each) for each in shown] == [1, 0]
        assert case.after_yes in room.read(case.path)
        return
    if kind not in ("proposal", "question"):
        assert [each["id"] for each in of_kind(clawgit, kind)] == [item["id"]]
        return
    assert of_kind(clawgit, kind) == []
    assert room.read(case.path) == before
    first, second = (
        clawgit("digest", "--send", f"2026-05-{day}", environment=later(room, days)).out
        for day, days in (("20", 62), ("21", 63))
    )
    told = first.partition("## Lapsed")[2]
    assert told.count(" → ") == 1
    assert "## Lapsed" not in second
    word, name = told.partition(" → ")[2].splitlines()[0].split()
    assert clawgit({"answer": "approve"}.get(word, word), name).code == 0
    if kind == "proposal":
        assert "- Be harsh." in room.read("SOUL.md")
    else:
        assert [each["id"] for each in of_kind(clawgit, kind)] == [item["id"]]


def test_an_agents_line_is_shown_with_the_whole_sentence_that_it_cites(clawgit) -> None:
    """Seen: "Your agent remembered it, in its own words." and nothing of the message. Mutant: as cut as in its commit."""
    sentence = (
        f"The caterer wants half of it by 3 May, so that she can order {'fish and wine and ' * 12}bread."
    )
    cited = clawgit("chat", "add", f"We talked about the wedding. {sentence}", "--json").data["id"]
    line = ("memory", "add", "The caterer is called Bea.", "--evidence", cited, "--quote", sentence)
    clawgit(*line, environment={"CLAWGIT_ACTOR": "host"})
    (item,) = clawgit("pending", "--kind", "reading", "--json").data

    shown = clawgit("pending", "show", item["id"]).out

    assert f"  evidence: {cited} '{sentence[:150]}" in shown
    assert f"  all of {cited}, 2026-03-19: 'We talked about the wedding. {sentence}'\n" in shown


def test_equal_wordings_are_one_item_with_the_evidence_of_all(room, clawgit) -> None:
    """Mutants: the same is asked twice; a no to one leaves the other."""
    tip = room.history.tip()
    for number, end in enumerate(("", "!", "!!")):
        text = SOUL + f"- Rest on Sundays{end}\n"
        intent = Intent(new_op(), "host", room.now + timedelta(seconds=number))
        with room.history.locked():
            park(room.history, tip, change_of(tip, WorkEdit("SOUL.md", FileContent(text.encode())), intent))

    (item,) = of_kind(clawgit, "proposal")

    assert len(item["also"]) == 2
    assert clawgit("reject", item["id"], "--reason", "I never rest.").code == 0
    assert of_kind(clawgit, "proposal") == []


@pytest.mark.rest
def test_questions_are_answered_all_at_once_and_count_no_more_than_the_hosts_word(room, clawgit) -> None:
    """Mutants: a yes to many makes operators' words; the soul is approved with them."""
    names = "abc"
    text = "".join(f"- The review of team {name} is on Wednesday. <!-- m:{name * 6} -->\n" for name in names)
    room.change({"MEMORY.md": text}, actor="operator")
    said = clawgit("chat", "add", "Bob says the review of each team is on Monday.", "--json").data["id"]
    for name in names:
        right = f"The review of team {name} is on Monday."
        clawgit("correct", f"m:{name * 6}", right, "--evidence", said, actor="host")
    proposal(room, clawgit)
    first = of_kind(clawgit, "question")[0]

    done = clawgit("approve", "--all-like", first["id"], "--json")

    assert [each["kind"] for each in done.data] == ["question"] * 3, done.err
    assert room.read("MEMORY.md").count("is on Monday.") == 3
    trusts = {each["trust"] for each in clawgit("memory", "list", "--json").data if "Monday" in each["text"]}
    assert trusts == {"host"}
    (left,) = of_kind(clawgit, "proposal")
    refused = clawgit("approve", "--all-like", left["id"])
    assert (refused.code, "decided one by one" in refused.err) == (2, True)


def test_of_several_answers_one_that_is_refused_does_not_hold_up_the_others(room, clawgit) -> None:
    quarantine(room, clawgit)
    proposal(room, clawgit)
    (refused,) = of_kind(clawgit, "quarantine")
    (asked,) = of_kind(clawgit, "proposal")

    done = clawgit("approve", refused["id"], asked["id"], "--json")

    assert done.code == 1
    assert [each["outcome"] for each in done.data] == ["refused", "applied"]
    assert "- Be harsh." in room.read("SOUL.md")


def test_status_and_digest_show_three_and_count_the_others(room, clawgit) -> None:
    for number in range(12):
        text = SOUL + f"- Keep promise {'x' * number}{number}.\n"
        with room.history.locked():
            edit = WorkEdit("SOUL.md", FileContent(text.encode()))
            park(
                room.history,
                room.history.tip(),
                change_of(room.history.tip(), edit, Intent(new_op(), "host", room.now)),
            )

    assert clawgit("status").out.count("? p-") == 3
    assert "? ... and 9 more (`clawgit pending`)" in clawgit("status").out
    assert "- 9 more questions: `clawgit pending`" in clawgit("digest", "--since", "2026-03-18").out
    assert clawgit("pending").out.count("Shall SOUL.md change") == 12


@pytest.mark.parametrize(
    "old",
    [
        "soul pending p-1a",
        "soul approve p-1a --only 2",
        "soul reject p-1a --reason No.",
        "conflicts resolve k:1a --keep=both --reason Two.",
        "quarantine apply q-1a --override secret --reason Mine.",
        "quarantine drop q-1a --yes",
        "correct x:1a --no",
        "--json soul approve p-1a",
    ],
)
def test_an_old_word_names_the_new_commands(clawgit, old: str) -> None:
    said = clawgit(*old.split())

    assert said.code == 2
    assert all(f"`clawgit {verb}" in said.err for verb in ("pending", "approve", "reject"))


def test_trust_of_a_pending_value_names_the_new_command(room, clawgit) -> None:
    setting(room, clawgit)

    said = clawgit("trust", "soul_max_tokens")

    assert (said.code, "`clawgit approve soul_max_tokens`" in said.err) == (2, True)


@pytest.mark.parametrize(
    "words",
    [("approve",), ("approve", "x:1a", "one", "two"), ("approve", "x:1a", "x:2b", "words"), ("reject",)],
    ids=["no id", "two texts", "one text for two", "no id to reject"],
)
def test_what_names_no_single_item_is_a_usage_error(clawgit, words: tuple[str, ...]) -> None:
    assert clawgit(*words).code == 2


@pytest.mark.rest
def test_a_mover_that_is_off_is_not_asked_about(room, clawgit) -> None:
    """Seen: "It does so when it is next due", of a job that never is."""
    since = room.now.isoformat()
    row = {"since": since, "moves": ["2 lines moved"], "rejected": False}
    (room.history.state / FIRST_MOVES_FILE).write_text(json.dumps({"organizer": row}))
    assert "t-organizer" in clawgit("pending").out

    clawgit("config", "set", "cron_organizer", "off")

    assert clawgit("pending").out == "Nothing is pending.\n"


def test_a_first_rearrangement_is_whole_once_and_says_when_it_was_counted(room, clawgit) -> None:
    """Seen: two long questions in every status and digest, and 519 lines announced of a file with 43."""
    row = "519 lines moved from MEMORY.md to 7 files"
    noted = {"since": "2026-03-01T06:00:00+00:00", "counted": "2026-03-18T06:00:00+00:00"}
    noted |= {"moves": [row], "rejected": False}
    (room.history.state / FIRST_MOVES_FILE).write_text(json.dumps({"organizer": noted}))
    asked = "May the organizer tidy this folder for the first time?"
    whole = f"{asked} On 2026-03-18 it would have been: {row}."

    first = clawgit("--rehearse", "--now", "2026-03-19T20:00:00+00:00", "digest", "--send", "2026-03-19").out
    clawgit("--rehearse", "--now", "2026-03-20T08:00:00+00:00", "remember", "The van is red.")
    second = clawgit("--rehearse", "--now", "2026-03-20T20:00:00+00:00", "digest", "--send", "2026-03-20").out

    assert f"- {whole} → show t-organizer" in first
    assert "- 1 question about tidying: `clawgit pending`" in second
    short = "? May the organizer tidy this folder? (`clawgit approve t-organizer`; more: `clawgit pending`)"
    assert short in clawgit("status").out.splitlines()
    assert whole.partition("? ")[2] in clawgit("pending", "show", "t-organizer").out


def test_a_first_rearrangement_waits_on_where_there_is_nothing_to_move_for_a_night(room, clawgit) -> None:
    """Seen: gone for a day, after the agent had overwritten MEMORY.md."""
    noted = {"since": "2026-03-01T06:00:00+00:00", "moves": ["519 lines moved"], "rejected": False}
    (room.history.state / FIRST_MOVES_FILE).write_text(json.dumps({"organizer": noted}))
    asked = clawgit("pending", "--json").data

    assert note_first(room.history, "organizer", room.now) == ()

    assert clawgit("pending", "--json").data == asked
    clawgit("reject", "t-organizer")
    note_first(room.history, "organizer", room.now)
    assert clawgit("pending", "--json").data == []


def test_nothing_pending_is_said_in_one_line(clawgit) -> None:
    assert clawgit("pending").out == "Nothing is pending.\n"
    assert clawgit("pending", "--json").data == []


def test_a_number_of_a_days_list_approves_nothing(clawgit, waits) -> None:
    """A number means another question on another day. Mutant: `approve 1` is taken for the first of the list."""
    item = waits("question")
    assert f"- 1 {item['change']}? → answer {item['id']}" in clawgit("digest", "--since", "2026-03-18").out

    for word in ("approve", "reject"):
        assert "Nothing pending is called 1." in clawgit(word, "1").err
    assert clawgit("pending", "--json").data == [item]


def test_status_has_one_command_beside_an_item_and_names_what_shows_the_others(room, clawgit) -> None:
    """Seen: three commands in a line of a phone."""
    room.change({"SOUL.md": "Be kind.\n"}, actor="operator")
    room.write("SOUL.md", "Be rude.\n")
    clawgit("keep", actor="host")
    (item,) = clawgit("pending", "--json").data

    lines = clawgit("status").out.splitlines()

    (row,) = (line for line in lines if line.startswith("? "))
    assert row.endswith(f" (`clawgit approve {item['id']}`)")
    assert row.count("`") == 2
    assert "  all answers: `clawgit pending show ID`" in lines
    assert f"`clawgit reject {item['id']}`" in clawgit("pending", "show", item["id"]).out
