"""What speaks against keeping a sentence, in English, Chinese and Korean: one table for each reason."""

from __future__ import annotations

from clawgit.understanding.forms.phrase_forms import any_form, at_first, whole_words

TALK = any_form(
    whole_words(
        "thanks?, thank you, thx, good (?:morning|night|evening|job|luck), congrat\\w*, sorry, bye, see you"
    ),
    whole_words("no problem, you, you're, you'll, you've, your, how are"),
    "谢谢|謝謝|你好|您好|再见|晚安|早上好|你|您",
    "안녕|고마|감사|미안|죄송|반가",
    whole_words("lol, lmao, rofl, haha\\w*, hehe, jk"),
    r"哈哈|嘿嘿|呵呵|ㅋㅋ|ㅎㅎ|\^\^|(?<!\S);-?\)|[😂🤣🙄😅😉😜🙃]|(?<!\S)/s\b",
)
_TASTE = whole_words("prefer, like, love, hate, want, choose")
# Nobody knows what it means who was not there.
POINTING = any_form(
    at_first(
        "it(?! turns out\\b), its, that, this, these, those, they, he, she, there, here, which, because, then, what, who"
    ),
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
    at_first(
        "please, pls, can, could, will, would, let me, let us, go, do, make, write, send, show, give, tell, find"
    ),
    at_first(
        "check, run, open, fix, add, remove, delete, create, read, look, try, help, edit, update, change, set"
    ),
    at_first(
        "put, explain, summari[sz]e, translate, forward, ignore, act, pretend, call(?! me (?-i:[A-Z])), book, order, remind"
    ),
    at_first(
        "reply, respond, answer, say, draft, post, generate, compose, schedule, cancel, install, rename, copy, wait, stop, search"
    ),
    "^(?:帮我|幫我|麻烦|给我|請你|请你|(?:请|請)?(?:告诉|告訴|转告|轉告|通知)|跟.{1,6}[说說])",
    r"(?:해\s?줘|해\s?주세요|줄래|주라)[.!]?$",
)
_CODES = "(?<!zip )(?<!post )(?<!country )(?<!area )(?<!error )(?<!exit )(?<!status )(?<!dress )code, combination, token, wifi key, seed, recovery phrase"
FORBIDDEN = any_form(
    whole_words(
        "card numbers?, cvv, iban, ssn, social security number, maiden name, seed phrase, account number, passport number"
    ),
    rf"{whole_words(_CODES)}.{{0,40}}\b(?:is|are)\s+\S*\d",
    r"\b\d{3}-\d{2}-\d{4}\b|\b[a-z]{2}\d{2}(?: ?[\da-z]{4}){3,}|\b(?:\d[ -]?){13,19}\b",
    r"\b(?:soul|identity|agents|memory|user|tools|heartbeat|config|corrections)\.md\b",
    whole_words(
        "system prompt, instructions?, prompt, api keys?, passwords?, pass ?phrases?, passcodes?, passwd, pwd"
    ),
    rf"{whole_words('log-?in, credentials?, pin, pin code, secret, secret key, private key')}.{{0,40}}\b(?:is|are)\b",
    r"密[码碼钥鑰]|口令|验证码|账号|身份证|비밀번호|패스워드|암호(?!화)|인증 ?번호|계좌|주민(?:등록)?번호|卡号|카드 ?번호|\[redacted",
    r"^\W*(?:operator|user|system|assistant|admin(?:istrator)?|developer|tool|agent)\s*[:：>]",
)
# What is told of long ago is no decision that holds, and did not happen on the day of the message.
RECALLED = any_form(
    whole_words(
        "back then, in those days, at that time, once upon a time, way back, when (?:i|we) (?:was|were), used to"
    ),
    "^(?:我们?|我們)?(?:(?:很久)?以前(?!的)|当年|當年|小时候|小時候|那时|那時|那会儿|从前|從前|曾经|曾經|过去)",
    "예전|옛날|어릴 ?때|어렸을|^그때|당시|[았었했]었[어지다는던네]",
)
UNDECIDED = any_form(
    whole_words(
        "decided nothing, agreed on nothing, agreed to nothing, nothing was decided, to disagree, did not decide, didn't decide, haven't decided"
    ),
    "(?:没有|沒有|没|未|还没)(?:决定|決定|定)",
    "결정(?:하지|을 못|이 안)",
)
FELT = any_form(
    whole_words(
        "feel, feeling, feels, glad, happy, excited, amazing, awesome, great day, great time, tired, hungry, bored"
    ),
    whole_words(
        "sick of, fed up, annoyed, angry, sad, bad day, long day, stuck, lost my mind, hung ?over, headache, joking, weather"
    ),
    whole_words(
        "born ready, on fire, is being, are being, so fun, so cool, so nice, so good, so proud, love it, love that, love this, busy"
    ),
    r"\bdoing (?:well|great|good|fine)\b",
    "开心|難過|难过|累|饿|[早午晚]饭了|困死|烦|无聊|天气|下雨|下雪|好[热冷]|기쁘|피곤|행복|배고|졸려|심심|날씨|짜증|비가",
)
PASSING = any_form(
    r"\b(?:like|love|hate)s? (?:it|that|this|how|(?:all )?the|to (?:see|hear|help)|(?:when|where|how) (?:that|this|it))\b",
    r"\b(?:looks?|sounds|feels|seems) like\b|\blike (?:a|an|the|when|if)\b",
    r"\bworks? for (?:me|us)\b|\bi (?:like|love) (?:what|those|these)\b",
    whole_words(
        "yourself, thinking about, thinking of, talking about, talking to, wondering, looking at, trying to, waiting for"
    ),
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
