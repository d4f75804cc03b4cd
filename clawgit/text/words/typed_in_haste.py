"""Expressions for words as they are typed in haste; by itself, for hooks load it and have no time for more."""

from __future__ import annotations

import unicodedata


def typed_in_haste(expression: str) -> str:
    """Return what finds the same words without accents, and with `q` for `que`."""
    return without_accents(expression).replace("que", "q(?:ue)?")


def without_accents(text: str) -> str:
    """Return a text in which each Latin letter with a mark is that letter."""
    return "".join(map(_plain, text))


def _plain(char: str) -> str:
    base = unicodedata.normalize("NFD", char)[0]
    return base if base.isascii() else char
