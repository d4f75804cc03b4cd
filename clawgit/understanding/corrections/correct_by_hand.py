"""What the operator sets right by hand, and what rules alone may: one value of one entry, which a sentence of his names. Pure."""

from __future__ import annotations

import re
import shlex
from datetime import date
from itertools import filterfalse, product
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.write_correction import Held, Verdict, exchange_in
from clawgit.memory.entries.entries import Entry
from clawgit.memory.entries.statements import parted, sentences_of, which_is_meant
from clawgit.memory.provenance.readings import (
    changes_one_value,
    denies_value,
    own_words_of,
    value_exchanged,
    with_unit,
    with_whole_values,
)
from clawgit.memory.trust import OPERATOR
from clawgit.text.comparing.similarity import is_close, words
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import BOUND, ValueKind, values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.text.words.stopwords import ENGLISH, GERMAN, languages_of
from clawgit.text.words.word_lists import SPACED
from clawgit.understanding.evidence.check_edit import Proposal, Spoken, ground_of
from clawgit.understanding.evidence.orders_to_forget import to_forget
from clawgit.understanding.evidence.own_sentences import clauses, denies, no_statement, own_sentences
from clawgit.understanding.evidence.said_values import may_replace
from clawgit.understanding.evidence.said_words import Read, is_light, lacking, names_another_thing, read
from clawgit.understanding.evidence.says_beyond import exchanges, is_bare, telling_sentences
from clawgit.understanding.evidence.sentence_signs import BESIDES
from clawgit.understanding.facts.keepable_sentences import leans_on_talk, stated_in
from clawgit.understanding.facts.same_statement import said_by_memory
from clawgit.understanding.forms import sentence_forms as forms
from clawgit.understanding.forms.user_words import as_remembered
from clawgit.understanding.triage.triage_message import triage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clawgit.text.comparing.value_kinds import Value

MOST_SHOWN = 60
MOST_OF_A_CUE = 6  # words: `no, you have that wrong`
_SMALL = ENGLISH | GERMAN
_ANY_DAY = date.min.replace(year=2000)
_CLAUSE = lazy_pattern(r"[,:;]\s+|[，：；]")
_ADVERB = lazy_pattern(
    r"(?i)^(?:(?:(?:actually|nope|nein|doch|oh wait|wait)\b[,:]?|(?:no|non)[,:])\s+)+|^(?:不对|不，|아니)[，, ]*"
)
MOST_LISTED = 8
_THIRD_PERSON = lazy_pattern(r"(?<=\w\w)s\b")
_BOUND = lazy_pattern(rf"\b(?:{BOUND})\b")
_ENTRY_ID = lazy_pattern(r"m:[0-9a-z]+")
_ENDS = (".", "!", "。", "！")
_STOPS = " .!。！"
_NUMBER = lazy_pattern(r"(?P<number>\d+(?:[.,:]\d+)*)(?! ?[ap]\.?m\b)[^\d]*")
_SIGN = lazy_pattern(r"[.,:]")
_MEANING = itemgetter(slice(3))  # of a value, without the half of the day
SHORTEST_STATEMENT = 3  # words: less is a value, not a statement
MOST_EXCHANGED = 4  # words that take the place of others
_NOT_SO = lazy_pattern(
    r"(?P<said>.+?)(?:\s*[,;–—]+\s*|\s+)(?:(?i:and|und|y|et) )?(?i:not|nicht|no|pas|non) (?P<old>[^,;.!?–—]+?)[\s.!]*$"
)
SAME = 90  # how alike a statement must be to the one that is named


class CorrectError(ClawgitError):
    """It cannot be told what is to be set right, or as what."""


