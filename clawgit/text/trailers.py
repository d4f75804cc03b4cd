"""Trailers of a commit message: one parser that accepts no more than git does, one writer that cannot be tricked."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded, one_line, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

PREFIX = "Clawgit-"
_SINGLE = "Op Actor Run Slot Trust Tokens Snapshot Reverts Override Unattended Proposal Basis Connected Disconnected Vouched At Committer"
_REPEATABLE = "Evidence Line Spoken Mention Class Derived-From Loss Claims Beside"
SINGLE_KEYS = tuple(PREFIX + name for name in _SINGLE.split())
REPEATABLE_KEYS = tuple(PREFIX + name for name in _REPEATABLE.split())
REVERTS, AT, OP, PROPOSAL = PREFIX + "Reverts", PREFIX + "At", PREFIX + "Op", PREFIX + "Proposal"
LOSS_MARK = "l-"  # before a commit in `Clawgit-Reverts`: only the lines that it cut off came back
SUBJECT_LIMIT = 72
_ON_A_LETTER = ("Mn", "Mc", "Me", "Sk")  # accents, and skin tones of an emoji
_CANONICAL = {key.lower(): key for key in SINGLE_KEYS + REPEATABLE_KEYS}
_LINE = lazy_pattern(r"([A-Za-z0-9-]+)[ \t]*:(.*)", re.DOTALL)
_WRITABLE_KEY = lazy_pattern(r"[A-Za-z][A-Za-z0-9-]*")
_LOOKS_OURS = lazy_pattern(r"clawgit-[a-z0-9-]*[ \t]*:", re.IGNORECASE)
_PICKED = lazy_pattern(r"\(cherry picked from commit [0-9a-f]{40,64}\)\r?")
_BLANK = " \t\r"
_FOLD = lazy_pattern(r"\n[ \t\r\n]+")
_SCISSORS = "# ------------------------ >8 ------------------------"
_NO_SUBJECT = "(no subject)"
# One line that is not a comment, quoted lines, `Clawgit-` lines only: no character that a reader might strip or fold.
_PLAIN = lazy_pattern(
    r"(?!#|---|Conflicts:\n)(?=\S)[^\x00-\x1f\x7f]+\n"
    r"(?:\n(?:>(?: [^\x00-\x1f\x7f]*)?\n)+)?"
    r"\n(?:Clawgit-[A-Za-z-]+: (?=\S)[^\x00-\x1f\x7f]*(?<=\S)\n)+"
)


class Trailers(NamedTuple):
    """The pairs of a trailer block in order, `Clawgit-` keys in canonical case, other keys as typed."""

    pairs: tuple[tuple[str, str], ...] = ()

    def first(self, key: str) -> str | None:
        """Return the first value of ``key`` (any case): anybody can append a later one, which is ignored."""
        return next(iter(self.all(key)), None)

    def all(self, key: str) -> tuple[str, ...]:
        if not self.pairs:
            return ()
        lowered = key.lower()
        return tuple(value for name, value in self.pairs if name.lower() == lowered)

    @property
    def problems(self) -> tuple[str, ...]:
        """Return a sentence for each `Clawgit-` trailer that is repeated, unknown or empty."""
        counts = Counter(name for name, _ in self.pairs)
        repeated = [f"{key} stands {counts[key]} times." for key in SINGLE_KEYS if counts[key] > 1]
        unknown, empty = [], []
        for name, value in self.pairs:
            is_ours = name.lower().startswith(PREFIX.lower())
            if is_ours and name.lower() not in _CANONICAL:
                unknown.append(f"{name} is not a trailer of clawgit.")
            if is_ours and not value:
                empty.append(f"{name} has no value.")
        return (*repeated, *unknown, *empty)


def parse_trailers(message: str) -> Trailers:
    """Return the trailers of ``message``: all of its last paragraph, or none.

    The first paragraph never counts. Stricter than git: with one line that is neither `Key: value` nor folded
    (a comment), nothing is a trailer; only the line of `git cherry-pick -x` is skipped. A `---` line divides
    nothing.
    """
    if message.strip(" \t\r\n").count("\n") < 2:  # one paragraph: most commits of a code repository
        return Trailers()
    block = [line for line in _last_paragraph(message) if not _PICKED.fullmatch(line)]
    if not block:
        return Trailers()
    pairs: list[tuple[str, str]] = []
    for logical in re.split(r"\n(?![ \t\r])", "\n".join(block)):
        match = _LINE.fullmatch(logical)
        if match is None:
            return Trailers()
        pairs.append((_canonical(match[1]), _FOLD.sub(" ", match[2]).strip(" \t\r\n")))
    return Trailers(tuple(pairs))


def true_time(trailers: Trailers, committed_at: int) -> datetime | None:
    """Return the true time of a commit whose git date is its parent's, since the clock was ahead before. None without `Clawgit-At`."""
    with suppress(ValueError):
        moment = datetime.fromisoformat(trailers.first(AT) or "")
        if moment.tzinfo is not None and 0 < moment.timestamp() < committed_at:
            return moment
    return None


