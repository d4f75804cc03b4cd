"""Our own English patterns for notes to keep, and for what holds from now on or always."""

from __future__ import annotations

from clawgit.text.words.word_lists import any_of
from clawgit.understanding.patterns.english.words import CLAUSE, DAY, QUESTION, SENTENCE
from clawgit.understanding.patterns.pattern_rule import MEMORY, About, Find, Rule

_ORDER = any_of(
    """
    use, using, answer, reply, respond, call, address, write, send, ask, tell, put, run, check,
    include, show, give, keep, add, prefer, format, start, begin, end, finish, speak, talk, say,
    convert, round, cite, quote, avoid, commit, push, deploy, sign, translate, mention, assume,
    treat, book, order, schedule, remind, confirm, double-check, test, merge, delete, remove,
    share, post, store, save, log, explain, do, make, let, leave, read, wait, work, open, close,
    touch, edit, change, suggest, recommend, contact, email, message, cc, bcc, attach, link, be,
    stick, spell, count, report, review, back up, pay, buy, interrupt, disturb, trust, notify,
    ping
    """
)
_THIS = any_of(
    """
    this, that, it, these, the following
    """
)

RULES = (
    Rule(
        "en:note",
        MEMORY,
        About(
            "A request to note it, in any form.",
            "Keep in mind that Joe is colour-blind.",
            but="I'll keep it in mind.",
        ),
        Find(
            "note|memo|reminder|in mind",
            r"\b(?:note|memo|reminder)[- ]to[- ](?:my|our)?sel(?:f|ves)\b",
            rf"{CLAUSE}(?:make|take) (?:a (?:mental )?)?note\b",
            rf"{CLAUSE}note (?:that|down|this)\b",
            r"\bplease note\b",
            r"\b(?:keep|bear|have) (?:this |that |it )?in mind\b",
        ),
        unless=(
            QUESTION,
            r"\b(?:a|the|her|his|their) note to self",
            r"\b(?:i|i'll|we|we'll|they|he|she) (?:'ll |will )?(?:keep|bear|have) .{0,5}in mind",
        ),
    ),
    Rule(
        "en:record",
        MEMORY,
        About(
            "Told for later.",
            "For the record, I never signed that.",
            but="For your information, who is that?",
        ),
        Find(
            ("reference|record|fyi|so you know|so that you know|should know|info|context|future |next time"),
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
        unless=(
            QUESTION,
            r"\bif you know",
        ),
    ),
    Rule(
        "en:write-down",
        MEMORY,
        About("A request to write it down.", "Write this down: locker 12.", but="Save this to my notes?"),
        Find(
            (
                " down|memor|save th|save it|save my|store th|store it|log th|log it|record th|record it"
                "|add th|add it|add my|put th|put it|put my|keep th|keep it|commit th|write th"
                "|remember th"
            ),
            (
                rf"{CLAUSE}(?:(?:write|jot|put|note|get) {_THIS} down|memori[sz]e\b"
                rf"|(?:save|store|log|record|add|put|keep|commit|write) (?:{_THIS}|my [\w ]{{1,30}}) (?:to"
                rf"|in|into|for|as)\b"
                r"(?: \w+){0,2} (?:memory|memories|notes?|long[- ]term|later|profile|reference|future)\b"
                r"|(?:save|store|remember|log) (?:this|that|the following) ?(?:[:,-]|fact|info|please|$))"
            ),
            r"\badd to (?:your )?memory\b",
        ),
        unless=(QUESTION,),
    ),
    Rule(
        "en:standing",
        MEMORY,
        About(
            "It holds from some day on.",
            "From today on, use British spelling.",
            but="Will I be taller from now on?",
        ),
        Find(
            (
                "from now|from here|from this|from today|from tomorrow|forward|henceforth|as of "
                "|starting |effective |beginning |by default|in future|the future|at all times"
            ),
            r"\bfrom (?:now|here|this point|today|tomorrow|this day) (?:on|onwards?|forward)\b",
            r"\bfrom (?:today|tomorrow)\b",
            r"\b(?:going|moving) forward\b",
            r"\bhenceforth\b",
            rf"{CLAUSE}(?:as of|starting|effective|beginning) (?:from )?{DAY}\b",
            rf"{CLAUSE}(?:by default|at all times|in (?:the )?future),? \w",
        ),
        unless=(
            QUESTION,
            r"\b(?:what|how|who|where)\b[^.!?]*\bin the future\b",
        ),
    ),
    Rule(
        "en:always",
        MEMORY,
        About(
            "It holds for every such case.", "Always CC my assistant.", but="Never be afraid, never give up."
        ),
        Find(
            "always|never|every time|everytime|whenever|each time|any time|anytime",
            rf"{SENTENCE}(?:always|never)(?: ever)? {_ORDER}\b",
            (
                rf"{CLAUSE}(?:every ?time|each time|any ?time|whenever) (?:i|we|you|there|somebody"
                rf"|someone)\b.{{1,80}}\b(?:{_ORDER}|stop|please|don't|i want|i mean)\b"
            ),
        ),
        unless=(
            QUESTION,
            (
                r"never give up|(?:always|never) be (?:afraid|scared|sorry|there|yourself)"
                r"|\b(?:i|we) always"
            ),
        ),
    ),
    Rule(
        "en:manner",
        MEMORY,
        About(
            "How the sender wants to be treated.",
            "Stop using emojis in your replies.",
            but="Stop making me laugh, I prefer tea?",
        ),
        Find(
            "call me|i go by|prefer |stop |address me|refer to me|i want you to|please don't",
            (
                rf"{CLAUSE}(?:don't |do not |never )?call me (?!back|when|if|at|later|on|after|before|in"
                rf"|crazy|maybe|an? |once|asap|{DAY})\w+"
            ),
            r"\bi go by \w",
            (
                r"^\W*i(?:'d| would)? (?:much |generally |usually |always |really "
                r"|strongly )?prefer (?!not to say|to (?:wait|stay|leave))"
            ),
            (
                rf"{CLAUSE}stop (?:using|calling|sending|adding|asking me to|suggesting|recommending"
                rf"|writing|apologi[sz]ing|starting|ending"
                r"|addressing|putting|saying|doing|giving|making|reminding)\b"
            ),
            r"\b(?:address|refer to) me (?:as|by|with)\b",
            r"\bi want you to (?:always|never|stop|start|call|use|answer|reply)\b",
            r"please don't .{1,60}\b(?:anymore|any more|again|ever)\b",
        ),
        unless=(
            QUESTION,
            r"stop (?:making|doing|giving) (?:me|my)",
        ),
    ),
)
