"""Messages that take back earlier ones of the same conversation: `scratch that`, `I was joking about Basel`."""

from __future__ import annotations

from functools import lru_cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.statements import says_changed, sentences_of
from clawgit.text.comparing.subjects import is_alike, shared_with, telling, told_by_both
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.dialogue_blocks import LABELS
from clawgit.text.words import stopwords
from clawgit.text.words.terms import english_stem, index_terms
from clawgit.text.words.word_lists import CAPITALS, any_word_of
from clawgit.understanding.evidence import said_words as signs
from clawgit.understanding.evidence.orders_to_forget import (
    CLAUSES,
    FORGET_THAT,
    FORGET_WHAT_I_SAID,
    GOES_ON,
    LEAD,
    MOST_OF_ONE_THING,
    NUMBERS,
    dropped_in,
    is_unwanted,
    only_asks_to_forget,
    orders_to_forget,
    pointed_at,
    said_to_forget,
    tells_something,
    to_forget,
    told_around,
)
from clawgit.understanding.evidence.own_sentences import (
    IS_OF_A_CASE,
    IS_PAST,
    IS_QUESTION,
    denied,
    denies,
    no_statement,
    own_text,
)
from clawgit.understanding.evidence.said_words import lacking, read
from clawgit.understanding.evidence.says_beyond import shared_words, words_shared
from clawgit.understanding.forms.user_words import OWN
from clawgit.understanding.patterns.own_words import own_words
from clawgit.understanding.patterns.pattern_rule import typed_in_haste
from clawgit.understanding.triage.triage_message import asks_to_forget, triage

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date


