"""JSON as its standard has it: Python's reader also takes NaN and Infinity, which no other program can read again."""

from __future__ import annotations

import json
import math
from typing import Any


def strict_json(text: str | bytes) -> Any:
    """Return what a JSON text says; `ValueError` where it is none, `RecursionError` where it is nested too deeply."""
    return json.loads(text, parse_constant=_no_number, parse_float=_finite)


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number")


def _finite(word: str) -> float:
    number = float(word)
    return number if math.isfinite(number) else _no_number(word)
