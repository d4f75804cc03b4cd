"""The commands that the page asks for: done in this process as the operator, with their JSON kept instead of printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App
from clawgit.cli.main import cli
from clawgit.cli.service.methods import plain_environment
from clawgit.errors import ClawgitError, ExitCode, outside_error
from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.authorship.host_signs import ACTOR_VARIABLE
from clawgit.operations.caller import Caller, bug_report
from clawgit.page.asked_commands import Answer, Ask, KeptAnswers, Look, Served
from clawgit.workspace.user.workspace_registry import read_registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History

IN_PAGE = "page"  # in the place of the sign by which an act counts as unattended


class PageCommand(App):
    """One command of the page's; whoever is signed in is the operator, and nobody has seen him."""

    def __init__(self, environment: Mapping[str, str], root: Path, words: Sequence[str]) -> None:
        super().__init__({**plain_environment(environment), ACTOR_VARIABLE: OPERATOR}, tuple(words))
        self.workspace = str(root)
        self.as_json = True
        self.data: Any = None

    def say(self, text: str) -> None:
        """Keep a sentence for the page."""
        Caller.say(self, text)

    def print(self, text: str) -> None:
        """Print nothing: the JSON has it."""

    def report(self, data: Any, _lines: Callable[[], list[str]]) -> None:
        """Keep what the command prints as JSON."""
        self.data = self.as_printed(data)

    def asks(self, _question: str) -> bool:
        """Answer no: a button is pressed after its preview, and says yes in its words."""
        return False

    def intent(self, history: History, *, kind: str = "op", actor: str | None = None) -> Intent:
        """Return the intent of this command; a browser is no proof that a person was there."""
        return super().intent(history, kind=kind, actor=actor)._replace(unattended=IN_PAGE)

    def answer(self) -> Answer:
        """Do the command."""
        problem, code = "", 0
        try:
            cli.main(args=list(self.words), prog_name="clawgit", obj=self, standalone_mode=False)
            self.settle()
            code = self.exit_code
        except ClawgitError as error:
            problem = str(error)
            code = int(error.exit_code)
        except click.ClickException as error:
            problem, code = error.format_message(), ExitCode.USAGE
        except click.exceptions.Exit as error:
            code = error.exit_code
        except OSError as error:
            problem, code = str(outside_error(error)), ExitCode.REFUSED
        return Answer(self.data, tuple(self.notes), problem, code)


def served_by(environment: Mapping[str, str], registry: Path, given: Sequence[Path]) -> Served:
    """Return what the page of this account is made of; ``given`` are workspaces beside those that are registered."""

    def workspaces() -> Mapping[str, Path]:
        by_name: dict[str, Path] = {}
        for name, each in read_registry(registry).workspaces.items():
            by_name[name] = each.root
        for root in given:
            if root not in by_name.values():
                by_name[root.name] = root
        return by_name

    def look(root: Path) -> Look:
        caller = Caller({**plain_environment(environment), ACTOR_VARIABLE: OPERATOR}, workspace=str(root))
        history = caller.history()
        return Look(history.settings, caller.now(history))

    return Served(KeptAnswers(asking(environment)), workspaces, look, bug_report)


def asking(environment: Mapping[str, str]) -> Ask:
    """Return what does a command in a workspace as the operator."""

    def ask(root: Path, words: Sequence[str]) -> Answer:
        return PageCommand(environment, root, words).answer()

    return ask
