"""Commands to paste beside a message: the corrected line, and the ways to keep or drop it. Pure."""

from __future__ import annotations

import shlex
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.write_correction import EntryInFile
from clawgit.memory.entries.entries import Entry
from clawgit.memory.entries.statements import (
    ASKED,
    above_cells,
    cells_of,
    own_words_of,
    row_saying,
    row_statements,
    sentences_of,
    which_is_meant,
    without_order,
)
from clawgit.memory.provenance.contrasts import without_adverb
from clawgit.memory.provenance.readings import value_exchanged, with_unit
from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.subjects import subject
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.secrets import holds_a_secret, redact
from clawgit.understanding.corrections.correct_by_hand import one_value_changed
from clawgit.understanding.corrections.fitted_line import (
    fitted_line,
    has_stale_weekday,
    line_said_whole,
    with_hours_as_in,
)
from clawgit.understanding.evidence.check_edit import Spoken
from clawgit.understanding.evidence.orders_to_forget import (
    behind_forgetting,
    to_forget_at_last,
)
from clawgit.understanding.evidence.own_sentences import denied, own_sentences
from clawgit.understanding.evidence.said_words import ANY_DAY, NOT, read
from clawgit.understanding.evidence.says_beyond import (
    FEWEST_SHARED,
    denies_of,
    has_one,
    is_bare,
    repeats_value,
    replaces_value,
    says_beyond,
    shared_words,
    telling_sentences,
    words_shared,
)
from clawgit.understanding.evidence.taking_back import behind_opening, is_of_before, still_said
from clawgit.understanding.facts.keepable_sentences import (
    begins_with_pronoun,
    leans_on_talk,
    stated_in,
    wishes,
)
from clawgit.understanding.triage.triage_message import triage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clawgit.memory.corrections.correction_log import Correction

SHOW = "clawgit pending show"
_ANY_MORE = lazy_pattern(r"(?i)\A\s*(?:mehr|länger|longer)\b|\b(?:any ?more|any longer)\b")
_DECIMAL = lazy_pattern(r"(?<![\d.,])(\d+)([.,])(\d\d)(?![.,]?\d)")


def link_commands(link: str, statement: str, message: str, turn: str = "") -> tuple[str, ...]:
    """Return the commands that apply the message to a linked line, the last one says that it is not a correction.

    A line that the message may make is offered whole, as `chat add` does. If the replaced value is unclear, both lines may hold:
    then one command remembers the words beside the line; words of a correction are offered as one first.
    """
    rejected = f"clawgit reject {link}"
    unwanted_line = _line_unwanted(statement, message)
    if unwanted_line:
        return f"clawgit forget {shlex.quote(unwanted_line)}", rejected
    if line_of_yes(statement, message, turn):
        return f"clawgit approve {link}", rejected
    offered = offered_line(statement, message)
    corrected = f"clawgit correct {link} {as_new(offered)}"
    if offered:  # to remember the words beside it would contradict it
        return corrected, rejected
    remembered = remember_command(message)
    is_order = ASKED.search(message) is not None  # an order is carried out when it is given
    if to_forget_at_last(message) or is_order or not remembered:
        return corrected, rejected
    if triage(message).validator is not None:
        return corrected, remembered, rejected
    return remembered, corrected, rejected


def link_way(link: str, statement: str, message: str, turn: str = "") -> str:
    """Return one command: a yes after its line, a forgetting, or what shows all answers."""
    line = line_of_yes(statement, message, turn)
    if line:
        return f'"{line}" (`clawgit approve {link}`)'
    command = link_commands(link, statement, message, turn)[0]
    if command.startswith("clawgit forget "):
        return f"`{command}`"
    return f"`{SHOW} {link}`"


