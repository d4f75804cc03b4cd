"""The words by which a message is found again: folded, and in pairs of letters where a script has no spaces."""

from __future__ import annotations

import re
import unicodedata

TERMS_VERSION = 1
# Splits none of the terms again: what the keyword table of a store is made with.
TOKENIZER = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
_PIECE = re.compile(rf"[{_CJK}]+|(?:(?![{_CJK}])[^\W_])+")
_IS_CJK = re.compile(rf"[{_CJK}]")


def terms_of(text: str) -> list[str]:
    """Return the terms of a text or a question, each once, in reading order."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    found: dict[str, None] = {}
    for piece in _PIECE.findall(folded):
        if not _IS_CJK.match(piece):
            found[piece[:64]] = None
        elif len(piece) == 1:
            found[piece] = None
        else:
            found.update(dict.fromkeys(piece[at : at + 2] for at in range(len(piece) - 1)))
    return list(found)
