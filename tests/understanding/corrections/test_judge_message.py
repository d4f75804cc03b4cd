"""What an exchange sets right, from texts alone."""

from __future__ import annotations

import pytest

from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.verdicts import Exchange, Held
from clawgit.memory.entries.entries import read_entries
from clawgit.understanding.corrections.judge_message import judge

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
        pytest.param("That's wrong. It's Thursday.", "The standup is on Wednesday.\nThe Apollo demo is at 3pm.", "bbbbbb", "The standup is on Thursday.", id="the sentence that says what is right"),
    ],
)  # fmt: skip
def test_the_entry_is_set_right(told: str, before: str, entry_id: str, now: str) -> None:
    found = judged(told, before, confidence="high" if told.startswith("I ") else "medium")

    assert found.status is Status.APPLIED
    assert [(each.entry.entry_id, statement) for each, statement in found.wrong] == [(entry_id, now)]


@pytest.mark.parametrize(
    ("told", "before", "confidence", "status", "correct"),
    [
        pytest.param("You forgot my timezone.", "What timezone are you in?", "high", Status.OPEN, "", id="RV4: not named"),
        pytest.param("I told you, it's the old number.", "Li's number is 555-0142.", "high", Status.OPEN, "", id="what it is not"),
        pytest.param("我不是说过吗，那是旧号码", "小李的电话是 138-0000-1111。", "high", Status.OPEN, "", id="what it is not, in Chinese"),
        pytest.param("그게 아니라 민지 생일이라고 했잖아.", "지민의 생일은 5월 3일입니다.", "high", Status.OPEN, "", id="what it is not, in Korean"),
        pytest.param("That's wrong.", "The standup is on Wednesday.", "medium", Status.OPEN, "", id="wrong, nothing right"),
        pytest.param("기억해줘, 4월부터 팀 회의는 매주 화요일 10시야.", "11시에 회의가 있습니다.", "medium", Status.LOGGED, "", id="to be remembered, no answer"),
        pytest.param("Actually, it's Thursday.", "The standup is on Wednesday. The Apollo review is on Wednesday.", "medium", Status.OPEN, "", id="two that it could be"),
        pytest.param("No, not yet.", "Shall I send it?", "medium", Status.LOGGED, "", id="an answer"),
        pytest.param("Actually, it's Thursday.", "The launch is on Friday.", "medium", Status.LOGGED, "The launch is on Thursday.", id="not remembered"),
        pytest.param("I told you, I drink oolong tea only.", "Coffee?", "high", Status.LOGGED, "I drink oolong tea only", id="said before, nowhere remembered"),
        pytest.param("You forgot my favourite drink.", "What is your favourite drink?", "high", Status.OPEN, "", id="what is only named"),
        pytest.param("You forgot that I'm allergic to nuts.", "Cake?", "high", Status.LOGGED, "I'm allergic to nuts", id="what was forgotten"),
        pytest.param("You've forgotten again that my son starts school.", "Tea?", "high", Status.LOGGED, "my son starts school", id="forgotten again"),
        pytest.param("You keep getting this wrong: my brother's name is Leo.", "Hello!", "high", Status.LOGGED, "my brother's name is Leo", id="got wrong again"),
        pytest.param("My brother lives in Rome, remember?", "Hello!", "high", Status.LOGGED, "My brother lives in Rome", id="reminded"),
        pytest.param("My brother lives where, remember?", "Hello!", "high", Status.OPEN, "", id="asked what is remembered"),
        pytest.param("Remember?", "Hello!", "high", Status.OPEN, "", id="reminded of nothing"),
    ],
)  # fmt: skip
def test_nothing_is_invented(told: str, before: str, confidence: str, status: Status, correct: str) -> None:
    found = judged(told, before, confidence=confidence)

    assert (found.status, found.correct) == (status, correct)
    assert found.wrong == ()


@pytest.mark.parametrize(
    "said", ["회의는 월요일 10시입니다.", "회의는 월요일 10시예요.", "회의는 월요일 10시다."]
)
@pytest.mark.parametrize("told", ["아니, 화요일이야.", "아니, 회의는 화요일 10시야."])
def test_how_politely_a_number_ends_makes_no_difference_in_korean(told: str, said: str) -> None:
    """Mutant: `10시다` is another thing than `10시`."""
    found = judged(told, said, data="- 회의는 월요일 10시다. <!-- m:aaaaaa -->\n".encode())

    assert [statement for _, statement in found.wrong] == ["회의는 화요일 10시다."]


@pytest.mark.parametrize(
    "told",
    ["对不起，我说错了，服务器在巴黎。", "我刚才记错了，服务器在巴黎。", "抱歉，弄错了。服务器在巴黎。"],
)
def test_an_excuse_leads_up_to_what_is_right_in_chinese(told: str) -> None:
    """Mutant: it is a part of what is right, which nothing in memory is about."""
    found = judged(told, "服务器在柏林。", data="- 服务器在柏林。 <!-- m:aaaaaa -->\n".encode())

    assert [statement for _, statement in found.wrong] == ["服务器在巴黎。"]


