"""Standard JSON: Python's reader also accepts NaN and Infinity, which other programs cannot read."""

from __future__ import annotations

import json
import math
from typing import Any


def strict_json(text: str | bytes) -> Any:
    """Return the value of a JSON text; `ValueError` for invalid text, `RecursionError` for too deep nesting."""
    return json.loads(text, parse_constant=_no_number, parse_float=_finite)


def dict_of(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def list_of(value: object) -> list[Any]:
    if isinstance(value, list):
        return value
    return []


def part_of(value: object, *names: str) -> dict[str, Any]:
    """Return the nested object under these names, empty if one is missing."""
    for name in names:
        value = dict_of(value).get(name)
    return dict_of(value)


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number")


def _finite(word: str) -> float:
    number = float(word)
    return number if math.isfinite(number) else _no_number(word)