def line_of_yes(statement: str, message: str, turn: str = "") -> str:
    """Return the whole line that a yes to a link makes of the linked one; empty if unclear, or if it is to be forgotten.

    Also empty if neither the message nor the agent's ``turn`` before it names the topic of the line: `no, before
    18:00` after words about bread sets no other hour right.
    """
    if statement.endswith("…") or _line_unwanted(statement, message):  # a cut line would lose its rest
        return ""
    line = line_after(statement, message)
    values = value_exchanged(statement, line)
    if not line or words_shared(statement, message):
        return line
    if values is not None and repeats_value(message, values[0].text, ANY_DAY):
        return line
    shared = words_shared(statement, turn)
    is_of_value = values is not None and repeats_value(values[0].text, turn, ANY_DAY)
    if len(shared) >= FEWEST_SHARED or (shared and is_of_value):
        return line
    return ""


def _keeps_denied(statement: str, line: str, message: str) -> bool:
    """Say whether a new line still has a value of the old one that the message denies: `Wednesdays at 6, not Tuesdays at 5:30`."""
    for part in denied(message):
        for value in read(part).values:
            is_plain = value.shown.isdecimal()  # another thing's number
            if not is_plain and has_one([value], read(statement)) and has_one([value], read(line)):
                return True
    return False


def line_proposed(correction: Correction) -> str:
    """Return the line that a yes to a correction makes: its proposal, or the result of rules for a link."""
    if correction.status is Status.LINKED:
        return line_of_yes(correction.said, correction.trigger, correction.turn)
    return correction.proposed


def beside_now(
    link: Correction,
    corrections: Iterable[Correction],
    is_by_another: Callable[[Correction, Correction], bool],
) -> Correction:
    """Return a link with the line that corrections made of its own since; as it is, so without a present line, if a later one of the same person replaces the value that it says otherwise, or the line says its words."""
    line = link.said
    if not any(each.said in line and each.said and each.holds for each in corrections):
        return link  # as nearly all are, at each search
    for each in sorted(corrections, key=attrgetter("at")):
        if not each.holds or not each.said or each.said not in line:
            continue
        line = line.replace(each.said, each.correct)
        exchanged = value_exchanged(each.said, each.correct)
        gone = each.said
        has_values = False
        if exchanged is not None:
            gone = exchanged[0].text
            # words without any (`cherry, not walnut`) are of something else
            has_values = bool(read(gone).values)
        is_of_kind = replaces_value(link.trigger, gone, ANY_DAY)
        is_of_kind = is_of_kind or not (has_values or read(link.trigger).values)
        is_over = is_of_kind and each.at >= link.at and not is_by_another(link, each)
        if is_over or not says_beyond(link.trigger, line, ANY_DAY):
            return link
    if line == link.said:
        return link
    return link._replace(said=line)


def is_plain(link: Correction) -> bool:
    """Say whether a digest names a link with its words: a yes settles it, or it corrects or denies something of which the line has two words.

    Of a hundred links in four frozen lives 45 are right; of the 24 that are plain 19. Search and prompts show all.
    """
    if line_proposed(link) or _line_unwanted(link.said, link.trigger):
        return True
    if shared_words(link.said, link.trigger, link.turn) < FEWEST_SHARED:
        return False
    return triage(link.trigger).validator is not None or denies_of(link.trigger, link.said)


def newest_plain(links: Iterable[Correction]) -> dict[str, Correction]:
    """Return the plain links by their line, of each the newest."""
    return {each.said: each for each in sorted(filter(is_plain, links), key=attrgetter("at"))}


def _line_unwanted(statement: str, message: str) -> str:
    """Return the part of a line that a message asks to forget."""
    unwanted = to_forget_at_last(message)
    about = subject(unwanted)
    if not unwanted or 2 * len(about & subject(statement)) <= len(about):
        return ""
    sentences = sentences_of(statement)
    meant = which_is_meant(unwanted, sentences)
    if meant is None:
        return statement
    return sentences[meant.number]


