"""A text states what was corrected where it gives the old value of the same subject, in whatever words, and else not.

Mutants that these tests caught: the operator's sister taken for himself, a possessive for its owner, a denial and a move
for the old value, an agent's `you` for somebody else, another server for the database.
"""

from __future__ import annotations

import pytest

from clawgit.understanding.corrections.outdated import gone_words, is_outdated, repeats_value, without_value

NAMES = frozenset({"ada", "ada lovelace"})
HOME = ("User lives in Lisbon.", "User lives in Porto.")
WIFE = ("User's wife is called Anna.", "User's wife is called Hannah.")
PORT = ("The staging database listens on port 5432.", "The staging database listens on port 5433.")
REVIEW = ("The review is on Wednesday.", "The review is on Thursday.")
NORA = ("Nora lives in Lisbon.", "Nora lives in Porto.")
CATS = ("Emil has 3 cats.", "Emil has 4 cats.")
TEA = ("User likes tea.", "User likes coffee.")
FOOD = ("User is vegetarian.", "User is vegan.")
GERMAN = ("Der Nutzer wohnt in Leipzig.", "Der Nutzer wohnt in Dresden.")
NUTS = ("Der Nutzer ist allergisch gegen Nüsse.", "Der Nutzer ist allergisch gegen Milch.")
FRENCH = ("La femme de l'utilisateur s'appelle Claire.", "La femme de l'utilisateur s'appelle Élodie.")
SPANISH = ("El usuario vive en Sevilla.", "El usuario vive en Cádiz.")
CHINESE = ("用户住在上海。", "用户住在杭州。")
JAPANESE = ("ユーザーは大阪に住んでいる。", "ユーザーは京都に住んでいる。")
KOREAN = ("사용자는 부산에 산다.", "사용자는 대구에 산다.")


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("correction", "text"),
    [
        (HOME, "I still live in Lisbon, near the river."),
        (HOME, "user: I live in Lisbon."),
        (HOME, "Ada lives in Lisbon."),
        (HOME, "Ada Lovelace: I live in Lisbon."),
        (HOME, "assistant: I noted that you live in Lisbon."),
        (HOME, "We live in Lisbon with my sister."),
        (HOME, "2026-03-01: The user lives in Lisbon. #fact"),
        (HOME, "Where do I live? In Lisbon."),
        (HOME, "Nora came by. I live in Lisbon now."),
        (WIFE, "My wife's name is Anna."),
        (PORT, "Connect to the staging database at port 5432."),
        (REVIEW, "We have the review every Wednesday."),
        (NORA, "Nora has been living in Lisbon for years."),
        (NORA, "Nora's living in Lisbon."),
        (CATS, "Emil has 3 cats and a dog."),
        (TEA, "I like tea and cake."),
        (FOOD, "I am a vegetarian since 2019."),
        (GERMAN, "Seit 2019 wohne ich in Leipzig."),
        (NUTS, "Gegen Nüsse bin ich allergisch."),
        (FRENCH, "Ma femme Claire arrive demain."),
        (SPANISH, "Vivo en Sevilla."),
        (CHINESE, "我现在住在上海,离公司很近。"),
        (JAPANESE, "私は今、大阪に住んでいます。"),
        (KOREAN, "저는 지금 부산에 살아요."),
    ],
)
def test_the_old_value_of_the_same_subject_is_outdated(correction: tuple[str, str], text: str) -> None:
    assert is_outdated(text, *correction, names=NAMES)
    assert any(word in text.lower() for word in gone_words(*correction))


