"""The operator's orders: the topic of one, the principle that has it, and principles added to, reworded in or removed from the soul."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.identity.principles import Principle, force_of, inserted, read_principles
from clawgit.text.comparing.similarity import is_close, likeness, words
from clawgit.text.comparing.subjects import subject
from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern
from clawgit.text.markdown.block_structure import blocks
from clawgit.text.markdown.lines import line_end, split_lines
from clawgit.text.safety.control_characters import folded
from clawgit.text.words import stopwords

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date


SAME = 75  # likeness of two wordings of one order
MOST_MORE = 1  # extra terms that one wording of an order may have
FEWEST = 2  # terms of an order that another contains with one extra
SHORTEST, ENDING = 4, 3  # letters: of a word, and of the ending that another form of it adds

# Phrases around an order, at the start of a word, a row per language. `told` reminds of an earlier order.
_TOLD = (
    r"i(?:'ve| have)?(?: already| just)? (?:told|asked) you(?: already| before| to| not to| that)*|(?:as )?i(?: already)? said"
    r"|ich (?:habe?|hab) (?:es )?(?:dir|ihnen) (?:schon |doch )?gesagt|wie gesagt"
    r"|(?:ya )?te (?:lo )?(?:he dicho|dije)(?: que)?|como (?:ya )?dije"
)
_TOLD_EAST = r"我(?:已经|刚才|刚|都|早就)?(?:说过|跟你说过?|告诉过?你)了?|(?:내가 )?(?:이미 |아까 )?(?:말|얘기)했잖아(?:요)?"
_POLITE = (
    r"please|kindly|could you|can you|would you|you (?:should|must|have to|need to|are to)|i(?:'d like| want) you to|remember to"
    r"|for the last time|so|again|ok|okay|no(?=[,.!])|bitte|du sollst|könntest du|kannst du|nochmal|nein(?=[,.!])"
    r"|por favor|podrías|deberías|tienes que"
)
_FOR_GOOD = (
    r"from (?:now|today) on|in (?:the )?future|going forward|always|every time|all the time|at all times"
    r"|ab (?:jetzt|sofort|heute)|von nun an|künftig|in zukunft|immer|de ahora en adelante|(?:a partir de|desde) ahora|siempre"
)
_POLITE_EAST = (
    r"请|麻烦(?:你)?|以后|从现在(?:起|开始)|永远|总是|每次|一定要?|[都再吧了]"
    r"|제발|앞으로(?:는|도)?|이제(?:부터)?(?:는)?|항상|반드시|꼭|부탁(?:해|드려|드립니다)요?|(?:해 ?)?(?:주세요|주십시오|줘요?)"
)
_FORBIDS = (
    r"stop|don't|do not|never|not|no|no more|avoid|quit|without|nicht|keine?[nmrs]?|nie|niemals|hör(?:en sie)? auf|vermeide|ohne"
    r"|nunca|jamás|deja de|evita|sin"
)
_FORBIDS_EAST = r"不(?:要|许|准|用|必|需要)|别|停止|禁止|勿|하지 ?(?:마|말)\S*|[가-힣]지 ?(?:마|말)\S*|금지|그만|절대(?:로)?(?=.*(?:마|말|않))"
_WITHDRAWS = (
    r"(?:you )?(?:no longer|don't|do not|needn't|need not) ?(?:need to|have to|must)?(?= .*\bany ?(?:more|longer)\b)|you no longer (?:need|have) to"
    r"|(?:there(?:'s| is) )?no (?:more )?need (?:to|for)|any ?more|any longer|you (?:can|may)(?= .*\bagain\b)|(?:is|are) (?:fine|ok|okay)(?= again)"
    r"|forget (?:the|my) (?:rule|order)s? (?:about|on|to|of|that)|du (?:musst|brauchst|sollst)(?= .*\bnicht (?:mehr|länger)\b)|nicht (?:mehr|länger)"
    r"|du (?:kannst|darfst)(?= .*\bwieder\b)|wieder|ya no (?:hace falta|es necesario|tienes que|necesitas)|(?:ya )?puedes(?= .*(?:otra vez|de nuevo))"
)
_WITHDRAWS_EAST = r"(?:以后)?不(?:用|必|需要)再|可以再|又可以|(?:이제 )?(?:더 ?이상 )?\S*(?:지 않아도|안 해도) (?:돼|됩니다)\S*|이제 필요 ?없\S*"
# verbs that add little to their object
_LIGHT = frozenset({"use", "usar", "benutz", "benutzen", "add", "put", "includ"})
_STOPS = stopwords.GERMAN | stopwords.SPANISH
# Terms of scolding, and what it has beside them: `stop getting this wrong`.
_BLAME = subject(
    "useless stupid idiot moron dumb lazy annoying ridiculous terrible awful wrong mess screw fail suck waste lie break mistake"
    " nutzlos dumm blöd faul falsch idiot schlecht nervst nul bête stupide inutile nulle énerves"
    " inútil tonto tonta vago torpe idiota estúpido equivocas escuchas entiendes ayudas"
)
_YOU_DO = lazy_pattern(r"(?:immer|nie|niemals) (?!soll|darf|muss)\w+st du\b")
_BESIDE_BLAME = _BLAME | subject("get do make keep thing time all alles")
ORDERS, LEARNED, SKILLS = ("## What my operator asked of me", "## What I have learned", "## What I can do")
_PREFIX = lazy_bytes_pattern(rb"\s*(?:[-*+]\s+|\d+[.)]\s+|>\s*)?")
OFTEN_ENOUGH = 2
OPPOSITE = 60  # likeness of two orders of which one says the opposite of the other


def _either(words: str, parts: str) -> str:
    return rf"(?<!\w)(?:{words})(?!\w)|{parts}"


_REMINDER = lazy_pattern(_either(_TOLD, _TOLD_EAST))
_LEAD = lazy_pattern(
    rf"^(?:(?:{_either(f'{_TOLD}|{_POLITE}', f'{_TOLD_EAST}|请|麻烦(?:你)?')})[\s,.:;!，。：！]*)+"
)
_AROUND = lazy_pattern(_either(f"{_TOLD}|{_POLITE}|{_FOR_GOOD}", f"{_TOLD_EAST}|{_POLITE_EAST}"))
_DENIAL = lazy_pattern(_either(_FORBIDS, _FORBIDS_EAST))
_END = lazy_pattern(_either(_WITHDRAWS, _WITHDRAWS_EAST))


class OrderCore(NamedTuple):
    """The terms of an order, and whether it forbids them."""

    terms: frozenset[str]
    forbids: bool


def order_core(text: str) -> OrderCore:
    rest = _AROUND.sub(" ", _small(text))
    bare = _DENIAL.sub(" ", rest)
    return OrderCore(_terms(bare), bare != rest)


def only_scolds(text: str) -> bool:
    """Say whether an order has no content but blame, or none: `stop being so useless`, `nie hörst du mir zu`."""
    terms = order_core(text).terms
    is_blame = terms <= _BESIDE_BLAME and not (terms and terms.isdisjoint(_BLAME))
    return is_blame or _YOU_DO.search(_small(text)) is not None


def without_lead(text: str) -> str:
    """Return an order without its lead-in (`please`, `I told you:`)."""
    whole = folded(text).replace("’", "'")
    match = _LEAD.match(whole.lower())
    if match is None:
        return whole
    return whole[match.end() :]


def reminds(text: str) -> bool:
    return _REMINDER.search(_small(text)) is not None


def same_order(one: str, other: str) -> bool:
    first = order_core(one)
    second = order_core(other)
    if first.forbids != second.forbids:
        return False
    return is_close(one, other, SAME) or _is_about(first.terms, second.terms)


def opposes(one: str, other: str) -> bool:
    """Say whether one order forbids what the other asks."""
    first = order_core(one)
    second = order_core(other)
    return first.forbids != second.forbids and _is_about(first.terms, second.terms)


def withdraws(text: str, order: str) -> bool:
    """Say whether a text takes an order back: `no need to answer in German any more`."""
    return is_withdrawal(text) and names_order(text, order)


def names_order(text: str, order: str) -> bool:
    """Say whether a withdrawal, or what is to be forgotten, is of an order."""
    rest = _END.sub(" ", _small(text))
    return _is_about(order_core(rest).terms, order_core(order).terms)


def is_withdrawal(text: str) -> bool:
    small = _small(text)
    rest = _END.sub(" ", small)
    return rest != small and bool(_terms(_AROUND.sub(" ", rest)))


def _small(text: str) -> str:
    return folded(text).replace("’", "'").lower()


def _terms(text: str) -> frozenset[str]:
    return subject(text) - _STOPS


def _is_about(one: frozenset[str], other: frozenset[str]) -> bool:
    if one - _LIGHT and one - _LIGHT == other - _LIGHT:
        return True
    fewer, more = sorted((one, other), key=len)
    if len(fewer) < FEWEST or len(more) - len(fewer) > MOST_MORE:
        return False
    for term in fewer - more:
        for each in more:  # they may differ in their ending: `antwort`, `antworten`
            shorter, longer = sorted((term, each), key=len)
            is_long = len(shorter) >= SHORTEST and len(longer) - len(shorter) <= ENDING
            if is_long and longer.startswith(shorter):
                break
        else:
            return False
    return True


class PrincipleEdit(NamedTuple):
    """A principle before (empty: new, below ``heading``) and after (empty: removed)."""

    old: str
    new: str
    heading: str = ORDERS


def with_edits(soul: bytes, edits: Iterable[PrincipleEdit]) -> bytes | None:
    """Return the soul with all edits; None where an edited principle is missing or ambiguous."""
    for edit in edits:
        after = _replaced(soul, edit) if edit.old else with_principle(soul, edit.new, edit.heading)
        if after is None:
            return None
        soul = after
    return soul


def with_principle(soul: bytes, text: str, heading: str = ORDERS) -> bytes:
    """Add a list item at the end of the section ``heading``, which is created if missing."""
    lines = split_lines(soul)
    new = [b"- " + text.encode() + line_end(soul)]
    if heading.encode() not in map(bytes.strip, lines):
        new.insert(0, heading.encode() + line_end(soul))
    return inserted(lines, new, heading.encode())


def _replaced(soul: bytes, edit: PrincipleEdit) -> bytes | None:
    old_words = tuple(words(edit.old))
    places = [each.line for each in read_principles(soul) if each.words == old_words]
    if len(places) != 1:
        return None
    first = places[0] - 1
    last = max(block.last for block in blocks(soul) if block.first == first and block.kind != "bullet_list")
    lines = split_lines(soul)
    end = first + 1  # its last line + 1: the next blank line or item
    while end < last and lines[end].strip() and not _PREFIX.match(lines[end]).group().strip():  # type: ignore[union-attr]
        end += 1
    match = _PREFIX.match(lines[first])
    new = b""
    if edit.new:
        new = (match.group() if match else b"") + edit.new.encode() + line_end(soul)
    return b"".join([*lines[:first], new, *lines[end:]])


class GivenOrder(NamedTuple):
    """An order as it was given once: the message, its words and what they say, the day, and if it corrected the agent."""

    evidence_id: str
    quote: str  # empty for an order to forget another one: nobody may quote it
    says: str
    on: date
    corrects: bool = False
    is_plain: bool = True
    withdraws: bool = False


class OrderedPrinciple(NamedTuple):
    """One order with all messages that gave it, the last one last."""

    given: tuple[GivenOrder, ...]

    @property
    def quote(self) -> str:
        return self.given[-1].quote

    @property
    def carries(self) -> bool:
        """Say whether it may become a principle: given in two messages, or once as a correction."""
        messages = set(map(attrgetter("evidence_id"), self.given))
        return len(messages) >= OFTEN_ENOUGH or (self.is_plain and self.corrects)

    @property
    def corrects(self) -> bool:
        return any(map(attrgetter("corrects"), self.given))

    @property
    def is_plain(self) -> bool:
        return any(map(attrgetter("is_plain"), self.given))

    @property
    def text(self) -> str:
        days = " and ".join(sorted({each.on.isoformat() for each in self.given}))
        return f'"{self.quote}" (asked on {days})'


def ordered_principles(given: Iterable[GivenOrder]) -> list[OrderedPrinciple]:
    """Return the orders, each with the messages that gave it since its last withdrawal; ``given`` is in time order."""
    groups: list[list[GivenOrder]] = []
    for each in given:
        if each.withdraws:
            groups = [group for group in groups if not names_order(each.says, group[-1].says)]
            continue
        same = next((group for group in groups if same_order(group[-1].says, each.says)), None)
        if same is None:
            groups.append([each])
        else:
            same.append(each)
    return [OrderedPrinciple(tuple(group)) for group in groups]


def says_already(soul: bytes, order: OrderedPrinciple) -> bool:
    """Say whether the soul has the order, in these or other words."""
    says = order.given[-1].says
    texts = map(attrgetter("text"), read_principles(soul))
    return any(order.quote in text or same_order(spoken(text), says) for text in texts)


def withdrawn(soul: bytes, given: GivenOrder) -> Principle | None:
    """Return the principle that a withdrawal is of; by an order to forget, the only one."""
    meant = [each for each in read_principles(soul) if names_order(given.says, spoken(each.text))]
    if not meant or (len(meant) > 1 and not given.quote):
        return None
    return meant[0]


def turned_round(soul: bytes, order: OrderedPrinciple) -> Principle | None:
    """Return the principle that the order contradicts, or None."""
    says = order.given[-1].says
    most, nearest = 0.0, None
    for each in read_principles(soul):
        present = spoken(each.text)
        if present and (force_of(present).denials - force_of(says).denials) % 2:
            alike = 100 if opposes(present, says) else likeness(present, says)
            if alike > most:
                most, nearest = alike, each
    return nearest if most >= OPPOSITE else None


def spoken(text: str) -> str:
    """Return a principle's text without the dates of its requests."""
    return text[1:].partition('" (asked on ')[0] if text.startswith('"') else text
