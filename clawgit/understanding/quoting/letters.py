"""A letter or a mail in a message, recognised by its greeting, its head or its signature: somebody else's words. Pure."""

from __future__ import annotations

import re

from clawgit.text.lazy_pattern import lazy_pattern

_BELOW = 3  # lines: a signature is so close below its closing
_MOST_READ = 200  # letters of a line

# Nobody greets an agent so, and no talk has the head of a mail.
_FORMAL = lazy_pattern(
    r"\s*(?:dear (?!diary|god|lord|me\b)[\w.'’-]+(?: [\w.'’-]+){0,4}[,:]|sehr geehrte|to whom it may concern"
    r"|(?:(?:尊敬|亲爱|親愛)的?|各位)[^，,。！!\n]{1,12}[，,：:！!]|[^\n,.]{0,12}(?:님께|여러분|귀하)[,.:!]?[ \t]*$"
    r"|(?:(?:subject|betreff|主题|主旨|主題|제목|发件人|寄件者|보낸 ?사람)[ \t]*[:：]|(?:re|fwd?|aw|wg|答复|转发|回复)[:：][ \t])[^\n]*\n)",
    re.IGNORECASE | re.MULTILINE,
)
_CLOSING = lazy_pattern(
    r"(?:all the best|best|best wishes|(?:with )?(?:best |kind |warm |warmest )?regards|cheers|(?:yours )?sincerely|yours(?: truly)?|love|(?:many )?thanks"
    r"|(?:mit freundlichen|viele) grüße|cordialement|saludos|此致|敬礼|敬禮|祝好|谢谢|謝謝|敬上|감사합니다|고맙습니다)[,.!。]?",
    re.IGNORECASE,
)
_SIGNED = lazy_pattern(r"[가-힣 ]{2,14} (?:드림|올림|배상)|[\u3400-\u9fff]{2,6}(?:敬上|谨上|謹上)")


def without_letter(text: str) -> str:
    """Return a message, or nothing of one that is a letter, whoever signed it: he may have written it for somebody."""
    last = [line.strip()[:_MOST_READ] for line in text.splitlines() if line.strip()][-_BELOW - 1 :]
    return "" if _FORMAL.match(text) or _is_signed(last) else text


def _is_signed(last: list[str]) -> bool:
    """Say whether the last lines are a closing with somebody's name below it."""
    is_closed = any(_CLOSING.fullmatch(line) for line in last[1:-1])
    return is_closed or (len(last) > 1 and _SIGNED.fullmatch(last[-1]) is not None)
