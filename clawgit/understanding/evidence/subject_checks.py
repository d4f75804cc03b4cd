"""Whether a message that names a value of an entry speaks of what the entry is about, now, and sets a value of the same kind. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.stopwords import named_languages
from clawgit.text.words.word_lists import any_word_of
from clawgit.understanding.evidence import sense_words as sense
from clawgit.understanding.evidence.edit_checks import names_in
from clawgit.understanding.evidence.said_values import same_value
from clawgit.understanding.evidence.said_words import first_words, is_light, lacking
from clawgit.understanding.forms.phrase_forms import RELATIVES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.understanding.evidence.edit_checks import Case
    from clawgit.understanding.evidence.said_words import Read

# fmt: off
_POINTED_AT = lazy_pattern(r"\b(?:it|him|them|he|she|they)\b")
_POINTING = lazy_pattern(r"^(?:it|this|that|he|she|they|他|她|它|这|那)(?:\b|(?<=[\u4e00-\u9fff]))")
_HE = lazy_pattern(r"^\W*(?:he|she|they|his|her|their)\b|^他|^她|^그는|^그녀")
_POINTED_AT_ANY = lazy_pattern(r"\b(?:it|that|him|her|his|them|their|he|she|they)\b|它|他|她|그")
_USER = lazy_pattern(r"^(?:the )?(?:user|operator)\b(?!'s)|^用户(?!的)|^사용자(?:는|가)")
_ANY_USER = lazy_pattern(r"\b(?:user|operator)\b|用户|사용자")
_SELF = lazy_pattern(r"(?i)^(?:i|i['’]m|i['’]ve|we|we['’]re)\b|^我(?!们?的|家|[女儿妻丈妈爸弟妹哥姐狗猫])|^(?:나는|난|저는|전|나도) ")
_YOU = lazy_pattern(r"(?i)\byour?s?\b|[你您]|당신|사용자|\buser\b")
_LEADING = lazy_pattern(r"(?!(?:The|This|That|We|Our|It|If|In|On|At|All|Every|No|An?)\b)[A-Z][A-Za-z-]+(?=['’]s\b| (?!is\b|was\b|has\b)[a-z]+s\b|[가-힣\u3400-\u9fff])")
_RELATIVES_CJK = "女儿|女兒|儿子|兒子|妻子|丈夫|老婆|老公|妈妈|爸爸|弟弟|妹妹|哥哥|姐姐|朋友|同事|딸|아들|아내|남편|동생|언니|오빠|누나|엄마|아빠|강아지|고양이"
_RELATIVE = lazy_pattern(rf"(?i)(?:['’]s|\b(?:my|your|their|his|her)) (?:\w+ )?(?P<who>{any_word_of(f'{RELATIVES}, children, kids, parents, friend, teacher, trainer')})\b"
    rf"|(?:的|의 ?)(?P<cjk>{_RELATIVES_CJK})")
_NO_NAMES = frozenset(
    {
        ValueKind.WEEKDAY,
        ValueKind.DATE,
        ValueKind.TIME,
        ValueKind.AMOUNT,
        ValueKind.SHARE,
        ValueKind.DURATION,
        ValueKind.MEASURE,
        ValueKind.FREQUENCY,
    }
)
# fmt: on


def changes_subject(case: Case) -> str:
    """Say that the entry is about something, and would be about something else, or about another one's."""
    if _POINTING.search(case.new.lower()) and not _POINTING.search(case.old.lower()):
        return "The statement does not say what it is about."
    if not case.old:
        return ""
    is_his = _USER.search(case.new.lower()) is not None
    if is_his and _ANY_USER.search(case.old.lower()) and len(case.gone) < len(case.read(case.old).items):
        return ""
    head = first_words(case.old, case.on)
    kept = [word for word in case.read(case.old).words if word not in {*case.gone, *names_in(case.old)}]
    if not head or not set(head) <= set(case.gone) or case.has_any(case.mine, [*head, *kept]):
        return ""
    return f"The entry is about {head[0]!r}, and would not be any more."


def is_about_another(case: Case) -> str:
    """Name what the operator speaks of, where neither the entry nor the statement is about that."""
    here = case.read(f"{case.old} . {case.new}")
    for part in case.carrying:
        nouns = [noun for noun in spoken_of(part) if noun not in sense.ANY_THING and case.read(noun).items]
        if nouns and all(lacking(case.read(noun), here) for noun in nouns):
            return f"The operator speaks of {nouns[0]!r} there."
    kin = [found.group() for part in case.carrying for found in sense.KIN.finditer(part)]
    if kin and sense.KIN.search(f"{case.old} {case.new}") is None:
        return f"The operator speaks of {kin[0]!r} there."
    is_himself = any(_is_himself(case, part) for part in case.carrying)
    if case.old and is_himself and not _USER.search(case.old.lower()):
        return "The operator speaks of himself there, and the entry is about somebody else."
    is_his = any(_HE.search(part) for part in case.carrying) and not sense.I_OR_WE.search(case.told.lower())
    is_another = is_his and not case.old and _USER.search(case.new.lower())
    return "The operator speaks of somebody else there." if is_another else ""


