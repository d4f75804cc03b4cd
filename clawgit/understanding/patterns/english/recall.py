"""Our own English patterns for "you should know this": told before, said before, forgotten again."""

from __future__ import annotations

from clawgit.text.words.word_lists import any_of
from clawgit.understanding.patterns.english.words import ADVERB, BEFORE, HAVE, QUESTION, SAYING
from clawgit.understanding.patterns.pattern_rule import EXPLICIT, About, Find, Rule

_NTH = any_of(
    r"""
    second, third, fourth, fifth, sixth, tenth, hundredth, thousandth, umpteenth, millionth, nth,
    \d+(?:st|nd|rd|th)
    """
)
_TO_OTHERS = (
    r"(?:said|mentioned|told|explained|sent|gave|wrote|shared|talked|discussed)[^.!?]* (?:to"
    r"|with) (?!you\b|me\b|the\b|a\b|my|that|this|not\b|use|be\b|do\b|go|get|keep|avoid|never"
    r"|always)\w+"
)
# Where "you forgot" is a case, a worry or another's report, not a complaint.
NO_COMPLAINT = (
    r"\b(?:if|in case|when|whenever|unless|because|before|until|so|lest|hope|sure|thought"
    r"|think|worried|afraid|pretend|wish|never|the time|once|things|something|anything"
    r"|everything|let|help|makes?|made|said|says|told me|heard|i) (?:that )?you(?:'ve| have"
    r"| ever| would| might| should| do)? forg[eo]t"
)

