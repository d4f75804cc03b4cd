"""What stands beside each of the twenty source patterns: what it means, and what speaks against a hit in real talk."""

from __future__ import annotations

from clawgit.text.words.word_lists import any_of
from clawgit.understanding.patterns.english import words
from clawgit.understanding.patterns.english.recall import NO_COMPLAINT
from clawgit.understanding.patterns.pattern_rule import About

_TASK_STEP = r"i (?:changed|switched|moved|updated|stopped|started)"
_AFTER_A_VERB = any_of(
    r"""
    is, are, was, were, am, 's, 're, do, does, did, has, have, had, can, could, will, would,
    should, may, might, not, what, how, why, where, who, which, if, \w+n't, that, this, it, to, i,
    we, you, they, he, she, who's, what's, it's, that's
    """
)
_OF_A_KIND = r"(?:there's|have|has|had|got|with|of|and|say|says|said|is|are|was|were|see|in) no,?"
_NO_BUT_KIND = rf"\b(?:oh|uh|hell|god|gosh) no\b|\bno,? (?:it's|that's|it was|the) {words.PRAISE}\b"


class Beside:
    """What stands beside a source pattern: what it means, the words it needs, and what speaks against a hit in real talk."""

    __slots__ = ("about", "needs", "unless")

    def __init__(self, about: About, needs: str, *unless: str) -> None:
        self.about, self.needs, self.unless = about, needs, unless


