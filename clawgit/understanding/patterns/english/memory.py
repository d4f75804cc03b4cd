"""Our own English patterns for requests to remember, and for decisions and plans."""

from __future__ import annotations

from clawgit.text.words.word_lists import any_of
from clawgit.understanding.patterns.english.words import ADVERB, DAY, HAVE, PEP_TALK, QUESTION, SENTENCE
from clawgit.understanding.patterns.pattern_rule import MEMORY, About, Find, Rule

_TIME = rf"(?:in|on|by|before|after|this|{DAY}|q[1-4]|20\d\d)"
_LABEL = any_of(
    r"""
    important, decision, decided, decision made, reminder, note, psa, n\.?b\.?,
    key (?:fact|point|decision), memo, agreed, plan, rule, preference, context, important note,
    heads[- ]up
    """
)
_KIND = any_of(
    """
    very, super, really, most, also, quick, one, final, our, my, new, team, please, side, personal,
    standing, house, the, big, key
    """
)

RULES = (
    Rule(
        "en:remember",
        MEMORY,
        About(
            "A request to remember, in any form.",
            "Remember to send the invoice on the 1st.",
            but="Remember that movie with the talking fish?",
        ),
        Find(
            "remember",
            rf"{SENTENCE}remember\b(?! when\b)(?:[:,!]| -)? ?\w",
        ),
        unless=(
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
        About("A polite request to remember.", "Can you remember that my flight leaves at 7?"),
        Find(
            "can you |could you |would you |will you ",
            (
                r"\b(?:can|could|would|will) you (?:please |also |just )*remember (?:this:"
                r"|that (?:i|my|we|our|the)\b|i\b|my\b|to\b|for me)"
            ),
            (
                r"\b(?:can|could|would|will) you (?:please |also |just )*(?:(?:make|take) (?:a )?note"
                r"|note (?:that|down|this)|memori[sz]e|keep in mind|write (?:this|that|it) down)"
            ),
        ),
    ),
    Rule(
        "en:forget",
        MEMORY,
        About(
            "A request not to forget, in any form.",
            "Do not forget: passports!",
            but="I'll never forget this.",
        ),
        Find(
            "forget",
            (
                r"\b(?:don't|do not|never|mustn't|must not|shouldn't|let's not"
                r"|not to)(?: (?:you|ever|please|let me|let us|dare|you dare))* forget\b"
            ),
        ),
        unless=(
            (
                r"\b(?:i|we|they|he|she|you|people|i'll|we'll|you'll|would|will) (?:don't|do not|never"
                r"|'ll never|will never) forget"
            ),
            rf"forget,? (?:to )?{PEP_TALK}\b",
            r"how could|i'll never",
        ),
    ),
    Rule(
        "en:label",
        MEMORY,
        About(
            "A label before what is to be kept.",
            "Reminder: quarterly taxes are due on the 15th.",
            but="Heads-up: it's raining.",
        ),
        Find(
            "important|deci|remind|note|psa|n.b|nb|key |memo|agreed|plan|rule|prefer|context|heads",
            rf"^[^\w\n]{{0,6}}(?:{_KIND} ){{0,2}}{_LABEL} ?(?::|- )",
            r"^[^\w\n]{0,6}(?:important|reminder|note|psa)(?:!+|,) ?\w",
        ),
        unless=(
            r"\b(?:more|less|how|not|as) important",
            r"release note",
            r"^\W*heads[- ]up ?[:!-]* it's",
            r"^plan: free",
        ),
    ),
    Rule(
        "en:important",
        MEMORY,
        About(
            "The sender says that it matters.",
            "This is important: the gas valve is behind the stove.",
            but="It's not important, really: this is important, isn't it?",
        ),
        Find(
            "important",
            (
                r"\b(?:this|it|that)(?: is|'s| one's| one is) (?:very |really |super |so |extremely "
                r"|quite )?important[:,.!]"
            ),
            r"\bit's (?:very |really )?important (?:that you|to me|for you to) (?:know|remember|keep)",
        ),
        unless=(
            QUESTION,
            r"(?:n't|not) (?:that |very |so )?important",
        ),
    ),
    Rule(
        "en:agreed",
        MEMORY,
        About(
            "A decision that was made.",
            "We've decided to hire Ana.",
            but="Have you forgotten what we agreed?",
        ),
        Find(
            "agreed|decided|settled|concluded|went with|gone with|opted|voted|chose|resolved",
            (
                rf"\b(?:we|i|(?:the )?team|everyone|they and i|my \w+ and i){HAVE}{ADVERB} "
                r"(?:agreed|decided|settled on|concluded|opted|voted|resolved|went with|gone with)\b"
            ),
            rf"\bwe{HAVE}{ADVERB} (?:chosen|chose)\b",
        ),
        unless=(
            QUESTION,
            (
                r"\b(?:wish|if|when|until|unless|did|whether|had|never|not|before|after|what|as|dream"
                r"|dreamt|dreamed)[^.!?]{0,12} (?:we|i|the team|everyone)"
            ),
            r"\b(?:agreed|decided) (?:to disagree|on nothing|nothing)|n't|have not|not yet|yet to",
        ),
    ),
    Rule(
        "en:lets",
        MEMORY,
        About(
            "A decision that is made right now.",
            "Let's go with the blue theme.",
            but="I'm going with my kids.",
        ),
        Find(
            "go with|going with|stick with|sticking with|settle on",
            (
                r"\b(?:let's|let us|we're|we are|we'll|we will|i'm|i'll|i am) (?:go|going|stick|sticking"
                r"|settle) (?:with|on) "
            ),
        ),
        unless=(
            QUESTION,
            r"go(?:ing)? with (?:you|him|her|them|my|the kids|friends|us|me)\b",
        ),
    ),
    Rule(
        "en:plan",
        MEMORY,
        About("What somebody intends.", "My plan is to retire at 60.", but="What if our plan is to wait?"),
        Find(
            "plan|intend",
            (
                r"\b(?:the|our|my|a new|new|current|revised|final)(?: \w+)? plan(?:'s| is| was) (?:now "
                r"|still )?(?:to\b|for\b|that\b|simple\b|as follows|this\b|:)"
            ),
            r"\b^plan is (?:to|for|that)\b",
            (
                rf"\b(?:we|i)(?:'re| are|'m| am)? (?:plan|planning|intend"
                rf"|intending) to \w+ .{{0,80}}\b{_TIME}\b"
            ),
        ),
        unless=(
            QUESTION,
            r"\b(?:what|if|whether|know|unless|ask|asked) (?:the|our|my|your)(?: \w+)? plan",
            r"plan (?:is|was) (?:not|unclear)",
        ),
    ),
)
