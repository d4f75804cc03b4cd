"""Words of a question that are not its topic, by language; words of little weight; and everyday words."""

from __future__ import annotations

from functools import cache, lru_cache

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.terms import english_stem
from clawgit.text.words.word_lists import longest_first, words_in

# Folded (small letters, no accents), as written, not stemmed. Apostrophes are left out: "dont".
ENGLISH = words_in("""
a an the this that these those some any each every all both such same other another either neither
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
it its itself they them their theirs themselves one ones someone somebody something anyone anybody anything everyone
everybody everything nobody nothing thing things
am is are was were be been being do does did done doing have has had having can could will would shall should may might
must ought let lets im ive id ill youre youve youd youll hes shes theyre theyve were weve theres thats whats wheres whos
hows isnt arent wasnt werent dont doesnt didnt havent hasnt hadnt cant couldnt wont wouldnt shouldnt mustnt
what which who whom whose when where why how whether
and or but if then else so than as because while although though until unless since
of at by for with about against between into through during before after above below to from up down in out on off over
under again further once upon within without along across behind beyond near toward towards per via vs versus onto
here there now just only very too also not no nor yes please really quite rather still yet ever never even much many more
most few less least lot lots bit kind kinds type types sort sorts way ways etc
tell show find give remind know say says said ask asks asked
""")
GERMAN = words_in("""
der die das den dem des ein eine einen einem einer eines kein keine keinen keiner dieser diese dieses diesen diesem jeder jede jedes jeden jedem
ich mich mir mein meine meinen meinem meiner du dich dir dein deine deinen er ihn ihm sein seine seinen sie ihr ihre ihren ihnen
es wir uns unser unsere euch euer man sich selbst
bin bist ist sind seid war waren wurde wurden worden werden wird wirst sein gewesen habe hast hat haben hatte hatten gehabt
kann kannst konnen konnte konnten muss mussen musste soll sollen sollte will wollen wollte darf durfen mag mochte mochten
was wer wen wem wessen wann wo woher wohin warum wieso weshalb wie welche welcher welches welchen welchem
und oder aber denn wenn dann als ob weil dass damit sondern doch
in im ab an am auf aus bei beim mit nach seit von vom vor zu zum zur uber unter durch fur gegen ohne um bis zwischen wahrend wegen
nicht nein ja auch nur noch schon sehr mehr viel viele etwas alles alle immer nie hier da dort jetzt heute bitte mal eigentlich
gab gibt getan gemacht gesagt
""")
FRENCH = words_in("""
maintenant le la les un une des du de d l au aux ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs
je j me m moi tu te t toi il elle on nous vous ils elles se s lui eux y en
suis es est sommes etes sont etait etaient etais sera seront serait ete etre ai as a avons avez ont avait avaient avoir eu
fait faire fais peut peux pouvons peuvent doit dois faut va vais vont
que qu qui quoi quel quelle quels quelles quand ou comment pourquoi combien dont lequel laquelle
et mais donc or ni car si comme lorsque puisque alors ainsi
dans par pour sur sous avec sans chez vers entre avant apres depuis pendant contre jusque
ne n pas plus moins tres trop aussi bien encore deja toujours jamais rien tout toute tous toutes c ca cela ceci oui non
""")
SPANISH = words_in("""
ahora hoy el la los las un una unos unas lo al del este esta estos estas ese esa esos esas aquel aquella eso esto aquello
yo me mi mis tu te ti tus el ella ello nosotros nos vosotros os ellos ellas se su sus le les nuestro nuestra nuestros
soy eres es somos son era eran fue fueron ser sido estoy esta estan estaba estaban estar he has ha hemos han habia haber hay
tengo tiene tienen tenia hago hace hizo hacer puede pueden puedo debe
que quien quienes cual cuales cuando donde adonde como cuanto cuanta cuantos cuantas porque
y e o u ni pero sino si aunque mientras pues entonces
de a en con sin por para sobre entre hasta desde hacia segun contra durante ante bajo tras antes despues
no muy mas menos tan tanto tambien tampoco ya aun todavia siempre nunca algo nada todo toda todos todas aqui alli ahi asi solo
""")
PORTUGUESE = words_in("""
agora hoje o a os as um uma uns umas do da dos das no na nos nas ao aos pelo pela pelos pelas este esta estes estas esse essa esses essas
isto isso aquele aquela aquilo dele dela deles delas
eu me mim meu minha meus minhas tu te ti teu tua voce voces ele ela eles elas se si seu sua seus suas nos nosso nossa lhe
sou es e somos sao era eram foi foram ser sido estou esta estao estava estavam estar tenho tem temos tinha ter ha havia haver
faco faz fez fazer pode podem posso deve
que quem qual quais quando onde aonde como quanto quanta quantos quantas porque porquê
e ou mas nem se embora enquanto pois entao
de a em com sem por para sobre entre ate desde contra durante antes depois
nao sim muito muita mais menos tao tambem ja ainda sempre nunca algo nada tudo todo toda todos todas aqui ali la so
""")
ARABIC = words_in("""
ما ماذا ماهو ماهي بماذا لماذا متي اين كم كيف هل اي ايه من الي علي في عن مع بين عند حتي منذ خلال بعد قبل حول
هو هي هذا هذه ذلك تلك الذي التي الذين هناك كان كانت يكون تكون تم يتم قد ان لا لم لن ليس و او ثم لكن كل بعض كما اذا له لها بها فيه فيها
""")
# Small words of denial, also of languages without a list: a denial is no topic in any text.
DENYING = words_in("""
no not non nein nee neen nej nei nie ne ni nem nao nicht niet inte ikke pas geen ingen inget keine kein nooit niente nunca jamais aldrig aldri nigdy nikdy
""")
LANGUAGES = (ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ARABIC)
_NAMES = dict(zip(LANGUAGES, ("english", "german", "french", "spanish", "portuguese", "arabic"), strict=True))
NAMES = frozenset(_NAMES.values())
# Words of every other line: they have little weight.
LIGHT = words_in("""
happen happened happens happening talk talked talks discuss discussed discussing discussion mention mentioned mentions go goes
went going gone get gets got getting make makes made making take takes took taking come came use used uses using want wanted
wants like liked likes think thought new good people person time times day days
was passiert gesprochen parle parler discute hablamos hablar falamos falar
""")
KOREAN = words_in("""
뭐 뭘 뭔 뭐야 뭐지 뭐니 뭐가 뭐를 뭐였지 뭐였어 뭐였더라 뭐라고 무엇 무엇을 무엇이 무엇인가 무엇이었 무슨 어떤 어느 어디 어디서 어디에 어디에서 어디로 어디야 어디였지
언제 언제야 언제였지 언제까지 언제부터 누구 누가 누구를 누구와 누구랑 누구야 누구였지 왜 어떻게 어땠지 어땠어 얼마 얼마나 얼마였지 얼마야 몇 며칠
나 내 나는 내가 나를 나의 너 네 너는 네가 우리 우리는 우리가 우리의 저 제 저는 제가 저희 그 그는 그가 그녀 이 것 거 게 그것 이것 저것 수 등 및 더 좀 잘 또 또는 그리고
그러나 하지만 그래서 그런데 그런 이런 저런 때 때문 때문에 관련 관해 관해서 관한 대해 대해서 대한 있다 있는 있어 있었 있었지 있나 있지 없다 없는 없어 하다 했다 했지 했어 했나 했더라
하는 한 할 된 되는 됐지 됐어 였지 였어 이었지 건 걸 지 알려 알려줘 말해 말해줘 찾아 찾아줘 보여줘 기억나 기억해 는 은 가 을 를 의 에 에서 로 으로 와 과 도 만
""")
# Particles and question words in a run of Han or kana; the longest is removed first, the rest is searched.
# Characters of many words (会, 地, 过) stay: a pair that no note holds weighs next to nothing.
CHINESE_BREAKS = """
我们 你们 他们 她们 它们 咱们 我 你 您 他 她 它 自己 大家 关于 對於 对于 關於 什么 什麼 甚么 怎么 怎麼 怎样 怎樣 怎么样 如何 为什么 為什麼 为何 哪个 哪個 哪里 哪裡 哪儿
哪些 哪 谁 誰 几个 几次 幾個 几 多少 多久 多长时间 何时 什么时候 什麼時候 吗 嗎 呢 吧 啊 呀 嘛 么 的 了 是不是 有没有 是否 是 在 和 与 與 跟 及 或者 或 还是 以及
但是 因为 因為 所以 如果 虽然 之前 之后 以前 以后 那个 那個 那些 那 这个 這個 这些 這些 这 這 一个 一個 一下 一些 每个 也 还 還 很 不 没有 沒有 没 沒
可以 应该 應該 请问 请 請 告诉我 告诉 知道 记得 說過 说过 说了 曾经 已经 已經 上次 时候 時候 用的 用了
"""
JAPANESE_BREAKS = """
それ これ あれ どれ そして しかし また または どう どの どんな どこ どちら いつ だれ 誰 なに なん 何 なぜ どうして いくら いくつ について に関して に関する に対して における として によって
ですか ますか でしたか ましたか でしょうか です ます でした ました ません だった である だ か は が を に で と も の へ から まで より や ね よ な し て た する した して しました している していた される された
ある あった いる いた なる なった こと もの ため とき 時 私 僕 俺 君 あなた 彼 彼女 私たち この その あの ここ そこ あそこ って という
話した 教えて ください くれ
"""
# Words that hold such a character and stay.
_PROTECTED = """
目的 了解 标的 的确 不同 不过 不错 没事 没收 和平 和谐 与会 参与 跟进 跟踪 以及 还款 归还 是非 在线 存在 现在 所在 正在 实在 总在 那里 这里 几乎 几何 不错 其他 吗啡 或许
自己 记得 知道 時間 時計 何度 彼岸 君主 都市 首都
"""


