"""Further rounds of the same: `make test` takes some of a table's rows, `make faults` takes all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable


def some(rows: Iterable[Any], *, each: int) -> list[Any]:
    """Return the rows for `parametrize`: one of every ``each`` runs always, the others are long."""
    return [row if number % each == 0 else _long(row) for number, row in enumerate(rows)]


def _long(row: Any) -> Any:
    if hasattr(row, "marks"):  # made by pytest.param
        return pytest.param(*row.values, marks=(*row.marks, pytest.mark.long), id=row.id)
    return pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=pytest.mark.long)
