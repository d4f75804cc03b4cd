"""English words without their endings, so that "painted" and "painting" meet. Other Latin words pass through the same rules."""

from __future__ import annotations

from clawgit.text.lazy_pattern import lazy_pattern

_VOWELS = "aeiouy"
# The part behind the first consonant that follows a vowel: what stands before it is never touched.
_REGION = lazy_pattern(
    r"(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)|[^aeiouy]*[aeiouy]+[^aeiouy]"
)
_DOUBLE = lazy_pattern(r"(?<!^[aeo])(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$")
_SHORT_SYLLABLE = lazy_pattern(r"[^aeiouy][aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]$")
_HAS_VOWEL = lazy_pattern(r"[aeiouy]")
_CONSONANT_Y = lazy_pattern(r"(?<=[aeiouy])y|^y")

_SECOND = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "abli": "able",
    "entli": "ent",
    "izer": "ize",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "aliti": "al",
    "alli": "al",
    "fulness": "ful",
    "ousli": "ous",
    "ousness": "ous",
    "iveness": "ive",
    "iviti": "ive",
    "biliti": "ble",
    "bli": "ble",
    "fulli": "ful",
    "lessli": "less",
}
_THIRD = {
    "ational": "ate",
    "tional": "tion",
    "alize": "al",
    "icate": "ic",
    "iciti": "ic",
    "ical": "ic",
    "ful": "",
    "ness": "",
}
_FOURTH = lazy_pattern(
    r"(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$"
)
_SECOND_END = lazy_pattern(f"(?:{'|'.join(sorted(_SECOND, key=len, reverse=True))})$")
_THIRD_END = lazy_pattern(f"(?:{'|'.join(sorted(_THIRD, key=len, reverse=True))}|ative)$")


def _table(lines: str) -> dict[str, str]:
    return {form: base for line in lines.split("\n") for base, *forms in [line.split()] for form in forms}


# Forms that no ending tells. Each goes to its base form before the rules.
_IRREGULAR = _table(
    """\
be am is are was were been being
have has had having
do does did done doing
go goes went gone going
become became
begin began begun
bite bit bitten
blow blew blown
break broke broken
bring brought
build built
buy bought
catch caught
choose chose chosen
come came
deal dealt
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
fly flew flown
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
know knew known
lead led
lend lent
lose lost
make made
mean meant
meet met
pay paid
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
sell sold
send sent
shake shook shaken
shine shone
shoot shot
show shown
sing sang sung
sink sank sunk
sit sat
sleep slept
speak spoke spoken
spend spent
stand stood
steal stole stolen
stick stuck
strike struck
swear swore sworn
swim swam swum
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
wake woke woken
wear wore worn
win won
write wrote written
child children
man men
woman women
person people
foot feet
tooth teeth
mouse mice
goose geese
knife knives
life lives
wife wives
leaf leaves
half halves
shelf shelves
wolf wolves
good better best
bad worse worst
die dies died dying
lie lies lied lying
tie ties tied tying
ski skis
paste pasted pastes pasting
exceed exceeded exceeding exceeds
proceed proceeded proceeding proceeds
succeed succeeded succeeding succeeds"""
)

# Their last letters only look like an ending.
_WHOLE = frozenset({"early", "evening", "lens", "news", "only", "outing", "paste", "sky", "ugly"})
_WHOLE |= {"exceed", "proceed", "succeed"}


def english_stem(word: str) -> str:
    """Return the stem of a lower-cased ASCII ``word``; short words and those with digits stay as they are."""
    if len(word) < 3:
        return word
    word = _IRREGULAR.get(word, word)
    if len(word) < 3 or word in _WHOLE or not word.isalpha():
        return word
    word = _CONSONANT_Y.sub("Y", word)
    first, second = _regions(word)
    word = _plural(word)
    word = _past(word, first)
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    word = _derived(word, first, second)
    return _bare(word, first, second).lower()


def _regions(word: str) -> tuple[int, int]:
    found = _REGION.match(word)
    first = found.end() if found else len(word)
    found = _REGION.match(word[first:]) if first < len(word) else None
    return first, first + found.end() if found else len(word)


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith(("us", "ss")) or not word.endswith("s"):
        return word
    return word[:-1] if _HAS_VOWEL.search(word, 0, len(word) - 2) else word


def _past(word: str, first: int) -> str:
    if word.endswith(("eed", "eedly")):
        cut = 1 if word.endswith("d") else 3
        return word[:-cut] if len(word) - cut - 2 >= first else word
    ending = next((end for end in ("ingly", "edly", "ing", "ed") if word.endswith(end)), "")
    left = word[: len(word) - len(ending)]
    if not ending or not _HAS_VOWEL.search(left):
        return word
    if left.endswith(("at", "bl", "iz")):
        return left + "e"
    if _DOUBLE.search(left):
        return left[:-1]
    return left + "e" if len(left) <= first and _SHORT_SYLLABLE.search(left) else left


def _derived(word: str, first: int, second: int) -> str:
    found = _SECOND_END.search(word)
    if found:
        if found.start() >= first:
            word = word[: found.start()] + _SECOND[found.group()]
    elif (word.endswith("logi") and len(word) - 3 >= first) or (
        word.endswith("li") and len(word) - 2 >= first and word[-3] in "cdeghkmnrt"
    ):
        word = word[:-1] if word.endswith("logi") else word[:-2]
    found = _THIRD_END.search(word)
    if found and found.start() >= (second if found.group() == "ative" else first):
        word = word[: found.start()] + _THIRD.get(found.group(), "")
    return word


def _bare(word: str, first: int, second: int) -> str:
    found = _FOURTH.search(word)
    if found and found.start() >= second:
        word = word[: found.start()]
    if word.endswith("e"):
        cut = len(word) - 1
        if cut >= second or (cut >= first and not _SHORT_SYLLABLE.search(word[:-1])):
            return word[:-1]
    if word.endswith("ll") and len(word) - 1 >= second:
        return word[:-1]
    return word
