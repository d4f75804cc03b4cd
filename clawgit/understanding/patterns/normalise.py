"""One spelling for all: width, apostrophes, marks that nobody sees, traditional letters, what is typed in haste."""

from __future__ import annotations

import unicodedata

from clawgit.understanding.patterns.compiled_patterns import Lazy

MAX_HEAD, MAX_TAIL = 12 * 1024, 4 * 1024
_APOSTROPHES = (
    "don't can't won't didn't doesn't isn't wasn't aren't haven't hasn't shouldn't couldn't wouldn't that's what's i've you've we've"
    " they've i'm you're they're"
    " he's she's there's"
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
BLANK = str.maketrans(dict.fromkeys('!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~', " "))
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
    **dict.fromkeys(map(ord, "¿¡")),
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


def spelled_alike(text: str) -> str:
    """Return ``text`` with one kind of apostrophe, quotation mark, dash, width and blank, and nothing unseen."""
    if not text.isascii():
        text = cut(unicodedata.normalize("NFKC", text.translate(_SAME)))
    return text


def in_small(text: str) -> str:
    """Return ``text`` in small and simplified letters, what was typed in haste written out."""
    text = text.translate(_TRADITIONAL).lower()
    for short in _SHORT.keys() & text.translate(BLANK).split():
        word, whole = _SHORT[short]
        text = word.now.sub(whole, text)
    return text
