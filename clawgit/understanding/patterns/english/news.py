"""Our own English patterns for news that make something old untrue."""

from __future__ import annotations

from clawgit.text.words.word_lists import any_of
from clawgit.understanding.patterns.english.words import (
    ADVERB,
    FACT,
    OPENING,
    OWN,
    PASSING,
    PRAISE,
    QUESTION,
    TASK_THING,
    THANKS,
)
from clawgit.understanding.patterns.pattern_rule import SOFT, About, Find, Rule

_MOVED = any_of(
    """
    moved, changed, switched, updated, stopped, started, quit, left, joined, renamed, replaced,
    given up, become, retired, migrated, relocated, transferred, resigned
    """
)
_RESCHEDULED = any_of(
    """
    changed, moved, switched, renamed, replaced, rescheduled, postponed, pushed, cancell?ed,
    updated, migrated, delayed, brought forward, bumped
    """
)
_ANY_MORE = r"(?:anymore|any more|any longer)"
_LIFE = any_of(
    """
    live, lives, work, works, use, uses, prefer, prefers, go by, goes by, report to, reports to,
    have, has, drive, drives, own, owns, eat, drink, take, takes, run, lead, leads, manage,
    manages, study, studies
    """
)
_HABIT = any_of(
    """
    opens?, closes?, starts at, starts on, ends?, begins?, leaves, arrives?, lives?, works?, goes,
    costs?, meets?, eats?, drinks?, weighs?, speaks?, teach(?:es)?, attends?, takes?, reports? to,
    comes?, sits?, stays?, plays?, pays?, wears?, sells?, sees?
    """
)
_NO_SUBJECT = any_of(
    """
    i, you, make, let, can, could, please, do, run, try, write, give, show, add, now, what, how, it
    """
)
_COUNT = r"(?:\d\S*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_NOW = r"(?:now|by now|these days|nowadays|already)(?=[,.;!]|$)"
_STATE = any_of(
    """
    an?, the, in, at, on, with, using, working, living, called, known as, my, our, based, married,
    vegan, vegetarian, pregnant, single, divorced, retired, engaged
    """
)

