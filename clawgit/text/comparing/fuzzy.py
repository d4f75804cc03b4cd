"""rapidfuzz, loaded at its first use: most commands compare nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import DamerauLevenshtein, LCSseq, Levenshtein, Prefix
else:

    def __getattr__(name: str) -> object:
        import rapidfuzz.distance

        member = getattr(rapidfuzz if name in ("fuzz", "process") else rapidfuzz.distance, name)
        globals()[name] = member  # used thousands of times
        return member


__all__ = ["DamerauLevenshtein", "LCSseq", "Levenshtein", "Prefix", "fuzz", "process"]