def named(old: str, new: str, entries: Sequence[Held], entry: str | None) -> Verdict:
    """Return what is to be done where the operator says that ``new`` is right, and ``old`` was wrong.

    Raises:
        CorrectError: There is nothing to say, no such entry, or several different ones say ``old``.
    """
    was, now = folded(old), folded(new)
    if not was or not now:
        raise CorrectError(
            "Say what is wrong, and what is right instead.", hint='`clawgit correct "OLD" "NEW"`.'
        )
    if was == now:
        raise CorrectError("OLD and NEW are the same.", hint="Say as NEW what is right instead.")
    if entry is None and _ENTRY_ID.fullmatch(was):
        held = _entry(entries, was)
        whole = _instead_of_all(was, now, held)
        return Verdict(Status.APPLIED, held.parts.statement, whole, ((held, whole),))
    if entry is not None:
        return _of_entry(was, now, entries, entry.removeprefix("m:"))
    changed = [(held, then) for held in entries if (then := _then(held, was, now)) is not None]
    if (
        not changed and is_whole(was) and is_whole(now)
    ):  # `I work at Bosch` is remembered as `User works at Bosch`
        old, new = _bare(was), as_remembered(now)
        changed = [(held, new) for held in entries if _is_as_good_as(_bare(held.parts.statement), old)]
    if len({held.parts.statement for held, _ in changed}) > 1:
        raise CorrectError(
            f"{len(changed)} entries say so: {'; '.join(_shown(held) for held, _ in changed[:MOST_LISTED])}.",
            hint="Name the one that is meant with --entry.",
        )
    if not changed and not (is_whole(was) and is_whole(now)):
        raise CorrectError(
            f"No entry says {was[:MOST_SHOWN]!r}.",
            hint="Search for what it says, or write both as whole sentences, with a full stop.",
        )
    if not changed:
        return Verdict(Status.LOGGED, was, now)
    held, then = changed[0]
    return Verdict(Status.APPLIED, held.parts.statement, then, tuple(changed))


def _of_entry(was: str, now: str, entries: Sequence[Held], entry_id: str) -> Verdict:
    held = _entry(entries, f"m:{entry_id}")
    statement = held.parts.statement
    is_said = was.casefold() in statement.casefold()
    then = _then(held, was, now)
    if then is None and not is_said:
        then = _instead_of_all(was, now, held)
    if then is None:
        raise CorrectError(
            f"{was[:MOST_SHOWN]!r} stands more than once in m:{entry_id}.",
            hint="Write the whole statement, old and new.",
        )
    return Verdict(Status.APPLIED, statement, then, ((held, then),))


def _entry(entries: Sequence[Held], name: str) -> Held:
    """Return the entry with the id ``name`` (`m:…`)."""
    held = next((each for each in entries if f"m:{each.entry.entry_id}" == name), None)
    if held is None:
        raise CorrectError(f"There is no entry {name}.", hint="`clawgit memory list` shows the entries.")
    return held


def _instead_of_all(was: str, now: str, held: Held) -> str:
    """Return what an entry says in place of all that it said; a single word would leave nothing of it."""
    if not is_whole(now):
        name = f"m:{held.entry.entry_id}"
        raise CorrectError(
            f"{now[:MOST_SHOWN]!r} would be all that {name} says."
            if was == name
            else f"{name} does not say {was[:MOST_SHOWN]!r}.",
            hint="Write what is wrong as the entry has it, or what is right as a whole sentence.",
        )
    return exchange_in(held, parted(now).statement).statement


def is_whole(text: str) -> bool:
    """Say whether it is a statement: it has so many words, or ends as a sentence does (Korean has fewer)."""
    return len(words(text)) > SHORTEST_STATEMENT or text.endswith(_ENDS)


def _then(held: Held, was: str, now: str) -> str | None:
    """Return what the entry says then, None where it does not say ``was``; of its lines only the one that says it gives way."""
    statement = held.parts.statement
    changed = []
    for line in held.entry.lines:
        own = parted(line).statement
        then = _statement_then(own, was, now)
        if then is not None:
            changed.append((own, then))
    if len(changed) == 1:
        return statement.replace(*changed[0], 1)
    then = _statement_then(statement, was, now)
    return None if then is None else exchange_in(held, then).statement


