"""A value takes the place of one of its kind; what cannot be known stays open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.memory.rightings import put_right, statement_to_right


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
        ("The budget is $5,000.", "Wrong, it's $7,500", "The budget is $7,500."),
        ("The deploy is v1.2.3", "No, v1.3.0", "The deploy is v1.3.0"),
        ("Your email is a@b.com.", "It's ada@example.org", "Your email is ada@example.org."),
        ("The project uses MySQL.", "Actually it's PostgreSQL", "The project uses PostgreSQL."),
        ("Your sister is called Mary.", "No, her name is Maria.", "Your sister is called Maria."),
        ("Ada's favourite colour is green.", "Actually, it's blue.", "Ada's favourite colour is blue."),
        ("Ada lives in Busan.", "I told you, I live in Seoul", "Ada lives in Seoul."),
        ("Ada lives in Busan.", "no, Seoul", "Ada lives in Seoul."),
        ("리뷰는 수요일이에요.", "아니, 목요일이야", "리뷰는 목요일이에요."),
        ("리뷰는 수요일이에요.", "수요일이 아니라 목요일이에요", "리뷰는 목요일이에요."),
        ("사용자는 커피를 좋아해요.", "아니요, 차예요", "사용자는 차를 좋아해요."),
        ("사용자는 차를 좋아해요.", "아니요, 녹즙이에요", "사용자는 녹즙을 좋아해요."),
        ("评审在周三。", "不对，是周四", "评审在周四。"),
        ("评审在周三。", "不是周三，是周四", "评审在周四。"),
        ("你的名字是小王。", "不对，我叫小李", "你的名字是小李。"),
        ("用户喜欢咖啡。", "不对，是茶", "用户喜欢茶。"),
    ],
    ids=lambda text: text[:24],
)  # fmt: skip
def test_a_statement_is_put_right(said: str, told: str, correct: str) -> None:
    found = put_right(said, told)

    assert found is not None
    assert found.correct == correct


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
        pytest.param("", "It's Wednesday.", id="nothing was said"),
        pytest.param("评审在周三。", "好的", id="fine, in Chinese"),
        pytest.param("리뷰는 수요일이에요.", "괜찮아", id="fine, in Korean"),
    ],
)
def test_nothing_is_invented(said: str, told: str) -> None:
    assert put_right(said, told) is None


def test_the_latest_statement_that_it_fits_is_meant() -> None:
    before = ["I will look.", "The review is on Wednesday.", "The launch is on Friday."]

    found = statement_to_right(before, "Actually, it's Thursday.")

    assert found is not None
    assert found[0] == "The review is on Wednesday."


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_raises(said: str, told: str) -> None:
    found = put_right(said, told)

    assert found is None or found.correct != said


def test_hostile_lengths_are_judged_at_once() -> None:
    put_right("a is " * 4_000, "no, " * 4_000 + "not " * 4_000)
    put_right("은 " * 4_000, "不是" * 4_000 + "，" * 4_000)
