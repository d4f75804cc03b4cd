"""A value takes the place of one of its kind; what cannot be known stays open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.understanding.corrections.asserted_text import names_wrong, right_statement
from clawgit.understanding.corrections.corrected_statement import put_right
from clawgit.understanding.corrections.exchanged_values import exchanged


@pytest.mark.parametrize(
    ("said", "told", "correct"),
    [
        ("The review is on Wednesday.", "Actually, it's Thursday.", "The review is on Thursday."),
        ("The review is on Wednesday.", "No, the review is on Thursday.", "The review is on Thursday."),
        ("The review is on Wednesday.", "It's not Wednesday but Thursday.", "The review is on Thursday."),
        ("The review is on Wednesday at 10:00.", "Thursday, not Wednesday", "The review is on Thursday at 10:00."),
        ("The standup is at 9:30 on Monday.", "No, it's Tuesday.", "The standup is at 9:30 on Tuesday."),
        ("The meeting is at 3pm.", "Actually 4:30pm.", "The meeting is at 4:30pm."),
        ("The deadline is March 3.", "It's April 5th", "The deadline is April 5th."),
        ("The API listens on port 8080.", "No, it's 9090", "The API listens on port 9090."),
        ("小李的电话是 138-0000-1111。", "错了，小李的电话是 139-2222-3333，你记错了", "小李的电话是 139-2222-3333。"),
        ("지민 전화번호는 010-1234-5678이다.", "아니, 010-9999-8888이야.", "지민 전화번호는 010-9999-8888이다."),
        ("Today the standup is at 2pm.", "No, today it's at 3pm.", "Today the standup is at 3pm."),
        ("The budget is 40,000 EUR until June.", "No, 45,000 EUR until June.", "The budget is 45,000 EUR until June."),
        ("The budget covers 2023-2025.", "No, 2024-2026.", "The budget covers 2024-2026."),
        ("The budget is $5,000.", "Wrong, it's $7,500", "The budget is $7,500."),
        ("The deploy is v1.2.3", "No, v1.3.0", "The deploy is v1.3.0"),
        ("Your email is a@b.com.", "It's ada@example.org", "Your email is ada@example.org."),
        ("The Apollo contact is Bob.", "No, it's Carol.", "The Apollo contact is Carol."),
        ("评审的端口是8080。", "不是8080，是9090", "评审的端口是9090。"),
        ("서버 포트는 8080이에요.", "8080이 아니라 9090이에요", "서버 포트는 9090이에요."),
        ("회의는 화요일 오전 10시예요.", "아니, 수요일 오전 11시야", "회의는 수요일 오전 11시예요."),
        ("The office is at 5 Main Street.", "Wrong! We moved: the office is at 7 Oak Avenue.", "The office is at 7 Oak Avenue."),
        ("Your rent is 1,250 EUR.", "That's wrong, it's 1,350 EUR.", "Your rent is 1,350 EUR."),
        ("As a vegetarian you will like it.", "I told you, I'm not vegetarian, I'm vegan.", "As a vegan you will like it."),
        ("The project uses MySQL.", "Actually it's PostgreSQL", "The project uses PostgreSQL."),
        ("Your sister is called Mary.", "No, her name is Maria.", "Your sister is called Maria."),
        ("Ada lives in Busan.", "I told you, I live in Seoul", "Ada lives in Seoul."),
        ("Ada lives in Busan.", "no, Seoul", "Ada lives in Seoul."),
        ("리뷰는 수요일이에요.", "아니, 목요일이야", "리뷰는 목요일이에요."),
        ("리뷰는 수요일이에요.", "수요일이 아니라 목요일이에요", "리뷰는 목요일이에요."),
        ("评审在周三。", "不对，是周四", "评审在周四。"),
        ("评审在周三。", "不是周三，是周四", "评审在周四。"),
        ("评审报告在周三提交。", "不对，评审报告在周四提交，不是周三。", "评审报告在周四提交。"),
        ("桂花的发票在65天内付款。", "不对，桂花的发票在44天内付款，不是65。", "桂花的发票在44天内付款。"),
        ("朝阳的联系人是周敏。", "不对，朝阳的联系人是张伟，不是周敏。", "朝阳的联系人是张伟。"),
        ("明月的办公室在西安。", "办公室在苏州，不是西安。", "明月的办公室在苏州。"),
        ("The review is on Wednesday.", "No, it isn't Wednesday, it's Friday.", "The review is on Friday."),
        ("The review is on Wednesday.", "I said Friday, not Wednesday!", "The review is on Friday."),
        ("The shop runs on port 8443.", "Actually, the shop runs on port 9000, not 8443.", "The shop runs on port 9000."),
        ("The shop runs on port 8443.", "No, the port is 9000, not 8443.", "The shop runs on port 9000."),
        ("We host the shop on Hetzner.", "No, we host the shop on Fly.io, not Hetzner.", "We host the shop on Fly.io."),
        ("The client prefers Slack for updates.", "No, the client prefers email for updates, not Slack.", "The client prefers email for updates."),
        ("User uses emacs.", "No, I use vim, not emacs.", "User uses vim."),
        ("The host is 10.2.0.14.", "Actually 10.2.0.15, not 10.2.0.14.", "The host is 10.2.0.15."),
        ("The API returns errors as text.", "Actually, the API returns errors as JSON, not text.", "The API returns errors as JSON."),
        ("The API uses REST.", "No, it uses GraphQL.", "The API uses GraphQL."),
        pytest.param(
            "리뷰는 5월 21일이에요.",
            "5월 21일이 아니라 6월 8일이에요",
            "리뷰는 6월 8일이에요.",
            id="a day of two words",
        ),
        pytest.param(
            "리뷰는 5월 21일이에요.",
            "21일이 아니라 22일이에요",
            "리뷰는 5월 22일이에요.",
            id="a part of a day",
        ),
    ],
    ids=lambda text: text[:24],
)  # fmt: skip
def test_a_statement_is_put_right(said: str, told: str, correct: str) -> None:
    found = put_right(said, told)

    assert found is not None
    assert found.correct == correct


STATEMENTS = (
    ("桂花的发票在{}天内付款", "65", "44"),
    ("朝阳的联系人是{}", "周敏", "张伟"),
    ("桂花服务器监听端口{}", "4292", "5933"),
    ("兰亭报告在{}提交", "周三", "周五"),
    ("清溪的每月预算是{}元", "450", "470"),
    ("平湖备份在{}运行", "14:45", "20:00"),
)
WAYS = (
    "不对，{right}，不是{old}。",
    "不是{old}，是{new}。",
    "是{new}，不是{old}。",
    "更正：{right}。",
    "其实{right}才对，不是{old}。",
    "从{old}改成{new}了。",
)  # fmt: skip


@pytest.mark.parametrize(
    ("said", "told", "correct"),
    [
        ("会议在两点开始。", "会议改到三点，不是两点。", "会议在三点开始。"),
        ("桂花服务器监听端口4292。", "服务器的端口是5933，不是4292。", "桂花服务器监听端口5933。"),
        ("发布日期是5月3日。", "发布日期改为5月10日，不是5月3日。", "发布日期是5月10日。"),
        ("明月的办公室在西安。", "明月的办公室搬到苏州了，不是西安。", None),
        ("小李喜欢喝咖啡。", "小李现在喜欢喝茶，不是咖啡。", None),
    ],
)
def test_what_says_the_statement_in_other_words_gives_its_one_value_or_is_left_open(
    said: str, told: str, correct: str | None
) -> None:
    """Mutant: `_repeats` sees nothing."""
    found = put_right(said, told)
    assert (found and found.correct) == correct


@pytest.mark.parametrize(("statement", "old", "new"), STATEMENTS)
@pytest.mark.parametrize("way", WAYS)
def test_in_chinese_a_value_is_told_from_the_words_around_it(
    statement: str, old: str, new: str, way: str
) -> None:
    """Mutants: `_without_start` returns what it is given; a word's edge is `\\b` in any script."""
    right = statement.format(new)
    found = put_right(f"{statement.format(old)}。", way.format(right=right, old=old, new=new))
    assert found is None or found.correct == f"{right}。"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        pytest.param(
            "What timezone are you in?", "You forgot my timezone.", id="RV4: the value is not named"
        ),
        pytest.param("The cat is black.", "That's wrong.", id="wrong, but not what is right"),
        pytest.param("The cat is black.", "No, that's fine.", id="a judgement"),
        pytest.param("The cat is black.", "Actually, it's good.", id="another judgement"),
        pytest.param("The cat is black.", "no", id="no more than no"),
        pytest.param("The cat is black.", "Is it Thursday?", id="a question"),
        pytest.param("I saved it.", "No, it's Thursday", id="nothing of that kind was said"),
        pytest.param("From Monday to Friday.", "No, it's Tuesday.", id="two that it could be"),
        pytest.param("The review is on Wednesday.", "Monday or Tuesday", id="two that are named"),
        pytest.param("The review is on Wednesday.", "It's Wednesday.", id="the same"),
        pytest.param("您住在北京。", "Actually, it's March 6.", id="a day is no place"),
        pytest.param(
            "The launch is on March 3 and the review is on March 5.", "It's March 6.", id="two days"
        ),
        pytest.param("", "It's Wednesday.", id="nothing was said"),
        pytest.param("评审在周三。", "好的", id="fine, in Chinese"),
        pytest.param("리뷰는 수요일이에요.", "괜찮아", id="fine, in Korean"),
        pytest.param("您最喜欢的颜色是绿色。", "不是，没关系", id="never mind, in Chinese"),
        pytest.param("Your name is Bob.", "Actually, it's raining.", id="the weather"),
        pytest.param("You have two cats.", "No, I have a meeting.", id="the same verb of something else"),
        pytest.param("Ada works at the bank.", "No, she works on her thesis.", id="another preposition"),
        pytest.param("You prefer tea.", "No, I prefer not to say.", id="no value"),
        pytest.param("가격은 높은 편입니다.", "아니, 낮아", id="no noun for a noun"),
        pytest.param("他为公司设计标志。", "不对，是网站", id="not the word for `is`"),
        pytest.param("我的狗叫旺财。", "错了，我的猫叫咪咪", id="about something else, in Chinese"),
        pytest.param(
            "고양이 이름은 나비예요.", "아니, 강아지 품종은 푸들이야", id="about something else, in Korean"
        ),
        pytest.param("老板是王先生，秘书是李女士。", "不对，是赵先生", id="two that it could be, in Chinese"),
        pytest.param("The review is on Wednesday.", "then it would be on Thursday", id="if it were so"),
        pytest.param("会议在周三。", "不对，如果小王来，是周四", id="if it is so, in Chinese"),
        pytest.param("The standup is at 2pm.", "No, today it's at 3pm.", id="today only"),
        pytest.param("The budget is 40,000 EUR until June.", "No, 45,000 EUR until July.", id="half of it"),
    ],
)
def test_nothing_is_invented(said: str, told: str) -> None:
    assert put_right(said, told) is None


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_raises(said: str, told: str) -> None:
    found = put_right(said, told)

    assert found is None or found.correct != said