def _statement_then(statement: str, was: str, now: str) -> str | None:
    new = parted(now).statement
    if _is_as_good_as(statement, parted(was).statement):
        return new
    then = exchanged(statement, was, now)
    is_sentence = len(words(now)) > SHORTEST_STATEMENT and now.endswith(_ENDS)
    if then is not None and ((is_sentence and not is_whole(was)) or _says_the_rest(statement, was, now)):
        return new  # in the place of a few words, a whole line would stand inside of another
    return then


def _says_the_rest(statement: str, was: str, now: str) -> bool:
    """Say whether ``now`` has most of the words that ``statement`` has beside ``was``, and so is the whole line."""
    rest = words(exchanged(statement, was, "") or "")
    said = set(words(now))
    return 2 * sum(map(said.__contains__, rest)) > len(rest)


def _bare(text: str) -> str:
    """Return a statement without what tells `I work` from `User works`."""
    return _THIRD_PERSON.sub("", said_by_memory(text))


def _is_as_good_as(one: str, other: str) -> bool:
    return one == other or is_close(one, other, SAME)


def _shown(held: Held) -> str:
    mark = f"m:{held.entry.entry_id}" if held.entry.entry_id else f"{held.path}:{held.entry.first + 1}"
    return f"{mark} {held.parts.statement.rstrip('.')}"


def exchanged(said: str, old: str, new: str) -> str | None:
    """Return ``said`` with ``new`` where ``old`` is as whole words; None where it is nowhere, or twice."""
    place = _place_of(said, old)
    if place is None or _place_of(said[place[1] :], old) is not None:
        return None
    return said[: place[0]] + new + said[place[1] :]


def _place_of(said: str, old: str) -> tuple[int, int] | None:
    """Return where ``old`` is in ``said`` as whole words, in any case."""
    if not old:
        return None
    edge = rf"(?<!{SPACED})" if old[0].isascii() else ""
    other = rf"(?!{SPACED})" if old[-1].isascii() else ""
    match = re.search(edge + re.escape(old) + other, said, re.IGNORECASE)
    return match.span() if match else None


class Exchanged(NamedTuple):
    """An entry, what it says with the one value that a message names, and the sentences that name it."""

    held: Held
    statement: str
    quote: str

    @property
    def only_denies_old(self) -> bool:
        """Say whether the sentences say of the value that gave way that it is not so, and nothing that the entry does not say."""
        old = self.held.parts.statement
        values = value_exchanged(old, self.statement)
        quote = with_whole_values(self.quote, old)
        if values is None or not denies_value(values[0].text, quote):
            return False
        besides = lacking(read(quote, _ANY_DAY), read(old, _ANY_DAY), read(self.statement, _ANY_DAY))
        return all(map(is_light, besides))


def one_value_changed(spoken: Spoken, entries: Sequence[Held]) -> list[Exchanged]:
    """Return the entries that a message corrects in one value by the operator's own word, but none that it may have say two things."""
    sentences = own_sentences(spoken.text)
    told = " ".join(sentences)
    found: list[Exchanged] = []
    for held in entries:
        old = held.parts.statement
        if not _shares_word(old, told.casefold()):
            continue  # values are read of few: it names the old one, or what the entry is about
        own = _own_lines(held, told, spoken)
        if len(own) == 1 and _is_of_it(old, told, own[0], spoken.on):
            found += own
        elif not own:
            found += _contrasted(held, sentences, spoken)
    return found


def _shares_word(statement: str, told: str) -> bool:
    return any(word in told for word in words(statement) if word not in _SMALL)


