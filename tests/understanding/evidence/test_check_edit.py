"""What level the operator's words give an edit: his own, a reading of them, the host's, or none."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.memory.trust import HOST, OPERATOR, UNDERSTOOD
from clawgit.understanding.evidence.check_edit import Ground, ProposedEdit, Spoken, ground_of
from clawgit.understanding.evidence.said_words import lacking, read
from tests.understanding.evidence.statements import (
    HIS_OWN,
    NAMED_BY_THE_AGENT,
    NOT_SAID,
    ON,
    READ_RIGHT,
    READ_WRONGLY,
)


def _ground(message: str, old: str, new: str, quote: str = "") -> Ground:
    return ground_of(ProposedEdit(old, new, quote), Spoken(message, ON))


@pytest.mark.parametrize(("message", "_before", "old", "new"), HIS_OWN)
def test_one_value_that_a_sentence_of_his_states_is_his_own_word(message, _before, old, new) -> None:
    assert _ground(message, old, new).level == OPERATOR


def test_a_name_in_the_place_of_a_name_is_his_own_word() -> None:
    """Mutant: the old name is part of what the entry is about."""
    old, new = "The parrot is called Polly.", "The parrot is called Pepper."

    assert _ground("No, the parrot is called Pepper.", old, new).level == OPERATOR
    assert _ground("No, Pepper!", old, new).level == UNDERSTOOD


@pytest.mark.parametrize(
    ("message", "old", "new"),
    [
        ("Her flight leaves at 9:40.", "My flight leaves at 7:15.", "My flight leaves at 9:40."),
        ("Your flight leaves at 9:40, not 7:15.", "User's flight leaves at 7:15.", "User's flight leaves at 9:40."),
        ("My parents live in Rome, not Paris.", "I live in Paris.", "I live in Rome."),
        ("My neighbour's rent is 1,300 euros.", "Rent is 1,240 euros.", "Rent is 1,300 euros."),
        ("The train from Zurich to Basel was late.", "The board meets in Zurich.", "The board meets in Basel."),
        ("I doubt the board meets in Basel.", "The board meets in Zurich.", "The board meets in Basel."),
        ("Anna was born in Basel, not Zurich.", "The board meets in Zurich.", "The board meets in Basel."),
        ("Ben's birthday is on 9 May, Anna's on 4 May.", "Anna's birthday is on 4 May.", "Anna's birthday is on 9 May."),
        ("We spent 6k of the budget.", "The budget is 4k.", "The budget is 6k."),
        ("Today stand-up is at 10:00.", "Stand-up is at 9:30.", "Stand-up is at 10:00."),
        ("Peter wants stand-up at 10:00.", "Stand-up is at 9:30.", "Stand-up is at 10:00."),
        ("The API port of the demo is 9090.", "The API port is 8080.", "The API port is 9090."),
        ("The deadline must be before 10 June.", "The deadline is 3 June.", "The deadline is 10 June."),
        ("At Acme, the deadline is 10 June.", "The deadline is 3 June.", "The deadline is 10 June."),
        ("Stand-up is at 10:00, but only tomorrow.", "Stand-up is at 9:30.", "Stand-up is at 10:00."),
        ("她的航班9:40起飞。", "我的航班7:15起飞。", "我的航班9:40起飞。"),
        ("His standup is at 10:30, not 9:30.", "Standup: Tuesdays 9:30", "Standup: Tuesdays 10:30"),
        ("Seine Miete ist 920 Euro, nicht 850.", "Miete: 850 Euro.", "Miete: 920 Euro."),
        ("她的会议在周四，不是周三。", "会议在周三。", "会议在周四。"),
    ],
)  # fmt: skip
def test_one_value_of_something_else_is_no_word_of_his(message, old, new) -> None:
    """Mutant: of all that a sentence says, only the value and the words of the entry are looked at."""
    assert _ground(message, old, new).level == UNDERSTOOD


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("message", "_before", "old", "new"), [*READ_RIGHT, *READ_WRONGLY])
def test_other_words_for_what_he_says_are_a_reading(message, _before, old, new) -> None:
    ground = _ground(message, old, new)

    assert ground.level == UNDERSTOOD
    assert ground.quote


@pytest.mark.parametrize(
    ("message", "old", "new"),
    [
        ("Bob manages Alice now, actually", "Alice manages Bob.", "Bob manages Alice."),
        ("it's 8 for staff, 12 for guests", "Rooms cost 12 for staff and 8 for guests.", "Rooms cost 8 for staff and 12 for guests."),
    ],
)  # fmt: skip
def test_roles_turned_round_are_a_reading_where_he_says_them_in_that_order(message, old, new) -> None:
    """Mutant: who says the same words says the same."""
    assert _ground(message, old, new).level == UNDERSTOOD
    assert _ground(message, new, old).says == "The entry says so already."
    assert _ground(old, old, new).says == "The entry says so already."


@pytest.mark.parametrize(("message", "_before", "old", "new"), NAMED_BY_THE_AGENT)
def test_an_addition_in_words_of_the_agents_is_the_hosts(message, _before, old, new) -> None:
    ground = _ground(message, old, new)

    assert ground.level == HOST
    assert ground.quote == message


@pytest.mark.parametrize(("message", "_before", "old", "new"), NOT_SAID)
def test_what_he_does_not_say_is_no_word_of_his(message, _before, old, new) -> None:
    assert _ground(message, old, new).level in ("", HOST)


@pytest.mark.parametrize(
    ("message", "old", "new"),
    [
        pytest.param("ok, Tuesday it is", "", "Maria gets access to the account on Tuesday.", id="agreed"),
        pytest.param("yes, the light one", "", "User gives Bob the light key.", id="chosen"),
        pytest.param("sure, 500 then", "", "Bob may transfer 500 euros from the account.", id="a sum"),
        pytest.param("ja, Freitag passt", "", "Der Zugang für Tom gilt ab Freitag.", id="German"),
    ],
)
def test_a_bare_answer_makes_nothing_of_the_agents_sentence_his(message, old, new) -> None:
    assert _ground(message, old, new).level == HOST


@pytest.mark.parametrize(
    ("message", "quote", "new"),
    [
        ("It is false that Ann leads Apollo.", "Ann leads Apollo", "Ann leads Apollo."),
        ("Without Hank's signature, no payment goes out.", "payment goes out", "Payments go out without Hank's signature."),
        ("Apart from Kim, nobody knows the code.", "nobody knows the code", "Nobody knows the code."),
        ("Without a ticket, no ferry leaves at 10:45.", "ferry leaves at 10:45", "The ferry leaves at 10:45."),
        ("I don't eat fish.", "eat fish", "User eats fish."),
        ("I eat fish.", "I eat fish", "User does not eat fish."),
        ("除了小李，没人知道密码。", "没人知道密码", "没人知道密码。"),
    ],
)  # fmt: skip
def test_a_quote_keeps_the_head_of_its_sentence(message, quote, new) -> None:
    """Mutant: the reader's quote counts as it is cut by the reader."""
    ground = _ground(message, "", new, quote)

    assert ground.level == ""
    assert ground.quote == message


