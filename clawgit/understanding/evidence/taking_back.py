"""Messages that take back earlier ones of the same conversation: `scratch that`, `I was joking about Basel`."""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.memory.entries.statements import says_changed, sentences_of
from clawgit.text.comparing.subjects import is_alike, shared_with, telling
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
    declines_before,
    dropped_in,
    is_unwanted,
    orders_to_forget,
    pointed_at,
    said_to_forget,
    tells_something,
    to_forget,
    told_around,
)
from clawgit.understanding.evidence.own_sentences import (
    A_THING,
    IS_OF_A_CASE,
    IS_PAST,
    IS_QUESTION,
    denied,
    denies,
    no_statement,
    own_text,
)
from clawgit.understanding.evidence.said_words import lacking, read
from clawgit.understanding.evidence.says_beyond import is_bare, shared_words, words_shared
from clawgit.understanding.forms.user_words import OWN
from clawgit.understanding.patterns.own_words import own_words
from clawgit.understanding.patterns.pattern_rule import typed_in_haste
from clawgit.understanding.triage.triage_message import asks_to_forget, triage

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
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
_ASIDE = r"please|sorry|bitte|lol|haha|ok|por favor|per favore|s'il (?:te|vous) plaît|stp|alsjeblieft"
_TAKES_BACK = lazy_pattern(rf"(?i){LEAD}(?:{'|'.join(_WAYS)}|{FORGET_WHAT_I_SAID})(?: (?:{_ASIDE}))?")
_ONLY_TAKES_BACK = lazy_pattern(rf"(?i){LEAD}(?:{'|'.join(_WHOLE_WAYS)})(?:[\s,.]*(?:{_ASIDE}))?[\s.!。！…]*")
# The words after these may name what is taken back.
_NAMING = lazy_pattern(
    rf"(?i){LEAD}(?:{'|'.join(_WAYS)})\s+(?:about|of|with|on|regarding|über|mit|zu|von|wegen|sobre|de|del|à propos d\w*)\b(?P<named>.+)"
)
# Takes back the correction right before, or the one that the message names.
_AS_IT_WAS = (
    r"(?:please )?(?:leave|keep|let) (?:it|that|this|things|everything|them|all) (?:exactly |just )?(?:as|the way|how|where) (?:it|he|she|they|that|things) (?:was|were)(?: before)?",
    r"(?:lass|lassen wir|lassen sie) (?:es|das|alles|sie|ihn) (?:doch |lieber |bitte )*(?:so,? )?wie (?:es|er|sie) (?:vorher )?war(?:en)?|(?:es |alles )?bleibt (?:doch )?(?:alles )?beim alten",
    r"(?:(?:it|that|this|everything|all) )?(?:stays?|remains?) (?:exactly |just )?(?:as|the way|how) (?:it|that) was(?: before)?|(?:(?:es|alles|das) )?bleibt (?:doch |alles |so )*wie es (?:vorher )?war",
    r"(?:(?:het|alles|dat) )?blijft (?:toch |gewoon |alles )*zoals het was|(?:todo )?(?:se )?queda(?: todo)? como (?:estaba|antes)|(?:tout |ça )*reste comme (?:c'était|avant)|(?:tutto )?(?:resta|rimane) com'era",
    r"(?:déja|deja)l[oa]s? como (?:estaban?|antes)|(?:laisse[sz]?|garde[sz]?)(?: ça| tout|[ -]l(?:e|a|es))? comme (?:c'était|avant|(?:il|elle)s? étai(?:en)?t)",
    r"(?:please )?(?:undo|revert|cancel|withdraw|take back|reviens sur|annule[rz]?|retire[rz]?|deshaz|deshaga|anul[ae]|revierte|retir[ae]|annulla|ritira|desfaz|desfaça|nimm|mach|maak|trek)"
    r" (?:my|the|ma|la|mi|la mia|a|a minha|meine|die|mijn|de) (?:last|latest|dernière|última|ultima|letzte|laatste) (?:corr|korr)\w+(?: mía)?(?: zurück| rückgängig| ongedaan| terug| in)?",
    r"(?:还是)?(?:照|按|用)?原来的?(?:那样)?(?:吧|就好|不变)|保持原样|元のままで(?:いい|お願い(?:します)?)?|원래대로 (?:해|둬|하자|해줘|두자)",
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
# Gives back what an order to forget took; `scratch that` behind one may mean the same again.
_GIVES_BACK = lazy_pattern(
    r"(?i)\b(?:undo|revert|rückgängig|deshaz\w*|deshaga|reviert[ae]|an[uú]la\w*|anule|annul[ae]\w*|desfaz|desfaça|ongedaan|en arrière|cancel[ae]|취소\w*|back|zurück|r[ei]tir\w*|re(?:prends|viens)|terug|cofam)\b|收回"
)
_SETS_BACK = lazy_pattern(rf"(?i){LEAD}(?:{'|'.join(_AS_IT_WAS)})")
# The same as a whole message.
_AFTER_ALL_NOT = lazy_pattern(
    r"(?i)(?:(?:oh|ach|ah|nein|nee+n?|ne|no|non|moment|wait|quatsch|halt)[\s,.!…]+)+(?:doch nicht|toch niet|not after all|(?:al final|mejor) no|finalement (?:non|pas)|alla fine no)[\s.!…]*"
)
# What is said of a matter that is set back; other words name it.
_OF_SETTING_BACK = index_terms(
    "sorry thanks right wrong fine good correct true mistake mistaken error misread changed mind first original old value already yes richtig falsch stimmt stimmte korrekt geirrt vertan hab irrtum fehler recht anders überlegt glaub vorher früher nee trompé trompée erreur raison juste bon vrai suis était fait tort antes estaban equivoqué equivocado equivocada bien correcto correcta cierto razón sbagliato giusto prima errado certo enganei fout klopt klopte vergist gelijk"
).split()
_NUMBER = lazy_pattern(r"\d+(?:[.:]\d+)*")
_OF_THAT = lazy_pattern(r"(?i)(?:that|this|das|dies|eso|esto|ça|cela|c['’]|dat|dit|quello|isso)\b")

# Opens a correction of the words right before: `sorry, 9:45`; a sigh alone opens none.
_APOLOGY = r"""
i meant, ich meinte, sorry, entschuldig(?:e|ung), disculpa, scusa, oops, ups, actually, my mistake, i was wrong, hab mich vertan, perdona, perd[oó]n, me equivoqu[eé], en realidad, pardon, en fait, je me suis trompée?
"""
_CORRECTING = any_word_of(rf"""
no, nope, wrong, that(?:['’]?s| is) wrong, wait, correction, nein, nee+, ne, quatsch, falsch, doch, moment, korrektur, stimmt nicht,
esper[aá], pará, para(?!\s+\w), aguant[aá], che, error, correcci[oó]n, non, attends, erreur, {_APOLOGY}
""")
_SEP = r"[\s,.:;!…–-]+"
_OPENS = lazy_pattern(
    rf"(?i)\A\W*(?:(?:oh|ah|ach|ay|hm+|argh|ok|euh|äh|uh|um){_SEP})*{_CORRECTING}(?:{_SEP}{_CORRECTING})*"
    rf"(?:\s*[,.:;!…–-][\s,.:;!…–-]*|(?<!\bno)(?<!\bnon)\s+|[\s,.:;!…–-]*\Z)"  # `no Friday` says `not Friday`
)
_CLOSES = lazy_pattern(rf"(?i){_SEP}{any_word_of(_APOLOGY)}[\s.!]*\Z")


def behind_opening(text: str) -> str:
    """Return the words of a short message behind an opening such as `no,` or `sorry,`, or the bare value before an apology (`7 April, sorry`); else empty."""
    if len(text) > LONGEST_TAKING:
        return ""
    opening = _OPENS.match(text)
    if opening is not None:
        return text[opening.end() :].strip()
    value = _CLOSES.sub("", text).strip()
    if value != text.strip() and is_bare(value):
        return value
    return ""


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
    """Say whether a message begins as a second word or takes words back, denies something or says that it is as before: else it gives no line its former words."""
    own = own_text(text)
    is_so = AS_BEFORE.search(own) or IS_RIGHT.search(own)
    return bool(
        behind_opening(own) or takes_back(own) or is_so or denies(own) or any(map(str.strip, denied(own)))
    )


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


def is_of_before(text: str) -> bool:
    """Say whether a message takes back earlier words, or asks to undo the last change, and so is nothing to remember itself."""
    plain_text = text.strip().replace("’", "'")
    is_of_change = _UNDOES_CHANGE.fullmatch(plain_text) or _UNDOES_NAMED.fullmatch(plain_text)
    is_taking = is_of_change or only_takes_back(text) or sets_back(text)
    return bool(is_taking or _named_in(plain_text) or dropped_in(text))


def still_said(sentences: Sequence[str]) -> tuple[str, ...]:
    """Return the sentences of a message that no later one takes back: `Scratch that, Geneva.` leaves itself, `Just kidding.` nothing."""
    left: list[str] = []
    for sentence in sentences:
        if takes_back(sentence):
            left.clear()
        if not only_takes_back(sentence):
            left.append(sentence)
    return tuple(left)


@lru_cache(maxsize=2048)
def _may_take(text: str) -> bool:
    """Say whether a message may take something back; a search asks this of every turn after its hits."""
    plain_text = text.strip().replace("’", "'")
    is_taking = takes_back(text) or sets_back(text) or declines_before(text)
    is_taking = is_taking or IS_RIGHT.search(text) is not None
    is_named = is_taking or dropped_in(text) or _named_in(plain_text) or named_to_forget(plain_text)
    is_of_another_speaker = _SPEAKER.match(text) is not None and _OPENS.match(text) is None
    return bool(is_named) and not is_of_another_speaker


def taken_by(text: str, turns: Sequence[str]) -> int | None:
    """Return which earlier turn of the operator's a message takes back: the named one, else the one right before; None if none."""
    if not turns or not _may_take(text):
        return None
    matter = dropped_in(text)
    if matter:
        for at in range(len(turns) - 1, -1, -1):
            if _is_of_matter(turns[at], matter):
                return at
    elif takes_back(text) or declines_before(text):
        return _taken(text, turns)
    elif sets_back(text):
        return _set_back(text, turns)
    elif _holds_after_all(text, turns[-1]):
        return len(turns) - 1
    plain_text = text.strip().replace("’", "'")
    unwanted = _named_in(plain_text) or named_to_forget(plain_text)
    if not unwanted or tells_something(told_around(own_words(text), to_forget)[0]):
        return None
    saying = filter(partial(_says_no_more, named=unwanted, is_thing=not _named_in(plain_text)), turns)
    return _nearest(turns, list(saying), unwanted)


def _taken(text: str, turns: Sequence[str]) -> int | None:
    """Return the turn with most words that a message has beside those that take back, else the turn right before."""
    before, behind = told_around(own_words(text), _is_taking)
    if IS_RIGHT.search(before):
        before, behind = "", f"{before} {behind}"
    if tells_something(before) and not (_OF_THAT.match(before) or _named_in(before)):
        return None  # it is about its own words
    thing = pointed_at(text)
    if thing:
        return _pointed(thing, turns, most=1 if asks_to_forget(text) else len(turns))
    named = f"{before} {behind}"
    nearest = _nearest(turns, list(filterfalse(is_of_before, turns)), named)
    if nearest is not None:
        return nearest
    turn = turns[-1]
    is_plain = not _only_takes(turn) and (not _only_asks(turn) or is_unwanted(text))
    if is_of_before(turn) or is_unwanted(turn):
        is_plain = is_plain and _GIVES_BACK.search(text) is not None
    is_of_another_thing = A_THING.search(named) is not None and words_shared(named, named)
    if not is_plain or is_of_another_thing or not _values_again(named) <= set(_NUMBER.findall(turn)):
        return None  # `the van date was right`, after words about the rent
    return len(turns) - 1


def _pointed(thing: str, turns: Sequence[str], most: int) -> int | None:
    """Return the latest turn with all words of a thing that a message points at; `it is 4711` has none for `that number`."""
    for at in range(len(turns) - 1, len(turns) - 1 - most, -1):
        if _has_all(thing, turns[at]) and not is_of_before(turns[at]):
            return at
    if NUMBERS.fullmatch(thing) and any(map(str.isdigit, turns[-1])):
        return len(turns) - 1
    return None


def _only_takes(turn: str) -> bool:
    """Say whether a turn only takes back what is right before it, in one or more clauses: `no wait, forget that, scratch that`."""
    behind = told_around(own_words(turn), _is_taking)[1]
    return sets_back(turn) or (takes_back(turn) and not tells_something(behind))


def _set_back(text: str, turns: Sequence[str]) -> int | None:
    """Return the one correction that a message names and sets back, else the turn right before if it is one."""
    rest, behind = told_around(text, _SETS_BACK.fullmatch)
    if IS_RIGHT.search(behind):
        rest += f" {behind}"  # else it gives a reason
    matter = (telling(rest) | words_shared(rest, rest)).difference(_OF_SETTING_BACK)
    if not matter:
        return len(turns) - 1 if _is_correction(turns[-1]) else None
    about = []
    for at, turn in enumerate(turns):
        if _is_correction(turn) and not matter - telling(turn) - words_shared(turn, turn):
            about.append(at)
    return about[0] if len(about) == 1 else None


def _holds_after_all(text: str, turn: str) -> bool:
    """Say whether a message calls right what the turn before denies, and has no other value or name: `no wait, Friday was right`."""
    if IS_RIGHT.search(text) is None or no_statement(text) or not _is_correction(turn):
        return False
    again = read(behind_opening(text) or text)
    untrue = read("; ".join(denied(turn)))
    items = again.names.union(map(attrgetter("shown"), again.values))
    fresh = set(lacking(again, untrue)) - set(_NUMBER.findall(untrue.plain))  # `the 15th`, of 15 January
    return bool(items) and items.isdisjoint(fresh)


def _is_of_matter(turn: str, matter: frozenset[str]) -> bool:
    """Say whether a turn states something with all words of a dropped matter."""
    if is_of_before(turn) or _only_asks(turn):
        return False
    return matter == shared_with(matter, telling(turn.replace("’", "'").replace("'", " ")))


def _has_all(named: str, turn: str) -> bool:
    words = words_shared(named, named)
    if not words:  # `what I said about Saturdays`
        terms = index_terms(named).split()
        return bool(terms) and set(terms).issubset(index_terms(turn).split())
    return words == words_shared(named, turn) and not _is_of_another_number(turn, named)


def _is_correction(turn: str) -> bool:
    is_told = triage(turn).validator is not None or denies(turn) or says_changed(turn)
    return is_told and not is_of_before(turn)


def _only_asks(turn: str) -> bool:
    return set(map(no_statement, sentences_of(own_words(turn)))) == {IS_QUESTION}


def _values_again(text: str) -> set[str]:
    """Return the numbers that a text says to hold after all: `02:30 was right`."""
    if IS_RIGHT.search(text) or AS_BEFORE.search(text):
        return set(_NUMBER.findall(text))
    return set()


def _nearest(turns: Sequence[str], among: Collection[str], named: str) -> int | None:
    """Return the turn with most of the named words, the latest of equal ones; None without any."""
    nearest, most = None, 1
    for at, turn in enumerate(turns):
        shared = shared_words(turn, named)
        if turn in among and shared >= most:
            nearest, most = at, shared
    return nearest


def _says_no_more(turn: str, named: str, *, is_thing: bool) -> bool:
    """Say whether a turn says most of what an order to forget names, and nothing else: it goes as a whole."""
    if is_of_before(turn) or orders_to_forget(turn):
        return False
    sentences = sentences_of(own_words(turn))
    is_near = 2 * shared_words(turn, named) > len(
        words_shared(named, named)
    )  # Papa is but half of `Papas Auto`
    if is_thing:
        is_near = is_alike(turn, named)
    if not is_near or all(map(partial(is_of_another, named=named), sentences)):
        return False
    about = max(sentences, key=partial(shared_words, named), default="")
    return not says_more(about, named, is_thing=is_thing)


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
    if takes_back(text) or not (_named_in(plain_text) or to_forget(plain_text) or sets_back(text)):
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
        or _AFTER_ALL_NOT.fullmatch(plain_text) is not None
    )


def _named_in(message: str) -> str:
    """Return the name of what a message takes back, empty if it has none."""
    if len(message) > LONGEST_TAKING:
        return ""
    for clause in map(str.strip, CLAUSES.split(signs.ORDER.sub("", message))):
        naming = _NAMING.fullmatch(clause)
        if naming is not None and not signs.NOT.search(naming["named"].lower()):
            return naming["named"]
    return ""
