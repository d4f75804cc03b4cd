"""What an exchange sets right, from texts alone."""

from __future__ import annotations

import pytest

from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.write_correction import Exchange, Held
from clawgit.memory.entries.entries import read_entries
from clawgit.understanding.corrections.judge_message import NOTHING, judge

MEMORY = b"""\
- 2026-01-20: The Apollo review is on Wednesday at 10:00. #event <!-- m:aaaaaa -->
- The standup is on Wednesday. <!-- m:bbbbbb -->
- Ada's sister is called Mary. <!-- m:cccccc -->
- The staging port is 8080. <!-- m:dddddd -->
- Ada lives in Seoul. <!-- m:eeeeee -->
"""


def held(data: bytes = MEMORY) -> list[Held]:
    return [Held("MEMORY.md", entry) for entry in read_entries(data)]


def judged(told: str, *before: str, confidence: str = "medium", data: bytes = MEMORY):
    return judge(Exchange(told, confidence, before), held(data))


@pytest.mark.parametrize(
    ("told", "before", "entry_id", "now"),
    [
        pytest.param("Actually, it's Thursday.", "The Apollo review is on Wednesday.", "aaaaaa", "The Apollo review is on Thursday at 10:00.", id="RV2: a value of its kind"),
        pytest.param("No, it's 9090.", "Staging listens on port 8080.", "dddddd", "The staging port is 9090.", id="said otherwise than remembered"),
        pytest.param("No, her name is Maria.", "Your sister is called Mary, and I will write to her.", "cccccc", "Ada's sister is called Maria.", id="only the clause"),
        pytest.param("I already told you: my sister is called Maria.", "Hello!", "cccccc", "Ada's sister is called Maria.", id="nothing was said of it"),
    ],
)  # fmt: skip
def test_the_entry_is_set_right(told: str, before: str, entry_id: str, now: str) -> None:
    found = judged(told, before, confidence="high" if told.startswith("I ") else "medium")

    assert found.status is Status.APPLIED
    assert [(each.entry.entry_id, statement) for each, statement in found.wrong] == [(entry_id, now)]


@pytest.mark.parametrize(
    ("told", "before", "entry", "now"),
    [
        pytest.param("The review isn't on Wednesday but on Thursday.", "Booked it.", "The review is on Wednesday.", "The review is on Thursday.", id="not X but Y"),
        pytest.param("prod is not in Frankfurt, it is in Dublin", "Deployed.", "Prod runs in Frankfurt.", "Prod runs in Dublin.", id="not X, it is Y"),
        pytest.param("We deploy on Mondays, not Fridays.", "Deployed.", "We deploy on Fridays.", "We deploy on Mondays.", id="Y, not X"),
        pytest.param("评审不是周三，是周四。", "好的。", "评审在周三。", "评审在周四。", id="不是X，是Y"),
        pytest.param("리뷰는 수요일 말고 목요일이야.", "알겠습니다.", "리뷰는 수요일이에요.", "리뷰는 목요일이에요.", id="X 말고 Y"),
    ],
)  # fmt: skip
def test_a_contrast_sets_its_entry_right_whatever_the_agent_said(told, before, entry, now) -> None:
    """Mutants: contrasts are not read; the agent's sentence has to read like the entry."""
    assert [each for _, each in judged(told, before, data=f"- {entry}\n".encode()).wrong] == [now]


