"""What a model may answer: JSON, and a value of the shape that a schema tells. Pure.

The schema is the part of JSON Schema that our own questions need; a keyword beyond it is a mistake of ours and
raises, so that nothing is believed to be checked that is not.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NoReturn

from clawgit.text.safety.control_characters import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_KNOWN = {
    *("type", "enum", "description", "properties", "required", "additionalProperties", "items"),
    *("minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum"),
}
TEXT: dict[str, Any] = {"type": "string"}
_FENCED = re.compile(r"```[ \t]*\w*[ \t]*\r?\n(.*?)\n?```", re.DOTALL)
_THOUGHT = "</think>"


def one_list(
    name: str, most: int, required: Mapping[str, Any], optional: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the schema of an answer that is one list of objects: what each of them has, and what it may have."""
    each = {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": [*required],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {name: {"type": "array", "maxItems": most, "items": each}},
        "required": [name],
        "additionalProperties": False,
    }


def one_of(*words: str) -> dict[str, Any]:
    """Return the schema of one of these words."""
    return {"type": "string", "enum": [*words]}


def read_answer(text: str) -> Any:
    """Return the JSON that an answer is, or that follows what a model thought aloud, or is its one code block.

    Raises:
        ValueError: There is none, or one that cannot be written down again (NaN, half a character).
    """
    try:
        return _json(text)
    except ValueError:
        said = text.rpartition(_THOUGHT)[2]
        blocks = _FENCED.findall(said)
        return _json(blocks[0] if len(blocks) == 1 else said)


def _json(text: str) -> Any:
    try:
        value = json.loads(text, parse_constant=_refuse)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    return value


def problems_of(value: Any, schema: Mapping[str, Any], at: str = "the answer") -> Iterator[str]:
    """Yield what is wrong with ``value``, a few words each; nothing where it is as ``schema`` wants it."""
    if unknown := schema.keys() - _KNOWN:
        raise ValueError(f"this checker does not know {', '.join(sorted(unknown))}")
    if "type" in schema and not _is_a(value, schema["type"]):
        yield f"{at} is not of type {schema['type']}"
    elif "enum" in schema and not any(value == each and type(value) is type(each) for each in schema["enum"]):
        yield f"{at} is none of {', '.join(map(json.dumps, schema['enum']))}"
    elif isinstance(value, dict):
        yield from _in_object(value, schema, at)
    elif isinstance(value, list):
        yield from _in_list(value, schema, at)
    elif isinstance(value, str):
        yield from _within(
            len(value), schema.get("minLength"), schema.get("maxLength"), f"the length of {at}"
        )
    elif isinstance(value, (int, float)):
        yield from _within(value, schema.get("minimum"), schema.get("maximum"), at)


def _is_a(value: Any, name: str) -> bool:
    return isinstance(value, _TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def _in_object(value: dict[str, Any], schema: Mapping[str, Any], at: str) -> Iterator[str]:
    known = schema.get("properties", {})
    for key in schema.get("required", ()):
        if key not in value:
            yield f"{at} lacks {key}"
    for key, inner in value.items():
        if key in known:
            yield from problems_of(inner, known[key], f"{key} in {at}")
        elif schema.get("additionalProperties", True) is False:
            yield f"{at} has {one_line(key)[:40]!r}, which nobody asked for"


def _in_list(value: list[Any], schema: Mapping[str, Any], at: str) -> Iterator[str]:
    yield from _within(len(value), schema.get("minItems"), schema.get("maxItems"), f"the length of {at}")
    if "items" in schema:
        for number, inner in enumerate(value, start=1):
            yield from problems_of(inner, schema["items"], f"item {number} of {at}")


def _within(amount: float, least: float | None, most: float | None, what: str) -> Iterator[str]:
    if least is not None and amount < least:
        yield f"{what} is {amount}, less than {least}"
    if most is not None and amount > most:
        yield f"{what} is {amount}, more than {most}"


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
