"""What tells the script that a text is written in, where a rule is for one of them."""

from __future__ import annotations

import re

HAN = re.compile(r"[\u3400-\u9fff]")
HANGUL = re.compile(r"[\uac00-\ud7a3]")
HAN_OR_HANGUL = re.compile(r"[\u3400-\u9fff\uac00-\ud7a3]")