# Somebody's words follow: `My boss: forget what I said`.
_SPEAKER = lazy_pattern(
    rf"\W*(?!(?i:{LEAD}|{any_word_of(','.join(LABELS))}|edit|\w+ (?:mistake|bad|fault|fehler|error|erreur|faute|errore|culpa|fout)):)(?:(?i:{'|'.join(sorted(OWN))}) [^\W\d_]+|[{CAPITALS}][\w'’-]+)(?: [{CAPITALS}][\w'’-]+)?:\s"
)
# Ways to take back the words right before: as a clause of a short message, and those valid only as the whole message.
LONGEST_TAKING = 160  # characters
_SPOKEN = (
    FORGET_THAT,
    r"(?:please )?(?:scratch|scrap|strike|ignore|disregard|undo) (?:that|what i(?: just)? said|i said (?:that|anything))",
    r"never ?mind what i(?: just)? said",
    r"(?:i(?:'m| am)|(?:(?:i|that|it) )?was)? ?(?:just |only )?(?:a joke|joking|kidding)",
    r"(?:please |i )?take (?:that|this|it) back|(?:please |i )?take back (?:that|the thing|what i(?: just)? said|everything)",
    r"i did(?:n't| not) mean (?:that|it)",
    r"vergiss es(?: wieder)?|(?:das )?war (?:nur |bloß )?(?:ein )?(?:scherz|spaß|witz)|streich das(?: wieder)?|ich nehme das zurück",
    r"(?:nimm|nehmen sie) (?:das|es)(?: bitte)?(?: wieder)? zurück|(?:mach|machen sie) (?:das|es)(?: bitte)?(?: wieder)? rückgängig",
    r"(?:quit[ae]|borr[ae]|deshaz|deshaga|anul[ae]|cancel[ae]|revierte|revierta|retir[ae]) (?:eso|esto|lo (?:dicho|que (?:acabo de decir|(?:te )?dije|he dicho)))|(?:deshaz|anúla|bórra|quíta)lo|(?:era|es) (?:una )?broma|estaba bromeando|(?:lo )?retiro(?: lo dicho)?",
    r"(?:annule|efface|retire|supprime|ignore)[rz]? (?:ça|cela|ce que (?:je viens de dire|j'ai dit))|je (?:retire|reprends) (?:ça|ce que (?:je viens de dire|j'ai dit))|reviens (?:là-dessus|en arrière)|je (?:plaisant|rigol|déconn)(?:e|ais)|c'était (?:une blague|pour (?:rire|rigoler))",
    r"(?:annulla|cancella|dimentica|ritira|togli) (?:quest[oa]|quell[oa]|ciò|tutto|quello che (?:ti )?ho detto)|(?:annulla|cancella|ritira)lo|(?:lo )?ritiro(?: quello che ho detto)?|(?:stavo )?scherza(?:vo|ndo)|era uno scherzo",
    r"(?:desfaz|desfaça|anul[ae]|apag(?:a|ue)|cancel[ae]|retir[ae]) (?:isso|isto|o que (?:eu )?(?:disse|acabei de dizer))|retiro o que (?:eu )?disse|(?:era|foi) (?:uma )?brincadeira|estava (?:a brincar|brincando)",
    r"(?:maak|draai) (?:dat|het)(?: alsjeblieft)? (?:weer )?(?:ongedaan|terug)|(?:neem|trek) dat(?: maar| alsjeblieft| weer)* (?:terug|in)|ik (?:neem|trek) dat (?:terug|in)|(?:schrap|wis) dat|(?:(?:het|dat) was )?(?:maar )?een grap(?:je)?",
    r"(?:to był )?żart|żartował[ae]m|cofam to|(?:byl to|to byl) vtip|beru to zpět|(?:це був )?жарт|я пожартува(?:в|ла)",
    r"当我没说(?:过)?|(?:我)?(?:刚才)?(?:是)?(?:在)?开玩笑的?|我收回(?:刚才的话)?|刚才(?:说的|那句话?|的话)不算",
    r"(?:그냥 )?농담이(?:야|에요|었어|었어요)|방금 (?:한 )?말(?:은)? 취소(?:해줘|야|할게)?|(?:그거|방금 거) (?:취소|잊어줘)|없던 (?:걸|일)로 (?:해|하자|해줘)",
)
_WAYS = dict.fromkeys((*_SPOKEN, *map(typed_in_haste, _SPOKEN)))
_WHOLE_WAYS = (
    *_WAYS,
    FORGET_WHAT_I_SAID,
    r"(?:please )?(?:forget|scratch|strike|ignore|disregard|undo) (?:this|it)",
    r"never ?mind(?: that| it)?",
    "oublie|laisse tomber|laat maar(?: zitten)?|strunt i det|lascia (?:perdere|stare)|deixa (?:lá|estar|p(?:a)?ra lá)|算了(?:吧)?|忘了(?:吧|这个)",
)
_WHAT_I_SAID = lazy_pattern(
    rf"(?i)\b(?:{FORGET_WHAT_I_SAID}|what i (?:just )?said|lo (?:que|dicho)\b|ce que\b|quello che\b|o que\b)"
)
_THANKS = lazy_pattern(
    r"(?i)(?:(?:thanks?|thank you|thx|ty|ok|okay|k|fine|great|good|perfect|nice|cool|super|got it|all ?right|a lot|so much|very much"
    r"|danke|dankeschön|vielen dank|dir|sehr|alles klar|gut|prima|passt|(?:muchas )?gracias|vale|muy bien|merci|beaucoup|d'accord|parfait"
    r"|grazie|va bene|perfetto|obrigad[oa]|dank je|bedankt|tack|tak|dzięki|děkuji|дякую|谢谢你?|好的?|고마워요?|감사합니다|네)[\s,.!…。！]*)+"
)
_ASIDE = r"please|sorry|bitte|lol|haha|ok|por favor|per favore|s'il (?:te|vous) plaît|stp|alsjeblieft"
_TAKES_BACK = lazy_pattern(rf"(?i){LEAD}(?:{'|'.join(_WAYS)}|{FORGET_WHAT_I_SAID})(?: (?:{_ASIDE}))?")
_ONLY_TAKES_BACK = lazy_pattern(rf"(?i){LEAD}(?:{'|'.join(_WHOLE_WAYS)})(?:[\s,.]*(?:{_ASIDE}))?[\s.!。！…]*")
# The words after these may name what is taken back.
_NAMING = lazy_pattern(
    rf"(?i){LEAD}(?:{'|'.join(_WAYS)})\s+(?:about|of|with|on|regarding|über|mit|zu|von|wegen|sobre|de|del|à propos d\w*)\b(?P<named>.+)"
)
# The words after these name what not to keep; a verb may end the clause: `das mit Ania nicht speichern`.
_ABOUT = lazy_pattern(
    r"(?i)\b(?:that|this|it|das|dies|es|eso|esto)\s+(?:about|über|mit|sobre)\s+(?P<named>.+)"
)
# Takes back the operator's last correction, or the one that is named before.
_AS_IT_WAS = (
    r"(?:please )?(?:leave|keep|let) (?:it|that|this|things|everything|them|all) (?:exactly |just )?(?:as|the way|how|where) (?:it|he|she|they|that|things) (?:was|were)(?: before)?",
    r"(?:lass|lassen wir|lassen sie) (?:es|das|alles|sie|ihn) (?:doch |lieber |bitte )*(?:so,? )?wie (?:es|er|sie) (?:vorher )?war(?:en)?|(?:es |alles )?bleibt (?:doch )?(?:alles )?beim alten",
    r"(?:(?:it|that|this|everything|all) )?(?:stays?|remains?) (?:exactly |just )?(?:as|the way|how) (?:it|that) was(?: before)?|(?:(?:es|alles|das) )?bleibt (?:doch |alles |so )*wie es (?:vorher )?war",
    r"(?:(?:het|alles|dat) )?blijft (?:toch |gewoon |alles )*zoals het was|(?:todo )?(?:se )?queda(?: todo)? como (?:estaba|antes)|(?:tout |ça )*reste comme (?:c'était|avant)|(?:tutto )?(?:resta|rimane) com'era",
    r"(?:déja|deja)l[oa]s? como (?:estaban?|antes)|(?:laisse[sz]?|garde[sz]?)(?: ça| tout|[ -]l(?:e|a|es))? comme (?:c'était|avant|(?:il|elle)s? étai(?:en)?t)",
    r"(?:还是)?(?:照|按|用)?原来的?(?:那样)?(?:吧|就好|不变)|保持原样|元のままで(?:いい|お願い(?:します)?)?|원래대로 (?:해|둬|하자|해줘|두자)",
)
_LAST_CORRECTION = (
    r"(?:please )?(?:undo|revert|cancel|withdraw|take back|reviens sur|annule[rz]?|retire[rz]?|deshaz|deshaga|anul[ae]|revierte|retir[ae]|annulla|ritira|desfaz|desfaça|nimm|mach|maak|trek)"
    r" (?:my|the|ma|la|mi|la mia|a|a minha|meine|die|mijn|de) (?:last|latest|dernière|última|ultima|letzte|laatste) (?:corr|korr)\w+(?: mía)?(?: zurück| rückgängig| ongedaan| terug| in)?"
)
# Asks to undo the last change, whoever's words made it: `undo that last one` takes back no words.
_LAST_CHANGE = (
    r"(?:please )?(?:undo|revert|annule[rz]?|deshaz|deshaga|revierte|revierta|anul[ae]|borr[ae]|quit[ae]|retir[ae]|cancel[ae]|annulla|desfaz|desfaça|mach|machen sie|maak)"
    r" (?:(?:that|the|my|le|la|ma|mon|el|mi|o|a|as|das|die|den|meine|de|het|mijn) )?"
    r"(?:(?:very )?(?:last|latest)|derni(?:er|ère)|(?:lo )?últim[oa]|letzte[ns]?|laatste)"
    r"(?: (?:one|thing|change|edit|step|changement|modification|chose|cambio|cosa|edición|modifica|mudança|alteração|änderung|schritt|wijziging))?(?: rückgängig| ongedaan)?"
)
# Names a change of memory to undo: `undo the log retention correction`.
_UNDOES_NAMED = lazy_pattern(
    rf"(?i){LEAD}(?:please |bitte )?(?:undo|revert|roll back|take back|withdraw|nimm|nehmen sie|mach|machen sie)(?: bitte)?"
    r" (?:the|my|that|your|die|das|den|meine?n?|deine?n?) (?:[\w'-]+ ){0,6}?"
    r"(?:(?:correction|change|edit)\b(?: (?:of|to|about|on|for|from) .+)?"
    r"|(?:(?:\w*korrektur|\w*änderung)\b.*|letzte[ns]?(?: \w+)?) (?:zurück|rückgängig))[\s.!]*"
)
_UNDOES_CHANGE = lazy_pattern(
    rf"(?i)(?!mach\w* (?:die|das|den) letzte\w*\W*$){LEAD}(?:{_LAST_CHANGE}|{typed_in_haste(_LAST_CHANGE)})(?: (?:{_ASIDE}))?[.!]*"
)
_UNDOES_LAST = lazy_pattern(
    rf"(?i){LEAD}(?:{_LAST_CORRECTION}|{typed_in_haste(_LAST_CORRECTION)})(?: (?:{_ASIDE}))?"
)
_UNDOING = lazy_pattern(
    r"(?i)\b(?:undo|revert|rückgängig|deshaz\w*|deshaga|reviert[ae]|an[uú]la\w*|anule|annul[ae]\w*|desfaz|desfaça|ongedaan|en arrière|cancel[ae]|취소\w*)\b"
)
_TAKES_IT_BACK = lazy_pattern(r"(?i)\b(?:back|zurück|r[ei]tir\w*|re(?:prends|viens)|terug|cofam)\b|收回")
_SETS_BACK = lazy_pattern(rf"(?i){LEAD}(?:{'|'.join(_AS_IT_WAS)})")
# The same as a whole message.
_AFTER_ALL_NOT = lazy_pattern(
    r"(?i)(?:(?:oh|ach|ah|nein|nee+n?|ne|no|non|moment|wait|quatsch|halt)[\s,.!…]+)+(?:doch nicht|toch niet|not after all|(?:al final|mejor) no|finalement (?:non|pas)|alla fine no)[\s.!…]*"
)
# Names what not to keep; alone it may be elliptic: `don't remember the name`.
_NOT_TO_KEEP = lazy_pattern(
    r"(?i)(?:please |and |just )*(?:don't|do not|never) (?:keep|save|store|remember|record|note|write down) ((?:the|my|our|his|her|their|\S+'s?) .+)"
    r"|(?:bitte |und )*(?:merke?|speichere?|notiere?)(?: dir)? ((?:den|die|das|meine?n?|unsere?n?|\S+s) .+?) (?:doch |lieber )?nicht"
    r"|(?:y )?no (?:guardes|recuerdes|anotes|apuntes) (.+)|(?:et )?ne (?:retiens|note|garde|enregistre)[sz]? pas (.+)|(?:e )?non (?:ricordare|salvare|annotare|segnare) (.+)"
    r"|(?:e )?não (?:guardes?|anotes?|memorizes?) (.+)|(?:en )?(?:onthoud|bewaar|noteer) (.+) niet"
)
# Calls his own words about a matter untrue.
_UNTRUE = lazy_pattern(
    rf"(?i){LEAD}(?:(?:das|die sache) mit (?P<de>.+) stimmt (?:doch |so |gar )*nicht|(?:dat|het) (?:van|met|over) (?P<nl>.+) klopt (?:toch |helemaal )*niet"
    r"|(?:the|that) (?P<en>.+) (?:thing|bit) (?:is|was)(?:n't| not) (?:true|right)|lo del? (?P<es>.+) no (?:es|era) (?:cierto|verdad|as[ií]))"
)
# What is said of a matter that is set back; other words name it.
_OF_SETTING_BACK = index_terms(
    "sorry thanks right wrong fine good correct true mistake mistaken error misread changed mind first original old value already yes richtig falsch stimmt stimmte korrekt geirrt vertan hab irrtum fehler recht anders überlegt glaub vorher früher nee trompé trompée erreur raison juste bon vrai suis était fait tort antes estaban equivoqué equivocado equivocada bien correcto correcta cierto razón sbagliato giusto prima errado certo enganei fout klopt klopte vergist gelijk"
).split()
# `the van date was right`, `the 62 thing`: words that say which thing is meant.
_A_THING = lazy_pattern(
    r"\b(?:(?i:the|my|our|his|her|their|el|los|las|les|mon|mes) [\w']+|(?i:der|die|das|dem|den|meine?[nmrs]?|unsere?[nmrs]?) [A-ZÄÖÜ]\w+)"
)
_NUMBER = lazy_pattern(r"\d+(?:[.:]\d+)*")

