"""Corrections by the operator's command, and by rules: one value of one entry, named in a sentence of his. Pure."""

from __future__ import annotations

from itertools import filterfalse
from operator import methodcaller
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.write_correction import EntryInFile, Verdict, exchange_in
from clawgit.memory.entries.statements import own_words_of, parted, without_order
from clawgit.memory.provenance.contrasts import (
    Around,
    contrasted,
    exchanged,
    without_adverb,
)
from clawgit.memory.provenance.readings import (
    SMALL,
    repeated_with_other_words,
    with_whole_values,
)
from clawgit.memory.trust import OPERATOR
from clawgit.text.comparing.similarity import is_close, words
from clawgit.text.comparing.subjects import shared_with, telling
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.word_lists import UNIT
from clawgit.understanding.corrections.fitted_line import (
    fitted_line,
    has_stale_weekday,
    limits,
    without_label,
)
from clawgit.understanding.evidence.check_edit import ProposedEdit, Spoken, ground_of
from clawgit.understanding.evidence.numbered_things import numbers_another
from clawgit.understanding.evidence.own_sentences import no_statement, own_sentences
from clawgit.understanding.evidence.said_words import CLAUSE, is_light, lacking, read, spelled
from clawgit.understanding.facts.same_statement import said_by_memory
from clawgit.understanding.forms.user_words import USER, as_remembered

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clawgit.understanding.evidence.said_words import Read


MOST_SHOWN = 60
MOST_LISTED = 8
_THIRD_PERSON = lazy_pattern(r"(?<=\w\w)s\b")
_ENTRY_ID = lazy_pattern(r"m:[0-9a-z]+")
_AROUND = " .,;:!?"
_ENDS = (".", "!", "。", "！")
SHORTEST_STATEMENT = 3  # words: fewer are a value, not a statement
SAME = 90  # minimal likeness of an entry to the old wording


class CorrectError(ClawgitError):
    """It is unclear which entry to correct, or to what."""


class UnsaidError(CorrectError):
    """No entry says it."""


def named(old: str, new: str, entries: Sequence[EntryInFile], entry: str | None) -> Verdict:
    """Return the correction of ``old`` to ``new``.

    Raises:
        CorrectError: There is nothing to correct, no such entry, or several different ones say ``old``.
    """
    was = folded(old)
    now = folded(new)
    if not was or not now:
        sentence = "Say what is wrong, and what is right instead."
        raise CorrectError(sentence, hint='`clawgit correct "OLD" "NEW"`.')
    if was == now:
        raise CorrectError("OLD and NEW are the same.", hint="Say as NEW what is right instead.")
    if entry is None and _ENTRY_ID.fullmatch(was):
        target = _entry(entries, was)
        whole = _instead_of_all(was, now, target)
        return Verdict(Status.APPLIED, target.parts.statement, whole, ((target, whole),))
    if entry is not None:
        return _of_entry(was, now, entries, entry.removeprefix("m:"))
    changed = [(target, then) for target in entries if (then := _then(target, was, now)) is not None]
    are_whole = is_whole(was) and is_whole(now)
    if not changed and are_whole:  # `I work at Bosch` is stored as `User works at Bosch`
        old = _bare(was)
        new = as_remembered(now)
        changed = [(target, new) for target in entries if _is_as_good_as(_bare(target.parts.statement), old)]
    if len({target.parts.statement for target, _ in changed}) > 1:
        sentence = f"{len(changed)} entries say so: {'; '.join(_shown(target) for target, _ in changed[:MOST_LISTED])}."
        raise CorrectError(sentence, hint="Name the one that is meant with --entry.")
    for target, then in changed:
        if is_only_value(then) and not is_only_value(target.parts.statement):
            sentence = f"{now[:MOST_SHOWN]!r} would be all that the line says."
            raise CorrectError(sentence, hint="Write the whole line as it is right, with a full stop.")
    if not changed and not are_whole:
        hint = "Search for what it says, or write both as whole sentences, with a full stop."
        raise UnsaidError(f"No entry says {was[:MOST_SHOWN]!r}.", hint=hint)
    if not changed:
        return Verdict(Status.LOGGED, was, now)
    target, then = changed[0]
    return Verdict(Status.APPLIED, target.parts.statement, then, tuple(changed))


def _of_entry(was: str, now: str, entries: Sequence[EntryInFile], entry_id: str) -> Verdict:
    target = _entry(entries, f"m:{entry_id}")
    statement = target.parts.statement
    is_said = was.casefold() in statement.casefold()
    then = _then(target, was, now)
    if then is None and not is_said:
        then = _instead_of_all(was, now, target)
    if then is None:
        sentence = f"{was[:MOST_SHOWN]!r} stands more than once in m:{entry_id}."
        raise CorrectError(sentence, hint="Write the whole statement, old and new.")
    return Verdict(Status.APPLIED, statement, then, ((target, then),))


