"""The telling words of a text, compared across forms of a word. Pure."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from functools import lru_cache
from itertools import filterfalse, pairwise
from typing import NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words import stopwords
from clawgit.text.words.terms import english_stem, korean_stem, open_stem
from clawgit.text.words.word_lists import CAPITALS, MONTHS, words_in
from clawgit.understanding.evidence.said_values import SaidValue, same_value, values_of
from clawgit.understanding.patterns.pattern_rule import CORRECTIONS

# Words that decide a sentence's sense: ask, deny, limit, frame; one line for each sense, in small letters.
# fmt: off
_CORRECTIONS = words_in(CORRECTIONS.replace(",", " "))

QUESTION = lazy_pattern(r"[?？][\"'”’)\s]*$|^(?:so |and |but )?(?:(?:for|at|in|on|to|by|from|since|until) )?(?:what|who|where|when|why|which|whose|how|is(?:n't)?|are(?:n't)?|was(?:n't)|does(?:n't)?|did(?:n't)?|do you|can you|could you|should we"
    r"|wer|was|wo|wann|warum|wie|qui|quand|quién|qué)\b(?:[^,.:]|(?<=\d)[,.:](?=\d))*$(?<![.!])|(?:吗|嗎|呢)[。.]*$|(?:까|나요|니|는지)[.]*$")
# A polite standing order: `could you always …?`
REQUEST = lazy_pattern(r"^(?:please )?(?:can|could|will|would) you (?:please )?(?=.*\b(?:from now on|always|never|in future|in the future|every time|whenever)\b)")
# A question for attention only: `it's Thursday, remember?`
REMINDED = lazy_pattern(r"[,，]?\s*(?:do you )?(?:remember|ok(?:ay)?|alright|got it|yes|记住了吗|好吗|알겠지|기억하지|알았지)\s*[?？]+\s*$")
# Signs that a sentence is not a plain statement.
SENSES = {
    "is about one case": lazy_pattern(r"\b(?:if|whether|unless|in case|provided|assuming|suppose|wenn|falls|sofern|si|sauf|jeśli|jeżeli|gdyby|jestli|pokud|kdyby|якщо|якби|indien|tenzij|als (?:ik|het|we|hij|zij|jij|dat)|ifall|om (?:jag|det|du|vi|han|hon|den)|hvis|medmindre|(?:^|, )se (?:non|il|piove|è|sei|chover|não|eu|ele|ela))\b|如果|要是|假如|除非|만약|[가-힣]면(?= )|경우"),
    "is not sure": lazy_pattern(r"\b(?:maybe|perhaps|probably|possibly|might|apparently|supposedly|i (?:think|guess|believe|suppose)|not sure|(?:pretty|fairly) sure|i wonder|could be|would|almost|vielleicht|hätten?|wären?|würden?"
        r"|wahrscheinlich|ich glaube|peut-être|je crois|quizás?|tal vez|creo que|być może|chyba|prawdopodobnie|możná|snad|pravděpodobně|мабуть|можливо|ймовірно|misschien|waarschijnlijk|ik (?:denk|geloof)|kanske|troligen|jag tror|måske|kanskje|jeg tror|forse|probabilmente|(?:credo|penso) che|talvez|provavelmente|acho que)\b|也许|也許|可能|大概|好像|似乎|不确定|아마|어쩌면|것 같|거 같|모르겠|글쎄"),
    "tells of a wish or a plan": lazy_pattern(r"\bi (?:wish|hope)\b|\bi(?:'d| would) (?:like|love) to\b|\b(?:want|wants|plan|plans|hope|hopes|thinking|considering)(?: (?:to|of|about))\b"
        r"|\b(?:möchte|will gern|voudrais|aimerais|quiero|ojalá|chciał[ae]?bym|chtěla? bych|хотіла? б|хотів би|ik (?:hoop|zou|wou)|jag (?:hoppas|önskar|skulle vilja)|jeg (?:håber|håper|ønsker|ville ønske)|spero|vorrei|espero que|gostaria|queria|tomara)\b|希望(?!你)|想要|打算|考虑|[가-힣] 싶|고 싶|할까"),
    "tells what somebody else said": lazy_pattern(r"(?<!['’\w])(?!(?:i|we|i've|we've|i'd|as|like|have|had|just|already|also|never|it|be|was)\b)[\w']+ (?:said|says|wrote|writes|told|claims?|claimed|thinks|believes|reckons|meint|sagt|dit|dice)\b(?! (?:yes|no|ok|okay|ja|nein|oui|non|sí|sim|não)\b)|\b(?:they|people|everyone|docs) say\b|, ?(?:says|said|claims|claimed|writes|wrote|meint|sagt|dit|dice) (?!i\b|we\b)\w|according to|i heard|i read"
        r"|\b(?:mówi|powiedziała?|twierdzi|pisze|říká|řekla?|tvrdí|píše),? (?:że|že)\b|\b(?:каже|сказала|сказав|пише),? що\b|\b(?:zegt|zei|schrijft|säger|sa|sade|skriver|siger|sagde|sier|dice|ha detto|scrive|diz|disse|escreveu),? (?:dat|att?|che|que)\b|\b(?:volgens (?!mij\b)|enligt|ifølge)\b|\b(?:podobno|ponoć|prý|нібито|кажуть)\b"
        r"|rumou?r|听说|聽說|据说|[^我谁誰，。,\s][说說](?!明)|(?:라고|다고|대요|래요)(?: |\.|$)|는대|한대"),
    "holds for once": lazy_pattern(r"\b(?:just (?:this|for) (?:once|today|now)|this (?:once|time)|for now|for today|today only|only today|temporarily|ausnahmsweise)\b"
        r"|这次|這次|暂时|今天只|이번만|이번에는|오늘만|일단"),
    "tells of the past": lazy_pattern(r"\b(?:used to|formerly|previously|back then|früher|avant(?! l)|antes(?! de)|dawniej|kiedyś|dříve|kdysi|раніше|колись|vroeger|voorheen|förr|førhen|in passato|antigamente)\b|\b(?:was|were|had been)\b.*\b(?:before|last (?:year|month|week)|ago|until)\b|以前|之前|예전"
        r"|\b(?:wanted|planned|hoped|tried|intended|going to|wollte[nt]?|voulai\w+|querí?[ai]\w*|volev\w+)\b.*\d.*\b(?:but|aber|mais|pero|ma|mas)\b[^\d]*(?:\b(?:not|never|nothing|failed|fell through|nichts?|pas|rien|no|nada|non|niente|não)\b|n't\b)[^\d]*$"),
    "is made up": lazy_pattern(r"\b(?:imagine|pretend|role-?play|let's say|hypothetically|kidding|joking|just a joke)\b|假设|假設|想象|开玩笑|가정|상상|농담"),
}
LEAD_IN = lazy_pattern(r"^(?:[\W_]*(?:(?:no|nein|non|nie|ne|ні|neen?|nej|nei|não|不|不是的?|아니)(?=\W*(?:[,.;:!—–，。！]|(?:it|that|the|she|he|we|i|they|das|er|sie|es)\b))"
    r"|nope|nah|nee|nö|not quite|not really|nicht ganz|(?:das )?stimmt (?:so )?nicht|(?:that(?:'s| is) )?(?:not true|wrong)|不对|不對|错了|錯了|아니(?:야|요|에요|예요)|틀렸어요?)(?![\w가-힣])[\s,.;:!—–，。！]+)+")
# An order to remember is not a denial, and an aside to the listener is not a condition.
ORDER = lazy_pattern(r"\b(?:please )?(?:don't|do not|never) (?:you )?forget(?: that)?\b[:,]?|\b(?:nie (?:zapomnij|zapominaj)(?:cie)?|не забудь(?:те)?|vergeet niet|glöm inte|glem ikke|non dimenticar(?:e|ti)|não (?:te |se )?esqueças?)\b|(?:不要|别|別)忘[了记記]?|잊지 ?(?:마[가-힣]*|말[가-힣]*)"
    r"|[,;]?\s*(?:just )?(?:in case|if) you(?:'re| are)? (?:need|want|wonder\w*|ask|care|forgot|do ?n't know|did ?n't know)\b[^,.;!?]*")
# The statement holds beside another one.
BESIDES = lazy_pattern(r"\b(?:not only|nicht nur|no s[oó]lo|pas seulement|also|too|as well|besides|additionally|auch|ebenfalls|außerdem|zusätzlich|aussi|également|también|además|anche|ook|också|även|også)\b|也|还|還|역시|[가-힣]도(?= )")
NOT = lazy_pattern(r"\b(?:not|never|nobody|nothing|none|neither\b[^.;]*?\bnor|neither|nor|without|cannot|cant|dont|no longer|no more|no|nope|nah|nein|hardly|rarely|nicht?|kein\w*|nie|niemals|ohne|pas|jamais"
    r"|sans|nunca|sin|ninguna?|ni|nada|bez|nigdy|nikdy|není|nejsou|nemá\w*|не|ні|немає|ніколи|без|niet|geen|nooit|zonder|inte|ingen|inget|inga|aldrig|ikke|intet|aldri|uden|uten|non(?= \w)|nessun\w*|senza|não|nem|sem|nenhuma?)\b|(?:^|\ba )ne (?!\S+ (?:pas|plus|jamais|rien)\b)|n't\b|\b(?:stop|stopp|quit|dropped|ditched|scrapped|cancelled|canceled|abandon|got rid|avoid|refus|dislik|hat(?=es?\b|ed\b)|den(?=y|ie)|gave up|give up|instead of|rather than|au lieu de|en (?:lugar|vez) de)\w*|\b(?:an)?statt(?= (?!und\b|oder\b)\w)"
    r"|(?<=[^\W只])不[过過]|不(?!过|過|错|錯|但|仅|僅|同|少|久|如|用谢)|没(?!关|问|事)|沒(?!關|問|事)|(?<!特)(?<!区)别(?!人|的)|未(?!来)|勿|拒绝|讨厌|戒|取代|而非"
    r"|않|아니(?!요)|아닌|말고|없|(?:^|\s)(?:안|못) ?(?=[가-힣])(?!내|전|녕|드)|못하|싫|그만|끊|마세요|지 마|하지 말")
DENIES_BEFORE = lazy_pattern(r"않|아니|아닌|말고|없|못하|싫|그만|끊|마세요|지 마|지 말")
# `did not show up` denies as `didn't show up` does.
_VERBS = words_in("am is are was were do does did has have had will would can could should must may might")
_NOT_OF_A_VERB = r"(?<!\b" + r")(?<!\b".join(sorted(_VERBS)) + ")"
_OF_A_DAY = rf"(?<=\d\.) (?i:{'|'.join(MONTHS)})\b"  # `23. Dezember`
CLAUSE = lazy_pattern(rf"[,;:!.](?!{_OF_A_DAY})" r"(?=[\s\u3400-\u9fff\uac00-\ud7a3]|$)|[，。；：！？、]|\s[–—-]+\s|\b(?:but|because|since|although|while|whereas|so that|aber|sondern|weil|mais|pero|sino|ale|lecz|tylko|але|maar|utan)\b|(?<=\d) mas? |\b(?:en (?=niet\b)|och (?=inte\b)|og (?=ikke\b)|e (?=non\b|não\b))"
    r"|(?<=말고)|(?<=아닌)|(?<=않고)|(?<=대신)|[()（）]|(?<=아니라)|(?<=아니고)|(?<=지만)|(?<=는데)|而是|但是?|因为|所以|(?<=\w)(?= (?:it's|it is|he's|she's|they're) )|(?= (?:instead of|rather than|(?:an)?statt(?! und\b| oder\b)|au lieu de|en (?:lugar|vez) de) )|" + _NOT_OF_A_VERB + r"(?= not )"
    r"|\band (?=(?:(?:the |my |our |his |her )?[\w'-]+(?: [\w'-]+)? )?(?:is|are|was|were|has|have|will)\b)"
    r"|\b(?:and|und|y|et)\b(?=[^,.;:!?]*(?:\b(?:not|no|never|nicht|kein\w*|nie|nunca|pas|jamais)\b|n't\b))")
# Words around a statement: its person, a wish, saying, remembering.
FRAMES = words_in("""
user users operator agent assistant want wants wanted prefer prefers preferred asks asked ask request requests requested expect expects
expected note noted remember remembers remembered mention mentioned states stated says said tells told decided name named call called
currently now new again actually also instead longer anymore regarding concerning please like liked
benutzer nutzer nutzerin benutzerin möchte will bevorzugt utilisateur usuario quiere prefiere souhaite préfère
must has need needs required always only before after until since allowed able may can least most
should shall btw team project company decision rule fact note preference reminder stop stops stopped avoid avoids refuse refuses
typo typos mistyped misspoke sorry oops whoops argh set written made located held planned scheduled based placed given people person persons hm hmm
""") | _CORRECTIONS
HAN_FRAMES = words_in("用户 用戶 使用者 助手 希望 要求 偏好 更喜欢 现在 現在 目前 名字 记住 改成 改为 改到 变成 而是 已经 应该 必须 必須 总是 一直 之前 之后 以前 以后 至少 最多"
    " 想 要 请 請 叫 把 被 将 将会 给 對 对 为 為 到 从 從 由 让 使 就 才 又 再 都 只 更 会 會 能 得 地 着 过 個 个 号 不 没 別 别 未 已 每 名 采用 使用 问题 因为 由于 进行 前往 飞往 不再 名叫 于"
    " 团队 團隊 项目 決定 决定 利用者 ユーザー ユーザ") | _CORRECTIONS
KOREAN_FRAMES = words_in("""
사용자 유저 이용자 팀 결정 에이전트 원한다 원함 원해 원합니다 선호 선호한다 선호함 요청 요청했다 요청함 바란다 부탁 현재 이제 지금 있다 있음 한다 함 이다 임 입니다 것 더 이상
않는다 않음 않다 않고 아니다 아니라 아님 없다 없음 못한다 안 못 말고 반드시 항상 꼭 해야 된다 됨 되었다 됐다 바뀌었다 바뀌었어 바뀌었어요 바뀌었습니다 변경되었다 변경됨 바뀜
사용 이용 작성 진행 매주 매월 아닌 이하 이상 이하로 이상으로 한다고 부터 까지 에서 에게 으로 마다 보다 처럼 하고 입니다 이에요 예요 이야 에는 에도 정도 대신
""") | _CORRECTIONS
_SAME = """
repo repos repository repositories; prod production; dev development; app apps application applications;
config configuration configurations; doc docs documentation; mum mom mother mutter; dad father; mail email e-mail emails mails;
phone telephone; kid kids child children; flat apartment; bike bicycle; tv television; photo photos picture pictures; info information;
vegan vegans; allergic allergy allergies; wifi wi-fi wlan; db database databases; lead leads; 妻子 老婆 太太; 丈夫 老公;
leave depart departs departing; begin start starts started; end finish finishes finished; 어머니 엄마; 아버지 아빠;
apologise apologize apologising apologizing apologies
"""
SAME_WORDS = {word: row.split()[0] for row in _SAME.split(";") for word in row.split()}
# Vowels of a Korean stem and of its form with an ending, if one character is split into parts: `쓰다`, `써`.
VOWELS_OF_ONE_VERB = frozenset(
    frozenset(unicodedata.normalize("NFD", pair)[1::2])
    for pair in "으어 으아 이여 오와 우워 아애 어애".replace(" ", "\n").split()
)
# Verbs and nouns that are mere wording in an entry: corrections are not about them.
LIGHT = frozenset(
    map(
        english_stem,
        words_in("""
