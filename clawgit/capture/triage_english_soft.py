"""Our own English patterns for setting right, and for news that makes something old untrue."""

from __future__ import annotations

from clawgit.capture.triage_rules import SOFT, Rule
from clawgit.capture.triage_wording import (
    ADVERB,
    FACT,
    PASSING,
    PRAISE,
    QUESTION,
    REPLY,
    TASK_THING,
    THANKS,
    VERY,
)

_IT_IS = r"(?:it's|its|it is|it was|it has|that's|that is|that was|this is|they're|they are|he's|she's)"
_OWN = r"(?:my|our|his|her|their)"
_MOVED = (
    r"(?:moved|changed|switched|updated|stopped|started|quit|left|joined|renamed|replaced|given up|become|retired|migrated"
    r"|relocated|transferred|resigned)"
)
_RESCHEDULED = r"(?:changed|moved|switched|renamed|replaced|rescheduled|postponed|pushed|cancell?ed|updated|migrated|delayed|brought forward|bumped)"
_ANY_MORE = r"(?:anymore|any more|any longer)"
_LIFE = (
    r"(?:live|lives|work|works|use|uses|prefer|prefers|go by|goes by|report to|reports to|have|has|drive|drives|own|owns|eat|drink"
    r"|take|takes|run|lead|leads|manage|manages|study|studies)"
)
_STATE = (
    r"(?:an?|the|in|at|on|with|using|working|living|called|known as|my|our|based|married|vegan|vegetarian|pregnant|single|divorced"
    r"|retired|engaged)"
)
_FALSE = (
    r"(?:wrong|incorrect|inaccurate|not (?:right|correct|true|accurate|up[- ]to[- ]date|the (?:right|correct|current)|my"
    r"|what i (?:said|told|meant|asked))|outdated|out[- ]of[- ]date|obsolete|stale|mistaken|false|a mistake|an error"
    r"|no longer (?:true|right|correct|valid|current|accurate|the case)"
    r"|old(?: (?:info|information|news|data|address|number|version|name|one|email))?[,.!]?$)"
)
_WHAT_YOU_SAID = (
    r"(?:that|this|it|its|that one|this one|your (?:answer|notes?|memory|summary|last answer)"
    r"|(?:the|that|this|your|my) (?:info|information|answer|note|one you have|entry|spelling|data|part|list|link|fact|"
    + FACT
    + r"))"
)

