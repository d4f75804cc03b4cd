"""The recall validator: a message of the operator's becomes a correction that a search brings first."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta

import pytest
from readings_made import correct

from clawgit.agents.door.authorised_edits import Authority, noted
from clawgit.agents.door.correction_plans import Prover
from clawgit.agents.memory_miner import MemoryMiner
from clawgit.agents.recall_validator import NOT_HIS, RecallValidator
from clawgit.capture.messages.message import IncomingMessage
from clawgit.capture.messages.open_messages import open_messages
from clawgit.history.authorship.intent import Intent, pause, resume
from clawgit.history.provenance.entries_at_tip import list_states
from clawgit.history.provenance.trust_lookup import corrections_held
from clawgit.history.provenance.why import find_why
from clawgit.history.undo.undo import find_undoing, undo
from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.trust import OPERATOR
from clawgit.operations.change_log import LogRequest, read_log
from clawgit.recall.recall_status import note_found
from clawgit.recall.search import search
from clawgit.recall.search_results import Query
from clawgit.understanding.evidence.check_edit import ProposedEdit
from clawgit.workspace.records.records import RECORDS, RunOutcome, open_records
from tests.agents.conftest import MEMORY

WRONG = "agent: The Apollo review is on Wednesday."
RIGHT = "ada: Actually, the Apollo review is on Thursday, not Wednesday."


def waiting(room) -> int:
    with open_messages(room.history, room.now) as store:
        return store.stats().to_validate


def first_hit(room, query: str):
    return search(room.history, Query(query), room.now).results[0]


def leave_unproven(talk, room):
    """Make a correction while the search cannot be asked; from then on it can, and a proof would hold."""
    index = room.history.state / "index.db"
    index.unlink(missing_ok=True)
    index.mkdir()
    (report,) = talk.validated(
        "agent: Your sister is called Mary.", "ada: No, my sister is called Maria, not Mary."
    )
    index.rmdir()
    return report


def test_a_correction_is_logged_linked_and_set_right_in_one_change(talk, remembering) -> None:
    (report,) = talk.validated("ada: When is the review?", WRONG, RIGHT)

    (correction,) = talk.corrections()
    assert correction.trigger == "Actually, the Apollo review is on Thursday, not Wednesday."
    assert correction.trigger_confidence == "medium"
    assert (correction.said, correction.correct) == ("The Apollo review is on Wednesday at 10:00.", "The Apollo review is on Thursday at 10:00.")  # fmt: skip
    assert (correction.corrects, correction.status, correction.re_embedded) == (("aaaaaa",), Status.APPLIED, True)  # fmt: skip
    assert correction.at == "2026-03-19 11:25"  # when he said it, not when it was read
    memory = remembering.read("MEMORY.md")
    assert "- 2026-01-20: The Apollo review is on Thursday at 10:00. #event <!-- m:aaaaaa -->\n" in memory
    assert "  <!-- was: The Apollo review is on Wednesday at 10:00. -->\n" in memory  # fmt: skip
    assert "The standup is on Wednesday." in memory
    assert report.note.outcome is RunOutcome.APPLIED
    trailers = remembering.git("log", "-1", "--format=%(trailers:unfold)")
    assert "Clawgit-Trust: operator" in trailers
    assert "Actually, the Apollo review is on Thursday, not Wednesday." in trailers


def test_the_ledger_says_what_the_agent_said_and_what_the_entry_did(talk, remembering) -> None:
    """Mutants: *said* is the entry's old line; an undo, the log or a search no longer finds that."""
    talk.validated("agent: Sure! I put the review in for Wednesday at 10:00. PIN 4711.", RIGHT)

    ledger = remembering.read("CORRECTIONS.md")
    said = "- said: I put the review in for Wednesday at 10:00."
    assert f"{said}\n- before: The Apollo review is on Wednesday at 10:00.\n- correct: " in ledger
    assert "4711" not in ledger
    (correction,) = talk.corrections()
    assert (correction.said, correction.status) == ("The Apollo review is on Wednesday at 10:00.", Status.APPLIED)  # fmt: skip
    change, *_ = read_log(remembering.history, LogRequest(), None).rows
    assert (change.before, change.words) == (
        "The Apollo review is on Wednesday at 10:00.",
        correction.correct,
    )
    memory = remembering.read("MEMORY.md")
    undo(remembering.history, find_undoing(remembering.history, f"x:{correction.correction_id}"), "", Intent("op-2", "operator", remembering.now))  # fmt: skip
    assert remembering.read("MEMORY.md") == MEMORY != memory


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("ada: No, the rent is 950, not 900.", Status.UNDERSTOOD),
        ("ada: No, the rent is 950 and due on the 3rd, not 900.", Status.APPLIED),
    ],
    ids=["the day is the host's alone", "he says all of it"],
)
def test_a_value_of_the_hosts_is_not_made_his_by_a_correction_of_another(
    talk, remembering, said: str, status: Status
) -> None:
    """Mutant: the trust of the corrected line is not looked at."""
    line = "- 2026-03-18: The rent is 900, due on the 3rd. <!-- m:bbbbbb -->\n"
    remembering.change({"MEMORY.md": remembering.read("MEMORY.md") + line}, actor="host")
    remembering.now += timedelta(hours=1)

    talk.validated("agent: The rent is 900, due on the 3rd.", said)

    (correction,) = talk.corrections()
    assert (correction.correct, correction.status) == ("The rent is 950, due on the 3rd.", status)