# Opens a correction of the words right before: `sorry, 9:45`; a sigh alone opens none.
_CORRECTING = any_word_of(r"""
no, nope, wrong, sorry, entschuldig(?:e|ung), disculpa, scusa, oops, ups, wait, actually, correction, my mistake, i was wrong, nein, nee+, ne, quatsch, falsch, doch, moment, korrektur, stimmt nicht, hab mich vertan,
perdona, perd[oó]n, esper[aá], pará, para(?!\s+\w), aguant[aá], che, error, correcci[oó]n, me equivoqu[eé], en realidad, non, pardon, attends, erreur, en fait, je me suis trompée?
""")
_SEP = r"[\s,.:;!…–-]+"
_OPENS = lazy_pattern(
    rf"(?i)\A\W*(?:(?:oh|ah|ach|ay|hm+|argh|ok|euh|äh|uh|um){_SEP})*{_CORRECTING}(?:{_SEP}{_CORRECTING})*"
    rf"(?:\s*[,.:;!…–-][\s,.:;!…–-]*|(?<!\bno)(?<!\bnon)\s+|[\s,.:;!…–-]*\Z)"  # `no Friday` says `not Friday`
)


def behind_opening(text: str) -> str:
    """Return the words of a short message behind an opening such as `no,` or `sorry,`; empty without one."""
    opening = _OPENS.match(text)
    if opening is None or len(text) > LONGEST_TAKING:
        return ""
    return text[opening.end() :].strip()


