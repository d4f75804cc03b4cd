"""Which sentences of a message are worth keeping, and as what: by rules, in English, Chinese and Korean. Pure.

Better nothing than junk: a sentence is kept where it says something lasting, a decision, a lesson, or what happened
on a day, and can stand alone. What is asked, felt, wished or ordered, and what begins with an `it`, is left.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from clawgit.memory.entries import Tag
from clawgit.memory.routing import Kind, kind_of, statement_of
from clawgit.memory.statements import sentences_of
from clawgit.text.control import folded
from clawgit.text.similarity import words

FEWEST_WORDS, MOST_WORDS = 4, 45
FEWEST_LETTERS = 6  # of Chinese, where each one is a word
MOST_LENGTH = 240


class Voice(Enum):
    """Whose words they are: of the agent's, only what it marks is kept."""

    OPERATOR = "operator"
    PERSON = "person"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class Kept:
    """A sentence as it was said, what of it is to be remembered, and as what."""

    quote: str
    statement: str
    tag: Tag


_MARKS: dict[Tag | None, re.Pattern[str]] = {
    Tag.DECISION: re.compile(r"(?i)^(?:(?:final |team )?decisions?(?: made)?|decided)\s*[:：]\s*|^(?:决定|決定|结论|結論)\s*[:：]\s*|^결정(?:\s*사항)?\s*[:：]\s*"),
    Tag.SKILL: re.compile(r"(?i)^(?:lessons?(?: learn(?:ed|t))?|til|gotcha|pitfall|note to self)\s*[:：]\s*|^(?:教训|教訓|经验|經驗)\s*[:：]\s*|^(?:교훈|배운 점)\s*[:：]\s*"),
    None: re.compile(r"(?i)^(?:(?:please )?(?:important|note|n\.?b\.?|fyi|for the record|reminder|key fact|fact)(?: that)?\s*[:：,—-]\s*|(?:please )?(?:remember|note|don['’]t forget|keep in mind)(?: that| this)?\s*[:：,]?\s+(?!to\b|when\b|how\b|what\b|why\b))"
                     r"|^(?:请|請)?(?:记住|記住|备注|備註|注意|重要)(?:这个|這個|这一点)?\s*[:：,，]?\s*|^(?:중요|메모|참고|기억해\s*(?:줘|둬|주세요)?)\s*[:：,.]\s*"),
}  # fmt: skip
_LEARNED = re.compile(
    r"(?i)\b(?:i|we)(?:'ve| have)? (?:just |also )?learn(?:ed|t) (?:that|the hard way)\b|배웠|学到了|學到了"
)
# What opens a sentence and says nothing.
_OPENING = re.compile(
    r"(?i)^(?:(?:oh|ah|wow|hey|hi|hello|yeah|yes|yep|sure|so|well|also|and|but|ok(?:ay)?|by the way|btw|fyi|thanks|actually|anyway)\b[\s,!.:—-]*)+"
)
_QUESTION = re.compile(r"[?？]\s*$|(?:吗|嗎|呢|까|나요|니)[.。]?$")
_UNSURE = re.compile(
    r"(?i)\b(?:almost|nearly|maybe|perhaps|probably|possibly|might|not sure|i (?:think|guess|suppose|wonder|hope|wish|wonder)|if (?:i|we|you|it)|would(?:n't)?|could|should we|i'd"
    r"|unless|whether|suppose|imagine|kidding|joking|hypothetically|can't wait|undecided|haven't decided|not (?:yet )?decided)\b"
    r"|也许|也許|可能|大概|如果|要是|是不是|好像|开玩笑|아마|어쩌면|만약|[것거] 같|을까|ㄹ까|농담"
)  # fmt: skip
_TALK = re.compile(
    r"(?i)\b(?:thanks?|thank you|thx|good (?:morning|night|evening|job|luck)|congrat\w*|sorry|bye|see you|no problem|you(?:'re| are)|you(?:'ll|'ve)?|your"
    r"|lol|haha\w*|how are)\b|谢谢|謝謝|你好|您好|再见|晚安|早上好|你|您|안녕|고마|감사|미안|죄송|반가"
)  # fmt: skip
_POINTING = re.compile(
    r"(?i)^(?:it|its|it's|that|that's|this|these|those|they|they're|he|he's|she|she's|there|here|which|because|then|what|who|how|when|where|why|to|for|with|or|not)\b"
    r"|^(?:\w+[ ,]+){1,3}(?:it|them|him|these|those|this(?! (?:week|month|year|morning|weekend|summer)\w*))\b"
    r"|^(?:它|这|這|那|他|她|因为|因為|所以|然后)|^(?:그거|그건|이거|이건|그게|그래서|그리고|왜냐)"
)  # fmt: skip
# A task for now, not something to remember.
_TASK = re.compile(
    r"(?i)^(?:please|pls|can|could|will|would|let me|let us|go|do|make|write|send|show|give|tell|find|check|run|open|fix|add|remove|delete|create|read|look|try|help|edit"
    r"|update|change|set|put|explain|summari[sz]e|translate|forward|ignore|act|pretend|call|book|order|remind)\b|^(?:帮我|幫我|麻烦|给我|請你|请你)|(?:해\s?줘|해\s?주세요|줄래|주라)[.!]?$"
)  # fmt: skip
_ORDERS_FILES = re.compile(
    r"(?i)\b(?:soul|identity|agents|memory|user|tools|heartbeat|config|corrections)\.md\b|system prompt|\binstructions?\b|\bprompt\b|API key|密码|비밀번호|\bpassword\b|\[redacted"
)
_ROLE = re.compile(
    r"(?i)^\W*(?:operator|user|system|assistant|admin(?:istrator)?|developer|tool|agent)\s*[:：>]"
)
_ALWAYS = re.compile(
    r"(?i)^(?:(?:always|never)(?! (?:had|been|mind|ever|here|there|in|on|a|an|the|again|\w+ed)\b)|from now on|in (?:the )?future|by default)\b|^(?:以后|以後|今后|一律|默认)|^앞으로"
)
_DECIDED = re.compile(
    r"(?i)\b(?:we|i|the team|(?-i:[A-Z])\w+ and i)(?:'ve| have)?(?: (?:just|finally|all|both|also|now))? (?:decided|agreed|chose|settled on|opted for|concluded|committed|picked|went with)\b"
    r"|^(?:let's|we(?:'re| are)|i(?:'m| am)) (?:go(?:ing)?|stick(?:ing)?) with\b"
    r"|(?:我们|我們|我|团队|團隊)(?:都|已经|已經|最后|最終|最终|终于|今天)?(?:决定|決定|选择了|選擇了|商定|定了|约定)|(?:하기로|쓰기로|기로) (?:했|함|정했|결정)|(?:으로|로) 결정(?:했|함)"
)  # fmt: skip
_UNDECIDED = re.compile(
    r"(?i)\b(?:nothing|to disagree)\b|(?:没有|沒有|没|未|还没)(?:决定|決定|定)|결정(?:하지|을 못|이 안)"
)
_DAY = re.compile(
    r"(?i)\b(?:yesterday|today|tonight|tomorrow|last (?:night|week(?:end)?|month|year|summer|winter|spring|fall|autumn|mon|tues|wednes|thurs|fri|satur|sun)\w*|this (?:morning|week(?:end)?|month|year)"
    r"|next (?:week(?:end)?|month|year|summer|mon\w+|tues\w+|wednes\w+|thurs\w+|fri\w+|satur\w+|sun\w+)|(?:\w+|\d+) (?:day|week|month|year)s? ago|(?:on|since|until|by|to|in) (?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?:on|since|until|by|to|in) (?:january|february|march|april|may|june|july|august|september|october|november|december)\b|the other day|\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}|in (?:19|20)\d\d)"
    r"|今天|昨天|明天|前天|上周|上週|下周|下週|上个月|下个月|去年|明年|周[一二三四五六日]|星期[一二三四五六日]|\d+月\d*"
    r"|오늘|어제|내일|지난\s?(?:주|달|해)|다음\s?(?:주|달|해)|작년|내년|[월화수목금토일]요일|\d+월"
)  # fmt: skip
_HAPPENED = re.compile(
    r"(?i)^(?:(?:last|yesterday|today|this|next|tomorrow|on|in|two|three|a|\d)\b[^,]{0,24},? )?(?:i|we|my \w+|our \w+|the [\w'-]+(?: [\w'-]+){0,5}?|(?-i:[A-Z])\w+)(?:'ve| have| has|'m| am| are| is|'re|'ll| will)?"
    r"(?: (?:just|finally|also|recently|actually|been))* (?:\w+ed|\w{3,}ing|went|bought|got|met|took|made|found|began|won|ran|saw|told|wrote|left|quit|had|gave|came|grew|taught|became|spent|lost|built|broke|sold|hurt|flew|drove|did|starts?|ends?|opens?|moves?|is|are|was|were)\b"
    r"|了|过|過|将|將|要|會|会|했|갔|왔|샀|만났|됐|있[어었다]|예정|합니다|이다|입니다"
)  # fmt: skip
_FELT = re.compile(
    r"(?i)\b(?:feel(?:ing|s)?|glad|happy|excited|amazing|awesome|great (?:day|time)|so (?:fun|cool|nice|good|proud)|love (?:it|that|this)|tired|hungry|bored|busy|doing (?:well|great|good|fine))\b"
    r"|开心|難過|难过|累|饿|기쁘|피곤|행복|배고"
)  # fmt: skip
_PASSING = re.compile(
    r"(?i)\b(?:yourself|thinking (?:about|of))\b|\b(?:like|love|hate)s? (?:it|that|this|how|the (?:idea|sound)|to (?:see|hear|help))\b|\blooks? like\b|\b(?:sounds|feels|seems) like\b|\blike (?:a|an|the|when|if)\b"
    r"|\bworks? for (?:me|us)\b|\bi (?:like|love) (?:what|those|these)\b"
)
_FOND = re.compile(r"(?i)\b(?:lov|lik|hat)(?:es?|ed|ing)\b")
_IS_FOND = re.compile(
    r"(?i)^(?:i|we|my [\w' ]{2,20}|(?-i:[A-Z])\w+)(?: (?:really|also|always|still|absolutely|only|both|all))* (?:do not |don[’']t |doesn[’']t )?(?:love|like|hate)s? "
)
# What somebody else said, told by the one who writes; and a text that was put below a line that says so.
_REPORTED = re.compile(
    r"(?i)\b(?:wrote|writes|says?|said|told|tells|claims?|claimed|according to|quote[sd]?)\b|^from (?:the|an?|his|her|their) [\w -]{2,30}:|\b(?:joke|joking)\b"
    r"|据说|聽說|听说|他说|她说|(?:라고|다고) (?:했|하|말)"
)
_PASTED = re.compile(
    r"(?im)^.{0,80}\b(?:page|site|web ?site|mail|e-?mail|article|text|post|message|issue|thread|log|transcript|document|docs|file|ticket|comment|letter|output|answer|reply)\b.{0,40}[:：][ \t]*$"
    r"|^.{0,40}(?:网页|網頁|邮件|郵件|文章|文件|메일|글|페이지|문서).{0,20}[:：][ \t]*$"
)
# What speaks against a sentence; behind a label that says what it is, less does.
_AGAINST = (_QUESTION, _UNSURE, _TALK, _TASK, _POINTING, _REPORTED)


