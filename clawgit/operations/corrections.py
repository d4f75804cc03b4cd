"""Correcting a statement, on the operator's word or on a message of the operator's that a host names."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError, ExitCode, UsageError
from clawgit.history.authorship.actors import HOST
from clawgit.operations.changes import open_door, say_change, say_passed
from clawgit.plan import MESSAGE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clawgit.agents.door.correction_plans import Made
    from clawgit.agents.door.exchanged_lines import LinePlace
    from clawgit.agents.door.message_door import Passed
    from clawgit.history.git.repository import History
    from clawgit.history.states import FileDiff
    from clawgit.memory.conflict_log import Contradiction
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.memory.corrections.write_correction import WrittenDown
    from clawgit.operations.caller import Caller

_BY_MESSAGE = "Add --evidence chat:ID with the operator's message that says so; `clawgit chat log --json` shows the ids."


NEW_LINE = "NEW LINE"  # where the line is to be written


class CorrectRequest(NamedTuple):
    """The wrong line (words, an entry, a place or the commit that brought it), the right one, and the message behind it."""

    old: str
    new: str
    entry: str | None = None
    evidence: str | None = None
    quote: str = ""
    until: str = ""  # its last day; an empty ``new`` keeps its words


def correct_memory(caller: Caller, request: CorrectRequest) -> Made | Passed:
    """Correct a statement; a host needs a message of the operator's that says so, otherwise the operator is asked."""
    _refuse_placeholders(request)
    if request.old.startswith("x:"):
        sentence = "A question is answered by the operator alone."
        raise UsageError(sentence, hint=f"`clawgit approve {request.old}` or `clawgit reject {request.old}`.")
    if not request.evidence and caller.actor != HOST:
        return _correct_by_operator(caller, request)
    if request.until:
        raise UsageError("--until is for the operator alone.", hint="Put the day into NEW.")
    from clawgit.agents.door.message_door import CitedMessage, correct_by_message

    old, _ = _words_at(caller, request.old)
    with open_door(caller) as door:
        cited = CitedMessage(request.evidence or "", request.quote)
        passed = correct_by_message(old, request.new, cited, request.entry, door)
        say_passed(caller, passed)
    return passed


def _refuse_placeholders(request: CorrectRequest) -> None:
    if request.new == NEW_LINE:
        sentence = f"{NEW_LINE} stands for what the line should say."
        raise UsageError(sentence, hint="Write that in its place, in quotes.")
    if request.old.startswith(MESSAGE):
        sentence = f"{request.old} is a message."
        raise UsageError(sentence, hint="Write as OLD the line that is wrong, its id or its place.")


def show_correction(caller: Caller, request: CorrectRequest, *, is_sure: bool) -> list[FileDiff]:
    """Return how a correction of the operator's would change files, and say what the named line would lose; ``is_sure``: that may go."""
    from clawgit.history.states import compare_texts
    from clawgit.memory.entries.tiers import is_correction_file

    caller.only_operator("correct what memory says", hint=_BY_MESSAGE)
    _refuse_placeholders(request)
    if request.evidence:
        raise UsageError("--dry-run is for a correction of your own.", hint="Leave out --evidence.")
    loss = loss_by(caller, request)
    if loss is not None:
        caller.say(f'{request.old} says "{loss.line}"; {loss}.')
        if loss.is_asked and not is_sure:
            caller.say("That needs --yes.")
            caller.exit_code = ExitCode.REFUSED
    tree = caller.history().tip().tree
    diffs = []
    written = written_by(caller, request)
    caller.say_each(written.notes)
    for path, data in written.texts.items():
        if not is_correction_file(path):
            diffs.append(compare_texts(path, tree.read(path), data))
    return diffs


class LineToCorrect(NamedTuple):
    """The present words of a line and its name for `correct`; ``beside`` are the operator's words of a link, if that is the name."""

    words: str
    name: str
    beside: str = ""


def line_to_correct(caller: Caller, old: str, entry: str | None) -> LineToCorrect:
    """Return the line that ``old`` names, or has among its words: then its name is all its words."""
    from clawgit.agents.door.linkable import entry_meant, remembered
    from clawgit.history.provenance.correction_files import standing_corrections
    from clawgit.operations.meant_statement import one_statement

    history = caller.history()
    if old.startswith("x:"):
        tree = history.tip().tree
        link = standing_corrections(tree).get(old.removeprefix("x:"))
        if link is not None and link.said:
            target = entry_meant(link.said, remembered(tree))
            if target is not None:  # the ledger has the beginning of a long line
                return LineToCorrect(target.parts.statement, old, link.trigger)
            return LineToCorrect(link.said, old, link.trigger)
        raise UsageError(f"{old} names no line.", hint="`clawgit correct OLD NEW` takes its words.")
    line = one_statement(history, entry or old, caller.now(history))
    if entry or _is_name(caller, history, old):
        return LineToCorrect(line.text, old)
    return LineToCorrect(line.text, line.mark or line.text)