@pytest.mark.parametrize(
    ("told", "before", "confidence"),
    [
        pytest.param("You forgot my timezone.", "What timezone are you in?", "high", id="RV4: not named"),
        pytest.param("You forgot my favourite drink.", "What is your favourite drink?", "high", id="what is only named"),
        pytest.param("I told you, it's the old number.", "Li's number is 555-0142.", "high", id="what it is not"),
        pytest.param("My brother lives where, remember?", "Hello!", "high", id="asked what is remembered"),
        pytest.param("不对，我搬到杭州了", "The standup is on Wednesday.", "medium", id="no answer to what was said last"),
        pytest.param("Remember?", "Hello!", "high", id="reminded of nothing"),
        pytest.param("I already told you how to call the deploy script.", "How do I deploy?", "high", id="a capability"),
        pytest.param("No, not yet.", "Shall I send it?", "medium", id="an answer"),
        pytest.param("No, I live in Seoul.", "You live in Busan.", "medium", id="what memory says already"),
        pytest.param("Actually, it's Thursday.", "The launch is on Friday.", "medium", id="not remembered"),
        pytest.param("기억해줘, 4월부터 팀 회의는 매주 화요일 10시야.", "11시에 회의가 있습니다.", "medium", id="an order: the miner's"),
        pytest.param("The standup is on Thursday, not Wednesday?", "The standup is on Wednesday.", "medium", id="a question"),
        pytest.param("If Bob comes, the standup is on Thursday, not Wednesday.", "Noted.", "medium", id="a condition"),
        pytest.param("I wish the standup were on Thursday instead of Wednesday.", "Noted.", "medium", id="a wish"),
        pytest.param("Bob said the standup is on Thursday, not Wednesday.", "Noted.", "medium", id="a report"),
    ],
)  # fmt: skip
def test_what_says_nothing_about_memory_leads_to_nothing(told: str, before: str, confidence: str) -> None:
    """Mutants: whatever was heard is noted; what is in doubt is asked."""
    assert judged(told, before, confidence=confidence) == NOTHING


@pytest.mark.parametrize(
    ("told", "statement"),
    [
        ("I told you, I drink oolong tea only.", "I drink oolong tea only"),
        ("You forgot that I'm allergic to nuts.", "I'm allergic to nuts"),
        ("You forgot that the office closes at noon.", "the office closes at noon"),
        ("You've forgotten again that my son starts school.", "my son starts school"),
        ("You keep getting this wrong: my brother's name is Leo.", "my brother's name is Leo"),
    ],
)
def test_a_whole_statement_behind_a_strong_trigger_is_noted_word_for_word(told: str, statement: str) -> None:
    """Mutants: the trigger counts as a part of it; a medium signal is enough."""
    found = judged(told, "Cake?", confidence="high")

    assert (found.status, found.correct, found.wrong, found.asks) == (Status.LOGGED, statement, (), None)
    assert judged(told, "Cake?", confidence="medium") == NOTHING


@pytest.mark.parametrize(
    ("told", "before", "entry", "line"),
    [
        pytest.param("That's wrong.", "The standup is on Wednesday.", "The standup is on Wednesday.", "", id="wrong, nothing right"),
        pytest.param("Actually, it's blue.", "Your favourite colour is green.", "User's favourite colour is green.", "", id="no value that can be told"),
        pytest.param("No, I have three cats.", "You have two cats.", "User has two cats.", "User has three cats", id="his clause"),
        pytest.param("No, it's 9090.", "The API runs on 8080.", "The staging API listens on port 8080.", "The staging API listens on port 9090.", id="by its value alone"),
        pytest.param("We use pnpm here, not npm.", "Ran `npm ci`.", "The repo uses npm.", "The repo uses pnpm here.", id="Y, not X"),
        pytest.param("We use pnpm in this repo, not npm.", "Ran `npm ci`.", "The repo uses npm.", 'User: "We use pnpm in this repo, not npm"', id="Y of it, not X"),
        pytest.param("Use vim instead of emacs.", "Opened emacs.", "User uses emacs.", "User uses vim.", id="Y instead of X"),
        pytest.param("Actually the office opens at eight.", "Booked it.", "The office opens at nine.", "The office opens at eight", id="a cue and what both are about"),
        pytest.param("不对，我喜欢喝茶", "你喜欢喝咖啡。", "用户喜欢喝咖啡。", "用户喜欢喝茶", id="Chinese"),
        pytest.param("아니, 파란색이야", "가장 좋아하는 색은 초록색이에요.", "가장 좋아하는 색은 초록색이에요.", "", id="Korean"),
    ],
)  # fmt: skip
def test_what_was_heard_and_is_not_plain_is_asked_with_its_entry_and_a_line(
    told, before, entry, line
) -> None:
    """Mutants: what contradicts the agent's last sentence is not asked; what stands for something else is a line."""
    found = judged(told, before, data=f"- Bob likes chess.\n- {entry}\n- The rent is 900 euros.\n".encode())

    assert (found.status, found.correct, found.wrong) == (Status.OPEN, "", ())
    assert (found.asks[0].parts.statement, found.asks[1]) == (entry, line)


