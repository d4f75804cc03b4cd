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
def test_what_a_line_said_before_corrects_it_again(clawgit, room, between: tuple[str, ...]) -> None:
    """Seen: it stood beside the corrected line, which stayed. Mutant: only the turn right before is looked at."""
    clawgit("chat", "add", "Gästezahl ist jetzt 92")
    assert "Gästezahl 92" in room.read("MEMORY.md")
    for text in between:
        clawgit("chat", "add", text)

    answer = clawgit("chat", "add", "nein doch nicht, die Gästezahl bleibt bei 85").out

    assert 'Corrected: MEMORY.md "Gästezahl 92" → "Gästezahl 85" (undo ' in answer
    assert "Gästezahl 85" in room.read("MEMORY.md")


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("between", "said"),
    [
        ((), "nee das stimmt nicht, bleibt wie es war"),
        ((), "nee doch nicht"),
        ((CHATTER, "Bart levert voortaan op donderdag"), "nee das mit der Gästezahl stimmt nicht, bleibt wie es war"),
    ],
)  # fmt: skip
def test_his_own_words_that_do_not_hold_are_taken_back(
    clawgit, room, between: tuple[str, ...], said: str
) -> None:
    """Seen: `clawgit remember` of the last of these was offered, and the line stayed. Mutant: the turn right before is meant."""
    clawgit("chat", "add", "Gästezahl ist jetzt 92")
    for text in between:
        clawgit("chat", "add", text)

    answer = clawgit("chat", "add", said).out

    assert 'Taken back: MEMORY.md "Gästezahl 92" → "Gästezahl 85"' in answer
    assert "Gästezahl 85" in room.read("MEMORY.md")
    assert ("donderdag" in room.read("CORRECTIONS.md")) is bool(between)
    assert "stimmt nicht" not in clawgit("chat", "log", "--not-kept").out


def test_the_day_alone_of_the_lines_date_stands_beside_the_corrected_line(clawgit, room) -> None:
    """Seen: next morning the 30th was offered for approval, and not a word of what he said behind it."""
    room.append("MEMORY.md", "- Audición del conservatorio: 23 de mayo, aula 4\n", actor="operator")
    clawgit("chat", "add", "la audicion no es el 23, es el 30 de mayo")

    clawgit("chat", "add", "no pará, la audicion sigue el 23")
    clawgit("run", "recall-validator")

    assert "- Audición del conservatorio: 30 de mayo, aula 4" in room.read("MEMORY.md")
    assert "- trigger: no pará, la audicion sigue el 23" in room.read("CORRECTIONS.md")


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

    assert 'Taken back: what rested on "la renta sube a 19,800 en enero"' in answer
    assert "clawgit forget" not in answer
    assert "- status: linked" not in room.read("CORRECTIONS.md")


@pytest.mark.usefixtures("memory")
def test_a_dropped_matter_gives_a_corrected_line_its_words_back(clawgit, room) -> None:
    """Mutant: an order to forget brings no older value back, whatever it names."""
    clawgit("chat", "add", "Gästezahl ist jetzt 92")

    clawgit("chat", "add", "das mit der Gästezahl lassen wir")

    assert "Gästezahl 85" in room.read("MEMORY.md")


@pytest.mark.parametrize(
    ("line", "correction", "order"),
    [
        ("La fianza es de 1800 euros", "la fianza es de 1900 euros, no 1800", "olvida lo de la fianza"),
        ("The deposit is 1800 euros", "The deposit is 1900 euros, not 1800", "forget the deposit thing"),
    ],
)  # fmt: skip
def test_an_order_to_forget_a_matter_brings_no_corrected_value_back(
    clawgit, room, line: str, correction: str, order: str
) -> None:
    """Seen: 1800, which he had called wrong, was in MEMORY.md and in the prompt again. Mutant: so is a matter that he drops."""
    room.append("MEMORY.md", f"- {line}\n", actor="operator")
    clawgit("chat", "add", correction)

    told = clawgit("chat", "add", order).out
    clawgit("run", "recall-validator")

    assert "clawgit forget" in told
    assert f"- {line}" not in room.read("MEMORY.md")
    assert "1900" in room.read("MEMORY.md")


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    "said", ["Drop the rent off tomorrow.", "Leave the rent stuff on my desk.", "das mit dem Boot lassen wir"]
)
def test_where_nothing_was_dropped_no_undo_is_offered(clawgit, room, said: str) -> None:
    """Seen: the undo of a right correction was offered for an errand. Mutant: an order to drop an unknown matter is about the last change."""
    clawgit("chat", "add", "Gästezahl ist jetzt 92")

    assert "undo" not in clawgit("chat", "add", said).out
    assert "Gästezahl 92" in room.read("MEMORY.md")


