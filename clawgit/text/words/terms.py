"""Index words: folded, stemmed, cut into bigrams in scripts without spaces."""

from __future__ import annotations

import itertools
import re
import unicodedata
from enum import Enum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def _table(rows: str) -> dict[str, str]:
    return {form: base for row in rows.split(";") for base, *forms in [row.split()] for form in forms}


# Irregular forms. Each is replaced by its base form before the rules.
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
# Forms of two words: `lives` is a verb, and the plural of life. The first is the word's own stem.
_TWO_WORDS = _table(
    "live-life lives; leave-leaf leaves; halve-half halves; shelve-shelf shelves; base-basis bases; axe-axis axes"
)
# Their last letters only look like an ending.
_WHOLE = frozenset({"early", "evening", "lens", "news", "only", "outing", "paste", "sky", "ugly"})
_WHOLE |= {"exceed", "proceed", "succeed"}


def english_stem(word: str) -> str:
    """Return the stem of a lower-cased ASCII ``word``; short words and those with digits stay."""
    if len(word) < 3:
        return word
    if word in _TWO_WORDS:
        word = _TWO_WORDS[word].partition("-")[0]
    word = _IRREGULAR.get(word, word)
    if len(word) < 3 or word in _WHOLE or not word.isalpha():
        return word
    stem = _stemmer("english")(word)
    return stem[:-1] if stem.endswith("gi") else stem  # `allergy`, as `allergic`


def stem_in(language: str, word: str) -> str:
    return _stemmer(language)(word)


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    from Stemmer import Stemmer  # most commands stem nothing

    stem: Callable[[str], str] = Stemmer(language).stemWord
    return stem


_FIRST, _FINALS = ord("가"), 28
# Particles and endings after a noun, and the forms of 하다, 되다 and 이다 after one. The longest match is removed.
_ENDINGS = """
은 는 이 가 을 를 에 의 로 와 과 도 만 나 랑 요 께 에서 에게 한테 으로 까지 부터 보다 처럼 만큼 마다 조차 밖에 대로 께서 이나 이랑
이란 이라 라고 라는 라도 이고 이며 이다 인데 이요 예요 이에요 입니다 이었다 였다 였지 이었지 에는 에도 에만 에선 에서는 에서도 에서의 에게서
에게는 한테서 으로는 으로도 으로서 으로써 로는 로도 로서 로써 까지는 부터는 이라고 이라는 이라도 과의 와의 들 들이 들은 들을 들의 들과 들에게 들도
하다 했다 했어 했지 했니 했나 했던 했고 했는데 했습니다 했어요 했었지 했었다 하는 하고 하지 하게 하기 하면 하며 하면서 하려고 하자 한다 한다고 한 할 함 해 해서
해요 합니다 하기로 하도록 되다 됐다 됐어 됐지 됐습니다 되었다 되었지 되는 되고 된 된다 될 됨 됩니다
"""
_ENDING = lazy_pattern(f"(?<=[가-힣][가-힣])(?:{'|'.join(_ENDINGS.split())})$")
# After one syllable only these: "논의" and "나이" are whole words.
_AFTER_ONE = lazy_pattern("(?<=^[가-힣])(?:은|는|을|를|에|에서|에게|으로|까지|부터|에는)$")


def korean_stem(word: str) -> str:
    """Return ``word`` without the particle or ending behind its first two or more syllables."""
    match = _ENDING.search(word)
    return word[: match.start()] if match else word


def short_stem(word: str) -> str:
    """Return the one syllable before a particle ("차" of "차를"), or empty; the word may also be whole."""
    match = _AFTER_ONE.search(word)
    return word[0] if match else ""


def open_stem(word: str) -> str:
    """Return the start of a verb without the consonant that its endings change: `사` of "살아" and of "산다"; empty in other scripts."""
    if not is_hangul(word):
        return ""
    return chr(ord(word[0]) - (ord(word[0]) - _FIRST) % _FINALS)


def is_hangul(word: str) -> bool:
    return "가" <= word[:1] <= "힣"


# The index hands `index_terms` to FTS5 with this tokenizer, which does not split the terms again.
TOKENIZER = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
_JOIN = "ˑ"  # replaces dots and slashes inside a whole identifier: a letter to every tokenizer


def _letters(*spans: tuple[int, int], kinds: str) -> str:
    """Return the letters (L) or marks (M) of these spans, as a pattern writes them."""
    chars = (chr(code) for first, last in spans for code in range(first, last + 1))
    return "".join(char for char in chars if unicodedata.category(char)[0] in kinds)