def test_the_quote_is_every_sentence_that_has_something_of_what_is_new() -> None:
    ground = _ground(
        "No. The review moved to Thursday. It starts at 4pm. Can you tell Tim?",
        "The review is on Wednesday at 15:00.",
        "The review is on Thursday at 16:00.",
        "review moved",
    )

    assert ground == Ground(UNDERSTOOD, "The review moved to Thursday. It starts at 4pm.")


@pytest.mark.parametrize(
    ("message", "old", "new", "level"),
    [
        ("they quote 'meetings are in Basel' on the page", "Board meetings are in Zurich.", "Board meetings are in Basel.", ""),
        ("a customer wrote 'our budget is 12k', what do we answer", "", "The budget is 12k.", ""),
        ("Bob says the rent is 900", "", "Bob says the rent is 900", ""),
        ("My favourite film is 'The Lord of the Rings'.", "", "My favourite film is 'The Lord of the Rings'.", "operator"),
        ("no, call it 'Blue Whale'", "The project is called Orca.", "The project is called Blue Whale.", "understood"),
    ],
)  # fmt: skip
def test_what_a_sentence_quotes_or_reports_is_not_said(message: str, old: str, new: str, level: str) -> None:
    assert ground_of(ProposedEdit(old, new), Spoken(message, date(2026, 3, 8))).level == level


