"""Remembering, listing and reviving statements, and reading lines of a file or a message."""

from __future__ import annotations

import os
import shlex
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from clawgit.errors import ClawgitError, UsageError
from clawgit.history.authorship.actors import HOST, OPERATOR, actors_called, based_on, trust_of
from clawgit.history.git.trees import Tree, entries_in
from clawgit.memory.entries.entries import Entry, Tag, read_entries, tag_of
from clawgit.memory.entries.tiers import AGENTS_FILES, CORE, LEARNED
from clawgit.operations.caller import Caller, Named, Scope
from clawgit.plan import MESSAGE
from clawgit.text.safety.control_characters import shown

if TYPE_CHECKING:
    from clawgit.agents.door.message_door import Passed
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.apply_plan import Recorded
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.remember import RememberOutcome
    from clawgit.memory.entry_states import EntryState
    from clawgit.recall.get_lines import Got
    from clawgit.recall.revive import Revived
    from clawgit.understanding.facts.routing import Route

EntryTag = Literal["event", "knowledge", "skill", "decision"]
MOST_RIVALS = 2  # lines that say otherwise, named below a new one
First = Annotated[int, Named("from")]


class GetRequest(NamedTuple):
    """Lines of a file or a message, and the listener; ``for_model`` adds to each line what a model needs beside it."""

    path: str
    first: First | None = None
    lines: int | None = None
    as_of: str | None = None
    session: str = ""
    scope: Scope | None = None
    for_model: bool = False


class ReadLines(NamedTuple):
    """The lines, and their message if they are from one."""

    got: Got
    message: ChatMessage | None = None


def get_memory(caller: Caller, request: GetRequest, *, agent: str | None = None) -> ReadLines:
    """Read lines of a file, a group's own included, or of a message; ``agent`` names another workspace."""
    from clawgit.context.wanted_context import group_asking
    from clawgit.recall.get_lines import get_lines

    root = None
    if agent is not None:
        (root,) = asked_workspaces(caller, agent, everywhere=False)
    history = caller.history(root)
    group = group_asking(caller.environment, request.session, request.scope or "")
    if group is not None:
        _refuse_in_group(caller, history, request.path, group)
    if request.path.startswith(MESSAGE):
        from clawgit.operations.why import cited_messages
        from clawgit.recall.get_lines import lines_got

        message = cited_messages(caller, history, [request.path]).get(request.path)
        text = "" if message is None else message.text
        data = text.encode("utf-8", "replace")
        got = lines_got(request.path, data, request.first, request.lines)
        if request.for_model and message is not None:
            from clawgit.context.lines_told import message_told

            got = message_told(history, got, message, caller.now(history))
        return ReadLines(got, message)
    tree = None if request.as_of is None else _tree_as_of(caller, history, request.as_of)
    got = get_lines(history, request.path, request.first, request.lines, tree=tree)
    if not got.is_there:
        caller.say(
            f"There is no file {shown(got.path)}, so it has no lines. `clawgit search WORDS` finds paths."
        )
    elif request.for_model:
        from clawgit.context.lines_told import lines_told

        got = lines_told(history, got, tree, caller.now(history))
    return ReadLines(got)


def asked_workspaces(caller: Caller, agent: str | None, *, everywhere: bool) -> dict[Path, str]:
    """Return the workspaces to ask by folder, with their names, empty for this one: this and the shared one, the one named, or all."""
    from clawgit.workspace.user.workspace_registry import read_registry

    registry = read_registry(caller.registry_file)
    if agent is not None and everywhere:
        raise UsageError("--agent and --all-agents ask for different things.", hint="Give one of them.")
    if agent is not None:
        return {registry.named(agent).root: agent}
    if registry.problem:
        caller.say(registry.problem)
    if everywhere:
        workspaces = {each.root: each.name for each in registry.workspaces.values()}
        try:
            here = caller.root()
        except ClawgitError:
            if not workspaces:
                raise
            return workspaces
        workspaces.pop(Path(os.path.realpath(here)), None)
        return {here: "", **workspaces}
    here, shared = caller.root(), registry.shared
    if shared is None or shared == registry.at(here):
        return {here: ""}
    return {here: "", shared.root: shared.name}