def compose_message(subject: str, body: str, trailers: Sequence[tuple[str, str]]) -> str:
    """Return a commit message with ``trailers`` as its only ones; `ValueError` for an unknown, repeated or empty one."""
    pairs = tuple((_canonical(key), folded(value)) for key, value in trailers)
    for key, value in pairs:
        if not _WRITABLE_KEY.fullmatch(key):
            raise ValueError(f"{key!r} cannot be a trailer's key: letters, digits and - only.")
        if not value:
            raise ValueError(f"The trailer {key} has no value.")
    problems = Trailers(pairs).problems
    if problems:
        raise ValueError(" ".join(problems))
    paragraphs = [_subject(subject)]
    text = re.sub(r"\r\n?", "\n", body)
    if text.strip():
        paragraphs.append("\n".join(f"> {line}".rstrip() for line in shown(text).rstrip().split("\n")))
    if pairs:
        paragraphs.append("\n".join(f"{key}: {value}" for key, value in pairs))
    message = "\n\n".join(paragraphs) + "\n"
    if parse_trailers(message).pairs != pairs:
        raise ValueError("The message would not read back as the trailers that it was made of.")
    return message


def is_plain(message: str) -> bool:
    """Say whether ``message`` has clawgit's usual form, which git parses the same way."""
    return _PLAIN.fullmatch(message) is not None


def _last_paragraph(message: str) -> list[str]:
    if "\0" in message:  # git stops reading there
        return []
    lines = message.split("\n")
    if _SCISSORS in lines or "Conflicts:" in lines:  # git leaves out the rest
        return []
    while lines and not lines[-1].strip(_BLANK):
        lines.pop()
    start = len(lines)
    while start and lines[start - 1].strip(_BLANK):
        start -= 1
    has_text_above = any(line.strip(_BLANK) for line in lines[:start])
    return lines[start:] if has_text_above else []


def _canonical(key: str) -> str:
    return _CANONICAL.get(key.lower(), key)


def _subject(text: str) -> str:
    # libgit2 ends a message at a line that begins with ---, and an editor's clean-up drops one with #.
    subject = re.sub(r"\A(?:---[-\s]*|#[#\s]*)+", "", one_line(text)) or _NO_SUBJECT
    if _LOOKS_OURS.match(subject) or subject == "Conflicts:":
        subject = f"> {subject}"
    if len(subject) <= SUBJECT_LIMIT:
        return subject
    end = subject.rfind(" ", SUBJECT_LIMIT // 2, SUBJECT_LIMIT)
    if end < 0:
        end = SUBJECT_LIMIT - 1
        while end > SUBJECT_LIMIT // 2 and unicodedata.category(subject[end]) in _ON_A_LETTER:
            end -= 1
    return subject[:end].rstrip() + "…"


def without_comments(text: str, mark: str = "#") -> str:
    """Return what git keeps of an edited message: no ``mark`` lines, nothing from the scissors of `--verbose` on."""
    scissors = re.search(rf"^{re.escape(mark)} -+ >8 -+[ \t]*$", text, re.MULTILINE)
    body = text if scissors is None else text[: scissors.start()]
    return "".join(line for line in re.split(r"(?<=\n)", body) if not line.startswith(mark))


def with_trailers(message: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Return ``message`` with ``pairs`` as its last trailers in place of the same keys; `ValueError` if it parses otherwise."""
    keys = {key.lower() for key, _ in pairs}
    pairs_there = parse_trailers(message).pairs
    text = message.rstrip()
    for key, _ in pairs_there:
        if key.lower() in keys:
            text = _without_line(text, key)
    others = tuple(pair for pair in pairs_there if pair[0].lower() not in keys)
    gap = "\n" if others else "\n\n"
    whole = text.rstrip() + gap + "".join(f"{key}: {value}\n" for key, value in pairs)
    if parse_trailers(whole).pairs != (*others, *pairs):
        raise ValueError("The message would not be read back as it was meant.")
    return whole


def without_trailer(message: str, key: str) -> str:
    there = parse_trailers(message).first(key) is not None
    return _without_line(message, key) if there else message


def _without_line(text: str, key: str) -> str:
    """Return ``text`` without the last line (and its folded rest) that gives ``key`` a value."""
    line = re.compile(rf"^{re.escape(key)}[ \t]*:.*(?:\n[ \t].*)*\n?", re.MULTILINE | re.IGNORECASE)
    places = list(line.finditer(text))
    return text[: places[-1].start()] + text[places[-1].end() :] if places else text
