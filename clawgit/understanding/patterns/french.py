"""A few patterns for French."""

from __future__ import annotations

from clawgit.understanding.patterns.pattern_rule import EXPLICIT, MEMORY, SOFT, About, Find, Rule

RULES = (
    Rule(
        "fr:remember",
        MEMORY,
        About(
            "Something is to be remembered.",
            "N'oublie pas que je suis végétarien.",
            but="À partir de maintenant ?",
        ),
        Find(
            (
                "n'oublie|oublie|souviens|rappelle|important :|décision|convenu|désormais|dorénavant|à partir de"
                "|notez|le plan est|retiens|décidé"
            ),
            (
                r"\bn'oublie[sz]? pas\b|\boublie pas\b"
                r"|^\W*(?:retiens|souviens-toi|rappelle-toi|note[sz]?)\b"
                r"|^\W*(?:important|décision|note) ?:|\b(?:nous avons|on a) (?:convenu|décidé)\b"
                r"|\b(?:désormais|dorénavant)\b|\bà partir de (?:maintenant|demain|aujourd'hui)"
                r"|\ble plan est\b"
            ),
        ),
        unless=(r"\?$",),
    ),
    Rule(
        "fr:recall",
        EXPLICIT,
        About("The agent should know this.", "Je t'ai déjà dit mon nom."),
        Find(
            "je t'ai|je te l'ai|je vous|oublié|combien de fois|souviens pas|je l'ai déjà|déjà dit",
            (
                r"\bje (?:te|vous) l'ai (?:déjà )?dit|\bje t'ai (?:déjà )(?:dit|expliqué|parlé)"
                r"|\bje (?:l'ai|vous ai) déjà dit|\b(?:tu as|t'as|vous avez|as-tu)(?: \w+)? oublié\b"
                r"|\bcombien de fois (?:dois|faut)|\btu ne te souviens pas|\bon en a (?:déjà )?parlé"
            ),
        ),
    ),
    Rule(
        "fr:correct",
        SOFT,
        About("It is otherwise than was said.", "En fait, c'est jeudi.", but="Non, c'est bon."),
        Find(
            (
                "en fait|non,|c'est |incorrect|ne suis plus|n'habite plus|correction|déménagé|plutôt"
                "|maintenant|n'est pas|n'est plus"
            ),
            (
                r"(?:^|[.!?] )(?:en fait|non),? (?:c'est|ce n'est|c'était|mon|ma|je|j'|le|la|il|elle)"
                r"|\bc'est (?:faux|incorrect|une erreur)\b"
                r"|\bce n'est (?:pas|plus) (?:vrai|correct|exact|juste|ça)\b|^\W*correction ?:"
                r"|\bje (?:ne |n')(?:suis|habite|travaille|mange|utilise) plus\b"
                r"|\bj'ai (?:déménagé|changé de)\b|\bj'habite maintenant\b"
            ),
        ),
        unless=(
            r"\?$",
            r"non,? (?:merci|c'est (?:bon|parfait|tout|bien))",
        ),
    ),
)
