"""Names for the files of ended sessions: short, safe, from the words of the conversation."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

LONGEST = 30
_NOT_SAFE = re.compile(r"[^a-z0-9]+")


def safe_slug(text: str) -> str:
    """Return ``text`` as `[a-z0-9-]` of at most 30 characters, cut at a word where it can be; maybe empty."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    slug = _NOT_SAFE.sub("-", plain).strip("-")
    if len(slug) <= LONGEST:
        return slug
    whole_words, dash, _ = slug[: LONGEST + 1].rpartition("-")
    return whole_words if dash else slug[:LONGEST]


def session_path(slug: str, at: datetime, taken: Collection[str]) -> str:
    """Return a path for a session that ended ``at`` that is not in ``taken``; without a slug, its time names it."""
    stem = f"memory/{at:%Y-%m-%d}-{slug or f'{at:%H%M}'}"
    path, number = f"{stem}.md", 1
    while path in taken:
        number += 1
        path = f"{stem}-{number}.md"
    return path