def _is_name(caller: Caller, history: History, old: str) -> bool:
    from clawgit.operations.meant_statement import is_place

    return old.startswith(("m:", "x:")) or is_place(history, old, caller.now(history))


class LineLoss(NamedTuple):
    """What a correction takes out of the line that it names by id, place, commit or link: ``parts`` of it, or all of it."""

    line: str
    parts: Sequence[str]
    # NEW is about something else
    is_asked: bool

    def __str__(self) -> str:
        if list(self.parts) == [self.line]:
            return "NEW has hardly a word of it"
        return f"NEW leaves out: {'; '.join(self.parts)}"


def loss_by(caller: Caller, request: CorrectRequest) -> LineLoss | None:
    """Return what the line that is named loses; None if nothing, or if its words were given."""
    from clawgit.memory.entries.statements import own_words_of
    from clawgit.memory.provenance.readings import value_exchanged
    from clawgit.understanding.corrections.correct_by_hand import is_about_another, no_longer_said

    if not _is_name(caller, caller.history(), request.old):
        return None
    with suppress(ClawgitError):  # what cannot be made is refused where it is
        gone, came = map(own_words_of, _words_exchanged(caller.history(), written_by(caller, request)))
        is_asked = value_exchanged(gone, came) is None and is_about_another(gone, came)
        parts = no_longer_said(gone, came)
        if is_asked and not parts:
            parts = [gone]
        if gone and parts:
            return LineLoss(gone, parts, is_asked)
    return None


def _words_exchanged(history: History, written: WrittenDown) -> tuple[str, str]:
    from clawgit.memory.entries.tiers import is_correction_file
    from clawgit.memory.undo.text_units import said_in

    gone = Counter[str]()
    came = Counter[str]()
    for path, data in written.texts.items():
        if is_correction_file(path):
            continue
        was = Counter(said_in(history.tip().tree.read(path), path))
        now = Counter(said_in(data, path))
        gone |= was - now  # another line may say the same
        came |= now - was
    return " ".join(gone), " ".join(came)


def refuse_loss(caller: Caller, request: CorrectRequest) -> None:
    """Raise if NEW is about something else, and the named line loses a name or a value."""
    loss = loss_by(caller, request)
    if loss is not None and loss.is_asked:
        from clawgit.understanding.corrections.ready_commands import in_shell

        new = in_shell(request.new)
        hint = f"If that is to go: `clawgit correct {in_shell(request.old)} {new} --yes`. `clawgit remember {new}` keeps both; for another line, write its words as OLD."
        raise ClawgitError(f'{request.old} says "{loss.line}"; {loss}. Nothing was changed.', hint=hint)


def _words_at(caller: Caller, old: str) -> tuple[str, LinePlace | None]:
    """Resolve a place or a commit to an entry, or to words and their place; anything else is returned as it is."""
    from clawgit.agents.door.exchanged_lines import LinePlace
    from clawgit.operations.meant_statement import is_place, one_statement

    history = caller.history()
    now = caller.now(history)
    if not is_place(history, old, now):
        return old, None
    line = one_statement(history, old, now)
    if line.mark:
        return line.mark, None
    return line.text, LinePlace(line.path, line.statement.first)


def _meant(caller: Caller, request: CorrectRequest) -> tuple[str, str, LinePlace | None]:
    """Return the words, id or link that a correction names, what is right instead, and the place of the line."""
    from clawgit.memory.entries.statements import ending
    from clawgit.operations.meant_statement import one_statement

    history = caller.history()
    if request.old.startswith("x:"):
        return request.old, request.new, None
    old, at = _words_at(caller, request.old)
    if request.until:
        line = one_statement(history, request.entry or old, caller.now(history))
        new = ending(request.new or line.text, caller.last_day_asked(request.until, history))
        return line.mark or line.text, new, at
    if at is None and not request.entry:
        return _whole_line(history, old, request.new)
    return old, request.new, at


def written_by(caller: Caller, request: CorrectRequest) -> WrittenDown:
    """Return the files as a correction of the operator's would write them."""
    from clawgit.agents.door.correction_plans import corrected
    from clawgit.understanding.corrections.correct_by_hand import UnsaidError

    history = caller.history()
    old, new, at = _meant(caller, request)
    try:
        return corrected(history.tip().tree, old, new, caller.intent(history), request.entry, at)
    except UnsaidError as error:
        raise _said_beside(history, request, at) or error from None


