"""How a message begins a text that somebody else wrote, or that something is to be done with: one line for each way."""

from __future__ import annotations

import re

from clawgit.memory.forms import any_form

_LINE, _ENDS = r"^[ \t]{0,8}", r"[ \t]*$"
_ASKED = r"(?:please |ok |hey |now |can you |could you |help me )*"
_WORK = (
    "(?:translate|proof-?read|summari[sz]e|rewrite|rephrase|paraphrase|shorten|polish|condense|repeat after me"
    r"|(?:correct|improve|check|fix|edit) (?:this|the|my) (?:text|sentence|grammar|spelling|paragraph|letter)"
    "|make (?:this|it) (?:sound|shorter|nicer|better|more)"
    r"|what does (?:this|that|it) mean|is (?:this|that|my) (?:sentence|text|grammar)|how does (?:this|that) sound)"
)
_TOLD = r"(?<!\bi )(?<!\bwe )(?<!\byou )(?:said|says|wrote|writes|sent|texted|messaged|mailed|emailed|replied|answered)"
_THING = "(?:notes|minutes|lyrics|poem|song|poll|survey|transcript|chat)"
_NAME = r"(?-i:[A-Z])[\w'’-]{1,30}"
_TIME = r"\[?(?:\d{1,2}[ ./-]?\w{2,9}[ ./-]?\d{2,4},? )?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?\]?:?"


# What follows was said by somebody else.
SAID_BY_ANOTHER = any_form(
    rf"^.{{0,80}}\b{_TOLD}(?: (?:me|us|back|this|that|today|just now))*(?:[:：]{_ENDS}|[ \t]*\n)",
    rf"^.{{0,60}}\bjust {_TOLD}(?: me| us)?:",
    rf"^(?:.{{0,60}} )?from (?!now\b)(?:my |our |the )?[\w'’-]+(?: [\w'’-]+)?:{_ENDS}",
    rf"{_LINE}{_NAME}(?: {_NAME})?,? +{_TIME}{_ENDS}",
    rf"{_LINE}{_NAME}(?: {_NAME})?{_ENDS}\n{_TIME}{_ENDS}",
    "^.{0,12}(?:发来的?|写道|回复|转发)[^。\n]{0,6}[:：]",
    flags=re.MULTILINE,
)
# What follows is a text that something is to be done with.
HANDED_IN = any_form(
    rf"{_LINE}{_ASKED}{_WORK}\b[^.!?:\n]*[.!?:\n]",
    rf"^.{{0,40}}\b{_THING}\b.{{0,40}}[:?]{_ENDS}",
    "(?:翻译|翻譯|润色|潤色)(?:一下|成|这|這|下面|[:：\n])|帮我翻译|幫我翻譯|这句话对[吗嗎]",
    r"(?:번역|교정)(?: 좀|해| 부탁)|다듬어|요약해|이 문장(?:이)? (?:맞|어때|괜찮)",
    flags=re.MULTILINE,
)


def before_another(text: str) -> str:
    """Return a message up to where somebody else begins to speak."""
    found = SAID_BY_ANOTHER.search(text)
    return text[: found.start()] if found else text