# What says that something is as before.
AS_BEFORE = lazy_pattern(
    r"(?i)\b(?:still|stay(?:s|ing)?|remains|unchanged|as before|after all|al final(?! del?\b)|finalement|alla fine|bleibt|weiterhin|doch|immer noch|noch immer|unverändert|nach wie vor|wie (?:gehabt|bisher|vorher)"
    r"|toch|blijft|gewoon|nog (?:steeds|altijd)|sigue[ns]?|queda|quedó|mantiene|todav[ií]a|aún|como antes|reste|toujours|demeure|comme avant"
    r"|resta|rimane|ancora|come prima|fica|continua|ainda)\b"
)
# A value that holds after all: no telling of the past.
IS_RIGHT = lazy_pattern(
    r"(?i)\b(?:is|was|were|ist|war|waren|es|era|eran|erano|estava|estaban?|est|[ée]tai(?:t|ent)) (?:right|correct|true|richtig|bien|corrett?[oa]|correct[oa]|giust[oa]|cert[oa]|just[eo]|bon)\b|\bandava bene\b|\b(?:stimmt|klopt)e?\b(?! (?:so )?(?:nicht|niet))"
)


def may_restore(text: str) -> bool:
    """Say whether a message begins as a second word, denies something or says that it is as before: else it gives no line its former words."""
    own = own_text(text)
    is_so = AS_BEFORE.search(own) or IS_RIGHT.search(own)
    return bool(behind_opening(own) or is_so or denies(own) or any(map(str.strip, denied(own))))