nee nö neen nej nei não stimmt
take place part pay stay go use reach spell move live work run listen handle remove replace get give keep make put hold happen cost serve costó costaba kostete coûtait costava kostte
host store write coûte cuesta costa kostet say meet attend travel follow switch change raise rise increase drop lower steigen gestiegen erhöht gesunken gesenkt set schedule plan
für subido subió pasó pasado bajado bajó passé augmenté baissé changé cambió cambiado maintenant wrong wrongly mistaken falsch geirrt equivoqué trompé own need do be located based find environment system service
home formerly previously together regularly usual currently address number contact phone telephone telefon teléfono número numéro numero rate person people everyone
back forward bleibe bleibt bleiben geblieben wohne wohnt wohnen lebt leben arbeite arbeitet arbeiten läuft laufen kosten liegt liegen findet finden statt trifft treffen kommt kommen geht gehen
fährt fahren nimmt nehmen macht machen hält halten steht stehen sitzt sitzen zahle zahlt zahlen nutzt nutzen benutzt benutzen verwendet verwenden verlegt verschoben geändert wechselt
gewechselt zieht ziehen gezogen umgezogen ersetzt erreichbar nun inzwischen mittlerweile übrigens nummer adresse queda quedan quedó vivo vive viven trabajo trabaja trabajan cuestan viene vienen va van toma
toman da dan hace hacen pago paga pagan pagamos movió movido cambia mudó mudado sigue siguen ahora uso usa usan usamos sube baja pasa pasan está están será reste restent habite habitent habitons vit
travaille travaillent coûtent vient viennent vont prend prennent donne donnent paie paient payons déplacé déménagé passe passent utilise utilisent utilisons monte baisse désormais finalement resta
restano abita abitano lavora lavorano costano vengono vanno prende prendono dà danno fa fanno pagano spostato spostata cambiato trasferito trasferita usano passa adesso ora sono sarà
blijft blijven woont wonen werkt werken kost komt komen gaat gaan neemt nemen geeft geven betaalt betalen verplaatst verzet veranderd verhuisd gebruikt gebruiken loopt ligt zit staat
fica ficam mora moram trabalha trabalham custa custam vem vêm vai vão faz fazem pagam mudou mudado mudada mudaram continua usam subiu desceu passou agora são
"""),
    )
)
# A thing named by such a word; `we meet` or `it runs` name none.
THING = lazy_pattern(
    r"(?:^\W*|\b(?:the|my|our|your|his|her|their|this|der|die|das|dies\w*|mein\w*|unser\w*|\w+['’]s) (?:[\w-]+ )?)"
    r"(?P<thing>meeting|call|run|service|project|team|company|store|work|move|home|place|host)s?"
    r"(?=(?:['’]s)? (?:is|are|was|were|will|has|have|takes?|starts?|begins?|ends?|moved?|opens?|closes?|costs?|runs?|at|on|in"
    r"|ist|sind|hat|haben|war|beginnt|endet|dauert|kostet|um|am)\b)"
)
# fmt: on

LONGEST = 4000  # characters read of a text
_LATIN = lazy_pattern(
    r"[^\W\d_\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7a3]+(?:[-'][^\W\d_\u3040-\ud7a3]+)*"
)
_HANGUL = lazy_pattern(r"[\uac00-\ud7a3]+")
_RUN = lazy_pattern(r"[\u3040-\u30ff\u3400-\u9fff]+")
_PREDICATE = lazy_pattern(r"(?!.*(?:이다|입니다|이야|이에요)$).*[다요야음함임됨기고서며해지]$")
_FRAME_RUN = lazy_pattern("|".join(sorted(HAN_FRAMES, key=len, reverse=True)))
_OWNER = lazy_pattern(r"'(?:s|ll|d|ve|re|m)$")
_ELIDED = lazy_pattern(r"^(?:[cdjlmnst]|qu)'(?=..)")
_FUSED = ("", *unicodedata.normalize("NFD", "안알압았")[2::3])  # finals that an ending leaves on a stem
_NAME = lazy_pattern(rf"(?<![.!?:] )(?<!^)(?<![\w'])(?!I\b)[{CAPITALS}][^\W\d_-]*")
_NOT_GERMAN = lazy_pattern(
    r"\w*[čšžćđřěůňťďąęłńśźżőűăâîșțøåæœãõñàèêëçùûôìòğışđ]\w*"
)  # words, unless they are names
_COPULA = lazy_pattern(r"(?<=[가-힣])(?:이에요|이예요|예요|입니다|이야|이다)$")
_MARKS = lazy_pattern(r"[*`]|(?<!\w)_|_(?!\w)|~~")
SHORTEST_FORM = 4  # letters shared by two forms of a word
FORM_ENDING = 2
KNOWN, SHORT = 8192, 400  # texts (up to so many characters) and words in the cache of forms


class Read(NamedTuple):
    """A text's values and telling words; ``runs`` are those of scripts without spaces."""

    values: tuple[SaidValue, ...]
    latin: tuple[str, ...]
    hangul: tuple[str, ...]
    runs: tuple[str, ...]
    plain: str
    names: frozenset[str] = frozenset()
    is_german: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        return (*self.latin, *self.hangul, *self.runs)

    @property
    def items(self) -> tuple[str, ...]:
        """Return its values and words, as written."""
        return (*(value.shown for value in self.values), *self.words)


