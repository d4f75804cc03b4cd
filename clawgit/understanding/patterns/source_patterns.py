"""The twenty source patterns, as written, and for each the context in which it says something else."""

from __future__ import annotations

from clawgit.understanding.patterns import english
from clawgit.understanding.patterns.compiled_patterns import Lazy
from clawgit.understanding.patterns.pattern_rule import EXPLICIT, MEMORY, SOFT, Rule, filled

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
# The words that a sentence must hold, and what speaks against a hit in it; beside that, what speaks against all of the route.
_CONTEXT = {
    "M1": (
        "remember ",
        r"\b(?:can't|cannot|couldn't|don't|didn't|doesn't|do|did|does|not|never|i|we|they|he|she|who|always|still|will|would|i'll|(?:hard|easy|difficult|trying|want|how) to)"
        r" (?:ever |even |really |also |still |always )*remember|remember when (?:we|you|they|he|she)\b|^remember (?:that|this) [^.!]*\?",
    ),
    "M2": (
        "don't forget",
        r"\b(?:we|they|you|i) don't forget|forget to (?:smile|breathe|rest|have fun|enjoy)\b",
    ),
    "M3": (
        "important:",
        r"\b(?:more|less|how|not|so|why|is (?:it|this|that)) important:|important: [^.!]*\?$",
    ),
    "M4": (
        "decision:",
        r"\b(?:court|judge|jury|his|her|their|any|tough|hard|bad|no|what|which)(?: \w+)? decision:|decision: [^.!]*\?$",
    ),
    "M5": ("we agreed", r"\b(?:had|think|thought) (?:that )?we agreed"),
    "M6": (
        "the plan is",
        r"\b(?:what|know|if|whether|until|once|sure) the plan is|plan is (?:not|still)? ?(?:final|fixed|clear|ready|open|unclear)\b",
    ),
    "M7": ("note to self", r"\b(?:a|the|his|her|their) note to self"),
    "E1": (" told you", ""),
    "E2": (
        "we talked|we discussed|we went over",
        r"about \w+ing (?:an?|the|my|our|to|in) |(?:this (?:film|movie|book|song|show)|about (?:you|him|her|them|us))\b",
    ),
    "E3": ("you forgot", r"you forgot-|you forgot your (?:umbrella|phone|keys|coat)"),
    "E4": ("remember when i said", r"i said i(?:'d|'ll| would| will)\b"),
    "E5": ("i mentioned ", ""),
    "E6": (
        "no, i|no, my|no i|no my",
        r"\bno,? my (?:bad|god|pleasure|friend)\b|\bno,? it(?:'s| was) <fine>|<kind>",
    ),
    "E7": (
        "how many times",
        r"how many times(?!\W*$|[!?:,]|.{0,40}\b(?:sa(?:y|id)|tell|told|repeat|explain|remind|ask|correct|answer|forg[eo]t|wrong|go (?:over|through)))"
        r"|\b(?:count|see|know|check|wonder|find|matter) how many times",
    ),
    "E8": ("don't you remember", ""),
    "S1": (
        "actually",
        r"\b(?:is|are|was|were|'s|do|does|did|has|had|can|not|what|how|it|he|she|i|to) actually|actually,? i (?:agree\b(?! (?:to|on)\b)|think (?:that's|it's|you're|this is)|(?:love|like) (?:it|this|that|your)\b|can (?!only)|have an? (?:question|idea))",
    ),
    "S2": ("no, it's|no, that's|no, the|no it's|no that's|no the", "<kind>"),
    "S3": ("i changed|i switched|i moved|i updated|i stopped|i started", ""),
    "S4": (
        "that's ",
        r"(?:what|nothing|something|if|think|say|one|thing) that's|that's old(?:-| (?:news|school|enough))",
    ),
    "S5": ("it's ", r"it's <fine>"),
}
_KIND = r"\b(?:there's|have|has|had|got|with|of|and|say|says|said|is|are|was|were|see|in|oh|uh|hell|god) no,?"


def _rule(name: str, route: str, pattern: str) -> Rule:
    """Return the pattern for whole words in lower case: ``no, the`` is not in "Domino, the"."""
    needed, unless = _CONTEXT[name]
    letter, rest = (
        pattern[0],
        pattern[1:].lower(),
    )  # a search skips to a letter, not to what may not be before it
    table = f"{needed}  {letter}(?<!\\w{letter}){rest}(?:(?<=\\W)|(?!\\w))\n{english.against(route)}"
    return Rule(
        name, route, filled(f"{table}\n! {unless}" if unless else table, {**english.NAMES, "kind": _KIND})
    )


LITERAL = tuple((name, route, Lazy(pattern, flags="i")) for name, route, pattern in PATTERNS)
RULES = tuple(_rule(*row) for row in PATTERNS)
