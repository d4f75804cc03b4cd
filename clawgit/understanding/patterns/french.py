"""The cues of French."""

from __future__ import annotations

from clawgit.understanding.patterns.pattern_rule import EXPLICIT, MEMORY, OPT_OUT, SOFT, rules_of

_ORDERS = r"""
n'oubli|oublier  \bn'oublie[sz]? (?:pas|jamais)\b|\bne pas oublier\b
souviens|souvenez|retiens|retenez|rappelle|note|mémorise|garde  ^\W*(?:s'il te plaît,? )?(?:souviens-toi|souvenez-vous|retiens|retenez|rappelle-toi|note[sz]?|mémorise|garde à l'esprit)\b(?! de musique)
important|décision|rappel|règle  ^\W*(?:important|décision|rappel|note|règle) ?:
décidé|convenu|le plan est  \b(?:on a|nous avons|j'ai) (?:\w+ )?(?:décidé|convenu)\b|^le plan est\b
désormais|dorénavant|à partir|à l'avenir  \b(?:désormais|dorénavant|à l'avenir)\b|\bà partir (?:de maintenant|d'aujourd'hui|de demain)
toujours|jamais|appelle-moi  ^(?:\w+ )?\w+(?:e|s|z) (?:toujours|jamais) |^\W*appelle-moi\b
! \?$
"""
_TOLD = r"""
dit|expliqué|parlé|mentionné  \bje (?:te|vous|t'|l')?\s?(?:l')?(?:ai|avais) (?:déjà |bien |pourtant )*(?:dit|expliqué|parlé|mentionné)|\bj'ai (?:déjà|bien) (?:dit|expliqué|mentionné)
oublié  \b(?:tu as|t'as|vous avez|as-tu) (?:\w+ )?oublié
souviens|rappelles  \btu ne te (?:souviens|rappelles) (?:pas|plus|donc)\b
combien de fois|déjà parlé|déjà discuté
"""
_CHANGES = r"""
non  (?:^|[.!?] )non[,.!]+ (?!merci|ça va|c'est (?:bon|parfait|bien))\S+ \S
en fait|en réalité  ^\W*(?:non,? )?en (?:fait|réalité)\b
ce n'est pas|c'est faux|faux|erreur|trompe  \bce n'est pas [^.!?]{1,40}, (?:c'est|mais)|\bc'est faux\b|\btu te trompes\b|\bc'est (?:une|mon) erreur|^correction\b|^erreur\b
ne |n'  \b(?:ne |n')\w+[^.!?]{0,20} plus\b
obsolète|périmé|au lieu de|plutôt que|à la place|maintenant|à présent|ces temps-ci|correction|n'est plus  \b(?:obsolète|périmée?|au lieu d|plutôt que|à la place)|\b(?:est|suis|habite|travaille|utilise|s'appelle|sommes)\b[^.!?]{0,30} (?:maintenant|à présent)|^correction ?:
changé|déménagé|remplacé|reporté|annulé|arrêté|quitté|déplacé|avancé|commencé  \b(?:ai|a|as|ont|avons|avez|été|est|m'appelle) (?:\w+ )?(?:changé|déménagé|remplacé|reporté|annulé|arrêté|quitté|déplacé|avancé)
! \?$|\bmerci|\bsi (?:on|je|tu)\b
"""
_OPT_OUTS = r"""
pas|inutile  \bne (?:retiens|note|mémorise|garde|sauvegarde|enregistre)[sz]? pas (?:ça|cela|ceci|ce)\b|(?:^|[.,;:!?] )ne (?:le|la|les) (?:retiens|note|mémorise|garde|sauvegarde|enregistre)[sz]? pas\b|\binutile de (?:retenir|noter|mémoriser|garder)
"""

RULES = rules_of("fr", {MEMORY: _ORDERS, EXPLICIT: _TOLD, SOFT: _CHANGES, OPT_OUT: _OPT_OUTS})