def _correct_by_operator(caller: Caller, request: CorrectRequest) -> Made:
    from clawgit.agents.door.correction_plans import correct
    from clawgit.agents.door.exchanged_lines import same_told
    from clawgit.pending.answers import correction_words
    from clawgit.understanding.corrections.correct_by_hand import UnsaidError

    caller.only_operator("correct what memory says", hint=_BY_MESSAGE)
    history = caller.history()
    old, new, at = _meant(caller, request)
    try:
        done = correct(history, old, new, caller.intent(history), entry=request.entry, at=at)
    except UnsaidError as error:
        raise _said_beside(history, request, at) or error from None
    if done.recorded.outcome == "nothing" and done.correction is not None:
        each = done.correction
        caller.say(f'x:{each.correction_id} corrects that already: "{each.said}" → "{each.correct}".')
    else:
        say_change(caller, done.recorded, correction_words(done.correction))
    caller.say_each([*done.notes, *same_told(done.same)])
    return done


def _whole_line(history: History, old: str, new: str) -> tuple[str, str, LinePlace | None]:
    """Return the whole line of the only file that has the words, if that is one beside memory, with the new words in it; else what was given."""
    from clawgit.agents.door.exchanged_lines import LinePlace
    from clawgit.agents.door.meant_entries import is_line_of_file
    from clawgit.history.undo.forgetting import find_lines
    from clawgit.memory.notes import is_mail
    from clawgit.text.comparing.similarity import common_ends
    from clawgit.understanding.corrections.correct_by_hand import is_whole

    with suppress(ClawgitError):
        meant = find_lines(history, old)
        line = meant.lines[0]
        words = line.text
        # `port 80` is no part of `port 8080` or `port 80.5`
        places = list(re.finditer(rf"(?<!\S){re.escape(old)}(?=[.,;:!?)]*(?:\s|\Z))", words))
        is_one = len(places) == 1 and meant.is_sure and len(meant.lines) == 1 and words != old
        is_part = any(common_ends(old.split(), new.split())) and not is_whole(new)
        is_others = is_mail(history.tip().tree.read(line.path) or b"", line.path)
        if is_one and is_part and is_line_of_file(line.path, line.statement) and not is_others:
            whole = words[: places[0].start()] + new + words[places[0].end() :]
            return words, whole, LinePlace(line.path, line.statement.first)
    return old, new, None


def _said_beside(history: History, request: CorrectRequest, at: LinePlace | None) -> ClawgitError | None:
    """Return the error that names the command for the only line that says OLD, if it has no entry; None unless it is one line."""
    from clawgit.history.undo.forgetting import committed_at, lines_that_say
    from clawgit.understanding.corrections.ready_commands import in_shell

    tree = history.tip().tree
    if at is not None and at.number is not None:
        lines = committed_at(tree.read(at.path) or b"", at.path, at.number + 1)
    else:
        lines = lines_that_say(tree, request.old)
    if len(lines) != 1:
        return None
    line = lines[0]
    hint = f"`clawgit correct {in_shell(line.place)} {in_shell(request.new)}`, with the whole line as NEW."
    if at is not None:
        hint = "Write the whole line as it is right; a row of a table with its signs (|)."
    return ClawgitError(f"{line.place} reads {line.statement.words!r}. Nothing was changed.", hint=hint)


def list_corrections(history: History, *, archived: bool) -> list[Correction]:
    """Return the corrections of the ledger with the links that stand, newest first; if ``archived``, all."""
    tree = history.tip().tree
    corrections: Iterable[Correction] = ()
    if archived:
        from clawgit.history.provenance.correction_files import standing_corrections

        corrections = standing_corrections(tree).values()
    elif b"x:" in (ledger := tree.read("CORRECTIONS.md") or b""):  # without an id there is none
        from clawgit.agents.door.linkable import links_in
        from clawgit.memory.corrections.correction_log import Status, read_corrections

        links = {each.correction_id: each for each in links_in(history, tree)}
        every = (links.get(each.correction_id, each) for each in read_corrections(ledger))
        corrections = filter(lambda each: each.status is not Status.LINKED or each in links.values(), every)
    return sorted(corrections, key=lambda each: each.at)[::-1]


def list_conflicts(caller: Caller, decided_too: bool = False) -> list[Contradiction]:
    """Return the conflicts with both entries unchanged; with ``decided_too`` all of them, newest first."""
    from clawgit.history.provenance.trust_lookup import conflicts_known, waiting

    history = caller.history()
    if decided_too:
        return conflicts_known(history, history.tip().tree)[::-1]
    return waiting(history, history.tip().tree)
