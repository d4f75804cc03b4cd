"""Our own English patterns for setting a value right: a no and what is so, or what is so of the sender."""

from __future__ import annotations

from clawgit.text.words.word_lists import WEEKDAY, any_of
from clawgit.understanding.patterns.english.words import PASSING, PRAISE, QUESTION, THANKS
from clawgit.understanding.patterns.pattern_rule import SOFT, About, Find, Rule

_NO = r"(?:no+|nope|nah|wrong|incorrect|not quite)"
_STOP = r"(?:[,.;:!]+ ?| -+ ?|[—–] ?| )+"
_WORDS = r"[\w@.:/'+-]+"
_THING = rf"(?:(?:the|my|our|his|her|their|its) )?{_WORDS}(?: {_WORDS}){{0,3}}"
_IS = any_of(
    r"""
    (?:is|are) (?:done|led|made|run|kept|bought|sold|written|owned|paid|\w+ed) (?:by|at|in|from|on|to|for),
    is, are, was, were, starts?, runs?, lives?, takes place, takes?, costs?, leaves?, opens?, closes?, go(?:es)? to, eats?, ends?, needs?, lasts?,
    uses?, prefers?, listens on, belongs to, is called, is due, is kept, works? (?:at|for)
    """
)
_NUMBER = any_of(
    rf"""
    [$€£¥]?\d[\w.\x2c:%+-]*, half past, (?:a )?quarter (?:past|to), one, two, three, four, five, six, seven, eight, nine, ten,
    every, each, within, {WEEKDAY}s?, (?:about|around|at least|at most|up to|between) [$€£¥]?\d
    """
)
_EVENT = any_of(
    "takes place, starts?, begins?, ends?, leaves?, opens?, closes?, costs?, needs?, runs?, lasts?, goes to"
)
_CONDITION = any_of(
    """
    allergic, vegan, vegetarian, diabetic, married, related, based, registered, subscribed, coeliac, pregnant,
    left-handed, colou?r-?blind, religious
    """
)
_HABIT = any_of(
    "run, sleep, pay, start, sit, work from, like, eat, drink, use, live, work (?:at|for|in), own, smoke, drive, speak, play, prefer, have (?:a|an|any)"
)