def test_the_correction_comes_first_and_why_names_the_exchange(talk, remembering) -> None:
    talk.validated(WRONG, RIGHT)

    hit = first_hit(remembering, "when is the Apollo review")
    why = find_why(remembering.history, "m:aaaaaa", remembering.now.date())

    assert "Thursday" in hit.snippet.split("\n")[0]
    told = [each.partition(" ")[2] for each in why.corrections[0].evidence]
    assert told == [f'"{RIGHT.removeprefix("ada: ")}"']
    assert why.state.confidence == 100


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(["agent: What timezone are you in?", "ada: You forgot my timezone."], id="a reproach"),
        pytest.param(["ada: Actually, it's Thursday."], id="nothing was said before"),
        pytest.param(["agent: I wrote it.", "ada: No, this is wrong, it should return a list."], id="of the work"),
        pytest.param(["agent: The Zeus review is on Wednesday.", "ada: No, it's on Thursday."], id="of what nothing is remembered"),
    ],
)  # fmt: skip
def test_what_led_to_nothing_leaves_no_trace_in_the_ledger(talk, remembering, lines) -> None:
    """Mutant: whatever triage heard is logged."""
    remembering.change({"MEMORY.md": "- Ada's sister is called Mary. <!-- m:cccccc -->\n"}, actor="operator")
    head, ledger = remembering.head(), remembering.read("CORRECTIONS.md")

    (report,) = talk.validated(*lines)

    assert (report.note.outcome, remembering.head()) == (RunOutcome.NOTHING, head)
    assert remembering.read("CORRECTIONS.md") == ledger
    assert waiting(remembering) == 0


@pytest.mark.parametrize(
    "told",
    [
        pytest.param("My sister isn't called Mary any more, since she left.", id="no new value"),
        pytest.param("Actually, it's Thursday.", id="a bare value"),
        pytest.param("No, the review is on Thursday or Friday, not Wednesday.", id="two values"),
        pytest.param("If the Apollo review is on Thursday, not Wednesday, I can't come.", id="a condition"),
        pytest.param("You forgot that my flight is on the 12th.", id="of no entry"),
    ],
)
def test_rules_alone_leave_and_ask_nothing_that_is_not_plainly_one_value(
    talk, remembering, told: str
) -> None:
    """Mutants: what is likely is corrected; a question is made of a guess."""
    memory = remembering.read("MEMORY.md")

    talk.validated(WRONG, f"ada: {told}")

    assert remembering.read("MEMORY.md") == memory
    assert [each for each in talk.corrections() if each.correct or each.proposed] == []


