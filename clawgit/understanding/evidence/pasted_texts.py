"""Where a message goes on with what somebody else wrote, or with a text that something is to be done with. Pure.

Whoever talks to an agent writes a few sentences, and lists of what is his. A page, a prompt, a letter, a quotation are material:
of a long text counts what is labelled, and what is asked for in its first and last line.
"""

from __future__ import annotations

import re

from clawgit.memory.entries.statements import sentences_of
from clawgit.text.comparing.similarity import words
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.dialogue_blocks import LABELS
from clawgit.text.words.word_lists import HAN_OR_HANGUL, any_word_of
from clawgit.understanding.forms.sentence_forms import MARKS, ORDERED, any_form, whole_words

_BELOW = 3  # lines: a signature is so close below its closing
_LONGEST_CLOSING = 200  # letters of a line

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
    last = [line.strip()[:_LONGEST_CLOSING] for line in text.splitlines() if line.strip()][-_BELOW - 1 :]
    return "" if _FORMAL.match(text) or _is_signed(last) else text


def _is_signed(last: list[str]) -> bool:
    """Say whether the last lines are a closing with somebody's name below it."""
    is_closed = any(_CLOSING.fullmatch(line) for line in last[1:-1])
    return is_closed or (len(last) > 1 and _SIGNED.fullmatch(last[-1]) is not None)


MOST_LINES = 12  # of a message that somebody writes himself
FEW_LINES = 3  # and that rules understand, too
LONGEST_LINE = 170  # characters, on an average
LONGEST_LIST = 12  # lines, below one that ends in a colon
_MOST_READ = 240  # characters of a line: an entry is no longer

_ITEM = lazy_pattern(
    r"(?:[-*–][ \t]+|[•·✔✓☑▪◦□]|\[[ xX]?\]|\(?\d{1,2}[.)、．](?!\d)|[①-⑳]|[一二三四五六七八九十]{1,2}、)[ \t]*(?=\S)"
)
_PUT_OUT = lazy_pattern(
    r"(?m)^[ \t]{0,8}(?:(?:[\w.-]+@[\w.-]+[:~ ][^\n$#]{0,40})?[$#❯][ \t]+[a-z./~]|>>> |PS [A-Z]:\\|[A-Z]:\\[^\n>]{0,60}>|Traceback \("
    r"|(?:\[?[\d:T.,/ -]{5,30}Z?\]?[ \t]+|[a-z]{2,10}[ \t]+)?\[?(?:WARN|WARNING|ERROR|ERR!|INFO|DEBUG|FATAL|TRACE)\b|\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?[ \t]*-->)"
)


def without_pages(text: str, most_lines: int = MOST_LINES) -> str:
    """Return a message up to what a program printed; of a long one, what is labelled and what is asked for."""
    if "\n" not in text and len(text) <= most_lines * LONGEST_LINE:
        return text
    printed = _PUT_OUT.search(text) if "\n" in text else None
    lines = [line for line in (text[: printed.start()] if printed else text).splitlines() if line.strip()]
    if _is_talk(lines, most_lines):
        return "\n".join(lines)
    last = _asked(lines[-1]) if len(lines) > 1 else ()
    return "\n".join((*_asked(lines[0]), *filter(_is_labelled, lines[1:-1]), *last))


def _is_talk(lines: list[str], most_lines: int) -> bool:
    if sum(map(len, lines)) > most_lines * LONGEST_LINE:
        return False
    if len(lines) <= most_lines:
        return True
    return len(lines) <= LONGEST_LIST and lines[0].rstrip().endswith((":", "："))


def _is_labelled(line: str) -> bool:
    """Say whether a line says of itself that it is a decision or a lesson."""
    said = _ITEM.sub("", line.strip()[:_MOST_READ], count=1)
    return any(form.match(said) for tag, form in MARKS.items() if tag is not None)


def _asked(line: str) -> tuple[str, ...]:
    """Return what of the first or last line of a long message is labelled, or is to be remembered."""
    said = sentences_of(line) if len(line) > _MOST_READ else (line,)
    edges = dict.fromkeys((*said[:1], *said[-1:]))
    is_note = (form.match for form in MARKS.values())
    matches = (*is_note, ORDERED.search)
    return tuple(
        each for each in edges if any(match(_ITEM.sub("", each.strip(), count=1)) for match in matches)
    )


_PAIRS = ('""', "“”", "„“", "«»", "「」", "『』", "《》", "‘’", "''")
_LONGEST = 4000
_WHOLE = re.compile(r"\n|[.!?]\s|[。！？]")  # more than one sentence, or a whole one
_NAME_WORDS, _NAME_LETTERS = 2, 6  # what is that short is a name or a way to say it, and stays


def _quoted(pair: str) -> str:
    begin, end = map(re.escape, pair)
    if begin == end:  # an apostrophe and a sign of inches are inside or behind a word
        return rf"(?<![\w]){begin}(?=\S)(?:[^{end}]|(?<=\w){end}(?=\w)){{1,{_LONGEST}}}{end}(?![a-zA-Z])"
    return rf"{begin}[^{begin}{end}]{{1,{_LONGEST}}}{end}"


