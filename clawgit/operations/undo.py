"""Taking back an entry, a line, a correction, a commit, a run or a source; and forgetting a line."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.first_rearrangement import COMPACTOR, MOVERS, Word, last_word
from clawgit.errors import ClawgitError, ExitCode, UsageError
from clawgit.history.apply_plan import NOTHING, Recorded, propose_change, repeated
from clawgit.history.authorship.actors import JOBS, actors_called, in_words
from clawgit.history.git.trees import Tree
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.reading.git_log import LoggedChange, read_log
from clawgit.history.reading.rearranged import counted_files
from clawgit.history.states import FileDiff, compare_texts
from clawgit.history.transaction.working_tree import Draft
from clawgit.history.undo import undo as history_undo
from clawgit.history.undo.undo_targets import Changes, ChangeSource
from clawgit.memory.corrections.correction_log import Correction, archive_of
from clawgit.memory.entries.tiers import LEARNED, holds_entries
from clawgit.memory.trust import HOST, OPERATOR
from clawgit.operations.changes import open_door, say_change, say_kept
from clawgit.operations.paths import line_named, user_path, workspace_path
from clawgit.plan import FORGET, MESSAGE, Evidence
from clawgit.text.safety.control_characters import begin_of, counted
from clawgit.text.safety.secrets import redact
from clawgit.workspace.safe_files import data_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from clawgit.agents.takings_back import TakenBack
    from clawgit.capture.messages.message import ChatMessage, SignalNote
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.review.keep import KeepOutcome
    from clawgit.history.undo.forgetting import StatementLine
    from clawgit.history.undo.take_back import Taken
    from clawgit.operations.caller import Caller
    from clawgit.text.markdown.merge_lines import Conflict

NAMED_FILES = 3
LONGEST = 80  # characters of a message
FILE = "file:"
BACK = "Back in search and prompts; a line that went from a file comes back by its own undo (`clawgit log`):"
GONE = "No file has anything of it any more. `clawgit reject ID` takes back a yes that changed no file."


class UndoRequest(NamedTuple):
    """One thing (an entry, words, a place, a commit or a run), one source, or all of an actor or of all jobs since a time; and why.

    ``path``: only the changes of the commit or the run to that file.
    """

    what: str | None = None
    source: str | None = None
    since: str | None = None
    actor: str | None = None
    reason: str = ""
    dry_run: bool = False
    path: str | None = None


class Undone(NamedTuple):
    """What was found, and the change that took it back; without a change, the diffs that it would make."""

    undoing: history_undo.Undoing | None
    recorded: Recorded | None
    diffs: Iterable[FileDiff] = ()


def undo_changes(caller: Caller, request: UndoRequest) -> Undone:
    caller.only_operator("undo changes")
    if request.since is None and request.actor is not None:
        raise UsageError("--actor needs --since.", hint="`--since 2026-03-19 --actor soul-keeper`.")
    named = [word for word in (request.what, request.source, request.since) if word is not None]
    if len(named) != 1 or not named[0].strip():
        hint = "An entry, some of its words, a commit or a run; --source X; or --since DATE, what the jobs did since then."
        if not named:
            hint += _newest_change(caller.history())
        raise UsageError("Name one thing to undo.", hint=hint)

    if request.what is not None and request.what.strip().startswith(MESSAGE):
        again = _said_again(caller, request.what.strip(), dry_run=request.dry_run)
        if again is not None:
            return again

    def found(history: History) -> history_undo.Undoing:
        if request.since is not None:
            since = caller.time_asked(request.since, history).first
            actor = ""
            if request.actor and request.actor != JOBS:
                (actor,) = actors_called(request.actor)
            return history_undo.find_undoing_since(history, actor, since)
        what = (request.what or "").strip()
        if request.path is not None:
            return history_undo.find_undoing_file(history, what, workspace_path(history.root, request.path))
        if what and (" " in what or line_named(history.root, what) is not None):
            from clawgit.history.undo.forgetting import find_undoing_line  # most undos name an id
            from clawgit.operations.meant_statement import one_statement

            undoing = find_undoing_line(history, one_statement(history, what, caller.now(history)))
            if undoing.taking.verb == FORGET:
                caller.say("The line goes: it came beside others, and replaced none.")
            return undoing
        called = partial(_messages_called, caller, history)
        return history_undo.find_undoing(history, what, source=request.source or "", messages=called)

    return take_back(caller, found, request.reason, dry_run=request.dry_run)


def _newest_change(history: History) -> str:
    for change in read_log(history, (), limit=1):
        return f" The newest change ({redact(change.subject)}): `{change.way_back}`."
    return ""


def _said_again(caller: Caller, name: str, *, dry_run: bool) -> Undone | None:
    """Bring back the messages that an order to forget took back, within the day; None if a message is no such order."""
    from clawgit.capture.messages.message import is_his
    from clawgit.capture.messages.open_messages import open_messages

    history = caller.history_for_talk()
    now = caller.now(history)
    with open_messages(history, now) as store:
        order = store.get(name.removeprefix(MESSAGE))
        if order is None or not is_his(order):
            return None
        back = store.kept_out_by(order)
        if not back:
            return None
        if not dry_run:
            _let_in_again(history, store, order, now)
    caller.say("Would be back:" if dry_run else BACK)
    caller.say_each(f'  {each.role}: "{begin_of(each.text, LONGEST)}"' for each in back)
    changes = Changes(history)
    for change in changes.of_source(ChangeSource(name)):
        if changes.taking_back(change) is None:
            commit = f"{change.commit_id[:12]}   {change.subject}"
            caller.say(f"What rested on them in files: clawgit undo {commit}")
    return Undone(None, Recorded(NOTHING, caller.intent(history).op))


def _let_in_again(history: History, store: MessageStore, order: ChatMessage, now: datetime) -> None:
    """Bring back the messages that an order of the operator's keeps out, and leave of it what takes nothing back."""
    from clawgit.capture.messages.incoming_message import rules_in_force, signal_in
    from clawgit.capture.messages.message import SignalNote, is_his

    rules = rules_in_force(history, now, OPERATOR)

    def signal_of(message: ChatMessage) -> SignalNote:
        return signal_in(message.text, rules) if is_his(message) else SignalNote()

    store.let_in_again(order, signal_of)