def spelled(text: str) -> str:
    """Return a text in one width and one kind of apostrophe, without marks of emphasis and code."""
    plain = unicodedata.normalize("NFKC", text[:LONGEST].translate(_SPACED)).translate(_ALIKE)
    return " ".join(_MARKS.sub("", _NT.sub(r"\1n't", plain)).split())


_NT = lazy_pattern(r"(?i)\b(is|was|are|were|do|does|did|has|have|had|would|could|should)nt\b")
_SPACED = {ord(wide): f"{narrow} " for wide, narrow in zip("，：；！？", ",:;!?", strict=True)}
_ALIKE = (
    {ord(char): "'" for char in "’‘ʼ`´"} | {ord(char): '"' for char in "“”„«»「」『』"} | {ord("…"): "..."}
)


ANY_DAY = date(2000, 1, 1)  # for comparing words, without regard to the day


@lru_cache(maxsize=512)
def read(text: str, on: date = ANY_DAY) -> Read:
    """Return the values and words of a text of a day."""
    whole = spelled(text)
    small = whole.lower()
    names = frozenset(map(str.lower, _NAME.findall(whole)))
    values, rest = values_of(small, on)
    latin = [_ELIDED.sub("", _OWNER.sub("", word)) for word in _LATIN.findall(rest)]
    languages = stopwords.languages_of([word.replace("'", "") for word in latin])
    stops = frozenset[str]().union(*languages)
    telling = (
        word for word in latin if len(word) > 1 and word.replace("'", "") not in stops and word not in FRAMES
    )
    runs: list[str] = []
    for run in _RUN.findall(rest):
        for piece in stopwords.without_breaks(run):
            runs += filter(None, _FRAME_RUN.split(piece))
    return Read(
        tuple(values),
        tuple(dict.fromkeys(telling)),
        tuple(dict.fromkeys(filterfalse(_is_frame, _HANGUL.findall(rest)))),
        tuple(runs),
        small,
        names,
        stopwords.GERMAN in languages and not any(map(str.islower, _NOT_GERMAN.findall(whole))),
    )


