"""Where a statement belongs: the note of the day, core memory, what was learned, or the ways of working."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from clawgit.memory.entries import Tag
from clawgit.text.control import folded

if TYPE_CHECKING:
    from datetime import date

CORE = "MEMORY.md"
LEARNED = "memory/learned.md"
LESSONS = "memory/lessons.md"
WAYS, TOOLS = "AGENTS.md", "TOOLS.md"
OPERATOR = "operator"


class Kind(Enum):
    """What a statement is about."""

    LESSON = "a lesson about how to work"
    TOOL_LESSON = "a lesson about a tool"
    LASTING = "a lasting fact, preference or decision"
    ASKED = "what was asked to be remembered, which goes with the day first"
    PASSING = "something of the day"


@dataclass(frozen=True, slots=True)
class Route:
    """The file for a statement, and why that one, to be said in a sentence."""

    path: str
    kind: Kind
    why: str


_ASKED = re.compile(
    r"^(?:please\s+|pls\s+)?(?:remember|note|keep in mind)(?:\s+(?:this|that))?\s*[:：,，—-]?\s*"
    r"|^(?:请)?(?:记住|记一下|记得|記住)(?:这个|这一点|這個)?\s*[:：,，]?\s*"
    r"|^(?:이거|이걸|이것)?\s*(?:꼭\s*)?기억해(?:\s*줘|\s*둬|\s*주세요)?\s*[:：,，.]?\s*",
    re.IGNORECASE,
)
# "Remember this", whatever it is: the day's note has it first, and what lasts is promoted from there.
_REMEMBER_THIS = re.compile(
    r"^(?:please\s+|pls\s+)?(?:remember|note)\s+this\b|^(?:请)?(?:记住|記住|记一下)(?:这个|这一点|這個)"
    r"|^(?:이거|이걸|이것|이것을)\s*(?:꼭\s*)?기억",
    re.IGNORECASE,
)
_LESSON = re.compile(
    r"^(?:lessons?(?:\s+learn(?:ed|t))?|til|note to self|never again|gotcha|pitfall)\b"
    r"|^(?:please\s+)?(?:always|never|do not|don['’]?t)\s+(?!been|mind|forget|know|think|remember|worry|care)\w+"
    r"|\blessons?(?: learn(?:ed|t))?\s*[:：]"
    r"|\b(?:next time|from now on)\b|\bso (?:that )?(?:it|this) (?:does not|doesn't|never) happens? again\b"
    r"|\b(?:the|my|a) mistake was\b|\blearn(?:ed|t) (?:that|to|the hard way)\b"
    r"|교훈|다음부터는?|앞으로는|다시는|배운 점"
    r"|教训|教訓|经验|經驗|下次|以后.{0,8}?(?:要|别|不要|都)|以後.{0,8}?(?:要|別|不要|都)|不要再|踩坑",
    re.IGNORECASE,
)
_TOOL = re.compile(
    r"`[^`]+`|(?<!\w)--?[a-z][\w-]+|\b(?:cli|api|ssh|sql|flag|script|command|docker|npm|pip|git|cron|port|server|host"
    r"|endpoint|deploy(?:ment)?|compiler|linter|database|browser|shell|terminal|tool)s?\b"
    r"|스크립트|명령어?|서버|배포|도구|포트|脚本|腳本|命令|服务器|伺服器|部署|工具|端口|接口",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:prefers?|preference|favou?rite|likes?|loves?|hates?|dislikes?|can(?:'t|not) stand|allergic|vegan|vegetarian)\b"
    r"|^decisions?\b|(?<!not )(?<!n't )(?<!n’t )\b(?:decided(?! nothing)|agreed|chose|chosen|opted|settled on|going with|policy is)\b"
    r"|\b(?:name|birthday|anniversary|time ?zone|address|phone|e-?mail|job|title|native language) (?:is|are)\b"
    r"|\b(?:ceo|cto|cfo|boss|manager|wife|husband|partner|son|daughter|mother|father|dog|cat|contact) is\b"
    r"|\b(?:deadline|budget|goal) is\b|\b(?:port|version) is \d|\bwe (?:always )?use\b"
    r"|\b(?:user|operator|client|customer) (?:wants?|needs?|expects?)\b"
    r"|\b(?:lives? in|works? (?:at|for|as)|was born|married|is called|goes by|speaks?|uses)\b"
    r"|선호|좋아(?:해|한|하)|싫어|결정(?! ?안|하지)|확정|하기로 (?:했|함|정)|생일|알레르기|살고 있|(?:이름|주소|전화번호|시간대)[은는]|채택"
    r"|偏好|喜欢|喜歡|讨厌|討厭|(?<![没未沒])(?:决定|決定)|选择了|選擇了|采用|採用|生日|过敏|過敏|住在|我叫|名字(?:是|叫)|项目(?:使用|用)|的工作是"
    r"|确定(?:使用|采用|用)|選定|选定|(?:地址|电话|時區|时区|联系人)是",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|this (?:morning|afternoon|evening|week)|next week|(?:on |until |by |to )"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|moved to|postponed|cancell?ed|rescheduled)\b"
    r"|오늘|내일|어제|이번 주|다음 주|월요일|화요일|수요일|목요일|금요일|토요일|일요일"
    r"|今天|明天|昨天|今晚|本周|这周|下周|上周|週[一二三四五六日]|周[一二三四五六日]|星期",
    re.IGNORECASE,
)  # fmt: skip
_DECIDED = re.compile(r"^decisions?\b|\b(?:decided|chose|prefers?)\b|결정|선호|决定|決定|偏好", re.IGNORECASE)


def statement_of(text: str) -> str:
    """Return what is to be remembered, without the request to remember it; all of it if nothing would be left."""
    said = folded(text)
    rest = _ASKED.sub("", said, count=1)
    return rest or said


def kind_of(text: str, tag: Tag | None = None) -> Kind:
    """Return what a statement is about, by its tag where that says it; what cannot be told is of the day."""
    said = statement_of(text)
    if tag is None and _REMEMBER_THIS.search(folded(text)):
        return Kind.ASKED
    if tag is Tag.SKILL or (tag is None and _LESSON.search(said)):
        return Kind.TOOL_LESSON if _TOOL.search(said) else Kind.LESSON
    if tag in (Tag.DECISION, Tag.KNOWLEDGE):
        return Kind.LASTING
    if _LASTING.search(said) and (_DECIDED.search(said) or not _DATED.search(said)):
        return Kind.LASTING
    return Kind.PASSING


def route(text: str, *, trust: str, on: date, tag: Tag | None = None, locked: bool = False) -> Route:
    """Return the file in which ``text`` belongs; core memory and the ways of working take the operator's words only.

    ``locked``: the ways of working are closed even to those, as `soul_policy` can say.
    """
    kind = kind_of(text, tag)
    if kind in (Kind.PASSING, Kind.ASKED):
        return Route(day_path(on), kind, f"it is {kind.value}")
    if trust != OPERATOR:
        path = LEARNED if kind is Kind.LASTING else LESSONS
        return Route(
            path, kind, f"it is {kind.value} that rests on the {trust}'s word, not on the operator's"
        )
    path = {Kind.LASTING: CORE, Kind.LESSON: WAYS, Kind.TOOL_LESSON: TOOLS}[kind]
    if locked and path != CORE:
        return Route(LESSONS, kind, f"it is {kind.value}, and soul_policy locks {path}")
    return Route(path, kind, f"it is {kind.value} on the operator's word")


def day_path(on: date) -> str:
    """Return the note of that day."""
    return f"memory/{on.isoformat()}.md"
