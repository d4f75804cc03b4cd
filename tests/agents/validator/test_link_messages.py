"""Links: the operator's words stand beside the entry that they are about, without a cue word and without changing it."""

from __future__ import annotations

from datetime import timedelta
from operator import attrgetter

import pytest

from clawgit.agents.door.correction_plans import archive_plan, correct, drop
from clawgit.agents.recall_validator import RecallValidator, correct_at_once
from clawgit.capture.messages.message import IncomingMessage, MessageQuery
from clawgit.capture.messages.open_messages import open_messages
from clawgit.history.authorship.intent import Intent
from clawgit.history.guards.check import GuardError
from clawgit.history.provenance.entries_at_tip import read_cited
from clawgit.memory.corrections.correction_log import Status, read_corrections
from clawgit.pending.queue import open_questions
from clawgit.recall.search import search
from clawgit.recall.search_results import Query
from clawgit.workspace.records.records import RunOutcome

STANDUP = "The standup is on Wednesday."
TURN = "agent: Reminder: the standup on Wednesday."
SAID = "ada: Priya's team joins us there, fridays at nine."
JOINS = "ada: Priya's team joins us there in Oslo."  # no other day, which a later one would replace


def rounds(room) -> list[RunOutcome]:
    return [each.note.outcome for each in RecallValidator.run_round(room.history, room.now)]


def intent(room, op: str = "op-1") -> Intent:
    return Intent(op, "operator", room.now)


def test_what_no_cue_word_flags_is_linked_and_changes_nothing(talk, remembering) -> None:
    """Mutants: only flagged messages are heard; the entry is changed."""
    memory = remembering.read("MEMORY.md")
    talk.say(TURN, SAID)
    with open_messages(remembering.history, remembering.now) as store:
        assert store.to_validate() == []

    assert rounds(remembering) == [RunOutcome.LINKED]

    (link,) = talk.links()
    assert (link.status, link.said, link.correct, link.corrects) == (Status.LINKED, STANDUP, "", ())
    assert (link.trigger, link.may_correct) == ("Priya's team joins us there, fridays at nine.", ("bbbbbb",))
    assert link.at == "2026-03-19 11:24"
    assert f"- said: {TURN.removeprefix('agent: ')}\n- before: {STANDUP}\n" in remembering.read(
        "CORRECTIONS.md"
    )
    assert (remembering.read("MEMORY.md"), link.holds) == (memory, False)
    assert open_questions(remembering.history) == []
    assert rounds(remembering) == []


def test_a_link_quotes_word_for_word(talk, remembering) -> None:
    """Mutant: two parts of a sentence are joined without their semicolon."""
    talk.say(TURN, "ada: Priya left us there; Emil joins at nine.")

    rounds(remembering)

    assert [link.trigger for link in talk.links()] == ["Priya left us there; Emil joins at nine."]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([TURN, "ada: Is Priya's team joining us there?"], id="a question"),
        pytest.param([TURN, "ada: the standup, on Wednesday"], id="a repetition"),
        pytest.param([TURN, "bob: Priya's team joins us there, fridays at nine."], id="somebody else's"),
        pytest.param([TURN, f"{SAID} Don't remember this."], id="not to be remembered"),
        pytest.param(["agent: Priya was at the standup.", "ada: Please always answer me in German."], id="how to answer"),
        pytest.param(["ada: Forget that the standup is at 14:30."], id="to be forgotten, and with another time"),
        pytest.param(["agent: The standup stays.", "ada: Forget the number of Herr Priya, he asked us not to store it."], id="to be forgotten, and not what the agent said"),
        pytest.param([TURN, f"{SAID} The door PIN is 4711."], id="a secret in it"),
        pytest.param(["agent: Timer set.", "ada: Priya paints the hall."], id="about nothing that is remembered"),
    ],
)  # fmt: skip
def test_what_is_not_linked_leaves_no_run(talk, remembering, lines) -> None:
    """Mutants: a question is linked; a run is noted for each message."""
    talk.say(*lines)

    assert (rounds(remembering), talk.links()) == ([], [])


@pytest.mark.rest
@pytest.mark.parametrize(
    ("opening", "is_linked"),
    [("Right,", False), ("Exactly,", False), ("ok so", False), ("As I said,", False), ("Genau,", False), ("For the interns,", True)],
)  # fmt: skip
def test_the_entry_said_again_behind_an_opening_is_a_repetition(
    talk, remembering, opening, is_linked
) -> None:
    """Mutant: `Exactly` is more than the entry says."""
    talk.say(TURN, f"ada: {opening} the standup is on Wednesday.")

    rounds(remembering)

    assert bool(talk.links()) is is_linked


