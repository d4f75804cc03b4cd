"""What the operator takes back in his next turn: a change of its own undoes what rested on the message before it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.memory.corrections.correction_log import Status
from clawgit.understanding.evidence.taking_back import takes_back

APOLLO = "The Apollo review is on Wednesday at 10:00."


@pytest.mark.parametrize(
    "text",
    [
        "forget that",
        "Never mind.",
        "oh sorry, scratch that!",
        "I was joking",
        "just kidding lol",
        "I didn’t mean that",
        "Vergiss das wieder.",
        "War nur ein Scherz",
        "olvídalo",
        "era broma",
        "算了，当我没说",
        "开玩笑的",
        "농담이야",
        "없던 걸로 해줘",
        "no, scrap that, I looked at the wrong week",
        "war nur Spaß, es bleibt beim Freitag",
        "那是我姐的，刚才那句不算",
    ],
)
def test_a_short_message_takes_back_what_was_said(text: str) -> None:
    assert takes_back(text)


@pytest.mark.parametrize(
    "text",
    [
        "never mind the weather, the review is on Friday",
        "don't forget that",
        "forget the old plan, we go to Basel",
        "Tim was joking about the review",
        "never forget that",
        "别忘了",
        "scratch the surface",
        "never mind, found it",
        "forget it, I'll call them myself",
        "I told him to forget that we were there",
        "",
    ],
)
def test_other_messages_take_nothing_back(text: str) -> None:
    assert not takes_back(text)


@pytest.mark.rest
def test_what_was_corrected_is_undone_by_a_change_of_its_own(remembering, talk) -> None:
    """Mutants: nothing is undone; the ledger still holds it; what another message said goes too."""
    talk.validated("ada: The Apollo review is on Thursday at 10:00, not on Wednesday.")
    assert "Thursday" in remembering.read("MEMORY.md")

    talk.validated("agent: Noted.", "ada: scratch that")

    assert APOLLO in remembering.read("MEMORY.md")
    assert "Thursday" not in remembering.read("MEMORY.md")
    assert [each.status for each in talk.corrections()] in ([], [Status.WITHDRAWN])
    log = remembering.git("log", "-1", "--format=%B")
    assert "Clawgit-Reverts" in log
    assert "Clawgit-Actor: recall-validator" in log


def test_what_was_taken_back_while_no_job_ran_is_undone_later(remembering, talk) -> None:
    """Mutant: only what was taken back within a day is looked at."""
    talk.validated("ada: The Apollo review is on Thursday at 10:00, not on Wednesday.")
    talk.say("agent: Noted.", "ada: scratch that")
    remembering.now += timedelta(days=3)

    talk.validated()

    assert APOLLO in remembering.read("MEMORY.md")
    assert "Thursday" not in remembering.read("MEMORY.md")


def test_what_is_taken_back_by_words_that_are_not_to_be_remembered_is_undone_too(remembering, talk) -> None:
    """`forget what I said` keeps its own message out of memory as well. The commit quotes no word of it."""
    talk.validated("ada: The Apollo review is on Thursday at 10:00, not on Wednesday.")

    talk.validated("agent: Noted.", "ada: Forget what I said.")

    assert "Thursday" not in remembering.read("MEMORY.md")
    assert "Forget" not in remembering.git("log", "-1", "--format=%B")


def test_what_a_later_turn_names_is_undone_though_others_came_between(remembering, talk) -> None:
    """Mutants: only the next turn takes back; the turn right before goes instead."""
    talk.validated("ada: The Apollo review is on Thursday at 10:00, not on Wednesday.")
    talk.validated("agent: Noted.", "ada: The standup is on Friday, not on Wednesday.")

    talk.validated("agent: Noted.", "ada: Forget what I said about the Apollo review.")

    assert "Thursday" not in remembering.read("MEMORY.md")
    assert "The standup is on Friday." in remembering.read("MEMORY.md")


def test_what_another_language_takes_back_of_a_thing_is_undone_and_its_value_is_right(
    remembering, talk
) -> None:
    """Seen: 1,20 stood after `oublie ce que j'ai dit sur la taxe, c'etait 1,10 le bon`. Mutant: an order to forget a fact undoes, too."""
    remembering.change({"MEMORY.md": "- La taxe de séjour est 1,10 €.\n"}, actor="operator")
    remembering.now += timedelta(hours=2)
    talk.validated("ada: la taxe de sejour c'est 1,20 pas 1,10")
    assert "1,20 €" in remembering.read("MEMORY.md")

    talk.validated("agent: Bien.", "ada: Oublie la taxe de séjour.")
    assert "1,20 €" in remembering.read("MEMORY.md")
    talk.validated("ada: oublie ce que j'ai dit sur la taxe de sejour, c'etait 1,10 le bon")

    assert "- La taxe de séjour est 1,10 €." in remembering.read("MEMORY.md")
    assert "1,20" not in remembering.read("MEMORY.md")


def test_what_a_later_turn_names_is_never_made(remembering, talk) -> None:
    talk.validated(
        "ada: No, the Apollo review is on Thursday.",
        "agent: Noted.",
        "ada: Which day is it today?",
        "agent: Tuesday.",
        "ada: I was joking about the Apollo review",
    )

    assert APOLLO in remembering.read("MEMORY.md")
    assert not talk.links()


def test_what_is_taken_back_before_it_was_read_is_never_made(remembering, talk) -> None:
    talk.validated("ada: No, the Apollo review is on Thursday.", "agent: Noted.", "ada: I was joking")

    assert APOLLO in remembering.read("MEMORY.md")


def test_only_the_link_of_the_message_that_was_taken_back_goes(remembering, talk) -> None:
    """Seen: what one round had put beside other lines was withdrawn with it. Mutant: all that a change brought goes."""
    boards = "# MEMORY\n\n- Anselm comes on Thursdays.\n- The board meets in Zurich.\n"
    remembering.change({"MEMORY.md": boards}, actor="operator")
    remembering.now += timedelta(hours=2)
    talk.validated(
        "agent: Anselm comes on Thursday.",
        "ada: No, Friday.",
        "agent: The board meets in Zurich?",
        "ada: no, Basel",
    )
    assert [each.trigger for each in talk.links()] == ["No, Friday.", "no, Basel"]

    talk.validated("agent: Noted.", "ada: scratch that about Basel")

    assert [each.trigger for each in talk.links()] == ["No, Friday."]


@pytest.mark.parametrize(
    "said",
    [
        "scratch that, the review is not on Wednesday either",
        "Forget what I said about the Apollo review, it isn't on Wednesday at all.",
    ],
)
def test_what_he_denies_as_he_takes_back_is_not_set_back(remembering, talk, said: str) -> None:
    """Seen: `Deploys go with Helm` held again because of "forget what I said about Kustomize, we do not deploy with Helm".

    Mutants: the older line holds again; nothing is beside the line that he took back.
    """
    talk.validated("ada: The Apollo review is on Thursday at 10:00, not on Wednesday.")

    talk.validated("agent: Noted.", f"ada: {said}")

    assert ": The Apollo review is on Thursday at 10:00. #event" in remembering.read("MEMORY.md")
    assert [each.trigger for each in talk.links()] == [said]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Noted. Shall I rewrite the intro of the report?", "No, leave it as it was."),
        ("Noted. Shall I move the invite for the review, too?", "No, leave it as it was."),
    ],
)
def test_an_answer_to_a_question_of_the_agents_sets_nothing_back(remembering, talk, asked, said) -> None:
    """Seen: to leave the intro as it was moved the review back. Mutant: it does where the question has a word of the correction."""
    talk.validated("ada: The Apollo review is on Thursday at 10:00, not on Wednesday.")

    talk.validated(f"agent: {asked}", f"ada: {said}")

    assert "The Apollo review is on Thursday at 10:00." in remembering.read("MEMORY.md")


@pytest.mark.parametrize(
    ("said", "rent", "dentist"),
    [
        ("scratch that about the dentist", 860, "Kern"),
        ("scratch that", 840, "Kern"),
    ],
)
def test_who_names_one_of_several_things_does_not_take_back_the_others(
    remembering, talk, said, rent, dentist
) -> None:
    """Seen: to take back the dentist moved the rent back, too. Mutant: all that rests on the message goes."""
    rents = "# MEMORY\n\n- The rent is 840 euros.\n- My dentist is Dr. Kern.\n"
    remembering.change({"MEMORY.md": rents}, actor="operator")
    remembering.now += timedelta(hours=2)
    talk.validated("ada: The rent is 860 euros, not 840. My dentist is Dr. Blau now.", "agent: Noted.")

    talk.validated(f"ada: {said}")

    memory = remembering.read("MEMORY.md")
    assert f"- The rent is {rent} euros." in memory
    assert f"- My dentist is Dr. {dentist}." in memory
