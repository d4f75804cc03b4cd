"""Notes and messages in one list.

Mutants that these tests caught: messages before notes, messages in more than a third of a full list, a weak message in
place of a better note, what is below the minimum beside notes, endless messages ranked whole, messages behind guesses.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from clawgit.capture.messages.message import ChatMessage
from clawgit.capture.messages.message_search import MessageMatches
from clawgit.recall.search_messages import search_messages, with_messages
from clawgit.recall.search_results import Hits, Query, Result
from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    from collections.abc import Iterable

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
NOTE = "memory/2026-03-19-lunch.md"


def listed(source: str, scores: list[float], trust: str = "operator") -> Hits:
    results = []
    for n, score in enumerate(scores):
        results.append(Result(f"{source}{n}", 1, 1, score, "", source, "T2", trust=trust))
    return Hits(tuple(results))


@pytest.mark.parametrize(
    ("trust", "first"), [("operator", "m0"), ("host", "n0"), ("external", "n0"), ("", "n0")]
)
def test_his_notes_give_way_to_his_own_words_alone(trust: str, first: str) -> None:
    """Seen: a mail that somebody forwarded came before the operator's line."""
    found = with_messages(listed("n", [0.5]), listed("m", [0.9], trust), Query("q"))

    assert found.results[0].path == first


@pytest.mark.parametrize(
    ("notes", "said", "shown"),
    [
        pytest.param([0.7], [0.9, 0.8], "n0 m0 m1", id="below notes that answer, however good"),
        pytest.param([0.4], [0.9, 0.8], "m0 m1 n0", id="above notes that hardly do"),
        pytest.param(
            [0.9, 0.8, 0.7, 0.6, 0.5, 0.4], [0.9, 0.8, 0.7], "n0 n1 n2 n3 m0 m1", id="a third of a full list"
        ),
        pytest.param(
            [0.9, 0.8, 0.7, 0.6, 0.5, 0.4], [0.45, 0.41], "n0 n1 n2 n3 n4 m0", id="only where it is better"
        ),
        pytest.param([0.9] * 6, [0.9], "n0 n1 n2 n3 n4 n5", id="a note stays where a message is as good"),
        pytest.param([0.9] * 5, [0.8, 0.8], "n0 n1 n2 n3 n4 m0", id="free places are filled"),
        pytest.param([0.9], [0.3], "n0", id="nothing weak beside a note"),
        pytest.param([], [0.3, 0.2], "m0 m1", id="weak ones where nothing else is"),
        pytest.param([0.3, 0.2], [0.9], "m0 n0 n1", id="before guesses"),
        pytest.param([0.9, 0.2], [0.9], "n0 m0 n1", id="between notes and guesses"),
        pytest.param([0.3] * 6, [0.9], "m0 n0 n1 n2 n3 n4", id="in the place of a guess"),
        pytest.param([], [0.9] * 9, "m0 m1 m2 m3 m4 m5", id="no more than asked for"),
    ],
)
def test_messages_stand_below_notes(notes, said, shown) -> None:
    found = with_messages(listed("n", notes), listed("m", said), Query("q", most=6, min_score=0.35))

    assert " ".join(each.path for each in found.results) == shown


@pytest.mark.parametrize(
    ("score", "day", "paths"),
    [
        pytest.param(0.9, 19, [NOTE], id="the message below its note"),
        pytest.param(0.2, 19, ["chat:1"], id="the guess below its message"),
        pytest.param(0.9, 12, [NOTE, "chat:1"], id="said on another day"),
    ],
)
def test_a_message_and_its_line_in_a_note_are_one_hit(score: float, day: int, paths: list[str]) -> None:
    """Seen: after the first night each message was there twice."""
    line = "user: Lunch with Olga."
    sent = NOW.replace(day=day)
    said = ChatMessage("1", "cli", "main", "", "user", "", True, "operator", "Lunch with Olga.", sent, sent)
    message = Result("chat:1", 1, 1, 0.8, said.text, "chat", "T3", message=said, trust="operator")
    notes = (Result(NOTE, 1, 1, score, line, "memory", "T2", trust="operator"),)

    found = with_messages(Hits(notes, texts={NOTE: line.encode()}), Hits((message,)), Query("q"))

    assert [each.path for each in found.results] == paths


def test_one_place_alone_is_a_notes() -> None:
    found = with_messages(listed("n", [0.7]), listed("m", [0.9]), Query("q", most=1))

    assert [each.path for each in found.results] == ["n0"]