RULES = (
    Rule(
        "en:no-longer",
        SOFT,
        About(
            "It held once, and does not any more.",
            "I no longer work at Acme.",
            but="My laptop no longer starts.",
        ),
        Find(
            "no longer|anymore|any more|any longer|used to ",
            (
                r"\b(?:i|we|she|he|they|my [\w' ]{1,30}|our [\w' ]{1,30}|\w+ from \w+)(?:'s| is|'m| am|'re"
                r"| are|'ve| have|s)? (?:\w+ )?no longer\b"
            ),
            (
                r"\b(?:i|we|she|he|they|my \w+|our \w+|that|it|this|that's|it's)(?: \w+)? ?"
                rf"(?:\w+n't|am not|'m not|not|do not|does not|is not"
                rf"|are not)\b[^.!?]{{0,50}} {_ANY_MORE}\b"
            ),
            (
                r"\b(?:that|it|this) (?:is )?no longer (?:true|right|valid|the case|applies|correct"
                r"|current|my)|\bno longer my\b"
            ),
            (
                r"\bi used to (?:live|work|use|go by|have|drink|eat|smoke"
                r"|be called)\b[^.!?]{2,60},? (?:but|now)\b"
            ),
            r"\bused to be [^.!?]{1,40},? (?:but |and )?(?:now|it's now|it is now)\b",
        ),
        unless=(
            QUESTION,
            (
                rf"(?:stand|take|wait|bear|handle|deal|do this|do it) (?:it |this )?{_ANY_MORE}|couldn't"
                rf"|don't know"
            ),
            rf"{TASK_THING}\b[^.!?]*(?:no longer|{_ANY_MORE})",
            (
                rf"(?:works?|working|loads?|loading|runs?|running|starts?|responds?|connects?|connecting"
                rf"|compiles?|exists?) {_ANY_MORE}"
            ),
            (
                r"no longer (?:works|loads|runs|starts|responds|connects|compiles|exists|working|loading"
                r"|available|possible|necessary|needed|see|find|access|open|log)\b"
            ),
        ),
    ),
    Rule(
        "en:changed",
        SOFT,
        About(
            "Something in the sender's life is new.",
            "We moved to Berlin.",
            but="I changed the variable name and the tests pass.",
        ),
        Find(
            (
                "moved|changed|switched|updated|stopped|started|quit|left|joined|renamed|replaced|gave up"
                "|given up|became|become|got ma|got di|got en|got pr|got a|got new|broke up|retired"
                "|migrated|relocated|transferred|resigned|a new |have new|rescheduled|postponed|pushed"
                "|cancel|delayed|forward|bumped"
            ),
            (
                rf"\b(?:i|we|my \w+|our \w+|she|he)(?:'ve|'s| have| has){ADVERB} {_MOVED}\b (?!it\b|them\b"
                rf"|everything\b|there\b)"
            ),
            (
                rf"\b(?:we|i){ADVERB} (?:moved|switched|migrated|relocated|transferred) (?:to|from|in with"
                rf"|back to|into|over to|our|my)\b"
            ),
            (
                rf"\b(?:my|our|the) [\w' ]{{1,30}} (?:has |have |was |were |has been |have been "
                rf"|got ){ADVERB} ?{_RESCHEDULED}\b"
            ),
            rf"\b(?:my|our|the) (?:[\w']+ )?{FACT} (?:just |recently )?(?:changed|moved|switched)\b",
            rf"{OPENING}(?:the|our|my) (?:\w+ ){{1,2}}(?:just |has )?(?:changed|moved|switched)(?:[.,;!]|$| to\b)",
            rf"\b(?:we|i)(?:'ve| have)? {_RESCHEDULED} (?:the|our|my) (?:\w+ )?{FACT}\b",
            rf"\bi(?:'ve)? (?:just |also |finally )?(?:got|have) (?:a |an )?new {FACT}\b",
            (
                r"\bi (?:just |recently |also |finally |now )+(?:changed|switched|moved|updated|stopped"
                r"|started) "
            ),
            (
                r"\bi (?:just |recently |finally |also )*(?:quit|left|joined|retired|resigned|gave up"
                r"|became|got (?:married|divorced|engaged|promoted)"
                r"|broke up)\b(?=[ ,;.!])(?! (?:the (?:room|house|building|chat|meeting|call)|it\b|work at"
                r"|a (?:message|comment|note|review)|home|early))"
            ),
        ),
        unless=(
            QUESTION,
            (
                r"\b(?:if|when|before|after|since|until|while|once|what|how|why|because|did|had) (?:i|we"
                r"|my|our|the)\b"
            ),
            (
                r"(?:started|stopped) (?:working|loading|running|responding|crashing|failing|compiling"
                r"|to (?:feel|think|wonder|cry|laugh))"
            ),
            (
                rf"(?:{_MOVED}|{_RESCHEDULED}) (?:\w+ ){{0,3}}?(?:{TASK_THING}|reading|watching|crying"
                rf"|laughing)\b"
            ),
            rf"the (?:\w+ )?(?:{TASK_THING}|config) (?:was|were|has|have|got|is|are|been)",
            r"i(?:'ve| have) (?:got|left|started (?:to|reading|watching|learning))\b",
        ),
    ),
    Rule(
        "en:new",
        SOFT,
        About("What the new one is.", "My new number is 555-0199.", but="The new office is great."),
        Find(
            "new ",
            rf"\b{OWN} new (?:[\w'-]+ ){{0,3}}?{FACT}(?:'s name)? (?:is|are|will be|starts?|begins?)\b",
            rf"\bthe new (?:\w+ )?{FACT} (?:is|will be|are)\b",
            r"\bnew (?:guy|girl|one|person|lead|kid|teacher)(?:'s| is| will be) \w",
        ),
        unless=(
            QUESTION,
            rf"new [\w' -]+ (?:is|are) (?:{PRAISE}|{PASSING}|ugly|working)\b",
        ),
    ),
    Rule(
        "en:now",
        SOFT,
        About("How things stand by now.", "He's my boss now.", but="I'm at the office now."),
        Find(
            " now|these days|nowadays|already",
            rf"\bit(?:'s| is) (?!{PRAISE}\b|{PASSING}\b)[^.?\n]{{1,70}} {_NOW}",
            rf"\b(?:i|he|she|they|we)(?:'m| am|'s| is|'re| are) (?:{_STATE}|{_COUNT})\b[^?!\n]{{0,40}} ?{_NOW}",
            rf"\b(?:i|we|he|she|they)(?:'ve|'s)? (?:{_LIFE}|{_HABIT}|got (?:an?|{_COUNT})) [^?!\n]{{1,50}} {_NOW}",
            rf"{OPENING}(?!{_NO_SUBJECT}\b)(?:[\w']+ ){{1,4}}?{_HABIT} [^?!,\n]{{1,40}} {_NOW}",
            (
                rf"\b(?:i|we|he|she|they|my \w+|our \w+)(?:'re| are| is|'s|'m| am)? now (?:{_LIFE}"
                rf"|{_STATE})\b"
            ),
            rf"\b(?:the|our|its|{OWN})(?: \w+){{0,2}} {FACT} (?:is|are|'s|has|will be) now\b",
            rf"\b(?:the|our|its|{OWN})(?: \w+){{0,2}} {FACT} (?:is|are|'s) (?!\w+er\b)[^?!\n]{{1,40}} {_NOW}",
            rf"{OPENING}(?:(?:the|that|{OWN})(?: \w+){{1,3}}|\w+days)(?: is| are|'s) (?!{PRAISE}\b|{PASSING}\b|\w+er\b)[^?!,\n]{{1,40}} {_NOW}",
            rf"{OPENING}(?!{_NO_SUBJECT}\b)(?:[\w']+ ){{0,3}}\w+(?:'s| is| are) {_COUNT}\b[^?!,\n]{{0,30}} ?{_NOW}",
            rf"\b^(?:by now|these days|nowadays|currently),? (?:i|we|he|she|they|it|my|our|the)(?:'s|'re|'m| \w+) (?!{PASSING}\b)",
        ),
        unless=(
            QUESTION,
            THANKS,
            r"now that|right now|for now|now and then",
            r"\b(?:should|must|will|would|might|probably)\b[^.?!]* by now",
            (
                r"(?:in|on|at) (?:a |the |my )?(?:hurry|meeting|call|way|phone|train|bus|break|home|work"
                r"|bed|trouble|pain|kitchen|car|office) now"
            ),
            r"i(?:'m| am) (?:in|at|on) (?:the|a|my)\b[^.!?]* (?:now|already)$",
            r"working (?:fine|now|again|on)|(?:have|got) (?:to|an? (?:question|problem|moment|minute|meeting|call|headache|idea))",
        ),
    ),
)
