"""What tells the script that a text is written in, where a rule is for one of them."""

from __future__ import annotations

import re

_UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
UNSPACED = re.compile(f"[{_UNSPACED}]")
# A letter of a script with spaces between its words: what is next to it is a part of the same word.
SPACED = rf"[^\W{_UNSPACED}]"
# Where such a word begins or ends: `\b` knows no edge between a number and a Chinese character.
EDGE = rf"(?:(?<!{SPACED})(?={SPACED})|(?<={SPACED})(?!{SPACED}))"
HAN = re.compile(r"[\u3400-\u9fff]")
HANGUL = re.compile(r"[\uac00-\ud7a3]")
HAN_OR_HANGUL = re.compile(r"[\u3400-\u9fff\uac00-\ud7a3]")
