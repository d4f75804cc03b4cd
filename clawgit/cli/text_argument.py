"""A text as an argument: who forgets the quotes around several words means all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable


def text_argument(name: str, *, required: bool = True, **told: Any) -> Callable[[Any], Any]:
    """Return the decorator of an argument that takes all words as one text; None where there is none."""
    return click.argument(name, nargs=-1, required=required, callback=_joined, **told)


def _joined(_context: click.Context, _argument: click.Parameter, words: tuple[str, ...]) -> str | None:
    return " ".join(words) if words else None