MADE = "Bart levert op donderdag, niet op dinsdag"
LATER = "bij de club levert Bart op dinsdag de kratten"


def at(time: str) -> dict[str, str]:
    return {"CLAWGIT_NOW": f"2026-03-20T{time}:00+00:00", "CLAWGIT_REHEARSE": "1"}


@pytest.mark.usefixtures("memory")
def test_a_later_sentence_is_not_marked_with_the_older_correction(clawgit) -> None:
    """Seen: `(see the correction: …)` behind what he said after it, on the same day. Mutants: only a later day is later; no earlier message is marked."""
    clawgit("chat", "add", LATER, environment=at("08:00"))
    assert "Corrected" in clawgit("chat", "add", MADE, environment=at("09:00")).out
    clawgit("chat", "add", LATER, environment=at("10:00"))

    answer = clawgit("search", "bij de club levert Bart de kratten", "--all", environment=at("11:00")).out

    parts = answer.split("chat:")
    (earlier,) = (part for part in parts if "2026-03-20 08:00" in part)
    (later,) = (part for part in parts if "2026-03-20 10:00" in part)
    assert "see the correction" in earlier
    assert "see the correction" not in later


@pytest.mark.usefixtures("memory")
def test_a_prompt_keeps_the_line_of_a_note_below_the_words_of_the_correction(clawgit, room) -> None:
    """Mutants: only a note of a later day is later; what he said above these words is in the prompt, too."""
    clawgit("chat", "add", MADE)
    day = f"{room.now:%Y-%m-%d}"
    said = ("Bart levert op dinsdag.", MADE, "Bart levert toch op dinsdag.")
    room.write(f"memory/{day}.md", f"# {day}\n\nuser: " + "\nuser: ".join(said) + "\n")
    room.keep("operator")

    told = clawgit("context", "--query", "wanneer levert Bart").out

    assert said[0] not in told
    assert said[2] in told


@pytest.mark.usefixtures("memory")
def test_a_digest_does_not_name_as_unkept_what_a_later_sentence_set_back(clawgit) -> None:
    """Seen: `la renta sube …` under "Heard, not kept", with the command that keeps it. Mutants: either half is named."""
    for text in ("la renta sube a 19,800 en enero", "jaja", "la renta se queda en 18,500"):
        clawgit("chat", "add", text)
    clawgit("run", "recall-validator")
    clawgit("run", "memory-miner")

    assert (
        "renta"
        not in clawgit("digest", "--since", "today").out.partition("Heard, not kept")[2].partition("Only")[0]
    )


def test_what_is_set_back_by_its_name_reverts_no_other_line(clawgit, room) -> None:
    """Seen: the deposit went back instead. Mutants: the last correction is meant; all of the message is taken back."""
    room.append("MEMORY.md", "- The rent is 900.\n- The deposit is 300.\n", actor="operator")
    clawgit("chat", "add", "No, the rent is 950, not 900. And the deposit is 350, not 300.")
    clawgit("run", "recall-validator")
    clawgit("chat", "add", "No, the deposit is 360.")
    before = room.read("MEMORY.md")

    other = clawgit("chat", "add", "I was wrong about the car, leave it as it was").out
    named = clawgit("chat", "add", "The rent was right before, leave it as it was.").out

    assert "It takes nothing back" in other
    assert "- The rent is 950." in before
    assert 'Taken back: MEMORY.md "The rent is 950." → "The rent is 900."' in named
    assert "- The rent is 900." in room.read("MEMORY.md")
    assert "deposit" not in named
