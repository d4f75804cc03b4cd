"""The twenty source patterns, as written, and beside each what speaks against a hit in real talk."""

from __future__ import annotations

from clawgit.capture.triage_english_recall import NO_COMPLAINT
from clawgit.capture.triage_lazy import Lazy
from clawgit.capture.triage_rules import EXPLICIT, MEMORY, SOFT, Rule
from clawgit.capture.triage_wording import PASSING, PEP_TALK, PRAISE, SAYING, TASK_THING, THANKS, VERY

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

_TASK_STEP = r"i (?:changed|switched|moved|updated|stopped|started)"
_AFTER_A_VERB = (
    r"(?:is|are|was|were|am|'s|'re|do|does|did|has|have|had|can|could|will|would|should|may|might|not|what|how|why|where|who|which|if"
    r"|\w+n't|that|this|it|to|i|we|you|they|he|she|who's|what's|it's|that's)"
)
_OF_A_KIND = r"(?:there's|have|has|had|got|with|of|and|say|says|said|is|are|was|were|see|in) no,?"
_NO_BUT_KIND = rf"\b(?:oh|uh|hell|god|gosh) no\b|\bno,? (?:it's|that's|it was|the) {PRAISE}\b"

_UNLESS: dict[str, tuple[str, ...]] = {
    "M1": (
        r"\b(?:can't|cannot|can not|can you|could you|couldn't|don't|didn't|doesn't|do you|does \w+|did you|do not|did not|i|i'll|i'd|we|we'll"
        r"|you'll|they|he|she|never|always|still|will|would|not|hardly|barely|who|must've|(?:try|trying|tries|tried|struggling|used|hard|have"
        r"|going|want|love|nice|good|fun|seem|seems) to) (?:ever |really |even |also |still |always |fondly )*remember (?:that|this|when)",
        r"^remember (?:that|this|when)(?! i (?:said|told|mentioned)\b)[^.!]*\?$",
        r"^remember when (?:we|you|they|he|she)\b",
    ),
    "M2": (
        r"(?:don't|didn't|doesn't|we|they|you) (?:ever )?don't forget",
        rf"don't forget,? (?:to )?{PEP_TALK}\b",
    ),
    "M3": (
        r"\b(?:more|most|less|least|how|how's|not|isn't|so|equally|is it|is this|is that|what's|why) important:",
        r"important: (?:true|false|yes|no|null|\d+)$",
    ),
    "M4": (
        r"\b(?:court|court's|judge|judge's|jury|jury's|referee|umpire|his|her|their|board's|ruling|(?:makes?|made|an?)(?: \w+)?|a|any|tough|hard|difficult"
        r"|about the|on the|bad|wrong|no|whose|what|which) decision:",
        r"decision: (?:true|false|approve|reject|null|\d+)$",
        r"decision:[^.!]*\?$",
    ),
    "M5": (
        r"\b(?:wish|if|when|until|unless|have|had|did|that|what|whether|once|as if|think|thought|said|believe|not sure|like) we agreed",
        r"dream[^.!?]*we agreed|we agreed (?:on nothing|to disagree)|(?<!: )we agreed[^.!:]*\?$",
    ),
    "M6": (
        r"\b(?:what|know|if|whether|think|unless|ask|asked|sure|until|once|when|that|what is) the plan is",
        r"the plan is (?:not|still unclear|unclear|unknown|\W*$)|the plan is[^.!:]*\?$",
    ),
    "M7": (r"\b(?:a|the|her|his|their) note to self\b",),
    "E1": (r"\b(?:if|so) i (?:already|just) told you",),
    "E2": (
        r"\b(?:if|when|until|unless|once|should|wish|the last time|since|after|before|while|as) we (?:talked|discussed|went over)",
        r"we (?:talked|discussed|went over) (?:this|about)[^.!?]* (?:with|to) (?!you)\w+",
        r"we (?:talked|discussed|went over) (?:about )?this (?:film|movie|book|song|show|guy|girl|man|woman|place|restaurant)\b",
        r"we (?:talked|discussed|went over) about (?!(?:this|that|it|these|those)\b)(?!.*\b(?:before|already|yesterday|earlier|previously|last"
        r"|ago|twice|times|remember|again|(?:on|in|this) (?:\w+day|january|february|march|april|may|june|july|august|\w+ber|morning))\b)",
        r"we talked about (?:you|him|her|them|us|\w+ing|everything|nothing)\b",
    ),
    "E3": (
        NO_COMPLAINT,
        r"you forgot-|you forgot(?:ten)? (?:nothing|your (?:umbrella|phone|keys|wallet|jacket|coat|bag|lunch))",
    ),
    "E4": (
        r"remember when i said (?:that )?i(?:'d|'ll| would| will| was| wanted| might| hoped| couldn't| can't| could)\b",
        r"do you remember when i said",
    ),
    "E5": (r"i mentioned (?:this|that|it) \w+(?: \w+)? (?:to|with) (?!you\b)\w+", r"if i mentioned"),
    "E6": (
        _NO_BUT_KIND,
        r"\bno,? my (?:pleasure|bad|god|goodness|friend|dear|love)\b",
        rf"{_OF_A_KIND} (?:it's|it was|my)",
    ),
    "E7": (
        rf"how many times(?!\W*$|[!?:,]|.{{0,40}}\b{SAYING}\b)",
        r"(?:count|counts|counted|see|know|check|tell me|find|find out|calculate|track|shows?|wonder|no matter|matter|of) how many times",
    ),
    "E8": (r"\b(?:i|we|they|he|she) don't you remember",),
    "S1": (
        rf"\b{_AFTER_A_VERB} (?:\w+ )?actually,? (?:it's|it was|the|i|we|that)\b",
        rf"actually,? (?:it's|it was|that's|that is|that was|that) (?:{PRAISE}\b|{VERY}(?:my|good|what i|exactly|how|why|an?|makes|sounds|looks"
        r"|works|would be|helps|helped)\b)",
        r"actually,? i(?:'d| would)? (?:think|thought|agree|love|loved|like|liked|enjoy|enjoyed|was (?:wondering|thinking|just|going|about|hoping)"
        r"|have (?:a|one|another|some|no|two)|wanted to|want to (?:ask|know|see)|wonder|need (?:a|some|help|your|to (?:ask|go|know))"
        r"|don't (?:know|mind|care|think|understand|remember)|can't|can|could|just|really|found|feel|hope|had|got|did|do|see)\b",
        r"actually,? we (?:can|could|should|had|just|did|do|need|love|loved|enjoyed)\b",
        r"actually,? the (?:more|less|best|worst|whole)\b",
        r"actually,? (?:it's|it was|i|we|the|that)\b[^.!]*\?$",
        THANKS,
    ),
    "S2": (
        _NO_BUT_KIND,
        r"\bno,? the (?:weather|other|rest|food|view|kids|party|movie|film|show|trip|concert|people|whole|joke|question|point|only|more|less)\b",
        rf"{_OF_A_KIND} (?:it's|that's|the)",
        r"\bno,? that's (?:what|why|how|when|where|because|just|a|an|one|really|so|very|not (?:it|a problem|necessary|important))\b",
        r"\bno,? it's (?:just|still|only|because|not (?:a problem|that|necessary|you|important|for|too)|about|like|my (?:first|fault)|been"
        r"|working|going|getting|raining|snowing)\b",
        rf"\bno,? the [^.!?]{{1,40}}? (?:is|are|was|were) (?:{PRAISE}|still|already|running|working|not working|done|ready)\b",
        r"\bno,? (?:it's|that's|the) [^.!]*\?$",
    ),
    "S3": (
        rf"{_TASK_STEP} (?:\w+ ){{0,3}}?{TASK_THING}\b",
        r"i started (?:to (?:think|feel|wonder|worry|cry|laugh|get|notice|see|reali[sz]e|understand|like|panic|write|draft|type|look)"
        r"|(?:thinking|feeling|wondering|worrying|crying|laughing|getting|noticing|looking|seeing|reading|watching|typing|writing|debugging"
        r"|a (?:new )?(?:chat|conversation|session|thread)))\b",
        r"i (?:changed|moved|updated|stopped|switched) (?:it|them|this|these|everything|on|off|(?:the|that|my) \w+ (?:on|off)|back|over|ahead"
        r"|forward|around|out|in|up|down|by|at|for|here|there|the (?:first|last|second|top))\b",
        r"i (?:stopped|started) (?:laughing|crying|by|at|there|here|it|this)\b",
        rf"\b(?:if|when|before|after|since|until|while|once|what|as|how|why|because|should|could|can|did|had|have|where) {_TASK_STEP}",
        rf"i changed my mind[.!]?$|{_TASK_STEP} [^.!]*\?$",
    ),
    "S4": (
        r"that's old (?:news|school|enough|man|hat|age|fashioned|times|people|friends)|that's (?:old|wrong)-|that's wrong with",
        r"(?:what|nothing|something|anything|everything|if|think|say|one|thing) that's (?:not right|wrong|outdated|old)",
        r"what's wrong|\bno one that's old|that's (?:not right|wrong|outdated|old)[^.!]*\?$",
    ),
    "S5": (
        rf"\bit's (?:{PRAISE}|{PASSING})\b[^.!?]* now",
        r"it's .{1,30} (?:right now|now that|now and then|for now|by now|just now)",
        r"it's .{1,30} now[^.!]*\?$",
        THANKS,
    ),
}


def _whole(pattern: str) -> str:
    """Return the pattern for whole words in lower case: ``no, the`` does not stand in "Domino, the"."""
    return rf"(?<!\w)(?:{pattern.lower()})(?:(?<=\W)|(?!\w))"


_NEEDS = {
    "M1": "remember ",
    "M2": "don't forget",
    "M3": "important:",
    "M4": "decision:",
    "M5": "we agreed",
    "M6": "the plan is",
    "M7": "note to self",
    "E1": " told you",
    "E2": "we talked|we discussed|we went over",
    "E3": "you forgot",
    "E4": "remember when i said",
    "E5": "i mentioned ",
    "E6": "no, i|no, my|no i|no my",
    "E7": "how many times",
    "E8": "don't you remember",
    "S1": "actually",
    "S2": "no, it's|no, that's|no, the|no it's|no that's|no the",
    "S3": "i changed|i switched|i moved|i updated|i stopped|i started",
    "S4": "that's ",
    "S5": "it's ",
}

LITERAL = tuple((name, route, Lazy(pattern, flags="i")) for name, route, pattern in PATTERNS)
RULES = tuple(
    Rule(name, route, _NEEDS[name], (_whole(pattern),), _UNLESS[name]) for name, route, pattern in PATTERNS
)