def _any(listed: str) -> str:
    return "|".join(longest_first(listed.split()))


_KANA = lazy_pattern("[\u3041-\u3096]")
_JAPANESE_BREAK = lazy_pattern(f"({_any(_PROTECTED)})|{_any(JAPANESE_BREAKS)}")
_KOREAN_ASKS = lazy_pattern(
    "(?:뭐|무엇|무슨|어디|언제|누구|누가|얼마|어떻게|어떤|왜)(?:$|[가를을는은야였이에로까부인])"
)
_CHINESE_BREAK = lazy_pattern(f"({_any(_PROTECTED)})|{_any(CHINESE_BREAKS)}")


def languages_of(words: list[str]) -> tuple[frozenset[str], ...]:
    """Return the stop words to remove from a question: English ones, and those of its language.

    One word of another language proves nothing ("die", "war" are English, too); two distinct ones do, or one
    if English has none. "Dan's" is English.
    """
    seen = set(words)
    english = len(seen & ENGLISH) + any(word.endswith(("'s", "’s")) for word in seen)
    counted = [(len(seen & listed), listed) for listed in LANGUAGES[1:]]
    most = max(count for count, _ in counted)
    others = tuple(listed for count, listed in counted if count == most and (count > english or not english))
    return (ENGLISH, *others) if most else (ENGLISH,)


