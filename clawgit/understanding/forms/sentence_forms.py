"""Forms of sentences that are worth keeping, in English, Chinese and Korean: one table for each thing that they say."""

from __future__ import annotations

import re

from clawgit.memory.entries.entries import Tag
from clawgit.text.words.word_lists import MONTH, WEEKDAY
from clawgit.understanding.forms.phrase_forms import any_form, at_first

_NAME = r"(?-i:[A-Z])\w+"
_ADVERBS = r"(?: (?:just|finally|all|both|also|now))?"
MARKS: dict[Tag | None, re.Pattern[str]] = {
    Tag.DECISION: any_form(
        r"^(?:final |team )?decisions?(?: made)?\s*(?:[:：]|[–—-]\s)\s*",
        r"^(?:decided|final decision|final(?=\s*:\s*(?:we|i)\b))\s*[:：]\s*",
        r"^(?:决定|決定|结论|結論)\s*[:：]\s*|^(?:那|那么)?(?:就)?这(?:样|么)(?:说)?定了?[，,：:]\s*",
        r"^결정(?:\s*사항)?\s*[:：]\s*",
    ),
    Tag.SKILL: any_form(
        r"^(?:lessons?(?: learn(?:ed|t))?|til|gotcha|pitfall)\s*[:：]\s*|^note to self\b\s*[:：,–—-]?\s*",
        r"^lessons? learn(?:ed|t)\s*[,–—-]\s*|^(?:what|the thing) (?:i|we)(?:['’]ve)? learn(?:ed|t)(?: today)?\s*[:：]\s*",
        r"^(?:经验教训|經驗教訓|教训|教訓|经验|經驗)\s*[:：]\s*",
        r"^(?:교훈|배운 점)\s*[:：]\s*",
    ),
    None: any_form(
        r"^(?:please )?(?:important|note|n\.?b\.?|fyi|for the record|reminder|key fact|fact)(?: that)?\s*[:：,—-]\s*",
        r"^(?:(?:could|can|would|will) you )?(?:please |pls )?(?:remember|note|(?:don['’]?t|do not|never) forget|keep in mind)(?: that| this)?\s*[:：,]?\s+(?!(?:to|when|how|what|why|about|for)\b)",
        r"^note (?:to|for) (?:the |my )?(?:assistant|agent|bot|you)\s*[:：]\s*",
        r"^(?:请|請)?(?:帮我|幫我)?(?:记住|記住|记一下|备注|備註|注意|重要)(?:这个|這個|这一点)?\s*[:：,，]?\s*",
        r"^(?:千万|千萬)?(?:别|別|不要)忘(?:了|记|記)?\s*[:：,，]?\s*",
        r"^(?:중요|메모|참고|(?:기억|명심)해\s*(?:줘|둬|주세요)?|(?:꼭 )?잊지 ?(?:마세요|말아 ?(?:줘|주세요)|말고|마))\s*[:：,.]\s*",
    ),
}
# It is asked for behind what is to be remembered: `…라는 걸 기억해 줘`, `…, keep that in mind`.
ASKED_BEHIND = any_form(
    r"(?<=다)는 (?:걸|것을|거) (?:꼭 )?기억해\s?(?:줘|둬|주세요)[.!]?$",
    r"[,，] ?(?:꼭 )?(?:기억해\s?(?:줘|둬|주세요)?|잊지 ?(?:마|마세요))[.!]?$",
    r"[,;]? (?:so )?(?:please |pls )?keep (?:that|this|it) in mind(?: (?:when|whenever|if|for)\b.{0,60})?[.!]?$",
    r"[,;] (?:please |pls )?(?:remember|don['’]?t forget) (?:that|this|it)[.!]?$",
    r"[,，] ?(?:请|請)?(?:记住|記住|别忘了|別忘了)[啊吧哦呀]?[。.!！]?$",
)
# An order to remember, wherever it is; what is told or asked of remembering is none.
ORDERED = any_form(
    r"^(?!(?:why|what|how|when|where|who|which|do|did|does|have|has|is|are|was|were|should|shall|(?:can|could|would|will) (?!you\b))\b)"
    r".*?(?:(?<!\bi )(?<!\bwe )(?<!n['’]t )(?<!\bcannot )(?<!\bmust )(?<!\bdo )(?<!\bto )\bremember\b(?! (?:when|that time|the time|how|me|him|her|us)\b)"
    r"|\bkeep (?:it|that|this|in)(?: in)? mind\b|(?<!['’]ll )(?<!\bwill )(?<!\bi )\b(?:don['’]?t|do not|never) forget\b(?! (?:when|how|your first)\b)|\bmake a (?:mental )?note\b|\bnote that\b|\bfrom now on\b)",
    "(?:记住|記住|牢记|记一下|記一下|记着|記著|[别別]忘|不要忘)(?!了?[吗嗎没])|^(?:以后|以後|今后|从现在起)",
    r"기억해(?!\?|요\?)|명심해|잊지 ?(?:마|말)|메모해|^앞으로(?! (?:잘|\d))",
)
MEANS_BEFORE = any_form(
    r"\bkeep (?:it|that|this) in mind\b|\b(?:remember|forget|note) (?:it|that|this)\b(?=\W*(?:$|please\b))"
)
# To be done, or a cheer: the day has it, for nobody needs it in a month.
OF_THE_DAY = any_form(r"\b(?:remember|forget) to\b|\b(?:you|your|yourself|let['’]s)\b|[!！]$")
# What opens a sentence and says nothing.
OPENING = re.compile(
    r"(?i)^(?:(?:oh|ah|wow|hey|hi|hello|yeah|yes|yep|sure|so|well|also|and|but|ok(?:ay)?|by the way|btw|fyi|thanks"
    r"|actually|anyway|(?:(?:good |bad |some )?news|(?:quick |small )?update|status|summary|heads[- ]up|one (?:more )?thing|plan)(?=:)|no(?=,)|(?:no,? )?wait(?=[, ]+the\b)|(?:quick |some )?(?:context|background)(?=:)|(?:please|pls)(?= (?:always|never)\b))\b[\s,!.:—-]*)+"
)
# What is in a sentence for the listener only.
ASIDE = re.compile(r"(?i),? (?:by the way|btw)\b(?=[,.;!]| so\b|$)")
LEARNED = any_form(
    r"\b(?:i|we)(?:'ve| have)? (?:just |also )?learn(?:ed|t) (?:that|the hard way)\b",
    "배웠|学到了|學到了",
)
ALWAYS = any_form(
    r"^(?:always|never)(?! (?:had|been|mind|ever|here|there|in|on|a|an|the|again|happy|glad|sure|gonna|going|change|say|thought|look on|\w+ed)\b)\b",
    rf"{at_first('from now on, in future, in the future, by default')}(?!,? (?:i['’]?m|i am|who|it)\b)",
    r"^(?!(?:i|we|my|our)\b).*\bfrom now on[.!]?$|^(?:以后|以後|今后|默认)(?!就好)|^一律(?!不行)",
    "^(?:回答|回复|答复)(?:我)?(?:的时候|时|的时候)?[^，。]{0,4}(?:尽量|不要|别|要|请)",
    r"^(?:답|답변|대답|답장)(?:은|는|할 때는?) .*(?:줘|주세요|마|말고|말아요?)[.!]?$",
    r"^앞으로(?! (?:잘|\d))|^(?:항상|다음부터는?|절대) .*(?:줘|주세요|마세요|말아요?|마)[.!]?$",
)
# What follows tells a choice from an apple picked and a walk that somebody came along for.
_NOBODY = r"(?! (?:my|our|him|her|them|you|it|that|this|the flow|the kids|some|friends|a friend)\b)(?!.*\b(?:to|for a|for fun)\b)"
_SETTLED = "|".join(
    (
        r"(?:decided|chose|settled on|opted for|agreed (?:with [\w ]{1,30} )?(?:to|on|that|upon)|concluded that|committed to)",
        r"picked(?! some\b)(?!.*\b(?:up|out)\b)",
        rf"went with{_NOBODY}",
    )
)
_CHANGES = "(?:dropping(?! like| by| off| out| in)|retiring|replacing|deprecating|switching to|migrating to)"
_WILL = "(?:will not|won['’]t|will|['’]ll)"
DECIDED = any_form(
    rf"\b(?:we|i|the team|{_NAME} and i)(?:['’]ve| have)?{_ADVERBS} (?:{_SETTLED})\b",
    rf"^(?:let['’]s|we(?:['’]re| are)|i(?:['’]m| am)) (?:go(?:ing)?|stick(?:ing)?) with{_NOBODY}",
    rf"^we(?:['’]re| are) {_CHANGES} ",
    r"^i (?:will not|won['’]t) (?:accept|renew|sign|sell(?! my soul)|buy|take the|apply for|move to) ",
    r"^we(?:['’]ve| have)? changed our minds?\W+(?:and )?we (?:won['’]t|will not|['’]ll not)\b",
    r"^we no longer use ",
    rf"^let['’]s (?:do|use|keep|drop|ship|build|write|host|deploy|switch|stay) (?!it\b|that\b|this\b).*\b(?:after all|from now on|in {_NAME}|with {_NAME}|instead of)\b",
    rf"^we(?: ?{_WILL})? (?:ship|deploy|release|launch|go live) (?:on |next |this )?(?:{WEEKDAY}|{MONTH})\b",
    "(?:预算|价格|上限|期限|截止日期|时间|日期|地点)(?:就|先)?(?:定在|定为|定成|控制在)|^(?:我|我们)打算.*(?:\\d|[一二三四五六七八九十]月|明年|下[周个])",
    r"(?:예산|기한|마감|가격|한도)[은을]? .*(?:잡았|정했)|(?:\d+ ?[시일]|요일)에? .*(?:배포|출시|시작|진행|올리|옮기|이사|미루)(?:하)?자[.!]?$",
    rf"^we ?{_WILL} (?:only |not |keep |stop )?(?:use(?! what)|using|support|supporting|ship(?= (?:on|in|by|with|without|the)\b)|switch to|migrate to) ",
    "(?:我们|我們|我|团队|團隊)(?:都|已经|已經|最后|最後|最終|最终|终于|終於|今天)*(?:决定|決定|选择了|選擇了|选了|選了|选定|商定|敲定|定了|约定)",
    "(?:하기로|쓰기로|기로) (?:했|함|정했|결정)|(?:으로|로) 결정(?:했|함)",
)
_REALLY = "(?: (?:really|also|always|still|absolutely|only|both|all))*"
FOND = any_form(r"\b(?:lov|lik|hat)(?:es?|ed|ing)\b")
IS_FOND = any_form(
    rf"^(?:(?:i|we){_REALLY} (?:(?:do not|don[’']t) )?(?:love|like|hate)"
    rf"|(?:my [\w' ]{{2,20}}|{_NAME}){_REALLY} (?:doesn[’']t (?:love|like|hate)|(?:love|like|hate)s)) "
)
