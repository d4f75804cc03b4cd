"""How sure an entry must be, as a person says it: a share from 0 to 1, or in percent as lists show it."""

from __future__ import annotations

from contextlib import suppress

import click


def confidence_asked(_context: click.Context, _option: click.Parameter, said: str | None) -> int | None:
    """Return hundredths for `0.6` and for `60%`.

    Raises:
        click.BadParameter: It is no number, less than nothing or more than sure.
    """
    if said is None:
        return None
    share = _share(said.strip())
    if share is None or not 0 <= share <= 1:
        raise click.BadParameter(
            f"{said!r} is no confidence: say 0.6 or 60%, from 0 to 1 or from 0% to 100%."
        )
    return round(share * 100)


def _share(said: str) -> float | None:
    with suppress(ValueError):
        return float(said.removesuffix("%")) / (100 if said.endswith("%") else 1)
    return None
