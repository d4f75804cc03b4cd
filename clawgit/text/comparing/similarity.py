"""How alike two statements are, and whether they state different facts however alike they look. Negations, days, months, amounts and opposites decide."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.comparing import fuzzy
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import is_unseen
from clawgit.text.words.word_lists import ENGLISH_MONTHS, MONTHS, SHORT_WEEKDAYS, WEEKDAYS, words_in

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

OPENERS = words_in(
    "the a an this that these those it its we our i he she they his her their my your you in on at for with when"
    " if as and or but so user operator host agent use uses using"
)
_STOPS = " .,;:!?。！"
_DAYS = WEEKDAYS | SHORT_WEEKDAYS
NEGATIONS = words_in(
    "not no never none nor neither nobody nothing nowhere without cannot hardly barely rarely seldom unless except"
    " only instead avoid avoids stop stops stopped anymore longer dont doesnt didnt isnt arent wasnt werent wont cant"
    " couldnt shouldnt wouldnt mustnt hasnt havent hadnt nicht kein keine keinen keiner nie ohne ne pas jamais sans"
    " nunca sin ni não nem non mai senza не нет никогда без ни"
)
_OPPOSITES = words_in(
    "always sometimes usually often before after more less fewer most least off enable enables enabled disable"
    " disables disabled true false yes allow allows allowed deny denies denied forbid forbidden increase decrease"
    " dislike dislikes hate hates loathe loathes must may might can could should shall accept"
    " accepts reject rejects accepted rejected start started first last next previous today tomorrow yesterday"
    " morning afternoon evening night noon midnight am pm"
)
_AMOUNTS = words_in(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen"
    " half double twice once second third fourth fifth all some any both each every"
)
_WORDS = NEGATIONS | _OPPOSITES | _AMOUNTS
# Chinese, Japanese and Korean words are found inside a text: they have no spaces around them, or endings behind them.
_INSIDE = lazy_pattern(
    "[不没沒别別未无無非勿莫否禁]|ない|なく|なし|ません|じゃ|ではな"
    "|안|않|아니|아닌|말고|말라|마세요|마라|없|못"
    "|(?:周|週|星期|礼拜|禮拜)[一二三四五六日天末]|[月火水木金土日]曜|[월화수목금토일]요일"
    "|[一二三四五六七八九十百千万萬億亿两兩半零〇]|今天|明天|昨天|今日|明日|昨日|오늘|내일|어제"
    "|하나|둘|셋|넷|다섯|여섯|일곱|여덟|아홉|열"
)


def deciding_words(text: str, words: list[str]) -> list[str]:
    """Return the deciding words of a lower-cased text, in their order; days and months as numbers."""
    return [meaning for word in words if (meaning := decided(word))] + _INSIDE.findall(text)


def decided(word: str) -> str:
    """Return the fact in ``word``: itself, a day or English month as its number, "not", or empty."""
    bare = word if word.isascii() else without_accents(word)
    if bare in _DAYS:
        return f"day {_DAYS[bare]}"
    if bare in ENGLISH_MONTHS:
        return f"month {ENGLISH_MONTHS[bare]}"
    if word.endswith("n't"):
        return "not"
    return word if word in _WORDS or bare in MONTHS else ""


def without_accents(word: str) -> str:
    """Return a word without accents, as the names of days are; `terms.folded` does more, and takes 15 ms to load."""
    return "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))


# Maximal pairs of items to compare: two texts of 20,000 words without common ones take 0.1 s and 50 MB.
WORK_LIMIT = 400_000_000


class Run(NamedTuple):
    """A stretch common to two sequences: its start in each, and its length."""

    old: int
    new: int
    length: int


def common_runs(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Run]:
    """Return the runs of a longest common subsequence; above `WORK_LIMIT` pairs only the common beginning and end."""
    head, tail = common_ends(old, new)
    first, second = old[head : len(old) - tail], new[head : len(new) - tail]
    inner = _longest(first, second) if len(first) * len(second) <= WORK_LIMIT else []
    runs = [Run(0, 0, head)]
    for run in inner:
        runs.append(Run(head + run.old, head + run.new, run.length))
    runs.append(Run(len(old) - tail, len(new) - tail, tail))
    return [run for run in runs if run.length]


def common_places(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    for run in common_runs(old, new):
        for step in range(run.length):
            yield run.old + step, run.new + step


def common_ends(old: Sequence[Hashable], new: Sequence[Hashable]) -> tuple[int, int]:
    """Return the length of the common beginning, and of the common end behind it."""
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    most -= head
    tail = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    return head, tail


def exchanged_words(before: str, after: str) -> tuple[str, str]:
    """Return the words of a line that others replaced, and these; empty if words were only added, or it is cut."""
    was = before.rstrip(_STOPS).split()
    now = after.rstrip(_STOPS).split()
    first, behind = common_ends(was, now)
    old = " ".join(was[first : len(was) - behind])
    new = " ".join(now[first : len(now) - behind])
    return old.strip(_STOPS), new.strip(_STOPS)


def _longest(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Run]:
    if set(old).isdisjoint(new):  # one word for another is the usual case, and rapidfuzz takes long to load
        return []
    # Numbers: rapidfuzz treats two strings with one hash as equal.
    numbers: dict[Hashable, int] = {}
    first, second = ([numbers.setdefault(item, len(numbers)) for item in side] for side in (old, new))
    runs = []
    for op in fuzzy.LCSseq.opcodes(first, second):
        if op.tag == "equal":
            runs.append(Run(op.src_start, op.dest_start, op.src_end - op.src_start))
    return runs


LIKE = 60  # of 100: statements this alike may be wordings of one
CLOSE = 80  # of 100: a line this alike to an entry that lost its id gets the id
# Scripts without spaces: each character is a word. Hangul has spaces and stays whole.
SINGLE = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
)
SINGLE += "\uf900-\ufaff\U00020000-\U0003ffff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
# Marks belong to their letters; `\w` leaves most marks out.
_MARK = "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0dff"
_LETTERS = rf"(?:(?![{SINGLE}])[^\W\d_]|[{_MARK}])+"
_NUMBER = r"\d+(?:[.,:/-]\d+)*"
# Patterns with many ranges are compiled at the first use: two milliseconds each, and most hooks need none.
_WORD = rf"[{SINGLE}]|{_NUMBER}|{_LETTERS}(?:'{_LETTERS})*"
_CASELESS = rf"[{SINGLE}\uac00-\ud7a3\u0590-\u06ff\u0900-\u0dff]"
_AMOUNT = lazy_pattern(rf"(?:(?<![\w.])-)?{_NUMBER}(?:\s?[^\W\d_]{{1,3}}\b)?|[$€£¥₩₹%°]|[!=<>]=|[<>≤≥≠]")
_CHUNK = lazy_pattern(r"`[^`]+`|\S+")
_LITERAL = lazy_pattern(r"`.|\w[@/\\_.:]\w|://|@\w")
_CAPITALISED = rf"{_LETTERS}(?:'{_LETTERS})*"
_SENTENCE_START = lazy_pattern(r"(?:\A|[.!?:;]\s|\d:\s|[-*>#]\s)\W*\Z")


def words(text: str) -> list[str]:
    """Return the lower-cased words and numbers; each CJK, kana or Thai character is a word."""
    return list(_words(text))


def likeness(a: str, b: str) -> int:
    """Return 0..100; 100 only for the same words in the same order. Facts do not count."""
    first = _words(a)
    second = _words(b)
    if first == second:
        return 100 if first or a.strip() == b.strip() else 0
    whole = fuzzy.fuzz.ratio(first, second)
    spelled = fuzzy.fuzz.ratio("".join(first), "".join(second))
    return min(99, int((whole + spelled) / 2))


def is_close(a: str, b: str, least: int = CLOSE) -> bool:
    return likeness(a, b) >= least and not facts_differ(a, b)


def closest_pairs(old: Sequence[str], new: Sequence[str], least: int = CLOSE) -> list[tuple[int, int]]:
    """Return the close pairs of old and new statements, by number, the closest first."""
    scored = []
    for at, before in enumerate(old):
        for to, after in enumerate(new):
            score = likeness(before, after)
            if score >= least and not facts_differ(before, after):
                scored.append((-score, at, to))
    return [(at, to) for _, at, to in sorted(scored)]


def facts_differ(a: str, b: str) -> bool:
    """Say whether numbers, dates, negations, names or literals differ; in doubt True, which keeps two statements apart."""
    return (
        _amounts(a) != _amounts(b)
        or _literals(a) != _literals(b)
        or deciding_words(_plain(a).lower(), words(a)) != deciding_words(_plain(b).lower(), words(b))
        or _names_differ(a, b)
        or _caseless_replaced(_words(a), _words(b))
        or _caseless_replaced(_words(b), _words(a))  # equally short edits may pair other words
    )


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text)
    if not plain.isascii():
        plain = "".join(char for char in plain if char.isspace() or not is_unseen(char))
    return re.sub("[‘’ʼ＇]", "'", plain)


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(_WORD, _plain(text).lower()))


@lru_cache(maxsize=4096)
def _amounts(text: str) -> tuple[str, ...]:
    amounts = _AMOUNT.findall(_plain(text).lower())
    return tuple(re.sub(r"\s|(?<=\d),(?=\d{3}\b)", "", amount) for amount in amounts)


def _literals(text: str) -> list[str]:
    chunks = filter(_LITERAL.search, _CHUNK.findall(_plain(text)))
    return [chunk.strip("`.,;:!?()[]\"'").lower() for chunk in chunks]


def _names_differ(a: str, b: str) -> bool:
    names = _names(a) | _names(b)
    return [word for word in _words(a) if word in names] != [word for word in _words(b) if word in names]


def _names(text: str) -> set[str]:
    plain = _plain(text)
    names = set()
    for match in re.finditer(_CAPITALISED, plain):
        word = match.group().lower()
        if match.group() == word or decided(word):
            continue
        before = plain[max(0, match.start() - 12) : match.start()]
        is_opener = word in OPENERS and (not before or _SENTENCE_START.search(before) is not None)
        if not is_opener:
            names.add(word)
    return names


def _caseless_replaced(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    return any(
        re.search(_CASELESS, first[op.src_pos]) or re.search(_CASELESS, second[op.dest_pos])
        for op in fuzzy.Levenshtein.editops(first, second)
        if op.tag == "replace"
    )