@pytest.mark.parametrize(
    ("correction", "text"),
    [
        pytest.param(HOME, "User lives in Porto.", id="what is right"),
        pytest.param(HOME, "Nora: I live in Lisbon.", id="somebody else's I"),
        pytest.param(HOME, "user: Do you live in Lisbon?", id="the operator's you"),
        pytest.param(HOME, "My sister lives in Lisbon.", id="a relative"),
        pytest.param(HOME, "I think my sister lives in Lisbon.", id="a relative, as he thinks"),
        pytest.param(HOME, "I told Nora that Emil lives in Lisbon.", id="somebody he speaks of"),
        pytest.param(HOME, "I know the plumber lives in Lisbon.", id="somebody without a name"),
        pytest.param(HOME, "User's brother lives in Lisbon.", id="his brother"),
        pytest.param(HOME, "She lives in Lisbon.", id="she"),
        pytest.param(HOME, "We moved from Lisbon to Porto.", id="how it came about"),
        pytest.param(HOME, "I lived in Lisbon. I live in Porto.", id="both, side by side"),
        pytest.param(HOME, "I don't live in Lisbon any more.", id="a denial"),
        pytest.param(HOME, "I used to live in Lisbon.", id="of the past"),
        pytest.param(HOME, "I was in Lisbon last spring.", id="another statement of the same place"),
        pytest.param(WIFE, "Nora's wife is called Anna.", id="another one's wife"),
        pytest.param(WIFE, "His wife is called Anna.", id="his"),
        pytest.param(WIFE, "My brother's wife is called Anna.", id="his brother's wife"),
        pytest.param(WIFE, "The wife of the plumber is called Anna.", id="a wife of somebody"),
        pytest.param(WIFE, "My wife met Anna at the gym.", id="whom she met"),
        pytest.param(PORT, "The staging server listens on port 5432.", id="another thing of that place"),
        pytest.param(PORT, "The analytics database listens on port 5432.", id="another database"),
        pytest.param(REVIEW, "The retro is on Wednesday.", id="another meeting"),
        pytest.param(NORA, "I live in Lisbon.", id="himself"),
        pytest.param(NORA, "Nora's mother lives in Lisbon.", id="her mother"),
        pytest.param(CATS, "Emil has 3 dogs.", id="as many of something else"),
        pytest.param(TEA, "I like cake.", id="another value"),
        pytest.param(TEA, "My mother likes tea.", id="his mother's taste"),
        pytest.param(FOOD, "We had a vegetarian pizza.", id="the word of something else"),
        pytest.param(GERMAN, "Meine Schwester wohnt in Leipzig.", id="German: his sister"),
        pytest.param(GERMAN, "Ich wohne nicht mehr in Leipzig.", id="German: a denial"),
        pytest.param(GERMAN, "Wir sind von Leipzig nach Dresden gezogen.", id="German: a move"),
        pytest.param(FRENCH, "La voisine d'Emil s'appelle Claire.", id="French: a neighbour"),
        pytest.param(SPANISH, "Mi hermana vive en Sevilla.", id="Spanish: his sister"),
        pytest.param(CHINESE, "我弟弟住在上海。", id="Chinese: his brother"),
        pytest.param(CHINESE, "我从上海搬到了杭州。", id="Chinese: a move"),
        pytest.param(JAPANESE, "私の母は大阪に住んでいる。", id="Japanese: his mother"),
        pytest.param(KOREAN, "내 동생은 부산에 산다.", id="Korean: his brother"),
    ],
)
def test_what_says_something_else_stays(correction: tuple[str, str], text: str) -> None:
    assert not is_outdated(text, *correction, names=NAMES)


CAR = ("I drive a Volvo.", "I drive a Skoda.")
NADIA = ("My sister Nadia works at Siemens.", "My sister Nadia works at Bosch.")
ACME = ("The client Acme pays in dollars.", "The client Acme pays in euros.")
SOY = ("User drinks her coffee with soy milk.", "User drinks her coffee with oat milk.")
GARAGE = ("The garage code is 4471.", "The garage code is 8820.")


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("correction", "text"),
    [
        (HOME, "My flat is in Lisbon, on the third floor."),
        (HOME, "Ada has a house in Lisbon."),
        (CAR, "my car is a Volvo"),
        (SOY, "There is soy milk in my fridge, for the coffee."),
        (WIFE, "I went shopping with my wife Anna."),
        (NADIA, "Nadia told me she likes her job at Siemens."),
        (ACME, "Acme settles its invoices in dollars."),
        (GARAGE, "You open the garage with 4471."),
        (NUTS, "Ich kann keine Nüsse essen."),
        (SPANISH, "Mi piso está en Sevilla."),
        (CHINESE, "我的家在上海。"),
        (KOREAN, "우리 집은 부산에 있어요."),
    ],
)
def test_the_old_value_in_words_of_another_kind_is_seen(correction: tuple[str, str], text: str) -> None:
    """Mutants: only a statement of the same verb; only names in Latin letters."""
    assert not is_outdated(text, *correction, names=NAMES)
    assert repeats_value(text, *correction, names=NAMES)