def _own_lines(held: Held, told: str, spoken: Spoken) -> list[Exchanged]:
    """Return what an entry says with another value of a message, where that is the operator's own word."""
    old = held.parts.statement
    lines = []
    for line in with_other_value(old, told):
        ground = ground_of(Proposal(old, line), spoken)
        if ground.level == OPERATOR:
            lines.append(Exchanged(held, line, ground.quote))
    return lines


def _contrasted(held: Held, sentences: Sequence[str], spoken: Spoken) -> list[Exchanged]:
    """Return the entry with the words that a sentence puts in the place of others, where what it says is fit to be a reading."""
    old = held.parts.statement
    found = []
    for sentence in sentences:
        line = with_other_words(old, sentence)
        if line and not no_statement(sentence) and ground_of(Proposal(old, line, sentence), spoken).level:
            found.append(Exchanged(held, line, sentence))
    return found


def with_other_words(statement: str, sentence: str) -> str:
    """Return a statement as a sentence says it again that ends in what is not so (`our van is green, not white`), else empty."""
    denied = _NOT_SO.match(sentence)
    words = own_words_of(statement)
    place = _place_of(words, denied["old"]) if denied else None
    if denied is None or place is None or exchanged(words, denied["old"], "") is None:
        return ""
    before, behind = words[: place[0]].rstrip(), words[place[1] :].strip(" .!")
    again = rf"(?P<lead>(?:.*\W)?){re.escape(before)}\s+(?P<new>[^,;:]+?)(?:\s+{re.escape(behind)})?"
    said = re.fullmatch(again, denied["said"], re.IGNORECASE)
    if said is None or not before or len(said["new"].split()) > MOST_EXCHANGED:
        return ""
    anyday = date.min.replace(year=2000)
    if read(said["lead"], anyday).items or not read(before, anyday).items:
        return ""
    return words[: place[0]] + said["new"] + words[place[1] :]


def _is_all_said(old: str, changed: Exchanged, on: date) -> bool:
    """Say whether a message names the old value, or says nothing more of it, nor that it holds as well: `the test API` is another than the API, `tomorrow` one day."""
    stated = set(words(changed.statement))
    nearest = max(changed.quote.split("; "), key=lambda part: len(stated & set(words(part))))
    said = forms.FROM_NOW_ON.sub("", with_whole_values(nearest, old))
    was, now, spoken = (read(text, on) for text in (old, changed.statement, said))
    gone = lacking(was, now)
    if gone and not set(gone) & set(lacking(was, spoken)):
        return True
    if BESIDES.search(said.lower()):
        return False
    return all(is_light(word) for word in lacking(spoken, was, now))


def _is_of_it(old: str, told: str, changed: Exchanged, on: date) -> bool:
    """Say whether a message is plainly about an entry, and gives it one value: `this week` or a second one is for a reader."""
    quote = forms.FROM_NOW_ON.sub("", with_whole_values(changed.quote, old))
    was, now = (read(text, on) for text in (old, changed.statement))
    for clause in _clauses_with(quote, changed, on):
        spoken = read(clause, on)
        if {value.shown for value in spoken.values}.intersection(lacking(spoken, was, now)):
            return False
    both = [*values_in(old), *values_in(changed.statement)]
    kinds = {value.kind for value in both} - {ValueKind.NAME}
    texts = {value.text.casefold() for value in both}
    if any(each.kind in kinds and each.text.casefold() not in texts for each in values_in(quote)):
        return False
    values = value_exchanged(old, changed.statement)
    if values is not None and _bounds_of(values[0]) != _bounds_of(values[1]):
        return False  # `went up to 720` is not up to 720
    return _is_all_said(old, changed, on) and not _is_of_another(old, told, changed)


def _clauses_with(quote: str, changed: Exchanged, on: date) -> list[str]:
    """Return the clauses of a message that have the new value."""
    now = read(changed.statement, on)
    came = lacking(now, read(changed.held.parts.statement, on))
    found = []
    for clause in clauses(quote):
        if set(lacking(now, read(clause, on))).isdisjoint(came):
            found.append(clause)
    return found


