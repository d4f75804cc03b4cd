"""Words without their endings, so that "painted" and "painting" meet, and "Häuser" and "Hauses"; the index holds English stems."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def _table(rows: str) -> dict[str, str]:
    return {form: base for row in rows.split(";") for base, *forms in [row.split()] for form in forms}


# Forms that no ending tells. Each goes to its base form before the rules.
_IRREGULAR = _table("""
be am is are was were been being; have has had having; do does did done doing;
go goes went gone going; become became; begin began begun; bite bit bitten; blow blew blown;
break broke broken; bring brought; build built; buy bought; catch caught; choose chose chosen;
come came; deal dealt; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten;
fall fell fallen; feed fed; feel felt; fight fought; find found; fly flew flown;
forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten;
give gave given; grow grew grown; hang hung; hear heard; hide hid hidden; hold held; keep kept;
know knew known; lead led; lend lent; lose lost; make made; mean meant; meet met; pay paid;
ride rode ridden; ring rang rung; rise rose risen; run ran; say said; see saw seen; sell sold;
send sent; shake shook shaken; shine shone; shoot shot; show shown; sing sang sung; sink sank sunk;
sit sat; sleep slept; speak spoke spoken; spend spent; stand stood; steal stole stolen; stick stuck;
strike struck; swear swore sworn; swim swam swum; take took taken; teach taught; tear tore torn;
tell told; think thought; throw threw thrown; understand understood; wake woke woken; wear wore worn;
win won; write wrote written; child children; man men; woman women; person people; foot feet;
tooth teeth; mouse mice; goose geese; knife knives; wife wives; wolf wolves; calf calves;
loaf loaves; scarf scarves; thief thieves; bus buses; gas gases; canvas canvases; iris irises;
alias aliases; quiz quizzes; crisis crises; analysis analyses; good better best; bad worse worst;
die dies died dying; lie lies lied lying; tie ties tied tying; ski skis; paste pasted pastes pasting;
exceed exceeded exceeding exceeds; proceed proceeded proceeding proceeds;
succeed succeeded succeeding succeeds
""")
# Forms of two words: `lives` is what somebody does, and more than one life. The first is the word's own stem.
_TWO_WORDS = _table(
    "live-life lives; leave-leaf leaves; halve-half halves; shelve-shelf shelves; base-basis bases; axe-axis axes"
)
# Their last letters only look like an ending.
_WHOLE = frozenset({"early", "evening", "lens", "news", "only", "outing", "paste", "sky", "ugly"})
_WHOLE |= {"exceed", "proceed", "succeed"}


def english_stem(word: str) -> str:
    """Return the stem of a lower-cased ASCII ``word``; short words and those with digits stay as they are."""
    if len(word) < 3:
        return word
    if word in _TWO_WORDS:
        word = _TWO_WORDS[word].partition("-")[0]
    word = _IRREGULAR.get(word, word)
    if len(word) < 3 or word in _WHOLE or not word.isalpha():
        return word
    stem = _stemmer("english")(word)
    return stem[:-1] if stem.endswith("gi") else stem  # `allergy`, as `allergic`


def second_stem(word: str) -> str:
    """Return the stem of the other word that a lower-cased form belongs to, empty where it belongs to one."""
    other = _TWO_WORDS.get(word, "").partition("-")[2]
    return _stemmer("english")(other) if other else ""


def stem_in(language: str, word: str) -> str:
    """Return the stem of a folded ``word`` in a language by its English name ("german")."""
    return _stemmer(language)(word)


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    from Stemmer import Stemmer  # most commands stem nothing

    stem: Callable[[str], str] = Stemmer(language).stemWord
    return stem