@pytest.mark.parametrize(
    ("correction", "text"),
    [
        pytest.param(HOME, "The trade fair is in Lisbon.", id="nobody's"),
        pytest.param(HOME, "Tomas lives in Lisbon.", id="somebody else"),
        pytest.param(HOME, "My flat in Lisbon is sold, I moved to Porto.", id="with what is right"),
        pytest.param(REVIEW, "I see the dentist on Wednesday.", id="a day"),
        pytest.param(("I have two dogs.", "I have three dogs."), "I have two bicycles.", id="a number"),
        pytest.param(SOY, "My kiln is fired.", id="alone, the word is grammar of another language"),
        pytest.param(TEA, "I poured tea for the guests.", id="an everyday word"),
        pytest.param(GARAGE, "The invoice has number 4471.", id="the number of something else"),
        pytest.param(CHINESE, "表哥住在上海。", id="Chinese: somebody else"),
    ],
)
def test_a_value_that_much_else_has_is_left_alone(correction: tuple[str, str], text: str) -> None:
    assert not repeats_value(text, *correction, names=NAMES)


@pytest.mark.parametrize(
    ("name", "said", "correct", "text"),
    [
        ("李梅", "李梅在腾讯工作。", "李梅在华为工作。", "我在腾讯工作。"),
        ("李梅", "用户在腾讯工作。", "用户在华为工作。", "李梅在腾讯工作。"),
        ("민지", "민지는 삼성에서 일해요.", "민지는 네이버에서 일해요.", "저는 삼성에서 일해요."),
    ],
)
def test_a_name_without_a_space_behind_it_is_the_operators(
    name: str, said: str, correct: str, text: str
) -> None:
    assert is_outdated(text, said, correct, names=frozenset({name}))


def test_a_verb_without_its_subject_is_not_everybodys() -> None:
    assert not is_outdated("Mi primo Raúl vive en Sevilla.", "Vivo en Sevilla.", "Vivo en Bilbao.")


ROOM = ("Room 6 has 12 chairs.", "Room 6 has 14 chairs.")
BUS = ("Bus 5 leaves at platform 9.", "Bus 5 leaves at platform 7.")


@pytest.mark.parametrize(
    ("correction", "text"),
    [
        (ROOM, "- Room 12 has 20 chairs."),
        (ROOM, "- 2026-02-01: Room 7 has 12 chairs."),
        (ROOM, "- Room 12 has 12 chairs."),
        (BUS, "- Bus 9 leaves at platform 3."),
        (("Bus M1 leaves at 9:40.", "Bus M1 leaves at 9:50."), "- Bus M9 leaves at 9:40."),
        (("Team A uses port 8080.", "Team A uses port 9090."), "- Team B uses port 8080."),
    ],
)
def test_the_same_number_of_another_room_is_neither_outdated_nor_doubtful(
    correction: tuple[str, str], text: str
) -> None:
    """Mutant: a number of one digit is no part of the subject."""
    assert not is_outdated(text, *correction)
    assert not repeats_value(text, *correction)


@pytest.mark.parametrize(
    "text",
    [
        "- 2026-02-01: Room 6 has 12 chairs by now.",
        "The room has 12 chairs.",
        "In 2025 room 6 had 12 chairs.",
    ],
)
def test_the_old_number_of_the_same_room_is_outdated(text: str) -> None:
    assert is_outdated(text, *ROOM)


POSTGRES = ("Prod database is Postgres 14.", "Prod database is Postgres 16.")


@pytest.mark.parametrize("text", ["db: pg-stg-01, Postgres 14", "Postgres 14 of the intranet is slow"])
def test_a_name_before_the_value_is_no_subject_in_a_line_on_another_thing(text: str) -> None:
    """Seen: the line of a staging database was marked with the correction of the production one."""
    assert not repeats_value(text, *POSTGRES)


@pytest.mark.parametrize("text", ["| postgres | 14 |", "Postgres is 14", "The database is Postgres 14."])
def test_a_name_before_the_value_is_enough_where_no_other_thing_is_named(text: str) -> None:
    assert repeats_value(text, *POSTGRES)


@pytest.mark.parametrize(
    ("correction", "text", "rest"),
    [
        (("| haproxy | 2.6 |", "| haproxy | 2.8 |"), "haproxy 2.6 on lb1", "haproxy [corrected] on lb1"),
        (HOME, "I live in Lisbon, near the river Tejo", ""),
        (("Mum takes 20 mg.", "Mum takes 10 ml."), "Mum takes 20 mg and 5 mg of the other", ""),
        (HOME, "- 2026-01-02: I live in Lisbon", ""),
        (GARAGE, "The garage code is 4471!", ""),
        (GARAGE, "The garage code is forty-four 71, the alarm's 1200", ""),
    ],
)
def test_an_outdated_text_without_its_old_value(correction: tuple[str, str], text: str, rest: str) -> None:
    """Mutants: a date counts as more; a value written in another way stays; what else is said of a name goes on as the new one's."""
    assert without_value(text, *correction) == rest