def _bounds_of(value: Value) -> tuple[str, ...]:
    return tuple(_BOUND.findall(value.text.lower()))


def _is_of_another(old: str, told: str, changed: Exchanged) -> bool:
    """Say whether a message names something else than the entry: another site than the staging site, Nora's concert and not her swimming."""
    was, now = (read(text, _ANY_DAY) for text in (old, changed.statement))
    gone = lacking(was, now)
    about = [word for word in was.words if word not in gone and not is_light(word)]
    is_begun = not about or not lacking(read(about[0], _ANY_DAY), read(told, _ANY_DAY))
    for clause in _clauses_with(with_whole_values(changed.quote, old), changed, _ANY_DAY):
        if names_another_thing(clause, old):
            return True
        besides = list(filterfalse(is_light, lacking(read(clause, _ANY_DAY), was, now)))
        unsaid = lacking(read(" ".join(about), _ANY_DAY), read(clause, _ANY_DAY))
        is_less = bool(unsaid) and len(about) - len(unsaid) <= len(besides)
        if besides and (is_less or not is_begun):
            return True
    return False


def with_other_value(statement: str, told: str, *, is_of_it: bool = False) -> Iterator[str]:
    """Yield a statement with one of its values replaced by one of its kind that somebody told; ``is_of_it``: whatever else he named."""
    words = own_words_of(statement)
    lead = "" if words == statement else "User: "  # he did not say it so: no quotation marks
    for gone in values_in(words):
        for came in values_in(with_whole_values(told, words)):
            if came.kind is gone.kind and came.text != gone.text:
                line = lead + words[: gone.start] + came.text + words[gone.end :]
                named = told
                if is_of_it:
                    named += "\n" + words[: gone.start] + words[gone.end :]
                if changes_one_value(statement, line, named):
                    yield line


def link_commands(link: str, statement: str, said: str) -> tuple[str, ...]:
    """Return the commands that do to a linked line what the words say, and at last what says that they are no correction.

    Where it is not plain that one value gives way, both lines may stand: then the words can be remembered beside it, but what
    begins like a correction is offered as one first.
    """
    rejected = f"clawgit reject {link}"
    unwanted = to_forget(said)
    about = subject(unwanted)
    if unwanted and 2 * len(about & subject(statement)) > len(about):
        sentences = sentences_of(statement)
        meant = which_is_meant(unwanted, sentences)
        line = statement if meant is None else sentences[meant.number]
        return f"clawgit forget {shlex.quote(line)}", rejected
    line = likely_line(statement, said)
    remembered = remember_command(said)
    is_correction = any(_without_cue(each) != each for each in own_sentences(said))
    is_plain = line != BLANK
    corrected = f"clawgit correct {link} {line}"
    if is_plain or unwanted or not remembered:
        return corrected, rejected
    if is_correction:
        return corrected, remembered, rejected
    return remembered, corrected, rejected


def remember_command(said: str) -> str:
    """Return the command that keeps what a message states, without a cue such as `you have that wrong:`; empty where it states nothing."""
    stated = stated_in(said)
    valued = [each for each in telling_sentences(said) if _has_value(each)]
    own = []
    for sentence in own_sentences(said):
        if sentence not in stated and sentence not in valued:
            continue
        bare = _without_cue(sentence)
        if not is_bare(bare) and (bare == sentence or not leans_on_talk(bare)):
            own.append(bare)
    kept = " ".join(own)
    return f"clawgit remember {in_shell(kept)}" if kept else ""


def _has_value(sentence: str) -> bool:
    return bool(read(sentence, _ANY_DAY).values)