@pytest.mark.parametrize(
    "message",
    [
        "If the review is on Thursday, I can't come.",
        "I hope the review is on Thursday.",
        "Ask whether the review is on Thursday.",
        "The review used to be on Thursday.",
    ],
)
def test_a_condition_or_a_wish_makes_no_word_of_his(message) -> None:
    assert _ground(message, "The review is on Wednesday.", "The review is on Thursday.").level == UNDERSTOOD


def test_a_whole_sentence_of_his_is_his_own_word() -> None:
    ground = _ground("Hi! The review is on Thursday. Tell Tim.", "", "The review is on Thursday.")

    assert ground == Ground(OPERATOR, "The review is on Thursday.")


def test_a_partial_date_takes_the_rest_from_the_entry() -> None:
    ground = _ground(
        "the 22nd, not the 19th", "The exam is on 19 March 2027.", "The exam is on 22 March 2027."
    )

    assert ground.level == OPERATOR


@pytest.mark.parametrize(
    ("message", "old", "new"),
    [
        pytest.param("es el 22", "La cita es el 2027-01-15.", "La cita es el 2027-01-22.", id="a bare day"),
        pytest.param("27일로 미뤘어", "예약은 2026년 8월 25일이다.", "예약은 2026년 8월 27일이다.", id="a Korean day"),
        pytest.param("the 14th, December of course", "Taxes are due on 2026-11-30.", "Taxes are due on 2026-12-14.", id="its own month"),
        pytest.param("der 14. reicht", "Die Frist ist der 30.11.2026.", "Die Frist ist der 14.11.2026.", id="a German date"),
        pytest.param("went into the magenta shop, they come on friday", "The internet is from A1.", "The internet is from Magenta.", id="a name for a label"),
        pytest.param("we eat at 9 by now", "User eats at 22:00.", "User eats at 21:00.", id="the half of the day"),
    ],
)  # fmt: skip
def test_what_was_named_by_its_number_takes_the_rest_from_the_entry(message, old, new) -> None:
    """Mutant: the rest of a value has to be said as well."""
    assert _ground(message, old, new).level == UNDERSTOOD


def test_a_month_that_was_said_comes_before_that_of_the_entry() -> None:
    message = "the 14th, December of course"

    assert not _ground(message, "Taxes are due on 2026-11-30.", "Taxes are due on 2026-11-14.").level


@pytest.mark.parametrize(
    ("message", "old", "new"),
    [
        pytest.param("I don't drink wine either", "User drinks wine but no beer.", "User drinks neither beer nor wine.", id="neither, nor"),
        pytest.param("她已经不过敏了", "她对虾过敏。", "她对虾已经不过敏了。", id="Chinese"),
        pytest.param("we sit on the 4th, no room number", "The team sits on the 3rd floor.", "The team sits on the 4th floor and has no room number.", id="a clause of its own"),
    ],
)  # fmt: skip
def test_a_denial_is_that_of_its_own_clause(message, old, new) -> None:
    assert _ground(message, old, new).level == UNDERSTOOD


def test_a_spanish_message_denies_with_ni() -> None:
    said, stated = "por Signal siempre, el correo ni lo leo", "El correo no se lee, siempre por Signal."

    assert _ground(said, "", stated).level in (HOST, UNDERSTOOD)


def test_an_addition_may_name_the_day_on_which_it_was_said() -> None:
    said, stated = "The firmware goes to Zephyr", "The firmware goes to Zephyr (decided on 27 August 2026)."

    assert _ground(said, "", stated.replace("decided ", "")).level == UNDERSTOOD
    assert _ground(said, "", stated.replace("27", "26")).level == ""


def test_the_day_on_which_it_was_said_takes_the_place_of_no_day_of_his() -> None:
    """27 August 2026 is a Thursday. Mutant: the day of a message is said in every message."""
    said = "The firmware goes to Zephyr on Monday"

    assert _ground(said, "", "The firmware goes to Zephyr on Thursday.").level == ""
    assert _ground(said, "", "Decided on 27 August 2026: the firmware goes to Zephyr on Monday.").level


def test_a_korean_name_has_no_number_in_it() -> None:
    """Mutant: `오세진` counts five or three of something, which would be lost."""
    ground = _ground("이제 하은님이 팀장이야", "팀장은 오세진이다.", "팀장은 이제 하은이다.")

    assert ground.level == UNDERSTOOD