def is_forbidden(text: str) -> bool:
    """Say whether a text speaks for somebody, of the agent's own files, of instructions or of passwords."""
    return _ROLE.search(text) is not None or _ORDERS_FILES.search(text) is not None


def kept_in(text: str, voice: Voice) -> list[Kept]:
    """Return what of a message is worth keeping, in its order; ``text`` is in its sender's own words."""
    pasted = _PASTED.search(text)
    own = text[: pasted.start()] if pasted else text
    found = (kept_of(sentence, voice) for sentence in sentences_of(own))
    return [kept for kept in found if kept is not None]


def kept_of(sentence: str, voice: Voice) -> Kept | None:
    """Return what one sentence gives to remember, None for most."""
    quote = folded(sentence)
    said = _OPENING.sub("", quote)
    tag, marked, statement = _unmarked(said)
    if is_forbidden(said) or is_forbidden(statement):
        return None
    against = (
        _AGAINST
        if not marked
        else (_QUESTION, _POINTING)
        if tag
        else (_QUESTION, _POINTING, _TASK, _REPORTED)
    )
    if not _has_a_size(statement) or any(pattern.search(statement) for pattern in against):
        return None
    if voice is Voice.AGENT:
        tag = tag or (Tag.SKILL if _LEARNED.search(statement) else Tag.KNOWLEDGE if marked else None)
    elif tag is None:
        tag = _tag_of(statement, voice, marked=marked)
    return None if tag is None else Kept(quote, statement, tag)


