"""Statements in longer texts: the sentences of a message, the parts of an entry, and which statement a query means."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.tiers import day_in
from clawgit.text.comparing.similarity import likeness, without_accents, words
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import without_trailing_comment
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.word_lists import ADDRESS, ITALIAN_ORDER, REMEMBER_BEHIND, SPANISH_ORDER, WRITE_DOWN

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

MOST_SENTENCES = 40  # of one message; a longer one is not a correction
MOST_LENGTH = 1000  # characters of one
# The full stop of an initial or an abbreviation ends no sentence: `J. Miller`, `z. B.`, `dr. weber`, but `at 5 p.m. We …`, `20 ms. The …`.
_INITIAL = r"(?:(?<!(?<![\w'’-])(?<!\d )[A-Za-z]\.)|(?<=\b[ap]\.m\.)(?=\s+[A-ZÀ-Þ]))"
SHORTENED = "mr|mrs|ms|dr|dra|med|rer|nat|dipl|prof|st|mt|sr|sra|srta|sig|mme|mlle|hr|fr|fa|dhr|mevr|vs|ca|approx|bzw|ggf|evtl|inkl|zzgl"
_DAY_WORDS = ("[Aa]m", "[Dd]en", "[Dd]em", "[Dd]er", "[Zz]um", "[Vv]om")
_MONTHS = "Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince"
_GOES_ON = _INITIAL + "".join(rf"(?<!(?<!\d )(?i:\b{word}\.))" for word in SHORTENED.split("|"))
# `Hauptstr. 5`, `Steuernr. 7`, `invoice no. 7`, `Tel. 06081`
_NUMBERED = (
    r"(?!(?:(?<=[Ss]tr\.)|(?<=[Nn]r\.)|(?<=\bNo\.)|(?<=\w no\.)|(?<=\b(?i:t[eé]l|fax|mob|ext)\.))\s+\+?\d)"
)
# A short word before a preposition: `on 5 Jan. at 8`, `am Do. um 15 Uhr`.
_ONWARD = r"(?!(?:(?<=\w [^\W\d]{2}\.)|(?<=\w [^\W\d]{3}\.))\s+(?:at|from|until|till|to|um|ab|von|bis)\b)"
# `am 3. Mai`, `den 5. maj`, `am 1. fällig`: the number of a day.
_DAY_BEFORE = "|".join(rf"(?<=\b{word} {day}\.)" for word in _DAY_WORDS for day in (r"\d", r"\d\d"))
# `24. april`, `am 5.12. fertig`
_DAY = rf"(?!(?:{_DAY_BEFORE})\s+[a-zà-ÿ]|(?:(?<=\b\d\.)|(?<=\b\d\d\.))\s+(?i:{_MONTHS})\b|(?:(?<=\d\.\d\.)|(?<=\d\.\d\d\.))\s+[a-zà-ÿ])"
_END = lazy_pattern(
    rf"(?<=[.!?]){_GOES_ON}{_NUMBERED}{_ONWARD}{_DAY}\s+|(?<=[。！？；])|(?<=[!?])(?=[\u3400-\u9fff가-힣])|\n+"
)
# Boundaries between two statements in one sentence, which are split there.
_OWNER = r"(?:the|my|our|his|her|their|its|\w+['’]s)"
_SAYING = r"(?:is|are|was|were|has|have|runs?|starts?|lives?|goes|leaves?|takes?|costs?|uses?|prefers?|listens?|works?)"
_CLAUSES = (
    r";\s+",
    r",\s+(?:and|but|so|also|then|which)\s+",
    r"[，,]\s*(?=并且|並且|而且|但是?|所以|请|請|그리고|하지만)",
    rf"(?:,|\sand)\s(?={_OWNER}\s(?:[\w'’-]+\s){{1,4}}{_SAYING}\s)",
    r"\sand\s(?=[\w'’-]+\s(?:is|are)\s)",
    r"[，,](?=(?:[^，,。；是在叫不现現]{2,20})(?:是|叫|在|用的是))",
    r"(?<=이고)[,，]?\s+",
)
_CLAUSE = lazy_pattern("|".join(_CLAUSES))
# Of items and headings; `**bold**` and `C#` are words.
_MARKERS = lazy_pattern(r"^(?:(?:[-*•]+|#{1,6})(?:\s|$))+")
_CLOCK = r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?"
# A date, or the time of a note's line: `[14:05] …`, `14:05 - …`, `14:05 Called Ann`; in `14:05 is late` the time is content.
_DATE = lazy_pattern(
    rf"\d{{4}}-\d{{2}}-\d{{2}}:\s+|\[{_CLOCK}\]:?\s+|{_CLOCK}(?::|\s[-–—|])\s+|{_CLOCK}\s+(?=[A-ZÀ-Þ])"
)
_TIME_OF_HEADING = lazy_pattern(rf"^\[?{_CLOCK}\]?(?:\s*(?:Uhr|[AaPp][Mm]))?(?:\s*[-–—|:]\s*|\s+|$)")
# After a sentence's end, or starting with a known tag; in `the channel is #general` it is a word.
_TAGS = lazy_pattern(
    r"(?:(?<=[.!?…。！？)\]\"”»])\s+#[^\s#]+|\s+#(?:event|knowledge|skill|decision))(?:\s+#[^\s#]+)*$"
)
# A request to remember what follows it.
ASKED = lazy_pattern(
    r"^(?:(?:please\s+)?(?:remember|note(?: bien(?=\s*:))?|keep in mind)\b(?:\s+(?:this|that)\b)?\s*[:：,，—-]?\s*"
    r"|(?:请)?(?:记住|记一下|记得|記住)(?:这个|这一点|这個|這個)?\s*[:：,，]?\s*"
    r"|(?:이거|이걸|이것)?\s*(?:꼭\s*)?기억해(?:\s*줘|\s*둬|\s*주세요)?\s*[:：,，.]?\s*)",
    re.IGNORECASE,
)
# An order followed by a clause that can stand alone. Not German `dass` (verb last) and Korean (a noun clause).
_OF_SEVERAL = r"(?:go|come|open|close|begin|end|meet|stay|need|like|love|want|(?:can|won)['’]?t|(?:can|must|should|will|do|does)(?:n['’]?t| ?not)?)"
_OF_ONE = r"(?:wants|needs|likes|loves|hates|says|pays|gets|comes|opens|closes|ends|begins|wears|sells|keeps|expects|accepts|belongs)"
# `that` before a clause, not `that song we like`, `that dog in Leeds`.
_NO_NOUN = r"(?:i|we|you|he|she|it|they|nobody|everyone|everybody|people|when|if|since|because|while|as|after|before|until|unless|today|tomorrow|\w+days)"
_NO_ARTICLE = rf"(?! (?:one|guy|time|day)\b| (?!{_NO_NOUN} )\w+ (?:who|which|that|we|i|you|he|she|they|(?:from|of|in|at|on|with|about|by|for)(?! [^.;]*\b(?:{_SAYING}|{_OF_ONE})\b))(?![\w-]))"
_CLAUSE_AHEAD = rf",?\s+(?=(?:i|we|he|she|they)(?:['’]\w+)? |(?:(?!(?:to|who|which|that|what|when|where|how|if)\b)(?:(?:\w|{SHORTENED})\.|[\w'’-]+) ){{1,8}}?(?:am|{_SAYING}|(?:{_OF_SEVERAL}|{_OF_ONE})(?= \w))\b)"
_NO_DASS = r"(?!\s*[:,]\s*(?:bitte,?\s+)?(?:da(?:ss|\xdf)|das (?:der|die|das|ich|du|er|sie|es|wir|ihr|mein\w*|unser\w*))\b)"
_BEFORE_A_VERB = "(?:inte|aldrig|alltid|ofta|bara|ikke|aldri|altid|ofte|kun)"
# `remember Bea's number: …`, `remember Mei moves out`, `remember dentist 5 march`.
_LABEL_AHEAD = r"\s+(?=(?!(?:to|who|which|that|what|when|where|how|if|this|it|me|us|you|him|her|them)\b)(?:(?:[\w'’-]+ ){0,4}[\w'’-]+: \S|(?-i:[A-Z])[\w'’-]+ (?-i:[a-z]{2,}[^s\W]s) \w|(?:[\w'’-]+ ){1,8}?\d))"
# Continues the sentence before it.
AND_ALSO = r"(?:(?:and|also|und|außerdem|et|aussi|y|también|además|e|anche|também|ook|och|också|og|også|oraz|та|також|і|en(?= (?:de|het|mijn|onze?|ons|een)\b))\b[,:]?\s+)+|(?:还有|還有|另外|以及|그리고|また|それと)[,，、]?\s*"
# Openings of a sentence without content for memory.
_ASIDE = lazy_pattern(
    r"^(?:(?:(?:oh|ach|also),? )?(?:by the way|btw|übrigens|nebenbei|por cierto|au fait|à propos|fyi|for your info(?:rmation)?|zur info|pour info)(?:\s*[,:–—-]+\s*|(?<=btw|fyi)\s+)"
    rf"|(?:顺便说一下|對了|对了|그런데|참고로)[,，]\s*|{AND_ALSO})",
    re.IGNORECASE,
)
_ORDER_AHEAD = (
    rf"^(?:(?:{ADDRESS}|please|also|and|then|so|do|ok(?:ay)?|bitte|por favor|s['’]il te plaît|proszę|prosím|будь ласка|per favore|alsjeblieft|alstublieft|snälla|venligst|vennligst|(?:can|could|would|will) you),? )*(?:"
    r"(?:rem[em]*be?r|note(?!\s*[:：]| bien\b)|memori[sz]e|(?:do n[o']t|don['’]?t|never) (?:you )?forget|(?:keep|bear) (?:(?:it|this|that) )?in mind"
    rf"|(?:make|take) a (?:mental )?note|(?:add|save) to (?:your |my )?memory)(?:(?: (?:this|that))?(?: for me)?\s*[:：]\s*|(?: for me)?,? that{_NO_ARTICLE}\s+|\s+to\s+(?=(?:never|always)\b)|{_CLAUSE_AHEAD}|{_LABEL_AHEAD})"
    rf"|(?:merk(?:e|en sie)? (?:dir|euch|sich)|denk(?:e|t|en sie)? da?ran|notieren?|schreibe? auf|aufschreiben|merken)(?: bitte)?{_NO_DASS}(?:\s*:\s*|,(?!\s*(?:ob|zu|w\w+)\b)\s*)"
    r"|(?:souviens[- ]toi|souvenez[- ]vous|rappelle[- ]toi|rappelez[- ]vous|retiens|retenez|mémorise[sz]?|n['’]oublie[sz]? (?:surtout )?pas|garde[sz]? en tête|(?:tu peux|vous pouvez|peux[- ]tu|pouvez[- ]vous) (?:noter|retenir)|note[sz]?(?! *:))"
    r"(?: bien)?(?: (?:ça|ceci|cela))?(?: que\s+| qu['’]|\s*:\s*)"
    rf"|{SPANISH_ORDER}(?: de)?(?: que\s+|\s*:\s*)|{WRITE_DOWN}\s*[:：]\s*"
    r"|(?:zapamiętaj|pamiętaj|zapisz|zanotuj|nie zapomnij)(?:cie)?(?: sobie)?(?:, że\s+|\s*:\s*)"
    r"|(?:(?:za)?pamatuj|poznamenej|zapiš|nezapomeň)(?:te)?(?: si)?(?:, že\s+|\s*:\s*)"
    r"|(?:(?:за)?пам['’]ятай|запиши|занотуй|не забудь)(?:те)?(?: собі)?(?:, що\s+|\s*:\s*)"
    r"|(?:hãy |xin )?(?:ghi )?nhớ(?: (?:là|rằng)\s+|\s*:\s*)|đừng quên (?:là|rằng)\s+"
    rf"|(?:lembr[ae](?:-te|-se)?|não (?:te |se )?esqueças?)(?:(?: de)? que\s+|\s*:\s*)|{ITALIAN_ORDER}(?: che\s+|\s*:\s*)"
    r"|(?:onthoud(?: dit| goed)?|vergeet niet|verg(?:iss|esst|essen sie)(?: bitte)? nicht)\s*:\s*"
    # with `inte` or `ikke` before its verb the clause cannot stand alone, a Dutch one never can
    rf"|(?:kom ihåg|glöm inte|husk|glem ikke)(?:,? att? (?!.*\b{_BEFORE_A_VERB}\b)|\s*:\s*)"
    r"|(?:请|請)?(?:记住|記住|牢记|记一下|記一下|记着|記著)了?(?:这个|这一点|這個)?[:：,，]\s*|(?:请|請)?(?:记住|記住|牢记)(?![了买買去给給打发發带帶交做写寫把取拿问問回关關开開提吃寄订訂约約送接洗别別不要每这這那])"
    r"|(?:꼭 ?)?기억해(?: ?(?:줘|둬|주세요))?\s*[:：,，]\s*)"
)
_IN_HASTE = without_accents(_ORDER_AHEAD).replace("que", "q(?:ue)?")
_ORDER = lazy_pattern(f"{_ORDER_AHEAD}|{_IN_HASTE}", re.IGNORECASE)
# The content is elsewhere: `keep that in mind`, `write it down`.
NOTE_IT = (
    r"(?:(?:write|note|jot|put) (?:it|that|this) down"
    r"|(?:keep|bear|put|save|store|have) (?:it|that|this) (?:somewhere|on file|in (?:mind|memory|(?:your|the|my) (?:notes?|memory))))"
)
_ORDER_BEHIND = lazy_pattern(
    r"(?i)(?<=[だすたいる])と覚えて(?:おいて)?(?:ね|ください)?(?=[。.!！]?$)|\s*(?:[,;–—-]|(?=\.))\.?\s+(?:so )?(?:please |bitte )?(?:(?:remember|note|do(?: no|n['’]?)t forget)(?: (?:that|this|it))?"
    rf"|{NOTE_IT}|{REMEMBER_BEHIND}|{without_accents(REMEMBER_BEHIND)})(?:,? (?:please|bitte))?(?=[.!]?$)"
)
_ASKED_FOR = lazy_pattern(
    r"(?i)^(?:(?:please|and|also) )*(?:(?:can|could|would|will) you|tu peux|vous pouvez|peux[- ]tu|pouvez[- ]vous)\b"
)
_SECOND_THAT = lazy_pattern(
    r"( and )that (?!is\b|was\b|will\b|would\b|can\b)"
)  # `remember that … and that …`
CERTAIN = 100
SAME_WORDS = 99  # apart from case and signs
CONTAINED = 90
SCATTERED = 75
CLOSE = 60
AS_GOOD = 3  # a smaller difference is a tie
MOST_OTHERS = 5
BY_WORDS, BY_PART, BY_SOME, BY_LIKENESS = "its words", "a part of its words", "some of its words", "likeness"
UNSURE = (BY_SOME, BY_LIKENESS)
_TELLING = 12  # a shorter part is in many statements by chance
_LETTER = lazy_pattern(r"\w")
_CELL_END = lazy_pattern(r"(?<!\\)\|")
_LAST_DAY = lazy_pattern(r"\s*\(until (\d{4}-\d{2}-\d{2})\)\.?$")
_OF_DAY = lazy_pattern(r"\s*\((\d{4}-\d{2}-\d{2})\)\.?$")
# Memory's mark for the user's words: `User: "…"`; without quotation marks, a value in them was corrected.
_HIS = lazy_pattern(r'^User: (?P<mark>"?)(?P<words>.+)(?P=mark)$')


class Parted(NamedTuple):
    """An entry's text: the date or time before its statement, the statement, the tags after it."""

    before: str
    statement: str
    after: str

    def saying(self, statement: str) -> str:
        return self.before + statement + self.after