RULES = (
    Rule(
        "en:told",
        EXPLICIT,
        About("It was told before.", "I told you: no dairy.", but="If I told you, you would laugh."),
        Find(
            " told you| told ya| telling you| tell you",
            rf"\bi{HAVE}{ADVERB} told (?:you|ya)\b(?! so\b)",
            r"\bi(?:'ve| have) been telling you\b|\bi did (?:already )?tell you\b",
            r"\b(?:didn't|did not|haven't|have) i (?:not )?(?:already |just )*(?:tell|told) you\b",
            r"\bwhat did i (?:just )?tell you",
            r"\b(?:as|like) i (?:keep |already |just )*(?:told|telling) you",
            r"\bi (?:keep|have to (?:keep )?)(?: ?tell(?:ing)? you)",
            r"\byou were (?:already )?told\b",
            r"(?:^\W*|[.!?] )(?:already|just|literally) told you\b",
        ),
        unless=(
            (
                r"\b(?:if|when|once|before|until|wish|should|thought|think|have i|did i|glad|happy|believe"
                r"|never|because) (?:that )?i(?:'ve)?(?: already)? told you"
            ),
            r"\b(?:the|that|this|a) (?:\w+ ){1,3}(?:that )?i told you(?: about)?\b",
            (
                r"i told you (?:about (?!my|the|this|that|it)|i'd|i would|a lie|how (?:much|happy)"
                r"|that story)"
            ),
        ),
    ),
    Rule(
        "en:said",
        EXPLICIT,
        About("It was said before.", "I already answered that.", but="If I already said that, sorry."),
        Find(
            (
                "said|i say|just say|mentioned|i wrote|explained|gave|given you|answered|shared|sent"
                "|specified|noted|stated"
            ),
            (
                rf"\b(?:as|like) i{HAVE}{ADVERB} (?:said|mentioned|explained|wrote|noted|stated|pointed out"
                rf"|specified)\b"
            ),
            (
                rf"\bi{HAVE} (?:already|just|literally|clearly|explicitly|specifically"
                rf"|repeatedly)(?: (?:already|just|literally))* "
                r"(?:said|mentioned|explained|answered|gave you|given you|shared|specified|stated"
                r"|corrected|provided|asked you (?:not )?to)\b"
            ),
            (
                rf"\bi{HAVE}{ADVERB} (?:said|explained|mentioned|answered|asked|gave|sent|shared|wrote"
                rf"|covered|stated|specified)[^.!?]{{0,40}} {BEFORE}\b"
            ),
            r"\bi said (?!no\b|yes\b|hi\b)[^.!?,]{1,40},? not\b",
            r"\bthat's (?:not )?what i (?:just |already )?(?:said|told you|asked)\b",
            r"\bwhat did i (?:just say\b|say\?)",
            r"\bi said so\b",
        ),
        unless=(
            r"\b(?:if|should|have|did|do|hope) i (?:already|just|mentioned|said)|let me",
            _TO_OTHERS,
            r"^i just (?:sent|shared|asked|wrote|gave) (?!you)",
            (
                r"^i(?:'ve)? (?:already )?(?:sent|shared|wrote|asked|gave) (?:the|an?|it|him|her|them|my"
                r"|to)\b"
            ),
        ),
    ),
    Rule(
        "en:discussed",
        EXPLICIT,
        About("It was gone over before.", "We've been over this.", but="We talked about you yesterday."),
        Find(
            (
                "talked|discussed|gone |went |covered|been over|been through|spoke|dealt with|settled"
                "|we already|we just"
            ),
            (
                rf"\bwe{HAVE}{ADVERB} (?:talked|discussed|gone over|went over|covered|been (?:over|through)"
                rf"|gone through|went through|spoken"
                r"|spoke|dealt with|settled)(?: about| through| on)? (?:this|that|it|these|all this"
                r"|all of this)\b"
            ),
            r"\bi(?:'ve| have) been (?:over|through) (?:this|that|it)\b",
            (
                rf"\bwe{HAVE} (?:already|just) (?:talked|discussed|gone over|went over|covered|spoken|spoke"
                rf"|settled|agreed|decided)\b"
            ),
            (
                rf"\bwe{HAVE} (?:talked|discussed|spoken|spoke|went over"
                rf"|gone over)[^.!?]{{0,60}} (?:{BEFORE}|remember)\b"
            ),
        ),
        unless=(
            QUESTION,
            (
                r"\b(?:if|have|did|when|once|until|should|wish|as|after|before|since|and then) we (?:'ve "
                r"|have )?(?:already )?(?:talk|discuss|spoke|went|cover)"
            ),
            _TO_OTHERS,
            r"this (?:film|movie|book|song|show|place)|about (?:you|him|her|them)\b|and yes|for hours",
        ),
    ),
    Rule(
        "en:didn't-we",
        EXPLICIT,
        About("It was gone over before, asked in reproach.", "Didn't we discuss this yesterday?"),
        Find(
            "didn't we|haven't we|hadn't we|did we not|have we not|had we not",
            (
                r"\b(?:(?:didn't|haven't|hadn't) we|(?:did|had|have) we not) (?:already |just )*(?:discuss"
                r"|talk|agree|go over|gone over|cover|decide|been over|been through|settle)"
            ),
        ),
    ),
    Rule(
        "en:forgot",
        EXPLICIT,
        About("The agent lost what it was told.", "Did you forget already?", but="She said you forgot her."),
        Find(
            "forgot|forget",
            (
                rf"\byou(?:'ve| have| had|'re| are)?{ADVERB}(?: keep| kept| must have| seem to have"
                rf"| seem to)?{ADVERB} "
                r"(?:forgot|forgotten|forget|forgetting)\b"
            ),
            (
                r"\b(?:did|didn't|have|haven't) you (?:already |really |just |completely "
                r"|seriously )*(?:forget|forgot|forgotten)\b"
            ),
            r"\bwhy (?:do|did|would) you (?:always |keep )*forget",
            r"\bhow (?:can|could|did|do) you (?:possibly |even )?forget",
            r"\b^(?:already )?forg[eo]t(?:ten)? (?:again|already)\b",
            r"\bstop forgetting\b",
        ),
        unless=(
            NO_COMPLAINT,
            r"\b(?:you|i|we) (?:can|could|may|should|never|won't|don't|will|might) forget|you forgot-",
            (
                r"you forgot your (?:umbrella|phone|keys|wallet|coat|bag)"
                r"|what (?:do|should|can) (?:i|you|we) do"
            ),
        ),
    ),
    Rule(
        "en:not-remember",
        EXPLICIT,
        About(
            "The agent should know this.",
            "Can't you remember anything?",
            but="It's ok if you don't remember.",
        ),
        Find(
            "remember|recall|know",
            (
                r"\b(?:don't|can't|do not|cannot|could not|couldn't|didn't) you (?:even |really |still "
                r"|possibly )?(?:remember|recall)\b"
            ),
            r"\bdo you (?:\w+ )?not (?:even )?(?:remember|recall)\b",
            (
                rf"\byou{ADVERB}(?: never)? (?:don't|can't|didn't|do not|cannot|never) (?:even |ever "
                rf"|seem to )?(?:remember|recall)\b"
            ),
            r"\bwhy (?:can't|don't|won't|didn't) you (?:ever )?(?:remember|recall)",
            r"\b(?:how|why) (?:can|could|do) you (?:not|never) (?:remember|recall)",
            (
                r"\byou (?:should|ought to|were supposed to|must) (?:really |at least )?(?:already know"
                r"|remember|have (?:known|remembered))\b"
            ),
            r"\byou (?:should|ought to) know (?:\w+ ){0,3}?(?:by now|already|better)",
            r"\byou (?:should|ought to) know (?:this|that|it)(?:[,.!?]|$)",
            r"\byou know (?:this|that) already\b",
            r"\bremember\?[!?]* i (?:said|told|already|mentioned)",
            r"\bremember (?:that )?i (?:said|told you|already told|mentioned|asked you)\b",
            r"\b(?:i|we|my|it's|it is|the)\b[^.!?]{2,80}, remember\?",
        ),
        unless=(
            (
                r"\b(?:if|when|in case|because|i know|i guess|i think|hope|even if|ok if|okay if|fine if"
                r"|moments?|things?) you (?:don't|can't|didn't|do not|cannot)"
            ),
            (
                r"remember (?:being|how (?:it|we)|the (?:movie|film|song))|you don't (?:need|have) to"
                r"|do you remember"
            ),
        ),
    ),
    Rule(
        "en:repeat",
        EXPLICIT,
        About(
            "The sender is tired of saying it.",
            "I shouldn't have to repeat this.",
            but="I hate repeating myself, but can you repeat that?",
        ),
        Find(
            "repeat|explain|remind|correct you|correcting|tell you|telling you",
            (
                r"\b(?:have to|had to|need to|keep|hate|hating|tired of|sick of|always|constantly|must i"
                r"|should i|fed up with|done) (?:keep(?:ing)? )?(?:repeat(?:ing)? (?:myself|this|that|it"
                r"|everything)|(?:remind|correct|tell)(?:ing)? you\b"
                r"|explain(?:ing)? (?:this|it|that|everything) (?:again|every|to you)"
                r"|having to (?:repeat|explain|tell|remind))"
            ),
            r"\bdon't make me repeat|\bi(?:'m| am) repeating myself\b",
        ),
        unless=(r"(?:can|could) you (?:repeat|explain)|please (?:repeat|explain)|repeat after",),
    ),
    Rule(
        "en:again",
        EXPLICIT,
        About("The agent asks or errs again.", "You already asked me that."),
        Find(
            (
                "again|this again|not again|once again|yet again|asking|you ask|you've asked"
                "|you already ask|you just ask|you keep|you kept|you still|you got|you get|stop asking"
            ),
            (
                r"^(?:not |once |yet |seriously |really )*(?:this )?again(?:\s*[?!]+"
                r"|, (?:my|it's|i|the|no))"
            ),
            (
                r"\byou(?:'ve| have)?(?: (?:already|just|keep|literally))* (?:asked|asking"
                r"|ask)(?: me)? (?:this|that|it|the same|about (?:this|that|my)|for (?:this|that|my)"
                r"|what my|where i|who my)\b"
            ),
            r"\bstop asking (?:me|for my|about my|what my|that|this)\b",
            (
                r"\byou (?:keep|kept) (?:getting|mixing|confusing|calling|saying|using|making|repeating"
                r"|asking|ignoring)\b"
            ),
            r"\byou (?:still|again) (?:don't know|got|get|have|use|call)[^.!?]{0,50}(?:wrong|old|my)",
            r"\byou (?:got|get)[^.!?]{1,40} wrong (?:again|every time|each time)",
        ),
    ),
    Rule(
        "en:times",
        EXPLICIT,
        About(
            "It was said often enough.",
            "How often do I have to repeat this?",
            but="This is the first time; for the last time in years.",
        ),
        Find(
            "how many|how often|for the |this is the|that's the|it's the",
            rf"\bfor the (?:{_NTH}|last) time\b",
            rf"\b(?:this is|that's|it's) the {_NTH} time (?:i|you|we)\b",
            r"\bhow often do i (?:have|need) to\b",
            rf"\bhow many (?:more )?times\b.{{0,40}}\b{SAYING}\b",
        ),
        unless=(
            r"\bfor the last time (?:in|since|ever|we|he|she|they)",
            r"how many times (?:can|does|did (?!i))",
        ),
    ),
)
