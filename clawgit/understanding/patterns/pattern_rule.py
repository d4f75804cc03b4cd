"""One rule of triage: the cues of one language for one route, read from a table.

A line of a table has words, one of which a sentence must hold (``|`` between them), two blanks, and the
expression that it must then match; without an expression, the word itself. A line that begins with ``!``
rules out every hit in the same sentence. ``<name>`` is replaced by the language's entry of that name.

Rules read a message in one spelling and small letters, sentence by sentence.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from itertools import filterfalse

from clawgit.text.lazy_pattern import Lazy
from clawgit.text.words.word_lists import ADDRESS
from clawgit.understanding.patterns.own_words import without_foreign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MEMORY, EXPLICIT, SOFT = "memory", "explicit", "soft"
OPT_OUT, COMMAND = "opt-out", "command"
WHY = {
    MEMORY: "Something to remember, a decision, or a rule that lasts.",
    EXPLICIT: "You should know this already.",
    SOFT: "Something is different from what was said or known.",
}
# Words that announce a correction at the beginning of a message.
CORRECTIONS = "correction, korrektur, corrección, correccion, correzione, correção, correcao, correctie, rettifica, sprostowanie, korekta, poprawka, oprava, виправлення, 更正, 訂正, 订正, 정정"
_NAMES = {MEMORY: "order", EXPLICIT: "told", SOFT: "change"}
_LATIN = "\u0250"  # letters before this one form words between blanks


class Rule:
    """Cues with one name and one meaning, and what rules out a hit in the same sentence."""

    __slots__ = ("_against", "_cues", "name", "route")

    def __init__(self, name: str, route: str, table: str) -> None:
        self.name, self.route = name, route
        lines = [line for line in table.splitlines() if line]
        if route == MEMORY:
            for line in tuple(lines):
                words, blanks, look = line.partition("  ")
                lines.append(without_accents(words) + blanks + typed_in_haste(look))
            lines = list(dict.fromkeys(lines))
        self._cues: list[tuple[str, str, Lazy]] = []
        against = []
        for line in lines:
            if line.startswith("!"):
                against.append(line[2:])
            else:
                self._cues += _cues(line)
        self._against = Lazy(*against) if against else None

    def is_in(self, message: MessageSentences) -> bool:
        """Say whether one of the sentences holds a cue, and nothing that rules it out."""
        for start, word, look in self._cues:
            if start not in message.starts or word not in message.everything:
                continue
            for sentence in message.holding(word):
                is_hit = look.now.search(sentence) is not None
                if is_hit and (self._against is None or self._against.now.search(sentence) is None):
                    return True
        return False


def rules_of(
    language: str, tables: Mapping[str, str], names: Mapping[str, str] | None = None
) -> tuple[Rule, ...]:
    """Return the rules of one language, one for each route."""
    rules = []
    for route, table in tables.items():
        rules.append(Rule(f"{language}:{_NAMES.get(route, route)}", route, filled(table, names or {})))
    return tuple(rules)


def filled(table: str, names: Mapping[str, str]) -> str:
    """Return a table with its names replaced."""
    for name, expression in {"address": ADDRESS, **names}.items():
        table = table.replace(f"<{name}>", expression)
    return table


def _cues(line: str) -> list[tuple[str, str, Lazy]]:
    words, _, look = line.partition("  ")
    expression = Lazy(look.strip()) if look else None
    return [(_start_of(word), word, expression or Lazy(_alone(word))) for word in words.split("|")]


def _alone(word: str) -> str:
    return rf"{word}(?<!\w{word})(?!\w)" if word[0] < _LATIN else word


def _start_of(word: str) -> str:
    """Return the first letters that a text must have for this word, empty if unknown."""
    start = word[:START]
    return start if start.isascii() and start.isalpha() and len(start) == START else ""


MAX_HEAD, MAX_TAIL = 12 * 1024, 4 * 1024
_APOSTROPHES = (
    "don't can't won't didn't doesn't isn't wasn't aren't haven't hasn't shouldn't couldn't wouldn't that's what's i've you've we've"
    " they've i'm you're they're he's she's there's"
)
_TYPED = {word.replace("'", ""): word for word in _APOSTROPHES.split()}
_TYPED |= {
    "u": "you",
    "ur": "your",
    "pls": "please",
    "plz": "please",
    "rember": "remember",
    "remeber": "remember",
}
_SHORT = {short: (Lazy(rf"\b{short}\b"), whole) for short, whole in _TYPED.items()}
BLANK = str.maketrans(dict.fromkeys('!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~', " "))
_UNSEEN = dict.fromkeys((0xAD, 0x34F, 0x180E, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F)))
_UNSEEN |= dict.fromkeys((*range(0x2060, 0x2070), *range(0xFE00, 0xFE10)))
_SAME: dict[int, str | None] = {
    **_UNSEEN,
    **dict.fromkeys(map(ord, "’‘ʼ‛＇`´′"), "'"),
    **dict.fromkeys(map(ord, "“”„‟«»「」『』《》″＂"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
    **dict.fromkeys(map(ord, "¿¡")),
    ord("、"): ",",
}
# Traditional letters in the rules' words, and the simplified ones.
_TRADITIONAL = str.maketrans(
    "記別說決劃從現開後訴經剛過討論錯對這們實應該換變還沒幾誰講談聊遍問復約準備註總點電話號碼處時為給嗎樣問題於與並計會來東車長門間關舊遷離職婚務項買賣認識請讓將無須遺難選擇發佈個種頭腦書寫聽見",
    "记别说决划从现开后诉经刚过讨论错对这们实应该换变还没几谁讲谈聊遍问复约准备注总点电话号码处时为给吗样问题于与并计会来东车长门间关旧迁离职婚务项买卖认识请让将无须遗难选择发布个种头脑书写听见",
)


def cut(text: str) -> str:
    """Return head and tail of a text too long for a message."""
    if len(text) <= MAX_HEAD + MAX_TAIL:
        return text
    return f"{text[:MAX_HEAD]}\n{text[-MAX_TAIL:]}"


def spelled_alike(text: str) -> str:
    """Return ``text`` with one kind of apostrophe, quotation mark, dash, width and blank, without invisible characters."""
    if not text.isascii():
        text = cut(unicodedata.normalize("NFKC", text.translate(_SAME)))
    return text


def typed_in_haste(expression: str) -> str:
    """Return an expression that also matches without accents, and with `q` for `que`."""
    return without_accents(expression).replace("que", "q(?:ue)?")


def without_accents(text: str) -> str:
    """Return a text without marks on letters."""
    return "".join(filterfalse(unicodedata.combining, unicodedata.normalize("NFD", text)))


def in_small(text: str) -> str:
    """Return ``text`` in small and simplified letters, abbreviations written out."""
    text = text.translate(_TRADITIONAL).lower()
    for short in _SHORT.keys() & text.translate(BLANK).split():
        word, whole = _SHORT[short]
        text = word.now.sub(whole, text)
    return text


START = 3  # letters of a word by which a rule checks for it
SHORT = 24  # characters of a sentence that is joined with the next one
VERY_SHORT = 14  # and with the one before it
LONG, NEAR = 240, 120  # characters of a stretch without an end, and of each side of a joint
_ENDS = (".", "!", "?", "。", ")", '"', "'")
# It begins with a set of characters instead of an alternative, so that a search skips all others at once.
_END = Lazy(r"""[.!?。](?:(?<=。)|[.!?]*['")\]]*(?=\s|$))""")
_OPENING = Lazy(r"[^\w*]*")


class MessageSentences:
    """The sender's own words in lower case, sentence by sentence."""

    __slots__ = ("_contexts", "_places", "_sentences", "everything", "starts")

    def __init__(self, text: str) -> None:
        lines = [" ".join(line.split()) for line in in_small(without_foreign(text)).splitlines()]
        self.everything = everything = " ".join(line for line in lines if line)
        self.starts = {"", *(word[:START] for word in set(everything.translate(BLANK).split()))}
        self._places: list[int] = []
        at = 0
        for line in lines:
            self._places += _sentences(line, at)
            at += len(line) + 1 if line else 0
        ends = [*self._places[1:], len(everything)]
        self._sentences = [
            _unmarked(everything[start:end].strip()) for start, end in zip(self._places, ends, strict=False)
        ]
        self._contexts: dict[int, tuple[str, ...]] = {}

    def holding(self, words: str) -> tuple[str, ...]:
        """Return every sentence with the words; one that belongs to a neighbour also joined with it."""
        return tuple(dict.fromkeys(self._looked_for(words)))

    def _looked_for(self, words: str) -> Iterator[str]:
        at = self.everything.find(words)
        while at >= 0:
            number = bisect_right(self._places, at)
            for context in self._contexts.get(number) or self._around(number):
                if words in context:
                    yield context
            if number >= len(self._places):
                return
            at = self.everything.find(words, self._places[number])

    def _around(self, number: int) -> tuple[str, ...]:
        """Return a sentence (the first is number one), and it joined with the one before and the one after."""
        here = self._sentences[number - 1]
        contexts = [here]
        if number > 1:
            contexts.append(_together(self._sentences[number - 2], here))
        if number < len(self._sentences):
            contexts.append(_together(here, self._sentences[number]))
        self._contexts[number] = tuple(filter(None, contexts))
        return self._contexts[number]


def _sentences(line: str, at: int) -> list[int]:
    """Return the starts of the sentences of a line that begins ``at``; a stretch without an end is split."""
    places: list[int] = []
    start = 0
    for end in (*[mark.end() for mark in _END.now.finditer(line)], len(line)):
        if 0 < end - start <= LONG:
            places.append(at + start)
        else:
            places += range(at + start, at + end, LONG)
        start = end
    return places


def _together(one: str, other: str) -> str:
    """Return two sentences as one if they belong together: the first is short or has no end, or the second is one word."""
    if not one or not other or one.endswith("?"):
        return ""
    if one.endswith(_ENDS) and len(one) > SHORT and len(other) > VERY_SHORT:
        return ""
    return f"{one[-NEAR:]} {other[:NEAR]}"


def _unmarked(sentence: str) -> str:
    """Return a sentence from its first word on, with a star that marks a correction."""
    if sentence[:1].isalnum():
        return sentence
    first = _OPENING.now.match(sentence)
    return sentence[first.end() :] if first else sentence
