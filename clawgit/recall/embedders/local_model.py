"""A model in a folder, run here by onnxruntime without torch: tokens, a session, pooling.

Chroma downloads the packaged model, clawgit runs it: Chroma pads every text to 256 tokens and makes a session
for each call, 20 times slower. Imported only where vectors are made.
"""

from __future__ import annotations

import hashlib
import json
import os
from array import array
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import onnxruntime
from tokenizers import Encoding, Tokenizer

from clawgit.recall.embedders.embedder import EmbedderError, NotFetchedError, Row, prompts_of
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PACKAGED = "all-MiniLM-L6-v2"
_Config = TypeVar("_Config", dict[str, Any], list[Any])

_BATCH_TEXTS = 64
_BATCH_TOKENS = 8192  # padding included
_UNREADABLE = 0.2  # share of tokens that the model does not know
_LONGEST = 512
_USUAL = 256
_KNOWN_PARTS = ("Transformer", "Pooling", "Normalize")


class LocalEmbedder:
    """One loaded model with its session."""

    def __init__(self, folder: Path, provider: str, name: str = "") -> None:
        for part in _config(folder / "modules.json", list):
            kind = str(part.get("type", "") if isinstance(part, dict) else part).rpartition(".")[2]
            if kind not in _KNOWN_PARTS:
                sentence = f"{folder} has a part that clawgit cannot run ({kind})."
                raise EmbedderError(sentence, hint="Take another model.")
        pooling = _config(folder / "1_Pooling/config.json", dict)
        kinds = {"pooling_mode_cls_token": "cls", "pooling_mode_max_tokens": "max"}
        self._pooling = next((kind for key, kind in kinds.items() if pooling.get(key)), "mean")
        longest = _config(folder / "sentence_bert_config.json", dict).get("max_seq_length")
        if not (isinstance(longest, int) and 0 < longest <= _LONGEST * 16):
            longest = _USUAL
        prompts = _config(folder / "config_sentence_transformers.json", dict).get("prompts")
        if isinstance(prompts, dict) and isinstance(prompts.get("query"), str):
            text = prompts.get("passage", prompts.get("document", ""))
            before_question, before_text = prompts["query"], text if isinstance(text, str) else ""
        else:
            before_question, before_text = prompts_of(folder.name)
        weights = _weights(folder)
        self._session = _Session(weights)
        self.provider = provider
        self._before = {True: before_question, False: before_text}
        self._tokenizer = _tokenizer(folder, longest)
        shape = f"{self._pooling} {longest}{before_question}{before_text}"
        self.model = f"{name or folder.name}#{_fingerprint(shape, weights, folder / 'tokenizer.json')}"
        self._unknown = frozenset(_unknown(self._tokenizer.get_vocab()))
        self.dimension = len(self._rows([self._tokenizer.encode("a")])[0])

    def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Row[float] | None]:
        """Return a row for each text, None if the model knows too few of its tokens."""
        rows: list[Row[float] | None] = [None] * len(texts)
        before = self._before[query]
        encodings = self._tokenizer.encode_batch(list(map(before.__add__, texts)))
        readable = [n for n, encoding in enumerate(encodings) if self._can_read(encoding)]
        for batch in _batches(sorted(readable, key=lambda n: len(encodings[n].ids)), encodings):
            for number, row in zip(batch, self._rows([encodings[n] for n in batch]), strict=True):
                rows[number] = array("f", row.tobytes())
        return rows

    def _can_read(self, encoding: Encoding) -> bool:
        tokens = unknown = 0
        for token, special in zip(encoding.ids, encoding.special_tokens_mask, strict=True):
            if not special:
                tokens += 1
                unknown += token in self._unknown
        return tokens > 0 and unknown <= _UNREADABLE * tokens

    def _rows(self, encodings: list[Encoding]) -> np.ndarray:
        longest = max(len(encoding.ids) for encoding in encodings)
        ids = np.zeros((len(encodings), longest), np.int64)
        mask = np.zeros((len(encodings), longest), np.int64)
        for number, encoding in enumerate(encodings):
            ids[number, : len(encoding.ids)] = encoding.ids
            mask[number, : len(encoding.ids)] = 1
        rows = self._pooled(self._session.run(ids, mask), mask)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(lengths).all():
            sentence = "The model answers with numbers that are none."
            raise EmbedderError(sentence, hint="Its file may be damaged.")
        return (rows / np.maximum(lengths, 1e-12)).astype("<f4")

    def _pooled(self, states: np.ndarray, mask: np.ndarray) -> np.ndarray:
        if states.ndim == 2:
            return states
        if self._pooling == "cls":
            return states[:, 0]
        weights = mask[:, :, None].astype(states.dtype)
        if self._pooling == "max":
            return np.where(weights > 0, states, -np.inf).max(axis=1)
        return (states * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9)


