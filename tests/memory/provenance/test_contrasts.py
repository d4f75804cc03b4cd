"""What a sentence sets against words of a line replaces them, and only in a line that it is about."""

import pytest

from clawgit.memory.provenance.contrasts import Around, contrasted
from clawgit.understanding.evidence.said_words import is_light

AROUND = Around("", is_light)


@pytest.mark.parametrize(
    ("line", "sentence", "then"),
    [
        ("Fee Fiona: 850 € plus travel", "no, fiona gets 900 euro, not 850", "Fee Fiona: 900 € plus travel"),
        ("Doctor Dr. Low, phone 555 21", "The doctor is Dr. Moss, not Dr. Low", "Doctor Dr. Moss, phone 555 21"),
        ("Day care Di und Do", "day care is now Mo und Mi instead of Di und Do", "Day care Mo und Mi"),
        ("Auto: Skoda, TÜV Februar 2027", "TÜV ist im März, nicht im Februar", "Auto: Skoda, TÜV März 2027"),
        ("Katze Mohrle, Arzt Dr. Lenz", "Die Katze heißt Mohrchen, nicht Mohrle", "Katze Mohrchen, Arzt Dr. Lenz"),
        ("Captain is Emil, deputy Lasse", "captain is not emil but bosse", "Captain is Bosse, deputy Lasse"),
        ("Level 2", "Level is 3, not 2", "Level 3"),
        ("Start fee in Ash 45 euros", "the start fee in ash is 50 instead of 45 euros", "Start fee in Ash 50 euros"),
        ("Run on 12 May, fee 9 €", "the run is on 14 May, not on the 12 May", "Run on 14 May, fee 9 €"),
        ("Market is on Wednesday.", "Market is on Thursdays now, not Wednesdays", "Market is on Thursday."),
        ("Chor ist am Dienstag.", "Chor ist ab jetzt mittwochs und nicht dienstags", "Chor ist am Mittwoch."),
        ("Doctor is Dr. Low.", "The new doctor is Dr. Ray, not Dr. Low", "Doctor is Dr. Ray."),
        ("Report to the office of Ulm.", "Report to the office of Graz, not the office of Ulm", "Report to the office of Graz."),
    ],
)  # fmt: skip
def test_the_words_that_a_sentence_denies_give_way(line: str, sentence: str, then: str) -> None:
    assert contrasted(line, sentence, AROUND) == then


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("Rounds on Tuesday and Friday at 8:30.", "the rounds on friday are at 9:00, not 8:30"),  # half of it
        ("Lena und Tom wohnen in Graz.", "Lena wohnt in Wien, nicht in Graz"),
        ("The bus to Ash leaves at 7:40.", "The train to Ash leaves at 7:55, not 7:40."),  # another thing
        ("The Ash brochure has 3,200 words.", "The Ash website has 5,400 words, not 3,200"),
        ("Fee for the pool: 12 euros", "the fee of the sauna is 14 euros, not 12"),
        ("Staging port 8080", "Staging port of Kim is 9090, not 8080"),  # another one's
        ("Emil's van is white.", "our van is green, not white"),
        (
            "The warden is Joe Dale and his deputy is Kim Oz.",
            "His deputy is Ann Low, not Joe Dale.",
        ),  # another clause
        ("Membership is 48 euros.", "Membership has 52 people, not 48"),  # another kind of value
        ("Nora is allergic to hazelnuts.", "Nora is allergic to walnuts, not only hazelnuts."),  # both hold
        ("Jonas is allergic to hazelnuts.", "Jonas eats cashews, not hazelnuts"),  # another deed
        ("Ann: football Monday 17:00, swimming Friday 16:00.", "swimming is at 17:30, not 17:00"),
        ("Class: Sunday 10:00", "the class is at 11:00 this Sunday, not 10:00"),
        ("The cat is Biscuit.", "the cat is a tiger, not Biscuit"),
        ("Lunch at 12:00 with Ann.", "lunch at 13:00, not 12:00, but I am not sure"),
        ("Ann: home 5 May, train 9:40", "Ann: home is 6 May, not 5 May, and her train is 9:50"),  # two values
        (
            "Nora ist gegen alle Nüsse allergisch.",
            "Nora ist nicht gegen alle Nüsse allergisch, sondern gegen Eier",
        ),
        ("Emil is allergic to nuts.", "Nora isn't allergic to nuts but to eggs"),
        ("Die Werkstatt ist am Dienstag offen.", "Die Werkstatt ist nicht am Dienstag zu, sondern am Montag"),
        (
            "Die Werkstatt ist am Dienstag zu.",
            "Die Werkstatt ist nicht am Dienstag zu, sondern Montag",
        ),  # not `ist Montag`
        (
            "Der Vertrag läuft am 30. Juni 2028 aus.",
            "Der Vertrag läuft am 31. Dezember 2028, nicht am 30. Juni 2028 aus.",
        ),
        ("Desk in the attic.", "Please put the desk in the cellar, not in the attic."),
        ("Ann: piano on Monday, chess on Monday.", "Ann is here on Tuesday, not Monday"),
        ("Deploys need two approvals.", "Deploys need one approval for hotfixes, not two"),  # a special case
        ("Deploys need 2 approvals.", "Deploys need 3 for hotfixes, not 2"),
        ("The cluster has five nodes.", "The cluster has one node in staging, not five"),
        ("Alerts go to the ops channel.", "Alerts go to the dev channel at night, not ops"),
        ("Alerts go to ops.", "Alerts go to dev at night, not ops"),
        ("The lunch is soup.", "The lunch is salad today, not soup"),
        ("The van is blue.", "At the front, the van is red, not blue"),
        ("Der Schlüssel ist in der Garage.", "Der Schlüssel ist nachts im Schuppen, nicht in der Garage"),
        ("Das Backup läuft alle sechs Stunden.", "Das Backup läuft jede Stunde, nicht alle sechs"),
        ("The bulbs are in the blue box.", "The bulbs are in the red one, not the blue"),
        ("The port is 8080.", "The port is 9090 nights, not 8080"),
        ("Der Port ist 8080.", "Der Port ist im Staging 9090, nicht 8080"),
        ("El menú es sopa.", "El menú es ensalada en verano, no sopa"),
    ],
)
def test_a_sentence_about_something_else_changes_no_word(line: str, sentence: str) -> None:
    assert contrasted(line, sentence, AROUND) == ""
