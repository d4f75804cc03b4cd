"""What is an order or a correction in Dutch, Swedish, Danish and Norwegian, Italian and Portuguese, and what only looks like one.

Written before the rows were. Of each language: a line of memory; orders to remember and what is kept of them; corrections and
the line that they make; orders to forget and what they name; what takes back what was said before; and what is none of these.
"""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """The sentences of one language."""

    line: str
    right: str
    remember: dict[str, str]
    correct: tuple[str, ...]
    forget: dict[str, str]
    back: tuple[str, ...]
    nothing: tuple[str, ...]


LANGUAGES = {
    "nl": Language(
        "De winkel sluit om 18 uur.",
        "De winkel sluit om 19 uur.",
        {
            "Onthoud: de huur van de winkel is 900 euro.": "De huur van de winkel is 900 euro.",
            "Onthoud dat de groothandel op dinsdag levert.": "Onthoud dat de groothandel op dinsdag levert.",
            "Alsjeblieft, onthoud dat Lieve alleen 's morgens werkt.": "Alsjeblieft, onthoud dat Lieve alleen 's morgens werkt.",
            "vergeet niet: de sleutel ligt bij Jan": "De sleutel ligt bij Jan",
            "Vergeet niet dat Jan allergisch is voor noten.": "Vergeet niet dat Jan allergisch is voor noten.",
        },
        (
            "Neen, de winkel sluit om 19 uur, niet om 18",
            "Neen, de winkel sluit om 19 uur, niet om 18 uur.",
            "Nee, de winkel sluit om 19 uur.",
            "De winkel sluit om 19 uur, niet om 18 uur.",
            "De winkel sluit om 19 uur en niet om 18 uur.",
        ),
        {
            "Vergeet dat Jan in Gent woont.": "Jan in Gent woont",
            "Nee, vergeet dat Jan in Gent woont.": "Jan in Gent woont",
            "Vergeet het nummer van Jan.": "nummer van Jan",
        },
        ("Laat maar.", "Nee, laat maar", "Vergeet dat."),
        (
            "Onthoud je waar de sleutel ligt?",
            "Ik heb onthouden dat de winkel om 19 uur sluit.",
            "Ik ben vergeten dat Jan allergisch is voor noten.",
            "Onthoud dit niet: de baas is weg.",
            "Jan zei: vergeet dat Piet in Gent woont.",
            "Vergeet dat Jan in Gent woont niet.",
            "Weet je nog dat de winkel om 19 uur sloot, niet om 18 uur?",
            "Nee, bedankt.",
            "Nee hoor, alles is goed.",
            "Nee, sluit de winkel om 19 uur?",
            "Jan zegt dat de winkel om 19 uur sluit, niet om 18 uur.",
            "Volgens Jan sluit de winkel om 19 uur, niet om 18 uur.",
            "Ik hoop dat de winkel om 19 uur sluit, niet om 18 uur.",
            "Misschien sluit de winkel om 19 uur, niet om 18 uur.",
            "Als het regent, sluit de winkel om 19 uur, niet om 18 uur.",
            "De winkel sluit niet om 19 uur.",
            "Laat maar weten wanneer je er bent.",
            "Neele haalt de bloemen op.",
        ),
    ),
    "sv": Language(
        "Mötet är 14:00.",
        "Mötet är 15:00.",
        {
            "Kom ihåg: hyran för verkstaden är 9000 kronor.": "Hyran för verkstaden är 9000 kronor.",
            "Kom ihåg att Nora är allergisk mot nötter.": "Nora är allergisk mot nötter.",
            "Kom ihåg att jag inte äter kött.": "Kom ihåg att jag inte äter kött.",
            "Snälla, kom ihåg att Emil flyttar i juni.": "Emil flyttar i juni.",
            "Glöm inte att faktura 6843 förfaller 18 juni.": "Faktura 6843 förfaller 18 juni.",
        },
        (
            "Nej, mötet är 15:00, inte 14:00.",
            "Nej, mötet är 15:00.",
            "Mötet är 15:00, inte 14:00.",
            "Nej, mötet är inte 14:00 utan 15:00.",
            "Nej, mötet är 15:00 och inte 14:00.",
        ),
        {
            "Glöm att Nora är allergisk mot nötter.": "Nora är allergisk mot nötter",
            "Glöm Noras nummer.": "Noras nummer",
            "Glöm numret till Emil.": "numret till Emil",
            "Glöm det jag sa om Nora.": "Nora",
            "Nej, glöm allt jag sagt om Emil.": "Emil",
        },
        ("Glöm det.", "Nej, glöm det", "Strunt i det."),
        (
            "Kommer du ihåg var nyckeln ligger?",
            "Kom ihåg när vi bodde i Lund.",
            "Jag kommer ihåg att mötet är 15:00, inte 14:00?",
            "Jag glömde att Nora är allergisk mot nötter.",
            "Nora sa: glöm att Emil flyttar.",
            "Glöm aldrig Nora.",
            "Glöm inte Noras nummer.",
            "Kom ihåg mig.",
            "Nej tack.",
            "Nej, det är bra.",
            "Nej, är mötet 15:00?",
            "Nora säger att mötet är 15:00, inte 14:00.",
            "Jag hoppas att mötet är 15:00, inte 14:00.",
            "Kanske är mötet 15:00, inte 14:00.",
            "Om det regnar är mötet 15:00, inte 14:00.",
            "Mötet är inte 15:00.",
            "Nejlikor säljer vi på torsdagar.",
            "Det gör inget, tack.",
        ),
    ),
    "da": Language(
        "Mødet er 14:00.",
        "Mødet er 15:00.",
        {
            "Husk: huslejen for værkstedet er 9000 kroner.": "Huslejen for værkstedet er 9000 kroner.",
            "Husk at Nora er allergisk over for nødder.": "Nora er allergisk over for nødder.",
            "Husk, at Emil flytter i juni.": "Emil flytter i juni.",
            "Husk at jeg ikke spiser kød.": "Husk at jeg ikke spiser kød.",
            "Glem ikke at faktura 6843 forfaller 18 juni.": "Faktura 6843 forfaller 18 juni.",
        },
        (
            "Nej, mødet er 15:00, ikke 14:00.",
            "Nei, mødet er 15:00, ikke 14:00.",
            "Nej, mødet er 15:00.",
            "Mødet er 15:00, ikke 14:00.",
            "Mødet er 15:00 og ikke 14:00.",
        ),
        {
            "Glem at Nora er allergisk over for nødder.": "Nora er allergisk over for nødder",
            "Glem Noras nummer.": "Noras nummer",
            "Glem nummeret til Emil.": "nummeret til Emil",
            "Glem det jeg sagde om Nora.": "Nora",
            "Nei, glem det jeg sa om Emil.": "Emil",
        },
        ("Glem det.", "Nej, glem det", "Nei, glem det."),
        (
            "Husker du hvor nøglen ligger?",
            "Husk hvor sjovt det var i Aarhus!",
            "Husk når vi boede i Aarhus.",
            "Jeg glemte at Nora er allergisk over for nødder.",
            "Jeg husker at mødet er 15:00, ikke 14:00?",
            "Nora sagde: glem at Emil flytter.",
            "Glem aldrig Nora.",
            "Glem ikke Noras nummer.",
            "Nej tak.",
            "Nei takk.",
            "Nej, det er fint.",
            "Nej, er mødet 15:00?",
            "Nora siger at mødet er 15:00, ikke 14:00.",
            "Jeg håber at mødet er 15:00, ikke 14:00.",
            "Måske er mødet 15:00, ikke 14:00.",
            "Hvis det regner er mødet 15:00, ikke 14:00.",
            "Mødet er ikke 15:00.",
            "Husky er en hund.",
        ),
    ),
    "it": Language(
        "Il negozio chiude alle 18:00.",
        "Il negozio chiude alle 19:00.",
        {
            "Ricorda: l'affitto del negozio è di 900 euro.": "L'affitto del negozio è di 900 euro.",
            "Ricorda che Marta è allergica alle noci.": "Marta è allergica alle noci.",
            "Ricordati che Paolo si trasferisce a giugno.": "Paolo si trasferisce a giugno.",
            "Non dimenticare che la fattura 6843 scade il 18 giugno.": "La fattura 6843 scade il 18 giugno.",
            "Per favore, ricorda che Marta non lavora il lunedì.": "Marta non lavora il lunedì.",
        },
        (
            "No, il negozio chiude alle 19:00, non alle 18:00.",
            "No, il negozio chiude alle 19:00.",
            "Il negozio chiude alle 19:00, non alle 18:00.",
            "Il negozio chiude alle 19:00 e non alle 18:00.",
            "No, il negozio non chiude alle 18:00 ma alle 19:00.",
        ),
        {
            "Dimentica che Marta abita a Lucca.": "Marta abita a Lucca",
            "Dimentica il numero di Marta.": "numero di Marta",
            "No, dimentica quello che ti ho detto su Paolo.": "Paolo",
        },
        ("Lascia perdere.", "No, lascia stare", "Dimenticalo."),
        (
            "Ricordi dove abito?",
            "Ricorda quando abitavamo a Lucca.",
            "Ricordati di quando abitavamo a Lucca.",
            "Ricorda molto sua madre.",
            "Ho dimenticato che Marta è allergica alle noci.",
            "Marta ha detto: dimentica che Paolo abita a Lucca.",
            "Ti ricordi di Marta?",
            "No, grazie.",
            "No, va bene così.",
            "No, il negozio chiude alle 19:00?",
            "Marta dice che il negozio chiude alle 19:00, non alle 18:00.",
            "Secondo Marta il negozio chiude alle 19:00, non alle 18:00.",
            "Il negozio chiude alle 19:00, non alle 18:00, secondo Marta.",
            "Il negozio chiude alle 19:00, non alle 18:00. Vero?",
            "Spero che il negozio chiuda alle 19:00, non alle 18:00.",
            "Forse il negozio chiude alle 19:00, non alle 18:00.",
            "Se piove, il negozio chiude alle 19:00, non alle 18:00.",
            "Il negozio non chiude alle 19:00.",
            "Lascia stare il gatto.",
            "Nora porta i fiori.",
        ),
    ),
    "pt": Language(
        "A loja fecha às 18:00.",
        "A loja fecha às 19:00.",
        {
            "Lembra-te: a renda da loja é de 900 euros.": "A renda da loja é de 900 euros.",
            "Lembra-te de que a Marta é alérgica a nozes.": "A Marta é alérgica a nozes.",
            "Lembre que o Paulo se muda em junho.": "O Paulo se muda em junho.",
            "Lembre-se de que a fatura 6843 vence em 18 de junho.": "A fatura 6843 vence em 18 de junho.",
            "Não te esqueças de que a Marta não trabalha às segundas.": "A Marta não trabalha às segundas.",
        },
        (
            "Não, a loja fecha às 19:00, não às 18:00.",
            "Não, a loja fecha às 19:00.",
            "A loja fecha às 19:00, não às 18:00.",
            "A loja fecha às 19:00 e não às 18:00.",
            "Não, a loja não fecha às 18:00, mas às 19:00.",
        ),
        {
            "Esquece que a Marta mora no Porto.": "a Marta mora no Porto",
            "Esqueça o número da Marta.": "número da Marta",
            "Não, esquece o que te disse sobre o Paulo.": "Paulo",
        },
        ("Deixa lá.", "Não, deixa pra lá", "Esquece isso."),
        (
            "Lembras-te de onde moro?",
            "Lembra quando morávamos em Braga.",
            "Lembra-te de quando morávamos em Braga.",
            "Lembra muito a minha avó.",
            "Lembra-me amanhã.",
            "Esqueci-me de que a Marta é alérgica a nozes.",
            "A Marta disse: esquece que o Paulo mora no Porto.",
            "Não, obrigada.",
            "Não, está tudo bem.",
            "Não, a loja fecha às 19:00?",
            "A Marta diz que a loja fecha às 19:00, não às 18:00.",
            "Segundo a Marta, a loja fecha às 19:00, não às 18:00.",
            "A loja fecha às 19:00, não às 18:00, segundo a Marta.",
            "Espero que a loja feche às 19:00, não às 18:00.",
            "Talvez a loja feche às 19:00, não às 18:00.",
            "Se chover, a loja fecha às 19:00, não às 18:00.",
            "A loja não fecha às 19:00.",
            "Deixa a chave na porta.",
            "Lembrança é uma loja do Porto.",
        ),
    ),
}

