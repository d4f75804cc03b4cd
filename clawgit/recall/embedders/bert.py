"""A BERT from a safetensors file, with numpy alone. Imported by the owner process only."""

from __future__ import annotations

import json
import math
import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from clawgit.recall.embedders.embedder import EmbedderError
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_TYPES = {"F32": "<f4", "F16": "<f2", "F64": "<f8", "I64": "<i8", "I32": "<i4"}
_MAX_HEADER = 16 * 1024 * 1024


class BertRuntime:
    """The layers of a BERT encoder; only the plain kind, with absolute positions and GELU."""

    def __init__(self, folder: Path, config: Mapping[str, Any]) -> None:
        if config.get("model_type") != "bert" or config.get("hidden_act", "gelu") != "gelu":
            raise EmbedderError(
                f"{folder} holds a model that clawgit runs only from an ONNX file.",
                hint="Put its model.onnx into the folder.",
            )
        weights = read_safetensors(folder / "model.safetensors")
        start = "bert." if any(name.startswith("bert.") for name in weights) else ""
        self._weights = {name.removeprefix(start): value for name, value in weights.items()}
        self._epsilon = float(config.get("layer_norm_eps", 1e-12))
        try:
            self._layers, self._heads = int(config["num_hidden_layers"]), int(config["num_attention_heads"])
            self.run(np.zeros((1, 2), np.int64), np.ones((1, 2), np.int64))
        except (KeyError, IndexError, ValueError, TypeError) as error:
            raise EmbedderError(f"{folder} does not hold the BERT that its config.json describes.") from error

    def run(self, ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return the last layer's state of each token."""
        named = "embeddings.{}_embeddings.weight".format
        states = self._weights[named("word")][ids]
        states = states + self._weights[named("position")][: ids.shape[1]]
        states = states + self._weights[named("token_type")][0]
        states = self._normed(states, "embeddings.LayerNorm")
        hidden = np.where(mask[:, None, None, :] > 0, np.float32(0), np.float32(-1e9))
        for number in range(self._layers):
            states = self._layer(states, hidden, f"encoder.layer.{number}.")
        return states

    def _layer(self, states: np.ndarray, hidden: np.ndarray, name: str) -> np.ndarray:
        seen = self._attention(states, hidden, name + "attention.self.")
        states = self._normed(
            states + self._linear(seen, name + "attention.output.dense"), name + "attention.output.LayerNorm"
        )
        wide = _gelu(self._linear(states, name + "intermediate.dense"))
        return self._normed(states + self._linear(wide, name + "output.dense"), name + "output.LayerNorm")

    def _attention(self, states: np.ndarray, hidden: np.ndarray, name: str) -> np.ndarray:
        texts, tokens, width = states.shape

        def split(part: str) -> np.ndarray:
            values = self._linear(states, name + part).reshape(
                texts, tokens, self._heads, width // self._heads
            )
            return values.transpose(0, 2, 1, 3)

        scores = (
            split("query") @ split("key").transpose(0, 1, 3, 2) / np.float32(math.sqrt(width // self._heads))
        )
        scores = scores + hidden
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        return (scores @ split("value")).transpose(0, 2, 1, 3).reshape(texts, tokens, width)

    def _linear(self, states: np.ndarray, name: str) -> np.ndarray:
        return states @ self._weights[name + ".weight"].T + self._weights[name + ".bias"]

    def _normed(self, states: np.ndarray, name: str) -> np.ndarray:
        centred = states - states.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(self._epsilon))
        return centred / spread * self._weights[name + ".weight"] + self._weights[name + ".bias"]


def _gelu(values: np.ndarray) -> np.ndarray:
    """Return GELU with the error function to 1.5e-7 (Abramowitz and Stegun 7.1.26): numpy has none."""
    x = np.abs(values) * np.float32(math.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * x)
    series = np.float32(1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = series * t + np.float32(factor)
    erf = np.copysign(1 - series * t * np.exp(-x * x), values)
    return np.asarray(np.float32(0.5) * values * (1 + erf))


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """Return the arrays of a safetensors file, as float32 where they are numbers with a point.

    Raises:
        EmbedderError: The file is no such file, or was cut short.
    """
    try:
        with open_regular(path) as file:
            (size,) = struct.unpack("<Q", file.read(8))
            header = json.loads(file.read(min(size, _MAX_HEADER)))
        data = np.memmap(path, np.uint8, "r", offset=8 + size)
        return {name: _array(data, about) for name, about in header.items() if name != "__metadata__"}
    except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
        raise EmbedderError(f"{path} cannot be read ({error}).", hint="Is it whole?") from error


def _array(data: np.ndarray, about: Mapping[str, Any]) -> np.ndarray:
    begin, end = about["data_offsets"]
    if end > len(data):
        raise ValueError("it was cut short")
    values = data[begin:end].view(_TYPES[about["dtype"]]).reshape(about["shape"])
    return values if values.dtype.kind == "i" else np.asarray(values, np.float32)