_CHANGED = lazy_pattern(
    r"(?i)→|\b(?:now|by now|anymore|no longer|went|gone|rose|risen|raised|changed|moved|wrong|jetzt|nun|inzwischen|gestiegen|gesunken|maintenant|désormais|ahora|ya|agora|adesso|subi\w+|passée?|pasó)\b"
)


def without_time(title: str) -> str:
    """Return a note's heading without the time of day before it."""
    return _TIME_OF_HEADING.sub("", title)


@lru_cache(maxsize=4096)
def parted(text: str) -> Parted:
    """Split an entry's text; comments belong to no part."""
    bare = without_comments(text)
    date = _DATE.match(bare)
    begin = date.end() if date else 0
    tags = _TAGS.search(bare, begin)
    end = tags.start() if tags else len(bare)
    return Parted(bare[:begin], bare[begin:end], bare[end:])


def without_comments(text: str) -> str:
    """Return an entry's text without trailing comments (earlier wordings)."""
    bare = folded(text)
    while (shorter := without_trailing_comment(bare)) != bare:
        bare = shorter
    return bare


def last_day(text: str) -> date | None:
    """Return the day until which an entry says it holds, as in `… (until 2026-12-31).`, or None."""
    named = _LAST_DAY.search(parted(text).statement)
    return None if named is None else day_in(named[1])


