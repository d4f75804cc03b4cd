"""Who a message and a statement are about: what the operator says of himself is not said of his daughter. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.word_lists import any_word_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_SELF = lazy_pattern(
    r"(?i)^(?:i|i['’]m|i['’]ve|we|we['’]re)\b|^我(?!们?的|家|[女儿妻丈妈爸弟妹哥姐狗猫])|^(?:나는|난|저는|전|나도) "
)
_YOU = lazy_pattern(r"(?i)\byour?s?\b|[你您]|당신|사용자|\buser\b")
_LEADING = lazy_pattern(
    r"(?!(?:The|This|That|We|Our|It|If|In|On|At|All|Every|No|An?)\b)[A-Z][A-Za-z-]+(?=['’]s\b| (?!is\b|was\b|has\b)[a-z]+s\b|[가-힣\u3400-\u9fff])"
)
# Who somebody has around him: the family, those he lives and works with, his animals. What is said of one is not said of him.
RELATIVES = """
wife, husband, spouse, partner, girlfriend, boyfriend, fiancé, fiancée, fiance, fiancee, son, daughter, kid, child, baby, mother,
mom, mum, father, dad, brother, sister, cousin, niece, nephew, aunt, uncle, grandmother, grandma, grandfather, grandpa,
granddaughter, grandson, twin, stepson, stepdaughter, mother-in-law, father-in-law, boss, manager, neighbour, neighbor, flatmate,
roommate, colleague, dog, cat, parrot, horse, hamster, rabbit
"""
_RELATIVES_CJK = "女儿|女兒|儿子|兒子|妻子|丈夫|老婆|老公|妈妈|爸爸|弟弟|妹妹|哥哥|姐姐|朋友|同事|딸|아들|아내|남편|동생|언니|오빠|누나|엄마|아빠|강아지|고양이"
_RELATIVE = lazy_pattern(
    rf"(?i)(?:['’]s|\b(?:my|your|their|his|her)) (?:\w+ )?(?P<who>{any_word_of(f'{RELATIVES}, children, kids, parents, friend, teacher, trainer')})\b"
    rf"|(?:的|의 ?)(?P<cjk>{_RELATIVES_CJK})"
)


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