def take_back_in_chat(
    history: History, store: MessageStore, message: ChatMessage, tell: Callable[[KeepOutcome], None]
) -> TakenBack | None:
    """Undo what a message takes back; of an order to forget, the messages come back, too. ``tell`` gets what was committed first."""
    from clawgit.agents.takings_back import TakenBack, take_back_at_once
    from clawgit.capture.messages.forgotten_messages import taken_back

    order = taken_back(store, message)
    if order is None or history.settings.approvals == "present":
        return take_back_at_once(history, store, message, tell)
    back = take_back_at_once(history, store, message, tell) or TakenBack(order.text, (), "")
    messages = store.kept_out_by(order)
    if messages:
        _let_in_again(history, store, order, message.received_at)
    notes = list(back.notes)
    for each in messages:
        notes.append(f'Back in search and prompts: {each.role}: "{begin_of(each.text, LONGEST)}"')
    return back._replace(notes=tuple(notes)) if back.undo or messages else None


def revert_change(caller: Caller, revision: str, reason: str | None = None, dry_run: bool = False) -> Undone:
    """Take back one change of the soul; its changes in other files stay."""
    caller.only_operator("take a change back")
    if reason is None and not dry_run:
        raise UsageError("A revert needs a reason.", hint='Add --reason "One sentence.".')

    def found(history: History) -> history_undo.Undoing:
        change = caller.revision(history, revision)
        if change.until is not None:
            sentence = f"{revision} is a time, not a change."
            raise UsageError(sentence, hint="`clawgit soul log` lists the changes.")
        return history_undo.find_reverting(history, change.commit)

    return take_back(caller, found, reason or "", dry_run=dry_run)