@pytest.mark.parametrize(
    ("told", "before"),
    [
        pytest.param("Now I want to help people too.", "", id="one word that anybody uses"),
        pytest.param("I moved 4 years ago.", "Nice!", id="a short number"),
        pytest.param("Ann wonders whether we could do design reviews on Thursdays instead?", "", id="a question"),
    ],
)  # fmt: skip
def test_nobody_is_asked_in_vain(told: str, before: str) -> None:
    """Mutants: numbers tell what is meant; questions are asked about."""
    data = (
        b"- User wants summaries as lists.\n- Indentation is 4 spaces.\n- Design reviews are on Wednesdays.\n"
    )

    assert judged(told, before, data=data).asks is None


@pytest.mark.parametrize(
    "said", ["회의는 월요일 10시입니다.", "회의는 월요일 10시예요.", "회의는 월요일 10시다."]
)
@pytest.mark.parametrize("told", ["아니, 화요일이야.", "아니, 회의는 화요일 10시야."])
def test_how_politely_a_number_ends_makes_no_difference_in_korean(told: str, said: str) -> None:
    """Mutant: `10시다` is another thing than `10시`."""
    found = judged(told, said, data="- 회의는 월요일 10시다. <!-- m:aaaaaa -->\n".encode())

    assert [statement for _, statement in found.wrong] == ["회의는 화요일 10시다."]


def test_a_second_sentence_says_what_is_right() -> None:
    found = judged("No, Bob left Initech. He works at Globex now.", "Bob works at Initech.", data=b"- Bob works at Initech. <!-- m:aaaaaa -->\n")  # fmt: skip

    assert [now for _, now in found.wrong] == ["Bob works at Globex."]


@pytest.mark.parametrize(
    ("told", "before", "data", "now"),
    [
        ("No, his email is robert@example.net", "I will mail bob@example.org.", "- Bob's email is bob@example.org.\n", "Bob's email is robert@example.net."),
    ],
)  # fmt: skip
def test_an_entry_in_other_words_is_known_by_its_value(told: str, before: str, data: str, now: str) -> None:
    assert [each for _, each in judged(told, before, data=data.encode()).wrong] == [now]


def test_of_two_entries_that_could_be_meant_none_is_touched_and_one_is_asked_about() -> None:
    """Mutant: the first that fits is meant."""
    data = b"- The design review is on Wednesday. <!-- m:aaaaaa -->\n- The budget review is on Wednesday. <!-- m:bbbbbb -->\n"
    found = judged("Actually, it's Thursday.", "The review is on Wednesday.", data=data)

    assert (found.status, found.wrong) == (Status.OPEN, ())
    assert found.asks[1] == "The design review is on Thursday."


def test_what_names_something_else_does_not_answer_what_was_said_long_before() -> None:
    found = judged("I already told you, my sister is called Maria.", "Shall I invite your sister Mary?", "The Apollo review is on Wednesday.", confidence="high")  # fmt: skip

    assert [(each.entry.entry_id, now) for each, now in found.wrong] == [
        ("cccccc", "Ada's sister is called Maria.")
    ]