_QUOTED = re.compile("|".join(map(_quoted, _PAIRS)))


def without_quoted_blocks(text: str) -> str:
    """Return a message without quotations of a line, or of whole sentences: they were brought from elsewhere."""
    return _QUOTED.sub(lambda found: " " if _is_block(text, found) else found.group(), text)


def without_quoted_words(sentence: str) -> str:
    """Return a sentence with a mark in the place of what it quotes; a name in quotation marks stays."""
    return _QUOTED.sub(lambda found: found.group() if _is_name(found.group()) else "…", sentence)


def _is_block(text: str, found: re.Match[str]) -> bool:
    if _is_name(found.group()):
        return False
    before = text[: found.start()].rpartition("\n")[2].strip(" \t>*-")
    behind = text[found.end() :].partition("\n")[0].strip(" \t.,。")
    return _WHOLE.search(found.group()) is not None or not (before or behind)


def _is_name(quoted: str) -> bool:
    if HAN_OR_HANGUL.search(quoted):
        return len(quoted) - 2 <= _NAME_LETTERS
    return len(words(quoted)) <= _NAME_WORDS


_LINE, _ENDS = r"^[ \t]{0,8}", r"[ \t]*$"
_BEGINS = r"(?m:^|[.!?] )[ \t]{0,8}(?:please |ok |so |hey |now |can you |could you |help me ){0,3}"
_WORK = (
    "(?:translate|proof-?read|summari[sz]e|rewrite|rephrase|paraphrase|shorten|polish|condense|repeat after me"
    r"|(?:correct|improve|check|fix|edit) (?:this|the|my) (?:text|sentence|grammar|spelling|paragraph|letter)"
    r"|make (?:this|it) (?:sound|shorter|nicer|better|more)|what does (?:this|that|it) mean|is (?:this|that|my) (?:sentence|text|grammar)|how does (?:this|that) sound)"
)
_TEXT = "(?:code|diff|patch|snippet|function|script|query|text|prompt|draft|paragraph|letter|essay|article|story|poem|contract|clause|cv|resume|e-?mail|mail|message|post|tweet|page|list|data|log|answer)"
_TO_DO = "(?:review|improve|explain|analy[sz]e|debug|critique|grade|rate|evaluate|refactor|optimi[sz]e|simplify|format|extract|classify|fact-?check|verify|reply to|respond to|comment on)"
_JUDGED = (  # the text to look at follows a colon, a line's end or a question mark
    rf"{_TO_DO}\b[^.!?:\n]{{0,30}}\b(?:this|these|that|my|our|the following|{_TEXT})"
    r"|(?:is|are) (?:this|that|these|it) (?:an? )?(?:scam|spam|phishing|fraud|hoax|fake|real|legit\w*|genuine)"
    r"|(?:what(?:['’]s| is) wrong with|thoughts on|feedback on|any (?:bugs|errors|mistakes) in) (?:this|these|my|the)"
    r"|ist das (?:ein |eine )?(?:betrug|scam|spam|echt|richtig)|(?:prüfe?|überprüfe?|verbessere?|korrigiere?|erkläre?) (?:bitte )?(?:diese[nrsm]?|mein\w*|den|die|das)"
    r"|¿?(?:es|será) (?:esto|este \w+) (?:una? )?(?:estafa|spam|real|verdad)|(?:revisa|mejora|corrige|explica|analiza) (?:este|esta|estos|mi|el|la)"
)
_TOLD = r"(?<!\bi )(?<!\bwe )(?<!\byou )(?:said|says|wrote|writes|sent|texted|messaged|mailed|emailed|replied|answered)"
_THING = "(?:notes|minutes|lyrics|poem|song|poll|survey|transcript|chat)"
_NAME = r"(?-i:[A-Z])[\w'’-]{1,30}"
_TIME = r"\[?(?:\d{1,2}[ ./-]?\w{2,9}[ ./-]?\d{2,4},? )?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?\]?:?"
_LABEL = any_word_of(", ".join(LABELS))
_SPEAKER = rf"^[ \t]{{0,8}}(?:[-*•] )?(?:{_TIME} +)?<?@?(?!{_LABEL}:){_NAME}(?: {_NAME})?>?(?: \({_TIME}\))?:"
_MADE_UP = r"imagine, pretend, play (?:an?|the) (?=[\w ]+:), let['’]?s pretend, suppose, let['’]?s say, let['’]?s assume, assume, role-?play, act as, hypothetically"