def test_a_message_that_corrects_its_entry_is_not_linked_as_well(talk, remembering) -> None:
    talk.validated(
        "agent: The Apollo review is on Wednesday.",
        "ada: Actually, the Apollo review is on Thursday, not Wednesday.",
    )

    assert (len(talk.corrections()), talk.links()) == (1, [])


def test_what_was_taken_back_is_not_linked(talk, remembering) -> None:
    """Mutant: `Scratch that.` is linked in its place."""
    talk.say(TURN, SAID, "agent: Noted.", "ada: Scratch that.")

    assert (rounds(remembering), talk.links()) == ([RunOutcome.NOTHING], [])


def test_what_was_said_before_the_entry_said_so_is_not_linked(talk, remembering) -> None:
    """Mutant: any message is linked, such as those of an imported history."""
    memory = remembering.read("MEMORY.md")
    talk.say(TURN, SAID)
    remembering.change({"MEMORY.md": memory.replace("Wednesday.", "Friday.")}, actor="operator")

    assert (rounds(remembering), talk.links()) == ([], [])


def test_an_answer_to_another_question_of_the_agents_is_beside_no_line(talk, remembering) -> None:
    """Seen: `14:00`, the dentist's, stood beside the stand-up in every prompt."""
    talk.say(
        "ada: hm, the standup, Wednesday",
        "agent: Noted. On which day is your dentist?",
        "ada: Friday.",
    )

    assert rounds(remembering) == []
    assert talk.links() == []


SHOP = """\
# MEMORY

- Hourly rate is 48 € HT for both of us. <!-- m:aaaaaa -->
- Deposit: 30 % at order, 40 % at start. <!-- m:bbbbbb -->
- Accountant: Cabinet Jacquier, Mme Pernet, before the 12th of each month. <!-- m:cccccc -->
- Apprentice: maybe one in September, Lycée du Bois in Mouchard. <!-- m:dddddd -->
- Invoices are numbered 2026-001 and so on. <!-- m:eeeeee -->
- Julie Lacroix is the one who decides, Marc just nods. <!-- m:ffffff -->
- We finish with Rubio Monocoat, Pure. <!-- m:gggggg -->
"""


@pytest.mark.parametrize(
    ("talk_before", "message", "linked"),
    [
        (["agent: Ash is 980 € per m3 at Bois du Haut-Jura."], "that's the old price, Didier said 1040", []),
        (["agent: Good start."], "réponds plus court, deux lignes max", []),
        (["agent: 48 € HT per hour for both of you."], "52 since january, Mme Pernet insisted", ["aaaaaa"]),
        (
            ["ada: Julie Lacroix is the one who decides", "agent: Noted."],
            "we're done with Rubio, since last week we only use Osmo 3032 for everything",
            [],
        ),
        ([], "vuillet's number changed, it's 03 84 60 47 33", []),
    ],
)
def test_a_line_reached_by_the_talk_alone_has_the_value_that_gives_way(
    talk, remembering, talk_before: list[str], message: str, linked: list[str]
) -> None:
    """Seen: a price stood beside the apprentice, an order how to answer beside the deposit, a phone number beside the invoices."""
    remembering.change({"MEMORY.md": SHOP}, actor="operator")
    remembering.now += timedelta(hours=2)
    talk.say(*talk_before, f"ada: {message}")

    rounds(remembering)

    assert [each.may_correct for each in talk.links()] == [(each,) for each in linked]


def test_what_the_agent_said_since_is_nearer_than_his_own_message(talk, remembering) -> None:
    """Mutant: his own message comes first."""
    talk.say(
        "ada: hm, the standup, Wednesday",
        "agent: Apollo reviews: Wednesday.",
        "ada: Friday. no more discussion",
    )

    rounds(remembering)

    (link,) = talk.links()
    assert link.said.startswith("The Apollo review")


@pytest.mark.rest
def test_a_third_link_sends_the_oldest_to_the_archive(talk, remembering) -> None:
    """Mutant: they grow in number."""
    talk.say(TURN, JOINS, TURN, "ada: no, mondays again")
    rounds(remembering)
    talk.say(TURN, "ada: no more standup with Kim")

    assert rounds(remembering) == [RunOutcome.LINKED]

    assert [each.trigger for each in talk.links()] == ["no, mondays again", "no more standup with Kim"]
    archived = read_corrections(remembering.read("Archive/Corrections/2026-03.md").encode())
    assert [each.trigger for each in archived] == [JOINS.removeprefix("ada: ")]


