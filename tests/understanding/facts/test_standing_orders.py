"""Which messages order for good how the agent shall behave: told from what is so from now on."""

from __future__ import annotations

import pytest

from clawgit.understanding.facts.keepable_sentences import kept_in, standing_order_in


@pytest.mark.parametrize(
    ("text", "is_plain"),
    [
        ("From now on answer in bullet points.", True),
        ("Show your sources from now on.", True),
        ("Ab jetzt immer auf Deutsch antworten.", True),
        ("Book a table every Friday from now on.", False),
        ("Nenne immer deine Quellen.", False),
        ("Réponds toujours en français.", False),
        ("Cite tes sources à partir de maintenant.", False),
        ("Muestra tus fuentes a partir de ahora.", False),
        ("Rispondi sempre in italiano.", False),
    ],
)
def test_an_order_says_anywhere_that_it_is_for_good(text: str, is_plain: bool) -> None:
    """Mutants: only the head of a sentence says so; what is not of the agent's own is made without asking."""
    order = standing_order_in(text)

    assert order is not None
    assert order.is_plain == is_plain


@pytest.mark.parametrize(
    "text",
    [
        "Rent is 900 from now on.",
        "choir is at 20:00 from now on",
        "The board meets in Basel from now on.",
        "Your bus leaves at 9 from now on.",
        "soy from now on",
        "Die Miete beträgt ab jetzt 900 Euro.",
        "Le loyer est désormais de 900 euros.",
        "La reunión es los martes a partir de ahora.",
        "Mein Bruder kommt immer zu spät.",
    ],
)
def test_what_is_so_from_now_on_is_no_order(text: str) -> None:
    """Mutants: whatever has the words is an order; a fragment is one."""
    assert standing_order_in(text) is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "text",
    [
        "stop being so useless",
        "Stop getting this wrong!",
        "stop wasting my time",
        "never do that stupid thing again",
        "You always get it wrong. Stop being so lazy.",
        "Nie hörst du mir zu!",
        "Immer vergisst du alles.",
        "Nunca me escuchas.",
        "Siempre te equivocas.",
        "siempre lo haces mal",
    ],
)
def test_a_scolding_is_no_order_and_not_kept(text: str) -> None:
    """Seen: it became a line of the soul."""
    assert standing_order_in(text) is None
    assert kept_in(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "stop apologising",
        "never send mails before you asked me",
        "stop getting the dates wrong",
        "never break the build",
        "always make a backup",
        "Antworte immer auf Deutsch.",
        "Nie sollst du ohne Tests committen.",
        "Nunca me llames Pepe.",
    ],
)
def test_an_order_that_also_blames_is_one(text: str) -> None:
    """Mutant: a word of scolding is enough."""
    assert standing_order_in(text) is not None


def test_what_he_moves_to_is_no_principle_without_a_yes() -> None:
    """Mutant: `ab jetzt` makes an order of whatever it opens."""
    order = standing_order_in("Ab jetzt arbeite ich bei Bosch.")

    assert order is None or not order.is_plain


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (
            "Please note this:\nThe dentist is Dr. Osei.\nCan you also move my Friday call?",
            "Please note this: The dentist is Dr. Osei.",
        ),
        (
            "My flight is at 7:40. Can you keep that in mind?",
            "My flight is at 7:40. Can you keep that in mind?",
        ),
    ],
)
def test_a_question_behind_what_is_to_be_remembered_is_not_kept_with_it(text: str, quote: str) -> None:
    """Mutants: the whole message is kept; an order in the form of a question goes."""
    assert [each.quote for each in kept_in(text)] == [quote]
