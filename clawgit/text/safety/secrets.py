"""Secrets in a text, by rules that name what they look for; results are a rule and a place, never the value."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import Legible, folded, head_and_tail, legible
from clawgit.text.safety.secret_shapes import SecretShape, shapes_in
from clawgit.text.safety.secret_words import (
    SECRET_NAMED,
    TOLD,
    find_named,
    find_random,
    is_placeholder,
    opens_nothing,
)

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

_REST = lazy_pattern(r"(?:[A-Za-z0-9]|[_+/=.~-](?=[A-Za-z0-9]))*")
_WORD = lazy_pattern(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
MASK = "[redacted"
_BETWEEN_LINES = "\r\n \t>*+-"
_ENDING = lazy_pattern(r"\.[A-Za-z]{1,5}\Z")


class Secret(NamedTuple):
    """A secret from ``start`` up to ``end``, beginning in ``line`` (from 1)."""

    rule: str
    start: int
    end: int
    line: int


def find_secrets(text: str) -> list[Secret]:
    """Return the secrets in order without overlaps, in linear time; `<your-key>`, `${VAR}` and `xxxx` are not secrets."""
    plain = legible(text)
    joined = plain.joined()
    both = plain.text
    if joined is not plain:
        both += joined.text
    shapes = shapes_in(both)
    places = []
    for rule, begin, end in chain(_shaped(plain, shapes), find_named(plain), find_random(plain)):
        places.append((rule, plain.place(begin), plain.place(end - 1) + 1))
    if shapes and joined is not plain:
        joins = sorted(joined.joins)
        for rule, begin, end in _shaped(joined, shapes):
            inner = joins[bisect_right(joins, begin) : bisect_left(joins, end)]
            if inner:
                last = _before_words(joined.text, begin, end, inner)
                places.append((rule, joined.place(begin), joined.place(last - 1) + 1))
    secrets: list[Secret] = []  # each place once: the widest first
    end, line, counted = 0, 1, 0
    for rule, begin, last in sorted(places, key=lambda item: (item[1], -item[2])):
        if begin >= end:
            line += text.count("\n", counted, begin)
            counted = begin
            secrets.append(Secret(rule, begin, last, line))
            end = last
    return secrets


def _before_words(text: str, begin: int, end: int, joins: list[int]) -> int:
    """Return the end of a key over several lines: before a line that begins with a word, if it is whole there."""
    for join, following in zip(joins, (*joins[1:], end), strict=True):
        is_word = _WORD.fullmatch(text, join, following) is not None
        if is_word and any(_shaped(Legible(text[begin:join]), shapes_in(text[begin:join]))):
            return join
    return end


def redact(text: str) -> str:
    """Return ``text`` with `[redacted RULE]` for each secret."""
    pieces: list[str] = []
    end = 0
    for secret in find_secrets(text):
        pieces += [text[end : secret.start], f"[redacted {secret.rule}]"]
        end = secret.end
    return "".join([*pieces, text[end:]]) if pieces else text


def holds_a_secret(text: str) -> bool:
    """Say whether a person's words have a key, or a password, PIN or code in a sentence: they must not be remembered."""
    return MASK in text or tells_a_secret(text) or bool(find_secrets(text))


def tells_a_secret(text: str) -> bool:
    """Say whether a sentence has a secret, for which files are not searched: "the PIN is 4711", "the password is sunflower"."""
    return not all(map(opens_nothing, TOLD.finditer(text)))


def names_a_secret(text: str) -> bool:
    """Say whether a person's words have a secret, or speak of one: what they say of it may be the value."""
    return SECRET_NAMED.search(text) is not None or holds_a_secret(text)


def redact_talk(text: str) -> str:
    """Return a person's words without secrets, also those in sentences."""

    def masked(match: re.Match[str]) -> str:
        value = match["value"]
        if opens_nothing(match) or (value is not None and (not value or MASK in value)):
            return match[0]
        return f"{match['lead'] or ''}{MASK} secret]"

    return TOLD.sub(masked, redact(text))


def redact_lines(text: str) -> str:
    """Return ``text`` without secrets, with the same number of lines; the next item's marker is not part of a secret."""
    pieces: list[str] = []
    end = 0
    for secret in find_secrets(text):
        value = text[secret.start : secret.end].rstrip(_BETWEEN_LINES)
        pieces += [text[end : secret.start], f"[redacted {secret.rule}]", "\n" * value.count("\n")]
        end = secret.start + len(value)
    return "".join([*pieces, text[end:]])


def redact_path(path: str) -> str:
    """Return ``path`` without secrets; the file's ending is not part of one."""
    stem, ending = _parted(path)
    return redact(stem) + ending


def secret_in_path(path: str) -> str:
    """Return the rule of the first secret in ``path``, "" without any."""
    return next((secret.rule for secret in find_secrets(_parted(path)[0])), "")


def _parted(path: str) -> tuple[str, str]:
    ending = _ENDING.search(path)
    return (path, "") if ending is None else (path[: ending.start()], ending[0])


def _shaped(text: Legible, shapes: Sequence[SecretShape]) -> Iterator[tuple[str, int, int]]:
    whole = text.text
    for shape in shapes:
        at = whole.find(shape.literal)
        while at >= 0:
            span = _span(shape, text, at)
            if span is not None:
                yield shape.rule, *span
            at = whole.find(shape.literal, max(at + 1, span[1] if span else 0))


def _span(shape: SecretShape, text: Legible, at: int) -> tuple[int, int] | None:
    for lead in shape.leads:
        begin = at - lead
        if begin < 0 or (shape.bounded and _goes_on(text, begin)):
            continue
        match = shape.pattern.match(text.text, begin)
        if match is None or (shape.exact and _goes_on(text, match.end())):
            continue
        if not is_placeholder(match[shape.group].removeprefix(shape.literal)):
            end = match.end(shape.group)
            # the shape, bounded for speed, may have matched only the beginning
            rest = _REST.match(text.text, end) if _goes_on(text, end) else None
            return match.start(shape.group), rest.end() if rest else end
    return None


def _goes_on(text: Legible, at: int) -> bool:
    """Say whether a word continues at ``at``: a wrapped line's end separates words, and so does `_`, which marks *emphasis*."""
    around = text.text[max(0, at - 1) : at + 1]
    is_inside = 0 < at < len(text.text) and at not in text.joins
    return is_inside and around.isascii() and around.isalnum()


def one_safe_line(text: str) -> str:
    """Return the beginning and the end of ``text`` on one line, without secrets that appear only then, and without comment marks."""
    line = redact_talk(folded(head_and_tail(text, 4000, 3000, 500)))
    return line.replace("<!--", "&lt;!--")