@pytest.mark.rest
def test_a_newer_link_that_only_touches_the_entry_pushes_no_plain_one_out(talk, remembering) -> None:
    """Mutant: the newest two stand, whatever they say."""
    talk.say(TURN, JOINS, TURN, "ada: no, mondays again", TURN, "ada: bring the blue folder there")

    rounds(remembering)

    standing = [each.trigger for each in talk.links() if each.trigger_confidence != "low"]
    assert standing == [JOINS.removeprefix("ada: "), "no, mondays again"]
    talk.say(TURN, "ada: no more standup with Kim")
    rounds(remembering)
    assert [each.trigger for each in talk.links()] == ["no, mondays again", "no more standup with Kim"]


def test_the_agents_answer_tells_what_a_message_is_about(talk, remembering) -> None:
    """Mutant: only what was said before it is looked at."""
    talk.say("agent: Timer set.", "ada: they want fridays from now on")
    assert rounds(remembering) == []  # it is read again when the answer is there
    talk.say("agent: I moved the Apollo review to fridays.")

    assert rounds(remembering) == [RunOutcome.LINKED]
    assert [each.may_correct for each in talk.links()] == [("aaaaaa",)]


def test_an_answer_that_names_another_entry_as_well_is_linked_to_both(talk, remembering) -> None:
    """Mutant: what he names hides what he answers."""
    talk.say(
        "agent: The Apollo review is on Wednesday at 10:00.",
        "ada: it's at 11 pm now. my sister Mary comes along",
    )

    rounds(remembering)

    assert {each.may_correct for each in talk.links()} == {("aaaaaa",), ("cccccc",)}


def test_what_the_agent_said_long_ago_is_nothing_that_he_answers(talk, remembering) -> None:
    """Mutant: the last turn counts, however old it is."""
    at = remembering.now - timedelta(hours=1, minutes=30)
    talk.hear(
        IncomingMessage(
            "assistant", "Reminder: the standup on Wednesday.", message_id="a", sent_at=at, sender="agent"
        )
    )
    talk.say(SAID)

    assert (rounds(remembering), talk.links()) == ([], [])


@pytest.mark.parametrize(
    ("said", "is_linked"), [("argh no, friday. wrong week", True), ("friday is fine for lunch", False)]
)
def test_a_value_in_the_place_of_the_one_said_last_is_an_answer_on_the_next_day_too(
    talk, remembering, said: str, *, is_linked: bool
) -> None:
    """Mutants: nothing answers after half an hour; whatever has a day answers."""
    at = remembering.now - timedelta(hours=20)
    talk.hear(
        IncomingMessage(
            "assistant", "Reminder: the standup on Wednesday.", message_id="a", sent_at=at, sender="agent"
        )
    )
    talk.say(f"ada: {said}")

    rounds(remembering)

    assert [each.said for each in talk.links()] == [STANDUP] * is_linked


@pytest.mark.parametrize(
    ("said", "minutes"),
    [
        ("yes, Thursday, not Wednesday", 1),
        ("no wait, the vet is late", 1),
        ("no wait, it IS Wednesday", 45),
        ("On Wednesdays I work from home.", 1),
        ("My sister comes on Wednesday.", 1),
        ("I do not work on Wednesdays.", 1),
    ],
)
def test_what_he_says_of_something_else_behind_his_own_correction_is_not_beside_its_entry(
    talk, remembering, said: str, minutes: int
) -> None:
    """Mutant: the old value alone is enough."""
    talk.say("ada: The standup is on Thursday, not on Wednesday.")
    rounds(remembering)
    assert "- The standup is on Thursday." in remembering.read("MEMORY.md")
    talk.number += minutes - 1
    talk.say(f"ada: {said}")

    rounds(remembering)

    assert not talk.links()


@pytest.mark.parametrize(
    "said",
    ["sorry, I was wrong, Wednesday is right", "no wait, Wednesday was right"],
)
def test_a_correction_is_undone_where_he_says_only_the_old_value_right_behind_it(
    talk, remembering, said: str
) -> None:
    """Seen: both stood side by side until he undid it by hand. Mutant: it is put beside the line."""
    talk.say("ada: The standup is on Thursday, not on Wednesday.")
    rounds(remembering)
    talk.say(f"ada: {said}")

    rounds(remembering)

    assert "- The standup is on Wednesday." in remembering.read("MEMORY.md")
    assert talk.links() == []


