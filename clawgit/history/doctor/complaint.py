"""What a check says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that is wrong: which check found it, what it is, the way out, and whether it was mended."""

    check: str
    what: str
    way_out: str
    mended: bool = False
    mend: Callable[[], None] | None = None