RULES = (
    Rule(
        "en:no",
        SOFT,
        "no,|no.|no |no!|no:|no;|no-|nope|nah|noo|nono|not quite|wrong|incorrect|negative",
        (
            rf"{REPLY}(?:no+|nope|nah|wrong|incorrect|not quite|no,? no|nono|negative)\b"
            r"(?:,? (?:sorry|wait|actually|wrong|you're wrong|please))?(?:[,.;:!]+| -+|-+)? ?"
            rf"(?:{_IT_IS}|i'm|i am|i (?:meant|mean|live|work|use|have|want|need|prefer|asked)|we|{_OWN}|use|make it|not|there's|there are"
            r"|the|on|at|in)\b ",
        ),
        (
            rf"\b(?:no|nope|nah)[,.!]* {_IT_IS} (?:{PRAISE}|{VERY}(?:what|why|how|because|whole|only|point|working|going|still|raining))\b",
            rf"\b(?:no|nope|nah)[,.!]* the [^.!?]{{1,40}}? (?:is|are|was|were) (?:{PRAISE}|still|already|running|working|not working|done|ready)\b",
            r"\bno,? the (?:weather|other|rest|food|view|whole|point|only|more|less)\b",
            r"\bno,? (?:my (?:bad|pleasure|god|friend|dear|love)|not (?:yet|really|at all|that|now|today|a problem|me|sure|exactly))",
            r"\bno,? (?:we (?:can|could|should|don't|didn't|haven't|just|'re good)|i (?:have (?:no|never|not)|need (?:a|some|help|to)"
            r"|want (?:a|to|some)|am (?:fine|good|ok|not|just))|i'm (?:fine|good|ok|okay|not|just|all|done|sorry))",
            r"\bno,? (?:in (?:fact|general|no)|on the (?:contrary|other)|at (?:least|all))",
            r"\bno (?:my|our|the|we|i'm|in|on|at|there's|there are|his|her|their|use|not|they|one|idea|way|need|problem|worries|doubt)\b",
            THANKS,
            QUESTION,
        ),
    ),
    Rule(
        "en:actually",
        SOFT,
        "actually|in fact|in reality",
        (
            rf"(?:{REPLY}|(?<=\bno, )|(?<=\bbut ))(?:actually|in fact|in reality),? "
            rf"(?:it is|it has|its|it'll|{_OWN}|he|she|they|there(?:'s| are| is)|this (?:is|was)|you (?:should|got|have|mixed|can use)"
            r"|no\b|not\b|make (?:it|that)|use |change|let's|i'(?:m|ve|d)|i am|that's|on |at )",
            rf"\b(?:{FACT}|it|he|she|that)(?: is| was|'s) actually (?!{PRAISE}|{VERY}(?:working|right|not|an?|the|amazing|useful)\b)\w",
        ),
        (
            QUESTION,
            THANKS,
            rf"actually,? (?:it is|this is|this was|that's|he|she|they|there's) {VERY}(?:{PRAISE}|what|how|why|right|love\w*|like\w*|enjoy\w*)",
            r"actually,? (?:my (?:question|point|favou?rite)|let's (?:see|start|try|do)|i'd (?:love|like)|no (?:idea|worries|problem)"
            r"|i've (?:been|never|always|just|got)"
            r"|i'm (?:fine|good|ok|not sure|wondering|curious|happy|glad|really|so|quite|going|about|just|thinking|planning|excited))",
        ),
    ),
    Rule(
        "en:correction",
        SOFT,
        "correct|errat|update|change of|edit|scratch|strike|meant|i mean|typo|mistake|my bad|make it|"
        "make that|misspoke|i was wrong|sorry|oops",
        (
            r"^\W*(?:small |quick |minor |one |a |slight |another )*(?:correction|errata|erratum|update|edit)\b ?(?:[:,.!]| -)",
            r"\bcorrection:|\bi stand corrected\b|\bi misspoke\b|\bi was wrong about\b|\bthat was a typo\b|\btypo[:,]",
            r"^(?:please )?update:|^change of plans?\b",
            r"\b(?:scratch|strike) (?:that|the last|what i)\b",
            r"\b(?:sorry|oops|i mean|wait|typo|mistake|argh|ugh),? (?:i meant|i mean|it's|it is|it should|that should|make that|should be|not)\b",
            r"\bi mean \w+,? not\b",
            r"\bi (?:actually |really )?meant (?:to (?:say|write|type)|the|to\b|\w+,? not|\w+ instead|it's|\w+$|\w+[.!]|\w+ \w+,? not)",
            r"\bmeant to (?:say|write|type)\b",
            r"\bmake (?:that|it) [^.!?]{1,30}(?: instead|, not|$|[.!]$)",
            r"\b(?:please |let me |to |i need to |you should )correct (?:that|this|it|the|my|your|you|yourself)\b",
            r"\bmy (?:mistake|bad)[,:.!-]+ ?(?:it|the|that|i|we|my)",
        ),
        (
            QUESTION,
            r"make (?:it|that) (?:work|happen|stop|better|shorter|longer|sound|look|so|to|a bit|more|short|simple|possible|all)",
            r"i mean (?:it|that|well|what|come on)|meant (?:to be|a lot|so much|for)|never meant",
            r"i meant to (?:ask|call|tell|send|do|go|mention|buy|get|reply)|edit: (?:the|a|this)",
        ),
    ),
    Rule(
        "en:wrong",
        SOFT,
        "wrong|incorrect|inaccurate|right|accurate|not true|isn't true|wasn't true|not correct|"
        "isn't correct|wasn't correct|not my|isn't my|not what|isn't what|not up|not the|outdated|"
        "of date|of-date|obsolete|stale|mistake| old|an error|false|mixed|confus|misspel|misunder|"
        "no longer|misread",
        (
            rf"\b{_WHAT_YOU_SAID}(?:'s| is| was|'re| are|){ADVERB}(?: simply| plain| long| way| quite| no longer)? {_FALSE}",
            r"\b(?:that|this|it)(?: is)?n't (?:quite |really |actually |even )?(?:right|correct|true|accurate|my|what i (?:said|told|meant|asked))",
            r"\byou(?:'re| are) (?:wrong|mistaken|mixing up|confusing|confused about)\b",
            r"\byou(?:'ve| have)? (?:got|have|had|get|misread|wrote|used|put) (?:that|this|it|me|my|the|his|her|our)(?: \w+){0,3} "
            r"(?:wrong|incorrect|mixed up|backwards)\b",
            r"\byou(?:'ve| have)? (?:mixed up|misspelled|misspelt|misunderstood|confused)\b",
            rf"\b(?:the|an|that's the|that's my|my) old {FACT}\b",
            rf"\bwrong (?:day|person|year|month|one|spelling|file name|{FACT})\b",
            r"\bnot (?:true|correct|accurate|right) any ?more\b",
        ),
        (
            QUESTION,
            r"\b(?:what|what's|nothing|something|anything|everything|if|whether|why|where|when|tell me|could be|might be|may be|went|go|going"
            r"|gone|someone|think|thought|looks|seems|prove me|maybe|not) (?:it's |that's |it is |is |i'm |that |you're )?wrong",
            r"isn't that|correct me if|i'm wrong|i was wrong|dialed|it's wrong to|wrong with|wrong-|i had the wrong",
            r"old (?:news|school|friend|enough)|not that",
        ),
    ),
    Rule(
        "en:no-longer",
        SOFT,
        "no longer|anymore|any more|any longer|used to ",
        (
            r"\b(?:i|we|she|he|they|my [\w' ]{1,30}|our [\w' ]{1,30}|\w+ from \w+)(?:'s| is|'m| am|'re| are|'ve| have|s)? (?:\w+ )?no longer\b",
            r"\b(?:i|we|she|he|they|my \w+|our \w+|that|it|this|that's|it's)(?: \w+)? ?"
            rf"(?:\w+n't|am not|'m not|not|do not|does not|is not|are not)\b[^.!?]{{0,50}} {_ANY_MORE}\b",
            r"\b(?:that|it|this) (?:is )?no longer (?:true|right|valid|the case|applies|correct|current|my)|\bno longer my\b",
            r"\bi used to (?:live|work|use|go by|have|drink|eat|smoke|be called)\b[^.!?]{2,60},? (?:but|now)\b",
            r"\bused to be [^.!?]{1,40},? (?:but |and )?(?:now|it's now|it is now)\b",
        ),
        (
            QUESTION,
            rf"(?:stand|take|wait|bear|handle|deal|do this|do it) (?:it |this )?{_ANY_MORE}|couldn't|don't know",
            rf"{TASK_THING}\b[^.!?]*(?:no longer|{_ANY_MORE})",
            rf"(?:works?|working|loads?|loading|runs?|running|starts?|responds?|connects?|connecting|compiles?|exists?) {_ANY_MORE}",
            r"no longer (?:works|loads|runs|starts|responds|connects|compiles|exists|working|loading|available|possible|necessary|needed"
            r"|see|find|access|open|log)\b",
        ),
    ),
    Rule(
        "en:not-but",
        SOFT,
        "not |isn't |wasn't |aren't |i'm not",
        (
            r"^\W*not (?!now|yet|really|sure|bad|only|just|so|too|even|that|this|all|if|when|what|at all|again|an?\b|the\b|for|to\b|in\b|on\b)"
            r"[^,.!?\n]{1,25}, (?:but )?[^,.!?\n]{1,25}[.!]?$",
            r"(?:^|[.!?:,] ?|\b(?:wait|sorry|um|uh|hmm|ah),? )(?:it's|its|it is|it was|that's|the [\w ]{1,25} (?:is|was)|my [\w ]{1,25} (?:is|was)"
            r"|i(?:'m| am| live| work| said| meant| use| have)|he's|she's|we(?:'re| are| use)?|(?:his|her) name is|on|at|use|in|with)\b "
            r"[^.!?,\n]{1,40}[,;]? (?:-+ )?(?:and )?not (?:(?:in|on|at|the|a|an|with|my) )?[\w@.:'-]+(?: [\w@.:'-]+){0,3}[.!]?$",
            r"\b(?:it's|it is|it was|that's|that was|that is|is|was|are) not [^.!?,\n]{1,30}[,;.] (?:but |rather )?"
            r"(?:it's|it is|it was|that's|i'm|they're|use)\b",
            r"(?:n't|'m not|am not) (?:[\w:.@-]+ ?){1,3}[,;.] (?:it's|it is|it was|that's|they're|he's|she's)\b",
        ),
        (
            QUESTION,
            THANKS,
            r"\b(?:whether|if)\b|\b(?:or|why) not\b",
            r"(?:\bnot|n't) (?:only|sure|just|yet|about|easy|for sale|bad|too|so|really|that|good|working|now|an?|even|exactly|quite|at all|very"
            r"|because|as|to|for|when|if|the (?:only|best|first|same))\b",
            r"it's (?:okay|fine|ok|good|fun|great|nice)",
        ),
    ),
    Rule(
        "en:instead",
        SOFT,
        "instead|use |rather than|, not ",
        (
            r"^\W*(?:please |sorry, |wait, |actually,? |no,? |wrong[^.!?]{0,20}, )?(?:use|call it|take|try|write|say|put|pick|book|make it|go with"
            r"|send it to)\b [^.!?\n]{1,50}(?: instead\b| rather than\b|, not )",
            r"\binstead of [^.!?,]{1,40}, (?:use|it's|it is)\b",
            r"^use (?:port )?[\w.:/-]*\d[\w.:/-]*$",
        ),
        (QUESTION,),
    ),
    Rule(
        "en:changed",
        SOFT,
        "moved|changed|switched|updated|stopped|started|quit|left|joined|renamed|replaced|gave up|"
        "given up|became|become|got ma|got di|got en|got pr|got a|got new|broke up|retired|migrated|"
        "relocated|transferred|resigned|a new |have new|rescheduled|postponed|pushed|cancel|delayed|"
        "forward|bumped",
        (
            rf"\b(?:i|we|my \w+|our \w+|she|he)(?:'ve|'s| have| has){ADVERB} {_MOVED}\b (?!it\b|them\b|everything\b|there\b)",
            rf"\b(?:we|i){ADVERB} (?:moved|switched|migrated|relocated|transferred) (?:to|from|in with|back to|into|over to|our|my)\b",
            rf"\b(?:my|our|the) [\w' ]{{1,30}} (?:has |have |was |were |has been |have been |got ){ADVERB} ?{_RESCHEDULED}\b",
            rf"\b(?:my|our|the) (?:[\w']+ )?{FACT} (?:just |recently )?(?:changed|moved|switched)\b",
            rf"\b(?:we|i)(?:'ve| have)? {_RESCHEDULED} (?:the|our|my) (?:\w+ )?{FACT}\b",
            rf"\bi(?:'ve)? (?:just |also |finally )?(?:got|have) (?:a |an )?new {FACT}\b",
            r"\bi (?:just |recently |also |finally |now )+(?:changed|switched|moved|updated|stopped|started) ",
            r"\bi (?:just |recently |finally |also )*(?:quit|left|joined|retired|resigned|gave up|became|got (?:married|divorced|engaged|promoted)"
            r"|broke up)\b (?!the (?:room|house|building|chat|meeting|call)|it\b|work at|a (?:message|comment|note|review)|home|early)",
        ),
        (
            QUESTION,
            r"\b(?:if|when|before|after|since|until|while|once|what|how|why|because|did|had) (?:i|we|my|our|the)\b",
            r"(?:started|stopped) (?:working|loading|running|responding|crashing|failing|compiling|to (?:feel|think|wonder|cry|laugh))",
            rf"(?:{_MOVED}|{_RESCHEDULED}) (?:\w+ ){{0,3}}?(?:{TASK_THING}|reading|watching|crying|laughing)\b",
            rf"the (?:\w+ )?(?:{TASK_THING}|config) (?:was|were|has|have|got|is|are|been)",
            r"i(?:'ve| have) (?:got|left|started (?:to|reading|watching|learning))\b",
        ),
    ),
    Rule(
        "en:new",
        SOFT,
        "new ",
        (
            rf"\b{_OWN} new (?:[\w'-]+ ){{0,3}}?{FACT}(?:'s name)? (?:is|are|will be|starts?|begins?)\b",
            rf"\bthe new (?:\w+ )?{FACT} (?:is|will be|are)\b",
        ),
        (QUESTION, rf"new [\w' -]+ (?:is|are) (?:{PRAISE}|{PASSING}|ugly|working)\b"),
    ),
    Rule(
        "en:now",
        SOFT,
        " now",
        (
            rf"\bit(?:'s| is) (?!{PRAISE}\b|{PASSING}\b)[^.?\n]{{1,70}} now[.!]?$",
            rf"\b(?:i|he|she|they|we)(?:'m| am|'s| is|'re| are) {_STATE}\b[^?!\n]{{0,40}} ?now[.!]?$",
            rf"\b(?:i|we|he|she|they) {_LIFE} [^?!\n]{{1,50}} now[.!]?$",
            rf"\b(?:i|we|he|she|they|my \w+|our \w+)(?:'re| are| is|'s|'m| am)? now (?:{_LIFE}|{_STATE})\b",
            rf"\b(?:the|our|its|{_OWN})(?: \w+){{0,2}} {FACT} (?:is|are|'s|has|will be) now\b",
            rf"\b(?:the|our|its|{_OWN})(?: \w+){{0,2}} {FACT} (?:is|are|'s) [^.?!\n]{{1,40}} now[.!]?$",
        ),
        (
            QUESTION,
            THANKS,
            r"now that|right now|for now|by now|now and then",
            r"(?:in|on|at) (?:a |the |my )?(?:hurry|meeting|call|way|phone|train|bus|break|home|work|bed|trouble|pain|kitchen|car|office) now",
            r"i(?:'m| am) (?:in|at|on) (?:the|a|my)\b[^.!?]* now$",
            r"working (?:fine|now|again|on)|have (?:to|a (?:question|problem|moment|minute|meeting))",
        ),
    ),
    Rule(
        "en:star",
        SOFT,
        "*",
        (r"^\*[\w'-]+(?: [\w'-]+){0,2}[.!]?$", r"^[\w'-]+(?: [\w'-]+){0,2}\*$"),
    ),
)
