"""JSON as its standard has it: Python's reader also takes NaN and Infinity, which no other program can read again."""

from __future__ import annotations

import json
import math
from typing import Any


def strict_json(text: str | bytes) -> Any:
    """Return what a JSON text says; `ValueError` where it is none, `RecursionError` where it is nested too deeply."""
    return json.loads(text, parse_constant=_no_number, parse_float=_finite)


def dict_of(value: object) -> dict[str, Any]:
    """Return an object of JSON, an empty one where the value is none."""
    if isinstance(value, dict):
        return value
    return {}


def list_of(value: object) -> list[Any]:
    """Return a list of JSON, an empty one where the value is none."""
    if isinstance(value, list):
        return value
    return []


def part_of(value: object, *names: str) -> dict[str, Any]:
    """Return the object that is in an object under these names, empty if one of them holds none."""
    for name in names:
        value = dict_of(value).get(name)
    return dict_of(value)


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number")


def _finite(word: str) -> float:
    number = float(word)
    return number if math.isfinite(number) else _no_number(word)
