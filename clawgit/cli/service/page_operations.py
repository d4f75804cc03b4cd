"""The operations of the page: the operator's, in this process, with the JSON of their commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, picked
from clawgit.cli.main import cli
from clawgit.cli.memory.entry_output import entries_data, search_data
from clawgit.cli.pending import decisions_data
from clawgit.cli.service.methods import OPERATIONS, Operation, plain_environment
from clawgit.cli.soul.soul import drift_data
from clawgit.cli.soul.undo import forgotten_data
from clawgit.errors import ClawgitError, outside_error
from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.authorship.host_signs import ACTOR_VARIABLE
from clawgit.history.authorship.intent import Intent, paused_since
from clawgit.history.provenance.entries_at_tip import list_states
from clawgit.operations import decisions, memory, soul, undo
from clawgit.operations.caller import BRIEFLY, Caller, bug_report
from clawgit.page.page_answers import KeptAnswers, PageAnswer, PageCall, PageLook, ServedPage
from clawgit.pending.queue import ApproveRequest
from clawgit.workspace.user.workspace_registry import read_registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from clawgit.history.git.repository import History
    from clawgit.memory.entry_states import EntryState

IN_PAGE = "page"  # in the place of the sign by which an act counts as unattended


def _rows(keys: str) -> Callable[[Sequence[object]], list[dict[str, Any]]]:
    return lambda values: [picked(each, keys) for each in values]


def _entries(caller: Caller) -> list[EntryState]:
    """Return the entries without the words beside each: the page draws many, and shows few."""
    history = caller.history()
    return list_states(history, caller.now(history).date())


ASKED: Mapping[str, Operation] = {
    **OPERATIONS,
    "memory.search": OPERATIONS["memory.search"]._replace(data=search_data),
    "approve": Operation(decisions.approve_pending, decisions_data, request=ApproveRequest),
    "reject": Operation(decisions.reject_pending, decisions_data),
    "forget": Operation(undo.forget_line, forgotten_data),
    "entries": Operation(_entries, _rows("id=mark since trust evidence")),
    "paused": Operation(lambda caller: paused_since(caller.history()), lambda since: since),
    "memory.list": Operation(memory.list_entries, entries_data, request=memory.ListRequest),
    "soul.drift": Operation(soul.measure_drift, drift_data),
}


class PageCaller(App):
    """The signed-in operator, unattended. For one request the workspace is opened once."""

    def __init__(self, environment: Mapping[str, str], root: Path, act: str = "") -> None:
        super().__init__({**plain_environment(environment), ACTOR_VARIABLE: OPERATOR})
        self.workspace = str(root)
        self.as_json = True
        self.data: Any = None
        self._act = act

    @property
    def holder(self) -> str:
        return f"page {self._act}".strip()

    def history(self, at: Path | None = None) -> History:
        """Open the workspace once; another one, such as the shared memory, does not replace it."""
        opened, in_force = self.opened, self.in_force
        if opened is not None and at in (None, self.root()):
            return opened
        history = super().history(at)
        if opened is not None:
            self.opened, self.in_force = opened, in_force
        return history

    def history_for_talk(self) -> History:
        return self.opened or super().history_for_talk()

    def catch_up(self, history: History, *, seconds: float = BRIEFLY) -> None:
        """Look at new commits only when the workspace is opened, and after an act."""
        if self.opened is None or self._act:
            super().catch_up(history, seconds=seconds)

    def say(self, text: str) -> None:
        Caller.say(self, text)

    def print(self, text: str) -> None:
        """Print nothing: the JSON has it."""

    def report(self, data: Any, _lines: Callable[[], list[str]] = list) -> None:
        self.data = self.as_printed(data)

    def asks(self, _question: str) -> bool:
        """Answer no: a button is pressed after its preview, and its values have the yes."""
        return False

    def intent(self, history: History, *, kind: str = "op", actor: str | None = None) -> Intent:
        """Return the intent of this act; a browser does not prove that a person was there."""
        return super().intent(history, kind=kind, actor=actor)._replace(unattended=IN_PAGE)

    def answer(self, wish: PageCall) -> PageAnswer:
        problem = ""
        self.data, self.notes, self.exit_code = None, [], 0
        try:
            if wish.name in ASKED:
                operation = ASKED[wish.name]
                result = operation.result(self, dict(wish.values))
                self.data = self.as_printed(operation.data(result))
            else:
                self._command(wish)
            self.settle()
        except ClawgitError as error:
            problem = str(error)
        except click.ClickException as error:
            problem = error.format_message()
        except OSError as error:
            problem = str(outside_error(error))
        return PageAnswer(self.data, tuple(self.notes), problem)

    def _command(self, wish: PageCall) -> None:
        """Run a command without an operation of its own, with values in place of words."""
        context = click.Context(cli, info_name="clawgit", obj=self, **cli.context_settings)
        command: click.Command = cli
        for word in wish.name.split("."):
            assert isinstance(command, click.Group)
            subcommand = command.get_command(context, word)
            assert subcommand is not None
            command = subcommand
            context = click.Context(command, info_name=word, parent=context, obj=self)
        given = dict(wish.values)
        values = {}
        for each in command.params:
            for name in (each.name, each.opts[-1].removeprefix("--")):
                if name in given:
                    values[each.name] = each.process_value(context, given[name])
        with context:
            context.invoke(command, **values)


def served_by(environment: Mapping[str, str], registry: Path, given: Sequence[Path]) -> ServedPage:
    """Return the parts of this account's page; ``given`` are further workspaces beside the registered ones."""
    answers = KeptAnswers()

    def by_name() -> Mapping[str, Path]:
        roots: dict[str, Path] = {}
        for name, each in read_registry(registry).workspaces.items():
            roots[name] = each.root
        for root in given:
            if root not in roots.values():
                roots[root.name] = root
        return roots

    def look(root: Path) -> PageLook:
        caller = PageCaller(environment, root)
        history = caller.history()

        def ask(wish: PageCall) -> PageAnswer:
            return answers.answer(root, wish, caller.answer)

        def do(wish: PageCall) -> PageAnswer:
            return PageCaller(environment, root, wish.name).answer(wish)

        return PageLook(history.settings, caller.now(history), ask, do)

    return ServedPage(look, by_name, bug_report)