def take_back(
    caller: Caller, find: Callable[[History], history_undo.Undoing], reason: str, *, dry_run: bool
) -> Undone:
    history = caller.history()
    intent = caller.intent(history)
    before = None if dry_run else repeated(history, intent)
    if before is not None:  # what it took back may have no name any more
        say_change(caller, before, "")
        return Undone(None, before)
    undoing = find(history)
    name = undoing.taking.name.rstrip(".")
    taken = undoing.taken
    plan = history_undo.undoing_plan(undoing.taking, taken, reason)
    if not (plan.edits or plan.trailers or taken.refusals or taken.conflicts):
        caller.say(f"Nothing to take back: {name}")
        without_commits = undoing._replace(taking=undoing.taking._replace(commits=()))
        caller.say_each(list(preview_lines(history, without_commits)) or [GONE])
        return Undone(undoing, None if dry_run else Recorded(NOTHING, intent.op))
    caller.say(f"To take back: {name}")
    caller.say_each(preview_lines(history, undoing))
    if dry_run:
        is_stopped = bool(taken.refusals or taken.conflicts)
        for finding in history_undo.find_remarks(history, undoing, intent):
            is_stopped = is_stopped or finding.severity.stops
            caller.say(f"  {'CANNOT: ' if finding.severity.stops else ''}{finding.sentence}")
        _say_conflicts(caller, taken.conflicts)
        if is_stopped:
            caller.exit_code = ExitCode.REFUSED
        return Undone(undoing, None, _taken_diffs(history, undoing.taken))
    try:
        done = history_undo.undo(history, undoing, reason, intent)
    except history_undo.RevertConflictError as error:
        _say_conflicts(caller, error.conflicts)
        raise
    did = "Taken back"
    if undoing.taking.verb == "undo":
        did = "Undone"
    stop = "." * (not name.endswith('."'))
    say_change(caller, done, f"{did}: {name}{stop}")
    _say_who_asks_again(caller, history, undoing.taking.commits)
    return Undone(undoing, done)


def _taken_diffs(history: History, taken: Taken) -> Iterator[FileDiff]:
    tree = Tree(history.objects, taken.tree_id)
    for path, content in taken.contents.items():
        yield compare_texts(path, tree.read(path), data_of(content))


def _say_who_asks_again(caller: Caller, history: History, commits: Sequence[Commit]) -> None:
    """Say which agents move nothing more before a new yes, since a move of theirs was taken back."""
    actors = {commit.trailers.first("Clawgit-Actor") for commit in commits}
    for agent in MOVERS:
        if agent in actors and last_word(history, agent) is Word.TAKEN_BACK:
            stays = ""
            if agent == COMPACTOR:
                stays = " Notes that came back stay, also after a yes."
            caller.say(
                f"The {agent} moves nothing more before you say yes: it asks when it would (`clawgit pending`)."
                f" `clawgit reject t-{agent}`: it does not ask either.{stays}"
            )


def preview_lines(history: History, undoing: history_undo.Undoing) -> Iterator[str]:
    """Yield what a change would take back; many files are counted by folder: restored, removed, changed."""
    taken = undoing.taken
    for commit in undoing.taking.commits:
        rests = ""
        if commit in undoing.along:
            rests = "  (rests on it)"
        yield f"  {commit.commit_id[:12]}  {commit.subject}{_whose(commit)}{rests}"
    if undoing.spared:
        changes = counted(len(undoing.spared), "change")
        yield f"  stays, since you said it: {changes} (`--actor operator` takes back what is yours)"
    if len(taken.contents) > NAMED_FILES:
        tree = history.tip().tree
        yield f"  {counted_files(Draft(tree, taken.contents).changed(tree), 'back to')}"
    else:
        for path, content in taken.contents.items():
            verb = "changes"
            if data_of(content) is None:
                verb = "removes"
            yield f"  {verb} {path}"
    yield from _withdrawals(history, taken)
    for correction in taken.restored:
        yield f"  puts {_correction(correction)} in force again"
    yield from map("  {}".format, taken.notes)
    if undoing.earlier is not None:
        name, subject = undoing.earlier.commit_id[:12], undoing.earlier.subject
        yield f"  {name} ({subject}) took it back already; `clawgit undo {name}` brings it back."
    yield from map("  CANNOT: {}".format, taken.refusals)
    for path in taken.conflicts:
        yield f"  CONFLICTS with later changes in {path}"