_HAN = "\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
# Also without spaces: Thai, Lao, Burmese, Khmer.
_SPACELESS = _HAN + _KANA + _letters((0xE00, 0xEFF), (0x1000, 0x109F), (0x1780, 0x17FF), kinds="LM")
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3"
# Vowel signs and accents on a letter; `\w` leaves most of them out.
_MARK = _letters((0x300, 0x36F), (0x483, 0x487), (0x591, 0x6ED), (0x900, 0xDFF), kinds="M")
_BASE = rf"(?![{_SPACELESS}{_HANGUL}])[^\W_]"
_WORD = rf"{_BASE}(?:{_BASE}|[{_MARK}])*"
_BETWEEN = r"[._/\\:@'’+-]"
_GROUPED = r"\d{1,3}(?:,\d{3})+(?![\d,])"
_ASCII_TOKEN = lazy_pattern(rf"{_GROUPED}|[A-Za-z0-9]+(?:{_BETWEEN}+[A-Za-z0-9]+)*(?:\+\+|\#)?")
_TOKEN = lazy_pattern(
    rf"(?P<run>[{_SPACELESS}]+)|(?P<hangul>[{_HANGUL}]+)"
    rf"|{_GROUPED}|{_WORD}(?:{_BETWEEN}+{_WORD})*(?:\+\+|\#)?"
)
_HAN_CHARACTER = lazy_pattern(f"[{_HAN}]")
_ATOM = lazy_pattern(rf"[^\W_](?:[^\W_]|[{_MARK}])*")
_CAMEL = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Letters used mostly by Vietnamese: in a text with one, marks tell words apart ("ma", "má", "mạ").
_TONAL = lazy_pattern("[ƠơƯưẠ-ỹ]")
_SHORT_END = lazy_pattern(r"(?:n['’]t|['’](?:s|ll|d|ve|re|m))$", re.IGNORECASE)
ELIDED = lazy_pattern(r"^(?:[cdjlmnst]|qu|jusqu|lorsqu)['’]", re.IGNORECASE)


class TermKind(Enum):
    """The kind of a piece of text in a search."""

    WORD = "word"
    COMPOUND = "compound"  # joined words: "follow-up", "and/or"
    IDENTIFIER = "identifier"  # a path, a version, a date, a number with a point, snake_case
    RUN = "run"  # of a script without spaces
    HANGUL = "hangul"


class TermPiece(NamedTuple):
    """One piece of a text as written, the term for the whole (if any) and the terms of its parts."""

    kind: TermKind
    shown: str
    whole: str
    parts: tuple[str, ...] = ()


def terms_of(text: str) -> list[str]:
    """Return the terms of ``text`` in reading order, as for a question (stop words included)."""
    return [term for piece in pieces_of(text) for term in ((piece.whole,) if piece.whole else piece.parts)]


@lru_cache(maxsize=4096)
def index_terms(text: str) -> str:
    """Return every term of ``text`` and every searchable part, space-joined; letters, digits and marks only."""
    return _terms_in(text)


def terms_in(text: str) -> frozenset[str]:
    return frozenset(index_terms(text).split())


def _terms_in(text: str) -> str:
    if text.isascii():
        return " ".join(filter(None, map(_stored_ascii, text.split())))
    return " ".join(map(_stored, pieces_of(text)))


def stored_terms(text: str) -> str:
    """Return the index's form of ``text``: its terms, then its tonal words without their marks."""
    terms = _terms_in(text)  # each text is stored once
    if not is_tonal(text):
        return terms
    marked = itertools.filterfalse(str.isascii, terms.split())
    return " ".join([terms, *sorted(set(map(folded, marked)))])


def is_tonal(text: str) -> bool:
    """Say whether a text's marks tell its words apart."""
    return not text.isascii() and _TONAL.search(unicodedata.normalize("NFC", text)) is not None


def pieces_of(text: str) -> Iterator[TermPiece]:
    if text.isascii():
        yield from map(_piece, _ASCII_TOKEN.findall(text))
        return
    tonal = is_tonal(text)
    for token in _TOKEN.finditer(plain(text)):
        if token["run"]:
            yield TermPiece(TermKind.RUN, token["run"], "", _bigrams(token["run"]))
        elif token["hangul"]:
            yield hangul_piece(token["hangul"])
        elif tonal and token.group().isalpha() and not token.group().isascii():
            yield TermPiece(TermKind.WORD, token.group(), token.group().lower())
        else:
            yield _piece(token.group())


def folded(text: str) -> str:
    """Return ``text`` in small letters, without width, accents and invisible characters."""
    return text.lower() if text.isascii() else plain(text).casefold().translate(_FOLD)


def plain(text: str) -> str:
    """Return ``text`` in compatibility form (no full width), without invisible characters."""
    return text if text.isascii() else _UNSEEN.sub("", unicodedata.normalize("NFKC", text))


def folded_in_place(text: str) -> str:
    """Return a `plain` text folded character by character, so that positions stay."""
    return text.lower() if text.isascii() else "".join(map(_one_for_one, text))


