"""A talk without times or capital letters: told by one who speaks again after another."""

from __future__ import annotations

import pytest

from clawgit.text.markdown.dialogue_blocks import label_of, talk_begin
from clawgit.understanding.patterns.own_words import own_words
from clawgit.understanding.triage.triage_message import triage


@pytest.mark.parametrize(
    "talk",
    [
        pytest.param("mia: so it's postgres\njonas: finally\nmia: yes, on friday", id="small letters"),
        pytest.param("小雨:我们决定周六去爬山\n阿杰:我不喜欢爬山\n小雨:那就去海边吧", id="Chinese"),
        pytest.param("mia: really?\njonas: yes\nmia: ok", id="a question of one word"),
        pytest.param("mia: hi\njonas: hi\nmia: ok\njonas: see you on friday", id="something said at last"),
        pytest.param("小雨：去哪\n阿杰：海边\n小雨：好", id="wide colons"),
        pytest.param("하늘: 토요일에 가자\n도윤: 싫어\n하늘: 그럼 일요일", id="Korean"),
        pytest.param("- mia: hi\n\n- jonas: hi\n\n- mia: friday it is", id="items with empty lines"),
        pytest.param("<mia> : hi\n@jonas: hi\nand more\n<mia>: friday it is", id="a turn of two lines"),
    ],
)
def test_a_talk_is_told_by_its_turns(talk: str) -> None:
    """Mutants: names have capital letters; a turn has one line."""
    assert talk_begin(talk) == 0
    assert own_words(f"We chose REST.\n\n{talk}").strip() == "We chose REST."


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("backend: rest\nhosting: hetzner\nmail: fastmail", id="labels that come once"),
        pytest.param("mia: friday\njonas: monday", id="two lines"),
        pytest.param("decision: rest\nlesson: no fridays\ndecision: postgres", id="labels of memories"),
        pytest.param("me: the port is 9000\nclaw: 8443\nme: no, 9000", id="the sender himself"),
        pytest.param("mia: a\nmia: b\nmia: c", id="nobody answers"),
        pytest.param("mia: a\njonas: b\n\n\n\n\n\nmia: c", id="far from each other"),
        pytest.param("at 9:30 x\nat 10:30 y\nat 9:30 z", id="times"),
        pytest.param("http://a\nftp://b\nhttp://c", id="addresses"),
        pytest.param("host: db1\nport: 5432\nhost: db2\nport: 5433", id="settings"),
        pytest.param("color: red;\nmargin: 0;\ncolor: blue;", id="code"),
        pytest.param("집세: 900\n식비: 300\n집세: 950", id="Korean sums"),
        pytest.param(
            "Expected: a list of 5\nActual: a list of 6\nExpected: a list of 7", id="what a test says"
        ),
        pytest.param("Pros: the team knows it\nCons: it is heavy\nPros: it is fast", id="pros and cons"),
        pytest.param("월요일: 회의\n화요일: 코딩\n월요일: 휴식", id="days"),
        pytest.param(
            "You said: it is on Thursday\nI said: it is on Friday\nYou said: ok", id="who said what"
        ),
        pytest.param(
            "what I want to say of it: a\nanother long thing: b\nwhat I want to say of it: c", id="sentences"
        ),
    ],
)
def test_what_only_has_colons_is_no_talk(text: str) -> None:
    """Mutants: two labels make a talk; whoever comes again; how far apart does not matter; a value is a turn."""
    assert talk_begin(text) is None
    assert own_words(text) == text


def test_what_is_set_right_below_settings_is_heard() -> None:
    """Mutant: whatever comes again after another is a talk."""
    text = "host: db1\nport: 5432\nhost: db2\nport: 5433\n\nNo, the review is on Friday, not Thursday."

    assert triage(text).validator


def test_a_label_is_short_and_something_follows_it() -> None:
    assert label_of("  - @Mia Ito: hello") == "mia ito"
    assert [label_of(line) for line in ("mia:", "12 may: x", "a b c d: x", "x" * 30 + ": x", ": x")] == [
        ""
    ] * 5


def test_triage_hears_nothing_in_a_talk_that_was_pasted() -> None:
    """Mutant: the miner alone leaves it out, and the validator sets memory right by somebody else's words."""
    pasted = "mia: the review is on wednesday\njonas: no, it's on thursday\nmia: oh, ok"

    assert not triage(pasted)
    assert triage("no, it's on thursday")


BELOW = [
    "I disagree, we're going with Postgres.",
    "jonas is wrong. Never deploy on Fridays.",
    "我不喜欢爬山。",
]


@pytest.mark.parametrize("below", BELOW)
@pytest.mark.parametrize(
    "talk",
    [
        "mia: so it's postgres\njonas: no\nmia: yes",
        "[10:02] Mia: so it's postgres\n[10:03] Jonas: no, it's mysql",
        "2026-03-19 10:02 Mia: so it's postgres",
    ],
)
def test_what_stands_below_a_talk_is_nobodys_word(talk: str, below: str) -> None:
    """Who spoke last may have gone on in a paragraph of his own: nothing in it tells that it is another's."""
    assert own_words(f"{talk}\n\n{below}") == ""