def remember_command(message: str) -> str:
    """Return the command that remembers the message's statements, in its own words; empty without any, for a secret, or if one corrects another."""
    if holds_a_secret(message):
        return ""
    stated = stated_in(message)
    valued = [each for each in telling_sentences(message) if read(each).values]
    own: list[str] = []
    has_topic = False
    sentence_before = ""
    for sentence in still_said(own_sentences(message)):
        is_of_agent = words(sentence)[:1] == ["you"] and not wishes(sentence)
        if is_of_before(sentence) or behind_forgetting(sentence) or is_of_agent:
            continue
        if sentence in stated or sentence in valued:
            if sentence_before not in own and begins_with_pronoun(sentence):
                own.append(sentence_before)
            behind = behind_opening(sentence)
            if own and behind:
                return ""  # `the show is 30 April. Sorry, 29 April`
            own.append(without_order(behind or sentence))
            statement = behind or sentence
            leans = (behind or triage(sentence).validator is not None) and leans_on_talk(statement)
            is_word = behind and not read(behind).values  # `no, worse`
            has_topic = has_topic or not (leans or is_word or _has_no_topic(statement))
        sentence_before = sentence
    own_text = without_adverb(" ".join(filter(None, own)))
    if not own_text or not has_topic:
        return ""
    return f"clawgit remember {in_shell(own_text)}"


def _has_no_topic(sentence: str) -> bool:
    """Say whether a sentence is only a value or a name, or denies one: `nicht mehr Dr. Seyfried`."""
    denial = NOT.match(sentence.lower())
    if denial is None:
        return is_bare(sentence)
    behind = _ANY_MORE.sub("", sentence[denial.end() :])
    reading = read(behind)
    return is_bare(sentence) or (is_bare(behind) and not (reading.values and reading.names))


def in_shell(sentence: str) -> str:
    """Return a sentence quoted for a shell: in double quotes if it has an apostrophe and no character special there."""
    if "'" in sentence and not set('"$`\\!').intersection(sentence):
        return f'"{sentence}"'
    return shlex.quote(sentence)


BLANK = '"NEW LINE"'  # a placeholder
CORRECT_COMMAND = f'clawgit correct "WHAT IS WRONG" {BLANK}'


def as_new(line: str) -> str:
    """Return a line as NEW of a command, or a placeholder."""
    if not line:
        return BLANK
    return in_shell(line)


def offered_line(statement: str, message: str, about: str = "") -> str:
    """Return the line that each screen offers beside a message, for a person to read before it is made; else empty."""
    if statement.endswith("…") or to_forget_at_last(message):  # a cut line would lose its rest
        return ""
    return line_after(statement, message, about)


def line_after(statement: str, message: str, about: str = "") -> str:
    """Return a line changed by a message, else empty; of a table row, one cell changes.

    Either rules can correct it, or the message's only other value of that kind is about nothing else.
    """
    cells = row_statements(statement)
    if cells == [statement]:
        line = _statement_after(statement, message, about)
        if _keeps_denied(statement, line, message):
            return ""
        return line
    rows = []
    for each, above in zip(cells, above_cells(about, cells), strict=True):
        around = f"{above} {statement.replace('|', ' ')}"
        cell = fitted_line(each, message, around) or _statement_after(each, message, around)
        row = row_saying(statement, each, cell)
        if row:
            rows.append(row)
    if len(rows) != 1 or redact(rows[0]) != rows[0] or has_stale_weekday(statement, rows[0], message):
        return ""
    name = cells_of(rows[0])[0]
    if name != cells_of(statement)[0] and not read(name).values:
        return ""  # the other cells belong to the name before them; a day may change
    return rows[0]


def _statement_after(statement: str, message: str, about: str) -> str:
    signs = set(map(itemgetter(1), _DECIMAL.findall(statement)))
    if len(signs) == 1:  # `1.70` is `1,70` in such a line
        message = _DECIMAL.sub(rf"\g<1>{signs.pop()}\g<3>", message)
    message = with_unit(with_hours_as_in(statement, message), own_words_of(statement))
    spoken = Spoken(message, ANY_DAY)
    changes = one_value_changed(spoken, [EntryInFile("", Entry(None, statement, None, 0, 1, 1), about)])
    lines = {each.statement for each in changes} or {own_words_of(fitted_line(statement, message, about))}
    line = lines.pop() if len(lines) == 1 else ""
    line = line or line_said_whole(statement, message, about)
    if redact(line) != line:
        return ""
    return line
