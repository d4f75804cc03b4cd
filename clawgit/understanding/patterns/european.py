"""The cues of Spanish, German, French, Polish, Czech and Ukrainian, and of six more languages orders and plain corrections."""

from __future__ import annotations

from clawgit.text.words.word_lists import ITALIAN_ORDER, REMEMBER_BEHIND, SPANISH_ORDER, WRITE_DOWN
from clawgit.understanding.patterns.pattern_rule import CORRECTIONS, EXPLICIT, MEMORY, OPT_OUT, SOFT, rules_of

_SPANISH_ORDERS = r"""
olvid  \bno (?:te |se |lo )*olvid(?:es|és|e|éis)\b
recuerda|recuerde|record|acuérdate|acuérdese|acord|anot|anót|apunt|apúnt|guarda|en cuenta  ^\W*(?:(?:por (?:favor|cierto)|<address>),? )*(?:<order>|guarda)\b(?! (?:de )?cuando)
importante|decisión|nota|recordatorio|regla  ^\W*(?:importante|decisión|nota|recordatorio|regla) ?:
acordamos|decidimos|decidido|el plan es  \b(?:acordamos|decidimos|hemos (?:decidido|acordado))\b|^el plan es\b
de ahora en|a partir de|desde ahora|en adelante|en el futuro  \b(?:de ahora en adelante|a partir de (?:ahora|hoy|mañana)|desde ahora|en adelante)\b
siempre|nunca|llámame  ^\W*(?:siempre|nunca) \w|^\W*llámame\b
! \?$
"""
_SPANISH_TOLD = r"""
dije|dicho|mencioné|expliqué  \b(?:ya )?te (?:lo )?(?:dije|he dicho|había dicho|mencioné|expliqué)\b|\bya (?:lo )?(?:dije|he dicho)\b
olvid  \b(?:te |lo )*(?:has )?(?:olvidaste|olvidado)\b
acuerdas|recuerdas|cuántas veces|hablamos|habíamos  \bno (?:te acuerdas|recuerdas)\b|\bcuántas veces (?:tengo|te|debo)|\bya (?:lo )?(?:hablamos|habíamos)
"""
_SPANISH_CHANGES = r"""
no,|no.  (?:^|[.!?] )no[,.]+ (?:es|era|son|eran|el|la|los|las|mi|mis|me|yo|su|se|ya|está|vivo|trabajo|en|no|a|nuestr\w+) (?!bien|perfecto)\S
en realidad|de hecho  ^\W*(?:no,? )?(?:en realidad|de hecho)\b
perdona|perdón|perdone|disculpa  ^(?:perdona|perdón|perdone|disculpa)\b[^.!?]*, (?:y )?no \S
no es|no está|no se  \bno (?:es|está|se llama) [^.!?]{1,40}, (?:es|está|sino|se)|\b(?:eso|esto) (?:no es (?:correcto|cierto|verdad)|es incorrecto|está mal)
ya no|equivocad|equivocas|corrección|incorrecto|obsoleto|desactualizad|en lugar de|en vez de|hoy en día|actualmente|sino
ahora|a partir de hoy  ^\W*(?:de ahora en adelante|a partir de (?:ahora|hoy)|desde ahora)\b[^.!?]* (?:es|son|cuesta|empieza|abre|cierra)\b[^.!?]*\d
cambi|mudé|mudamos|dejé|dejamos|reemplaz|cancel|aplaz|pospus|movi  \b(?:cambi(?:é|amos|ó|aron|ado)|mudé|mudamos|dejé|dejamos|reemplaz(?:amos|ó|ado)|cancel(?:ó|amos|ado)|aplaz(?:ó|ado)|pospus\w+|movió|movieron)\b
ahora  ^ahora (?!no|mismo|que)\w+|\b(?:es|está|vivo|trabajo|uso|usamos|se llama) [^.!?]{0,30}ahora\b
! \?$|\bgracias|\bsi (?:yo|tú|él)\b
"""
_SPANISH_OPT_OUTS = r"""
guardes|recuerdes|anotes|apuntes|memorices|registres  \bno (?:lo |la |te lo )?(?:guardes|recuerdes|anotes|apuntes|memorices|registres)(?: (?:esto|eso|nada))?\b
"""