def _entry(entries: Sequence[EntryInFile], name: str) -> EntryInFile:
    target = next((each for each in entries if f"m:{each.entry.entry_id}" == name), None)
    if target is None:
        raise CorrectError(f"There is no entry {name}.", hint="`clawgit memory list` shows the entries.")
    return target


def _instead_of_all(was: str, now: str, target: EntryInFile) -> str:
    """Return the new text for a whole entry; a single word would replace too much."""
    name = f"m:{target.entry.entry_id}"
    is_all, problem = is_whole(now), f"{name} does not say {was[:MOST_SHOWN]!r}."
    if was == name:
        is_all = is_line(now, target.parts.statement)
        problem = f"{now[:MOST_SHOWN]!r} would be all that {name} says."
    if not is_all:
        hint = (
            "Write what is wrong as the entry has it, or what is right as a whole sentence, with a full stop."
        )
        raise CorrectError(problem, hint=hint)
    return exchange_in(target, parted(now).statement).statement


def is_about_another(old: str, new: str) -> bool:
    """Say whether a line has none of a new one's telling words, or less than a quarter of them."""
    now = telling(new)
    shared = shared_with(now, telling(old))
    return not shared or 4 * len(shared) < len(now)


def is_whole(text: str) -> bool:
    """Say whether it is a statement: enough words, or a sentence's end (Korean has fewer words)."""
    return len(words(text)) > SHORTEST_STATEMENT or text.endswith(_ENDS)


def is_line(new: str, old: str) -> bool:
    """Say whether it can replace all of the line ``old``: a sentence of its length, or a remainder of it, but no value."""
    if is_only_value(new) and not is_only_value(old):
        return False
    if is_whole(new):
        return True
    return len(words(new)) >= len(words(old)) or (len(words(new)) > 1 and new in old and not is_whole(old))


def is_only_value(text: str) -> bool:
    """Say whether a text is one value with small words around it (`am Dienstag`), without a subject."""
    values = values_in(text)
    if len(values) != 1 or values[0].kind is ValueKind.NAME:
        return False
    return SMALL.issuperset(words(text[: values[0].start] + text[values[0].end :]))


def _then(target: EntryInFile, was: str, now: str) -> str | None:
    """Return the entry's new text, None if it does not say ``was``."""
    statement = target.parts.statement
    then = _statement_then(statement, was, now)
    return None if then is None else exchange_in(target, then).statement


def _statement_then(statement: str, was: str, now: str) -> str | None:
    new = parted(now).statement
    if _is_as_good_as(statement, parted(was).statement):
        return new
    is_one_of_several = " " in was and was.endswith(_ENDS)  # `Dr.` is not a sentence
    if is_one_of_several and not now.endswith(_ENDS) and not statement.endswith(was):
        now += was[-1]
    then = exchanged(statement, was, now)
    if then is None:
        return None
    is_ended = now.endswith(_ENDS)
    is_twice = _says_twice(statement, was, now)
    is_sentence = is_ended and len(words(now)) > SHORTEST_STATEMENT and not is_whole(was)
    if is_sentence or (is_ended and is_twice):
        return new  # else a whole line would be inserted into another in place of a few words
    if is_twice:
        sentence = f"{now[:MOST_SHOWN]!r} says again what is around {was[:MOST_SHOWN]!r} in {statement[:MOST_SHOWN]!r}."
        hint = "Write as NEW what replaces OLD alone, or the whole line as it is right, with a full stop."
        raise CorrectError(sentence, hint=hint)
    return then


def _says_twice(statement: str, was: str, now: str) -> bool:
    """Say whether ``now`` has more words than ``was``, and some of the line's others: `rent is 1000` for `rent` of `Rent is 980`."""
    rest = exchanged(statement, was, "\0") or ""
    goes_further = words(now)[: len(words(was))] == words(was)  # `Bosch in Ulm`
    if (
        len(words(now)) > len(words(was)) + 1
        and not goes_further
        and shared_with(telling(now), telling(rest))
    ):
        return True
    head, _, tail = rest.partition("\0")
    before = words(head)
    longer = [*words(was), *words(tail)[:1]]
    new = words(now)
    goes_on = len(longer) > len(words(was)) and new[: len(longer)] == longer
    return goes_on or (len(before) > 1 and new[: len(before)] == before)


def _bare(text: str) -> str:
    """Return a statement without the difference of `I work` and `User works`."""
    return _THIRD_PERSON.sub("", said_by_memory(text))


def _is_as_good_as(one: str, other: str) -> bool:
    return one == other or is_close(one, other, SAME)