def says_nothing(text: str) -> bool:
    """Say whether a text has neither a telling word nor a value: `a thing any more`."""
    return not read(text).items


def _is_frame(word: str) -> bool:
    return (
        len(word) < 2
        or word.removesuffix("다") in KOREAN_FRAMES
        or word in KOREAN_FRAMES
        or korean_stem(word) in KOREAN_FRAMES
        or stopwords.is_korean_stop(word)
    )


def lacking(stated: Read, *sources: Read) -> list[str]:
    """Return the statement's values and words that no source has, as written."""
    source_values = [value for source in sources for value in source.values]
    plain = " ".join(source.plain for source in sources)
    missing = []
    for value in stated.values:
        is_said = any(same_value(value, other) for other in source_values)
        if not is_said and not _is_written(value.shown, plain):
            missing.append(value.shown)
    forms, korean = _forms_in(plain) if len(plain) < SHORT else _forms_in.__wrapped__(plain)
    exact = frozenset[str]() if stated.is_german else stated.names
    missing += (word for word in stated.latin if not forms.has(word, exact=word in exact))
    missing += (word for word in stated.hangul if not _has_korean(word, korean))
    missing += filter(None, (_uncovered(run, plain) for run in stated.runs))
    return missing


def _is_written(value: str, plain: str) -> bool:
    """Say whether a value that is not a number is there letter by letter, whatever its meaning."""
    if value.isdigit():
        return False
    return re.search(rf"(?<![\w.]){re.escape(value)}(?![\w.]*\w)", plain) is not None


