"""Forms of sentences that the miner knows, in English, Chinese and Korean: one table for each thing that they say."""

from __future__ import annotations

import re

from clawgit.memory.entries import Tag
from clawgit.memory.forms import any_form
from clawgit.memory.mining.fact_forms import HOW_OFTEN
from clawgit.text.wordlists import MONTH, PAST, WEEKDAY, any_word_of


def _words(listed: str) -> str:
    """Return what finds any of some words, which stand between commas, as whole words."""
    return rf"\b{any_word_of(listed)}\b"


def _at_first(listed: str) -> str:
    return "^" + _words(listed)


_NAME = r"(?-i:[A-Z])\w+"
_ADVERBS = r"(?: (?:just|finally|all|both|also|now))?"

MARKS: dict[Tag | None, re.Pattern[str]] = {
    Tag.DECISION: any_form(
        r"^(?:final |team )?decisions?(?: made)?\s*(?:[:：]|[–—-]\s)\s*",
        r"^(?:decided|final decision|final(?=\s*:\s*(?:we|i)\b))\s*[:：]\s*",
        r"^(?:决定|決定|结论|結論)\s*[:：]\s*",
        r"^결정(?:\s*사항)?\s*[:：]\s*",
    ),
    Tag.SKILL: any_form(
        r"^(?:lessons?(?: learn(?:ed|t))?|til|gotcha|pitfall)\s*[:：]\s*|^note to self\b\s*[:：,–—-]?\s*",
        r"^lessons? learn(?:ed|t)\s*[,–—-]\s*",
        r"^(?:经验教训|經驗教訓|教训|教訓|经验|經驗)\s*[:：]\s*",
        r"^(?:교훈|배운 점)\s*[:：]\s*",
    ),
    None: any_form(
        r"^(?:please )?(?:important|note|n\.?b\.?|fyi|for the record|reminder|key fact|fact)(?: that)?\s*[:：,—-]\s*",
        r"^(?:please )?(?:remember|note|(?:don['’]?t|do not|never) forget|keep in mind)(?: that| this)?\s*[:：,]?\s+"
        r"(?!(?:to|when|how|what|why|about|for)\b)",
        r"^note (?:to|for) (?:the |my )?(?:assistant|agent|bot|you)\s*[:：]\s*",
        r"^(?:请|請)?(?:记住|記住|备注|備註|注意|重要)(?:这个|這個|这一点)?\s*[:：,，]?\s*",
        r"^(?:千万|千萬)?(?:别|別|不要)忘(?:了|记|記)?\s*[:：,，]\s*",
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
# What opens a sentence and says nothing.
OPENING = re.compile(
    r"(?i)^(?:(?:oh|ah|wow|hey|hi|hello|yeah|yes|yep|sure|so|well|also|and|but|ok(?:ay)?|by the way|btw|fyi|thanks"
    r"|actually|anyway|no(?=,)|(?:no,? )?wait(?=[, ]+the\b)|(?:quick |some )?(?:context|background)(?=:)|(?:please|pls)(?= (?:always|never)\b))\b[\s,!.:—-]*)+"
)
QUESTION = any_form(
    r"[?？](?![\w=&])|n['’]t (?:i|we|he|she|they|it)[.!]?$",
    _at_first(
        "is, are, am, was, were, does, did, has, should, shall, isn't, aren't, wasn't, doesn't, didn't, haven't"
    ),
    r"(?:吗|嗎|呢|까|나요|니)[.。]?$",
    "什么|甚么|什麼|怎么|怎麼|怎样|哪[里裡儿个些]|谁|誰|(?<!我)还是",
    r"(?:뭐|누구|누가|어떻게|얼마|언제(?![나든])|어디(?![나든서]))",
)
UNSURE = any_form(
    _words(
        "almost, nearly, maybe, perhaps, probably, possibly, might, not sure, unless, whether, suppose, imagine"
    ),
    _words(
        "i think, i guess, i suppose, i wonder, i hope, i wish, if i, if we, if you, if it, i'd, should we"
    ),
    _words("would, wouldn't, could, kidding, joking, hypothetically, can't wait"),
    _words("undecided, haven't decided, not decided, not yet decided, dreamed, dreamt"),
    _words(
        "considering, tempted, leaning towards?, hopefully, apparently, supposedly, allegedly, seems? like, looks? like"
    ),
    "也许|也許|可能|大概|如果|要是|是不是|好像|开玩笑|梦[见到]|夢[見到]",
    "꿈(?:에서|을 꾸|에 나)|아마|어쩌면|만약|[것거] 같|을까|ㄹ까|농담",
)
TALK = any_form(
    _words(
        "thanks?, thank you, thx, good (?:morning|night|evening|job|luck), congrat\\w*, sorry, bye, see you"
    ),
    _words("no problem, you, you're, you'll, you've, your, how are"),
    "谢谢|謝謝|你好|您好|再见|晚安|早上好|你|您",
    "안녕|고마|감사|미안|죄송|반가",
    _words("lol, lmao, rofl, haha\\w*, hehe, jk"),
    r"哈哈|嘿嘿|呵呵|ㅋㅋ|ㅎㅎ|\^\^|(?<!\S);-?\)|[😂🤣🙄😅😉😜🙃]|(?<!\S)/s\b",
)
_TASTE = _words("prefer, like, love, hate, want, choose")
# Nobody knows what it means who was not there.
POINTING = any_form(
    _at_first(
        "it, its, that, this, these, those, they, he, she, there, here, which, because, then, what, who"
    ),
    _at_first("how, when, where, why, to, for, with, or, not"),
    r"^time (?:we|i|he|she|they)\b|\bthe (?!only\b)\w+ one\b",
    rf"^i (?:\w+ )?{_TASTE} the {_words('first, second, third, last, latter, former, other, new, old, blue, red, green, black, white, left, right')}",
    rf"^i (?:\w+ )?{_TASTE} {_words('option, version, variant, plan, draft, number, choice')}",
    "^我.{0,4}(?:喜欢|喜歡|讨厌|討厭|偏好|对).{0,3}(?:上次|[这這那][个個种種些]|第[一二三])",
    "(?:이걸|그걸|저걸|이것을|그것을|너를|널|당신을|(?:첫|두|세) ?번째)",
    r"^(?:[\w'’]+[ ,]+){1,3}(?:it|them|him|these|those|this(?! (?:week|month|year|morning|weekend|summer)\w*))\b",
    "^(?:它|这|這|那|他|她|因为|因為|所以|然后)",
    "^(?:그거|그건|이거|이건|그게|그래서|그리고|왜냐)",
)
# A task for now, not something to remember.
TASK = any_form(
    _at_first(
        "please, pls, can, could, will, would, let me, let us, go, do, make, write, send, show, give, tell, find"
    ),
    _at_first(
        "check, run, open, fix, add, remove, delete, create, read, look, try, help, edit, update, change, set"
    ),
    _at_first(
        "put, explain, summari[sz]e, translate, forward, ignore, act, pretend, call(?! me (?-i:[A-Z])), book, order, remind"
    ),
    _at_first(
        "reply, respond, answer, say, draft, post, generate, compose, schedule, cancel, install, rename, copy, wait, stop, search"
    ),
    "^(?:帮我|幫我|麻烦|给我|請你|请你)",
    r"(?:해\s?줘|해\s?주세요|줄래|주라)[.!]?$",
)
_CODES = "(?<!zip )(?<!post )(?<!country )(?<!area )(?<!error )(?<!exit )(?<!status )(?<!dress )code, combination, token, wifi key, seed, recovery phrase"
FORBIDDEN = any_form(
    _words(
        "card numbers?, cvv, iban, ssn, social security number, maiden name, seed phrase, account number, passport number"
    ),
    rf"{_words(_CODES)}.{{0,40}}\b(?:is|are)\s+\S*\d",
    r"\b\d{3}-\d{2}-\d{4}\b|\b[a-z]{2}\d{2}(?: ?[\da-z]{4}){3,}|\b(?:\d[ -]?){13,19}\b",
    r"\b(?:soul|identity|agents|memory|user|tools|heartbeat|config|corrections)\.md\b",
    _words(
        "system prompt, instructions?, prompt, api keys?, passwords?, pass ?phrases?, passcodes?, passwd, pwd"
    ),
    rf"{_words('log-?in, credentials?, pin, pin code, secret, secret key, private key')}.{{0,40}}\b(?:is|are)\b",
    r"密[码碼钥鑰]|口令|验证码|账号|身份证|비밀번호|패스워드|암호(?!화)|인증 ?번호|계좌|주민(?:등록)?번호|卡号|카드 ?번호|\[redacted",
    r"^\W*(?:operator|user|system|assistant|admin(?:istrator)?|developer|tool|agent)\s*[:：>]",
)
LEARNED = any_form(
    r"\b(?:i|we)(?:'ve| have)? (?:just |also )?learn(?:ed|t) (?:that|the hard way)\b",
    "배웠|学到了|學到了",
)
# Of an agent's work each second sentence begins so: that is nothing it marks.
FOUND_OUT = any_form(
    rf"^(?:it )?turns out (?:that )?(?:the|our|every) (?!.*{_words('was, were, had, did')})",
    r"^the trick is to\b",
    "^(?:原来|原來)(?![如是你这那他她的])|^알고 보니",
)
ALWAYS = any_form(
    r"^(?:always|never)(?! (?:had|been|mind|ever|here|there|in|on|a|an|the|again|happy|glad|sure|gonna|going|change|say|thought|look on|\w+ed)\b)\b",
    rf"{_at_first('from now on, in future, in the future, by default')}(?!,? (?:i['’]?m|i am|who|it)\b)",
    r"^(?!(?:i|we|my|our)\b).*\bfrom now on[.!]?$|^(?:以后|以後|今后|默认)(?!就好)|^一律(?!不行)",
    r"^앞으로(?! (?:잘|\d))|^(?:항상|다음부터는?|절대) .*(?:줘|주세요|마세요|말아요?|마)[.!]?$",
)
# Settled for an hour: nobody asks for it tomorrow.
FOR_NOW = any_form(
    _words("tonight, for today, for now, this time, takeaway, take-out, whatever"),
    r"\bagain[.!]?$|\b(?:for this one|this one[.!]?$)",
    "今晚|外卖|外賣|这次|這次|오늘 (?:저녁|점심|아침)|^(?:저녁|점심|아침)[은을]|이번에는?",
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
    rf"^we ?{_WILL} (?:only |not |keep |stop )?(?:use(?! what)|using|support|supporting|ship(?= (?:on|in|by|with|without|the)\b)|switch to|migrate to) ",
    "(?:我们|我們|我|团队|團隊)(?:都|已经|已經|最后|最後|最終|最终|终于|終於|今天)*(?:决定|決定|选择了|選擇了|选了|選了|选定|商定|敲定|定了|约定)",
    "(?:하기로|쓰기로|기로) (?:했|함|정했|결정)|(?:으로|로) 결정(?:했|함)",
)
UNDECIDED = any_form(
    _words(
        "decided nothing, agreed on nothing, agreed to nothing, nothing was decided, to disagree, did not decide, didn't decide, haven't decided"
    ),
    "(?:没有|沒有|没|未|还没)(?:决定|決定|定)",
    "결정(?:하지|을 못|이 안)",
)
DAY = any_form(
    _words("yesterday, today, tonight, tomorrow, the other day, this morning"),
    rf"\b(?:last|this|next) (?:night|week(?:end)?|month|year|summer|winter|spring|fall|autumn|{WEEKDAY}|(?:mon|tue|wed|thu|fri|sat|sun)\w*)\b",
    r"\b(?:\w+|\d+) (?:day|week|month|year)s? ago\b",
    rf"\b(?:on|since|until|by|to|in) (?:{WEEKDAY}|{MONTH})\b",
    rf"\b{MONTH} \d{{1,2}}\b|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}\b",
    r"\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}|in (?:19|20)\d\d)",
    r"今天|昨天|明天|前天|上周|上週|下周|下週|上个月|下个月|去年|明年|(?<!每)周[一二三四五六日]|(?<!每)(?<!每个)星期[一二三四五六日]|[\d一二三四五六七八九十]+月[\d一二三四五六七八九十]*",
    r"오늘|어제|내일|지난\s?(?:주|달|해)|다음\s?(?:주|달|해)|작년|내년|[월화수목금토일]요일|\d+월",
)
_WHO = rf"(?:i|we|(?:my|our) [\w'’-]+(?: [\w'’-]+){{0,4}}?|the [\w'-]+(?: [\w'-]+){{0,5}}?|{_NAME})(?:'ve| have| has|'m| am| are| is|'re|'ll| will)?"
_WHEN = r"(?:(?:last|yesterday|today|this|next|tomorrow|on|in|two|three|a|\d)\b[^,]{0,24},? )?"
_DID = rf"(?:\w+ed|\w{{3,}}ing|{'|'.join(sorted(PAST))}|starts?|ends?|opens?|moves?|is|are|was|were)\b"
# A day that comes again and again, with its hour: no event.
REGULARLY = any_form(rf"\b(?:{HOW_OFTEN})\b")
HOUR = any_form(r"\b(?:at )?\d{1,2}:\d\d\b", r"\bat \d{1,2}\b")
CALLED_OFF = any_form(
    r"^(?:my|our|the) (?:[\w'’-]+ ){1,5}(?:is|are|was|were|has been|have been) (?:cancell?ed|called off|postponed)\b",
    "(?:取消|推迟|推遲)了|(?:취소|연기)(?:됐|되었)",
)
_DATE_OF = "(?:appointment|interview|exam|flight|surgery|operation|wedding|check-?up|hearing|deadline|conference|viewing)"
HAPPENED = any_form(
    rf"^{_WHEN}{_WHO}(?: (?:just|finally|also|recently|actually|been))* {_DID}",
    rf"^{_WHEN}{_WHO} (?:start|leave|move|fly|travel|have an?(?: \w+)? {_DATE_OF})\b",
    "了|过|過|将|將|要|會|会|飞往?|搬|出发",
    "했|출시|계약|갔|왔|샀|만났|됐|있[어었다]|예정|합니다|이다|입니다",
)
FELT = any_form(
    _words(
        "feel, feeling, feels, glad, happy, excited, amazing, awesome, great day, great time, tired, hungry, bored"
    ),
    _words(
        "sick of, fed up, annoyed, angry, sad, bad day, long day, stuck, lost my mind, hung ?over, headache, joking, weather"
    ),
    _words(
        "born ready, on fire, is being, are being, so fun, so cool, so nice, so good, so proud, love it, love that, love this, busy"
    ),
    r"\bdoing (?:well|great|good|fine)\b",
    "开心|難過|难过|累|饿|[早午晚]饭了|困死|烦|无聊|天气|下雨|下雪|好[热冷]|기쁘|피곤|행복|배고|졸려|심심|날씨|짜증|비가",
)
PASSING = any_form(
    r"\b(?:like|love|hate)s? (?:it|that|this|how|the (?:idea|sound)|to (?:see|hear|help)|(?:when|where|how) (?:that|this|it))\b",
    r"\b(?:looks?|sounds|feels|seems) like\b|\blike (?:a|an|the|when|if)\b",
    r"\bworks? for (?:me|us)\b|\bi (?:like|love) (?:what|those|these)\b",
    _words(
        "yourself, thinking about, thinking of, talking about, talking to, wondering, looking at, trying to, waiting for"
    ),
    rf"\ballergic to {_words('mondays, people, work, meetings, mornings, bullshit, nonsense, stupidity')}",
    r"\bmy life[.!]?$|\bcho(?:se|sen) (?:the wrong|wrong|poorly|badly)\b",
    r"(?:住在|工作).*了(?!.*[，,])",
    _words("right now, at the moment, for now, for the moment"),
)
FOND = any_form(r"\b(?:lov|lik|hat)(?:es?|ed|ing)\b")
IS_FOND = any_form(
    rf"^(?:i|we|my [\w' ]{{2,20}}|{_NAME})(?: (?:really|also|always|still|absolutely|only|both|all))* "
    r"(?:do not |don[’']t |doesn[’']t )?(?:love|like|hate)s? "
)
# What somebody else said, told by the one who writes.
REPORTED = any_form(
    _words(
        "wrote, writes, says?, said, told, tells, claims?, claimed, according to, quote[sd]?, joke, joking, thinks, believes"
    ),
    r"^(?-i:[A-Z])\w+: (?:i|i['’]m|my|we)\b",
    r"^(?:\[[^\]]*\]\s*)?(?-i:INFO|WARN|WARNING|ERROR|DEBUG|FATAL|TRACE)\b",
    _words("i heard, i read, rumou?r has it, rumou?rs?"),
    r"^(?:in|from) (?:the|my|this) (?:novel|book|story|film|movie|game|play|song|dream)\b",
    r"^from (?:the|an?|his|her|their) [\w -]{2,30}:",
    "据说|聽說|听说|^[^，,。我]{1,8}[说說](?!明)|(?:라고|다고) (?:했|하|말)|(?<!반)대요[.!]?$|래요[.!]?$",
)
# A line that says what was put below it.
PASTED = re.compile(
    r"^.{0,80}\b(?:page|site|web ?site|mail|e-?mail|article|text|post|message|issue|thread|log|transcript|document|docs|file"
    r"|ticket|comment|letter|output|answer|reply)\b.{0,40}[:：][ \t]*$"
    r"|^.{0,40}(?:网页|網頁|邮件|郵件|文章|文件|메일|글|페이지|문서).{0,20}[:：][ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
# What begins something made up, or something that somebody else is to say.
_BEGINS = r"(?m:^|[.!?] )[ \t]{0,8}(?:please |ok |so |now |can you |could you ){0,3}"
_MADE_UP = r"imagine, pretend, play (?:an?|the) (?=[\w ]+:), let['’]?s pretend, suppose, let['’]?s say, let['’]?s assume, assume, role-?play, act as, hypothetically"
PRETENDED = any_form(
    _BEGINS + _words(_MADE_UP),
    _BEGINS + _words("write, draft, compose, reply, post, tweet") + r"[^.!?\n]*[:.!\n]",
    "(?:假设|假設|假如|想象一下|想像一下|扮演|写一[首篇封段]|编一个)",
    "(?:가정해|가정하|상상해|역할극|인 척|소설을? 써|편지를? 써|시를? 써)",
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
    rf"{_words('the, a, an, and, or, but, my, our, because, than, is, are, to, with, of, when, if, that')}$",
    "(?:因为|因為|所以|但是|而且|的话)$",
)