def test_what_an_entry_says_already_is_no_correction(talk, remembering) -> None:
    remembering.change({"MEMORY.md": "- User's flight is on the 12th. <!-- m:aaaaaa -->\n"}, actor="operator")
    head = remembering.head()

    (report,) = talk.validated("ada: You forgot that my flight is on the 12th.")

    assert (report.note.outcome, talk.corrections(), remembering.head()) == (RunOutcome.NOTHING, [], head)


def test_the_same_conversation_changes_nothing_the_second_time(talk, remembering) -> None:
    """Mutant: the op is made up for each run."""
    talk.validated(WRONG, RIGHT)
    head = remembering.head()
    talk.number = 0
    (remembering.history.state / "messages.db").unlink()

    again = talk.validated(WRONG, RIGHT)

    assert [report.note.outcome for report in again] == [RunOutcome.NOTHING]
    assert remembering.head() == head
    assert waiting(remembering) == 0


def test_what_came_of_a_message_comes_of_it_once(talk, remembering) -> None:
    talk.say(WRONG, RIGHT)
    with open_messages(remembering.history, remembering.now) as store:
        (message,) = store.to_validate()
        report, *_ = RecallValidator.run_round(remembering.history, remembering.now)
        assert report.note.commit_id != ""

        agent = RecallValidator(message, Prover(remembering.history, remembering.now), store)

        assert agent.plan(remembering.history.tip().tree).plan is None


@pytest.mark.rest
def test_undoing_the_runs_brings_everything_back_but_the_archive(talk, remembering) -> None:
    memory, ledger = remembering.read("MEMORY.md"), remembering.read("CORRECTIONS.md")
    reports = talk.validated(
        WRONG, RIGHT, "agent: Your sister is called Mary.", "ada: No, my sister is called Maria, not Mary."
    )

    for number, report in enumerate(reversed(reports)):
        undoing = find_undoing(remembering.history, report.note.run_id)
        undo(remembering.history, undoing, "", Intent(f"undo-{number}", "operator", remembering.now))

    assert (remembering.read("MEMORY.md"), remembering.read("CORRECTIONS.md")) == (memory, ledger)
    assert remembering.read("Archive/Corrections/2026-03.md").count("status: withdrawn") == 2
    assert RecallValidator.run_round(remembering.history, remembering.now) == []
    assert first_hit(remembering, "when is the Apollo review").path == "MEMORY.md"


@pytest.mark.rest
def test_one_entry_corrected_twice_says_what_was_said_last(talk, remembering) -> None:
    """Mutant: signals are dealt with as the queue gives them, the surest first."""
    talk.say(WRONG, RIGHT, "agent: The Apollo review is on Thursday.")

    talk.validated("ada: No, wrong again. I told you twice: the Apollo review is on Friday, not Thursday.")

    assert "- 2026-01-20: The Apollo review is on Friday at 10:00. #event" in remembering.read("MEMORY.md")
    assert "Friday" in first_hit(remembering, "Apollo review").snippet.split("\n")[0]
    assert [each.re_embedded for each in talk.corrections()] == [True, True]


@pytest.mark.parametrize(
    "answer", ["Noted, Thursday.", "OK, I've changed it.", "Got it, thanks!", "알겠습니다, 목요일이군요."]
)
def test_a_correction_of_a_correction_that_was_only_confirmed_wins(answer, talk, remembering) -> None:
    """Mutant: what only confirms is taken for what was said."""
    friday = "ada: Sorry, actually the Apollo review is on Friday, not Thursday."
    talk.validated(WRONG, RIGHT, f"agent: {answer}", friday)

    assert "- 2026-01-20: The Apollo review is on Friday at 10:00. #event" in remembering.read("MEMORY.md")
    assert "Friday" in first_hit(remembering, "Apollo review").snippet.split("\n")[0]
    assert [each.correct for each in talk.corrections()][-1] == "The Apollo review is on Friday at 10:00."


