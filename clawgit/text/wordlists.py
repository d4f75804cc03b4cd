"""Parts of patterns that several tables of words share: any of some words, the days of the week, the months."""

from __future__ import annotations

WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"


def any_of(listed: str) -> str:
    """Return what finds any of some words, which stand between commas; the longer ones first."""
    return f"(?:{'|'.join(sorted((part.strip() for part in listed.split(',')), key=len, reverse=True))})"
