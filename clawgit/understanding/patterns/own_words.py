"""The sender's own part of a message.

Left out: code, quoted and forwarded mail, chats as programs copy them, text between tags (pages, tool
results, injected context), web addresses, quotations within a sentence, and the text that a task is about.
"""

from __future__ import annotations

from clawgit.text.lazy_pattern import Lazy
from clawgit.text.markdown.dialogue_blocks import talk_begin

_FENCED = Lazy(r"^[ \t]*(`{3,}+|~{3,}+)[^\n]*\n.*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", flags="ms")
_QUOTED_LINE = Lazy(r"^[ \t]*(?:>|\|>).*$", flags="m")
_FORWARDED = Lazy(
    r"^[ \t]*(?:-{2,} ?(?:original|forwarded|weitergeleitete|원본|전달된|原始|转发)[^\n]*|begin forwarded message:.*"
    r"|on [^\n]{6,120} wrote:[ \t]*|am [^\n]{6,120} schrieb[^\n]*:[ \t]*"
    r"|(?:from|von|de|보낸 ?사람|发件人|寄件者|寄件人)[ \t]*[:：][^\n]*\n"
    r"(?:[^\n]*\n){0,3}?[ \t]*(?:to|sent|date|subject|an|betreff|받는 ?사람|제목|收件人|主题|主旨)[ \t]*[:：][^\n]*)$(?s:.*)",
    flags="im",
)
_MAIL_IN_A_LINE = Lazy(
    r"^[ \t]*(?:(?:from|von|de)[ \t]*:[^\n]{1,80}[ \t](?:subject|betreff|asunto|objet)[ \t]*:"
    r"|(?:fwd?|forwarded|weitergeleitet|transféré|reenviado)[ \t](?:from|von|de)[ \t][^\n:]{2,40}:)",
    flags="im",
)
_DAY, _HOUR = r"[\d.年月日/-]{6,12}", r"\d{1,2}:\d\d(?::\d\d)?(?:[ \t]?[ap]\.?m\.?)?"
_AT = rf"\[(?:{_DAY},?[ \t]+)?{_HOUR}(?:,?[ \t]+{_DAY})?\]"
_WHO = r"[^\W\d_][\w.'’ -]{0,40}"
_TALK = Lazy(  # as chat programs copy it, a time and a name before a message; or a question and the speaker of its answer
    rf"^[ \t]*(?:{_AT}[ \t]*{_WHO}:|{_WHO}[ \t]*{_AT}:|{_WHO},[ \t]*{_AT}[ \t]*$|{_DAY},?[ \t]+{_HOUR}[ \t]+(?:-[ \t]+)?{_WHO}:"
    r"|(?-i:[A-Z])[\w'’-]{1,30}:[^\n]*\?[ \t]*\n+[ \t]*(?-i:[A-Z])[\w'’-]{1,30}:)",
    flags="im",
)
_PASSED_ON = Lazy(
    r"(?:^|[:：])[ \t]*\[[^\]\n,\d]{2,24},[ \t]*(?-i:[A-ZÀ-Þ])[^\]\n]{0,40}\][ \t]", flags="im"
)  # `[WhatsApp, Ada] …`
_TAGGED = Lazy(r"<([a-z][\w:-]{1,40})\b[^<>]{0,200}>.*?(?:</\1>|\Z)", flags="is")
_FORMATTING = Lazy(
    r"</?(?:b|i|u|s|a|p|em|strong|mark|small|font|sub|sup|span|div|br|hr|ul|ol|li|h[1-6]|center|big|tt|ins|del)\b[^<>]{0,200}>",
    flags="i",
)
_PAYLOAD = Lazy(
    r"^[^\w\n]*(?:please |can you |could you |now )*(?:translate|summari[sz]e|proof-?read|paraphrase|rewrite|rephrase|reword"
    r"|spell-?check|shorten|classify|transcribe)\b[^\n:]{0,60}:.*\Z|^[^\n:]{0,20}(?:翻译|总结|概括|润色|改写)[^\n:,。]{0,16}:.*\Z"
    r"|^[^\n:]{0,30}(?:번역|요약|교정|다듬)[^\n:.]{0,16}:.*\Z",
    flags="ims",
)
_CODE = Lazy(r"(`{1,2})[^`\n]{1,400}\1")
_ADDRESS = Lazy(r"\b(?:https?://|www\.)\S+", flags="i")
_IN_QUOTES = Lazy(r"""(?:(?<=[\s:(,])|^)(?:"[^"\n]{2,400}"|'(?:[^'\n]|(?<=\w)'(?=\w)){2,400}'(?!\w))""")
_EMPHASIS = Lazy(r"(\*\*|__|~~|\*|_)(?=\S)([^*_~\n]{1,200}?)(?<=\S)\1(?!\w)")
_LEADING = Lazy(r"^[ \t]*(?:#{1,6}|[-+•]|\d{1,3}[.)])[ \t]+", flags="m")
_WORD = Lazy(r"\w")


def own_words(text: str) -> str:
    """Return ``text`` without other authors' blocks: code, quoted mail, chats, tagged pages."""
    for sign, foreign in (
        ("```", _FENCED),
        ("~~~", _FENCED),
        (">", _QUOTED_LINE),
        ("<", _FORMATTING),
        ("\n", _FORWARDED),  # before tags: `From: Ada <ada@b.example>` opens none
        ("<", _TAGGED),
    ):
        if sign in text:
            text = foreign.now.sub(" ", text)
    for sign, begins in ((":", _MAIL_IN_A_LINE), (":", _TALK), ("]", _PASSED_ON)):
        match = begins.now.search(text) if sign in text else None
        text = text[: match.start()] if match else text
    return text[: talk_begin(text)]


def without_foreign(text: str) -> str:
    """Return the sender's lines without code, addresses, quotations, texts for a task and marks."""
    for sign, foreign in (("`", _CODE), ("://", _ADDRESS), ("www.", _ADDRESS)):
        if sign in text:
            text = foreign.now.sub(" ", text)
    if '"' in text or " '" in text or text.startswith("'"):
        rest = _IN_QUOTES.now.sub(" ", text)
        if _WORD.now.search(rest):  # a message that is one quotation stays
            text = rest
    if ":" in text:
        text = _PAYLOAD.now.sub(" ", text)
    if "*" in text or "_" in text or "~~" in text:
        text = _EMPHASIS.now.sub(r"\2", text)
    return _LEADING.now.sub("", text)