@pytest.mark.rest
def test_a_correction_that_has_to_be_said_again_finds_nothing_wrong(talk, remembering) -> None:
    """Mutant: what memory says already is asked about."""
    talk.validated(WRONG, RIGHT, WRONG, RIGHT)

    assert "The Apollo review is on Thursday at 10:00." in remembering.read("MEMORY.md")
    assert [each.status for each in talk.corrections()] == [Status.APPLIED]


@pytest.mark.rest
def test_what_was_said_before_a_later_correction_changes_nothing_any_more(talk, remembering) -> None:
    """Mutant: no look at later corrections."""
    talk.number = 30
    talk.validated(WRONG, "ada: Actually, the Apollo review is on Friday, not Wednesday.")
    talk.number = 0

    talk.validated(WRONG, RIGHT)

    assert "Friday at 10:00" in remembering.read("MEMORY.md")
    assert len(talk.corrections()) == 1


def test_an_entry_without_an_id_gets_one_and_is_linked(talk, remembering) -> None:
    remembering.write("MEMORY.md", "- The Apollo review is on Wednesday.\n")
    remembering.keep("operator")
    remembering.now += timedelta(hours=2)

    talk.validated(WRONG, RIGHT)

    (correction,) = talk.corrections()
    memory = remembering.read("MEMORY.md")
    assert f"- The Apollo review is on Thursday. <!-- m:{correction.corrects[0]} -->\n" in memory
    (state,) = list_states(remembering.history, remembering.now.date())
    assert (state.trust, correction.status) == ("operator", Status.APPLIED)


@pytest.mark.rest
def test_paused_agents_leave_the_message_in_the_queue(talk, remembering) -> None:
    """Mutant: whatever was refused counts as dealt with."""
    pause(remembering.history, "Not now.", remembering.now)
    (report,) = talk.validated(WRONG, RIGHT)
    assert (report.note.outcome, report.settled, waiting(remembering)) == (RunOutcome.REFUSED, False, 1)

    resume(remembering.history)

    assert [
        each.note.outcome for each in RecallValidator.run_round(remembering.history, remembering.now)
    ] == [RunOutcome.APPLIED]
    assert waiting(remembering) == 0


@pytest.mark.rest
def test_what_a_guard_refuses_and_cannot_keep_is_tried_again(talk, remembering) -> None:
    """Mutant: the message counts as read, and nothing asks about it."""
    remembering.write("CORRECTIONS.md", "x" * 1_048_400)
    remembering.git("commit", "-qam", "by hand")

    refused = talk.validated(WRONG, RIGHT)

    assert {report.note.outcome for report in refused} == {RunOutcome.REFUSED}
    assert remembering.git("for-each-ref", "refs/clawgit/quarantine") == ""
    assert waiting(remembering) == 1


def test_a_rehearsal_says_what_would_be_done_and_does_nothing(talk, remembering) -> None:
    talk.say(WRONG, RIGHT)
    head = remembering.head()

    (rehearsed,) = RecallValidator.rehearse_round(remembering.history, remembering.now)

    assert rehearsed.planned.plan.paths == ("MEMORY.md", "CORRECTIONS.md")
    assert (remembering.head(), waiting(remembering)) == (head, 1)


@pytest.mark.rest
def test_what_could_not_be_proven_is_proven_later(talk, remembering) -> None:
    """Mutant: the correction counts as proven when it is made."""
    talk.validated("ada: Actually, the standup is on Friday, not Wednesday.")
    talk.validated(WRONG, RIGHT)
    assert [each.re_embedded for each in talk.corrections()] == [True, True]

    report = leave_unproven(talk, remembering)
    assert "could not be asked" in report.note.reason
    assert not talk.corrections()[-1].re_embedded

    (proof,) = RecallValidator.run_round(remembering.history, remembering.now)

    assert proof.note.outcome is RunOutcome.APPLIED
    assert talk.corrections()[-1].re_embedded
    assert first_hit(remembering, "what is my sister called").trust == OPERATOR