def _refuse_in_group(caller: Caller, history: History, path: str, group: str) -> None:
    from clawgit.context.file_slots import is_note_of
    from clawgit.context.wanted_context import GROUP, scope_of
    from clawgit.recall.get_lines import get_lines

    if path.startswith(MESSAGE):
        from clawgit.capture.messages.open_messages import has_messages, open_messages

        is_theirs = False
        if has_messages(history):
            with open_messages(history, caller.now(history)) as store:
                message = store.get(path.removeprefix(MESSAGE))
            is_theirs = message is not None and scope_of(group) == GROUP and message.session == group
    else:
        is_theirs = is_note_of(get_lines(history, path).text.encode(), group)
    if not is_theirs:
        hint = "In a group memory answers from what was said there. Ask your operator in a private talk."
        raise ClawgitError(f"{path} is not shown where others listen.", hint=hint)


class ListRequest(NamedTuple):
    """Filters for entries, and the most to return."""

    tag: EntryTag | None = None
    source: str | None = None
    trust: str | None = None
    since: str | None = None
    limit: int | None = None


class Entries(NamedTuple):
    """Entries, each with the operator's words beside it; ``more`` counts the others that fit."""

    entries: list[tuple[EntryState, str]]
    more: int


def list_entries(caller: Caller, request: ListRequest) -> Entries:
    from clawgit.history.provenance.entries_at_tip import list_states
    from clawgit.history.provenance.trust_lookup import open_beside

    sources: tuple[str, ...] = ()
    if request.source is not None:
        sources = actors_called(request.source)
    history = caller.history()
    on = caller.now(history).date()
    since = date.min
    if request.since is not None:
        since = caller.time_asked(request.since, history).first.date()
    fitting = [state for state in list_states(history, on) if _fits(state, request, sources, since)]
    listed = []
    with open_beside(history, on) as evidence:
        for state in fitting[: request.limit]:
            entry = state.entry
            listed.append((state, evidence.of_line(entry.text, entry.entry_id or "", state.trust)))
    return Entries(listed, len(fitting) - len(listed))


def _fits(state: EntryState, request: ListRequest, sources: tuple[str, ...], since: date) -> bool:
    tag = state.entry.tag.value if state.entry.tag else None
    return (
        state.since >= since
        and request.tag in (None, tag)
        and (not sources or state.source in sources)
        and request.trust in (None, state.trust, based_on(state.trust, state.source))
    )


def revive_memory(caller: Caller, what: str) -> Revived:
    """Bring back a file or an entry."""
    from clawgit.operations.changes import say_change
    from clawgit.recall.index.searched_files import path_meant
    from clawgit.recall.revive import revive

    caller.only_operator("bring back what was taken out of memory")
    history = caller.history()
    done = revive(history, path_meant(history.root, what), caller.intent(history))
    sentence = f"Back: {done.path}."
    if done.text:
        sentence = f"Back: {done.text} ({done.path})."
    say_change(caller, done.recorded, sentence)
    return done


def show_memory(caller: Caller, as_of: str | None = None) -> list[tuple[str, Entry]]:
    history = caller.history()
    tree = history.tip().tree
    if as_of is not None:
        tree = _tree_as_of(caller, history, as_of)
    return list(entries_in(tree))


def _tree_as_of(caller: Caller, history: History, word: str) -> Tree:
    from clawgit.history.states import as_of

    moment = caller.time_asked(word, history).last
    commit = as_of(history, moment, caller.now(history)).commit
    caller.say(f"As of {moment:%Y-%m-%d %H:%M}, commit {commit.commit_id[:12]}.")
    return history.tree_of(commit.commit_id)


class AddRequest(NamedTuple):
    """A statement, its file, and the operator's message that says so."""

    text: str
    tag: EntryTag | None = None
    to: str | None = None
    evidence: str | None = None
    quote: str = ""


