"""Korean words without their particles, so that "회의는" and "회의를" meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIRST, _INITIALS, _VOWELS, _FINALS = ord("가"), 19, 21, 28
# Particles and endings behind a noun, and what 하다, 되다 and 이다 make of one. The longest that fits goes.
_ENDINGS = """
은 는 이 가 을 를 에 의 로 와 과 도 만 나 랑 요 께 에서 에게 한테 으로 까지 부터 보다 처럼 만큼 마다 조차 밖에 대로 께서 이나 이랑
이란 이라 라고 라는 라도 이고 이며 이다 인데 이요 예요 이에요 입니다 이었다 였다 였지 이었지 에는 에도 에만 에선 에서는 에서도 에서의 에게서
에게는 한테서 으로는 으로도 으로서 으로써 로는 로도 로서 로써 까지는 부터는 이라고 이라는 이라도 과의 와의 들 들이 들은 들을 들의 들과 들에게 들도
하다 했다 했어 했지 했니 했나 했던 했고 했는데 했습니다 했어요 했었지 했었다 하는 하고 하지 하게 하기 하면 하며 하면서 하려고 하자 한다 한다고 한 할 함 해 해서
해요 합니다 하기로 하도록 되다 됐다 됐어 됐지 됐습니다 되었다 되었지 되는 되고 된 된다 될 됨 됩니다
"""
_ENDING = lazy_pattern(f"(?<=[가-힣][가-힣])(?:{'|'.join(_ENDINGS.split())})$")
# Behind one syllable only these: "논의" and "나이" are words of their own.
_AFTER_ONE = lazy_pattern("(?<=^[가-힣])(?:은|는|을|를|에|에서|에게|으로|까지|부터|에는)$")


def korean_stem(word: str) -> str:
    """Return ``word`` without the particle or ending behind its first two or more syllables."""
    found = _ENDING.search(word)
    return word[: found.start()] if found else word


def short_stem(word: str) -> str:
    """Return the one syllable before a particle ("차" of "차를"), or nothing; the word may be one of its own."""
    found = _AFTER_ONE.search(word)
    return word[0] if found else ""


def open_stem(word: str) -> str:
    """Return how a verb begins, without the consonant that its endings change: `사` of "살아" and of "산다"; empty for other scripts."""
    if not is_hangul(word):
        return ""
    return chr(ord(word[0]) - (ord(word[0]) - _FIRST) % _FINALS)


def is_hangul(word: str) -> bool:
    return "가" <= word[:1] <= "힣"


def one_letter_off(syllable: str) -> Iterator[str]:
    """Yield the syllables that differ from a Hangul ``syllable`` in one of its two or three letters."""
    code = ord(syllable) - _FIRST
    initial, vowel, final = code // (_VOWELS * _FINALS), code // _FINALS % _VOWELS, code % _FINALS
    others = [
        *((other, vowel, final) for other in range(_INITIALS)),
        *((initial, other, final) for other in range(_VOWELS)),
        *((initial, vowel, other) for other in range(_FINALS)),
    ]
    for parts in others:
        new = chr(_FIRST + (parts[0] * _VOWELS + parts[1]) * _FINALS + parts[2])
        if new != syllable:
            yield new