def test_another_thing_of_the_same_value_is_left_alone() -> None:
    found = judged("Actually, it's Thursday.", "The Apollo review is on Wednesday at 10:00.")

    assert [each.entry.entry_id for each, _ in found.wrong] == ["aaaaaa"]


@pytest.mark.parametrize(
    ("said", "told", "data"),
    [
        ("The other team has 8 people.", "No, 9 people.", "- The team has 8 people. <!-- m:aaaaaa -->\n"),
        ("The Borealis port is 8080.", "No, it's 9090.", "- The Apollo port is 8080. <!-- m:aaaaaa -->\n"),
        ("流星项目的评审在周一。", "不对，是周二", "- 苹果项目的评审在周一。 <!-- m:aaaaaa -->\n"),
        ("유성 프로젝트 리뷰는 월요일이에요.", "아니, 화요일이야", "- 사과 프로젝트 리뷰는 월요일이에요. <!-- m:aaaaaa -->\n"),
        ("流星项目的评审在周一。", "不对，是周二", "- 苹果项目的评审在周二。 <!-- m:aaaaaa -->\n"),
        ("流星项目的评审在周四。", "不是周四，是周五", "- 苹果项目的评审在周四。 <!-- m:aaaaaa -->\n"),
        ("The Kestrel call is at 16:15.", "No, the Kestrel call is at 11:45.", "- The Apollo call is at 14:00. <!-- m:aaaaaa -->\n"),
    ],
)  # fmt: skip
def test_the_same_said_of_something_else_is_not_changed(said: str, told: str, data: str) -> None:
    """Mutants: most of what is said is enough; a name in the message may be missing in the entry."""
    found = judged(told, said, data=data.encode())

    assert (found.wrong, found.correct) == ((), "")


@pytest.mark.parametrize(
    ("said", "told", "other"),
    [
        ("好的，例会周三三点，小李会参加。", "不是小李，是小王参加", "小李的电话是 138-0000-1111。"),
        ("好的，去上海出差。", "不是上海，是北京出差", "小李住在上海。"),
        ("聚餐在周三。", "不对，不是周三，是周四。", "例会在周三。"),
        ("聚会在每周三下午三点。", "不对，是每周四。", "我们的例会在每周三下午三点。"),
        ("수업은 매주 화요일이에요.", "아니, 매주 목요일이야.", "회의는 매주 화요일이다."),
    ],
)
def test_a_bare_contrast_is_about_what_was_said_and_not_about_an_entry_of_the_same_value(
    said, told, other
) -> None:
    assert judged(told, said, data=f"- {other}\n".encode()).wrong == ()


def test_what_an_entry_says_besides_is_not_told_of_another() -> None:
    data = b"- The owner is Tom (tom@example.org), since 2020.\n"
    found = judged("No, the owner is Sara.", "The owner is Tom.", data=data)

    assert (found.wrong, found.correct) == ((), "")


def test_an_entry_that_names_what_is_right_elsewhere_does_not_read_right() -> None:
    found = judged("No, Sara.", "The project lead is Tom.", data=b"- Project lead: Tom; deputy: Sara.\n")

    assert (found.status, found.wrong) == (Status.OPEN, ())


def test_where_somebody_is_now_is_not_where_he_lives() -> None:
    assert judged("No, she's at work.", "Mina is in Lyon.", data=b"- Mina lives in Lyon.\n").wrong == ()


@pytest.mark.parametrize(
    ("told", "said", "other"),
    [
        ("No, the Kestrel colour is violet.", "The Kestrel colour is green.", "The Lumen colour is violet."),
        ("No, the Cobalt deadline is June 8.", "The Cobalt deadline is March 3.", "The Harbor deadline is June 8."),
    ],
)  # fmt: skip
def test_what_holds_of_one_thing_renames_no_other_of_which_it_holds_too(told, said, other) -> None:
    """Mutant: no look at what gives way."""
    found = judged(told, said, confidence="high", data=f"- {other} <!-- m:aaaaaa -->\n".encode())

    assert (found.wrong, found.right) == ((), ())


