"""Which line answers best, and why.

Mutants seen to fail here: no neighbours, neighbours across sections, no section, no heading, no phrases, no speaker,
speakers named by whole names only, names that count as words, a list of properties read as a conversation, no date,
the latest like others, no time, questions not set back, greetings not set back, coverage from the line alone or over
all words of a long question, neighbours of a list as hits, unknown words that silence the known ones, unseen pairs that count as words, all words worth the same.
"""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.recall.index.line_units import traits_of
from clawgit.recall.index.places import Corpus, IndexedLine
from clawgit.recall.questions.read_question import read_question
from clawgit.recall.ranking.ranking import Ranked, WeighedQuestion, find_talk, kept, rank
from clawgit.text.words.terms import index_terms

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
DAY = date(2026, 3, 12)


def lines_of(*sections: list[str]) -> list[IndexedLine]:
    """Return the lines of some sections, numbered over all of them."""
    texts = [(number, text) for number, section in enumerate(sections) for text in section]
    return [
        IndexedLine(key, n, key, index_terms(text), traits_of(text), day=DAY.isoformat())
        for key, (n, text) in enumerate(texts)
    ]


def ask(question: str, lines: list[IndexedLine], *, units: int = 400) -> list[Ranked]:
    read = read_question(question, NOW)
    held = [set(line.terms.split()) for line in lines]
    seen = {word: n for word in read.words if (n := sum(word in terms for terms in held))}
    return rank(read, lines, Corpus(units, 8.0, seen))


TURTLE = ["Ada: What is the name of your turtle?", "Bob: We call her Gertrude.", "Ada: Ha!", "Bob: Bye."]
SAID = ["Ada: the harbour is cold", "Bob: the harbour is cold", "Ada: so it is", "Bob: yes"]
LONG_NAME = ["Ada Byron: the harbour is cold", "Eve Root: so it is", "Ada Byron: yes"]
TO_HER = ["Eve Root: Byron, harbour", "Ada Byron: hm", "Eve Root: x"]
DUE = [
    "Nora: invoice 5590 due",
    "Nora: invoice 6843 due",
    "Emil: invoice 7001 due",
    "Nora is allergic to nuts",
]
PROPERTIES = ["Router: Omada, by the door", "Printer: near the router", "Lamp: 40 W"]


@pytest.mark.parametrize(
    ("question", "sections", "best"),
    [
        ("the boiler code", [["the code of the door"], ["boiler code 4471"]], "boiler code 4471"),
        ("budget of the falcon", [["budget"], ["budget"], ["budget"], ["falcon"]], "falcon"),
        ("new york office", [["office in york, new"], ["office in new york"]], "office in new york"),
        ("name of the turtle", [TURTLE], "Bob: We call her Gertrude."),
        (
            "when is the museum open",
            [["museum open gladly"], ["museum open Monday"]],
            "museum open Monday",
        ),
        ("deploy checklist", [["deploy it"], ["rollback", "the deploy", "x", "checklist"]], "checklist"),
        ("what did Bob say about the harbour", [SAID], "Bob: the harbour is cold"),
        ("what did Ada say about the harbour", [SAID], "Ada: the harbour is cold"),
        ("what did Byron say about the harbour", [TO_HER, LONG_NAME], "Ada Byron: the harbour is cold"),
        ("where is the router", [PROPERTIES], "Router: Omada, by the door"),
        ("the printer and the router", [PROPERTIES], "Printer: near the router"),
        ("what is Nora allergic to", [DUE], "Nora is allergic to nuts"),
        ("会议室的密码", [["密码换了"], ["会议室的密码是8062"], ["会议改期"]], "会议室的密码是8062"),
        ("회의실 비밀번호", [["회의를 했다"], ["회의실의 비밀번호는 7731"]], "회의실의 비밀번호는 7731"),
    ],
    ids=[
        *("more of the words", "the rarer word", "words side by side", "an answer, not the question"),
        *(
            "a time",
            "beside and below the rest",
            "said by one",
            "said by the other",
            "by a part of the name",
        ),
        *("a property", "properties are no speakers", "who owes is no speaker", "Chinese", "Korean"),
    ],
)
def test_the_best_line_comes_first(question: str, sections: list[list[str]], best: str) -> None:
    texts = [text for section in sections for text in section]
    assert texts[ask(question, lines_of(*sections))[0].key] == best


@pytest.mark.parametrize(
    ("section", "is_talk"),
    [(DUE, False), (PROPERTIES, False), (SAID, True), (LONG_NAME, True), (TURTLE, True), (SAID[:2], False)],
    ids=["dues", "properties", "turns", "by a long name", "a question and its answer", "each spoke once"],
)
def test_a_talk_has_turns(section: list[str], is_talk: bool) -> None:
    """Mutant: somebody who is named twice in a list speaks."""
    question = read_question("what is it about Nora, Ada and the router", NOW)
    asked = WeighedQuestion(question, Corpus(400, 8.0, {}))
    assert bool(find_talk(asked, asked.hold(lines_of(section))).sections) is is_talk


