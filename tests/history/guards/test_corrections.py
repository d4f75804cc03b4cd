"""Corrections are not lost, altered or made up.

Mutants seen to fail here: ids alone are compared; of several copies only the last is; the archive is not looked at;
entries are not looked for elsewhere; made-up corrections pass; nothing is mended; what is set back is not said.
"""

from __future__ import annotations

import pytest

from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.guards.check import GuardError
from clawgit.plan import Edit, Evidence, Plan
from clawgit.text.trailers import REVERTS

LEDGER = "CORRECTIONS.md"
HEAD = "# CORRECTIONS\n\n"


def block(name: str, correct: str = "coffee", status: str = "applied", corrects: str = "m:e1") -> str:
    return (
        f"## 2026-03-01 10:22 <!-- x:{name} re-embedded:false -->\n\n- said: tea\n- correct: {correct}\n"
        f"- corrects: {corrects}\n- status: {status}\n"
    )


BEFORE = {
    LEDGER: HEAD + block("aaa111"),
    "MEMORY.md": "- Ada likes coffee. <!-- m:e1 -->\n- More. <!-- m:e2 -->\n",
}
OLD_WORDS = {"MEMORY.md": "- Ada likes tea. <!-- m:e1 -->\n- More. <!-- m:e2 -->\n"}
OTHER_WORDS = {"MEMORY.md": "- Ada likes milk. <!-- m:e1 -->\n- More. <!-- m:e2 -->\n"}
AGENT, HOST, OPERATOR = "memory-compactor", "host", "operator"
ARCHIVED = {LEDGER: HEAD, "Archive/Corrections/2026.md": block("aaa111")}
WITHDRAWN = {LEDGER: HEAD, "Archive/Corrections/2026.md": block("aaa111", status="withdrawn")}


@pytest.mark.parametrize(
    ("after", "actor", "rules"),
    [
        pytest.param({LEDGER: HEAD}, AGENT, ["correction"], id="dropped"),
        pytest.param({LEDGER: None}, OPERATOR, ["correction"], id="dropped by the operator, too"),
        pytest.param({LEDGER + "/a.md": "- x\n"}, AGENT, ["correction"], id="a folder in its place"),
        pytest.param({LEDGER: HEAD + block("aaa111", "tea")}, AGENT, ["correction"], id="altered"),
        pytest.param({LEDGER: HEAD + block("aaa111", "tea")}, OPERATOR, [], id="altered by the operator"),
        pytest.param({LEDGER: HEAD + block("aaa111", corrects="")}, HOST, ["correction"], id="unlinked"),
        pytest.param({LEDGER: HEAD + block("aaa111", status="withdrawn")}, AGENT, ["correction"], id="withdrawn"),
        pytest.param({LEDGER: HEAD + block("aaa111", status="logged")}, AGENT, [], id="another state"),
        pytest.param({LEDGER: HEAD + block("aaa111", corrects="m:e1, m:e2")}, AGENT, [], id="one more link"),
        pytest.param(ARCHIVED, AGENT, [], id="archived"),
        pytest.param(WITHDRAWN, OPERATOR, [], id="withdrawn by the operator"),
        pytest.param(
            {"Archive/Corrections/2025.md": block("aaa111", "tea")} | ARCHIVED, HOST, ["correction"], id="altered before it"
        ),
        pytest.param({"Archive/Corrections/z.md": block("aaa111", "tea")}, HOST, ["correction"], id="altered behind it"),
        pytest.param({"Archive/Corrections/z.md": block("aaa111")}, HOST, [], id="a copy"),
        pytest.param(WITHDRAWN, AGENT, ["correction"], id="archived as withdrawn by an agent"),
        pytest.param({LEDGER: BEFORE[LEDGER] + "\n" + block("bbb222")}, AGENT, ["forged-correction"], id="made up"),
        pytest.param({LEDGER: BEFORE[LEDGER] + "\n" + block("bbb222")}, OPERATOR, [], id="the operator's own"),
        pytest.param({"MEMORY.md": "- More. <!-- m:e2 -->\n"}, HOST, ["corrected-entry"], id="the entry dropped"),
        pytest.param(
            {"MEMORY.md": "- Ada likes tea.\n"} | WITHDRAWN, OPERATOR, [], id="the entry without its id, the correction withdrawn"
        ),
        pytest.param(
            {"MEMORY.md": "- Ada likes tea.\n"} | ARCHIVED, OPERATOR, ["corrected-entry"], id="the entry without its id, the correction archived"
        ),
        pytest.param(
            {"MEMORY.md": "- More. <!-- m:e2 -->\n", "memory/a.md": "- Ada likes coffee. <!-- m:e1 -->\n"},
            AGENT,
            [],
            id="the entry moved",
        ),
        pytest.param({"MEMORY.md": "- Ada prefers coffee. <!-- m:e1 -->\n- More. <!-- m:e2 -->\n"}, HOST, [], id="reworded"),
        pytest.param(OTHER_WORDS, HOST, [], id="other words"),
        pytest.param(OLD_WORDS, HOST, ["corrected-entry"], id="the old words again"),
        pytest.param(OLD_WORDS, "unknown", ["corrected-entry"], id="the old words again by nobody knows whom"),
        pytest.param(OLD_WORDS, OPERATOR, [], id="the old words by the operator"),
        pytest.param({"MEMORY.md": "- Ada likes coffee. <!-- m:e1 -->\n"}, HOST, [], id="another entry dropped"),
    ],
)  # fmt: skip
def test_corrections_and_what_they_are_about_stay(look, after: dict, actor: str, rules: list[str]) -> None:
    found = look(BEFORE, after, actor)

    assert [finding.rule for finding in found if finding.rule != "loss"] == rules


