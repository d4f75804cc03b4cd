"""A letter or a mail in a message, told by its greeting, its head and its signature: somebody else's words. Pure.

It is its sender's own where it is signed with his name, or greets the agent by its name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.text.comparing.similarity import words

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_BELOW = 3  # lines: a signature stands so close below its closing


def _lines(*forms: str) -> re.Pattern[str]:
    """Return what finds a line that has one of some forms; `(?-i:…)` is a name."""
    return re.compile(rf"[ \t]*(?:{'|'.join(forms)})\s*\Z", re.IGNORECASE)


_NAMES = r"(?-i:[^\W\d_a-z][\w.'’-]*)(?: (?:(?-i:[^\W\d_a-z][\w.'’-]*)|of|the|von|van|de|da|&)){0,5}"
# Nobody greets an agent so.
_FORMAL = re.compile(
    r"[ \t]*(?:dear (?!diary|god|lord|me\b)[\w.'’-]+(?: [\w.'’-]+){0,4}[,:]|sehr geehrte|guten tag (?:frau|herr)|(?:(?:尊敬|亲爱|親愛)的?|各位)[^，,。！!\n]{1,12}[，,：:！!]"
    r"|[^\n,.]{0,12}(?:님께|께|여러분|귀하)[,.:!]?[ \t]*$|to whom it may concern)",
    re.IGNORECASE | re.MULTILINE,
)
_GREETING = _lines(
    r"(?:hi|hey|hello|dear|good (?:morning|afternoon|evening))\b[^\n]{1,40}[,:!]?",
    "[^，,。\n]{1,8}(?:[：:]|(?:您好|你好|好)[：:，,！!。]?|[，,](?:您好|你好)[：:，,！!。]?)",
    r"(?:안녕하세요[,.!]? )?[^\n,.]{1,12}님[,.:!]?(?: 안녕하세요[,.!]?)?",
)
_CLOSING = _lines(
    r"(?:all the best|best|best wishes|(?:with )?(?:best |kind |warm |warmest )?regards|cheers|(?:yours )?sincerely|yours(?: truly)?|love|(?:many )?thanks)[,.!]?",
    r"(?:mit freundlichen grüßen|viele grüße|cordialement|saludos)[,.!]?",
    "(?:此致|敬礼|敬禮|此致敬礼|祝好|顺颂商祺|順頌商祺|谢谢|謝謝|敬上)[,，.。!！]?",
    r"(?:감사합니다|고맙습니다|이만 줄입니다)[,.!]?",
)
_SIGNATURE = _lines(
    _NAMES, r"your [\w-]+(?: [\w-]+)?", r"[\u3400-\u9fff]{2,8}(?:敬上|谨上)?", r"[가-힣]{2,8}"
)
_SIGNED = _lines(r"[가-힣 ]{2,14} (?:드림|올림|배상)", "[\u3400-\u9fff]{2,6}(?:敬上|谨上|謹上)")
_HEAD = re.compile(
    r"[ \t]*(?:(?:subject|betreff|主题|主旨|主題|제목|发件人|寄件者|보낸 ?사람|收件人|받는 ?사람)[ \t]*[:：]|(?:re|fwd?|aw|wg|答复|转发|回复)[:：][ \t])[^\n]*\S",
    re.IGNORECASE,
)


def without_letter(text: str, ours: Collection[str] = ()) -> str:
    """Return a message without the letters in it; ``ours`` are names of the sender and the agent, in small letters."""
    lines = text.splitlines(keepends=True)
    end = _end_of_letter(lines)
    begin = _begin_of_letter(lines, end)
    if begin is None:
        return text
    end = len(lines) if end is None else end
    if ours and not {*words(lines[begin]), *words("".join(lines[end - _BELOW : end]))}.isdisjoint(ours):
        return text
    return "".join((*lines[:begin], *lines[end:]))


def _begin_of_letter(lines: Sequence[str], end: int | None) -> int | None:
    """Return at which line a letter begins: what is signed does so with its greeting, or with the message."""
    formal = (at for at, line in enumerate(lines) if _FORMAL.match(line) or _is_head(lines, at))
    begin = next(formal, None)
    if begin is not None or end is None:
        return begin
    return next((at for at, line in enumerate(lines[:end]) if _GREETING.match(line)), 0)


def _is_head(lines: Sequence[str], at: int) -> bool:
    """Say whether a line is of a mail's head: something stands below it."""
    return at + 1 < len(lines) and _HEAD.match(lines[at]) is not None


def _end_of_letter(lines: Sequence[str]) -> int | None:
    """Return behind which line the last letter ends that is signed, None if none is."""
    for at in range(len(lines) - 1, 0, -1):
        if _SIGNED.match(lines[at]):
            return at + 1
        if _CLOSING.match(lines[at]) and (end := _signed_below(lines, at)) is not None:
            return end
    return None


def _signed_below(lines: Sequence[str], closing: int) -> int | None:
    """Return behind which line a signature ends that stands below a closing."""
    end = None
    for at in range(closing + 1, min(closing + 1 + _BELOW, len(lines))):
        if _SIGNATURE.match(lines[at]) or _CLOSING.match(lines[at]):
            end = at + 1
        elif lines[at].strip():
            break
    return end
