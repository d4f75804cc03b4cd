"""Likeness counts words; differing facts are never overlooked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.comparing.similarity import facts_differ, likeness, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("Don’t use REST, v2.1!", ["don't", "use", "rest", "v", "2.1"], id="English"),
        pytest.param("2026-01-20: 1,000 EUR", ["2026-01-20", "1,000", "eur"], id="numbers whole"),
        pytest.param("用REST部署", ["用", "rest", "部", "署"], id="Chinese character by character"),
        pytest.param("다크 모드를", ["다크", "모드를"], id="Hangul by word"),
        pytest.param("ダーク", ["ダ", "ー", "ク"], id="kana"),
        pytest.param("Ｆｕｌｌ ｗｉｄｔｈ １２", ["full", "width", "12"], id="width"),
        pytest.param("pa\u200bss", ["pass"], id="zero width"),
        pytest.param("हिन्दी café", ["हिन्दी", "café"], id="marks stay with their letters"),
    ],
)
def test_words(text: str, found: list[str]) -> None:
    assert words(text) == found


@pytest.mark.parametrize(
    ("a", "b", "low", "high"),
    [
        pytest.param("", "", 100, 100, id="nothing twice"),
        pytest.param("🎉", "🎉", 100, 100, id="no words, same"),
        pytest.param("🎉", "🔥", 0, 0, id="no words, others"),
        pytest.param("Ada likes tea.", "ada  LIKES tea", 100, 100, id="same words"),
        pytest.param("deploy is on Friday", "deploy is not on Friday", 0, 95, id="is and is not"),
        pytest.param("A beats B", "B beats A", 0, 90, id="order counts"),
        pytest.param("The tests run nightly on CI", "Tests run nightly on CI", 85, 99, id="close"),
        pytest.param("Deploys happen on Friday", "Ada likes green tea", 0, 40, id="unrelated"),
        pytest.param("我喜欢深色模式", "我喜欢浅色模式", 70, 95, id="one character"),
    ],
)
def test_likeness(a: str, b: str, low: int, high: int) -> None:
    assert low <= likeness(a, b) <= high


DIFFERENT = [
    pytest.param("deploy on Friday", "deploy on Monday", id="weekday"),
    pytest.param("deploy on friday", "deploy on tue", id="weekday, small and short"),
    pytest.param("due in March", "due in May", id="month"),
    pytest.param("port 5000", "port 6000", id="number"),
    pytest.param("5 ms at most", "5 s at most", id="unit"),
    pytest.param("costs $5", "costs €5", id="currency"),
    pytest.param("offset is -5", "offset is 5", id="sign"),
    pytest.param("a >= 5", "a <= 5", id="comparison"),
    pytest.param("2026-01-20: x", "2026-01-21: x", id="date"),
    pytest.param("uses three servers", "uses four servers", id="number word"),
    pytest.param("from 5 to 7", "from 7 to 5", id="order of numbers"),
    pytest.param("it is safe", "it is not safe", id="not"),
    pytest.param("you should push", "you shouldn't push", id="n't"),
    pytest.param("you can push", "you cannot push", id="cannot"),
    pytest.param("I don’t smoke", "I do smoke", id="curly apostrophe"),
    pytest.param("always ask", "never ask", id="always and never"),
    pytest.param("delete it", "delete it unless asked", id="unless"),
    pytest.param("Alice owns the repo", "Bob owns the repo", id="name at the start"),
    pytest.param("owned by Alice", "owned by Bob", id="name"),
    pytest.param("from Berlin to Paris", "from Paris to Berlin", id="order of names"),
    pytest.param("chose REST", "chose SOAP", id="acronym"),
    pytest.param("run `make up`", "run `make down`", id="code"),
    pytest.param("see docs/a.md", "see docs/b.md", id="path"),
    pytest.param("我喜欢咖啡", "我不喜欢咖啡", id="不"),
    pytest.param("我吃过", "我没吃过", id="没"),
    pytest.param("周五部署", "周一部署", id="周"),
    pytest.param("张三喜欢茶", "李四喜欢茶", id="Chinese name"),
    pytest.param("커피를 마셔요", "커피를 안 마셔요", id="안"),
    pytest.param("좋아요", "좋아하지 않아요", id="않"),
    pytest.param("금요일에 배포", "월요일에 배포", id="요일"),
    pytest.param("차 말고 커피", "차 커피", id="말고"),
    pytest.param("彼は猫が好き", "彼は犬が好き", id="Japanese noun"),
    pytest.param("я ем мясо", "я не ем мясо", id="Russian"),
    pytest.param("ich esse Fleisch", "ich esse kein Fleisch", id="German"),
    pytest.param(
        "les vacances commencent en janvier", "les vacances commencent en février", id="months in French"
    ),
    pytest.param(
        "las clases empiezan en agosto", "las clases empiezan en septiembre", id="months in Spanish"
    ),
    pytest.param("Avril owns the repo", "April owns the repo", id="names that are months"),
]


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_differing_facts_are_seen(a: str, b: str) -> None:
    assert facts_differ(a, b)
    assert facts_differ(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        pytest.param("prefers green tea", "Prefers green tea.", id="case at the start"),
        pytest.param("The tests run nightly on CI", "Tests run nightly on CI", id="article"),
        pytest.param("costs 1,000 dollars", "costs 1000 dollars", id="thousands"),
        pytest.param("on Fri at noon", "on Friday at noon", id="short weekday"),
        pytest.param("due in Sept", "due in September", id="short month"),
        pytest.param("you don't push", "you don’t push", id="apostrophe"),
        pytest.param("He reads the log", "He carefully reads the log", id="one more word"),
        pytest.param("我喜欢咖啡", "我很喜欢咖啡", id="one more character"),
    ],
)
def test_the_same_facts_in_other_words_do_not_differ(a: str, b: str) -> None:
    assert not facts_differ(a, b)


@given(st.text(), st.text())
def test_both_orders_give_the_same_answer(a: str, b: str) -> None:
    assert likeness(a, b) == likeness(b, a)
    assert facts_differ(a, b) == facts_differ(b, a)
    assert not facts_differ(a, a)