def ending(statement: str, day: date) -> str:
    """Return a statement with its last day, replacing an earlier one."""
    return f"{_LAST_DAY.sub('', statement).rstrip('. ')} (until {day.isoformat()})."


def of_day(statement: str, day: date | None) -> str:
    """Return a statement that names the only day that it is about, such as `Fired twice (2026-12-31)`."""
    if day is None:
        return statement
    return f"{_OF_DAY.sub('', statement).rstrip('. ')} ({day.isoformat()})."


def without_day(statement: str) -> tuple[str, str]:
    """Return a statement without the day that `of_day` put behind it, and that day, empty if it names none."""
    named = _OF_DAY.search(statement)
    if named is None:
        return statement, ""
    return statement[: named.start()], named[1]


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of a message in order, each on one line; overlong ones are left out."""
    sentences = (_MARKERS.sub("", folded(part)).strip() for part in _END.split(text))
    return tuple(part for part in sentences if 0 < len(part) <= MOST_LENGTH)[:MOST_SENTENCES]


def row_statements(text: str) -> list[str]:
    """Return a table row's statements, one per cell after the first (`Rye bread: 4.20 €`); other texts unchanged."""
    name, *cells = cells_of(text)
    if not name or not cells:
        return [text]
    return [f"{name}: {cell}" for cell in cells]