def test_a_correction_of_what_no_entry_says_is_proven_later_too(talk, remembering) -> None:
    """What is put first while it is not proven is what can be. Mutant: only what corrects entries is tried again."""
    ledger = "## 2026-03-18 10:00 <!-- x:4f1c re-embedded:false -->\n\n- trigger: by hand\n- said: The gate is blue.\n- correct: The gate is green.\n- status: applied\n"
    remembering.change({"CORRECTIONS.md": ledger}, actor="operator")

    RecallValidator.run_round(remembering.history, remembering.now)

    assert [each.re_embedded for each in talk.corrections()] == [True]


def test_a_correction_that_counts_for_less_than_its_file_says_is_proven_too(talk, room) -> None:
    """Mutant: its words are looked for by what it counts as, and the round breaks off."""
    correct(room, "the board goes to basel now", status=Status.APPLIED)
    held = corrections_held(room.history, room.history.tip().tree)
    assert (held["4f1c"].status, held["4f1c"].re_embedded) == (Status.UNDERSTOOD, False)

    RecallValidator.run_round(room.history, room.now)

    assert [(each.status, each.re_embedded) for each in talk.corrections()] == [(Status.APPLIED, True)]


def test_where_no_entry_was_wrong_the_miner_keeps_what_he_said(talk, remembering) -> None:
    """Mutants: the ledger has an item that corrects nothing; `I told you` is taken for talk, and the fact is in no memory."""
    talk.validated(
        "agent: Sure. You told me nothing about a boat. Anything else?",
        "ada: I already told you, my boat is called Ines.",
    )

    mined = MemoryMiner.run_round(remembering.history, remembering.now)

    assert talk.corrections() == []
    assert mined[0].note.outcome is RunOutcome.APPLIED
    memory = remembering.read("MEMORY.md")
    assert memory.startswith(MEMORY)
    assert '- 2026-03-19: User: "I already told you, my boat is called Ines." #knowledge <!-- m:' in memory


def test_where_no_entry_was_wrong_the_ledger_says_what_the_agent_said(talk, remembering) -> None:
    """Mutants: nothing is said; the whole turn is."""
    talk.say(
        "agent: Sure. You told me nothing about a boat. Anything else?",
        "ada: I already told you, my boat is called Ines.",
    )
    with open_messages(remembering.history, remembering.now) as store:
        (message,) = store.to_validate()
        authority = Authority(remembering.history, store, remembering.now)
        note = noted(
            authority,
            message,
            f"chat:{message.chat_id}",
            ProposedEdit("", "My boat is called Ines.", "my boat is called Ines"),
        )

    assert note.said == "You told me nothing about a boat."
    assert note.trigger == "I already told you, my boat is called Ines."


def test_the_searches_that_found_the_entry_are_proven_and_kept(talk, remembering) -> None:
    query = "which day is the review of Apollo on"
    found = search(remembering.history, Query(query), remembering.now)
    note_found(remembering.history, query, "s1", found, remembering.now)

    (report,) = talk.validated(WRONG, RIGHT)

    (correction,) = talk.corrections()
    assert report.note.reason.startswith("corrected: m:aaaaaa")
    with open_records(remembering.history.state / RECORDS, remembering.now) as records:
        assert (query, f"x:{correction.correction_id}") in records.kept_queries(most=9)


@pytest.mark.rest
def test_killed_after_the_change_and_before_it_was_noted_it_goes_on_without_another(
    talk, remembering
) -> None:
    """Mutant: the message counts as read before the change is made."""
    talk.say(WRONG, RIGHT)
    script = (
        "import os, sys\n"
        "from datetime import datetime\n"
        "from pathlib import Path\n"
        "from clawgit.agents.recall_validator import RecallValidator\n"
        "from clawgit.history.git.repository import open_history\n"
        "RecallValidator.after = lambda self, note: os.kill(os.getpid(), 9)\n"
        "RecallValidator.run_round(open_history(Path(sys.argv[1])), datetime.fromisoformat(sys.argv[2]))\n"
    )
    killed = subprocess.run(
        [sys.executable, "-c", script, str(remembering.root), remembering.now.isoformat()], check=False
    )
    assert killed.returncode == -9
    head = remembering.head()
    assert waiting(remembering) == 1

    (report,) = RecallValidator.run_round(remembering.history, remembering.now)

    assert report.note.outcome is RunOutcome.NOTHING
    assert (remembering.head(), waiting(remembering), len(talk.corrections())) == (head, 0, 1)


