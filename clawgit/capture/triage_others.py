"""A few of our own patterns for Japanese, Spanish, German and French."""

from __future__ import annotations

from clawgit.capture.triage_rules import EXPLICIT, MEMORY, SOFT, Rule

JAPANESE = (
    Rule(
        "ja:remember",
        MEMORY,
        "覚え|忘れ|重要|今後|これから|メモ|決定|决定|记",
        (
            r"覚えて(?:おいて|ください|ね|。|$|お)",
            r"忘れ(?:ないで|るな|ずに|ないように)",
            r"(?:^|。)\W*(?:重要|決定|决定|メモ) ?[:!]",
            r"(?:今後|これから)(?:は|も)",
            r"メモして",
        ),
        (r"覚えて(?:い|お)?(?:ます|る)?か", r"\?$", r"覚えていな"),
    ),
    Rule(
        "ja:told",
        EXPLICIT,
        "言った|言いました|话した|話した|伝え|忘れた|忘れま|何度|话しました|言ったよ",
        (
            r"(?:もう|さっき|前に|すでに|既に|昨日)[^。]{0,20}(?:言った|言いました|[話话]した|[話话]しました|伝えた|伝えました)",
            r"(?:また)?忘れた(?:の|んですか|のですか|ね)|忘れましたか",
            r"何度(?:言|も言|説明|说明)",
        ),
    ),
    Rule(
        "ja:correct",
        SOFT,
        "実は|实は|いいえ|いや|違|间違|間違|訂正|订正|じゃなくて|ではなく|変わり|变わり|引っ越|もう",
        (
            r"[実实]は",
            r"(?:^|。)(?:いいえ|いや|違います|違う)[、,。 ]",
            r"[間间]?違(?:います|う|って|い)",
            r"[訂订]正",
            r"(?:じゃ|では)なく(?:て)?",
            r"[変变]わ(?:りました|った)|引っ越(?:しました|した)|[変变]えました",
        ),
        (r"\?$", r"違いは|違いを|か$"),
    ),
)
EUROPEAN = (
    Rule(
        "es:remember",
        MEMORY,
        "olvid|recuerda|recuerde|importante|decisión|acordamos|de ahora en|a partir de|nota:|el plan es|"
        "siempre|nunca |anota|apunta",
        (
            r"\bno (?:te |se |lo )*olvid(?:es|e|éis)\b|^\W*(?:por favor,? )?(?:recuerda|recuerde|anota|apunta|guarda)\b(?! cuando)",
            r"^\W*(?:importante|decisión|nota|recordatorio) ?:|\bacordamos\b|\bel plan es\b|\b(?:de ahora en adelante|a partir de (?:ahora|hoy))\b|^\W*(?:siempre|nunca) (?:usa|responde|llama|habla|escribe)",
        ),
        (r"\?$",),
    ),
    Rule(
        "es:recall",
        EXPLICIT,
        "te dije|ya dije|olvidaste|no te acuerdas|no recuerdas|cuántas veces|te lo dije|te he dicho|"
        "hablamos de",
        (
            r"\b(?:ya |acabo de )?te (?:lo )?(?:dije|he dicho|había dicho)\b|\bya (?:lo )?dije\b|\b(?:te )?(?:lo )?olvidaste\b|\bno (?:te acuerdas|recuerdas)\b|\bcuántas veces (?:tengo|te)|\bya hablamos de\b",
        ),
    ),
    Rule(
        "es:correct",
        SOFT,
        "en realidad|no, es|no, er|no, me|no, mi|no, el|no, la|no, yo|no, vivo|no es |incorrecto|"
        "equivocad|está mal|ya no|corrección|me mudé|cambié|ahora ",
        (
            r"(?:^|[.!?] )(?:¡|¿)?(?:en realidad|no,) (?:es|era|son|no|mi|me|el|la|está|vivo|yo)\b|\b(?:eso|esto) (?:no es (?:correcto|cierto|verdad)|es incorrecto|está mal|ya no)|\b(?:te equivocas|estás equivocad[oa])|^\W*corrección:|\bya no (?:vivo|trabajo|uso|como|soy|es)\b|\bme mudé a\b|\bcambié (?:de|mi)\b|\bahora (?:vivo|trabajo|uso) ",
        ),
        (r"\?$",),
    ),
    Rule(
        "de:remember",
        MEMORY,
        "vergiss|merk|wichtig|entscheidung|vereinbart|beschlossen|ab jetzt|ab sofort|von jetzt an|notiz|"
        "denk |denke daran|der plan ist|künftig|in zukunft|immer|notier|erinner",
        (
            r"\b(?:vergiss|vergesst|vergessen sie)(?: bitte)? nicht\b|\bmerk(?:e|t)?(?: dir| euch)?(?: bitte)?(?:,| das| dir|:)|\bnicht vergessen\b|^\W*(?:wichtig|entscheidung|notiz|merke) ?:|\bwir haben (?:uns )?[^.!?]{0,60}(?:vereinbart|beschlossen|geeinigt|entschieden)\b|\bab (?:jetzt|sofort|heute|morgen)\b|\bvon (?:jetzt|nun) an\b|\bder plan ist\b|\bdenk(?:e)?(?: bitte)? daran\b|\b(?:künftig|in zukunft)\b|^\W*(?:bitte )?(?:immer|nie|niemals) |\bnotiere?\b",
        ),
        (r"\?$",),
    ),
    Rule(
        "de:recall",
        EXPLICIT,
        "gesagt|erzählt|vergessen|erinnerst|wie oft|erwähnt|besprochen|weißt du",
        (
            r"\bhab(?:e)?(?: ich)? (?:es |das |dir |ihnen )*(?:doch |schon |bereits |gerade |eben |mal )+(?:\w+ )?(?:gesagt|erzählt|erwähnt|erklärt)|\bich hab(?:e)? (?:es |das )?(?:dir|ihnen)[^.!?]{0,40}(?:gesagt|erzählt|erklärt)|\b(?:du hast|hast du|sie haben)[^.!?]{0,40}vergessen\b|\berinnerst du dich (?:denn )?nicht|\bwie oft (?:muss|soll) ich|\bweißt du (?:das )?nicht mehr|\bwir haben (?:das|darüber)[^.!?]{0,30}(?:besprochen|gesprochen)",
        ),
    ),
    Rule(
        "de:correct",
        SOFT,
        "eigentlich|nein|stimmt nicht|falsch|veraltet|nicht mehr|korrektur|umgezogen|sondern|jetzt|"
        "geändert|gewechselt",
        (
            r"(?:^|[.!?] )(?:eigentlich|tatsächlich) (?:ist|war|heiß|bin|hab|wohn|mein|das)\w*|(?:^|[.!?] )(?:nein|nee|nö)[,.!]+ (?:es|das|ich|mein|der|die|am|um|in|er|sie|wir)\b|\b(?:stimmt|stimmen) (?:so )?nicht\b|\b(?:das|es) ist (?:falsch|veraltet|nicht (?:richtig|korrekt))\b|^\W*korrektur ?:|\bich (?:wohne|arbeite|heiße|bin|esse|trinke|nutze|benutze)[^.!?]{0,40} (?:nicht mehr|jetzt)\b|\bich (?:wohne|arbeite|heiße|nutze) jetzt\b|\bbin (?:nach [^.!?]{1,30} )?umgezogen\b|\bnicht [^.!?,]{1,30}, sondern\b",
        ),
        (r"\?$", r"nein,? (?:danke|alles gut|das passt|das ist (?:gut|ok|alles))"),
    ),
    Rule(
        "fr:remember",
        MEMORY,
        "oublie|souviens|rappelle|important :|décision|convenu|désormais|dorénavant|à partir de|notez|"
        "le plan est|retiens|décidé",
        (
            r"\bn'oublie[sz]? pas\b|\boublie pas\b|^\W*(?:retiens|souviens-toi|rappelle-toi|note[sz]?)\b|^\W*(?:important|décision|note) ?:|\b(?:nous avons|on a) (?:convenu|décidé)\b|\b(?:désormais|dorénavant)\b|\bà partir de (?:maintenant|demain|aujourd'hui)|\ble plan est\b",
        ),
        (r"\?$",),
    ),
    Rule(
        "fr:recall",
        EXPLICIT,
        "je t'ai|je te l'ai|je vous|oublié|combien de fois|souviens pas|je l'ai déjà|déjà dit",
        (
            r"\bje (?:te|vous) l'ai (?:déjà )?dit|\bje t'ai (?:déjà )(?:dit|expliqué|parlé)|\bje (?:l'ai|vous ai) déjà dit|\b(?:tu as|t'as|vous avez|as-tu)(?: \w+)? oublié\b|\bcombien de fois (?:dois|faut)|\btu ne te souviens pas|\bon en a (?:déjà )?parlé",
        ),
    ),
    Rule(
        "fr:correct",
        SOFT,
        "en fait|non,|c'est |incorrect|ne suis plus|n'habite plus|correction|déménagé|plutôt|maintenant|"
        "n'est pas|n'est plus",
        (
            r"(?:^|[.!?] )(?:en fait|non),? (?:c'est|ce n'est|c'était|mon|ma|je|j'|le|la|il|elle)|\bc'est (?:faux|incorrect|une erreur)\b|\bce n'est (?:pas|plus) (?:vrai|correct|exact|juste|ça)\b|^\W*correction ?:|\bje (?:ne |n')(?:suis|habite|travaille|mange|utilise) plus\b|\bj'ai (?:déménagé|changé de)\b|\bj'habite maintenant\b",
        ),
        (r"\?$", r"non,? (?:merci|c'est (?:bon|parfait|tout|bien))"),
    ),
)
