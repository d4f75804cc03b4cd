"""A few patterns for German."""

from __future__ import annotations

from clawgit.understanding.patterns.pattern_rule import EXPLICIT, MEMORY, SOFT, About, Find, Rule

RULES = (
    Rule(
        "de:remember",
        MEMORY,
        About(
            "Something is to be remembered.",
            "Vergiss nicht, dass ich montags frei habe.",
            but="Der Plan ist was?",
        ),
        Find(
            (
                "vergiss|merk|wichtig|entscheidung|vereinbart|beschlossen|ab jetzt|ab sofort|von jetzt an"
                "|notiz|denk |denke daran|der plan ist|künftig|in zukunft|immer|notier|erinner"
            ),
            (
                r"\b(?:vergiss|vergesst|vergessen sie)(?: bitte)? nicht\b"
                r"|\bmerk(?:e|t)?(?: dir| euch)?(?: bitte)?(?:,| das| dir|:)|\bnicht vergessen\b"
                r"|^\W*(?:wichtig|entscheidung|notiz|merke) ?:"
                r"|\bwir haben (?:uns )?[^.!?]{0,60}(?:vereinbart|beschlossen|geeinigt|entschieden)\b"
                r"|\bab (?:jetzt|sofort|heute|morgen)\b|\bvon (?:jetzt|nun) an\b|\bder plan ist\b"
                r"|\bdenk(?:e)?(?: bitte)? daran\b|\b(?:künftig|in zukunft)\b"
                r"|^\W*(?:bitte )?(?:immer|nie|niemals) |\bnotiere?\b"
            ),
        ),
        unless=(r"\?$",),
    ),
    Rule(
        "de:recall",
        EXPLICIT,
        About("The agent should know this.", "Das habe ich dir doch schon gesagt."),
        Find(
            "gesagt|erzählt|vergessen|erinnerst|wie oft|erwähnt|besprochen|weißt du",
            (
                r"\bhab(?:e)?(?: ich)? (?:es |das |dir |ihnen )*(?:doch |schon |bereits |gerade |eben "
                r"|mal )+(?:\w+ )?(?:gesagt|erzählt|erwähnt|erklärt)"
                r"|\bich hab(?:e)? (?:es |das )?(?:dir|ihnen)[^.!?]{0,40}(?:gesagt|erzählt|erklärt)"
                r"|\b(?:du hast|hast du|sie haben)[^.!?]{0,40}vergessen\b"
                r"|\berinnerst du dich (?:denn )?nicht|\bwie oft (?:muss|soll) ich"
                r"|\bweißt du (?:das )?nicht mehr"
                r"|\bwir haben (?:das|darüber)[^.!?]{0,30}(?:besprochen|gesprochen)"
            ),
        ),
    ),
    Rule(
        "de:correct",
        SOFT,
        About("It is otherwise than was said.", "Nein, es ist der Donnerstag.", but="Nein, das ist gut so."),
        Find(
            (
                "eigentlich|nein|stimmt nicht|falsch|veraltet|nicht mehr|korrektur|umgezogen|sondern"
                "|jetzt|geändert|gewechselt"
            ),
            (
                r"(?:^|[.!?] )(?:eigentlich|tatsächlich) (?:ist|war|heiß|bin|hab|wohn|mein|das)\w*"
                r"|(?:^|[.!?] )(?:nein|nee|nö)[,.!]+ (?:es|das|ich|mein|der|die|am|um|in|er|sie|wir)\b"
                r"|\b(?:stimmt|stimmen) (?:so )?nicht\b"
                r"|\b(?:das|es) ist (?:falsch|veraltet|nicht (?:richtig|korrekt))\b|^\W*korrektur ?:"
                r"|\bich (?:wohne|arbeite|heiße|bin|esse|trinke|nutze|benutze)[^.!?]{0,40} (?:nicht mehr"
                r"|jetzt)\b|\bich (?:wohne|arbeite|heiße|nutze) jetzt\b"
                r"|\bbin (?:nach [^.!?]{1,30} )?umgezogen\b|\bnicht [^.!?,]{1,30}, sondern\b"
            ),
        ),
        unless=(
            r"\?$",
            r"nein,? (?:danke|alles gut|das passt|das ist (?:gut|ok|alles))",
        ),
    ),
)
