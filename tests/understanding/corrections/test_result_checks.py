"""What may not be written: statements that no longer read as one, and answers to something else. Pure tables."""

from __future__ import annotations

import pytest

from clawgit.understanding.corrections.corrected_statement import put_right, reads_on, says_all


@pytest.mark.parametrize(
    ("old", "gone", "came"),
    [
        pytest.param("Ada is allergic to penicillin.", "penicillin", "amoxicillin I'm allergic to", id="a clause"),
        pytest.param("The level is B1.", "B1", "B2 by", id="cut in the middle"),
        pytest.param("Logs are kept for 14 days.", "14 days", "30 euros", id="another kind"),
        pytest.param("Ada's manager is Grace.", "Ada", "Helen", id="whose it is"),
        pytest.param("The cache is Redis 7.", "Redis", "Valkey 8", id="two numbers side by side"),
        pytest.param("Ada对花生过敏。", "花生", "我对虾过敏", id="doubled, in Chinese"),
        pytest.param("Ada는 땅콩 알레르기가 있다.", "땅콩", "새우 알레르기가 있어", id="doubled, in Korean"),
        pytest.param("비자는 회사에서 처리한다.", "회사", "여행사에서 처리해", id="a verb, in Korean"),
        pytest.param("The port is 8080.", "8080", "九千", id="another script"),
        pytest.param("Ada drinks tea.", "drinks tea", "gross", id="nothing but a name left"),
    ],
)  # fmt: skip
def test_a_statement_that_no_longer_reads_as_one_is_not_sound(old: str, gone: str, came: str) -> None:
    assert not reads_on(old, old.replace(gone, came, 1), ((gone, came),))
    assert reads_on(old, old, ())


@pytest.mark.parametrize(
    ("told", "old", "new", "is_all"),
    [
        ("the gym opens at 6 am on weekdays", "The gym opens at 7:00.", "The gym opens at 6 am.", False),
        ("the gym opens at 6 am", "The gym opens at 7:00.", "The gym opens at 6 am.", True),
        ("it has 82", "A loaf costs 3 euros.", "A loaf costs 82 euros.", False),
        ("Friday, since Bob is away", "The review is on Monday.", "The review is on Friday.", False),
        ("today it's on Friday", "The review is on Monday.", "The review is on Friday.", False),
        ("I live in York", "Ada and Sam live in Leeds.", "Ada and Sam live in York.", False),
        ("下周三在上海发布", "新版本下周五发布。", "新版本下周三发布。", False),
        ("주간 회의는 수요일이야", "주간 회의는 화요일에 있다.", "주간 회의는 수요일에 있다.", True),
    ],
)
def test_all_that_the_operator_says_must_stand_there(told: str, old: str, new: str, is_all: bool) -> None:
    assert says_all(told, old, new) is is_all


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The landlord is Mr Hahn.", "Not Vim. Use sed."),
        ("The match is on Saturday at 15:00.", "Wrong. Not Thursday."),
        ("The rent is 1,400 euros a month.", "No, 40 mg, once a day."),
        ("The nightly job runs at 02:00.", "8:05, not 8:15."),
        ("The firewall is managed by Priya.", "No, move the Lark one."),
        ("The photographer is Jonas Keller.", "Actually it's Paul who should answer."),
        ("The bakery is closed on Mondays.", "Actually, it's closed on Sundays too."),
        ("The budget is 5000 euros.", "Is it? I thought it was 6000."),
        ("The budget is 5000 euros.", "We're 39."),
        ("We do not deploy on Fridays.", "no, the weekly sync is on Wednesday"),
        ("Flour is ordered from Miller.", "No! aisle seats."),
        ("Ada prefers window seats.", "wrong car."),
        ("Ada runs 10 km every Sunday.", "It's 75 mg now."),
        ("The API listens on port 2222.", "No, it's 13800002222."),
        ("Ada lives in the Europe/Berlin time zone.", "No, I live in York."),
        ("The book club meets on the first Friday.", "They're on Tuesdays now."),
        ("项目在北京进行。", "不对，猫吃鱼。"),
        ("项目的负责人是李明。", "no, April."),
        ("小雨的英语老师姓白。", "不对，她病了，现在没老师。"),
        ("우리는 AWS에 배포한다.", "其实停在地下三层。"),
        ("데이터베이스는 MySQL 8이다.", "아니, 휴가 얘기가 아니야."),
    ],
    ids=lambda text: text[:30],
)
def test_an_answer_to_something_else_is_not_put_there(said: str, told: str) -> None:
    assert put_right(said, told) is None


def test_one_thing_takes_no_whole_list_away() -> None:
    """Mutant: no look at lists."""
    old, new = "The stack uses PostgreSQL 14 and Redis 6.", "The stack uses PostgreSQL 16."

    assert not reads_on(old, new, (("14 and Redis 6", "16"),))