def _withdrawals(history: History, taken: Taken) -> Iterator[str]:
    """Yield the corrections that would be withdrawn, and those that say the same and stay."""
    about = attrgetter("correct", "corrects")
    standing = standing_corrections(history.tip().tree).values()
    withdrawn = set(map(attrgetter("correction_id"), taken.withdrawn))
    for correction in taken.withdrawn:
        yield f"  withdraws {_correction(correction)}, which stays in {archive_of(correction)}"
        for each in standing:
            name = f"x:{each.correction_id}"
            if each.holds and about(each) == about(correction) and each.correction_id not in withdrawn:
                from clawgit.history.provenance.statement_changes import who_made

                who = who_made(history, name)
                yield f"  {name} ({who}) says the same and stays in force, so searches show it; `clawgit undo {name}` ends it."


def _whose(commit: Commit) -> str:
    if not isinstance(commit, LoggedChange):
        return ""
    if commit.is_his_word:
        return "  (you, by a message)"
    return f"  ({commit.signed_by({commit.actor: in_words(commit.actor)})})"


def _correction(correction: Correction) -> str:
    named = f"the correction x:{correction.correction_id}"
    if correction.correct:
        named += f" ({correction.correct})"
    return named


def _say_conflicts(caller: Caller, conflicts: dict[str, tuple[Conflict, ...]]) -> None:
    for path, of_file in conflicts.items():
        for conflict in of_file:
            caller.say(f"{path}, near line {conflict.line}:")
            for mark, lines in (("now   ", conflict.ours), ("before", conflict.theirs)):
                for line in lines or (b"(nothing)",):
                    caller.say(f"  {mark} | {line.decode('utf-8', 'replace').rstrip()}")


def _messages_called(caller: Caller, history: History, word: str) -> dict[str, frozenset[str]]:
    """Return the sources named ``word`` by their full names, each with the citations of its stored messages."""
    from clawgit.capture.messages.open_messages import has_messages, open_messages

    if word.startswith(MESSAGE) or not has_messages(history):
        return {}
    try:
        with open_messages(history, caller.now(history)) as store:
            return store.sources_called(word) or store.sources_called(_from_here(word))
    except ClawgitError as error:
        caller.say(f"Messages were not read, so no sender, channel or file is known: {error}")
        return {}


def _from_here(word: str) -> str:
    """Return a path as imports note it, relative to the current folder; any other word as it is."""
    name = word.removeprefix(FILE)
    with suppress(OSError, ValueError):  # a shell can be in a folder that was removed
        if "/" in name:
            return FILE + redact(str(user_path(name).resolve()))
    return word


class ForgetOutcome(NamedTuple):
    """The lines that may be meant; the change, if one was removed, and the lines that say the same and stay."""

    lines: Sequence[StatementLine]
    recorded: Recorded | None = None
    same: Sequence[StatementLine] = ()