def named_languages(words: list[str]) -> tuple[str, ...]:
    """Return the names of the languages with most of the folded ``words`` as stop words; empty without any."""
    seen = set(words)
    counted = {listed: len(seen & listed) for listed in LANGUAGES}
    most = max(counted.values())
    return tuple(_NAMES[listed] for listed, count in counted.items() if count == most) if most else ()


def names_with(word: str) -> set[str]:
    return {name for listed, name in _NAMES.items() if word in listed}


@lru_cache(maxsize=4096)
def is_korean_stop(word: str) -> bool:
    """Say whether a Korean word only asks or points ("뭐였지", "우리가")."""
    return word in KOREAN or _KOREAN_ASKS.match(word) is not None


def without_breaks(run: str) -> list[str]:
    """Return the rest of a run of Han or kana without particles and question words, in order."""
    pattern = _JAPANESE_BREAK if _KANA.search(run) else _CHINESE_BREAK
    left, pieces = 0, []
    for match in pattern.finditer(run):
        if match[1]:  # a word that only holds such a character
            continue
        pieces.append(run[left : match.start()])
        left = match.end()
    pieces.append(run[left:])
    return [piece for piece in pieces if piece and not (len(piece) == 1 and _KANA.match(piece))]


_WORDS = """
able accept access account achieve act action active activity actual add address admit adult advance advice affect afford
agree aim air alive allow alone amount angry animal announce annual answer appear apply appoint approach approve area argue
arm arrange arrest arrive art article aspect assess assist assume attack attempt attend attitude attract audience author
available average avoid award aware baby background balance ball bank base basic battle bear beat beautiful bed begin behave
belief believe belong benefit bill bird birth black blood blow blue board boat body bone book border born boss bother bottom
box boy brain branch brand break breath bridge brief bright bring broad brother brown budget build burn bus business busy buy
call calm camera campaign cancel cancer candidate capable capital card care career careful carry case cash catch category
cause celebrate cell center central century certain chair challenge chance change character charge charity cheap check child
choice choose church citizen city civil claim class classic clean clear client climate climb close cloth clothes cloud club
coach coast code coffee cold collect college color combine comfort comment commit common communicate community company compare
compete complain complete complex computer concern condition conduct confident confirm conflict connect consider consist
constant contact contain content contest context continue contract contrast contribute control conversation cook cool copy
core corner correct cost count country couple courage course court cover crazy create credit crime crisis critic cross crowd cry
culture cup cure current custom customer cut cycle daily damage dance danger dark data date daughter day dead deal dear death
debate debt decade decide decision declare deep defend define degree delay deliver demand deny depend describe desert deserve
design desire desk despite destroy detail develop device die differ difficult dinner direct dirty discover discuss disease
divide doctor dog door doubt draft dream dress drink drive drop drug dry early earn earth ease east easy eat economy edge edit
education effect effort egg elect element emotion emphasis employ empty enable encounter encourage end enemy energy engage
engine enjoy enough enter entire environment equal equipment error escape especial establish estimate evening
event eventual evidence exact exam example excellent except exchange excite execute exercise exist exit expand expect expense
experience expert explain explore express extend extra extreme eye face fact factor fail fair fall familiar family famous fan
far farm fast father fault favor favorite fear feature fee feed feel female few field fight figure file fill film final
financial find fine finger finish fire firm fish fit fix flight floor flow flower fly focus follow food foot force foreign
forest forget form formal fortune forward found frame free freedom frequent fresh friend front fruit fuel full fun function
fund funny furniture future gain game garden gas gather general gentle gift girl give glad glass global goal gold good
government grade grand grant grass gray great green ground group grow growth guard guess guest guide guilty habit hair half
hall hand handle hang happen happy hard harm hate head heal health hear heart heat heavy height hello help hide high hill hire
history hit hobby hold hole holiday home honest hope horse hospital host hot hotel hour house huge human hungry hurry hurt
husband ice idea ideal identify identity ignore ill image imagine impact important impossible impress improve include income
increase independent indicate individual industry influence inform information initial injury inner inside inspire instance
instead institution instruct instrument insurance intend interest internal international interview introduce invest invite
involve island issue item join joke journey joy judge juice jump just justice keep key kick kid kill kind king kiss kitchen
knee know knowledge label labor lack lady lake land language large last late laugh launch law lawyer lay layer lead leader leaf
league learn lean leave left leg legal length lesson letter level library license lie life lift light like likely limit line
link list listen literature little live load loan local location lock long look lose loss lot loud love low luck lucky lunch
machine magazine main maintain major make male man manage map march mark market marry mass master match material matter
maximum meal mean measure meat media medical medicine medium meet member memory mental mention menu message metal method middle
military milk mind mine minimum minister minor minute miss mission mistake mix mobile model modern moment money monitor month
mood moon moral morning mother motion motivate mountain mouse mouth move movie music name narrow nation native nature near neat
necessary neck need negative neighbor nerve net network new news nice night noise normal north nose note notice novel nuclear
number nurse object observe obvious occasion occur ocean offer office officer official oil old open operate opinion
opportunity oppose option orange order ordinary organize origin outcome outside own owner pack page pain paint pair panel paper
parent park part participate particular partner party pass passion past path patient pattern pause pay peace people percent
perfect perform period permit person persona phase phone photo phrase physical piano pick picture piece pink place plan plane
plant plastic plate play please plenty poem point police policy polite political pool poor popular population position positive
possible post potential pound power practice prefer prepare present preserve president press pressure pretty prevent previous
price pride primary print prior priority prison private prize probable problem procedure process produce product profession
profit program progress project promise promote proof proper property propose protect proud prove provide public pull purchase
pure purple purpose pursue push put quality quantity quarter queen question quick quiet quit race radio rain raise range rapid
rare rate rather reach react read ready real reality realize reason receive recent recipe recognize recommend record recover red
reduce refer reflect refuse regard region regret regular reject relate relation relationship relax release relevant religion
religious rely remain remark remember remind remote remove rent repair repeat replace reply report represent request require
research reserve resist resolve resource respect respond response rest restaurant result retire return reveal review reward
rich ride right ring rise risk river road rock role roll room root rough round route routine row rule run rural rush sad safe
sale salt same sample sand satisfy save scale scene schedule school science score screen sea search season seat second secret
section secure see seek seem select self sell send senior sense sensitive separate sequence series serious serve service
session set settle several severe shade shake shape share sharp shelter shift shine ship shirt shock shoe shoot shop short shot
shoulder shout show shut sick side sight sign signal silent silver similar simple sing single sister sit site situation size
skill skin sleep slide slight slow small smart smell smile smoke smooth social society soft soil sold soldier solid solution
solve song sound source south space speak special specific speech speed spend spirit split sport spot spread spring square
stable staff stage stand standard star start state station status stay steady step stick still stock stone stop store storm
story straight strange stranger strategy stream street strength stress stretch strike string strong structure struggle student
study stuff stupid style subject submit succeed success sudden suffer sugar suggest suit summer sun supply support suppose sure
surface surprise surround survey survive suspect sweet swim switch symbol system table talent talk tall target task taste tax
teach teacher team tear technical technology telephone television temperature term terrible test text thank theme theory thick
thin think thought threat throw ticket tight tired title today together tone tool top topic total touch tough tour toward town
track trade tradition traffic train trait transfer transform translate transport travel treat tree trend trial trick trip
trouble truck true trust truth try turn twice type typical ugly under understand unique unit unite universe university unusual
update upper upset urban urge use useful usual vacation valid value variety various vehicle version victim video view village
violence visit visual voice volunteer vote wait wake walk wall war warm warn wash waste watch water wave weak wealth weapon
wear weather wedding week weekend weigh weight welcome west wet wheel white whole wide wife wild win wind window wine winner
winter wise wish woman wonder wood word work worker workshop world worry worth wrap write wrong yard year yellow young youth zero
one two three four five six seven eight nine ten first third fourth hundred thousand million
john jane mary james robert michael william david richard thomas charles daniel paul mark george peter anna jean emma laura
"""


@cache
def _stems() -> frozenset[str]:
    return frozenset(map(english_stem, _WORDS.split()))


def is_common(stem: str) -> bool:
    """Say whether a word of this stem is too common to be a typing error."""
    return stem in _stems()