def _shown(target: EntryInFile) -> str:
    mark = f"{target.path}:{target.entry.first + 1}"
    if target.entry.entry_id:
        mark = f"m:{target.entry.entry_id}"
    return f"{mark} {target.parts.statement.rstrip('.')}"


class Exchanged(NamedTuple):
    """An entry, its text with the one value of a message, and the sentences with that value."""

    held: EntryInFile
    statement: str
    quote: str
    is_contrast: bool = False  # the sentence sets the new words against the old ones

    def says_no_more(self) -> bool:
        """Say whether the sentences say nothing beside the entry and its new value."""
        old = self.held.parts.statement
        return _is_small(lacking(self._said(), read(old), read(self.statement), read(self.held.about)))

    def is_all_but_value(self) -> bool:
        """Say whether sentences and entry differ in one value only: same group, speaker, year and condition."""
        return self.says_no_more() and _is_small(lacking(read(self.statement), self._said()))

    def _said(self) -> Read:
        return read(with_whole_values(without_adverb(self.quote), self.held.parts.statement))


def _is_small(words: Iterable[str]) -> bool:
    return all(is_light(word) or UNIT.fullmatch(word) for word in words)


def one_value_changed(spoken: Spoken, entries: Sequence[EntryInFile]) -> list[Exchanged]:
    """Return the entries with one value corrected in the operator's own words, none with several possible results."""
    sentences = own_sentences(spoken.text)
    text = " ".join(sentences)
    changes: list[Exchanged] = []
    for target in entries:
        old = target.parts.statement
        if not any(word in text.casefold() for word in words(old) if word not in SMALL):
            continue  # values are read only in entries whose old value or subject is in the message
        exchanges = _contrasted(target, sentences, spoken)
        if not exchanges:
            own = own_words_of(old)
            line = fitted_line(own, text, target.about)
            if line and own != old:  # not the operator's literal words: no quotation marks
                line = f"{USER}: {line}"
            ground = ground_of(ProposedEdit(old, line, about=target.about), spoken)
            if line and ground.level == OPERATOR:
                exchanges.append(Exchanged(target, line, ground.quote))
        changes += exchanges
    plain = []
    for each in changes:
        old = each.held.parts.statement
        is_of_another = numbers_another(text, old, new=each.statement)
        is_of_a_day = has_stale_weekday(old, each.statement, text)
        is_limited = limits(each.quote, f"{old} {each.held.about}", each.statement)
        if not (is_of_another or is_of_a_day or is_limited):
            plain.append(each)
    return plain


def _contrasted(target: EntryInFile, sentences: Sequence[str], spoken: Spoken) -> list[Exchanged]:
    """Return the entry with the words that a sentence contrasts with its own, if the result can be a reading."""
    old = target.parts.statement
    changes = []
    for sentence in sentences:
        own = without_order(without_label(sentence))
        contrast = contrasted(old, own, Around(target.about, is_light))
        line = contrast or repeated_with_other_words(old, own)
        if (
            line
            and not no_statement(sentence)
            and ground_of(ProposedEdit(old, line, sentence, target.about), spoken).level == OPERATOR
        ):
            changes.append(Exchanged(target, line, sentence, bool(contrast)))
    return changes


def no_longer_said(old: str, new: str) -> list[str]:
    """Return the parts of a line that a new one lacks, else the values and words that it drops if it has fewer; empty if all is reworded."""
    was = read(old)
    now = read(new)
    gone = lacking(was, now)
    came = lacking(now, was)
    dropped, is_all = _parts_of(spelled(old), gone)
    added, _ = _parts_of(spelled(new), came)
    values = list(filter(_is_value, dropped))
    if len(values) <= len(list(filter(_is_value, added))):  # `(30)` and `(34)`: a value for a value
        dropped = list(filterfalse(_is_value, dropped))
    if is_all or (not dropped and len(gone) <= len(came)):
        return []
    if dropped:
        return list(map(methodcaller("strip", _AROUND), dropped))
    return list(filterfalse(is_light, gone))


def _parts_of(text: str, missing: Sequence[str]) -> tuple[list[str], bool]:
    """Return the parts of a text all of whose values and words are ``missing``, neighbours joined; and whether all are."""
    parts: list[str] = []
    is_all = True
    start, last = 0, -1  # the part's start, and the end of the missing part before
    for end in (*map(methodcaller("start"), CLAUSE.finditer(text)), len(text)):
        part = text[start:end]
        items = read(part).items
        if items and not set(items) <= set(missing):
            is_all = False
        elif items:
            if last == start:
                part = parts.pop() + part
            parts.append(part)
            last = end
        start = end
    return parts, is_all


def _is_value(part: str) -> bool:
    return not read(part).words