@pytest.mark.parametrize(
    ("after", "says"),
    [
        pytest.param({LEDGER: HEAD}, "is removed", id="dropped"),
        pytest.param({LEDGER: HEAD + block("aaa111", "tea")}, "says something else", id="altered"),
        pytest.param({"MEMORY.md": "- More. <!-- m:e2 -->\n"}, 'MEMORY.md lacks 1 corrected line, or the id: "Ada likes coffee".', id="an entry"),
    ],
)  # fmt: skip
def test_it_is_told_in_words_that_are_true_before_and_after(look, after: dict, says: str) -> None:
    found = next(finding for finding in look(BEFORE, after, HOST) if finding.rule != "loss")

    assert says in found.sentence
    assert found.happened().sentence == found.sentence


def test_the_way_out_of_a_drop_is_the_command_that_withdraws(look) -> None:
    (found,) = (each for each in look(BEFORE, {LEDGER: HEAD}, OPERATOR) if each.rule != "loss")

    assert "`clawgit undo x:aaa111`" in found.way_out


@pytest.mark.parametrize(
    ("status", "actor", "trust", "summary", "rules"),
    [
        pytest.param("linked", OPERATOR, "", "forget: it", [], id="by his command"),
        pytest.param("linked", HOST, OPERATOR, "forget: it", [], id="by his message"),
        pytest.param("linked", HOST, "", "forget: it", ["correction"], id="by the host"),
        pytest.param("linked", OPERATOR, "", "an edit", ["correction"], id="by an edit"),
        pytest.param("applied", OPERATOR, "", "forget: it", ["correction"], id="a correction"),
    ],
)
def test_a_link_alone_goes_with_a_line_that_the_operator_forgets(
    look, status: str, actor: str, trust: str, summary: str, rules: list[str]
) -> None:
    before = {LEDGER: HEAD + block("aaa111", correct="", status=status, corrects="")}
    plan = Plan(summary, evidence=(Evidence("chat:1"),))

    found = look(before, {LEDGER: HEAD}, actor, plan=plan, trust=trust, by_message=bool(trust))

    assert [finding.rule for finding in found if finding.rule != "loss"] == rules


def test_a_correction_that_moves_into_an_archive_which_had_it_is_not_lost(look) -> None:
    before = BEFORE | {"Archive/Corrections/2026.md": block("aaa111")}

    assert look(before, {LEDGER: HEAD}, AGENT) == []


def test_an_entry_that_stands_in_an_untouched_file_too_is_not_lost(look) -> None:
    before = BEFORE | {"memory/archive/2026-Q1.md": "- Ada likes coffee. <!-- m:e1 -->\n"}

    assert look(before, {"MEMORY.md": "- More. <!-- m:e2 -->\n"}, AGENT) == []


def test_a_worker_logs_what_the_operator_said_and_completes_an_open_one(look) -> None:
    plan = Plan("x", evidence=(Evidence("msg:1"),))
    new = {LEDGER: BEFORE[LEDGER] + "\n" + block("bbb222", correct="", status="open")}
    later = {LEDGER: BEFORE[LEDGER] + "\n" + block("bbb222", correct="cocoa")}

    assert look(BEFORE, new, "recall-validator", plan=plan, trust="operator") == []
    assert look(BEFORE | new, later, "recall-validator", plan=plan, trust="operator") == []


@pytest.fixture
def ledger(room):
    for path, text in BEFORE.items():
        room.write(path, text)
    room.keep("operator")
    return room


ASKS = "## 2026-03-01 10:22 <!-- x:bbb222 re-embedded:false -->\n\n- said: tea\n- status: open\n"