@pytest.mark.parametrize(
    ("said", "is_linked"),
    [
        pytest.param("Friday sorry!! it was dark", True, id="another value of its kind"),
        pytest.param("sorry, it was dark", False, id="no value"),
        pytest.param("the bread is for Friday", False, id="a value of something"),
    ],
)
def test_what_replaces_a_value_of_linked_words_is_beside_the_same_line(talk, remembering, said: str, *, is_linked: bool) -> None:  # fmt: skip
    """Seen: `new code on the house door: 7052`, then `7025 sorry!!`, and only the first stood beside the line."""
    talk.say("ada: the standup has a new day, Thursday", "agent: Thursday from now on.", f"ada: {said}")

    rounds(remembering)

    assert [each.said for each in talk.links() if each.trigger.startswith(said[:5])] == [STANDUP] * is_linked


def test_a_bare_value_behind_words_on_something_else_is_not_beside_the_line_linked_before(
    talk, remembering
) -> None:
    """Seen: `no, Wednesday` about the dentist stood beside the line on the standup."""
    talk.say("ada: the standup has a new day, Thursday", "agent: Thursday from now on.")
    talk.say("ada: The dentist for Lu is on Thursday.", "agent: Noted.", "ada: no, Wednesday")

    rounds(remembering)

    assert not any(each.trigger == "no, Wednesday" for each in talk.links() if each.said == STANDUP)


def test_a_link_stays_in_the_ledger_while_it_stands(talk, remembering) -> None:
    """Mutant: after fourteen days it goes to the archive, and is shown no more."""
    talk.say(TURN, SAID)
    rounds(remembering)
    later = remembering.now.date().replace(month=6)

    assert archive_plan(remembering.history, remembering.history.tip().tree, later, 14).edits == ()

    memory = remembering.read("MEMORY.md")
    remembering.change({"MEMORY.md": memory.replace(STANDUP, "The standup is gone.")}, actor="operator")
    assert len(archive_plan(remembering.history, remembering.history.tip().tree, later, 14).edits) == 2


def test_a_yes_in_his_words_changes_the_entry_and_ends_the_link(talk, remembering) -> None:
    talk.say(TURN, SAID)
    rounds(remembering)
    (link,) = talk.links()

    correct(remembering.history, f"x:{link.correction_id}", "The standup is on Friday at 9:00.", intent(remembering))  # fmt: skip

    (correction,) = talk.corrections()
    assert (correction.status, correction.corrects) == (Status.APPLIED, ("bbbbbb",))
    assert (correction.correction_id, talk.links()) == (link.correction_id, [])
    assert "- The standup is on Friday at 9:00. <!-- m:bbbbbb -->" in remembering.read("MEMORY.md")


def test_a_no_ends_the_link_and_it_is_not_made_again(talk, remembering) -> None:
    """Mutant: what he declined is linked when the messages are read once more."""
    memory = remembering.read("MEMORY.md")
    talk.say(TURN, SAID)
    rounds(remembering)
    (link,) = talk.links()

    drop(remembering.history, f"x:{link.correction_id}", intent(remembering))
    (remembering.history.state / "records.db").unlink()

    assert RunOutcome.LINKED not in rounds(remembering)
    assert (talk.links(), remembering.read("MEMORY.md")) == ([], memory)


def test_nobody_else_drops_or_rewrites_a_link(talk, remembering) -> None:
    """Mutant: a link is an item that guards know nothing of."""
    talk.say(TURN, SAID)
    rounds(remembering)
    ledger = remembering.read("CORRECTIONS.md")

    with pytest.raises(GuardError, match="says something else"):
        remembering.change({"CORRECTIONS.md": ledger.replace("status: linked", "status: logged")})


def test_a_link_is_no_hit_and_does_not_use_up_its_message(talk, remembering) -> None:
    """Mutants: a search finds the entry twice; what else the message says is not mined."""
    talk.say(TURN, SAID, "agent: Your sister Mary wrote.", "ada: She paints boats in Porto.")
    rounds(remembering)

    hits = search(remembering.history, Query("standup"), remembering.now).results
    cited = read_cited(remembering.history)

    assert {each.evidence[0] for each in talk.links()} <= cited.corrected.keys()
    assert (len(talk.links()), cited.every) == (2, frozenset())
    assert {hit.path for hit in hits} == {"MEMORY.md"}


def test_his_very_words_again_stand_beside_nothing(remembering, talk) -> None:
    """Mutant: what triage flags is news (`new`), whatever the line says."""
    remembering.change(
        {"MEMORY.md": "- My new phone number is 555-0199-22. <!-- m:aaaaaa -->\n"}, actor="operator"
    )
    remembering.now += timedelta(hours=2)

    talk.validated("ada: My new phone number is 555-0199-22.", "agent: Saved.")

    assert talk.links() == []


