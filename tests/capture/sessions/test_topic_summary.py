"""What a summary says of a topic, and the name under which it is kept."""

from __future__ import annotations

import json

import pytest
from tests_folder import TESTS

from clawgit.capture.sessions.topic_snapshot import TopicSummary, is_of_system, read_summary, topic_name

VECTORS = json.loads((TESTS / "vectors/topic_snapshot.json").read_text("utf-8"))


@pytest.mark.parametrize("case", VECTORS["name_cases"], ids=lambda case: case["input"][:20])
def test_names_of_the_vectors(case) -> None:
    """In other scripts names are distinct, which the vectors' source does not have."""
    name = topic_name(case["input"])

    assert len(name) <= VECTORS["limits"]["name_chars"]
    assert name == (case["peer"] or case["input"])


@pytest.mark.parametrize("case", VECTORS["skip_cases"], ids=lambda case: case["session_key"])
def test_sessions_of_the_vectors(case) -> None:
    assert is_of_system(case["session_key"]) is case.get("required_skip", case["peer_skip"])


@pytest.mark.parametrize("case", VECTORS["extract_cases"], ids=lambda case: case["summary"][:20])
def test_summaries_of_the_vectors(case) -> None:
    found = read_summary(case["summary"])

    assert found.status == case["peer"]["status"]
    assert list(found.decisions) == [item.lstrip("-* ") for item in case["peer"]["decisions"]]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        pytest.param("데이터베이스 설계", "데이터베이스-설계", id="Korean"),
        pytest.param("数据库 API", "数据库-api", id="Chinese and Latin"),
        pytest.param("हिन्दी", "हिन्दी", id="letters with signs"),
        pytest.param("Café", "café", id="accents"),
        pytest.param("Cafe\u0301", "café", id="accents apart"),
        pytest.param("ＡＰＩ　設計", "api-設計", id="wide letters"),
        pytest.param("v2.0_release", "v2-0-release", id="dots and lines"),
        pytest.param("a\u202eb\x00c", "a-b-c", id="what is unseen"),
        pytest.param("x" * 59 + " y", "x" * 59, id="no dash at the end"),
        pytest.param("数" * 90, "数" * 60, id="a long name"),
        pytest.param("..\\..\\SOUL.md", "soul-md", id="the other slash"),
        pytest.param("🚀!?", "", id="no letters"),
    ],
)
def test_a_name_is_safe_and_says_the_same(title: str, name: str) -> None:
    """Mutant: Latin letters alone, so that all other topics share one file."""
    assert topic_name(title) == name


@pytest.mark.parametrize(
    ("key", "skipped"),
    [
        ("cron", True),
        ("agent:main:cron:nightly", True),
        ("AGENT:MAIN:CRON", True),
        ("agent:main:subagent:7f", True),
        ("heartbeat_1", True),
        ("agent:main:telegram:acronyms", False),
        ("agent:main:telegram:my-cron-talk", False),
        ("agent:main/cron/nightly", True),
        ("agent:main:telegram:memoryfoam", False),
        ("agent:main:slack:healthchecks", False),
        ("", False),
    ],
)
def test_whole_words_of_a_key_tell_a_systems_session(key: str, skipped: bool) -> None:
    """Mutant: a part of a word is enough."""
    assert is_of_system(key) is skipped


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("## Decisions\r\n- a\r\n- b\r\n", TopicSummary(("a", "b")), id="CRLF"),
        pytest.param("### Key decisions:\n1. a\n2) b\n", TopicSummary(("a", "b")), id="numbered"),
        pytest.param("## 决定\n- 用 PostgreSQL\n## 当前状态\n进行中\n", TopicSummary(("用 PostgreSQL",), "进行中"), id="Chinese"),
        pytest.param("## 결정 사항\n- 금요일 배포\n## 할 일\n- 테스트\n", TopicSummary(("금요일 배포",), "- 테스트"), id="Korean"),
        pytest.param("```\n## Decisions\n- a\n```\n", TopicSummary(), id="in code"),
        pytest.param("> ## Decisions\n> - a\n", TopicSummary(), id="quoted"),
        pytest.param("## Decisions\n### API\n- a\n## Notes\n- b\n", TopicSummary(("a",)), id="parts of one"),
        pytest.param("# Decisions made\n## Status\nok\n# End\n- b\n", TopicSummary((), "ok"), id="one in another"),
        pytest.param("## Decisions\n- a\n- a\n", TopicSummary(("a",)), id="twice"),
        pytest.param("## Status\ngreen\n## Open TODOs\n- test\n", TopicSummary((), "green\n- test"), id="both kinds"),
        pytest.param("## Decisions\n\n## Status\n\n", TopicSummary(), id="empty ones"),
        pytest.param("## Undecided\n- a\n## Statusbar\n- b\n", TopicSummary(), id="other words"),
        pytest.param("## 2. Decisions\n- a\n## 3) Status\nok\n", TopicSummary(("a",), "ok"), id="numbered headings"),
        pytest.param("## ✅ Decisions\n- a\n", TopicSummary(("a",)), id="a sign before the heading"),
        pytest.param("## 2026-03-22 决定\n- 用 REST\n", TopicSummary(("用 REST",)), id="a date before the heading"),
        pytest.param("Decisions\n=========\n- a\n", TopicSummary(("a",)), id="underlined"),
        pytest.param("## Decisions\n- \ud800a\n", TopicSummary(("?a",)), id="half a character"),
    ],
)  # fmt: skip
def test_what_a_summary_says(text: str, found: TopicSummary) -> None:
    assert read_summary(text) == found


@pytest.mark.parametrize(("count", "kept"), [(50, 50), (51, 50), (0, 0)])
def test_of_many_decisions_the_latest_are_taken(count: int, kept: int) -> None:
    found = read_summary("## Decisions\n" + "".join(f"- number {n}\n" for n in range(count))).decisions

    assert len(found) == kept
    assert not kept or found[-1] == f"number {count - 1}"


@pytest.mark.parametrize(("length", "kept"), [(499, 499), (500, 500), (501, 500)])
def test_a_status_is_short(length: int, kept: int) -> None:
    assert read_summary("## Status\n" + "字" * length).status == "字" * kept