class AddOutcome(NamedTuple):
    """What became of a statement; ``kind`` is what it is about, None if that was not judged."""

    done: RememberOutcome
    kind: str | None
    why: str

    @property
    def recorded(self) -> Recorded:
        return self.done.recorded


def add_memory(
    caller: Caller, request: AddRequest, *, is_shared: bool = False, needs_kind: bool = False
) -> AddOutcome | Passed:
    """Remember a statement as one entry; with a message as evidence, through the host's door.

    The operator's own statement without a better place goes to core memory, not to the day's file.
    """
    _refuse_secret(request.text, caller.actor)
    if request.evidence:
        return _add_with_message(caller, request, is_shared=is_shared)
    from clawgit.history.remember import Filed, remember
    from clawgit.operations.changes import say_kept

    history = _open_shared(caller) if is_shared else caller.history()
    intent = caller.intent(history)
    if intent.actor != OPERATOR:
        from clawgit.agents.door.message_door import refuse_vetoed

        refuse_vetoed(history, request.text, intent)
    where, why, kind = request.to or "", "you said so", None
    if request.to is None or needs_kind:  # a named file needs no judgement of the text
        route = _route(history, intent, request)
        kind = route.kind.name.lower()
        if request.to is None:
            where, why = route.path, route.why
    done = remember(history, request.text, intent, Filed(where, request.tag))
    say_kept(caller, done.recorded.kept)
    caller.say(_sentence(done, why))
    if intent.actor == OPERATOR and done.recorded.commit_id:
        _ask_of_whom(caller, done)
        _say_otherwise(caller, history, done.path, done.line)
    if intent.actor != OPERATOR:
        _say_against(caller, history, done)
    is_asked = intent.actor == HOST and done.path in AGENTS_FILES and not is_shared
    if is_asked and done.recorded.commit_id:
        caller.say(f"The operator's yes makes it his word: `clawgit approve m:{done.entry_id}`.")
    return AddOutcome(done, kind, why)


def _open_shared(caller: Caller) -> History:
    """Open the shared memory for writing; only its orchestrator may."""
    from clawgit.workspace.user import workspace_registry

    registry = workspace_registry.read_registry(caller.registry_file)
    shared, here = registry.shared, registry.at(caller.root())
    if shared is None:
        hint = "`clawgit workspaces add NAME PATH --shared --orchestrator NAME` names one."
        raise workspace_registry.RegistryError(registry.problem or "There is no shared memory.", hint=hint)
    if here is None or here.name != shared.orchestrator:
        way_out = f"Every workspace searches it; you yourself can write with `clawgit -w {shlex.quote(str(shared.root))}`."
        raise workspace_registry.only_the_orchestrator(shared, way_out)
    return caller.history(shared.root)


def _refuse_secret(text: str, actor: str) -> None:
    """Refuse a secret in plain words; a guard of the change finds one by its shape."""
    from clawgit.history.guards.contents import way_out_unwritten
    from clawgit.text.safety.secrets import find_secrets, tells_a_secret

    if tells_a_secret(text) and not find_secrets(text):
        raise ClawgitError(
            "Not remembered: this looks like a secret (a password, PIN, code or number), and memory is in git for good"
            " and in your agent's prompts.",
            hint=way_out_unwritten(actor),
        )


def _add_with_message(caller: Caller, request: AddRequest, *, is_shared: bool) -> Passed:
    from clawgit.agents.door.message_door import CitedMessage, add_by_message
    from clawgit.history.remember import Filed
    from clawgit.operations.changes import open_door, say_passed

    if is_shared:
        raise UsageError("--evidence is for the memory of this workspace.", hint="Leave --shared out.")
    with open_door(caller) as door:
        cited = CitedMessage(request.evidence or "", request.quote)
        passed = add_by_message(request.text, cited, Filed(request.to or "", request.tag), door)
        say_passed(caller, passed)
        if passed.added is not None and passed.objection is not None:
            _say_against(caller, door.authority.history, passed.added)
    return passed