@pytest.mark.parametrize(
    ("told", "is_read"), [(f"No, it's Thursday.{' ' * 980}", True), (f"No, it's Thursday.{' ' * 990}", False)]
)
def test_what_is_longer_than_a_statement_is_not_read(told: str, is_read: bool) -> None:
    """Mutant: no `MOST`: hostile texts are as long as a host likes."""
    assert (put_right("The review is on Wednesday.", told) is not None) == is_read


@pytest.mark.parametrize(
    ("told", "least", "statement"),
    [
        ("No, actually, the review is on Thursday.", 4, "the review is on Thursday"),
        ("I already told you: I live in Seoul.", 4, "I live in Seoul"),
        ("我已经告诉过你了，会议在周四", 4, "会议在周四"),
        ("No, Thursday.", 1, "Thursday"),
        ("No, Thursday.", 4, ""),
        ("No, is the review on Thursday?", 4, ""),
        ("No, that's fine.", 1, ""),
        ("No.", 1, ""),
        ("No, it isn't Wednesday, it's Friday.", 1, "it isn't Wednesday, it's Friday"),
        ("I said Friday, not Wednesday!", 1, "Friday, not Wednesday!"),
    ],
)
def test_what_the_operator_says_is_so(told: str, least: int, statement: str) -> None:
    assert right_statement(told, least) == statement


@pytest.mark.parametrize(
    ("told", "wrong"), [("That's wrong.", True), ("不对", True), ("틀렸어", True), ("No, not yet.", False)]
)
def test_whether_it_is_said_to_be_wrong(told: str, wrong: bool) -> None:
    assert names_wrong(told) is wrong


@pytest.mark.parametrize(
    ("said", "now"),
    [
        ("10 people come at 9:00", "12 people come at 9:00"),
        ("10 people come at 10:00", None),
        ("110 people come", None),
    ],
)
def test_a_value_is_exchanged_where_it_is_clear_which(said: str, now: str | None) -> None:
    assert exchanged(said, "10", "12") == now
