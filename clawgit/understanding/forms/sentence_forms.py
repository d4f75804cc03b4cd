"""Forms of sentences in English, Chinese and Korean, one table for each thing that they say.

What is worth keeping, what speaks against that, and where it belongs.
"""

from __future__ import annotations

import re

from clawgit.memory.entries.entries import Tag
from clawgit.text.words.word_lists import MONTH, WEEKDAY, any_word_of
from clawgit.understanding.forms.phrase_forms import RELATIVES, any_form, at_first, whole_words

# fmt: off

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
MEANS_BEFORE = any_form(r"\bkeep (?:it|that|this) in mind\b|\b(?:remember|forget|note) (?:it|that|this)\b(?=\W*(?:$|please\b))")
# To be done, or a cheer: the day has it, for nobody needs it in a month.
OF_THE_DAY = any_form(r"\b(?:remember|forget) to\b|\b(?:you|your|yourself|let['’]s)\b|[!！]$")
# What opens a sentence and says nothing.
OPENING = re.compile(r"(?i)^(?:(?:oh|ah|wow|hey|hi|hello|yeah|yes|yep|sure|so|well|also|and|but|ok(?:ay)?|by the way|btw|fyi|thanks"
    r"|actually|anyway|(?:(?:good |bad |some )?news|(?:quick |small )?update|status|summary|heads[- ]up|one (?:more )?thing|plan)(?=:)|no(?=,)|(?:no,? )?wait(?=[, ]+the\b)|(?:quick |some )?(?:context|background)(?=:)|(?:please|pls)(?= (?:always|never)\b))\b[\s,!.:—-]*)+")
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
IS_FOND = any_form(rf"^(?:(?:i|we){_REALLY} (?:(?:do not|don[’']t) )?(?:love|like|hate)"
    rf"|(?:my [\w' ]{{2,20}}|{_NAME}){_REALLY} (?:doesn[’']t (?:love|like|hate)|(?:love|like|hate)s)) ")


