"""A plan that is taken back in quite other words: what is told by that, and what only sounds like it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from clawgit.memory.entries.entries import Tag
from clawgit.memory.provenance.fold import OPERATOR
from clawgit.understanding.facts.cancelled_plans import takings_back
from clawgit.understanding.facts.select_facts import Candidate, Gathered, Remembering, Standing, gather

FIRST, LATER = date(2026, 3, 18), date(2026, 3, 20)
DEPLOY = "Decided to deploy on Thursday evening."


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        pytest.param(DEPLOY, "scrap that whole evening deploy idea, people are away", id="scrapped"),
        pytest.param("Decided to hire a baker.", "we won't hire a baker", id="will not"),
        pytest.param("Decided to hire a baker.", "We're not going to hire a baker.", id="not going to"),
        pytest.param("User is getting the Synology DS1823.", "On second thought no Synology for me", id="second thought"),
        pytest.param("Decided to move to Porto in May.", "Porto is off the table", id="off the table"),
        pytest.param("The next issue has the interview with Grace Okafor.", "Grace's interview falls through", id="fell through"),
        pytest.param("User: \"We passed 1,250 subscribers today!\"", "the 1,250 was wrong btw, it's 1,230", id="wrong"),
        pytest.param("User eats meat on Sundays.", "I don't eat meat anymore", id="don't any more"),
        pytest.param("User is vegetarian.", "I'm not vegetarian anymore", id="any more"),
        pytest.param("周四晚上发布。", "周四发布的事作罢，大家都不在", id="Chinese"),
        pytest.param("酒店就订四条河原町那家。", "四条那家算了，太吵", id="let go, Chinese"),
        pytest.param("호텔은 시조 쪽으로 예약하기로 했어.", "시조 호텔은 접자, 너무 시끄럽대", id="folded, Korean"),
        pytest.param("목요일 저녁에 배포하자.", "목요일 배포는 없던 일로 하자", id="as if nothing was, Korean"),
    ],
)  # fmt: skip
def test_what_takes_a_plan_back_names_it(plan: str, said: str) -> None:
    """Mutant: it is told by the plan's own words alone."""
    (taken,) = takings_back(said)

    assert taken.is_of(plan)
    assert not taken.is_of("The staging database has 2 GB of RAM.")


@pytest.mark.parametrize(
    "said",
    [
        *(
            "I won't be at the Thursday deploy",
            "we won't deploy on Thursday without Leah",
            "skip the Thursday deploy",
        ),
        *("today's Thursday deploy is cancelled", "我今天不去周四发布了", "이번 목요일 배포는 취소"),
        *("don't forget the deploy on Thursday evening", "we're not cancelling the Thursday deploy"),
        *(
            "if it rains the Thursday deploy is off",
            "should we scrap the Thursday deploy?",
            "The baker is off sick",
        ),
        *(
            "Tom said the Thursday deploy is cancelled",
            "maybe skip the Thursday deploy",
            "the deploy takes an hour",
        ),
        *(
            "如果下雨，周四发布就取消",
            "周四发布要取消吗？",
            "비가 오면 목요일 배포는 취소",
            "목요일 배포는 취소할까?",
        ),
    ],
)
def test_what_only_sounds_like_it_takes_nothing_back(said: str) -> None:
    """Mutants: a not before it is not read; what is asked, supposed or told by others counts."""
    assert not any(taken.is_of(DEPLOY) for taken in takings_back(said))


def gathered(*said: tuple[str, str], standing: tuple[Standing, ...] = ()) -> Gathered:
    """Gather what was said in sessions, in its order."""
    candidates = []
    for place, (session, text) in enumerate(said):
        one = Candidate(f"chat:{place}", text, text, Tag.DECISION, LATER, session, OPERATOR, place)
        taken = takings_back(text)
        candidates.append(replace(one, takes_back=taken[0]) if taken else one)
    return gather(candidates, Remembering(standing))


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        pytest.param([("a", DEPLOY), ("a", "scrap the evening deploy")], [], id="named"),
        pytest.param([("a", DEPLOY), ("b", "scrap the evening deploy")], [], id="named in another talk"),
        pytest.param([("a", DEPLOY), ("a", "scrap that")], [], id="just before"),
        pytest.param([("a", DEPLOY), ("b", "scrap that")], [DEPLOY], id="just before, in another talk"),
        pytest.param(
            [("a", DEPLOY), ("a", "I like rain."), ("a", "scrap that")], [DEPLOY], id="not just before"
        ),
        pytest.param(
            [("a", DEPLOY), ("a", "never mind")], [DEPLOY, "never mind"], id="an answer to an offer"
        ),
        pytest.param([("a", "scrap the evening deploy"), ("a", DEPLOY)], [DEPLOY], id="made anew"),
        pytest.param([("a", DEPLOY), ("a", "scrap the morning standup")], [DEPLOY], id="another thing"),
        pytest.param(
            [("a", DEPLOY), ("a", "scrap the Thursday cake for Bob's birthday party in the evening")],
            [DEPLOY],
            id="less than half of what it names",
        ),
    ],
)
def test_what_was_taken_back_since_is_not_kept(said: list[tuple[str, str]], kept: list[str]) -> None:
    """Mutants: order and session do not matter; two shared words are not asked for."""
    assert [each.statement for each in gathered(*said).new] == kept


def test_what_takes_an_entry_back_stands_beside_it_and_is_named() -> None:
    """Mutant: the plan stands alone, as if it held."""
    plan = Standing(DEPLOY, FIRST.isoformat(), "aaaaaa")

    found = gathered(("a", "scrap the evening deploy"), standing=(plan,))

    assert [each.statement for each in found.new] == ["scrap the evening deploy"]
    assert found.conflicts == ["“scrap the evening deploy” takes m:aaaaaa back; both stand."]
    assert gathered(("a", "scrap the morning standup"), standing=(plan,)).new == []