SPANISH = rules_of(
    "es",
    {MEMORY: _SPANISH_ORDERS, EXPLICIT: _SPANISH_TOLD, SOFT: _SPANISH_CHANGES, OPT_OUT: _SPANISH_OPT_OUTS},
    {"order": SPANISH_ORDER},
)

_GERMAN_ORDER = r"(?:kannst|könntest|können|könnten) (?:du dir|sie sich|ihr euch)(?: bitte)? merken(?=,? dass\b)|merk(?:e|en sie)? (?:dir|euch|sich)|notiere?\b|denk da?ran|(?:schreib(?:e|en sie)?(?: (?:dir|euch|sich|bitte))* auf|merken|notieren|aufschreiben)(?= ?:|,? dass\b)"
_GERMAN_ORDERS = r"""
vergiss|vergesst|vergessen  \b(?:vergiss|vergesst|vergessen sie)(?: bitte)? nicht\b|\bnicht vergessen\b
merk|behalt|notier|denk|schreib|aufschreib  ^\W*(?:(?:und|bitte|übrigens|<address>),? )*(?:(?:merk|behalt|notier|denk)(?:e|t|en sie)?(?: bitte)?(?: dir| euch| da?ran|,|:| das| im )|<order>)
wichtig|entscheidung|notiz|merke|regel  ^\W*(?:wichtig|entscheidung|notiz|merke|regel) ?:
vereinbart|beschlossen|geeinigt|entschieden|der plan ist  \bwir haben [^.!?]{0,60}(?:vereinbart|beschlossen|geeinigt|entschieden)\b|^der plan ist\b
ab jetzt|ab sofort|ab heute|ab morgen|von jetzt an|von nun an|künftig|in zukunft
immer|nie|niemals|nenn  ^\W*(?:bitte )?(?:immer|nie|niemals) \w|^\W*(?:bitte )?nenn(?:e)? mich\b
! ^(?!\W*(?:kannst|k.nn\w+) .*\bmerken,? dass\b).*\?$
"""
_GERMAN_TOLD = r"""
gesagt|erzählt|erwähnt|erklärt  \bhab(?:e)?(?: ich)?\b[^.!?]{0,30}\b(?:schon|doch|bereits|gerade|eben|mal|mehrmals|dir|ihnen)\b[^.!?]{0,30}(?:gesagt|erzählt|erwähnt|erklärt)
vergessen|erinner|weißt du  \b(?:du hast|hast du|sie haben)\b[^.!?]{0,40}vergessen\b|\berinnerst du dich (?:\w+ )?nicht|\bweißt du (?:\w+ )?nicht mehr
wie oft  \bwie oft (?:muss|soll|habe)\b
besprochen|gesprochen|darüber  \bwir haben (?:das|darüber|doch)[^.!?]{0,30}(?:besprochen|gesprochen)
"""
_GERMAN_CHANGES = r"""
nein|nee|nö  (?:^|[.!?] )(?:nein|nee|nö)[,.!]+ (?!danke|alles|das passt|das ist (?:gut|ok|alles))\w+ \w
eigentlich|tatsächlich|in wirklichkeit  ^\W*(?:eigentlich|tatsächlich|in wirklichkeit)\b
stimmt nicht|stimmen nicht|stimmt so nicht|nicht mehr|kein mehr|veraltet|korrektur|überholt|anstatt|stattdessen|statt|seit neuestem|inzwischen|mittlerweile|heißt jetzt|sondern
ab jetzt|ab sofort|ab heute|von nun an|von jetzt an  ^\W*(?:ab (?:jetzt|sofort|heute)|von (?:jetzt|nun) an) (?:ist|sind|beträgt|kostet|läuft|beginnt|gilt|öffnet|schließt)\b[^.!?]*\d
falsch|richtig|korrekt  \b(?:das|es|du)\b[^.!?]{0,20} (?:falsch|nicht (?:richtig|korrekt))
geändert|gewechselt|umgezogen|verschoben|abgesagt|umgestiegen|gekündigt|ersetzt|umbenannt|aufgehört|verlegt
jetzt  \b(?:ist|bin|sind|wohne|arbeite|heißt?e?|nutzen?|benutzen?|verwenden?|mein\w*|wir|ich)\b[^.!?]{0,30} jetzt\b
! \?$|\bdanke|\bfunktioniert jetzt|\b(?:wenn|falls)\b
"""
_GERMAN_OPT_OUTS = r"""
nicht|kein  \b(?:merk|speicher|notier)(?:e|en sie)?(?: dir)?(?: bitte)?(?: das| dies| es)?(?: (?:bitte|doch|lieber|besser|aber))* nicht\b|\b(?:nicht|nichts davon) (?:merken|speichern|notieren)\b
"""

