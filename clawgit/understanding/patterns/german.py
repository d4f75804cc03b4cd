"""The cues of German."""

from __future__ import annotations

from clawgit.understanding.patterns.pattern_rule import EXPLICIT, MEMORY, OPT_OUT, SOFT, rules_of

_ORDERS = r"""
vergiss|vergesst|vergessen  \b(?:vergiss|vergesst|vergessen sie)(?: bitte)? nicht\b|\bnicht vergessen\b
merk|behalt|notier|denk  ^\W*(?:bitte )?(?:merk|behalt|notier|denk)(?:e|t|en sie)?(?: bitte)?(?: dir| euch| daran|,|:| das| im )
wichtig|entscheidung|notiz|merke|regel  ^\W*(?:wichtig|entscheidung|notiz|merke|regel) ?:
vereinbart|beschlossen|geeinigt|entschieden|der plan ist  \bwir haben [^.!?]{0,60}(?:vereinbart|beschlossen|geeinigt|entschieden)\b|^der plan ist\b
ab jetzt|ab sofort|ab heute|ab morgen|von jetzt an|von nun an|künftig|in zukunft
immer|nie|niemals|nenn  ^\W*(?:bitte )?(?:immer|nie|niemals) \w|^\W*(?:bitte )?nenn(?:e)? mich\b
! \?$
"""
_TOLD = r"""
gesagt|erzählt|erwähnt|erklärt  \bhab(?:e)?(?: ich)?\b[^.!?]{0,30}\b(?:schon|doch|bereits|gerade|eben|mal|mehrmals|dir|ihnen)\b[^.!?]{0,30}(?:gesagt|erzählt|erwähnt|erklärt)
vergessen|erinner|weißt du  \b(?:du hast|hast du|sie haben)\b[^.!?]{0,40}vergessen\b|\berinnerst du dich (?:\w+ )?nicht|\bweißt du (?:\w+ )?nicht mehr
wie oft  \bwie oft (?:muss|soll|habe)\b
besprochen|gesprochen|darüber  \bwir haben (?:das|darüber|doch)[^.!?]{0,30}(?:besprochen|gesprochen)
"""
_CHANGES = r"""
nein|nee|nö  (?:^|[.!?] )(?:nein|nee|nö)[,.!]+ (?!danke|alles|das passt|das ist (?:gut|ok|alles))\w+ \w
eigentlich|tatsächlich|in wirklichkeit  ^\W*(?:eigentlich|tatsächlich|in wirklichkeit)\b
stimmt nicht|stimmen nicht|stimmt so nicht|nicht mehr|kein mehr|veraltet|korrektur|überholt|anstatt|stattdessen|statt|seit neuestem|inzwischen|mittlerweile|heißt jetzt|sondern
falsch|richtig|korrekt  \b(?:das|es|du)\b[^.!?]{0,20} (?:falsch|nicht (?:richtig|korrekt))
geändert|gewechselt|umgezogen|verschoben|abgesagt|umgestiegen|gekündigt|ersetzt|umbenannt|aufgehört|verlegt
jetzt  \b(?:ist|bin|sind|wohne|arbeite|heißt?e?|nutzen?|benutzen?|verwenden?|mein\w*|wir|ich)\b[^.!?]{0,30} jetzt\b
! \?$|\bdanke|\bfunktioniert jetzt|\b(?:wenn|falls)\b
"""
_OPT_OUTS = r"""
nicht|kein  \b(?:merk|speicher|notier)(?:e|en sie)?(?: dir)?(?: bitte)?(?: das| dies| es)?(?: (?:bitte|doch|lieber|besser|aber))* nicht\b|\b(?:nicht|nichts davon) (?:merken|speichern|notieren)\b
"""

RULES = rules_of("de", {MEMORY: _ORDERS, EXPLICIT: _TOLD, SOFT: _CHANGES, OPT_OUT: _OPT_OUTS})
