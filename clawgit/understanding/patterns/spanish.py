"""The cues of Spanish."""

from __future__ import annotations

from clawgit.understanding.patterns.pattern_rule import EXPLICIT, MEMORY, OPT_OUT, SOFT, rules_of

_ORDERS = r"""
olvid  \bno (?:te |se |lo )*olvid(?:es|e|éis)\b
recuerda|recuerde|anota|apunta|guarda|ten en cuenta  ^\W*(?:por favor,? )?(?:recuerda|recuerde|anota|apunta|guarda|ten en cuenta)\b(?! cuando)
importante|decisión|nota|recordatorio|regla  ^\W*(?:importante|decisión|nota|recordatorio|regla) ?:
acordamos|decidimos|decidido|el plan es  \b(?:acordamos|decidimos|hemos (?:decidido|acordado))\b|^el plan es\b
de ahora en|a partir de|en adelante|en el futuro  \b(?:de ahora en adelante|a partir de (?:ahora|hoy|mañana)|en adelante)\b
siempre|nunca|llámame  ^\W*(?:siempre|nunca) \w|^\W*llámame\b
! \?$
"""
_TOLD = r"""
dije|dicho|mencioné|expliqué  \b(?:ya )?te (?:lo )?(?:dije|he dicho|había dicho|mencioné|expliqué)\b|\bya (?:lo )?(?:dije|he dicho)\b
olvid  \b(?:te |lo )*(?:has )?(?:olvidaste|olvidado)\b
acuerdas|recuerdas|cuántas veces|hablamos|habíamos  \bno (?:te acuerdas|recuerdas)\b|\bcuántas veces (?:tengo|te|debo)|\bya (?:lo )?(?:hablamos|habíamos)
"""
_CHANGES = r"""
no,|no.  (?:^|[.!?] )no[,.]+ (?:es|era|son|eran|el|la|los|las|mi|mis|me|yo|su|se|ya|está|vivo|trabajo|en|no|a|nuestr\w+) (?!bien|perfecto)\S
en realidad|de hecho  ^\W*(?:no,? )?(?:en realidad|de hecho)\b
no es|no está|no se  \bno (?:es|está|se llama) [^.!?]{1,40}, (?:es|está|sino|se)|\b(?:eso|esto) (?:no es (?:correcto|cierto|verdad)|es incorrecto|está mal)
ya no|equivocad|equivocas|corrección|incorrecto|obsoleto|desactualizad|en lugar de|en vez de|hoy en día|actualmente|sino
cambi|mudé|mudamos|dejé|dejamos|reemplaz|cancel|aplaz|pospus|movi  \b(?:cambi(?:é|amos|ó|aron|ado)|mudé|mudamos|dejé|dejamos|reemplaz(?:amos|ó|ado)|cancel(?:ó|amos|ado)|aplaz(?:ó|ado)|pospus\w+|movió|movieron)\b
ahora  ^ahora (?!no|mismo|que)\w+|\b(?:es|está|vivo|trabajo|uso|usamos|se llama) [^.!?]{0,30}ahora\b
! \?$|\bgracias|\bsi (?:yo|tú|él)\b
"""
_OPT_OUTS = r"""
guardes|recuerdes|anotes|apuntes|memorices|registres  \bno (?:lo |la |te lo )?(?:guardes|recuerdes|anotes|apuntes|memorices|registres)(?: (?:esto|eso|nada))?\b
"""

RULES = rules_of("es", {MEMORY: _ORDERS, EXPLICIT: _TOLD, SOFT: _CHANGES, OPT_OUT: _OPT_OUTS})
