"""Our own English patterns for setting right without saying so: this and not that, mixed up, never said."""

from __future__ import annotations

from clawgit.text.words.word_lists import any_of
from clawgit.understanding.patterns.english.words import ADVERB, PRAISE, QUESTION, TASK_THING, THANKS
from clawgit.understanding.patterns.pattern_rule import SOFT, About, Find, Rule

_PLACED = r"(?:(?:in|on|at|with|from|to|by|for|an?|the|my|our|his|her|their) )?"
_OTHER = rf"{_PLACED}[\w@.:'/$-]+(?: [\w@.:'/-]+){{0,2}}[.!]?$"
_NO_OTHER = any_of(
    r"""
    yet, really, sure, now, today, tonight, tomorrow, only, just, so, too, even, that, this, at all,
    if, when, what, because, all, always, everyone, everything, bad, necessarily, much, many, very,
    as, any, more, less, ideal, perfect, great, good, to (?!me\b|us\b|him\b|her\b|them\b), working, been,
    being, for me, again, quite,
    exactly, enough, longer, shorter, gonna, sorry, surprising, \w+ing,
    the (?:other way|only|same|end|best)
    """
)
_MINE = any_of(
    """
    mine, yours, ours, hers, theirs
    """
)
_NO_CHOICE = any_of(
    r"""
    or, why, whether, if, hope, hopefully, maybe, perhaps, of course, certainly, is, are, was, were,
    am, be, do, does, did, can, could, would, will, have, has, had, may, might, must, should,
    \w+'s, \w+'re, i'm
    """
)
_ORDER = r"^(?:please |pls |ok(?:ay)?,? |now |then |and |also |just )*" + any_of(
    """
    can, could, would you, let's, add, move, return, raise, assert, give, show, keep, create, set,
    print, check, test, think, try, focus, rename, change, remove, write, format, sort, open, run,
    answer, explain, tell, let, remember, note, don't forget, important, decision, decided, reminder,
    error, expected
    """
)
_PRONOUN = r"(?P<who>he|she|it|that|this|they|i|we)"
_NO_VALUE = any_of(
    """
    sorry, though, please, yet, sadly, unfortunately, anyway, lol, haha, right, ok, okay, but, so,
    and, just, only, sure, at, no, i, we
    """
)
_FLAT_NO = any_of(
    """
    nope, nah, naw, not any ?more, wrong(?: again)?, incorrect, vice versa, backwards
    """
)
_NO_NEWS = any_of(
    r"""
    no, not, nothing, never, still, same, i'?m, didn't, doesn't, don't, just, let, that's all, wrong,
    (?:it|that) (?:didn't|doesn't|won't), i (?:can't|don't|didn't|haven't), we're (?:good|fine),
    we can
    """
)
_IS = r"(?:'s|'re| is| are| was)"
_SWAPPED = any_of(
    """
    swapped, mixed, switched, flipped, confused, reversed, mistook, misread, misheard, inverted,
    transposed, misquoted, conflated, jumbled
    """
)
_BACKWARDS = any_of(
    """
    backwards?, the wrong way (?:a)?round, the other way (?:a)?round, mixed up, reversed, swapped,
    confused, in the wrong order, upside down, flipped
    """
)
_SAY = any_of(
    """
    say, saying, call, calling, write, writing, spell, spelling, get, getting, put, putting, mix,
    mixing, think, thinking
    """
)
_NEVER = r"(?:never|didn't|did not)(?: even| actually)?"
_SAID = any_of(
    """
    say, said, mention(?:ed)?, claim(?:ed)?, ask(?:ed)? for, told you, tell you, wrote, write
    """
)
_WRITTEN = any_of(
    """
    spelled, spelt, pronounced, written, called, short for
    """
)
_MIND_THAT = any_of(
    """
    remember (?:that|this|it), keep (?:that|it) in mind, don't forget (?:it|that|this), note that,
    write that down, get it right
    """
)

