"""Small facts about who speaks, in English, Chinese and Korean: `I'm vegan.`, `我吃素。`, `저는 간호사입니다.` Pure.

Each form is a whole sentence: who it is about, what holds of him, and of what. A sentence that a form does not cover from
its first word on is none, so three words are enough.
"""

from __future__ import annotations

import re
from functools import lru_cache

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.word_lists import HOW, WEEKDAY, any_word_of
from clawgit.understanding.forms.persons import RELATIVES


@lru_cache(maxsize=1024)
def states_a_fact(statement: str) -> bool:
    """Say whether a sentence states a small fact about who says it, and nothing else is needed to understand it."""
    return not _OF_NOW.search(statement) and any(form.match(statement) for form in _FORMS)


# Something of this moment, whatever its form.
_OF_NOW = lazy_pattern(
    r"\b(?:now|again|here|today|tonight|anymore)[.!]?$|\bfor (?:this|that|everyone|it)\b|\bin this\b|\b(?:this|that) one\b|\band then\b"
    "|[现現]在|今天|今晚|지금|오늘|요즘",
    re.IGNORECASE,
)

# --- English ---

_ENDS = r"(?:\s*(?:[.!,;:(]| [–—-] |$)|\s+(?:and|but|so|since|because|called|named|aged|with|who|from|in|at|for|by)\b)"
_STOPS = r"(?:\s*(?:[.!,;:(]| [–—-] |$)|\s+(?:and|but|so|since|because|anyway)\b)"
_NAME = rf"(?!{WEEKDAY})(?-i:[A-Z][a-z'’-]+)"
_HOW = rf"(?:(?:{HOW}) )*"
_NOT = "(?:(?:do not|don[’']t) )?"
_AM = r"(?:am|[’']m)(?: (?:also|still|now|not|really))*"
_NUMBER = (
    rf"(?:\d+|{any_word_of('a, an, no, one, two, three, four, five, six, seven, eight, nine, ten, twin')})"
)
# What points at something that is not in the sentence, or is no thing.
_POINTER = (
    r"(?:[b-z]|\d+|an?|"
    + any_word_of(
        f"""it, its, this, that, these, those, them, they, he, him, she, her, his, their, you, your, me, us, the, one, ones, both,
        either, neither, all, some, any, more, less, most, another, same, such, option, version, variant, number, plan, first,
        second, third, last, next, latter, former, what, how, when, where, who, which, why, if, to, not, no, yes, and, or, but,
        because, here, there, now, then, so, too, myself, everything, something, anything, nothing, everyone, someone, anyone,
        {WEEKDAY}"""
    )
    + r")\b(?!['’-])"
)
_THING = rf"(?!{_POINTER})\w"
# What is done again and again; `text.valueshapes` has how often as a value, with `every two weeks` and `per hour`.
HOW_OFTEN = (
    r"(?:every|each) (?:other |second |single )?"
    rf"(?:day|night|morning|afternoon|evening|weekday|week|weekend|month|year|spring|summer|autumn|winter|{WEEKDAY}s?)"
    rf"|(?:once|twice) an? \w+|daily|weekly|monthly|nightly|on (?:{WEEKDAY}s|weekdays|weekends)"
)
_HABITUAL = rf"(?!.*\b(?:crazy|mad|nuts)\b)(?=.*\b(?:{HOW_OFTEN})\b)"
# Whom one calls on is a fact of one's life as well; a friend or a teacher who is only mentioned is none.
_RELATIVE = any_word_of(
    f"{RELATIVES}, mentor, landlord, landlady, assistant, doctor, dentist, therapist, lawyer, accountant, vet"
)
_RELATIVES = rf"(?:{_RELATIVE}s?|children|wives|puppies|kids|siblings|chickens|goldfish)"
_WHICH = r"(?:(?:older|younger|elder|eldest|oldest|youngest|big|little|best|first|second|twin|late|new|golden|adopted|grown-up) )?"
_CALLING = any_word_of(
    """nurse, doctor, surgeon, physician, paramedic, midwife, pharmacist, dentist, vet, veterinarian, therapist, psychologist, teacher,
    professor, lecturer, student, researcher, scientist, physicist, chemist, biologist, mathematician, engineer, developer,
    programmer, designer, architect, carpenter, electrician, plumber, mechanic, welder, builder, farmer, gardener, florist,
    baker, cook, chef, waiter, waitress, bartender, barista, butcher, hairdresser, tailor, lawyer, solicitor, judge, notary,
    accountant, bookkeeper, auditor, economist, banker, broker, actuary, consultant, analyst, manager, director, founder,
    secretary, librarian, translator, interpreter, writer, author, editor, journalist, photographer, painter, sculptor,
    musician, pianist, violinist, guitarist, singer, composer, conductor, actor, actress, dancer, pilot, driver, sailor, captain,
    soldier, firefighter, police officer, social worker, postman, pensioner, freelancer, contractor, potter, luthier"""
)
_STATE = any_word_of(
    """vegan, vegetarian, pescatarian, teetotal, diabetic, dyslexic, asthmatic, epileptic, pregnant, married, divorced, widowed,
    single, retired, self-employed, left-handed, right-handed, colour-blind, color-blind, colour blind, color blind, colorblind,
    colourblind, lactose intolerant, lactose-intolerant, gluten intolerant, celiac, coeliac, deaf, autistic, bilingual, an only child"""
)
_INSTRUMENT = any_word_of(
    "piano, cello, violin, viola, guitar, bass, drums, flute, trumpet, trombone, clarinet, oboe, harp, organ, accordion, saxophone"
)
_FEARED = any_word_of(
    "flying, heights, spiders, snakes, dogs, needles, the dark, water, deep water, lifts, elevators, crowds, dentists"
)
_AGE = any_word_of(
    "three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen, fifteen, sixteen, seventeen, eighteen, nineteen, twenty"
)
_IS_SO = (
    rf"(?:(?:an? )?{_STATE}{_STOPS}"
    rf"|an? (?!bit |little |big |huge |fan |kind )(?:[\w-]+ ){{0,2}}{_CALLING}{_ENDS}(?!.*\bnot an?\b)"
    rf"|(?:severely |mildly |deathly )?(?:allergic|intolerant) to {_THING}"
    rf"|(?:originally )?from {_NAME}|based in {_NAME}|\d+ years old|married to {_NAME}{_ENDS}"
    rf"|(?:terrified|afraid|scared) of (?:{_FEARED})\b)"
)
_ILLNESS = any_word_of(
    """diabetes, asthma, epilepsy, arthritis, migraines, hay fever, adhd, dyslexia, high blood pressure, low blood pressure, allergy,
    allergies, intolerance, heart disease, heart condition, lung disease, skin condition, kidney disease, back problems, pacemaker, tinnitus, insomnia, eczema, anaemia, anemia, celiac, hypertension"""
)
_OWN = any_word_of(
    """blood type, blood group, shoe size, shirt size, ring size, dress size, height, surname, last name, first name, middle name,
    maiden name, nickname, pronouns, star sign, hometown, home town, mother tongue, first language, home airport, landline"""
)
_VAGUE = any_word_of(
    "not, the, a, an, too, very, so, really, unknown, what, none, your, my, hard, funny, fine, ok"
)
_BUSINESS = any_word_of(
    """bakery, shop, store, bookshop, restaurant, cafe, café, company, business, agency, farm, studio, startup, school, practice, clinic,
    blog, newsletter, podcast, hotel, bar, pub, gallery, workshop, firm, garage, nursery, vineyard, brewery, salon"""
)
_HAS_CHARGE = "(?:owns?|leads?|manages?|maintains?|runs?|heads?|handles?|looks? after|(?:is|am) (?:responsible for|in charge of))"
_CHARGE = any_word_of(
    """team, project, module, service, office, department, account, accounts, budget, repo, repository, product, site, shop, store, group,
    programme, program, frontend, backend, front end, back end, database, server, servers, billing, payroll, marketing, sales,
    design, support, releases, infrastructure, pipeline, docs, documentation, newsletter, website, warehouse, kitchen, garden"""
)
_EATS = (
    "(?:eat|drink|smoke|wear|play(?! it| by| safe)|use|breed|collect|speak(?! for| to| with| up| of| about| out)"
    "|study(?! for| hard)|(?:drive|ride)(?! home| to| back| into| off| away| people| past))"
)
_ENGLISH = {
    "likes": rf"i {_HOW}{_NOT}{_HOW}(?:prefer|like|love|hate|dislike|detest|loathe|adore|can[’']?t stand|cannot stand) (?:an? )?{_THING}",
    "uses": rf"i {_HOW}{_NOT}{_HOW}{_EATS} (?:an? )?(?!my\b){_THING}",
    "owns": rf"i (?:also )?(?:own|keep) {_NUMBER} {_THING}",
    "habit": rf"i {_HOW}(?:take|have|go|run|swim|cycle|call|visit|work|train|pray|fast|get up|wake up)\b{_HABITUAL}",
    "how he works": rf"i {_HOW}{_NOT}{_HOW}(?:work (?:nights|remotely|part-time|part time|from home|weekends)|live alone){_ENDS}",
    "grew up": rf"i grew up (?:in|near) (?:{_NAME}|(?:the |an? )(?:\w+ )?(?:village|town|city|farm|suburbs?|countryside|orphanage)\b)",
    "plays": rf"i {_HOW}{_NOT}{_HOW}play the {_INSTRUMENT}\b",
    "drives": rf"my {_WHICH}(?:car|bike|motorbike|boat|laptop|phone|camera|guitar|piano) is an? (?:\w+ )?{_NAME}",
    "business": rf"i (?:also )?(?:run|own|co-own|founded) an? (?:[\w-]+ ){{0,2}}{_BUSINESS}\b",
    "when we are there": rf"we (?:(?:are|[’']re) )?(?:only |always )?(?:closed?|open) on {WEEKDAY}s\b",
    "opening hours": rf"the [\w' -]{{3,40}} (?:(?:is|are) )?(?:only |always )?(?:closed|open|opens|closes) (?:on {WEEKDAY}s\b|from \d|until \d|every )",
    "lives with": r"i (?:[\w'’]+ )?live (?:alone |together )?with my (?:{_WHICH}{_RELATIVES}|parents|in-laws|family)\b",
    "is": rf"i ?{_AM} {_IS_SO}",
    "family": rf"i(?: (?:only |also )?have|['’]ve got| have got| don['’]t have)(?: {_NUMBER}| any)? {_WHICH}{_RELATIVES}{_ENDS}",
    "illness": rf"i have (?!to\b)(?:[\w-]+ ){{0,3}}{_ILLNESS}{_ENDS}",
    "relative's name": rf"my {_WHICH}{_RELATIVE}(?:[’']s| is| are) (?:(?:an? [\w-]+ )?(?:called|named) )?{_NAME}(?: {_NAME})*{_ENDS}",
    "what a relative is": rf"my {_WHICH}{_RELATIVE}(?:[’']s| is)(?: not| also)? (?:{_IS_SO}|(?:\d+|{_AGE})(?: years old)?[.!]?$)",
    "a relative's illness": rf"my {_WHICH}{_RELATIVE} (?:has|have) (?!to\b)(?:[\w-]+ ){{0,3}}{_ILLNESS}{_ENDS}",
    "of his own": rf"my {_OWN} (?:is|are) (?!{_VAGUE}\b)[\w+]",
    "who does what": rf"(?:{_NAME} |i )(?:also )?{_HAS_CHARGE} (?:[\w-]+ ){{0,4}}{_CHARGE}\b|(?:{_NAME} |i )reports? to {_NAME}",
    "what is ours": r"our (?!(?:train|bus|flight|plane|waiter|food)\b)[\w' -]{2,40}? (?:is|are|has|have|runs?|lives?|costs?|uses?|needs?) (?!.*\b(?:late|early|down|broken|slow|stuck|again|wrong|failing)\b)(?:\w+ ){0,4}(?:(?-i:[A-Z])|\d)",
    "works when": rf"{_NAME} (?:only )?(?:works|is off|is away)(?: only)?(?: on)? {WEEKDAY}s\b",
    "called": rf"(?:please )?(?:just )?call me (?!\w+day\b){_NAME}[.!]?$",
}  # fmt: skip

