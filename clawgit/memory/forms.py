"""Forms of sentences: several ways to say one thing, looked for together."""

from __future__ import annotations

import re


def any_form(*forms: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Return what finds any of some forms, in small letters or large; `(?-i:…)` is a name."""
    return re.compile("|".join(f"(?:{form})" for form in forms), re.IGNORECASE | flags)
