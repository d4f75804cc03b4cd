"""The operator's latest sentence holds: what a line said before takes back his own correction, or his words beside the line."""

from __future__ import annotations

import pytest

CHATTER = "puh, war das ein Tag"


@pytest.fixture
def memory(clawgit, lived_once) -> None:
    def life() -> None:
        for line in ("Gästezahl 85", "Bart levert op dinsdag.", "La renta del local es de 18,500 al mes."):
            clawgit("remember", line)

    lived_once("three lines", life)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("between", [(), (CHATTER,)], ids=["right behind", "with chatter between"])
def test_what_a_line_said_before_takes_the_correction_back(clawgit, room, between: tuple[str, ...]) -> None:
    """Seen: it stood beside the corrected line, which stayed. Mutants: only the turn right before is looked at; the job sets it right."""
    clawgit("chat", "add", "Gästezahl ist jetzt 92")
    assert "Gästezahl 92" in room.read("MEMORY.md")
    for text in between:
        clawgit("chat", "add", text)

    answer = clawgit("chat", "add", "nein doch nicht, die Gästezahl bleibt bei 85").out

    assert 'Taken back: MEMORY.md "Gästezahl 92" → "Gästezahl 85" (undo ' in answer
    assert "Gästezahl 85" in room.read("MEMORY.md")
    clawgit("undo", answer.partition("(undo ")[2].partition(")")[0])
    assert "Gästezahl 92" in room.read("MEMORY.md")


@pytest.mark.usefixtures("memory")
def test_what_a_line_says_takes_away_his_words_beside_it(clawgit, room) -> None:
    """Seen: after the night both stood beside the line. Mutants: the link stays; the later words are linked, too, at once or by the job."""
    clawgit("chat", "add", "Bart levert voortaan op donderdag")
    assert "donderdag" in room.read("CORRECTIONS.md")

    answer = clawgit("chat", "add", "nee toch niet, Bart blijft gewoon op dinsdag").out
    clawgit("run", "recall-validator")

    assert 'Taken back: what rested on "Bart levert voortaan op donderdag"' in answer
    assert "- status: linked" not in room.read("CORRECTIONS.md")
    assert "you said" not in clawgit("search", "wanneer levert Bart").out


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    "said",
    [
        "die Stuhlzahl bleibt bei 85",
        "bleibt die Gästezahl bei 85?",
        "Mama meint, die Gästezahl bleibt bei 85",
        "die Gästezahl bleibt bei 92",
        "von den 92 Gästen haben 85 zugesagt",
    ],
)
def test_other_words_leave_the_correction(clawgit, room, said: str) -> None:
    clawgit("chat", "add", "Gästezahl ist jetzt 92")

    answer = clawgit("chat", "add", said).out
    clawgit("run", "recall-validator")

    assert "Taken back" not in answer
    assert "Gästezahl 92" in room.read("MEMORY.md")


@pytest.mark.usefixtures("memory")
def test_a_matter_to_be_dropped_is_what_he_said_of_it_last(clawgit, room) -> None:
    """Seen: the true line was offered for deletion, and the job set the dropped words beside it. Mutant: one word names nothing."""
    clawgit("chat", "add", "la renta sube a 19,800 en enero")
    clawgit("chat", "add", "jaja ya me canse")

    answer = clawgit("chat", "add", "olvida lo de la renta, don efren dice que se queda igual").out
    clawgit("run", "recall-validator")

    assert 'It takes back "la renta sube a 19,800 en enero"' in answer
    assert "clawgit forget" not in answer
    assert "- status: linked" not in room.read("CORRECTIONS.md")


@pytest.mark.usefixtures("memory")
def test_a_dropped_matter_gives_a_corrected_line_its_words_back(clawgit, room) -> None:
    """Mutant: an order to forget brings no older value back, whatever it names."""
    clawgit("chat", "add", "Gästezahl ist jetzt 92")

    clawgit("chat", "add", "das mit der Gästezahl lassen wir")

    assert "Gästezahl 85" in room.read("MEMORY.md")