def takes_back(text: str) -> bool:
    """Say whether a message takes back the words before it."""
    plain_text = text.strip().replace("’", "'")
    if len(plain_text) > LONGEST_TAKING:
        return False
    clauses = map(str.strip, CLAUSES.split(plain_text))
    is_said = any(map(_TAKES_BACK.fullmatch, clauses)) or only_takes_back(plain_text)
    return is_said or bool(pointed_at(plain_text))


def _is_taking(clause: str) -> bool:
    return only_takes_back(clause) or _TAKES_BACK.fullmatch(clause) is not None


def only_takes_back(text: str) -> bool:
    """Say whether a message only takes back."""
    return _ONLY_TAKES_BACK.fullmatch(text.strip().replace("’", "'")) is not None


def undoes_taking(text: str, turn: str) -> bool:
    """Say whether a message only asks to undo what was just done (`no, undo that`), and a turn is not the same order; behind an order to forget something, `take that back` does, too."""
    is_repeated = only_takes_back(turn)
    if is_repeated and _UNDOING.search(turn):
        return False
    is_undoing = _UNDOING.search(text) or (not is_repeated and _TAKES_IT_BACK.search(text))
    return only_takes_back(text) and bool(is_undoing)


def is_of_before(text: str) -> bool:
    """Say whether a message takes back earlier words, or asks to undo the last change, and so is nothing to remember itself."""
    plain_text = text.strip().replace("’", "'")
    is_of_change = _UNDOES_CHANGE.fullmatch(plain_text) is not None
    is_taking = is_of_change or only_takes_back(text) or sets_back(text)
    return is_taking or bool(_named_in(plain_text) or dropped_in(text))


def asks_to_undo(text: str) -> bool:
    """Say whether a text takes back earlier words or asks to undo a change of memory, the last or a named one."""
    return is_of_before(text) or _UNDOES_NAMED.fullmatch(text.strip()) is not None


def still_said(sentences: Sequence[str]) -> tuple[str, ...]:
    """Return the sentences of a message that no later one takes back: `Scratch that, Geneva.` leaves itself, `Just kidding.` nothing."""
    left: list[str] = []
    named = ""
    for at, whole in enumerate(sentences):
        sentence = behind_taking(whole)
        if at and takes_back(whole):
            left.clear()
        is_repeated = bool(telling(named)) and telling(sentence) <= telling(named)
        if not (only_takes_back(sentence) or is_repeated):
            left.append(sentence)
        named = _named_in(sentence.strip().replace("’", "'")) or named
    return tuple(left)


def behind_taking(sentence: str) -> str:
    """Return the statement behind words that only take back (`forget what I said, I live in Madrid`), else the sentence."""
    if _WHAT_I_SAID.search(sentence):
        for gap in CLAUSES.finditer(sentence):
            rest = sentence[gap.end() :].strip()
            if _is_taking(sentence[: gap.start()]) and tells_something(rest):
                return rest
    return sentence


class _Taking(NamedTuple):
    said: str
    behind: str  # the words after it
    is_taking: bool
    is_setting_back: bool
    named: str
    unwanted: str
    topic: str  # the head before it: `backup: scratch that`


