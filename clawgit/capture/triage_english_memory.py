"""Our own English patterns for what should be remembered: requests, decisions, standing instructions."""

from __future__ import annotations

from clawgit.capture.triage_rules import MEMORY, Rule
from clawgit.capture.triage_wording import ADVERB, CLAUSE, HAVE, PEP_TALK, QUESTION, SENTENCE

_DAY = (
    r"(?:today|now|tomorrow|immediately|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april"
    r"|may|june|july|august|september|october|november|december)"
)
_TIME = rf"(?:in|on|by|before|after|this|{_DAY}|q[1-4]|20\d\d)"
_ORDER = (
    r"(?:use|using|answer|reply|respond|call|address|write|send|ask|tell|put|run|check|include|show|give|keep|add|prefer|format"
    r"|start|begin|end|finish|speak|talk|say|convert|round|cite|quote|avoid|commit|push|deploy|sign|translate|mention|assume|treat"
    r"|book|order|schedule|remind|confirm|double-check|test|merge|delete|remove|share|post|store|save|log|explain|do|make|let"
    r"|leave|read|wait|work|open|close|touch|edit|change|suggest|recommend|contact|email|message|cc|bcc|attach|link|be|stick|spell"
    r"|count|report|review|back up|pay|buy|interrupt|disturb|trust|notify|ping)"
)
_THIS = r"(?:this|that|it|these|the following)"
_LABEL = (
    r"(?:important|decision|decided|decision made|reminder|note|psa|n\.?b\.?|key (?:fact|point|decision)|memo|agreed|plan|rule"
    r"|preference|context|important note|heads[- ]up)"
)
_KIND = r"(?:very|super|really|most|also|quick|one|final|our|my|new|team|please|side|personal|standing|house|the|big|key)"

