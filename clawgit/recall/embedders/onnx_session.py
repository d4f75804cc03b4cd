"""Running an ONNX file: one session, as many threads as half the processors. Imported by the owner process only."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
import onnxruntime

from clawgit.recall.embedders.embedder import EmbedderError

if TYPE_CHECKING:
    from pathlib import Path


class OnnxRuntime:
    """A session of onnxruntime on the CPU."""

    def __init__(self, path: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = max(1, (os.cpu_count() or 1) // 2)  # more are slower beside other work
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime's own errors have no other class in common
            raise EmbedderError(
                f"{path} cannot be loaded ({_first_line(error)}).", hint="Is it whole?"
            ) from error
        self._inputs = [found.name for found in self._session.get_inputs()]
        outputs = [found.name for found in self._session.get_outputs()]
        self._output = "sentence_embedding" if "sentence_embedding" in outputs else outputs[0]

    def run(self, ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return the model's first output, or what it calls the embedding of the sentence."""
        values = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        try:
            feed = {name: values[name] for name in self._inputs}
            (found,) = self._session.run([self._output], feed)
        except (
            Exception
        ) as error:  # as above; KeyError and ValueError where the model wants or gives something else
            raise EmbedderError(f"The model cannot be run ({_first_line(error)}).") from error
        return np.asarray(found, np.float32)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