def test_a_heading_lends_its_words_to_the_lines_below() -> None:
    plain, below = lines_of(["chose REST"], ["chose REST"])
    ranked = ask("API choice: REST", [plain, below._replace(heading=index_terms("API design"))])
    assert [hit.key for hit in ranked] == [below.key, plain.key]


def test_below_a_heading_that_names_it_a_line_that_says_it_again_is_no_better() -> None:
    """Mutants: the words of a heading count for a line that repeats them; a heading counts half."""
    below = lines_of(["the turtle, our turtle", "x", "y", "it sleeps below the stairs from October on"])
    lines = [line._replace(heading=index_terms("turtle")) for line in below]
    other = IndexedLine(9, 9, 0, index_terms("sleep well"), "")
    ranked = ask("does the turtle sleep", [*lines, other])
    assert ranked[0].key == 3


def test_a_word_that_only_asks_names_no_speaker() -> None:
    lines = lines_of(["Will: the harbour is cold", "Eve: so it is", "Will: yes"])
    asked = read_question("will the harbour be cold?", NOW)
    query = WeighedQuestion(asked, Corpus(400, 8.0, {"will": 2, "harbour": 1}))
    assert not find_talk(query, query.hold(lines)).named


def test_a_section_that_speaks_of_the_rest_lends_it_to_all_its_lines() -> None:
    ranked = ask("falcon budget", lines_of(["budget", "x", "x", "x"], ["budget", "x", "x", "x", "falcon"]))
    keys = [hit.key for hit in ranked]
    assert keys.index(4) < keys.index(0)


def test_what_is_of_the_day_that_is_asked_for_comes_first_also_without_its_words() -> None:
    lines = lines_of(["met Priya"], ["met Priya"], ["fed the cat"])
    days = [date(2025, 3, 1), date(2026, 3, 10), date(2026, 3, 10)]
    dated = [line._replace(day=day.isoformat()) for line, day in zip(lines, days, strict=True)]
    assert ask("whom did I meet last week", dated)[0].key == 1
    assert {hit.key for hit in ask("last week", dated)} == {1, 2}


@pytest.mark.parametrize("question", ["when was I last at the dentist", "上次 dentist", "마지막 dentist"])
def test_of_lines_that_say_the_same_the_latest_comes_first_when_that_is_asked(question: str) -> None:
    lines = lines_of(*[["at the dentist"]] * 3)
    days = [date(2025, 3, 1), date(2026, 3, 10), date(2026, 1, 5)]
    dated = [line._replace(day=day.isoformat()) for line, day in zip(lines, days, strict=True)]
    assert [hit.key for hit in ask(question, dated)] == [1, 2, 0]
    assert [hit.key for hit in ask("the dentist", dated)] == [0, 1, 2]


def test_lines_of_another_section_lend_nothing() -> None:
    ranked = ask("falcon budget", lines_of(["a falcon"], ["x", "y"]))
    assert [hit.key for hit in ranked] == [0]


def test_to_whom_a_line_is_said_says_nothing_about_what_is_said() -> None:
    ranked = ask(
        "Bob on the harbour",
        lines_of(["Ada: the harbour", "Bob: hm", "Ada: x"], ["Ada: Bob, the harbour", "Bob: hm", "Ada: x"]),
    )
    keys = [hit.key for hit in ranked]
    assert keys.index(0) < keys.index(3)


@pytest.mark.parametrize(
    ("question", "texts", "low", "high"),
    [
        pytest.param("boiler code", ["boiler code 4471"], 1.0, 1.0, id="all of it"),
        pytest.param("boiler code", ["the boiler", "the code"], 0.9, 0.99, id="the rest stands beside"),
        pytest.param("boiler code", ["the boiler"], 0.4, 0.6, id="half of it"),
        pytest.param("boiler code of the old harbour mill", ["the boiler"], 0.1, 0.3, id="one word of many"),
        pytest.param("会议室门禁密码", ["会议室的密码"], 0.7, 1.0, id="pairs over two words"),
        pytest.param(
            " ".join(f"word{n}" for n in range(40)),
            [" ".join(f"word{n}" for n in range(8))],
            0.9,
            1.0,
            id="long",
        ),
    ],
)
def test_coverage_is_the_share_of_the_question(
    question: str, texts: list[str], low: float, high: float
) -> None:
    best = ask(question, lines_of(texts))[0]
    assert low <= best.coverage <= high
    assert best.direct <= best.coverage


