"""Models small enough to be made by a test: what the owner runs needs only a table of rows."""

from __future__ import annotations

import hashlib
import struct
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
LETTERS = ("##ᅦ", "##ᅵ", "##い", "ᄃ", "か")
WIDTH = 32


def numbers_of(word: str, width: int) -> list[float]:
    """Return numbers between -1 and 1 that depend on nothing but the word."""
    digest = hashlib.shake_256(word.encode()).digest(2 * width)
    return [number / 32768 for number in struct.unpack(f"<{width}h", digest)]


def _tag(number: int, kind: int) -> bytes:
    return _varint(number << 3 | kind)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _field(number: int, value: bytes | str | int) -> bytes:
    if isinstance(value, int):
        return _tag(number, 0) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _tag(number, 2) + _varint(len(data)) + data


def _named(name: str, element: int, sizes: Sequence[str]) -> bytes:
    shape = b"".join(_field(1, _field(2, size)) for size in sizes)
    return _field(1, name) + _field(2, _field(1, _field(1, element) + _field(2, shape)))


def write_onnx(path: Path, table: Sequence[Sequence[float]]) -> None:
    """Write a model that gives each token its row of ``table`` and knows nothing of its neighbours."""
    raw = b"".join(struct.pack(f"<{len(row)}f", *row) for row in table)
    weights = (
        _field(1, len(table)) + _field(1, len(table[0])) + _field(2, 1) + _field(8, "t") + _field(9, raw)
    )
    node = _field(1, "t") + _field(1, "input_ids") + _field(2, "last_hidden_state") + _field(4, "Gather")
    inputs = b"".join(_field(11, _named(name, 7, ("b", "l"))) for name in ("input_ids", "attention_mask"))
    output = _field(12, _named("last_hidden_state", 1, ("b", "l", "w")))
    graph = _field(1, node) + _field(2, "g") + _field(5, weights) + inputs + output
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 13)))


def write_tokenizer(folder: Path, words: Sequence[str]) -> list[str]:
    """Write a tokenizer that knows ``words`` and return its vocabulary."""
    from tokenizers import (  # noqa: PLC0415 - this file is read where the extra is missing, too
        Tokenizer,
        models,
        normalizers,
        pre_tokenizers,
        processors,
    )

    vocabulary = list(dict.fromkeys([*SPECIAL, *LETTERS, *words]))
    numbers = {token: number for number, token in enumerate(vocabulary)}
    tokenizer = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    return vocabulary


@pytest.fixture
def make_model() -> Callable[..., Path]:
    """Return a maker of ONNX folders whose model knows ``words``; ``same`` gives a word another's meaning."""

    def make(folder: Path, words: Sequence[str], same: dict[str, str] | None = None, seed: str = "") -> Path:
        vocabulary = write_tokenizer(folder, words)
        rows = [numbers_of(seed + (same or {}).get(token, token), WIDTH) for token in vocabulary]
        rows[:4] = [[0.0] * WIDTH] * 4
        write_onnx(folder / "model.onnx", rows)
        return folder

    return make


@pytest.fixture(name="write_tokenizer")
def _write_tokenizer() -> Callable[..., list[str]]:
    return write_tokenizer