@lru_cache(maxsize=2048)
def _taking_in(text: str) -> _Taking | None:
    """Return how a message takes back earlier words, None if it does not.

    A search calls it for every turn after its hits.
    """
    is_taking = takes_back(text)
    is_setting_back = not is_taking and sets_back(text)
    plain_text = text.strip().replace("’", "'")
    before, behind = told_around(own_words(text), _is_taking)
    topic = ""
    if f"{before}:" in plain_text and not _OPENS.match(before):
        topic = before
    named = f"{topic} {pointed_at(plain_text)} {behind}".strip()
    unwanted = ""
    if not is_taking:
        named = _named_in(plain_text)
    if not named and not is_taking:
        unwanted = named_to_forget(plain_text)
    if not (is_taking or named or unwanted or is_setting_back):
        return None
    if tells_something(before):
        return None  # it is about its own words
    return _Taking(plain_text, behind, is_taking, is_setting_back, named, unwanted, topic)


def _tells_nothing_else(turn: str) -> bool:
    """Say whether a turn only takes back, in one or more clauses: `no wait, forget that, scratch that`."""
    taking = _taking_in(turn)
    return taking is not None and taking.is_taking and not tells_something(taking.behind)


def taken_by(text: str, turns: Sequence[str]) -> int | None:
    """Return which earlier turn of the operator's a message takes back: the named one, else the last one with content; None if none."""
    if _is_of_another_speaker(text, turns):
        return None
    matter = _set_back(text)
    if matter:
        named = filter(lambda turn: not matter - telling(turn) - words_shared(turn, turn), turns)
        about = list(filter(lambda turn: _corrected_at([turn], is_last=True) == 0, named))
        return turns.index(about[0]) if len(about) == 1 else None
    matter = dropped_thing(text)
    for at in range(len(turns) - 1, -1, -1):
        if matter and _is_of_matter(turns[at], matter):
            return at
    if matter and (sets_back(text) or takes_back(text)):
        return None  # not the turn before, about something else
    return _plainly_taken(text, turns)


def _is_of_another_speaker(text: str, turns: Sequence[str]) -> bool:
    """Say whether a message is somebody's words behind his name; `Anna: forget that` behind words about Anna is the operator's order."""
    speaker = _SPEAKER.match(text)
    if speaker is None or _OPENS.match(text):
        return False
    return not shared_words("".join(turns[-1:]), speaker[0])


def unkept_matter(text: str) -> frozenset[str]:
    """Return the telling words of what a message names not to be kept, behind words that take back: `scratch that, don't remember the birthday`."""
    if not takes_back(text):
        return frozenset()
    for clause in map(str.strip, CLAUSES.split(text.replace("’", "'"))):
        unwanted = to_forget(clause)
        order = _NOT_TO_KEEP.fullmatch(clause)
        if order is not None:
            unwanted = order[order.lastindex or 0]
        if unwanted:
            return telling(unwanted)
    return frozenset()


def dropped_thing(text: str) -> frozenset[str]:
    """Return the same as `dropped_in`, also of a matter that a message calls untrue and takes back, or that it sets back: `the rent was right, leave it as it was`."""
    if sets_back(text) or takes_back(text):
        for clause in map(str.strip, CLAUSES.split(text.replace("’", "'"))):
            untrue = _UNTRUE.fullmatch(clause)
            if untrue is not None:
                return telling(untrue[untrue.lastindex or 0])
    return dropped_in(text) or _set_back(text)


def _set_back(text: str) -> frozenset[str]:
    """Return the topics that name what a message sets back: words behind give a reason, or call it right."""
    before, behind = told_around(text, _SETS_BACK.fullmatch)
    if IS_RIGHT.search(behind):
        before += f" {behind}"
    if not before or _UNTRUE.search(before) or not sets_back(text):
        return frozenset()
    return (telling(before) | words_shared(before, before)).difference(_OF_SETTING_BACK)


