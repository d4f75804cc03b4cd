"""Our own English patterns for setting something right."""

from __future__ import annotations

from clawgit.text.words.word_lists import any_of
from clawgit.understanding.patterns.english.words import (
    ADVERB,
    FACT,
    OWN,
    PRAISE,
    QUESTION,
    REPLY,
    THANKS,
    VERY,
)
from clawgit.understanding.patterns.pattern_rule import SOFT, About, Find, Rule

_IT_IS = any_of(
    """
    it's, its, it is, it was, it has, that's, that is, that was, this is, they're, they are, he's,
    she's
    """
)
_FALSE = (
    r"(?:wrong|incorrect|inaccurate|not (?:right|correct|true|accurate|up[- ]to[- ]date"
    r"|the (?:right|correct|current)|my|what i (?:said|told|meant|asked))|outdated"
    r"|out[- ]of[- ]date|obsolete|stale|mistaken|false|a mistake|an error"
    r"|no longer (?:true|right|correct|valid|current|accurate|the case)"
    r"|old(?: (?:info|information|news|data|address|number|version|name|one|email))?[,.!]?$)"
)
_WHAT_YOU_SAID = (
    r"(?:that|this|it|its|that one|this one|your (?:answer|notes?|memory|summary|last answer)"
    r"|(?:the|that|this|your|my) (?:info|information|answer|note|one you have|entry|spelling|data|part|list|link|fact|manual|guide|calendar|sheet|"
    + FACT
    + r"))"
)