def _without_cue(sentence: str) -> str:
    """Return a sentence without the cue of a correction before it."""
    bare = _ADVERB.sub("", sentence)
    for end in _CLAUSE.finditer(bare):
        cue = bare[: end.start()]
        if len(words(cue)) > MOST_OF_A_CUE or _has_value(cue) or triage(cue).validator is None:
            break
        rest = bare[end.end() :]
        if is_whole(rest) and read(rest, _ANY_DAY).items:  # `by the way.` says nothing
            bare = rest
            break
    return bare


def in_shell(sentence: str) -> str:
    """Return a sentence for a shell: one with an apostrophe in double quotes, where no other sign of it means something there."""
    if "'" in sentence and not set('"$`\\!').intersection(sentence):
        return f'"{sentence}"'
    return shlex.quote(sentence)


BLANK = '"NEW LINE"'  # to be filled in


def likely_line(statement: str, said: str) -> str:
    """Return what a line should say because of a message, quoted for a shell; else a blank.

    Rules would set it right, a sentence says all of it with other values or denies how it ends and ends otherwise, or the
    message has one other value of its kind and says that of nothing else.
    """
    said = with_unit(said, own_words_of(statement))
    spoken = Spoken(said, _ANY_DAY)
    changes = one_value_changed(spoken, [Held("", Entry(None, statement, None, 0, 1, 1))])
    lines = {each.statement for each in changes} or set(_said_again(statement, said))
    lines = lines or set(_ended_otherwise(statement, said))
    lines = lines or set(_with_number_exchanged(statement, said))
    lines = lines or set(_with_other_value_alone(statement, spoken))
    line = lines.pop() if len(lines) == 1 else ""
    if not line or redact(line) != line:
        return BLANK
    return in_shell(line)


def _said_again(statement: str, said: str) -> Iterator[str]:
    """Yield the sentences that have each word of a statement, and other values."""
    was = read(statement, _ANY_DAY)
    values = {value.shown for value in was.values}
    for sentence in telling_sentences(said):
        line = folded(forms.FROM_NOW_ON.sub("", _without_cue(sentence)))
        now = read(line, _ANY_DAY)
        gone = lacking(was, now)
        if (
            gone
            and denies(line)
            == denies(statement)  # `Mondays, not Tuesdays` is not all of `Tuesdays and Thursdays`
            and values.issuperset(gone)
            and len(now.values) >= len(was.values)
            and all(map(is_light, _besides(line, was)))
        ):
            yield line[:1].upper() + line[1:] if statement[:1].isupper() else line


def _ended_otherwise(statement: str, said: str) -> Iterator[str]:
    """Yield a statement that ends as a message does which denies how it ends: `she is not allergic to X, she is allergic to Y`."""
    line = own_words_of(statement)
    words = _pieces(line)
    end = line[len(line.rstrip(_STOPS)) :]
    for sentence in own_sentences(said):
        parts = clauses(sentence)
        denying = list(filter(denies, parts))
        telling = filterfalse(denies, parts)
        for part, at in product(telling, range(max(2, len(words) - MOST_EXCHANGED), len(words))):
            old = _joined(words[at:])
            lead = [word.lower() for word in words[at - 2 : at]]
            again = _pieces(part)
            place = _end_of(lead, again)
            is_denied = any(_place_of(clause, old) for clause in denying)
            if place is None or not is_denied or not _is_begun(line, _joined(again[:place])):
                continue
            new = again[place:]
            written = _place_of(sentence, _joined(new))
            if written is not None and " " in line:
                new = sentence[slice(*written)].split()
            if len(new) <= MOST_EXCHANGED and _place_of(_joined(new), old) is None:
                yield _joined([*words[:at], *new]) + end
                break