RULES = (
    Rule(
        "en:remember",
        MEMORY,
        "remember",
        (rf"{SENTENCE}remember\b(?! when\b)(?:[:,!]| -)? ?\w",),
        (
            r"^\W*remember [^.!:]*\?$",
            r"remember,? (?:just do it|you(?:'re| are| can| got)|i'm (?:always )?here|we're)",
            r"remember \w+, just",
            r"remember to (?:breathe|smile|rest|relax|have fun|take care|be)\b",
            r"remember the (?:time|days?)\b",
        ),
    ),
    Rule(
        "en:asked-to",
        MEMORY,
        "can you |could you |would you |will you ",
        (
            r"\b(?:can|could|would|will) you (?:please |also |just )*remember (?:this:|that (?:i|my|we|our|the)\b|i\b|my\b|to\b|for me)",
            r"\b(?:can|could|would|will) you (?:please |also |just )*"
            r"(?:(?:make|take) (?:a )?note|note (?:that|down|this)|memori[sz]e|keep in mind|write (?:this|that|it) down)",
        ),
    ),
    Rule(
        "en:forget",
        MEMORY,
        "forget",
        (
            r"\b(?:don't|do not|never|mustn't|must not|shouldn't|let's not|not to)"
            r"(?: (?:you|ever|please|let me|let us|dare|you dare))* forget\b",
        ),
        (
            r"\b(?:i|we|they|he|she|you|people|i'll|we'll|you'll|would|will) (?:don't|do not|never|'ll never|will never) forget",
            rf"forget,? (?:to )?{PEP_TALK}\b",
            r"how could|i'll never",
        ),
    ),
    Rule(
        "en:label",
        MEMORY,
        "important|deci|remind|note|psa|n.b|nb|key |memo|agreed|plan|rule|prefer|context|heads",
        (
            rf"^[^\w\n]{{0,6}}(?:{_KIND} ){{0,2}}{_LABEL} ?(?::|- )",
            r"^[^\w\n]{0,6}(?:important|reminder|note|psa)(?:!+|,) ?\w",
        ),
        (
            r"\b(?:more|less|how|not|as) important",
            r"release note",
            r"^\W*heads[- ]up ?[:!-]* it's",
            r"^plan: free",
        ),
    ),
    Rule(
        "en:important",
        MEMORY,
        "important",
        (
            r"\b(?:this|it|that)(?: is|'s| one's| one is) (?:very |really |super |so |extremely |quite )?important[:,.!]",
            r"\bit's (?:very |really )?important (?:that you|to me|for you to) (?:know|remember|keep)",
        ),
        (QUESTION, r"(?:n't|not) (?:that |very |so )?important"),
    ),
    Rule(
        "en:agreed",
        MEMORY,
        "agreed|decided|settled|concluded|went with|gone with|opted|voted|chose|resolved",
        (
            rf"\b(?:we|i|(?:the )?team|everyone|they and i|my \w+ and i){HAVE}{ADVERB} "
            r"(?:agreed|decided|settled on|concluded|opted|voted|resolved|went with|gone with)\b",
            rf"\bwe{HAVE}{ADVERB} (?:chosen|chose)\b",
        ),
        (
            QUESTION,
            r"\b(?:wish|if|when|until|unless|did|whether|had|never|not|before|after|what|as|dream|dreamt|dreamed)[^.!?]{0,12} "
            r"(?:we|i|the team|everyone)",
            r"\b(?:agreed|decided) (?:to disagree|on nothing|nothing)|n't|have not|not yet|yet to",
        ),
    ),
    Rule(
        "en:lets",
        MEMORY,
        "go with|going with|stick with|sticking with|settle on",
        (
            r"\b(?:let's|let us|we're|we are|we'll|we will|i'm|i'll|i am) (?:go|going|stick|sticking|settle) (?:with|on) ",
        ),
        (QUESTION, r"go(?:ing)? with (?:you|him|her|them|my|the kids|friends|us|me)\b"),
    ),
    Rule(
        "en:plan",
        MEMORY,
        "plan|intend",
        (
            r"\b(?:the|our|my|a new|new|current|revised|final)(?: \w+)? plan(?:'s| is| was) "
            r"(?:now |still )?(?:to\b|for\b|that\b|simple\b|as follows|this\b|:)",
            r"^plan is (?:to|for|that)\b",
            rf"\b(?:we|i)(?:'re| are|'m| am)? (?:plan|planning|intend|intending) to \w+ .{{0,80}}\b{_TIME}\b",
        ),
        (
            QUESTION,
            r"\b(?:what|if|whether|know|unless|ask|asked) (?:the|our|my|your)(?: \w+)? plan",
            r"plan (?:is|was) (?:not|unclear)",
        ),
    ),
    Rule(
        "en:note",
        MEMORY,
        "note|memo|reminder|in mind",
        (
            r"\b(?:note|memo|reminder)[- ]to[- ](?:my|our)?sel(?:f|ves)\b",
            rf"{CLAUSE}(?:make|take) (?:a (?:mental )?)?note\b",
            rf"{CLAUSE}note (?:that|down|this)\b",
            r"\bplease note\b",
            r"\b(?:keep|bear|have) (?:this |that |it )?in mind\b",
        ),
        (
            QUESTION,
            r"\b(?:a|the|her|his|their) note to self",
            r"\b(?:i|i'll|we|we'll|they|he|she) (?:'ll |will )?(?:keep|bear|have) .{0,5}in mind",
        ),
    ),
    Rule(
        "en:record",
        MEMORY,
        "reference|record|fyi|so you know|so that you know|should know|info|context|future |next time",
        (
            r"\bfor (?:your |the |my |our )?(?:future|later) reference",
            r"\bfor (?:your )?(?:reference|info(?:rmation)?|records?)\b",
            r"\bfor the record\b",
            r"\bfyi\b\W{1,3}\w",
            r"\bso (?:that )?you know\b",
            r"\byou should know (?:that|i|my|we)\b",
            r"\bfor context\b",
            r"\b(?:in|for) (?:all )?future (?:conversations|chats|sessions)\b",
            r"^(?:for )?next time\b",
        ),
        (QUESTION, r"\bif you know"),
    ),
    Rule(
        "en:write-down",
        MEMORY,
        " down|memor|save th|save it|save my|store th|store it|log th|log it|record th|record it|add th|"
        "add it|add my|put th|put it|put my|keep th|keep it|commit th|write th|remember th",
        (
            rf"{CLAUSE}(?:(?:write|jot|put|note|get) {_THIS} down|memori[sz]e\b"
            rf"|(?:save|store|log|record|add|put|keep|commit|write) (?:{_THIS}|my [\w ]{{1,30}}) (?:to|in|into|for|as)\b"
            r"(?: \w+){0,2} (?:memory|memories|notes?|long[- ]term|later|profile|reference|future)\b"
            r"|(?:save|store|remember|log) (?:this|that|the following) ?(?:[:,-]|fact|info|please|$))",
            r"\badd to (?:your )?memory\b",
        ),
        (QUESTION,),
    ),
    Rule(
        "en:standing",
        MEMORY,
        "from now|from here|from this|from today|from tomorrow|forward|henceforth|as of |starting |"
        "effective |beginning |by default|in future|the future|at all times",
        (
            r"\bfrom (?:now|here|this point|today|tomorrow|this day) (?:on|onwards?|forward)\b",
            r"\bfrom (?:today|tomorrow)\b",
            r"\b(?:going|moving) forward\b",
            r"\bhenceforth\b",
            rf"{CLAUSE}(?:as of|starting|effective|beginning) (?:from )?{_DAY}\b",
            rf"{CLAUSE}(?:by default|at all times|in (?:the )?future),? \w",
        ),
        (QUESTION, r"\b(?:what|how|who|where)\b[^.!?]*\bin the future\b"),
    ),
    Rule(
        "en:always",
        MEMORY,
        "always|never|every time|everytime|whenever|each time|any time|anytime",
        (
            rf"{SENTENCE}(?:always|never)(?: ever)? {_ORDER}\b",
            rf"{CLAUSE}(?:every ?time|each time|any ?time|whenever) (?:i|we|you|there|somebody|someone)\b"
            rf".{{1,80}}\b(?:{_ORDER}|stop|please|don't|i want|i mean)\b",
        ),
        (
            QUESTION,
            r"never give up|(?:always|never) be (?:afraid|scared|sorry|there|yourself)|\b(?:i|we) always",
        ),
    ),
    Rule(
        "en:manner",
        MEMORY,
        "call me|i go by|prefer |stop |address me|refer to me|i want you to|please don't",
        (
            rf"{CLAUSE}(?:don't |do not |never )?call me (?!back|when|if|at|later|on|after|before|in|crazy|maybe|an? |once|asap|{_DAY})\w+",
            r"\bi go by \w",
            r"^\W*i(?:'d| would)? (?:much |generally |usually |always |really |strongly )?prefer (?!not to say|to (?:wait|stay|leave))",
            rf"{CLAUSE}stop (?:using|calling|sending|adding|asking me to|suggesting|recommending|writing|apologi[sz]ing|starting|ending"
            r"|addressing|putting|saying|doing|giving|making|reminding)\b",
            r"\b(?:address|refer to) me (?:as|by|with)\b",
            r"\bi want you to (?:always|never|stop|start|call|use|answer|reply)\b",
            r"please don't .{1,60}\b(?:anymore|any more|again|ever)\b",
        ),
        (QUESTION, r"stop (?:making|doing|giving) (?:me|my)"),
    ),
)