@pytest.mark.parametrize(
    ("message", "old", "new", "may_be"),
    [
        pytest.param("bullet points for that, please", "User wants summaries as prose.", "User wants summaries in bullet points everywhere.", True, id="a word"),
        pytest.param("one is enough now", "The branch requires two approvals.", "One approval is enough now.", True, id="a value goes"),
        pytest.param("bullet points for that, please", "User wants summaries as prose.", "The agent may approve payments.", False, id="nothing of his"),
        pytest.param("bullet points for that, please", "User wants summaries as prose.", "User wants bullet points on Friday.", False, id="a value of nobody"),
        pytest.param("no bullet points for that, please", "User wants summaries as prose.", "User wants summaries in bullet points.", False, id="a denial lost"),
        pytest.param("none any more, since Easter", "User likes red wine.", "User drinks no red wine since Easter.", True, id="a denial elsewhere"),
        pytest.param("none any more, since Easter", "User likes red wine.", "Visitors get no red wine in the garden house since Easter.", False, id="a denial elsewhere, and nothing of his"),
        pytest.param("one is enough now for main", "Main has two approvals.", "One approval is enough, agreed.", True, id="all but a word"),
    ],
)  # fmt: skip
def test_only_words_denials_and_lost_values_are_left_to_a_second_reader(
    message, old, new, may_be: bool
) -> None:
    """Mutants: a second reader lets values, a denial that nobody makes, or a reader's own text pass."""
    ground = _ground(message, old, new)

    assert (ground.level, ground.may_be_confirmed) == ("", may_be)


@pytest.mark.parametrize(
    "message",
    [
        "Tom says the review is on Thursday",
        "The review is on Thursday, says Tom.",
        "Is the review on Thursday?",
    ],
)
def test_what_somebody_else_said_or_he_asks_is_a_question(message: str) -> None:
    ground = _ground(message, "The review is on Wednesday.", "The review is on Thursday.")

    assert (ground.level, ground.is_question) == ("", True)


def test_his_own_saying_is_no_report() -> None:
    ground = _ground(
        "I've said this before: the review is on Thursday.",
        "The review is on Wednesday.",
        "The review is on Thursday.",
    )

    assert ground.level == OPERATOR


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("The review is on Wednesday.", "The review is on Friday.", id="no value of his"),
        pytest.param("The review is on Thursday.", "The review is on Thursday.", id="the same"),
        pytest.param(
            "The review of Apollo is on Wednesday.", "The review is on Thursday.", id="a name is lost"
        ),
    ],
)
def test_what_no_question_could_ask_is_dropped_with_his_words(old, new) -> None:
    """Mutant: a reading without a value of his is asked."""
    ground = _ground("The review is on Thursday.", old, new)

    assert (ground.level, ground.is_question, ground.quote) == ("", False, "The review is on Thursday.")


def test_a_quote_that_is_not_his_is_no_question() -> None:
    pasted = "see below\n\n> The review is on Thursday.\n"

    ground = _ground(
        pasted, "The review is on Wednesday.", "The review is on Thursday.", "The review is on Thursday."
    )

    assert (ground.level, ground.is_question) == ("", False)


@pytest.mark.parametrize(
    "statement",
    [
        "The review is on Thursday. <!-- m:7k2x9d -->",
        "The review is on Thursday.\n- User is an admin.",
        "# The review is on Thursday",
        "The review x:4f1c2a is on Thursday.",
        "<b>The review</b> is on Thursday.",
        "![](http://example.com) The review is on Thursday.",
        "Is the review on Thursday?",
        "   ",
        "on Thursday " * 200,
    ],
)
def test_what_is_no_statement_is_refused_without_a_question(statement: str) -> None:
    ground = _ground("The review is on Thursday.", "", statement)

    assert (ground.level, ground.is_question) == ("", False)


@pytest.mark.rest
@given(st.text(max_size=400), st.text(max_size=400), st.text(max_size=200), st.text(max_size=80))
@settings(max_examples=300, deadline=None)
def test_it_never_raises(message: str, old: str, new: str, quote: str) -> None:
    _ground(message, old, new, quote)


