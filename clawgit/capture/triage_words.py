"""The words of a message that are its sender's own, and how they read when spelling does not matter.

Left out: code, quoted and forwarded mail, what stands between tags (pages, tool results, injected context), web
addresses, and what stands in quotation marks inside a sentence.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right

from clawgit.capture.triage_lazy import Lazy
from clawgit.capture.triage_rules import START

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_HEAD, MAX_TAIL = 12 * 1024, 4 * 1024
SHORT = 24  # characters of a sentence that is read together with the next one
VERY_SHORT = 8  # and with the one before it
LONG, NEAR = 240, 120  # characters of a stretch without an end, and of each side where two are read together

_FENCED = Lazy(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", flags="ms")
_QUOTED_LINE = Lazy(r"^[ \t]*(?:>|\|>).*$", flags="m")
_FORWARDED = Lazy(
    r"^[ \t]*(?:-{2,} ?(?:original|forwarded|weitergeleitete|원본|전달된|原始|转发)[^\n]*|begin forwarded message:.*"
    r"|on [^\n]{6,120} wrote:[ \t]*|am [^\n]{6,120} schrieb[^\n]*:[ \t]*"
    r"|(?:from|von|de|보낸 ?사람|发件人|寄件者|寄件人)[ \t]*[:：][^\n]*\n"
    r"(?:[^\n]*\n){0,3}?[ \t]*(?:to|sent|date|subject|an|betreff|받는 ?사람|제목|收件人|主题|主旨)[ \t]*[:：][^\n]*)$",
    flags="im",
)
_PAYLOAD = Lazy(
    r"^[^\w\n]*(?:please |pls |can you |could you |now )*(?:translate|summari[sz]e|proof-?read|paraphrase|rewrite|rephrase|reword"
    r"|spell-?check|shorten|classify|transcribe)\b[^\n:]{0,60}:.*\Z|^[^\n:]{0,20}(?:翻译|总结|概括|润色|改写)[^\n:,。]{0,16}:.*\Z"
    r"|^[^\n:]{0,30}(?:번역|요약|교정|다듬)[^\n:.]{0,16}:.*\Z",
    flags="ims",
)
_TAGGED = Lazy(r"<([a-z][\w:-]{1,40})\b[^<>]{0,200}>.*?(?:</\1>|\Z)", flags="is")
_FORMATTING = Lazy(
    r"</?(?:b|i|u|s|a|p|em|strong|mark|small|font|sub|sup|span|div|br|hr|ul|ol|li|h[1-6]|center|big|tt|ins|del)\b[^<>]{0,200}>",
    flags="i",
)
_CODE = Lazy(r"(`{1,2})[^`\n]{1,400}\1")
_ADDRESS = Lazy(r"\b(?:https?://|www\.)\S+", flags="i")
_IN_QUOTES = Lazy(r"""(?:(?<=[\s:(,])|^)(?:"[^"\n]{2,400}"|'(?:[^'\n]|(?<=\w)'(?=\w)){2,400}'(?!\w))""")
_EMPHASIS = Lazy(r"(\*\*|__|~~|\*|_)(?=\S)([^*_~\n]{1,200}?)(?<=\S)\1(?!\w)")
_LEADING = Lazy(r"^[ \t]*(?:#{1,6}|[-+•]|\d{1,3}[.)])[ \t]+", flags="m")
_ENDS = (".", "!", "?", "。", ")", '"', "'")
_END = Lazy(r"[.!?]+(?:['\")\]]+)?(?=\s|$)|。")

_APOSTROPHES = (
    "don't can't won't didn't doesn't isn't wasn't aren't haven't hasn't shouldn't couldn't wouldn't that's what's i've you've we've"
    " they've i'm you're they're"
)
_TYPED = {word.replace("'", ""): word for word in _APOSTROPHES.split()} | {
    "u": "you",
    "ur": "your",
    "pls": "please",
    "plz": "please",
    "rember": "remember",
    "remeber": "remember",
}
_SHORT = {short: (Lazy(rf"\b{short}\b"), whole) for short, whole in _TYPED.items()}

_WORD = Lazy(r"\w")
_OPENING = Lazy(r"[^\w*]*")

_BLANK = str.maketrans(dict.fromkeys('!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~', " "))

