"""Our own English patterns for what is not as it was: changed by others, gone, so since a day, long ago."""

from __future__ import annotations

from clawgit.text.words.word_lists import MONTH, any_of
from clawgit.understanding.patterns.english.words import ADVERB, FACT, OPENING, QUESTION, TASK_THING, THANKS
from clawgit.understanding.patterns.pattern_rule import SOFT, About, Find, Rule

# Looks that all begin with a word's edge are tried together, which makes a search twice as fast.
_WHO = r"(?:i|we|he|she|they|it|that|(?:the|my|our|his|her|their) [\w' -]{1,30}?|[\w'-]{2,15})"
_THING = r"(?:it|that|this|one|ones|(?:the|that|this|our|my|his|her|their) [\w' -]{1,25}?)"
_IF = r"(?:\b(?:if|whether|when|wonder|think|hope|why|how|what|because|before|after|until)|^(?:did|have))"
_ABOUT_A_TASK = (
    rf"\b(?:the|my|our|this|that) (?:\w+ )?{TASK_THING}(?:'s| is| was| are| were| has| have| got| been)\b"
)
_NAME = r"(?!who|what|i\b|she\b|he\b|we\b|they\b|when|so\b|it\b|that|this|there|nobody|everyone|nothing)[\w'-]{2,15}"
_RESET = any_of(
    """
    changed, raised, lowered, renamed, moved, closed, cancell?ed, dropped, extended, shortened,
    replaced, switched, pushed, postponed, bumped, cut, increased, reduced, scrapped, swapped, sold
    """
)
_LEFT = any_of(
    r"""
    left, quit, joined, retired from, retired
    """
)
_WHERE_OR_WHEN = any_of(
    r"""
    the (?:team|company|firm|project|group|club|band|board|gym|job), us, in \w+, last \w+, ages ago,
    a (?:while|month|year|week) (?:ago|back), years ago, on \w+day
    """
)
_HANDED_OVER = any_of(
    r"""
    took over (?:from|as|for), is taking over, has taken over, stepped down, (?:got|was) promoted,
    is in charge of, replaced \w+ as
    """
)
_ENDED = any_of(
    """
    gone, dead, closed, cancell?ed, retired, decommissioned, sold, shut down, scrapped, history,
    discontinued, deprecated, abandoned, void, expired, out of business, called off
    """
)
_DROPPED = any_of(
    """
    cancell?ed, stopped, dropped, ditched, scrapped, abandoned, retired, sold, closed
    """
)
_PARTED_WITH = any_of(
    """
    sold, gave away, got rid of, cancell?ed, ditched, scrapped, moved out of
    """
)
_TIME = any_of(
    rf"""
    {MONTH}, \w+day, last \w+, this \w+, next \w+, (?:19|20)\d\d, easter, christmas,
    new year'?s?, spring, summer, autumn, fall, winter,
    the (?:\d+\w*|reorg\w*|divorce|pandemic|split|sale|wedding|accident|operation|move|works|merger|update|upgrade|launch|renovation|switch|change),
    (?:we|i|he|she|they) (?:moved|switched|changed|married|split|sold|left|quit|retired)
    """
)
_LONG_AGO = any_of(
    r"""
    last (?:year|month|week|time|spring|summer|autumn|fall|winter|season), years ago, ages ago,
    back then, before (?:the|we|i|that), in (?:19|20)\d\d, the old (?:one|address|number|name|plan),
    until (?:last|\w+day), a (?:year|month|while) ago
    """
)
_DOES_NOT = any_of(
    r"""
    live, work (?:at|in|for|with), drink, eat, smoke, drive, own, use, speak, have an?, go by, play,
    take (?:milk|sugar)
    """
)
_NOT_SO = any_of(
    """
    start, end, open, close, live, work (?:at|in|for), called, named, in, on, at, an?, my, our, from
    """
)
_NO_TRAIT = any_of(
    """
    fan, expert, problem, issue, clue, idea, choice, preference, minute, moment, reason, question,
    lawyer, big, good, great, bad, huge, thing, morning, chance, way, lot, robot, fault, opinion
    """
)
_DOES = any_of(
    """
    eat, drink, like, have, use, own, drive, smoke, work, live, speak, want
    """
)

