from __future__ import annotations

import pytest

from clawgit.memory.entries.statements import which_is_meant, without_order

TEXTS = [
    "Chose REST over GraphQL for the Acme API.",
    "Ada drinks tea.",
    "Ada drinks tea, but only in the morning and never with milk.",
    "The review is on Wednesday.",
    "The review is on Thursday.",
]


@pytest.mark.parametrize(
    ("asked", "number", "sure", "others"),
    [
        pytest.param("Ada drinks tea.", 1, 100, (), id="its words"),
        pytest.param(" Ada  drinks tea. ", 1, 100, (), id="white space aside"),
        pytest.param("ada drinks TEA", 1, 99, (), id="its words in other letters"),
        pytest.param("REST over GraphQL", 0, 90, (), id="a part"),
        pytest.param("Ada drinks t", 1, 39, (2,), id="a part of two: the shorter one, half as sure"),
        pytest.param("REST", 0, 42, (), id="a short part"),
        pytest.param("a", 1, 4, (4, 3, 0, 2), id="a letter proves nothing"),
        pytest.param("Acme API GraphQL", 0, 75, (), id="some of its words, in any order"),
        pytest.param("Ada tea", 1, 27, (2,), id="some words of two: the shorter one, half as sure"),
        pytest.param("the review is Wednesday", 3, 92, (), id="likeness"),
        pytest.param("The review was on Monday", 3, 34, (4,), id="two as like: half as sure"),
    ],
)
def test_the_closest_is_meant(asked: str, number: int, sure: int, others: tuple[int, ...]) -> None:
    found = which_is_meant(asked, TEXTS)

    assert found is not None
    assert (found.number, found.sure, found.others) == (number, sure, others)


@pytest.mark.parametrize("asked", ["", "  ", "something else entirely", "quux", "Acme rocket"])
def test_nothing_is_meant_by_what_nobody_said(asked: str) -> None:
    assert which_is_meant(asked, TEXTS) is None


def test_at_most_five_others_are_named() -> None:
    found = which_is_meant("fact", [f"fact {number}" for number in range(50)])

    assert found is not None
    assert len(found.others) == 5
    assert found.sure == 0