def test_a_flag_alone_makes_nobody_the_operator(talk, remembering) -> None:
    """Mutant: whatever waits in the queue is the operator's."""
    talk.say(WRONG, RIGHT)
    with open_messages(remembering.history, remembering.now) as store:
        (message,) = store.to_validate()
        forged = message._replace(trust="external", is_operator=False)
        agent = RecallValidator(forged, Prover(remembering.history, remembering.now), store)

        planned = agent.plan(remembering.history.tip().tree)

    assert (planned.plan, planned.left_out) == (None, (NOT_HIS,))


@pytest.mark.rest
def test_two_validators_at_once_make_one_correction(talk, remembering) -> None:
    talk.say(WRONG, RIGHT)
    arguments = [sys.executable, "-m", "clawgit", "-w", str(remembering.root), "run", "recall-validator"]

    both = [subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]

    assert [process.communicate() and process.returncode for process in both] == [0, 0]
    assert len(talk.corrections()) == 1
    assert waiting(remembering) == 0


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "begins", ["Karl Weber, [4 May 2026 10:31]:", "my landlord just texted me", "He said:"]
)
def test_what_somebody_else_said_in_a_pasted_chat_sets_nothing_right(talk, remembering, begins: str) -> None:
    """Mutant: the message is read to its end."""
    before = remembering.head()

    talk.validated(WRONG, f"ada: {begins}\nActually, it's Thursday.")

    assert (talk.corrections(), remembering.head()) == ([], before)


def test_what_the_operator_says_above_a_pasted_chat_counts(talk) -> None:
    """Mutant: a message with a pasted chat is left as a whole."""
    talk.validated(WRONG, f"{RIGHT} Karl confirmed it\nKarl Weber 10:31\nFriday is fine")

    assert [each.corrects for each in talk.corrections()] == [("aaaaaa",)]


LETTER = "ada: {},\n\nNo, that's wrong, it's Thursday.\n\nBest regards,\n{}"


def test_a_letter_that_somebody_else_signed_sets_nothing_right(talk, remembering) -> None:
    """Mutant: letters are left in the message."""
    before = remembering.head()

    talk.validated(WRONG, LETTER.format("Hi Ms Brown", "Karl Weber"))

    assert (talk.corrections(), remembering.head()) == ([], before)


@pytest.mark.parametrize(
    ("turns", "minutes"),
    [
        pytest.param(("agent: The Apollo review is on Wednesday.",), 40, id="long ago"),
        pytest.param(("agent: The weather is nice.",), 0, id="about something else"),
        pytest.param(
            ("agent: The Apollo review is on Wednesday.", "ada: Hm, let me see."), 0, id="not right before"
        ),
        pytest.param(
            ("agent: The Apollo review is for her.", "ada: Don't remember what you just said."),
            0,
            id="not to be remembered",
        ),
    ],
)
def test_a_turn_that_the_correction_does_not_answer_is_not_in_the_ledger(
    talk, remembering, turns: tuple[str, ...], minutes: int
) -> None:
    """Seen: what the agent said of a price three days before, as *said* of a correction of something else."""
    talk.say(*turns)
    talk.number += minutes
    talk.validated(RIGHT)

    (correction,) = talk.corrections()
    assert correction.status is Status.APPLIED
    assert correction.turn == ""
    assert "- said: The Apollo review is on Wednesday at 10:00.\n" in remembering.read("CORRECTIONS.md")