def _plainly_taken(text: str, turns: Sequence[str]) -> int | None:
    taking = _taking_in(text)
    while turns and _tells_nothing_else(turns[-1]):
        turns = turns[:-1]
    if taking is not None and _WHAT_I_SAID.search(text):
        while turns and _THANKS.fullmatch(turns[-1].strip()):
            turns = turns[:-1]
    if taking is None or (taking.is_taking and pointed_at(text) and asks_to_forget(text)):
        return _declined(text, turns)
    message, behind, is_taking, is_setting_back, named, unwanted, topic = taking
    if is_setting_back:
        corrected = _corrected_at(turns, is_last=not _undoes_last(message))
        if corrected is not None:
            return corrected
    if not (is_taking or named or unwanted):
        return None
    if is_taking and turns and only_asks_to_forget(turns[-1]) and shared_words(turns[-1], behind):
        return len(turns) - 1  # the text to be forgotten is to stay
    nearest = _nearest(turns, named, unwanted, is_part_left=not is_taking)
    if nearest is None and is_taking and turns and (not _only_asks(turns[-1]) or is_unwanted(text)):
        thing = pointed_at(message)
        if thing and not _is_number(thing, turns[-1]) and not shared_words(turns[-1], thing):
            return None  # `that article`, named in no turn: the agent may have mentioned it
        is_named = _A_THING.search(behind) is not None and words_shared(behind, behind)
        is_elsewhere = bool(_values_again(behind)) and _corrected_at(turns, is_last=True) is None
        if topic or is_elsewhere or (is_named and not _is_taking(behind)):
            return None  # `the van date was right`, after words about the rent
        return len(turns) - 1
    return nearest


def _is_of_matter(turn: str, matter: frozenset[str]) -> bool:
    """Say whether a turn states something with all words of a dropped matter."""
    if is_of_before(turn) or _only_asks(turn):
        return False
    return matter == shared_with(matter, telling(turn.replace("’", "'").replace("'", " ")))


def _declined(text: str, turns: Sequence[str]) -> int | None:
    """Return the latest turn with all words of an order not to keep (`don't keep that about Ania`); for a thing pointed at (`this file`) the turn right before, or None."""
    thing = pointed_at(text)
    if thing and turns and (_is_number(thing, turns[-1]) or _has_all(thing, turns[-1])):
        return len(turns) - 1
    before, _ = told_around(own_words(text), asks_to_forget)
    if not asks_to_forget(text) or tells_something(before):
        return None
    for clause in filter(asks_to_forget, CLAUSES.split(text.strip().replace("’", "'"))):
        about = _ABOUT.search(clause)
        if about is None:
            continue
        named = about["named"]
        if not telling(clause[: about.start()]):
            named = named.rpartition(" ")[0]  # the verb
        for at in range(len(turns) - 1, -1, -1):
            if _has_all(named, turns[at]) and not is_unwanted(turns[at]):
                return at
    return None


def _is_number(thing: str, turn: str) -> bool:
    return NUMBERS.fullmatch(thing) is not None and any(map(str.isdigit, turn))


def _has_all(named: str, turn: str) -> bool:
    words = words_shared(named, named)
    return bool(words) and words == words_shared(named, turn) and not _is_of_another_number(turn, named)


def _corrected_at(turns: Sequence[str], *, is_last: bool) -> int | None:
    """Return which turn is a correction: the last turn only, also if it just tells of a change, or the latest correction."""
    for at in range(len(turns) - 1, -1, -1):
        is_correction = triage(turns[at]).validator is not None or denies(turns[at])
        if not is_of_before(turns[at]) and (is_correction or (is_last and says_changed(turns[at]))):
            return at
        if is_last:
            break
    return None


def _only_asks(turn: str) -> bool:
    return set(map(no_statement, sentences_of(own_words(turn)))) == {IS_QUESTION}


def _values_again(text: str) -> set[str]:
    """Return the numbers that a text says to hold after all: `02:30 was right`."""
    if IS_RIGHT.search(text) or AS_BEFORE.search(text):
        return set(_NUMBER.findall(text))
    return set()


def _nearest(turns: Sequence[str], named: str, unwanted: str, *, is_part_left: bool) -> int | None:
    """Return the turn with most of a message's named words, the latest of equal ones; ``is_part_left``: no turn with more content."""
    nearest, most = None, 0
    numbers = set(_NUMBER.findall(" ".join(_A_THING.findall(named))))
    for at, turn in enumerate(turns):
        if is_of_before(turn) or orders_to_forget(turn) or _tells_nothing_else(turn):
            continue  # both say `scratch that`
        shared = shared_words(turn, named) + len(numbers.intersection(_NUMBER.findall(turn)))
        shared += len(_values_again(named).intersection(_NUMBER.findall(" ".join(denied(turn)))))
        if unwanted and is_alike(turn, unwanted):
            shared = told_by_both(turn, unwanted)
        is_other = all(map(partial(is_of_another, named=unwanted or named), sentences_of(own_words(turn))))
        is_half = is_part_left and 2 * shared <= len(words_shared(named, named))  # Papa, of `Papas Auto`
        if not shared or shared < most or is_half or (is_other and is_part_left):
            continue
        about = max(sentences_of(own_words(turn)), key=partial(shared_words, named), default="")
        if not is_part_left or not says_more(about, unwanted or named, is_thing=bool(unwanted)):
            nearest, most = at, shared
    return nearest