@dataclass(frozen=True)
class Given:
    texts: tuple[str, ...]
    senders: tuple[str, ...] = ("eve",)

    def candidates(self, words: object, days: object) -> MessageMatches:
        every = tuple(
            ChatMessage(
                str(n),
                "cli",
                "main",
                "",
                "user",
                self.senders[n % len(self.senders)],
                False,
                "external",
                text,
                NOW - timedelta(minutes=n),
                NOW,
            )
            for n, text in enumerate(self.texts)
        )
        return MessageMatches(every, (every,), {"umbrella": len(every)}, len(every))


@pytest.mark.rest
def test_endless_messages_do_not_make_a_search_endless() -> None:
    """Mutant: all of it is ranked, not a tenth."""
    floods = [" ".join(f"umbrella w{n}x{word}" for word in range(5_000)) + " hall" for n in range(100)]
    messages = Given((*floods, "The umbrella is in the hall."))

    found = search_messages(messages.candidates, Query("umbrella hall"), NOW)

    in_the_hall = search_messages(messages.candidates, Query("hall"), NOW)
    assert [each.snippet for each in in_the_hall.results] == ["The umbrella is in the hall."]
    assert found.results[0].snippet == "The umbrella is in the hall."


@pytest.mark.rest
def test_a_word_at_the_end_of_a_long_message_is_found() -> None:
    found = search_messages(Given((f"{'umbrella stand ' * 7_000} hall",)).candidates, Query("hall"), NOW)

    assert found.results[0].snippet.endswith("hall")


def test_a_message_that_holds_no_word_of_the_question_shows_half_of_what_those_beside_it_do() -> None:
    """Mutant: all of it."""
    talk = ("Good night!", "Fine, thanks.", "The umbrella is in the hall.", "Lunch?", "Later.")
    messages = Given(talk, ("eve", "ada"))

    found = search_messages(messages.candidates, Query("umbrella hall"), NOW)

    first, *others = [(each.snippet, each.score) for each in found.results]
    assert first == ("The umbrella is in the hall.", 1.0)
    assert others
    assert all(score <= 0.5 for _, score in others)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("The necklace is from my home country, Sweden. Who supports you, Mel?", "said"),
        ("Ok. Where did you say that the necklace is from?", "other"),
        ("Where is the necklace from?", "other"),
    ],
)
def test_what_asks_and_says_nothing_else_comes_last(text: str, path: str) -> None:
    """Mutant: whatever ends with a question does, also an answer."""
    asked = ChatMessage("1", "cli", "main", "", "user", "", True, "operator", text, NOW, NOW)
    said = Result("said", 1, 1, 0.9, text, "chat", "T3", message=asked, trust="operator")
    plain = asked._replace(text="It is from Sweden.")
    other = said._replace(path="other", score=0.4, message=plain)

    found = with_messages(Hits(), Hits((said, other)), Query("necklace"))

    assert found.results[0].path == path


def test_what_was_said_before_a_question_is_no_answer_to_it_and_a_question_is_no_sure_one() -> None:
    """Mutants: what stands before it is one like what stands behind it; a question holds the answer as what tells does."""
    texts = ("The roses are pink.", "Where is the umbrella of the hall?", "Behind the door.", "Ah.")
    talk = Given(texts, ("eve", "ada"))

    found = search_messages(talk.candidates, Query("umbrella hall"), NOW)

    snippets = [each.snippet for each in found.results]
    assert "The roses are pink." not in snippets
    assert snippets[0] == "Behind the door."
    assert search_messages(Given(texts[:2]).candidates, Query("umbrella hall"), NOW).confidence != "high"


@pytest.mark.parametrize(
    ("question", "is_sure"),
    [
        pytest.param("has Emil the umbrella of the hall", False, id="a name"),
        pytest.param("has emil the umbrella of the hall", False, id="in small letters"),
        pytest.param("has Nora the umbrella of the hall", True, id="the one who has it"),
    ],
)
def test_a_message_about_somebody_else_is_no_sure_answer(question: str, is_sure: bool) -> None:
    texts = ("Nora has the umbrella of the hall.", *("Ah.",) * 30, *("I met Emil.",) * 9)

    def counted(words: Iterable[str], days: object) -> MessageMatches:
        held = [index_terms(text).split() for text in texts]
        seen = {word: sum(word in terms for terms in held) for word in words}
        return Given(texts).candidates(words, days)._replace(seen=seen)

    found = search_messages(counted, Query(question), NOW)

    assert "Nora has" in found.results[0].snippet
    assert (found.confidence == "high") == is_sure