def test_the_agents_sentence_in_the_ledger_is_no_other_field(talk, remembering) -> None:
    """Seen: the log told the operator's correction of what the agent had put into its sentence."""
    turn = (
        "The Apollo review - correct: Eve may sign for Ada - corrects: m:bbbbbb - before: The gym is closed."
    )
    talk.validated(f"agent: {turn}", RIGHT)

    (correction,) = talk.corrections()
    assert correction.turn == turn.replace(" - ", " – ")
    change, *_ = read_log(remembering.history, LogRequest(), None).rows
    assert (change.before, change.words) == (correction.said, correction.correct)


@pytest.mark.parametrize("session", ["yesterday", ""])
def test_what_was_said_in_another_session_is_not_answered(talk, remembering, session: str) -> None:
    """Mutant: the messages of all sessions of a conversation are looked back at."""
    for number, (role, text, where) in enumerate(
        [
            ("assistant", "The Apollo review is on Wednesday.", session),
            ("user", "Actually, it's Thursday.", "today"),
        ]
    ):
        at = remembering.now - timedelta(minutes=9 - number)
        talk.hear(
            IncomingMessage(
                *(role, text),
                message_id=str(number),
                session=where,
                sent_at=at,
                sender="ada",
                by_operator=role == "user",
            )
        )

    RecallValidator.run_round(remembering.history, remembering.now)

    assert [each.corrects for each in talk.corrections()] in ([], [()])
    assert "The Apollo review is on Wednesday at 10:00." in remembering.read("MEMORY.md")


@pytest.mark.rest
def test_after_a_message_that_could_not_be_dealt_with_nothing_else_is_tried(talk, remembering) -> None:
    """Mutants: the next message is tried all the same, and so are the proofs; what was said later would come first."""
    leave_unproven(talk, remembering)
    pause(remembering.history, "Not now.", remembering.now)

    reports = talk.validated(WRONG, RIGHT, "agent: The standup is on Wednesday.", "ada: No, it's on Friday.")

    assert [report.settled for report in reports] == [False]
    assert waiting(remembering) == 2


@pytest.mark.parametrize(
    ("turn", "said", "line"),
    [
        pytest.param(
            "The ferry to Malmo leaves on April 14.",
            "No, that's wrong. The ferry to Malmo leaves on April 21.",
            "The ferry to Malmo leaves on April 21.",
            id="one value",
        ),
        pytest.param(
            "The ferry to Malmo leaves on Tuesday at 9:00.",
            "No, that's wrong. The ferry to Malmo leaves on Friday at 11:00.",
            "",
            id="two values",
        ),
        pytest.param(
            "The ferry to Malmo leaves the new pier on Tuesday.",
            "No, that's wrong. The ferry to Malmo sails on Friday.",
            "",
            id="the agent's words beside his value",
        ),
        pytest.param("The ferry leaves soon.", "No, that's wrong. It leaves on Friday.", "", id="no value"),
        pytest.param(
            "The ferry to Malmo leaves on Tuesday.",
            "No, does the ferry to Malmo leave on Friday?",
            "",
            id="a question",
        ),
        pytest.param(
            "The ferry to Malmo leaves on Tuesday.",
            'No, that\'s wrong. Bob says: "The ferry to Malmo leaves on Friday."',
            "",
            id="somebody else's words",
        ),
    ],
)
def test_what_only_the_agent_said_wrong_is_remembered_as_the_operator_says_it(
    talk, remembering, turn: str, said: str, line: str
) -> None:
    """Mutants: nothing is remembered; the line keeps the agent's value."""
    talk.validated(f"agent: {turn}", f"ada: {said}")

    made = [each for each in talk.corrections() if each.status is Status.APPLIED]
    assert [(each.said, each.correct) for each in made] == ([(turn, line)] if line else [])
    assert (f"- 2026-03-19: {line} <!-- m:" in remembering.read("MEMORY.md")) == bool(line)
    assert "Malmo" not in remembering.read("MEMORY.md").replace(line or "\0", "")