RULES = (
    Rule(
        "en:they-changed",
        SOFT,
        About(
            "Somebody else changed it.",
            "they just changed it, pickup is at 4",
            but="I wonder if they changed it.",
        ),
        Find(
            "they |they've|got |been |was |were ",
            (
                rf"\b(?:they(?:'ve| have)?{ADVERB} {_RESET} (?!their\b|\w+ing\b)\w"
                rf"|(?:got|been|was|were){ADVERB} {_RESET} (?:to|from|by|until|forward|back|up|down)\b)"
            ),
        ),
        unless=(
            QUESTION,
            rf"{_IF} (?:they|the|it|that)\b",
            r"\bi (?:got|was|have been|'ve been)\b",
            rf"{_RESET} (?:\w+ ){{0,3}}?(?:{TASK_THING}|door|my life|the world|everything)\b",
            _ABOUT_A_TASK,
        ),
    ),
    Rule(
        "en:went-up",
        SOFT,
        About(
            "It went up or down.",
            "the rent went up to 1200",
            but="he went down to the shop",
        ),
        Find(
            "went |gone |down to|up to|up from|down from",
            r"\b(?:went|gone|is|was) (?:up|down) (?:to|from) ",
            rf"{OPENING}(?:we|they|there)(?:'re| are) (?:down|up) to \w",
        ),
        unless=(
            QUESTION,
            rf"\b(?:the|my|our|this|that) (?:\w+ )?{TASK_THING}\b",
            r"\b(?:i|we|he|she|they|you) (?:went|gone)\b",
        ),
    ),
    Rule(
        "en:who-left",
        SOFT,
        About(
            "Somebody left, came or took over.",
            "Kim left the team in april",
            but="Kim left the team in april, right?",
        ),
        Find(
            "left|quit|joined|retired|took over|taking over|taken over|stepped down|promoted|in charge|replaced|died|passed|away |out |off |abroad|on ",
            rf"{OPENING}{_NAME}(?: has|'s)?{ADVERB} {_LEFT} {_WHERE_OR_WHEN}",
            rf"{OPENING}{_NAME} {_HANDED_OVER}",
            r"\b^(?:and |but )?(?:my|our|his|her) (?!phone|laptop|battery|computer|car\b)[\w ]{2,20} (?:died|passed away|passed)\b",
            rf"{OPENING}[\w-]{{2,15}}(?:'s| is) (?:away|out|off|abroad|on (?:\w+ )?(?:leave|holiday|vacation)) (?:until|till|from|this|next)\b",
        ),
        unless=(QUESTION, r"\b(?:if|whether|when|why|how|because|wonder|hope) "),
    ),
    Rule(
        "en:gone",
        SOFT,
        About("It is no more.", "the old office is gone, we're in the annex", but="the oven is dead"),
        Find(
            (
                "gone|dead|closed|cancel|retired|decom|sold|shut|scrap|history|discont|deprec|abandon|void"
                "|expired|out of bus|called off|no longer|no more|anymore|any more|any longer|stopped|dropped|ditched|gave away|got rid"
            ),
            (
                rf"{OPENING}(?:i think |turns out )?(?:he|she|they|{_THING})(?:'s| is| are|'re| has been|'s been| got"
                rf"| was){ADVERB}(?: long| so)? {_ENDED}(?=[,.;!]|$| (?:since|now|in|by|for|last|ages|anyway))"
            ),
            r"\b^no longer(?:[.,!] (?:i|we|he|she|it|they)\b| (?:at|in|with|on|an?|the|my|living|working|using|married|vegan|vegetarian)\b)",
            r"\b^no more \w+(?:(?: \w+){0,3}[.!]?$|,? (?:it's|we|i|they|he|she|the|my|our)\b)",
            rf"{OPENING}{_NAME}(?: \w{{1,8}})?(?:'s not| isn't| is not| doesn't| does not) [^.!?]{{1,40}} (?:anymore|any more|any longer)\b",
            rf"\b(?:we|they|i|he|she)(?:'ve| have)?{ADVERB} {_PARTED_WITH} \w",
            (
                rf"\b(?:we|they|i|he|she)(?:'ve| have)?{ADVERB} {_DROPPED}"
                r" (?:it|that|this|that one|this one|them|those)\b(?! (?:window|tab|door))"
            ),
        ),
        unless=(
            QUESTION,
            rf"{_IF} (?:he|she|we|they|i|{_THING})\b",
            rf"{_PARTED_WITH} \w+ {TASK_THING}\b",
            _ABOUT_A_TASK,
            r"\b(?:so|is it|how|working|loading|available)\b",
            r"\b(?:tonight|just for today|for (?:the|an?) (?:moment|hour|migration|maintenance|night))\b",
            r"no (?:more|longer) (?:questions|excuses|errors|than)|phone(?:'s| is) dead[.!]?$",
        ),
    ),
    Rule(
        "en:since",
        SOFT,
        About("How long it has been so.", "i'm vegan since january", but="we've been waiting since monday"),
        Find(
            "since |as of |starting ",
            rf"{OPENING}{_WHO}(?:'s|'re|'m|'ve| \w+)[^?!]{{1,50}} (?:since|as of|starting) {_TIME}(?=[,.;!]|$)",
            rf"{OPENING}(?:as of|starting|since) (?!today){_TIME}(?:,| on,?)? (?:it's|i'm|we're|(?:{_WHO}) \w+)",
        ),
        unless=(
            QUESTION,
            THANKS,
            (
                r"(?:it's|it has|it'd) been\b|\b(?:seen|heard|talked|spoken|slept|eaten|waiting|down|sick|ill|trying"
                r"|busy|broken|failing|red) "
            ),
            r"(?:n't|not|never|long time|first)\b",
            rf"\b(?:feel\w*|felt|{TASK_THING})\b",
        ),
    ),
    Rule(
        "en:back-then",
        SOFT,
        About(
            "It was so, but long ago.",
            "that was last year. this year it's in oslo",
            but="that was last year, right?",
        ),
        Find(
            "that was|that's|those were|it was |he's |she's |from before",
            rf"{OPENING}(?:that was|that's from|those were|it was (?=the old|until)) ?{_LONG_AGO}",
            rf"{OPENING}(?:that's|he's|she's|it's) (?:my|our|his|her|the) (?:ex|former|previous)\b",
            rf"\b{_THING}(?:'s| is| was) from before\b",
        ),
        unless=(QUESTION, THANKS),
    ),
    Rule(
        "en:new-one",
        SOFT,
        About("There is a new one.", "got a new dentist, dr kim", but="got a new boss, thanks for asking"),
        Find(
            "got a|got the|hired |bought |there's a|took a|back on|have a",
            rf"{OPENING}(?:we |i |they )?(?:just |finally )?(?:got|have|hired|bought|there's|took) (?:an?|the) new {FACT}\b",
            r"\b(?:i'm|we're|he's|she's) back on (?!track|\w*day|it\b|here|line|the|my)\w",
        ),
        unless=(QUESTION, THANKS),
    ),
    Rule(
        "en:is-not",
        SOFT,
        About(
            "It was said, and is not so; or denied, and is so.", "i do eat fish", but="i don't have a clue"
        ),
        Find(
            "do |does |don't|doesn't|do not|does not|isn't|aren't|not |haven't|hasn't",
            rf"{OPENING}(?:i|we|he|she|they) (?:do|does) {_DOES}\b",
            rf"{OPENING}(?:i|we|he|she|they) (?:don't|doesn't|do not|does not) (?:{_DOES_NOT})\b",
            rf"{OPENING}(?:our|my|his|her) [\w' ]{{1,25}} (?:isn't|aren't|doesn't|don't) {_NOT_SO}\b",
            rf"{OPENING}(?:i'm|we're|he's|she's|they're|i am) not (?:an?|my|his|her|from|called|named|married) \w",
            rf"{OPENING}the [\w' ]{{1,25}} (?:isn't|aren't) (?:open|closed|called|named|on|in|at) (?:\w+ ){{0,2}}\w+[.!]*$",
            r"\b(?:i|we|he|she|they) (?:haven't|hasn't) (?:used|worked|lived|owned|drunk|eaten|smoked|driven) ",
        ),
        unless=(
            QUESTION,
            THANKS,
            r"\b(?:if|when|because|why|until|unless|that) (?:i|we|he|she|they|my|our|i'm|we're|he's|she's)\b",
            r"\b(?:do|does) (?:like|want|have) (?:it|that|this|to|how|your|the|a\b)",
            rf"not (?:an?|my|his|her) (?:\w+ )?{_NO_TRAIT}|have an? (?:\w+ )?{_NO_TRAIT}",
            rf"\b(?:my|our|the) (?:\w+ )?{TASK_THING} ",
            r"(?:haven't|hasn't) \w+ (?:it|that|this|anything|out)\b|\byet\b",
        ),
    ),
)