# Of other languages, or of one of these with the words of another.
ELSEWHERE = (
    "Husk the corn before lunch.",
    "Husk: the dry outer shell of a seed.",
    "Dr. No is my favourite film.",
    "Nee is the maiden name of Ada.",
    "Non, merci.",
    "Lembra is our intern.",
    "Ricorda sent an invoice for 900 euros.",
    "Kom is the name of our router.",
    "Glem is a brand of shampoo.",
    "Im Mai, wie im April, ist die Werkstatt zu.",
    "Le 5 mai, le magasin ouvre à 9 h.",
    "Om 18 uur sluit de winkel.",
    "Om de hoek is een bakker.",
    "Sie trinkt mehr Tee als ich.",
    "Als Vorspeise gibt es Suppe.",
    "Il secondo turno inizia alle 9:00.",
    "Nora kommt mit dem Rad.",
)
# These deny nothing, and are no case and no report.
PLAIN = (
    "Im Mai ist die Werkstatt zu.",
    "Le 5 mai, le magasin ouvre à 9 h.",
    "Om 18 uur sluit de winkel.",
    "Om de hoek is een bakker.",
    "Sie trinkt mehr Tee als ich.",
    "Als Vorspeise gibt es Suppe.",
    "Il secondo turno inizia alle 9:00.",
    "Se llama Marta y vive en Cádiz.",
    "Nora kör bilen till Lund.",
)