class _Forms(NamedTuple):
    words: frozenset[str]
    stems: frozenset[str]

    def has(self, word: str, *, exact: bool = False) -> bool:
        """Say whether a word is there in any form; a name must be there as it is, or in the plural."""
        bare = word.replace("-", "")
        if bare in self.words or _stem(bare) in self.stems:
            return True
        if not exact and any(_is_form(bare, each) for each in self.words):
            return True
        parts = word.split("-")
        return len(parts) > 1 and all(self.has(part, exact=exact) for part in parts)


@lru_cache(maxsize=KNOWN)
def _forms_in(plain: str) -> tuple[_Forms, tuple[str, ...]]:
    """Return the forms of the words of a text, and its Korean words; cached, for each text is compared with many."""
    written = _LATIN.findall(plain)
    bare = set()
    for part in (*written, *" ".join(written).replace("-", " ").split(), *map("".join, pairwise(written))):
        bare.add(_ELIDED.sub("", _OWNER.sub("", part)).replace("-", ""))
    return _Forms(frozenset(bare), frozenset(map(_stem, bare))), tuple(_HANGUL.findall(plain))


@lru_cache(maxsize=KNOWN)
def _stem(word: str) -> str:
    stem = english_stem(SAME_WORDS.get(word, word))
    stem = {"life": "live"}.get(stem, stem)
    return stem.replace("our", "or").replace("is", "iz") if len(stem) > SHORTEST_FORM else stem