@lru_cache(maxsize=4096)
def _one_for_one(char: str) -> str:
    low = _FOLD[ord(char.lower()[0])]
    return low if len(low) == 1 else char


class _Folding(dict[int, str]):
    """Latin, Greek, Cyrillic, Hebrew and Arabic letters without their marks; other characters unchanged."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        base = unicodedata.normalize("NFD", char)[0]
        letter = base if base < "\u0700" else char
        self[code] = "" if code < 0x700 and unicodedata.category(char) == "Mn" else letter
        return self[code]


_FOLD = _Folding(
    {ord(a): b for a, b in zip("øłđıæœþð", ("o", "l", "d", "i", "ae", "oe", "th", "d"), strict=True)}
)
# Arabic and Persian keyboards have different characters for one letter; the last one only stretches a word.
_FOLD |= {ord("ى"): "ي", ord("ی"): "ي", ord("ک"): "ك", ord("ـ"): ""}
_UNSEEN = lazy_pattern("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]")


@lru_cache(maxsize=65536)
def _stored_ascii(written: str) -> str:
    """Return the index's form of the ASCII text between two spaces: tokens end there, and most texts repeat."""
    return " ".join(map(_stored, map(_piece, _ASCII_TOKEN.findall(written))))


def _stored(piece: TermPiece) -> str:
    if piece.kind is TermKind.RUN:
        singles = _HAN_CHARACTER.findall(piece.shown) if len(piece.shown) > 1 else []
        return " ".join([*piece.parts, *singles])
    last = ""
    if piece.kind is TermKind.HANGUL:
        last = short_stem(piece.shown)
    return " ".join(dict.fromkeys(filter(None, (piece.whole, *piece.parts, last))))


@lru_cache(maxsize=65536)
def hangul_piece(word: str) -> TermPiece:
    return TermPiece(TermKind.HANGUL, word, "", _bigrams(korean_stem(word)))


def _bigrams(run: str) -> tuple[str, ...]:
    run = run.casefold()
    return tuple(run[at : at + 2] for at in range(len(run) - 1)) or (run,)


@lru_cache(maxsize=65536)
def _piece(token: str) -> TermPiece:
    shorter = ELIDED.sub("", _SHORT_END.sub("", token)) or token
    atoms = _ATOM.findall(shorter)
    if token.endswith(("#", "++")):
        parts = tuple(map(term_of, atoms))
        sign = "sharp" if token.endswith("#") else "plusplus"
        return TermPiece(TermKind.WORD, token, parts[-1] + sign, parts)
    if len(atoms) > 1:
        if re.fullmatch(_GROUPED, shorter):
            return TermPiece(TermKind.WORD, token, shorter.replace(",", ""))
        parts = tuple(map(term_of, atoms))
        if "'" in shorter or "’" in shorter:
            return TermPiece(TermKind.WORD, token, term_of("".join(atoms)), parts)
        if all(map(str.isalpha, atoms)) and not re.search(r"[._\\:@+]", shorter):
            return TermPiece(TermKind.COMPOUND, token, term_of("".join(atoms)), parts)
        return TermPiece(TermKind.IDENTIFIER, token, _whole(atoms), (*_within(shorter, atoms), *parts))
    camel = _CAMEL.split(atoms[0]) if len(atoms[0]) > 3 and not atoms[0].isupper() else []
    parts = tuple(map(term_of, camel)) if len(camel) > 1 else tuple(filter(None, (other_term(atoms[0]),)))
    return TermPiece(TermKind.WORD, token, term_of(atoms[0]), parts)


def _whole(atoms: list[str]) -> str:
    is_word = all(map(str.isalpha, atoms))
    return term_of("".join(atoms)) if is_word else _JOIN.join(map(folded, atoms))


def _within(shorter: str, atoms: list[str]) -> Iterator[str]:
    """Yield parts between the whole and the atoms: a path's file, a date's month, 1.2 of v1.2.3."""
    segments = list(filter(None, re.split(r"[/\\@:]", shorter)))
    if len(segments) > 1:
        for segment in segments:
            inner = _ATOM.findall(segment)
            if len(inner) > 1:
                yield _whole(inner)
                yield from _within(segment, inner)
        return
    numbers = [atoms[0].lstrip("vV"), *atoms[1:]]
    if numbers[0].isdigit():
        named = sorted({numbers[0], atoms[0]})  # "v1.2" and "1.2" both begin "v1.2.3"
        yield from (_whole([first, *atoms[1:end]]) for first in named for end in range(2, len(atoms) + 1))


def term_of(word: str) -> str:
    low = folded(word)
    return english_stem(low) if low.isascii() else low


def other_term(word: str) -> str:
    """Return the term of the other word of an ambiguous form (`lives`: life), empty without one."""
    other = _TWO_WORDS.get(folded(word), "").partition("-")[2]
    return _stemmer("english")(other) if other else ""
