"""The file in which git hands a commit message to a hook: what of it will be the message, and adding trailers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.text.trailers import parse_trailers

if TYPE_CHECKING:
    from collections.abc import Sequence


def without_comments(text: str, mark: str = "#") -> str:
    """Return what git keeps of a message that was written in an editor: no lines that begin with ``mark``.

    Nothing from the line of scissors on, which `git commit --verbose` puts above its diff.
    """
    scissors = re.search(rf"^{re.escape(mark)} -+ >8 -+[ \t]*$", text, re.MULTILINE)
    kept = text if scissors is None else text[: scissors.start()]
    return "".join(line for line in re.split(r"(?<=\n)", kept) if not line.startswith(mark))


def with_trailers(message: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Return ``message`` with ``pairs`` as its last trailers; one that is there under the same key goes.

    Raises:
        ValueError: The message would not be read back so.
    """
    keys = {key.lower() for key, _ in pairs}
    found = parse_trailers(message).pairs
    text = message.rstrip()
    for key, _ in found:
        if key.lower() in keys:
            text = _without_line(text, key)
    kept = tuple(pair for pair in found if pair[0].lower() not in keys)
    gap = "\n" if kept else "\n\n"
    whole = text.rstrip() + gap + "".join(f"{key}: {value}\n" for key, value in pairs)
    if parse_trailers(whole).pairs != (*kept, *pairs):
        raise ValueError("The message would not be read back as it was meant.")
    return whole


def without_trailer(message: str, key: str) -> str:
    """Return ``message`` without a trailer."""
    there = parse_trailers(message).first(key) is not None
    return _without_line(message, key) if there else message


def _without_line(text: str, key: str) -> str:
    """Return ``text`` without the last line (and its folded rest) that gives ``key`` a value."""
    line = re.compile(rf"^{re.escape(key)}[ \t]*:.*(?:\n[ \t].*)*\n?", re.MULTILINE | re.IGNORECASE)
    places = list(line.finditer(text))
    return text[: places[-1].start()] + text[places[-1].end() :] if places else text
