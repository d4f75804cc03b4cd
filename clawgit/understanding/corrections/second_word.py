"""A second word right after a correction: `no, 14:30`, `quatsch, doch der 12.12.`: a value, and nothing else that it may be about. Pure."""

from __future__ import annotations

from typing import NamedTuple

from clawgit.memory.entries.statements import row_statements
from clawgit.memory.provenance.contrasts import COUNTED, in_capitals, with_number
from clawgit.memory.provenance.readings import denies_value, has_topic, with_whole_values
from clawgit.text.comparing.similarity import common_ends, words
from clawgit.text.comparing.value_kinds import Value, ValueKind, values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.secrets import redact
from clawgit.text.words.word_lists import words_in
from clawgit.understanding.evidence.own_sentences import IS_PAST, no_statement, own_sentences, own_text
from clawgit.understanding.evidence.said_words import is_light, read
from clawgit.understanding.evidence.says_beyond import words_shared
from clawgit.understanding.evidence.taking_back import behind_opening

_CLAUSE = lazy_pattern(r"[,;!?:…]+(?:\s+|\Z)|(?<!\d)\.(?:\s+|\Z)|\s+[–-]\s+|\n+")
# What may be around the value in its clause.
_AROUND = words_in("""
no not it it's it’s its that's is was are were the a an on in at of by to for from since until right correct true as before after all again then i mean meant rather of course
nein doch es ist sind war waren der die das dem den am im um bis ab bei von zu richtig stimmt wie vorher so also natürlich wieder
no el la los las en a de del es son era eran al final como antes sí finalmente
non le la les l du de d des à au c'est c’est était bon juste comme avant finalement donc
""")
_STOPS = " .,:;!?"
_DAY = lazy_pattern(r"(?<!\d)\d{1,2}(?!\d)")
_CLOCK = lazy_pattern(r"\d{1,2}[:.]\d\d")


class SecondWord(NamedTuple):
    """The line that a second word makes of the line before it; ``is_plain``: nothing else is said beside it."""

    line: str
    is_plain: bool


def second_word(text: str, line: str, before: str = "") -> SecondWord | None:
    """Return the line that a message makes of the one just corrected from ``before``; None if it may be about something else."""
    own = own_text(text)
    rest = behind_opening(own)
    if not rest or not _is_stated(own):
        return None
    rest = with_whole_values(rest, line)
    clauses = list(filter(None, (each.strip(_STOPS + "¡") for each in _CLAUSE.split(rest))))
    old, now = _difference(before, line)
    made = ""
    reasons = []
    for clause in clauses:
        exchanged = before if old and _has_bare(clause, old, line) else _exchanged(clause, line, now)
        if exchanged and not made:
            made = exchanged
        elif read(clause).values or exchanged:
            return None
        else:
            reasons.append(clause)
    if not made or made == line:
        return None
    return SecondWord(made, all(_is_incidental(each, line) for each in reasons))


def _is_stated(text: str) -> bool:
    return {"", IS_PAST}.issuperset(map(no_statement, own_sentences(text)))


def line_with_value(statement: str, message: str) -> str:
    """Return a line with its only value of a kind replaced by a message's only one, else with that of the topic named; empty if unclear."""
    own = own_text(message)
    if row_statements(statement) != [statement] or not _is_stated(own):
        return ""
    text = with_whole_values(own, statement)
    pairs = []
    for gone in values_in(statement):
        for came in values_in(text):
            if may_give_way(gone, came) and not denies_value(came.text, text):
                pairs.append((gone, came))
    if len(pairs) > 1:
        pairs = [each for each in pairs if has_topic(text, statement, each[0])]
    if len(pairs) != 1:
        return ""
    line = _with(statement, *pairs[0])
    return line if redact(line) == line else ""


def may_give_way(gone: Value, came: Value) -> bool:
    """Say whether a value may replace another: the same kind, or a number beside a counted thing."""
    is_number = {gone.kind, came.kind} <= COUNTED and ValueKind.NUMBER in (gone.kind, came.kind)
    is_of_kind = gone.kind is came.kind or is_number
    return is_of_kind and gone.kind is not ValueKind.NAME and gone.text.casefold() != came.text.casefold()


def _difference(before: str, line: str) -> tuple[str, str]:
    """Return the words of the line before that another replaced, and the replaced ones of the line."""
    was, now = before.split(), line.split()
    first, behind = common_ends(was, now)
    old, new = was[first : len(was) - behind], now[first : len(now) - behind]
    return " ".join(old).strip(_STOPS), " ".join(new).strip(_STOPS)


def _is_bare(front: str, behind: str, line: str) -> bool:
    """Say whether a clause has only small words, and words of the line, around a value."""
    return _AROUND.union(words(line)).issuperset(words(f"{front} {behind}"))


def _has_bare(clause: str, value: str, line: str) -> bool:
    front, found, behind = f" {clause} ".casefold().partition(f" {value} ".casefold())
    return bool(found) and _is_bare(front, behind, line)


def _exchanged(clause: str, line: str, changed: str) -> str:
    """Return the line with the value that a bare clause has in place of one: the one just changed, else the only one of its kind."""
    for spoken in (clause, clause.casefold()):  # `980 I mean` is no name
        bare = []
        for each in values_in(spoken):
            if _is_bare(spoken[: each.start], spoken[each.end :], line):
                bare.append(each)
        if len(bare) != 1:
            continue
        giving = []
        for each in values_in(line):
            is_changed = bool(changed) and (each.text in changed or changed in each.text)
            if (
                may_give_way(each, bare[0])
                or _is_day_of(each, bare[0])
                or (is_changed and each.kind is bare[0].kind)
            ):
                giving.append((not is_changed, each.start, each))
        giving.sort()
        if giving and (len(giving) == 1 or (not giving[0][0] and giving[1][0])):
            return _with(line, giving[0][2], bare[0])
    return ""


def _is_day_of(gone: Value, came: Value) -> bool:
    """Say whether a bare number is another day of the same month: `el 23`."""
    return (
        gone.kind is ValueKind.DATE
        and _DAY.fullmatch(came.text) is not None
        and len(_DAY.findall(gone.text)) == 1
    )


def _with(line: str, gone: Value, came: Value) -> str:
    new = came.text
    if gone.kind in COUNTED:
        new = with_number(gone.text, new)
    for number in (_DAY, _CLOCK):
        if (
            number.fullmatch(new) and len(number.findall(gone.text)) == 1
        ):  # `18:45 Uhr` keeps its word, a date its month
            new = number.sub(new, gone.text)
    return line[: gone.start] + in_capitals(new, gone.text) + line[gone.end :]


def _is_incidental(clause: str, line: str) -> bool:
    """Say whether a clause says nothing of its own, or is about the line."""
    return (
        bool(words_shared(line, clause))
        or all(map(is_light, read(clause).items))
        or _AROUND.issuperset(words(clause))
    )