def is_light(word: str) -> bool:
    """Say whether a word is mere wording."""
    return english_stem(word) in LIGHT


def names_another_thing(clause: str, statement: str) -> bool:
    """Say whether a clause names a thing by a word that is light elsewhere, and a statement has no such word."""
    statement_stems = set(map(english_stem, _LATIN.findall(statement.lower())))
    return not statement_stems.issuperset(map(english_stem, THING.findall(clause.lower())))


def _is_form(word: str, other: str) -> bool:
    if word[:SHORTEST_FORM] != other[:SHORTEST_FORM]:  # rules out nearly all pairs at once
        return False
    shorter, longer = sorted((word, other), key=len)
    if not longer.startswith(shorter[: max(SHORTEST_FORM, len(shorter) - 1)]):
        return False
    shared = len(shorter) - (not longer.startswith(shorter))
    return len(longer) - shared <= FORM_ENDING


def _has_korean(word: str, source_words: tuple[str, ...]) -> bool:
    stem, *stems = (SAME_WORDS.get(each, each) for each in map(_korean, (word, *source_words)))
    if stem in (*stems, *source_words, *map("".join, pairwise(stems))):
        return True
    has_particle = len(word) == len("회도") and word[1] in "도만랑로와과의를을은는이가에"
    for each in source_words:
        if has_particle and each[:1] == word[0] and len(each) < 3:
            return True
    return _PREDICATE.match(word) is not None and any(_is_verb_form(word, each) for each in source_words)