def _with_number_exchanged(statement: str, said: str) -> Iterator[str]:
    """Yield a statement with the number that a message names as gone: `30 Minuten statt 20`.

    None where the line would say another value then, or the message tells that of something else.
    """
    if _tells_of_another(statement, said):
        return
    for came, its in exchanges(said, statement, _ANY_DAY):
        new = _NUMBER.fullmatch(came.shown.strip(_STOPS))
        old = _NUMBER.fullmatch(its.shown.strip(_STOPS))
        if new is None or old is None:
            continue
        if not set(_SIGN.findall(new["number"])) <= set(_SIGN.findall(old["number"])):
            continue  # `1.240 Euro` are not `1,240 euros` to everybody
        place = rf"(?<!\d){re.escape(old['number'])}(?!\d)"
        line, times = re.subn(place, new["number"], statement)
        meant = set(map(_MEANING, came.meanings))
        if times != 1 or (came.kinds == {"t"} and len(meant) > 1):
            continue  # `at 3:45` may be in the night
        if any(set(map(_MEANING, each.meanings)) == meant for each in read(line, _ANY_DAY).values):
            yield line


def _tells_of_another(statement: str, said: str) -> bool:
    """Say whether a message in a statement's language has none of its words, or another name: `Ben's birthday` beside Anna's."""
    was = read(statement, _ANY_DAY)
    told = read(said, _ANY_DAY)
    is_of_one = languages_of(was.plain.split()) == languages_of(told.plain.split())
    if not (is_of_one and was.latin and told.latin):
        return False
    strange = set(lacking(told, was))
    telling = set(filterfalse(is_light, told.words))
    is_named = not told.is_german and not strange.isdisjoint(told.names)
    return is_named or (bool(telling) and strange >= telling)


def _is_begun(statement: str, begin: str) -> bool:
    """Say whether a sentence begins with telling words, all of them of a statement."""
    told = read(begin, _ANY_DAY)
    return bool(told.items) and not lacking(told, read(statement, _ANY_DAY))


def _pieces(text: str) -> list[str]:
    """Return the words of a text, or its characters where no space parts them."""
    bare = text.rstrip(_STOPS)
    if " " in bare:
        return bare.split()
    return list(bare)


def _joined(pieces: Sequence[str]) -> str:
    if len("".join(pieces)) == len(pieces):
        return "".join(pieces)
    return " ".join(pieces)


def _end_of(part: Sequence[str], whole: Sequence[str]) -> int | None:
    """Return where ``part`` ends in ``whole``, which goes on behind it."""
    for end in range(len(part), len(whole)):
        if list(whole[end - len(part) : end]) == list(part):
            return end
    return None


def _with_other_value_alone(statement: str, spoken: Spoken) -> Iterator[str]:
    """Yield a statement with the only value of a message that may be in it, where nothing else stands beside that value."""
    told = with_whole_values(" ".join(own_sentences(spoken.text)), statement)
    was = read(statement, _ANY_DAY)
    heard = read(told, _ANY_DAY)
    for line in with_other_value(statement, told, is_of_it=True):
        values = value_exchanged(statement, line)
        ground = ground_of(Proposal(statement, line), spoken)
        if values is None or values[0].kind is ValueKind.NAME or not ground.level:
            continue
        if _bounds_of(values[0]) != _bounds_of(values[1]):
            continue
        change = Exchanged(Held("", Entry(None, statement, None, 0, 1, 1)), line, told)
        now = read(line, _ANY_DAY)
        others = set(lacking(heard, was, now))
        is_one = True
        for value, old in product(heard.values, was.values):
            if value.shown in others and may_replace(value, old):
                is_one = False
        besides = []
        for clause in _clauses_with(told, change, _ANY_DAY):
            besides += _besides(clause, was, now)
        unsaid = set(lacking(was, heard))
        is_whole_or_none = unsaid <= set(lacking(was, now)) or unsaid.issuperset(was.items)
        if is_one and (not besides or (is_whole_or_none and all(map(is_light, besides)))):
            yield line


def _besides(text: str, *sources: Read) -> list[str]:
    """Return the telling words of a text that no source has; its values are none."""
    told = read(text, _ANY_DAY)
    values = {value.shown for value in told.values}
    return [word for word in lacking(told, *sources) if word not in values]