RULES = (
    Rule(
        "en:and-not",
        SOFT,
        About("This, and not that.", "Leo's the cat, not the dog", but="Add a check for null, not zero."),
        Find(
            " not ",
            rf"\w(?:,| -+|;| and) (?:and |definitely |certainly )?not (?!{_NO_OTHER}\b){_OTHER}",
            rf"[\w.,;!] not (?:{_PLACED}[a-z$#-]{{0,4}}\d[\w.,:-]*(?: \w+)?|{_MINE})[.!]?$",
            rf"\b(?:it'?s|that'?s|he'?s|she'?s) (?:the|an?|my) [\w ]{{1,20}} not (?:the|an?|my) {_OTHER}",
        ),
        unless=(
            QUESTION,
            THANKS,
            rf"{_ORDER}\b",
            rf"\b{_NO_CHOICE} not\b",
            r"\b(?:should (?:return|give|have|take|show)|must|assert|raise|arguments)\b",
            r"\babout\b[^,]*, not|^(?:do|does|did|would|is|are|how|what|who|when|where|why)\b",
        ),
    ),
    Rule(
        "en:not-it-is",
        SOFT,
        About(
            "It is not this, it is that.",
            "shes not my sister shes my cousin",
            but="it's not you it's me, is it?",
        ),
        Find(
            "not |isn't|aren't",
            rf"\b{_PRONOUN}(?:'s|'re|'m| is| are| am)? ?(?:not|isn't|aren't) [^.!?,;]{{1,30}}[ ,;-]+(?P=who)(?:'s|'re|'m| is| are| am) ",
            r"\b^not (?P<before>a|the|my|in|on|at|to|for|with)n? [^,.!?]{1,20}, (?:but )?(?P=before)n? [^,.!?]{1,25}[.!]?$",
            rf"(?:\bnot|n't) (?:in|on|at|with|from|using) [^.!?,]{{1,20}}, (?!{_NO_VALUE}\b)[\w-]+(?: [\w-]+)?[.!]?$",
        ),
        unless=(
            QUESTION,
            THANKS,
            r"\b(?:my|our|his|her) \w+ (?:says|said|thinks|claims)\b",
            r"\bnot (?:only|just|that|yet|because|bad|really|so|too|sure|working|\w+ing)\b",
        ),
    ),
    Rule(
        "en:nope",
        SOFT,
        About(
            "A plain no to what was said, and a statement.",
            "not anymore, i moved to leeds",
            but="nope, all good",
        ),
        Find(
            "nope|nah|no,|wrong|not any|other way|the other|vice versa|backwards|close|almost|nearly|sorry|more like",
            rf"^(?:(?:nope|nah|no+),? ){{0,2}}{_FLAT_NO}(?:[,.!:;]+| -+) ?[\w']+ \S",
            (
                rf"^(?:hm+|um+|uh+|well|ah|oh|wait),? no,? (?!{PRAISE})(?!that|it|this|no)[\w-]+(?:'s| is| was)"
                r" (?:the|an?|my|our|his|her|in|on|at|called|\d)"
            ),
            r"^wrong \w+, (?:that|it|he|she|i|we|they|mine|ours)(?:'s|'re|'m)? ",
            rf"^(?:nope|nah) (?:it|he|she|they|we|that|my|our|the)(?:{_IS}| \w+) \S",
            (
                r"^(?:sorry|close|almost|nearly|not quite),? but"
                rf" (?:it|that|he|she|they|(?:the|my|our) [\w ]{{1,25}}){_IS} "
            ),
            r"^(?:it'?s |that'?s |no,? )?more like \d",
            r"^(?:no,? |it's |that's |it is )?(?:exactly )?(?:the )?other way (?:a)?round\b",
        ),
        unless=(
            QUESTION,
            THANKS,
            rf"^(?:nope|nah|wrong)[,.! -]+(?:{PRAISE}|{_NO_NEWS})\b",
            rf"\bbut (?:it|that|(?:the|my) [\w ]+){_IS} (?:{PRAISE}|not|still|too|broken|down|late|\w+ing)\b",
        ),
    ),
    Rule(
        "en:mixed-up",
        SOFT,
        About(
            "The sender says what was taken for what.",
            "you swapped the two ports",
            but="could it be you swapped the ports, could you",
        ),
        Find(
            "you |you've|you're",
            (
                rf"you(?:'ve| have|'re| are)?{ADVERB}(?: got)? (?:{_SWAPPED}\b|(?:thinking of|mixing|confusing) "
                rf"|(?:got|have|had|put|wrote|mixing|getting|mix) [^.!?]{{1,40}} {_BACKWARDS}|(?:keep|still)(?: on)? {_SAY} "
                r"|(?:(?<=think you )|(?<=guess you )|(?<=surely you )|(?<=maybe you ))(?:mean|meant)\b)"
            ),
        ),
        unless=(
            QUESTION,
            r"\b(?:if|when|did|have|could|can|should|what) you\b|you (?:can|could|should)\b",
            rf"{TASK_THING} (?:you|that you)\b",
            r"you keep (?:saying|getting|calling) (?:back|better|it up)",
        ),
    ),
    Rule(
        "en:who-says",
        SOFT,
        About(
            "A question that denies what was said.",
            "since when do i eat meat",
            but="why do you say i can, because it works",
        ),
        Find(
            "since when|who s|who told|what makes|why do you|where did you",
            r"\b^since when (?:do|does|am|is|are|did) (?:i|we|my|our|he|she)\b",
            r"\b^(?:who|what) (?:says|said|told you|makes you think|made you think) (?:that )?(?:i|we|my|our|it)\b",
            r"\b^(?:and |but |so )?why do you (?:think|say|assume|believe|keep) (?:that )?(?:i|we|my|it's|he|she|calling|saying)\b",
            r"\bwhere did you get (?:(?:that|this|it)(?: from| idea)|\w+ from)",
        ),
        unless=(THANKS, r"\bbecause\b|\bif (?:i|we)\b"),
    ),
    Rule(
        "en:never-said",
        SOFT,
        About(
            "The sender did not say what he is taken to have said.",
            "i never said i like jazz",
            but="i never said that to him",
        ),
        Find(
            "i never|i didn't|i did not",
            rf"\bi {_NEVER} {_SAID}\b (?:i\b|that|it|my|we|anything|the|so|you)",
        ),
        unless=(
            QUESTION,
            r"\b(?:to|with) (?:him|her|them|anyone|anybody)\b|\b(?:why|because|if|when|wish) i\b",
        ),
    ),
    Rule(
        "en:spelled",
        SOFT,
        About(
            "How it is written or called.",
            "it's spelled with two n's",
            but="and how it's spelled matters",
        ),
        Find(
            "spelled|spelt|pronounced|written|called|with |short for",
            (
                r"\b(?:it's|its|that's|name's|name is|he's|she's|it is|i'm) (?:actually |really |just )?"
                rf"(?:{_WRITTEN}|with (?:an?|one|two|double) '?\w\b|\w+,?(?: by the way,)? with (?:an?|one|two) '?\w\b)"
            ),
        ),
        unless=(
            QUESTION,
            THANKS,
            r"\b(?:what|how|where|if|because) (?:is )?(?:it's|its|that's|it is|it|that)\b",
            r"written (?:in|by|on)|called (?:off|for|me|him|her)",
        ),
    ),
    Rule(
        "en:mind-that",
        SOFT,
        About(
            "A statement, and then the demand that it be kept in mind.",
            "the deadline is march 3, remember that",
            but="so hard to remember, i'll, remember that",
        ),
        Find(
            "remember|keep |don't forget|note that|write that|get it",
            (rf"[,.;!-] ?(?:so |and |please |pls |do )*{_MIND_THAT}(?: please| now| this time)?[.!]*$"),
        ),
        unless=(
            QUESTION,
            r"\b(?:i|we|i'll|i'd|we'll|can't|always|will|to|must|did|who),? (?:remember|keep|note)\b",
        ),
    ),
)