@pytest.mark.parametrize(
    ("question", "texts", "found"),
    [
        pytest.param("quantum chromodynamics", ["boiler code 4471"], [], id="nothing relevant"),
        pytest.param("the of and", ["the of and"], [], id="nothing asked"),
        pytest.param(
            "boiler of the old harbour mill by the quay", ["boiler", "x"], [0], id="one word of many"
        ),
        pytest.param("boiler zork blarg frob quux", ["boiler", "x"], [0], id="all others are unknown"),
        pytest.param("boiler harbour mill", ["boiler", "x"], [0], id="a word, and it is all there is"),
        pytest.param(
            "boiler harbour", ["boiler", "boiler harbour"], [1, 0], id="enough, and what stands beside"
        ),
        pytest.param(
            "boiler harbour",
            ["x", "y", "boiler harbour", "z", "w"],
            [2, 3, 1, 4, 0],
            id="the lines of its paragraph",
        ),
        pytest.param(
            "boiler harbour mill quay crane",
            ["boiler", *"abc", "harbour", *"abc", "mill", *"abc", "quay", *"abc", "crane"],
            [],
            id="too little of what is known",
        ),
        pytest.param("name of the turtle", TURTLE, [1, 0], id="but a turn of a conversation"),
    ],
)
def test_what_is_kept(question: str, texts: list[str], found: list[int]) -> None:
    assert [hit.key for hit in kept(ask(question, lines_of(texts)), 0.35)] == found


def test_the_lines_of_a_paragraph_follow_the_one_that_holds_the_words() -> None:
    """Mutant: only neighbours in conversations are looked at."""
    hits = ask("boiler harbour", lines_of(["x", "y", "boiler harbour", "z", "w", "v", "u"]))

    assert [hit.key for hit in hits if hit.coverage >= 0.2] == [2, 3, 1, 4, 0]
    assert [round(hit.coverage, 2) for hit in hits[1:5]] == [0.45, 0.45, 0.4, 0.4]


def test_the_rest_of_a_conversation_is_left_out() -> None:
    lines = [
        line._replace(path="a.md")
        for line in lines_of(["Ada: boiler", "Bob: x", "Ada: y", "Bob: z", "Ada: w"])
    ]

    assert 4 not in {hit.key for hit in ask("boiler", lines)}


def test_a_line_below_a_fitting_heading_is_found_for_that_alone() -> None:
    """Mutant: the neighbours of a line that holds nothing itself count as well."""
    lines = [line._replace(heading=index_terms("boiler")) for line in lines_of(["the harbour", "x"])]
    below = {hit.key: hit for hit in ask("boiler harbour", lines)}[1]
    assert 0.3 < below.coverage < 0.6


def test_the_order_of_the_pool_changes_nothing() -> None:
    lines = lines_of(SAID, TURTLE, PROPERTIES)
    assert ask("name of Bob's turtle", lines) == ask("name of Bob's turtle", lines[::-1])


LINE = st.sampled_from([*SAID, *TURTLE, *PROPERTIES, "数据库", "회의실", "", "2026-03-12: x?", "wow"])


def test_a_line_of_a_conversation_that_names_nobody_may_be_the_answer() -> None:
    """Mutant: only lines that hold a word or begin with who says them are looked at."""
    hits = ask("harbour", lines_of(["Ada: the harbour?", "cold, and full of ships", "Bob: x", "Ada: y"]))
    assert {hit.key for hit in hits} >= {0, 1}


@given(st.lists(st.lists(LINE, max_size=6), max_size=4), LINE)
def test_scores_hold_for_any_lines(sections: list[list[str]], question: str) -> None:
    for units in (1, 20, 100_000):
        for hit in ask(question, lines_of(*sections), units=units):
            assert 0 <= hit.direct <= hit.coverage <= 1


@pytest.mark.parametrize(
    ("text", "traits"),
    [
        ("Ada: hello", "ada"),
        ("- **Ada Lovelace**: hello there", "ada lovelac"),
        ("[10:30] Ada: really?", "?ada"),
        ("用户：数据库用哪个？", "?用户"),
        ("is it so? [a photo of a dog]", "?"),
        ("see https://example.org", ""),
        ("note: 10:30", "note"),
        ("this is a longer sentence with a colon: here", ""),
        ("", ""),
    ],
)
def test_traits(text: str, traits: str) -> None:
    assert traits_of(text) == traits


def test_a_time_of_day_tells_a_time() -> None:
    """Mutant: only words for times and days do."""
    lines = lines_of(["The call with Bob is about Borealis."], ["The call with Bob is at 14:00."])

    assert ask("at what time is the call with Bob", lines)[0].key == 1