# What follows is somebody else's, or a text that something is to be done with.
_PASTED = any_form(
    rf"^.{{0,80}}\b{_TOLD}(?: (?:me|us|back|this|that|today|just now))*(?:[:：]{_ENDS}|[ \t]*\n)|^.{{0,60}}\bjust {_TOLD}(?: me| us)?:",
    rf"{_LINE}{_NAME}(?: {_NAME})?,?(?: +|{_ENDS}\n){_TIME}{_ENDS}|^.{{0,12}}(?:发来的?|写道|回复|转发)[^。\n]{{0,6}}[:：]",
    rf"^(?:.{{0,60}} )?from (?!(?:now|today|yesterday|work|last|this)\b)(?:my |our |the )?[\w'’-]+(?: [\w'’-]+)?:{_ENDS}",
    rf"{_BEGINS}{_WORK}\b[^.!?:\n]*[.!?:\n]|^.{{0,40}}\b{_THING}\b.{{0,40}}[:?]{_ENDS}",
    rf"{_BEGINS}(?:{_JUDGED})\b[^.!?:\n]{{0,60}}(?:[:：\n]|[?？](?:\s|$))|{_BEGINS}{_TO_DO}[:：]{_ENDS}",
    r"\A(?:[^\n]*\n)+[ \t]*\^[^\n]*\Z",  # `^ lol`: what is above is somebody else's
    r"(?:检查|看看|审查|優化|优化|改进|评价|解释)(?:一下)?(?:这|下面|以下)[^。！？\n]{0,12}[:：\n]|[这這]是(?:诈骗|詐騙|骗局|真的|垃圾邮件)[吗嗎]",
    r"이 ?(?:코드|글|문장|프롬프트|메일)[^.!?\n]{0,16}(?:리뷰|검토|봐|고쳐|개선)[^.!?\n]{0,8}[:：.!?\n]|이거 ?(?:사기|스팸|진짜)",
    "(?:翻译|翻譯|润色|潤色)(?:一下|成|这|這|下面|[:：\n])|帮我翻译|幫我翻譯|这句话对[吗嗎]",
    r"(?:번역|교정)(?: 좀|해| 부탁)|다듬어|요약해|이 문장(?:이)? (?:맞|어때|괜찮)",
    r"^.{0,80}\b(?:page|site|web ?site|mail|e-?mail|article|text|post|message|issue|thread|log|transcript|document|docs|file"
    rf"|ticket|comment|letter|output|answer|reply)\b.{{0,40}}[:：]{_ENDS}|^.{{0,40}}(?:网页|網頁|邮件|郵件|文章|文件|메일|글|페이지|문서).{{0,20}}[:：]{_ENDS}",
    flags=re.MULTILINE,
)
# What looks like a talk or a notice that stands somewhere else.
_ELSEWHERE = any_form(
    rf"{_SPEAKER}(?=[^\n]*\n(?:[^\n]*\n){{0,2}}{_SPEAKER})",
    rf"{_LINE}(?:{_TIME} +(?:[-–—] )?<?{_NAME}(?: {_NAME})?>?:|{_NAME}(?: {_NAME})? [(\[]{_TIME}[)\]]:?)",
    rf"{_LINE}(?:[\u3400-\u9fff가-힣]{{2,5}}[ \t]+{_TIME}|[^\n]{{1,40}} · [^\n]{{1,24}}){_ENDS}",
    rf"{_LINE}(?:(?:posted|written|published|reviewed|asked|answered) by\b|(?:q|a|question|answer|interviewer)\d{{0,2}}[:：] |[★☆⭐]{{2}})",
    rf"{_LINE}(?:v(?:ersion)? ?)?\d+\.\d+(?:\.\d+)?[^\n]{{0,30}}\n[ \t]*[-*•\d]",
    rf"{_LINE}(?:for immediate release|press release|abstract\b|【[^】\n]{{1,20}}】|[\[]?(?:notice|announcement|통지|공지|通知|公告)[\]:：])",
    flags=re.MULTILINE,
)
# What begins something made up, or something that somebody else is to say.
_PRETENDED = any_form(
    _BEGINS + whole_words(_MADE_UP),
    _BEGINS
    + whole_words("write(?! (?:(?:this|that|it) )?down), draft, compose, reply, post, tweet, generate")
    + r"[^.!?\n]*[:.!\n]",
    r"^\W*you (?:are|will be) (?:an?|the|my)\b|^\W*your (?:name|role|task|job) is\b",
    "(?:假设|假設|假如|想象一下|想像一下|扮演|写一[首篇封段]|(?:写|寫|拟|擬|编|起草)[^，。：:\n]{0,10}[：:]|编一个)",
    "(?:가정해|가정하|상상해|역할극|인 척|소설을? 써|편지를? 써|시를? 써|(?:써|적어|작성해) ?(?:줘|주세요|줄래)[^.!?\n]{0,10}[:：])",
)


def before_another(text: str) -> str:
    """Return a message up to where a text of somebody else begins, or one to work on, or something made up."""
    begins = (found.start() for form in (_PASTED, _ELSEWHERE, _PRETENDED) if (found := form.search(text)))
    return text[: min(begins, default=len(text))]


def before_pasted(text: str, most_lines: int = MOST_LINES) -> str:
    """Return a message without letters and quoted blocks, up to where a page, a mail, a play or a text to work on follows.

    Of one with more than ``most_lines`` only some count.
    """
    return before_another(without_quoted_blocks(without_pages(without_letter(text), most_lines)))