def _route(history: History, intent: Intent, request: AddRequest) -> Route:
    from clawgit.understanding.facts.routing import FactKind, day_path, route

    place = route(
        request.text,
        trust=trust_of(intent.actor),
        on=intent.now.date(),
        tag=Tag(request.tag) if request.tag is not None else None,
        locked=history.settings.soul_policy == "locked",
    )
    if intent.actor == HOST and place.path == day_path(intent.now.date()):
        return place._replace(path=LEARNED, why="no message of the operator's was named")
    is_event = request.tag == Tag.EVENT.value or tag_of(request.text) is Tag.EVENT
    lasts = place.kind not in (FactKind.PASSING, FactKind.ASKED)
    if intent.actor == OPERATOR and not lasts and not is_event:  # else it goes to the day's file
        return place._replace(path=CORE, why="you said to remember it")
    return place


def _ask_of_whom(caller: Caller, done: RememberOutcome) -> None:
    """Name the command for a line that begins with "she": only the talk said who that is."""
    from clawgit.memory.entries.statements import parted
    from clawgit.understanding.forms.user_words import OTHER

    first = parted(done.line).statement.partition(" ")[0]
    if done.entry_id is not None and first.lower() in OTHER:
        sentence = f'The line does not say who "{first}" is. With the name: `clawgit correct m:{done.entry_id} "NEW LINE"`.'
        caller.say(sentence)


def _say_otherwise(caller: Caller, history: History, path: str, line: str) -> None:
    """Name lines of the same file that give the same thing another value; both cannot hold."""
    from clawgit.agents.contradictions import difference, two_names
    from clawgit.memory.entries.statements import parted
    from clawgit.understanding.facts.same_statement import Relation, Statements
    from clawgit.understanding.forms.sentence_forms import FROM_NOW_ON

    statement = FROM_NOW_ON.sub("", parted(line).statement)
    on = caller.now(history).date()
    entries = read_entries(history.tip().tree.read(path) or b"")
    texts = [parted(each.text).statement for each in entries]
    rivals = []
    for number, relation in Statements(texts).like(statement):
        is_over = difference(texts[number], statement, on) or two_names(texts[number], statement)
        if relation is Relation.CONFLICT and is_over:
            rivals.append(number)
    for number in rivals[:MOST_RIVALS]:
        place = f"{path}:{entries[number].first + 1}"
        name = shlex.quote(entries[number].mark or texts[number])
        caller.say(f'{place} says "{texts[number]}" Both stay. If that is over: `clawgit forget {name}`.')


def _say_against(caller: Caller, history: History, done: RememberOutcome) -> None:
    """Tell an agent that the operator corrected its line, or took it out."""
    from clawgit.history.provenance.set_back import said_against
    from clawgit.memory.entries.statements import parted

    statement = parted(done.line).statement
    for each in said_against(history, [statement]).values():
        sentence = each.told("The operator", caller.now(history).date())
        if done.entry_id is not None:
            sentence += f" If he has not said it since, take it out: `clawgit undo m:{done.entry_id}`."
        caller.say(sentence)


def _sentence(done: RememberOutcome, why: str) -> str:
    from clawgit.memory.entries.statements import parted

    statement = parted(done.line).statement
    if done.recorded.outcome == "nothing":
        if done.entry_id is None:
            return f'{done.place} has this already: "{statement}"'
        return f'{done.path} has this already: m:{done.entry_id} "{statement}"'
    if done.recorded.outcome == "repeated":
        return f"The op {done.recorded.op} was applied before; nothing was written now."
    if done.recorded.outcome == "proposed":
        if done.recorded.why:
            return done.recorded.waiting
        name = done.recorded.proposal
        return f"{done.path} gets it when the operator approves {name} (memory_policy): {statement}"
    undo = f"m:{done.entry_id}"
    if done.entry_id is None:
        undo = str(done.recorded.commit_id)[:12]
    return f'Remembered: {done.path} "{statement}" (undo {undo})\nWhy there: {why}.'