def test_hostile_lengths_are_judged_at_once() -> None:
    endless = "it is 12:30 on Monday or 4711 " * 8_000

    assert judged(endless, endless).correct == ""
    assert judged("Actually, it's Thursday. " * 5_000, "The standup is on Wednesday. " * 5_000).wrong == ()


@pytest.mark.parametrize("who", ["daughter", "girlfriend", "niece", "roommate"])
def test_what_somebody_says_of_himself_is_not_put_into_what_is_known_of_those_around_him(who: str) -> None:
    """Seen: where a girlfriend lives was changed, for the miner knew more relatives than the validator."""
    data = f"- Ada's {who} lives in Porto. <!-- m:aaaaaa -->\n".encode()
    found = judged("No, I live in Lisbon.", "You live in Porto.", data=data)
    assert (found.wrong, found.correct) == ((), "")


@pytest.mark.parametrize(
    ("said", "told", "data"),
    [
        pytest.param("The Borealis port is 4402.", "No, the Borealis port is 9865, not 4402.", "- Decided to use Postgres 12 for Borealis. <!-- m:aaaaaa -->\n", id="a number of something else"),
        pytest.param("The Cygnus port is 6714.", "No, the Cygnus port is 4398, not 6714.", "- The Apollo port is 8443. <!-- m:aaaaaa -->\n", id="the port of something else"),
        pytest.param("", "The Cygnus port is 4398, not 6714.", "- The Cygnus port is 67140. <!-- m:aaaaaa -->\n", id="a part of a number"),
    ],
)  # fmt: skip
def test_a_value_that_was_wrong_is_asked_of_no_entry_that_does_not_have_it(
    said: str, told: str, data: str
) -> None:
    found = judged(told, said, confidence="high", data=data.encode())

    assert (found.wrong, found.asks) == ((), None)


def test_an_entry_that_has_the_value_that_was_wrong_is_set_right_or_asked_about() -> None:
    data = b"- The Apollo port is 8443. <!-- m:aaaaaa -->\n- The Cygnus port is 6714. <!-- m:bbbbbb -->\n"

    found = judged("No, the Cygnus port is 4398, not 6714.", data=data)

    assert [(each.entry.entry_id, now) for each, now in found.wrong] == [
        ("bbbbbb", "The Cygnus port is 4398.")
    ]


@pytest.mark.parametrize(
    ("entry", "told", "line"),
    [
        pytest.param("The lease ends in March 2027.", "Actually the lease ends in April 2027.", "The lease ends in April 2027", id="a month of the same year"),
        pytest.param("The contract begins on 3 June 2026.", "No, the contract begins in July 2026.", "The contract begins in July 2026", id="a day"),
        pytest.param("The trial runs in May 2026.", "Wrong, the trial runs in June 2026.", "The trial runs in June 2026", id="May"),
    ],
)  # fmt: skip
def test_another_month_of_the_same_year_is_not_known_already(entry: str, told: str, line: str) -> None:
    """Mutant: an entry that has the year of a message says what it says."""
    asks = judged(told, data=f"- {entry}\n".encode()).asks

    assert asks is not None
    assert asks[1] == line


def test_a_month_that_an_entry_has_is_asked_of_nobody() -> None:
    assert judged("No, the lease ends in April 2027.", data=b"- The lease ends in April 2027.\n").asks is None


@pytest.mark.parametrize(
    "told",
    [
        "Always answer in bullet points, not in prose.",
        "The standup moved, it is on Thursday, not on Wednesday.",
        "Antworte immer auf Deutsch, nicht auf Englisch.",
    ],
)
def test_a_sentence_that_is_an_entry_itself_corrects_nothing(told: str) -> None:
    """Mutant: what a message became is asked about in the words of the same message."""
    data = f"- {told} <!-- m:ffffff -->\n".encode()

    assert judged(told, data=data) == NOTHING