@pytest.mark.parametrize(
    ("order", "says"),
    [
        ("Please note that my sister is called Ines.", "My sister is called Ines."),
        ("Remember that I'm vegan.", "I'm vegan."),
        ("remember to never ring after 16:30", "Never ring after 16:30"),
        ("Por cierto, recuerda que Iñaki vuelve el 7.", "Iñaki vuelve el 7."),
        ("Denk dran: GEMA muss bis Montag raus", "GEMA muss bis Montag raus"),
        ("Don't forget the vet is closed on Monday.", "The vet is closed on Monday."),
        ("Remember that Rex bites.", "Rex bites."),
        ("remember that our on-call rota starts on Mondays at 10:00", "Our on-call rota starts on Mondays at 10:00"),
        ("remember that when we say prod we mean Leeds", "When we say prod we mean Leeds"),
        ("remember that nobody from sales has a key", "Nobody from sales has a key"),
        ("Remember that Anna in Leeds sells bread.", "Anna in Leeds sells bread."),
        ("remember that tomorrow we leave at 6", "Tomorrow we leave at 6"),
        ("remember the spare key for the garden shed is with Mrs Okafor", "The spare key for the garden shed is with Mrs Okafor"),
        ("N'oublie pas qu'il faut fermer.", "Il faut fermer."),
        ("By the way, the landlord is called Ines.", "The landlord is called Ines."),
        ("Oh, btw remember that Rex bites.", "Rex bites."),
        ("Übrigens, unsere Vermieterin heißt Ines.", "Unsere Vermieterin heißt Ines."),
        ("对了，我对花生过敏。", "我对花生过敏。"),
        ("By the way we came, the bridge is closed.", "By the way we came, the bridge is closed."),
        ("Por cierto, mi hermana vive en Lugo.", "Mi hermana vive en Lugo."),
        ("Übrigens heißt unsere Vermieterin Ines.", "Übrigens heißt unsere Vermieterin Ines."),
        *((whole, whole) for whole in (
            "Remember to call Anna", "Remember the milk", "Remember: milk, eggs", "Remember that guy from Oslo.", "remember that book by Ada", "remember that song we like",
            "Remember what Anna is like.", "Did you remember that rent is due?", "Note: rent is due on the 1st.", "Remember Mei's kindness", "I remember Mei moved out on 3 january",
            "Vergiss nicht, Anna anzurufen.", "Vergiss nicht, dass der Ofen kalt ist.", "He said to remember that.", "Merk dir, wo die Miete steht.", "Recuerda comprar leche.", "Pamiętaj kupić mleko.", "记住买牛奶。",
        )),
        ("Can you remember that rent is due?", "Rent is due"),
        ("Vergiss nicht: Steuerberater am 9. Dezember", "Steuerberater am 9. Dezember"),
        ("Mei's birthday is 3 March, don't forget that", "Mei's birthday is 3 March"),
        ("Der Ofen ist dienstags zu, nicht vergessen!", "Der Ofen ist dienstags zu!"),
        ("El horno está apagado, recuérdalo.", "El horno está apagado."),
        ("remeber that Emil is on holiday", "Emil is on holiday"),
        ("remember Mei moves out on 3 january", "Mei moves out on 3 january"),
        ("remember dentist 5 march 10:00", "Dentist 5 march 10:00"),
        ("don't forget Ana's party on 20 march", "Ana's party on 20 march"),
        ("remember Mei moves out soon", "Mei moves out soon"),
        ("remember the bins go out on mondays", "The bins go out on mondays"),
        ("Remember we don't ship on Fridays.", "We don't ship on Fridays."),
        ("recuerda q la basura sale los lunes", "La basura sale los lunes"),
        ("acuerdate: room 7 cuesta 65 euros", "Room 7 cuesta 65 euros"),
        ("nao te esquecas que a chave esta na gaveta", "A chave esta na gaveta"),
        ("zapamietaj, ze umowa konczy sie jutro", "Umowa konczy sie jutro"),
        ("Remember Bea's number: 0117 555 0101", "Bea's number: 0117 555 0101"),
        ("Remember to buy: milk, eggs", "Remember to buy: milk, eggs"),
        ("Hãy nhớ: mẹ Hoa bị dị ứng tôm", "Mẹ Hoa bị dị ứng tôm"),
        ("Ricorda che il mio treno parte alle 9:40.", "Il mio treno parte alle 9:40."),
        ("Acuérdate de que Inés tiene la llave.", "Inés tiene la llave."),
        ("Acuérdate: la señora Vidal no puede nadar", "La señora Vidal no puede nadar"),
        ("Proszę, zapamiętaj, że umowa kończy się 30 czerwca.", "Umowa kończy się 30 czerwca."),
        ("Zapamatuj si, že smlouva končí 30. června.", "Smlouva končí 30. června."),
        ("remember Katrin wants invoices in English, by mail", "Katrin wants invoices in English, by mail"),
        ("Remember the hall needs proof of insurance.", "The hall needs proof of insurance."),
        ("remember Nacho can't on Mondays", "Nacho can't on Mondays"),
        *((whole, whole) for whole in ("remember when Anna wants milk", "remember the guy who wants coffee", "remember to say Anna wants milk")),
        ("Remember M. Blanc prefers mornings", "M. Blanc prefers mornings"),
        ("M. Blanc is deaf, keep that in mind", "M. Blanc is deaf"),
        ("Also: the boiler is new", "The boiler is new"),
        ("acordate que Caro esta en Vigo", "Caro esta en Vigo"),
        ("Acordáte de que Caro está en Vigo.", "Caro está en Vigo."),
        ("recordame que la llave la tiene Nacho", "La llave la tiene Nacho"),
        ("No te olvidés que Caro está en Vigo.", "Caro está en Vigo."),
        ("No se olviden de que Caro está en Vigo.", "Caro está en Vigo."),
        ("Tené en cuenta que Caro no come pescado", "Caro no come pescado"),
        ("anotá: Caro esta en Vigo", "Caro esta en Vigo"),
        ("Recordá comprar leche.", "Recordá comprar leche."),
        ("Que no se te olvide: Lucía es celíaca", "Lucía es celíaca"),
        ("que no se te olvide que Lucía es celíaca", "Lucía es celíaca"),
        ("Oye, acuérdate de que Lucía es celíaca", "Lucía es celíaca"),
        ("Anótate: Mei cumple años el 5 de mayo", "Mei cumple años el 5 de mayo"),
        ("guarda esto: Mei cumple años el 5 de mayo", "Mei cumple años el 5 de mayo"),
        ("Hey, remember that Mei is vegan", "Mei is vegan"),
        ("Do remember that Ivy is allergic to eggs.", "Ivy is allergic to eggs."),
        ("Can you remember for me that the plumber comes on the 8th?", "The plumber comes on the 8th"),
        ("And could you remember that the curtains come on Monday?", "The curtains come on Monday"),
        ("Then remember that the compressor needs oil.", "The compressor needs oil."),
        ("Write this down: Mei's birthday is 5 May", "Mei's birthday is 5 May"),
        ("Schreib dir das auf: Mei hat am 5. Mai Geburtstag", "Mei hat am 5. Mai Geburtstag"),
        ("Note ça : Mei est végane depuis mai", "Mei est végane depuis mai"),
        ("Mira lives in Oslo.", "Mira lives in Oslo."),
        ("Mira's dog is called Pixel. Please remember that.", "Mira's dog is called Pixel."),
        ("Save this: milk", "Save this: milk"),
        ("Запам’ятай, що договір закінчується 30 червня.", "Договір закінчується 30 червня."),
    ],
)  # fmt: skip
def test_what_an_order_to_remember_says(order: str, says: str) -> None:
    """Mutants: the order's words stay; what is no statement without them is cut."""
    assert without_order(order) == says