GERMAN = rules_of(
    "de",
    {MEMORY: _GERMAN_ORDERS, EXPLICIT: _GERMAN_TOLD, SOFT: _GERMAN_CHANGES, OPT_OUT: _GERMAN_OPT_OUTS},
    {"order": _GERMAN_ORDER},
)

_FRENCH_ORDERS = r"""
n'oubli|oublier  \bn'oublie[sz]? (?:surtout )?(?:pas|jamais)\b|\bne pas oublier\b
souviens|souvenez|retiens|retenez|rappelle|note|noter|mémorise|garde  ^\W*(?:(?:s'il te plaît|au fait|<address>),? )*(?:souviens[- ]toi|souvenez[- ]vous|retiens|retenez|rappelle[- ]toi|note[sz]?|(?:tu peux|vous pouvez) noter que|mémorise|garde (?:à l'esprit|en tête))\b(?! de musique)
important|décision|rappel|règle  ^\W*(?:important|décision|rappel|note|règle) ?:
décidé|convenu|le plan est  \b(?:on a|nous avons|j'ai) (?:\w+ )?(?:décidé|convenu)\b|^le plan est\b
désormais|dorénavant|à partir|à l'avenir  \b(?:désormais|dorénavant|à l'avenir)\b|\bà partir (?:de maintenant|d'aujourd'hui|de demain)
toujours|jamais|appelle-moi  ^(?:\w+ )?\w+(?:e|s|z) (?:toujours|jamais) |^\W*appelle-moi\b
! \?$
"""
_FRENCH_TOLD = r"""
dit|expliqué|parlé|mentionné  \bje (?:te|vous|t'|l')?\s?(?:l')?(?:ai|avais) (?:déjà |bien |pourtant )*(?:dit|expliqué|parlé|mentionné)|\bj'ai (?:déjà|bien) (?:dit|expliqué|mentionné)
oublié  \b(?:tu as|t'as|vous avez|as-tu) (?:\w+ )?oublié
souviens|rappelles  \btu ne te (?:souviens|rappelles) (?:pas|plus|donc)\b
combien de fois|déjà parlé|déjà discuté
"""
_FRENCH_CHANGES = r"""
non  (?:^|[.!?] )non[,.!]+ (?!merci|ça va|c'est (?:bon|parfait|bien))\S+ \S
en fait|en réalité  ^\W*(?:non,? )?en (?:fait|réalité)\b
ce n'est pas|c'est faux|faux|erreur|trompe  \bce n'est pas [^.!?]{1,40}, (?:c'est|mais)|\bc'est faux\b|\btu te trompes\b|\bc'est (?:une|mon) erreur|^correction\b|^erreur\b
ne |n'  \b(?:ne |n')\w+[^.!?]{0,20} plus\b
obsolète|périmé|au lieu de|plutôt que|à la place|maintenant|à présent|ces temps-ci|correction|n'est plus  \b(?:obsolète|périmée?|au lieu d|plutôt que|à la place)|\b(?:est|suis|habite|travaille|utilise|s'appelle|sommes)\b[^.!?]{0,30} (?:maintenant|à présent)|^correction ?:
désormais|dorénavant|à partir d  ^\W*(?:désormais|dorénavant|à partir (?:de maintenant|d'aujourd'hui))\b[^.!?]* (?:est|sont|coûte|commence|ouvre|ferme)\b[^.!?]*\d
changé|déménagé|remplacé|reporté|annulé|arrêté|quitté|déplacé|avancé|commencé  \b(?:ai|a|as|ont|avons|avez|été|est|m'appelle) (?:\w+ )?(?:changé|déménagé|remplacé|reporté|annulé|arrêté|quitté|déplacé|avancé)
! \?$|\bmerci|\bsi (?:on|je|tu)\b
"""
_FRENCH_OPT_OUTS = r"""
pas|inutile  \bne (?:retiens|note|mémorise|garde|sauvegarde|enregistre)[sz]? pas (?:ça|cela|ceci|ce)\b|(?:^|[.,;:!?] )ne (?:le|la|les) (?:retiens|note|mémorise|garde|sauvegarde|enregistre)[sz]? pas\b|\binutile de (?:retenir|noter|mémoriser|garder)
"""

