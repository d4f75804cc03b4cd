"""One rule of triage: the cues of one language for one route, read from a table.

A line of a table has the words of which a sentence must hold one (``|`` between them), two blanks, and the expression
that it must then hold; without an expression, the word itself. A line that begins with ``!`` speaks against every hit in
the same sentence. ``<name>`` stands for what the language has under that name.
"""

from __future__ import annotations

from clawgit.understanding.patterns.compiled_patterns import Lazy
from clawgit.understanding.patterns.normalised_sentences import START

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from clawgit.understanding.patterns.normalised_sentences import Said

MEMORY, EXPLICIT, SOFT = "memory", "explicit", "soft"
OPT_OUT, COMMAND = "opt-out", "command"
WHY = {
    MEMORY: "Something to remember, a decision, or a rule that lasts.",
    EXPLICIT: "You should know this already.",
    SOFT: "Something is different from what was said or known.",
}
# What one calls what one sets right, at the beginning of a message.
CORRECTIONS = "correction, korrektur, corrección, correccion, correzione, correção, correcao, correctie, rettifica, sprostowanie, korekta, poprawka, oprava, виправлення, 更正, 訂正, 订正, 정정"
_NAMES = {MEMORY: "order", EXPLICIT: "told", SOFT: "change"}
_LATIN = "\u0250"  # the letters before this one are in words between blanks


class Rule:
    """Cues with one name and one meaning, and what speaks against a hit in the same sentence."""

    __slots__ = ("_against", "_cues", "name", "route")

    def __init__(self, name: str, route: str, table: str) -> None:
        self.name, self.route = name, route
        lines = [line for line in table.splitlines() if line]
        self._cues = [cue for line in lines if not line.startswith("!") for cue in _cues(line)]
        self._against = (
            Lazy(*against) if (against := [line[2:] for line in lines if line[0] == "!"]) else None
        )

    def is_in(self, said: Said) -> bool:
        """Say whether one of the sentences holds a cue, and nothing against it."""
        return any(
            look.now.search(sentence) is not None
            and (self._against is None or self._against.now.search(sentence) is None)
            for start, word, look in self._cues
            if start in said.starts
            for sentence in said.holding(word)
        )


def rules_of(
    language: str, tables: Mapping[str, str], names: Mapping[str, str] | None = None
) -> tuple[Rule, ...]:
    """Return the rules of one language, one for each route."""
    return tuple(
        Rule(f"{language}:{_NAMES.get(route, route)}", route, filled(table, names or {}))
        for route, table in tables.items()
    )


def filled(table: str, names: Mapping[str, str]) -> str:
    """Return a table with what the names in it stand for."""
    for name, expression in names.items():
        table = table.replace(f"<{name}>", expression)
    return table


def _cues(line: str) -> list[tuple[str, str, Lazy]]:
    words, _, look = line.partition("  ")
    expression = Lazy(look.strip()) if look else None
    return [(_start_of(word), word, expression or Lazy(_alone(word))) for word in words.split("|")]


def _alone(word: str) -> str:
    return rf"{word}(?<!\w{word})(?!\w)" if word[0] < _LATIN else word


def _start_of(word: str) -> str:
    """Return the first letters of a word that a text must have, and nothing where that cannot be said."""
    start = word[:START]
    return start if start.isascii() and start.isalpha() and len(start) == START else ""
