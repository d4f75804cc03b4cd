"""Forms of words by which a statement is known for a lesson, a lasting fact or something of the day, by language."""

from __future__ import annotations

from clawgit.text.words.word_lists import MONTH, WEEKDAY, any_word_of
from clawgit.understanding.forms.persons import RELATIVES
from clawgit.understanding.forms.phrase_forms import any_form

_PEOPLE = any_word_of(f"{RELATIVES}, ceo, cto, cfo, contact")
_DECISION = r"^decisions?\b(?! (?:pending|needed|wanted|missing|open|is still|is not|to be)\b)"
_NO_VALUE = r"(?:not|no|so|too|very|really|important|irrelevant|unknown|wrong|right|here|there|coming|what)\b"

ASKED = any_form(
    r"^(?:please\s+|pls\s+)?(?:remember|note|keep in mind)\b(?:\s+(?:this|that)\b)?\s*[:：,，—-]?\s*",
    r"^(?:请)?(?:记住|记一下|记得|記住)(?:这个|这一点|这個|這個)?\s*[:：,，]?\s*",
    r"^(?:이거|이걸|이것)?\s*(?:꼭\s*)?기억해(?:\s*줘|\s*둬|\s*주세요)?\s*[:：,，.]?\s*",
)
# "Remember this", whatever it is: the day's note has it first, and what lasts is promoted from there.
REMEMBER_THIS = any_form(
    r"^(?:please\s+|pls\s+)?(?:remember|note)\s+this\b(?!\s+lesson)",
    r"^(?:请)?(?:记住|記住|记一下)(?:这个|这一点|這個)(?!教训|教訓|经验|經驗)",
    r"^(?:이거|이걸|이것|이것을)\s*(?:꼭\s*)?기억",
)
LESSON = any_form(
    r"^(?:lessons?(?:\s+learn(?:ed|t))?|til|note to self|never again|gotcha|pitfall)\b",
    r"^(?:please\s+)?(?:always|never|do not|don['’]?t)\s+(?!been|mind|forget|know|think|remember|worry|care)\w+",
    r"^(?:please\s+)?(?:use|prefer)\s.+\s(?:instead of|rather than|over)\s",
    r"\blessons?(?: learn(?:ed|t))?\s*[:：]",
    r"^(?:learn(?:ed|t)(?: today)?|(?:house )?rule|best practice|tip|workaround)\s*[:：]",
    r"^to (?:always|never)\s+\w+",
    r"^(?:before|after|when|whenever|if|in case)\b[^,]{1,60},\s*(?:please\s+)?(?:always|never|do not|don['’]?t)\s+\w+",
    r"\b(?:next time|from now on)\b",
    r"\bso (?:that )?(?:it|this) (?:does not|doesn't|never) happens? again\b",
    r"\b(?:the|my|a) mistake was\b",
    r"\blearn(?:ed|t) (?:that|to|the hard way)\b",
    r"교훈|배운 점",
    r"다음부터는?|앞으로는|다시는",
    r"(?:항상|반드시|절대(?:로)?)\s.*(?:할 것|하지 말 것|말 것|해야|하자|마라|말자)",
    r"教训|教訓|经验|經驗|踩坑",
    r"^学到[:：]|^學到[:：]",
    r"下次|(?:以后|以後).{0,8}?(?:要|别|別|不要|都|请|請)",
    r"不要再|(?:永远|永遠|千万|千萬|绝对|絕對)(?:不要|别|別|不能|不可)",
    r"^(?:请|請)?(?:不要|别|別)在",
)
TOOL = any_form(
    r"`[^`]+`",
    r"(?<!\w)--?[a-z][\w-]+",
    r"\b(?:cli|api|ssh|sql|flag|script|command|docker|npm|pip|git|cron|port|server|host|endpoint|deployment"
    r"|compiler|linter|database|browser|shell|terminal|tool)s?\b",
    r"스크립트|명령어?|서버|도구|포트",
    r"脚本|腳本|命令|服务器|伺服器|工具|端口|接口",
)
LASTING = any_form(
    r"\b(?:prefers?|preference|favou?rite|likes?|loves?|hates?|dislikes?|can(?:'t|not) stand)\b",
    r"\b(?:allergic|vegan|vegetarian)\b",
    _DECISION,
    r"^(?:(?:key|important|main|emergency) contacts?|current project)\s*[:：]",
    r"(?<!not )(?<!n't )(?<!n’t )\b(?:decided(?! nothing)|agreed (?:to|on|that)|chose|chosen|opted|settled on|policy is)\b",
    rf"\b(?:name|birthday|anniversary|time ?zone|native language) (?:is|are) (?!{_NO_VALUE})",
    rf"\b(?:address|(?:phone|mobile|cell)(?: number)?|e-?mail) (?:is|are) (?=.{{0,80}}(?:\d|@|(?-i:[A-Z])))(?!{_NO_VALUE})",
    r"\b(?:job|title|goal) is (?:to|an?|head|chief|lead|senior)\b",
    # Who it is, not how he is: `my boss is Noor`, not `my boss is late`.
    rf"\b{_PEOPLE} is (?:called |named )?(?:(?-i:[A-Z][a-z])|\S+@|\+?\d)",
    rf"\b(?:deadline|budget) is (?:on |at |by |about |around )?(?:the )?(?:[$€£¥₩]?\d|{MONTH}|{WEEKDAY})",
    rf"^(?:my |the user['’]s )?(?:(?:full |nick)?name|pronouns|birthday|time ?zone|native language|allerg(?:y|ies))\s*[:：] (?!{_NO_VALUE})",
    r"^(?:my |the user['’]s )?(?:address|(?:phone|mobile|cell)(?: number)?|e-?mail)\s*[:：](?=.{0,80}(?:\d|@))",
    r"\b(?:port|version) is \d",
    r"\bwe (?:always |will )?use\b",
    r"\b(?:user|operator|client|customer) (?:always |usually )?(?:wants?|needs?|expects?)\b",
    r"\blives? in\b(?! (?:hope|fear|denial|hell|chaos|a dream|the (?:moment|past|future|terminal|browser))\b)",
    r"\bspeaks?\b(?! (?:for|to|with|up|of|about|out)\b)|\bmarried\b(?! to the\b)",
    r"\b(?:works? (?:at|for|as)|was born|is called|goes by|uses|consists? of)\b",
    r"선호|좋아(?:해|한|하)|싫어|채택",
    r"결정(?! ?안|하지)|확정|[가-힣]기로 (?:했|함|정)",
    r"^(?:이름|주소|전화번호|시간대|연락처|이메일)\s*[:：]",
    r"생일|알레르기|살고 있|에 산다|에 살아|(?:이름|주소|전화번호|시간대)[은는]",
    r"偏好|(?:喜欢|喜歡|讨厌|討厭)(?!得)",
    r"(?<![没未沒])(?:决定|決定)|选择了|選擇了|采用|採用|确定(?:使用|采用|用)|選定|选定|项目[^，,。]{0,12}(?:使用|用)",
    r"(?:选择|選擇)[^，,。]{1,40}(?:而非|而不是)",
    r"^(?:关键|關鍵|重要|最终|最終)?(?:决策|決策|联系人|聯繫人|聯絡人)\s*[:：]|^(?:当前|當前)?(?:项目|項目|專案)\s*[:：]",
    r"^(?:姓名|名字|地址|电话|電話|邮箱|郵箱|时区|時區)\s*[:：]",
    r"生日|过敏|過敏|住在|的工作是|名字(?:是|叫)|(?:地址|电话|時區|时区|联系人)是",
    r"我叫|我的[^，,。]{1,6}叫|(?:我|用户|用戶)在[^，,。]{1,12}(?:工作|上班)(?!到|了)",
)
DATED = any_form(
    r"\b(?:today|tonight|tomorrow|yesterday|this (?:morning|afternoon|evening|week)|next week)\b",
    rf"\b(?:on |until |by |to ){WEEKDAY}\b",
    r"\b(?:moved to|postponed|cancell?ed|rescheduled)\b",
    r"오늘|내일|어제|이번 주|다음 주|월요일|화요일|수요일|목요일|금요일|토요일|일요일",
    r"今天|明天|昨天|今晚|本周|这周|下周|上周|週[一二三四五六日]|周[一二三四五六日]|星期",
)
DECIDED = any_form(_DECISION, r"\b(?:decided|chose|prefers?)\b", r"결정|선호", r"决定|決定|偏好")