def test_what_is_told_of_somebody_else_is_not_beside_the_line_of_an_older_link(remembering, talk) -> None:
    """Seen: `Tomasz comes on Fridays.` was put beside Anselm's line, beside which `No, Friday.` had been."""
    remembering.change({"MEMORY.md": "# MEMORY\n\n- Anselm comes on Thursdays.\n"}, actor="operator")
    remembering.now += timedelta(hours=2)
    talk.say("agent: Anselm comes on Thursday.", "ada: No, Friday.")
    rounds(remembering)
    talk.say("agent: Noted.", "ada: Tomasz comes on Fridays.")

    rounds(remembering)

    assert [link.trigger for link in talk.links()] == ["No, Friday."]


def test_what_memory_says_already_is_beside_no_line_of_the_agents_talk(remembering, talk) -> None:
    """Seen: `The staging port is 9090.`, which memory says, stood beside the dentist's line, and a true link had gone for it."""
    lines = "- The dentist is Dr. Weber in Hauptstrasse 4.\n- The staging port is 9090.\n"
    remembering.change({"MEMORY.md": f"# MEMORY\n\n{lines}"}, actor="operator")
    remembering.now += timedelta(hours=2)
    dentist = "agent: Your dentist is Dr. Weber in Hauptstrasse 4 and your daughter is called Lea."
    talk.say("ada: What is the staging port?", dentist, "ada: The staging port is 9090.")

    rounds(remembering)

    assert talk.links() == []


def test_what_a_round_set_right_before_the_message_was_answered_is_told(talk, remembering) -> None:
    """Seen: the model was told that its user may be correcting the line that was right already. Mutant: only an own change is told."""
    talk.say(TURN, "ada: The standup is on Thursday, not on Wednesday.")
    assert rounds(remembering) == [RunOutcome.APPLIED]

    with open_messages(remembering.history, remembering.now) as store:
        message = store.log(MessageQuery(role="user"))[0]
        (made,) = correct_at_once(remembering.history, store, message, remembering.now, lambda kept: None)

    assert (made.text, made.before, made.path) == ("The standup is on Thursday.", STANDUP, "MEMORY.md")


@pytest.mark.parametrize(
    ("lines", "linked"),
    [
        pytest.param(["ada: the wait is 30 minutes, not 15, Priya insisted"], set(), id="a word of a clause that denies nothing"),
        pytest.param(
            ["ada: deploys: who does them?", "agent: Deploys on Tuesdays and Thursdays, by Ilse.", "ada: and Ilse isn't on call any more, that's Marek until end of june"],
            {"Ilse is on call this quarter, phone in the vault."},
            id="what it denies, not what was said before",
        ),
        pytest.param(["ada: Mia learns Spanish on Wednesday, not on Thursday."], set(), id="a day is no name"),
        pytest.param(
            ["ada: Uxía tiene natación martes y viernes, no martes y jueves"],
            {"Uxía does swimming on Tuesdays and Thursdays at 17:30."},
            id="the days denied",
        ),
    ],
)  # fmt: skip
def test_one_word_in_common_links_only_where_the_denial_is_of_it(
    talk, remembering, lines: list[str], linked: set[str]
) -> None:
    """Mutants: a denial in another clause counts; so does one of what an entry denies itself; the talk before counts more."""
    entries = """\
# Memory

- Dad: Suso, died 2019. Don't bring it up in jokes.
- Priya reviews everything in auth.
- Deploys happen on Tuesdays and Thursdays, never on Friday.
- Ilse is on call this quarter, phone in the vault.
- Marek owns the billing service.
- Uxía does swimming on Tuesdays and Thursdays at 17:30.
- Uxía's swimming is Mondays.
"""
    remembering.change({"MEMORY.md": entries}, actor="host")
    remembering.now += timedelta(hours=2)
    talk.say(*lines)

    rounds(remembering)

    assert set(map(attrgetter("said"), talk.links())) == linked


def test_a_message_that_the_operator_carried_out_by_hand_is_beside_no_other_line(talk, remembering) -> None:
    """Seen: the new name of the rota was put beside the roster of the team."""
    lines = "- Guardia de noche: Priya\n- Equipo: Devi, Tomasz, Priya\n"
    remembering.change({"MEMORY.md": f"# Memory\n\n{lines}"}, actor="operator")
    remembering.now += timedelta(hours=2)
    talk.say("ada: Tomasz lleva la guardia de noche ahora, no Priya")
    correct(remembering.history, "Guardia de noche: Priya", "Guardia de noche: Tomasz", intent(remembering))

    assert RunOutcome.LINKED not in rounds(remembering)
    assert talk.links() == []