FRENCH = rules_of(
    "fr", {MEMORY: _FRENCH_ORDERS, EXPLICIT: _FRENCH_TOLD, SOFT: _FRENCH_CHANGES, OPT_OUT: _FRENCH_OPT_OUTS}
)
_VIETNAMESE_ORDERS = r"""
nhớ|ghi chú|lưu ý|đừng quên  ^\W*(?:(?:hãy|xin) )?(?:ghi )?(?:nhớ|ghi chú|lưu ý)(?: (?:là|rằng|giúp)\b| ?:)|^\W*hãy (?:ghi )?nhớ\b|\bđừng quên\b
! \?$
"""
# Orders to remember, for triage and for the sentences to keep.
REMEMBER = {
    "any": rf"{WRITE_DOWN}(?=\s*[:：])",
    "es": rf"{SPANISH_ORDER}\b(?! (?:de )?cuando\b)",
    "de": _GERMAN_ORDER,
    "nl": r"onthoud(?: dit| goed)?(?= ?:| dat\b)|vergeet niet(?= ?:|,? dat\b)",
    "sv": r"(?:kom ihåg|glöm inte)(?= ?:|,? att\b)",
    "da": r"husk(?= ?:(?! (?:the|an?)\b)|,? at (?!\d))|glem ikke(?= ?:|,? at\b)",
    "it": rf"{ITALIAN_ORDER}(?= ?:|,? che\b)|ricorda(?:ti|te|tevi)?(?= ?:|,? (?:che|di|il|lo|la|i|gli|le|l['’]|mi[oa]|nostr[oa])(?!\w))(?! di quando\b)|annota\b|non (?:ti )?(?:dimenticar|scordar)(?:e|ti)\b",
    "pt": r"lembr[ae](?:-te|-se)(?!-|\w| (?:de )?quando\b)|lembr[ae](?= ?:|,? (?:de )?que\b)|anote\b|não (?:te |se )?esqueças?\b",
}
_REMEMBERED = r"""
<cue>  ^\W*(?:(?:alsjeblieft|alstublieft|snälla|venligst|vennligst|per favore|por favor|<address>),? )*(?:<order>)
! \?$
"""
_NO_LONGER_SO = rf"""
<no>  (?:^|[.!?] )(?:<no>)[,.!]+ \S+ \S
<gone>  (?:, (?!{REMEMBER_BEHIND}[.!]*$)|\b(?:en|och|og|e) )<gone> \S
! \?$|^(?:<no>),? (?:<fine>)
"""
_NORDIC_FINE = "tack|takk?|det (?:är|er) (?:bra|fint|ok|lugnt)|ingen fara|alt er"
_PLAIN = {MEMORY: _REMEMBERED, SOFT: _NO_LONGER_SO}
_POLISH_ORDERS = r"""
zapamiętaj|pamiętaj|zapisz|zanotuj  ^\W*(?:proszę,? )?(?:zapamiętaj|pamiętaj|(?:zapisz|zanotuj)(?= sobie|, że| ?:))(?:cie)?\b
zapomnij|zapominaj  \bnie (?:zapomnij|zapominaj)(?:cie)?\b
ważne|decyzja|notatka|zasada  ^\W*(?:ważne|decyzja|notatka|zasada) ?:
od teraz|od dziś|od jutra|od tej pory
! \?$
"""
_POLISH_CHANGES = r"""
nie,|nie.  (?:^|[.!?] )nie[,.]+ (?!dzięki|dziękuję|wszystko|w porządku)\w+ \w
nie   , a nie \w|\bnie [^.!?]{1,40}, (?:tylko|lecz)\b
już nie|zamiast|pomyliłem|pomyliłam|nieaktualne|nieaktualny
zmieni|przeprowadzi|odwoła|przesta|przeni|przesun  \b(?:zmieni|przeprowadzi|odwoła|przesta)(?:ł|li)\w*|\bprzenie(?:śli|sion|sł)\w*|\bprzesun(?:ęł|ęli|ął|ięt)\w*
! \?$|\bdzięk|\b(?:jeśli|jeżeli|gdyby)\b
"""
_POLISH_OPT_OUTS = r"""
nie   \bnie (?:zapamiętuj|zapisuj|notuj)(?:cie)? (?:sobie )?tego\b|\btego nie (?:zapamiętuj|zapisuj|notuj)\b
"""
_CZECH_ORDERS = r"""
zapamatuj|pamatuj|poznamenej|zapiš  ^\W*(?:prosím,? )?(?:(?:za)?pamatuj|(?:poznamenej|zapiš)(?=(?:te)? si))(?:te)?\b
nezapomeň  \bnezapomeň(?:te)?\b
důležité|rozhodnutí|poznámka|pravidlo  ^\W*(?:důležité|rozhodnutí|poznámka|pravidlo) ?:
od teď|ode dneška|od zítřka|odteď
! \?$
"""
_CZECH_CHANGES = r"""
ne,|ne.  (?:^|[.!?] )ne[,.]+ (?!díky|děkuj|v pořádku)\w+ \w
ne   , ne (?!l')\w[^.!?,]*[.!]*$
není|nejsou  \b(?:není|nejsou) [^.!?]{1,40}, (?:ale|nýbrž)\b
už ne|místo|spletl  \buž ne\w+|\bmísto (?:toho|\d)|\bspletla? jsem se\b
změni|přestěhova|přesunu|zruši|odloži|přesta  \b(?:změni|přestěhova|přesunu|zruši|odloži|přesta)[ln]\w*
! \?$|\bdíky|\bděkuj|\b(?:jestli|pokud|kdyby)\b
"""
_CZECH_OPT_OUTS = r"""
nepamatuj|nezapisuj|neukládej  \b(?:nepamatuj|nezapisuj|neukládej)(?:te)? (?:si )?(?:to|tohle)\b
"""
_UKRAINIAN_ORDERS = r"""
пам'ятай|запиши|занотуй  ^\W*(?:будь ласка,? )?(?:(?:за)?пам'ятай|(?:запиши|занотуй)(?= собі|, що| ?:))(?:те)?\b
не забудь  \bне забудь(?:те)?\b
важливо|рішення|нотатка|правило  ^\W*(?:важливо|рішення|нотатка|правило) ?:
відтепер|надалі|від сьогодні
! \?$
"""
_UKRAINIAN_CHANGES = r"""
ні,|ні.  (?:^|[.!?] )ні[,.]+ (?!дякую|все гаразд)\w+ \w
не   , а не \w|\bне [^.!?]{1,40}, а \w
більше не|замість|помилив|помилила|застаріл  \b(?:більше не|замість|помили(?:вся|лася)|застаріл\w+)\b
зміни|переїха|скасува|відкла|переста|перенес  \b(?:зміни|переїха|скасува|відкла|переста)[влн]\w*|\bперенес[ле]\w*
! \?$|\bдякую|\b(?:якщо|якби)\b
"""
_UKRAINIAN_OPT_OUTS = r"""
не   \bне (?:запам'ятовуй|записуй|зберігай)(?:те)? (?:собі )?(?:це|цього)\b
"""
# `Correzione: …`, also in languages without other correction cues.
_CORRECTIONS = f"""
{CORRECTIONS.replace(", ", "|")}  ^\\W*(?:{CORRECTIONS.replace(", ", "|")}) ?(?:[:,.!]| -)
! \\?$
"""
_ORDERS_IN_ANY = rf"""
:  ^\W*(?:(?:<address>|please|bitte|por favor|per favore),? )*{WRITE_DOWN} ?:
merk|denk|verg|schreib|acuérd|recuérd|apúnt|anót|tieni|annota|segna|olvid|retiens|souviens|n'oubli|l'oubli|ricord|dimentic|lembr|esqueç|onthoud|kom ihåg|husk  , {REMEMBER_BEHIND}[.!]*$
d'ora in poi|da ora in poi|a partir de agora|de agora em diante|daqui em diante|vanaf nu|voortaan
! \?$
"""
RULES = (
    *SPANISH, *GERMAN, *FRENCH, *rules_of("vi", {MEMORY: _VIETNAMESE_ORDERS}),
    *rules_of("pt", _PLAIN, {"order": REMEMBER["pt"], "cue": "lembr|anote|esqueç", "no": "não", "fine": "obrigad|está (?:bem|tudo)|tudo bem", "gone": "não"}),
    *rules_of("it", _PLAIN, {"order": REMEMBER["it"], "cue": "ricord|annota|dimentic|scord|segna|appunt|memorizza|prendi nota|tieni", "no": "ma no|eh no", "fine": "grazie|va bene", "gone": "non"}),  # a bare `No, …` counts as English
    *rules_of("nl", _PLAIN, {"order": REMEMBER["nl"], "cue": "onthoud|vergeet", "no": "neen|nee", "fine": "dank|bedankt|hoor|alles|prima|dat is (?:goed|prima)", "gone": "niet"}),
    *rules_of("sv", _PLAIN, {"order": REMEMBER["sv"], "cue": "kom ihåg|glöm", "no": "nej", "fine": _NORDIC_FINE, "gone": "inte"}),
    *rules_of("da", _PLAIN, {"order": REMEMBER["da"], "cue": "husk|glem", "no": "nej|nei", "fine": _NORDIC_FINE, "gone": "ikke"}),
    *rules_of("pl", {MEMORY: _POLISH_ORDERS, SOFT: _POLISH_CHANGES, OPT_OUT: _POLISH_OPT_OUTS}),
    *rules_of("cs", {MEMORY: _CZECH_ORDERS, SOFT: _CZECH_CHANGES, OPT_OUT: _CZECH_OPT_OUTS}),
    *rules_of("uk", {MEMORY: _UKRAINIAN_ORDERS, SOFT: _UKRAINIAN_CHANGES, OPT_OUT: _UKRAINIAN_OPT_OUTS}),
    *rules_of("all", {MEMORY: _ORDERS_IN_ANY, SOFT: _CORRECTIONS}),
)  # fmt: skip