def above_cells(about: str, statements: Sequence[str]) -> list[str]:
    """Return the context of each statement of a row: headings, and the head of its column."""
    headings, sign, head = about.partition("|")
    _, *columns = cells_of(sign + head)
    if len(columns) != len(statements):
        return [headings] * len(statements)
    return list(map("{} {}".format, repeat(headings), columns))


def row_saying(row: str, old: str, new: str) -> str:
    """Return a row with ``old`` (as in `row_statements`) replaced by ``new``; empty unless exactly one cell has it."""
    name, *cells = cells_of(row)
    was = old.removeprefix(f"{name}: ")
    now = new.removeprefix(f"{name}: ")
    if cells.count(was) != 1 or now == new or "|" in now:
        return ""
    at = cells.index(was) + 2  # after the name, and the empty piece before the first sign
    parts = _CELL_END.split(row)
    parts[at] = parts[at].replace(was, now, 1)
    return "|".join(parts)


def cells_of(text: str) -> list[str]:
    """Return the cells of a row with a sign on both sides; one empty name for other texts."""
    parts = _CELL_END.split(text.strip())
    if len(parts) < 4 or parts[0] or parts[-1]:
        return [""]
    return list(map(str.strip, parts[1:-1]))


def clauses_of(text: str) -> tuple[str, ...]:
    """Return a message's statements clause by clause, so that correcting a value affects no other statement."""
    return tuple(
        part for sentence in sentences_of(text) for part in map(folded, _CLAUSE.split(sentence)) if part
    )[:MOST_SENTENCES]


