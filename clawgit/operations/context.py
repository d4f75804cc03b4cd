"""The context that a conversation begins with, and the difference between two contexts."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Literal, NamedTuple

from clawgit.context import receipts, wanted_context
from clawgit.context.assemble_context import assemble_context
from clawgit.context.external_sources import MOST_BYTES
from clawgit.context.wanted_context import Context, WantedContext
from clawgit.errors import ClawgitError
from clawgit.memory.corrections.correction_log import LEDGER
from clawgit.memory.entries.tiers import CONFLICTS, MEMORY_FILES
from clawgit.operations.wiring.vector_wiring import enhanced_vectors
from clawgit.workspace.records.sqlite_files import RecordsError
from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.context.external_sources import RunProgram
    from clawgit.history.git.repository import History
    from clawgit.operations.caller import Caller, Scope
    from clawgit.pending.day_questions import DayQuestion

Part = Literal["stable", "recall", "digest"]
HostName = Literal["openclaw", "claude-code", "codex"]
_WITH_HOOKS = ("claude-code", "codex")  # OpenClaw's plugin keeps its context itself
_FOR_PROGRAMS = frozenset(("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"))


class ContextRequest(NamedTuple):
    """The topic of the conversation, its host and scope, and the day."""

    query: str = ""
    session: str = ""
    part: Part | None = None
    host: HostName | None = None
    scope: Scope | None = None
    as_of: str | None = None
    explain: bool = False


def get_context(caller: Caller, request: ContextRequest) -> Context:
    """Assemble a context and keep a receipt of what is injected; a context that comes too late has none."""
    history = caller.history()
    session, scope = request.session, str(request.scope or "")
    group = wanted_context.group_asking(caller.environment, session, scope)
    if group is not None:
        session, scope = group, wanted_context.GROUP
    context_wanted = WantedContext(request.query, session, request.part or "", request.host or "", scope)
    questions = _questions(caller, history, context_wanted, request)
    context_wanted = context_wanted._replace(
        questions=tuple((each.item.item_id, each.shown) for each in questions)
    )
    made = _assembled(caller, history, context_wanted, request.as_of)
    for key in ("crm_context_source", "external_context_source"):
        if key in caller.held_settings:
            note = f"{key} gives nothing: it needs `clawgit approve {key}`."
            made = made._replace(notes=(*made.notes, note))
    if request.as_of is None and not request.explain:
        _keep_lines(caller, history, made, context_wanted)
        if caller.is_awaited():
            if made.asked:
                from clawgit.pending.day_questions import note_shown

                note_shown(history, questions, caller.now(history), in_talk=True)
            try:
                made = receipts.keep_receipt(history, made, context_wanted, caller.now(history))
            except RecordsError as error:  # a context is given all the same
                made = made._replace(notes=(*made.notes, f"No receipt was kept: {error}"))
    caller.say_each(made.notes)
    return made._replace(is_explained=request.explain)


def _questions(
    caller: Caller, history: History, context_wanted: WantedContext, request: ContextRequest
) -> list[DayQuestion]:
    """Return the operator's questions for a host's new conversation; none where an answer needs a touched key."""
    is_whole = request.part not in (wanted_context.STABLE, wanted_context.DIGEST)
    is_begun = request.host and context_wanted.session and is_whole and request.as_of is None
    if not is_begun or history.settings.approvals == "present":
        return []
    from clawgit.pending.day_questions import questions_of

    return questions_of(history, caller.now(history), in_talk=True)


def _assembled(caller: Caller, history: History, context_wanted: WantedContext, as_of: str | None) -> Context:
    now = caller.now(history)
    vectors = enhanced_vectors(caller, history)
    if as_of is None:
        run = _program_runner(caller, history)
        return assemble_context(history, context_wanted, now, vectors=vectors, run=run)
    from clawgit.history.states import as_of as state_at

    moment = caller.time_asked(as_of, history).last
    commit = state_at(history, moment, now).commit
    return assemble_context(history, context_wanted, moment, commit_id=commit.commit_id, vectors=vectors)


def _program_runner(caller: Caller, history: History) -> RunProgram:
    """Return the function that runs a trusted source of the settings; briefly, since a conversation waits."""

    def run(argv: Sequence[str], question: bytes) -> bytes:
        from clawgit.agents.models.answering_models import Program

        environment = {name: value for name, value in caller.environment.items() if name in _FOR_PROGRAMS}
        words = (str(history.root / argv[0]), *argv[1:])
        return Program(words, history.root, environment, caller.patience, MOST_BYTES).answer(question)

    return run


def _keep_lines(caller: Caller, history: History, made: Context, context_wanted: WantedContext) -> None:
    """Keep the lines of a main session's context for the next session that cannot wait for its own."""
    is_main = (context_wanted.scope or wanted_context.scope_of(context_wanted.session)) == wanted_context.MAIN
    is_begun = context_wanted.host in _WITH_HOOKS and context_wanted.part != wanted_context.RECALLED
    if not (is_main and is_begun):
        return
    from clawgit.context.kept_lines import FILE, lines_to_keep

    tree = history.tree_of(made.commit_id) if made.commit_id else history.tip().tree
    beside = {LEDGER: tree.read(LEDGER) or b"", CONFLICTS: tree.read(CONFLICTS) or b""}
    lines = lines_to_keep(made.slots, MEMORY_FILES, beside, caller.now(history))
    with suppress(OSError, ClawgitError):  # without room, the next session has what was kept before
        write_file(history.state, FILE, FileContent(lines.encode()), fsync=False)


def diff_contexts_of(
    caller: Caller, old: str, new: str, session: str = ""
) -> tuple[str, str, list[receipts.SlotDiff]]:
    """Compare two receipts, or the last two turns of a session; return both receipts and what differs, slot by slot."""
    history = caller.history()
    now = caller.now(history)
    if old:
        before = receipts.find_receipt(history, old, now)
        after = receipts.find_receipt(history, new, now)
    else:
        before, after = receipts.last_turns(history, session, now)
    earlier = receipts.rebuild_context(history, before).slots
    later = receipts.rebuild_context(history, after).slots
    return before.receipt_id, after.receipt_id, list(receipts.diff_contexts(earlier, later))