BESIDE: dict[str, Beside] = {
    "M1": Beside(
        About(
            "Something is to be remembered.",
            "Remember that I take the 8:15 train.",
            but="Can't remember that word.",
        ),
        "remember ",
        (
            r"\b(?:can't|cannot|can not|can you|could you|couldn't|don't|didn't|doesn't|do you"
            r"|does \w+|did you|do not|did not|i|i'll|i'd|we|we'll|you'll|they|he|she|never|always"
            r"|still|will|would|not|hardly|barely|who|must've"
            r"|(?:try|trying|tries|tried|struggling|used|hard|have|going|want|love|nice|good|fun|seem"
            r"|seems) to) (?:ever |really |even |also |still |always |fondly )*remember (?:that|this"
            r"|when)"
        ),
        r"^remember (?:that|this|when)(?! i (?:said|told|mentioned)\b)[^.!]*\?$",
        r"^remember when (?:we|you|they|he|she)\b",
    ),
    "M2": Beside(
        About(
            "Something is not to be forgotten.",
            "Hi! Quick one. Don't forget the milk.",
            but="Don't forget to smile.",
        ),
        "don't forget",
        r"(?:don't|didn't|doesn't|we|they|you) (?:ever )?don't forget",
        rf"don't forget,? (?:to )?{words.PEP_TALK}\b",
    ),
    "M3": Beside(
        About("A label before what matters.", "Very important: no nuts.", but="Not important: the colour."),
        "important:",
        (
            r"\b(?:more|most|less|least|how|how's|not|isn't|so|equally|is it|is this|is that|what's"
            r"|why) important:"
        ),
        r"important: (?:true|false|yes|no|null|\d+)$",
    ),
    "M4": Beside(
        About(
            "A label before what was decided.",
            "Decision: we use Postgres.",
            but="He made an important decision: nobody knows why.",
        ),
        "decision:",
        (
            r"\b(?:court|court's|judge|judge's|jury|jury's|referee|umpire|his|her|their|board's|ruling"
            r"|(?:makes?|made|an?)(?: \w+)?|a|any|tough|hard|difficult|about the|on the|bad|wrong|no"
            r"|whose|what|which) decision:"
        ),
        r"decision: (?:true|false|approve|reject|null|\d+)$",
        r"decision:[^.!]*\?$",
    ),
    "M5": Beside(
        About(
            "What several people settled on.",
            "We agreed to meet every second Tuesday.",
            but="I wish we agreed on something.",
        ),
        "we agreed",
        (
            r"\b(?:wish|if|when|until|unless|have|had|did|that|what|whether|once|as if|think|thought"
            r"|said|believe|not sure|like) we agreed"
        ),
        r"dream[^.!?]*we agreed|we agreed (?:on nothing|to disagree)|(?<!: )we agreed[^.!:]*\?$",
    ),
    "M6": Beside(
        About(
            "What somebody is going to do.",
            "The plan is to ship the beta in June.",
            but="The plan is still unclear.",
        ),
        "the plan is",
        (
            r"\b(?:what|know|if|whether|think|unless|ask|asked|sure|until|once|when|that"
            r"|what is) the plan is"
        ),
        r"the plan is (?:not|still unclear|unclear|unknown|\W*$)|the plan is[^.!:]*\?$",
    ),
    "M7": Beside(
        About(
            "A label before what the sender wants to keep.",
            "Note to self: call the bank on Monday.",
            but="She left a note to self on the desk.",
        ),
        "note to self",
        r"\b(?:a|the|her|his|their) note to self\b",
    ),
    "E1": Beside(
        About(
            "It was said before.", "I just told you my name!", but="What if I already told you everything?"
        ),
        " told you",
        r"\b(?:if|so) i (?:already|just) told you",
    ),
    "E2": Beside(
        About(
            "It was talked about before.",
            "We discussed this yesterday.",
            but="We talked about you yesterday.",
        ),
        "we talked|we discussed|we went over",
        (
            r"\b(?:if|when|until|unless|once|should|wish|the last time|since|after|before|while"
            r"|as) we (?:talked|discussed|went over)"
        ),
        r"we (?:talked|discussed|went over) (?:this|about)[^.!?]* (?:with|to) (?!you)\w+",
        (
            r"we (?:talked|discussed|went over) (?:about )?this (?:film|movie|book|song|show|guy|girl"
            r"|man|woman|place|restaurant)\b"
        ),
        (
            r"we (?:talked|discussed|went over) about (?!(?:this|that|it|these"
            r"|those)\b)(?!.*\b(?:before|already|yesterday|earlier|previously|last|ago|twice|times"
            r"|remember|again|(?:on|in|this) (?:\w+day|january|february|march|april|may|june|july"
            r"|august|\w+ber|morning))\b)"
        ),
        r"we talked about (?:you|him|her|them|us|\w+ing|everything|nothing)\b",
    ),
    "E3": Beside(
        About("The agent lost what it was told.", "You forgot again.", but="She said you forgot her."),
        "you forgot",
        NO_COMPLAINT,
        (
            r"you forgot-|you forgot(?:ten)? (?:nothing"
            r"|your (?:umbrella|phone|keys|wallet|jacket|coat|bag|lunch))"
        ),
    ),
    "E4": Beside(
        About(
            "The sender repeats what was said before.",
            "Remember when I said I hate olives?",
            but="Remember when I said I'd call him?",
        ),
        "remember when i said",
        (
            r"remember when i said (?:that )?i(?:'d|'ll| would| will| was| wanted| might| hoped"
            r"| couldn't| can't| could)\b"
        ),
        r"do you remember when i said",
    ),
    "E5": Beside(
        About(
            "It was said before, at a time that is named.",
            "I mentioned that earlier.",
            but="I mentioned it yesterday to Tom.",
        ),
        "i mentioned ",
        r"i mentioned (?:this|that|it) \w+(?: \w+)? (?:to|with) (?!you\b)\w+",
        r"if i mentioned",
    ),
    "E6": Beside(
        About("What was understood is not what was said.", "No, I said blue.", but="No, it's fine."),
        "no, i|no, my|no i|no my",
        _NO_BUT_KIND,
        r"\bno,? my (?:pleasure|bad|god|goodness|friend|dear|love)\b",
        rf"{_OF_A_KIND} (?:it's|it was|my)",
    ),
    "E7": Beside(
        About("It was said often enough.", "How many times!?", but="How many times can I retry?"),
        "how many times",
        rf"how many times(?!\W*$|[!?:,]|.{{0,40}}\b{words.SAYING}\b)",
        (
            r"(?:count|counts|counted|see|know|check|tell me|find|find out|calculate|track|shows?"
            r"|wonder|no matter|matter|of) how many times"
        ),
    ),
    "E8": Beside(
        About("The agent should know this.", "Don't you remember my address?", but="We don't you remember."),
        "don't you remember",
        r"\b(?:i|we|they|he|she) don't you remember",
    ),
    "S1": Beside(
        About(
            "It is otherwise than was thought.",
            "Actually, it's on Sunday.",
            but="Actually, I agree with you.",
        ),
        "actually",
        rf"\b{_AFTER_A_VERB} (?:\w+ )?actually,? (?:it's|it was|the|i|we|that)\b",
        (
            rf"actually,? (?:it's|it was|that's|that is|that was|that) (?:{words.PRAISE}\b"
            rf"|{words.VERY}(?:my|good|what i|exactly|how|why|an?|makes|sounds|looks"
            r"|works|would be|helps|helped)\b)"
        ),
        (
            r"actually,? i(?:'d| would)? (?:think|thought|agree|love|loved|like|liked|enjoy|enjoyed"
            r"|was (?:wondering|thinking|just|going|about|hoping)|have (?:a|one|another|some|no|two)"
            r"|wanted to|want to (?:ask|know|see)|wonder|need (?:a|some|help|your|to (?:ask|go|know))"
            r"|don't (?:know|mind|care|think|understand|remember)|can't|can|could|just|really|found"
            r"|feel|hope|had|got|did|do|see)\b"
        ),
        r"actually,? we (?:can|could|should|had|just|did|do|need|love|loved|enjoyed)\b",
        r"actually,? the (?:more|less|best|worst|whole)\b",
        r"actually,? (?:it's|it was|i|we|the|that)\b[^.!]*\?$",
        words.THANKS,
    ),
    "S2": Beside(
        About("It is otherwise than was said.", "No, the meeting is at 4.", but="No, that's why I ask."),
        "no, it's|no, that's|no, the|no it's|no that's|no the",
        _NO_BUT_KIND,
        (
            r"\bno,? the (?:weather|other|rest|food|view|kids|party|movie|film|show|trip|concert"
            r"|people|whole|joke|question|point|only|more|less)\b"
        ),
        rf"{_OF_A_KIND} (?:it's|that's|the)",
        (
            r"\bno,? that's (?:what|why|how|when|where|because|just|a|an|one|really|so|very"
            r"|not (?:it|a problem|necessary|important))\b"
        ),
        (
            r"\bno,? it's (?:just|still|only|because"
            r"|not (?:a problem|that|necessary|you|important|for|too)|about|like|my (?:first|fault)"
            r"|been|working|going|getting|raining|snowing)\b"
        ),
        (
            rf"\bno,? the [^.!?]{{1,40}}? (?:is|are|was|were) (?:{words.PRAISE}|still|already|running|working"
            rf"|not working|done|ready)\b"
        ),
        r"\bno,? (?:it's|that's|the) [^.!]*\?$",
    ),
    "S3": Beside(
        About("Something in the sender's life is new.", "I switched to decaf.", but="I started the server."),
        "i changed|i switched|i moved|i updated|i stopped|i started",
        rf"{_TASK_STEP} (?:\w+ ){{0,3}}?{words.TASK_THING}\b",
        (
            r"i started (?:to (?:think|feel|wonder|worry|cry|laugh|get|notice|see|reali[sz]e"
            r"|understand|like|panic|write|draft|type|look)"
            r"|(?:thinking|feeling|wondering|worrying|crying|laughing|getting|noticing|looking|seeing"
            r"|reading|watching|typing|writing|debugging"
            r"|a (?:new )?(?:chat|conversation|session|thread)))\b"
        ),
        (
            r"i (?:changed|moved|updated|stopped|switched) (?:it|them|this|these|everything|on|off"
            r"|(?:the|that|my) \w+ (?:on|off)|back|over|ahead|forward|around|out|in|up|down|by|at|for"
            r"|here|there|the (?:first|last|second|top))\b"
        ),
        r"i (?:stopped|started) (?:laughing|crying|by|at|there|here|it|this)\b",
        (
            rf"\b(?:if|when|before|after|since|until|while|once|what|as|how|why|because|should|could"
            rf"|can|did|had|have|where) {_TASK_STEP}"
        ),
        rf"i changed my mind[.!]?$|{_TASK_STEP} [^.!]*\?$",
    ),
    "S4": Beside(
        About("What was said does not hold.", "That's outdated.", but="Why do you say that's wrong?"),
        "that's ",
        (
            r"that's old (?:news|school|enough|man|hat|age|fashioned|times|people|friends)"
            r"|that's (?:old|wrong)-|that's wrong with"
        ),
        (
            r"(?:what|nothing|something|anything|everything|if|think|say|one"
            r"|thing) that's (?:not right|wrong|outdated|old)"
        ),
        r"what's wrong|\bno one that's old|that's (?:not right|wrong|outdated|old)[^.!]*\?$",
    ),
    "S5": Beside(
        About("It is otherwise by now.", "It's Mrs. Ito now.", but="It's sunny now."),
        "it's ",
        rf"\bit's (?:{words.PRAISE}|{words.PASSING})\b[^.!?]* now",
        r"it's .{1,30} (?:right now|now that|now and then|for now|by now|just now)",
        r"it's .{1,30} now[^.!]*\?$",
        words.THANKS,
    ),
}