def without_order(sentence: str) -> str:
    """Return the content of an order to remember, without the order and a "By the way"; all of it if the rest is not a statement."""
    asked_for = sentence
    if _ASKED_FOR.match(sentence):
        asked_for = sentence.rstrip(" ?？")
    rest = _ORDER_BEHIND.sub("", _ORDER.sub("", _ASIDE.sub("", asked_for)))
    if sentence.removesuffix(rest).rstrip().endswith(" that"):
        rest = _SECOND_THAT.sub(r"\1", rest)
    fewest = 2
    if sentence.removesuffix(rest).rstrip().endswith((":", "：")):
        fewest = 3  # `Remember: milk, eggs` has no statement
    if rest == asked_for or asked_for.endswith(("?", "？")) or len(words(re.sub("['’]", " ", rest))) < fewest:
        return sentence
    first = rest.split()[0]
    if first.islower() and not re.search(r"[\d._/@]", first):
        rest = rest[0].upper() + rest[1:]
    return rest


class StatementMeant(NamedTuple):
    """A statement's number, how sure it is of 100, the way it was found, and the numbers of equal candidates."""

    number: int
    sure: int
    by: str
    others: tuple[int, ...] = ()


def which_is_meant(query: str, texts: Sequence[str], most: int = MOST_OTHERS) -> StatementMeant | None:
    """Return the text that ``query`` means, by words or likeness, and up to ``most`` ties, which share the sureness."""
    needle = " ".join(query.split())
    if not needle:
        return None
    scores = [likeness(needle, text) for text in texts]
    best = max(scores, default=0)
    same = [number for number, text in enumerate(texts) if text == needle]
    spelled = [number for number, score in enumerate(scores) if score == CERTAIN]
    part = re.compile(
        rf"(?<!\d){re.escape(needle)}(?!\d)", re.IGNORECASE
    )  # `item 19` is no part of `item 190`
    holding = [number for number, text in enumerate(texts) if part.search(text)]
    holding.sort(key=lambda number: len(texts[number]))
    asked_words = set(words(needle))  # their order does not matter
    some = [at for at, text in enumerate(texts) if len(asked_words) > 1 and asked_words <= set(words(text))]
    some.sort(key=lambda number: len(texts[number]))
    close = [number for number, score in enumerate(scores) if score >= max(best - AS_GOOD, CLOSE)]
    close.sort(key=lambda number: -scores[number])
    meant = (
        _shared(same, CERTAIN, BY_WORDS)
        or _shared(spelled, SAME_WORDS, BY_WORDS)
        or _shared(holding, _telling(needle), BY_PART)
        or (_shared(some, min(_telling(needle), SCATTERED), BY_SOME) if best < SCATTERED else None)
        or _shared(close, best, BY_LIKENESS)
    )
    return None if meant is None else meant._replace(others=meant.others[:most])


def _telling(needle: str) -> int:
    """Return how sure a part of a statement is: the shorter, the less."""
    letters = len(_LETTER.findall(needle))
    return CONTAINED if letters >= _TELLING else CONTAINED * (letters + 3) // (_TELLING + 3)


def _shared(numbers: Sequence[int], sure: int, by: str) -> StatementMeant | None:
    if not numbers:
        return None
    return StatementMeant(numbers[0], sure // len(numbers), by, tuple(numbers[1:]))


def statement_of(text: str) -> str:
    """Return a text without the request to remember it; all of it if nothing would be left."""
    statement = folded(text)
    rest = ASKED.sub("", statement, count=1)
    return rest or statement


def own_words_of(statement: str) -> str:
    """Return a statement without its `User:` mark."""
    match = _HIS.match(statement)
    return statement if match is None else match["words"]


def says_changed(text: str) -> bool:
    """Say whether a text says that something has changed: `is 58 now`."""
    return _CHANGED.search(text) is not None