class _Session:
    """A session of onnxruntime on half the processors: more threads are slower beside other work."""

    def __init__(self, path: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = max(1, (os.cpu_count() or 1) // 2)
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime's errors share no other class
            sentence = f"{path} cannot be loaded ({_first_line(error)})."
            raise EmbedderError(sentence, hint="Is it whole?") from error
        self._inputs = list(map(attrgetter("name"), self._session.get_inputs()))
        outputs = list(map(attrgetter("name"), self._session.get_outputs()))
        self._output = "sentence_embedding" if "sentence_embedding" in outputs else outputs[0]

    def run(self, ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return (texts, tokens, dimension), or (texts, dimension) if the model pools by itself."""
        values = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        try:
            feed = {name: values[name] for name in self._inputs}
            (states,) = self._session.run([self._output], feed)
        except Exception as error:  # as above; KeyError and ValueError if the model takes other inputs
            raise EmbedderError(f"The model cannot be run ({_first_line(error)}).") from error
        return np.asarray(states, np.float32)


def packaged_folder() -> Path:
    """Return the folder of Chroma's model, shared by all programs of this user."""
    model = _chromas_model()
    return Path(model.DOWNLOAD_PATH, model.EXTRACTED_FOLDER_NAME)


def packaged_embedder() -> LocalEmbedder:
    folder = packaged_folder()
    if not all((folder / name).is_file() for name in ("model.onnx", "tokenizer.json")):
        sentence = f"The model {PACKAGED} is not here yet."
        raise NotFetchedError(sentence, hint="`clawgit memory index` fetches it (80 MB).")
    try:
        return LocalEmbedder(folder, "default", PACKAGED)
    except EmbedderError as error:
        way_out = f"Remove {folder}, and `clawgit memory index` fetches it again."
        raise EmbedderError(error.message, hint=way_out) from error


def _chromas_model() -> Any:
    from chromadb.utils.embedding_functions.onnx_mini_lm_l6_v2 import ONNXMiniLM_L6_V2

    return ONNXMiniLM_L6_V2


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def _unknown(vocabulary: Mapping[str, int]) -> Iterator[int]:
    """Yield the tokens without meaning for a model: unknown ones, and foreign words split into letters.

    An English model splits Korean, Japanese or Russian letter by letter, and its rows are then all alike.
    """
    for token, number in vocabulary.items():
        letters = token.startswith("##") and len(token) == 3 and not token.isascii()
        if letters or token in ("[UNK]", "<unk>", "<|unk|>"):
            yield number


def _batches(numbers: list[int], encodings: list[Encoding]) -> Iterator[list[int]]:
    batch: list[int] = []
    for number in numbers:
        if batch and (
            len(batch) == _BATCH_TEXTS or (len(batch) + 1) * len(encodings[number].ids) > _BATCH_TOKENS
        ):
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def _weights(folder: Path) -> Path:
    for name in ("model.onnx", "onnx/model.onnx"):
        if (folder / name).is_file():
            return folder / name
    if (folder / "model.safetensors").is_file():
        sentence = f"{folder} holds a model that clawgit runs only from an ONNX file."
        raise EmbedderError(sentence, hint="Put its model.onnx into the folder.")
    raise EmbedderError(f"{folder} holds no model.onnx.", hint="Name another folder.")


def _tokenizer(folder: Path, longest: int) -> Tokenizer:
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise EmbedderError(f"{path} is missing.", hint="The folder must hold the model's fast tokenizer.")
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises this class for every error
        raise EmbedderError(f"{path} cannot be read: {error}", hint="Is it whole?") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest)
    return tokenizer


def _config(path: Path, kind: type[_Config]) -> _Config:
    try:
        with open_regular(path) as file:
            config = json.load(file)
    except FileNotFoundError:
        return kind()
    except (OSError, ValueError, RecursionError) as error:
        raise EmbedderError(f"{path} cannot be read: {error}", hint="Is it whole?") from error
    if not isinstance(config, kind):
        raise EmbedderError(f"{path} does not describe a model.", hint="Is it whole?")
    return config


def _fingerprint(shape: str, *files: Path) -> str:
    digest = hashlib.sha256(shape.encode())
    for path in files:
        with open_regular(path) as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:12]


if __name__ == "__main__":
    _chromas_model()()(["fetched"])  # with its progress bar on stderr; does nothing if the model is there