RULES = (
    Rule(
        "en:no-value",
        SOFT,
        About("A no, and a number or a time.", "No, 6k.", but="No, two is fine."),
        Find(
            "no,|no.|no |no!|no:|no;|no-|nope|nah|wrong|incorrect|not quite",
            rf"^\W*{_NO}{_STOP}(?:(?:at|in|on|to|from|by|until|for|before|after) )?{_NUMBER}(?: [\w:.]+){{0,4}}[.!]*$",
            rf"^\W*(?:no|nope|wrong|incorrect)[,.;:!]+ {_THING} {_IS} (?!{PRAISE}|{PASSING}|not\b)\S+(?: \S+){{0,8}}$",
            rf"^\W*(?:no|nope|wrong|incorrect)[,.;:!]+ (?:it|i|we|they|he|she) (?:{_EVENT}|{_HABIT}) \S+(?: \S+){{0,4}}[.!]*$",
            rf"^\W*(?:no|nope|wrong|incorrect)[,.;:!]+ {_THING} \w+s (?:in|on|at|to|from|until) \S+(?: \S+){{0,3}}[.!]*$",
            rf"^\W*no[,.]+ (?:from|with|by|before|after|until) (?:the |a )?{_WORDS}(?: {_WORDS}){{0,2}}[.!]*$",
            rf"^\W*(?:nope|wrong|incorrect)[,.;:!]* (?:[-–—]+ )?(?:to|at|in|on|within) {_WORDS}(?: {_WORDS})?[.!]*$",
        ),
        unless=(
            QUESTION,
            THANKS,
            PRAISE + r"[.!]*$",
            r"\bby the way\b|\bby far\b|\bfrom now\b|\bafter all\b|\bwith (?:pleasure|all)\b",
            r"\b(?:to|it|that|this|them|him|her|you|me|too|well|now|again|not|fine)[.!]*$",
            r"\b(?:one|two|three) (?:more|of|is|are|at a time|thing)\b|\b\d+ (?:is|are) \w+",
            r"\bno,? (?:it|i|we|they|he|she|that|this|there|what|nothing|everything|everyone|nobody) (?:is|was|are|has|have)\b",
            r"^no (?:one|two|every|\d)",
        ),
    ),
    Rule(
        "en:actually-thing",
        SOFT,
        About(
            "What a thing really is.",
            "Actually, Orion's project lead is Sanjay.",
            but="Actually, the film is very long.",
        ),
        Find(
            "actually",
            (
                rf"^actually,? (?!everything|everyone|nothing|nobody|what|that|this|it|there|all|my (?:question|point))"
                rf"{_THING} {_IS} (?!{PRAISE}|{PASSING}|not\b|what\b|how\b|why\b)\S+(?: \S+){{0,6}}$"
            ),
            (
                rf"^(?:{_THING} (?:is|are)|it is|i prefer|i use|i live in) (?!{PRAISE}|{PASSING}|not\b|what\b|how\b|why\b)"
                rf"(?:\S+ ){{0,4}}\S+? ?,? actually[.!]*$"
            ),
            r"^(?:at |on |in |for |from |every )?[a-z]{0,12} ?[$€£]?\d[\w.:]*(?: [a-z]{1,12})?,? actually[.!]*$",
            r"^(?=[^.!?]{1,80},? actually[.!]*$).*?\b(?:it'?s|it was|he'?s|she'?s|they're|that's|i'm|we're) ",
        ),
        unless=(
            QUESTION,
            THANKS,
            rf"\b(?:is|are|was|not|\w+'s|\w+'re|i'm) {PRAISE}",
            r"\b(?:very|really|good|nice|fun|great|working|love\w*|like)\b",
        ),
    ),
    Rule(
        "en:but-at",
        SOFT,
        About("A yes, and what of it is not so.", "Yes, but on Friday.", but="Yes, but in general it works."),
        Find(
            "yes, but|yes but|right, but|yeah, but|yeah but|correct, but|true, but",
            rf"^(?:yes|yeah|right|correct|true),? but (?:on|at|in|from|until|with|it's|not) {_WORDS}(?: {_WORDS}){{0,3}}[.!]*$",
        ),
        unless=(
            QUESTION,
            THANKS,
            r"in (?:general|principle|theory)|at (?:least|all|what)|with (?:that|this)|it's ",
        ),
    ),
    Rule(
        "en:i'm-not",
        SOFT,
        About(
            "What the sender is not, or does not do.",
            "I'm not allergic to peanuts.",
            but="I don't have any idea.",
        ),
        Find(
            "i'm not|i am not|don't|do not|doesn't|does not|isn't|is not|not on",
            rf"^\W*(?:no,? )?(?:(?:i'm|i am|(?:my )?\w+ is) not|(?:my )?\w+ isn't) (?:an? )?{_CONDITION}\b(?! to (?:it|that|this)\b)",
            rf"^i (?:don't|do not) {_HABIT} (?!it\b|that\b|this\b|to\b|how\b|when\b|what\b|the way\b){_WORDS}(?: {_WORDS}){{0,3}}[.!]*$",
            r"^\W*(?:they|it|we|he|she) (?:don't|doesn't|do not|does not) [^,.!?]{1,30}, (?:they|it|we|he|she) ",
            rf"^\W*(?:we're|we are|i'm|i am|it's) not (?:on|in|at|with) {_WORDS}(?: {_WORDS})?, (?:we|i|it's|but)\b",
        ),
        unless=(QUESTION, THANKS, r"\bany ?(?:time|way|idea)\b|\ba clue\b|\bthe same page\b"),
    ),
)
