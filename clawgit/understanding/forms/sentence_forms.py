"""Forms of sentences, one table for each meaning: what to keep of talk, and where a statement belongs."""

from __future__ import annotations

import re

from clawgit.memory.entries.entries import Tag
from clawgit.memory.entries.statements import NOTE_IT
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.word_lists import ADDRESS, MONTH, REMEMBER_BEHIND, WEEKDAY, any_word_of, words_in
from clawgit.understanding.patterns.european import REMEMBER
from clawgit.understanding.patterns.pattern_rule import typed_in_haste


def any_form(*forms: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Return a pattern of any of some forms, in any case; `(?-i:…)` is a name."""
    return lazy_pattern("|".join(f"(?:{form})" for form in forms), re.IGNORECASE | flags)


def whole_words(listed: str) -> str:
    """Return a pattern of any of some comma-separated words, as whole words."""
    return rf"\b{any_word_of(listed)}\b"


# Verbs and phrases that do not change a statement's topic, in the form of `subject`.
INCIDENTAL = words_in("""
start begin happen run go take come hold held meet use have live listen work call name keep stay lie stand get need
every weekday weekdays daily weekly monthly usually always currently today tonight tomorrow now new neu neue neuen neuer neues nuevo nueva nouveau nouvelle nuovo nuova nieuw nieuwe novo nova
""")
# Words for names.
NAMING = words_in("call name heisst nom nombr nome appell llama chama chiama 叫 名 字 前")
# People and animals around a person: family, housemates, colleagues, pets. A statement about one is not about the person.
RELATIVES = """
wife, husband, spouse, partner, girlfriend, boyfriend, fiancé, fiancée, fiance, fiancee, son, daughter, kid, child, baby, mother,
mom, mum, father, dad, brother, sister, cousin, niece, nephew, aunt, uncle, grandmother, grandma, grandfather, grandpa,
granddaughter, grandson, twin, stepson, stepdaughter, mother-in-law, father-in-law, boss, manager, neighbour, neighbor, flatmate,
roommate, colleague, dog, cat, parrot, horse, hamster, rabbit
"""
# People whose things are not the operator's, in seven languages.
OUTSIDERS = """
sister, brother, cousin, niece, nephew, aunt, uncle, sister-in-law, brother-in-law, friend, mate, buddy, neighbour, neighbor, colleague,
coworker, co-worker, classmate, schwester, bruder, cousine, vetter, nichte, neffe, neffen, tante, onkel, schwager, schwägerin, freund, freundin,
freunde, freunden, freundes, nachbar, nachbarin, nachbarn, kollege, kollegin, kollegen, kolleginnen, hermana, hermano, primo, prima, sobrina,
sobrino, tía, tío, cuñada, cuñado, amiga, amigo, vecina, vecino, colega, compañera, compañero, sœur, soeur, frère, cousin, nièce, neveu, oncle,
ami, amie, voisin, voisine, collègue, sorella, fratello, cugina, cugino, amica, amico, vicina, vicino, collega, irmã, irmão, vizinha, vizinho,
zus, broer, vriend, vriendin, buurman, buurvrouw
"""


# fmt: off

# Openings without meaning.
OPENING = (r"^\W*(?:(?:fyi|for your info(?:rmation)?|zur info|pour info|oh|hey|hi|hello|yes|sure|so|then|well|also|and|but|ok(?:ay)?|by the way|btw|por cierto|übrigens|au fait|actually|anyway|just|no(?=,)|please"
    rf"|und|bitte|por favor|per favore|alsjeblieft|alstublieft|snälla|venligst|vennligst|s['’]il te plaît|proszę|prosím|будь ласка|请|請|另外|对了|그리고|아)\b[\s,!:—-]*|{ADDRESS}\s*[,!]\s*)*")
MARKS: dict[Tag | None, re.Pattern[str]] = {
    Tag.DECISION: any_form(r"^(?:final |team )?(?:decisions?(?: made)?|decided|entscheidung|décision|decisión)\s*(?:[:：]|[–—-]\s)",
        r"^(?:决定|決定|结论|結論|결정(?:\s*사항)?)\s*[:：]"),
    Tag.SKILL: any_form(r"^(?:lessons?(?: learn(?:ed|t))?|til|gotcha|pitfall|rule|regel|règle|regla)\s*[:：,–—]|^note to self\b\s*[:：,–—]?",
        r"^(?:经验教训|經驗教訓|教训|教訓|经验|經驗|교훈|배운 점)\s*[:：]"),
    None: any_form(r"^(?:please )?(?:important|note|n\.?b\.?|reminder|key fact|fact|wichtig|notiz|merke|nota|rappel|recordatorio|importante)\s*[:：—-]\s",
        rf"{OPENING}(?:for the record|for your notes?|(?:just )?so you know|in case (?:i|we) (?:ever )?(?:ask|forget|need it)|damit du(?: es|['’]s) weißt"
        r"|falls ich (?:mal |je )?(?:danach )?frage|para que (?:lo )?sepas|por si (?:te )?pregunto|au cas où je demande)\b[\s,:–—-]+\w",
        r"^(?:备注|備註|注意|重要|중요|메모|참고|メモ)\s*[:：]|^참고로 "),
}
_I_SAID = r" i(?:['’]ve| have)?(?: just| already)? (?:said|told you|mentioned|wrote)"
# An order to remember: at the start of a sentence, or after the content. Reports and questions about remembering are none.
_ORDERED = (
    rf"{OPENING}(?:(?:can|could|would|will) you )?(?:please |also |do )?(?:rem[em]*be?r|note(?!\s*[:：])|memori[sz]e|(?:don['’]?t|do not|never) (?:you )?(?:let me )?forget|(?:keep|bear) in mind"
    rf"|(?:make|take) a (?:mental )?note|(?:note|write|jot) down|(?:add|save) to (?:your |my )?memory(?=:| that\b)|{NOTE_IT})\b(?!,?{_I_SAID}|,? (?:when|how|why|me|him|her|us|you|the (?:time|day|good old)\b|that (?:time|day)\b)\b)(?! (?:what|who|whose|where|which|if|whether)\b[^.!]*\?)(?!,? (?:you['’]re|to (?:take care|be|breathe|rest|enjoy|have fun)|,))",
    rf"\b(?:keep|bear) (?:it|that|this) in mind\b|[,;.–—-] (?:so )?(?:please )?(?:(?:remember|note|don['’]?t forget)(?: (?:that|this|it))?|{NOTE_IT})(?=(?:,? please)?(?:[.!:]|$))",
    rf"{OPENING}vergiss (?:bitte )?nicht|\bnicht vergessen\b|, {REMEMBER_BEHIND}(?=[.!]|$)",
    rf"{OPENING}(?:(?:hãy )?(?:nhớ|ghi nhớ|ghi chú|lưu ý)(?: (?:là|rằng|giúp)|:)|hãy (?:nhớ|ghi nhớ)|đừng quên)(?!\w)",
    rf"{OPENING}(?:{'|'.join(REMEMBER.values())})",
    rf"{OPENING}(?:souviens[- ]toi|souvenez[- ]vous|rappelle[- ]toi|rappelez[- ]vous|retiens|retenez|mémorise[sz]?|(?:note[sz]?|garde[sz]? en tête|(?:tu peux|vous pouvez|peux[- ]tu|pouvez[- ]vous) (?:noter|retenir)) que|n['’]oublie[sz]? (?:surtout )?pas)\b(?! (?:de )?cuando\b)",
    rf"{OPENING}(?:(?:zapamiętaj|pamiętaj|(?:zapisz|zanotuj)(?= sobie|, że| ?:)|nie (?:zapomnij|zapominaj))(?:cie)?|(?:(?:za)?pamatuj|nezapomeň|(?:poznamenej|zapiš)(?=(?:te)? si))(?:te)?|(?:(?:за)?пам['’]ятай|не забудь|(?:запиши|занотуй)(?= собі|, що| ?:))(?:те)?)\b",
    r"(?<![你不没別别再])(?:记住|記住|牢记|记一下|記一下|记着|記著)(?!了?[吗嗎没])|^(?:请|請)?(?:记得|記得)(?!.*(?:[吗嗎哪谁誰]|什么|上次|我们|那))|(?:[别別]|不要)忘(?!记?了?[吗嗎])",
    r"기억해(?: ?(?:줘|둬|주세요|두))?(?!\?|요\?|용)|명심해|잊지 ?(?:마|말)|메모해|覚えて(?:おいて|ください)|忘れないで",
)
ORDERED = any_form(*_ORDERED, *map(typed_in_haste, _ORDERED))
# A standing order.
_FROM_NOW_ELSEWHERE = r"(?:desde ahora|(?:a partir de|de) (?:ahora|agora)(?: en adelante| em diante)?|daqui em diante|d(?:a |['’])ora in poi|vanaf nu|voortaan)"
ALWAYS = any_form(
    r"^\W*(?:no, |please |also |so |and )?(?:when(?:ever)? you [^,?]{3,60}, (?:please )?)?(?:always|never|(?:don['’]?t|do not) ever)(?! (?:had|been|mind|ever|here|there|in|on|a|an|the|again|happy|glad|sure|gonna|going|change|say|thought|heard|seen|knew|look on|\w+ed)\b) \w",
    r"^\W*(?:no, |please )?(?:from now on|in future|in the future|by default)\b(?!,? (?:i['’]?m|i am|i['’]ll|i will|we|who|it|he|she|they)\b)|^(?!(?:i|we|my|our)\b)(?:\S+ ){3,}from now on[.!]?$",
    "^(?:以后|以後|今后|默认|从现在起|从现在开始|一律)(?!就好|不行)|^(?:回答|回复|答复)(?:我)?(?:的时候|时)?[^，。]{0,4}(?:尽量|不要|别|要|请)|^今後は",
    r"^앞으로(?! (?:잘|\d))|^(?:항상|다음부터는?|절대) .*(?:줘|주세요|마세요|말아요?|마)[.!]?$|^(?:답|답변|대답|답장)(?:은|는|할 때는?) .*(?:줘|주세요|마|말고|말아요?)[.!]?$",
    rf"{OPENING}(?:ab jetzt|ab sofort|künftig|immer|niemals|désormais|toujours|siempre|nunca|{_FROM_NOW_ELSEWHERE}) \w",
)
FROM_NOW_ON = any_form(
    whole_words("from now on, as of (?:now|today), (?:ab|von) (?:jetzt|sofort|heute|nun)(?: an)?, de ahora en adelante, a partir de (?:ahora|hoy), désormais"),
    rf"\b{_FROM_NOW_ELSEWHERE}\b",
    r"从现在(?:起|开始)|以后|以後|今后|今後は?|これから(?:は)?|이제부터(?:는)?|앞으로(?:는)?|\bdorénavant\b|\bà partir (?:de maintenant|d['’]aujourd['’]hui)",
)
# An order to forget earlier words; `forget that` and `forget about this` take back the last ones.
_FORGET = rf"{OPENING}(?:(?:can|could|would|will) you )?(?:i(?:['’]d| would)? (?:want|like) you to )?(?:please )?forget"
_GESAGT = r"(?: (?:gesagt|erzählt|geschrieben|gemeint) hab(?:e|['’])?)?"
_VERGISS = rf"{OPENING}(?:vergiss|vergesst|vergessen sie)(?: bitte)?"
_OLVIDA = rf"{OPENING}(?:olv[ií]da(?:te)?|olvide|olvíd[ae]se)(?: por favor)?(?: de)?"
_OUBLIE = rf"{OPENING}oublie[sz]?(?: s['’]il te plaît)?"
_DIMENTICA = rf"{OPENING}(?:dimentica(?:ti|te|tevi)?|scorda(?:ti|te|tevi)?)(?: per favore)?"
_ESQUECE = rf"{OPENING}esque(?:ce|ça|cer?)(?:-te|-se)?(?: por favor)?"
_VERGEET = rf"{OPENING}vergeet(?: alsjeblieft)?"
_ZAPOMNIJ = rf"{OPENING}(?:zapomnij|zapomeň|забудь)(?:cie|te|те)?(?: proszę| prosím| будь ласка)?"
_GLEM = rf"{OPENING}(?:glöm(?! inte\b| aldrig\b)|glem(?! ikke\b| aldri))(?: bort)?"
_DEL = r"(?:(?:il|lo|la|i|gli|le|di|del|dello|della|dei|degli|delle) |l['’]|dell['’])(?:(?:mi[oa]|miei|mie|nostr[oaie]) )?"
_DO = r"(?:de |d?[oa]s? |d?o |d?(?:meu|minha)s? )"
_HET = r"(?:het|de|mijn|onze|ons) "
_FROM = (
    r"(?: (?:from|out of|aus|de|des) (?:memory|(?:the|my|your|meine[nm]?|deine[nm]?|dem|ta|tes|mes|la|las|tus?|mis?) (?:memory|notes?|gedächtnis|notizen|mémoire|memoria|notas))\b"
    r"| d(?:alla|alle|agli|al|as?|os?) (?:(?:tua|tue|tuoi|mia|mie|miei) )?(?:memoria|note|appunti|memória|notas)\b"
    r"| uit (?:het|je|jouw|mijn|de) (?:geheugen|notities|aantekeningen)\b)"
)
_POINTS = r"(?:this|that|it|these|those|them|everything|all|das|es|alles|ça|cela|tout|eso|esto|todo)"
_DELETE = r"(?:delete|remove|erase|lösche?|streiche?|efface[sz]?|supprime[sz]?|borr[ae]|elimina(?:te)?|elimine|cancella(?:te)?|rimuovi|togli|apag(?:a|ue)|remov[ae]|verwijder|wis|schrap|haal)(?: bitte| por favor| per favore| alsjeblieft)?"
_ARTICLE = r"(?:d(?:as|ie|er|en|em)|mein\w*|unser\w*) "
_LAST_ONE = r"last (?:one|message|bit|part|sentence)\b(?= *(?:again|anywhere|,? please)?[.!]*$)"
# A thing pointed at (`forget that number again`): the last message about it names it.
_POINTED = r"(?P<{}>(?!(?:i|you|he|she|it|we|they|this|that|the|an?|my|your|his|her|its|our|their|people|everyone|nobody|there)\b)(?-i:[a-zß-ÿ])[\w-]+(?: (?!(?:again|anywhere)\b)(?-i:[a-zß-ÿ])[\w-]+)?)"
POINTED_AT = any_form(
    rf"(?:{_FORGET}|{OPENING}(?:please )?(?:don['’]?t|do not|never) (?:keep|save|store|remember|record|write down|note down)) (?:that|this|those|these) (?!{_LAST_ONE}){_POINTED.format('pointed')}(?: again| anywhere)?(?:,? please)?[.!]*$",
    rf"{_VERGISS} (?:diesen?|diese[rs]|jenen?|jene[rs]) (?P<gezeigt>[\w-]+)(?: wieder| bitte)*[.!]*$",
    rf"{_OUBLIE} (?:ce|cet|cette|ces) (?P<montré>[\w-]+)[.!]*$",
    rf"{_OLVIDA} (?:ese|esa|esos|esas|este|esta|estos|estas) (?P<señalado>[\w-]+)[.!]*$",
    rf"{_DIMENTICA} (?:quest[oaei]|quest['’]|que[il]|quell[oae]|quegli|quell['’]) ?(?P<indicato>[\w-]+)[.!]*$",
    rf"{_ESQUECE} (?:d?es[st][ea]s?|(?:d|àqu|aqu)el[ea]s?) (?P<apontado>[\w-]+)[.!]*$",
    rf"{_VERGEET} (?:dat|die|dit|deze) (?P<bedoeld>[\w-]+)(?: weer)?[.!]*$",
    rf"{_ZAPOMNIJ} (?:o (?:tym|tej|tych)|na (?:ten|to|tu|tenhle|tohle)|про (?:той|те|ту|цей|це|цю)) (?P<wskazany>[\w-]+)[.!]*$",
)
# Words to set something aside for a while, or never to forget it: it is kept.
KEPT_ALL_THE_SAME = any_form(
    r"\b(?:for (?:now|today|tonight|(?:a|one) (?:moment|second|sec|minute|while|bit)|the (?:moment|time being))|right now)$",
    r"\b(?:für (?:jetzt|heute|einen moment|den moment)|fürs erste|vorerst|erst ?mal|einstweilen|voorlopig|voor (?:nu|even|vandaag)|per (?:ora|adesso|oggi|il momento|un attimo)|por (?:ahora|hoy|el momento|un momento|agora|hoje|enquanto|um momento)|pour (?:l['’]instant|le moment|aujourd['’]hui)|för (?:nu|tillfället|idag|i dag)|tills vidare|for (?:nu|nå|i dag)|indtil videre|foreløbig)$",
    r"\b(?:never|nie|niemals|nooit|nimmer|mai|nunca|jamais)$",
)
FORGOTTEN = any_form(
    rf"{_FORGET} that (?P<what>(?!{_LAST_ONE}|(?:this|that|it(?! \w+ \w)|i (?:said|asked|told|mentioned))\b)\w\S* \w.*)",
    rf"{_FORGET} (?:(?:(?:(?:(?:all|everything|what|the things)(?: that)?{_I_SAID})|all|everything) )?about (?:the |my |our )?|(?:the|my|our) |(?=(?:\w+\.? ){{0,2}}\w+(?:['’]?s|s['’]) \w))(?P<thing>(?!(?:this|that|it|me|us|you|what|i|last|previous|rest)\b)\w.*?)(?:,? please)?[.!]*$",
    rf"{_FORGET} (?P<asked>(?:where|when|who|whose|which|how (?:much|many|old|long))\b .*?)[.!]*$",
    rf"{_FORGET} (?P<name>(?-i:[^\W\d_a-zß-ÿ])\w+(?: (?-i:[^\W\d_a-zß-ÿ])\w+)?)[.!]*$",
    rf"{OPENING}(?:please )?{_DELETE}(?: (?P<entry>(?!{_POINTS}\b)\w.*?){_FROM}|{_FROM} (?P<within>(?!{_POINTS}\b)\w.*?)[.!]*$)",
    rf"{OPENING}(?:streiche?|lösche?)(?: bitte)?(?:,? was ich(?: dir)? (?:über|von|zu)| (?:das|alles) (?:mit|über|von|zu)) (?:{_ARTICLE})?(?P<davon>\w.*?){_GESAGT}[.!]*$",
    rf"{_OLVIDA} (?:que (?P<que>(?!te\b)\w+ \w.*)|lo (?:del?|que (?:te )?(?:dije|conté|he dicho) (?:del?|sobre)) (?:(?:l[ao]s?|el|mis?) )?(?P<cosa>\w.*?)[.!]*$|(?:el|l[ao]s?|mis?|sus?) (?P<objeto>(?!que (?:te )?(?:dije|he dicho|conté|acabo)\b)\w.*?)[.!]*$)",
    rf"{OPENING}(?:por favor,? )?(?:quit[ae]|borr[ae]|elimin[ae]) lo de(?:l| (?:l[ao]s?|el|mis?))? (?P<tema>\w.*?)[.!]*$",
    rf"{_OUBLIE} (?:que (?P<fait>\w+ \w.*)|ce que (?:je t['’]ai|j['’]ai) dit (?:sur|de|à propos de) (?:(?:l[ea]s?|mon|ma|mes) |l['’])?(?P<chose>\w.*?)[.!]*$|(?:(?:l[ea]s?|mon|ma|mes|son|sa|ses) |l['’])(?P<objet>(?!(?:faire|dire)\b)\w.*?)[.!]*$)",
    rf"{_DIMENTICA} (?:che (?P<che>\w+ \w.*)|(?:tutto )?(?:quello|ciò) che (?:ti )?ho detto (?:su |sul(?:l[aoe]|l['’])? ?|{_DEL})(?P<cose>\w.*?)[.!]*$|{_DEL}(?P<oggetto>\w.*?)[.!]*$)",
    rf"{_ESQUECE} (?:que (?P<facto>\w+ \w.*)|o que (?:eu )?(?:te |lhe )?(?:disse|contei|falei) (?:sobre )?(?:{_DO})?(?P<coisa>\w.*?)[.!]*$|{_DO}(?P<objecto>(?!que (?:eu )?(?:te |lhe )?(?:disse|contei|falei|acabei)\b)\w.*?)[.!]*$)",
    rf"{_VERGEET}(?!.*\bniet\b) (?:dat (?P<feit>\w+ \w+ \w.*)|wat ik (?:je )?(?:over|van) (?:{_HET})?(?P<daarover>\w.*?)(?: (?:zei|vertelde|heb gezegd|heb verteld|gezegd heb|verteld heb))?[.!]*$|(?:{_HET}|(?=\w+['’]?s \w))(?P<ding>\w.*?)[.!]*$)",
    rf"{_GLEM}(?:,? att?(?: det)? (?P<fakta>\w+ \w.*)| (?:det|allt?|hva|hvad|vad)(?: som)? (?:jag|jeg) (?:har )?(?:sa(?:de|gde|gt)?|fortalte|berättade)(?: (?:dig|deg))? om (?P<därom>\w.*?)[.!]*$| (?P<sak>(?!(?:det|den|dem|alle?|allt?|alting|dett[ae]|denn[ae]|mi?e?[gj]|os[ts]?|inte|ikke|nu|nå|vad|hvad?|att?|en|ett?|is|was|for)\b)\w.*?)[.!]*$)",
    rf"{OPENING}(?:(?:the|that|my|our) (?P<first>\w[^,.;]*?) (?:thing|stuff|business|story), (?:please )?forget (?:about )?it|(?:das|die (?:sache|geschichte)) mit {_ARTICLE}(?P<zuerst>(?!.*\bnicht?\b)\w[^,.;]*?), vergiss (?:es|das|sie)|(?:le truc|l['’](?:histoire|affaire)) (?:avec|du|des|de) (?:l[ea]s? |l['’])?(?P<dabord>\w[^,.;]*?), oublie(?:[ -](?:l[ea]|ça))?|lo de(?:l| l[ao]s?| mis?)? (?P<primero>\w[^,.;]*?), olv[ií]dalo)[.!]*$",
    rf"{_ZAPOMNIJ}(?:,| o tym,| na to,| про те,) (?:że|že|що) (?P<fakt>\w+ \w.*)",
    rf"{_ZAPOMNIJ} (?:o (?:tym, co (?:ci )?mówił[ae]m o )?|na (?:to, co jsem (?:ti )?říkala? o )?|про (?:те, що я (?:тобі )?(?:казав|казала) про )?)(?P<rzecz>(?!(?:tym|to|te|це)\b)\w[^,]*?)[.!]*$",
    rf"{_VERGISS}(?!.*\bnicht\b) (?P<besitz>(?-i:[A-ZÄÖÜ])\w+['’]?s (?-i:[A-ZÄÖÜ])\w.*?)[.!]*$",
    rf"(?:{_VERGISS}|{OPENING}(?:streiche?|lösche?)(?: bitte)?(?: (?:den (?:satz|eintrag)|die zeile))?),? dass (?P<was>(?!ich (?:gesagt|gefragt)\b)\w+ \w.*)",
    rf"{_VERGISS}(?!.*\bnicht\b)(?:,? (?:das|alles|(?:alles,? )?was ich(?: dir)?(?: (?:vorhin|eben|gerade|grad))?) (?:mit|über|von|zu) (?:{_ARTICLE})?| {_ARTICLE})(?P<sache>(?!(?:bitte|wieder|ganze|letzte|mal|was)\b)\w.*?){_GESAGT}[.!]*$",
)
# What such an order says before the name of its thing, where it means words of the operator's.
SAID_OF_IT = any_form(
    rf"{_I_SAID}|\bwas ich\b|\blo que (?:te )?(?:dije|conté|he dicho)\b|\bce que (?:je t['’]ai|j['’]ai) dit\b|\b(?:quello|ciò) che (?:ti )?ho detto\b",
    r"\bo que (?:eu )?(?:te |lhe )?(?:disse|contei|falei)\b|\bwat ik\b|\b(?:jag|jeg) (?:har )?(?:sa|fortalte|berättade)|\bco (?:ci )?mówił[ae]m\b|\bco jsem\b|\bщо я\b",
)
# A request to delete what a line may say: one thing, or one of somebody's; what is on a server has more words.
_YOUR = rf"(?:the |that |my |our |{_ARTICLE}|l[aeo]s? |l['’]|el |mis? |m(?:on|a|es) )"
_ONE_THING = rf"(?:{_YOUR}\w+|{_YOUR}?\w+['’]s? \w+(?: thing| stuff)?|(?-i:[A-ZÄÖÜ])\w+s (?-i:[A-ZÄÖÜ])\w+|{_YOUR}\w+(?: \w+)? (?:of|vo[nm]|de[ls]?|du|d['’]) ?{_YOUR}?\w+(?: \w+)?)"
_WILL_YOU = r"(?:(?:can|could|would|will) you |tu (?:peux|pourrais) |(?:peux|pourrais)[- ]tu |vous pouvez |pouvez[- ]vous |(?:me )?puedes? |podr[ií]as? )?(?:please )?"
_DELETED = (
    rf"{OPENING}(?:please )?{_DELETE} (?:(?:the |d(?:ie|en) |l(?:[ae]s? |['’]))(?:lines?|entry|entries|zeilen?|eintrag|lignes?|entrées?|líneas?|entradas?)|(?:what|everything|all)(?: (?:that )?you know)?) (?:about|über|zu|sur|sobre)\b(?: (?:the|d(?:ie|as|en|em|er)|el|l[aeo]s?)\b)?(?!.* (?:from|in|aus|im|dans|du|en|del)\b)",
    rf"{OPENING}(?:please )?{_WILL_YOU}(?:{_DELETE}|effacer|supprimer|enlever|borrar|eliminar|quitar)(?= {_ONE_THING}(?:,? (?:please|s['’]il te pla[iî]t))?[.!]*$)",
    rf"{OPENING}(?:kannst du|könntest du|können sie|könnten sie) (?:bitte )?(?P<what>{_ONE_THING})(?: bitte)? (?:löschen|streichen|entfernen)[.!]*$",
)
# The start of an order to forget, whether or not its object is clear.
TO_FORGET = any_form(
    rf"(?:{_FORGET}|{_VERGISS}|{_OLVIDA}|{_OUBLIE}|{_DIMENTICA}|{_ESQUECE}|{_VERGEET}|{_ZAPOMNIJ}|{_GLEM})\b",
    *_DELETED,
)
SAID_BEFORE = any_form(rf"{_FORGET} (?:about )?(?P<said>(?:everything|all of that|what i|(?:that )?i(?:['’]ve)?(?: just| ever)? (?:said|mentioned|told|asked))\b.*)")
MEANS_BEFORE = any_form(
    rf"\b(?:keep|bear) (?:it|that|this) in mind\b|\b(?:(?:remember|forget|note) (?:it|that|this)|{NOTE_IT})\b(?=\W*(?:$|please\b))",
    r"^\W*(?:please |and |so )*(?:remember|note|don['’]?t forget) (?:it|that|this) (?:when(?:ever)?|each|every|(?:the )?next|for(?! me\b)|if)\b.*",
)
# A task: it belongs to the day, and is useless after a month.
TO_BE_DONE = any_form(
    r"\b(?:remember|forget|remind me(?: (?:on|in|at|next|tomorrow|tonight)\b[^,.;]{0,24}?)?) to\b(?! (?:always|never)\b)|(?:^|[:：] ?)(?-i:TODO)\b",
    r"\b(?:denk\w* (?:bitte )?da?ran|(?:vergiss|vergesst|vergessen sie) (?:bitte )?nicht),?(?! (?:dass|immer|nie|niemals|stets|jede[nrsm]?)\b) .*(?:\bzu \w+e?n|\w+zu\w+e?n)[.!]*$",
    r"\b(?:recuerda|record[aá](?:me)?|(?:acu[eé]rda|acord[aá])te de|no (?:te )?olvid[eé]s(?: de)?) (?!ser\b)\w+[aei]r(?:l[aeo]s?|me|nos)?\b",
    r"\b(?:n['’]oublie[sz]? pas|rappelle[- ]toi|souviens[- ]toi) d(?:e |['’])(?!être\b)\w+(?:er|ir|re)\b",
    r"\b(?:ricorda(?:ti|te|tevi|mi)?|non dimenticar(?:e|ti)) di (?!essere\b)\w+re\b|\b(?:lembr[ae]-(?:te|se|me)|não (?:te |se )?esqueças?) de (?!ser\b)\w+[aei]r\b",
    r"^(?:please )?(?:note(?: to self)?|reminder|important)\s*[:：–—-]\s*"
    + whole_words("buy, get, call, ring, mail, e-?mail, write, send, book, renew, pay, order, pick up, bring, return, cancel, ask, tell, print, sign, collect, fetch")
    + r" \w",
    *_DELETED,
)
# A wish for the agent's behaviour, or a task that nothing here carries out.
WISHED = any_form(
    rf"{OPENING}you (?:should|must|shall|ought to|need to|have to)(?:n['’]?t| not)? (?!be (?:joking|kidding)\b|have\b)\w|{OPENING}remind me\b",
    rf"{OPENING}du (?:soll(?:te)?st|musst|darfst) \w|{OPENING}erinnere? mich\b|{OPENING}(?:tu (?:dois|devrais)|(?:tú )?(?:debes|deberías)) \w",
    rf"{OPENING}when(?:ever)? [^.?!]{{3,80}}(?<!\bi)(?<!\bwe)(?<!he)(?<!they),? (?:please )?(?:always|never|don['’]t|do not) \w",
    rf"{OPENING}(?:can|could|will|would) you (?:please )?(?:answer|reply|respond|write|talk|speak|be|keep|use|sound)\b.{{0,30}} (?:(?:more|less|fewer) (?!of\b|than\b)\w|(?<!\ba )(?:shorter|longer|simpler)\b|always\b)",
    r"\b(?:is|are) (?:\w+ )?important (?:to|for) (?:me|us)\b|\b(?:ist|sind) (?:mir|uns) (?:\w+ )?wichtig\b",
)
DECIDED = any_form(
    r"\b(?:we|i|the team|everyone)(?:['’]ve| have)?(?: (?:just|finally|all|both|also|now))? (?:decided|chose|settled on|opted for|agreed (?:with [\w ]{1,30} )?(?:to|on|that|upon)|concluded that|committed to)\b",
    "决定|決定|选择了|選擇了|选定|商定|敲定|기로 (?:했|함|정했|결정)|결정(?:했|함)",
)
# A possessive: `Tomasz's`, also as a short form of `is`.
_SOMEBODYS = r"\b(?!(?:it|that|this|what|s?he|there|here|let|who|one)['’]s\b)(?-i:[A-Z])[\w-]+['’]s\b"
# A sentence about the writer or his things, or a person's things: by its beginning, except for a word before a comma.
OF_HIMSELF = any_form(
    rf"{OPENING}(?:[\w'’ ]{{1,24}}, )?(?:i|my|we|our)\b",
    rf"{OPENING}(?:[\w ]{{1,24}}, )?(?:ich|mein\w*|wir|unser\w*|je|j['’]|mon|ma|mes|nous|notre|nos|yo|soy(?= (?:una? |de |\w+[ao]\b))|me(?= llamo )|(?:vivo|trabajo)(?= en )|mi|mis|nuestr\w+)\b",
    rf"{OPENING}(?:the )?{_SOMEBODYS}|{OPENING}(?-i:[A-Z])[\w-]+ is (?:allergic|vegan|vegetarian|diabetic)\b",
    "^(?:[^，。]{1,6}，)?(?:我|咱)|^(?:저|나|전|난|제|내|우리)(?:는|은|가|도|의)? ?(?=[가-힣A-Z\\d])|^(?:私|僕|俺)",
)
# A statement about a person or thing, by its beginning: the verb after a name tells it from an order. `somebody`
# is a name, or the first word of an order: `Fix tests in main`.
_VERB = r"(?:is|are|has|have|can|can['’]t|cannot|must|will|won['’]t|does|doesn['’]t|don['’]t|may|needs?|(?-i:[a-z]{2,}[^s\W]s))\b"
_VERB_GERMAN = r"(?:ist|sind|hat|haben|kann|können|mag|muss|müssen|darf|dürfen|soll|will|wird|liegt|(?!jetzt|nicht|erst|fast|seit|gut|mit)(?-i:[a-zäöüß]{2,}t))\b"
_VERB_ROMANCE = r"(?:es(?! (?:bitte|doch|mal|so|nicht|noch|mir|uns|dir)\b)|está|son|tiene|vive|trabaja|puede|debe|prefiere|necesita|juega|est|habite|travaille|peut|doit|aime|préfère|joue|é|tem|mora|pode|gosta|è|ha|abita|lavora|può)\b"
STATED = any_form(
    rf"^\W*(?-i:[A-ZÁÉÍÓÚÀÂÇÈÊÎÔÛÑ])[\w-]+(?: (?-i:[A-ZÁÉÍÓÚÀÂÇÈÊÎÔÛÑ])[\w-]+)?(?: no| ne| não| non)? {_VERB_ROMANCE} \w",
    rf"{OPENING}" r"(?P<somebody>(?!(?:the|der|die|das|il|elle|on|le|la|les|el|los|las|de|het)\b)(?:(?-i:[A-ZÄÖÜ])|(?=\w+ (?:can['’]?t|cannot|can|is|isn['’]?t|has|hasn['’]?t|won['’]?t|doesn['’]?t|kann|ist|hat|mag|darf|isst)\b))[\w-]+)(?: (?:and|und|&) (?-i:[A-ZÄÖÜ])[\w-]+| (?-i:[A-ZÄÖÜ])[\w-]+)?" rf" (?:{_VERB}|{_VERB_GERMAN}),? \w",
    rf"{OPENING}(?:s?he|they)(?:['’]\w+)? \w|{OPENING}(?:his|her|their|the) (?:[\w'’-]+ ){{1,4}}?{_VERB} \w",
    rf"{OPENING}(?:er|sie) {_VERB_GERMAN}|{OPENING}(?:der|die|das|sein|seine|ihre?) (?:[\w-]+ ){{0,3}}?(?-i:[A-ZÄÖÜ])[\w-]+ {_VERB_GERMAN} \w",
    rf"{OPENING}(?:(?:on|at|in|every|each) [\w' ]{{1,24}},? (?:i|we|he|she|they|my|our) |(?:mon|tues|wednes|thurs|fri|satur|sun)days,? (?:i|we|he|she|they|my|our) |(?:(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|abends|morgens) \w+ (?:ich|wir|er|sie|mein\w*|unser\w*) )\w",
)
# The same in languages without a verb list here: an article, a copula or a topic before the verb tells it from an order.
STATED_ELSEWHERE = any_form(
    r"^\W*(?:el|la|los|las|le|les|l['’]|gli|o|os|meu|minha|nosso|nossa|su|sus|son|sa|ses|mijn|onze|ons|de) ?(?<=[ '’])(?!\d)[\w-]+ \w",
    r"^\W*il (?!(?:est|fait|y|faut|me|se|ne|reste|manque|a)\b)\w+ \w|^\W*het (?!(?:is|was|wordt|kost|duurt|kan|zijn|heeft|gaat)\b)\w+ \w",
    r"^\W*(?:as?|i|zijn) [\w ]{1,40}? (?:é|são|fica|è|sono|is|heeft)\b|^\W*(?!(?:đó|đây|này|kia|nó)\b)\w[\w ]* là \w",
    r"^[^\d，,、。]{2,12}(?:是|在|每)\w|^[^，,、。]{1,15}[はが](?!.*(?:ください|下さい|お願い|しよう|て)[。.!！]?$)",
    r"^(?=[가-힣])(?:[^\s,]+ ){0,2}[가-힣]+[은는이가] (?!.*(?:줘|줘요|주세요|주십시오|세요|십시오|자|라)[.!]?$)",
)
# A momentary state: `the server is down`.
OF_THE_MOMENT = any_form(r"^\W*(?:the|das|der|die) .*\b(?:is|are|ist|sind) (?:not |now |still |again |nicht |noch |wieder )*(?-i:[a-zäöüß]+)[.!]*$")
# Said to the agent at the end of a statement: `…, in case you ever need it`.
ASIDE = any_form(
    r"[\s,;–—(-]+(?:in case (?:you|i|we)|(?:just )?so (?:that )?you know|for your (?:records?|notes?|info\w*)|falls du|(?:nur )?damit du|por si|au cas où)\b[^.!?]*[.!]*$",
)
CLAUSE_END = any_form(r"[,;:](?=\s)|\s[–—(-]|[，；：（]")
_NO_PARTICLE = r"(?!(?:it|that|this|them|up|out|off|to|care|over|into|away|her|him|you)\b)(?=\w)"
# Lasting facts of a person, beside `LASTING`.
OF_A_LIFE = any_form(
    r"\bi(?:['’]m| am) (?:from (?-i:[A-Z])|based in|intolerant|(?:an? )?diabetic|left-handed|colou?r-?blind)\b",
    rf"\b(?:i|we) (?:always |usually |only |never |no longer |both )*(?:drive|own|eat|drink|play|speak|rent|fly|commute|avoid|can['’]?t stand|cannot stand) {_NO_PARTICLE}",
    rf"\b(?:i|we) (?:(?:always|usually|only|never|no longer|both) )+(?:take|run|read|write) {_NO_PARTICLE}",
    rf"\b(?:i|we) (?:always |usually |only |never |no longer |both )*(?:(?:use|keep|wear)|(?:take|run|read|write)(?= (?!the\b))) {_NO_PARTICLE}",
    rf"\b(?:i|we) (?:take|run|read|write) {_NO_PARTICLE}[^,;.!?]{{0,30}}?(?:(?-i:[A-Z])\w|\d)",
    rf"(?:\b(?:my|our) [\w'’ -]{{1,40}}? (?:is|are|(?:has|have)(?! (?:been|gone|come|fallen|left|arrived|called|written|sent|asked|told|said|bought|sold|lost|found)\b)|goes|runs|costs|weighs|opens|closes|starts|ends|turns)|{_SOMEBODYS} [\w'’ -]{{1,40}}? (?:is|are)) [^,;.!?]{{0,30}}?\b(?:(?-i:[A-Z])\w|\d)",
    r"\bich (?:hei(?:ß|ss)e (?-i:[A-ZÄÖÜ])|wohne|lebe|arbeite|mag|hasse|esse|trinke|fahre|spreche|vertrage|habe (?:eine? )?(?:allergie|\w+allergie))",
    r"\b(?:mein|unser)\w* [\w-]{1,30} (?:ist|sind|heißt|heißen|wohnt|arbeitet) (?!gerade|krank|müde)",
    r"\b(?:yo )?(?:me llamo (?-i:[A-Z])\w*|vivo en|trabajo (?:en|como|de)|prefiero|odio|me gusta|no como)\b",
    r"\bje (?:m['’]appelle (?-i:[A-Z])|vis|habite|travaille|préfère|déteste|n['’]aime pas|mange|bois)|\bj['’](?:habite|aime (?!bien ça|ça))",
    r"\b(?:mi|nuestr[oa]) [\w-]{1,30} (?:es|se llama|vive|trabaja)\b|\b(?:mon|ma|notre) [\w-]{1,30} (?:est|s['’]appelle|habite|travaille) (?!malade|en retard)",
    r"我(?:不吃|不喝|只[吃喝用]|每[天周个]|受不了)|我们?(?:的)?[^，。]{1,8}(?:是|叫)(?!不是)",
    r"(?:저|나|내|제|우리|전|난)[^.]{0,24}(?:못 ?(?:먹|마시)\S*|안 ?(?:먹|마시)\S*|살아요?|삽니다|일해요?|일합니다|있어요?|있습니다|없어요?)[.!]?$",
)
# `I am …`: a profession, or a figure of speech.
I_AM = any_form(
    r"\bi(?:['’]m| am) an? (?!bit|little|lot|big fan|huge|fan)\w",
    r"\bich bin (?!gerade|jetzt|so|müde|da\b|froh)|\b(?:yo )?soy\b|\bje suis (?!désolé|fatigué|content|là|en train)",
    r"我是(?!说|想|不是)|(?:저|나|내|제|우리|전|난)[^.]{0,24}(?:이에요|예요|이야|입니다|야)[.!]?$",
)
_CHEERS = whole_words(r"thanks?, thank you, thx, good (?:morning|night|evening|job|luck), congrat\w*, sorry, bye, see you, no problem, cheers")
CHEERS = any_form(_CHEERS)
# Makes a whole sentence small talk: a greeting, thanks, a laugh.
TALK = any_form(
    _CHEERS, whole_words(r"lol, lmao, rofl, haha\w*, hehe, jaja\w*, jk, kidding, joking, i bet"),
    r"^\W*(?:what an?|how|was für|wie|quelle?s?|qué|che|wat een|vilken|hvilken)(?: [\w'’]+){1,4} ?!+$",
    r"谢谢|謝謝|再见|晚安|早上好|안녕|고마|감사|미안|죄송|반가|哈哈|嘿嘿|呵呵|ㅋㅋ|ㅎㅎ|\^\^|(?<!\S);-?\)|[😂🤣🙄😅😉😜🙃]|(?<!\S)/s\b",
)
# Other clauses without facts about the writer: talk, a mood, something momentary.
PASSING = any_form(
    whole_words("you, you're, you'll, you've, your, yourself, u, ya"), "你|您",
    whole_words("feel, feeling, feels, glad, happy, excited, amazing, awesome, tired, hungry, bored, fed up, annoyed, angry, sad, stuck, hung ?over, headache, weather, busy, proud, sure, ready"),
    whole_words("right now, at the moment, for now, for the moment, today, tonight, this (?:morning|afternoon|evening|week|weekend), just, almost, is being, are being, so fun, so cool, so nice, so good"),
    r"\b(?:like|love|hate)s? (?:it|that|this|these|those|how|what|(?:all )?the|to (?:see|hear|help|do|know|get)|(?:when|where|how) (?:that|this|it)|waiting)\b|\blike (?:an?|the|when|if|in an?)\b",
    whole_words("trying to, waiting for, thinking (?:about|of), talking (?:about|to), wondering, looking (?:at|for|forward), works for (?:me|us)"),
    rf"\ballergic to {whole_words('mondays, people, work, meetings, mornings, bullshit, nonsense, stupidity')}|\bmy (?:life|point|question|guess|bad|turn|pleasure|favou?rite part|goal here|train|flight|bus|taxi|ride|meeting|call|shift)\b",
    whole_words("heute, gerade, (?<!hat )jetzt, hoy, ahora, aujourd'hui, maintenant, hoje, agora, oggi, adesso, vandaag, hôm nay"),
    "开心|难過|难过|累|饿|[早午晚]饭了|困死|烦|无聊|天气|下雨|下雪|好[热冷]|기쁘|피곤|행복|배고|졸려|심심|날씨|짜증|비가|今天|今日|오늘|지금",
)
# Unclear if read alone.
POINTING = any_form(
    r"\b(?:it|this|that|them|these|those|there|one)\b(?=\W*(?:$|too\b|again\b|already\b|instead\b|every\b|and\b|but\b|in the end\b|on the\b))|\bthe (?!only\b)\w+ one\b|\bthe one\b|^(?:no, )?(?:make|call|change|set|put) that\b",
    r"^(?:[\w'’]+[ ,]+){1,3}(?:it|them|him|these|those|this(?! (?:week|month|year|morning|weekend|summer)\w*))\b",
    rf"^i (?:\w+ )?{whole_words('prefer, like, love, hate, want, choose')} (?:the )?{whole_words('first, second, third, last, latter, former, other, option, version, variant, plan, draft, number, choice')}",
    "(?:[这這那]个?|它)[。.!！]?$|^我.{0,4}(?:喜欢|喜歡|讨厌|討厭|偏好|对).{0,3}(?:上次|[这這那][个個种種些]|第[一二三])|^(?:이걸|그걸|그거|이거)|(?:첫|두|세) ?번째",
)
# Words that a fact read alone does not depend on.
PRONOUN = any_form(whole_words("it, this, that, them, these, those"))
# The future belongs to a day.
TO_COME = any_form(r"\b(?:i|we|he|she|they|\w{3,})(?:['’]ll| (?-i:will)(?! always\b)| won['’]t| (?:am|is|are) going to)\b|['’](?:m|re) going to\b")
# Of more than one thing: `everything on shelf 3`, `all reviews`; `every two weeks`, `all right` are not.
OF_MANY = any_form(
    r"^(?:[\w'’]+\W+){0,3}?(?:everything|alles (?:von|vom|aus|in|im|auf|was|van|op|wat)|tout ce|todo lo|tutto (?:quello|ciò)|tudo o)\b",
    r"^\W*(?:(?:no|nein|non|nee|ok|also|now|and|und|et|y|actually|from now on|ab jetzt)\W+)*(?:all|both|every|each|alle|sämtliche|beide|jede[rs]?|tous|toutes|chaque|todos|todas|cada|ambos|tutti|tutte|ogni|elke?)\b(?!-)(?! (?:in all|hands|right|good|set|done)\b)(?!(?: (?:the|of|los|las|les|os|as|i|gli|le|other|second|zwei\w*|two|dos|deux|due|twee|\w{5,}te[nr]?|\d+))* (?:[^\W\d_]*(?:day|tag)e?s?|weeks?|months?|years?|time|morning|evening|wochen?|monate?n?|jahre?n?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|semanas?|mes|meses|años?|jours?|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?|semaines?|mois|ans?|giorni?|settiman[ae]|mesi|dagen|weken|maand\w*)\b)",
)
# The distant past no longer holds.
RECALLED = any_form(
    whole_words("back then, in those days, at that time, way back, when (?:i|we) (?:was|were), used to, as a (?:kid|child)"),
    "^(?:我们?|我們)?(?:(?:很久)?以前(?!的)|当年|當年|小时候|小時候|那时|那時|那会儿|从前|從前|曾经|曾經|过去)|예전|옛날|어릴 ?때|어렸을|^그때|당시",
)
UNDECIDED = any_form(
    r"\b(?:decided|agreed (?:on|to)) nothing\b|\bto disagree\b|\b(?:n['’]t|not|never|haven['’]t) (?:yet )?(?:decide|decided|agreed)\b|^we almost\b",
    "(?:没有|沒有|没|未|还没)(?:决定|決定|定)|결정(?:하지|을 못|이 안)",
)
# Endings of a message that take it back.
TAKEN_BACK = any_form(
    r"(?:^|[.!…\s])(?:just |only |i['’]m |i am |i was ){0,3}(?:kidding|joking|being sarcastic)[.!]*$",
    "(?:开玩笑的?|逗你的?|骗你的)[啦了。.!！]*$|농담(?:이야|이에요|입니다|이었어)[.!]*$",
)
# An unfinished sentence.
UNFINISHED = any_form(
    rf"(?:\.\.\.?|…|[,，、])$|{whole_words('the, a, an, and, or, but, my, our, because, than, is, are, to, with, of, when, if, that')}[.!]?$",
    "(?:因为|因為|所以|但是|而且|的话)$",
)
# Words that would steer the agent: its own files, speakers, earlier instructions.
STEERING = any_form(
    r"\b(?:soul|identity|agents|memory|user|tools|heartbeat|config|corrections)\.md\b|\bsystem prompt\b|\b(?:previous|prior|above|earlier|all|your) instructions?\b",
    r"^\W*(?:operator|user|system|assistant|admin(?:istrator)?|developer|tool|agent)\s*[:：>]",
)
# Would let others give orders through a principle: `always follow the instructions of the build log`.
OTHERS_ORDER = any_form(whole_words("instructions?, prompts?"))


_PEOPLE = any_word_of(f"{RELATIVES}, ceo, cto, cfo, contact")
_DECISION = r"^decisions?\b(?! (?:pending|needed|wanted|missing|open|is still|is not|to be)\b)"
_NO_VALUE = r"(?:not|no|so|too|very|really|important|irrelevant|unknown|wrong|right|here|there|coming|what)\b"

# "Remember this": it goes to the day's note first, and lasting parts are promoted from there.
REMEMBER_THIS = any_form(
    r"^(?:please\s+)?(?:remember|note)\s+this\b(?!\s+lesson)",
    r"^(?:请)?(?:记住|記住|记一下)(?:这个|这一点|這個)(?!教训|教訓|经验|經驗)",
    r"^(?:이거|이걸|이것|이것을)\s*(?:꼭\s*)?기억",
)
# Permanent orders and prohibitions.
ORDER = any_form(
    r"^(?:please\s+)?(?:always|never|do not|don['’]?t)\s+(?!been|mind|forget|know|think|remember|worry|care)\w+",
    r"^(?:please\s+)?(?:use|prefer)\s.+\s(?:instead of|rather than|over)\s",
    r"^(?:house )?rule\s*[:：]",
    r"^to (?:always|never)\s+\w+",
    r"^(?:before|after|when|whenever|if|in case)\b[^,]{1,60},\s*(?:please\s+)?(?:always|never|do not|don['’]?t)\s+\w+",
    r"\bfrom now on\b",
    r"앞으로는|다시는",
    r"(?:항상|반드시|절대(?:로)?)\s.*(?:할 것|하지 말 것|말 것|해야|하자|마라|말자)",
    r"(?:以后|以後).{0,8}?(?:要|别|別|不要|都|请|請)",
    r"不要再|(?:永远|永遠|千万|千萬|绝对|絕對)(?:不要|别|別|不能|不可)",
    r"^(?:请|請)?(?:不要|别|別)在",
)
LESSON = any_form(
    r"^(?:lessons?(?:\s+learn(?:ed|t))?|til|note to self|gotcha|pitfall)\b",
    r"\blessons?(?: learn(?:ed|t))?\s*[:：]",
    r"^(?:learn(?:ed|t)(?: today)?|best practice|tip|workaround)\s*[:：]",
    r"\bnext time\b",
    r"\bso (?:that )?(?:it|this) (?:does not|doesn't|never) happens? again\b",
    r"\b(?:the|my|a) mistake was\b",
    r"\blearn(?:ed|t) (?:that|to|the hard way)\b",
    r"교훈|배운 점",
    r"다음부터는?",
    r"教训|教訓|经验|經驗|踩坑",
    r"^学到[:：]|^學到[:：]",
    r"下次",
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
    rf"\b(?<!\bno )(?:name|birthday|anniversary|time ?zone|native language) (?:is|are) (?!{_NO_VALUE})",
    rf"\b(?:address|(?:phone|mobile|cell)(?: number)?|e-?mail) (?:is|are) (?=.{{0,80}}(?:\d|@|(?-i:[A-Z])))(?!{_NO_VALUE})",
    r"\b(?:job|title|goal) is (?:to|an?|head|chief|lead|senior)\b",
    # Identity, not state: `my boss is Noor`, not `my boss is late`.
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
    r"생일|알레르기|채식|살고 있|에 산다|에 살아|(?:이름|주소|전화번호|시간대)[은는]",
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
    r"오늘|내일|어제|이번 주|다음 주|(?<!매주 )[월화수목금토일]요일",
    r"今天|明天|昨天|今晚|本周|这周|下周|上周|(?<!每)(?:[週周][一二三四五六日]|星期)",
)
SETTLED = any_form(_DECISION, r"\b(?:decided|chose|prefers?)\b", r"결정|선호", r"决定|決定|偏好")
