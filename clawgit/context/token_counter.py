"""What counts the tokens of a context: pieces of words, or the tokenizer that the settings name."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.words.tokens import count_pieces

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.workspace.settings.settings import Settings

PIECES = "pieces"
VERSION = "pieces-1"
HEADROOM = 5  # percent that an estimate keeps free


class TokenCounter(NamedTuple):
    """Counts tokens; ``name`` says with what, ``note`` why it is not what was asked for."""

    name: str
    raw: Callable[[str], int] = count_pieces
    factor: float = 1.0
    headroom: int = HEADROOM
    note: str = ""

    def count(self, text: str) -> int:
        """Return what a text costs."""
        return math.ceil(self.raw(text) * self.factor)

    def usable(self, budget: int) -> int:
        """Return how much of a budget is used: an estimate may be a little low."""
        return budget * (100 - self.headroom) // 100


def token_counter(settings: Settings) -> TokenCounter:
    """Return the counter of the settings; a tokenizer that cannot be loaded is said, and pieces count."""
    counting = TokenCounter(VERSION, factor=settings.token_factor)
    if settings.tokenizer == PIECES:
        return counting
    raw = _real(settings.tokenizer)
    if raw is None:
        note = f"{settings.tokenizer} cannot be loaded (pip install tokenizers), so pieces are counted."
        return counting._replace(note=note)
    return TokenCounter(settings.tokenizer, raw, settings.token_factor, headroom=0)


@lru_cache(maxsize=2)
def _real(path: str) -> Callable[[str], int] | None:
    try:
        from tokenizers import Tokenizer  # type: ignore[import-not-found,unused-ignore]

        loaded = Tokenizer.from_file(path)
    except Exception:  # noqa: BLE001 - not installed, no such file, none of its files: it raises bare exceptions
        return None
    return lambda text: len(loaded.encode(text, add_special_tokens=False).ids)