# --- Chinese ---

_ZH_I = "我(?:还是|還是|一直|从来|從來|平时|平時|真的|其实|其實|也|都|很|最|特别|特別|非常|比较|比較)*"
_ZH_THING = "(?![这這那它你您他她哪什怎上死])"
_ZH_ENDS = "(?:[。.!！,，;；、\\s]|$)"
_ZH_KIN = (
    "(?:妻子|老婆|太太|丈夫|老公|先生|男朋友|女朋友|男友|女友|儿子|兒子|女儿|女兒|孩子|妈妈|媽媽|母亲|母親|爸爸|父亲|父親|哥哥|姐姐|弟弟|妹妹|爷爷|奶奶"
    "|外公|外婆|叔叔|阿姨|老板|老闆|经理|房东|室友|同事|医生|律师|狗|猫|貓|家的?狗|家的?[猫貓])"
)
_ZH_CALLING = (
    "(?:护士|護士|医生|醫生|老师|老師|教师|教師|律师|律師|学生|學生|会计|會計|厨师|廚師|作家|画家|记者|記者|司机|司機|农民|翻译|演员|导游"
    "|建筑师|药剂师|摄影师|程序员|公务员|飞行员|消防员|[\\u4e00-\\u9fff]{0,4}(?:工程师|工程師|设计师|設計師|分析师|研究员|研究生|大学生))"
)
_ZH_STATE = f"(?:吃素|素食者|左撇子|色盲|乳糖不耐受|已婚|单身|離婚|离婚|独生子|独生女|{_ZH_CALLING})"
_ZH_MANY = "(?:\\d+|[一二两兩三四五六七八九十])"
_ZH_ILLNESS = (
    "(?:高血压|高血壓|糖尿病|哮喘|心脏病|心臟病|偏头痛|关节炎|癫痫|鼻炎|湿疹|过敏|過敏|恐高症|失眠症)"
)
_ZH_HOLDS = "(?!.*[了吗嗎呢吧](?:[。.!！]|$))"
_CHINESE = {
    "likes": f"{_ZH_HOLDS}{_ZH_I}不?(?:喜欢|喜歡|讨厌|討厭|偏好|偏爱|爱喝|爱吃|愛喝|愛吃|习惯用){_ZH_THING}[\\w]",
    "never takes": f"{_ZH_HOLDS}{_ZH_I}(?:不能?|从不|從不|只)(?:吃|喝|抽|碰|养|坐|开){_ZH_THING}(?!饭|完|到|下|惯|起|会)\\w",
    "business": "我(?:在\\w{1,8})?(?:开了?|開了?|经营着?|經營)一[家间間]\\w{0,8}(?:店|馆|館|公司|厂|廠|吧|诊所|学校|工作室)",
    "pets": f"我(?:家)?养了?{_ZH_MANY}[只隻条條匹]\\w{{1,4}}{_ZH_ENDS}",
    "ways": f"{_ZH_HOLDS}我(?:平时|平時|平常|一般|通常|习惯|總是|总是)(?:都)?(?![这這那你您就])\\w{{3,}}",
    "diet": f"{_ZH_HOLDS}{_ZH_I}(?:吃素|晕车|晕船|恐高|怕狗|怕水|不吃肉|不喝酒|不抽烟|不吃辣){_ZH_ENDS}",
    "lives in": f"我现?在?住在(?![这這那哪]){_ZH_HOLDS}\\w",
    "family": f"我(?:家)?有{_ZH_MANY}[个個只隻条條匹位]\\w{{0,3}}(?:孩子|儿子|女儿|兒子|女兒|哥哥|姐姐|弟弟|妹妹|狗|猫|貓|马|兔子){_ZH_ENDS}",
    "a relative's name": f"我(?:的)?{_ZH_KIN}(?:的名字)?(?:叫|名叫)(?![我你他她这那醒来])\\w",
    "where a relative is": f"我(?:的)?{_ZH_KIN}(?:住在|在\\w{{1,12}}(?:工作|上班|上学|上學|读书|讀書|当{_ZH_CALLING}|當{_ZH_CALLING})){_ZH_HOLDS}",
    "is": f"(?:我|我(?:的)?{_ZH_KIN})(?:也)?(?:是|不是)(?:[一]?[个個名位])?{_ZH_STATE}{_ZH_ENDS}",
    "illness": f"(?:我|我(?:的)?{_ZH_KIN})(?:一直)?有{_ZH_ILLNESS}{_ZH_ENDS}",
    "allergy": f"(?:我|我(?:的)?{_ZH_KIN})对(?![你他她这那])\\w{{1,8}}过敏",
    "habit": f"{_ZH_HOLDS}我每(?:天|晚|周|週|个月|個月|年|个?星期|逢)(?!都?[想被])\\w{{3,}}",
    "what is ours": "我们的[^，,。]{1,8}(?:是|用的是|在|部署在|跑在) ?(?=.*[A-Za-z0-9])(?!什么|哪)\\w",
    "until when": f"我的(?:护照|签证|驾照|合同|租约|保险|会员){_ZH_HOLDS}.{{1,12}}(?:到期|过期)",
    "who does what": "(?![你您他她它谁誰这那])[\\w·]{1,8}负责(?:的是)?(?![任人吗心])\\w",
    "of his own": "我的?(?:血型|鞋码|身高|母语|老家|籍贯|昵称|英文名)(?:是|叫|在)(?![什哪多])\\w",
}