TALK = any_form(
    whole_words("thanks?, thank you, thx, good (?:morning|night|evening|job|luck), congrat\\w*, sorry, bye, see you"),
    whole_words("no problem, you, you're, you'll, you've, your, how are"),
    "谢谢|謝謝|你好|您好|再见|晚安|早上好|你|您",
    "안녕|고마|감사|미안|죄송|반가",
    whole_words("lol, lmao, rofl, haha\\w*, hehe, jk"),
    r"哈哈|嘿嘿|呵呵|ㅋㅋ|ㅎㅎ|\^\^|(?<!\S);-?\)|[😂🤣🙄😅😉😜🙃]|(?<!\S)/s\b",
)
_TASTE = whole_words("prefer, like, love, hate, want, choose")
# Nobody knows what it means who was not there.
POINTING = any_form(
    at_first("it(?! turns out\\b), its, that, this, these, those, they, he, she, there, here, which, because, then, what, who"),
    at_first("how, when, where, why, to, for, with, or, not"),
    r"^time (?:we|i|he|she|they)\b|\bthe (?!only\b)\w+ one\b",
    rf"^i (?:\w+ )?{_TASTE} the {whole_words('first, second, third, last, latter, former, other, new, old, blue, red, green, black, white, left, right')}",
    rf"^i (?:\w+ )?{_TASTE} {whole_words('option, version, variant, plan, draft, number, choice')}",
    "^我.{0,4}(?:喜欢|喜歡|讨厌|討厭|偏好|对).{0,3}(?:上次|[这這那][个個种種些]|第[一二三])",
    "(?:이걸|그걸|저걸|이것을|그것을|너를|널|당신을|(?:첫|두|세) ?번째)",
    r"^(?:[\w'’]+[ ,]+){1,3}(?:it|them|him|these|those|this(?! (?:week|month|year|morning|weekend|summer)\w*))\b",
    "^(?:它|这|這|那|他|她|因为|因為|所以|然后)",
    "^(?:그거|그건|이거|이건|그게|그래서|그리고|왜냐)",
)
# Nobody knows what is meant who reads it alone: the object is in another sentence.
BARE = any_form(
    r"\b(?:it|this|that|one|there|them|these|those)\b(?=\W*(?:$|too\b|again\b|already\b|instead\b|every\b|and\b|but\b|in the end\b|on the\b))",
    "(?:[这這那]个?|它)[。.!！]?$|^(?:이걸|그걸|그거|이거)",
)
# A task for now, not something to remember.
TASK = any_form(
    at_first("please, pls, can, could, will, would, let me, let us, go, do, make, write, send, show, give, tell, find"),
    at_first("check, run, open, fix, add, remove, delete, create, read, look, try, help, edit, update, change, set"),
    at_first("put, explain, summari[sz]e, translate, forward, ignore, act, pretend, call(?! me (?-i:[A-Z])), book, order, remind"),
    at_first("reply, respond, answer, say, draft, post, generate, compose, schedule, cancel, install, rename, copy, wait, stop, search"),
    "^(?:帮我|幫我|麻烦|给我|請你|请你|(?:请|請)?(?:告诉|告訴|转告|轉告|通知)|跟.{1,6}[说說])",
    r"(?:해\s?줘|해\s?주세요|줄래|주라)[.!]?$",
)
_CODES = "(?<!zip )(?<!post )(?<!country )(?<!area )(?<!error )(?<!exit )(?<!status )(?<!dress )code, combination, token, wifi key, seed, recovery phrase"
FORBIDDEN = any_form(
    whole_words("card numbers?, cvv, iban, ssn, social security number, maiden name, seed phrase, account number, passport number"),
    rf"{whole_words(_CODES)}.{{0,40}}\b(?:is|are)\s+\S*\d",
    r"\b\d{3}-\d{2}-\d{4}\b|\b[a-z]{2}\d{2}(?: ?[\da-z]{4}){3,}|\b(?:\d[ -]?){13,19}\b",
    r"\b(?:soul|identity|agents|memory|user|tools|heartbeat|config|corrections)\.md\b",
    whole_words("system prompt, instructions?, prompt, api keys?, passwords?, pass ?phrases?, passcodes?, passwd, pwd"),
    rf"{whole_words('log-?in, credentials?, pin, pin code, secret, secret key, private key')}.{{0,40}}\b(?:is|are)\b",
    r"密[码碼钥鑰]|口令|验证码|账号|身份证|비밀번호|패스워드|암호(?!화)|인증 ?번호|계좌|주민(?:등록)?번호|卡号|카드 ?번호|\[redacted",
    r"^\W*(?:operator|user|system|assistant|admin(?:istrator)?|developer|tool|agent)\s*[:：>]",
)
# What is told of long ago is no decision that holds, and did not happen on the day of the message.
RECALLED = any_form(
    whole_words("back then, in those days, at that time, once upon a time, way back, when (?:i|we) (?:was|were), used to"),
    "^(?:我们?|我們)?(?:(?:很久)?以前(?!的)|当年|當年|小时候|小時候|那时|那時|那会儿|从前|從前|曾经|曾經|过去)",
    "예전|옛날|어릴 ?때|어렸을|^그때|당시|[았었했]었[어지다는던네]",
)
UNDECIDED = any_form(
    whole_words("decided nothing, agreed on nothing, agreed to nothing, nothing was decided, to disagree, did not decide, didn't decide, haven't decided"),
    "(?:没有|沒有|没|未|还没)(?:决定|決定|定)",
    "결정(?:하지|을 못|이 안)",
)
FELT = any_form(
    whole_words("feel, feeling, feels, glad, happy, excited, amazing, awesome, great day, great time, tired, hungry, bored"),
    whole_words("sick of, fed up, annoyed, angry, sad, bad day, long day, stuck, lost my mind, hung ?over, headache, joking, weather"),
    whole_words("born ready, on fire, is being, are being, so fun, so cool, so nice, so good, so proud, love it, love that, love this, busy"),
    r"\bdoing (?:well|great|good|fine)\b",
    "开心|難過|难过|累|饿|[早午晚]饭了|困死|烦|无聊|天气|下雨|下雪|好[热冷]|기쁘|피곤|행복|배고|졸려|심심|날씨|짜증|비가",
)
PASSING = any_form(
    r"\b(?:like|love|hate)s? (?:it|that|this|how|(?:all )?the|to (?:see|hear|help)|(?:when|where|how) (?:that|this|it))\b",
    r"\b(?:looks?|sounds|feels|seems) like\b|\blike (?:a|an|the|when|if)\b",
    r"\bworks? for (?:me|us)\b|\bi (?:like|love) (?:what|those|these)\b",
    whole_words("yourself, thinking about, thinking of, talking about, talking to, wondering, looking at, trying to, waiting for"),
    rf"\ballergic to {whole_words('mondays, people, work, meetings, mornings, bullshit, nonsense, stupidity')}",
    r"\bmy life[.!]?$|\bcho(?:se|sen) (?:the wrong|wrong|poorly|badly)\b",
    r"(?:住在|工作).*了(?!.*[，,])",
    whole_words("right now, at the moment, for now, for the moment"),
)
# What somebody else said: his name before it, or a bet on what he thinks.
REPORTED = any_form(
    r"^(?!(?:as|about|regarding|concerning|for|on|in|re|so|and|but|we|i|two|three) )(?:[\w'’.-]+ ){0,3}[\w'’.-]+: (?:i|i['’]m|my|we|our)\b",
    r"^[^:]{0,30}\b(?:lorem ipsum|bet|(?:was|were) like|is (?:sure|certain|convinced|positive))\b",
    r"(?:에게|한테|께) .*(?:전해|말해)|다고 하[셨시더]|[았었했겠한인난간]대[.!]?$",
)
# How a message ends that takes back what it says.
TAKEN_BACK = any_form(
    r"(?:^|[.!…\s])(?:just |only |i['’]m |i am |i was ){0,3}(?:kidding|joking|being sarcastic)[.!]*$",
    "(?:开玩笑的?|逗你的?|骗你的)[啦了。.!！]*$",
    "농담(?:이야|이에요|입니다|이었어)[.!]*$",
)
# A sentence that was not written to its end.
UNFINISHED = any_form(
    r"(?:\.\.\.?|…|[,，、])$",
    rf"{whole_words('the, a, an, and, or, but, my, our, because, than, is, are, to, with, of, when, if, that')}[.!]?$",
    "(?:因为|因為|所以|但是|而且|的话)$",
)


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
SETTLED = any_form(_DECISION, r"\b(?:decided|chose|prefers?)\b", r"결정|선호", r"决定|決定|偏好")