def _is_of_another_number(sentence: str, named: str) -> bool:
    from clawgit.understanding.evidence.numbered_things import numbers_another  # noqa: PLC0415 - a search needs no order to forget

    return numbers_another(sentence, named, new=named)


def is_of_another(sentence: str, named: str) -> bool:
    """Say whether a sentence lacks a number, a value or a name of what is named: `Mei pays 40 euros` is not what Jonas pays."""
    stated = read(f", {named}")  # its first word may be a name, too
    gone = set(lacking(stated, read(sentence)))
    for word in set(stated.latin) - stated.names:
        if stated.names or stopwords.is_common(english_stem(word)):
            gone.discard(word)  # typed without capitals, only a rare word may be a name
    return bool(gone) or _is_of_another_number(sentence, named)


def says_more(sentence: str, named: str, *, is_thing: bool) -> bool:
    """Say whether a sentence has more than the named words: beside the phone number its owner, and his business.

    For a ``thing`` any other clause counts, or two other words; after `said about` a clause with another part
    of the name.
    """
    named_reading = read(named)
    names = read(sentence).names
    clauses = []
    present: set[str] = set()
    for clause in GOES_ON.split(sentence.replace(": ", " ")):
        reading = read(clause)
        others = set(reading.words).intersection(lacking(reading, named_reading))
        shared = set(reading.words) - others
        clauses.append((clause, shared, others))
        present |= shared
    for clause, shared, others in clauses:
        if not others or not tells_something(clause):
            continue
        is_other = shared != present and (is_thing or bool(shared))
        if is_other or (is_thing and len(others - names) > 1):
            return True
    return False


def named_to_forget(text: str) -> str:
    """Return what a message asks to forget; empty for a description of the past (`where it used to be`): no turn has it."""
    unwanted = to_forget(text)
    if signs.SENSES[IS_PAST].search(unwanted.lower()):
        return ""
    return unwanted


def names_it(order: str, message: str) -> bool:
    """Say whether an order to forget what was said of a thing (`forget what I said about Ole`) means a message: it has that name, and is short enough to be meant as a whole."""
    own = own_words(message)
    is_one_thing = len(index_terms(own).split()) <= MOST_OF_ONE_THING
    return is_one_thing and _has_all(said_to_forget(order), own) and not is_of_before(message)


def takes_all(text: str, turn: str) -> bool:
    """Say whether a message takes back all of a turn: naming one of several things does not."""
    plain_text = text.strip().replace("’", "'")
    is_part = _named_in(plain_text) or to_forget(plain_text) or asks_to_forget(plain_text)
    if takes_back(text) or not (is_part or _set_back(text)):
        return True
    telling = []
    for sentence in sentences_of(own_words(turn)):
        if words_shared(sentence, sentence):
            telling.append(sentence)
    return len(telling) < 2


def denies_older(text: str, older: str, newer: str, on: date) -> bool:
    """Say whether a message denies what only the older of two lines says, without another value: neither line holds."""
    stated = read(older, on)
    present = read(newer, on)
    reading = read(text, on)
    if not set(lacking(reading, stated, present)).isdisjoint(map(attrgetter("shown"), reading.values)):
        return False  # `scratch that, it is 7070, not 8080`
    gone = lacking(stated, present)
    untrue = read(" . ".join(denied(text)), on)
    return len(lacking(stated, present, untrue)) < len(gone)


def sets_back(text: str) -> bool:
    """Say whether a message asks to restore the former state."""
    plain_text = text.strip().replace("’", "'")
    if len(plain_text) > LONGEST_TAKING or plain_text.endswith(("?", "？")):
        return False
    if no_statement(told_around(plain_text, _SETS_BACK.fullmatch)[0]) == IS_OF_A_CASE:
        return False
    return (
        any(map(_SETS_BACK.fullmatch, map(str.strip, CLAUSES.split(plain_text))))
        or _undoes_last(plain_text)
        or _AFTER_ALL_NOT.fullmatch(plain_text) is not None
    )


def _undoes_last(message: str) -> bool:
    return any(map(_UNDOES_LAST.fullmatch, map(str.strip, CLAUSES.split(message))))


def _named_in(message: str) -> str:
    """Return the name of what a message takes back, empty if it has none."""
    if len(message) > LONGEST_TAKING:
        return ""
    for clause in map(str.strip, CLAUSES.split(signs.ORDER.sub("", message))):
        naming = _NAMING.fullmatch(clause)
        if naming is not None and not signs.NOT.search(naming["named"].lower()):
            return naming["named"]
    return ""
