"""Forms of sentences that the miner knows, in English, Chinese and Korean: one table for each thing that they say."""

from __future__ import annotations

import re

from clawgit.memory.entries import Tag


def _forms(*forms: str) -> re.Pattern[str]:
    """Return what finds any of some forms, in small letters or large; `(?-i:…)` is a name."""
    return re.compile("|".join(f"(?:{form})" for form in forms), re.IGNORECASE)


def _words(listed: str) -> str:
    """Return what finds any of some words, which stand between commas, as whole words."""
    return rf"\b(?:{'|'.join(part.strip() for part in listed.split(','))})\b"


def _at_first(listed: str) -> str:
    return "^" + _words(listed)


_DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTHS = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_NAME = r"(?-i:[A-Z])\w+"
_ADVERBS = r"(?: (?:just|finally|all|both|also|now))?"

MARKS: dict[Tag | None, re.Pattern[str]] = {
    Tag.DECISION: _forms(
        r"^(?:final |team )?decisions?(?: made)?\s*[:：]\s*",
        r"^decided\s*[:：]\s*",
        r"^(?:决定|決定|结论|結論)\s*[:：]\s*",
        r"^결정(?:\s*사항)?\s*[:：]\s*",
    ),
    Tag.SKILL: _forms(
        r"^(?:lessons?(?: learn(?:ed|t))?|til|gotcha|pitfall|note to self)\s*[:：]\s*",
        r"^(?:教训|教訓|经验|經驗)\s*[:：]\s*",
        r"^(?:교훈|배운 점)\s*[:：]\s*",
    ),
    None: _forms(
        r"^(?:please )?(?:important|note|n\.?b\.?|fyi|for the record|reminder|key fact|fact)(?: that)?\s*[:：,—-]\s*",
        r"^(?:please )?(?:remember|note|don['’]t forget|keep in mind)(?: that| this)?\s*[:：,]?\s+"
        r"(?!(?:to|when|how|what|why)\b)",
        r"^(?:请|請)?(?:记住|記住|备注|備註|注意|重要)(?:这个|這個|这一点)?\s*[:：,，]?\s*",
        r"^(?:중요|메모|참고|기억해\s*(?:줘|둬|주세요)?)\s*[:：,.]\s*",
    ),
}
# What opens a sentence and says nothing.
OPENING = re.compile(
    r"(?i)^(?:(?:oh|ah|wow|hey|hi|hello|yeah|yes|yep|sure|so|well|also|and|but|ok(?:ay)?|by the way|btw|fyi|thanks"
    r"|actually|anyway|no(?=,))\b[\s,!.:—-]*)+"
)
QUESTION = _forms(r"[?？]\s*$", r"(?:吗|嗎|呢|까|나요|니)[.。]?$")
UNSURE = _forms(
    _words(
        "almost, nearly, maybe, perhaps, probably, possibly, might, not sure, unless, whether, suppose, imagine"
    ),
    _words(
        "i think, i guess, i suppose, i wonder, i hope, i wish, if i, if we, if you, if it, i'd, should we"
    ),
    _words("would, wouldn't, could, kidding, joking, hypothetically, can't wait"),
    _words("undecided, haven't decided, not decided, not yet decided"),
    "也许|也許|可能|大概|如果|要是|是不是|好像|开玩笑",
    "아마|어쩌면|만약|[것거] 같|을까|ㄹ까|농담",
)
TALK = _forms(
    _words(
        "thanks?, thank you, thx, good (?:morning|night|evening|job|luck), congrat\\w*, sorry, bye, see you"
    ),
    _words("no problem, you, you're, you'll, you've, your, lol, haha\\w*, how are"),
    "谢谢|謝謝|你好|您好|再见|晚安|早上好|你|您",
    "안녕|고마|감사|미안|죄송|반가",
)
# Nobody knows what it means who was not there.
POINTING = _forms(
    _at_first(
        "it, its, that, this, these, those, they, he, she, there, here, which, because, then, what, who"
    ),
    _at_first("how, when, where, why, to, for, with, or, not"),
    r"^time (?:we|i|he|she|they)\b|\bthe \w+ one\b",
    r"^(?:\w+[ ,]+){1,3}(?:it|them|him|these|those|this(?! (?:week|month|year|morning|weekend|summer)\w*))\b",
    "^(?:它|这|這|那|他|她|因为|因為|所以|然后)",
    "^(?:그거|그건|이거|이건|그게|그래서|그리고|왜냐)",
)
# A task for now, not something to remember.
TASK = _forms(
    _at_first(
        "please, pls, can, could, will, would, let me, let us, go, do, make, write, send, show, give, tell, find"
    ),
    _at_first(
        "check, run, open, fix, add, remove, delete, create, read, look, try, help, edit, update, change, set"
    ),
    _at_first(
        "put, explain, summari[sz]e, translate, forward, ignore, act, pretend, call, book, order, remind"
    ),
    "^(?:帮我|幫我|麻烦|给我|請你|请你)",
    r"(?:해\s?줘|해\s?주세요|줄래|주라)[.!]?$",
)
FORBIDDEN = _forms(
    _words("card numbers?, cvv, iban, social security number"),
    r"\b(?:soul|identity|agents|memory|user|tools|heartbeat|config|corrections)\.md\b",
    _words(
        "system prompt, instructions?, prompt, api keys?, passwords?, pass ?phrases?, passcodes?, passwd, pwd"
    ),
    rf"{_words('log-?in, credentials?, pin, pin code, secret, secret key, private key')}.{{0,40}}\b(?:is|are)\b",
    r"密[码碼钥鑰]|口令|비밀번호|패스워드|암호(?!화)|卡号|카드 ?번호|\[redacted",
    r"^\W*(?:operator|user|system|assistant|admin(?:istrator)?|developer|tool|agent)\s*[:：>]",
)
LEARNED = _forms(
    r"\b(?:i|we)(?:'ve| have)? (?:just |also )?learn(?:ed|t) (?:that|the hard way)\b", "배웠|学到了|學到了"
)
ALWAYS = _forms(
    r"^(?:always|never)(?! (?:had|been|mind|ever|here|there|in|on|a|an|the|again|\w+ed)\b)\b",
    _at_first("from now on, in future, in the future, by default"),
    "^(?:以后|以後|今后|一律|默认)|^앞으로",
)
DECIDED = _forms(
    rf"\b(?:we|i|the team|{_NAME} and i)(?:'ve| have)?{_ADVERBS} "
    r"(?:decided|agreed|chose|settled on|opted for|concluded|committed|picked|went with)\b",
    r"^(?:let's|we(?:'re| are)|i(?:'m| am)) (?:go(?:ing)?|stick(?:ing)?) with\b",
    "(?:我们|我們|我|团队|團隊)(?:都|已经|已經|最后|最終|最终|终于|今天)?(?:决定|決定|选择了|選擇了|商定|定了|约定)",
    "(?:하기로|쓰기로|기로) (?:했|함|정했|결정)|(?:으로|로) 결정(?:했|함)",
)
UNDECIDED = _forms(
    _words(
        "decided nothing, agreed on nothing, nothing was decided, to disagree, did not decide, didn't decide, haven't decided"
    ),
    "(?:没有|沒有|没|未|还没)(?:决定|決定|定)",
    "결정(?:하지|을 못|이 안)",
)
DAY = _forms(
    _words("yesterday, today, tonight, tomorrow, the other day, this morning"),
    rf"\b(?:last|this|next) (?:night|week(?:end)?|month|year|summer|winter|spring|fall|autumn|{_DAYS}|(?:mon|tue|wed|thu|fri|sat|sun)\w*)\b",
    r"\b(?:\w+|\d+) (?:day|week|month|year)s? ago\b",
    rf"\b(?:on|since|until|by|to|in) (?:{_DAYS}|{_MONTHS})\b",
    r"\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}|in (?:19|20)\d\d)",
    r"今天|昨天|明天|前天|上周|上週|下周|下週|上个月|下个月|去年|明年|周[一二三四五六日]|星期[一二三四五六日]|\d+月\d*",
    r"오늘|어제|내일|지난\s?(?:주|달|해)|다음\s?(?:주|달|해)|작년|내년|[월화수목금토일]요일|\d+월",
)
_WHO = rf"(?:i|we|my \w+|our \w+|the [\w'-]+(?: [\w'-]+){{0,5}}?|{_NAME})(?:'ve| have| has|'m| am| are| is|'re|'ll| will)?"
_WHEN = r"(?:(?:last|yesterday|today|this|next|tomorrow|on|in|two|three|a|\d)\b[^,]{0,24},? )?"
_DID = (
    r"(?:\w+ed|\w{3,}ing|went|bought|got|met|took|made|found|began|won|ran|saw|told|wrote|left|quit|had|gave|came|grew"
    r"|taught|became|spent|lost|built|broke|sold|hurt|flew|drove|did|starts?|ends?|opens?|moves?|is|are|was|were)\b"
)
HAPPENED = _forms(
    rf"^{_WHEN}{_WHO}(?: (?:just|finally|also|recently|actually|been))* {_DID}",
    "了|过|過|将|將|要|會|会",
    "했|갔|왔|샀|만났|됐|있[어었다]|예정|합니다|이다|입니다",
)
FELT = _forms(
    _words(
        "feel, feeling, feels, glad, happy, excited, amazing, awesome, great day, great time, tired, hungry, bored"
    ),
    _words("so fun, so cool, so nice, so good, so proud, love it, love that, love this, busy"),
    r"\bdoing (?:well|great|good|fine)\b",
    "开心|難過|难过|累|饿|기쁘|피곤|행복|배고",
)
PASSING = _forms(
    r"\b(?:like|love|hate)s? (?:it|that|this|how|the (?:idea|sound)|to (?:see|hear|help))\b",
    r"\b(?:looks?|sounds|feels|seems) like\b|\blike (?:a|an|the|when|if)\b",
    r"\bworks? for (?:me|us)\b|\bi (?:like|love) (?:what|those|these)\b",
    _words("yourself, thinking about, thinking of"),
)
FOND = _forms(r"\b(?:lov|lik|hat)(?:es?|ed|ing)\b")
IS_FOND = _forms(
    rf"^(?:i|we|my [\w' ]{{2,20}}|{_NAME})(?: (?:really|also|always|still|absolutely|only|both|all))* "
    r"(?:do not |don[’']t |doesn[’']t )?(?:love|like|hate)s? "
)
# What somebody else said, told by the one who writes.
REPORTED = _forms(
    _words(
        "wrote, writes, says?, said, told, tells, claims?, claimed, according to, quote[sd]?, joke, joking"
    ),
    r"^from (?:the|an?|his|her|their) [\w -]{2,30}:",
    "据说|聽說|听说|^[^，,。我]{1,8}[说說](?!明)|(?:라고|다고) (?:했|하|말)",
)
# A line that says what was put below it.
PASTED = re.compile(
    r"^.{0,80}\b(?:page|site|web ?site|mail|e-?mail|article|text|post|message|issue|thread|log|transcript|document|docs|file"
    r"|ticket|comment|letter|output|answer|reply)\b.{0,40}[:：][ \t]*$"
    r"|^.{0,40}(?:网页|網頁|邮件|郵件|文章|文件|메일|글|페이지|문서).{0,20}[:：][ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