@pytest.mark.parametrize(
    ("added", "intent", "rules"),
    [
        pytest.param(ASKS, {"by_message": True}, [], id="a question, for a message"),
        pytest.param(ASKS, {}, ["forged-correction"], id="a question, for nothing"),
        pytest.param(block("bbb222"), {"by_message": True}, ["forged-correction"], id="one that is in force"),
        pytest.param(
            block("bbb222", status="open", corrects=""), {"by_message": True}, ["forged-correction"], id="one that says what is right"
        ),
        pytest.param(
            ASKS.replace("- status", "- corrects: m:e2\n- status"), {"by_message": True}, ["forged-correction"], id="one that is linked"
        ),
        pytest.param(
            ASKS.replace("open", "applied"), {"by_message": True}, ["forged-correction"], id="one that claims to be done"
        ),
        pytest.param(block("bbb222"), {"by_message": True, "trust": "operator"}, [], id="what the message itself says"),
    ],
)  # fmt: skip
def test_for_a_message_a_host_may_ask_and_correct_nothing_else(look, added: str, intent, rules) -> None:
    """Mutant: a host that names a message may add any correction."""
    plan = Plan("x", evidence=(Evidence("chat:1"),))
    after = {LEDGER: BEFORE[LEDGER] + "\n" + added}

    assert look.rules(BEFORE, after, HOST, plan=plan, **intent) == rules


ASKED = "## 2026-01-01 10:22 <!-- x:bbb222 re-embedded:false -->\n\n- said: tea\n- status: open\n"
DROPPED = ASKED.replace("open", "withdrawn")


@pytest.mark.parametrize(
    ("before", "after", "actor", "rules"),
    [
        pytest.param(ASKED, DROPPED, "recall-validator", [], id="after 60 days"),
        pytest.param(ASKED, DROPPED, HOST, ["correction"], id="by a host"),
        pytest.param(ASKED, DROPPED, "organizer", ["correction"], id="by another agent"),
        pytest.param(ASKS, ASKS.replace("open", "withdrawn"), "recall-validator", ["correction"], id="too early"),
        pytest.param(
            ASKED, DROPPED.replace("said: tea", "said: coffee"), "recall-validator", ["correction"], id="in other words"
        ),
        pytest.param(
            block("bbb222").replace("2026-03", "2026-01"), block("bbb222", status="withdrawn").replace("2026-03", "2026-01"),
            "recall-validator", ["correction"], id="one that holds",
        ),
    ],
)  # fmt: skip
def test_a_question_that_nobody_answered_may_be_withdrawn_after_60_days(
    look, before, after, actor, rules
) -> None:
    """Mutants: any agent may; any correction may; at any time."""
    texts = [{LEDGER: BEFORE[LEDGER] + "\n" + text} for text in (before, after)]

    assert look.rules(*texts, actor) == rules


QUESTION = ASKS.replace(
    "- said: tea\n- status: open", "- trigger: no, cocoa\n- said: tea\n- status: open\n- proposed: cocoa"
)
BESIDE = QUESTION.replace("open", "linked").replace("\n- proposed: cocoa", "")


@pytest.mark.parametrize(
    ("before", "after", "intent", "rules"),
    [
        pytest.param(QUESTION, BESIDE, {"by_message": True}, [], id="for a message"),
        pytest.param(QUESTION, BESIDE, {}, ["correction"], id="for nothing"),
        pytest.param(QUESTION, BESIDE.replace("no, cocoa", "tea"), {"by_message": True}, ["correction"], id="in other words"),
        pytest.param(ASKS, ASKS.replace("open", "linked"), {"by_message": True}, [], id="it says as much"),
    ],
)  # fmt: skip
def test_for_a_message_a_question_may_become_his_words_beside_the_entry(
    look, before, after, intent, rules
) -> None:
    """Mutants: any host may end a question; it may change his words."""
    texts = [{LEDGER: BEFORE[LEDGER] + "\n" + text} for text in (before, after)]

    assert look.rules(*texts, HOST, **intent) == rules


LINKED = BESIDE + "- evidence: chat:aaaa\n"
GONE = LINKED.replace("linked", "withdrawn").replace("trigger: no, cocoa", "trigger:")
TAKEN_BACK = Plan("undo", trailers=((REVERTS, "abc1234"),), evidence=(Evidence("chat:bbbb", "scratch that"),))