def forget_line(
    caller: Caller, what: str, reason: str = "", *, may_forget: Callable[[], bool] | None = None
) -> ForgetOutcome:
    """Remove a line of memory, shown first; without ``may_forget`` to ask, only a line that is surely meant or has each of the words."""
    from clawgit.history.undo import forgetting
    from clawgit.operations.meant_statement import find_statement

    caller.only_operator("forget what memory says")
    history = caller.history()
    intent = caller.intent(history)
    before = repeated(history, intent)
    if before is not None:
        say_change(caller, before, "")
        return ForgetOutcome((), before)
    meant = find_statement(history, what.strip(), caller.now(history))
    if meant.note:
        caller.say(meant.note)
    line = meant.lines[0]
    several = len(meant.lines) > 1
    is_sure = meant.is_sure or _has_each_word(line, what)
    may_be_asked = may_forget is not None and forgetting.has_words(line, what)
    if several or not (is_sure or may_be_asked):
        if several:
            caller.say("Nothing was removed: name one of these.")
        else:
            caller.say("Nothing was removed. Did you mean this? Name it.")
        return ForgetOutcome(meant.lines)
    undoing = forgetting.find_forgetting(history, line)
    caller.say(f"To forget: {_shown(line)}")
    caller.say_each(preview_lines(history, undoing))
    if may_forget is not None and not may_forget():
        way = "Say --yes"
        if not is_sure:
            way = f"`clawgit forget {line.named} --yes`"
        raise ClawgitError("It stays, nothing was changed.", hint=f"{way} to remove it.")
    done = history_undo.undo(history, undoing, reason, intent)
    if done.outcome == NOTHING:
        say_kept(caller, done.kept)
        sentence = "The line reads otherwise in the folder, so nothing was removed."
        raise ClawgitError(sentence, hint="Ask for it again.")
    say_change(caller, done, f"Forgotten: {_shown(line)}")
    return ForgetOutcome(meant.lines, done, forgetting.find_same(history, line))


def _has_each_word(line: StatementLine, what: str) -> bool:
    """Say whether a line has each word of the request, maybe with accents: nothing of it is guessed."""
    from clawgit.text.comparing.similarity import without_accents, words

    request = words(without_accents(what))
    return bool(request) and set(words(without_accents(line.statement.words))).issuperset(request)


def forget_for_host(caller: Caller, what: str, evidence: str = "") -> Recorded:
    """Remove the host's own line, or one that a message of the operator's asks to forget; others need the operator's yes."""
    from clawgit.agents.door.meant_entries import origins_of
    from clawgit.agents.takings_back import order_to_forget
    from clawgit.history.undo.forgetting import find_forgetting
    from clawgit.operations.meant_statement import one_statement

    with open_door(caller) as door:
        history, intent = door.authority.history, door.intent
        before = repeated(history, intent)
        if before is not None:
            say_change(caller, before, "")
            return before
        line = one_statement(history, what.strip(), intent.now)
        undoing = find_forgetting(history, line, links_too=False)
        taken = undoing.taken
        is_of_memory = holds_entries(line.path) or line.path.startswith("memory/")
        if not is_of_memory or taken.refusals or taken.conflicts:
            raise ClawgitError(f"{line.place} is not yours to change.", hint=f"Tell him: `{line.command}`.")
        whose = set(map(attrgetter("trust"), origins_of(history, line.path, line.statement.first + 1)))
        is_own = line.path == LEARNED and whose == {HOST}
        reason = "Your agent asks to remove it."
        proof: tuple[Evidence, ...] = ()
        if evidence and not is_own and history.settings.approvals != "present":
            proof = order_to_forget(history, door.authority.store, evidence, line)
        if proof:
            intent = intent._replace(trust=OPERATOR, by_message=True)
            undoing = find_forgetting(history, line)
            done = history_undo.undo(history, undoing, "The operator asked to forget it.", intent, proof)
        elif is_own:
            done = history_undo.undo(history, undoing, reason, intent)
        else:
            plan = history_undo.undoing_plan(undoing.taking, taken, reason)
            done = propose_change(history, plan, taken.contents, intent)
    commit = (done.commit_id or "")[:12]
    say_change(caller, done, f"Forgotten: {_shown(line)} (`clawgit undo {commit}`)")
    return done


def show_forgetting(caller: Caller, what: str) -> Undone:
    """Preview `forget_line` for the only line that is surely meant."""
    from clawgit.history.undo.forgetting import find_forgetting
    from clawgit.operations.meant_statement import one_statement

    caller.only_operator("forget what memory says")

    def found(history: History) -> history_undo.Undoing:
        line = one_statement(history, what.strip(), caller.now(history))
        return find_forgetting(history, line)

    return take_back(caller, found, "", dry_run=True)


def _shown(line: StatementLine) -> str:
    mark = ""
    if line.mark:
        mark = f" ({line.mark})"
    return f"{line.place}{mark}  {line.statement.words}"