def _is_himself(case: Case, clause: str) -> bool:
    """Say whether the operator says of himself there what the entry says of another one."""
    told, said = f"{clause} . {case.told}", " ".join(case.before[:1])
    return not _POINTED_AT_ANY.search(clause) and is_of_another(told, said, case.old, case.others)


def spoken_of(clause: str) -> Iterator[str]:
    """Yield what a clause is about; of `dad's surgery` that is dad."""
    for pattern in (sense.ABOUT, sense.ABOUT_HAN, sense.ABOUT_KOREAN):
        found = pattern.search(clause)
        parts = [part for part in found.groups() if part] if found is not None else []
        is_owner = bool(parts) and (parts[0].endswith("'s") or f"{parts[0]}'s " in clause)
        yield from parts[:1] if is_owner else parts


def is_of_another(told: str, said: str, statement: str, entries: Iterable[str]) -> bool:
    """Say whether a message is about who tells it, and a statement about somebody else.

    That is a relative of his or the like, or one of whom the entries say less than of another; what was ``said`` to
    him of himself is about him.
    """
    if _SELF.match(told) is None:
        return False
    relative = _RELATIVE.search(statement)
    if relative is not None:
        return (relative["who"] or relative["cjk"]).casefold() not in told.casefold()
    if _YOU.search(said):
        return False
    names = Counter(match.group() for each in entries if (match := _LEADING.match(each)))
    name = _LEADING.match(statement)
    return name is not None and any(
        count >= names[name.group()] for other, count in names.items() if other != name.group()
    )


def names_another_subject(case: Case) -> str:
    """Name what the operator speaks of, where nothing that stays in the entry was named by him or by the agent before."""
    if not case.old:
        return ""
    stays = [word for word in case.read(case.old).words if word not in case.gone and not is_light(word)]
    if not stays or case.has_any(" . ".join((case.mine, *case.before)), stays):
        return ""
    other = next((word for part in case.carrying for word in _subject_words(case, part)), "")
    return f"The operator speaks of {other!r} there, and the entry is about {stays[0]!r}." if other else ""


def _subject_words(case: Case, clause: str) -> Iterator[str]:
    """Yield what a clause is about that neither entry nor statement has; nothing after `it`, or in another language.

    The first word before the new value may be the verb (`bumped to Friday`); one after another word is not.
    """
    told, old = case.read(clause), case.read(case.old)
    lead = clause[: _start(case, clause)]
    if _POINTED_AT.search(lead.lower()) or _are_of_two_languages(told, old):
        return
    here, said = case.read(f"{case.old} . {case.new}"), case.read(lead)
    for word in (*spoken_of(clause), *said.latin[1:], *said.hangul[1:]):
        own = case.read(word)
        is_script_shared = (own.latin and old.latin) or (own.hangul and old.hangul) or (own.runs and old.runs)
        if is_script_shared and not is_light(word) and word not in sense.ANY_THING and lacking(own, here):
            yield word


def _start(case: Case, clause: str) -> int | None:
    """Return where the first new thing of a clause stands, None where that cannot be told."""
    told, small = case.read(clause), clause.lower()
    new = [value.shown for value in told.values if any(same_value(value, one) for one in case.stated.values)]
    found = [at for item in (*new, *case.brought) if (at := small.find(item)) >= 0]
    return min(found, default=None)


def _are_of_two_languages(one: Read, other: Read) -> bool:
    """Say whether the small words of two texts are those of different languages."""
    first, second = (
        set(named_languages([word.strip('.,:;!?"()').replace("'", "") for word in text.plain.split()]))
        for text in (one, other)
    )
    return bool(first and second) and not first & second


def changes_kind(case: Case) -> str:
    """Say that a day, a time or an amount would replace a name, though the operator names that one beside it."""
    was = [value for value in values_in(case.old) if value.text.lower() in case.gone]
    now = [value for value in values_in(case.new) if value.text.lower() in case.brought]
    is_replaced = {value.kind for value in was} == {ValueKind.NAME} and len(now) == len(case.brought)
    if not now or not is_replaced or not {value.kind for value in now} <= _NO_NAMES:
        return ""
    name = next((value.text for value in was if case.has_any(" . ".join(case.carrying), [value.text])), "")
    return f"{now[0].text!r} is of another kind than {name!r}, which it would replace." if name else ""


def tells_of_the_past(case: Case) -> str:
    """Say that all of what is new is told of the past, and the statement is not: `the port used to be 7010`."""
    if sense.PAST.search(case.new.lower()) or not all(map(sense.PAST.search, case.carrying)):
        return ""
    return "The operator says there what was so before."