RULES = (
    Rule(
        "en:no",
        SOFT,
        About("A no, and then what is right.", "No its thursday", but="No, it's fine."),
        Find(
            "no,|no.|no |no!|no:|no;|no-|nope|nah|noo|nono|not quite|wrong|incorrect|negative",
            (
                rf"(?=[nwi]){REPLY}(?:no+|nope|nah|wrong|incorrect|not quite|no,? no|nono|negative)\b"
                r"(?:,? (?:sorry|wait|actually|wrong|you're wrong|please))?(?:[,.;:!]+| -+|-+)? ?"
                rf"(?:{_IT_IS}|i'm|i am|i (?:meant|mean|live|work|use|have|want|need|prefer|asked)|we"
                rf"|{OWN}|use|make it|not|there's|there are"
                r"|the|on|at|in)\b "
            ),
        ),
        unless=(
            (
                rf"\b(?:no|nope|nah)[,.!]* {_IT_IS} (?:{PRAISE}"
                rf"|{VERY}(?:what|why|how|because|whole|only|point|working|going|still|raining))\b"
            ),
            (
                rf"\b(?:no|nope|nah)[,.!]* the [^.!?]{{1,40}}? (?:is|are|was|were) (?:{PRAISE}|still"
                rf"|already|running|working|not working|done|ready)\b"
            ),
            r"\bno,? the (?:weather|other|rest|food|view|whole|point|only|more|less)\b",
            (
                r"\bno,? (?:my (?:bad|pleasure|god|friend|dear|love)"
                r"|not (?:yet|really|at all|that|now|today|a problem|me|sure|exactly))"
            ),
            (
                r"\bno,? (?:we (?:can|could|should|don't|didn't|haven't|just|'re good)"
                r"|i (?:have (?:no|never|not)|need (?:a|some|help|to)|want (?:a|to|some)"
                r"|am (?:fine|good|ok|not|just))|i'm (?:fine|good|ok|okay|not|just|all|done|sorry))"
            ),
            r"\bno,? (?:in (?:fact|general|no)|on the (?:contrary|other)|at (?:least|all))",
            (
                r"\bno (?:my|our|the|we|i'm|in|on|at|there's|there are|his|her|their|use|not|they|one|idea"
                r"|way|need|problem|worries|doubt)\b"
            ),
            THANKS,
            QUESTION,
        ),
    ),
    Rule(
        "en:actually",
        SOFT,
        About(
            "What is right, against what was thought.",
            "Actually, make that Friday.",
            but="Actually, that's a good idea.",
        ),
        Find(
            "actually|in fact|in reality",
            (
                rf"\b(?=[ai])(?:{REPLY}|(?<=\bno, )|(?<=\bbut ))(?:actually|in fact|in reality),? (?:it is|it has|its"
                rf"|it'll|{OWN}|he|she|they|there(?:'s| are| is)|this (?:is|was)"
                rf"|you (?:should|got|have|mixed|can use)"
                r"|no\b|not\b|make (?:it|that)|use |change|let's|i'(?:m|ve|d)|i am|that's|on |at )"
            ),
            (
                rf"\b(?:{FACT}|it|he|she|that)(?: is| was|'s) actually (?!{PRAISE}"
                rf"|{VERY}(?:working|right|not|an?|the|amazing|useful)\b)\w"
            ),
        ),
        unless=(
            QUESTION,
            THANKS,
            (
                rf"actually,? (?:it is|this is|this was|that's|he|she|they|there's) {VERY}(?:{PRAISE}|what"
                rf"|how|why|right|love\w*|like\w*|enjoy\w*)"
            ),
            (
                r"actually,? (?:my (?:question|point|favou?rite)|let's (?:see|start|try|do)"
                r"|i'd (?:love|like)|no (?:idea|worries|problem)|i've (?:been|never|always|just|got)"
                r"|i'm (?:fine|good|ok|not sure|wondering|curious|happy|glad|really|so|quite|going|about"
                r"|just|thinking|planning|excited))"
            ),
        ),
    ),
    Rule(
        "en:correction",
        SOFT,
        About("The sender mends his own words.", "Oops, I meant the 9th.", but="Edit: the file a bit?"),
        Find(
            (
                "correct|errat|update|change of|edit|scratch|strike|meant|i mean|typo|mistake|my bad"
                "|make it|make that|misspoke|i was wrong|i was mistaken|my error|sorry|oops|to fix|fix that|clarify|clear this|clear that"
            ),
            (
                r"^\W*(?:small |quick |minor |one |a |slight |another )*(?:correction|errata|erratum"
                r"|update|edit)\b ?(?:[:,.!]| -)"
            ),
            (
                r"\bcorrection:|\bi stand corrected\b|\bi misspoke\b|\bi was wrong about\b"
                r"|\bthat was a typo\b|\btypo[:,]"
            ),
            r"^(?:please )?update:|^change of plans?\b",
            r"^(?:and |but |so )?(?:just|only|quick|small|let me) (?:to )?(?:fix|clarify|clear (?:this|that|it) up|set)\b",
            r"\b(?:scratch|strike) (?:that|the last|what i)\b",
            (
                r"\b(?:sorry|oops|i mean|wait|typo|mistake|argh|ugh),? (?:i meant|i mean|it's|it is"
                r"|it should|that should|make that|should be|not)\b"
            ),
            r"\bi mean \w+,? not\b",
            (
                r"\bi (?:actually |really )?meant (?:to (?:say|write|type)|the|to\b|\w+,? not|\w+ instead"
                r"|it's|\w+$|\w+[.!]|\w+ \w+,? not)"
            ),
            r"\bmeant to (?:say|write|type)\b",
            r"\bmake (?:that|it) [^.!?]{1,30}(?: instead|, not|$|[.!]$)",
            (
                r"\b(?:please |let me |to |i need to |you should )correct (?:that|this|it|the|my|your|you"
                r"|yourself)\b"
            ),
            r"\bmy (?:mistake|bad|error)[,:.!-]+ ?(?:it|the|that|i|we|my)",
            r"\bi was (?:wrong|mistaken)[,:.!-]+ ?(?:it(?:'s| is)|the|my|our)\b",
        ),
        unless=(
            QUESTION,
            (
                r"make (?:it|that) (?:work|happen|stop|better|shorter|longer|sound|look|so|to|a bit|more"
                r"|short|simple|possible|all)"
            ),
            r"i mean (?:it|that|well|what|come on)|meant (?:to be|a lot|so much|for)|never meant",
            r"i meant to (?:ask|call|tell|send|do|go|mention|buy|get|reply)|edit: (?:the|a|this)",
        ),
    ),
    Rule(
        "en:wrong",
        SOFT,
        About("The sender says that it is wrong.", "That is wrong.", but="Is this wrong?"),
        Find(
            (
                "wrong|incorrect|inaccurate|right|accurate|not true|isn't true|wasn't true|not correct"
                "|isn't correct|wasn't correct|not my|isn't my|not what|isn't what|not up|not the"
                "|outdated|of date|of-date|obsolete|stale|mistake| old|an error|false|mixed|confus"
                "|misspel|misunder|no longer|misread"
            ),
            (
                rf"\b{_WHAT_YOU_SAID}(?:'s| is| was|'re| are|){ADVERB}(?: simply| plain| long| way| quite"
                rf"| no longer)? {_FALSE}"
            ),
            (
                r"\b(?:that|this|it)(?: is)?n't (?:quite |really |actually |even )?(?:right|correct|true"
                r"|accurate|my|what i (?:said|told|meant|asked))"
            ),
            r"\byou(?:'re| are) (?:wrong|mistaken|mixing up|confusing|confused about)\b",
            (
                r"\byou(?:'ve| have)? (?:got|have|had|get|misread|wrote|used|put) (?:that|this|it|me|my|something|one thing"
                r"|the|his|her|our)(?: \w+){0,3} (?:wrong|incorrect|mixed up|backwards)\b"
            ),
            r"\byou(?:'ve| have)? (?:mixed up|misspelled|misspelt|misunderstood|confused)\b",
            rf"\b(?:the|an|that's the|that's my|my) old {FACT}\b",
            r"\b^that(?:'s| is| was) (?:just )?the old (?!days|story|joke|me\b)\w+[.,;:-]+ (?!i\b|thanks|lol|ha)\w+",
            rf"\bwrong (?:day|person|year|month|one|spelling|file name|{FACT})\b",
            r"\bnot (?:true|correct|accurate|right) any ?more\b",
        ),
        unless=(
            QUESTION,
            (
                r"\b(?:what|what's|nothing|something|anything|everything|if|whether|why|where|when|tell me"
                r"|could be|might be|may be|went|go|going|gone|someone|think|thought|looks|seems|prove me"
                r"|maybe|not) (?:it's |that's |it is |is |i'm |that |you're )?wrong"
            ),
            (
                r"isn't that|correct me if|i'm wrong|i was wrong|dialed|it's wrong to|wrong with|wrong-"
                r"|i had the wrong"
            ),
            r"old (?:news|school|friend|enough)|not that",
        ),
    ),
    Rule(
        "en:not-but",
        SOFT,
        About("Not this but that.", "Not Tuesday, Wednesday.", but="It's fine, not great."),
        Find(
            "not |isn't |wasn't |aren't |i'm not",
            (
                r"^\W*not (?!now|yet|really|sure|bad|only|just|so|too|even|that|this|all|if|when|what"
                r"|at all|again|an?\b|the\b|for|to\b|in\b"
                r"|on\b)[^,.!?\n]{1,25}, (?:but )?[^,.!?\n]{1,25}[.!]?$"
            ),
            (
                r"(?:^|[.!?:,] ?|\b(?:wait|sorry|um|uh|hmm|ah),? )(?:it's|its|it is|it was|that's"
                r"|the [\w ]{1,25} (?:is|was)|my [\w ]{1,25} (?:is|was)"
                r"|i(?:'m| am| live| work| said| meant| use| have)|he's|she's|we(?:'re| are| use)?"
                r"|(?:his|her) name is|on|at|use|in"
                r"|with)\b [^.!?,\n]{1,40}[,;]? (?:-+ )?(?:and )?not (?:(?:in|on|at|the|a|an|with"
                r"|my) )?[\w@.:'-]+(?: [\w@.:'-]+){0,3}[.!]?$"
            ),
            (
                r"\b(?:it's|it is|it was|that's|that was|that is|is|was"
                r"|are) not [^.!?,\n]{1,30}[,;.] (?:but |rather )?(?:it's|it is|it was|that's|i'm|they're"
                r"|use)\b"
            ),
            (
                r"(?:n't|'m not|am not) (?:[\w:.@-]+ ?){1,3}[,;.] (?:it's|it is|it was|that's|they're|he's"
                r"|she's)\b"
            ),
            (
                r"\b(?:isn't|aren't|is not|are not) [^,.!?]{1,30} but (?!(?:i|it|we|you|he|she|they|there|this|that|still)\b)"
                r"[\w@.:/'+-]+(?: [\w@.:/'+-]+){0,4}[.!]*$"
            ),
        ),
        unless=(
            QUESTION,
            THANKS,
            r"\b(?:whether|if)\b|\b(?:or|why) not\b",
            (
                r"(?:\bnot|n't) (?:only|sure|just|yet|about|easy|for sale|bad|too|so|really|that|good"
                r"|working|now|an?|even|exactly|quite|at all|very|because|as|to|for|when|if"
                r"|the (?:only|best|first|same))\b"
            ),
            r"\bcan't believe\b|\bnot fair\b",
            r"it's (?:okay|fine|ok|good|fun|great|nice)",
        ),
    ),
    Rule(
        "en:instead",
        SOFT,
        About("This is to be used in place of that.", "Use 8443, not 8080.", but="Use 8443, not 8080?"),
        Find(
            "instead|use |rather than|, not ",
            (
                r"^\W*(?:please |sorry, |wait, |actually,? |no,? |wrong[^.!?]{0,20}, )?(?:use|call it|take"
                r"|try|write|say|put|pick|book|make it|go with|send it to)\b [^.!?\n]{1,50}(?: instead\b"
                r"| rather than\b|, not )"
            ),
            r"\binstead of [^.!?,]{1,40}, (?:use|it's|it is)\b",
            r"^use (?:port )?[\w.:/-]*\d[\w.:/-]*$",
        ),
        unless=(QUESTION,),
    ),
    Rule(
        "en:star",
        SOFT,
        About("A word set right in chat's own way.", "*Thursday"),
        Find(
            "*",
            r"^\*[\w'-]+(?: [\w'-]+){0,2}[.!]?$",
            r"^[\w'-]+(?: [\w'-]+){0,2}\*$",
        ),
    ),
)
