"""Databases that are none any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "emptied, as after a power loss": lambda _: b"",
    "foreign": lambda _: b"no database at all, but words" * 200,
    "cut in half": lambda data: data[: len(data) // 2 + 100],
}