@pytest.mark.parametrize(
    ("after", "intent", "rules"),
    [
        pytest.param(GONE, {"plan": TAKEN_BACK}, [], id="the operator took it back"),
        pytest.param(GONE, {"plan": TAKEN_BACK._replace(trailers=())}, ["correction"], id="nobody did"),
        pytest.param(GONE.replace("said: tea", "said: rum"), {"plan": TAKEN_BACK}, ["correction"], id="the line as well"),
    ],
)  # fmt: skip
def test_a_link_that_the_operator_takes_back_loses_his_words(look, after, intent, rules) -> None:
    """Mutants: the keeper empties any link; other fields go, too."""
    texts = [{LEDGER: BEFORE[LEDGER] + "\n" + text} for text in (LINKED, after)]

    assert look.rules(*texts, "recall-validator", trust="operator", **intent) == rules


def test_a_dropped_correction_is_kept_and_put_back_by_a_second_change(ledger) -> None:
    ledger.write(LEDGER, HEAD + "Cleaned up.\n")

    kept = ledger.keep("host")

    assert kept.paths == (LEDGER,)
    assert kept.held == ()
    assert ledger.actors()[:2] == ["recall-validator", "host"]
    assert ledger.shown(LEDGER, "HEAD^") == HEAD + "Cleaned up.\n"
    assert ledger.read(LEDGER) == HEAD + "Cleaned up.\n\n" + block("aaa111")
    assert ledger.git("status", "--porcelain") == ""
    assert [finding.rule for finding in kept.remarks] == ["correction"]


@pytest.mark.parametrize("opened", ["```\n", "~~~~\n", "<script>\n"])
def test_what_cannot_be_read_behind_an_edit_is_put_back_whole(ledger, opened: str) -> None:
    """Mutant: a correction that was written back counts as put back, whether it can be read there or not."""
    ledger.write(LEDGER, opened + BEFORE[LEDGER])

    kept = ledger.keep("host")

    assert [finding.rule for finding in kept.remarks] == ["correction"]
    assert ledger.read(LEDGER) == BEFORE[LEDGER]
    assert ledger.shown(LEDGER, "HEAD^") == opened + BEFORE[LEDGER]


def test_a_folder_in_the_place_of_a_file_waits_with_all_that_is_in_it(ledger) -> None:
    """Mutant: only the file is held back."""
    (ledger.root / LEDGER).unlink()
    ledger.write(LEDGER + "/a.md", "- x\n")
    ledger.write("memory/a.md", "- y\n")

    kept = ledger.keep("host")

    assert kept.paths == ("memory/a.md",)
    assert [finding.path for finding in kept.held] == [LEDGER]
    assert ledger.shown(LEDGER) == BEFORE[LEDGER]


@pytest.mark.parametrize("actor", ["host", "unknown", "operator"])
def test_a_ledger_that_was_deleted_comes_back(ledger, actor: str) -> None:
    (ledger.root / LEDGER).unlink()

    ledger.keep(actor)

    assert ledger.read(LEDGER) == BEFORE[LEDGER]
    assert ledger.actors()[:2] == ["recall-validator", actor]


def test_what_a_host_alters_or_makes_up_is_kept_and_mended(ledger) -> None:
    ledger.write(LEDGER, HEAD + block("aaa111", "tea") + "\n" + block("bbb222", "whisky"))
    ledger.write("MEMORY.md", "- More. <!-- m:e2 -->\n")

    ledger.keep("host")

    assert ledger.read(LEDGER).rstrip() == BEFORE[LEDGER].rstrip()
    assert ledger.read("MEMORY.md") == "- Ada likes coffee. <!-- m:e1 -->\n- More. <!-- m:e2 -->\n"
    assert "whisky" in ledger.shown(LEDGER, "HEAD^")


def test_a_correction_of_unknown_origin_waits_in_its_file(ledger) -> None:
    ledger.write(LEDGER, BEFORE[LEDGER] + "\n" + block("bbb222"))

    kept = ledger.keep("unknown")

    assert [finding.rule for finding in kept.held] == ["forged-correction"]
    assert ledger.git("status", "--porcelain") == f"M {LEDGER}"
    assert ledger.keep("operator").paths == (LEDGER,)


def test_no_plan_drops_a_correction_but_the_operators_with_an_override(ledger) -> None:
    plan = Plan("x", (Edit(LEDGER, HEAD.encode()),))
    for actor in ("memory-compactor", "host", "operator"):
        with pytest.raises(GuardError, match="x:aaa111"):
            apply_plan(ledger.history, lambda _: plan, Intent(new_op(), actor, ledger.now))

    intent = Intent(new_op(), "operator", ledger.now, override="correction: It was a joke.")
    done = apply_plan(ledger.history, lambda _: plan, intent)

    assert done.outcome == "applied"
    assert "correction: It was a joke." in ledger.git("log", "-1", "--format=%B")