_PARTS = st.sampled_from(
    [
        "no",
        "it's",
        "Thursday",
        "4pm",
        "16:00",
        "not",
        "18k",
        ".",
        ",",
        "?",
        "下周四",
        "9月31日",
        "3个",
        "오후",
        "열두",
        "시",
        "안",
        "말고",
        "\n",
        ">",
        "```",
        "-",
        "*",
        '"',
        "'",
        "(",
        "two",
        "weeks",
        "ago",
        "2026-99-99",
        "€5,00",
        "User's",
    ]
)


@pytest.mark.rest
@given(*[st.lists(_PARTS, max_size=40).map(" ".join)] * 4)
@settings(max_examples=300, deadline=None)
def test_it_never_raises_on_what_looks_like_values(message: str, old: str, new: str, quote: str) -> None:
    _ground(message, old, new, quote)


@pytest.mark.parametrize(
    "part", ["9" * 50, "a-", "not ", "Monday ", "一", "월", "[(", "half past ", "1,", "x" * 99, "\u0301"]
)
def test_endless_text_costs_bounded_work(part: str) -> None:
    endless = part * 30_000

    _ground(endless, endless[:500], endless[:500] + "b", endless)


@pytest.mark.parametrize(
    ("message", "old", "new"),
    [
        ("I'm allergic to shellfish. Just kidding.", "", "I'm allergic to shellfish."),
        ("No, the review is on Thursday. Just kidding.", "The review is on Wednesday.", "The review is on Thursday."),
        ("The review is on Thursday. Scratch that, Friday.", "The review is on Wednesday.", "The review is on Thursday."),
    ],
)  # fmt: skip
def test_what_the_same_message_takes_back_carries_nothing(message, old, new) -> None:
    """Mutant: only what a later message takes back is not said."""
    assert _ground(message, old, new).level == ""


def test_what_follows_a_taking_back_in_the_same_message_counts() -> None:
    message = "The review is on Friday. Scratch that, the review is on Thursday."

    assert _ground(message, "The review is on Wednesday.", "The review is on Thursday.").level == OPERATOR


@pytest.mark.parametrize(
    ("message", "statement", "level"),
    [
        ("Meireles didn't show up, again", "Meireles did not show up again.", UNDERSTOOD),
        ("Meireles did not show up, again", "Meireles didn't show up again.", UNDERSTOOD),
        ("Graça said yes, 850 from April", "850 from April, Graça said yes.", UNDERSTOOD),
        ("Graça said it is 850 from April", "850 from April, Graça said yes.", ""),
    ],
)
def test_a_denial_in_two_words_and_a_yes_are_read_as_they_are_meant(message, statement, level) -> None:
    """Mutants: `did` and `not show up` are two clauses; who said yes tells what somebody else said."""
    assert _ground(message, "", statement).level == level


@pytest.mark.parametrize(
    ("message", "statement", "says"),
    [
        ("not theirs, it's fraud", "It is fraud, never ours.", "denies something that the operator does not"),
        (
            "Anna leads. Ben leads nothing.",
            "Anna leads nothing.",
            "The statement has 'anna' in what it denies",
        ),
        ("It is Monday. Anna says the key is lost.", "It is Monday, the key is lost.", "'Anna says the key"),
    ],
)
def test_a_refusal_says_what_is_so(message, statement, says) -> None:
    """Mutants: he is told to deny nothing where he denies something else; all sentences are called reported."""
    assert says in _ground(message, "", statement).says


def test_a_serial_number_with_a_letter_for_thousands_is_no_number() -> None:
    """It ended the check with an error."""
    old, new = "The spare key 7k2x9d hangs at 3 Elm Road.", "The spare key 7k2x9d hangs at 5 Elm Road."

    assert _ground("The spare key 7k2x9d hangs at 5 Elm Road now.", old, new).level == OPERATOR


@pytest.mark.parametrize(
    "text", ["Lễ vào ngày 21 tháng 12 năm 2026", "Lễ ngày 21 tháng 12"], ids=["with its year", "without"]
)
def test_a_vietnamese_date_is_one_value(text: str) -> None:
    """Mutant: its day, its month and its year are three numbers."""
    (date_told,) = read(text, ON).values

    assert date_told.kinds == {"d"}
    assert date_told.shown.startswith("ngày 21 tháng 12")


def test_a_korean_word_of_one_syllable_is_meant_with_its_particle() -> None:
    """Mutant: particles come off longer words alone."""
    assert lacking(read("물도 필요해"), read("물은 필요해")) == []
