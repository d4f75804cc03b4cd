"""What a model's tokens cost, by the price that the operator set."""

from __future__ import annotations

from clawgit.workspace.settings.setting_types import hundredths

_MILLION = 1_000_000


def cost_of(tokens: int, price: float) -> float:
    """Return what tokens cost where a million of them cost ``price``, to a ten-thousandth."""
    return round(tokens * hundredths(price) / _MILLION / 100, 4)


def spent_words(tokens: int, price: float) -> str:
    """Return what was used in words, with its cost where a price is set."""
    return f"{tokens:,} tokens" + (f" ({cost_of(tokens, price):.4f})" if price else "")