# --- Korean ---

_KO_I = "(?:저는|나는|전|난|저도|나도) "
_KO_MY = "(?:(?:제|내|우리|저희) )"
_KO_KIN = (
    "(?:아내|남편|와이프|여자친구|남자친구|아들|딸|아이|부모님|어머니|아버지|엄마|아빠|누나|언니|오빠|형|동생|여동생|남동생|할머니|할아버지|상사|팀장님?"
    "|집주인|강아지|고양이|개)"
)
_KO_POINTS = "(?!(?:첫|두|세) ?번째|(?:이걸|그걸|저걸|널|이게|그게|저게|이거|그거|저거|이건|그건|이것|그것|저것|너|당신|여기|거기))"
_KO_VERY = "(?:(?:정말|진짜|아주|가장|제일|절대|원래|매우) )*"
_KO_IS = "(?:입니다|이에요|예요|이야|야|이다|다|라서|이라서|니까|이니까)"
_KO_CALLING = (
    "(?:간호사|의사|교사|선생님|변호사|학생|대학생|대학원생|회계사|요리사|작가|화가|기자|농부|번역가|배우|건축가|약사|사진작가|개발자|프로그래머"
    "|디자이너|엔지니어|연구원|공무원|조종사|소방관|(?:초등|중학교|고등학교) ?교사)"
)
_KO_STATE = f"(?:채식주의자|비건|왼손잡이|색맹|기혼|미혼|독신|외동|유당불내증|{_KO_CALLING})"
_KO_MANY = "(?:하나|둘|셋|넷|다섯|여섯|한 명|두 명|세 명|네 명|한 마리|두 마리|세 마리|\\d+ ?(?:명|마리))"
_KO_ILLNESS = "(?:고혈압|당뇨병?|천식|심장병|편두통|관절염|간질|비염|습진|[가-힣]* ?알레르기|불면증)"
_KO_SAYS = "(?:어요|아요|해요|습니다|ㅂ니다|합니다|한다|해|어|아|다|요)"
_KO_ENDS = "[.!。]?$"
_KO_HAS = "(?:있어요|있어|있습니다|있다|있으세요|있으시다)"
_KOREAN = {
    "likes": f"{_KO_I}{_KO_POINTS}[가-힣\\w ]+(?:을|를) {_KO_VERY}(?:안 )?(?:좋아|싫어|선호)(?:해요|합니다|한다|해|하지 않아요|하지 않아){_KO_ENDS}",
    "never takes": f"{_KO_I}{_KO_POINTS}[가-힣\\w ]+(?:을|를|은|는) {_KO_VERY}(?:안|못) (?:먹|마셔|마시|피워|피우)(?:어요|어|요|는다|습니다|ㅂ니다|니다)?{_KO_ENDS}",
    "lives or works in": f"{_KO_I}{_KO_POINTS}[가-힣\\w ]+에(?:서)? (?:살아요|삽니다|산다|살아|살고 있어요?|살고 있습니다|일해요?|일합니다|일한다|근무해요?|근무합니다|다녀요?){_KO_ENDS}",
    "is": f"(?:{_KO_I}|{_KO_MY}{_KO_KIN}[은는] ){_KO_STATE}{_KO_IS}(?=[.!,。\\s]|$)",
    "business": f"{_KO_I}[가-힣\\w ]+[을를] 운영(?:해요?|합니다|한다|하고 있어요?|하고 있습니다){_KO_ENDS}",
    "age": f"{_KO_MY}{_KO_KIN}[은는이가]? \\w+ ?살(?:이에요|입니다|이야|이다){_KO_ENDS}",
    "pets": f"{_KO_I}[가-힣]+[를을]? (?:한|두|세|네|다섯|\\d+) ?마리를? 키(?:워|워요|웁니다|운다|우고 있어요?){_KO_ENDS}",
    "illness": f"(?:{_KO_I}|{_KO_MY}?{_KO_KIN}(?:[은는이가]|께서) |{_KO_MY}?{_KO_KIN} )(?:[가-힣]+ )?{_KO_ILLNESS}[이가]? {_KO_HAS}{_KO_ENDS}",
    "family": f"{_KO_I}(?:아이|아들|딸|동생|형|누나|언니|오빠|강아지|고양이)[이가] {_KO_MANY}(?:[이가])? {_KO_HAS}{_KO_ENDS}",
    "where a relative is": f"{_KO_MY}{_KO_KIN}[은는] [가-힣\\w ]+에(?:서)? (?:[가-힣]+로 )?(?:살아요?|사셔요?|사세요|사십니다|삽니다|일해요?|일합니다|다녀요?|살고 있어요?){_KO_ENDS}",
    "a relative's name": f"{_KO_MY}{_KO_KIN} 이름은 \\w+(?:입니다|이에요|예요|이야|야){_KO_ENDS}",
    "habit": f"{_KO_I}(?:매일|매주|매달|매년|주말마다|[월화수목금토일]요일마다) .+{_KO_SAYS}{_KO_ENDS}",
    "lives in, and": f"{_KO_I}{_KO_POINTS}[가-힣\\w]+에 살고[,，]? [가-힣\\w ]+(?:이야|예요|이에요|입니다|있어요?){_KO_ENDS}",
    "finds good": f"{_KO_I}{_KO_POINTS}(?!기분|몸|컨디션|날씨|머리|속|느낌)[가-힣\\w ]+[이가] (?:더 )?(?:좋아|싫어|편해)(?:요)?{_KO_ENDS}",
    "until when": f"{_KO_MY}(?:여권|비자|면허증?|계약|보험)[은는이가] .{{1,16}}(?:만료|끝나|갱신)",
    "what is ours": "(?:우리 )?(?:운영|개발|스테이징|테스트) (?:db|디비|서버|환경)[은는] .*(?:이고|이야|이에요|예요|있어요?|있습니다|입니다)",
    "who does what": f"(?!(?:누가|너|네|그|그녀)[가는이]? )[\\w]+[이가은는] [\\w ]+(?:을|를) (?:담당|맡고 있|책임지고 있)(?:해요?|합니다|한다|하고 있어요?|하고 있습니다|어요?|습니다){_KO_ENDS}",
    "of his own": f"{_KO_MY}(?:혈액형|신발 사이즈|키(?=[은는] \\d)|모국어|고향|별명|본관)[은는] (?!뭐|어디|얼마)\\w+",
}

_FORMS = tuple(
    lazy_pattern(form, re.IGNORECASE) for forms in (_ENGLISH, _CHINESE, _KOREAN) for form in forms.values()
)
