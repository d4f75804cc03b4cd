"""Words for the operator in each language, folded as by `terms.folded`; and his sentences as memory stores them.

Memory stores his words, in quotation marks if they have an `I`.
"""

from __future__ import annotations

import re

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded as one_line
from clawgit.text.words.stopwords import FRENCH, languages_of
from clawgit.text.words.terms import folded
from clawgit.text.words.word_lists import WEEKDAY, words_in

# fmt: off

SELF = words_in("""
i me myself we us ourselves ich mich mir wir uns je j moi m me nous yo nosotros nosotras eu nos io noi
""")
OWN = words_in("""
my mine our ours mein meine meinen meinem meiner meines unser unsere unseren unserem unserer mon ma mes notre nos mi mis nuestro
nuestra nuestros nuestras meu minha meus minhas nosso nossa nossos nossas mio mia miei mie nostro nostra nostri nostre
""")
YOU = words_in("you du dich dir tu te toi vous usted voce lei")
YOURS = words_in("your yours dein deine deinen deinem deiner ton ta tes votre vos tus teu tua seu sua tuo tua tuoi tue")
OTHER = words_in("""
he she him they them his her hers their theirs er ihm ihn sein seine seinen seinem seiner ihre ihren ihrem ihrer elle ils elles
leur leurs ella ellos ellas ele ela dele dela eles elas egli lui loro suo sua suoi sue su sus sa ses
""")
USER_NOUNS = words_in("""
user operator nutzer nutzerin benutzer benutzerin anwender anwenderin utilisateur utilisatrice usuario usuaria utilizador
utilizadora utente
""")
GENITIVE = words_in("users nutzers benutzers anwenders operators")
ASSISTANT = words_in("assistant agent ai bot model")
SPEAKERS = USER_NOUNS | ASSISTANT | SELF
CJK_OWN = lazy_pattern("(?:用户|用戶|我们|我們|咱们|我|私|僕|俺|ユーザー)[的の]|(?<![가-힣])(?:사용자의|나의|저의|내|제|우리)(?= )")
CJK_SELF = lazy_pattern("用户|用戶|我们|我們|咱们|我|私|僕|俺|ユーザー|(?<![가-힣])(?:사용자|나|저|난|전|내가|제가|우리)(?:는|은|가|도|를|에게|한테)?(?![가-힣])")
CJK_OTHER = lazy_pattern("[他她你您]们?的?|彼女?の?|あなたの?|(?<![가-힣])(?:그의|그녀의|너의|네|그는|그녀는)(?= )")
CJK_NOW = lazy_pattern("现在|現在|目前|一直|已经|已經|今、?|지금|요즘")
_NAMED = lazy_pattern(r"(?im)^[^\w\n]*(?:name|how to address them|(?:what to )?call (?:me|them))[^\w\n]*:[^\w\n]*(?P<name>[^\W\d_][^\n,;(]{0,40})")


def written_names(standing_file: bytes) -> list[str]:
    """Return the operator's names after `Name:` in USER.md, as written."""
    lines = _NAMED.findall(standing_file.decode("utf-8", "replace"))
    return list(filter(None, (name.strip(" *_.").strip() for name in lines)))


def operator_names(standing_file: bytes) -> frozenset[str]:
    """Return the operator's full and first names, folded."""
    names: set[str] = set()
    for name in map(folded, written_names(standing_file)):
        names |= {name, name.split()[0]}
    return frozenset(names)


def tells_of_himself(text: str) -> bool:
    """Say whether a text has a word for its speaker."""
    words = _WORD.findall(text.lower())
    return not (SELF | OWN).isdisjoint(words) or CJK_SELF.search(text) is not None


# fmt: on

USER = "User"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_BESIDE = lazy_pattern(
    rf"\b(?:next|last|this|coming) (?:week|weekend|month|quarter|year|spring|summer|autumn|fall|winter|night|{WEEKDAY})\b"
    rf"(?!,? (?:{_MONTH}[a-z]*\.? \d|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}))"  # `next Thursday, Dec 10` is a date
    r"|\b(?:today|tonight|tomorrow|yesterday)\b|\b\w+ (?:days?|weeks?|months?|years?) ago\b|\bin \w+ (?:days?|weeks?|months?)\b"
    r"|[上下这這本](?:个|個)?[周週月]|今晚|今年|明年|去年|(?:다음|지난|이번) ?(?:주|달|해)|내년|작년|올해"
    r"|前天|昨天|今天|明天|그저께|어제|오늘|내일",
    re.IGNORECASE,
)
_WORD = lazy_pattern(r"\b[a-hj-z]\.|[^\W\d_]+")  # `M.` is no `m'`
_EAST_ASIAN = lazy_pattern(
    r"[我你您咱]|私|僕|俺|(?<![가-힣])(?:나|내|저|제|우리|너|네|난|전)(?:는|은|가|를|의|도|한테|에게)?(?![가-힣])"
)
_SPEAKING = SELF | OWN | YOU | YOURS


def is_beside(statement: str) -> bool:
    """Say whether a sentence means another day if said on another day."""
    return _BESIDE.search(statement) is not None


def as_remembered(sentence: str) -> str:
    """Return the form in which memory stores a sentence of the operator's, no word changed."""
    plain = one_line(sentence)
    words = set(_WORD.findall(plain.lower()))
    if FRENCH in languages_of(list(map(folded, words))):
        words.discard("du")  # an article there
    has_i_or_you = _SPEAKING.intersection(words) or _EAST_ASIAN.search(plain)
    if not has_i_or_you:
        return plain
    inner = plain.replace('"', "'")
    return f'{USER}: "{inner}"'


def as_said(statement: str) -> str:
    """Return the operator's own sentence from its stored form."""
    quoted = statement.removeprefix(f'{USER}: "')
    return statement if quoted == statement else quoted.removesuffix('"')
