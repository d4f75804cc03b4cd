"""An embedder for a few texts, opened in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.http_client import Patience
from clawgit.recall.embedders.choose_embedder import RemoteModel
from clawgit.recall.embedders.embedder import EmbedderError, cosine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clawgit.recall.embedders.choose_embedder import LocalModel
    from clawgit.recall.embedders.embedder import Embedder

SECONDS = 20


def likeness_by(model: LocalModel | RemoteModel, texts: Iterable[str]) -> Callable[[str, str], float]:
    """Return what says how near two of the texts are in meaning, 1 at most; a text that cannot be read is near none.

    Raises:
        EmbedderError: The model is not here, or does not answer.
    """
    wanted = list(dict.fromkeys(texts))
    rows = dict(zip(wanted, _opened(model).embed(wanted), strict=True))

    def alike(one: str, other: str) -> float:
        a, b = rows[one], rows[other]
        return 0.0 if a is None or b is None else cosine(a, b)

    return alike


def _opened(model: LocalModel | RemoteModel) -> Embedder:
    if isinstance(model, RemoteModel):
        return model.embedder(Patience(SECONDS, tries=2, pause=0.3))
    try:
        from clawgit.recall.embedders.local_model import LocalEmbedder
        from clawgit.recall.embedders.packaged_model import packaged_embedder
    except ModuleNotFoundError as error:
        raise EmbedderError(
            "Meanings need the extra `enhanced`.", hint="`pip install 'clawgit[enhanced]'` adds it."
        ) from error
    return packaged_embedder() if model.folder is None else LocalEmbedder(model.folder, "local")
