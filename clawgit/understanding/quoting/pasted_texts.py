"""How a message begins a text that somebody else wrote, or that something is to be done with: one line for each way."""

from __future__ import annotations

import re

from clawgit.text.markdown.dialogue_blocks import LABELS
from clawgit.text.words.word_lists import any_word_of
from clawgit.understanding.forms.phrase_forms import any_form, whole_words
from clawgit.understanding.quoting.letters import without_letter
from clawgit.understanding.quoting.pages import MOST_LINES, without_pages
from clawgit.understanding.quoting.quotations import without_quoted_blocks

_LINE, _ENDS = r"^[ \t]{0,8}", r"[ \t]*$"
_BEGINS = r"(?m:^|[.!?] )[ \t]{0,8}(?:please |ok |so |hey |now |can you |could you |help me ){0,3}"
_WORK = (
    "(?:translate|proof-?read|summari[sz]e|rewrite|rephrase|paraphrase|shorten|polish|condense|repeat after me"
    r"|(?:correct|improve|check|fix|edit) (?:this|the|my) (?:text|sentence|grammar|spelling|paragraph|letter)"
    r"|make (?:this|it) (?:sound|shorter|nicer|better|more)|what does (?:this|that|it) mean|is (?:this|that|my) (?:sentence|text|grammar)|how does (?:this|that) sound)"
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
    _BEGINS + whole_words("write, draft, compose, reply, post, tweet, generate") + r"[^.!?\n]*[:.!\n]",
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
