"""The twenty source patterns, as written."""

from __future__ import annotations

from clawgit.understanding.patterns.compiled_patterns import Lazy
from clawgit.understanding.patterns.english.source_pattern_context import BESIDE
from clawgit.understanding.patterns.pattern_rule import EXPLICIT, MEMORY, SOFT, Find, Rule

PATTERNS = (
    ("M1", MEMORY, r"remember (that|this|when)"),
    ("M2", MEMORY, r"don't forget"),
    ("M3", MEMORY, r"important:"),
    ("M4", MEMORY, r"decision:"),
    ("M5", MEMORY, r"we agreed"),
    ("M6", MEMORY, r"the plan is"),
    ("M7", MEMORY, r"note to self"),
    ("E1", EXPLICIT, r"i (already|just) told you"),
    ("E2", EXPLICIT, r"we (talked|discussed|went over) (about |this)"),
    ("E3", EXPLICIT, r"you forgot"),
    ("E4", EXPLICIT, r"remember when i said"),
    ("E5", EXPLICIT, r"i mentioned (this|that|it) (before|earlier|already|yesterday|last)"),
    ("E6", EXPLICIT, r"no,? (i said|it's|it was|my)"),
    ("E7", EXPLICIT, r"how many times"),
    ("E8", EXPLICIT, r"don't you remember"),
    ("S1", SOFT, r"actually,? (it's|it was|the|I|we|that)"),
    ("S2", SOFT, r"no,? (it's|that's|the) "),
    ("S3", SOFT, r"i (changed|switched|moved|updated|stopped|started) "),
    ("S4", SOFT, r"that's (not right|wrong|outdated|old)"),
    ("S5", SOFT, r"it's .{1,30} now"),
)


def _whole(pattern: str) -> str:
    """Return the pattern for whole words in lower case: ``no, the`` does not stand in "Domino, the"."""
    return rf"(?<!\w)(?:{pattern.lower()})(?:(?<=\W)|(?!\w))"


def _rule(name: str, route: str, pattern: str) -> Rule:
    beside = BESIDE[name]
    return Rule(name, route, beside.about, Find(beside.needs, _whole(pattern)), beside.unless)


LITERAL = tuple((name, route, Lazy(pattern, flags="i")) for name, route, pattern in PATTERNS)
RULES = tuple(_rule(*row) for row in PATTERNS)
