"""The rules for texts in other letters than Latin ones: loaded for a message that has such letters, and not before.

Most of the time in which triage starts goes into loading rules, and most messages are written in one script.
"""

from __future__ import annotations

from clawgit.understanding.patterns.compiled_patterns import Lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.understanding.patterns.pattern_rule import Rule


def rules_by_letters(text: str) -> list[Rule]:
    """Return the rules for the letters that ``text`` has."""
    if text.isascii():
        return []
    return [rule for _, letters, rules in SCRIPTS if letters.now.search(text) for rule in rules()]


def rules_by_names(names: Iterable[str]) -> list[Rule]:
    """Return the rules of the languages that the names of rules begin with."""
    languages = {name[:3] for name in names}
    return [rule for language, _, rules in SCRIPTS if language in languages for rule in rules()]


def rules_of_all_scripts() -> list[Rule]:
    """Return all of them."""
    return [rule for _, _, rules in SCRIPTS for rule in rules()]


def _korean() -> tuple[Rule, ...]:
    from clawgit.understanding.patterns.cjk import (
        korean_framed,
        korean_memory,
        korean_recall,
        korean_restated,
    )

    return (*korean_memory.RULES, *korean_recall.RULES, *korean_restated.RULES, *korean_framed.RULES)


def _chinese() -> tuple[Rule, ...]:
    from clawgit.understanding.patterns.cjk import (
        chinese_corrections,
        chinese_framed,
        chinese_memory,
        chinese_recall,
        chinese_restated,
    )

    return (
        *chinese_memory.RULES,
        *chinese_recall.RULES,
        *chinese_corrections.RULES,
        *chinese_restated.RULES,
        *chinese_framed.RULES,
    )


def _japanese() -> tuple[Rule, ...]:
    from clawgit.understanding.patterns.cjk import japanese

    return japanese.RULES


SCRIPTS = (
    ("ko:", Lazy("[\uac00-\ud7a3]"), _korean),
    ("zh:", Lazy("[\u3400-\u9fff]"), _chinese),
    ("ja:", Lazy("[\u3040-\u30ff]"), _japanese),
)
