"""What was said before a correction, as it stands: without answers that only confirm, and as it was set right since. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.memory.entries.statements import sentences_of
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CONFIRMING = """
noted|got it|got that|ok|okay|sure|then|understood|sorry|thanks|thank you|updated|changed|fixed|corrected|right|it is
it's|on|at|to|so|my bad|my mistake|apologies|my apologies|i've|i have|i|will|do|it|that|the|yes|now|done|great|perfect
"""
_CONFIRMING_CJK = (
    "알겠습니다|알겠어요|알겠어|네|죄송합니다|죄송해요|이군요|이네요|이죠|수정했습니다|수정했어요|(?:으로|로)|고쳤어요"
    "|好的?|明白了?|知道了|抱歉|对不起|是|了解|已?改[为成]了?|已更[新正]|了"
)
_CONFIRMS = re.compile(
    rf"(?i)(?:\b(?:{'|'.join(_CONFIRMING.strip().splitlines())})\b|{_CONFIRMING_CJK}|[\s,.!;:，。！、~—–-])*"
)


def statements_before(before: Sequence[str]) -> tuple[str, ...]:
    """Return the messages that state something: one that only confirms (`Noted, Thursday.`) is about what stands before it.

    All of them if none does.
    """
    return tuple(message for message in before if not only_confirms(message)) or tuple(before)


def in_force(clause: str, since: Mapping[str, str]) -> str:
    """Return a clause as it was set right, and that as it was set right in turn; ``since`` has what each was and is."""
    seen: set[str] = set()
    while (key := folded(clause).casefold()) in since and key not in seen:
        seen.add(key)
        clause = since[key]
    return clause


def only_confirms(message: str) -> bool:
    """Say whether a message says no more than that something was heard, and which value."""
    return all(_CONFIRMS.fullmatch(bare_of_values(sentence)) for sentence in sentences_of(message))


def bare_of_values(sentence: str, kinds: frozenset[ValueKind] = frozenset(ValueKind)) -> str:
    """Return a sentence without its values of some kinds."""
    found = (value for value in values_in(sentence) if value.kind in kinds)
    for value in sorted(found, key=lambda value: -value.start):
        sentence = sentence[: value.start] + sentence[value.end :]
    return sentence