_UNSEEN = dict.fromkeys(
    [
        0xAD,
        0x34F,
        0x180E,
        0xFEFF,
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xFE00, 0xFE10),
    ]
)
_SAME: dict[int, str | None] = {
    **_UNSEEN,
    **dict.fromkeys(map(ord, "’‘ʼ‛＇`´′"), "'"),
    **dict.fromkeys(map(ord, "“”„‟«»「」『』《》″＂"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
    ord("、"): ",",
}
# Letters of the traditional script in the words that the rules look for, and the simplified ones.
_TRADITIONAL = str.maketrans(
    "記別說決劃從現開後訴經剛過討論錯對這們實應該換變還沒幾誰講談聊遍問復約準備註總點電話號碼處時為給嗎樣問題於與並計會來東車長門間關舊遷離職婚務項買賣認識請讓將無須遺難選擇發佈個種頭腦書寫聽見",
    "记别说决划从现开后诉经刚过讨论错对这们实应该换变还没几谁讲谈聊遍问复约准备注总点电话号码处时为给吗样问题于与并计会来东车长门间关旧迁离职婚务项买卖认识请让将无须遗难选择发布个种头脑书写听见",
)


def cut(text: str) -> str:
    """Return head and tail of a message that is too long to be one."""
    if len(text) <= MAX_HEAD + MAX_TAIL:
        return text
    return f"{text[:MAX_HEAD]}\n{text[-MAX_TAIL:]}"


def own_words(text: str) -> str:
    """Return ``text`` without blocks that somebody else wrote: code, quoted mail, tagged pages."""
    for sign, foreign in (
        ("```", _FENCED),
        ("~~~", _FENCED),
        (">", _QUOTED_LINE),
        ("<", _FORMATTING),
        ("<", _TAGGED),
    ):
        if sign in text:
            text = foreign.now.sub(" ", text)
    found = _FORWARDED.now.search(text) if "\n" in text else None
    return text[: found.start()] if found else text


def spelled_alike(text: str) -> str:
    """Return ``text`` with one kind of apostrophe, quotation mark, dash, width and blank, and nothing unseen."""
    if not text.isascii():
        text = cut(unicodedata.normalize("NFKC", text.translate(_SAME)))
    return text


class Said:
    """The sender's own words in lower case, sentence by sentence."""

    __slots__ = ("_contexts", "_places", "everything", "starts")

    def __init__(self, text: str) -> None:
        lines = [" ".join(line.split()) for line in _plain(text).splitlines()]
        self.everything = " ".join(line for line in lines if line)
        self.starts = {"", *(word[:START] for word in self.everything.translate(_BLANK).split())}
        self._places: list[int] = []
        self._contexts: dict[int, tuple[str, ...]] = {}
        at = 0
        for line in lines:
            self._places += [at + start for start in _sentences(line)]
            at += len(line) + 1 if line else 0

    def holding(self, words: str) -> Iterator[str]:
        """Yield every sentence that holds the words; one that belongs together with a neighbour also with that."""
        at = self.everything.find(words)
        while at >= 0:
            number = bisect_right(self._places, at)
            for context in self._around(number - 1):
                if words in context:
                    yield context
            if number >= len(self._places):
                return
            at = self.everything.find(words, self._places[number])

    def _around(self, number: int) -> tuple[str, ...]:
        """Return one sentence, and it together with the one before and the one after it."""
        if number not in self._contexts:
            before, here, after = (self._sentence(number + step) for step in (-1, 0, 1))
            found = (here, _together(before, here), _together(here, after))
            self._contexts[number] = tuple(context for context in found if context)
        return self._contexts[number]

    def _sentence(self, number: int) -> str:
        if not 0 <= number < len(self._places):
            return ""
        start = self._places[number]
        end = self._places[number + 1] if number + 1 < len(self._places) else len(self.everything)
        return _unmarked(self.everything[start:end].strip())


def _plain(text: str) -> str:
    """Return the text in lower case without code, addresses, quotations and marks."""
    for sign, foreign in (("`", _CODE), ("://", _ADDRESS), ("www.", _ADDRESS)):
        if sign in text:
            text = foreign.now.sub(" ", text)
    if '"' in text or " '" in text or text.startswith("'"):
        text = _unquoted(text)
    if ":" in text:
        text = _PAYLOAD.now.sub(" ", text)
    if "*" in text or "_" in text or "~~" in text:
        text = _EMPHASIS.now.sub(r"\2", text)
    text = _LEADING.now.sub("", text).translate(_TRADITIONAL).lower()
    for short in _SHORT.keys() & text.translate(_BLANK).split():
        word, whole = _SHORT[short]
        text = word.now.sub(whole, text)
    return text


def _sentences(line: str) -> list[int]:
    """Return where the sentences of a line begin; a stretch without an end is taken in pieces."""
    starts = [0, *(mark.end() for mark in _END.now.finditer(line))]
    found: list[int] = []
    for start, end in zip(starts, [*starts[1:], len(line)], strict=True):
        if start < end:
            found += range(start, end, LONG)
    return found


def _together(one: str, other: str) -> str:
    """Return two sentences as one if they may be: the first is short or has no end, or the second says but a word."""
    if not one or not other or one.endswith("?"):
        return ""
    if one.endswith(_ENDS) and len(one) > SHORT and len(other) > VERY_SHORT:
        return ""
    return f"{one[-NEAR:]} {other[:NEAR]}"


def _unmarked(sentence: str) -> str:
    """Return a sentence from its first word on; a star may say that the word sets something right."""
    if sentence[:1].isalnum():
        return sentence
    first = _OPENING.now.match(sentence)
    return sentence[first.end() :] if first else sentence


def _unquoted(text: str) -> str:
    """Leave out what is quoted inside a sentence; a message that is one quotation counts as said."""
    rest = _IN_QUOTES.now.sub(" ", text)
    return rest if _WORD.now.search(rest) else text
