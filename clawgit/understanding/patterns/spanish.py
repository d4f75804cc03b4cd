"""A few patterns for Spanish."""

from __future__ import annotations

from clawgit.understanding.patterns.pattern_rule import EXPLICIT, MEMORY, SOFT, About, Find, Rule

RULES = (
    Rule(
        "es:remember",
        MEMORY,
        About(
            "Something is to be remembered.",
            "No olvides que soy alérgico.",
            but="¿Importante: no olvides nada?",
        ),
        Find(
            (
                "olvid|recuerda|recuerde|importante|decisión|acordamos|de ahora en|a partir de|nota:"
                "|el plan es|siempre|nunca |anota|apunta"
            ),
            (
                r"\bno (?:te |se |lo )*olvid(?:es|e|éis)\b"
                r"|^\W*(?:por favor,? )?(?:recuerda|recuerde|anota|apunta|guarda)\b(?! cuando)"
            ),
            (
                r"^\W*(?:importante|decisión|nota|recordatorio) ?:|\bacordamos\b|\bel plan es\b"
                r"|\b(?:de ahora en adelante|a partir de (?:ahora|hoy))\b"
                r"|^\W*(?:siempre|nunca) (?:usa|responde|llama|habla|escribe)"
            ),
        ),
        unless=(r"\?$",),
    ),
    Rule(
        "es:recall",
        EXPLICIT,
        About("The agent should know this.", "Ya te dije mi nombre."),
        Find(
            (
                "te dije|ya dije|olvidaste|no te acuerdas|no recuerdas|cuántas veces|te lo dije"
                "|te he dicho|hablamos de"
            ),
            (
                r"\b(?:ya |acabo de )?te (?:lo )?(?:dije|he dicho|había dicho)\b|\bya (?:lo )?dije\b"
                r"|\b(?:te )?(?:lo )?olvidaste\b|\bno (?:te acuerdas|recuerdas)\b"
                r"|\bcuántas veces (?:tengo|te)|\bya hablamos de\b"
            ),
        ),
    ),
    Rule(
        "es:correct",
        SOFT,
        About("It is otherwise than was said.", "En realidad es el jueves.", but="¿Ya no vivo allí?"),
        Find(
            (
                "en realidad|no, es|no, er|no, me|no, mi|no, el|no, la|no, yo|no, vivo|no es |incorrecto"
                "|equivocad|está mal|ya no|corrección|me mudé|cambié|ahora "
            ),
            (
                r"(?:^|[.!?] )(?:¡|¿)?(?:en realidad|no,) (?:es|era|son|no|mi|me|el|la|está|vivo|yo)\b"
                r"|\b(?:eso|esto) (?:no es (?:correcto|cierto|verdad)|es incorrecto|está mal|ya no)"
                r"|\b(?:te equivocas|estás equivocad[oa])|^\W*corrección:"
                r"|\bya no (?:vivo|trabajo|uso|como|soy|es)\b|\bme mudé a\b|\bcambié (?:de|mi)\b"
                r"|\bahora (?:vivo|trabajo|uso) "
            ),
        ),
        unless=(r"\?$",),
    ),
)
