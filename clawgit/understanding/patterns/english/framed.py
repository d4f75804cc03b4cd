"""Our own English patterns for how people lead up to what is right: politely, by what is old, by what was done since."""

from __future__ import annotations

from clawgit.text.words.word_lists import any_of
from clawgit.understanding.patterns.english.words import PASSING, PRAISE, QUESTION, TASK_THING, THANKS
from clawgit.understanding.patterns.pattern_rule import SOFT, About, Find, Rule

_IS = r"(?:'s|'re|'m| is| are| am)"
_IT_IS = rf"(?:it|they|he|she|we|i|(?:the|my|our|his|her|their) [\w' -]{{1,30}}?){_IS}"
_SET = any_of(
    "cut, raised, lowered, moved, pushed, put, brought, postponed, changed, switched, reduced, increased"
)
_VALUE = r"(?:[$€£]?\d[\w.,:]*|one|two|three|four|five|six|\w+days?|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)"
_RETIRED = any_of("left, quit, retired, resigned, moved on, died, stepped down, was let go, sold the \\w+")
_DOES = any_of("is, leads, runs, handles, does, manages, has, takes, owns, drives, teaches")

RULES = (
    Rule(
        "en:politely",
        SOFT,
        About(
            "A word of excuse, and then what is so.",
            "With all respect, it is Ms Lund.",
            but="I'm afraid it's Friday, isn't it?",
        ),
        Find(
            "respect|sorry to|i'm afraid|hate to|nitpick",
            (
                r"^(?:with (?:all )?(?:due )?respect|(?:i'm )?sorry to (?!hear|see)\w+(?: [\w']+){0,3}|(?:but )?i'm afraid"
                r"|i hate to \w+(?: \w+)?|not to nitpick),? (?:but )?(?:that )?"
                rf"(?:{_IT_IS}|[\w' ]{{2,25}} (?:is|are)) (?:(?:on|at|in) {_VALUE}|(?!{PRAISE}|{PASSING}|not\b|an?\b|in\b)\S+(?: \S+){{0,5}})"
            ),
        ),
        unless=(QUESTION, THANKS, r"\b(?:your (?:job|turn|fault|problem)|my (?:fault|turn))\b"),
    ),
    Rule(
        "en:these-days",
        SOFT,
        About("How it is by now.", "It's PostgreSQL 16 these days.", but="He's in a mood these days."),
        Find(
            "these days|nowadays",
            rf"(?:^|[,;.] )(?:but )?(?:{_IT_IS}|[\w.']+(?: [\w.']+){{0,2}} (?:is|are)) (?!{PRAISE}|{PASSING}|not\b|so\b|more\b|all\b|hardly\b)[^.!?,]{{1,40}} (?:these days|nowadays)[.!]*$",
        ),
        unless=(QUESTION, THANKS, r"\b(?:feel\w*|mood|everyone|everything|nobody|nothing)\b"),
    ),
    Rule(
        "en:looked-up",
        SOFT,
        About(
            "The sender looked, and this is so.",
            "I looked at the contract and the notice period is two months.",
            but="I checked and the build takes two hours.",
        ),
        Find(
            "checked|looked|asked",
            rf"^(?:sorry, |so )?i (?:just )?(?:checked|looked|asked|double-checked)[^.!?]{{0,30}}?(?:,| and|:|,? so) (?:it|he|she|they|(?:the|my|our|his|her|their) [\w' ]{{1,30}}?)(?:'s|'re| \w+) (?:(?:at|on|in|for|until) )?{_VALUE}",
            rf"^i (?:just )?(?:checked|looked it up|looked|double-checked),? (?:and )?(?:my|our|his|her|the) [\w' ]{{1,25}} (?:is|are) (?!{PRAISE}|{PASSING}|not\b)\w",
        ),
        unless=(QUESTION, THANKS, rf"\b{TASK_THING}\b"),
    ),
    Rule(
        "en:by-the-way",
        SOFT,
        About("A name, by the way.", "My dog's name is Bisco, by the way.", but="His name is Bo, by the way, right?"),
        Find("by the way|btw", r"\bname(?:'s| is) [\w' -]{1,25},? (?:by the way|btw)\b"),
        unless=(QUESTION,),
    ),
    Rule(
        "en:update-notes",
        SOFT,
        About(
            "The sender wants it set right in what the agent keeps.",
            "it's been monthly since autumn, please update your notes",
            but="did you update your notes?",
        ),
        Find(
            "notes|memory|records|entry|calendar",
            r"\b(?:please |pls |can you |could you |so )?(?:update|correct|fix|change|adjust) your (?:notes?|memory|records?|entry|calendar)(?: please| then| accordingly)?[.!?]*$",
        ),
        unless=(r"^(?:did|do|when|how|why|should)\b",),
    ),
    Rule(
        "en:so-many-wrong",
        SOFT,
        About(
            "How many things are wrong, and then which.",
            "Two things wrong: the fair is on the 10th.",
            but="Two errors: the build and the tests.",
        ),
        Find(
            "things|mistakes|errors",
            r"^(?:there are )?(?:two|three|four|a few|some|several|a couple of) (?:things (?:are |here are )?(?:wrong|off|to correct)|(?:mistakes|errors)(?: here| there)?) ?[:,.-]",
        ),
        unless=(QUESTION, rf"\b{TASK_THING}\b"),
    ),
    Rule(
        "en:this-right-that-wrong",
        SOFT,
        About(
            "What of it is right, and then what is so of the rest.",
            "Date's right but the room is 21.",
            but="Date's right but the room is 21?",
        ),
        Find(
            "right|correct| yes, ",
            rf"^(?:the |that )?(?!that\b|you\b|it\b|all\b|this\b|what\b)[a-z]+{_IS} (?:right|correct),? but (?:the |it |he |she |they |it's |not )",
            r"^right \w+, (?:but )?(?:the )?wrong \w+",
            r"^[\w' ]{2,25} yes, [\w' ]{2,25} no ?[:,.;-]",
        ),
        unless=(QUESTION, THANKS),
    ),
    Rule(
        "en:set-to",
        SOFT,
        About(
            "Somebody set it to something else.",
            "The doctor cut it down to one tablet a day.",
            but="They moved the server to 10.0.0.1",
        ),
        Find(
            "cut |raised|lowered|moved|pushed| put |brought|postponed|switched|reduced|increased|changed it to|changed that to",
            rf"^(?:\w+, )?(?:they|we|he|she|(?:the|my|our) \w+)(?:'ve| have| has)? {_SET} (?:it|[\w' ]{{3,25}})(?: (?:up|down|back|forward|from [\w.:]+))? to {_VALUE}(?: [\w:.]+){{0,4}}[.!]*$",
        ),
        unless=(QUESTION, THANKS, rf"\b(?:the|my|our) (?:\w+ )?{TASK_THING}\b"),
    ),
    Rule(
        "en:left-and-now",
        SOFT,
        About(
            "Somebody is gone, and who it is now.",
            "Priya left. Oskar leads the team now.",
            but="Tom left. My manager is Ann?",
        ),
        Find(
            "left|quit|retired|resigned|moved on|died|stepped|let go|sold",
            rf"^(?:[\w.]+ ){{1,2}}{_RETIRED}[.,;] (?:(?:and|so|now) )?(?:my|our|the|[\w]+) [^.!?]{{1,40}} now[.!]*$",
            rf"^(?:[\w.]+ ){{1,2}}{_RETIRED}[.,;] (?:(?:and|so|now) )?(?:my|our|the) [\w' ]{{1,25}}? {_DOES} (?!{PRAISE}|{PASSING})\w+",
        ),
        unless=(QUESTION, THANKS, r"^(?:i|we|everyone|everybody|nobody|you)\b"),
    ),
    Rule(
        "en:changed-and-now",
        SOFT,
        About(
            "It was changed, and what it is now.",
            "They changed the door code, it's 4471.",
            but="You're outdated: is it 4471?",
        ),
        Find(
            "changed the|changed our|reset |replaced |swapped |renewed |, please |out of date|outdated|i actually ",
            rf"^(?:they|we|he|she)(?:'ve| have)? (?:changed|reset|replaced|swapped|renewed) (?:the|my|our|his|her) [\w ]{{2,25}}[,;.] (?:now )?(?:it's|it is|its|the new one is)(?: now)? {_VALUE}",
            rf"^(?:the|my|our|his|her) [\w' ]{{3,60}} {_VALUE}[^.!?,]{{0,15}}, (?:so )?please (?:recalculate|redo|adjust|update|correct|fix|change)\b",
            r"^(?:i think )?you(?:'re| are) (?:out of date|outdated)[,:.;!]+ \w",
            r"^i actually (?:prefer|live in|work (?:at|in|for)|drive|own) (?!it\b|that\b|this\b|to\b)\w+(?: \w+){0,2}[.!]*$",
        ),
        unless=(QUESTION, THANKS),
    ),
    Rule(
        "en:remember-tag",
        SOFT,
        About("How it is, as was told before.", "They're in French, remember?"),
        Find(
            "remember?",
            rf"^(?:no,? |but )?(?:it|they|he|she|i|my \w+){_IS} (?:(?:on|at) {_VALUE}|(?!{PRAISE}|{PASSING}|not\b)[\w'-]+(?: [\w'-]+){{0,3}}), remember\?$",
        ),
    ),
)  # fmt: skip
