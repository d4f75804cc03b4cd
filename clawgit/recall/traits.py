"""What the ranking wants to know of a line beside its terms, told from its text when it is indexed."""

from __future__ import annotations


def traits_of(text: str) -> str:
    """Return the traits of a unit's text (who says it, whether it asks, whether it tells a time), packed.

    Opaque to the index, which stores it beside the terms and hands it to the ranking as `Line.traits`.
    """
    del text
    return ""