def _korean(word: str) -> str:
    """Return a Korean word without its particle and the polite `님`."""
    stem = korean_stem(_COPULA.sub("", word))
    return stem.removesuffix("님") if len(stem) > len("님") + 1 else stem


def _is_verb_form(word: str, other: str) -> bool:
    """Say whether two Korean words begin as forms of one verb: endings change the stem's last letter."""
    one = open_stem(word)
    two = open_stem(other)
    if min(len(word), len(other)) > 2 and one == two:
        return word[1] == other[1] or open_stem(word[1:]) == open_stem(other[1:]) or word[2] == other[2]
    if min(len(word), len(other)) > 3:
        return False
    is_fused = all(unicodedata.normalize("NFD", each[0])[2:] in _FUSED for each in (word, other))
    return one == two or (is_fused and _letters(one, two) in VOWELS_OF_ONE_VERB)


def _letters(one: str, two: str) -> frozenset[str]:
    """Return the vowels of two syllables with the same beginning, empty for others."""
    first, second = (unicodedata.normalize("NFD", each) for each in (one, two))
    return frozenset(first[1:] + second[1:]) if first[:1] == second[:1] else frozenset()


def _uncovered(run: str, plain: str) -> str:
    """Return the parts of a run of Han or kana that the text lacks: single characters, or two that are there only apart."""
    at, alone = 0, False
    while at < len(run):
        size = next((size for size in range(min(len(run) - at, 8), 0, -1) if run[at : at + size] in plain), 0)
        if size == 0 or (size == 1 and alone):
            end = next((end for end in range(at + 1, len(run)) if run[end : end + 2] in plain), len(run))
            return run[at - alone : end]
        alone, at = size == 1, at + size
    return ""