def test_a_medium_signal_without_anything_said_before_only_logs() -> None:
    found = judged("Actually, my sister is called Maria.")

    assert (found.status, found.correct, found.wrong) == (Status.LOGGED, "", ())


def test_what_reads_right_already_is_linked_and_left_alone() -> None:
    found = judged("No, I live in Seoul.", "You live in Busan.")

    assert found.wrong == ()
    assert [each.entry.entry_id for each in found.right] == ["eeeeee"]


@pytest.mark.parametrize(
    "told", ["I already told you how to call the deploy script.", "내가 말했잖아, 배포 스크립트 쓰는 법", "我告诉过你怎么用这个工具"]
)  # fmt: skip
def test_what_the_agent_can_do_is_no_memory(told: str) -> None:
    found = judged(told, "How do I deploy?", confidence="high")

    assert found.is_capability
    assert (found.status, found.correct) == (Status.LOGGED, "")


def test_a_second_sentence_says_what_is_right() -> None:
    found = judged("No, Bob left Initech. He works at Globex now.", "Bob works at Initech.", data=b"- Bob works at Initech. <!-- m:aaaaaa -->\n")  # fmt: skip

    assert [now for _, now in found.wrong] == ["Bob works at Globex."]


def test_what_cannot_be_told_of_the_last_message_is_not_taken_for_an_earlier_one() -> None:
    found = judged("Actually, it's March 6.", "The launch is on March 3 and the review is on March 5.", "The rent is due on March 1.")  # fmt: skip

    assert (found.status, found.correct) == (Status.OPEN, "")


@pytest.mark.parametrize(
    ("told", "before", "data", "now"),
    [
        ("No, it's 9090.", "The API runs on 8080.", "- The staging API listens on port 8080.\n", "The staging API listens on port 9090."),
        ("No, his email is robert@example.net", "I will mail bob@example.org.", "- Bob's email is bob@example.org.\n", "Bob's email is robert@example.net."),
        ("Actually, we don't use Slack any more. We use Zulip.", "I posted it there.", "- The team uses Slack for chat.\n", "The team uses Zulip for chat."),
    ],
)  # fmt: skip
def test_an_entry_in_other_words_is_known_by_its_value(told: str, before: str, data: str, now: str) -> None:
    assert [each for _, each in judged(told, before, data=data.encode()).wrong] == [now]


def test_of_two_entries_that_could_be_meant_none_is_touched() -> None:
    data = b"- The design review is on Wednesday. <!-- m:aaaaaa -->\n- The budget review is on Wednesday. <!-- m:bbbbbb -->\n"
    found = judged("Actually, it's Thursday.", "The review is on Wednesday.", data=data)

    assert found.wrong == ()
    assert "m:aaaaaa" in found.note
    assert found.correct == "The review is on Thursday."


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
def test_the_same_said_of_something_else_is_neither_changed_nor_linked(
    said: str, told: str, data: str
) -> None:
    """Mutants: most of what is said is enough; a name in the message may be missing in the entry."""
    found = judged(told, said, data=data.encode())

    assert found.correct
    assert (found.wrong, found.right) == ((), ())


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

    assert (found.wrong, found.correct) == ((), "The owner is Sara.")


@pytest.mark.parametrize(
    ("told", "said", "entry", "now"),
    [
        ("不对，代号是“麒麟”", "项目代号是凤凰。", "项目代号是“凤凰”，预算三十万元。", "项目代号是“麒麟”，预算三十万元。"),
        ("아니, 암호명은 '기린'이야", "암호명은 불사조입니다.", "암호명은 '불사조'이다.", "암호명은 '기린'이다."),
    ],
)  # fmt: skip
def test_a_value_is_quoted_once(told, said, entry, now) -> None:
    assert [each for _, each in judged(told, said, data=f"- {entry}\n".encode()).wrong] == [now]


def test_an_entry_that_names_what_is_right_elsewhere_does_not_read_right() -> None:
    found = judged("No, Sara.", "The project lead is Tom.", data=b"- Project lead: Tom; deputy: Sara.\n")

    assert (found.status, found.right) == (Status.LOGGED, ())


def test_bold_words_stay_whole() -> None:
    found = judged("Actually, Oak Street 7.", "The office is at Main Street 12.", data=b"- **Office**: Main Street 12\n")  # fmt: skip

    assert [now for _, now in found.wrong] == ["**Office**: Oak Street 7"]
    assert found.correct.count("*") in (0, 4)


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
    assert (found.status, found.wrong) == (Status.OPEN, ())