def _unmarked(said: str) -> tuple[Tag | None, bool, str]:
    """Return the tag that a label names, whether there is a label, and what stands behind it."""
    for tag, mark in _MARKS.items():
        found = mark.match(said)
        if found:
            return tag, True, said[found.end() :]
    statement = statement_of(said)
    return None, statement != said, statement


def _has_a_size(statement: str) -> bool:
    """Say whether a sentence is neither a fragment nor a story, and begins like one."""
    if not statement[:1].isalnum() and not statement.startswith(("`", '"', "“", "'")):
        return False
    least = FEWEST_LETTERS if _is_spaceless(statement) else FEWEST_WORDS
    return least <= len(words(statement)) <= MOST_WORDS and len(statement) <= MOST_LENGTH


def _is_spaceless(text: str) -> bool:
    return any("\u3400" <= char <= "\u9fff" for char in text)


def _tag_of(statement: str, voice: Voice, *, marked: bool) -> Tag | None:
    """Return what a sentence without a label of its own is."""
    if _DECIDED.search(statement):
        return None if _UNDECIDED.search(statement) else Tag.DECISION
    if _LEARNED.search(statement):
        return Tag.SKILL
    if _ALWAYS.search(statement):
        return Tag.SKILL if voice is Voice.OPERATOR else None
    if _FELT.search(statement) or _PASSING.search(statement):
        return Tag.KNOWLEDGE if marked else None
    if kind_of(statement) is Kind.LASTING and (_IS_FOND.search(statement) or not _FOND.search(statement)):
        return Tag.KNOWLEDGE
    if _DAY.search(statement) and _HAPPENED.search(statement):
        return Tag.EVENT
    return Tag.KNOWLEDGE if marked else None
